use super::slice::{CC, CSR, CTR, DIV, TOP};
use super::*;

/// Creates slice 3 with these registers, running from 1,000 ns on; a cycle is 8 ns.
fn pwm(control: u32, divider: u32, top: u32, compare: u32) -> Pwm {
    let mut pwm = Pwm::default();
    pwm.set_clock(125_000_000, 0);
    for (offset, value) in [(DIV, divider), (TOP, top), (CC, compare), (CSR, control)] {
        assert_eq!(write(&mut pwm, offset, value, 1_000), Some(()));
    }
    pwm
}

fn write(pwm: &mut Pwm, offset: u32, value: u32, ns: u64) -> Option<()> {
    pwm.write(3 * STRIDE + offset, value, ns)
}

fn read(pwm: &mut Pwm, offset: u32, ns: u64) -> u32 {
    pwm.read(3 * STRIDE + offset, ns).unwrap()
}

/// Checks that slice 3 with these registers wraps every `period_ns`, and its A is a wave of this
/// duty.
#[track_caller]
fn check(control: u32, divider: u32, top: u32, compare: u32, period_ns: u64, duty: f64) {
    let mut pwm = pwm(control | 1, divider, top, compare);
    pwm.write(INTE, 1 << 3, 1_000);
    for n in 1..5 {
        assert_eq!(pwm.next(0), 1_000 + n * period_ns, "wrap {n}");
        pwm.advance(pwm.next(0) - 1);
        assert!(!pwm.interrupt(), "wrap {n} comes too early");
        let now = pwm.next(0);
        pwm.advance(now);
        assert!(pwm.interrupt(), "wrap {n}");
        pwm.write(INTR, 1 << 3, now);
    }
    assert_eq!(pwm.square_wave(3, 0, 2_000), Some((1e9 / period_ns as f64, duty)));
    // The mean of many samples of the level is the duty.
    let looks = 1_000;
    let high = (0..looks).filter(|n| {
        pwm.levels(1_000_000_000 + n * period_ns / looks + period_ns * n) & 1 << 6 != 0
    });
    let mean = high.count() as f64 / looks as f64;
    assert!((mean - duty).abs() < 0.02, "mean level {mean}");
}

#[test]
fn a_slice_wraps_after_its_top_and_is_high_below_its_compare() {
    check(0, 1 << 4, 99, 25, 800, 0.25);
    check(0, 125 << 4, 999, 500, 1_000_000, 0.5);
}

#[test]
fn a_phase_correct_slice_takes_twice_as_long() {
    check(2, 1 << 4, 99, 25, 1_600, 0.25);
}

#[test]
fn inverted_channels_are_high_where_others_are_low() {
    check(4, 1 << 4, 99, 25, 800, 0.75);
}

#[test]
fn a_divider_counts_in_sixteenths() {
    // 2.5 cycles a tick, 100 ticks.
    check(0, 2 << 4 | 8, 99, 50, 2_000, 0.5);
    // An integer part of zero is 256.
    check(0, 0, 99, 50, 204_800, 0.5);
}

#[test]
fn the_counter_goes_up_and_wraps_or_turns() {
    let mut plain = pwm(1, 1 << 4, 3, 0);
    let counts = [0, 1, 2, 3, 4, 5].map(|cycle| read(&mut plain, CTR, 1_000 + cycle * 8));
    assert_eq!(counts, [0, 1, 2, 3, 0, 1]);
    let mut correct = pwm(3, 1 << 4, 2, 0);
    let counts = [0, 1, 2, 3, 4, 5, 6, 7].map(|cycle| read(&mut correct, CTR, 1_000 + cycle * 8));
    assert_eq!(counts, [0, 1, 2, 2, 1, 0, 0, 1]);
}

#[test]
fn a_counter_beyond_its_top_overflows() {
    let mut pwm = pwm(1, 1 << 4, 99, 0);
    write(&mut pwm, CTR, 0xFFFE, 1_000);
    assert_eq!(read(&mut pwm, CTR, 1_008), 0xFFFF);
    assert_eq!(read(&mut pwm, CTR, 1_024), 1);
}

#[test]
fn values_written_while_running_take_effect_at_the_next_wrap() {
    let mut pwm = pwm(1, 1 << 4, 99, 50);
    pwm.take_changes(1_000);
    write(&mut pwm, CC, 25, 1_100);
    write(&mut pwm, TOP, 49, 1_200);
    assert_eq!(pwm.take_changes(1_799), []);
    let output = Output::Wave { hz: 2_500_000.0, duty: 0.5 };
    let change = OutputChange { ns: 1_800, slice: 3, channel: 0, output };
    assert_eq!(pwm.take_changes(5_000), [change]);
    // The first wrap was after 100 ticks, the others after 50.
    assert_eq!(pwm.next(1 << 3), 1_800 + 8 * 400 + 400);
}

#[test]
fn outputs_change_when_a_slice_starts_and_stops() {
    let mut pwm = pwm(0, 1 << 4, 99, 0);
    assert_eq!(pwm.take_changes(1_000), []);
    write(&mut pwm, CC, 50 << 16, 2_000);
    let high = OutputChange { ns: 2_000, slice: 3, channel: 1, output: Output::Level(true) };
    assert_eq!(pwm.take_changes(2_000), [high]);
    assert_eq!(pwm.write(EN, 1 << 3, 3_000), Some(()));
    assert_eq!(pwm.read(EN, 3_000), Some(1 << 3));
    let output = Output::Wave { hz: 1_250_000.0, duty: 0.5 };
    assert_eq!(pwm.take_changes(3_000), [OutputChange { ns: 3_000, output, ..high }]);
    // It stops in the lower half of its period.
    let mut pwm = pwm.after_reset(3_500);
    let low = OutputChange { ns: 3_500, output: Output::Level(false), ..high };
    assert_eq!(pwm.take_changes(9_000), [low]);
    assert_eq!(pwm.square_wave(3, 1, 9_000), None);
}

#[test]
fn a_full_or_an_empty_period_is_a_level() {
    for (compare, level) in [(0, false), (100, true), (0xFFFF, true)] {
        let mut pwm = pwm(1, 1 << 4, 99, compare);
        assert_eq!(pwm.square_wave(3, 0, 5_000), None);
        assert_eq!(pwm.levels(5_000) & 1 << 6 != 0, level);
    }
}

#[test]
fn the_phase_is_moved_by_single_counts() {
    let mut pwm = pwm(1, 4 << 4, 99, 0);
    write(&mut pwm, CSR, 1 | 1 << 7, 1_000);
    assert_eq!(read(&mut pwm, CTR, 1_000), 1);
    write(&mut pwm, CSR, 1 | 1 << 6, 1_000);
    assert_eq!(read(&mut pwm, CTR, 1_000 + 2 * 32), 2);
    assert_eq!(read(&mut pwm, CSR, 1_000), 1, "the orders clear themselves");
}

#[test]
fn wraps_are_counted_for_the_dma() {
    let mut pwm = pwm(1, 1 << 4, 99, 0);
    assert_eq!(pwm.next(0), u64::MAX);
    assert_eq!(pwm.next(1 << 3), 1_800);
    pwm.advance(1_000 + 3 * 800);
    assert_eq!(pwm.take_wraps(3), 3);
    assert_eq!(pwm.take_wraps(3), 0);
    pwm.advance(1_000_000);
    assert_eq!(pwm.take_wraps(3), 63);
}

#[test]
fn a_forced_interrupt_needs_no_wrap() {
    let mut pwm = Pwm::default();
    pwm.write(0xAC, 1, 0);
    assert!(pwm.interrupt());
    assert_eq!(pwm.read(0xB0, 0), Some(1));
}

#[test]
fn a_change_of_the_clock_retains_the_count() {
    let mut pwm = pwm(1, 1 << 4, 99, 50);
    pwm.set_clock(62_500_000, 1_400);
    assert_eq!(read(&mut pwm, CTR, 1_400), 50);
    assert_eq!(read(&mut pwm, CTR, 1_416), 51);
    assert_eq!(pwm.square_wave(3, 0, 1_416), Some((625_000.0, 0.5)));
}

/// Sets the input B of slice 3 to these levels in turn, from 1,000 ns on one every 80 ns: ten
/// cycles. Returns the counter after each.
fn counts(pwm: &mut Pwm, levels: &[u32]) -> Vec<u32> {
    let after = |(n, level): (usize, &u32)| {
        let ns = 1_000 + 80 * n as u64;
        pwm.sense(level << 3, ns);
        read(pwm, CTR, ns + 79)
    };
    levels.iter().enumerate().map(after).collect()
}

// The expected values follow datasheet section 4.5.2.5.
#[test]
fn a_slice_counts_rising_or_falling_edges_of_its_input() {
    let levels = [1, 0, 0, 1, 1, 0];
    assert_eq!(counts(&mut pwm(1 | 2 << 4, 1 << 4, 99, 0), &levels), [1, 1, 1, 2, 2, 2]);
    assert_eq!(counts(&mut pwm(1 | 3 << 4, 1 << 4, 99, 0), &levels), [0, 1, 1, 1, 1, 2]);
    // Other slices' inputs do not count.
    let mut pwm = pwm(1 | 2 << 4, 1 << 4, 99, 0);
    pwm.sense(1 << 2, 1_000);
    assert_eq!(read(&mut pwm, CTR, 2_000), 0);
}

#[test]
fn the_divider_counts_the_events_of_the_input() {
    // Two and a half edges a count.
    let mut pwm = pwm(1 | 2 << 4, 2 << 4 | 8, 99, 0);
    assert_eq!(counts(&mut pwm, &[1, 0, 1, 0, 1, 0, 1, 0, 1]), [0, 0, 0, 0, 1, 1, 1, 1, 2]);
}

#[test]
fn a_slice_counts_cycles_while_its_input_is_high() {
    let mut pwm = pwm(1 | 1 << 4, 2 << 4, 99, 0);
    // Ten cycles are five counts; the last count ends with the level.
    assert_eq!(counts(&mut pwm, &[0, 1, 1, 0, 0, 1]), [0, 4, 9, 10, 10, 14]);
}

#[test]
fn a_slice_that_counts_edges_wraps_and_interrupts_with_one() {
    let mut pwm = pwm(1 | 2 << 4, 1 << 4, 1, 1);
    pwm.write(INTE, 1 << 3, 1_000);
    assert_eq!((pwm.next(0), pwm.next_edge(1 << 3)), (u64::MAX, u64::MAX), "only an edge counts");
    let levels = |pwm: &mut Pwm, ns| pwm.levels(ns) >> 6 & 1;
    assert_eq!(levels(&mut pwm, 1_000), 1);
    counts(&mut pwm, &[1, 0]);
    assert_eq!((levels(&mut pwm, 1_200), pwm.interrupt()), (0, false));
    pwm.sense(1 << 3, 1_250);
    assert_eq!((levels(&mut pwm, 1_300), pwm.interrupt()), (1, true));
}

#[test]
fn a_gated_slice_knows_its_next_wrap_while_its_input_is_high() {
    let mut pwm = pwm(1 | 1 << 4, 1 << 4, 99, 0);
    pwm.write(INTE, 1 << 3, 1_000);
    assert_eq!(pwm.next(0), u64::MAX);
    counts(&mut pwm, &[1, 0]);
    assert_eq!(pwm.next(0), u64::MAX, "ten counts have passed");
    pwm.sense(1 << 3, 2_000);
    assert_eq!(pwm.next(0), 2_000 + 90 * 8);
    pwm.advance(2_720);
    assert!(pwm.interrupt());
}

#[test]
fn a_change_of_mode_retains_the_count() {
    let mut pwm = pwm(1, 1 << 4, 99, 0);
    write(&mut pwm, CSR, 1 | 2 << 4, 1_080);
    pwm.sense(1 << 3, 2_000);
    assert_eq!(read(&mut pwm, CTR, 3_000), 11);
    write(&mut pwm, CSR, 1, 3_000);
    assert_eq!(read(&mut pwm, CTR, 3_016), 13);
    write(&mut pwm, CSR, 1 | 2 << 4 | 1 << 7, 3_016);
    assert_eq!(read(&mut pwm, CTR, 9_000), 14, "the phase moves without an edge");
}

#[test]
fn changes_beyond_the_capacity_are_dropped_and_counted() {
    let mut pwm = Pwm::default();
    for n in 0..=MAX_CHANGES as u32 {
        pwm.write(CC, 1 - n % 2, 0);
    }
    assert_eq!(pwm.dropped(), 1);
    assert_eq!(pwm.take_changes(0).len(), MAX_CHANGES);
}
