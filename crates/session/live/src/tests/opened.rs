//! A session that is open in a view, and the session that replaces it.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use virtual_time::Instant;

use super::*;
use crate::held_buttons::Holder;

/// Fake services that record the arguments which the studio is opened with.
#[derive(Default)]
struct Command(RefCell<Vec<(String, PathBuf)>>);

impl Services for Command {
    fn text(&self, _: &Frame) -> Vec<String> {
        Vec::new()
    }

    fn film(&self, frames: &[(Instant, Frame)], _: Instant) -> io::Result<Vec<u8>> {
        Ok(vec![0; frames.len()])
    }

    fn open(&self, _: &Path) -> Result<Start, ServiceError> {
        Err("nothing".into())
    }

    fn recent(&self) -> Vec<RecentSession> {
        Vec::new()
    }

    fn reopen(&self, _: &RecentSession) -> Result<Start, ServiceError> {
        Err("nothing".into())
    }

    fn studio(
        &self,
        board: &str,
        path: &Path,
        report: Box<dyn Fn(String) + Send>,
    ) -> Result<(), ServiceError> {
        self.0.borrow_mut().push((board.to_owned(), path.to_owned()));
        report("http://127.0.0.1:1/".to_owned());
        Ok(())
    }
}

fn opened(board: &str, captures: &Path) -> OpenSession {
    let start = Start {
        machine: Engine::Here(Box::new(|| Ok(FakeMachine::boxed(7)))),
        reader: Reader::new(Vec::new()),
        board: board.to_owned(),
        identity: [board.to_owned(), "files".to_owned()],
        parts: trace::BoardParts::lcd_board(),
        header: Vec::new(),
        image: None,
        before: None,
        debugger: None,
    };
    let files = Files {
        record: None,
        flash_beside: None,
        flash: FlashChoice::Copy,
        captures: captures.to_owned(),
    };
    begin(start, Setup::default(), files).unwrap()
}

/// Returns an update with the input log, which the view requests for F9.
fn with_input_log(open: &mut OpenSession) -> Update {
    open.live.send(super::Command::InputLog).unwrap();
    loop {
        open.live.flush().unwrap();
        if let Some(update) =
            open.live.update().unwrap().filter(|update| update.input_log.is_some())
        {
            return update;
        }
        std::thread::yield_now();
    }
}

#[test]
fn the_studio_runs_the_board_of_the_session_that_replaced_another() {
    let folder = tempfile::tempdir().unwrap();
    let services = Command::default();
    let mut open = opened("native", folder.path());
    for board in ["native", "pico=dropped.elf"] {
        if board != "native" {
            let before = std::mem::replace(&mut open, opened(board, folder.path()));
            before.end().unwrap();
        }
        let update = with_input_log(&mut open);
        open.take(&update, &services, "F5");
        assert_eq!(open.message().as_deref(), Some("http://127.0.0.1:1/"));
        let (opened_on, trace) = services.0.borrow().last().cloned().unwrap();
        assert_eq!(opened_on, board);
        assert!(std::fs::read_to_string(trace).unwrap().contains("power on"));
    }
}

#[test]
fn nothing_of_a_session_remains_in_the_one_that_replaces_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut open = opened("native", folder.path());
    open.film(&Frame::filled(32, 24, 1));
    open.held.press(Button::B1, Holder::Touch);
    open.say("of the first".to_owned());
    open.messages.stops("of the first".to_owned());
    open.recording_failed = Some("of the first".to_owned());
    let before = std::mem::replace(&mut open, opened("pico", folder.path()));
    before.end().unwrap();
    assert_eq!((open.message(), open.window_title()), (None, "nudge - pico".to_owned()));
    assert!(open.held.down().is_empty());
    open.save_film(&Command::default());
    let saved = open.message().unwrap();
    let path = saved.strip_prefix("saved ").unwrap();
    assert_eq!(std::fs::read(path).unwrap().len(), 0, "the film has no frame of the first");
}
