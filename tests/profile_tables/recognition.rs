//! Which format a file is does not depend on its name; nothing but what is plotted is kept of it.
use crate::{SAXPY, TIMING, long, read, refused, try_read};
use flate2::{Compression, write::GzEncoder};
use ridgepoint::files::import::profile::{self, Beside, Folder, Nothing};
use std::io::Write;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn packed_files_are_unpacked_and_keep_the_hash_of_what_they_are() {
    let profile = read(&packed(SAXPY));
    let plain = read(SAXPY);
    assert_eq!(profile.kernels, plain.kernels);
    assert_ne!(profile.source.hash, plain.source.hash);
    assert_eq!(plain.source.hash.len(), 32);
    assert_eq!(read(SAXPY).source.hash, plain.source.hash);
    // As `xxh128sum` of xxHash 0.8 gives for no bytes at all, this is its digest of the bytes of the file.
    let expected = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(SAXPY));
    assert_eq!(plain.source.hash, expected);
}

#[test]
fn what_is_no_profile_is_refused_in_a_sentence() {
    assert!(refused(b"").contains("empty"));
    assert!(refused(b"\x7fELF\0\0\0\n").contains("line 1: this is binary data"));
    let error = refused(b"{\"hidden_size\": 4096}");
    for format in ["Nsight Compute CSV", "PyTorch trace (JSON)", "mixbench"] {
        assert!(error.contains(format), "{error}");
    }
    let half = packed(SAXPY);
    let error = refused(&half[..half.len() / 2]);
    assert!(error.contains("the compressed data is broken"), "{error}");
}

#[test]
fn reading_can_be_cancelled() {
    let row = long(&[("k", 1, "gpu__time_duration.sum", "ns", "1")]);
    let many = row.repeat(20_000);
    let error =
        profile::read(&mut many.as_bytes(), "a", &Nothing, &|read| read < 2 << 20).unwrap_err();
    assert!(error.to_string().contains("cancelled"));
}

/// Planted where real files have them: in front of the table, in its columns, and in remarks.
#[test]
fn no_host_user_path_or_token_is_kept() {
    let secrets = [
        "secret-host",
        "jane.doe",
        "/home/jane",
        "hf_TOKEN",
        "192.168.7.7",
    ];
    let ncu = long(&[("k", 1, "gpu__time_duration.sum", "ns", "1000")])
        .replace("host.example", "secret-host")
        .replace("\"app\"", "\"/home/jane/app\"");
    let ncu = format!(
        "==PROF== Connected to process 1 (/home/jane/app)\nHF_TOKEN=hf_TOKEN user jane.doe\n{ncu}==WARNING== 192.168.7.7\n"
    );
    let table = "# run by jane.doe on secret-host with hf_TOKEN\nkernel,time_ms,host,user,path\na,1,secret-host,jane.doe,/home/jane\n";
    let likwid = "user jane.doe on secret-host\nRegion triad, Group 1: MEM_DP\n| Runtime (RDTSC) [s] | 2.0 |\n| DP [MFLOP/s] | 5 |\n| /home/jane | 192.168.7.7 |\n";
    for text in [ncu.as_str(), table, likwid] {
        let profile = read(text.as_bytes());
        let kept = format!("{profile:?} {:?}", profile.kernels.lines);
        for secret in secrets {
            assert!(!kept.contains(secret), "{secret} is in {kept}");
        }
        assert!(!kept.contains("somebody"), "{kept}");
    }
}

#[test]
fn files_beside_are_only_those_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sysinfo.csv"), "a").unwrap();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    let inner = Folder(folder.path().join("inner"));
    assert!(inner.open("../sysinfo.csv").is_none());
    assert!(inner.open("sysinfo.csv").is_none());
    let outer = Folder(folder.path().to_owned());
    assert!(outer.open("sysinfo.csv").is_some());
    assert!(outer.open("inner").is_none());
}

#[test]
fn a_file_is_opened_by_its_path_and_named_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("timing.txt");
    std::fs::write(&path, TIMING).unwrap();
    let profile = profile::open(&path, &|_| true).unwrap();
    assert_eq!(profile.source.file, "timing.txt");
    let error = profile::open(&folder.path().join("none.csv"), &|_| true).unwrap_err();
    assert!(error.to_string().contains("cannot be read"));
    assert!(try_read(TIMING).is_ok());
}

/// A gigabyte of profile is read as one at once; what may be something else as well is tried as that first.
#[test]
fn the_beginning_tells_whether_a_profiler_wrote_it() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let is = |path: &str| profile::is_of_a_profiler(&data.join(path));
    for path in [
        "tests/data/profiles/kineto_h100.json.gz",
        "tests/data/profiles/kineto_h100_trimmed.json",
        "tests/data/profiles/ncu_long_saxpy.csv",
        "tests/data/profiles/rocprof_mi200",
    ] {
        assert!(is(path), "{path}");
    }
    for path in [
        "presets/sessions/compare-three-gpus.ron",
        "tests/data/import/ert_a64fx.json",
        "tests/data/import/roofline_mi200.csv",
        "tests/data/profiles/user_timing.csv",
        "tests/data/nothing-of-this-name",
    ] {
        assert!(!is(path), "{path}");
    }
}
