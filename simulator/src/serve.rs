//! `nudge serve` and `nudge mcp`: boards that another program drives.

use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use boards::session::board_file_from;
use boards::{Board, BoardFactory};
use hal_mock::{Machine, setup::SetupError};
use host::Exit;
use insight::Interior;
use reading::text::Reader;
use serde_json::{Value, json};
use serve::{
    BoardProvider, Dispatcher, Maker, McpDispatcher, Pixel, ProviderError, SessionFolder, answer,
};
use trace::Trace;

use crate::board_factory::{board_factory, insight};
use crate::cli::{McpArgs, ServeArgs, version};
use crate::text_reader;

/// Answers requests on standard input and output, or on a socket until a signal arrives.
pub fn serve(args: &ServeArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let folder = match SessionFolder::new(&args.folder, args.record) {
        Ok(folder) => folder,
        Err(error) => return refused_folder(err, &args.folder, error),
    };
    if let Some(socket) = &args.socket {
        return listen(socket, folder, out, err);
    }
    let mut dispatcher = Dispatcher::new(Rc::new(Boards), folder);
    let ended = serve::serve(&mut io::stdin().lock(), out, &mut |line| {
        answer(line, &mut |method, params| dispatcher.call(method, params))
    });
    dispatcher.close();
    ended.map(|()| Exit::Passed)
}

/// Answers an assistant's requests on standard input and output.
pub fn mcp(args: &McpArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let folder = match SessionFolder::new(&args.folder, args.record) {
        Ok(folder) => folder,
        Err(error) => return refused_folder(err, &args.folder, error),
    };
    let dispatcher = Dispatcher::new(Rc::new(Boards), folder);
    let mut dispatcher = McpDispatcher::new(dispatcher, version().to_owned(), "plays Mancala");
    let ended = serve::serve(&mut io::stdin().lock(), out, &mut |line| {
        answer(line, &mut |method, params| dispatcher.call(method, params))
    });
    dispatcher.close();
    ended.map(|()| Exit::Passed)
}

fn refused_folder(
    err: &mut dyn Write,
    folder: &Path,
    why: impl std::fmt::Display,
) -> io::Result<Exit> {
    refused(err, format_args!("{}: {why}", folder.display()))
}

fn refused(err: &mut dyn Write, why: impl std::fmt::Display) -> io::Result<Exit> {
    writeln!(err, "nudge: {why}")?;
    Ok(Exit::Usage)
}

#[cfg(unix)]
fn listen(
    socket: &Path,
    folder: SessionFolder,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let _listening = match serve::listen(socket, Boards, folder) {
        Ok(listening) => listening,
        Err(error) => return refused(err, error),
    };
    crate::ctrl_c::wait_after(|| {
        writeln!(out, "nudge answers at {}\nCtrl-C ends it.", socket.display())?;
        out.flush()
    })?;
    Ok(Exit::Passed)
}

#[cfg(not(unix))]
fn listen(_: &Path, _: SessionFolder, _: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    refused(err, "there are no Unix sockets here; leave --socket out and use standard input")
}

/// The boards of the command line.
#[derive(Clone, Copy)]
struct Boards;

impl BoardProvider for Boards {
    fn board(&self, name: &str) -> Result<Box<dyn Maker>, ProviderError> {
        let board: Board = name.parse()?;
        Ok(Box::new(Factory(board_factory(&board)?)))
    }

    fn reader(&self) -> Reader {
        text_reader::reader()
    }

    fn version(&self) -> String {
        version().to_owned()
    }
}

struct Factory(BoardFactory);

impl Maker for Factory {
    fn machine(&self, trace: &Trace) -> Result<Box<dyn Machine>, SetupError> {
        self.0.build(trace, None)
    }

    fn board_file(&self, from: &Path) -> Result<Option<String>, ProviderError> {
        match &self.0 {
            BoardFactory::Described(board) => Ok(Some(board_file_from(board.path(), from)?)),
            BoardFactory::Native(..)
            | BoardFactory::Pico(..)
            | BoardFactory::Probe(..)
            | BoardFactory::EmulatedProbe(..) => Ok(None),
        }
    }

    fn why(&self, pixel: &Pixel<'_>) -> Result<Value, ProviderError> {
        let Pixel { trace, x, y, display, at } = *pixel;
        let pixel = why::Pixel { place: (x, y), display: display.map(trace::Display::name) };
        let reader = text_reader::reader();
        let interior = insight(&self.0, trace).map(|insight| insight as &dyn Interior);
        let found = why::ask(trace, pixel, Some(at), &self.0, interior, None, &reader)?;
        let last = found.writes.last();
        let drawn = last.and_then(|last| last.drawn.as_ref());
        let functions: Vec<String> =
            found.functions.iter().map(|function| function.to_string()).collect();
        Ok(json!({
            "t": found.at.0,
            "colour": format!("#{:06X}", found.colour),
            "written_at": last.map(|last| last.write.at.0),
            "transaction": last.map(|last| json!({
                "number": last.write.transfer.number,
                "start": last.write.transfer.start.0,
                "end": last.write.transfer.end.0,
                "bytes": last.write.transfer.bytes,
            })),
            "screen": drawn.map(|drawn| drawn.screen.to_string()),
            "element": drawn.map(|drawn| drawn.element.to_string()),
            "text": found.text,
            "functions": functions,
            "report": found.to_string(),
        }))
    }
}
