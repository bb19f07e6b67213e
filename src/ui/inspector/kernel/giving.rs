//! Numbers given by hand for kernels: work, traffic, an unprofiled time, or a workload that says how much they do.
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::profile::{Analysed, Fill, Gives, KernelId, KernelKey, Selector};
use crate::model::session::Session;
use crate::model::workload::{Gemm, Kind};
use crate::ui::kernels::state::{GivenTo, Giving};
use crate::ui::state::UiState;
use crate::ui::widgets::{Field, roles, section, segmented, value_field};
use egui::{ComboBox, RichText, Ui};

/// Shows what is given, and fields to give more.
pub(super) fn giving(
    ui: &mut Ui,
    session: &mut Session,
    analysed: &Analysed,
    kernel: KernelId,
    state: &mut UiState,
) {
    section(ui, "Give what is missing", |_| {});
    given(ui, session, analysed, kernel);
    let giving = &mut state.kernels.giving;
    to(ui, giving);
    ui.checkbox(&mut giving.replaces, "also where it was counted")
        .on_hover_text(
            "Useful work beside the executed: what is given takes the place of what was counted",
        );
    let of = selector(analysed, kernel, giving);
    let workloads: Vec<_> = session
        .workloads
        .iter()
        .map(|w| (w.name.clone(), w.kind.clone()))
        .collect();
    let mut give = None;
    let paths = paths(analysed, &analysed.kernel(kernel.line).name);
    let path = pick(
        ui,
        "Path of the work",
        &paths,
        &mut giving.path,
        Path::to_string,
    );
    give = amount(ui, "Work per launch", "33.55 MFLOP, or 2*threads", |text| {
        Gives::Work(path, text)
    })
    .or(give);
    let levels = Level::ALL;
    let level = pick(
        ui,
        "Level of the traffic",
        &levels,
        &mut giving.level,
        |l| l.name().to_owned(),
    );
    give = amount(ui, "Traffic per launch", "201 MB, or 12*threads", |text| {
        Gives::Traffic(level, text)
    })
    .or(give);
    give = amount(ui, "Unprofiled time", "359.9 us", Gives::Time).or(give);
    give = shape(ui).or(give);
    give = workload(ui, &workloads).or(give);
    let Some(gives) = give else { return };
    let fill = Fill {
        of,
        gives,
        replaces: giving.replaces,
    };
    match fill.check() {
        Ok(()) => {
            if let Some(profile) = session.profile_mut(kernel.profile) {
                profile.choices.fills.push(fill);
            }
        }
        Err(error) => state.complain(error.to_string()),
    }
}

/// What is given for this kernel, each with a way to take it back.
fn given(ui: &mut Ui, session: &mut Session, analysed: &Analysed, kernel: KernelId) {
    let muted = roles(ui).muted;
    let mut removed = None;
    for (index, fill) in analysed.profile.choices.fills.iter().enumerate() {
        if !fill.of.selects(analysed.kernel(kernel.line)) {
            continue;
        }
        let text = fill.text();
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(&text).small());
            let take = ui.small_button("×").on_hover_text("Take it back");
            take.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Take back {text}"))
            });
            if take.clicked() {
                removed = Some(index);
            }
        });
    }
    for problem in &analysed.analysis.problems {
        ui.label(
            RichText::new(problem.to_string())
                .small()
                .color(roles(ui).warning),
        );
    }
    if analysed.profile.choices.fills.is_empty() {
        let text = "A number, a formula, or a shape; for many kernels at once by a pattern.";
        ui.label(RichText::new(text).small().color(muted));
    }
    if let (Some(index), Some(profile)) = (removed, session.profile_mut(kernel.profile)) {
        profile.choices.fills.remove(index);
    }
}

fn to(ui: &mut Ui, giving: &mut Giving) {
    const ALL: [GivenTo; 3] = [GivenTo::Line, GivenTo::Name, GivenTo::Pattern];
    let options = [
        ("this shape", "Only launches of this name and shape"),
        ("this name", "Every launch shape of this name"),
        (
            "a pattern",
            "Every name in which a regular expression is found",
        ),
    ];
    let now = ALL.iter().position(|to| *to == giving.to).unwrap_or(0);
    ui.horizontal(|ui| {
        if let Some(chosen) = segmented(ui, &options, now) {
            giving.to = ALL[chosen];
        }
    });
    if giving.to == GivenTo::Pattern {
        let field = Field {
            label: "Pattern",
            hint: "Its named groups can be used in formulas: gemm_(?<m>\\d+)x(?<n>\\d+)",
            shown: giving.pattern.clone(),
            exact: giving.pattern.clone(),
            placeholder: "gemm.*f16",
        };
        value_field(ui, &field, |text| {
            crate::model::profile::pattern(text).map_err(|error| error.to_string())?;
            text.clone_into(&mut giving.pattern);
            Ok(())
        });
    }
}

fn selector(analysed: &Analysed, kernel: KernelId, giving: &Giving) -> Selector {
    let of = analysed.kernel(kernel.line);
    match giving.to {
        GivenTo::Line => Selector::Line(KernelKey::of(of)),
        GivenTo::Pattern if !giving.pattern.is_empty() => Selector::Pattern(giving.pattern.clone()),
        _ => Selector::Name(of.name.to_string()),
    }
}

/// Words in the names of kernels that use the matrix unit.
const OF_MATRIX: [&str; 9] = [
    "gemm",
    "matmul",
    "attention",
    "flash",
    "fmha",
    "mma",
    "cutlass",
    "tensorop",
    "decodewithpaged",
];

/// The paths of the GPU, the one that a kernel of this name most likely uses first.
fn paths(analysed: &Analysed, name: &str) -> Vec<Path> {
    let of_gpu = analysed.gpu.iter().flat_map(|gpu| &gpu.compute);
    let mut paths: Vec<_> = of_gpu.map(|roof| roof.path).collect();
    let name = name.to_lowercase();
    let of_matrix = OF_MATRIX.iter().any(|word| name.contains(word));
    let half = [NumberFormat::BF16, NumberFormat::FP16].map(Path::matrix);
    let half = half.into_iter().find(|path| paths.contains(path));
    let plain = ["sgemm", "f32", "fp32", "float"];
    let plain = plain.iter().any(|word| name.contains(word));
    let usual = half
        .filter(|_| of_matrix && !plain)
        .unwrap_or(Path::vector(NumberFormat::FP32));
    paths.retain(|path| *path != usual);
    paths.insert(0, usual);
    paths
}

fn pick<T: Copy>(
    ui: &mut Ui,
    label: &str,
    options: &[T],
    index: &mut usize,
    name: impl Fn(&T) -> String,
) -> T {
    *index = (*index).min(options.len() - 1);
    ui.horizontal(|ui| {
        let label_id = ui.label(label).id;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let combo = ComboBox::from_id_salt(label)
                .selected_text(name(&options[*index]))
                .show_ui(ui, |ui| {
                    for (i, option) in options.iter().enumerate() {
                        ui.selectable_value(index, i, name(option));
                    }
                });
            combo.response.labelled_by(label_id);
        });
    });
    options[*index]
}

fn amount(
    ui: &mut Ui,
    label: &str,
    example: &str,
    gives: impl Fn(String) -> Gives,
) -> Option<Gives> {
    let field = Field {
        label,
        hint: "Of one launch. Formulas can use threads, grid, block, work, traffic and time",
        shown: String::new(),
        exact: String::new(),
        placeholder: example,
    };
    let mut given = None;
    value_field(ui, &field, |text| {
        let gives = gives(text.trim().to_owned());
        let test = Fill {
            of: Selector::Name(String::new()),
            gives: gives.clone(),
            replaces: false,
        };
        // Names of a pattern's groups are known only with the pattern.
        match test.check() {
            Err(error) if !error.reason.contains("name") => return Err(error.reason),
            _ => given = Some(gives),
        }
        Ok(())
    });
    given
}

/// `4096 4096 4096` is a matrix product.
fn shape(ui: &mut Ui) -> Option<Gives> {
    let field = Field {
        label: "GEMM shape",
        hint: "M N K of a matrix product in the format of the path above",
        shown: String::new(),
        exact: String::new(),
        placeholder: "4096 4096 4096",
    };
    let mut given = None;
    value_field(ui, &field, |text| {
        let numbers = text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|t| !t.is_empty());
        let numbers: Vec<f64> = numbers.filter_map(|text| text.parse().ok()).collect();
        let [m, n, k] = numbers[..] else {
            return Err(format!(
                "{text:?} is no shape: write M, N and K, such as 4096 4096 4096"
            ));
        };
        let shape = [("m", m), ("n", n), ("k", k)];
        let kind = Kind::Gemm(Gemm::default()).with_each(&shape);
        given = Some(Gives::Kind(Box::new(
            kind.map_err(|error| error.to_string())?,
        )));
        Ok(())
    });
    given
}

/// The work and traffic of a workload of the session.
fn workload(ui: &mut Ui, workloads: &[(String, Kind)]) -> Option<Gives> {
    let mut given = None;
    ui.menu_button("As a workload…", |ui| {
        for (name, kind) in workloads {
            if ui.button(name).clicked() {
                given = Some(Gives::Kind(Box::new(kind.clone())));
                ui.close();
            }
        }
    })
    .response
    .on_hover_text(
        "Each launch does the work and traffic of one execution of a workload of this session",
    );
    given
}
