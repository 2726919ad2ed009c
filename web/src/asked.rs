//! Executes the requests about a session.

use reading::text::Reader;
use serde_json::{Value, json};
use timeline::{Session, Unit};
use virtual_time::Nanos;

use crate::answer;
use crate::controls;
use crate::fault::RequestError;
use crate::inspect;
use crate::open::Opened;
use crate::request::Request;

/// Maximum virtual time of one `run`.
const RUN_MAX: Nanos = Nanos::from_secs(60);

pub(crate) fn carry_out(
    what: &str,
    opened: &mut Opened,
    request: &Request,
) -> Result<Value, RequestError> {
    match what {
        "record" => {
            let frames = request.flag("frames", true)?;
            Ok(match &mut opened.session {
                Ok(session) => answer::timeline(session, frames),
                Err(broken) => answer::unusable(broken),
            })
        }
        "save" => Ok(match &opened.session {
            Ok(session) => json!({"trace": session.save(&opened.files)}),
            Err(broken) => json!({"trace": broken.text}),
        }),
        "seek" => {
            let (at, drawn) = (request.instant("t")?, request.flag("drawn", false)?);
            let session = opened.session()?;
            let state = session.seek(at, drawn);
            Ok(controls::state(session, &state))
        }
        "run" => {
            let until = request.instant("until")?;
            Ok(run(opened.session()?, until))
        }
        "step" => {
            let back = request.flag("back", false)?;
            let unit = match request.required_text("unit")? {
                "frame" => Unit::Frame,
                "transaction" => Unit::Transaction,
                other => return Err(RequestError::new(format!("there is no unit `{other}`"))),
            };
            let session = opened.session()?;
            let state = session.step(unit, back);
            Ok(controls::state(session, &state))
        }
        "press" | "release" => {
            let buttons = opened.session()?.board().buttons();
            let button = request.button(&buttons)?;
            let at = opened.session()?.move_finger(button, what == "press")?;
            Ok(json!({"at": at.0}))
        }
        "move" => controls::move_control(opened.session()?, request),
        "type" => {
            let text = request.required_text("text")?;
            let is_line =
                text.len() <= LINE_MAX && text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
            if !is_line || text.trim().is_empty() {
                return Err(RequestError::new(format!(
                    "a line that is typed is printable ASCII, of 1 to {LINE_MAX} characters"
                )));
            }
            Ok(json!({"at": opened.session()?.type_line(text)?.0}))
        }
        "power" => {
            let on = request.flag("on", true)?;
            Ok(json!({"at": opened.session()?.switch_power(on)?.0}))
        }
        "digest" => digest(opened.session()?),
        "panel" => inspect::panel(opened),
        "flash" => inspect::flash(opened),
        "expect" => inspect::expect(opened, request),
        other => Err(RequestError::new(format!("there is no request `{other}`"))),
    }
}

/// Maximum length of a typed line; the board takes 96 characters.
const LINE_MAX: usize = 512;

fn run(session: &mut Session, until: virtual_time::Instant) -> Value {
    let before = session.present();
    let until = until.max(before).min(before.saturating_add(RUN_MAX));
    let state = session.seek(until, false);
    let mut answer = controls::state(session, &state);
    if let Value::Object(fields) = &mut answer {
        fields.insert("events".to_owned(), answer::events(session, before, state.t));
    }
    answer
}

pub(crate) fn branch(opened: &mut Opened, request: &Request) -> Result<Opened, RequestError> {
    let branch = opened.session()?.branch(request.instant("t")?)?;
    let (files, factory) = (opened.files.clone(), opened.factory.clone());
    Ok(Opened { session: Ok(branch), files, factory })
}

pub(crate) fn compare(a: &Opened, b: &Opened) -> Result<Value, RequestError> {
    let (Ok(a), Ok(b)) = (&a.session, &b.session) else {
        return Err(RequestError::new("a trace with errors is compared with nothing"));
    };
    Ok(match timeline::compare(a, b) {
        None => json!({"same": true, "a_at": null, "b_at": null, "region": null}),
        Some(found) => json!({
            "same": false,
            "a_at": found.a_at.map(|at| at.0),
            "b_at": found.b_at.map(|at| at.0),
            "region": answer::region(found.region),
        }),
    })
}

pub(crate) fn texts(opened: &mut Opened, reader: &Reader) -> Result<Value, RequestError> {
    let read = reader.read(&opened.session()?.picture());
    let lines = read.lines.into_iter().map(|line| {
        let font = reader.fonts().get(line.font).map(|font| font.name());
        json!({
            "text": line.text, "x": line.x, "y": line.y, "w": line.width, "h": line.height,
            "font": font,
        })
    });
    Ok(json!({"lines": lines.collect::<Vec<_>>()}))
}

fn digest(session: &mut Session) -> Result<Value, RequestError> {
    let digest =
        timeline::digest(session).ok_or_else(|| RequestError::new("there is no machine"))?;
    let hex = |hash: u64| format!("{hash:016x}");
    let recording = session.recording().filter(|_| session.left_at().is_none());
    Ok(json!({
        "verdict": recording.map(|recording| answer::verdict(recording).0),
        "end": session.reached().0,
        "frames": digest.frames,
        "chain": hex(digest.chain),
        "texts": hex(digest.texts),
        "tones": hex(digest.tones),
        "console": hex(digest.console),
    }))
}
