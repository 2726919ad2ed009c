//! A dispatcher with the board `native`, called as by a client.

mod played;
mod protocol;
mod real;
#[cfg(unix)]
mod socket;
mod starting;
mod words;

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use firmware_board::native;
use hal_mock::{Machine, setup::SetupError};
use reading::text::Reader;
use serde_json::{Value, json};
use trace::Trace;

use crate::{BoardProvider, Dispatcher, Fault, Maker, Pixel, ProviderError, SessionFolder};

#[derive(Clone, Copy)]
pub(crate) struct Boards;

impl BoardProvider for Boards {
    fn board(&self, name: &str) -> Result<Box<dyn Maker>, ProviderError> {
        match name {
            "native" => Ok(Box::new(Native)),
            "real" => Ok(Box::new(real::RealBoard)),
            _ => Err(format!("no {name}").into()),
        }
    }

    fn reader(&self) -> Reader {
        Reader::new(native::fonts())
    }

    fn version(&self) -> String {
        "test".to_owned()
    }
}

thread_local! {
    /// Machines that were built on this thread.
    pub(crate) static BUILT: Cell<usize> = const { Cell::new(0) };
}

struct Native;

impl Maker for Native {
    fn machine(&self, trace: &Trace) -> Result<Box<dyn Machine>, SetupError> {
        BUILT.set(BUILT.get() + 1);
        native::build(trace, None)
    }

    fn why(&self, pixel: &Pixel<'_>) -> Result<Value, ProviderError> {
        Ok(json!({"x": pixel.x, "lines": pixel.trace.lines.len()}))
    }
}

/// A dispatcher whose files are in `folder`.
pub(crate) fn dispatcher(folder: &Path, records: bool) -> Dispatcher {
    Dispatcher::new(Rc::new(Boards), SessionFolder::new(folder, records).expect("a folder"))
}

/// Calls a method, and expects an answer.
#[track_caller]
pub(crate) fn ask(dispatcher: &mut Dispatcher, method: &str, params: Value) -> Value {
    dispatcher.call(method, Some(params)).unwrap_or_else(|fault| panic!("{method}: {fault:?}"))
}

/// Calls a method, and expects a fault.
#[track_caller]
pub(crate) fn refused(dispatcher: &mut Dispatcher, method: &str, params: Value) -> Fault {
    dispatcher.call(method, Some(params)).expect_err(method)
}
