//! Devices with random behaviour: random descriptors, answers, and disconnections. Whatever they
//! do, the host returns in bounded time and memory, and never panics.
//!
//! A failure prints its seed; `seed(…)` below repeats it.

use super::super::wire::Wire;
use super::super::{Answer, Function, Host, PIPE_BYTES, Token, Transaction};
use super::gadget::{DEVICE, Gadget, configuration};

/// Marsaglia's xorshift64.
#[derive(Clone, Copy, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Changes up to four bytes, or the length.
    fn damaged(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        for _ in 0..self.below(5) {
            let at = self.below(bytes.len() as u64) as usize;
            bytes[at] = self.next() as u8;
        }
        if self.below(8) == 0 {
            bytes.truncate(self.below(bytes.len() as u64 + 1) as usize);
        }
        bytes
    }
}

/// A gadget whose answers are sometimes replaced.
struct Chaos {
    gadget: Gadget,
    random: Random,
    /// One answer in `rate` is random.
    rate: u64,
    transactions: u64,
    connected: bool,
}

impl Function for Chaos {
    fn connected(&self) -> bool {
        self.connected
    }

    fn reset(&mut self, ns: u64, begins: bool) {
        self.gadget.reset(ns, begins);
    }

    fn frame(&mut self, _: u64, _: u16) {
        if self.random.below(500) == 0 {
            self.connected = false;
        }
    }

    fn begin(&mut self, ns: u64, transaction: &Transaction) -> Answer {
        self.transactions += 1;
        if self.random.below(self.rate * 50) == 0 {
            self.connected = false;
        }
        let answer = self.gadget.begin(ns, transaction);
        if self.random.below(self.rate) != 0 {
            return answer;
        }
        match self.random.below(6) {
            0 => Answer::Ack,
            1 => Answer::Nak,
            2 => Answer::Stall,
            3 => Answer::Silence,
            4 => {
                let length = self.random.below(1024) as usize;
                let bytes = (0..length).map(|_| self.random.next() as u8).collect();
                Answer::Data { data1: self.random.below(2) == 0, bytes }
            }
            _ => match answer {
                Answer::Data { data1, bytes } if !bytes.is_empty() => {
                    Answer::Data { data1, bytes: self.random.damaged(bytes) }
                }
                answer => answer,
            },
        }
    }

    fn complete(&mut self, ns: u64, transaction: &Transaction, answer: &Answer) {
        // The gadget is notified only if the answer is its own.
        let fits = match (transaction.token, answer) {
            (Token::Setup, _) => true,
            (Token::In, Answer::Data { bytes, .. }) => {
                transaction.endpoint == 0 && bytes.len() <= 8
            }
            (Token::In, _) => false,
            (Token::Out, _) => transaction.endpoint == 0,
        };
        if fits {
            self.gadget.complete(ns, transaction, answer);
        }
    }
}

fn seed(seed: u64) {
    let mut random = Random(seed);
    let rate = [1, 2, 5, 50][random.below(4) as usize];
    let mut device =
        Chaos { gadget: Gadget::two_ports(), random, rate, transactions: 0, connected: true };
    device.gadget.chatters = random.below(2) == 0;
    let mut wire = Wire::new(Host::new());
    for ms in 1..=2000 {
        let now = ms * 1_000_000;
        wire.advance(&mut device, now);
        if ms % 100 == 0 {
            device.connected = true;
            wire.wake(now);
        }
        let port = device.random.below(4) as usize;
        wire.host.send(port, &[b'?'; 100]);
        assert!(wire.host.receive(port).len() <= PIPE_BYTES + 1024);
        if device.random.below(50) == 0 {
            wire.host.open_port(port, device.random.below(2) == 0);
            wire.host.suspend();
            wire.host.resume();
            wire.wake(now);
        }
    }
    wire.host.take_events();
    // A transaction takes at least 4 us.
    assert!(device.transactions < 2_000_000 / 4, "{} transactions", device.transactions);
}

#[test]
fn random_devices_do_not_break_the_host() {
    for number in 1..=60_u64 {
        let number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        if std::panic::catch_unwind(|| seed(number)).is_err() {
            panic!("seed {number:#x}");
        }
    }
}

#[test]
fn random_descriptors_are_read_or_refused() {
    use super::super::{Configuration, DeviceDescriptor};
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let (mut good, mut mended, mut bad) = (0, 0, 0);
    for number in 0..20_000 {
        let bytes = random.damaged(configuration());
        match Configuration::parse(&bytes) {
            Ok(found) => {
                good += 1;
                mended += usize::from(!found.warnings.is_empty());
                let ports = found.serial_functions();
                assert!(ports.len() <= 15 && found.interfaces.len() <= 64, "number {number}");
                found.hid_functions();
            }
            Err(error) => {
                bad += 1;
                assert!(!error.to_string().is_empty());
            }
        }
        let _ = DeviceDescriptor::parse(&random.damaged(DEVICE.to_vec()));
    }
    let counts = format!("{good} good, {mended} of them mended, and {bad} bad ones");
    assert!(good > mended + 1000 && mended > 1000 && bad > 100, "{counts}");
}
