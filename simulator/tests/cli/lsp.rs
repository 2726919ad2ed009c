//! Tests `nudge lsp` as a program: the LCD and the texts of a real board, the commands, and its end. Its answers are
//! tested in `crates/session/language-server`.

use std::fs;
use std::io::{BufRead as _, BufReader, Cursor, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reading::golden::decode_png;
use serde_json::{Value, json};

/// A running server.
struct Editor {
    server: Child,
    from: BufReader<ChildStdout>,
}

impl Editor {
    fn start(folder: &Path) -> Self {
        let mut command = crate::command::nudge();
        command.args(["lsp", "--stdio"]).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let from = BufReader::new(server.stdout.take().unwrap());
        let mut editor = Self { server, from };
        editor.ask("initialize", json!({"capabilities": {}}));
        editor.send(json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
        editor
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        let input = self.server.stdin.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    fn next(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.from.read_line(&mut line).unwrap(), 0, "the server has ended");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(bytes) => length = bytes.parse().unwrap(),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        loop {
            let answer = self.next();
            if answer["id"] == 1 {
                return answer["result"].clone();
            }
        }
    }

    /// Opens a document, and returns its problems.
    fn open(&mut self, uri: &str, text: &str) -> Value {
        let document = json!({"uri": uri, "languageId": "nudge-trace", "version": 1, "text": text});
        let params = json!({"textDocument": document});
        self.send(json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params}));
        self.next()["params"]["diagnostics"].clone()
    }

    fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        self.ask(&format!("textDocument/{method}"), params)
    }
}

const TRACE: &str = "trace 1
game board
seed 7

0ms     power on
+0ms    settle within 5s
+1s     tap B3
+2s     expect text \"TURN\"
+0ms    end
";

#[test]
fn an_editor_sees_the_board_at_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("win.trace");
    fs::write(&path, TRACE).unwrap();
    let uri = format!("file://{}", path.display());
    let mut editor = Editor::start(folder.path());
    assert_eq!(editor.open(&uri, TRACE), json!([]));

    let items = editor.at("completion", &uri, 7, 20);
    let texts: Vec<&str> =
        items.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert!(texts.iter().any(|text| text.contains("Player 1")), "{texts:?}");
    let hover = editor.at("hover", &uri, 7, 10);
    let hover = hover["contents"]["value"].as_str().unwrap();
    let png = hover.split("base64,").nth(1).unwrap().split(')').next().unwrap();
    let frame = decode_png(Cursor::new(STANDARD.decode(png).unwrap())).unwrap();
    assert_eq!((frame.width(), frame.height()), (320, 240));

    let run = json!({"command": "nudge.replay", "arguments": [uri]});
    let answer = editor.ask("workspace/executeCommand", run);
    assert_eq!(answer["passed"], true, "{answer}");
    editor.ask("shutdown", Value::Null);
    editor.send(json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
}

#[test]
fn errors_of_the_header_are_the_firmwares() {
    let folder = tempfile::tempdir().unwrap();
    let uri = format!("file://{}/x.trace", folder.path().display());
    let mut editor = Editor::start(folder.path());
    let problems = editor.open(&uri, "trace 1\ngame chess\n\n0ms power on\n");
    assert_eq!(problems[0]["range"]["start"], json!({"line": 1, "character": 5}), "{problems}");
    drop(editor.server.stdin.take());
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
}

#[test]
fn input_that_is_no_conversation_ends_with_a_sentence() {
    let mut command = crate::command::nudge();
    command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    server.stdin.take().unwrap().write_all(b"help\n").unwrap();
    let output = server.wait_with_output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{text}");
    assert!(text.starts_with("nudge: the input is not the Language Server Protocol"), "{text}");
}
