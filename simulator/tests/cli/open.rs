//! Tests the server of `nudge open` on its socket. Its decisions are tested in
//! `crates/session/studio`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ili9341_model::Frame;
use reading::golden::encode_png;
use serde_json::Value;

use crate::command::{check, nudge_that_takes_signals};
use crate::export::{data, has_page};

/// A running studio; it ends with the test.
struct Studio {
    child: Child,
    /// Address of the server, `127.0.0.1:PORT`.
    host: String,
    /// Path of the page, `/TOKEN/`.
    base: String,
}

impl Studio {
    fn start(folder: &Path, arguments: &str) -> Self {
        let mut child = nudge_that_takes_signals()
            .args(["open", "--no-browser"])
            .args(arguments.split_whitespace())
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit_once("http://").expect("an address").1;
        let (host, rest) = address.split_once('/').unwrap();
        let base = format!("/{}", rest.split('#').next().unwrap());
        Self { child, host: host.to_owned(), base }
    }

    /// Sends a request with these header lines; returns the status and the body of the answer.
    fn ask(&self, head: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let head = format!("{head}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses the request may not read all of it.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer");
        let status = std::str::from_utf8(&answer[9..12]).unwrap().parse().unwrap();
        (status, answer.split_off(end + 4))
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.ask(&format!("GET {}{path} HTTP/1.1\r\nHost: {}", self.base, self.host), b"")
    }

    fn put(&self, path: &str, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let (base, host) = (&self.base, &self.host);
        let own = format!("Host: {host}\r\nOrigin: http://{host}");
        self.ask(&format!("PUT {base}{path} HTTP/1.1\r\n{own}{headers}"), body)
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const TRACE: &str = "trace 1\n0ms power on\n+1s end\n";

/// Creates a folder with `in/win.trace`.
fn scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("in/win")).unwrap();
    fs::write(folder.path().join("in/win.trace"), TRACE).unwrap();
    folder
}

#[test]
fn a_studio_reads_and_writes_only_files_of_its_trace() {
    let folder = scene();
    if !has_page() {
        let [_, err] = check(folder.path(), "open in/win.trace --no-browser", 2, &[]);
        assert!(err.contains("make page"), "{err}");
        return;
    }
    let file = folder.path().join("in/win.trace");
    let studio = Studio::start(folder.path(), "in/win.trace --at 0.5s");
    let (status, html) = studio.get("");
    let page = data(&String::from_utf8(html).unwrap());
    assert_eq!((status, &page["mode"]), (200, &Value::from("studio")));
    assert_eq!(page["server"]["base"], *studio.base);
    assert_eq!(page["traces"][0]["text"], TRACE);

    let modified = page["server"]["modified"].as_str().unwrap().to_owned();
    let known = format!("\r\nIf-Match: \"{modified}\"");
    let (status, answer) =
        studio.put("trace", &known, b"trace 1\n# longer\n0ms power on\n+1s end\n");
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&answer));
    let (status, _) = studio.put("trace", &known, TRACE.as_bytes());
    assert_eq!(status, 409, "it has changed");
    assert!(fs::read_to_string(&file).unwrap().contains("# longer"));
    // A page that is opened later has the changed trace.
    let again = data(&String::from_utf8(studio.get("").1).unwrap());
    assert!(again["traces"][0]["text"].as_str().unwrap().contains("# longer"));

    let png = encode_png(&Frame::filled(320, 240, 0x0000_8000));
    assert_eq!(studio.put("golden?name=win/start.png", "", &png).0, 200);
    assert_eq!(fs::read(folder.path().join("in/win/start.png")).unwrap(), png);
    assert_eq!(studio.put("save?name=branch.trace", "", TRACE.as_bytes()).0, 200);
    assert_eq!(studio.get("file?name=branch.trace"), (200, TRACE.as_bytes().to_vec()));
    assert_eq!(studio.put("save?name=..%2Fout.trace", "", TRACE.as_bytes()).0, 403);
    assert_eq!(studio.put("save?name=large.trace", "", &vec![b'#'; (16 << 20) + 1]).0, 413);

    // A trace with errors is shown with its text.
    fs::write(&file, "trace 1\n0ms power on\n+1s tpa B3\n").unwrap();
    let wrong = data(&String::from_utf8(studio.get("").1).unwrap());
    assert!(wrong["traces"][0]["text"].as_str().unwrap().contains("tpa"));
    fs::remove_file(&file).unwrap();
    let state: Value = serde_json::from_slice(&studio.get("state").1).unwrap();
    assert_eq!(state["modified"], Value::Null);
}

#[test]
fn idle_connections_do_not_keep_the_page_waiting_and_a_nul_is_refused() {
    let folder = scene();
    if !has_page() {
        return;
    }
    let studio = Studio::start(folder.path(), "in/win.trace");
    let idle: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(&studio.host).unwrap()).collect();
    let stopwatch = host::clock::Stopwatch::start();
    assert_eq!(studio.get("state").0, 200);
    // An idle connection is closed after 10 s.
    assert!(stopwatch.elapsed().as_secs() < 8, "{:?}", stopwatch.elapsed());
    drop(idle);
    for path in ["file?name=a%00.trace", "file?name=%00"] {
        assert_eq!(studio.get(path).0, 400, "{path}");
    }
    assert_eq!(studio.put("save?name=a%00.trace", "", TRACE.as_bytes()).0, 400);
    assert_eq!(studio.put("golden?name=win/a%00.png", "", b"").0, 400);
}

#[test]
fn a_studio_answers_only_its_own_page_and_ends_with_ctrl_c() {
    let folder = scene();
    if !has_page() {
        let [_, err] = check(folder.path(), "open --no-browser", 2, &[]);
        assert!(err.contains("make page"), "{err}");
        return;
    }
    let mut studio = Studio::start(&folder.path().join("in"), "");
    let (host, base) = (studio.host.clone(), studio.base.clone());
    let foreign = format!("GET {base} HTTP/1.1\r\nHost: evil.example");
    assert_eq!(studio.ask(&foreign, b"").0, 421);
    assert_eq!(studio.ask(&format!("GET / HTTP/1.1\r\nHost: {host}"), b"").0, 404);
    let other = format!("PUT {base}save?name=a.trace HTTP/1.1\r\nHost: {host}");
    assert_eq!(studio.ask(&other, TRACE.as_bytes()).0, 403);
    let other = format!("{other}\r\nOrigin: http://evil.example");
    assert_eq!(studio.ask(&other, TRACE.as_bytes()).0, 403);
    assert!(!folder.path().join("in/a.trace").exists());
    let page = data(&String::from_utf8(studio.get("").1).unwrap());
    assert_eq!(page["live"], true);

    // Linux lists the listening sockets with their addresses: 0100007F is 127.0.0.1.
    let port: u16 = host.rsplit_once(':').unwrap().1.parse().unwrap();
    if let Ok(table) = fs::read_to_string("/proc/net/tcp") {
        assert!(table.contains(&format!(" 0100007F:{port:04X} 00000000:0000 0A ")), "{table}");
    }
    let [_, err] = check(folder.path(), &format!("open --no-browser --port {port}"), 2, &[]);
    assert!(err.contains(&format!("port {port} is in use")), "{err}");

    let id = studio.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(studio.child.wait().unwrap().code(), Some(0));
}

#[test]
fn open_reports_files_that_cannot_be_opened() {
    let folder = scene();
    let refused = |line: &str, said: &str| {
        let [out, err] = check(folder.path(), line, 2, &[]);
        assert!(out.is_empty() && err.contains(said), "{line}: {err}");
    };
    refused("open --no-browser none.trace", "none.trace: ");
    refused("open --no-browser in", "in: ");
    refused("open --no-browser in/win.trace --board pico=in/win.trace", "in/win.trace");
    refused("open --no-browser --board probe:/dev/null", "`probe:/dev/null` is behind a probe");
    refused("open --no-browser --port 0", "0");
}

#[test]
fn a_described_board_is_open_with_its_program() {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    for name in ["handheld.board.toml", "handheld.elf"] {
        fs::copy(examples.join(name), folder.path().join(name)).unwrap();
    }
    if !has_page() {
        return;
    }
    let studio = Studio::start(folder.path(), "--board handheld.board.toml");
    let page = data(&String::from_utf8(studio.get("").1).unwrap());
    assert_eq!((&page["live"], &page["board"]), (&true.into(), &"described".into()));
    assert_eq!(page["board_file"]["path"], "handheld.board.toml");
    let blob = page["board_file"]["blobs"]["handheld.elf"].as_str().unwrap();
    assert!(page["blobs"][blob].is_string());
    // A trace that names its board, below the board's folder.
    fs::create_dir(folder.path().join("traces")).unwrap();
    let trace = TRACE.replace("trace 1\n", "trace 1\nboard ../handheld.board.toml\n");
    fs::write(folder.path().join("traces/win.trace"), &trace).unwrap();
    let studio = Studio::start(folder.path(), "traces/win.trace");
    let page = data(&String::from_utf8(studio.get("").1).unwrap());
    let opened = &page["traces"][0];
    assert_eq!(opened["text"], trace);
    assert!(opened["files"]["../handheld.board.toml"].is_string());
    assert!(opened["blobs"]["../handheld.elf"].is_string());
    // It is saved with names of the board's buttons.
    let changed = trace.replace("+1s end", "+1s tap UP\n+1s end");
    let known = format!("\r\nIf-Match: {}", "\"x\"");
    assert_eq!(studio.put("trace", &known, changed.as_bytes()).0, 409);
    let known = format!("\r\nIf-Match: \"{}\"", page["server"]["modified"].as_str().unwrap());
    assert_eq!(studio.put("trace", &known, changed.as_bytes()).0, 200);
}
