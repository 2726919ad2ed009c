//! Messages: those of the JSON-RPC specification, invalid ones, and those of an assistant's client.

use serde_json::{Value, json};

use super::{Boards, dispatcher};
use crate::{BoardProvider as _, METHODS, McpDispatcher, REQUEST_BYTES_MAX, answer, serve};

/// Returns the answers to lines of a client, as JSON.
fn answers(input: &[u8]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    let mut output = Vec::new();
    let mut input = input;
    serve(&mut input, &mut output, &mut |line| {
        answer(line, &mut |method, params| dispatcher.call(method, params))
    })
    .unwrap();
    let lines = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

#[track_caller]
fn check(request: &str, expected: &Value) {
    let answers = answers(format!("{request}\n").as_bytes());
    let codes = |answer: &Value| match answer {
        Value::Array(batch) => {
            batch.iter().map(|one| json!([one["id"], one["error"]["code"]])).collect()
        }
        one => json!([one["id"], one["error"]["code"]]),
    };
    let found: Vec<Value> = answers.iter().map(codes).collect();
    assert_eq!(json!(found), *expected, "{request}");
}

#[test]
fn requests_notifications_and_batches_follow_the_specification() {
    let version = r#"{"jsonrpc":"2.0","method":"version","id":7}"#;
    check(version, &json!([[7, null]]));
    check(r#"{"jsonrpc":"2.0","method":"version","id":"x"}"#, &json!([["x", null]]));
    check(r#"{"jsonrpc":"2.0","method":"version"}"#, &json!([]));
    check(r#"{"jsonrpc":"2.0","method":"nothing"}"#, &json!([]));
    check(r#"{"jsonrpc":"2.0","method":"nothing","id":1}"#, &json!([[1, -32601]]));
    check(r#"{"jsonrpc":"2.0","method":"tap","params":[1],"id":1}"#, &json!([[1, -32602]]));
    check(
        r#"{"jsonrpc":"2.0","method":"tap","params":{"button":"B1"},"id":1}"#,
        &json!([[1, -32002]]),
    );
    check(r#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, &json!([[null, -32600]]));
    check(r#"{"jsonrpc":"1.0","method":"version","id":1}"#, &json!([[1, -32600]]));
    check(r#"{"jsonrpc":"2.0","method":"version","id":{}}"#, &json!([[null, -32600]]));
    check(r#"{"jsonrpc":"2.0","method":"version","params":3,"id":1}"#, &json!([[1, -32600]]));
    check(r#"{"jsonrpc":"2.0","method":"#, &json!([[null, -32700]]));
    check("[]", &json!([[null, -32600]]));
    check("[1,2]", &json!([[[null, -32600], [null, -32600]]]));
    check(
        &format!("[{version},{{\"jsonrpc\":\"2.0\",\"method\":\"version\"}},1]"),
        &json!([[[7, null], [null, -32600]]]),
    );
    check(r#"[{"jsonrpc":"2.0","method":"version"}]"#, &json!([]));
    check("   ", &json!([]));
}

#[test]
fn requests_after_invalid_bytes_are_answered() {
    let deep = "[".repeat(100_000);
    let long = "x".repeat(3 * REQUEST_BYTES_MAX);
    let mut input = Vec::new();
    for line in [&b"\xFF\xFE\x00"[..], b"GET / HTTP/1.1", deep.as_bytes(), long.as_bytes()] {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(br#"{"jsonrpc":"2.0","method":"version","id":1}"#);
    let answers = answers(&input);
    let codes: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["code"]).collect();
    assert_eq!(json!(codes), json!([-32700, -32700, -32700, -32600, null]));
    assert_eq!(answers[4]["result"]["protocol"], 1);
    // The input ends in the middle of a request.
    assert_eq!(self::answers(br#"{"jsonrpc"#).len(), 1);
    assert_eq!(self::answers(&[b'x'; REQUEST_BYTES_MAX + 9]).len(), 1);
}

#[test]
fn methods_are_tools_and_screenshots_are_images() {
    let folder = tempfile::tempdir().unwrap();
    let mut mcp = McpDispatcher::new(dispatcher(folder.path(), false), Boards.version(), "counts");
    let hello = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {}});
    let answer = mcp.call("initialize", Some(hello)).unwrap();
    assert_eq!(
        (&answer["protocolVersion"], &answer["capabilities"]),
        (&json!("2025-03-26"), &json!({"tools": {}}))
    );
    let newer = mcp.call("initialize", Some(json!({"protocolVersion": "2099-01-01"}))).unwrap();
    assert_eq!(newer["protocolVersion"], "2025-06-18");
    let tools = mcp.call("tools/list", None).unwrap();
    assert_eq!(tools["tools"].as_array().unwrap().len(), METHODS.len());
    assert_eq!(tools["tools"][2]["inputSchema"]["required"], json!(["button"]));
    let mut call = |name: &str, arguments: Value| {
        mcp.call("tools/call", Some(json!({"name": name, "arguments": arguments})))
    };
    assert_eq!(call("boot", json!({})).unwrap()["isError"], false);
    call("settle", json!({"within": "5s"})).unwrap();
    let read = call("read", json!({})).unwrap();
    assert!(read["content"][0]["text"].as_str().unwrap().contains("Player 1's turn"), "{read}");
    let picture = call("screenshot", json!({})).unwrap();
    assert_eq!(picture["content"][0]["mimeType"], "image/png");
    assert!(picture["content"][0]["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    let failed = call("expect_text", json!({"text": "GAME OVER"})).unwrap();
    assert_eq!(failed["isError"], true);
    assert_eq!(call("nothing", json!({})).unwrap_err().kind.code(), -32602);
    assert_eq!(mcp.call("resources/list", None).unwrap_err().kind.code(), -32601);
}

#[test]
fn the_page_has_every_method_and_parameter() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/serve.md");
    let page = std::fs::read_to_string(page).unwrap();
    for method in METHODS {
        let start = format!("| `{}` | ", method.name);
        let row = page.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("docs/serve.md has no row {start}"));
        let cell = row.split('|').nth(2).unwrap_or_default();
        let named: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        let params: Vec<&str> = method
            .params
            .iter()
            .map(|param| param.name)
            .filter(|name| *name != "session")
            .collect();
        assert_eq!(named, params, "{}", method.name);
    }
}
