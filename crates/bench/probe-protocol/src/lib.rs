//! The protocol between the host (`nudge`) and the probe, a second Pico on the wires of a real
//! board, over the probe's USB serial port.
//!
//! [`message`] defines the messages: orders from the host, observations from the probe, each with
//! its [`ProbeTime`]. [`frame`] is a frame on the line: postcard, CRC-32 and COBS, with a sequence
//! number. [`endpoint`] is one end of the line: it numbers and acknowledges frames and sends lost
//! ones again, so that a lost, doubled or changed byte is detected and repaired. [`wiring`] defines
//! which pin of the probe is connected to which pin of the board. [`bursts`] packs the traffic on
//! the LCD's wires; [`tone`] finds tones in the edges of the buzzer's wire; [`swd`] has the
//! operations on the board's debug port.
//!
//! The crate opens no port and reads no clock, and needs neither `std` nor an allocator; the
//! probe's firmware and the host use the same code. It knows no trace and no firmware, and of the
//! board only its pins.
#![no_std]

pub mod bursts;
pub mod endpoint;
pub mod frame;
pub mod message;
pub mod swd;
pub mod tone;
pub mod wiring;

pub use endpoint::{Endpoint, Event, SendError, Statistics};
pub use message::{
    Messages, Observation, Order, OrderError, Packed, ProbeTime, Refusal, Task, Welcome, Wire,
};

/// Version of the protocol. Host and probe of different versions do not communicate. The beginnings
/// of [`frame::Control::Hello`] and [`frame::Control::Welcome`] are the same in all versions, so
/// that each can name the other's version.
pub const PROTOCOL: u16 = 3;

/// Number of button lines: GP2 to GP14 of the probe and of the board, in the order of the contacts
/// (B1 to B6, T1 to T6, RESET).
pub const LINES: u8 = 13;

/// Number of tasks that the probe queues. The host keeps at most this many pending; the probe
/// refuses more.
pub const QUEUE: usize = 256;

/// Time without a valid frame from its host after which the probe releases every button and drops
/// its queue, in microseconds. The host sends a frame at least four times in this time. The session
/// remains open: when its host is back the probe sends [`Observation::Released`]. In the meantime
/// another host may take over; otherwise it receives [`frame::Control::Busy`].
pub const KEEP_ALIVE_US: u64 = 1_000_000;

/// Longest interval between two [`Observation::Mark`]s of the probe while a session is open, in
/// microseconds.
pub const MARK_EVERY_US: u64 = 4_000;

/// USB vendor ID of the probe: pid.codes.
pub const USB_VENDOR: u16 = 0x1209;
/// USB product ID of the probe: the test ID of pid.codes. A device with this ID is a probe only if
/// it answers a greeting.
pub const USB_PRODUCT: u16 = 0x0001;
/// USB product string of the probe. The serial number's string is [`Welcome::serial`].
pub const USB_NAME: &str = "nudge probe";

/// Baud rate of the board's console, 8N1.
pub const UART_BAUD: u32 = 115_200;

const _: () = assert!(MARK_EVERY_US * 10 < KEEP_ALIVE_US);
