//! The LCD in true pixels: the escape sequences of kitty's graphics protocol, of iTerm2's inline
//! images, and sixels (DEC's, as documented by xterm). Each picture replaces the previous one.
//! This module knows no terminal.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ili9341_model::Frame;
use ratatui_core::layout::Rect;
use reading::golden::encode_png;

/// Number of the picture among kitty's images.
const IMAGE: u32 = 4_207;
/// Maximum length of the base64 text in one of kitty's chunks, in bytes (kitty's protocol, "remote
/// client").
const CHUNK: usize = 4_096;
/// Maximum number of colours of sixels.
const COLOURS: usize = 256;

/// Returns the escape sequence that places the cursor on the first cell of `area`.
fn place(area: Rect) -> String {
    format!("\x1b[{};{}H", area.y.saturating_add(1), area.x.saturating_add(1))
}

/// Returns the sequence for kitty, which scales the PNG to the cells of `area`.
pub fn kitty(frame: &Frame, area: Rect) -> String {
    let data = STANDARD.encode(encode_png(frame));
    let mut out = place(area);
    let chunks = data.len().div_ceil(CHUNK);
    for (nth, chunk) in data.as_bytes().chunks(CHUNK).enumerate() {
        let more = u8::from(nth + 1 < chunks);
        out.push_str("\x1b_G");
        if nth == 0 {
            let (columns, rows) = (area.width, area.height);
            // q=2: no answer; C=1: the cursor stays.
            let _ = write!(out, "a=T,f=100,i={IMAGE},p=1,q=2,C=1,c={columns},r={rows},");
        }
        let _ = write!(out, "m={more};{}\x1b\\", String::from_utf8_lossy(chunk));
    }
    out
}

/// Returns the sequence that removes kitty's picture.
pub fn kitty_away() -> String {
    format!("\x1b_Ga=d,d=I,i={IMAGE},q=2\x1b\\")
}

/// Returns the sequence for iTerm2, which scales the PNG to the cells of `area`.
pub fn iterm(frame: &Frame, area: Rect) -> String {
    let png = encode_png(frame);
    format!(
        "{}\x1b]1337;File=inline=1;size={};width={};height={};preserveAspectRatio=0;\
         doNotMoveCursor=1:{}\x07",
        place(area),
        png.len(),
        area.width,
        area.height,
        STANDARD.encode(png)
    )
}

/// Returns sixels in the pixels of `area`, whose cells have `cell` (width, height) pixels.
pub fn sixel(frame: &Frame, area: Rect, cell: (u16, u16)) -> String {
    let width = usize::from(area.width) * usize::from(cell.0);
    let height = usize::from(area.height) * usize::from(cell.1);
    let (colours, pixels) = indexed(frame, width, height);
    let mut out = place(area);
    // P2=1: a pixel that no colour sets stays as it is.
    let _ = write!(out, "\x1bP0;1;0q\"1;1;{width};{height}");
    for (index, rgb) in colours.iter().enumerate() {
        let [_, red, green, blue] =
            rgb.to_be_bytes().map(|part| (u32::from(part) * 100 + 127) / 255);
        let _ = write!(out, "#{index};2;{red};{green};{blue}");
    }
    for band in pixels.chunks(6 * width.max(1)) {
        let mut bits = vec![Vec::new(); colours.len()];
        for (at, index) in band.iter().enumerate() {
            let row: &mut Vec<u8> = &mut bits[usize::from(*index)];
            if row.is_empty() {
                row.resize(width, 0);
            }
            row[at % width] |= 1 << (at / width);
        }
        for (index, row) in bits.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            let _ = write!(out, "#{index}");
            for run in row.chunk_by(|one, other| one == other) {
                let symbol = char::from(b'?' + run[0]);
                if run.len() > 3 {
                    let _ = write!(out, "!{}{symbol}", run.len());
                } else {
                    out.extend(run.iter().map(|_| symbol));
                }
            }
            // Returns to the start of the band.
            out.push('$');
        }
        out.push('-');
    }
    out.push_str("\x1b\\");
    out
}

/// Scales `frame` to `width` × `height` pixels by the nearest pixel. Returns the colours and the
/// index of each pixel's colour. Too many colours are reduced to 3 + 3 + 2 bits.
fn indexed(frame: &Frame, width: usize, height: usize) -> (Vec<u32>, Vec<u8>) {
    let mut colours = frame.pixels().to_vec();
    colours.sort_unstable();
    colours.dedup();
    let mask = if colours.len() > COLOURS { 0xE0_E0C0 } else { 0xFF_FFFF };
    for colour in &mut colours {
        *colour &= mask;
    }
    colours.dedup();
    colours.sort_unstable();
    colours.dedup();
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        let row = y * frame.height() / height.max(1) * frame.width();
        for x in 0..width {
            let rgb = frame.pixels()[row + x * frame.width() / width.max(1)] & mask;
            pixels.push(colours.binary_search(&rgb).unwrap_or(0) as u8);
        }
    }
    (colours, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect { x: 4, y: 2, width: 2, height: 1 };

    #[test]
    fn kitty_gets_a_png_in_chunks_which_reads_back() {
        // The frame is noise, so that the PNG is larger than a chunk.
        let mut state = 1_u32;
        let noise = (0..64 * 64).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        });
        let frame = Frame::from_pixels(64, 64, noise.collect());
        let sent = kitty(&frame, AREA);
        assert!(sent.starts_with("\x1b[3;5H\x1b_Ga=T,f=100,i=4207,p=1,q=2,C=1,c=2,r=1,m=1;"));
        let mut data = String::new();
        let chunks: Vec<&str> = sent.split("\x1b_G").skip(1).collect();
        for (nth, chunk) in chunks.iter().enumerate() {
            let (keys, payload) = chunk.trim_end_matches("\x1b\\").split_once(';').unwrap();
            assert!(payload.len() <= CHUNK && keys.contains("m=1") == (nth + 1 < chunks.len()));
            data.push_str(payload);
        }
        assert!(chunks.len() > 2);
        assert_eq!(STANDARD.decode(data).unwrap(), encode_png(&frame));
    }

    #[test]
    fn iterm_gets_a_png_with_its_size_in_cells() {
        let frame = Frame::filled(3, 2, 0x12_3456);
        let sent = iterm(&frame, AREA);
        let (keys, data) = sent.trim_end_matches('\x07').split_once(':').unwrap();
        assert!(keys.starts_with("\x1b[3;5H\x1b]1337;File=inline=1;size="), "{keys:?}");
        assert!(keys.contains(";width=2;height=1;"));
        assert_eq!(STANDARD.decode(data).unwrap(), encode_png(&frame));
    }

    #[test]
    fn sixels_have_each_pixel_in_its_colour() {
        // Two cells of 2 × 4 pixels: red left, blue right, and one white pixel at the top left.
        let mut pixels = [[0xFF_0000; 2], [0x00_00FF; 2]].concat().repeat(4);
        pixels[0] = 0xFF_FFFF;
        let sent = sixel(&Frame::from_pixels(4, 4, pixels), AREA, (2, 4));
        let expected = "\x1b[3;5H\x1bP0;1;0q\"1;1;4;4\
            #0;2;0;0;100#1;2;100;0;0#2;2;100;100;100\
            #0??NN$#1MN??$#2@???$-\x1b\\";
        assert_eq!(sent, expected);
    }

    #[test]
    fn more_colours_than_sixels_have_become_fewer() {
        let frame = Frame::from_pixels(32, 32, (0..1_024).map(|at| at * 16_411).collect());
        let (colours, pixels) = indexed(&frame, 32, 32);
        assert!(colours.len() <= COLOURS);
        for (index, rgb) in pixels.iter().zip(frame.pixels()) {
            assert_eq!(colours[usize::from(*index)], rgb & 0xE0_E0C0);
        }
    }
}
