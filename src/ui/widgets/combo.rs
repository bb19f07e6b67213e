//! One of several things by name, perhaps none.
use crate::chart::labels::shortened;
use egui::{ComboBox, Role, Ui, WidgetInfo};

/// The longest name shown at rest, in characters.
const LONGEST: usize = 28;

/// A list that opens, under an accessible name that is not drawn; `Some` of what was chosen, if it is another.
pub fn combo<T: PartialEq + Copy>(
    ui: &mut Ui,
    label: &str,
    now: Option<T>,
    options: &[(T, String)],
    none: Option<&str>,
    width: f32,
) -> Option<Option<T>> {
    let name = options.iter().find(|(option, _)| Some(*option) == now);
    let name = name
        .map(|(_, name)| name.as_str())
        .or(none)
        .unwrap_or_default();
    let mut chosen = None;
    let combo = ComboBox::from_id_salt(label)
        .width(width)
        .selected_text(shortened(name, LONGEST))
        .show_ui(ui, |ui| {
            if let Some(none) = none
                && ui.selectable_label(now.is_none(), none).clicked()
            {
                chosen = Some(None);
            }
            for (option, name) in options {
                if ui.selectable_label(now == Some(*option), name).clicked() {
                    chosen = Some(Some(*option));
                }
            }
        });
    combo.response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, label);
        info.current_text_value = Some(name.to_owned());
        info
    });
    chosen.filter(|chosen| *chosen != now)
}
