//! Tests that read the clock through its registers, as a program does.

use super::*;

const SECOND_NS: u64 = 1_000_000_000;
/// Day of the week of the tests: Saturday, 6.
const WEEKDAY: u32 = 6;

fn date(year: u32, month: u32, day: u32) -> u32 {
    year << 12 | month << 8 | day
}

fn time(weekday: u32, hour: u32, minute: u32, second: u32) -> u32 {
    weekday << 24 | hour << 16 | minute << 8 | second
}

/// Creates a running clock at 46,875 Hz with this date and time at 0 ns.
fn running(date: u32, time: u32, control: u32) -> Rtc {
    let mut rtc = Rtc::default();
    rtc.set_clock(Some(46_875), 0);
    for (offset, value) in [
        (CLKDIV_M1, 46_874),
        (SETUP_0, date),
        (SETUP_1, time),
        (CTRL, CTRL_LOAD),
        (CTRL, CTRL_RTC_ENABLE | control),
    ] {
        assert_eq!(rtc.write(offset, value, 0), Some(()));
    }
    rtc
}

/// Checks date and time after `seconds`.
#[track_caller]
fn check(mut rtc: Rtc, seconds: u64, expected: (u32, u32)) {
    let time = rtc.read(RTC_0, seconds * SECOND_NS - 1).unwrap();
    assert_ne!(time, expected.1, "a nanosecond early");
    let time = rtc.read(RTC_0, seconds * SECOND_NS).unwrap();
    assert_eq!((rtc.read(RTC_1, 0).unwrap(), time), expected);
}

#[test]
fn a_second_before_midnight_the_day_and_its_name_change() {
    let rtc = running(date(2024, 1, 31), time(WEEKDAY, 23, 59, 58), 0);
    check(rtc, 2, (date(2024, 2, 1), time(0, 0, 0, 0)));
}

#[test]
fn a_year_ends_after_its_december() {
    let rtc = running(date(4095, 12, 31), time(1, 23, 59, 59), 0);
    check(rtc, 1, (date(0, 1, 1), time(2, 0, 0, 0)));
}

#[test]
fn years_are_skipped_and_a_smaller_divider_loses_no_time() {
    // Four years and a second after the last second of 2023.
    let rtc = running(date(2023, 12, 31), time(0, 23, 59, 59), 0);
    check(rtc, 1 + 1_461 * DAY, (date(2028, 1, 1), time(6, 0, 0, 0)));
    let mut rtc = running(date(2024, 1, 1), 0, 0);
    rtc.write(CLKDIV_M1, 4_686, SECOND_NS / 2);
    // 23,437 cycles have passed: five seconds of 4,687.
    assert_eq!(rtc.read(RTC_0, SECOND_NS / 2), Some(5));
}

#[test]
fn every_fourth_year_is_a_leap_year_unless_disabled() {
    let before = time(1, 23, 59, 59);
    let after = time(2, 0, 0, 0);
    check(running(date(2024, 2, 28), before, 0), 1, (date(2024, 2, 29), after));
    check(running(date(2023, 2, 28), before, 0), 1, (date(2023, 3, 1), after));
    let forced = CTRL_FORCE_NOTLEAPYEAR;
    check(running(date(2100, 2, 28), before, forced), 1, (date(2100, 3, 1), after));
    check(running(date(2024, 2, 29), before, 0), 1, (date(2024, 3, 1), after));
}

#[test]
fn the_alarm_compares_its_enabled_fields_until_cleared() {
    let mut rtc = running(date(2024, 1, 1), time(1, 12, 0, 55), 0);
    rtc.write(INTE, 1, 0);
    // Every minute at second 5.
    rtc.write(IRQ_SETUP_1, 1 << 28 | 5, 0);
    rtc.write(IRQ_SETUP_0, IRQ_SETUP_0_MATCH_ENA, 0);
    let mut fired = vec![];
    while fired.len() < 2 {
        let next = rtc.next();
        rtc.advance(next);
        if rtc.interrupt() {
            fired.push(next / SECOND_NS);
            rtc.write(IRQ_SETUP_0, 0, next);
            assert!(!rtc.interrupt());
            rtc.write(IRQ_SETUP_0, IRQ_SETUP_0_MATCH_ENA, next);
        }
    }
    assert_eq!(fired, [10, 70]);
}

#[test]
fn without_an_alarm_no_second_is_an_event() {
    let mut rtc = running(date(2024, 1, 1), 0, 0);
    assert_eq!(rtc.next(), u64::MAX);
    rtc.write(IRQ_SETUP_0, IRQ_SETUP_0_MATCH_ENA | 1 << 24 | 7, 0);
    assert_eq!(rtc.next(), u64::MAX, "there is no event");
    rtc.write(INTE, 1, 0);
    assert_eq!(rtc.next(), SECOND_NS);
}

#[test]
fn a_change_of_the_clock_retains_the_part_of_a_second() {
    let mut rtc = running(date(2024, 1, 1), 0, 0);
    rtc.set_clock(None, SECOND_NS / 2);
    assert_eq!(rtc.read(RTC_0, 10 * SECOND_NS), Some(0), "it stands still");
    rtc.set_clock(Some(2 * 46_875), 10 * SECOND_NS);
    assert_eq!(rtc.read(RTC_0, 10 * SECOND_NS + SECOND_NS / 4 - 1), Some(0));
    // The half cycle that had passed when the clock stopped is lost.
    assert_eq!(rtc.read(RTC_0, 10 * SECOND_NS + SECOND_NS / 4 + 11_000), Some(1));
}

#[test]
fn the_date_is_that_of_the_last_time_that_was_read() {
    let mut rtc = running(date(2024, 1, 31), time(1, 23, 59, 59), 0);
    rtc.read(RTC_0, 0);
    assert_eq!(rtc.read(RTC_1, 2 * SECOND_NS), Some(date(2024, 1, 31)));
}
