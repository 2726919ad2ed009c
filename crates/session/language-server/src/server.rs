//! The messages of an editor in their order, and the function that answers each.
//!
//! One thread reads messages, one decides and writes. An answer that needs a board comes from a thread of its own, at
//! most one at a time: while it works, the same requests are answered without a board.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{
    CodeLensOptions, CompletionOptions, DocumentFormattingParams, HoverProviderCapability,
    InitializeParams, MessageType, OneOf, Position, PublishDiagnosticsParams, RenameOptions,
    ServerCapabilities, ShowMessageParams, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextEdit, notification as notices,
    request as requests,
};
use serde_json::{Value, json};
use trace::{BoardParts, IncludeSource as _, parse_with};

use crate::document::{Document, Kind};
use crate::files::{Files, OpenTexts, open_texts};
use crate::tool::{Shown, Tool};
use crate::transport::{self, TransportError};
use crate::words::words;
use crate::{completion, hover, lenses, names, problems, times, uri};

/// Maximum number of documents that are open at once.
const DOCUMENTS_MAX: usize = 1_000;
/// Maximum number of characters of a report in a message box.
const SHOWN_CHARS_MAX: usize = 600;

/// How a connection ended.
#[derive(Debug)]
pub enum Ended {
    /// The editor said `shutdown` and `exit`, or closed the input between two messages.
    Done,
    /// The editor said `exit` without `shutdown`.
    Unannounced,
    /// The input is no conversation.
    Broken(TransportError),
}

enum Event {
    Read(Message),
    End(Ended),
    /// The messages of a thread that had the board, which is free again.
    Answered(Vec<Message>),
}

/// Answers the messages of one editor until it ends the connection.
///
/// # Errors
/// If an answer cannot be written, or a thread cannot be started.
pub fn serve(
    mut input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
    tool: Arc<dyn Tool>,
) -> io::Result<Ended> {
    let (sender, events) = mpsc::channel();
    let reader = sender.clone();
    thread::Builder::new().name("messages".into()).spawn(move || {
        loop {
            let event = match transport::read(&mut *input) {
                Ok(Some(message)) => Event::Read(message),
                Ok(None) => Event::End(Ended::Done),
                Err(error) => Event::End(Ended::Broken(error)),
            };
            let is_end = matches!(event, Event::End(_));
            if reader.send(event).is_err() || is_end {
                return;
            }
        }
    })?;
    let mut server = Server {
        output,
        tool,
        sender,
        documents: HashMap::new(),
        phase: Phase::Started,
        snippets: false,
        is_busy: false,
    };
    for event in events {
        match event {
            Event::Read(message) => {
                if let Some(ended) = server.message(message)? {
                    return Ok(ended);
                }
            }
            Event::End(ended) => return Ok(ended),
            Event::Answered(messages) => {
                server.is_busy = false;
                messages.into_iter().try_for_each(|message| server.write(message))?;
            }
        }
    }
    Ok(Ended::Done)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Started,
    Initialized,
    ShutDown,
}

/// The reason why a request has no result.
struct Refusal(ErrorCode, String);

impl Refusal {
    fn params(error: impl std::fmt::Display) -> Self {
        Self(ErrorCode::InvalidParams, error.to_string())
    }
}

/// The result of a request.
enum Reply {
    Now(Value),
    /// Another thread answers.
    Later,
}

struct Server<'a> {
    output: &'a mut dyn Write,
    tool: Arc<dyn Tool>,
    sender: Sender<Event>,
    documents: HashMap<String, Document>,
    phase: Phase,
    /// Whether the editor has placeholders in completions.
    snippets: bool,
    /// Whether a thread uses the board.
    is_busy: bool,
}

impl Server<'_> {
    fn write(&mut self, message: Message) -> io::Result<()> {
        message.write(&mut self.output)
    }

    fn notify<N: notices::Notification>(&mut self, params: N::Params) -> io::Result<()> {
        self.write(Notification::new(N::METHOD.to_owned(), params).into())
    }

    /// Reads a message; returns how the connection ended, if it has.
    fn message(&mut self, message: Message) -> io::Result<Option<Ended>> {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                let answer = match self.request(request) {
                    Ok(Reply::Now(value)) => Response::new_ok(id, value),
                    Ok(Reply::Later) => return Ok(None),
                    Err(Refusal(code, message)) => Response::new_err(id, code as i32, message),
                };
                self.write(answer.into())?;
            }
            Message::Notification(notice) if notice.method == notices::Exit::METHOD => {
                let is_announced = self.phase == Phase::ShutDown;
                return Ok(Some(if is_announced { Ended::Done } else { Ended::Unannounced }));
            }
            Message::Notification(notice) if self.phase == Phase::Initialized => {
                self.notification(notice)?;
            }
            // The server asks nothing, and a notice before `initialize` is dropped, as the protocol demands.
            Message::Notification(_) | Message::Response(_) => {}
        }
        Ok(None)
    }

    fn request(&mut self, request: Request) -> Result<Reply, Refusal> {
        let Request { id, method, params } = request;
        match (self.phase, &*method) {
            (Phase::Started, requests::Initialize::METHOD) => {
                let params: InitializeParams =
                    serde_json::from_value(params).map_err(Refusal::params)?;
                self.phase = Phase::Initialized;
                self.snippets = has_snippets(&params);
                return Ok(Reply::Now(json!({
                    "capabilities": capabilities(),
                    "serverInfo": { "name": "nudge", "version": env!("CARGO_PKG_VERSION") },
                })));
            }
            (Phase::Started, _) => {
                let message = "`initialize` must be the first request".into();
                return Err(Refusal(ErrorCode::ServerNotInitialized, message));
            }
            (Phase::Initialized, requests::Initialize::METHOD) => {
                let message = "`initialize` was answered already".into();
                return Err(Refusal(ErrorCode::InvalidRequest, message));
            }
            (Phase::Initialized, requests::Shutdown::METHOD) => {
                self.phase = Phase::ShutDown;
                return Ok(Reply::Now(Value::Null));
            }
            (Phase::Initialized, _) => {}
            (Phase::ShutDown, _) => {
                let message = "the server has shut down; only `exit` can follow".into();
                return Err(Refusal(ErrorCode::InvalidRequest, message));
            }
        }
        if method == requests::ExecuteCommand::METHOD {
            return self.command(id, &params);
        }
        let Some(document) = self.document(&params) else {
            let known = KNOWN.contains(&&*method);
            return if known { Ok(Reply::Now(Value::Null)) } else { Err(unknown(&method)) };
        };
        let open = open_texts(self.documents.values());
        let mut files = Files::new(&open);
        let value = match &*method {
            requests::Completion::METHOD => {
                let position = position(&params)?;
                let parts = parts(document, &mut files);
                if completion::wants_board(document, position) {
                    let (document, snippets) = (document.clone(), self.snippets);
                    // The board at the time of the line, of which no more is known.
                    let number = position.line as usize;
                    let time = words(document.line(number)).first().map_or("", |word| word.text);
                    let text = format!("{}{time} screenshot here\n", document.first_lines(number));
                    let name = document.name();
                    return Ok(self.with_board(id, &name, &text, &open, move |shown| {
                        json!(completion::complete(&document, position, &parts, shown, snippets))
                    }));
                }
                json!(completion::complete(document, position, &parts, None, self.snippets))
            }
            requests::HoverRequest::METHOD => {
                match hover::describe(document, position(&params)?, &mut files) {
                    None => Value::Null,
                    Some(described) => match described.lines {
                        None => json!(hover::hover(described, None)),
                        Some(lines) => {
                            let (name, text) =
                                (document.name(), document.first_lines(lines).to_owned());
                            return Ok(self.with_board(id, &name, &text, &open, move |shown| {
                                json!(hover::hover(described, shown))
                            }));
                        }
                    },
                }
            }
            requests::Formatting::METHOD => {
                let _: DocumentFormattingParams =
                    serde_json::from_value(params.clone()).map_err(Refusal::params)?;
                json!(formatted(document, &mut files))
            }
            requests::GotoDefinition::METHOD => {
                json!(names::definition(document, position(&params)?, &open))
            }
            requests::PrepareRenameRequest::METHOD => {
                json!(names::button_at(document, position(&params)?))
            }
            requests::Rename::METHOD => {
                let new_name = params["newName"].as_str().unwrap_or_default();
                let edit = names::rename(document, position(&params)?, new_name);
                json!(edit.map_err(|error| Refusal(ErrorCode::RequestFailed, error.to_string()))?)
            }
            requests::InlayHintRequest::METHOD if document.kind.has_trace_lines() => {
                let range =
                    serde_json::from_value(params["range"].clone()).map_err(Refusal::params)?;
                json!(times::hints(document, range, &mut files))
            }
            requests::InlayHintRequest::METHOD => json!([]),
            requests::CodeLensRequest::METHOD => json!(lenses::lenses(document)),
            method => return Err(unknown(method)),
        };
        Ok(Reply::Now(value))
    }

    /// Returns the document that a request is about.
    fn document(&self, params: &Value) -> Option<&Document> {
        self.documents.get(params["textDocument"]["uri"].as_str()?)
    }

    /// Answers with what the board shows at the end of the trace in `text`; without it, if the board is busy or the text
    /// has errors.
    fn with_board(
        &mut self,
        id: RequestId,
        name: &str,
        text: &str,
        open: &OpenTexts,
        answer: impl FnOnce(Option<&Shown>) -> Value + Send + 'static,
    ) -> Reply {
        let trace = parse_with(name, text.as_bytes(), &mut Files::new(open)).ok();
        let Some(mut trace) = trace.filter(|_| !self.is_busy) else {
            return Reply::Now(answer(None));
        };
        trace.folder = Path::new(name).parent().map(Into::into);
        let (tool, sender) = (Arc::clone(&self.tool), self.sender.clone());
        let work = move || {
            // A board that panics shows nothing.
            let shown = host::caught(|| tool.shown(trace)).ok().flatten();
            let response = Response::new_ok(id, answer(shown.as_ref()));
            // The connection may have ended.
            let _ = sender.send(Event::Answered(vec![response.into()]));
        };
        // Without a thread there is no answer; the editor shows none.
        self.is_busy = thread::Builder::new().name("board".into()).spawn(work).is_ok();
        Reply::Later
    }

    /// Executes a command of a code lens.
    fn command(&mut self, id: RequestId, params: &Value) -> Result<Reply, Refusal> {
        let bless = match params["command"].as_str() {
            Some(lenses::REPLAY) => false,
            Some(lenses::BLESS) => true,
            other => {
                let other = other.unwrap_or_default();
                let known =
                    format!("the commands are `{}` and `{}`", lenses::REPLAY, lenses::BLESS);
                return Err(Refusal::params(format!("unknown command `{other}`; {known}")));
            }
        };
        let address = params["arguments"][0].as_str().unwrap_or_default();
        let path = uri::path_of(address)
            .filter(|path| path.is_file())
            .ok_or_else(|| Refusal::params("the argument must be the address of a saved trace"))?;
        if self.documents.get(address).is_some_and(|document| !document.is_saved) {
            let message = "the trace has changes; save it, then run it".to_owned();
            return Err(Refusal(ErrorCode::RequestFailed, message));
        }
        if self.is_busy {
            let message = "the board is busy; try again when it has answered".to_owned();
            return Err(Refusal(ErrorCode::RequestFailed, message));
        }
        let (tool, sender) = (Arc::clone(&self.tool), self.sender.clone());
        let work = move || {
            let replayed = tool.replay(&path, bless);
            let kind = if replayed.passed { MessageType::INFO } else { MessageType::ERROR };
            let log = Notification::new(
                notices::LogMessage::METHOD.into(),
                json!({ "type": kind, "message": replayed.text }),
            );
            let message: String = replayed.text.chars().take(SHOWN_CHARS_MAX).collect();
            let show = Notification::new(
                notices::ShowMessage::METHOD.into(),
                ShowMessageParams { typ: kind, message },
            );
            let value = json!({ "passed": replayed.passed, "text": replayed.text });
            let response = Response::new_ok(id, value);
            // The connection may have ended.
            let _ = sender.send(Event::Answered(vec![log.into(), show.into(), response.into()]));
        };
        self.is_busy = thread::Builder::new().name("board".into()).spawn(work).is_ok();
        Ok(Reply::Later)
    }

    fn notification(&mut self, notice: Notification) -> io::Result<()> {
        let params = notice.params;
        let address = params["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        let version = params["textDocument"]["version"].as_i64().unwrap_or(0) as i32;
        match &*notice.method {
            notices::DidOpenTextDocument::METHOD => {
                let language = params["textDocument"]["languageId"].as_str().unwrap_or_default();
                let path = uri::path_of(&address).unwrap_or_else(|| {
                    PathBuf::from(address.rsplit(['/', ':']).next().unwrap_or_default())
                });
                let Some(kind) = Kind::of(&path, language) else { return Ok(()) };
                if self.documents.len() >= DOCUMENTS_MAX {
                    let message = format!("more than {DOCUMENTS_MAX} texts are open; close some");
                    let typ = MessageType::WARNING;
                    return self.notify::<notices::ShowMessage>(ShowMessageParams { typ, message });
                }
                let text = params["textDocument"]["text"].as_str().unwrap_or_default();
                let mut document = Document::new(&address, path, kind);
                document.set(text.to_owned(), version);
                self.documents.insert(address.clone(), document);
                self.changed(&address)
            }
            notices::DidChangeTextDocument::METHOD => {
                let Some(document) = self.documents.get_mut(&address) else { return Ok(()) };
                // The whole text each time, as the capabilities say; the last one counts.
                let changes = params["contentChanges"].as_array();
                let text =
                    changes.and_then(|all| all.last()).and_then(|last| last["text"].as_str());
                let Some(text) = text else { return Ok(()) };
                document.set(text.to_owned(), version);
                document.is_saved = false;
                self.changed(&address)
            }
            notices::DidSaveTextDocument::METHOD => {
                let Some(document) = self.documents.get_mut(&address) else { return Ok(()) };
                document.is_saved = true;
                self.changed(&address)
            }
            notices::DidCloseTextDocument::METHOD => {
                if self.documents.remove(&address).is_none() {
                    return Ok(());
                }
                self.publish(&address, None, Vec::new())
            }
            _ => Ok(()),
        }
    }

    /// Publishes the problems of a document, and of the traces that may name it.
    fn changed(&mut self, address: &str) -> io::Result<()> {
        let kind = self.documents.get(address).map(|document| document.kind);
        let is_named = matches!(kind, Some(Kind::Included | Kind::Board));
        let open = open_texts(self.documents.values());
        let others = self
            .documents
            .values()
            .filter(|other| is_named && other.uri != address && other.kind.has_trace_lines());
        let touched = self.documents.get(address).into_iter().chain(others);
        let found: Vec<_> = touched
            .map(|document| {
                let problems = problems::problems(document, &open, &*self.tool);
                (document.uri.clone(), document.version, problems)
            })
            .collect();
        found.into_iter().try_for_each(|(address, version, problems)| {
            self.publish(&address, Some(version), problems)
        })
    }

    fn publish(
        &mut self,
        address: &str,
        version: Option<i32>,
        diagnostics: Vec<lsp_types::Diagnostic>,
    ) -> io::Result<()> {
        let Ok(uri) = address.parse() else { return Ok(()) };
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        self.notify::<notices::PublishDiagnostics>(params)
    }
}

/// Requests that are answered with nothing for a text that is not open.
const KNOWN: [&str; 8] = [
    requests::Completion::METHOD,
    requests::HoverRequest::METHOD,
    requests::Formatting::METHOD,
    requests::GotoDefinition::METHOD,
    requests::PrepareRenameRequest::METHOD,
    requests::Rename::METHOD,
    requests::InlayHintRequest::METHOD,
    requests::CodeLensRequest::METHOD,
];

fn unknown(method: &str) -> Refusal {
    let method: String = method.chars().take(80).collect();
    Refusal(ErrorCode::MethodNotFound, format!("there is no method `{method}`"))
}

fn position(params: &Value) -> Result<Position, Refusal> {
    let both: TextDocumentPositionParams =
        serde_json::from_value(params.clone()).map_err(Refusal::params)?;
    Ok(both.position)
}

/// Returns the parts of the board of a trace; those of the LCD board, if its board file cannot be read.
fn parts(document: &Document, files: &mut Files<'_>) -> BoardParts {
    let file = names::board_path(document);
    file.and_then(|file| files.board(&file).ok()).unwrap_or_else(BoardParts::lcd_board)
}

/// Returns the edits that format a document: none, if it has errors or is formatted.
fn formatted(document: &Document, files: &mut Files<'_>) -> Vec<TextEdit> {
    let (name, bytes) = (document.name(), document.text.as_bytes());
    let text = match document.kind {
        Kind::Trace => trace::format(&name, bytes, files),
        Kind::Included => {
            let parts = parts(document, files);
            trace::format_included(&name, bytes, files, Some(&parts))
        }
        Kind::Board | Kind::Panel => return Vec::new(),
    };
    match text {
        Ok(new_text) if new_text != document.text => {
            vec![TextEdit { range: document.whole(), new_text }]
        }
        _ => Vec::new(),
    }
}

fn has_snippets(params: &InitializeParams) -> bool {
    let item = || {
        let text = params.capabilities.text_document.as_ref()?;
        text.completion.as_ref()?.completion_item.as_ref()?.snippet_support
    };
    item().unwrap_or(false)
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(true.into()),
            ..TextDocumentSyncOptions::default()
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![" ".into(), "\"".into(), "[".into()]),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        definition_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(lsp_types::ExecuteCommandOptions {
            commands: vec![lenses::REPLAY.into(), lenses::BLESS.into()],
            ..Default::default()
        }),
        ..ServerCapabilities::default()
    }
}
