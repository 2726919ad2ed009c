//! `nudge serve` as a program: its standard streams, its socket, and its end. What it answers is tested in
//! `crates/serve`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::command::{check, nudge_that_takes_signals, through};

/// A running server; it ends with the test.
struct Server(Child);

impl Server {
    fn start(folder: &Path, arguments: &str) -> Self {
        let mut command = nudge_that_takes_signals();
        command.args(arguments.split_whitespace()).current_dir(folder);
        Self(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap())
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let input = self.0.stdin.as_mut().unwrap();
        // The buffer holds no more than one answer: none is sent without a request.
        ask(input, &mut BufReader::new(self.0.stdout.as_mut().unwrap()), method, params)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[track_caller]
fn ask(input: &mut dyn Write, output: &mut dyn BufRead, method: &str, params: Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    input.write_all(format!("{request}\n").as_bytes()).unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
    assert!(answer["error"].is_null(), "{method}: {line}");
    answer["result"].clone()
}

#[test]
fn a_killed_server_has_recorded_all_that_it_answered() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), "serve --record");
    server.ask("boot", json!({"header": {"seed": 7}}));
    server.ask("wait_text", json!({"text": "Player 1's turn", "within": "5s"}));
    server.ask("tap", json!({"button": "B3"}));
    server.ask("settle", json!({"within": "20s"}));
    server.ask("expect_frame", json!({"name": "after", "bless": true}));
    server.ask("save", json!({"file": "saved.trace"}));
    let why = server.ask("why", json!({"x": 160, "y": 120}));
    let written = why["transaction"]["number"].as_u64().is_some();
    assert!(written && why["element"].is_string() && why["colour"].is_string(), "{why}");
    server.0.kill().unwrap();
    server.0.wait().unwrap();
    let recorded = fs::read_to_string(folder.path().join("session.trace")).unwrap();
    assert!(recorded.ends_with("expect frame after\n"), "{recorded}");
    // What was saved is a test that passes, with the golden beside it.
    check(folder.path(), "replay saved.trace", 0, &[]);
    assert!(folder.path().join("saved/after.png").exists());
}

#[test]
fn each_client_of_a_socket_has_sessions_of_its_own_and_may_vanish() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("s");
    let mut server = Server::start(folder.path(), "serve --socket s --record");
    assert_eq!(server.line(), "nudge answers at s\n");
    assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
    let connect = || {
        let stream = UnixStream::connect(&socket).unwrap();
        (stream.try_clone().unwrap(), BufReader::new(stream))
    };
    let (mut one, mut from_one) = connect();
    ask(&mut one, &mut from_one, "boot", json!({}));
    // Rubbish, and then it is gone.
    let (mut other, mut from_other) = connect();
    other.write_all(b"\x00\xFF rubbish\n{\"jsonrpc\":").unwrap();
    let mut line = String::new();
    from_other.read_line(&mut line).unwrap();
    assert!(line.contains("-32700"), "{line}");
    drop((other, from_other));
    let (mut third, mut from_third) = connect();
    let sessions = ask(&mut third, &mut from_third, "sessions", json!({}));
    assert_eq!(sessions["sessions"], json!([]));
    ask(&mut one, &mut from_one, "tap", json!({"button": "B1"}));
    let [_, err] = check(folder.path(), "serve --socket s", 2, &[]);
    assert!(err.contains("another server answers there"), "{err}");
    // One that was killed leaves its socket, which the next one takes over.
    server.0.kill().unwrap();
    server.0.wait().unwrap();
    assert!(socket.exists());
    let mut next = Server::start(folder.path(), "serve --socket s");
    assert_eq!(next.line(), "nudge answers at s\n");
    let recorded = fs::read_to_string(folder.path().join("session.trace")).unwrap();
    assert!(recorded.ends_with("tap B1\n"), "{recorded}");
    // One that is told to end ends the recordings of its clients, and removes it.
    let (mut last, mut from_last) = connect();
    ask(&mut last, &mut from_last, "boot", json!({"record": "last.trace"}));
    ask(&mut last, &mut from_last, "tap", json!({"button": "B1"}));
    let term = through("kill").args(["-TERM", &next.0.id().to_string()]).status().unwrap();
    assert!(term.success() && next.0.wait().unwrap().success() && !socket.exists());
    let recorded = fs::read_to_string(folder.path().join("last.trace")).unwrap();
    assert!(recorded.contains("tap B1\n") && recorded.ends_with("end\n"), "{recorded}");
}

#[test]
fn the_end_of_its_input_ends_it_and_its_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), "serve --record");
    server.ask("boot", json!({}));
    drop(server.0.stdin.take());
    assert_eq!(server.0.wait().unwrap().code(), Some(0));
    let recorded = fs::read_to_string(folder.path().join("session.trace")).unwrap();
    assert!(recorded.ends_with("end\n"), "{recorded}");
    fs::write(folder.path().join("file"), "").unwrap();
    for arguments in ["serve --folder nowhere", "mcp --folder file", "serve --socket file"] {
        check(folder.path(), arguments, 2, &[]);
    }
}
