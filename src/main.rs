//! Arguments in, exit code out.
fn main() {
    let (_, loaded) = ridgepoint::files::presets::find_session("@8b-decode-on-h100").unwrap();
    let document = ridgepoint::document::Document::new(loaded.session, loaded.view, None);
    ridgepoint::app::window::run(document).unwrap();
}
