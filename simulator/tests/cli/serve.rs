//! Tests `nudge serve` as a program: its standard streams, its socket, and its end. Its answers are
//! tested in `crates/session/serve`.

use std::fs;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Stdio};

use base64::Engine as _;
use ili9341_model::Frame;
use reading::golden::{compare, decode_png, read_png};
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
        // The buffer holds no more than one answer, because none is sent without a request.
        ask(input, &mut BufReader::new(self.0.stdout.as_mut().unwrap()), method, params)
    }

    /// Sends a line, and returns the line that answers it.
    #[track_caller]
    fn send(&mut self, line: &str) -> Value {
        self.0.stdin.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
        let answer = self.line();
        serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{line}: {answer:?}"))
    }

    /// Calls an assistant's tool, and returns the answer.
    #[track_caller]
    fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let params = json!({"name": name, "arguments": arguments});
        let answer = self.ask("tools/call", params);
        assert_eq!(answer["isError"], false, "{name}: {answer}");
        answer["content"][0].clone()
    }

    /// Closes the server's input, and waits for its end.
    #[track_caller]
    fn end(&mut self) {
        drop(self.0.stdin.take());
        assert_eq!(self.0.wait().unwrap().code(), Some(0));
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

/// Decodes a PNG in base64.
fn picture(png: &Value) -> Frame {
    let bytes = base64::engine::general_purpose::STANDARD.decode(png.as_str().expect("a PNG"));
    decode_png(Cursor::new(bytes.unwrap())).unwrap()
}

/// Replays `session.trace` in `folder`, and checks that its last frame is `shown`.
#[track_caller]
fn check_replay(folder: &Path, board: &str, shown: &Frame) {
    let recorded = fs::read_to_string(folder.join("session.trace")).unwrap();
    assert!(recorded.ends_with("end\n"), "{recorded}");
    check(folder, &format!("replay session.trace{board}"), 0, &[]);
    check(folder, &format!("screenshot session.trace --output on.png{board}"), 0, &[]);
    if let Err(mismatch) = compare(&read_png(folder.join("on.png")).unwrap(), shown) {
        panic!("the replay ends with another picture than was answered: {mismatch}");
    }
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
    // The saved file is a test that passes, with its golden.
    check(folder.path(), "replay saved.trace", 0, &[]);
    assert!(folder.path().join("saved/after.png").exists());
}

#[test]
fn each_client_of_a_socket_has_its_own_sessions() {
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
    // One client sends invalid data and disconnects.
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
    // A killed server leaves its socket, which the next one takes over.
    server.0.kill().unwrap();
    server.0.wait().unwrap();
    assert!(socket.exists());
    let mut next = Server::start(folder.path(), "serve --socket s");
    assert_eq!(next.line(), "nudge answers at s\n");
    let recorded = fs::read_to_string(folder.path().join("session.trace")).unwrap();
    assert!(recorded.ends_with("tap B1\n"), "{recorded}");
    // A server that receives a signal ends the recordings of its clients, and removes its socket.
    let (mut last, mut from_last) = connect();
    ask(&mut last, &mut from_last, "boot", json!({"record": "last.trace"}));
    ask(&mut last, &mut from_last, "tap", json!({"button": "B1"}));
    let term = through("kill").args(["-TERM", &next.0.id().to_string()]).status().unwrap();
    assert!(term.success() && next.0.wait().unwrap().success() && !socket.exists());
    let recorded = fs::read_to_string(folder.path().join("last.trace")).unwrap();
    assert!(recorded.contains("tap B1\n") && recorded.ends_with("end\n"), "{recorded}");
}

#[test]
fn the_end_of_input_ends_the_server_and_its_recordings() {
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

#[test]
fn an_assistants_session_over_standard_streams_replays() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), "mcp --record");
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let answer = server.ask("initialize", hello);
    assert_eq!(answer["serverInfo"]["name"], "nudge", "{answer}");
    assert_eq!(answer["protocolVersion"], "2025-06-18");
    // A notification has no answer: the next line answers the invalid data.
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let rubbish = server.send(&format!("{notification}\n\u{1}rubbish"));
    assert_eq!((&rubbish["id"], &rubbish["error"]["code"]), (&Value::Null, &json!(-32700)));
    let tools = server.ask("tools/list", json!({}));
    let names = tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str());
    let names: Vec<&str> = names.map(Option::unwrap).collect();
    for name in ["boot", "press", "release", "advance", "read", "screenshot", "save"] {
        assert!(names.contains(&name), "{names:?}");
    }
    server.tool("boot", json!({"header": {"seed": 7}}));
    server.tool("wait_text", json!({"text": "Player 1's turn", "within": "5s"}));
    server.tool("press", json!({"button": "B3"}));
    let refused = server.ask("tools/call", json!({"name": "press", "arguments": {"button": "B3"}}));
    assert_eq!(refused["isError"], true, "it is down already: {refused}");
    server.tool("advance", json!({"by": "90ms"}));
    server.tool("release", json!({"button": "B3"}));
    server.tool("settle", json!({"within": "20s"}));
    let read = server.tool("read", json!({}));
    assert!(read["text"].as_str().unwrap().contains("FREE TURN"), "{read}");
    let image = server.tool("screenshot", json!({}));
    assert_eq!((&image["type"], &image["mimeType"]), (&json!("image"), &json!("image/png")));
    server.end();
    let recorded = fs::read_to_string(folder.path().join("session.trace")).unwrap();
    assert!(recorded.contains("press B3\n") && recorded.contains("release B3\n"), "{recorded}");
    check_replay(folder.path(), "", &picture(&image["data"]));
}

#[test]
#[cfg_attr(not(feature = "pico-test"), ignore = "needs the program of `make firmware`")]
fn a_clients_session_on_the_picos_program_replays_there() {
    let folder = tempfile::tempdir().unwrap();
    let program = boards::pico::firmware::path().expect("`make firmware` builds the program");
    let board = format!("pico={}", fs::canonicalize(program).unwrap().display());
    let mut server = Server::start(folder.path(), "serve --record");
    server.ask("boot", json!({"board": board, "header": {"seed": 7}}));
    server.ask("wait_text", json!({"text": "Player 1's turn", "within": "5s"}));
    server.ask("tap", json!({"button": "B3"}));
    server.ask("wait_text", json!({"text": "FREE TURN", "within": "5s"}));
    let shown = picture(&server.ask("screenshot", json!({}))["png"]);
    let refused = server
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"boot","params":{"board":"pico=nowhere.elf"}}"#);
    assert_eq!(refused["error"]["code"], -32007, "{refused}");
    server.end();
    check_replay(folder.path(), &format!(" --board {board}"), &shown);
}

#[test]
fn controls_of_a_described_board_are_recorded_and_replay() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    for name in ["dial.board.toml", "dial.elf"] {
        fs::copy(boards.join(name), folder.path().join(name)).unwrap();
    }
    let mut server = Server::start(folder.path(), "serve");
    server.ask("boot", json!({"board": "dial.board.toml", "record": "turned.trace"}));
    server.ask("advance", json!({"by": "500ms"}));
    for line in ["turn DIAL by 2", "set STICK 0.25,1", "switch MODE on"] {
        server.ask("do", json!({"line": line}));
        server.ask("advance", json!({"by": "150ms"}));
    }
    for line in ["expect led STATUS on", "expect led STRIP 1 #801000"] {
        server.ask("do", json!({"line": line}));
    }
    server.end();
    let text = fs::read_to_string(folder.path().join("turned.trace")).unwrap();
    for line in ["turn DIAL by 2\n", "set STICK 0.25,1\n", "switch MODE on\n"] {
        assert!(text.contains(line), "{text}");
    }
    let mut replay = crate::command::nudge();
    let output = replay
        .args(["replay", "turned.trace", "--board", "dial.board.toml"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
