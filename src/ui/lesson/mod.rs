//! The lesson under way: what to do, whether it was done, what it means, and the questions at the end.
mod course;

pub use course::{Course, Place, Turn};

use super::request::{Request, Requests};
use super::widgets::roles;
use super::words::told;
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::document::Document;
use crate::model::lesson::{Question, Situation};
use egui::{Align, Button, Label, Layout, ProgressBar, RichText, ScrollArea, Ui, vec2};

/// Shows where the lesson is; what is clicked is asked for.
pub fn lesson(ui: &mut Ui, document: &Document, course: &Course, requests: &mut Requests) {
    let style = roles(ui);
    let mut turns = Vec::new();
    head(ui, course, style, &mut turns);
    ui.add_space(4.0);
    let now = course.situation(&document.session, &document.view, None);
    ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| match course.place() {
            Place::Step(index) => step(ui, course, index, &now, style, &mut turns),
            Place::Question(index) => {
                let asked = &course.lesson().questions[index];
                let heading = format!(
                    "Question {} of {}",
                    index + 1,
                    course.lesson().questions.len()
                );
                ui.label(RichText::new(heading).font(style::strong(size::HEADING)));
                question(ui, asked, course.chosen(), &now, style, &mut turns);
            }
            Place::End => end(ui, course, style, requests),
        });
    requests.extend(turns.into_iter().map(Request::Lesson));
}

/// Below this width things stand under each other.
const NARROW: f32 = 520.0;

fn head(ui: &mut Ui, course: &Course, style: &Style, turns: &mut Vec<Turn>) {
    if ui.available_width() < NARROW {
        ui.horizontal(|ui| {
            progress(ui, course, style);
            let text = RichText::new(&course.lesson().title).color(style.muted);
            ui.add(Label::new(text).truncate());
        });
        ui.horizontal_wrapped(|ui| buttons(ui, course, style, turns));
        return;
    }
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, course, style, turns);
            ui.add_space(8.0);
            // The name has what is left.
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                progress(ui, course, style);
                let title = format!("Lesson: {}", course.lesson().title);
                let text = RichText::new(title)
                    .font(style::strong(size::BODY))
                    .color(style.muted);
                ui.add(Label::new(text).truncate());
            });
        });
    });
}

/// Back, Next, Restart and Leave, from whichever side the layout begins.
fn buttons(ui: &mut Ui, course: &Course, style: &Style, turns: &mut Vec<Turn>) {
    let mut order = [back, next, restart, leave];
    if ui.layout().prefer_right_to_left() {
        order.reverse();
    }
    for button in order {
        turns.extend(button(ui, course, style));
    }
}

fn leave(ui: &mut Ui, _: &Course, _: &Style) -> Option<Turn> {
    ui.button("Leave the lesson")
        .clicked()
        .then_some(Turn::Leave)
}

fn restart(ui: &mut Ui, _: &Course, _: &Style) -> Option<Turn> {
    let restart = ui
        .button("Restart")
        .on_hover_text("Begin again, with the session as it was");
    restart.clicked().then_some(Turn::Restart)
}

fn next(ui: &mut Ui, course: &Course, style: &Style) -> Option<Turn> {
    let next = course.next()?;
    let (name, fill) = match course.is_done() {
        true => ("Next", style.selection),
        false => ("Skip", style.field),
    };
    let button = Button::new(name).fill(fill).min_size(vec2(64.0, 24.0));
    ui.add(button).clicked().then_some(Turn::To(next))
}

fn back(ui: &mut Ui, course: &Course, _: &Style) -> Option<Turn> {
    let back = ui.add_enabled(course.back().is_some(), Button::new("Back"));
    course.back().filter(|_| back.clicked()).map(Turn::To)
}

fn progress(ui: &mut Ui, course: &Course, style: &Style) {
    let (at, all) = course.progress();
    let bar = ProgressBar::new(at as f32 / all.max(1) as f32)
        .desired_width(80.0)
        .desired_height(6.0)
        .fill(style.accent);
    let bar = ui.add(bar);
    let text = format!("{} of {all}", (at + 1).min(all));
    bar.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ProgressIndicator, true, &text));
    ui.label(RichText::new(text).small().color(style.muted));
}

/// Two halves beside each other, each with lines of its own length.
fn halves(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: impl FnOnce(&mut Ui)) {
    const GAP: f32 = 28.0;
    if ui.available_width() < NARROW {
        left(ui);
        ui.add_space(8.0);
        return right(ui);
    }
    let width = (ui.available_width() - GAP) / 2.0;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.vertical(|ui| {
            ui.set_width(width);
            left(ui);
        });
        ui.add_space(GAP - 16.0);
        ui.vertical(|ui| {
            ui.set_width(width);
            right(ui);
        });
    });
}

/// What to do at the left, what it means at the right.
fn step(
    ui: &mut Ui,
    course: &Course,
    index: usize,
    now: &Situation<'_>,
    style: &Style,
    turns: &mut Vec<Turn>,
) {
    let step = &course.lesson().steps[index];
    let left = |ui: &mut Ui| {
        ui.label(RichText::new(&step.title).font(style::strong(size::HEADING)));
        told(ui, &now.filled(&step.say));
        if course.is_predicting() {
            let text = RichText::new("○ to do: predict, at the right");
            ui.label(text.small().color(style.muted));
        }
        for condition in &step.done {
            let (sign, colour) = match course.is_done() || condition.holds(now) {
                true => ("● done", style.good),
                false => ("○ to do", style.muted),
            };
            let text = format!("{sign}: {}", condition.words(now));
            ui.add(Label::new(RichText::new(text).small().color(colour)).wrap());
        }
    };
    let right = |ui: &mut Ui| {
        if let Some(asked) = &step.ask {
            question(ui, asked, course.chosen(), now, style, turns);
        }
        if course.is_done() {
            told(ui, &now.filled(&step.explain));
        } else if step.ask.is_none() {
            let text = "What it means is told here once it is done.";
            ui.label(RichText::new(text).color(style.muted));
        }
    };
    halves(ui, left, right);
}

fn question(
    ui: &mut Ui,
    asked: &Question,
    chosen: Option<usize>,
    now: &Situation<'_>,
    style: &Style,
    turns: &mut Vec<Turn>,
) {
    ui.add(Label::new(now.filled(&asked.ask)).wrap());
    for (index, choice) in asked.choices.iter().enumerate() {
        // Once it is answered, what else might have been said only takes room.
        if chosen.is_some_and(|chosen| index != chosen && index != asked.right) {
            continue;
        }
        let text = match chosen {
            Some(_) if index == asked.right => {
                RichText::new(format!("{choice}   ● right")).color(style.good)
            }
            Some(chosen) if index == chosen => {
                RichText::new(format!("{choice}   × not so")).color(style.warning)
            }
            _ => RichText::new(choice),
        };
        let radio = ui.scope(|ui| {
            // An empty ring must be seen as well as a full one.
            ui.visuals_mut().widgets.inactive.bg_stroke.color = style.muted;
            ui.radio(chosen == Some(index), text)
        });
        let radio = radio.inner;
        radio.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::RadioButton, true, chosen == Some(index), choice)
        });
        if radio.clicked() {
            turns.push(Turn::Answer(index));
        }
    }
    if chosen.is_some() {
        ui.add(Label::new(now.filled(&asked.because)).wrap());
    }
}

fn end(ui: &mut Ui, course: &Course, style: &Style, requests: &mut Requests) {
    let (right, all) = course.score();
    ui.label(RichText::new("That is all of it").font(style::strong(size::HEADING)));
    let about = &course.lesson().about;
    ui.label(match 2 * right >= all {
        true => format!("{right} of {all} questions were answered right. You can now say: {about}"),
        false => format!(
            "{right} of {all} questions were answered right. Restart goes through it again; then you can say: {about}"
        ),
    });
    ui.add_space(4.0);
    if let Some(next) = course.following() {
        let name = format!(
            "Next lesson: {} ({} min)",
            next.lesson.title, next.lesson.minutes
        );
        if ui.button(name).clicked() {
            requests.push(Request::OpenExample(next.id.to_owned()));
        }
    }
    let text = "The session stays open: change anything in it. Help › Lessons has all of them.";
    ui.label(RichText::new(text).color(style.muted));
}
