//! Tests of the visible picture: scrolling, partial mode, inversion, idle mode, colour order.

use super::{BLACK, BLUE, Host, RED, WHITE};
use crate::frame::Frame;

/// Returns a host in landscape, upright; each page (each x) has its own shade, and x 0 is red.
fn striped() -> Host {
    let mut host = Host::ready(0x28);
    let row: Vec<u16> = (0..320).map(shade).collect();
    host.pixels(&row.repeat(240));
    host
}

/// Returns a colour for each x; all differ.
fn shade(x: u16) -> u16 {
    if x == 0 { 0xF800 } else { x << 6 | x >> 5 }
}

/// Returns which x's colour is at each x of the top row; `None` = dark.
fn order(frame: &Frame) -> Vec<Option<u16>> {
    let colours: Vec<u32> = (0..320).map(|x| seen(shade(x))).collect();
    let at = |x| {
        let pixel = frame.pixel(x, 0).unwrap();
        colours.iter().position(|colour| *colour == pixel).map(|x| x as u16)
    };
    (0..320).map(at).collect()
}

fn seen(colour: u16) -> u32 {
    let kept = super::kept(colour);
    kept | kept >> 6 & 0x030303
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

#[test]
fn without_scrolling_every_page_is_in_its_place() {
    let order = order(&striped().look());
    assert!((0..320).all(|x| order[x] == Some(x as u16)));
}

#[test]
fn scrolling_moves_the_middle_and_leaves_the_fixed_areas() {
    let mut host = striped();
    host.send(0x33, &words(&[20, 270, 30]));
    host.send(0x37, &words(&[25]));
    let order = order(&host.look());
    for x in 0..320_u16 {
        let expected = match x {
            0..20 => x,
            20..290 => 20 + (x - 20 + 5) % 270,
            _ => x,
        };
        assert_eq!(order[usize::from(x)], Some(expected), "x {x}");
    }
    assert_eq!(host.rules(), []);
}

#[test]
fn normal_mode_ends_scrolling() {
    let mut host = striped();
    host.send(0x33, &words(&[0, 320, 0]));
    host.send(0x37, &words(&[100]));
    assert_eq!(order(&host.look())[0], Some(100));
    host.send(0x13, &[]);
    assert_eq!(order(&host.look())[0], Some(0));
}

#[test]
fn with_ml_lines_are_counted_from_the_bottom() {
    let mut host = striped();
    host.send(0x36, &[0x38]);
    host.send(0x33, &words(&[20, 300, 0]));
    host.send(0x37, &words(&[21]));
    let order = order(&host.look());
    assert_eq!(order[319], Some(319));
    assert_eq!(order[300], Some(300));
    assert_eq!(order[299], Some(298));
    assert_eq!(order[0], Some(299));
}

#[test]
fn partial_mode_shows_only_its_area() {
    let mut host = striped();
    host.send(0x30, &words(&[100, 199]));
    host.send(0x12, &[]);
    let order = order(&host.look());
    for (x, shown) in (0..).zip(order) {
        assert_eq!(shown, (100..200).contains(&x).then_some(x));
    }
    host.send(0x13, &[]);
    assert_ne!(host.look().pixel(0, 0), Some(BLACK));
}

#[test]
fn a_partial_area_that_ends_before_it_begins_wraps_around() {
    let mut host = striped();
    host.send(0x30, &words(&[200, 99]));
    host.send(0x12, &[]);
    let order = order(&host.look());
    for (x, shown) in (0..).zip(order) {
        assert_eq!(shown, (!(100..200).contains(&x)).then_some(x));
    }
}

#[test]
fn inversion_shows_the_negative_and_keeps_the_memory() {
    let mut host = Host::ready(0x28);
    host.pixels(&[0xF800]);
    host.send(0x21, &[]);
    assert_eq!(host.look().pixel(0, 0), Some(0x00FFFF));
    assert_eq!(host.look().pixel(1, 0), Some(WHITE));
    assert_eq!(host.lcd.memory_pixel(0, 0), Some(0xFC0000));
    host.send(0x20, &[]);
    assert_eq!(host.look().pixel(0, 0), Some(RED));
}

#[test]
fn idle_mode_has_eight_colours() {
    let mut host = Host::ready(0x28);
    host.pixels(&[0x8410, 0x7BEF, 0xFC1F]);
    host.send(0x39, &[]);
    let frame = host.look();
    assert_eq!(frame.pixel(0, 0), Some(WHITE));
    assert_eq!(frame.pixel(1, 0), Some(BLACK));
    assert_eq!(frame.pixel(2, 0), Some(WHITE));
    host.send(0x38, &[]);
    assert_eq!(host.look().pixel(1, 0), Some(seen(0x7BEF)));
}

#[test]
fn without_bgr_red_and_blue_are_swapped_at_once() {
    let mut host = Host::ready(0x28);
    host.pixels(&[0xF800]);
    assert_eq!(host.look().pixel(0, 0), Some(RED));
    host.send(0x36, &[0x20]);
    assert_eq!(host.look().pixel(0, 0), Some(BLUE));
}

#[test]
fn a_mirrored_write_is_seen_mirrored() {
    for (madctl, x, y) in [(0x28, 2, 1), (0xA8, 317, 1), (0x68, 2, 238), (0xE8, 317, 238)] {
        let mut host = Host::ready(madctl);
        host.window(2, 2, 1, 1);
        host.pixels(&[0xFFFF]);
        let frame = host.look();
        assert_eq!(frame.pixel(x, y), Some(WHITE), "MADCTL {madctl:02X}");
        assert_eq!(frame.pixels().iter().filter(|pixel| **pixel == WHITE).count(), 1);
    }
}

#[test]
fn the_scan_directions_mirror_the_picture() {
    for (scan, x, y) in [(0x82, 0, 0), (0xC2, 319, 0), (0xA2, 0, 239), (0xE2, 319, 239)] {
        let mut host = Host::ready(0x28);
        host.pixels(&[0xFFFF]);
        host.send(0xB6, &[0x0A, scan, 0x27]);
        assert_eq!(host.look().pixel(x, y), Some(WHITE), "DISCTRL {scan:02X}");
    }
    let mut host = Host::ready(0x28);
    host.send(0xB6, &[0x0A, 0x02, 0x27, 0x04]);
    assert_eq!(host.look().pixel(0, 0), Some(WHITE));
}

#[test]
fn sleep_display_off_and_backlight_make_it_dark() {
    let dark = |host: &mut Host| host.look().pixels().iter().all(|pixel| *pixel == BLACK);
    let mut host = Host::ready(0x28);
    host.pixels(&[0xFFFF]);
    assert!(!dark(&mut host));
    host.send(0x28, &[]);
    assert!(dark(&mut host));
    host.send(0x29, &[]);
    assert!(!dark(&mut host));
    host.lcd.set_backlight(host.now, false);
    assert!(dark(&mut host));
    host.lcd.set_backlight(host.now, true);
    assert!(!dark(&mut host));
    host.wait_ms(120);
    host.send(0x10, &[]);
    assert!(dark(&mut host));
    host.wait_ms(120);
    host.send(0x11, &[]);
    assert!(!dark(&mut host));
    assert_eq!(host.rules(), []);
}
