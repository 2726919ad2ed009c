//! The sessions of a page.

use std::collections::BTreeMap;
use std::rc::Rc;

use firmware_board::native;
use ili9341_model::Frame;
use reading::text::Reader;
use serde_json::{Value, json};

use crate::asked;
use crate::fault::RequestError;
use crate::inspect;
use crate::open::{self, Opened};
use crate::request::{Bytes, Request};

/// Maximum number of open sessions.
const SESSIONS_MAX: usize = 64;

/// The sessions of a page.
pub struct Engine {
    pub(crate) reader: Rc<Reader>,
    sessions: BTreeMap<u64, Opened>,
    last: u64,
    pixels: Vec<u8>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// Returns an engine without sessions.
    pub fn new() -> Self {
        let reader = Rc::new(Reader::new(native::fonts()));
        Self { reader, sessions: BTreeMap::new(), last: 0, pixels: Vec::new() }
    }

    /// Executes the JSON request in `request` and returns the answer as JSON. `bytes` returns
    /// memory that the request passes.
    pub fn call(&mut self, request: &[u8], bytes: &mut Bytes<'_>) -> Vec<u8> {
        let answer = Request::parse(request).and_then(|request| self.answer(&request, bytes));
        answer.unwrap_or_else(|fault| fault.answer()).to_string().into_bytes()
    }

    /// Returns the picture at a session's current time: red, green, blue, 255 for each pixel.
    pub fn pixels(&mut self, session: u64) -> Option<&[u8]> {
        let session = self.sessions.get(&session)?.session.as_ref().ok()?;
        let frame = session.picture();
        Some(self.pixels_of(&frame))
    }

    /// Returns the last complete frame of a display after the first one, whose number is at least 1, in
    /// the same form.
    pub fn display_pixels(&mut self, session: u64, display: usize) -> Option<&[u8]> {
        let session = self.sessions.get(&session)?.session.as_ref().ok()?;
        let board = session.board();
        let frame = (1..board.display_count())
            .contains(&display)
            .then(|| board.at_display(display).frame_at(session.present()))?;
        Some(self.pixels_of(&frame))
    }

    fn pixels_of(&mut self, frame: &Frame) -> &[u8] {
        self.pixels.clear();
        self.pixels.extend(frame.pixels().iter().flat_map(|pixel| {
            let [_, red, green, blue] = pixel.to_be_bytes();
            [red, green, blue, 0xFF]
        }));
        &self.pixels
    }

    fn answer(&mut self, request: &Request, bytes: &mut Bytes<'_>) -> Result<Value, RequestError> {
        match request.required_text("do")? {
            "version" => Ok(json!({
                "version": env!("CARGO_PKG_VERSION"),
                "source_hash": firmware_core::SOURCE_HASH,
                "boards": ["native", "pico", "described"],
            })),
            "open" => {
                // Takes ownership of the passed memory, even if it fails.
                let opened = open::open(request, bytes, &self.reader)?;
                let answer = opened.answer();
                let session = self.add(opened)?;
                let Value::Object(mut fields) = answer else { return Ok(answer) };
                fields.insert("session".to_owned(), session.into());
                Ok(fields.into())
            }
            "describe" => open::describe(request, bytes),
            "close" => {
                let session = request.number("session")?;
                let closed = self.sessions.remove(&session);
                closed.map(|_| json!({})).ok_or_else(|| no_session(session))
            }
            "branch" => {
                let branch = asked::branch(self.session(request, "session")?, request)?;
                Ok(json!({"session": self.add(branch)?}))
            }
            "compare" => {
                let (a, b) = (request.number("a")?, request.number("b")?);
                let find = |number| self.sessions.get(&number).ok_or_else(|| no_session(number));
                asked::compare(find(a)?, find(b)?)
            }
            "texts" => {
                let reader = Rc::clone(&self.reader);
                asked::texts(self.session(request, "session")?, &reader)
            }
            "pixel" => {
                let reader = Rc::clone(&self.reader);
                inspect::pixel(self.session(request, "session")?, request, &reader)
            }
            "thoughts" => {
                let reader = Rc::clone(&self.reader);
                inspect::thoughts(self.session(request, "session")?, &reader)
            }
            what => asked::carry_out(what, self.session(request, "session")?, request),
        }
    }

    fn session(&mut self, request: &Request, field: &str) -> Result<&mut Opened, RequestError> {
        let number = request.number(field)?;
        self.sessions.get_mut(&number).ok_or_else(|| no_session(number))
    }

    fn add(&mut self, opened: Opened) -> Result<u64, RequestError> {
        if self.sessions.len() >= SESSIONS_MAX {
            return Err(RequestError::new(format!(
                "{SESSIONS_MAX} sessions are open; close one before another is opened"
            )));
        }
        self.last += 1;
        self.sessions.insert(self.last, opened);
        Ok(self.last)
    }
}

fn no_session(number: u64) -> RequestError {
    RequestError::new(format!("there is no session {number}"))
}
