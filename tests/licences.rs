//! The list of libraries and their licences that the About box shows: complete, and how to renew it.
//!
//! After adding or updating a dependency: `cargo test --test licences -- --ignored`.
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn list() -> String {
    std::fs::read_to_string(root().join("assets/licences.txt")).unwrap()
}

fn names_in_list() -> BTreeSet<String> {
    let list = list();
    let names = list.lines().filter_map(|line| line.split_once(' '));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// The names under a heading of Cargo.toml, for example `[dependencies]`.
fn direct(heading: &str) -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let lines = manifest.lines().skip_while(|line| *line != heading).skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .filter(|(name, _)| !name.starts_with('#'))
        .map(|(name, _)| name.trim().to_owned())
        .collect()
}

#[test]
fn every_dependency_is_listed_with_a_licence() {
    let direct = direct("[dependencies]");
    assert!(direct.len() > 20, "{direct:?}");
    let listed = names_in_list();
    for name in direct {
        assert!(
            listed.contains(&name),
            "{name} is missing: see the head of this test"
        );
    }
    assert!(
        listed.len() > 150,
        "what dependencies depend on is listed as well"
    );
    for line in list().lines() {
        let parts: Vec<_> = line.splitn(3, ' ').collect();
        assert!(
            parts.len() == 3 && parts[2].len() >= 3,
            "{line:?} has no licence"
        );
    }
}

#[test]
fn what_is_listed_is_what_is_locked() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
    for line in list().lines() {
        let parts: Vec<_> = line.splitn(3, ' ').collect();
        let package = format!("name = \"{}\"\nversion = \"{}\"\n", parts[0], parts[1]);
        assert!(lock.contains(&package), "{line}: see the head of this test");
    }
}

#[test]
fn licences_are_ones_that_a_program_of_ours_may_contain() {
    const KNOWN: [&str; 12] = [
        "MIT",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "ISC",
        "Zlib",
        "Unicode-3.0",
        "MPL-2.0",
        "BSL-1.0",
        "0BSD",
        "CC0-1.0",
        "Unlicense",
    ];
    for line in list().lines() {
        let licence = line.splitn(3, ' ').nth(2).unwrap();
        let words = licence.split(|c: char| !(c.is_alphanumeric() || "-.".contains(c)));
        let free = words.into_iter().any(|word| KNOWN.contains(&word));
        assert!(free, "{line}");
    }
}

/// Writes the list from what cargo knows of the packages that are part of the program on Linux.
#[test]
#[ignore = "renews assets/licences.txt"]
fn renew() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let mut waiting = vec![metadata["resolve"]["root"].as_str().unwrap()];
    let mut parts = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let node = nodes.iter().find(|node| node["id"] == id).unwrap();
        for dependency in node["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            let is_part = kinds.iter().any(|kind| kind["kind"].is_null());
            let id = dependency["pkg"].as_str().unwrap();
            if is_part && parts.insert(id) {
                waiting.push(id);
            }
        }
    }
    let text = |value: &Value| value.as_str().unwrap_or("see its sources").to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let mut lines: Vec<_> = packages
        .filter(|package| package["id"].as_str().is_some_and(|id| parts.contains(id)))
        .map(|p| {
            format!(
                "{} {} {}",
                text(&p["name"]),
                text(&p["version"]),
                text(&p["license"])
            )
        })
        .collect();
    lines.sort();
    std::fs::write(root().join("assets/licences.txt"), lines.join("\n") + "\n").unwrap();
}
