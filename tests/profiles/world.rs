//! Profiles made by hand.
use ridgepoint::files::presets;
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::gpu::Gpu;
use ridgepoint::model::profile::{
    Builder, Counter, Factor, Formula, Launch, Profile, Source, Target,
};

/// A built-in GPU.
pub fn gpu(name: &str) -> Gpu {
    presets::find_gpu(name).unwrap().gpu
}

/// A kernel: name, launch shape, time in s, and the value of each column.
pub type Row<'a> = (&'a str, &'a str, Option<f64>, Vec<Option<f64>>);

/// A profile with a column for each target, whose formula is the column itself.
pub fn profile(targets: &[Target], rows: &[Row<'_>]) -> Profile {
    let columns = targets.iter().map(|target| Counter {
        name: target.name().replace(' ', "_"),
        unit: match target {
            Target::Work(_) => "FLOP".to_owned(),
            Target::Traffic(_) => "B".to_owned(),
        },
    });
    let mut builder = Builder::new(columns.collect());
    for (name, shape, time, values) in rows {
        let launch = Launch {
            name,
            shape,
            time: *time,
            derivation: None,
        };
        builder.add(launch, values.iter().copied());
    }
    let formulas = targets.iter().enumerate();
    let formulas =
        formulas.map(|(column, target)| Formula::single(*target, 1.0, vec![Factor::of(column)]));
    let (kernels, _) = builder.finish(formulas.collect());
    let source = Source {
        file: "kernels.csv".to_owned(),
        format: "CSV".to_owned(),
        hash: "0".to_owned(),
    };
    Profile::new("kernels", source, kernels)
}

/// Work of one path and traffic at the memory.
pub fn simple(path: Path) -> [Target; 2] {
    [Target::Work(path), Target::Traffic(Level::Dram)]
}
