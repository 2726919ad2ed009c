//! Boards that a program drives: requests in JSON-RPC 2.0, or an assistant's tool calls.
//!
//! [`Dispatcher`] has the sessions of one client, [`answer`] passes a request of JSON-RPC to a
//! dispatcher and [`McpDispatcher`] one of an assistant, [`serve`] takes lines from any reader
//! and writes answers. `docs/serve.md` is the interface.
//!
//! Inside: `session` sends the requests of a session to a board that `timeline` drives, and words
//! its errors; `recording` is the file of a session; `provider` is the interface to the boards;
//! `goldens` compares its frames, `session_folder` is the folder of the files; `reading` words
//! what a board shows; `params` reads the parameters of a request; `methods` is the table of all
//! methods, `dispatcher` executes them; `rpc` and `mcp` are the two protocols, `lines` their
//! lines, `socket` the Unix socket.
//!
//! **Invariant:** an input of a board is a line of its trace before it happens, or it does not
//! happen. It knows no firmware: a [`BoardProvider`] makes the boards. A session reads no wall
//! clock; `socket` does, to disconnect silent clients.

mod dispatcher;
mod fault;
mod goldens;
mod lines;
mod mcp;
mod methods;
mod params;
mod provider;
mod reading;
mod recording;
mod rpc;
mod session;
mod session_folder;
#[cfg(unix)]
mod socket;
#[cfg(test)]
mod tests;

pub use dispatcher::{Dispatcher, SESSIONS_MAX};
pub use fault::{Fault, FaultKind};
pub use lines::{REQUEST_BYTES_MAX, serve};
pub use mcp::McpDispatcher;
pub use methods::{METHODS, Method, Param};
pub use provider::{BoardProvider, Maker, Pixel, ProviderError};
pub use rpc::{Call, answer};
pub use session_folder::SessionFolder;
#[cfg(unix)]
pub use socket::{CLIENTS_MAX, ListenError, Listening, listen};
