//! Each instruction separately, by SMx_INSTR or in a program of a few words.

use super::*;

/// Runs a program in machine 0 and compares the words that it pushes.
#[track_caller]
fn check(program: &Program, sent: &[u32], pushed: &[u32]) -> Lab {
    let mut lab = Lab::new(program);
    for word in sent {
        lab.write(TXF0, *word);
    }
    lab.write(CTRL, 1);
    lab.run_to(200);
    let words: Vec<u32> = pushed.iter().map(|_| lab.read(RXF0)).collect();
    assert_eq!(words, pushed, "{words:x?}");
    lab
}

/// Jumps over the first push if the condition holds: pushes Y, 0 or 1.
macro_rules! jumps {
    ($prepare:literal, $condition:literal, $taken:expr) => {
        let program = assemble(
            0,
            &[
                $prepare,
                $condition,
                "set y, 0",
                "jmp out",
                "target:",
                "set y, 1",
                "out:",
                "mov isr, y",
                "push",
                "stop:",
                "jmp stop",
            ],
        );
        check(&program, &[], &[$taken]);
    };
}

#[test]
fn jmp_tests_its_condition() {
    jumps!("set x, 0", "jmp target", 1);
    jumps!("set x, 0", "jmp !x target", 1);
    jumps!("set x, 1", "jmp !x target", 0);
    jumps!("set x, 1", "jmp x-- target", 1);
    jumps!("set x, 0", "jmp x-- target", 0);
    jumps!("set y, 0", "jmp !y target", 1);
    jumps!("set y, 9", "jmp !y target", 0);
    jumps!("set y, 9", "jmp y-- target", 1);
    jumps!("set y, 0", "jmp y-- target", 0);
    jumps!("set x, 9", "jmp x!=y target", 1);
    jumps!("set x, 0", "jmp x!=y target", 0);
    jumps!("mov osr, x", "jmp !osre target", 1);
    jumps!("out null, 32", "jmp !osre target", 0);
}

#[test]
fn jmp_counts_down_whether_it_jumps_or_not() {
    let program =
        assemble(0, &["set x, 0", "jmp x-- 2", "mov isr, x", "push", "stop:", "jmp stop"]);
    check(&program, &[], &[!0]);
}

#[test]
fn jmp_pin_tests_its_pin_after_the_synchroniser() {
    let program = assemble(0, &["again:", "jmp pin high", "jmp again", "high:", "irq 1"]);
    let mut lab = Lab::new(&program);
    lab.configure(0, &program, in_pins(3), 20 << 24);
    lab.write(CTRL, 1);
    lab.run_to(10);
    lab.outside(1 << 20);
    // The jump of cycle 12 sees the level.
    lab.run_to(13);
    assert_eq!([lab.read(ADDR), lab.read(IRQ)], [2, 0]);
    lab.run_to(14);
    assert_eq!(lab.read(IRQ), 2);
}

#[test]
fn wait_stalls_until_the_level_comes() {
    let program = assemble(0, &["wait 1 gpio 5", "wait 0 gpio 5", "wait 1 pin 2", "irq 0"]);
    let mut lab = Lab::new(&program).with_pins(&program, in_pins(31));
    lab.write(CTRL, 1);
    for (levels, before, after) in [(1 << 5, 0, 1), (0, 1, 2), (1 << 2, 2, 2), (1 << 1, 2, 3)] {
        let now = lab.pios.cycle;
        lab.outside(levels);
        lab.run_to(now + 2);
        assert_eq!(lab.read(ADDR), before, "pins {levels:#x} are not seen yet");
        lab.run_to(now + 3);
        assert_eq!(lab.read(ADDR), after, "pins {levels:#x}");
    }
}

#[test]
fn wait_for_a_flag_clears_it() {
    let program = assemble(0, &["wait 1 irq 3", "wait 0 irq 4", "stop:", "jmp stop"]);
    let mut lab = Lab::new(&program);
    lab.write(IRQ_FORCE, 1 << 4);
    lab.write(CTRL, 1);
    lab.run_to(10);
    assert_eq!(lab.read(ADDR), 0);
    lab.write(IRQ_FORCE, 1 << 3);
    lab.run_to(12);
    assert_eq!([lab.read(ADDR), lab.read(IRQ)], [1, 1 << 4]);
    lab.write(IRQ, 1 << 4);
    lab.run_to(13);
    assert_eq!(lab.read(ADDR), 2);
}

#[test]
fn in_shifts_right_or_left_from_each_source() {
    let program = assemble(
        0,
        &[
            "pull",
            "mov x, osr",
            "in x, 8",
            "in osr, 4",
            "in null, 4",
            "in isr, 8",
            "push",
            "in x, 32",
            "push",
            "stop:",
            "jmp stop",
        ],
    );
    let word = 0x1234_5678;
    check(&program, &[word], &[0x0008_7800, word]);
    let mut lab = Lab::new(&program);
    lab.write(SHIFTCTRL, 0);
    lab.write(TXF0, word);
    lab.write(CTRL, 1);
    lab.run_to(20);
    assert_eq!(lab.read(RXF0), 0x0078_8080);
}

#[test]
fn in_reads_pins_from_its_base_around_the_end() {
    let program = assemble(0, &["in pins, 32", "push"]);
    let mut lab = Lab::new(&program).with_pins(&program, in_pins(29));
    lab.outside(0x2000_0001);
    lab.run_to(5);
    lab.write(CTRL, 1);
    lab.run_to(9);
    assert_eq!(lab.read(RXF0), 0b1001);
}

#[test]
fn out_shifts_right_or_left_to_each_destination() {
    let program = assemble(
        0,
        &[
            "pull",
            "out x, 4",
            "out y, 8",
            "out null, 4",
            "in x, 32",
            "push",
            "in y, 32",
            "push",
            "out isr, 12",
            "push",
            "stop:",
            "jmp stop",
        ],
    );
    check(&program, &[0xABCD_E123], &[3, 0x12, 0xBCD]);
    let mut lab = Lab::new(&program);
    lab.write(SHIFTCTRL, 0);
    lab.write(TXF0, 0xABCD_E123);
    lab.write(CTRL, 1);
    lab.run_to(30);
    assert_eq!([RXF0; 3].map(|fifo| lab.read(fifo)), [0xA, 0xBC, 0xE12]);
}

#[test]
fn out_isr_sets_the_count_of_bits_shifted_in() {
    let program = assemble(0, &["pull", "out isr, 12", "in null, 4", "stop:", "jmp stop"]);
    let mut lab = Lab::new(&program);
    lab.write(SHIFTCTRL, AUTOPUSH | thresholds(16, 0));
    lab.write(TXF0, 0xABC << 20);
    lab.write(CTRL, 1);
    lab.run_to(10);
    assert_eq!(lab.read(RXF0), 0xABC0);
}

#[test]
fn out_and_mov_jump_and_execute() {
    let program = assemble(
        0,
        &[
            "pull",
            "out exec, 16 [3]",
            "mov isr, y",
            "push",
            "out pc, 5",
            "nop",
            "nop",
            "mov exec, x",
            "stop:",
            "jmp stop",
        ],
    );
    let mut lab = Lab::new(&program);
    lab.force(0xE02B); // set x, 11
    lab.write(TXF0, 0xE04D | 7 << 16); // set y, 13; and address 7
    lab.write(CTRL, 1);
    let began = lab.pios.cycle;
    // The delay of OUT EXEC is ignored: pull, out, set, mov, push, out, mov.
    lab.run_to(began + 7);
    assert_eq!(lab.read(RXF0), 13);
    assert_eq!(lab.read(ADDR), 8);
    // X is `jmp 11`.
    lab.run_to(began + 8);
    assert_eq!(lab.read(ADDR), 11);
}

#[test]
fn mov_inverts_and_reverses() {
    let program = assemble(
        0,
        &[
            "pull",
            "mov isr, osr",
            "push",
            "mov isr, !osr",
            "push",
            "mov isr, ::osr",
            "push",
            "mov isr, null",
            "push",
            "stop:",
            "jmp stop",
        ],
    );
    let word = 0x1234_5678;
    check(&program, &[word], &[word, !word, word.reverse_bits(), 0]);
}

#[test]
fn mov_to_a_shift_register_sets_its_count() {
    let program =
        assemble(0, &["mov osr, !null", "out x, 31", "jmp !osre 5", "nop", "nop", "irq 3"]);
    let lab = &mut Lab::new(&program);
    lab.write(CTRL, 1);
    lab.run_to(4);
    assert_eq!(lab.read(IRQ), 8);
    let program = assemble(0, &["in null, 20", "mov isr, y", "in null, 20", "stop:", "jmp stop"]);
    let lab = &mut Lab::new(&program);
    lab.write(SHIFTCTRL, AUTOPUSH | thresholds(30, 0));
    lab.write(CTRL, 1);
    lab.run_to(9);
    assert_eq!(lab.read(FLEVEL), 0, "20 bits are not 30");
}

#[test]
fn mov_status_reports_the_level_of_a_fifo() {
    let program = assemble(0, &["mov x, status"]);
    for (select, sent, expected) in [(0, 1, !0), (0, 2, 0), (1, 3, !0)] {
        let mut lab = Lab::new(&program);
        lab.configure(0, &program, 0, select << 4 | 2);
        (0..sent).for_each(|_| lab.write(TXF0, 0));
        lab.write(CTRL, 1);
        lab.run_to(1);
        lab.write(CTRL, 0);
        assert_eq!(lab.x(), expected, "FIFO {select}, {sent} words sent");
    }
}

#[test]
fn irq_raises_clears_and_waits() {
    let program = assemble(0, &["irq 1", "irq clear 6", "irq wait 2", "irq 7"]);
    let mut lab = Lab::new(&program);
    lab.write(IRQ_FORCE, 1 << 6);
    lab.write(CTRL, 1);
    lab.run_to(50);
    assert_eq!([lab.read(IRQ), lab.read(ADDR)], [1 << 1 | 1 << 2, 2]);
    assert!(lab.pios.is_quiet());
    lab.write(IRQ, 1 << 2);
    lab.run_to(51);
    assert_eq!(lab.read(ADDR), 3);
    lab.run_to(52);
    assert_eq!(lab.read(IRQ), 1 << 1 | 1 << 7);
}

#[test]
fn a_relative_flag_adds_the_machines_number_to_two_bits() {
    let program = assemble(0, &["irq 3 rel", "irq 6 rel", "stop:", "jmp stop"]);
    for (machine, flags) in [(0, 1 << 3 | 1 << 6), (1, 1 | 1 << 7), (3, 1 << 2 | 1 << 5)] {
        let mut lab = Lab::new(&program);
        lab.write(CTRL, 1 << machine);
        lab.run_to(5);
        assert_eq!(lab.read(IRQ), flags, "machine {machine}");
    }
}

#[test]
fn set_writes_scratch_registers_pins_and_directions() {
    let program =
        assemble(0, &["set pins, 21", "set pindirs, 3", "set x, 31", "stop:", "jmp stop"]);
    let mut lab = Lab::new(&program).with_pins(&program, set_pins(30, 4));
    lab.write(CTRL, 1);
    lab.run_to(9);
    let outputs = lab.pios.outputs()[0];
    assert_eq!([outputs.levels, outputs.enables], [0x4000_0001, 0xC000_0000]);
    lab.write(CTRL, 0);
    assert_eq!(lab.x(), 31);
}

#[test]
fn a_delay_follows_the_end_of_a_stall() {
    let program = assemble(0, &["set pins, 0", "wait 1 gpio 9 [4]", "set pins, 1 [1]"]);
    let mut lab = Lab::new(&program).with_pins(&program, set_pins(0, 1));
    lab.write(CTRL, 1);
    lab.run_to(10);
    lab.outside(1 << 9);
    lab.run_to(30);
    // Seen in cycle 12, four cycles of delay, on the pin one cycle later and for two cycles; then
    // WAIT with its delay again.
    assert_eq!(lab.wave(0, 10..30), "________##______##__");
}

#[test]
fn a_program_wraps_at_its_top_unless_it_jumps_there() {
    let program =
        assemble(0, &["set x, 1", ".wrap_target", "nop", "jmp x-- 4", ".wrap", "nop", "nop"]);
    let mut lab = Lab::new(&program);
    lab.write(CTRL, 1);
    let addresses: Vec<u32> = (1..6)
        .map(|cycle| {
            lab.run_to(cycle);
            lab.read(ADDR)
        })
        .collect();
    // Unwritten memory is `jmp 0`.
    assert_eq!(addresses, [1, 2, 4, 5, 0]);
    lab.write(INSTR, 0x0002); // jmp 2, with X now 0
    lab.run_to(7);
    assert_eq!(lab.read(ADDR), 1, "not taken: to the bottom");
}
