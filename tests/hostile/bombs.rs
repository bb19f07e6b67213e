//! Files made to harm: in bounded memory they give one sentence, or what was good before.
use crate::memory::most_during;
use crate::seeds::Seed;
use crate::{bear, devices_of, files, profile_of, seeds};

/// The most memory that reading any of them may take, in B.
const MOST: usize = 160 << 20;

#[test]
fn bombs_are_borne_in_bounded_memory() {
    for bomb in files::all(&seeds::all()) {
        let taken = most_during(|| {
            // Whatever comes of it: there is no more to see in millions of lines.
            let _ =
                profile_of(&bomb.bytes, "bomb").map_err(|error| crate::sentence(&error, "bomb"));
            let _ =
                devices_of(&bomb.bytes, "bomb").map_err(|error| crate::sentence(&error, "bomb"));
        });
        assert!(taken < MOST, "{} took {} MiB", bomb.what, taken >> 20);
    }
}

/// A column twice leaves open which of them is meant.
#[test]
fn columns_of_one_name_are_refused_or_told() {
    for Seed {
        name,
        bytes,
        header,
        ..
    } in seeds::all()
    {
        let Some(header) = header else { continue };
        let text = String::from_utf8(bytes).unwrap();
        let at = text.lines().position(|line| line.contains(header)).unwrap();
        let columns = text.lines().nth(at).unwrap().split(',').count();
        for column in 0..columns {
            let doubled: String = text
                .lines()
                .enumerate()
                .map(|(row, line)| {
                    let cell = match row >= at {
                        true => format!(",{}", line.split(',').nth(column).unwrap_or_default()),
                        false => String::new(),
                    };
                    format!("{line}{cell}\n")
                })
                .collect();
            bear(doubled.as_bytes(), name);
            let said = match (
                profile_of(doubled.as_bytes(), name),
                devices_of(doubled.as_bytes(), name),
            ) {
                (Err(error), Err(_)) => error,
                (_, Ok(imported)) => imported.notices().cloned().collect::<Vec<_>>().join("\n"),
                (Ok(profile), _) => panic!(
                    "{name} with its column {column} twice was read: {:?}",
                    profile.warnings
                ),
            };
            assert!(
                said.contains("two columns are called"),
                "{name}, column {column}: {said}"
            );
        }
    }
}
