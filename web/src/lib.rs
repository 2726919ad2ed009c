//! The machine for a page: requests and answers in JSON over [`timeline`]'s sessions.
//!
//! `docs/web-engine.md` is the interface. [`Engine`] carries a request out; `exports` is what the
//! WebAssembly module exports: linear memory, and pointers into it. The module imports nothing.
//!
//! Inside: `request` reads fields, `open` opens a session, `asked` carries the requests out, `inspect` those
//! about a moment, `answer` words states and timelines. No request can make it panic: what is wrong with one is a [`Fault`].

mod answer;
mod asked;
mod engine;
mod exports;
mod fault;
mod inspect;
mod open;
mod request;
#[cfg(test)]
mod tests;

pub use engine::{Bytes, Engine};
pub use fault::Fault;
