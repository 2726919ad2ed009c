//! Outputs of a board as an answer: its LCD, console and tones.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hal_mock::{
    VirtualBoard,
    board::{SETTLED_AFTER, tone_at},
};
use reading::golden::encode_png;
use serde_json::{Map, Value, json};
use trace::Display;

use crate::session::Session;

/// Returns the board's outputs at the session's present time; console lines and tones since the
/// last answer that reported them. The text is that of the display, or of the first one.
///
/// With `searched` the answer has the continuous texts, in which `expect text` searches.
pub(crate) fn read(session: &mut Session, display: Option<Display>, searched: bool) -> Value {
    let (at, board) = (session.clock(), on(session, display));
    let own_reader = board.text_reader();
    let reader = own_reader.as_deref().unwrap_or(session.reader());
    let screen = reader.read(&board.frame_at(at));
    let text: Vec<String> = screen.to_string().lines().map(str::to_owned).collect();
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
    let mut answer = json!({
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
    if searched {
        answer["searched"] = screen.readings().into();
    }
    // A board drops the oldest lines and tones, so those that were answered are no count.
    let console_to = board.with_console(|lines| lines.partition_point(|line| line.at <= at));
    let tones_to = board.with_tones(|tones| tones.partition_point(|tone| tone.at <= at));
    session.reported = (console_from.max(console_to), tones_from.max(tones_to));
    answer
}

/// Returns the last complete frame of the display, or of the first one, as PNG.
pub(crate) fn png(session: &Session, display: Option<Display>) -> Vec<u8> {
    encode_png(&on(session, display).frame_at(session.clock()))
}

/// Returns a handle to the board that reads the display, or the first one.
fn on(session: &Session, display: Option<Display>) -> VirtualBoard {
    session.board().at_display(display.map_or(0, Display::index))
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
