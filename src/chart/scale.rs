//! A scale of colours for numbers: evenly rising in lightness, so that it is read in grey and by the colour-blind too.
use egui::Color32;

/// Cividis (Nuñez, Anderton, Renslow 2018), sampled evenly.
const STOPS: [[u8; 3]; 9] = [
    [0, 34, 78],
    [35, 62, 108],
    [66, 78, 108],
    [96, 96, 110],
    [125, 124, 120],
    [157, 142, 115],
    [190, 168, 101],
    [224, 196, 78],
    [254, 232, 56],
];

/// How many shades are told apart: cells of one shade join to one area.
pub const SHADES: u16 = 64;

/// The shade of a part between 0 and 1.
pub fn shade(part: f64) -> u16 {
    (part.clamp(0.0, 1.0) * f64::from(SHADES - 1)).round() as u16
}

/// The colour of a shade; the darkest is the smallest.
pub fn colour(shade: u16) -> Color32 {
    let at = f32::from(shade.min(SHADES - 1)) / f32::from(SHADES - 1) * (STOPS.len() - 1) as f32;
    let index = (at as usize).min(STOPS.len() - 2);
    let part = at - index as f32;
    let [low, high] = [STOPS[index], STOPS[index + 1]];
    let mix = |channel: usize| {
        let (a, b) = (f32::from(low[channel]), f32::from(high[channel]));
        (a + (b - a) * part).round() as u8
    };
    Color32::from_rgb(mix(0), mix(1), mix(2))
}

/// Black or white, whichever is read better on a colour.
pub fn ink_on(ground: Color32) -> Color32 {
    match lightness(ground) > 0.46 {
        true => Color32::from_gray(16),
        false => Color32::from_gray(245),
    }
}

/// About how light a colour looks, 0–1.
pub fn lightness(colour: Color32) -> f32 {
    let [r, g, b] = [colour.r(), colour.g(), colour.b()].map(|c| f32::from(c) / 255.0);
    0.299 * r + 0.587 * g + 0.114 * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_rises_in_grey() {
        let greys: Vec<_> = (0..SHADES).map(|s| lightness(colour(s))).collect();
        assert!(greys.is_sorted(), "{greys:?}");
        assert!(greys[0] < 0.2 && *greys.last().unwrap() > 0.8);
        assert_eq!(
            (shade(-1.0), shade(f64::NAN), shade(2.0)),
            (0, 0, SHADES - 1)
        );
    }
}
