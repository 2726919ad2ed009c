//! Pins: side-set, priority of writes, held pins, and the delay of inputs.

use super::*;

#[test]
fn side_set_comes_at_once_even_if_the_instruction_stalls() {
    let program = assemble(0, &[".side_set 1", "pull side 1 [3]", "nop side 0 [1]"]);
    let mut lab = Lab::new(&program).with_pins(&program, side_pins(6));
    lab.write(CTRL, 1);
    lab.run_to(5);
    lab.write(TXF0, 0);
    lab.run_to(20);
    assert_eq!(lab.wave(6, 0..14), "_#########__##");
}

#[test]
fn optional_side_set_leaves_pins_alone_and_may_set_directions() {
    let program = assemble(0, &[".side_set 1 opt pindirs", "nop side 1", "nop", "nop side 0 [2]"]);
    let mut lab = Lab::new(&program).with_pins(&program, side_pins(2));
    lab.write(CTRL, 1);
    let mut enables = vec![];
    for cycle in 1..6 {
        lab.run_to(cycle);
        enables.push(lab.read(DBG_PADOE));
    }
    assert_eq!(enables, [4, 4, 0, 0, 0]);
    assert_eq!(lab.read(DBG_PADOUT), 0);
}

#[test]
fn side_set_overrides_set_and_a_higher_machine_a_lower() {
    let program = assemble(0, &[".side_set 1", "set pins, 0 side 1", "stop:", "jmp stop side 1"]);
    let mut lab = Lab::new(&program).with_pins(&program, set_pins(0, 2));
    lab.write(CTRL, 1);
    lab.run_to(2);
    assert_eq!(lab.read(DBG_PADOUT), 1);
    // Machine 2 clears pins 0 and 1 in the same cycle in which machine 0 sets them.
    let program = assemble(0, &["set pins, 3", "set pins, 0"]);
    for (machines, expected) in [(0b0101, 0), (0b0001, 3)] {
        let mut lab = Lab::new(&program).with_pins(&program, set_pins(0, 2));
        lab.configure(2, &program, set_pins(0, 2), 0);
        lab.write(INSTR + 2 * NEXT, 1); // jmp 1
        lab.run_to(1);
        lab.write(CTRL, machines);
        lab.run_to(2);
        assert_eq!(lab.read(DBG_PADOUT), expected, "machines {machines:#b}");
    }
}

#[test]
fn sticky_output_is_written_again_in_every_cycle() {
    const STICKY: u32 = 1 << 17;
    let program = assemble(0, &["set pins, 1", "stop:", "jmp stop", "set pins, 0 [5]", "jmp 2"]);
    for (machine, other, expected) in [(3, 0, "_#######"), (0, 3, "_#______")] {
        let mut lab = Lab::new(&program);
        lab.configure(machine, &program, set_pins(4, 1), STICKY);
        lab.configure(other, &program, set_pins(4, 1), STICKY);
        lab.write(INSTR + other * NEXT, 2); // jmp 2
        lab.run_to(1);
        lab.write(CTRL, 1 << machine);
        lab.run_to(2);
        lab.write(CTRL, 1 << machine | 1 << other);
        lab.run_to(12);
        assert_eq!(lab.wave(4, 1..9), expected, "machine {machine} sets");
    }
}

#[test]
fn a_bit_of_outs_data_enables_its_write() {
    let program = assemble(0, &["pull", "out pins, 5"]);
    let mut lab = Lab::new(&program);
    lab.configure(0, &program, out_pins(8, 4), 1 << 18 | 4 << 19);
    for word in [0b1_0101, 0b0_1010, 0b1_0010] {
        lab.write(TXF0, word);
    }
    lab.write(CTRL, 1);
    let mut levels = vec![];
    for pair in 1..4 {
        lab.run_to(2 * pair);
        levels.push(lab.read(DBG_PADOUT) >> 8);
    }
    assert_eq!(levels, [0b0101, 0b0101, 0b0010]);
}

#[test]
fn an_input_is_seen_two_cycles_later_or_at_once_if_bypassed() {
    let program = assemble(0, &["in pins, 2", "push"]);
    for (bypass, expected) in [(0, [0, 3, 3, 0]), (1, [1, 3, 2, 0])] {
        let mut lab = Lab::new(&program);
        lab.write(SHIFTCTRL, 0);
        lab.write(INPUT_SYNC_BYPASS, bypass);
        lab.run_to(10);
        lab.write(CTRL, 1);
        lab.outside(3);
        lab.run_to(14);
        lab.outside(0);
        lab.run_to(18);
        let seen = [RXF0; 4].map(|fifo| lab.read(fifo));
        assert_eq!(seen, expected, "bypass {bypass:#b}");
    }
}

#[test]
fn a_pin_that_a_machine_drives_comes_back_three_cycles_later() {
    let program = assemble(0, &["set pindirs, 1", "set pins, 1", "wait 1 pin 0", "irq 0"]);
    let mut lab = Lab::new(&program).with_pins(&program, set_pins(0, 1));
    lab.write(CTRL, 1);
    // SET in cycle 1, on the pin in 2, seen in 4, IRQ in 5.
    lab.run_to(5);
    assert_eq!(lab.read(IRQ), 0);
    lab.run_to(6);
    assert_eq!(lab.read(IRQ), 1);
}
