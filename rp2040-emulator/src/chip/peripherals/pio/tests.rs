use super::registers::*;
use super::*;
use assembler::{Program, assemble};

mod assembler;
mod bursts;
mod fifos;
mod forced;
mod instructions;
mod pins;
mod random;
mod reset_values;
mod stopped;
mod waveforms;

/// Registers of machine 0.
const CLKDIV: u32 = SM0_CLKDIV;
const EXECCTRL: u32 = SM0_CLKDIV + SM_EXECCTRL;
const SHIFTCTRL: u32 = SM0_CLKDIV + SM_SHIFTCTRL;
const ADDR: u32 = SM0_CLKDIV + SM_ADDR;
const INSTR: u32 = SM0_CLKDIV + SM_INSTR;
const PINCTRL: u32 = SM0_CLKDIV + SM_PINCTRL;
/// Distance between the registers of two machines.
const NEXT: u32 = SM_STRIDE;

/// Values of PINCTRL's fields.
const SET_5: u32 = 5 << 26;
fn out_pins(base: u32, count: u32) -> u32 {
    base | count << 20
}
fn set_pins(base: u32, count: u32) -> u32 {
    base << 5 | count << 26
}
fn side_pins(base: u32) -> u32 {
    base << 10
}
fn in_pins(base: u32) -> u32 {
    base << 15
}
/// Values of SHIFTCTRL's fields; the directions are those after reset, right.
const RIGHT: u32 = 3 << 18;
const AUTOPUSH: u32 = 1 << 16;
const AUTOPULL: u32 = 1 << 17;
fn thresholds(push: u32, pull: u32) -> u32 {
    (push & 31) << 20 | (pull & 31) << 25
}

/// Pins that follow the PIOs where these drive them, and `outside` elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Board {
    outside: u32,
    /// History of the outputs, with the cycle from which on each was driven.
    history: Vec<(u64, [Outputs; 2])>,
    levels: u32,
    /// Number of bursts, if it takes any.
    bursts: Bursts,
}

/// A count of bursts, which makes no difference between boards.
#[derive(Clone, Debug, Default)]
struct Bursts(Option<u32>);

impl PartialEq for Bursts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Bursts {}

impl Board {
    fn settle(&mut self, outputs: [Outputs; 2]) -> u32 {
        let enables = outputs.iter().fold(0, |all, outputs| all | outputs.enables);
        let levels = outputs.iter().fold(0, |all, outputs| all | outputs.levels & outputs.enables);
        self.levels = levels | self.outside & !enables;
        self.levels
    }
}

impl World for Board {
    fn drive(&mut self, cycle: u64, outputs: [Outputs; 2]) -> u32 {
        self.history.push((cycle, outputs));
        self.settle(outputs)
    }

    fn takes_burst(&self, _: usize, _: u32) -> bool {
        self.bursts.0.is_some()
    }

    fn burst(&mut self, burst: &Burst, outputs: [Outputs; 2]) -> [u32; 3] {
        self.bursts.0 = self.bursts.0.map(|count| count + 1);
        burst::drive_edges(self, burst, outputs, 0, self.levels)
    }

    fn words(&mut self, words: Words, mut outputs: [Outputs; 2]) -> [u32; 3] {
        let mut inputs = [self.levels; 3];
        let mut before = words.before;
        for (cycle, levels) in words.edges() {
            let changed = std::mem::replace(&mut before, levels) != levels;
            outputs[words.block].levels = levels;
            let now = if changed { self.drive(cycle, outputs) } else { inputs[2] };
            inputs = [inputs[1], inputs[2], now];
        }
        inputs
    }

    fn pins_interrupt(&self) -> bool {
        self.levels & 1 != 0
    }
}

/// Both PIOs on a board. Unless stated otherwise, functions use PIO0 and its machine 0.
#[derive(Clone, Debug, Default)]
struct Lab {
    pios: Pios,
    board: Board,
}

impl Lab {
    /// Loads a program into PIO0 from address 0 on, with its wrap and side-set for machine 0.
    fn new(program: &Program) -> Self {
        let mut lab = Self::default();
        for (n, word) in program.code.iter().enumerate() {
            lab.write(INSTR_MEM0 + 4 * n as u32, (*word).into());
        }
        lab.configure(0, program, 0, 0);
        lab
    }

    /// Configures wrap and side-set of a program, and these fields, for a machine.
    fn configure(&mut self, number: u32, program: &Program, pins: u32, exec: u32) {
        let wrap = program.wrap.0 << 12 | program.wrap.1 << 7;
        let optional = u32::from(program.side_is_optional) << 30;
        let directions = u32::from(program.side_sets_directions) << 29;
        self.write(EXECCTRL + NEXT * number, wrap | optional | directions | exec);
        self.write(PINCTRL + NEXT * number, pins | program.side_bits << 29);
    }

    /// Configures machine 0 with these fields of PINCTRL.
    fn with_pins(mut self, program: &Program, pins: u32) -> Self {
        self.configure(0, program, pins, 0);
        self
    }

    fn write(&mut self, offset: u32, value: u32) {
        assert_eq!(self.pios.write(0, offset, value), Some(()), "offset {offset:#x}");
    }

    fn read(&mut self, offset: u32) -> u32 {
        self.pios.read(0, offset).unwrap_or_else(|| panic!("nothing at {offset:#x}"))
    }

    fn run_to(&mut self, cycle: u64) {
        self.pios.advance(cycle, &mut self.board);
    }

    /// Executes an instruction by SMx_INSTR.
    fn force(&mut self, word: u16) {
        self.write(INSTR, word.into());
        self.run_to(self.pios.cycle + 1);
    }

    /// Returns X, by way of the receive FIFO. The program must not run.
    fn x(&mut self) -> u32 {
        self.force(0xA0C1); // mov isr, x
        self.force(0x8000); // push noblock
        self.read(RXF0)
    }

    /// Drives pins from outside.
    fn outside(&mut self, levels: u32) {
        self.board.outside = levels;
        let inputs = self.board.settle(self.pios.outputs());
        self.pios.set_inputs(inputs);
    }

    /// Returns the levels at which PIO0 drove a pin in each of these cycles.
    fn wave(&self, pin: u32, cycles: std::ops::Range<u64>) -> String {
        let level = |cycle| {
            let latest = self.board.history.iter().rfind(|(since, _)| *since <= cycle);
            latest.is_some_and(|(_, outputs)| outputs[0].levels >> pin & 1 != 0)
        };
        cycles.map(|cycle| if level(cycle) { '#' } else { '_' }).collect()
    }
}

#[test]
fn a_waiting_machine_costs_nothing_and_resumes_on_the_event() {
    let program = assemble(0, &["pull block", "out pins, 32"]);
    let mut lab = Lab::new(&program).with_pins(&program, out_pins(0, 32));
    lab.write(CTRL, 1);
    lab.run_to(5);
    assert!(lab.pios.is_quiet());
    lab.run_to(1_000_000_000_000);
    lab.write(TXF0, 0x1234);
    assert!(!lab.pios.is_quiet());
    lab.run_to(1_000_000_000_010);
    assert_eq!(lab.read(DBG_PADOUT), 0x1234);
    // Pull in the first cycle, out in the second, on the pins in the third.
    assert_eq!(lab.board.history[0].0, 1_000_000_000_002);
    assert!(lab.pios.is_quiet());
}

#[test]
fn the_cycle_of_a_change_is_predicted() {
    let mut lines = vec!["set x, 31", "loop:"];
    lines.extend(["in null, 1"; 7]);
    lines.extend(["jmp x-- loop", "push", "irq 2"]);
    let program = assemble(0, &lines);
    let mut lab = Lab::new(&program);
    lab.write(IRQ0_INTE, 1 << 10);
    lab.write(CTRL, 1);
    let next = lab.pios.next(0, false, Board::default);
    assert_eq!(next, 64, "looks so far at first");
    lab.run_to(next);
    // 1 for the SET, 8 for each of 32 rounds, 1 for the PUSH, 1 for the IRQ.
    let next = lab.pios.next(0, false, Board::default);
    assert_eq!(next, 64 + 128);
    lab.run_to(next);
    let next = lab.pios.next(0, false, Board::default);
    assert_eq!(next, 1 + 32 * 8 + 1 + 1);
    lab.run_to(next - 1);
    assert_eq!(lab.pios.interrupts(), 0);
    lab.run_to(next);
    assert_eq!(lab.pios.interrupts(), 1);
    // A word in the receive FIFO arrives one cycle earlier.
    let mut lab = Lab::new(&program);
    lab.write(CTRL, 1);
    lab.run_to(200);
    assert_eq!(lab.pios.next(0, false, Board::default), u64::MAX, "no listener");
    assert_eq!(lab.pios.next(1 << 4, false, Board::default), next - 1);
}

#[test]
fn a_counting_loop_is_skipped_in_one_step() {
    let code = ["loop:", "jmp x!=y, more", "irq 2", "more:", "nop", "jmp x-- loop [3]"];
    let mut lab = Lab::new(&assemble(0, &code));
    lab.write(IRQ0_INTE, 1 << 10);
    for (word, to) in [(5_000_000, 0xA027), (2_000_000, 0xA047)] {
        lab.write(TXF0, word);
        lab.force(0x80A0); // pull block
        lab.force(to); // mov x, osr; mov y, osr
    }
    lab.write(CLKDIV, 100 << 16);
    lab.write(CTRL, 1 | 1 << CTRL_CLKDIV_RESTART_LSB);
    let begin = lab.pios.cycle;
    // Each iteration has six ticks of 100 cycles. The IRQ comes in the iteration in which X equals
    // Y.
    let flag = begin + 600 * 3_000_000 + 101;
    assert_eq!(lab.pios.next(0, false, Board::default), flag);
    lab.run_to(begin + 600 * 1_000_000 + 1);
    lab.write(CTRL, 0);
    assert_eq!(lab.x(), 4_000_000);
    lab.write(CTRL, 1);
    assert_eq!(lab.pios.next(0, false, Board::default), flag);
    lab.run_to(flag - 1);
    assert_eq!(lab.pios.interrupts(), 0);
    lab.run_to(flag);
    assert_eq!(lab.pios.interrupts(), 1);
}

#[test]
fn one_pio_reads_what_the_other_drives() {
    let blink = assemble(0, &["set pindirs, 1", "set pins, 1 [9]", "set pins, 0"]);
    let mut lab = Lab::new(&blink).with_pins(&blink, set_pins(7, 1));
    let wait = assemble(0, &["wait 1 gpio 7", "in pins, 32", "push"]);
    for (n, word) in wait.code.iter().enumerate() {
        lab.pios.write(1, INSTR_MEM0 + 4 * n as u32, (*word).into());
    }
    lab.pios.write(1, CTRL, 1);
    lab.write(CTRL, 1);
    lab.run_to(20);
    // On the pin from cycle 2 on, seen in cycle 4, pushed in cycle 6.
    assert_eq!(lab.pios.read(1, RXF0), Some(1 << 7));
    assert_eq!(lab.wave(7, 0..14), "__##########__");
}

#[test]
fn a_reset_clears_one_pio() {
    let program = assemble(0, &["set pins, 31", "irq 0"]);
    let mut lab = Lab::new(&program).with_pins(&program, SET_5);
    lab.write(CTRL, 1);
    lab.run_to(3);
    lab.pios.write(1, PINCTRL, 0x1234);
    lab.pios.reset(0);
    assert_eq!(lab.pios.outputs()[0], Outputs::default());
    assert_eq!([CTRL, IRQ, FSTAT].map(|offset| lab.read(offset)), [0, 0, 0x0F00_0F00]);
    assert_eq!(lab.pios.read(1, PINCTRL), Some(0x1234));
}
