//! Instructions of SMx_INSTR, between and in place of those of the program.

use super::*;

#[test]
fn an_irq_wait_ended_by_a_forced_jump_raises_its_flag_again() {
    // As in the SDK's I2C program: it raises a flag and waits until it is cleared.
    let program = assemble(0, &["set y, 1", "irq wait 0", "set y, 2", "stop:", "jmp stop"]);
    let mut lab = Lab::new(&program);
    lab.write(CTRL, 1);
    lab.run_to(10);
    assert_eq!([lab.read(IRQ), lab.read(ADDR)], [1, 1]);
    // The caller makes the machine jump, and only then clears the flag.
    lab.force(0);
    lab.write(IRQ, 1);
    lab.run_to(20);
    assert_eq!([lab.read(IRQ), lab.read(ADDR)], [1, 1], "it asks again");
    lab.write(IRQ, 1);
    lab.run_to(30);
    assert_eq!([lab.read(IRQ), lab.read(ADDR)], [0, 3]);
}

#[test]
fn a_replaced_forced_irq_wait_does_not_affect_the_next_one() {
    let mut lab = Lab::default();
    lab.force(0xC020 | 1); // irq wait 1
    lab.run_to(5);
    lab.force(0xC020 | 2); // irq wait 2
    lab.run_to(10);
    assert_eq!(lab.read(IRQ), 0b110);
    assert_eq!(lab.read(EXECCTRL) >> 31, 1, "stalled");
    lab.write(IRQ, 0b110);
    lab.run_to(15);
    assert_eq!(lab.read(EXECCTRL) >> 31, 0);
}

#[test]
fn a_stalled_forced_out_resumes_and_a_jump_replaces_it() {
    let mut lab = Lab::default();
    lab.write(SHIFTCTRL, RIGHT | AUTOPULL | thresholds(0, 4));
    lab.force(0x6024); // out x, 4
    lab.run_to(5);
    assert_eq!(lab.read(EXECCTRL) >> 31, 1, "stalled");
    lab.write(TXF0, 0x36);
    lab.run_to(10);
    assert_eq!(lab.read(EXECCTRL) >> 31, 0);
    assert_eq!(lab.x(), 6);
    lab.force(0x6024);
    lab.run_to(20);
    lab.force(0x0009); // jmp 9
    lab.run_to(25);
    assert_eq!([lab.read(EXECCTRL) >> 31, lab.read(ADDR)], [0, 9]);
}

#[test]
fn the_word_after_a_forced_out_is_pulled_in_its_next_delay_tick() {
    let program = assemble(0, &["stop:", "jmp stop [31]"]);
    let mut lab = Lab::new(&program);
    lab.write(SHIFTCTRL, RIGHT | AUTOPULL);
    lab.write(CTRL, 1);
    lab.run_to(100);
    // Pulled in the next tick, because the output shift register was empty.
    lab.write(TXF0, 1);
    lab.run_to(102);
    for word in 2..=4 {
        lab.write(TXF0, word);
    }
    lab.force(0x7F20); // out x, 32 [31]
    assert_eq!(lab.read(FLEVEL), 3);
    lab.run_to(lab.pios.cycle + 1);
    assert_eq!(lab.read(FLEVEL), 2);
}

#[test]
fn the_debug_registers_have_a_bit_for_each_of_thirty_pins() {
    let mut lab = Lab::default();
    lab.write(PINCTRL, out_pins(0, 32));
    lab.force(0xA00B); // mov pins, ~null
    lab.force(0xE03F); // set x, 31
    lab.force(0xA0E9); // mov osr, ~x
    lab.force(0x6080); // out pindirs, 32
    assert_eq!([lab.read(DBG_PADOUT), lab.read(DBG_PADOE)], [0x3FFF_FFFF, 0x3FFF_FFE0]);
}

#[test]
fn forced_outs_drain_the_fifo_and_the_output_shift_register() {
    // With autopull, as the SDK drains a transmit FIFO; the machine's clock is slow.
    let program = assemble(0, &["irq wait 0", "out x, 6", "stop:", "jmp stop"]);
    let mut lab = Lab::new(&program);
    lab.write(CLKDIV, 40 << 16);
    lab.write(SHIFTCTRL, RIGHT | AUTOPULL | thresholds(0, 16));
    lab.write(CTRL, 1);
    lab.run_to(100);
    for word in 1..=4 {
        lab.write(TXF0, word);
    }
    let mut forced = 0;
    while lab.read(FSTAT) >> 24 & 1 == 0 {
        lab.force(0x6060); // out null, 32
        lab.run_to(lab.pios.cycle + 4);
        forced += 1;
    }
    assert!(forced <= 4, "{forced}");
    // The next word is the first that the program sees.
    lab.force(1); // jmp 1
    lab.write(IRQ, 1);
    lab.write(TXF0, 33);
    lab.run_to(lab.pios.cycle + 400);
    lab.write(CTRL, 0);
    assert_eq!(lab.x(), 33);
}
