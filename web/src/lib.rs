//! The machine for a page: requests and answers in JSON over [`timeline`]'s sessions.
//!
//! `docs/web-engine.md` describes the interface. [`Engine`] executes requests; `exports` has the
//! exports of the WebAssembly module: linear memory, and pointers into it. The module imports
//! nothing.
//!
//! `request` reads fields, `open` opens a session, `described` makes the board of a board file,
//! `asked` executes requests about a session, `controls` moves encoders, switches, joysticks and
//! potentiometers, `inspect` those about its current time, `answer` writes states and timelines as
//! JSON. No request can cause a panic: an invalid request is answered with a [`RequestError`].

mod answer;
mod asked;
mod controls;
mod described;
mod engine;
mod exports;
mod fault;
mod inspect;
mod open;
mod request;
#[cfg(test)]
mod tests;

pub use engine::Engine;
pub use fault::RequestError;
pub use request::Bytes;
