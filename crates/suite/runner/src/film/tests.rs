use gif::{ColorOutput, DecodeOptions};

use super::*;

fn ms(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn panel(colour: u32) -> Frame {
    Frame::filled(320, 240, colour)
}

/// Draws a rectangle of another colour into `frame`.
fn with(mut frame: Frame, region: Region, colour: u32) -> Frame {
    let width = frame.width();
    for y in region.y..region.y + region.height {
        for x in region.x..region.x + region.width {
            frame.pixels_mut()[usize::from(y) * width + usize::from(x)] = colour;
        }
    }
    frame
}

/// Decodes the GIF `bytes` as a player does. Returns its pictures with sizes and durations in
/// ticks.
fn played(bytes: &[u8]) -> Vec<(Frame, (u16, u16), u16)> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (320, 240));
    assert_eq!(decoder.repeat(), Repeat::Infinite);
    let mut screen = panel(0x00FF_00FF);
    let mut pictures = Vec::new();
    while let Some(picture) = decoder.read_next_frame().unwrap() {
        for (nth, pixel) in picture.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (nth % usize::from(picture.width), nth / usize::from(picture.width));
            let place = (y + usize::from(picture.top)) * 320 + x + usize::from(picture.left);
            screen.pixels_mut()[place] = u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]]);
        }
        pictures.push((screen.clone(), (picture.width, picture.height), picture.delay));
    }
    pictures
}

/// Decodes the film of `frames` that ends at `end`.
fn filmed(frames: &[(Instant, Frame)], end: Instant) -> Vec<(Frame, (u16, u16), u16)> {
    let mut bytes = Vec::new();
    let mut film = Film::new(&mut bytes, ili9341_model::Region::PANEL).unwrap();
    for (at, frame) in frames {
        film.add(*at, frame.clone()).unwrap();
    }
    let pictures = film.finish(end).unwrap();
    let played = played(&bytes);
    assert_eq!(played.len() as u64, pictures);
    played
}

#[test]
fn a_player_shows_each_frame_for_as_long_as_the_lcd_did() {
    let first = panel(0x0010_2030);
    let region = Region { x: 30, y: 200, width: 50, height: 7 };
    let second = with(first.clone(), region, 0x00FF_8800);
    let played = filmed(&[(ms(300), first.clone()), (ms(1_250), second.clone())], ms(4_000));
    assert_eq!(
        played,
        [(panel(0), (320, 240), 30), (first, (320, 240), 95), (second, (50, 7), 275)]
    );
}

#[test]
fn a_frame_that_is_too_short_is_shown_with_the_next() {
    let corner = Region { x: 0, y: 0, width: 3, height: 3 };
    let other_corner = Region { x: 310, y: 230, width: 10, height: 10 };
    let first = with(panel(0), corner, 0x00FF_FFFF);
    let second = with(first.clone(), other_corner, 0x00FF_0000);
    let played = filmed(&[(ms(100), first), (ms(112), second.clone())], ms(200));
    assert_eq!(played, [(panel(0), (320, 240), 10), (second, (320, 240), 10)]);
}

#[test]
fn a_frame_may_last_for_hours() {
    let played = filmed(&[(ms(10), panel(1))], Instant::from_secs(3_600));
    assert_eq!(played.iter().map(|(.., ticks)| u64::from(*ticks)).sum::<u64>(), 360_000);
    assert!(played[1..].iter().all(|(frame, ..)| *frame == panel(1)));
    assert_eq!(played.last().map(|(_, size, _)| *size), Some((1, 1)));
}

#[test]
fn a_frame_with_the_same_pixels_is_no_new_picture() {
    let played = filmed(&[(ms(100), panel(7)), (ms(500), panel(7))], ms(1_000));
    assert_eq!(played, [(panel(0), (320, 240), 10), (panel(7), (320, 240), 90)]);
}

#[test]
fn noise_has_the_nearest_colours_of_the_palette() {
    let pixels: Vec<u32> =
        (0..320 * 240).map(|nth: u32| nth.wrapping_mul(0x9E37_79B9) >> 8).collect();
    let noise = Frame::from_pixels(320, 240, pixels);
    let played = filmed(&[(ms(100), noise.clone())], ms(200));
    let apart = |shift: u32, most: u32| {
        let channel = |pixel: &u32| pixel >> shift & 0xFF;
        let pairs = played[1].0.pixels().iter().zip(noise.pixels());
        assert!(
            pairs.clone().all(|(shown, noise)| channel(shown).abs_diff(channel(noise)) <= most)
        );
        assert!(pairs.clone().any(|(shown, noise)| channel(shown) > channel(noise)));
    };
    apart(16, 36);
    apart(8, 36);
    apart(0, 85);
}
