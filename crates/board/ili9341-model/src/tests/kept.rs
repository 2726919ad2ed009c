//! Tests that an updated frame equals one that is rendered completely.

use proptest::prelude::*;

use super::Host;
use crate::{CachedFrame, Instant, Nanos, Tiles};

/// An action on a controller between two updates of the cached frames.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Sets a window, in the host's directions, and writes `count` pixels of a colour.
    Pixels {
        column: u16,
        page: u16,
        width: u16,
        height: u16,
        count: usize,
        colour: u16,
    },
    /// Writes more pixels into the same window.
    More {
        count: usize,
        colour: u16,
    },
    /// Sends a command without arguments that has a visible effect: inversion, idle mode, display,
    /// normal mode.
    Mode(u8),
    Access(u8),
    Scroll(u16),
    Partial(u16, u16),
    /// Sets GS and SS.
    Directions(u8),
    Backlight(bool),
    Reset,
    PowerCycle,
    Wait(u64),
    /// Updates the cached frame to the state that many microseconds ago.
    Look(usize, u64),
    /// Continues with a copy; the original draws something else.
    Fork,
}

fn step() -> impl Strategy<Value = Step> {
    let pixels = (0..330_u16, 0..330_u16, 1..60_u16, 1..60_u16, 1..900_usize, any::<u16>());
    prop_oneof![
        12 => pixels.prop_map(|(column, page, width, height, count, colour)| {
            Step::Pixels { column, page, width, height, count, colour }
        }),
        2 => (1..4000_usize, any::<u16>()).prop_map(|(count, colour)| Step::More { count, colour }),
        2 => proptest::sample::select(vec![0x20, 0x21, 0x38, 0x39, 0x28, 0x29, 0x13])
            .prop_map(Step::Mode),
        2 => any::<u8>().prop_map(Step::Access),
        1 => (0..320_u16).prop_map(Step::Scroll),
        1 => (0..320_u16, 0..320_u16).prop_map(|(from, to)| Step::Partial(from, to)),
        1 => (0..4_u8).prop_map(|bits| Step::Directions(bits << 5)),
        1 => any::<bool>().prop_map(Step::Backlight),
        1 => Just(Step::Reset),
        1 => Just(Step::PowerCycle),
        8 => (0..9_u64).prop_map(Step::Wait),
        12 => (0..3_usize, 0..7_000_u64).prop_map(|(which, ago)| Step::Look(which, ago)),
        1 => Just(Step::Fork),
    ]
}

fn colours(host: &mut Host, colour: u16, count: usize) {
    let colours = (0..count).map(|nth| colour ^ (nth as u16 & 3));
    host.bytes(&colours.flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
}

fn carry_out(host: &mut Host, step: Step) {
    match step {
        Step::Pixels { column, page, width, height, count, colour } => {
            host.window(column, column + width - 1, page, page + height - 1);
            host.command(0x2C);
            colours(host, colour, count);
        }
        Step::More { count, colour } => {
            host.command(0x3C);
            colours(host, colour, count);
        }
        Step::Mode(code) => host.command(code),
        Step::Access(madctl) => host.send(0x36, &[madctl]),
        Step::Scroll(start) => host.send(0x37, &start.to_be_bytes()),
        Step::Partial(from, to) => {
            host.send(0x30, &[from.to_be_bytes(), to.to_be_bytes()].concat());
            host.command(0x12);
        }
        Step::Directions(bits) => host.send(0xB6, &[0x0A, 0x80 | bits, 0x27]),
        Step::Backlight(on) => host.lcd.set_backlight(host.now, on),
        Step::Reset => {
            host.lcd.set_reset(host.now, false);
            host.wait_ms(1);
            host.lcd.set_reset(host.now, true);
            set_up(host);
        }
        Step::PowerCycle => {
            host.lcd.set_power(host.now, false);
            host.wait_ms(1);
            host.lcd.set_power(host.now, true);
            set_up(host);
        }
        Step::Wait(millis) => host.wait_ms(millis),
        Step::Look(..) | Step::Fork => {}
    }
}

/// Wakes the controller up like [`Host::ready`], but retains the memory.
fn set_up(host: &mut Host) {
    host.wait_ms(120);
    host.command(0x11);
    host.wait_ms(120);
    host.send(0x3A, &[0x55]);
    host.send(0x36, &[0x28]);
    host.command(0x29);
}

/// Checks that the updated frame equals a complete rendering, and that the returned tiles are those
/// that changed.
fn look(host: &Host, at: Instant, kept: &mut CachedFrame) -> Result<(), TestCaseError> {
    let before = kept.frame().clone();
    let changed = host.lcd.update_frame_at(at, kept);
    prop_assert!(*kept.frame() == host.lcd.frame_at(at), "another frame");
    prop_assert_eq!(changed, Tiles::changed(&before, kept.frame()).unwrap());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn an_updated_frame_equals_a_complete_rendering(
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let mut host = Host::ready(0x28);
        host.wait_ms(5);
        let mut kept = [CachedFrame::default(), CachedFrame::default(), CachedFrame::default()];
        let mut left_behind = None;
        for step in steps {
            match step {
                Step::Look(which, ago) => {
                    let at = Instant(host.now.0.saturating_sub(ago * 1_000));
                    look(&host, at, &mut kept[which])?;
                }
                Step::Fork => {
                    let copy = Host { lcd: host.lcd.clone(), now: host.now };
                    left_behind = Some(std::mem::replace(&mut host, copy));
                    if let Some(other) = &mut left_behind {
                        other.wait(Nanos::from_millis(6));
                        other.pixels(&[0x1234; 500]);
                        other.wait(Nanos::from_millis(6));
                        look(other, other.now, &mut kept[0])?;
                    }
                }
                _ => carry_out(&mut host, step),
            }
        }
        for (host, kept) in left_behind.iter().chain([&host]).zip(&mut kept) {
            look(host, host.now, kept)?;
        }
        let now = host.now;
        kept.iter_mut().try_for_each(|kept| look(&host, now, kept))?;
    }
}

#[test]
fn a_copy_that_draws_something_else_is_rendered_again() {
    let mut host = Host::ready(0x28);
    let mut kept = CachedFrame::default();
    host.lcd.update_frame_at(host.now, &mut kept);
    let mut copy = Host { lcd: host.lcd.clone(), now: host.now };
    for (host, colour) in [(&mut host, 0xF800), (&mut copy, 0x001F)] {
        host.pixels(&[colour; 100]);
        host.wait_ms(5);
        host.lcd.update_frame_at(host.now, &mut kept);
        assert!(*kept.frame() == host.lcd.frame_at(host.now), "{colour:04X}");
    }
}

#[test]
fn only_tiles_written_since_are_rendered() {
    let mut host = Host::ready(0x28);
    host.wait_ms(5);
    let mut kept = CachedFrame::default();
    host.lcd.update_frame_at(host.now, &mut kept);
    assert!(host.lcd.frames.written_since(host.lcd.frame_count_at(host.now), host.now).is_empty());
    let before = host.lcd.frame_count_at(host.now);
    for nth in 0..5_u16 {
        host.window(40 * nth, 40 * nth + 8, 16, 23);
        host.pixels(&[0xFFFF; 72]);
        host.wait_ms(6);
    }
    let written = host.lcd.frames.written_since(before, host.now);
    // Each rectangle has nine columns, which are in two adjacent tiles.
    assert_eq!(written.count(), 10);
    assert_eq!(host.lcd.update_frame_at(host.now, &mut kept), written);
}

#[test]
fn a_rarely_updated_frame_is_correct() {
    for each in [1, 2, 7, 15, 16, 17, 40, 100] {
        let mut host = Host::ready(0x28);
        let mut kept = CachedFrame::default();
        host.lcd.update_frame_at(host.now, &mut kept);
        for nth in 0..200_u16 {
            let (column, page) = (nth % 20 * 16, nth / 20 * 16);
            host.window(column, column + 1, page, page);
            host.pixels(&[0xFFFF, nth]);
            host.wait_ms(6);
            if nth % each == 0 {
                host.lcd.update_frame_at(host.now, &mut kept);
                assert!(*kept.frame() == host.lcd.frame_at(host.now), "{nth} of each {each}");
            }
        }
    }
}
