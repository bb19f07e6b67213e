//! Work and traffic from AMD's counters, with the formulas of rocprofiler-compute for each generation.
use super::Architecture;
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::profile::{Counter, Factor, Formula, Target, TermOfFormula};

/// Counters that formulas are made of; `_sum`, which tools append to sums over all instances, left off.
const KNOWN: [&str; 40] = [
    "SQ_INSTS_VALU_ADD_F16",
    "SQ_INSTS_VALU_MUL_F16",
    "SQ_INSTS_VALU_FMA_F16",
    "SQ_INSTS_VALU_TRANS_F16",
    "SQ_INSTS_VALU_ADD_F32",
    "SQ_INSTS_VALU_MUL_F32",
    "SQ_INSTS_VALU_FMA_F32",
    "SQ_INSTS_VALU_TRANS_F32",
    "SQ_INSTS_VALU_ADD_F64",
    "SQ_INSTS_VALU_MUL_F64",
    "SQ_INSTS_VALU_FMA_F64",
    "SQ_INSTS_VALU_TRANS_F64",
    "SQ_INSTS_VALU_MFMA_MOPS_F64",
    "SQ_INSTS_VALU_MFMA_MOPS_F32",
    "SQ_INSTS_VALU_MFMA_MOPS_XF32",
    "SQ_INSTS_VALU_MFMA_MOPS_F16",
    "SQ_INSTS_VALU_MFMA_MOPS_BF16",
    "SQ_INSTS_VALU_MFMA_MOPS_F8",
    "SQ_INSTS_VALU_MFMA_MOPS_F6F4",
    "SQ_INSTS_VALU_MFMA_MOPS_I8",
    "TCC_EA_RDREQ",
    "TCC_EA_RDREQ_32B",
    "TCC_EA_WRREQ",
    "TCC_EA_WRREQ_64B",
    "TCC_EA0_RDREQ",
    "TCC_EA0_RDREQ_32B",
    "TCC_EA0_RDREQ_64B",
    "TCC_EA0_RDREQ_128B",
    "TCC_EA0_WRREQ",
    "TCC_EA0_WRREQ_64B",
    "TCC_BUBBLE",
    "TCC_READ_SECTORS",
    "TCC_WRITE_SECTORS",
    "TCP_TCC_READ_REQ",
    "TCP_TCC_WRITE_REQ",
    "TCP_TCC_ATOMIC_WITH_RET_REQ",
    "TCP_TCC_ATOMIC_WITHOUT_RET_REQ",
    "TCP_TOTAL_CACHE_ACCESSES",
    "FETCH_SIZE",
    "WRITE_SIZE",
];

/// Which of the known counters a name is.
pub(super) fn known(name: &str) -> Option<usize> {
    let name = name.strip_suffix("_sum").unwrap_or(name);
    KNOWN.iter().position(|known| *known == name)
}

/// What can be made of a file's counters.
pub(super) struct Reading {
    pub formulas: Vec<Formula>,
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
}

/// The formulas of a generation; without one there are none, since a wrong one goes unnoticed.
pub(super) fn read(architecture: Option<Architecture>, columns: &[Counter]) -> Reading {
    let mut reading = Reading {
        formulas: Vec::new(),
        notes: Vec::new(),
        warnings: Vec::new(),
    };
    let Some(architecture) = architecture else {
        return reading;
    };
    let table = Table { columns };
    reading.formulas.extend(table.work());
    if reading.formulas.is_empty() {
        reading.warnings.push(match architecture {
            Architecture::Mi100 => "MI100 has no counters of floating-point operations: give the work of kernels by hand or as a workload".to_owned(),
            _ => "no work is known: collect SQ_INSTS_VALU_{ADD,MUL,FMA,TRANS}_{F16,F32,F64} and SQ_INSTS_VALU_MFMA_MOPS_*, with rocprof-compute profile, or with rocprofv3 --pmc in several runs".to_owned(),
        });
    }
    let levels = [
        (Level::Dram, table.dram(architecture), needed(architecture)),
        (
            Level::L2,
            table.l2(architecture),
            "TCP_TCC_READ_REQ_sum, TCP_TCC_WRITE_REQ_sum and both TCP_TCC_ATOMIC_*_REQ_sum",
        ),
        (Level::L1, table.l1(), "TCP_TOTAL_CACHE_ACCESSES_sum"),
    ];
    for (level, formula, needed) in levels {
        match formula {
            Some(formula) => reading.formulas.push(formula),
            None => reading.warnings.push(format!(
                "no {} bytes are known: on {} they need {needed}, which rocprof-compute profile collects",
                level.name(),
                architecture.name()
            )),
        }
    }
    reading.notes.push(format!(
        "the formulas are those of {}: a vector instruction counts 64 lanes, all of them active; matrix operations come in 512",
        architecture.name()
    ));
    reading
}

/// What the bytes of the memory follow from.
fn needed(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::Mi100 | Architecture::Mi200 => {
            "TCC_EA_RDREQ_sum, TCC_EA_RDREQ_32B_sum, TCC_EA_WRREQ_sum and TCC_EA_WRREQ_64B_sum"
        }
        Architecture::Mi300 => {
            "TCC_BUBBLE_sum, TCC_EA0_RDREQ_sum, TCC_EA0_RDREQ_32B_sum, TCC_EA0_WRREQ_sum and TCC_EA0_WRREQ_64B_sum"
        }
        Architecture::Mi350 => {
            "TCC_EA0_RDREQ_32B_sum, _64B_sum and _128B_sum (TCC_BUBBLE does not count 128-byte reads there), TCC_EA0_WRREQ_sum and TCC_EA0_WRREQ_64B_sum"
        }
    }
}

struct Table<'a> {
    columns: &'a [Counter],
}

impl Table<'_> {
    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| {
            let plain = column.name.strip_suffix("_sum").unwrap_or(&column.name);
            plain == name
        })
    }

    /// `coefficient · (plus + … − minus − …)`; `None` if a counter is not there.
    fn term(&self, coefficient: f64, plus: &[&str], minus: &[&str]) -> Option<TermOfFormula> {
        let plus = plus.iter().map(|name| self.column(name).map(Factor::of));
        let minus = minus
            .iter()
            .map(|name| Some(Factor::of(self.column(name)?).minus()));
        Some(TermOfFormula {
            coefficient,
            factors: plus.chain(minus).collect::<Option<_>>()?,
        })
    }

    fn formula(
        &self,
        target: Target,
        note: &str,
        terms: impl IntoIterator<Item = Option<TermOfFormula>>,
    ) -> Option<Formula> {
        Some(Formula {
            target,
            terms: terms.into_iter().collect::<Option<_>>()?,
            note: note.to_owned(),
        })
    }

    fn work(&self) -> Vec<Formula> {
        const LANES: &str =
            "64 lanes of an instruction, 2 FLOP of an FMA; lanes that are masked out count too";
        const MATRIX: &str = "a matrix operation counter counts 512 FLOP";
        let vector = [
            ("F16", NumberFormat::FP16),
            ("F32", NumberFormat::FP32),
            ("F64", NumberFormat::FP64),
        ];
        let vector = vector.into_iter().filter_map(|(name, format)| {
            let counter = |kind: &str| format!("SQ_INSTS_VALU_{kind}_{name}");
            let [add, multiply, other] = ["ADD", "MUL", "TRANS"].map(counter);
            let terms = [
                self.term(64.0, &[&add, &multiply, &other], &[]),
                self.term(128.0, &[&counter("FMA")], &[]),
            ];
            self.formula(Target::Work(Path::vector(format)), LANES, terms)
        });
        let matrix = [
            ("F64", NumberFormat::FP64),
            ("F32", NumberFormat::FP32),
            ("XF32", NumberFormat::TF32),
            ("F16", NumberFormat::FP16),
            ("BF16", NumberFormat::BF16),
            ("F8", NumberFormat::FP8),
            ("F6F4", NumberFormat::FP4),
            ("I8", NumberFormat::INT8),
        ];
        let matrix = matrix.into_iter().filter_map(|(name, format)| {
            let counter = format!("SQ_INSTS_VALU_MFMA_MOPS_{name}");
            let note = match name {
                "F6F4" => "a matrix operation counter counts 512 FLOP; FP6 is counted with FP4",
                _ => MATRIX,
            };
            let target = Target::Work(Path::matrix(format));
            self.formula(target, note, [self.term(512.0, &[&counter], &[])])
        });
        vector.chain(matrix).collect()
    }

    fn dram(&self, architecture: Architecture) -> Option<Formula> {
        const SIZES: &str = "requests of 32, 64 and 128 B between L2 and the memory";
        let target = Target::Traffic(Level::Dram);
        let writes = |port: &str| {
            let [all, wide] = ["WRREQ", "WRREQ_64B"].map(|name| format!("TCC_{port}_{name}"));
            [
                self.term(64.0, &[&wide], &[]),
                self.term(32.0, &[&all], &[&wide]),
            ]
        };
        let reads = match architecture {
            Architecture::Mi100 | Architecture::Mi200 => vec![
                self.term(32.0, &["TCC_EA_RDREQ_32B"], &[]),
                self.term(64.0, &["TCC_EA_RDREQ"], &["TCC_EA_RDREQ_32B"]),
            ],
            Architecture::Mi300 => vec![
                self.term(128.0, &["TCC_BUBBLE"], &[]),
                self.term(32.0, &["TCC_EA0_RDREQ_32B"], &[]),
                self.term(
                    64.0,
                    &["TCC_EA0_RDREQ"],
                    &["TCC_BUBBLE", "TCC_EA0_RDREQ_32B"],
                ),
            ],
            Architecture::Mi350 => vec![
                self.term(128.0, &["TCC_EA0_RDREQ_128B"], &[]),
                self.term(64.0, &["TCC_EA0_RDREQ_64B"], &[]),
                self.term(32.0, &["TCC_EA0_RDREQ_32B"], &[]),
            ],
        };
        let port = match architecture {
            Architecture::Mi100 | Architecture::Mi200 => "EA",
            Architecture::Mi300 | Architecture::Mi350 => "EA0",
        };
        let counted = self.formula(target, SIZES, reads.into_iter().chain(writes(port)));
        counted.or_else(|| {
            // What ROCm derived itself from the same requests; on MI350 with a formula that misses half of the reads.
            let derived = [self.term(1024.0, &["FETCH_SIZE", "WRITE_SIZE"], &[])];
            let note = "FETCH_SIZE and WRITE_SIZE in KiB, as ROCm derived them";
            let known = architecture != Architecture::Mi350;
            self.formula(target, note, derived).filter(|_| known)
        })
    }

    fn l2(&self, architecture: Architecture) -> Option<Formula> {
        let target = Target::Traffic(Level::L2);
        let atomics = [
            "TCP_TCC_ATOMIC_WITH_RET_REQ",
            "TCP_TCC_ATOMIC_WITHOUT_RET_REQ",
        ];
        let [with, without] = atomics;
        match architecture {
            Architecture::Mi100 | Architecture::Mi200 => {
                let all = ["TCP_TCC_READ_REQ", "TCP_TCC_WRITE_REQ", with, without];
                let note = "a request between L1 and L2 is 64 B";
                self.formula(target, note, [self.term(64.0, &all, &[])])
            }
            Architecture::Mi300 | Architecture::Mi350 => {
                let sectors = ["TCC_READ_SECTORS", "TCC_WRITE_SECTORS"];
                let sectors = [self.term(32.0, &sectors, &[])];
                let sectors = self.formula(target, "a sector is 32 B", sectors);
                let requests = [
                    self.term(128.0, &["TCP_TCC_READ_REQ"], &[]),
                    self.term(64.0, &["TCP_TCC_WRITE_REQ", with, without], &[]),
                ];
                let note = "a line is 128 B: a read is of a line, a write or atomic of 64 B";
                sectors.or_else(|| self.formula(target, note, requests))
            }
        }
    }

    fn l1(&self) -> Option<Formula> {
        let note = "64 B looked up by an access, also where fewer are used: a read that misses counts at L1 and L2";
        let accesses = [self.term(64.0, &["TCP_TOTAL_CACHE_ACCESSES"], &[])];
        self.formula(Target::Traffic(Level::L1), note, accesses)
    }
}
