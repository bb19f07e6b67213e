//! Very many kernels: what a frame draws is bounded by the screen, not by how many there are.
use crate::world::{gpu, profile, simple};
use egui::{Shape, Theme, vec2};
use ridgepoint::chart::density::{Grids, Points};
use ridgepoint::chart::paint::{self, Hit, Interaction};
use ridgepoint::chart::scene::{KernelLayer, KernelMark, Scene};
use ridgepoint::chart::style::{self, Style};
use ridgepoint::figure::offscreen;
use ridgepoint::model::cost::Path;
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::JudgedBy;
use ridgepoint::model::profile::Analyses;
use ridgepoint::model::session::Session;
use ridgepoint::model::view::{Limits, View};
use std::sync::Arc;

const SIZE: egui::Vec2 = vec2(900.0, 600.0);
const LIMITS: Limits = Limits {
    x: [-2.0, 4.0],
    y: [9.0, 14.0],
};

/// A cloud without order: multiples of two irrational numbers.
fn cloud(count: u32) -> KernelLayer {
    let part = |i: u32, step: f64| (f64::from(i) * step).fract();
    let at = (0..count).map(|i| {
        [
            part(i, 0.754_877_666) * 6.0 - 2.0,
            part(i, 0.569_840_291) * 5.0 + 9.0,
        ]
    });
    let at = at.map(|at| at.map(|at| at as f32)).collect();
    let mark = |line| KernelMark {
        profile: 0,
        line,
        part: 1e-6,
        time_part: 1e-6,
        regime: None,
        secondary: false,
    };
    KernelLayer {
        points: Arc::new(Points::new(at, &[])),
        marks: (0..count).map(mark).collect(),
        ..KernelLayer::default()
    }
}

/// What a frame draws: shapes, and vertices of meshes among them; and what is under the middle of the chart.
fn drawn(layer: KernelLayer) -> (usize, usize, Option<Hit>) {
    let scene = Scene {
        kernels: layer,
        ..Scene::default()
    };
    let mut grids = Grids::default();
    let mut under = None;
    let shapes = offscreen::shapes(SIZE, Theme::Light, 2, style::install, |ui| {
        let style = Style::with(Theme::Light, false);
        let painted = paint::paint(
            ui,
            &scene,
            style,
            LIMITS,
            Interaction::None,
            egui::Vec2::ZERO,
            &mut grids,
        );
        let middle = painted.projection.frame.center();
        under = paint::hit(&scene.kernels, &mut grids, &painted.projection, middle);
    });
    let vertices = shapes.iter().map(|clipped| match &clipped.shape {
        Shape::Mesh(mesh) => mesh.vertices.len(),
        _ => 0,
    });
    (shapes.len(), vertices.sum(), under)
}

#[test]
fn a_million_kernels_draw_no_more_than_the_screen_has_cells() {
    let (few, _, _) = drawn(cloud(10));
    let (shapes, vertices, under) = drawn(cloud(1_000_000));
    assert!(shapes < few + 10, "{shapes} shapes instead of {few}");
    // A cell is at least one and a half points wide and high, and has four corners.
    let cells = (SIZE.x / 1.5 * SIZE.y / 1.5) as usize;
    assert!(
        vertices > 1000 && vertices <= 4 * cells,
        "{vertices} vertices"
    );
    assert!(
        matches!(under, Some(Hit::Cell { count, .. }) if count > 1),
        "{under:?}"
    );
}

#[test]
fn kernels_without_work_are_drawn_by_height() {
    let rows: Vec<_> = (1..=30_000)
        .map(|i| (format!("copy {i}"), Some(1e-6 * f64::from(i))))
        .collect();
    let rows: Vec<_> = rows
        .iter()
        .map(|(name, time)| (name.as_str(), "", *time, vec![Some(0.0), Some(1e6)]))
        .collect();
    let mut session = Session::empty("");
    let id = session.add_gpu(gpu("H100 SXM"), None);
    let mut profile = profile(&simple(Path::vector(NumberFormat::FP32)), &rows);
    profile.gpu = Some(id);
    session.add_profile(profile);
    let layer = KernelLayer::of(
        &Analyses::of(&session),
        &View::of(&session),
        JudgedBy::Theoretical,
    );
    assert_eq!(layer.gutter.len(), 30_000);
    assert_eq!(
        layer
            .gutter_heights
            .iter()
            .map(|height| height.count)
            .sum::<usize>(),
        30_000
    );
    assert_eq!(layer.gutter_heights[0].heaviest, 0);
    let (shapes, ..) = drawn(layer);
    assert!(shapes < SIZE.y as usize, "{shapes} shapes");
}
