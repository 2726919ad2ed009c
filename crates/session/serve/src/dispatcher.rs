//! The sessions of one client, and the requests about them.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use ::reading::text::Reader;
use host::output_files::{Output, demand_extension};
use serde_json::{Value, json};
use trace::{
    Action, BOARD_KEY, BoardParts, Button, FrameCheck, HeaderEntry, MIN_HOLD, is_name, parse_action,
};
use virtual_time::{Instant, Nanos};

use crate::fault::{Fault, FaultKind};
use crate::methods::Method;
use crate::params::Params;
use crate::provider::BoardProvider;
use crate::reading;
use crate::session::{Boot, Session};
use crate::session_folder::{self, SessionFolder};

/// Maximum number of sessions of a client at a time, including forks.
pub const SESSIONS_MAX: usize = 16;

/// The sessions of one client.
pub struct Dispatcher {
    provider: Rc<dyn BoardProvider>,
    reader: Rc<Reader>,
    folder: SessionFolder,
    sessions: BTreeMap<u64, Session>,
    last: u64,
}

impl Dispatcher {
    /// Returns a dispatcher without sessions. Files are read and written in `folder`.
    pub fn new(provider: Rc<dyn BoardProvider>, folder: SessionFolder) -> Self {
        let reader = Rc::new(provider.reader());
        Self { provider, reader, folder, sessions: BTreeMap::new(), last: 0 }
    }

    /// Executes a request.
    ///
    /// # Errors
    /// The fault in the request, or what was not found.
    pub fn call(&mut self, method: &str, params: Option<Value>) -> Result<Value, Fault> {
        let Some(method) = Method::named(method) else {
            let message = format!("there is no method `{method}`");
            return Err(Fault::new(FaultKind::Method, message));
        };
        let params = Params::of(method, params)?;
        match method.name {
            "version" => Ok(json!({"nudge": self.provider.version(), "protocol": 1})),
            "boot" => caught(|| self.boot(&params)),
            "sessions" => {
                let sessions = self.sessions.iter();
                let sessions: Vec<Value> =
                    sessions.map(|(number, session)| self.summary(*number, session)).collect();
                Ok(json!({"sessions": sessions}))
            }
            "fork" => {
                let number = self.number(&params)?;
                let at = params.time("at")?;
                let file = self.recording(params.text("record")?)?;
                self.may_have_another()?;
                let session = self.session(number)?;
                let at = by_now(session, "at", at.unwrap_or(session.clock()))?;
                let fork = caught(|| session.as_of(at, file))?;
                Ok(self.add(fork))
            }
            "rewind" => caught(|| self.rewind(&params)),
            "close" => {
                let number = self.number(&params)?;
                let session = self.sessions.remove(&number).ok_or_else(|| no_session(number))?;
                let at = session.clock();
                session.finish()?;
                Ok(json!({"t": at.0}))
            }
            name => {
                let number = self.number(&params)?;
                let folder = self.folder.clone();
                let session = self.session(number)?;
                guarded(session, |session| about_one(name, session, &params, &folder))
            }
        }
    }

    /// Ends all sessions; a recording that cannot be ended stays as it is.
    pub fn close(&mut self) {
        for (_, session) in std::mem::take(&mut self.sessions) {
            // The file is whole up to its last line in any case.
            let _ = session.finish();
        }
    }

    /// Returns the LCD of a session, as PNG.
    ///
    /// # Errors
    /// The same as for `screenshot`.
    pub fn picture(&mut self, params: Option<Value>) -> Result<Vec<u8>, Fault> {
        let params = match Method::named("screenshot") {
            Some(method) => Params::of(method, params)?,
            None => return Err(Fault::new(FaultKind::Method, "there are no pictures")),
        };
        let number = self.number(&params)?;
        let session = self.session(number)?;
        let display = params.display(&session.board().parts())?;
        Ok(reading::png(session, display))
    }

    fn boot(&mut self, params: &Params) -> Result<Value, Fault> {
        self.may_have_another()?;
        let board = params.text("board")?.unwrap_or_else(|| "native".to_owned());
        let mut header = params.header("header")?;
        if header.iter().any(|entry| entry.key == BOARD_KEY) {
            return Err(Fault::params("the board file is the parameter `board`, not a setting"));
        }
        let maker = self.provider.board(&board);
        let maker = maker.map_err(|error| Fault::new(FaultKind::Board, error.to_string()))?;
        let goldens = params.text("goldens")?.unwrap_or_else(|| "goldens".to_owned());
        let goldens = self.folder.place(&goldens)?;
        let folder = match header.iter().find(|entry| entry.key == "flash") {
            Some(flash) => self.folder.place(&flash.value)?.parent().map(ToOwned::to_owned),
            None => None,
        };
        let file = self.recording(params.text("record")?)?;
        let from = file.as_deref().and_then(Path::parent).unwrap_or(self.folder.path());
        let described = maker.board_file(from);
        let described =
            described.map_err(|error| Fault::new(FaultKind::Board, error.to_string()))?;
        header.splice(0..0, described.map(|board| HeaderEntry::new(BOARD_KEY, board)));
        let boot =
            Boot { maker: maker.into(), header, folder: folder.unwrap_or_default(), file, goldens };
        let session = Session::boot(boot, Rc::clone(&self.reader))?;
        Ok(self.add(session))
    }

    /// Goes back, and continues the recording in another file: the previous file has the lines that
    /// are removed.
    fn rewind(&mut self, params: &Params) -> Result<Value, Fault> {
        let number = self.number(params)?;
        let to = params.time("to")?.ok_or_else(|| Fault::params("`to` is missing"))?;
        let session = self.session(number)?;
        let to = by_now(session, "to", to)?;
        let file = session.file().map(ToOwned::to_owned).map(|file| {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let folder = file.parent().map(|folder| self.folder.name_of(folder));
            let folder = folder.filter(|folder| !folder.is_empty());
            self.folder.free(&folder.map_or(stem.clone(), |folder| format!("{folder}/{stem}")))
        });
        let file = file.transpose()?;
        let back = self.session(number)?.as_of(to, file)?;
        let answer = self.summary(number, &back);
        self.sessions.insert(number, back);
        Ok(answer)
    }

    /// Returns the file of a session's recording: the requested one, or one in a folder that
    /// records all.
    fn recording(&self, requested: Option<String>) -> Result<Option<std::path::PathBuf>, Fault> {
        match requested {
            Some(name) => {
                let path = self.folder.place(&name)?;
                is_trace(&path)?;
                Ok(Some(path))
            }
            None if self.folder.records() => self.folder.free("session").map(Some),
            None => Ok(None),
        }
    }

    fn may_have_another(&self) -> Result<(), Fault> {
        if self.sessions.len() < SESSIONS_MAX {
            return Ok(());
        }
        let message = format!("there are {SESSIONS_MAX} sessions; close one before the next");
        Err(Fault::new(FaultKind::Limit, message))
    }

    fn add(&mut self, session: Session) -> Value {
        self.last += 1;
        let answer = self.summary(self.last, &session);
        self.sessions.insert(self.last, session);
        answer
    }

    fn summary(&self, number: u64, session: &Session) -> Value {
        let file = session.file().map(|file| self.folder.name_of(file));
        let parts = session.board().parts();
        let displays = parts.displays.all().iter().map(|display| {
            let panel = display.panel();
            json!({"name": display.name(), "panel": [panel.width, panel.height]})
        });
        let answer = json!({
            "session": number,
            "recording": file,
            "panel": [parts.panel.width, parts.panel.height],
            "displays": displays.collect::<Vec<_>>(),
            "buttons": parts.buttons.names(),
        });
        reading::timed(session, answer)
    }

    fn number(&self, params: &Params) -> Result<u64, Fault> {
        if let Some(number) = params.number("session")? {
            return Ok(number);
        }
        let mut numbers = self.sessions.keys();
        match (numbers.next(), numbers.next()) {
            (Some(only), None) => Ok(*only),
            (None, _) => {
                Err(Fault::new(FaultKind::NoSession, "there is no session; `boot` begins one"))
            }
            _ => Err(Fault::params("there are several sessions; `session` says which is meant")),
        }
    }

    pub(crate) fn session(&mut self, number: u64) -> Result<&mut Session, Fault> {
        self.sessions.get_mut(&number).ok_or_else(|| no_session(number))
    }
}

/// Returns `at`, the parameter `name`, unless it is later than the session's present time.
fn by_now(session: &Session, name: &str, at: Instant) -> Result<Instant, Fault> {
    if at > session.clock() {
        return Err(Fault::params(format!("`{name}` is later than now; use `advance`")));
    }
    Ok(at)
}

fn no_session(number: u64) -> Fault {
    Fault::new(FaultKind::NoSession, format!("there is no session {number}"))
}

fn is_trace(path: &std::path::Path) -> Result<(), Fault> {
    demand_extension(path, &["trace"]).map_err(|error| Fault::new(FaultKind::File, error))
}

/// Executes `go`; a panic of the firmware stops the session, not the program.
fn guarded(
    session: &mut Session,
    go: impl FnOnce(&mut Session) -> Result<Value, Fault>,
) -> Result<Value, Fault> {
    let mut over = false;
    let went = caught(|| {
        let went = go(session);
        over = true;
        went
    });
    if let (false, Err(fault)) = (over, &went) {
        session.panicked(fault.message.clone());
    }
    went
}

/// Executes `go`, and turns a panic of the firmware into a fault.
fn caught<T>(go: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    host::caught(go).unwrap_or_else(|panic| {
        Err(Fault::new(FaultKind::Stopped, format!("the firmware {panic}")))
    })
}

/// Executes a request about one session.
fn about_one(
    name: &str,
    session: &mut Session,
    params: &Params,
    folder: &SessionFolder,
) -> Result<Value, Fault> {
    let parts = session.board().parts();
    let action = match name {
        "press" => Action::Press(params.button("button", &parts.buttons)?),
        "release" => Action::Release(params.button("button", &parts.buttons)?),
        "tap" => {
            Action::Tap { button: params.button("button", &parts.buttons)?, hold: hold(params)? }
        }
        "reset" => {
            let button = parts.buttons.named(Button::Reset.name());
            let button = button.ok_or_else(|| Fault::params("this board has no button RESET"))?;
            Action::Tap { button, hold: hold(params)? }
        }
        "power" => match params.flag("on")? {
            true => Action::PowerOn,
            false => Action::PowerOff,
        },
        "wait_text" => {
            let (text, within) = (params.wanted("text")?, params.needed_span("within")?);
            Action::WaitText { text, display: params.display(&parts)?, within }
        }
        "wait_console" => Action::WaitConsole {
            text: params.wanted("text")?,
            within: params.needed_span("within")?,
        },
        "settle" => Action::Settle {
            display: params.display(&parts)?,
            within: params.needed_span("within")?,
        },
        "expect_text" => Action::ExpectText(params.region_text(&parts)?.into()),
        "expect_no_text" => Action::ExpectNoText(params.region_text(&parts)?),
        "expect_frame" => return expect_frame(session, params, &parts),
        "do" => parse_action(&params.needed_text("line")?, &parts).map_err(Fault::params)?,
        "chord" => return chord(session, &params.buttons("buttons", &parts.buttons)?),
        "advance" => {
            session.advance(params.needed_span("by")?)?;
            return Ok(reading::timed(session, json!({})));
        }
        "read" => {
            let searched = params.flag("searched")?;
            return Ok(reading::read(session, params.display(&parts)?, searched));
        }
        "screenshot" => return screenshot(session, params, folder),
        "why" => {
            let place = |name| -> Result<usize, Fault> {
                let number = params.needed_number(name)?;
                usize::try_from(number).map_err(|_| Fault::params(format!("`{name}` is too large")))
            };
            return session.why(place("x")?, place("y")?, params.display(&parts)?);
        }
        "trace" => return Ok(reading::timed(session, json!({"trace": session.text()}))),
        "save" => {
            let file = params.needed_text("file")?;
            let path = folder.place(&file)?;
            is_trace(&path)?;
            session.save(&path, folder, params.flag("force")?)?;
            return Ok(reading::timed(session, json!({"file": file})));
        }
        other => {
            return Err(Fault::new(FaultKind::Method, format!("there is no method `{other}`")));
        }
    };
    let line = session.execute(action)?;
    Ok(reading::timed(session, json!({"line": line.to_string()})))
}

fn hold(params: &Params) -> Result<Option<Nanos>, Fault> {
    let hold = params.span("hold")?;
    if hold == Some(Nanos::ZERO) {
        return Err(Fault::params("`hold` is more than 0"));
    }
    Ok(hold)
}

/// Presses the buttons in turn, and releases the last one first.
fn chord(session: &mut Session, buttons: &[Button]) -> Result<Value, Fault> {
    if let Some(down) = session.down().find(|down| buttons.contains(down)) {
        return Err(Fault::new(FaultKind::State, format!("{down} is down")));
    }
    let mut lines = Vec::new();
    let presses = buttons.iter().map(|button| Action::Press(*button));
    let releases = buttons.iter().rev().map(|button| Action::Release(*button));
    for (nth, action) in presses.chain(releases).enumerate() {
        if nth > 0 {
            session.advance(MIN_HOLD)?;
        }
        lines.push(session.execute(action)?.to_string());
    }
    Ok(reading::timed(session, json!({"lines": lines})))
}

fn expect_frame(
    session: &mut Session,
    params: &Params,
    parts: &BoardParts,
) -> Result<Value, Fault> {
    let name = params.needed_text("name")?;
    if !is_name(&name) {
        return Err(Fault::params(format!("`{name}` is no name of a golden")));
    }
    let display = params.display(parts)?;
    let region = params.region_of(display, parts)?;
    let check = FrameCheck { display, region, ..FrameCheck::from(name) };
    session.goldens.blesses = params.flag("bless")?;
    let result = session.execute(Action::ExpectFrame(check));
    session.goldens.blesses = false;
    let line = result?;
    let blessed = session.goldens.blessed;
    Ok(reading::timed(session, json!({"line": line.to_string(), "blessed": blessed})))
}

fn screenshot(session: &Session, params: &Params, folder: &SessionFolder) -> Result<Value, Fault> {
    let png = reading::png(session, params.display(&session.board().parts())?);
    let Some(file) = params.text("file")? else {
        return Ok(reading::timed(session, json!({"png": reading::as_text(&png)})));
    };
    let path = folder.place(&file)?;
    demand_extension(&path, &["png"]).map_err(|error| Fault::new(FaultKind::File, error))?;
    session_folder::write(&Output::new(path).replace(params.flag("force")?), &png)?;
    Ok(reading::timed(session, json!({"file": file})))
}
