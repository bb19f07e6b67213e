//! Every importer against whatever may be in a file: arbitrary, mutated, cut, re-encoded and hostile bytes give what was
//! good or one sentence with the file and the place, in bounded memory; and what is nobody's business stays in the file.
mod bombs;
mod encodings;
mod files;
mod memory;
mod mutations;
mod secrets;
mod seeds;

use ridgepoint::chart::scene;
use ridgepoint::files::import::profile::{self, Beside, ReadProfile, mapping};
use ridgepoint::files::import::{self, Imported};
use ridgepoint::files::{presets, session_file};
use ridgepoint::model::profile::Analyses;
use ridgepoint::model::session::Session;
use ridgepoint::model::view::View;
use seeds::Seed;
use std::io::Read;

/// The most characters of an error or of anything else that is told.
const LONGEST: usize = 4000;

/// What lies beside a file: what rocprof writes, whatever the file is.
struct Nearby;

impl Beside for Nearby {
    fn open(&self, name: &str) -> Option<Box<dyn Read + Send>> {
        let bytes: &[u8] = match name {
            "sysinfo.csv" => include_bytes!("../data/profiles/rocprof_mi200/sysinfo.csv"),
            "agent_info.csv" => b"Node_Id,Agent_Type,Name,Product_Name\n1,GPU,gfx90a,X\n",
            "roofline.csv" => seeds::ROOFLINE,
            _ => return None,
        };
        Some(Box::new(bytes))
    }
}

/// Why bytes are no profile, or what they hold.
fn profile_of(bytes: &[u8], name: &str) -> Result<ReadProfile, String> {
    profile::read(&mut &*bytes, name, &Nearby, &|_| true).map_err(|error| error.to_string())
}

/// Why bytes are no device, or what they hold.
fn devices_of(bytes: &[u8], name: &str) -> Result<Imported, String> {
    import::read(bytes, name).map_err(|error| error.to_string())
}

/// Reads bytes with every reader there is, and looks at everything that comes of it.
#[track_caller]
fn bear(bytes: &[u8], name: &str) {
    match profile_of(bytes, name) {
        Ok(profile) => sound(profile),
        Err(error) => sentence(&error, name),
    }
    match devices_of(bytes, name) {
        Ok(imported) => imported.notices().for_each(|notice| told(notice)),
        Err(error) => sentence(&error, name),
    }
    let guessed = mapping::head(bytes).and_then(|head| mapping::guess(&head.columns));
    if let Some(guessed) = guessed {
        mapping::preview(bytes, &guessed);
        let mapped = mapping::read_mapped(&mut &*bytes, name, &Nearby, &|_| true, &guessed);
        match mapped {
            Ok(profile) => sound(profile),
            Err(error) => sentence(&error.to_string(), name),
        }
    }
}

/// An error is one sentence that begins with the file.
#[track_caller]
fn sentence(error: &str, name: &str) {
    assert!(error.starts_with(name), "{error}");
    told(error);
}

/// What is told is of one line, and no longer than somebody reads.
#[track_caller]
fn told(text: &str) {
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.chars().count() <= LONGEST, "{} bytes", text.len());
}

/// Every number is finite, and the profile can be judged, drawn, saved and read again.
#[track_caller]
fn sound(profile: ReadProfile) {
    assert!(!profile.kernels.lines.is_empty());
    assert!(profile.skipped.len() <= 100);
    let skipped = profile.skipped.iter().map(|skipped| &skipped.reason);
    for text in profile.notes.iter().chain(&profile.warnings).chain(skipped) {
        told(text);
    }
    for clock in [profile.clocks.compute, profile.clocks.memory] {
        assert!(
            clock.is_none_or(|clock| clock.is_finite() && clock > 0.0),
            "{clock:?}"
        );
    }
    for (line, kernel) in profile.kernels.lines.iter().enumerate() {
        assert!(kernel.count >= 1);
        assert!(profile.kernels.cost(line).total_work().get().is_finite());
        if let Some(timing) = kernel.timing {
            let times = [timing.shortest, timing.median, timing.longest, timing.sum];
            assert!(
                times.iter().all(|time| time.is_finite() && *time > 0.0),
                "{timing:?}"
            );
        }
        for formula in &profile.kernels.formulas {
            formula.with_numbers(&profile.kernels.counters, line);
        }
    }
    let mut session = Session::empty("hostile");
    let gpu = presets::gpu("nvidia-h100-sxm").unwrap().unwrap().gpu;
    let gpu = session.add_gpu(gpu, None);
    let taking = profile::adopt::Taking {
        gpu: Some(gpu),
        ..Default::default()
    };
    let id = profile::adopt::take(&mut session, profile, taking).profile;
    let mut view = View::of(&session);
    (view.active, view.profile) = (Some(gpu), Some(id));
    for analysed in Analyses::of(&session).iter() {
        for line in 0..analysed.analysis.lines.len() as u32 {
            let judged = &analysed.analysis.lines[line as usize];
            let numbers = [
                judged.time(),
                judged.share(),
                judged.bound(),
                judged.flop_rate(),
                judged.intensity(),
            ];
            assert!(
                numbers.iter().flatten().all(|number| !number.is_nan()),
                "{judged:?}"
            );
            assert!(!analysed.name(line).contains('\n'));
        }
    }
    scene::build(&session, &view);
    let text = session_file::write(&session, &view);
    let again = session_file::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(
        again.session.profiles[0].kernels.lines.len(),
        session.profiles[0].kernels.lines.len()
    );
}

/// The seeds are of every format there is: those that the program names where it knows none of them.
#[test]
fn every_format_has_a_seed_that_is_read_as_it() {
    let seeds = seeds::all();
    for Seed {
        format,
        name,
        bytes,
        ..
    } in &seeds
    {
        let read_as = match profile_of(bytes, name) {
            Ok(profile) => {
                sound(profile.clone());
                profile.source.format
            }
            Err(_) => {
                let imported =
                    devices_of(bytes, name).unwrap_or_else(|error| panic!("{format}: {error}"));
                let gpu = &imported.gpus[0];
                let of_compute = gpu.compute.first().map(|roof| &roof.peak.source);
                of_compute
                    .or(gpu.memory.first().map(|roof| &roof.bandwidth.source))
                    .unwrap()
                    .clone()
            }
        };
        assert!(read_as.starts_with(format), "{name} was read as {read_as}");
    }
    let unknown = [
        profile_of(b"hello", "a").unwrap_err(),
        devices_of(b"hello", "a").unwrap_err(),
    ];
    let named = unknown.iter().flat_map(|error| {
        let list = error.split("the formats are ").nth(1).unwrap();
        let list = list.split(';').next().unwrap().replace(" and ", ", ");
        list.split(", ").map(str::to_owned).collect::<Vec<_>>()
    });
    for format in named.filter(|name| !name.starts_with("a device exported here")) {
        assert!(
            seeds.iter().any(|seed| seed.format == format),
            "no seed is of {format}"
        );
    }
}
