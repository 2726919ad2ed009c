//! Pictures between the lines of a terminal that can show them.

use std::collections::BTreeSet;
use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reading::golden;

use crate::options::picture_protocol::PictureProtocol;

/// Longest piece that kitty accepts, in bytes of base64.
const KITTY_PIECE: usize = 4_096;
/// Number of colours that every terminal with sixels has.
const SIXEL_COLOURS: usize = 256;

/// Returns the output that shows the PNG file `png` on the terminal. The cursor is after the
/// picture then.
pub(crate) fn picture(protocol: PictureProtocol, png: &[u8]) -> String {
    match protocol {
        PictureProtocol::Kitty => kitty(png),
        PictureProtocol::Iterm => {
            let text = STANDARD.encode(png);
            format!("\x1b]1337;File=inline=1;size={};preserveAspectRatio=1:{text}\x07", png.len())
        }
        PictureProtocol::Sixel => sixel(png).unwrap_or_default(),
    }
}

fn kitty(png: &[u8]) -> String {
    let text = STANDARD.encode(png);
    let mut out = String::new();
    let mut rest = text.as_str();
    // f=100: a PNG file; a=T: show it at once; q=2: send no answer.
    let mut keys = "f=100,a=T,q=2,";
    while !rest.is_empty() {
        // Base64 is ASCII: every index is a boundary.
        let (piece, behind) = rest.split_at(rest.len().min(KITTY_PIECE));
        let more = u8::from(!behind.is_empty());
        out += &format!("\x1b_G{keys}m={more};{piece}\x1b\\");
        (rest, keys) = (behind, "");
    }
    out
}

/// Draws the picture in six-pixel bands, each once for every colour in it. A frame with more
/// colours than a terminal has registers for loses the lowest bits of each channel.
fn sixel(png: &[u8]) -> Option<String> {
    let frame = golden::decode_png(Cursor::new(png)).ok()?;
    // With three, three and two bits per channel there are at most 256 colours, so one mask always
    // fits.
    let masks = [0x00FF_FFFF, 0x00F8_FCF8, 0x00F0_F0F0, 0x00E0_E0C0];
    let (mask, palette) = masks.iter().find_map(|mask| {
        let colours: BTreeSet<u32> = frame.pixels().iter().map(|pixel| pixel & mask).collect();
        (colours.len() <= SIXEL_COLOURS).then(|| (mask, colours.into_iter().collect::<Vec<_>>()))
    })?;
    let mut out = format!("\x1bP0;1q\"1;1;{};{}", frame.width(), frame.height());
    for (number, colour) in palette.iter().enumerate() {
        let [_, red, green, blue] = colour.to_be_bytes().map(|level| u32::from(level) * 100 / 255);
        out += &format!("#{number};2;{red};{green};{blue}");
    }
    for top in (0..frame.height()).step_by(6) {
        let colour_at = |x, y| frame.pixel(x, y).map(|pixel| pixel & mask);
        let band = (top..top + 6).flat_map(|y| (0..frame.width()).map(move |x| (x, y)));
        let in_band: BTreeSet<u32> = band.filter_map(|(x, y)| colour_at(x, y)).collect();
        for colour in in_band {
            let number = palette.binary_search(&colour).unwrap_or_default();
            out += &format!("#{number}");
            let column = |x| {
                (0..6)
                    .filter(|row| colour_at(x, top + row) == Some(colour))
                    .map(|row| 1u8 << row)
                    .sum()
            };
            run_lengths(&mut out, (0..frame.width()).map(column));
            // Returns to the band's left edge.
            out.push('$');
        }
        out.push('-');
    }
    Some(out + "\x1b\\")
}

/// Writes columns of six bits each; equal columns in a row are run-length encoded.
fn run_lengths(out: &mut String, columns: impl Iterator<Item = u8>) {
    let mut columns = columns.peekable();
    while let Some(column) = columns.next() {
        let mut count = 1;
        while columns.next_if_eq(&column).is_some() {
            count += 1;
        }
        let letter = char::from(b'?' + column);
        match count {
            1..4 => (0..count).for_each(|_| out.push(letter)),
            _ => *out += &format!("!{count}{letter}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use ili9341_model::Frame;

    use super::*;

    #[test]
    fn the_pieces_for_kitty_make_up_the_file() {
        let png = vec![7; 10_000];
        let shown = picture(PictureProtocol::Kitty, &png);
        let pieces: Vec<&str> = shown.split_terminator("\x1b\\").collect();
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.starts_with("\x1b_G")));
        let text: String =
            pieces.iter().filter_map(|piece| piece.split_once(';')).map(|p| p.1).collect();
        assert_eq!(STANDARD.decode(text).unwrap(), png);
        assert!(pieces[0].contains("m=1") && pieces.last().unwrap().contains("m=0"));
    }

    #[test]
    fn sixels_and_iterm_pictures_are_one_escape_sequence() {
        let png = golden::encode_png(&Frame::filled(12, 6, 0x00FF_8000));
        let sixel = picture(PictureProtocol::Sixel, &png);
        assert_eq!(sixel, "\x1bP0;1q\"1;1;12;6#0;2;100;50;0#0!12~$-\x1b\\");
        let iterm = picture(PictureProtocol::Iterm, &png);
        assert!(iterm.starts_with("\x1b]1337;File=inline=1") && iterm.ends_with('\x07'));
    }

    #[test]
    fn many_colours_are_reduced_to_the_terminals_colours() {
        let pixels = (0..320 * 240).map(|nth| nth * 217).collect();
        let png = golden::encode_png(&Frame::from_pixels(320, 240, pixels));
        let shown = picture(PictureProtocol::Sixel, &png);
        assert!(shown.contains("#200;2;") && !shown.contains("#256;2;"));
    }

    #[test]
    fn an_invalid_picture_shows_nothing() {
        assert_eq!(picture(PictureProtocol::Sixel, b"not a picture"), "");
    }
}
