//! A Unix socket: each client has a thread and a desk of its own.

use std::fs;
use std::io::{self, BufReader};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use thiserror::Error;

use crate::desk::Desk;
use crate::fault::{Fault, FaultKind};
use crate::host::Host;
use crate::lines::serve;
use crate::room::Room;
use crate::rpc::{answer, refusal};

/// The clients that are answered at a time.
pub const CLIENTS_MAX: usize = 8;
/// A client that asks nothing for so long is gone.
const IDLE_MAX: Duration = Duration::from_secs(3600);
/// A client that takes no answer for so long is gone.
const TAKES_MAX: Duration = Duration::from_secs(60);
/// The stack of a client's thread: the firmware runs on it.
const STACK: usize = 8 << 20;

/// Why no socket is listened on.
#[derive(Debug, Error)]
pub enum ListenError {
    /// Another server listens there.
    #[error("{}: another server answers there; end it, or name another socket", .0.display())]
    Taken(PathBuf),
    /// There is a file that is no socket.
    #[error("{}: is there and is no socket; name another place", .0.display())]
    NoSocket(PathBuf),
    /// The operating system refuses.
    #[error("{}: {source}", path.display())]
    Io {
        /// The socket.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
}

/// A socket that is listened on; it is removed when this is dropped.
#[derive(Debug)]
pub struct Listening {
    path: PathBuf,
}

impl Drop for Listening {
    fn drop(&mut self) {
        // Nothing is lost if it stays: the next server takes its place.
        let _ = fs::remove_file(&self.path);
    }
}

/// The place of a client, which is free again when this is dropped.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Answers clients of the socket `path` on threads of their own. Only this user may connect.
///
/// # Errors
/// If another server listens there, or the operating system refuses.
pub fn listen<H: Host + Clone + Send + 'static>(
    path: &Path,
    host: H,
    room: Room,
) -> Result<Listening, ListenError> {
    let io = |source| ListenError::Io { path: path.to_owned(), source };
    if let Ok(found) = fs::symlink_metadata(path) {
        if !found.file_type().is_socket() {
            return Err(ListenError::NoSocket(path.to_owned()));
        }
        if UnixStream::connect(path).is_ok() {
            return Err(ListenError::Taken(path.to_owned()));
        }
        // What a server left behind that was killed.
        fs::remove_file(path).map_err(io)?;
    }
    let listener = UnixListener::bind(path).map_err(io)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(io)?;
    let clients = Arc::new(AtomicUsize::new(0));
    let accept = move || {
        for client in listener.incoming() {
            let Ok(mut client) = client else { continue };
            let place = Place(Arc::clone(&clients));
            if clients.fetch_add(1, Ordering::SeqCst) >= CLIENTS_MAX {
                let message =
                    format!("there are {CLIENTS_MAX} clients; try again when one is gone");
                let refused = refusal(&Fault::new(FaultKind::Limit, message), Value::Null);
                // It may be gone already.
                let _ = io::Write::write_all(&mut client, format!("{refused}\n").as_bytes());
                continue;
            }
            let (host, room) = (host.clone(), room.clone());
            let attend = move || {
                let _place = place;
                // A client that breaks off ends its own sessions only.
                let _ = attend(client, host, room);
            };
            let thread = thread::Builder::new().name("client".into()).stack_size(STACK);
            // Without a thread the client is left alone.
            let _ = thread.spawn(attend);
        }
    };
    thread::Builder::new().name("socket".into()).spawn(accept).map_err(io)?;
    Ok(Listening { path: path.to_owned() })
}

fn attend<H: Host + 'static>(client: UnixStream, host: H, room: Room) -> io::Result<()> {
    client.set_read_timeout(Some(IDLE_MAX))?;
    client.set_write_timeout(Some(TAKES_MAX))?;
    let mut output = client.try_clone()?;
    let mut desk = Desk::new(Rc::new(host), room);
    let served = serve(&mut BufReader::new(client), &mut output, &mut |line| {
        answer(line, &mut |method, params| desk.call(method, params))
    });
    desk.close();
    served
}
