//! The formats of other tools: waveforms (VCD), captures of logic analysers (CSV of Saleae Logic 2
//! and of sigrok) and scenarios of Wokwi, and their conversion from and to traces.
//!
//! ```text
//!  trace ── replayed on a board, its wires recorded (record) ──► VCD
//!  VCD, CSV ── Capture: edges in order of time ──► presses ──► trace
//!  two captures ── compare ──► the first edge that differs
//!  a capture and a replay's bursts ── observer ──► the first burst that differs
//!  Wokwi scenario ── scenario ──► trace
//! ```
//!
//! A [`Capture`] is an iterator over [`Edge`]s: files of any length are read in bounded memory. The
//! modules: `signal` names the wires, `wiring` maps channels to them, `edge` is a change of a
//! level, `format` recognizes the formats, `capture` opens a file of any of them, `vcd` and `csv`
//! read them, `bounded` limits how much their parsers read for one item, `record` and `waveform`
//! write, `debounce` removes bounce, `presses` makes a trace from edges, `spi` decodes the bytes
//! sent to the LCD, `compare` compares, `observer` compares a capture with a replay's bursts,
//! `scenario` and `yaml` read Wokwi's steps, `perfetto` writes the timeline of a replay.
//!
//! The crate knows wires and buttons, but neither a game nor the firmware.

pub mod bounded;
pub mod capture;
pub mod compare;
mod csv;
pub mod debounce;
pub mod edge;
pub mod error;
pub mod format;
pub mod loss;
pub mod observer;
pub mod perfetto;
pub mod presses;
pub mod record;
pub mod scenario;
pub mod signal;
pub mod spi;
mod vcd;
pub mod waveform;
pub mod wiring;
mod yaml;

pub use capture::Capture;
pub use edge::Edge;
pub use error::{FormatError, FormatErrorKind};
pub use format::FileFormat;
pub use signal::Signal;
pub use wiring::{WireMap, Wiring, WiringError};
