//! The keys of a presentation: a clicker's, and those under the hand of who speaks.
use super::overview::COLUMNS;
use crate::document::Document;
use crate::ui::command::Command;
use crate::ui::player::Playing;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use egui::{Context, Key, Modifiers, ViewportCommand};

/// Takes the keys that mean something else while presenting; all others keep their meaning.
pub fn keys(ctx: &Context, document: &Document, state: &mut UiState, requests: &mut Requests) {
    if state.presentation.is_none() || ctx.text_edit_focused() {
        return;
    }
    // With other keys held they mean a command.
    let pressed = |key| {
        ctx.input_mut(|input| input.modifiers.is_none() && input.consume_key(Modifiers::NONE, key))
    };
    // Arrows move a mark that has the keyboard, and Space presses a button that has it.
    let focused = ctx.memory(|memory| memory.focused().is_some());
    let in_overview = state.presentation.as_ref().and_then(|p| p.overview);
    if let Some(at) = in_overview {
        return in_the_overview(&pressed, at, document, state, requests);
    }
    let mut step = 0_isize;
    for (key, by) in [(Key::PageDown, 1), (Key::PageUp, -1)] {
        step += isize::from(pressed(key)) * by;
    }
    if !focused {
        let arrows = [
            (Key::ArrowRight, 1),
            (Key::ArrowDown, 1),
            (Key::ArrowLeft, -1),
            (Key::ArrowUp, -1),
        ];
        for (key, by) in arrows {
            step += isize::from(pressed(key)) * by;
        }
        if pressed(Key::Space) {
            match &mut state.playing {
                Some(playing) => playing.toggle(),
                None => state.playing = Playing::start(document),
            }
        }
    }
    let views = &document.session.views;
    let target = match step {
        _ if pressed(Key::Home) => views.first().map(|view| view.id),
        _ if pressed(Key::End) => views.last().map(|view| view.id),
        0 => None,
        by => document.session.view_beside(state.shown_view, by),
    };
    let Some(presentation) = &mut state.presentation else {
        return;
    };
    if let Some(id) = target {
        presentation.black = false;
        requests.push(Request::ShowView(id));
    }
    if pressed(Key::B) | pressed(Key::Period) {
        presentation.black = !presentation.black;
    }
    if pressed(Key::O) && !views.is_empty() {
        let now = views
            .iter()
            .position(|view| Some(view.id) == state.shown_view);
        presentation.overview = Some(now.unwrap_or(0));
    }
    for (key, monitor) in [
        (Key::Num1, 0),
        (Key::Num2, 1),
        (Key::Num3, 2),
        (Key::Num4, 3),
    ] {
        if pressed(key) {
            ctx.send_viewport_cmd(ViewportCommand::SetMonitor(monitor));
        }
    }
    let gesture = state.chart.drag.is_some() || state.chart.ghost.is_some();
    if !gesture && (pressed(Key::Escape) | pressed(Key::F5)) {
        match presentation.black {
            true => presentation.black = false,
            false => requests.command(Command::Present),
        }
    }
}

fn in_the_overview(
    pressed: &impl Fn(Key) -> bool,
    at: usize,
    document: &Document,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let last = document.session.views.len().saturating_sub(1);
    let row = COLUMNS as isize;
    let mut to = at;
    for (key, by) in [
        (Key::ArrowRight, 1),
        (Key::ArrowLeft, -1),
        (Key::ArrowDown, row),
        (Key::ArrowUp, -row),
        (Key::PageDown, 1),
        (Key::PageUp, -1),
    ] {
        if pressed(key) {
            to = to.saturating_add_signed(by).min(last);
        }
    }
    let chosen = pressed(Key::Enter) | pressed(Key::Space);
    let closed = pressed(Key::Escape) | pressed(Key::O);
    let Some(presentation) = &mut state.presentation else {
        return;
    };
    presentation.overview = (!chosen && !closed).then_some(to);
    if let Some(view) = document.session.views.get(to).filter(|_| chosen) {
        requests.push(Request::ShowView(view.id));
    }
}
