//! States and timelines as JSON.

use std::collections::BTreeMap;

use hal_mock::{
    board::{ConsoleLine, Tone, Violation},
    replay::Verdict,
};
use ili9341_model::Region;
use serde_json::{Value, json};
use timeline::{
    FrameSeen, LineRun, LineVerdict, Recording, Session, State, TimedInput, actions_of,
};
use trace::{Action, Button, ButtonMap};
use virtual_time::Instant;

use crate::open::{InvalidTrace, TraceError};

pub(crate) fn state(state: &State) -> Value {
    let down: Vec<&str> = state.down.iter().map(|button| button.name()).collect();
    json!({
        "t": state.t.0,
        "frame": state.frame,
        "frame_at": state.frame_at.map(|at| at.0),
        "down": down,
        "tone": state.tone.unwrap_or_default(),
        "powered": state.powered,
        "settled": state.settled,
        "console": state.console,
        "end": state.end.map(|at| at.0),
        "reached": state.reached.0,
        "broken": state.broken.as_ref().map(ToString::to_string),
    })
}

pub(crate) fn region(region: Option<Region>) -> Value {
    match region {
        Some(Region { x, y, width, height }) => json!([x, y, width, height]),
        None => Value::Null,
    }
}

/// Returns the tones, console lines and frames after `after`, up to `until`.
pub(crate) fn events(session: &Session, after: Instant, until: Instant) -> Value {
    let is_new = |at: Instant| at > after && at <= until;
    let history = session.history();
    let frames = session.frames_seen().iter().rev();
    let frames = frames.take_while(|frame| frame.at > after).filter(|frame| is_new(frame.at));
    let mut frames: Vec<Value> =
        frames.map(|frame| json!({"from": frame.from.0, "at": frame.at.0})).collect();
    frames.reverse();
    json!({
        "tones": history.tones.iter().filter(|tone| is_new(tone.at)).map(tone).collect::<Vec<_>>(),
        "console":
            history.console.iter().filter(|line| is_new(line.at)).map(console).collect::<Vec<_>>(),
        "frames": frames,
    })
}

fn tone(tone: &Tone) -> Value {
    json!({"at": tone.at.0, "hz": tone.hz.unwrap_or_default()})
}

fn console(line: &ConsoleLine) -> Value {
    json!({"at": line.at.0, "text": line.text})
}

/// Returns the timeline of a session.
pub(crate) fn timeline(session: &mut Session, with_frames: bool) -> Value {
    let reached = session.reached();
    let frames = if with_frames { frames(session.frames(), reached) } else { Value::Null };
    let dropped = with_frames && session.frames_dropped() || session.history().dropped;
    let recording = session.recording().cloned();
    let replayed = recording.as_ref().filter(|_| session.left_at().is_none());
    let (verdict, message) =
        replayed.map_or((Value::Null, Value::Null), |replayed| verdict(replayed));
    let until = session.left_at().unwrap_or(Instant::NEVER);
    let lines = recording.as_ref().map(|recording| lines(recording, until)).unwrap_or_default();
    let faults = recording.iter().flat_map(|recording| &recording.faults);
    let faults = faults.filter(|(at, _)| *at <= until);
    let faults = faults.map(|(at, fault)| json!({"at": at.0, "text": format!("fault {fault}")}));
    let history = session.history();
    let past = |at: Instant| at <= reached;
    let contacts =
        history.contacts.iter().filter(|edge| past(edge.at)).map(
            |edge| json!({"button": edge.button.name(), "at": edge.at.0, "closed": edge.closed}),
        );
    let power = history.power.iter().filter(|change| past(change.at));
    let mut found: Vec<(&Violation, bool)> =
        history.violations.iter().map(|one| (one, false)).collect();
    found.extend(history.notes.iter().map(|one| (one, true)));
    found.retain(|(one, _)| past(one.at));
    found.sort_by_key(|(one, _)| one.at);
    let found = found.into_iter().map(|(one, is_note)| {
        let rule = format!("{:?}", one.rule);
        json!({"at": one.at.0, "rule": rule, "message": one.rule.to_string(), "note": is_note})
    });
    let mut fields = json!({
        "verdict": verdict,
        "message": message,
        "end": reached.0,
        "lines": lines,
        "fingers": fingers(session.done(), reached),
        "inputs": inputs(session.done(), reached),
        "contacts": contacts.collect::<Vec<_>>(),
        "tones":
            history.tones.iter().filter(|tone| past(tone.at)).map(tone).collect::<Vec<_>>(),
        "console":
            history.console.iter().filter(|line| past(line.at)).map(console).collect::<Vec<_>>(),
        "power":
            power.map(|change| json!({"at": change.at.0, "on": change.on})).collect::<Vec<_>>(),
        "faults": faults.collect::<Vec<_>>(),
        "violations": found.collect::<Vec<_>>(),
        "dropped": dropped,
    });
    if let (true, Value::Object(fields)) = (with_frames, &mut fields) {
        fields.insert("frames".to_owned(), frames);
    }
    fields
}

/// Returns the timeline of a trace with errors, which has only lines.
pub(crate) fn unusable(broken: &InvalidTrace) -> Value {
    let lines = broken.text.lines().zip(1_u32..).map(|(text, line)| {
        let mut message = broken.errors.iter().filter(|error| error.line == line);
        let message = message.next().map(|TraceError { message, .. }| message);
        json!({
            "line": line, "text": text, "at": null, "over": null, "kind": "other",
            "verdict": message.map(|_| "failed"), "message": message,
        })
    });
    json!({
        "verdict": "unusable", "message": null, "end": 0, "lines": lines.collect::<Vec<_>>(),
        "fingers": [], "inputs": [], "contacts": [], "frames": [], "tones": [], "console": [], "power": [],
        "faults": [], "violations": [], "dropped": false,
    })
}

pub(crate) fn verdict(recording: &Recording) -> (Value, Value) {
    match &recording.outcome.verdict {
        Verdict::Passed => ("passed".into(), Value::Null),
        Verdict::Failed(failures) => {
            ("failed".into(), failures.first().map(|failure| failure.message()).into())
        }
        Verdict::LimitReached { .. } => {
            ("limit".into(), "the firmware keeps the clock for itself".into())
        }
        Verdict::Broken(error) => ("broken".into(), error.to_string().into()),
    }
}

fn frames(frames: &[FrameSeen], reached: Instant) -> Value {
    let next = frames.iter().skip(1).map(|next| next.from).chain([reached]);
    let frames = frames.iter().zip(next).map(|(frame, next)| {
        json!({
            "from": frame.from.0,
            "at": frame.at.0,
            "bytes": frame.bytes,
            "region": region(frame.region),
            "settled": frame.is_settled(next),
        })
    });
    frames.collect::<Vec<_>>().into()
}

/// Returns the inputs as actions of a trace, with the name of the control that one moves.
fn inputs(done: &[TimedInput], reached: Instant) -> Value {
    let inputs = actions_of(done.iter().filter(|done| done.at() <= reached));
    let inputs = inputs.into_iter().map(|(at, action)| {
        let control = match &action {
            Action::Move { control, .. } => Some(control.name()),
            _ => None,
        };
        json!({"at": at.0, "action": action.to_string(), "control": control})
    });
    inputs.collect::<Vec<_>>().into()
}

fn fingers(done: &[TimedInput], reached: Instant) -> Value {
    let mut moves: Vec<(Instant, Button, bool)> = done
        .iter()
        .filter_map(|done| done.finger().map(|(button, down)| (done.at(), button, down)))
        .filter(|(at, ..)| *at <= reached)
        .collect();
    moves.sort_by_key(|(at, ..)| *at);
    let mut fingers: Vec<Value> = Vec::new();
    let mut down: ButtonMap<Option<usize>> = ButtonMap::default();
    for (at, button, goes_down) in moves {
        let place = down.at(button);
        if goes_down && place.is_none() {
            *place = Some(fingers.len());
            fingers.push(json!({"button": button.name(), "at": at.0, "until": null}));
        } else if !goes_down
            && let Some(finger) = place.take().and_then(|place| fingers.get_mut(place))
        {
            finger["until"] = at.0.into();
        }
    }
    fingers.into()
}

/// Returns every line of the text; lines that were over by `until` have their times and verdicts.
fn lines(recording: &Recording, until: Instant) -> Vec<Value> {
    let trace = &recording.opened.trace;
    let mut runs: BTreeMap<u32, Vec<&LineRun>> = BTreeMap::new();
    let mut kinds: BTreeMap<u32, &str> = BTreeMap::new();
    for line in &trace.lines {
        kinds.entry(line.place.line).or_insert(kind(&line.action));
    }
    for run in recording.lines.iter().filter(|run| run.at <= until) {
        if let Some(line) = trace.lines.get(run.line) {
            runs.entry(line.place.line).or_default().push(run);
        }
    }
    let line = |(text, line): (&str, u32)| {
        let runs = runs.get(&line).map(Vec::as_slice).unwrap_or_default();
        let message = runs.iter().find_map(|run| run.message.as_deref());
        let over = runs.last().and_then(|run| run.over).filter(|over| *over <= until);
        json!({
            "line": line,
            "text": text,
            "at": runs.first().map(|run| run.at.0),
            "over": over.map(|at| at.0),
            "kind": kinds.get(&line).copied().unwrap_or("other"),
            "verdict": verdict_of(runs),
            "message": message,
        })
    };
    recording.opened.text.lines().zip(1..).map(line).collect()
}

fn verdict_of(runs: &[&LineRun]) -> Option<&'static str> {
    let any = |wanted: Option<LineVerdict>| runs.iter().any(|run| run.verdict == wanted);
    if runs.is_empty() {
        None
    } else if any(Some(LineVerdict::Failed)) {
        Some("failed")
    } else if any(None) {
        None
    } else if any(Some(LineVerdict::Skipped)) {
        Some("skipped")
    } else {
        Some("passed")
    }
}

fn kind(action: &Action) -> &'static str {
    match action {
        action if action.is_expectation() => "expect",
        action if action.longest_wait().is_some() => "wait",
        Action::Release(_) => "input",
        action if action.is_input() => "input",
        _ => "other",
    }
}
