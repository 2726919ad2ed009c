//! Tests of frames: when they are complete, and what was visible before.

use super::{BLACK, BYTE, Host, WHITE, kept, pattern, physical};
use crate::FRAME_IDLE;
use virtual_time::{Instant, Nanos};

const ALMOST: Nanos = Nanos(FRAME_IDLE.0 - 1);

#[test]
fn a_frame_is_complete_five_milliseconds_after_its_last_pixel() {
    let mut host = Host::ready(0x28);
    let count = host.lcd.frame_count_at(host.now);
    host.pixels(&[0xFFFF]);
    let end = host.now;
    assert_eq!(host.lcd.last_change(), end);
    assert_eq!(host.lcd.frame_due(end), Some(end.saturating_add(FRAME_IDLE)));
    assert_eq!(host.lcd.frame_at(end.saturating_add(ALMOST)).pixel(0, 0), Some(BLACK));
    assert_eq!(host.lcd.frame_count_at(end.saturating_add(ALMOST)), count);
    assert_eq!(host.lcd.frame_at(end.saturating_add(FRAME_IDLE)).pixel(0, 0), Some(WHITE));
    assert_eq!(host.lcd.frame_count_at(end.saturating_add(FRAME_IDLE)), count + 1);
    assert_eq!(host.lcd.frame_due(end.saturating_add(FRAME_IDLE)), None);
}

#[test]
fn writes_less_than_five_milliseconds_apart_are_one_frame() {
    let mut host = Host::ready(0x28);
    let count = host.lcd.frame_count_at(host.now);
    for x in 0..10 {
        host.window(x, x, 0, 0);
        host.pixels(&[0xFFFF]);
        host.wait_ms(4);
        assert_eq!(host.lcd.frame_at(host.now).pixel(0, 0), Some(BLACK));
    }
    assert_eq!(host.look().pixel(9, 0), Some(WHITE));
    assert_eq!(host.lcd.frame_count_at(host.now), count + 1);
}

#[test]
fn writes_after_a_time_are_not_in_the_frame_at_that_time() {
    let mut host = Host::ready(0x28);
    host.pixels(&[0xFFFF, 0xFFFF]);
    let first_end = host.now;
    host.wait_ms(6);
    host.pixels(&[0x0000, 0xFFFF]);
    let second_end = host.now;
    // Times before the first frame was complete, between the two, and after the second.
    let seen = |at: Instant| {
        let frame = host.lcd.frame_at(at);
        [frame.pixel(0, 0), frame.pixel(1, 0)].map(|pixel| pixel == Some(WHITE))
    };
    assert_eq!(seen(first_end.saturating_add(ALMOST)), [false, false]);
    assert_eq!(seen(first_end.saturating_add(FRAME_IDLE)), [true, true]);
    assert_eq!(seen(second_end.saturating_add(ALMOST)), [true, true]);
    assert_eq!(seen(second_end.saturating_add(FRAME_IDLE)), [false, true]);
}

#[test]
fn drawing_on_a_dark_panel_does_not_change_earlier_frames() {
    let mut host = Host::ready(0x28);
    host.pixels(&[0xFFFF, 0xF800]);
    let seen = host.look();
    host.lcd.set_backlight(host.now, false);
    let dark = host.now;
    for colour in [0x0000, 0x07E0] {
        host.wait_ms(6);
        assert_eq!(host.lcd.frame_at(host.now).pixel(0, 0), Some(BLACK));
        host.window(0, 1, 0, 0);
        host.pixels(&[colour; 2]);
        if colour == 0x0000 {
            assert!(host.lcd.frame_at(dark.saturating_add(ALMOST)) == seen);
        }
    }
    let still_dark = host.look();
    host.lcd.set_backlight(host.now, true);
    assert!(host.lcd.frame_at(host.now) == still_dark);
    let drawn = host.look();
    assert_eq!(drawn.pixel(0, 0), drawn.pixel(1, 0));
    assert_ne!(drawn.pixel(0, 0), Some(BLACK));
    host.window(0, 1, 0, 0);
    host.pixels(&[0xFFFF; 2]);
    assert!(host.lcd.frame_at(host.now) == drawn);
}

#[test]
fn every_frame_of_a_long_run_is_exact_in_every_orientation() {
    for madctl in [0x08, 0x28, 0x48, 0xE8] {
        let mut host = Host::ready(madctl);
        let mut before = host.look();
        for step in 0..50_u16 {
            let (column, page) = (step * 37 % 230, step * 53 % 230);
            host.window(column, column + 9, page, page + 9);
            host.pixels(&[step.wrapping_mul(4099); 60]);
            if step % 3 == 0 {
                host.wait_ms(2);
                host.pixels(&[step.wrapping_mul(331); 10]);
            }
            let unfinished = host.lcd.frame_at(host.now);
            assert!(unfinished == before, "MADCTL {madctl:02X}, step {step}");
            before = host.look();
        }
    }
}

#[test]
fn windows_of_every_width_can_be_undone_in_every_orientation() {
    for madctl in [0x08, 0x28, 0x48, 0x68, 0x88, 0xA8, 0xC8, 0xE8] {
        for width in 1..=20_u16 {
            let mut host = Host::ready(madctl);
            host.window(28, 52, 48, 64);
            host.pixels(&(0..25 * 17).map(pattern).collect::<Vec<_>>());
            let before = host.look();
            // Rows of one colour and of several, some equal to the previous row.
            let colour = |column: u16, row: u16| {
                pattern(usize::from(row / 2 * 100 + if row % 4 < 2 { 0 } else { column }))
            };
            let rows = 0..12_u16;
            let place = rows.flat_map(|row| (0..width).map(move |column| (column, row)));
            let colours: Vec<u16> =
                place.clone().map(|(column, row)| colour(column, row)).collect();
            host.window(30, 29 + width, 50, 61);
            host.pixels(&colours);
            assert!(host.lcd.frame_at(host.now) == before, "MADCTL {madctl:02X}, width {width}");
            for (column, row) in place {
                let (x, y) =
                    physical(madctl, usize::from(30 + column), usize::from(50 + row)).unwrap();
                let expected = Some(kept(colour(column, row)));
                let found = host.lcd.memory_pixel(x, y);
                assert_eq!(found, expected, "MADCTL {madctl:02X}, {column},{row} of {width}");
            }
        }
    }
}

/// The end of a row and the whole rows after it are adjacent in the memory.
#[test]
fn a_full_width_window_in_pieces_is_undone_completely() {
    for pieces in [[100, 1_180], [640, 640], [321, 959], [1, 1_279], [319, 961]] {
        let mut host = Host::ready(0x28);
        host.window(0, 319, 0, 239);
        host.pixels(&[0x07E0; 320 * 240]);
        let before = host.look();
        host.window(0, 319, 7, 10);
        host.command(0x2C);
        for pixels in pieces {
            host.bytes(&[0xFF; 2 * 1_280][..2 * pixels]);
        }
        assert!(host.lcd.frame_at(host.now) == before, "{pieces:?}");
        assert!(host.look() != before);
    }
}

#[test]
fn an_earlier_frame_has_its_own_display_settings() {
    let mut host = Host::ready(0x28);
    host.pixels(&[0xFFFF]);
    let lit = host.look();
    host.send(0x21, &[]);
    host.pixels(&[0x0000]);
    assert!(host.lcd.frame_at(host.now) == lit);
    assert!(host.look().pixels().iter().all(|pixel| *pixel == WHITE));
}

#[test]
fn a_command_that_changes_nothing_visible_begins_no_frame() {
    let mut host = Host::ready(0x28);
    host.wait_ms(10);
    let last = host.lcd.last_change();
    host.window(0, 3, 0, 3);
    host.send(0x29, &[]);
    host.send(0x20, &[]);
    host.send(0x51, &[0x33]);
    host.send(0xC0, &[0x23]);
    host.read(0x2E, 10);
    assert_eq!(host.lcd.last_change(), last);
    assert_eq!(host.lcd.frame_due(host.now), None);
}

#[test]
fn a_commands_change_is_visible_at_the_end_of_its_last_byte() {
    let mut host = Host::ready(0x28);
    host.send(0x36, &[0x68]);
    assert_ne!(host.lcd.last_change(), host.now, "it mirrors what is written, not what is seen");
    for (code, arguments) in [(0x36, &[0x20][..]), (0x21, &[]), (0x37, &[0, 7])] {
        host.wait_ms(10);
        host.send(code, arguments);
        assert_eq!(host.lcd.last_change(), host.now, "{code:02X}");
    }
}

#[test]
fn without_power_it_is_dark_at_once() {
    let mut host = Host::ready(0x28);
    host.pixels(&[0xFFFF]);
    host.look();
    let count = host.lcd.frame_count_at(host.now);
    host.lcd.set_power(host.now, false);
    assert!(host.lcd.frame_at(host.now).pixels().iter().all(|pixel| *pixel == BLACK));
    assert_eq!(host.lcd.frame_count_at(host.now), count + 1);
    assert_eq!(host.lcd.frame_due(host.now), None);
    assert_eq!(host.lcd.last_change(), host.now);
}

#[test]
fn a_complete_frame_stays_complete() {
    // A board may be observed between the first clock of a byte and its last, before the byte has
    // arrived.
    for (format, size) in [(0x55, 2), (0x66, 3)] {
        for before_idle in 0..=4 * BYTE.0 {
            let mut host = Host::ready(0x28);
            host.send(0x3A, &[format]);
            host.command(0x2C);
            host.bytes(&vec![0xFF; size]);
            host.wait(Nanos(FRAME_IDLE.0 - before_idle));
            for _ in 0..size {
                let looks: Vec<_> = (0..BYTE.0)
                    .map(|ns| host.now.saturating_add(Nanos(ns)))
                    .map(|at| (at, host.lcd.frame_count_at(at)))
                    .collect();
                host.bytes(&[0x00]);
                for (at, count) in looks {
                    assert_eq!(
                        host.lcd.frame_count_at(at),
                        count,
                        "{before_idle} ns before, at {at}"
                    );
                }
            }
        }
    }
}

#[test]
fn frames_are_the_same_however_the_pixels_are_split() {
    for before_idle in (0..=4 * BYTE.0).step_by(16) {
        let spans = [1, 2, 3, 6].map(|piece| {
            let mut host = Host::ready(0x28);
            host.send(0x3A, &[0x66]);
            host.command(0x2C);
            host.bytes(&[0xFF; 6]);
            host.wait(Nanos(FRAME_IDLE.0 - before_idle));
            for bytes in [0x00; 6].chunks(piece) {
                host.bytes(bytes);
            }
            host.lcd.frame_span_at(host.now.saturating_add(FRAME_IDLE))
        });
        assert!(spans.iter().all(|span| *span == spans[0]), "{before_idle} ns before: {spans:?}");
    }
}

/// An incomplete pixel changes nothing yet.
#[test]
fn the_span_of_a_frame_is_from_its_first_whole_pixel_to_its_last() {
    for (format, size) in [(0x55, 2), (0x66, 3)] {
        for more in 0..size {
            let mut host = Host::ready(0x28);
            assert_eq!(host.lcd.frame_span_at(Instant::START), None);
            host.send(0x3A, &[format]);
            host.command(0x2C);
            // One byte of the first pixel comes by itself.
            host.bytes(&[0xFF]);
            let start = host.now;
            host.bytes(&vec![0xFF; 3 * size - 1 + more]);
            let span = host.lcd.frame_span_at(host.now.saturating_add(FRAME_IDLE));
            let byte = |nth: usize| start.saturating_add(Nanos(nth as u64 * BYTE.0));
            assert_eq!(span, Some((byte(size - 1), byte(3 * size - 1))), "{more} more");
        }
    }
}
