//! Clients of a socket that stay connected and send no request.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::Boards;
use crate::SessionFolder;
use crate::socket::{Listening, Patience, listen_with};

/// Time limit that the requests of these tests do not reach.
const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(300);

fn listening(folder: &Path, patience: Patience) -> Listening {
    listen_with(&folder.join("s"), Boards, SessionFolder::new(folder, false).unwrap(), patience)
        .unwrap()
}

fn client(folder: &Path) -> UnixStream {
    let client = UnixStream::connect(folder.join("s")).unwrap();
    client.set_read_timeout(Some(LONG)).unwrap();
    client.set_write_timeout(Some(LONG)).unwrap();
    client
}

#[track_caller]
fn ask(mut client: &UnixStream, method: &str, params: Value) {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    client.write_all(format!("{request}\n").as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(client).read_line(&mut line).unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert!(answer["error"].is_null(), "{method}: {line}");
}

/// Writes `bytes` again and again, until the server has closed.
#[track_caller]
fn write_until_closed(client: &mut UnixStream, bytes: &[u8]) {
    for _ in 0..1 << 20 {
        if let Err(error) = client.write_all(bytes) {
            let closed = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];
            assert!(closed.contains(&error.kind()), "{error}");
            return;
        }
    }
    panic!("the server reads it without end");
}

#[test]
fn a_stalled_client_is_disconnected_and_its_recording_ended() {
    let folder = tempfile::tempdir().unwrap();
    let _listening = listening(folder.path(), Patience { asks: SHORT, takes: LONG });
    let mut stalls = client(folder.path());
    ask(&stalls, "boot", json!({"record": "w.trace"}));
    ask(&stalls, "press", json!({"button": "B1"}));
    stalls.write_all(br#"{"jsonrpc": "2.0", "id": 2, "method": "rel"#).unwrap();
    // It receives the answer to the half line, and then the server has closed.
    let mut rest = String::new();
    stalls.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    let recorded = fs::read_to_string(folder.path().join("w.trace")).unwrap();
    assert!(recorded.contains("press B1\n") && recorded.ends_with("end\n"), "{recorded}");
    ask(&client(folder.path()), "version", json!({}));
}

#[test]
fn bytes_without_a_line_end_do_not_keep_the_connection() {
    let folder = tempfile::tempdir().unwrap();
    let _listening = listening(folder.path(), Patience { asks: SHORT, takes: LONG });
    let mut floods = client(folder.path());
    ask(&floods, "version", json!({}));
    // Every read of the server finds some of it.
    write_until_closed(&mut floods, &[b' '; 4_096]);
    ask(&client(folder.path()), "version", json!({}));
}

#[test]
fn a_client_that_reads_no_answer_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    let _listening = listening(folder.path(), Patience { asks: LONG, takes: SHORT });
    let mut deaf = client(folder.path());
    let request = b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"version\"}\n";
    // Until the answers and the requests fill the buffers of the operating system.
    write_until_closed(&mut deaf, request);
    ask(&client(folder.path()), "version", json!({}));
}
