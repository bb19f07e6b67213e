//! The middle: the bar of switches, the chart, zooming and panning, and the card that follows a drag.
use super::chart_bar::bar;
use super::command::{Command, Menu};
use super::derived::Derived;
use super::handles;
use super::hints;
use super::kernels::kernel_marks;
use super::player;
use super::request::Requests;
use super::state::{Fitted, Transition, UiState};
use super::widgets::roles;
use super::words::Explained as _;
use crate::chart::framing;
use crate::chart::labels::shortened;
use crate::chart::paint::{self, Interaction, Painted, Projection};
use crate::chart::scene::{self, Arrow, Scene};
use crate::chart::style::{self, Style};
use crate::document::Document;
use crate::model::units;
use crate::model::view::Limits;
use egui::{Frame, Id, Key, Order, Rect, RichText, Sense, Ui, vec2};

/// Shows the bar and the chart.
pub fn chart_view(
    ui: &mut Ui,
    document: &mut Document,
    derived: &Derived,
    state: &mut UiState,
    with_hints: bool,
    requests: &mut Requests,
) {
    Frame::new()
        .inner_margin(egui::Margin::symmetric(12, 6))
        .show(ui, |ui| {
            bar(ui, document, &derived.scene, requests);
        });
    if state.playing.is_some() {
        Frame::new()
            .inner_margin(egui::Margin::symmetric(12, 2))
            .show(ui, |ui| player::player(ui, document, state));
    }
    let style = roles(ui);
    let with_arrow = arrow(derived, state).map(|arrow| Scene {
        arrow: Some(arrow),
        ..derived.scene.clone()
    });
    let scene = with_arrow.as_ref().unwrap_or(&derived.scene);
    let course = state.course.as_ref();
    let veiled = course.map(|course| course.veiled(&document.session, &document.view));
    let veiled = veiled.filter(|veiled| !veiled.is_empty());
    let unseen = veiled.map(|veiled| scene.without(&veiled, document.view.selected));
    let scene = unseen.as_ref().unwrap_or(scene);
    let look = Look {
        style,
        scene,
        hints: with_hints && state.course.is_none(),
    };
    chart(ui, document, derived, state, requests, look);
}

/// In which style a scene is shown, and whether with hints for beginners.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub style: &'static Style,
    pub scene: &'a Scene,
    pub hints: bool,
}

/// Shows the chart alone, with all that can be dragged on it.
pub fn chart(
    ui: &mut Ui,
    document: &mut Document,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
    Look {
        style,
        scene,
        hints,
    }: Look<'_>,
) -> Painted {
    // What a lesson veils has its room: the chart does not jump when it comes into sight.
    let whole = match scene.presenting {
        true => scene,
        false => &derived.scene,
    };
    let limits = eased(ui, limits_now(ui, document, whole, state), state);
    let how = if document.view.locked {
        Interaction::Locked
    } else {
        Interaction::Free
    };
    let hints = hints && !scene.marks.is_empty();
    let corner = match hints {
        true => hints::room(ui),
        false => egui::Vec2::ZERO,
    };
    let painted = paint::paint(
        ui,
        scene,
        style,
        limits,
        how,
        corner,
        &mut state.chart.grids,
    );
    let frame = painted.projection.frame;
    state.chart.aspect = f64::from(frame.height() / frame.width().max(1.0));
    state.chart.shown = Some(limits);
    if how == Interaction::Free && state.chart.transition.is_none() {
        moved(document, limits, painted.projection.limits);
        wheel(ui, document, state, &painted, limits);
    }
    plane(ui, document, &painted, state, requests);
    painted_words(ui, &painted);
    kernel_marks(ui, derived, scene, &painted, state, requests);
    handles::handles(ui, document, scene, &painted, state, requests);
    if let Some(text) = &derived.description {
        ui.ctx()
            .accesskit_node_builder(painted.response.id, |node| {
                node.set_description(text.as_str())
            });
    }
    axis_titles(ui, frame);
    hints::nothing_yet(ui, frame, document, requests);
    if hints {
        hints::hints(ui, frame, requests);
    }
    missing(ui, document, scene, &painted.projection, style);
    card(ui, document, derived, state, &painted.projection);
    painted
}

/// What the titles of the axes mean, on hover; they are painted beside the frame.
fn axis_titles(ui: &Ui, frame: Rect) {
    let below = Rect::from_center_size(frame.center_bottom() + vec2(0.0, 26.0), vec2(200.0, 18.0));
    let beside = Rect::from_center_size(frame.left_center() - vec2(57.0, 0.0), vec2(18.0, 150.0));
    let titles = [(below, "arithmetic intensity"), (beside, "FLOP/s")];
    for (area, term) in titles {
        ui.interact(area, Id::unique(("axis title", term)), Sense::hover())
            .explained(term);
    }
}

/// What regimes and assumptions mean, on hover; they are painted into the chart and below it.
fn painted_words(ui: &Ui, painted: &Painted) {
    for (index, word) in painted.words.iter().enumerate() {
        let term = match word.text.as_str() {
            text if text.contains("sparsity") => "sparse",
            // What executes it, and from where it is fed.
            text if text.contains(" on ") => "path",
            text => text,
        };
        ui.interact(
            word.area,
            Id::unique(("painted word", index)),
            Sense::hover(),
        )
        .explained(term);
    }
}

/// The arrow of the fix the pointer is over.
fn arrow(derived: &Derived, state: &UiState) -> Option<Arrow> {
    if derived.scene.normalised {
        return None;
    }
    let selected = derived.selected.as_ref()?;
    let fix = selected.fixes.get(state.shown_fix?)?;
    let before = selected.placement.as_ref().ok()?;
    let text = format!("{} {}", units::factor(fix.throughput_factor), fix.name);
    scene::arrow(before, &fix.after, before.level, text)
}

/// The limits of this frame: those chosen, else a fit. A fit stays while the hand is on something, and as long
/// as it holds all there is: a chart that jumps after every edit cannot be compared with what it was.
fn limits_now(ui: &Ui, document: &Document, scene: &Scene, state: &mut UiState) -> Limits {
    if let Some(limits) = document.view.limits {
        return framing::clamp(limits);
    }
    let held =
        ui.input(|input| input.pointer.any_down()) || arrow_key_down(ui) || state.playing.is_some();
    let gpus = scene.roofs.iter().map(|roof| roof.gpu).collect();
    let mut workloads: Vec<_> = scene.marks.iter().map(|mark| mark.workload).collect();
    workloads.sort();
    let now = Fitted {
        gpus,
        kernels: scene.kernels.points.len(),
        workloads,
        aspect: (state.chart.aspect * 200.0).round() / 200.0,
    };
    let extent = scene.extent();
    // What is shown on the way from one framing to another is none to keep.
    let on_the_way = state.chart.transition.is_some();
    let shown = state.chart.shown.filter(|_| !on_the_way);
    if scene.presenting {
        return match shown {
            Some(shown) if held => shown,
            _ => framing::fill(extent),
        };
    }
    match shown {
        Some(shown) if held || state.shown_fix.is_some() => shown,
        Some(shown)
            if state.chart.fitted.as_ref() == Some(&now)
                && framing::still_fits(shown, extent, state.chart.aspect) =>
        {
            shown
        }
        _ => {
            state.chart.fitted = Some(now);
            framing::fit(extent, state.chart.aspect)
        }
    }
}

/// The limits on the way from the framing before to this one; asks for frames until it is there, and for none after.
fn eased(ui: &Ui, to: Limits, state: &mut UiState) -> Limits {
    let length = f64::from(ui.style().animation_time);
    let now = ui.input(|input| input.time);
    let Some(Transition { from, since }) = &mut state.chart.transition else {
        return to;
    };
    let begun = *since.get_or_insert(now);
    let part = if length > 0.0 {
        (now - begun) / length
    } else {
        1.0
    };
    if part >= 1.0 {
        state.chart.transition = None;
        return to;
    }
    ui.ctx().request_repaint();
    // Slow at both ends.
    let part = part * part * (3.0 - 2.0 * part);
    let between = |a: [f64; 2], b: [f64; 2]| [0, 1].map(|i| a[i] + (b[i] - a[i]) * part);
    framing::clamp(Limits {
        x: between(from.x, to.x),
        y: between(from.y, to.y),
    })
}

/// Whether an arrow key is held: a nudge is a gesture as well.
pub fn arrow_key_down(ui: &Ui) -> bool {
    let arrows = [
        Key::ArrowLeft,
        Key::ArrowRight,
        Key::ArrowUp,
        Key::ArrowDown,
    ];
    ui.input(|input| arrows.iter().any(|key| input.key_down(*key)))
}

/// Keeps what panning, box zoom or a drag along an axis made of the limits.
fn moved(document: &mut Document, before: Limits, after: Limits) {
    let differs = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() > 1e-7;
    if differs(before.x, after.x) || differs(before.y, after.y) {
        document.view.limits = Some(framing::clamp(after));
    }
}

/// Zooms about the pointer. A scroll that began over a panel does not zoom when it drifts in here.
fn wheel(ui: &Ui, document: &mut Document, state: &mut UiState, painted: &Painted, limits: Limits) {
    const GUARD: f64 = 0.35;
    let (scroll, now, turned) = ui.input(|input| {
        let is_wheel = |event: &egui::Event| matches!(event, egui::Event::MouseWheel { .. });
        let turned = input.events.iter().any(is_wheel);
        (input.smooth_scroll_delta().y, input.time, turned)
    });
    if !painted.response.contains_pointer() {
        // A panel that scrolls takes the scrolling to itself and leaves none to be seen here.
        if turned || scroll != 0.0 {
            state.chart.scroll_guard = now + GUARD;
        }
        return;
    }
    if scroll == 0.0 {
        return;
    }
    if now < state.chart.scroll_guard {
        state.chart.scroll_guard = now + GUARD;
        return;
    }
    // The plane is not "hovered" where a mark or a roof lies over it, but zooms there as well.
    let Some(pointer) = ui.input(|input| input.pointer.hover_pos()) else {
        return;
    };
    let factor = (f64::from(-scroll) / 240.0).exp();
    let about = painted.projection.from_screen(pointer);
    document.view.limits = Some(framing::zoom(limits, about, [factor, factor]));
}

fn plane(
    ui: &Ui,
    document: &mut Document,
    painted: &Painted,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let response = &painted.response;
    if response.double_clicked() {
        requests.command(Command::Fit);
    }
    if response.clicked() {
        state.trace = None;
        ui.memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }
    response.context_menu(|ui| {
        for command in [
            Command::Fit,
            Command::LockAxes,
            Command::AxisLimits,
            Command::ToggleTrail,
            Command::IsolateKernel,
            Command::HideKernel,
            Command::ShowKernels,
            Command::ExportFigure,
        ] {
            let of_kernel = command.entry().menu == Menu::Kernels;
            if of_kernel && document.session.profiles.is_empty() {
                continue;
            }
            let name = match command {
                Command::LockAxes if document.view.locked => "Unlock axes",
                command => command.entry().name,
            };
            if ui.button(name).clicked() {
                requests.command(command);
                ui.close();
            }
        }
    });
}

/// Says which workloads are not on the chart, and why.
fn missing(ui: &Ui, document: &Document, scene: &Scene, projection: &Projection, style: &Style) {
    if scene.presenting {
        return;
    }
    let painter = ui.painter();
    let mut names: Vec<&str> = Vec::new();
    for (id, _) in &scene.missing {
        let name = document
            .session
            .workload(*id)
            .map_or("", |workload| workload.name.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if let (Some(name), Some((_, reason))) = (names.first(), scene.missing.first()) {
        let name = shortened(name, 28);
        let more = match names.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        let text = format!("Not on the chart: {name}{more}: {reason}");
        let mut job = egui::text::LayoutJob::simple_singleline(text, style::small(), style.warning);
        let room = projection.frame.width() - 24.0;
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        let galley = painter.layout_job(job);
        let at = projection.frame.left_top() + vec2(10.0, 6.0);
        let behind = egui::Rect::from_min_size(at, galley.size()).expand(3.0);
        painter.rect_filled(behind, 3.0, style.ground);
        painter.galley(at, galley, style.warning);
    }
    let outside = scene.marks.iter().filter(|mark| {
        !projection
            .frame
            .expand(4.0)
            .contains(projection.to_screen(mark.at))
    });
    let names: Vec<_> = outside.map(|mark| mark.name.as_str()).collect();
    if let Some(first) = names.first() {
        let more = match names.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let text = format!("{first}{more} outside the axes: F fits them");
        let at = projection.frame.right_top() + vec2(-8.0, 8.0);
        painter.text(
            at,
            egui::Align2::RIGHT_TOP,
            text,
            style::small(),
            style.muted,
        );
    }
}

/// The card beside what is dragged: where it is now, in numbers.
fn card(ui: &Ui, document: &Document, derived: &Derived, state: &UiState, projection: &Projection) {
    let Some(lines) = handles::card_lines(document, derived, state) else {
        return;
    };
    let anchor = match (&state.chart.drag, &state.chart.ghost) {
        (Some(_), _) => ui.input(|input| input.pointer.hover_pos()),
        (None, Some(ghost)) => {
            Some(projection.to_screen([ghost.intensity.get().log10(), ghost.rate.get().log10()]))
        }
        (None, None) => None,
    };
    let Some(at) = anchor else { return };
    let frame = projection.frame;
    // To the left, where names do not stand, unless there is no room; and never under the hand.
    let left = at.x - frame.left() > 260.0;
    let above = at.y > frame.center().y;
    let along = if left { -24.0 } else { 24.0 };
    let place = at + vec2(along, if above { -18.0 } else { 18.0 });
    let pivot = match (left, above) {
        (true, true) => egui::Align2::RIGHT_BOTTOM,
        (true, false) => egui::Align2::RIGHT_TOP,
        (false, true) => egui::Align2::LEFT_BOTTOM,
        (false, false) => egui::Align2::LEFT_TOP,
    };
    let roles = roles(ui);
    egui::Area::new(egui::Id::unique("drag card"))
        .order(Order::Tooltip)
        .interactable(false)
        .pivot(pivot)
        .fixed_pos(place)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(300.0);
                for (i, line) in lines.iter().enumerate() {
                    let text = RichText::new(line);
                    let text = if i == 0 {
                        text
                    } else {
                        text.small().color(roles.muted)
                    };
                    ui.add(egui::Label::new(text).wrap_mode(egui::TextWrapMode::Extend));
                }
            });
        });
}

/// The limits shown last, for the dialog.
pub fn shown_limits(state: &UiState) -> Limits {
    state
        .chart
        .shown
        .unwrap_or_else(|| framing::fit(framing::Extent::NOTHING, 0.6))
}
