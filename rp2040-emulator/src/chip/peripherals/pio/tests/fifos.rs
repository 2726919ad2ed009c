//! FIFOs, shift registers, and the instructions that fill and empty them.

use super::*;

#[test]
fn a_blocking_pull_stalls_and_a_nonblocking_one_copies_x() {
    let program = assemble(0, &["set x, 7", "pull noblock", "pull block", "stop:", "jmp stop"]);
    let mut lab = Lab::new(&program);
    lab.write(CTRL, 1);
    lab.run_to(10);
    assert_eq!([lab.read(ADDR), lab.read(FDEBUG)], [2, 1 << 24]);
    // The flag is raised again for as long as the machine stalls.
    lab.write(FDEBUG, !0);
    lab.run_to(12);
    assert_eq!(lab.read(FDEBUG), 1 << 24);
    lab.write(TXF0, 1);
    lab.write(FDEBUG, !0);
    lab.run_to(14);
    assert_eq!([lab.read(ADDR), lab.read(FDEBUG)], [3, 0]);
}

#[test]
fn a_full_receive_fifo_stalls_a_push_or_loses_its_word() {
    for (block, address) in [(true, 4), (false, 5)] {
        let program = assemble(0, &["push", "push", "push", "push", "push", "stop:", "jmp stop"]);
        let mut lab = Lab::new(&program);
        if !block {
            lab.write(INSTR_MEM0 + 16, 0x8000);
        }
        lab.force(0xE029); // set x, 9
        lab.force(0xA0C1); // mov isr, x
        lab.write(CTRL, 1);
        lab.run_to(20);
        assert_eq!([lab.read(FLEVEL), lab.read(FSTAT) & 0xF], [0x40, 1]);
        assert_eq!([lab.read(ADDR), lab.read(FDEBUG)], [address, 1]);
        assert_eq!(lab.read(RXF0), 9);
    }
}

#[test]
fn if_full_and_if_empty_use_the_thresholds() {
    let program = assemble(0, &["in null, 8", "push iffull", "out null, 8", "pull ifempty"]);
    let mut lab = Lab::new(&program);
    lab.write(SHIFTCTRL, RIGHT | thresholds(16, 16));
    lab.force(0xA0E3); // mov osr, null: full
    for _ in 0..4 {
        lab.write(TXF0, 0);
    }
    lab.write(CTRL, 1);
    let began = lab.pios.cycle;
    lab.run_to(began + 4);
    assert_eq!(lab.read(FLEVEL), 0x04, "half way to both");
    lab.run_to(began + 8);
    assert_eq!(lab.read(FLEVEL), 0x13);
}

#[test]
fn automatic_pushes_and_pulls_keep_a_machine_running() {
    let program = assemble(0, &["out x, 8", "in x, 8"]);
    let mut lab = Lab::new(&program);
    lab.write(SHIFTCTRL, RIGHT | AUTOPUSH | AUTOPULL | thresholds(16, 24));
    for word in [0x00CC_BBAA, 0x00FF_EEDD] {
        lab.write(TXF0, word);
    }
    lab.write(CTRL, 1);
    // One cycle to pull the first word; from then on no word is lost.
    lab.run_to(1 + 12);
    assert_eq!(lab.read(FLEVEL), 0x30);
    // The IN shifted right: the words are in the upper half.
    assert_eq!([RXF0; 3].map(|fifo| lab.read(fifo) >> 16), [0xBBAA, 0xDDCC, 0xFFEE]);
    assert_eq!(lab.read(FDEBUG), 0);
    lab.run_to(14);
    assert_eq!(lab.read(FDEBUG), 1 << 24, "now there is no more");
}

#[test]
fn autopush_stalls_an_in_while_the_fifo_is_full() {
    let program = assemble(0, &["in pins, 8"]);
    let mut lab = Lab::new(&program);
    lab.write(SHIFTCTRL, AUTOPUSH | thresholds(8, 0));
    lab.write(CTRL, 1);
    lab.run_to(10);
    assert_eq!([lab.read(FLEVEL), lab.read(FDEBUG)], [0x40, 1]);
    lab.outside(0x5A);
    lab.run_to(20);
    assert_eq!([RXF0; 4].map(|fifo| lab.read(fifo)), [0; 4]);
    lab.run_to(25);
    assert_eq!(lab.read(RXF0), 0x5A, "what it reads when it goes on");
}

#[test]
fn a_pull_with_autopull_waits_until_the_register_is_full() {
    let program = assemble(0, &["pull", "pull", "irq 0", "stop:", "jmp stop"]);
    let mut lab = Lab::new(&program);
    lab.write(SHIFTCTRL, RIGHT | AUTOPULL);
    lab.write(CTRL, 1);
    lab.run_to(5);
    assert_eq!(lab.read(ADDR), 0);
    lab.write(TXF0, 1);
    lab.write(TXF0, 2);
    lab.run_to(10);
    assert_eq!([lab.read(IRQ), lab.read(FLEVEL)], [1, 1], "the second one took nothing");
}

#[test]
fn joined_fifos_have_eight_words_and_are_emptied_by_joining() {
    let mut lab = Lab::new(&assemble(0, &["nop"]));
    lab.write(TXF0, 1);
    lab.write(SHIFTCTRL, RIGHT | 1 << 30);
    assert_eq!([lab.read(FLEVEL), lab.read(FSTAT)], [0, 0x0F00_0F01], "RX has no room");
    for word in 0..9 {
        lab.write(TXF0, word);
    }
    assert_eq!([lab.read(FLEVEL), lab.read(FDEBUG)], [8, 1 << 16]);
    lab.write(SHIFTCTRL, RIGHT | 1 << 31);
    assert_eq!([lab.read(FLEVEL), lab.read(FSTAT)], [0, 0x0F01_0F00]);
    assert_eq!([lab.read(RXF0), lab.read(FDEBUG)], [0, 1 << 16 | 1 << 8]);
    lab.write(FDEBUG, 1 << 16);
    assert_eq!(lab.read(FDEBUG), 1 << 8);
}

#[test]
fn requests_and_interrupts_report_words_and_room() {
    let mut lab = Lab::new(&assemble(0, &["push"]));
    assert_eq!([lab.pios.requests(), lab.read(INTR)], [0x0F0F, 0xF0]);
    (0..4).for_each(|_| lab.write(TXF0 + 4, 0));
    lab.write(CTRL, 1 << 2);
    lab.write(IRQ_FORCE, 1 << 1 | 1 << 5);
    lab.run_to(1);
    assert_eq!([lab.pios.requests(), lab.read(INTR)], [0x0F4D, 0x2D4]);
    for (line, enabled, forced, expected) in [(0, 4, 0, 1), (1, 0x200, 0, 2), (1, 0, 8, 2)] {
        lab.write(IRQ0_INTE + 12 * line, enabled);
        lab.write(IRQ0_INTE + 12 * line + 4, forced);
        assert_eq!(lab.pios.interrupts(), expected);
        assert_eq!(lab.read(IRQ0_INTE + 12 * line + 8), enabled | forced);
        lab.write(IRQ0_INTE + 12 * line, 0);
        lab.write(IRQ0_INTE + 12 * line + 4, 0);
    }
}
