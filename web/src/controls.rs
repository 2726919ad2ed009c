//! Encoders, switches, joysticks, potentiometers, touch panels and LEDs of a described board: their movements,
//! and their states as JSON.

use hal_mock::board::Position;
use serde_json::{Map, Value, json};
use timeline::{Session, State};
use trace::{Action, Control, ControlKind, LedState, Movement, Point, Share, TURN_MAX};

use crate::answer;
use crate::fault::RequestError;
use crate::request::Request;

/// Moves a control as soon as possible. The answer has the time, and the action of a trace's line.
pub(crate) fn move_control(
    session: &mut Session,
    request: &Request,
) -> Result<Value, RequestError> {
    let name = request.required_text("control")?;
    let control = session.board().parts().controls.named(name);
    let missing = || RequestError::new(format!("there is no control `{name}`"));
    let control = control.ok_or_else(missing)?;
    let movement = movement(control, request)?;
    let at = session.move_control(control, movement)?;
    Ok(json!({"at": at.0, "line": Action::Move { control, movement }.to_string()}))
}

fn movement(control: Control, request: &Request) -> Result<Movement, RequestError> {
    Ok(match control.kind() {
        ControlKind::Encoder => {
            let by = request.get("turn").and_then(Value::as_i64);
            let by = by.and_then(|by| i16::try_from(by).ok());
            let by = by.filter(|by| *by != 0 && (-TURN_MAX..=TURN_MAX).contains(by));
            let wrong = || {
                let kind = "a number of detents, not 0, at most 1000 in a direction";
                RequestError::new(format!("`turn` is {kind}"))
            };
            Movement::Turn { by: by.ok_or_else(wrong)?, over: None }
        }
        ControlKind::Switch => {
            if request.get("on").is_none() {
                return Err(RequestError::new("`on` is missing"));
            }
            Movement::Switch(request.flag("on", true)?)
        }
        ControlKind::Potentiometer => Movement::Set { x: share(request, "x")?, y: None },
        ControlKind::Joystick => {
            Movement::Set { x: share(request, "x")?, y: Some(share(request, "y")?) }
        }
        ControlKind::Touch(area) => {
            if request.flag("lift", false)? {
                return Ok(Movement::Lift);
            }
            let side = |field: &str, pixels: u16| {
                let at = request.get(field).and_then(Value::as_u64);
                let at = at.and_then(|at| u16::try_from(at).ok()).filter(|at| *at < pixels);
                at.ok_or_else(|| {
                    let last = pixels.saturating_sub(1);
                    RequestError::new(format!("`{field}` is a pixel from 0 to {last}"))
                })
            };
            let at = Point { x: side("x", area.width)?, y: side("y", area.height)? };
            Movement::Touch { at, hold: None }
        }
    })
}

fn share(request: &Request, field: &str) -> Result<Share, RequestError> {
    let share = request.get(field).and_then(Value::as_f64);
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    let wrong = || RequestError::new(format!("`{field}` is a number from 0 to 1"));
    share.map(Share::nearest).ok_or_else(wrong)
}

/// Returns a state with the positions of the controls and the LEDs, if the board has any.
pub(crate) fn state(session: &Session, state: &State) -> Value {
    let mut answer = answer::state(state);
    let parts = session.board().parts();
    let Value::Object(fields) = &mut answer else { return answer };
    if !parts.controls.all().is_empty() {
        let position = |control: &Control| {
            let position = value(*control, session.board().position(*control)?);
            Some((control.name().to_owned(), position))
        };
        let all: Map<_, _> = parts.controls.all().iter().filter_map(position).collect();
        fields.insert("controls".to_owned(), all.into());
    }
    if !parts.leds.all().is_empty() {
        let lights = |led: &trace::Led| {
            let readings = (0..led.count()).filter_map(|number| {
                let reading = session.board().led_at(state.t, *led, number)?;
                Some(light(reading.state))
            });
            (led.name().to_owned(), readings.collect::<Vec<_>>().into())
        };
        let all: Map<String, Value> = parts.leds.all().iter().map(lights).collect();
        fields.insert("leds".to_owned(), all.into());
    }
    answer
}

fn value(control: Control, position: Position) -> Value {
    match position {
        Position::Edges(edges) => edges.into(),
        Position::Switch(on) => on.into(),
        Position::Axes(x, y) if control.kind() == ControlKind::Joystick => {
            json!([x.fraction(), y.fraction()])
        }
        Position::Axes(x, _) => x.fraction().into(),
        Position::Touch(at) => at.map_or(Value::Null, |at| json!([at.x, at.y])),
    }
}

/// Returns the brightness of an LED of one colour, from 0 to 1, or its colour as `#rrggbb`.
fn light(state: LedState) -> Value {
    match state {
        LedState::Level(share) => share.fraction().into(),
        LedState::Colour([red, green, blue, white]) => {
            let [red, green, blue] = [red, green, blue].map(|part| part.saturating_add(white));
            format!("#{red:02x}{green:02x}{blue:02x}").into()
        }
    }
}
