//! What is wrong with a value of a file, and text as every system writes it.

/// What is wrong with the value at a path such as `workloads.0.kind`.
pub(in crate::files) struct Problem {
    pub path: String,
    pub message: String,
}

/// A problem's message, to be put at a path.
pub(super) fn at(path: impl Into<String>) -> impl FnOnce(String) -> Problem {
    let path = path.into();
    move |message| Problem { path, message }
}

/// Text with the line ends of Unix.
pub(super) fn unix_lines(text: String) -> String {
    if text.contains('\r') {
        return text.replace("\r\n", "\n");
    }
    text
}
