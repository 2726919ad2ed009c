//! Tests of the line-by-line scan while the host writes.

use super::{BLACK, Host, WHITE};
use crate::{Ili9341, ScanOut};
use virtual_time::{Instant, Nanos};

/// Duration of a line in nanoseconds with the defaults of FRMCTR1 (8.3.2): 27 clocks of 615 kHz.
const LINE: u64 = 43_902;
/// Number of lines and porch lines with the defaults of PRCTR.
const LINES: u64 = 324;
const FILL: usize = 320 * 240 * 2;

/// Returns an upright black panel, whose scan begins a nanosecond after the returned time.
fn black() -> (ScanOut, Instant) {
    let Host { lcd, now } = Host::ready(0x28);
    (ScanOut::new(lcd, after(now, 1)), now)
}

/// Returns the duration of `count` lines of a scan that begins like that.
fn lines(count: u64) -> u64 {
    (count - 1) * LINE + 1
}

fn after(at: Instant, nanos: u64) -> Instant {
    at.saturating_add(Nanos(nanos))
}

/// Writes the whole panel in white from `start` on, one byte every `byte` nanoseconds.
fn fill_white(glass: &mut ScanOut, start: Instant, byte: u64) -> Instant {
    let send = |glass: &mut ScanOut, at: Instant, dc: bool, bytes: &[u8]| {
        glass.set_dc(at, dc);
        let end = after(at, byte * bytes.len() as u64);
        glass.write(at, end, bytes);
        end
    };
    let at = send(glass, start, false, &[0x2C]);
    send(glass, at, true, &[0xFF; FILL])
}

/// Returns a letter per column: all white, all black, or both.
fn columns(glass: &ScanOut) -> String {
    let frame = glass.frame();
    let kind = |x| {
        let mut pixels = (0..240).map(|y| frame.pixel(x, y).unwrap());
        match (pixels.clone().all(|rgb| rgb == WHITE), pixels.all(|rgb| rgb == BLACK)) {
            (true, _) => 'W',
            (_, true) => 'b',
            _ => '/',
        }
    };
    (0..320).map(kind).collect()
}

#[test]
fn a_picture_sent_at_once_appears_from_left_to_right() {
    let (mut glass, start) = black();
    let end = fill_white(&mut glass, start, 0);
    assert_eq!(end, start);
    for count in [10, 100, 319] {
        glass.reach(after(start, lines(count)));
        let expected = "W".repeat(count as usize) + &"b".repeat(320 - count as usize);
        assert_eq!(columns(&glass), expected, "after {count} lines");
    }
    glass.reach(after(start, lines(320)));
    assert_eq!(columns(&glass), "W".repeat(320));
}

#[test]
fn a_slowly_sent_picture_is_torn_where_the_scan_overtakes_it() {
    let (mut glass, start) = black();
    // At 31.25 MHz the whole panel takes 39 ms, in which it is scanned nearly three times.
    let end = fill_white(&mut glass, start, 256);
    let torn = columns(&glass);
    assert!(torn.contains('/'), "{torn}");
    // The current scan has shown its part; the rest is one scan older.
    let frame = glass.frame();
    let line = (end.saturating_since(start).0 / LINE % LINES) as usize;
    assert_eq!(line, 247, "where the scan is when the last byte comes");
    let white_rows = |x: usize| (0..240).filter(|y| frame.pixel(x, *y) == Some(WHITE)).count();
    // Column 100 was scanned 147 lines ago, after 32.9 of the 39.3 ms; column 300 in the previous
    // scan, 271 lines ago.
    assert_eq!((white_rows(100), white_rows(300)), (201, 167));
    // After one more whole scan the picture is complete.
    glass.reach(after(end, LINES * LINE));
    assert_eq!(columns(&glass), "W".repeat(320));
}

#[test]
fn gs_and_ml_reverse_the_scan() {
    for (setup, from_left) in [
        ((0x36, &[0x28][..]), true),
        ((0x36, &[0x38]), false),
        ((0xB6, &[0x0A, 0xC2, 0x27]), false),
    ] {
        let mut host = Host::ready(0x28);
        host.send(setup.0, setup.1);
        let mut glass = ScanOut::new(host.lcd, after(host.now, 1));
        fill_white(&mut glass, host.now, 0);
        glass.reach(after(host.now, lines(100)));
        let columns = columns(&glass);
        let expected = if from_left {
            "W".repeat(100) + &"b".repeat(220)
        } else {
            "b".repeat(220) + &"W".repeat(100)
        };
        assert_eq!(columns, expected, "{setup:X?}");
    }
}

#[test]
fn frmctr1_sets_the_scan_rate() {
    let mut host = Host::ready(0x28);
    host.send(0xB1, &[0x01, 0x10]);
    let mut glass = ScanOut::new(host.lcd, after(host.now, 1));
    fill_white(&mut glass, host.now, 0);
    // 16 clocks, divided by 2: 52 µs a line.
    glass.reach(after(host.now, 99 * 52_033 + 1));
    assert_eq!(columns(&glass), "W".repeat(100) + &"b".repeat(220));
}

#[test]
fn darkness_is_immediate_and_a_returning_picture_is_scanned() {
    let (mut glass, start) = black();
    fill_white(&mut glass, start, 0);
    let lit = after(start, 2 * LINES * LINE);
    glass.reach(lit);
    glass.set_backlight(lit, false);
    assert_eq!(columns(&glass), "b".repeat(320));
    let on = after(lit, 3 * LINES * LINE);
    glass.set_backlight(on, true);
    glass.reach(after(on, LINES * LINE));
    assert_eq!(columns(&glass), "W".repeat(320));
}

#[test]
fn at_rest_it_equals_the_controller_and_counts_no_changes() {
    let (mut glass, start) = black();
    let end = fill_white(&mut glass, start, 256);
    let rested = after(end, 2 * LINES * LINE);
    glass.reach(rested);
    let changes = glass.changes();
    glass.reach(after(rested, 3_600_000_000_000));
    assert_eq!(glass.changes(), changes);
    // The position of the scan after an hour follows from the time alone.
    let hour = after(rested, 3_600_000_000_000);
    let mut other = {
        let mut host = Host::ready(0x28);
        host.pixels(&[0xFFFF; 320 * 240]);
        ScanOut::new(host.lcd, after(start, 1))
    };
    other.reach(hour);
    for glass in [&mut glass, &mut other] {
        glass.set_dc(hour, false);
        glass.write(hour, hour, &[0x28]);
        glass.write(hour, hour, &[0x29]);
        glass.reach(after(hour, 50 * LINE));
    }
    assert_eq!(glass.frame(), other.frame());
}

#[test]
fn bytes_without_power_change_nothing() {
    let mut glass = ScanOut::new(Ili9341::new(1), Instant::START);
    fill_white(&mut glass, Instant::START, 256);
    assert_eq!(columns(&glass), "b".repeat(320));
}
