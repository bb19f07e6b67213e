//! Imports between the floors, read from the sources: they point down, and siblings do not know each other.
use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the ground up; those that share a number are siblings.
const FLOORS: [(&str, u32); 9] = [
    ("model", 1),
    ("chart", 2),
    ("document", 3),
    ("files", 3),
    ("figure", 3),
    ("report", 3),
    ("ui", 4),
    ("app", 5),
    ("cli", 6),
];

/// Floors that know nothing of the interface.
const WITHOUT_EGUI: [&str; 4] = ["model", "document", "files", "report"];

fn floor(name: &str) -> Option<u32> {
    let floor = FLOORS.iter().find(|(floor, _)| *floor == name);
    floor.map(|(_, number)| *number)
}

#[test]
fn imports_point_down() {
    let mut wrong = Vec::new();
    for file in sources() {
        let Some(from) = module(&file).first().cloned() else {
            continue;
        };
        let Some(number) = floor(&from) else {
            wrong.push(format!("{}: no floor is named {from:?}", file.display()));
            continue;
        };
        for to in floors_named(&code(&file), module(&file).len()) {
            let below = floor(&to).is_some_and(|to| to < number);
            if to != from && !below {
                wrong.push(format!("{}: {from} imports {to}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_interface_stays_upstairs() {
    let mut wrong = Vec::new();
    for file in sources() {
        let code = code(&file);
        let module = module(&file);
        let below = |floor: &String| WITHOUT_EGUI.contains(&floor.as_str());
        if module.first().is_some_and(below) {
            let named = ["egui", "eframe", "egui_plot", "winit", "rfd"];
            let named = named.iter().filter(|name| names(&code, name));
            wrong.extend(named.map(|name| format!("{} names {name}", file.display())));
        }
        let paints = module.first().is_some_and(|floor| floor == "chart")
            && module.get(1).is_some_and(|name| name.starts_with("paint"));
        if names(&code, "egui_plot") && !paints {
            wrong.push(format!("{} names egui_plot", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_says_its_subject() {
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//! "), "{} does not", file.display());
    }
}

/// Every source file of the crate.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 10, "the sources are not where they should be");
    files
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The module a file is, for example `["files", "session_file"]`; empty for the roots of the crate.
fn module(file: &Path) -> Vec<String> {
    let path = file.strip_prefix(root()).unwrap().with_extension("");
    let names = path.iter().map(|name| name.to_str().unwrap().to_owned());
    names
        .filter(|name| !["mod", "lib", "main"].contains(&name.as_str()))
        .collect()
}

fn code(file: &Path) -> String {
    without_comments(&fs::read_to_string(file).unwrap())
}

/// The text without line comments; `//` after a colon is part of an address.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let comment = line.match_indices("//").map(|(at, _)| at);
        let mut comment = comment.filter(|at| !line[..*at].ends_with(':'));
        &line[..comment.next().unwrap_or(line.len())]
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The floors that code names by a path from the root of the crate, in a module so many levels below it.
fn floors_named(code: &str, depth: usize) -> Vec<String> {
    let up = "super::".repeat(depth);
    let mut named = Vec::new();
    for from_root in ["crate::", &up] {
        for (at, _) in code.match_indices(from_root) {
            let inside_word = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !from_root.is_empty() && !inside_word {
                named.extend(first_names(&code[at + from_root.len()..]));
            }
        }
    }
    named.retain(|name| floor(name).is_some());
    named
}

/// The first name of a path, or of every path of a group in braces.
fn first_names(path: &str) -> Vec<String> {
    let path = path.trim_start();
    let Some(group) = path.strip_prefix('{') else {
        let name = path.split(|c: char| !c.is_alphanumeric() && c != '_');
        return name.take(1).map(str::to_owned).collect();
    };
    let mut names = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                names.extend(first_names(&group[start..at]));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

/// Whether code names a crate: as a whole word with a path behind it, or imported.
fn names(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let whole = !before.ends_with(word) && !after.starts_with(word);
        whole && (after.starts_with("::") || before.trim_end().ends_with("use"))
    })
}

#[test]
fn imports_are_seen_however_they_are_written() {
    let code = without_comments(
        "use crate::{chart::{axis, model}, ui};\nuse crate::files::names; // crate::app\n\
         /// [`crate::cli`]\nlet x = crate::report::table::write(); use super::super::document::History;\n\
         let url = \"http://a\"; mycrate::app::x();",
    );
    let mut named = floors_named(&code, 2);
    named.sort();
    assert_eq!(named, ["chart", "document", "files", "report", "ui"]);
    assert!(names("use egui;", "egui") && names("egui::Ui", "egui"));
    assert!(!names("egui_plot::Plot", "egui") && !names("let egui = 1;", "egui"));
}
