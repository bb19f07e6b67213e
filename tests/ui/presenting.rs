//! Views, the presentation, annotations and played sweeps, as a speaker uses them.
use crate::world::*;
use eframe::egui::{self, Key, accesskit::Role, vec2};
use ridgepoint::chart::scene::{self, Scene};
use ridgepoint::files::session_file;
use ridgepoint::model::annotation::{Reference, Shape};
use std::time::Duration;

/// Saves the framing shown twice: at batch 1, and zoomed out with the sweep hidden.
fn two_views() -> World {
    let mut world = world();
    world.press(NONE, Key::V);
    let at = world.ground();
    world.wheel(at, -3.0);
    world.press(NONE, Key::T);
    world.press(NONE, Key::V);
    world.without_toasts();
    world
}

#[test]
fn views_are_saved_stepped_updated_and_undone() {
    let mut world = two_views();
    let [first, second] = [0, 1].map(|i| world.session().views[i].clone());
    assert_eq!(
        (first.title.as_str(), second.title.as_str()),
        (DECODE, "8B decode step 2")
    );
    assert!(first.view.show_trail && !second.view.show_trail);
    assert!(first.view.limits.is_none() && second.view.limits.is_some());
    world.press(NONE, Key::PageUp);
    assert_eq!(world.document().view, first.view);
    world.press(NONE, Key::PageUp);
    assert_eq!(world.document().view, first.view, "it stops at the first");
    world.press(NONE, Key::PageDown);
    assert_eq!(world.document().view, second.view);
    world.press(NONE, Key::C);
    world.press(SHIFT, Key::V);
    assert!(world.session().views[1].view.compare);
    assert_eq!(world.undo_name(), "edit view \"8B decode step 2\"");
    world.press(CTRL, Key::Z);
    assert_eq!(world.session().views[1], second);
    // Looking at views is no edit.
    let steps = world.steps();
    world.press(NONE, Key::PageUp);
    world.press(NONE, Key::PageDown);
    assert_eq!(world.steps(), steps);
}

#[test]
fn the_way_between_views_is_short_and_ends_in_rest() {
    let mut world = two_views();
    world.animate();
    let there = world.limits();
    world.key_down(NONE, Key::PageUp);
    world.key_up(NONE, Key::PageUp);
    let mut frames = 0;
    let mut seen = vec![world.limits()];
    while world.delay() < Duration::from_secs(1) {
        world.frame(Vec::new());
        seen.push(world.limits());
        frames += 1;
        assert!(frames < 30, "it takes half a second");
    }
    assert_eq!(world.delay(), Duration::MAX);
    let span = |limits: &ridgepoint::model::view::Limits| limits.x[1] - limits.x[0];
    let between = seen.iter().filter(|l| span(l) < span(&there) - 1e-3);
    let end = span(seen.last().unwrap());
    assert!(
        between.filter(|l| span(l) > end + 1e-3).count() > 2,
        "it jumps: {seen:?}"
    );
}

#[test]
fn views_are_listed_and_edited_by_name() {
    let mut start = built_in();
    start.size[1] = 1400.0;
    let mut world = start.world();
    world.press(NONE, Key::F7);
    world.expect("No view yet");
    world.click_button("Save this view");
    world.enter("View title", "Batching is free");
    world.enter("View caption", "Until 296.");
    assert_eq!(world.session().views[0].title, "Batching is free");
    assert_eq!(world.session().views[0].caption, "Until 296.");
    world.click_button("Duplicate view");
    assert_eq!(world.session().views[1].title, "Batching is free 2");
    world.enter("View title", "Batching is free");
    world.expect("is taken");
    world.press(NONE, Key::Escape);
    world.click_button("Earlier");
    assert_eq!(world.session().views[0].title, "Batching is free 2");
    world.click_button("Delete view");
    assert_eq!(world.session().views.len(), 1);
}

#[test]
fn a_presentation_shows_the_chart_alone_large_enough_for_a_room() {
    let mut start = built_in();
    start.size = [1280.0, 720.0];
    let mut world = start.world();
    world.press(NONE, Key::V);
    world.press(NONE, Key::V);
    world.without_toasts();
    let before = world.document().view.clone();
    world.press(NONE, Key::F5);
    assert!(!world.has(Role::Button, "File") && !world.has(Role::ListItem, DECODE));
    // The argument of the sweep goes as far as it is free: 256 is below the ridge, 295.5, and 1024 is beyond.
    world.expect("×256 tokens/s, same step");
    let sizes = world.text_pixels();
    let largest = sizes.iter().map(|(_, size)| *size).fold(0.0, f32::max);
    assert!(largest >= 40.0, "title {largest}");
    let small: Vec<_> = sizes.iter().filter(|(_, size)| *size < 28.0).collect();
    assert!(small.is_empty(), "{small:?}");
    let window = egui::vec2(1280.0, 720.0);
    assert!(world.chart().width() * world.zoom() > window.x * 0.7);
    // A clicker steps, B is black, O is the overview.
    world.press(NONE, Key::PageDown);
    world.press(NONE, Key::ArrowLeft);
    world.press(NONE, Key::B);
    assert!(world.has(
        Role::Button,
        "Black screen: B or a click shows the view again"
    ));
    world.press(NONE, Key::B);
    world.press(NONE, Key::O);
    assert!(
        world.has(Role::Button, "1. 8B decode step")
            && world.has(Role::Button, "2. 8B decode step 2")
    );
    world.press(NONE, Key::ArrowRight);
    world.press(NONE, Key::Enter);
    assert_eq!(
        world.app().state.shown_view,
        Some(world.session().views[1].id)
    );
    world.frame(vec![egui::Event::PointerGone]);
    world.run();
    assert_eq!(world.delay(), Duration::MAX, "at rest while presenting");
    world.press(NONE, Key::Escape);
    assert!(world.has(Role::Button, "File"));
    assert_eq!(world.document().view, before);
    assert_eq!(world.zoom(), 1.0);
}

#[test]
fn while_presenting_a_point_is_dragged_and_undone_and_arrows_belong_to_a_focused_mark() {
    let mut world = two_views();
    world.press(NONE, Key::F5);
    let shown = world.app().state.shown_view;
    let from = world.mark();
    world.drag(from, from + vec2(60.0, 0.0), NONE);
    assert!(world.batch() > 1.0);
    // Dragging has given the mark the keyboard.
    let batch = world.batch();
    world.press(NONE, Key::ArrowRight);
    assert!(world.batch() > batch);
    assert_eq!(world.app().state.shown_view, shown);
    world.press(NONE, Key::PageUp);
    assert_ne!(world.app().state.shown_view, shown, "Page Up always steps");
    world.press(CTRL, Key::Z);
    world.press(CTRL, Key::Z);
    assert_eq!(world.batch(), 1.0);
}

#[test]
fn panels_are_as_they_were_after_presenting_and_after_zooming() {
    let mut world = world();
    let chart = world.chart();
    world.press(NONE, Key::F5);
    world.run();
    world.press(NONE, Key::Escape);
    world.run();
    assert_eq!(world.chart(), chart);
    for _ in 0..3 {
        world.press(CTRL, Key::Plus);
        world.run();
    }
    assert_ne!(world.chart(), chart);
    world.press(CTRL, Key::Num0);
    world.run();
    assert_eq!(world.chart(), chart);
}

#[test]
fn the_overview_the_black_screen_and_the_screen_are_commands_too() {
    let mut world = two_views();
    world.press(SHIFT, Key::B);
    world.expect("F5 begins");
    world.press(SHIFT, Key::F7);
    assert!(world.has(Role::Button, "1. 8B decode step"));
    world.press(NONE, Key::Escape);
    world.press(SHIFT, Key::B);
    let black = "Black screen: B or a click shows the view again";
    assert!(world.has(Role::Button, black));
    world.press(SHIFT, Key::B);
    assert!(!world.has(Role::Button, black));
    world.press(SHIFT, Key::F5);
    assert_eq!(world.app().settings.screen, Some(1));
    for _ in 0..4 {
        world.press(SHIFT, Key::F5);
    }
    assert_eq!(
        world.app().settings.screen,
        None,
        "round to the window's own"
    );
}

#[test]
fn measured_kernels_are_dimmed_beside_the_workload_a_view_is_about() {
    let start = built_in();
    let (session, view) = (&start.document.session, &start.document.view);
    let scene = scene::build(session, view);
    assert_eq!(scene.kernel_strength(), 1.0);
    let presented = Scene {
        presenting: true,
        ..scene
    };
    assert!(presented.kernel_strength() < 0.5);
    let alone = Scene {
        presenting: true,
        ..Scene::default()
    };
    assert_eq!(alone.kernel_strength(), 1.0);
}

#[test]
fn an_annotation_is_hidden_from_one_view_and_tied_to_the_chart() {
    let mut start = built_in();
    start.size[1] = 1400.0;
    let mut world = start.world();
    world.press(SHIFT, Key::N);
    world.enter("Annotation text", "only here");
    let at = world.handle("note: only here");
    world.click(Role::ComboBox, "Stays with");
    world.click_button("its place on the chart");
    world.enter("Batch", "16");
    assert!((world.handle("note: only here") - at).length() < 1.5);
    world.press(NONE, Key::V);
    world.click(Role::CheckBox, "Shown in this view");
    let (session, view) = (world.session().clone(), world.document().view.clone());
    assert_eq!(view.hidden_annotations, [session.annotations[0].id]);
    world.expect("not in this view");
    assert!(
        !world
            .painted_at()
            .iter()
            .any(|(at, text)| text == "only here" && world.chart().contains(*at))
    );
    let text = session_file::write(&session, &view);
    assert!(text.contains("hidden_annotations: ["), "{text}");
    let read = session_file::read(&text).unwrap();
    assert_eq!(read.view.hidden_annotations.len(), 1);
    assert_eq!(session_file::write(&read.session, &read.view), text);
    let wrong = text.replace("hidden_annotations: [", "hidden_annotations: [7, ");
    let error = session_file::read(&wrong).unwrap_err().to_string();
    assert!(error.contains("there is no annotation 7"), "{error}");
    world.press(NONE, Key::PageUp);
    assert!(world.document().view.hidden_annotations.is_empty());
}

#[test]
fn a_view_is_found_in_the_palette() {
    let mut world = two_views();
    // Undo would bear the name of the view otherwise.
    world.press(NONE, Key::O);
    world.press(CTRL, Key::K);
    world.text("decode step 2");
    world.run();
    world.press(NONE, Key::Enter);
    assert_eq!(
        world.app().state.shown_view,
        Some(world.session().views[1].id)
    );
}

#[test]
fn the_crosshair_tells_where_the_pointer_is() {
    let mut world = world();
    world.press(NONE, Key::F5);
    let frame = world.chart();
    world.point(frame.left_top() + frame.size() * 0.3);
    world.run();
    world.expect("at most ");
}

#[test]
fn a_played_sweep_moves_the_mark_changes_nothing_and_stops() {
    let mut world = world();
    let (mark, session) = (world.mark(), world.session().clone());
    world.press(NONE, Key::R);
    for _ in 0..120 {
        world.frame(Vec::new());
    }
    assert!(world.mark().x > mark.x + 20.0);
    assert!(world.has(Role::Button, "Pause the sweep"));
    world.click_button("Pause the sweep");
    assert_eq!(world.delay(), Duration::MAX);
    let paused = world.mark();
    world.press(NONE, Key::R);
    for _ in 0..400 {
        world.frame(Vec::new());
    }
    assert!(world.mark().x > paused.x);
    world.frame(vec![egui::Event::PointerGone]);
    world.run();
    assert_eq!(world.delay(), Duration::MAX, "at its end");
    world.expect("batch 1024");
    assert_eq!(*world.session(), session);
    assert_eq!(world.steps(), 0);
    assert!(!world.document().is_dirty());
    world.click_button("End the sweep");
    assert!((world.mark().x - mark.x).abs() < 1.0);
}

#[test]
fn annotations_are_added_dragged_edited_deleted_and_saved() {
    let mut start = built_in();
    start.size[1] = 1400.0;
    let mut world = start.world();
    world.press(SHIFT, Key::N);
    world.enter("Annotation text", "only 0.34 %");
    let note = world.handle("note: only 0.34 %");
    world.drag(note, note + vec2(40.0, 30.0), NONE);
    let moved = world.handle("note: only 0.34 %");
    assert!(
        (moved - note - vec2(40.0, 30.0)).length() < 2.0,
        "{note} {moved}"
    );
    assert_eq!(world.undo_name(), "move note");
    // It is tied to the mark, and goes with it.
    world.enter("Batch", "16");
    assert!(world.handle("note: only 0.34 %").x > moved.x + 30.0);
    world.press(SHIFT, Key::L);
    world.enter("Annotation text", "target");
    world.enter("Where the line lies", "50 furlongs");
    world.expect("write for example 50 tok/s");
    world.press(NONE, Key::Escape);
    world.enter("Where the line lies", "50 tok/s");
    assert_eq!(
        world.session().annotations[1].shape,
        Shape::Line(Reference::Items(50.0))
    );
    world.click(Role::RadioButton, "good");
    world.expect("+ target");
    let (session, view) = (world.session().clone(), world.document().view.clone());
    let read = session_file::read(&session_file::write(&session, &view)).unwrap();
    let written = session_file::write(&read.session, &read.view);
    assert_eq!(written, session_file::write(&session, &view));
    assert_eq!(read.session.annotations.len(), 2);
    world.focus_handle("note: ");
    world.press(NONE, Key::Delete);
    assert_eq!(world.session().annotations.len(), 1);
    assert_eq!(
        world.session().workloads.len(),
        1,
        "Delete took the note, not the workload"
    );
}
