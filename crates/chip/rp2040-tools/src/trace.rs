//! `--trace-instructions`: a line an instruction.
//!
//! ```text
//!          12 0 0x10000234 main+0x12              adds r0, r1, #4          r0 00000005 nzCv
//! ```
//! The register of a device is printed by name: `str r0, [PWM.CH0_CC]`; `:set`, `:clr` and `:xor`
//! are its aliases.
//!
//! The columns: the cycle at the end of the step, the core, the address and its function, the
//! instruction, and the registers that have changed. Flags are capital letters if set. An
//! exception's entry, a fault, a function of the ROM and a reboot are lines as well. After
//! [`TRACE_BYTES_MAX`] bytes the trace ends with a line that says so, and the run continues at full
//! speed.

use std::fmt::Write as _;
use std::io::{self, Write};

use escape::terminal::plain;
use rp2040_emulator::chip::{Chip, Step, StepEvent};
use rp2040_emulator::cpu::StepOutcome;
use rp2040_emulator::disassemble::{disassemble, name};
use rp2040_emulator::image::Symbols;
use rp2040_emulator::instruction::{Instruction, Register};
use rp2040_emulator::registers::register_name;

use crate::observer::Observer;
use crate::touched::access;

/// Largest size of a trace: 1 GiB, some thirteen million instructions, a tenth of a second.
pub const TRACE_BYTES_MAX: u64 = 1 << 30;

/// Writes a line for every step.
#[derive(Debug)]
pub struct Tracer<'a, W: Write> {
    out: W,
    symbols: &'a Symbols,
    /// R0 to R14 and the flags of each core after its last step.
    before: [[u32; 16]; 2],
    /// The line of a step.
    line: String,
    /// Number of bytes that may still be written; 0 after the end of the trace.
    left: u64,
}

impl<'a, W: Write> Tracer<'a, W> {
    /// Creates a tracer of `chip` from its current state on.
    pub fn new(out: W, symbols: &'a Symbols, chip: &Chip) -> Self {
        Self::with_limit(out, symbols, chip, TRACE_BYTES_MAX)
    }

    fn with_limit(out: W, symbols: &'a Symbols, chip: &Chip, left: u64) -> Self {
        let before = [0, 1].map(|core| registers(chip, core));
        Self { out, symbols, before, line: String::new(), left }
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Tracer<'_, W> {
    /// Writes the line of this step, or ends the trace if there is no room for it.
    fn write_line(&mut self, chip: &Chip) -> io::Result<()> {
        let length = self.line.len() as u64;
        if length <= self.left {
            self.left -= length;
            return self.out.write_all(self.line.as_bytes());
        }
        self.left = 0;
        let ns = chip.now_ns();
        writeln!(self.out, "-- the trace ends here, at {ns} ns: a trace has at most 1 GiB")
    }
}

impl<W: Write> Observer for Tracer<'_, W> {
    fn needs_steps(&self) -> bool {
        self.left > 0
    }

    fn step(&mut self, chip: &Chip, step: &Step) -> io::Result<()> {
        if self.left == 0 {
            return Ok(());
        }
        let Step { core, pc, happened } = *step;
        let after = registers(chip, core);
        let before = std::mem::replace(&mut self.before[core], after);
        let what = match happened {
            StepEvent::Core(StepOutcome::Instruction) => match chip.memory().disassemble(pc) {
                Some(instruction) => with_register(instruction, pc, &before),
                None => "(no memory)".into(),
            },
            StepEvent::Core(StepOutcome::Fault) => match chip.core(core).fault() {
                Some(fault) => format!("-- fault: {}", fault.kind),
                None => "-- fault".into(),
            },
            StepEvent::Core(StepOutcome::Entry) => match chip.core(core).exception() {
                Some(exception) => format!("-- {exception}"),
                None => "-- exception".into(),
            },
            StepEvent::RomFunction => "-- function of the ROM".into(),
            StepEvent::Reboot => "-- reboot".into(),
        };
        let place = match self.symbols.find(pc) {
            Some((name, 0)) => plain(name),
            Some((name, offset)) => format!("{}+0x{offset:x}", plain(name)),
            None => String::new(),
        };
        let cycle = chip.core(core).cycles();
        self.line.clear();
        let line = &mut self.line;
        // Writing to a string does not fail.
        let _ = write!(line, "{cycle:>12} {core} 0x{pc:08x} {place:<24} {what:<28}");
        for number in 0..15 {
            if before[number] != after[number] {
                let register = name(Register::new(number as u8));
                let _ = write!(line, " {register} {:08x}", after[number]);
            }
        }
        if before[15] != after[15] {
            let _ = write!(line, " {}", flags(after[15]));
        }
        line.push('\n');
        self.write_line(chip)
    }
}

fn registers(chip: &Chip, core: usize) -> [u32; 16] {
    let core = chip.core(core);
    std::array::from_fn(|number| match number {
        15 => core.xpsr() >> 28,
        _ => core.register(number),
    })
}

/// Disassembles an instruction. The name of a device's register that it accesses replaces the
/// operands that form its address. `before` are R0 to R14.
fn with_register(instruction: Instruction, pc: u32, before: &[u32; 16]) -> String {
    let text = disassemble(instruction, pc);
    let accessed = access(instruction, pc, |register| match register.index() {
        15 => pc.wrapping_add(4),
        number => before[number],
    });
    let register = accessed.and_then(|access| register_name(access.address));
    match (register, text.split_once('[')) {
        (Some(register), Some((operation, _))) => format!("{operation}[{register}]"),
        _ => text,
    }
}

fn flags(bits: u32) -> String {
    let flag = |(bit, letter): (u32, char)| {
        if bits & 1 << bit != 0 { letter } else { letter.to_ascii_lowercase() }
    };
    [(3, 'N'), (2, 'Z'), (1, 'C'), (0, 'V')].map(flag).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use rp2040_emulator::chip::Turns;
    use rp2040_emulator::memory::RAM_BASE;

    use super::*;

    #[test]
    fn a_trace_that_is_too_long_ends_with_a_line_and_the_run_goes_on() {
        let mut chip = Chip::new(4096);
        // b .
        chip.memory_mut().load(RAM_BASE, &[0xFE, 0xE7]).expect("it is RAM");
        chip.core_mut(0).begin(RAM_BASE, RAM_BASE + 0x100, RAM_BASE | 1);
        let symbols = Symbols::default();
        let mut out = Vec::new();
        let mut tracer = Tracer::with_limit(&mut out, &symbols, &chip, 200);
        let mut turns = Turns::default();
        for _ in 0..10 {
            let step = chip.step(&mut turns, 1_000_000).expect("it runs");
            tracer.step(&chip, &step).expect("a vector takes all bytes");
        }
        assert!(!tracer.needs_steps());
        let text = String::from_utf8(out).expect("it is ASCII");
        let last = text.lines().last().expect("there are lines");
        assert!(text.lines().count() == 3 && last.ends_with("at most 1 GiB"), "{text}");
    }
}
