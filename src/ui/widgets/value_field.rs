//! A field that commits what was typed on Enter, Tab or a click elsewhere, and says beside itself why it cannot.
use super::roles;
use egui::text::{CCursor, CCursorRange};
use egui::{Align, Id, Key, Layout, Margin, Response, RichText, TextEdit, Ui};

/// What a field shows and means.
pub struct Field<'a> {
    pub label: &'a str,
    pub hint: &'a str,
    /// Shown at rest.
    pub shown: String,
    /// Edited: text that reads back to exactly the value.
    pub exact: String,
    /// Shown in the empty field.
    pub placeholder: &'a str,
}

/// What is being typed, until it is committed or taken back.
#[derive(Clone, Default)]
struct Draft {
    text: String,
    /// The exact text when typing began; a value changed from elsewhere drops the draft.
    from: String,
    /// Whose it is: a field keeps its place in a list, but what is at that place may change.
    of: String,
    error: Option<String>,
}

/// Width of the field in a row with its label, where there is room.
const WIDTH: f32 = 122.0;

/// The most of a row that it takes, so that all fields of a narrow panel are of one width.
const MOST_OF_ROW: f32 = 0.41;

/// What `133.8 TFLOP/s` needs.
const LEAST: f32 = 106.0;

/// How wide a field is in a row of this room, for others that stand below it.
pub fn field_width(ui: &Ui) -> f32 {
    WIDTH.min((ui.available_width() * MOST_OF_ROW).max(LEAST))
}

/// A row with a label and a field at its right; `commit` gets the text and says why it is refused.
pub fn value_field(
    ui: &mut Ui,
    field: &Field<'_>,
    commit: impl FnOnce(&str) -> Result<(), String>,
) -> Response {
    value_row(ui, field.label, field, (0.0, |_| {}), commit)
}

/// The same with another text drawn beside it than the accessible name, where what is above says the rest, and with
/// what stands `beside` the field: how wide that is, and what shows it from the left.
pub fn value_row(
    ui: &mut Ui,
    drawn: &str,
    field: &Field<'_>,
    (room, beside): (f32, impl FnOnce(&mut Ui)),
    commit: impl FnOnce(&str) -> Result<(), String>,
) -> Response {
    let id = ui.make_persistent_id(("value", field.label));
    // As a spreadsheet has it.
    let commit = |text: &str| commit(text.trim_start().strip_prefix('=').unwrap_or(text));
    let (response, error) = ui
        .horizontal(|ui| {
            ui.set_min_height(26.0);
            let width = field_width(ui);
            let text = match drawn == field.label {
                true => RichText::new(drawn),
                false => RichText::new(drawn).color(roles(ui).muted),
            };
            // A long name takes more lines, and is cut before the number is.
            let most = ui.available_width() - width - room - 2.0 * ui.spacing().item_spacing.x;
            let label = ui.scope(|ui| {
                ui.set_max_width(most.max(40.0));
                let mut job = egui::text::LayoutJob::default();
                text.append_to(
                    &mut job,
                    ui.style(),
                    egui::FontSelection::Default,
                    Align::Center,
                );
                job.wrap.max_rows = 3;
                ui.add(egui::Label::new(job).wrap())
            });
            let label = label.inner.on_hover_text(field.hint);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let place = (room > 0.0).then(|| {
                    ui.spacing_mut().item_spacing.x = 1.0;
                    let size = egui::vec2(room, ui.spacing().interact_size.y);
                    ui.allocate_exact_size(size, egui::Sense::hover()).0
                });
                let (response, text, error) = edit(ui, id, field, width, Align::RIGHT, commit);
                // After the field, so that Tab leads from it to what acts on it.
                if let Some(place) = place {
                    let layout = Layout::left_to_right(Align::Center);
                    ui.scope_builder(
                        egui::UiBuilder::new().max_rect(place).layout(layout),
                        beside,
                    );
                }
                if drawn == field.label {
                    return (response.labelled_by(label.id), error);
                }
                name_field(&response, field, &text);
                (response, error)
            })
            .inner
        })
        .inner;
    show_error(ui, error);
    response
}

/// A field as wide as there is room, under an accessible name that is not drawn.
pub fn text_field(
    ui: &mut Ui,
    field: &Field<'_>,
    commit: impl FnOnce(&str) -> Result<(), String>,
) -> Response {
    let id = ui.make_persistent_id(("text", field.label));
    let width = ui.available_width();
    let (response, error) = bare_field(ui, id, field, width, Align::LEFT, commit);
    show_error(ui, error);
    response
}

/// A field under an accessible name that is not drawn, and why its text was refused, to be shown by the caller.
pub fn bare_field(
    ui: &mut Ui,
    id: Id,
    field: &Field<'_>,
    width: f32,
    align: Align,
    commit: impl FnOnce(&str) -> Result<(), String>,
) -> (Response, Option<String>) {
    let (response, text, error) = edit(ui, id, field, width, align, commit);
    name_field(&response, field, &text);
    (response, error)
}

fn name_field(response: &Response, field: &Field<'_>, text: &str) {
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, field.label);
        info.current_text_value = Some(text.to_owned());
        info
    });
}

/// What is being typed into a field of this response, before it is committed.
pub fn half_typed(ui: &Ui, field: &Response) -> Option<String> {
    let draft: Option<Draft> = ui.data(|data| data.get_temp(field.id));
    Some(draft?.text).filter(|_| field.has_focus())
}

/// Shows why a text was refused.
pub fn show_error(ui: &mut Ui, error: Option<String>) {
    if let Some(error) = error {
        let colour = roles(ui).warning;
        ui.label(RichText::new(error).small().color(colour));
    }
}

/// The field, the text in it, and why it was refused.
fn edit(
    ui: &mut Ui,
    id: Id,
    field: &Field<'_>,
    width: f32,
    align: Align,
    commit: impl FnOnce(&str) -> Result<(), String>,
) -> (Response, String, Option<String>) {
    let stored: Option<Draft> = ui.data(|data| data.get_temp(id));
    let mut draft = stored.filter(|draft| draft.from == field.exact && draft.of == field.label);
    let mut text = draft
        .as_ref()
        .map_or_else(|| field.shown.clone(), |draft| draft.text.clone());
    let has_error = draft.as_ref().is_some_and(|draft| draft.error.is_some());
    let warning = roles(ui).warning;
    // In a scope, so that the colour of a refused entry is this field's alone.
    let response = ui
        .scope(|ui| {
            if has_error {
                ui.visuals_mut().widgets.inactive.bg_stroke.color = warning;
                ui.visuals_mut().widgets.hovered.bg_stroke.color = warning;
            }
            ui.add(
                TextEdit::singleline(&mut text)
                    .id(id)
                    .desired_width(width)
                    .hint_text(field.placeholder)
                    .align(egui::Align2([align, Align::Center]))
                    .margin(Margin::symmetric(7, 3)),
            )
        })
        .inner;
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    let response = if field.hint.is_empty() {
        response
    } else {
        response.on_hover_text(field.hint)
    };
    if response.gained_focus() {
        let started = draft.get_or_insert_with(|| Draft {
            text: field.exact.clone(),
            from: field.exact.clone(),
            of: field.label.to_owned(),
            error: None,
        });
        select_all(ui, id, started.text.chars().count());
        // The exact text is shown from the next frame on.
        ui.ctx().request_repaint();
    } else if response.changed() {
        let typed = draft.get_or_insert_with(Draft::default);
        typed.text.clone_from(&text);
        typed.from.clone_from(&field.exact);
        field.label.clone_into(&mut typed.of);
        typed.error = None;
    }
    if response.lost_focus() {
        draft = finish(ui, draft, commit);
    }
    let error = draft.as_ref().and_then(|draft| draft.error.clone());
    ui.data_mut(|data| match draft {
        Some(draft) => {
            data.insert_temp(id, draft);
        }
        None => data.remove::<Draft>(id),
    });
    (response, text, error)
}

/// Commits a draft, unless Esc takes it back or nothing was changed; keeps it with the reason if it is refused.
fn finish(
    ui: &Ui,
    draft: Option<Draft>,
    commit: impl FnOnce(&str) -> Result<(), String>,
) -> Option<Draft> {
    let mut draft = draft?;
    let taken_back = ui.input(|input| input.key_pressed(Key::Escape));
    if taken_back || draft.text == draft.from {
        return None;
    }
    match commit(&draft.text) {
        Ok(()) => None,
        Err(reason) => {
            draft.error = Some(reason);
            Some(draft)
        }
    }
}

fn select_all(ui: &Ui, id: Id, length: usize) {
    if let Some(mut state) = TextEdit::load_state(ui.ctx(), id) {
        let all = CCursorRange::two(CCursor::new(0), CCursor::new(length));
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), id);
    }
}
