//! The registers that no other test covers.

use super::*;

#[test]
fn after_reset_the_registers_are_the_datasheets() {
    let mut lab = Lab::default();
    for (offset, value) in [
        (CTRL, 0),
        (FSTAT, 0x0F00_0F00),
        (DBG_CFGINFO, 0x0020_0404),
        (CLKDIV, 0x0001_0000),
        (EXECCTRL, 0x0001_F000),
        (SHIFTCTRL, 0x000C_0000),
        (PINCTRL, 0x1400_0000),
        (PINCTRL + 3 * NEXT, 0x1400_0000),
        (INTR, 0xF0),
    ] {
        assert_eq!(lab.read(offset), value, "offset {offset:#x}");
    }
    assert_eq!(lab.pios.read(0, 0x144), None);
    assert_eq!(lab.pios.write(0, 0x144, 0), None);
}

#[test]
fn a_divided_clock_ticks_evenly_and_restarts_in_step() {
    let program = assemble(0, &["set pins, 1", "set pins, 0"]);
    let mut lab = Lab::new(&program).with_pins(&program, set_pins(0, 1));
    lab.write(CLKDIV, 0x0002_8000);
    lab.run_to(10);
    lab.write(CTRL, 1 | 1 << 8);
    lab.run_to(40);
    assert_eq!(lab.wave(0, 10..26), "_##___##___##___");
    // Stopped and started again, the clock has not lost its phase.
    lab.write(CTRL, 0);
    lab.run_to(47);
    lab.write(CTRL, 1);
    lab.run_to(60);
    assert_eq!(lab.wave(0, 46..60), "__###__###__##");
}

#[test]
fn a_restart_clears_delay_stall_and_shift_counts_but_not_the_pc() {
    let program = assemble(0, &["set y, 5 [31]", "in null, 9", "wait 1 irq 0"]);
    let mut lab = Lab::new(&program);
    lab.write(CTRL, 1);
    lab.run_to(4);
    lab.write(CTRL, 1 | 1 << 4);
    lab.run_to(5);
    assert_eq!(lab.read(ADDR), 2, "no delay any more");
    // A forced instruction that stalls is dropped as well.
    lab.write(INSTR, 0x80A0); // pull block
    lab.run_to(8);
    assert_eq!(lab.read(EXECCTRL) >> 31, 1);
    assert_eq!(lab.read(INSTR), 0x80A0);
    lab.write(CTRL, 1 | 1 << 4);
    assert_eq!([lab.read(EXECCTRL) >> 31, lab.read(ADDR)], [0, 2]);
}

#[test]
fn a_forced_instruction_comes_at_once_whatever_the_machine_does() {
    let program = assemble(0, &["wait 1 gpio 3", "irq 0"]);
    let mut lab = Lab::new(&program).with_pins(&program, set_pins(0, 5));
    lab.write(CLKDIV, 100 << 16);
    lab.write(CTRL, 1 | 1 << 8);
    lab.run_to(150);
    lab.write(INSTR, 0xE015); // set pins, 21
    lab.run_to(151);
    assert_eq!([lab.read(DBG_PADOUT), lab.read(ADDR)], [21, 0]);
    assert_eq!(lab.read(INSTR), 0x2083, "the wait goes on");
    // A disabled machine executes it too; a jump moves it.
    lab.write(CTRL, 0);
    lab.write(INSTR, 0x001F);
    lab.run_to(152);
    assert_eq!(lab.read(ADDR), 31);
}

#[test]
fn a_disabled_machine_retains_its_state() {
    let program = assemble(0, &["again:", "jmp y-- again"]);
    let mut lab = Lab::new(&program);
    lab.write(CTRL, 1);
    lab.run_to(10);
    lab.write(CTRL, 0);
    lab.run_to(1000);
    assert!(lab.pios.is_quiet());
    lab.force(0xA0C2); // mov isr, y
    lab.force(0x8000); // push noblock
    // Y was 0 before the first jump, which did not jump but wrapped.
    assert_eq!(lab.read(RXF0), 0u32.wrapping_sub(10));
}
