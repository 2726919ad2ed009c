//! A Unix socket: each client has a thread and a dispatcher of its own.

use std::cell::Cell;
use std::convert::Infallible;
use std::fs;
use std::io::{self, BufReader, Read};
use std::net::Shutdown;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use host::clock::Stopwatch;
use serde_json::Value;
use thiserror::Error;

use crate::dispatcher::Dispatcher;
use crate::fault::{Fault, FaultKind};
use crate::lines::serve;
use crate::provider::BoardProvider;
use crate::rpc::{answer, refusal};
use crate::session_folder::SessionFolder;

/// Maximum number of clients at a time.
pub const CLIENTS_MAX: usize = 8;
/// Time limit for the answers to the clients' last requests.
const LAST_WORD: Duration = Duration::from_secs(5);
/// Stack of a client's thread, in bytes: the firmware runs on it.
const STACK: usize = 8 << 20;

/// Time limits after which a client counts as gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// No whole request comes.
    pub(crate) asks: Duration,
    /// An answer is not taken.
    pub(crate) takes: Duration,
}

impl Patience {
    const USUAL: Self = Self { asks: Duration::from_secs(3600), takes: Duration::from_secs(60) };
}

/// Reason why there is no server at the socket.
#[derive(Debug, Error)]
pub enum ListenError {
    /// Another server listens there.
    #[error("{}: another server answers there; end it, or name another socket", .0.display())]
    Taken(PathBuf),
    /// There is a file that is no socket.
    #[error("{}: is there and is no socket; name another place", .0.display())]
    NoSocket(PathBuf),
    /// The operating system refuses the socket.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// A server at a socket. When it is dropped, it removes the socket, answers no client any more,
/// and waits until all sessions have ended; a request that is still being answered after five
/// seconds is given up, and its recordings stay without their end.
#[derive(Debug)]
pub struct Listening {
    path: PathBuf,
    clients: Arc<Mutex<Clients>>,
    /// Disconnected when no client is served any more.
    ended: Receiver<Infallible>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        // Nothing is lost if it stays: the next server takes its place.
        let _ = fs::remove_file(&self.path);
        let attended = {
            let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
            clients.ends = None;
            std::mem::take(&mut clients.attended)
        };
        for client in &attended {
            // A client that is gone sends nothing in any case.
            let _ = client.stream.shutdown(Shutdown::Read);
        }
        // No message comes in any case: each thread has a sender until it ends.
        let _ = self.ended.recv_timeout(LAST_WORD);
    }
}

/// Clients that are served.
#[derive(Debug)]
struct Clients {
    attended: Vec<Client>,
    /// Each client's thread has one; without it no more are served.
    ends: Option<Sender<Infallible>>,
}

#[derive(Debug)]
struct Client {
    stream: UnixStream,
    thread: JoinHandle<()>,
}

impl Clients {
    /// Serves `stream` on a thread of its own.
    fn attend<H: BoardProvider + Clone + Send + 'static>(
        &mut self,
        mut stream: UnixStream,
        provider: &H,
        folder: &SessionFolder,
        patience: Patience,
    ) -> io::Result<()> {
        self.attended.retain(|client| !client.thread.is_finished());
        let Some(ends) = self.ends.clone() else { return Ok(()) };
        if self.attended.len() >= CLIENTS_MAX {
            let message = format!("there are {CLIENTS_MAX} clients; try again when one is gone");
            let refused = refusal(&Fault::new(FaultKind::Limit, message), Value::Null);
            return io::Write::write_all(&mut stream, format!("{refused}\n").as_bytes());
        }
        let (provider, folder, other) = (provider.clone(), folder.clone(), stream.try_clone()?);
        let attend = move || {
            let _ends = ends;
            // A client that breaks off ends its own sessions only.
            let _ = attend(stream, provider, folder, patience);
        };
        let thread = thread::Builder::new().name("client".into()).stack_size(STACK);
        self.attended.push(Client { stream: other, thread: thread.spawn(attend)? });
        Ok(())
    }
}

/// Answers clients of the socket `path` on threads of their own. Only this user may connect.
///
/// # Errors
/// If another server listens there, or the operating system refuses.
pub fn listen<H: BoardProvider + Clone + Send + 'static>(
    path: &Path,
    provider: H,
    folder: SessionFolder,
) -> Result<Listening, ListenError> {
    listen_with(path, provider, folder, Patience::USUAL)
}

pub(crate) fn listen_with<H: BoardProvider + Clone + Send + 'static>(
    path: &Path,
    provider: H,
    folder: SessionFolder,
    patience: Patience,
) -> Result<Listening, ListenError> {
    let io = |source| ListenError::Io { path: path.to_owned(), source };
    if let Ok(found) = fs::symlink_metadata(path) {
        if !found.file_type().is_socket() {
            return Err(ListenError::NoSocket(path.to_owned()));
        }
        if UnixStream::connect(path).is_ok() {
            return Err(ListenError::Taken(path.to_owned()));
        }
        // The socket of a server that was killed.
        fs::remove_file(path).map_err(io)?;
    }
    let listener = UnixListener::bind(path).map_err(io)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(io)?;
    let (ends, ended) = mpsc::channel();
    let clients = Arc::new(Mutex::new(Clients { attended: Vec::new(), ends: Some(ends) }));
    let attending = Arc::clone(&clients);
    let accept = move || {
        for client in listener.incoming() {
            let Ok(client) = client else { continue };
            let mut clients = attending.lock().unwrap_or_else(PoisonError::into_inner);
            // A client that is gone already, or for which there is no thread, is ignored.
            let _ = clients.attend(client, &provider, &folder, patience);
        }
    };
    thread::Builder::new().name("socket".into()).spawn(accept).map_err(io)?;
    Ok(Listening { path: path.to_owned(), clients, ended })
}

fn attend<H: BoardProvider + 'static>(
    client: UnixStream,
    provider: H,
    folder: SessionFolder,
    patience: Patience,
) -> io::Result<()> {
    client.set_write_timeout(Some(patience.takes))?;
    let mut output = client.try_clone()?;
    let since = Rc::new(Cell::new(Stopwatch::start()));
    let input = ClientInput { stream: client, since: Rc::clone(&since), most: patience.asks };
    let mut dispatcher = Dispatcher::new(Rc::new(provider), folder);
    let served = serve(&mut BufReader::new(input), &mut output, &mut |line| {
        let answer = answer(line, &mut |method, params| dispatcher.call(method, params));
        since.set(Stopwatch::start());
        answer
    });
    dispatcher.close();
    // The list of clients has a handle of the stream, too: it is closed for all of them.
    let _ = output.shutdown(Shutdown::Both);
    served
}

/// Input from a client, which ends after a time without a whole request.
struct ClientInput {
    stream: UnixStream,
    /// Time of the last answer.
    since: Rc<Cell<Stopwatch>>,
    most: Duration,
}

impl Read for ClientInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.most.saturating_sub(self.since.get().elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}
