//! Outputs of a board as an answer: its LCD, console and tones.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hal_mock::board::{SETTLED_AFTER, tone_at};
use reading::golden::encode_png;
use serde_json::{Map, Value, json};

use crate::session::Session;

/// Returns the board's outputs at the session's present time; console lines and tones since the
/// last answer that reported them.
pub(crate) fn read(session: &mut Session) -> Value {
    let (at, board) = (session.clock(), session.board());
    let reader = session.reader();
    let screen = reader.read(&board.frame_at(at));
    let text = screen.readings();
    let lines = screen.lines.iter().map(|line| {
        json!({"text": line.text, "x": line.x, "y": line.y, "w": line.width, "h": line.height})
    });
    let lines: Vec<Value> = lines.collect();
    let (console_from, tones_from) = session.reported;
    let console = board.console_lines_from(console_from);
    let console: Vec<Value> = console
        .iter()
        .take_while(|line| line.at <= at)
        .map(|line| json!({"at": line.at.0, "text": line.text}))
        .collect();
    let tones = board.tones_from(tones_from);
    let tones: Vec<Value> = tones
        .iter()
        .take_while(|tone| tone.at <= at)
        .map(|tone| json!({"at": tone.at.0, "hz": tone.hz}))
        .collect();
    let tone = board.with_tones(|tones| tone_at(tones, at));
    let down: Vec<String> = session.down().map(|button| button.to_string()).collect();
    let answer = json!({
        "t": at.0,
        "text": text,
        "lines": lines,
        "frame": board.frame_count_at(at),
        "settled": board.last_change().saturating_add(SETTLED_AFTER) <= at,
        "powered": board.is_powered(),
        "backlight": board.is_backlit_at(at),
        "tone": tone,
        "down": down,
        "console": console,
        "tones": tones,
        "stopped": session.stopped(),
    });
    // A board drops the oldest lines and tones, so those that were answered are no count.
    let console_to = board.with_console(|lines| lines.partition_point(|line| line.at <= at));
    let tones_to = board.with_tones(|tones| tones.partition_point(|tone| tone.at <= at));
    session.reported = (console_from.max(console_to), tones_from.max(tones_to));
    answer
}

/// Returns the LCD's last complete frame as PNG.
pub(crate) fn png(session: &Session) -> Vec<u8> {
    encode_png(&session.board().frame_at(session.clock()))
}

/// Encodes a PNG in base64.
pub(crate) fn as_text(png: &[u8]) -> String {
    STANDARD.encode(png)
}

/// Returns an answer with the present time and the fields of `more`.
pub(crate) fn timed(session: &Session, more: Value) -> Value {
    let mut answer = Map::new();
    answer.insert("t".to_owned(), session.clock().0.into());
    if let Value::Object(more) = more {
        answer.extend(more);
    }
    answer.into()
}
