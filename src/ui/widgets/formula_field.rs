//! A field for a formula: as wide as there is room, the place of a mistake marked under the text, nothing typed lost.
use super::roles;
use crate::chart::style::size;
use crate::model::ids::WorkloadId;
use crate::model::workload::TextError;
use crate::ui::half_typed::{Draft, HalfTyped};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditOutput;
use egui::{
    FontId, Id, Key, KeyboardShortcut, Margin, Modifiers, RichText, Shape, Stroke, TextEdit, Ui,
    pos2, vec2,
};

/// Takes back what is wrong, as it takes back a step elsewhere.
const UNDO: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Z);

/// What a field shows and means.
pub struct FormulaField<'a> {
    pub workload: WorkloadId,
    /// The parameter's name in files.
    pub name: &'a str,
    pub label: &'a str,
    pub hint: &'a str,
    /// The text in force.
    pub text: String,
    /// Shown in the empty field.
    pub placeholder: &'static str,
}

/// Shows the field; returns the text that comes into force. `check` says why a text cannot.
pub fn formula_field(
    ui: &mut Ui,
    field: &FormulaField<'_>,
    half_typed: &mut HalfTyped,
    check: impl Fn(&str) -> Result<(), TextError>,
) -> Option<String> {
    let id = ui.make_persistent_id(("formula", field.name));
    let mut draft = half_typed.take(field.workload, field.name, &field.text);
    let label = ui.label(field.label).on_hover_text(field.hint);
    let mut refused = draft.as_ref().is_some_and(|draft| draft.error.is_some());
    let undoes = refused
        && ui.memory(|memory| memory.has_focus(id))
        && ui.input_mut(|input| input.consume_shortcut(&UNDO));
    if undoes {
        // Back to the last good text at once; the next undo is the session's.
        (draft, refused) = (None, false);
        take_back(ui, id);
    }
    let mut text = draft.as_ref().map_or(&field.text, |d| &d.text).clone();
    let output = edit(ui, id, field, &mut text, refused);
    let response = &output.response.response;
    response.clone().labelled_by(label.id);
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, field.label);
        info.current_text_value = Some(text.clone());
        info
    });
    if response.changed() {
        let text = text.replace(['\n', '\r'], " ");
        // A first mistake is told when typing ends; from then on the message follows every key.
        let error = check(&text).err().filter(|_| refused);
        draft = Some(Draft {
            workload: field.workload,
            field: field.name.to_owned(),
            text,
            from: field.text.clone(),
            error,
        });
    }
    let entered = response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let mut accepted = None;
    if entered || !response.has_focus() {
        let left = response.lost_focus();
        let taken_back = left && ui.input(|input| input.key_pressed(Key::Escape));
        (draft, accepted) = finish(draft.filter(|_| !taken_back), check);
    }
    let error = draft.as_ref().and_then(|draft| draft.error.clone());
    if entered {
        match &error {
            // Where it is wrong it is put right.
            Some(error) => select(ui, id, error),
            None => response.surrender_focus(),
        }
    }
    if let Some(error) = error {
        mark(ui, &output, &error);
        if complaint(ui, field, &error) {
            response.surrender_focus();
            draft = None;
        }
    }
    draft.into_iter().for_each(|draft| half_typed.put(draft));
    accepted
}

/// The draft that stays, because it is wrong, or the text that comes into force.
fn finish(
    draft: Option<Draft>,
    check: impl Fn(&str) -> Result<(), TextError>,
) -> (Option<Draft>, Option<String>) {
    match draft {
        Some(draft) if draft.text.trim() != draft.from => match check(&draft.text) {
            Ok(()) => (None, Some(draft.text)),
            error => {
                let error = error.err();
                (Some(Draft { error, ..draft }), None)
            }
        },
        _ => (None, None),
    }
}

fn edit(
    ui: &mut Ui,
    id: Id,
    field: &FormulaField<'_>,
    text: &mut String,
    refused: bool,
) -> TextEditOutput {
    let warning = roles(ui).warning;
    let margin = Margin {
        left: 7,
        right: 7,
        top: 3,
        bottom: 6,
    };
    let edit = TextEdit::multiline(text)
        .id(id)
        .font(FontId::monospace(size::CONTROL))
        .desired_rows(1)
        .desired_width(ui.available_width())
        .hint_text(field.placeholder)
        // Enter ends typing, as in every field; a long formula wraps by itself.
        .return_key(None)
        .margin(margin);
    // In a scope, so that the colour of a refused entry is this field's alone.
    let shown = ui.scope(|ui| {
        if refused {
            ui.visuals_mut().widgets.inactive.bg_stroke.color = warning;
            ui.visuals_mut().widgets.hovered.bg_stroke.color = warning;
        }
        edit.show(ui)
    });
    shown.inner
}

/// Ends typing, and forgets the steps that led to what was wrong.
fn take_back(ui: &Ui, id: Id) {
    ui.memory_mut(|memory| memory.surrender_focus(id));
    if let Some(mut state) = TextEdit::load_state(ui.ctx(), id) {
        state.clear_undoer();
        state.store(ui.ctx(), id);
    }
}

/// Selects what is wrong, and keeps the keyboard in the field.
fn select(ui: &Ui, id: Id, error: &TextError) {
    let Some((at, length)) = error.place else {
        return;
    };
    if let Some(mut state) = TextEdit::load_state(ui.ctx(), id) {
        let wrong = CCursorRange::two(CCursor::new(at), CCursor::new(at + length));
        state.cursor.set_char_range(Some(wrong));
        state.store(ui.ctx(), id);
    }
}

/// Draws a line under what is wrong, and a caret where it begins.
fn mark(ui: &Ui, output: &TextEditOutput, error: &TextError) {
    let Some((at, length)) = error.place else {
        return;
    };
    let place = |at: usize| {
        let cursor = output.galley.pos_from_cursor(CCursor::new(at));
        cursor.translate(output.galley_pos.to_vec2())
    };
    let (start, end) = (place(at), place(at + length));
    let y = start.bottom() + 0.5;
    let right = match end.bottom() > start.bottom() + 1.0 {
        // What is wrong goes on in the next row.
        true => output.text_clip_rect.right(),
        false => end.left().max(start.left() + 7.0),
    };
    let warning = roles(ui).warning;
    let painter = ui.painter();
    painter.hline(start.left()..=right, y, Stroke::new(1.5, warning));
    let tip = pos2(start.left() + 3.5, y + 0.5);
    let feet = [tip + vec2(-3.5, 4.5), tip + vec2(3.5, 4.5)];
    let caret = vec![tip, feet[1], feet[0]];
    painter.add(Shape::convex_polygon(caret, warning, Stroke::NONE));
}

/// Says what is wrong and what is in force instead; returns whether the text is to be taken back.
fn complaint(ui: &mut Ui, field: &FormulaField<'_>, error: &TextError) -> bool {
    let roles = roles(ui);
    let text = match error.place {
        Some((at, _)) => format!("Column {}: {}", at + 1, error.message),
        None => format!("Not usable: {}", error.message),
    };
    ui.label(RichText::new(text).small().color(roles.warning));
    let force = match field.text.as_str() {
        "" => "nothing",
        text => text,
    };
    let button = ui.small_button("Take it back");
    button
        .on_hover_text(format!(
            "In force is the last good text, as after Esc: {force}"
        ))
        .clicked()
}
