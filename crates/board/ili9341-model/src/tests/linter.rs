//! Tests each rule: violated once, and barely obeyed once.

use super::{BYTE, Host, Rule};
use crate::VIOLATIONS_MAX;
use virtual_time::{Instant, Nanos};

const NANOSECOND: Nanos = Nanos(1);

#[track_caller]
fn check(host: &Host, expected: &[Rule]) {
    let shown: Vec<String> = host.lcd.violations().iter().map(ToString::to_string).collect();
    assert_eq!(host.rules(), expected, "{shown:#?}");
}

/// Waits until `span` is over, or until just before.
fn wait_or_not(host: &mut Host, span: Nanos, wait: bool) {
    host.wait(if wait { span } else { span.saturating_sub(NANOSECOND) });
}

/// Checks that `provoke` violates only `rule` if it does not wait, and no rule if it does.
#[track_caller]
fn check_wait(rule: Rule, provoke: impl Fn(&mut Host, bool), host: fn() -> Host) {
    let mut patient = host();
    provoke(&mut patient, true);
    check(&patient, &[]);
    let mut hasty = host();
    provoke(&mut hasty, false);
    check(&hasty, &[rule]);
}

fn ready() -> Host {
    Host::ready(0x28)
}

fn reset(host: &mut Host, low: Nanos) {
    host.lcd.set_reset(host.now, false);
    host.wait(low);
    host.lcd.set_reset(host.now, true);
}

const FIVE_MS: Nanos = Nanos::from_millis(5);
const LONG: Nanos = Nanos::from_millis(120);
const TEN_US: Nanos = Nanos::from_micros(10);

#[test]
fn a_command_waits_five_milliseconds_after_reset_and_power_on() {
    let after_reset = |host: &mut Host, wait| {
        reset(host, TEN_US);
        wait_or_not(host, FIVE_MS, wait);
        host.send(0x36, &[0x28]);
    };
    check_wait(Rule::ResetDelay, after_reset, ready);
    let after_power_on = |host: &mut Host, wait| {
        wait_or_not(host, FIVE_MS, wait);
        host.send(0x36, &[0x28]);
    };
    check_wait(Rule::ResetDelay, after_power_on, Host::powered);
}

#[test]
fn sleep_out_waits_longer_after_a_reset_given_in_sleep_out() {
    let awake = |host: &mut Host, wait| {
        reset(host, TEN_US);
        wait_or_not(host, LONG, wait);
        host.send(0x11, &[]);
    };
    check_wait(Rule::ResetSleepOutDelay, awake, ready);
    let mut asleep = Host::powered();
    asleep.wait_ms(5);
    reset(&mut asleep, TEN_US);
    asleep.wait_ms(5);
    asleep.send(0x11, &[]);
    check(&asleep, &[]);
}

#[test]
fn a_reset_pulse_lasts_ten_microseconds() {
    let pulse = |host: &mut Host, wait: bool| {
        let low = if wait { TEN_US } else { TEN_US.saturating_sub(NANOSECOND) };
        reset(host, low);
    };
    check_wait(Rule::ResetPulse, pulse, ready);
}

#[test]
fn a_command_waits_five_milliseconds_after_a_software_reset() {
    let hasty = |host: &mut Host, wait| {
        host.send(0x01, &[]);
        wait_or_not(host, FIVE_MS, wait);
        host.send(0x36, &[0x28]);
    };
    check_wait(Rule::SoftwareResetDelay, hasty, ready);
}

#[test]
fn sleep_out_waits_longer_after_swreset_in_sleep_out() {
    let hasty = |host: &mut Host, wait| {
        host.send(0x01, &[]);
        wait_or_not(host, LONG, wait);
        host.send(0x11, &[]);
    };
    check_wait(Rule::SoftwareResetSleepOutDelay, hasty, ready);
}

#[test]
fn a_command_waits_five_milliseconds_after_sleep_in_and_sleep_out() {
    let after_sleep_in = |host: &mut Host, wait| {
        host.wait(LONG);
        host.send(0x10, &[]);
        wait_or_not(host, FIVE_MS, wait);
        host.send(0x36, &[0x28]);
    };
    check_wait(Rule::SleepInDelay, after_sleep_in, ready);
    let after_sleep_out = |host: &mut Host, wait| {
        host.wait(LONG);
        host.send(0x11, &[]);
        wait_or_not(host, FIVE_MS, wait);
        host.send(0x36, &[0x28]);
    };
    check_wait(Rule::SleepOutDelay, after_sleep_out, Host::powered);
}

#[test]
fn a_wait_begins_with_the_end_of_its_own_byte_among_others() {
    let second_of_two = |host: &mut Host, wait| {
        host.lcd.set_dc(host.now, false);
        host.bytes(&[0x00, 0x01]);
        wait_or_not(host, FIVE_MS, wait);
        host.send(0x36, &[0x28]);
    };
    check_wait(Rule::SoftwareResetDelay, second_of_two, ready);
}

#[test]
fn sleep_in_and_sleep_out_keep_120_milliseconds_apart() {
    let out_after_in = |host: &mut Host, wait| {
        host.wait(LONG);
        host.send(0x10, &[]);
        wait_or_not(host, LONG, wait);
        host.send(0x11, &[]);
    };
    check_wait(Rule::SleepOutAfterSleepIn, out_after_in, ready);
    let in_after_out = |host: &mut Host, wait| {
        host.wait(LONG);
        host.send(0x11, &[]);
        wait_or_not(host, LONG, wait);
        host.send(0x10, &[]);
    };
    check_wait(Rule::SleepInAfterSleepOut, in_after_out, Host::powered);
}

#[test]
fn sleep_out_while_awake_starts_no_long_wait() {
    let mut host = ready();
    host.wait(LONG);
    host.send(0x11, &[]);
    host.wait_ms(5);
    host.send(0x10, &[]);
    check(&host, &[]);
}

#[test]
fn display_on_needs_sleep_out() {
    let mut host = Host::powered();
    host.wait_ms(5);
    host.send(0x29, &[]);
    check(&host, &[Rule::DisplayOnAsleep]);
    assert_eq!(host.lcd.violations()[0].bytes, [0x29]);
}

#[test]
fn a_window_is_inside_the_panel_under_the_current_mv() {
    let mut host = Host::ready(0x00);
    host.window(0, 239, 0, 319);
    check(&host, &[]);
    host.window(0, 240, 0, 320);
    check(&host, &[Rule::ColumnOutside, Rule::PageOutside]);
    assert_eq!(host.lcd.violations()[0].bytes, [0x2A, 0, 0, 0, 240]);

    let mut host = Host::ready(0x20);
    host.window(0, 319, 0, 239);
    check(&host, &[]);
    host.window(0, 320, 0, 240);
    check(&host, &[Rule::ColumnOutside, Rule::PageOutside]);
}

#[test]
fn a_window_that_mv_moves_outside_is_reported_when_used() {
    let mut host = Host::ready(0x00);
    host.send(0x36, &[0x20]);
    check(&host, &[]);
    host.pixels(&[0]);
    check(&host, &[Rule::PageOutside]);
    host.pixels(&[0]);
    check(&host, &[Rule::PageOutside]);
    host.window(0, 319, 0, 239);
    host.pixels(&[0]);
    check(&host, &[Rule::PageOutside]);
}

#[test]
fn a_used_window_ends_with_the_last_page_under_the_current_mv() {
    for (last, expected) in [(239, &[][..]), (240, &[Rule::PageOutside])] {
        let mut host = Host::ready(0x00);
        host.window(0, 239, 0, last);
        host.send(0x36, &[0x20]);
        host.pixels(&[0]);
        check(&host, expected);
    }
    for (last, expected) in [(239, &[][..]), (240, &[Rule::ColumnOutside])] {
        let mut host = Host::ready(0x20);
        host.window(0, last, 0, 239);
        host.send(0x36, &[0x00]);
        host.pixels(&[0]);
        check(&host, expected);
    }
}

#[test]
fn columns_and_pages_of_a_window_are_checked_separately() {
    // MV has moved pages 0 to 319 out of the panel; CASET does not affect them.
    for (code, last, expected) in [(0x2A, 319, &[Rule::PageOutside][..]), (0x2B, 239, &[])] {
        let mut host = Host::ready(0x00);
        host.send(0x36, &[0x20]);
        host.send(code, &[[0, 0], u16::to_be_bytes(last)].concat());
        host.pixels(&[0]);
        check(&host, expected);
    }
}

#[test]
fn a_window_begins_before_it_ends() {
    let mut host = Host::ready(0x00);
    host.window(5, 5, 6, 6);
    check(&host, &[]);
    host.window(6, 5, 7, 6);
    check(&host, &[Rule::ColumnsReversed, Rule::PagesReversed]);
    host.pixels(&[0xFFFF]);
    assert_eq!(host.lcd.memory_pixel(5, 6), Some(0xFCFCFC), "the last good window counts");
}

#[test]
fn a_command_in_the_middle_of_a_pixel_cuts_it() {
    let mut host = Host::ready(0x00);
    host.send(0x2C, &[0xF8]);
    host.wait_ms(50);
    check(&host, &[]);
    host.send(0x2C, &[0x00, 0x1F]);
    check(&host, &[Rule::CutPixel]);
    assert_eq!(host.lcd.violations()[0].bytes, [0xF8, 0x2C]);
    assert_eq!(host.lcd.memory_pixel(0, 0), Some(0x0000FC));
}

#[test]
fn dc_does_not_move_while_a_byte_is_on_the_wire() {
    let mut host = Host::ready(0x00);
    host.command(0x2C);
    let (start, end) = (host.now, host.now.saturating_add(Nanos(512)));
    host.lcd.write(start, end, &[0, 0]);
    host.lcd.set_dc(end, false);
    check(&host, &[]);
    host.lcd.set_dc(end, true);
    host.lcd.write(end, end.saturating_add(Nanos(512)), &[0, 0]);
    host.lcd.set_dc(end.saturating_add(Nanos(511)), false);
    check(&host, &[Rule::DcInsideByte]);
    // The result is the same if the byte is reported after the line moved.
    let mut host = Host::ready(0x00);
    host.lcd.set_dc(host.now.saturating_add(Nanos(100)), false);
    host.lcd.write(host.now, host.now.saturating_add(Nanos(256)), &[0x00]);
    check(&host, &[Rule::DcInsideByte]);
}

#[test]
fn unknown_commands_are_named_and_their_data_ignored() {
    let mut host = Host::ready(0x00);
    host.send(0xAB, &[1, 2, 3]);
    host.send(0x00, &[]);
    check(&host, &[Rule::UnknownCommand]);
    assert_eq!(host.lcd.violations()[0].bytes, [0xAB]);
}

#[test]
fn arguments_are_counted() {
    let mut host = Host::ready(0x00);
    host.send(0x2A, &[0, 1, 0]);
    check(&host, &[]);
    host.send(0x00, &[]);
    check(&host, &[Rule::TooFewArguments]);
    assert_eq!(host.lcd.violations()[0].bytes, [0x2A, 0, 1, 0]);

    let mut host = Host::ready(0x00);
    host.send(0x36, &[0x08]);
    check(&host, &[]);
    host.bytes(&[0x20, 0x21]);
    check(&host, &[Rule::TooManyArguments]);
    assert_eq!(host.lcd.violations()[0].bytes, [0x36, 0x08, 0x20]);
    assert_eq!(host.lcd.memory_access_control(), 0x08);
}

#[test]
fn data_follows_a_command() {
    let mut host = Host::powered();
    host.wait_ms(5);
    host.bytes(&[1, 2]);
    check(&host, &[Rule::DataWithoutCommand]);
    host.bytes(&[7; 18]);
    assert_eq!(host.lcd.violations()[1].bytes, [7; 17], "the first bytes are kept");
}

#[test]
fn reset_and_power_end_a_started_command() {
    let mut host = Host::ready(0x00);
    host.send(0x2C, &[0xF8]);
    reset(&mut host, TEN_US);
    host.wait_ms(5);
    host.bytes(&[1, 2]);
    check(&host, &[Rule::DataWithoutCommand]);
    let mut host = Host::ready(0x00);
    host.send(0x2C, &[0xF8]);
    host.lcd.set_power(host.now, false);
    host.lcd.set_power(host.now, true);
    host.wait_ms(5);
    host.bytes(&[1, 2]);
    check(&host, &[Rule::DataWithoutCommand]);
    host.command(0x00);
    check(&host, &[Rule::DataWithoutCommand]);
}

#[test]
fn a_violation_has_the_time_of_the_byte_that_shows_it() {
    let mut host = Host::ready(0x00);
    let start = host.now;
    let byte = |nth: u64| start.saturating_add(Nanos(nth * BYTE.0));
    host.lcd.set_dc(start, false);
    host.bytes(&[0xAB, 0x36]);
    host.lcd.set_dc(host.now, true);
    host.bytes(&[0x00, 0x11, 0x22]);
    let shown = host.lcd.violations().iter().map(|violation| (violation.at, violation.rule));
    let expected = [(byte(0), Rule::UnknownCommand), (byte(3), Rule::TooManyArguments)];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[test]
fn nothing_is_sent_in_reset_or_without_power() {
    let mut host = Host::ready(0x00);
    host.lcd.set_reset(host.now, false);
    host.wait_ms(1);
    host.command(0x2C);
    check(&host, &[Rule::SentInReset]);

    let mut host = Host::ready(0x00);
    host.lcd.set_power(host.now, false);
    host.bytes(&[]);
    check(&host, &[]);
    host.command(0x2C);
    check(&host, &[Rule::SentUnpowered]);
}

#[test]
fn a_pixel_format_has_16_or_18_bits() {
    let mut host = Host::ready(0x00);
    host.send(0x3A, &[0x66]);
    host.send(0x3A, &[0x05]);
    check(&host, &[]);
    host.send(0x3A, &[0x33]);
    check(&host, &[Rule::PixelFormat]);
}

#[test]
fn scroll_areas_add_up_and_the_start_is_between_the_fixed_ones() {
    let mut host = Host::ready(0x00);
    host.send(0x33, &[0, 10, 1, 44, 0, 10]);
    for start in [10, 255] {
        host.send(0x37, &[0, start]);
    }
    check(&host, &[]);
    host.send(0x37, &[0, 9]);
    check(&host, &[Rule::ScrollStart]);
    host.send(0x37, &[1, 54]);
    check(&host, &[Rule::ScrollStart; 2]);
    host.send(0x33, &[0, 10, 1, 44, 0, 9]);
    check(&host, &[Rule::ScrollStart, Rule::ScrollStart, Rule::ScrollArea]);
}

#[test]
fn initialisation_commands_of_drivers_are_known() {
    let mut host = Host::powered();
    host.wait_ms(120);
    let sequence: [(u8, &[u8]); 31] = [
        (0xEF, &[0x03, 0x80, 0x02]),
        (0xCA, &[0xC3, 0x08, 0x50]),
        (0xCF, &[0x00, 0xC1, 0x30]),
        (0xED, &[0x64, 0x03, 0x12, 0x81]),
        (0xE8, &[0x85, 0x00, 0x78]),
        (0xCB, &[0x39, 0x2C, 0x00, 0x34, 0x02]),
        (0xF7, &[0x20]),
        (0xEA, &[0x00, 0x00]),
        (0xB0, &[0x40]),
        (0xB2, &[0x00, 0x1B]),
        (0xB3, &[0x00, 0x1B]),
        (0xB4, &[0x02]),
        (0xB5, &[0x02, 0x02, 0x0A, 0x14]),
        (0xB7, &[0x07]),
        (0xC0, &[0x23]),
        (0xC1, &[0x10]),
        (0xC5, &[0x3E, 0x28]),
        (0xC7, &[0x86]),
        (0x36, &[0x48]),
        (0x37, &[0x00, 0x00]),
        (0x3A, &[0x55]),
        (0xB1, &[0x00, 0x18]),
        (0xB6, &[0x08, 0x82, 0x27]),
        (0xF2, &[0x00]),
        (0xF6, &[0x01, 0x00, 0x06]),
        (0x26, &[0x01]),
        (0xE0, &[0x0F; 15]),
        (0xE1, &[0x0F; 15]),
        (0x2D, &[0x00; 128]),
        (0x35, &[0x00]),
        (0x11, &[]),
    ];
    for (code, arguments) in sequence {
        host.send(code, arguments);
    }
    host.wait_ms(120);
    host.send(0x29, &[]);
    check(&host, &[]);
}

#[test]
fn more_pixels_than_the_window_has_are_a_note() {
    let mut host = Host::ready(0x00);
    let before = host.notes();
    host.window(0, 1, 0, 1);
    host.pixels(&[0; 4]);
    assert_eq!(host.notes(), before);
    host.bytes(&[0, 0]);
    assert_eq!(host.notes(), [&before[..], &[Rule::MoreThanWindow]].concat());
    check(&host, &[]);
}

#[test]
fn pixels_in_sleep_in_and_a_fast_clock_are_notes_given_once() {
    let mut host = Host::powered();
    host.wait_ms(5);
    // At power-on a pixel has 18 bits: the bytes are four pixels.
    host.pixels(&[0; 6]);
    host.pixels(&[0; 6]);
    check(&host, &[]);
    assert_eq!(host.notes(), [Rule::Clock, Rule::NoReset, Rule::PixelsAsleep]);

    let mut slow = crate::Ili9341::new(0);
    slow.set_power(Instant::START, true);
    slow.set_reset(Instant::START, false);
    let reset = Instant::START.saturating_add(TEN_US);
    slow.set_reset(reset, true);
    let begin = reset.saturating_add(FIVE_MS);
    slow.set_dc(begin, false);
    slow.write(begin, begin.saturating_add(Nanos(800)), &[0x00]);
    assert_eq!((slow.notes(), slow.violations()), (&[][..], &[][..]));
    slow.write(begin, begin.saturating_add(Nanos(799)), &[0x00]);
    assert_eq!(slow.notes()[0].rule, Rule::Clock);
}

#[test]
fn a_command_without_a_hardware_reset_since_power_on_is_a_note() {
    let mut host = Host::powered();
    reset(&mut host, TEN_US);
    host.wait_ms(5);
    host.send(0x00, &[]);
    assert!(!host.notes().contains(&Rule::NoReset));
    host.lcd.set_power(host.now, false);
    host.lcd.set_power(host.now, true);
    host.wait_ms(5);
    host.send(0x00, &[]);
    assert!(host.notes().contains(&Rule::NoReset));
    check(&host, &[]);
}

#[test]
fn display_on_before_the_memory_was_written_whole_is_a_note() {
    let noted = |pixels: usize| {
        let mut host = Host::powered();
        host.wait_ms(120);
        host.send(0x11, &[]);
        host.wait_ms(120);
        host.send(0x3A, &[0x55]);
        host.pixels(&vec![0; pixels]);
        host.send(0x29, &[]);
        host.notes().contains(&Rule::DisplayOnUnwritten)
    };
    assert!(noted(76_799));
    assert!(!noted(76_800));
}

#[test]
fn a_silenced_linter_records_nothing_until_the_next_power_on() {
    let mut host = Host::ready(0x00);
    assert!(!host.lcd.is_linter_muted());
    host.lcd.mute_linter();
    assert!(host.lcd.is_linter_muted());
    host.command(0xAB);
    check(&host, &[]);
    host.lcd.set_power(host.now, false);
    assert!(host.lcd.is_linter_muted());
    host.lcd.set_power(host.now, true);
    assert!(!host.lcd.is_linter_muted());
    host.wait_ms(5);
    host.command(0xAB);
    check(&host, &[Rule::UnknownCommand]);
}

#[test]
fn the_record_is_bounded_and_counts_dropped_entries() {
    let mut host = Host::ready(0x00);
    for _ in 0..VIOLATIONS_MAX + 7 {
        host.command(0xAB);
    }
    assert_eq!(host.lcd.violations().len(), VIOLATIONS_MAX);
    assert_eq!(host.lcd.dropped(), (7, 0));
    let mut host = Host::ready(0x00);
    let notes = host.notes().len();
    host.window(0, 0, 0, 0);
    for _ in 0..VIOLATIONS_MAX - notes + 3 {
        host.pixels(&[0, 0]);
    }
    assert_eq!(host.lcd.notes().len(), VIOLATIONS_MAX);
    assert_eq!(host.lcd.dropped(), (0, 3));
}

#[test]
fn a_violation_reads_as_time_bytes_rule_and_section() {
    let mut host = Host::powered();
    host.wait_ms(12);
    host.send(0x29, &[]);
    assert_eq!(
        host.lcd.violations()[0].to_string(),
        "12ms: 29: DISPON shows nothing in sleep-in mode: send SLPOUT before it (ILI9341 8.2.19)"
    );
}

#[test]
fn the_document_lists_every_rule_with_its_section() {
    let document = include_str!("../../../../../docs/lcd-model.md");
    for rule in Rule::ALL {
        let row = document.lines().find(|line| line.starts_with(&format!("| `{rule:?}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/lcd-model.md has no row for {rule:?}"));
        assert!(row.contains(&format!("| {} |", rule.section())), "{rule:?}: {row}");
        assert!(row.contains(if rule.is_note() { "| note |" } else { "| violation |" }), "{row}");
    }
}
