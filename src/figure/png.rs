//! SVG to PNG on the CPU, with the bundled fonts only, so that a figure is the same on each machine.

use super::Error;
use crate::chart::fonts;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};
use std::sync::Arc;

/// The longest side of a picture in pixels.
pub const MAX_SIDE: u32 = 20_000;

/// The most pixels of a picture: four bytes each while it is drawn.
pub const MAX_PIXELS: u64 = 200_000_000;

/// Draws `svg` at `scale` pixels per unit and returns the bytes of a PNG file.
pub fn from_svg(svg: &str, scale: f32) -> Result<Vec<u8>, Error> {
    let options = usvg::Options {
        fontdb: Arc::new(font_database()),
        font_family: fonts::SANS_NAME.to_owned(),
        ..Default::default()
    };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let (width, height) = pixel_size(tree.size(), scale)?;
    let mut pixels = Pixmap::new(width, height).ok_or(Error::Size {
        width: width.into(),
        height: height.into(),
    })?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
        .encode_png()
        .map_err(|error| Error::Pack(error.to_string()))
}

fn pixel_size(size: usvg::Size, scale: f32) -> Result<(u32, u32), Error> {
    let side = |points: f32| (f64::from(points) * f64::from(scale)).round();
    let (width, height) = (side(size.width()), side(size.height()));
    let allowed = 1.0..=f64::from(MAX_SIDE);
    if allowed.contains(&width) && allowed.contains(&height) && width * height <= MAX_PIXELS as f64
    {
        Ok((width as u32, height as u32))
    } else {
        Err(Error::Size { width, height })
    }
}

/// Made anew for each picture: it borrows the bundled bytes and reads only their headers.
fn font_database() -> fontdb::Database {
    let mut database = fontdb::Database::new();
    for font in [fonts::SANS, fonts::BOLD, fonts::MONO] {
        database.load_font_source(fontdb::Source::Binary(Arc::new(font)));
    }
    database.set_sans_serif_family(fonts::SANS_NAME);
    database.set_serif_family(fonts::SANS_NAME);
    database.set_monospace_family(fonts::MONO_NAME);
    database
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="#fff"/><text x="5" y="20" font-family="Noto Sans">Word</text></svg>"##;

    #[test]
    fn a_picture_has_the_asked_size_and_shows_the_text() {
        let png = from_svg(WORD, 2.0).unwrap();
        let picture = Pixmap::decode_png(&png).unwrap();
        assert_eq!((picture.width(), picture.height()), (120, 60));
        assert!(picture.pixels().iter().any(|pixel| pixel.red() < 64));
        assert_eq!(picture.pixels()[0].red(), 255);
    }

    #[test]
    fn each_bundled_font_is_found_by_the_name_the_svg_uses() {
        let database = font_database();
        for (name, weight) in [
            (fonts::SANS_NAME, 400),
            (fonts::SANS_NAME, 700),
            (fonts::MONO_NAME, 400),
        ] {
            let found = database
                .faces()
                .find(|face| face.families[0].0 == name && face.weight.0 == weight);
            assert!(found.is_some(), "{name} {weight}");
        }
    }

    #[test]
    fn a_size_that_cannot_be_is_refused_with_the_limit() {
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1000.0] {
            let error = from_svg(WORD, scale).unwrap_err();
            assert!(matches!(error, Error::Size { .. }), "{scale}");
            assert!(error.to_string().contains("20000"), "{error}");
        }
    }
}
