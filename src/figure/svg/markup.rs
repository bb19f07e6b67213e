//! Numbers, colours and text as they stand in SVG.

use egui::{Color32, Pos2};
use std::fmt::{Display, Formatter, Result, Write as _};

/// A number with at most two decimals, and never "-0".
#[derive(Clone, Copy)]
pub(super) struct Num(pub f32);

impl Display for Num {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        // A cast saturates and takes NaN to 0, so there is always a number to read.
        let hundredths = (f64::from(self.0) * 100.0).round() as i64;
        if hundredths < 0 {
            f.write_char('-')?;
        }
        let (whole, rest) = (
            hundredths.unsigned_abs() / 100,
            hundredths.unsigned_abs() % 100,
        );
        match rest {
            0 => write!(f, "{whole}"),
            rest if rest % 10 == 0 => write!(f, "{whole}.{}", rest / 10),
            rest => write!(f, "{whole}.{rest:02}"),
        }
    }
}

/// A point as "x y".
pub(super) struct Point(pub Pos2);

impl Display for Point {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {}", Num(self.0.x), Num(self.0.y))
    }
}

/// A colour as an attribute with a leading blank, and its opacity where it is not opaque.
pub(super) struct Paint(pub &'static str, pub Color32);

impl Display for Paint {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self(attribute, color) = self;
        let [r, g, b, a] = color.to_srgba_unmultiplied();
        match a {
            0 => write!(f, " {attribute}=\"none\""),
            255 => write!(f, " {attribute}=\"#{r:02x}{g:02x}{b:02x}\""),
            _ => {
                write!(f, " {attribute}=\"#{r:02x}{g:02x}{b:02x}\"")?;
                write!(f, " {attribute}-opacity=\"{}\"", Opacity(a))
            }
        }
    }
}

/// An opacity of 0 to 255 as 0 to 1; three decimals tell all of them apart.
pub(super) struct Opacity(pub u8);

impl Display for Opacity {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            0 => f.write_char('0'),
            255 => f.write_char('1'),
            part => write!(f, "{:.3}", f32::from(part) / 255.0),
        }
    }
}

/// Text between tags, with every character that XML forbids there replaced.
pub(super) struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                control if control.is_control() => f.write_char('\u{fffd}')?,
                plain => f.write_char(plain)?,
            }
        }
        Ok(())
    }
}

/// A number that tells texts apart (FNV-1a), the same in every run and build.
pub(super) fn fingerprint(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_zero_has_no_sign() {
        for (number, text) in [
            (-0.0, "0"),
            (-0.004, "0"),
            (-0.25, "-0.25"),
            (3.0, "3"),
            (1440.5, "1440.5"),
            (2.056, "2.06"),
            (f32::NAN, "0"),
        ] {
            assert_eq!(Num(number).to_string(), text);
        }
    }

    #[test]
    fn colours_are_written_without_premultiplication() {
        let half = Color32::from_rgba_premultiplied(100, 50, 0, 128);
        let text = Paint("fill", half).to_string();
        assert_eq!(text, " fill=\"#c76400\" fill-opacity=\"0.502\"");
        assert_eq!(
            Paint("stroke", Color32::TRANSPARENT).to_string(),
            " stroke=\"none\""
        );
    }

    #[test]
    fn forbidden_characters_are_escaped_or_replaced() {
        let text = Escaped("a<b> & \"c\"\u{0}\n").to_string();
        assert_eq!(text, "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd} ");
    }
}
