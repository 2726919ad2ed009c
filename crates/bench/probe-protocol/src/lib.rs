//! What the host (`nudge`) and the probe, a second Pico on the wires of a real board, say to each
//! other over the probe's USB serial port.
//!
//! [`message`] is what is said: orders from the host, observations from the probe, each with its
//! [`ProbeTime`]. [`frame`] is a frame on the line: postcard, CRC-32 and COBS, with a sequence
//! number. [`endpoint`] is one end of the line: it numbers and acknowledges frames and sends again
//! what was lost, so that a byte that is lost, doubled or changed is noticed and mended. [`wiring`] is which pin of the
//! probe is joined to which of the board. [`bursts`] packs what was on the LCD's wires, [`tone`] finds tones in the edges of the buzzer's.
//!
//! It opens no port and reads no clock, needs no `std` and no allocator; the probe's firmware and the
//! host use the same code. It knows no trace and no firmware, and of the board only its pins.
#![no_std]

pub mod bursts;
pub mod endpoint;
pub mod frame;
pub mod message;
pub mod tone;
pub mod wiring;

pub use endpoint::{Endpoint, Event, SendError, Statistics};
pub use message::{
    Messages, Observation, Order, OrderError, Packed, ProbeTime, Refusal, Task, Welcome, Wire,
};

/// The version of the protocol. Host and probe of different versions do not talk to each other; the
/// beginnings of [`frame::Control::Hello`] and [`frame::Control::Welcome`] are the same in all versions, so that each
/// can name the other's.
pub const PROTOCOL: u16 = 1;

/// The buttons' lines: GP2 to GP14 of the probe and of the board, in the order of the contacts (B1
/// to B6, T1 to T6, RESET).
pub const LINES: u8 = 13;

/// Tasks that the probe queues. The host keeps at most so many under way; the probe refuses more.
pub const QUEUE: usize = 256;

/// The probe releases every button and drops its queue when it has had no valid frame of its host
/// for this long, in microseconds. The host says something at least four times in this span. The session
/// remains open: when its host is back the probe says [`Observation::Released`]; another host may take its place
/// meanwhile, which is told [`frame::Control::Busy`] otherwise.
pub const KEEP_ALIVE_US: u64 = 1_000_000;

/// The probe sends a [`Observation::Mark`] at least this often while a session is open, in
/// microseconds.
pub const MARK_EVERY_US: u64 = 4_000;

/// The probe's USB vendor number: pid.codes.
pub const USB_VENDOR: u16 = 0x1209;
/// Its product number: pid.codes' number for tests. A device of it is a probe only if it answers a greeting.
pub const USB_PRODUCT: u16 = 0x0001;
/// Its product string. The serial number's string is [`Welcome::serial`].
pub const USB_NAME: &str = "nudge probe";

/// Bits a second of the board's console, 8N1.
pub const UART_BAUD: u32 = 115_200;

const _: () = assert!(MARK_EVERY_US * 10 < KEEP_ALIVE_US);
