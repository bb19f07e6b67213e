//! Which items a few letters mean, the likeliest first, and which letters of their names.
use super::items::Item;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::cmp::Reverse;

/// An item that matches, and the places of the letters that do, in characters of its name.
pub(super) struct Found<'a> {
    pub item: &'a Item,
    pub letters: Vec<u32>,
}

/// The items whose name has the letters in this order, then those that have the words elsewhere; all for no query.
/// Items that are alike in this keep the order given, those that can be used before those that cannot.
pub(super) fn find<'a>(items: &'a [Item], query: &str) -> Vec<Found<'a>> {
    let fuzzy = AtomKind::Fuzzy;
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut found: Vec<(u32, Found<'a>)> = items
        .iter()
        .filter_map(|item| {
            let mut buffer = Vec::new();
            let mut letters = Vec::new();
            let name = Utf32Str::new(&item.name, &mut buffer);
            let score = pattern.indices(name, &mut matcher, &mut letters);
            let score = match score {
                Some(score) => score + 1,
                None if has_words(item, query) => 0,
                None => return None,
            };
            letters.sort_unstable();
            letters.dedup();
            Some((score, Found { item, letters }))
        })
        .collect();
    if !query.trim().is_empty() {
        found.sort_by_key(|(score, found)| (Reverse(*score), found.item.unavailable.is_some()));
    }
    found.into_iter().map(|(_, found)| found).collect()
}

fn has_words(item: &Item, query: &str) -> bool {
    let told = format!("{} {}", item.name, item.words).to_lowercase();
    let query = query.to_lowercase();
    query.split_whitespace().all(|word| told.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::Command;
    use crate::ui::request::Request;

    fn item(name: &str, words: &str, unavailable: Option<&'static str>) -> Item {
        Item {
            key: name.to_owned(),
            name: name.to_owned(),
            about: String::new(),
            sort: "command",
            keys: None,
            words: words.to_owned(),
            request: Request::Do(Command::Fit),
            unavailable,
        }
    }

    fn names(items: &[Item], query: &str) -> Vec<String> {
        let found = find(items, query).into_iter();
        found.map(|found| found.item.name.clone()).collect()
    }

    #[test]
    fn letters_in_order_are_found_and_said() {
        let items = [
            item("Save as…", "", None),
            item("Export figure…", "svg png", None),
        ];
        let found = find(&items, "exfi");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].letters, [0, 1, 7, 8]);
        assert_eq!(names(&items, "png"), ["Export figure…"]);
        assert!(find(&items, "png")[0].letters.is_empty());
        assert!(names(&items, "zzz").is_empty());
        assert!(names(&items, "^$ !").is_empty(), "no query has a syntax");
    }

    #[test]
    fn the_likeliest_comes_first_and_what_can_be_used_before_what_cannot() {
        let items = [
            item("Reset GPU", "", Some("no")),
            item("Reset GPU", "", None),
            item("Remove workload", "set", None),
            item("Save", "", None),
        ];
        let found = find(&items, "reset");
        assert!(found[0].item.unavailable.is_none());
        assert_eq!(names(&items, "save")[0], "Save");
        assert_eq!(names(&items, "").len(), 4);
        assert_eq!(
            names(&items, "")[0],
            "Reset GPU",
            "without a query nothing moves"
        );
    }
}
