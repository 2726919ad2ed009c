//! Tests that bytes become pixels in the right places, however they are split.

use proptest::prelude::*;

use super::{Host, kept, pattern, physical};
use crate::BusStats;
use virtual_time::Nanos;

const ORIENTATIONS: [u8; 8] = [0x00, 0x20, 0x40, 0x60, 0x80, 0xA0, 0xC0, 0xE0];

/// Writes `count` pixels into a window and compares the whole memory with a simple model that
/// writes them one by one.
#[track_caller]
fn check(madctl: u8, (sc, ec): (u16, u16), (sp, ep): (u16, u16), count: usize, pieces: &[usize]) {
    let mut host = Host::ready(madctl);
    let colours: Vec<u16> = (0..count).map(pattern).collect();
    let bytes: Vec<u8> = colours.iter().flat_map(|colour| colour.to_be_bytes()).collect();
    host.window(sc, ec, sp, ep);
    host.command(0x2C);
    let mut rest = &bytes[..];
    for piece in pieces.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (now, later) = rest.split_at((*piece).min(rest.len()));
        host.bytes(now);
        rest = later;
    }
    let mut expected = vec![[0; 320]; 240];
    let (mut column, mut page) = (sc, sp);
    for colour in colours {
        if let Some((x, y)) = physical(madctl, usize::from(column), usize::from(page)) {
            expected[x][y] = kept(colour);
        }
        column += 1;
        if column > ec {
            column = sc;
            page += 1;
            if page > ep {
                page = sp;
            }
        }
    }
    for (x, line) in expected.iter().enumerate() {
        for (y, colour) in line.iter().enumerate() {
            assert_eq!(host.lcd.memory_pixel(x, y), Some(*colour), "column {x}, page {y}");
        }
    }
}

#[test]
fn the_whole_panel_is_written_in_every_orientation() {
    for madctl in ORIENTATIONS {
        let (width, height) = if madctl & 0x20 == 0 { (240, 320) } else { (320, 240) };
        check(madctl, (0, width - 1), (0, height - 1), 76_800, &[4096]);
    }
}

#[test]
fn a_window_is_written_in_every_orientation() {
    for madctl in ORIENTATIONS {
        check(madctl, (5, 44), (100, 130), 40 * 31, &[64]);
    }
}

#[test]
fn pixels_beyond_the_window_continue_at_its_start() {
    for madctl in ORIENTATIONS {
        check(madctl, (10, 12), (20, 21), 17, &[2]);
    }
}

#[test]
fn pixels_outside_the_panel_are_dropped() {
    for madctl in ORIENTATIONS {
        check(madctl, (230, 330), (235, 325), 101 * 91, &[100]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_window_split_anywhere_is_written_like_pixel_by_pixel(
        orientation in 0..8_usize,
        sc in 0..330_u16, wide in 0..40_u16,
        sp in 0..330_u16, high in 0..40_u16,
        count in 0..2000_usize,
        pieces in prop::collection::vec(1..50_usize, 1..8),
    ) {
        check(ORIENTATIONS[orientation], (sc, sc + wide), (sp, sp + high), count, &pieces);
    }
}

#[test]
fn an_odd_byte_is_completed_by_the_next_transfer() {
    let mut host = Host::ready(0x00);
    host.command(0x2C);
    host.bytes(&[0xF8]);
    assert_eq!(host.lcd.memory_pixel(0, 0), Some(0));
    host.bytes(&[]);
    host.bytes(&[0x00, 0x00, 0x1F]);
    assert_eq!(host.lcd.memory_pixel(0, 0), Some(0xFC0000));
    assert_eq!(host.lcd.memory_pixel(1, 0), Some(0x0000FC));
    host.command(0x00);
    assert_eq!(host.rules(), []);
}

#[test]
fn arguments_may_come_in_any_number_of_transfers() {
    let mut host = Host::ready(0x00);
    host.command(0x2A);
    for byte in [0, 7, 0, 9] {
        host.bytes(&[]);
        host.bytes(&[byte]);
        host.wait_ms(1);
    }
    host.send(0x2C, &[0xFF, 0xFF]);
    assert_eq!(host.lcd.memory_pixel(7, 0), Some(0xFCFCFC));
    assert_eq!(host.rules(), []);
}

#[test]
fn eighteen_bit_pixels_take_three_bytes() {
    let mut host = Host::ready(0x00);
    host.send(0x3A, &[0x66]);
    host.command(0x2C);
    host.bytes(&[0xFF, 0x80]);
    host.bytes(&[0x07, 0x04]);
    host.bytes(&[0x08, 0x0C]);
    assert_eq!(host.lcd.memory_pixel(0, 0), Some(0xFC8004));
    assert_eq!(host.lcd.memory_pixel(1, 0), Some(0x04080C));
    host.command(0x00);
    assert_eq!(host.rules(), []);
}

#[test]
fn write_memory_continue_continues_the_last_write() {
    let mut host = Host::ready(0x20);
    host.window(10, 12, 0, 5);
    host.pixels(&[0xFFFF, 0xFFFF]);
    host.send(0x51, &[0x80]);
    host.send(0x3C, &[0xF8, 0x00, 0x00, 0x1F]);
    assert_eq!(host.lcd.memory_pixel(0, 12), Some(0xFC0000));
    assert_eq!(host.lcd.memory_pixel(1, 10), Some(0x0000FC));
}

#[test]
fn without_wemode_pixels_beyond_the_window_are_ignored() {
    let mut host = Host::ready(0x00);
    host.send(0xF6, &[0x00]);
    host.window(0, 1, 0, 0);
    host.pixels(&[0xFFFF, 0xFFFF, 0xF800, 0xF800]);
    assert_eq!(host.lcd.memory_pixel(0, 0), Some(0xFCFCFC));
    assert_eq!(host.lcd.memory_pixel(1, 0), Some(0xFCFCFC));
}

#[test]
fn epf_chooses_how_five_bits_become_six() {
    for (epf, kept) in [(0x00, 0xFCFC84), (0x10, 0xF8FC80), (0x20, 0xFCFC84)] {
        let mut host = Host::ready(0x00);
        host.send(0xF6, &[0x01, epf]);
        host.pixels(&[0xFFF0, 0x0000]);
        assert_eq!(host.lcd.memory_pixel(0, 0), Some(kept), "EPF {epf:02X}");
        let black = if epf == 0x20 { 0x040004 } else { 0x000000 };
        assert_eq!(host.lcd.memory_pixel(1, 0), Some(black), "EPF {epf:02X}");
    }
}

#[test]
fn a_software_reset_keeps_memory_and_orientation() {
    let mut host = Host::ready(0x28);
    host.window(3, 9, 3, 9);
    host.pixels(&[0xFFFF]);
    host.send(0x01, &[]);
    host.wait_ms(5);
    assert!(host.lcd.is_asleep() && !host.lcd.is_display_on());
    assert_eq!(host.lcd.memory_access_control(), 0x28);
    assert_eq!(host.lcd.memory_pixel(3, 3), Some(0xFCFCFC));
    // The window is the whole panel again, landscape because MV is retained.
    host.pixels(&[0xF800; 320]);
    assert_eq!(host.lcd.memory_pixel(0, 319), Some(0xFC0000));
    assert_eq!(host.rules(), []);
}

#[test]
fn a_hardware_reset_keeps_the_memory_only() {
    let mut host = Host::ready(0x28);
    host.pixels(&[0xFFFF]);
    host.lcd.set_reset(host.now, false);
    host.wait(Nanos::from_micros(10));
    host.lcd.set_reset(host.now, true);
    assert!(host.lcd.is_asleep() && !host.lcd.is_display_on());
    assert_eq!(host.lcd.memory_access_control(), 0x00);
    assert_eq!(host.lcd.memory_pixel(0, 0), Some(0xFCFCFC));
    assert_eq!(host.rules(), []);
}

#[test]
fn a_spike_on_reset_changes_nothing() {
    let mut host = Host::ready(0x28);
    host.lcd.set_reset(host.now, false);
    host.wait(Nanos(4_999));
    host.lcd.set_reset(host.now, true);
    assert!(!host.lcd.is_asleep() && host.lcd.is_display_on());
    assert_eq!(host.lcd.memory_access_control(), 0x28);
    // From 5 µs on it is a reset (15.4).
    host.lcd.set_reset(host.now, false);
    host.wait(Nanos(5_000));
    host.lcd.set_reset(host.now, true);
    assert!(host.lcd.is_asleep());
}

#[test]
fn bytes_on_the_bus_are_counted_from_power_on() {
    let mut host = Host::powered();
    host.wait_ms(120);
    host.send(0x11, &[]);
    host.send(0x36, &[0x28]);
    host.pixels(&[0xFFFF; 3]);
    host.pixels(&[0xFFFF; 2]);
    host.read(0x09, 5);
    let counted = BusStats { bytes: 1 + 2 + 7 + 5 + 6, pixel_bytes: 10, windows: 2 };
    assert_eq!(host.lcd.bus(), counted);
    host.lcd.set_power(host.now, false);
    host.lcd.set_power(host.now, true);
    assert_eq!(host.lcd.bus(), BusStats::default());
}

#[test]
fn power_on_leaves_seeded_noise_that_differs_each_time() {
    let noise = |lcd: &crate::Ili9341| -> Vec<_> {
        (0..240).map(|column| lcd.memory_pixel(column, 17)).collect()
    };
    let (mut one, two) = (Host::powered(), Host::powered());
    let first = noise(&one.lcd);
    assert_eq!(first, noise(&two.lcd));
    one.lcd.set_power(one.now, false);
    one.lcd.set_power(one.now, true);
    let second = noise(&one.lcd);
    assert_ne!(first, second);
    // Written pixels are lost too.
    let (mut written, mut other) = (Host::ready(0), Host::powered());
    for host in [&mut written, &mut other] {
        host.lcd.set_power(host.now, false);
        host.lcd.set_power(host.now, true);
        assert_eq!(noise(&host.lcd), second);
    }
}

#[test]
fn unwritten_cells_read_and_show_the_same_noise() {
    let mut host = Host::powered();
    host.wait_ms(120);
    host.send(0x11, &[]);
    host.wait_ms(120);
    host.send(0x3A, &[0x55]);
    host.window(10, 40, 20, 60);
    host.pixels(&[0xFFFF; 31 * 41 - 7]);
    let cells = |lcd: &crate::Ili9341| -> Vec<u32> {
        let places = (0..240).flat_map(|column| (0..320).map(move |page| (column, page)));
        places.filter_map(|(column, page)| lcd.memory_pixel(column, page)).collect()
    };
    let mut dark = cells(&host.lcd);
    assert_eq!(dark.iter().filter(|cell| **cell == 0x00FC_FCFC).count(), 31 * 41 - 7);
    host.window(9, 9, 20, 21);
    let read = host.read(0x2E, 7)[1..].chunks(3).map(|pixel| pixel.to_vec()).collect::<Vec<_>>();
    let column = &dark[9 * 320..];
    assert_eq!(read, [20, 21].map(|page| column[page].to_be_bytes()[1..].to_vec()));
    // The noise is visible now, with red and blue in order.
    host.send(0x36, &[0x08]);
    host.send(0x29, &[]);
    assert_eq!(cells(&host.lcd), dark);
    let mut seen: Vec<u32> = host.look().pixels().iter().map(|pixel| pixel & 0x00FC_FCFC).collect();
    seen.sort_unstable();
    dark.sort_unstable();
    assert!(seen == dark);
}

#[test]
fn commands_have_the_datasheets_names() {
    use crate::command_name;
    assert_eq!(command_name(0x2C), Some(("RAMWR", "8.2.22")));
    assert_eq!(command_name(0xF6), Some(("IFCTL", "8.3.28")));
    assert_eq!(command_name(0xAB), None);
}
