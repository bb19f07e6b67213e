//! What files tell of machines and people, planted where each format has it: none of it gets into a session, or is told.
use crate::{Nearby, seeds};
use ridgepoint::files::import;
use ridgepoint::files::import::profile::{self, Beside, adopt};
use ridgepoint::files::session_file;
use ridgepoint::model::session::Session;
use ridgepoint::model::view::View;
use std::io::Read;

/// In host names, users, paths, tokens and environments alike.
const SECRET: &str = "SECRET";

/// Where to plant, by the name of the seed: behind the first of a text, another one.
const PLANTED: [(&str, &[(&str, &str)]); 21] = [
    (
        "long.csv",
        &[
            (
                "\u{feff}",
                "SECRET@host:~$ TOKEN=SECRET ncu /home/SECRET/app\n",
            ),
            ("roofline_profiler.exe", "/SECRET"),
            ("127.0.0.1", ".SECRET"),
        ],
    ),
    (
        "wide.csv",
        &[
            ("", "==PROF== Connected to process 1 (/home/SECRET/app)\n"),
            ("\"app", "/SECRET"),
            ("host.example", ".SECRET"),
        ],
    ),
    (
        "details.csv",
        &[
            ("", "user SECRET\n"),
            ("\"app", "/SECRET"),
            ("host.example", ".SECRET"),
            ("10:00:00", " SECRET"),
        ],
    ),
    (
        "pmc_perf.csv",
        &[("Dispatch_ID", ",SECRET"), ("\n0", ",/home/SECRET")],
    ),
    (
        "1_counter_collection.csv",
        &[
            ("Correlation_Id\"", ",\"SECRET\""),
            ("\n1", ",SECRET"),
            ("\"Agent 1", " SECRET"),
        ],
    ),
    (
        "trace.json",
        &[
            (
                "{",
                r#""hostname":"SECRET","env":{"API_KEY":"SECRET","HOME":"/home/SECRET"},"argv":["--token","SECRET"],"#,
            ),
            ("\"id\":0", r#","uuid":"SECRET""#),
            (
                "\"traceEvents\":[",
                r#"{"ph":"M","name":"process_name","args":{"name":"/home/SECRET/python"}},"#,
            ),
            (
                "\"device\":0",
                r#","user":"SECRET","file":"/home/SECRET/a.py""#,
            ),
            ("\"ts\":0", r#","cwd":"/home/SECRET""#),
        ],
    ),
    (
        "ops.csv",
        &[
            ("name", ",SECRET path"),
            ("aten::mm", ",/home/SECRET"),
            ("aten::add", ",/home/SECRET"),
        ],
    ),
    (
        "own.csv",
        &[
            ("byte_source", ",host"),
            ("counter\n", ""),
            ("counter", ",SECRET"),
        ],
    ),
    (
        "mixbench.txt",
        &[
            ("", "SECRET@host:/home/SECRET$ ./mixbench --token SECRET\n"),
            ("(theoretical", " SECRET"),
        ],
    ),
    (
        "benches.txt",
        &[
            ("", "SECRET@host:/home/SECRET$ ./roofline\n"),
            ("57°C", " SECRET"),
        ],
    ),
    (
        "likwid.txt",
        &[
            ("", "HOSTNAME=SECRET\nCPU name: SECRET\n"),
            ("Group 1: MEM_DP", "\n| /home/SECRET | SECRET |"),
        ],
    ),
    ("sizes.txt", &[("", "# SECRET@host\n")]),
    (
        "data.txt",
        &[("", "# SECRET@host\nuser SECRET\npath /home/SECRET\n")],
    ),
    (
        "timing.csv",
        &[
            ("", "# SECRET@host TOKEN=SECRET\n"),
            ("timestamp", ",host,user"),
            ("286Z", ",SECRET,/home/SECRET"),
        ],
    ),
    ("genz.csv", &[("", "# SECRET@host TOKEN=SECRET\n")]),
    ("infersim.csv", &[("", "# SECRET@host TOKEN=SECRET\n")]),
    (
        "arch.json",
        &[("{", r#""host":"SECRET","env":{"TOKEN":"SECRET"},"#)],
    ),
    ("blis.json", &[("{", r#""user":"SECRET","#)]),
    (
        "ert.json",
        &[(
            "{",
            r#""metadata":{"hostname":"SECRET","path":"/home/SECRET"},"#,
        )],
    ),
    (
        "roofline.csv",
        &[("device", ",hostname"), ("\n0", ",SECRET")],
    ),
    (
        "peaks.csv",
        &[("peak_bandwidth", ",host"), ("672048000000.0", ",SECRET")],
    ),
];

/// The files beside, with what a machine tells of itself.
struct Planted;

impl Beside for Planted {
    fn open(&self, name: &str) -> Option<Box<dyn Read + Send>> {
        let mut text = String::new();
        Nearby.open(name)?.read_to_string(&mut text).unwrap();
        let mut lines = text.lines().map(|line| format!("{line},SECRET\n"));
        let header = lines.next()?.replace("SECRET", "hostname2");
        let rows = lines
            .collect::<String>()
            .replace("./tests/vcopy", "/home/SECRET/vcopy")
            .replace(",host,", ",SECRET,");
        Some(Box::new(std::io::Cursor::new(header + &rows)))
    }
}

#[test]
fn nothing_of_machines_and_people_is_kept() {
    let seeds = seeds::all();
    for seed in &seeds {
        let planted = PLANTED.iter().find(|(name, _)| *name == seed.name);
        let (_, planted) = planted.unwrap_or_else(|| panic!("nothing is planted in {}", seed.name));
        let mut text = String::from_utf8(seed.bytes.clone()).unwrap();
        for (behind, what) in *planted {
            let at = text
                .find(behind)
                .unwrap_or_else(|| panic!("{}: {behind:?}", seed.name))
                + behind.len();
            text.insert_str(at, what);
        }
        assert!(text.contains(SECRET), "{}", seed.name);
        let label = format!("/home/{SECRET}/{}", seed.name);
        let mut session = Session::empty("");
        let told = match profile::read(&mut text.as_bytes(), &label, &Planted, &|_| true) {
            Ok(read) => {
                assert_eq!(read.source.format, seed.format);
                let told = format!("{read:?} {:?}", read.kernels);
                adopt::take(&mut session, read, adopt::Taking::default());
                told
            }
            Err(_) => {
                let imported =
                    import::devices(&text, &label).unwrap_or_else(|error| panic!("{error}"));
                let told = format!("{:?}", imported.ignored);
                for gpu in imported.gpus {
                    session.add_gpu(gpu, None);
                }
                told
            }
        };
        let kept = session_file::write(&session, &View::of(&session));
        for text in [told, kept] {
            assert!(!text.contains(SECRET), "{}: {text}", seed.name);
        }
    }
}
