//! Saved views and annotations: two lists, each with the editor of what is chosen in it.
use crate::chart::scene::{NoteShape, Scene};
use crate::chart::style::size;
use crate::model::annotation::{Anchor, Annotation, Reference, Role, Shape};
use crate::model::ids::{ViewId, WorkloadId};
use crate::model::saved_view::Argument;
use crate::model::session::Session;
use crate::model::view::View;
use crate::model::what_if;
use crate::ui::command::Command;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::{Field, Tail, list_row, roles, section, segmented, text_field};
use egui::{Button, ComboBox, RichText, ScrollArea, Ui};

/// Shows views at the left and annotations at the right.
pub(super) fn views_tab(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    scene: &Scene,
    state: &mut UiState,
    requests: &mut Requests,
) {
    /// Below this width one stands under the other.
    const NARROW: f32 = 560.0;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if ui.available_width() < NARROW {
            ui.push_id("views", |ui| views(ui, session, view, state, requests));
            ui.push_id("annotations", |ui| {
                annotations(ui, session, view, scene, state, requests);
            });
            return;
        }
        ui.columns(2, |columns| {
            columns[0].push_id("views", |ui| {
                views(ui, session, view, state, requests);
            });
            columns[1].push_id("annotations", |ui| {
                annotations(ui, session, view, scene, state, requests);
            });
        });
    });
}

fn views(
    ui: &mut Ui,
    session: &mut Session,
    view: &View,
    state: &mut UiState,
    requests: &mut Requests,
) {
    section(ui, "Views", |ui| {
        for (name, command) in [
            ("Save this view", Command::SaveView),
            ("Present", Command::Present),
        ] {
            if ui
                .button(name)
                .on_hover_text(command.entry().tooltip)
                .clicked()
            {
                requests.command(command);
            }
        }
    });
    if session.views.is_empty() {
        let text = "No view yet: frame the chart as you want it shown, then save it (V). Views in their order are a talk (F5). A view keeps what is shown, not the numbers: for before and after, duplicate the workload.";
        ui.label(RichText::new(text).color(roles(ui).muted));
        return;
    }
    for (index, saved) in session.views.iter().enumerate() {
        let chosen = state.shown_view == Some(saved.id);
        let differs = chosen && saved.view != *view;
        let tail = Tail::Word(if differs { "changed since" } else { "" });
        let muted = roles(ui).muted;
        let number = (index + 1).to_string();
        let row = list_row(ui, chosen, false, &saved.title, &tail, |painter, at| {
            let font = egui::FontId::proportional(size::SMALL);
            painter.text(at, egui::Align2::CENTER_CENTER, number, font, muted);
        });
        if row.clicked() {
            requests.push(Request::ShowView(saved.id));
        }
    }
    if let Some(id) = state
        .shown_view
        .filter(|id| session.saved_view(*id).is_some())
    {
        ui.push_id(id, |ui| edit_view(ui, session, id, state, requests));
    }
}

fn edit_view(
    ui: &mut Ui,
    session: &mut Session,
    id: ViewId,
    state: &mut UiState,
    requests: &mut Requests,
) {
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        if ui
            .button("Update")
            .on_hover_text(Command::UpdateView.entry().tooltip)
            .clicked()
        {
            requests.command(Command::UpdateView);
        }
        if ui.button("Duplicate view").clicked() {
            state.shown_view = session.duplicate_view(id);
        }
        for (name, by) in [("Earlier", -1), ("Later", 1)] {
            if ui.button(name).clicked() {
                session.move_view(id, by);
            }
        }
        if ui.button("Delete view").clicked() {
            state.shown_view = session.remove_view(id);
        }
    });
    let Some(saved) = session.saved_view(id) else {
        return;
    };
    let title = Field {
        label: "View title",
        hint: "Say the conclusion, not the topic",
        shown: saved.title.clone(),
        exact: saved.title.clone(),
        placeholder: "The conclusion",
    };
    text_field(ui, &title, |text| {
        session
            .rename_view(id, text)
            .map_err(|error| error.to_string())
    });
    let fixes = fixes_of(session, id);
    let Some(saved) = session.saved_view_mut(id) else {
        return;
    };
    let caption = Field {
        label: "View caption",
        hint: "One sentence under the chart",
        shown: saved.caption.clone(),
        exact: saved.caption.clone(),
        placeholder: "One sentence under the chart",
    };
    text_field(ui, &caption, |text| {
        text.trim().clone_into(&mut saved.caption);
        Ok(())
    });
    ui.horizontal(|ui| {
        let label = ui.label("Arrow");
        let choices = [Argument::None, Argument::Sweep].into_iter();
        let choices = choices.chain(fixes.into_iter().map(Argument::Fix));
        let combo =
            ComboBox::from_id_salt("argument").selected_text(saved.argument.name().to_owned());
        let shown = combo.show_ui(ui, |ui| {
            for choice in choices {
                let name = choice.name().to_owned();
                ui.selectable_value(&mut saved.argument, choice, name);
            }
        });
        shown.response.labelled_by(label.id);
    });
}

/// The fixes that an arrow of a view can show.
fn fixes_of(session: &Session, id: ViewId) -> Vec<String> {
    let found = || {
        let view = &session.saved_view(id)?.view;
        let gpu = session.gpu(view.active?)?;
        let workload = session.workload(view.selected?)?;
        Some(what_if::fixes(workload, gpu, session.assumptions))
    };
    let fixes = found().unwrap_or_default().into_iter();
    fixes.map(|fix| fix.name).collect()
}

fn annotations(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    scene: &Scene,
    state: &mut UiState,
    requests: &mut Requests,
) {
    section(ui, "Annotations", |ui| {
        let adds = [
            ("Line", Command::AddLine),
            ("Region", Command::AddRegion),
            ("Arrow", Command::AddArrow),
            ("Note", Command::AddNote),
        ];
        for (name, command) in adds {
            if ui
                .button(name)
                .on_hover_text(command.entry().tooltip)
                .clicked()
            {
                requests.command(command);
            }
        }
    });
    if session.annotations.is_empty() {
        let text = "Nothing is written over the chart yet: add a note, an arrow, a region, or a line such as a target of 50 tok/s.";
        ui.label(RichText::new(text).color(roles(ui).muted));
        return;
    }
    for annotation in &session.annotations {
        let chosen = state.annotation == Some(annotation.id);
        let name = match annotation.text.trim() {
            "" => "(no text)",
            text => text,
        };
        let hidden = view.hidden_annotations.contains(&annotation.id);
        let tail = Tail::Word(if hidden {
            "not in this view"
        } else {
            annotation.shape.name()
        });
        if list_row(ui, chosen, hidden, name, &tail, |_, _| {}).clicked() {
            state.annotation = Some(annotation.id);
        }
    }
    let mut removed = false;
    let workloads = session.workloads.iter().map(|w| (w.id, w.name.clone()));
    let workloads: Vec<_> = workloads.collect();
    let selected = view.selected.and_then(|id| session.workload(id));
    let tokens = selected.is_some_and(|w| w.kind.family().items().name == "token");
    if let Some(annotation) = state.annotation.and_then(|id| session.annotation_mut(id)) {
        let id = annotation.id;
        removed = ui
            .push_id(id, |ui| {
                let removed = edit_annotation(ui, annotation, tokens);
                tie(ui, annotation, &workloads, scene);
                let mut shown = !view.hidden_annotations.contains(&id);
                let hint = "What is written for one view need not stand on the others: switch it off there, and Update each";
                if ui.checkbox(&mut shown, "Shown in this view").on_hover_text(hint).changed() {
                    view.toggle_annotation(id);
                }
                removed
            })
            .inner;
    }
    if let Some(id) = state.annotation.filter(|_| removed) {
        session.remove_annotation(id);
        state.annotation = None;
    }
}

/// What a note or the beginning of an arrow stays with: its place on the chart, or a workload's mark.
fn tie(
    ui: &mut Ui,
    annotation: &mut Annotation,
    workloads: &[(WorkloadId, String)],
    scene: &Scene,
) {
    let now = scene.notes.iter().find(|note| note.id == annotation.id);
    let at = now.and_then(|note| match note.shape {
        NoteShape::Text(at) | NoteShape::Arrow(at, _) => Some(at),
        _ => None,
    });
    let (Shape::Note(anchor) | Shape::Arrow { from: anchor, .. }, Some([x, y])) =
        (&mut annotation.shape, at)
    else {
        return;
    };
    let tied = match *anchor {
        Anchor::At(_) => None,
        Anchor::Mark(id, _) => Some(id),
    };
    let name = |id: WorkloadId| workloads.iter().find(|(other, _)| *other == id);
    let shown = tied
        .and_then(name)
        .map_or("its place on the chart", |(_, name)| name);
    ui.horizontal(|ui| {
        let label = ui.label("Stays with");
        let mut chosen = tied;
        let combo = ComboBox::from_id_salt("tied")
            .selected_text(shown)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut chosen, None, "its place on the chart");
                for (id, name) in workloads
                    .iter()
                    .filter(|(id, _)| scene.predicted(*id).is_some())
                {
                    ui.selectable_value(&mut chosen, Some(*id), name);
                }
            });
        combo.response.labelled_by(label.id);
        if chosen != tied {
            // Where it is seen now, it stays.
            let mark = chosen.and_then(|id| Some((id, scene.predicted(id)?)));
            *anchor = match mark {
                Some((id, mark)) => Anchor::Mark(id, [x - mark[0], y - mark[1]]),
                None => Anchor::At([x, y]),
            };
        }
    });
}

/// Edits one annotation; says whether it is to be removed.
fn edit_annotation(ui: &mut Ui, annotation: &mut Annotation, tokens: bool) -> bool {
    ui.add_space(4.0);
    let text = Field {
        label: "Annotation text",
        hint: "What is written there",
        shown: annotation.text.clone(),
        exact: annotation.text.clone(),
        placeholder: "What is written there",
    };
    text_field(ui, &text, |text| {
        text.trim().clone_into(&mut annotation.text);
        Ok(())
    });
    if let Shape::Line(reference) = &mut annotation.shape {
        // In the word of what is selected.
        let exact = match tokens {
            true => reference.exact().replace("items/s", "tok/s"),
            false => reference.exact(),
        };
        let line = Field {
            label: "Where the line lies",
            hint: "50 tok/s of the selected workload, 400 TFLOP/s, 2 TB/s or 100 FLOP/B",
            shown: exact.clone(),
            exact,
            placeholder: "50 tok/s",
        };
        text_field(ui, &line, |text| {
            *reference = Reference::parse(text).map_err(|error| error.to_string())?;
            Ok(())
        });
    }
    let mut removed = false;
    ui.horizontal_wrapped(|ui| {
        let roles =
            Role::ALL.map(|role| (role.name(), "What it says, which decides colour and sign"));
        let chosen = Role::ALL.iter().position(|role| *role == annotation.role);
        if let Some(chosen) = segmented(ui, &roles, chosen.unwrap_or(0)) {
            annotation.role = Role::ALL[chosen];
        }
    });
    ui.horizontal_wrapped(|ui| {
        removed = ui.add(Button::new("Delete annotation")).clicked();
    });
    removed
}
