//! An HTTP server on the loopback, with bounds on time, size and number of connections.

use std::io::{self, ErrorKind, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

use oxhttp::Server;
use oxhttp::model::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, IF_MATCH,
    ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use oxhttp::model::{Body, Method as HttpMethod, Request as HttpRequest, Response};
use thiserror::Error;

use crate::BODY_BYTES_MAX;
use crate::files::TraceFolder;
use crate::request::{Method, Reply, Request};
use crate::studio::{PageServices, Studio};

/// Time limit for a browser to send a request or to receive a reply.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Most connections at once. Each has a thread, also while nothing is sent on it: browsers open some in advance, and
/// port scanners and forgotten programs leave theirs.
const CONNECTIONS_MAX: usize = 256;
/// Most attempts to find a free port, if another program takes the one that was found.
const ATTEMPTS_MAX: usize = 8;
/// Number of bytes of a token: too many to guess.
const TOKEN_BYTES: usize = 16;

/// Reason why there is no server.
#[derive(Debug, Error)]
pub enum ListenError {
    /// Another program uses the port.
    #[error(
        "port {port} is in use, perhaps by another `nudge open`; name another one with `--port`, or \
         leave it out to get a free one"
    )]
    PortTaken { port: u16 },
    /// The system gives no port.
    #[error("no port of this computer can be listened on: {0}")]
    Io(#[from] io::Error),
    /// The system provides no random numbers.
    #[error("there are no random numbers for the address: {0}")]
    NoToken(getrandom::Error),
}

/// A running server, which answers until the process ends.
#[derive(Debug)]
pub struct RunningServer {
    /// Address of the page.
    pub address: String,
}

/// Starts a server on 127.0.0.1, on `port` or on any free port, which answers from its own threads.
///
/// # Errors
/// If the port is taken, or the system refuses.
pub fn listen<H: PageServices + 'static>(
    port: Option<u16>,
    folder: TraceFolder,
    host: H,
) -> Result<RunningServer, ListenError> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(ListenError::NoToken)?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let host = std::sync::Arc::new(host);
    for _ in 0..ATTEMPTS_MAX {
        let number = match port {
            Some(port) => port,
            None => free_port()?,
        };
        let studio =
            Studio::new(token.clone(), number, folder.clone(), std::sync::Arc::clone(&host));
        let server = Server::new(move |request| response(&studio.answer(&read(request))))
            .bind(SocketAddr::from((Ipv4Addr::LOCALHOST, number)))
            .with_global_timeout(TIMEOUT)
            .with_max_concurrent_connections(CONNECTIONS_MAX);
        match server.spawn() {
            Ok(_) => {
                let address = format!("http://127.0.0.1:{number}/{token}/");
                return Ok(RunningServer { address });
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                if let Some(port) = port {
                    return Err(ListenError::PortTaken { port });
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(ListenError::Io(ErrorKind::AddrInUse.into()))
}

/// Returns a port that no program listens on.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

impl<H: PageServices> PageServices for std::sync::Arc<H> {
    fn page(&self, base: &str, modified: Option<&str>) -> Result<Vec<u8>, crate::PageError> {
        self.as_ref().page(base, modified)
    }

    fn source(&self, pc: u32) -> Option<crate::Source> {
        self.as_ref().source(pc)
    }
}

fn read(request: &mut HttpRequest<Body>) -> Request {
    let header = |name: HeaderName| {
        let value = request.headers().get(name)?;
        value.to_str().ok().map(str::to_owned)
    };
    let (host, origin, if_match) = (header(HOST), header(ORIGIN), header(IF_MATCH));
    let site = header(HeaderName::from_static("sec-fetch-site"));
    let method = match *request.method() {
        HttpMethod::GET => Method::Get,
        HttpMethod::PUT => Method::Put,
        _ => Method::Other,
    };
    let path = request.uri().path().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    let body = match method {
        Method::Put => body(request.body_mut()),
        Method::Get | Method::Other => Some(Vec::new()),
    };
    Request { method, path, query, host, origin, site, if_match, body }
}

/// Returns the body; `None` if it is too large, or does not come.
fn body(body: &mut Body) -> Option<Vec<u8>> {
    if body.len().is_some_and(|length| length > BODY_BYTES_MAX as u64) {
        return None;
    }
    let mut bytes = Vec::new();
    body.take(BODY_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= BODY_BYTES_MAX).then_some(bytes)
}

fn response(reply: &Reply) -> Response<Body> {
    Response::builder()
        .status(reply.status)
        .header(CONTENT_TYPE, reply.kind)
        .header(CACHE_CONTROL, "no-store")
        // Protection against other pages.
        .header(X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(X_FRAME_OPTIONS, "DENY")
        .header(REFERRER_POLICY, "no-referrer")
        .header(CONTENT_SECURITY_POLICY, "frame-ancestors 'none'")
        .header("cross-origin-resource-policy", "same-origin")
        .header("cross-origin-opener-policy", "same-origin")
        // A connection that stays open would get an error when its time is over.
        .header(CONNECTION, "close")
        .body(Body::from(reply.body.clone()))
        .unwrap_or_default()
}
