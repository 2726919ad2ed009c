//! Semihosting: requests of a program to the debugger by BKPT 0xAB (ARM's "Semihosting for AArch32
//! and AArch64", release 2.0).
//!
//! [`Semihosting`] answers the operations that a program without files needs: console, command
//! line, time, and the user-defined operations, which it passes to the caller. Requests to end are
//! left to [`crate::ending`]. There are no files: opening one fails. Time is virtual, and so is the
//! date: 1970 plus the time since power-on, so that a run is the same whenever it is repeated.
//!
//! No pointer of the program is trusted: an address outside the memory ends a text, and makes a
//! call fail.

use rp2040_emulator::chip::Chip;
use rp2040_emulator::memory::{RAM_BASE, RAM_SIZE};

/// Number of the BKPT for semihosting.
pub const SEMIHOSTING: u8 = 0xAB;
/// Operation by which the program ends.
pub const SYS_EXIT: u32 = 0x18;
/// Operation by which the program ends with an exit code.
pub const SYS_EXIT_EXTENDED: u32 = 0x20;

const SYS_OPEN: u32 = 0x01;
const SYS_CLOSE: u32 = 0x02;
const SYS_WRITEC: u32 = 0x03;
const SYS_WRITE0: u32 = 0x04;
const SYS_WRITE: u32 = 0x05;
const SYS_READ: u32 = 0x06;
const SYS_READC: u32 = 0x07;
const SYS_ISTTY: u32 = 0x09;
const SYS_CLOCK: u32 = 0x10;
const SYS_TIME: u32 = 0x11;
const SYS_ERRNO: u32 = 0x13;
const SYS_GET_CMDLINE: u32 = 0x15;
const SYS_ELAPSED: u32 = 0x30;
const SYS_TICKFREQ: u32 = 0x31;
/// First user-defined operation.
const USER_DEFINED: u32 = 0x100;
/// Last user-defined operation.
const USER_DEFINED_MAX: u32 = 0x1FF;

/// Name of the console.
const CONSOLE: &[u8] = b":tt";
/// Handles of the console: input, output, errors.
const HANDLES: [u32; 3] = [1, 2, 3];
/// Number of ticks of SYS_ELAPSED per second: microseconds.
const TICKS: u32 = 1_000_000;
/// Maximum number of bytes of a text that are taken in one call. SYS_WRITE returns the number of
/// bytes left.
const TEXT_MAX: u32 = 64 * 1024;
const FAILED: u32 = u32::MAX;

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// The call is answered; the program continues.
    Answered,
    /// The program writes this to its console. The call is answered too.
    Console(Vec<u8>),
    /// A user-defined operation with its argument, R1. The answer in R0 is 0.
    User(u32, u32),
    /// The program requests to end, or uses an operation that is not implemented.
    Unanswered(u32),
}

/// The debugger's side of semihosting.
#[derive(Clone, Debug, Default)]
pub struct Semihosting {
    command_line: String,
}

impl Semihosting {
    /// Creates the debugger's side for a program with this command line.
    pub fn new(command_line: String) -> Self {
        Self { command_line }
    }

    /// Answers the call at which `core` of `chip` has stopped.
    pub fn answer(&self, chip: &mut Chip, core: u8) -> Call {
        let [operation, argument] = [0, 1].map(|number| chip.core(core.into()).register(number));
        let mut console = None;
        let word = |index: u32| chip.memory().word(argument.wrapping_add(4 * index));
        let microseconds = chip.now_ns() / 1_000;
        let answer = match operation {
            SYS_OPEN => open(chip, word(0), word(1), word(2)),
            SYS_CLOSE | SYS_ERRNO => 0,
            SYS_WRITEC => {
                console = chip.memory().byte(argument).map(|byte| vec![byte]);
                0
            }
            SYS_WRITE0 => {
                let bytes = text(chip, argument, TEXT_MAX);
                console = Some(bytes.into_iter().take_while(|byte| *byte != 0).collect());
                0
            }
            SYS_WRITE => match (word(0), word(1), word(2)) {
                (Some(handle), Some(at), Some(length)) if HANDLES[1..].contains(&handle) => {
                    let bytes = text(chip, at, length.min(TEXT_MAX));
                    let left = length - bytes.len() as u32;
                    console = Some(bytes);
                    left
                }
                (_, _, length) => length.unwrap_or(FAILED),
            },
            // The console has no input: 0 bytes are read.
            SYS_READ => word(2).unwrap_or(FAILED),
            SYS_READC => FAILED,
            SYS_ISTTY => u32::from(word(0).is_some_and(|handle| HANDLES.contains(&handle))),
            SYS_CLOCK => (microseconds / 10_000) as u32,
            SYS_TIME => (microseconds / u64::from(TICKS)) as u32,
            SYS_TICKFREQ => TICKS,
            SYS_ELAPSED => {
                if put(chip, argument, &microseconds.to_le_bytes()) {
                    0
                } else {
                    FAILED
                }
            }
            SYS_GET_CMDLINE => match (word(0), word(1)) {
                (Some(at), Some(room)) => self.give_command_line(chip, argument, at, room),
                _ => FAILED,
            },
            USER_DEFINED..=USER_DEFINED_MAX => {
                chip.core_mut(core.into()).set_register(0, 0);
                return Call::User(operation, argument);
            }
            _ => return Call::Unanswered(operation),
        };
        chip.core_mut(core.into()).set_register(0, answer);
        console.map_or(Call::Answered, Call::Console)
    }

    fn give_command_line(&self, chip: &mut Chip, block: u32, at: u32, room: u32) -> u32 {
        let mut line = self.command_line.clone().into_bytes();
        let length = line.len() as u32;
        line.push(0);
        let fits = line.len() as u64 <= u64::from(room);
        // The length does not include the terminating zero.
        let done =
            fits && put(chip, at, &line) && put(chip, block.wrapping_add(4), &length.to_le_bytes());
        if done { 0 } else { FAILED }
    }
}

/// Executes SYS_OPEN: the console has one handle per direction, chosen by the mode.
fn open(chip: &Chip, name: Option<u32>, mode: Option<u32>, length: Option<u32>) -> u32 {
    let (Some(name), Some(mode), Some(length)) = (name, mode, length) else { return FAILED };
    if length != CONSOLE.len() as u32 || text(chip, name, length) != CONSOLE {
        return FAILED;
    }
    match mode {
        0..=3 => HANDLES[0],
        4..=7 => HANDLES[1],
        8..=11 => HANDLES[2],
        _ => FAILED,
    }
}

/// Returns at most `length` bytes from `at`; fewer if the memory ends there.
pub fn text(chip: &Chip, at: u32, length: u32) -> Vec<u8> {
    (0..length).map_while(|offset| chip.memory().byte(at.checked_add(offset)?)).collect()
}

/// Writes to the RAM. Returns whether the addresses exist.
fn put(chip: &mut Chip, at: u32, bytes: &[u8]) -> bool {
    let end = u64::from(at) + bytes.len() as u64;
    at >= RAM_BASE
        && end <= u64::from(RAM_BASE) + RAM_SIZE as u64
        && chip.memory_mut().load(at, bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: u32 = RAM_BASE + 0x100;
    const TEXT: u32 = RAM_BASE + 0x200;

    /// Executes a call with this block. Returns its result and the value of R0 after it.
    #[track_caller]
    fn call(chip: &mut Chip, operation: u32, block: &[u32]) -> (Call, u32) {
        let bytes: Vec<u8> = block.iter().flat_map(|word| word.to_le_bytes()).collect();
        chip.memory_mut().load(BLOCK, &bytes).unwrap();
        chip.core_mut(0).set_register(0, operation);
        chip.core_mut(0).set_register(1, BLOCK);
        let call = Semihosting::new("run one".into()).answer(chip, 0);
        (call, chip.core(0).register(0))
    }

    fn chip() -> Chip {
        let mut chip = Chip::new(4096);
        chip.memory_mut().load(TEXT, b":tt\0stored\0").unwrap();
        chip
    }

    #[test]
    fn the_console_is_opened_by_name_and_accepts_text() {
        let mut chip = chip();
        assert_eq!(call(&mut chip, SYS_OPEN, &[TEXT, 4, 3]), (Call::Answered, 2));
        assert_eq!(call(&mut chip, SYS_OPEN, &[TEXT, 0, 3]), (Call::Answered, 1));
        assert_eq!(call(&mut chip, SYS_OPEN, &[TEXT + 4, 4, 3]), (Call::Answered, FAILED));
        let said = |text: &[u8]| Call::Console(text.to_vec());
        assert_eq!(call(&mut chip, SYS_WRITE, &[2, TEXT + 4, 3]), (said(b"sto"), 0));
        assert_eq!(call(&mut chip, SYS_WRITE, &[1, TEXT + 4, 3]), (Call::Answered, 3));
        chip.core_mut(0).set_register(0, SYS_WRITE0);
        chip.core_mut(0).set_register(1, TEXT + 4);
        assert_eq!(Semihosting::default().answer(&mut chip, 0), said(b"stored"));
    }

    #[test]
    fn the_command_line_is_written_if_it_fits() {
        let mut chip = chip();
        assert_eq!(call(&mut chip, SYS_GET_CMDLINE, &[TEXT, 7]), (Call::Answered, FAILED));
        assert_eq!(call(&mut chip, SYS_GET_CMDLINE, &[TEXT, 8]), (Call::Answered, 0));
        assert_eq!(chip.memory().bytes(TEXT), Some(*b"run one\0"));
        assert_eq!(chip.memory().word(BLOCK + 4), Some(7));
        assert_eq!(call(&mut chip, SYS_GET_CMDLINE, &[0x1000_0000, 80]), (Call::Answered, FAILED));
    }

    #[test]
    fn invalid_pointers_fail_and_are_not_followed() {
        let mut chip = chip();
        let (said, left) = call(&mut chip, SYS_WRITE, &[2, RAM_BASE + RAM_SIZE as u32 - 1, 9]);
        assert_eq!((said, left), (Call::Console(vec![0]), 8));
        let (said, left) = call(&mut chip, SYS_WRITE, &[2, u32::MAX, u32::MAX]);
        assert_eq!((said, left), (Call::Console(vec![]), u32::MAX));
        assert_eq!(call(&mut chip, SYS_OPEN, &[u32::MAX, 4, 3]), (Call::Answered, FAILED));
    }

    #[test]
    fn ending_and_unknown_operations_are_left_to_the_caller() {
        let mut chip = chip();
        assert_eq!(call(&mut chip, SYS_EXIT, &[]).0, Call::Unanswered(SYS_EXIT));
        assert_eq!(call(&mut chip, 0x12, &[]), (Call::Unanswered(0x12), 0x12));
        assert_eq!(call(&mut chip, 0x100, &[]), (Call::User(0x100, BLOCK), 0));
        assert_eq!(call(&mut chip, SYS_TICKFREQ, &[]), (Call::Answered, TICKS));
    }
}
