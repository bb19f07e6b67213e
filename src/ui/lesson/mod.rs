//! The lesson under way: what to do, whether it was done, what it means, and the questions at the end.
pub(super) mod course;

pub use course::{Course, Place, Turn};

use super::request::{Request, Requests};
use super::widgets::roles;
use super::words::told;
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::document::Document;
use crate::model::lesson::{Question, Situation, Step};
use crate::model::session::Workload;
use crate::model::units;
use egui::style::ScrollStyle;
use egui::{Align, Button, Id, Label, Layout, ProgressBar, Rect, RichText, ScrollArea, Ui, vec2};

/// Shows where the lesson is; what is clicked is asked for.
pub fn lesson(ui: &mut Ui, document: &Document, course: &Course, requests: &mut Requests) {
    let style = roles(ui);
    let mut turns = Vec::new();
    head(ui, course, style, &mut turns);
    ui.add_space(ABOVE);
    let now = course.situation(&document.session, &document.view, None);
    // Over the room kept for it, so that nothing breaks anew when it comes; and seen without the pointer on it.
    ui.spacing_mut().scroll = ScrollStyle {
        floating_width: 6.0,
        dormant_handle_opacity: 0.7,
        ..ScrollStyle::floating()
    };
    let scrolled = ScrollArea::vertical()
        .id_salt(course.progress())
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.set_max_width(ui.available_width() - BAR);
            match course.place() {
                Place::Step(index) => {
                    let strayed = course.strayed(&document.session, &document.view);
                    step(ui, course, index, &now, &strayed, style, &mut turns);
                }
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
            }
        });
    let seen = scrolled.state.clamped_offset().y + scrolled.inner_rect.height();
    let below = scrolled.content_size.y - seen > 4.0;
    if below {
        more(ui, scrolled.inner_rect, style);
    }
    if ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or(Id::unique(MORE), below), below))
        != below
    {
        ui.ctx().request_repaint();
    }
    requests.extend(turns.into_iter().map(Request::Lesson));
}

/// Says at the lower edge that the text goes on; painted, so that nothing moves for it.
fn more(ui: &Ui, area: Rect, style: &Style) {
    let text = "more below ↓".to_owned();
    let galley = ui
        .painter()
        .layout_no_wrap(text, style::small(), style.warning);
    let at = area.right_bottom() - galley.size() - vec2(BAR, 2.0);
    let plate = Rect::from_min_size(at, galley.size()).expand(3.0);
    ui.painter().rect_filled(plate, 4.0, style.panel);
    ui.painter().galley(at, galley, style.warning);
}

/// Whether something of the lesson lies below what is in sight, as of the frame before.
fn more_below(ui: &Ui) -> bool {
    ui.data(|data| data.get_temp(Id::unique(MORE)))
        .unwrap_or(false)
}

/// The height that the longest step or question needs at this width.
pub fn height(ui: &Ui, document: &Document, course: &mut Course, width: f32) -> f32 {
    course.height(width, |course| {
        let now = course.situation(&document.session, &document.view, None);
        measure(ui, course, &now, width)
    })
}

fn measure(ui: &Ui, course: &Course, now: &Situation<'_>, width: f32) -> f32 {
    let gap = ui.spacing().item_spacing.y;
    let button = ui.spacing().interact_size.y + gap;
    let wide = width - BAR >= NARROW;
    let of = |text: &str, font: egui::FontId, width: f32| {
        let text = now.filled(text);
        let galley = ui.painter().layout(text, font, roles(ui).ink, width);
        galley.size().y + gap
    };
    // Before and after it is answered.
    let asked = |asked: &Question, width: f32| {
        let ask = of(&asked.ask, style::body(), width);
        let choices = |number: usize| number as f32 * button;
        let after = choices(2) + of(&asked.because, style::body(), width);
        [ask + choices(asked.choices.len()), ask + after]
    };
    let lesson = course.lesson();
    let step = |step: &Step| {
        let [left, right] = columns(width - BAR);
        let mut todo = of(&step.title, style::strong(size::HEADING), left);
        todo += of(&step.say, style::body(), left);
        for condition in &step.done {
            todo += of(
                &format!("○ to do: {}", condition.words(now)),
                style::small(),
                left,
            );
        }
        let told = of(&step.explain, style::body(), right);
        let [before, after] = step.ask.as_ref().map_or([0.0; 2], |it| asked(it, right));
        if step.ask.is_some() {
            todo += of("○ to do", style::small(), left);
        }
        let meant = before.max(after + told);
        if wide { todo.max(meant) } else { todo + meant }
    };
    let question = |question: &Question| {
        let [before, after] = asked(question, width);
        before.max(after) + of(&question.ask, style::strong(size::HEADING), f32::INFINITY)
    };
    let steps = lesson.steps.iter().map(step);
    let questions = lesson.questions.iter().map(question);
    let longest = steps.chain(questions).fold(0.0, f32::max);
    let head = if wide { button } else { 2.0 * button };
    head + ABOVE + longest + gap
}

/// Where egui keeps whether there is more below.
const MORE: &str = "more of a lesson below";

/// What stands between the head and the texts, and what a scroll bar takes.
const ABOVE: f32 = 4.0;
const BAR: f32 = 12.0;

/// How wide what to do is, and what it means: which has more to say.
fn columns(width: f32) -> [f32; 2] {
    const GAP: f32 = 20.0;
    match width < NARROW {
        true => [width; 2],
        false => [(width - GAP) * 0.44, (width - GAP) * 0.56],
    }
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
    let (name, fill) = match (course.is_done(), more_below(ui)) {
        (true, false) => ("Next", style.selection),
        (true, true) => ("Next", style.field),
        (false, _) => ("Skip", style.field),
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
    let whole = ui.available_width();
    let [first, second] = columns(whole);
    if whole < NARROW {
        left(ui);
        ui.add_space(8.0);
        return right(ui);
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.vertical(|ui| {
            ui.set_width(first);
            left(ui);
        });
        ui.add_space(whole - first - second - 16.0);
        ui.vertical(|ui| {
            ui.set_width(second);
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
    strayed: &[(&Workload, f64)],
    style: &Style,
    turns: &mut Vec<Turn>,
) {
    let step = &course.lesson().steps[index];
    let mut put_back = None;
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
        for (workload, share) in strayed {
            let share = units::percent(*share);
            let text = format!(
                "“{}” has left its roof: it is drawn at {share} of it, and takes longer than the roof allows.",
                workload.name
            );
            ui.add(Label::new(RichText::new(text).color(style.warning)).wrap());
            let button = ui.button("Put it back on the roof");
            if button
                .on_hover_text("Ctrl+Z undoes the drag as well")
                .clicked()
            {
                put_back = Some(workload.id);
            }
        }
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
    turns.extend(put_back.map(Turn::PutBack));
}

fn question(
    ui: &mut Ui,
    asked: &Question,
    chosen: Option<usize>,
    now: &Situation<'_>,
    style: &Style,
    turns: &mut Vec<Turn>,
) {
    told(ui, &now.filled(&asked.ask));
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
        told(ui, &now.filled(&asked.because));
    }
}

fn end(ui: &mut Ui, course: &Course, style: &Style, requests: &mut Requests) {
    let (right, all) = course.score();
    ui.label(RichText::new("That is all of it").font(style::strong(size::HEADING)));
    let about = &course.lesson().about;
    let skipped = all - course.answered();
    let said = match (right, skipped) {
        (_, skipped) if skipped == all => "The questions were skipped.".to_owned(),
        (_, 0) => format!("{right} of {all} questions were answered right."),
        _ => format!("{right} of {all} questions were answered right, {skipped} skipped."),
    };
    told(
        ui,
        &match 2 * right > all {
            true => format!("{said} You can now say {about}"),
            false => {
                format!("{said} Go Back to them, or Restart: after this lesson you can say {about}")
            }
        },
    );
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
