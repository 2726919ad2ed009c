//! The devices on the buses of the I2C controllers: memories, and another controller.

use std::sync::{Arc, Mutex};

use rp2040_emulator::chip::{Chip, I2cTarget};

use crate::board::check;

/// A memory. The first byte after a start for writing is the address at which reading or writing
/// continues. Bytes for `PROTECTED` and above are not acknowledged.
#[derive(Clone, Debug)]
struct Memory {
    address: u16,
    bytes: [u8; 256],
    place: u8,
    begins: bool,
    /// Log of events: `W` and `R` are starts, for writing and for reading, `P` is a stop.
    log: Arc<Mutex<String>>,
}

const PROTECTED: u8 = 0xF0;

impl Memory {
    fn boxed(address: u16) -> (Box<dyn I2cTarget>, Arc<Mutex<String>>) {
        let log = Arc::default();
        let memory =
            Self { address, bytes: [0xFF; 256], place: 0, begins: false, log: Arc::clone(&log) };
        (Box::new(memory), log)
    }

    fn note(&self, what: char) {
        self.log.lock().expect("one thread").push(what);
    }
}

impl I2cTarget for Memory {
    fn start(&mut self, _: u64, address: u16, reading: bool) -> bool {
        let mine = address == self.address;
        if mine {
            self.note(if reading { 'R' } else { 'W' });
            self.begins = !reading;
        }
        mine
    }

    fn write(&mut self, _: u64, byte: u8) -> bool {
        if std::mem::take(&mut self.begins) {
            self.place = byte;
            return true;
        }
        let takes = self.place < PROTECTED;
        if takes {
            self.bytes[usize::from(self.place)] = byte;
            self.place = self.place.wrapping_add(1);
        }
        takes
    }

    fn read(&mut self, _: u64) -> u8 {
        let byte = self.bytes[usize::from(self.place)];
        self.place = self.place.wrapping_add(1);
        byte
    }

    fn stop(&mut self, _: u64) {
        self.note('P');
    }

    fn boxed_clone(&self) -> Box<dyn I2cTarget> {
        Box::new(self.clone())
    }
}

/// An action of the external controller; the actions are executed one after the other.
#[derive(Clone, Copy, Debug)]
enum Action {
    Call { reading: bool },
    Send(u8),
    Fetch(u8),
    End,
}

const OWN: u16 = 0x17;
const I2C_FUNCTION: Option<u32> = Some(3);

fn actions() -> Vec<Action> {
    let send = b"ping".map(Action::Send);
    let fetch = b"pong".map(Action::Fetch);
    let write = [&[Action::Call { reading: false }], &send[..]].concat();
    let read = [&[Action::Call { reading: true }], &fetch[..], &[Action::End]].concat();
    [&write[..], &[Action::End], &read, &write, &read].concat()
}

/// Executes an action; returns false if the chip is not ready for it.
fn act(chip: &mut Chip, action: Action) -> bool {
    match action {
        Action::Call { reading } => chip.call_i2c(1, OWN, reading),
        Action::Send(byte) => chip.send_i2c(1, byte),
        Action::Fetch(expected) => match chip.fetch_i2c(1) {
            Some(byte) => {
                assert_eq!(byte, expected, "what the peripheral answers");
                true
            }
            None => false,
        },
        Action::End => {
            chip.end_i2c_call(1);
            true
        }
    }
}

#[test]
fn i2c_works_as_controller_and_as_target() {
    let (memory, log) = Memory::boxed(0x2C);
    let (other, other_log) = Memory::boxed(0x2A5);
    let mut devices = Some([memory, other]);
    let mut actions = actions().into_iter().peekable();
    let outside = |chip: &mut Chip| {
        for device in devices.take().into_iter().flatten() {
            chip.attach_i2c(0, device);
        }
        if chip.function(6) == I2C_FUNCTION
            && let Some(action) = actions.peek()
            && act(chip, *action)
        {
            actions.next();
        }
    };
    check(
        "i2c",
        outside,
        &[
            "a memory is written and read",
            "a transaction restarts where it turns",
            "more than the FIFO has room for",
            "no device acknowledges an address",
            "a byte is not acknowledged",
            "addresses of ten bits",
            "what cannot be asked for",
            "bytes take their time",
            "it interrupts",
            "as a peripheral it answers",
        ],
    );
    assert!(actions.next().is_none(), "the other controller has not ended");
    let log = log.lock().expect("one thread");
    assert!(log.starts_with("WPWPRPWRPWRPWRWRPWRP"), "{log}");
    assert_eq!(*other_log.lock().expect("one thread"), "WPWRP");
}
