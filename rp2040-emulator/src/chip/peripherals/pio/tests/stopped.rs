//! Instructions of SMx_INSTR in a stopped machine: their effects on program counter, pins, FIFOs
//! and flags. The subjects are those of rp2040js's tests of its PIO.

use super::*;

/// A state to check.
#[derive(Clone, Copy)]
enum Look {
    Place(u32),
    Pads(u32),
    Levels(u32),
    Flags(u32),
}
use Look::{Flags, Levels, Pads, Place};

/// Executes the instructions one by one with these words in the transmit FIFO, and checks the state
/// after each that has one.
#[track_caller]
fn check(sent: &[u32], steps: &[(&str, Option<Look>)]) -> Lab {
    let mut lab = Lab::default();
    lab.write(PINCTRL, out_pins(0, 32) | SET_5);
    for word in sent {
        lab.write(TXF0, *word);
    }
    for (line, look) in steps {
        lab.force(assemble(0, &[line]).code[0]);
        // The instruction of OUT EXEC is executed a cycle later.
        lab.run_to(lab.pios.cycle + 2);
        let (offset, expected) = match look {
            None => continue,
            Some(Place(place)) => (ADDR, place),
            Some(Pads(levels)) => (DBG_PADOUT, levels),
            Some(Levels(levels)) => (FLEVEL, levels),
            Some(Flags(flags)) => (IRQ, flags),
        };
        assert_eq!(lab.read(offset), *expected, "behind {line:?}");
    }
    lab
}

#[test]
fn pins_are_set_and_moved_to() {
    check(&[], &[("set pins, 13", Some(Pads(13)))]);
    check(&[], &[("set x, 8", None), ("mov pins, x", Some(Pads(8)))]);
    check(&[], &[("set x, 29", None), ("mov pins, !x", Some(Pads(!29 & 0x3FFF_FFFF)))]);
    check(&[], &[("set x, 25", None), ("mov pins, ::x", Some(Pads(0x1800_0000)))]);
    check(&[], &[("set x, 11", None), ("mov y, x", None), ("mov pins, y", Some(Pads(11)))]);
}

#[test]
fn the_program_counter_is_set_by_mov_and_jmp() {
    check(&[], &[("set y, 23", Some(Place(0))), ("mov pc, y", Some(Place(23)))]);
    check(&[], &[("jmp 10", Some(Place(10)))]);
    for (one, other) in [("x", "!x"), ("y", "!y")] {
        let [some, none] = [5, 0].map(|number| format!("set {one}, {number}"));
        let jump = format!("jmp {other} 8");
        let steps = [(some.as_str(), None), (&jump, Some(Place(0))), (&none, None)];
        check(&[], &[&steps[..], &[(&jump, Some(Place(8)))]].concat());
        let [down, again] = [12, 6].map(|place| format!("jmp {one}-- {place}"));
        let shown = format!("mov pins, {one}");
        let steps = [(some.as_str(), None), (&down, Some(Place(12))), (&shown, Some(Pads(4)))];
        let end = [(none.as_str(), None), (again.as_str(), Some(Place(12)))];
        check(&[], &[&steps[..], &end].concat());
    }
    let differs = "jmp x!=y 26";
    let same = [("set x, 23", None), ("set y, 23", None), (differs, Some(Place(0)))];
    check(&[], &[&same[..], &[("set x, 3", None), (differs, Some(Place(26)))]].concat());
    let (full, empty) = (("jmp !osre 11", Some(Place(11))), ("jmp !osre 22", Some(Place(11))));
    check(&[], &[("mov osr, null", None), full, ("out null, 32", None), empty]);
}

#[test]
fn words_are_pulled_shifted_out_and_executed() {
    let pulled = ("pull noblock", Some(Levels(0)));
    check(&[0x42F0_0D43], &[pulled, ("out pins, 32", Some(Pads(0x02F0_0D43)))]);
    let jump = assemble(0, &["jmp 16"]).code[0].into();
    check(&[jump], &[pulled, ("out exec, 32", Some(Place(16)))]);
    check(&[29], &[pulled, ("out pc, 32", Some(Place(29)))]);
    let all = [("mov x, !null", None), ("out y, 32", None), ("jmp 8", None)];
    check(&[u32::MAX], &[&[pulled], &all[..], &[("jmp x!=y 16", Some(Place(8)))]].concat());
}

#[test]
fn a_push_empties_the_input_shift_register() {
    let one =
        [("set x, 9", Some(Levels(0))), ("in x, 32", None), ("push noblock", Some(Levels(0x10)))];
    let mut lab = check(&[], &[&one[..], &[("push noblock", Some(Levels(0x20)))]].concat());
    let read = [RXF0, FLEVEL, RXF0, FLEVEL].map(|offset| lab.read(offset));
    assert_eq!(read, [9, 0x10, 0, 0]);
}

#[test]
fn flags_are_raised_and_cleared() {
    check(&[], &[("irq 2", Some(Flags(4))), ("irq clear 2", Some(Flags(0)))]);
    // Relative flags: for machine 0 flag 3, for machine 2 flag 1.
    let relative = u32::from(assemble(0, &["irq 3 rel"]).code[0]);
    let mut lab = check(&[], &[("irq 3 rel", Some(Flags(8)))]);
    lab.write(IRQ, 0xFF);
    lab.write(INSTR + 2 * NEXT, relative);
    lab.run_to(lab.pios.cycle + 2);
    assert_eq!(lab.read(IRQ), 2);
    lab.write(INSTR + 2 * NEXT, relative | 1 << 6);
    lab.run_to(lab.pios.cycle + 2);
    assert_eq!(lab.read(IRQ), 0);
}
