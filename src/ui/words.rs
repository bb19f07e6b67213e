//! The terms of the program, a sentence each, with what they are often mistaken for; and the hover that tells them.
use super::widgets::roles;
use crate::chart::style;
use egui::text::{LayoutJob, TextFormat};
use egui::{Label, Response, Stroke, Ui};

/// A term.
pub struct Word {
    pub term: &'static str,
    pub means: &'static str,
    /// What it is often mistaken for.
    pub not: &'static str,
}

const fn word(term: &'static str, means: &'static str, not: &'static str) -> Word {
    Word { term, means, not }
}

/// Every term, in the order in which they build on each other.
pub const WORDS: [Word; 35] = [
    word(
        "roofline",
        "The most that a device can do at each arithmetic intensity: a slope set by its memory, then a flat set by its arithmetic.",
        "It is a ceiling, not a ranking of chips: the higher roof helps only where your work lies under it.",
    ),
    word(
        "work",
        "The floating-point operations performed, in FLOP; a fused multiply-add counts as 2.",
        "FLOPs, an amount, are not FLOP/s, a rate.",
    ),
    word(
        "FLOP/s",
        "Operations per second: a rate, of a device or of a kernel.",
        "“FLOPS” is written for both the rate and the amount; here FLOP is the amount and FLOP/s the rate.",
    ),
    word(
        "B/s",
        "Bytes per second, the rate of a memory or a link: 1 TB/s moves 10¹² bytes each second.",
        "It says how fast memory is read, not how much it holds.",
    ),
    word(
        "traffic",
        "The bytes moved through one level of memory, reads and writes together.",
        "It is not the size of the data: data read twice is traffic twice.",
    ),
    word(
        "arithmetic intensity",
        "Work ÷ traffic, in FLOP per byte: how much is computed for each byte moved.",
        "It belongs to the workload and to one memory level, not to the device.",
    ),
    word(
        "path",
        "What executes the work: a number format on a unit, such as FP16 on the matrix unit.",
        "One device has many paths; its largest peak is rarely the one that counts.",
    ),
    word(
        "compute roof",
        "The highest rate of arithmetic of one path.",
        "Dense unless it says sparse.",
    ),
    word(
        "memory roof",
        "The bandwidth of one memory level or link, in bytes per second.",
        "Bandwidth is not capacity: 80 GB says how much fits, 3.35 TB/s how fast it is read.",
    ),
    word(
        "basis",
        "How a roof is known: theoretical (published), achievable (measured by good kernels) or own (typed here).",
        "A published peak is seldom reached: 60 to 80 % of it is good.",
    ),
    word(
        "theoretical",
        "From the data sheet: units × operations × clock.",
        "It is the clock that was assumed, not the one your card holds under load.",
    ),
    word(
        "achievable",
        "What good kernels were measured to reach on such a device.",
        "It is not a limit of physics: a better kernel may pass it.",
    ),
    word(
        "dense",
        "All numbers are computed with, zeros too.",
        "Data sheets often print the sparse peak, twice the dense one.",
    ),
    word(
        "sparse",
        "Half of the weights are zero in a fixed pattern that the hardware skips.",
        "It helps only models that were pruned to that pattern.",
    ),
    word(
        "ridge point",
        "Compute roof ÷ memory roof, in FLOP per byte: from there on arithmetic is the limit.",
        "A high ridge is no virtue: it says how much reuse the device needs to be kept busy.",
    ),
    word(
        "attainable",
        "The rate the roofs allow a workload: work ÷ the time they need.",
        "It is a bound, not a forecast.",
    ),
    word(
        "term",
        "One resource asked, and the time that takes: demand ÷ rate.",
        "Terms overlap unless “no overlap” is chosen: they do not simply add up.",
    ),
    word(
        "full overlap",
        "Arithmetic and memory work at the same time, so the slower of the two sets the time.",
        "It is an assumption at its best: without overlap the times add up.",
    ),
    word(
        "launch overhead",
        "The time it takes to start one kernel, whatever it does.",
        "It is not part of a roof: many small kernels pay it again and again.",
    ),
    word(
        "limiter",
        "The term that sets the time.",
        "Improving anything else changes nothing.",
    ),
    word(
        "runner-up",
        "The term that sets the time once the limiter is lifted.",
        "It says how much a fix can win at most.",
    ),
    word(
        "regime",
        "The limiter's kind: memory-, compute-, latency- or communication-bound.",
        "It is of a workload on a device, never of a device alone.",
    ),
    word(
        "memory-bound",
        "Moving the bytes takes longest: move fewer of them.",
        "It does not mean that memory is full.",
    ),
    word(
        "compute-bound",
        "The arithmetic takes longest: make it cheaper or do less of it.",
        "It does not mean that the device is well used; that is a matter of the share.",
    ),
    word(
        "latency-bound",
        "Starting the work, or having too little of it in flight, takes longest.",
        "More bandwidth does not help it.",
    ),
    word(
        "communication-bound",
        "Sending between devices takes longest.",
        "A faster device does not help it, a faster link does.",
    ),
    word(
        "workload",
        "Something to run, with its parameters; its kind says what it costs.",
        "It is one execution of it: a decode step, not a conversation.",
    ),
    word(
        "operator",
        "One kernel-like part of a workload; they run one after the other, so their times add up.",
        "The whole is slower than all work and all traffic at once would be.",
    ),
    word(
        "batch",
        "How many sequences share one step, and with it one reading of the weights.",
        "Batching does not make a step faster: it makes a step serve more.",
    ),
    word(
        "KV cache",
        "Keys and values of earlier tokens, read again in each step; every sequence has its own.",
        "Batching shares the weights, never the KV cache.",
    ),
    word(
        "placement",
        "A workload on a device: its time, its limiter, its intensity, all computed from the roofs.",
        "It is what the roofs allow, before anything is measured.",
    ),
    word(
        "measurement",
        "A time that was observed, drawn where it was measured.",
        "Above the roof means that a number is wrong, not that the kernel is fast.",
    ),
    word(
        "share",
        "The time the roofs allow ÷ the measured time.",
        "It is not occupancy and not the utilisation that monitoring tools show.",
    ),
    word(
        "recoverable",
        "The measured time − the time the roofs allow: what tuning can win at most.",
        "What the roofs themselves take needs another algorithm, format or device.",
    ),
    word(
        "GB and GiB",
        "GB is 10⁹ bytes and GiB is 2³⁰; rates and traffic are in the first.",
        "80 GB are 74.5 GiB: the same memory, not a missing part.",
    ),
];

/// The words that a text matches, by letter; first those whose term it is in.
pub fn find(query: &str) -> Vec<&'static Word> {
    let query = query.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&query);
    let mut found: Vec<_> = WORDS
        .iter()
        .filter(|word| has(word.term) || has(word.means) || has(word.not))
        .collect();
    found.sort_by_key(|word| (!has(word.term), word.term.to_lowercase()));
    found
}

/// The term a heading or a label is about: the same, else the longest it contains, else one that it abbreviates.
fn word_in(text: &str) -> Option<&'static Word> {
    let text = text.to_lowercase();
    let same = WORDS.iter().find(|word| word.term.to_lowercase() == text);
    let contained = || {
        let terms = WORDS.iter().filter(|word| text.contains(word.term));
        terms.max_by_key(|word| word.term.len())
    };
    let abbreviated = || {
        let parts = |word: &&Word| word.term.split(' ').any(|part| part == text);
        WORDS.iter().find(parts)
    };
    same.or_else(contained).or_else(abbreviated)
}

/// Adds to a label what its term means.
pub trait Explained {
    /// Tells on hover what the term in a text means; nothing where there is none.
    fn explained(self, term: &str) -> Self;
}

impl Explained for Response {
    fn explained(self, term: &str) -> Self {
        match word_in(term) {
            Some(word) => self.on_hover_text(format!("{}\n{}", word.means, word.not)),
            None => self,
        }
    }
}

/// A text whose terms tell on hover what they mean; each is underlined where it first stands.
pub fn told(ui: &mut Ui, text: &str) {
    let (ink, marked) = (roles(ui).ink, roles(ui).faint);
    let pieces = pieces(text);
    let mut job = LayoutJob::default();
    for (piece, word) in &pieces {
        let mut format = TextFormat::simple(style::body(), ink);
        if word.is_some() {
            format.underline = Stroke::new(1.0, marked);
        }
        job.append(piece, 0.0, format);
    }
    let (at, galley, response) = Label::new(job).wrap().layout_in_ui(ui);
    ui.painter().galley(at, galley.clone(), ink);
    let Some(pointer) = response.hover_pos() else {
        return;
    };
    let character = galley.cursor_from_pos(pointer - at).index.0;
    let mut ends = 0;
    let under = pieces.iter().find(|(piece, _)| {
        ends += piece.chars().count();
        character < ends
    });
    if let Some((_, Some(word))) = under {
        response.on_hover_text(format!("{}\n{}", word.means, word.not));
    }
}

/// A text taken apart into its terms and what is between them.
fn pieces(text: &str) -> Vec<(&str, Option<&'static Word>)> {
    let mut pieces = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    let (mut begun, mut at) = (0, 0);
    while at < text.len() {
        let new = |word: &&Word| !told.contains(&word.term);
        let here = WORDS.iter().filter(new);
        let here = here.filter_map(|word| Some((length_at(text, at, word.term)?, word)));
        if let Some((length, word)) = here.max_by_key(|(length, _)| *length) {
            if begun < at {
                pieces.push((&text[begun..at], None));
            }
            pieces.push((&text[at..at + length], Some(word)));
            told.push(word.term);
            at += length;
            begun = at;
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    if begun < text.len() {
        pieces.push((&text[begun..], None));
    }
    pieces
}

/// How long a term is that stands at a place of a text, as a word of its own; a unit may have a decimal prefix.
fn length_at(text: &str, at: usize, term: &str) -> Option<usize> {
    let before = text[..at].chars().next_back();
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let rest = &text[at..];
    let prefix = match term.contains('/') {
        true => rest.starts_with(['k', 'M', 'G', 'T', 'P']).into(),
        false => 0,
    };
    let found = rest.get(prefix..prefix + term.len())?;
    let same = match term.contains('/') {
        true => found == term,
        false => found.eq_ignore_ascii_case(term),
    };
    let after = rest[prefix + term.len()..].chars().next();
    let ends = !after.is_some_and(char::is_alphanumeric);
    (same && ends).then_some(prefix + term.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_is_one_sentence_and_stands_once() {
        for (i, word) in WORDS.iter().enumerate() {
            assert!(
                word.means.ends_with('.') && word.not.ends_with('.'),
                "{}",
                word.term
            );
            assert!(WORDS[i + 1..].iter().all(|other| other.term != word.term));
        }
        assert_eq!(find("ridge")[0].term, "ridge point");
        assert!(find("no such thing at all").is_empty());
        for (text, term) in [
            ("Intensity", "arithmetic intensity"),
            ("Ridge points on DRAM", "ridge point"),
            ("Memory roofs", "memory roof"),
            ("Work", "work"),
            ("compute-bound", "compute-bound"),
        ] {
            assert_eq!(word_in(text).map(|word| word.term), Some(term));
        }
        assert!(word_in("Title").is_none());
    }

    #[test]
    fn a_text_is_taken_apart_at_its_terms_and_put_together_again() {
        let text =
            "Its ridge point: 990 TFLOP/s ÷ 3.35 TB/s. Workloads, and the ridge point again: ×2.";
        let found: Vec<_> = pieces(text)
            .into_iter()
            .filter_map(|(piece, word)| Some((piece, word?.term)))
            .collect();
        let terms = [
            ("ridge point", "ridge point"),
            ("TFLOP/s", "FLOP/s"),
            ("TB/s", "B/s"),
        ];
        assert_eq!(found, terms);
        let whole: String = pieces(text).into_iter().map(|(piece, _)| piece).collect();
        assert_eq!(whole, text);
    }
}
