//! Tests of faults in the middle of a trace: broken wires, a board that is reset or loses its
//! power, a probe that is reset, an unplugged cable. Each fails with its true reason within its
//! time, and leaves no button down.

use probe_protocol::wiring::Role;
use virtual_time::Random;

use super::part::Part;
use super::scene::{BEFORE_THE_PRESS_NS, DRAWN_NS, End, WHOLE_LINE, ms, passes_without, play};
use super::wires::{A_PART, PART, is_long_run};
use super::*;

/// Returns the possible failures of the trace when a wire breaks before its press: output that is
/// missing, or a picture that is damaged.
fn reasons(role: Role) -> &'static [&'static str] {
    match role {
        Role::Read(Wire::Uart) => &["expected a console line"],
        Role::Read(Wire::Buzzer) => &["expected a tone of 1047 Hz"],
        // Another cup is sown, or none; or the button is pressed earlier, and the press has no
        // effect.
        Role::Button(_) => {
            &["text \"Player", "expected a tone of 1047 Hz", "expected a console line"]
        }
        // A burst that the fault cuts in two has clocks or bytes that do not belong together.
        Role::Read(Wire::Dc) => &[
            "text \"Player",
            "the probe lost what was on the LCD's RST",
            "has not seen the LCD's burst",
        ],
        Role::Read(Wire::Cs | Wire::Sck | Wire::Mosi | Wire::Reset) => {
            &["text \"Player", "has not seen the LCD's burst"]
        }
        _ => &["text \"Player"],
    }
}

/// Returns the faults of a wire that the trace detects.
fn breaks() -> Vec<(Fault, Role)> {
    let states = [WireState::Cut, WireState::Stuck(false), WireState::Stuck(true)];
    let one = |role: Role| states.map(|state| (Fault::Wire(role, state), role));
    let mut all: Vec<_> = Wire::ALL.into_iter().map(Role::Read).flat_map(one).collect();
    // These levels have no effect: an LCD is selected by a low CS, works with a high RST, and is
    // lit by a high backlight.
    let listens = [(Wire::Cs, false), (Wire::Reset, true), (Wire::Backlight, true)];
    let listens = listens.map(|(wire, high)| Fault::Wire(Role::Read(wire), WireState::Stuck(high)));
    all.retain(|(fault, _)| !listens.contains(fault));
    let swaps = [
        (Wire::Cs, Wire::Sck),
        (Wire::Cs, Wire::Dc),
        (Wire::Sck, Wire::Mosi),
        (Wire::Mosi, Wire::Dc),
        (Wire::Mosi, Wire::Uart),
        (Wire::Dc, Wire::Reset),
        (Wire::Reset, Wire::Backlight),
        (Wire::Buzzer, Wire::Uart),
    ];
    let swap = |(one, other)| (Fault::Swap(Role::Read(one), Role::Read(other)), Role::Read(one));
    all.extend(swaps.map(swap));
    all.push((Fault::Wire(Role::Read(Wire::Sck), WireState::Halved), Role::Read(Wire::Sck)));
    // The button that the trace presses, and another one.
    for line in [0, 3] {
        all.push((Fault::Wire(Role::Button(line), WireState::Stuck(false)), Role::Button(line)));
    }
    for state in [WireState::Cut, WireState::Stuck(true)] {
        all.push((Fault::Wire(Role::Button(0), state), Role::Button(0)));
    }
    all
}

/// A wire breaks before the trace's only press, at a random time that its number determines.
#[test]
fn a_wire_that_breaks_in_a_trace_fails_it_with_the_reason() {
    let part = if is_long_run() { Part::WHOLE } else { Part::of(PART).unwrap_or(A_PART) };
    passes_without(&[(60_000 * ms(1), Fault::Wire(Role::Read(Wire::Sck), WireState::Cut))]);
    for (seed, (fault, role)) in part.pick(breaks().into_iter().enumerate()) {
        let at_ns = Random::new(seed as u64).below(BEFORE_THE_PRESS_NS);
        let end = play(WHOLE_LINE, &[(at_ns, fault)]);
        println!("{fault:?} after {at_ns} ns: {end:?}");
        end.failed_by(reasons(role), &format!("{fault:?} after {at_ns} ns"));
    }
}

#[test]
fn a_board_that_restarts_in_a_trace_fails_it() {
    let again = ["the board has started again by itself"];
    let reset = play(WHOLE_LINE, &[(DRAWN_NS, Fault::ResetBoard)]);
    reset.failed_by(&again, "a reset");
    let off_and_on =
        [(DRAWN_NS, Fault::BoardPower(false)), (DRAWN_NS + ms(80), Fault::BoardPower(true))];
    play(WHOLE_LINE, &off_and_on).failed_by(&again, "power that fails for a while");
    let off = play(WHOLE_LINE, &[(DRAWN_NS, Fault::BoardPower(false))]);
    println!("{off:?}");
    off.failed_by(&["text \"Player"], "power that fails");
}

#[test]
fn replugging_the_cable_in_a_trace_changes_nothing() {
    let pulled = [(DRAWN_NS, Fault::Cable(false)), (DRAWN_NS + ms(60), Fault::Cable(true))];
    assert_eq!(play(WHOLE_LINE, &pulled), End::Passed);
}

#[test]
fn a_lost_probe_ends_a_trace_with_the_reason() {
    let off = play(WHOLE_LINE, &[(DRAWN_NS + ms(250), Fault::Cable(false))]);
    off.failed_by(&["the line to the probe is cut: the USB cable is off"], "a cable");
    let reset = play(WHOLE_LINE, &[(DRAWN_NS + ms(250), Fault::ResetProbe)]);
    reset.failed_by(&["the probe has restarted"], "a reset");
}
