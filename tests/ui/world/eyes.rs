//! What a user finds: things by role and name, and every text that is painted.
use super::*;
use egui::accesskit::Action;
use egui_kittest::Node;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

impl World {
    /// The things of a role under a name, from left to right.
    pub fn all(&self, role: Role, name: &str) -> Vec<Node<'_>> {
        let found = self.harness.query_all_by_role(role);
        let named = |node: &Node<'_>| node.accesskit_node().label().as_deref() == Some(name);
        let mut found: Vec<_> = found.filter(named).collect();
        found.sort_by(|a, b| a.rect().left().total_cmp(&b.rect().left()));
        found
    }

    #[track_caller]
    pub fn place(&self, role: Role, name: &str) -> Pos2 {
        let all = self.all(role, name);
        let Some(node) = all.first() else {
            panic!("no {role:?} {name:?} among {:?}", self.names(role));
        };
        node.rect().center()
    }

    /// Whether there is a thing of this role and name.
    pub fn has(&self, role: Role, name: &str) -> bool {
        !self.all(role, name).is_empty()
    }

    /// The names of all things of a role.
    pub fn names(&self, role: Role) -> Vec<String> {
        let things = self.harness.query_all_by_role(role);
        things
            .filter_map(|node| node.accesskit_node().label())
            .collect()
    }

    /// The full name of the thing of a role whose name begins so.
    #[track_caller]
    pub fn name_of(&self, role: Role, start: &str) -> String {
        let names = self.names(role);
        let name = names.iter().find(|name| name.starts_with(start));
        name.unwrap_or_else(|| panic!("no {role:?} begins with {start:?}: {names:?}"))
            .clone()
    }

    /// The handle whose name begins so.
    #[track_caller]
    pub fn handle(&self, start: &str) -> Pos2 {
        let name = self.name_of(Role::Slider, start);
        self.place(Role::Slider, &name)
    }

    /// The predicted mark of the built-in workload.
    #[track_caller]
    pub fn mark(&self) -> Pos2 {
        self.place(Role::Slider, DECODE)
    }

    /// The predicted mark of a workload.
    #[track_caller]
    pub fn mark_of(&self, workload: &str) -> Pos2 {
        self.place(Role::Slider, workload)
    }

    /// The name of what has the keyboard.
    pub fn focused(&self) -> Option<String> {
        let focused = self.harness.query_by(|node| node.is_focused())?;
        focused.accesskit_node().label()
    }

    /// A place in the chart with nothing under it.
    pub fn ground(&self) -> Pos2 {
        let frame = self.chart();
        pos2(
            frame.left() + frame.width() * 0.8,
            frame.top() + frame.height() * 0.8,
        )
    }

    pub fn chart(&self) -> egui::Rect {
        let chart = self.all(Role::GraphicsDocument, "Roofline chart");
        chart.first().expect("there is no chart").rect()
    }

    /// What a field shows.
    #[track_caller]
    pub fn field(&self, field: &str) -> String {
        let all = self.all(Role::TextInput, field);
        let node = all.first().unwrap_or_else(|| panic!("no field {field:?}"));
        node.value().unwrap_or_default()
    }

    /// Every text painted in the last frame.
    pub fn painted(&self) -> Vec<String> {
        let texts = self.painted_at().into_iter();
        texts.map(|(_, text)| text).collect()
    }

    /// The same, with where its corner is.
    pub fn painted_at(&self) -> Vec<(Pos2, String)> {
        fn collect(shape: &egui::Shape, texts: &mut Vec<(Pos2, String)>) {
            match shape {
                egui::Shape::Text(text) => texts.push((text.pos, text.galley.job.text.clone())),
                egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, texts)),
                _ => {}
            }
        }
        let mut texts = Vec::new();
        for clipped in &self.harness.output().shapes {
            collect(&clipped.shape, &mut texts);
        }
        texts
    }

    /// Every shape painted in the last frame.
    pub fn painted_shapes(&self) -> Vec<egui::Shape> {
        fn collect(shape: &egui::Shape, shapes: &mut Vec<egui::Shape>) {
            match shape {
                egui::Shape::Vec(inner) => inner.iter().for_each(|shape| collect(shape, shapes)),
                shape => shapes.push(shape.clone()),
            }
        }
        let mut shapes = Vec::new();
        for clipped in &self.harness.output().shapes {
            collect(&clipped.shape, &mut shapes);
        }
        shapes
    }

    /// The height of the letters of every text painted within the window, in pixels.
    pub fn text_pixels(&self) -> Vec<(String, f32)> {
        let zoom = self.zoom();
        let mut sizes = Vec::new();
        let mut shapes: Vec<_> = self
            .harness
            .output()
            .shapes
            .iter()
            .map(|s| &s.shape)
            .collect();
        while let Some(shape) = shapes.pop() {
            match shape {
                egui::Shape::Text(text) => {
                    let job = &text.galley.job;
                    let fonts = job
                        .sections
                        .iter()
                        .map(|section| section.format.font_id.size);
                    sizes.extend(fonts.map(|size| (job.text.clone(), size * zoom)));
                }
                egui::Shape::Vec(inner) => shapes.extend(inner),
                _ => {}
            }
        }
        sizes
    }

    pub fn sees(&self, text: &str) -> bool {
        self.painted().iter().any(|painted| painted.contains(text))
    }

    #[track_caller]
    pub fn expect(&self, text: &str) {
        assert!(self.sees(text), "{text:?} is not in {:#?}", self.painted());
    }

    /// The places of all things of a role.
    pub fn all_of(&self, role: Role) -> Vec<egui::Rect> {
        let things = self.harness.query_all_by_role(role);
        things.map(|node| node.rect()).collect()
    }

    /// What can be clicked, typed into or moved and has no name.
    pub fn unnamed(&self) -> Vec<String> {
        let all = self.harness.query_all_by(|node| {
            let can = |action| node.data().supports_action(action);
            let used = can(Action::Focus) || can(Action::Click);
            // The text of a label is its value.
            let name = node.label().or(node.value()).unwrap_or_default();
            let said = node.placeholder().unwrap_or_default();
            // A scroll bar is egui's own, and of what it stands beside.
            let bar = node.data().role() == Role::ScrollBar;
            used && !bar && name.trim().is_empty() && said.trim().is_empty()
        });
        all.map(|node| format!("{:?} at {:?}", node.accesskit_node().role(), node.rect()))
            .collect()
    }

    /// The name and place of what has the keyboard.
    pub fn focused_place(&self) -> Option<(String, egui::Rect)> {
        let focused = self.harness.query_by(|node| node.is_focused())?;
        let name = focused.accesskit_node().label().unwrap_or_default();
        Some((name, focused.rect()))
    }

    /// Whether a line of the accent's colour, as wide as a ring, goes round or along a place.
    pub fn has_ring(&self, place: egui::Rect) -> bool {
        fn lines(shape: &egui::Shape, found: &mut Vec<(egui::Rect, egui::Color32, f32)>) {
            let bounds = shape.visual_bounding_rect();
            match shape {
                egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| lines(shape, found)),
                egui::Shape::Rect(rect) => {
                    found.push((bounds, rect.stroke.color, rect.stroke.width))
                }
                egui::Shape::Circle(circle) => {
                    found.push((bounds, circle.stroke.color, circle.stroke.width));
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        for clipped in &self.harness.output().shapes {
            lines(&clipped.shape, &mut found);
        }
        let accent = ridgepoint::chart::style::current(&self.harness.ctx).accent;
        let round = |bounds: &egui::Rect| {
            bounds.intersects(place.expand(4.0)) && place.expand(24.0).contains_rect(*bounds)
        };
        let ring = |(bounds, colour, width): &(egui::Rect, egui::Color32, f32)| {
            round(bounds) && *colour == accent && *width >= 1.4
        };
        found.iter().any(ring)
    }

    pub fn size(&self) -> egui::Vec2 {
        self.harness.ctx.content_rect().size()
    }

    /// The factor everything is drawn larger by.
    pub fn zoom(&self) -> f32 {
        self.harness.ctx.zoom_factor()
    }

    /// The colour of text.
    pub fn ink(&self) -> egui::Color32 {
        let style = self.harness.ctx.global_style();
        style.visuals.widgets.inactive.fg_stroke.color
    }

    /// What a screen reader is told of the chart.
    pub fn chart_description(&self) -> String {
        let chart = self.all(Role::GraphicsDocument, "Roofline chart");
        chart[0].accesskit_node().description().unwrap_or_default()
    }
}
