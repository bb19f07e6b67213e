//! The ring around what has the keyboard, whatever it is: also buttons without a frame show where Space would land.
use crate::chart::style::{self, size};
use egui::{Context, Stroke, StrokeKind};

/// Paints the ring; to be called when everything of a frame is there.
///
/// What can be dragged shows it itself: text fields by their frame and cursor, marks by their own ring.
pub fn focus_ring(ctx: &Context) {
    let Some(id) = ctx.memory(|memory| memory.focused()) else {
        return;
    };
    let Some(response) = ctx.read_response(id) else {
        return;
    };
    if response.sense.senses_drag() {
        return;
    }
    let painter = ctx.layer_painter(response.layer_id);
    let painter = painter.with_clip_rect(response.interact_rect.expand(3.0));
    let stroke = Stroke::new(size::RING, style::current(ctx).accent);
    painter.rect_stroke(response.rect.expand(1.0), 4.0, stroke, StrokeKind::Middle);
}
