//! Converts Wokwi's automation scenarios to traces: all documented steps.
//!
//! A step that a trace cannot express is a [`Loss`] with its line. `docs/formats.md` lists the
//! steps and their counterparts in a trace.

mod parts;

use std::io::Read;
use std::path::Path;

use escape::terminal::plain;
use trace::{
    Action, ButtonSet, Control, ControlKind, LedCheck, LedLight, Line, Movement, NAME_CHARS_MAX,
    Share, Trace, When, is_name, parse_time,
};
use virtual_time::{Instant, Nanos};

use crate::error::{FormatError, ScenarioError};
use crate::loss::{Loss, LossReason};
use crate::presses::ConvertedTrace;
use crate::wiring::Wiring;
use crate::yaml::{self, Node, Value};
pub use parts::DiagramParts;
use parts::{KnownParts, Part};

/// Longest wait of `wait-serial`: the time limit of Wokwi's own command, 30 s.
const WAIT_WITHIN: Nanos = Nanos::from_secs(30);
/// Maximum number of detents of one step: that of a `turn`.
const DETENTS_MAX: i16 = 1_000;

/// Names of all documented steps.
const STEPS: [&str; 11] = [
    "delay",
    "expect-chip-output",
    "expect-pin",
    "set-control",
    "take-screenshot",
    "touch",
    "touch-move",
    "touch-press",
    "touch-release",
    "wait-serial",
    "write-serial",
];

/// A scenario converted to a trace.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The trace, and notes about it.
    pub converted: ConvertedTrace,
    /// Steps that are not in the trace. Each is also a comment in the trace.
    pub losses: Vec<Loss>,
    /// Line in the scenario of each line of the trace, from 1.
    pub lines: Vec<u64>,
    /// Pictures that the scenario compares with.
    pub goldens: Vec<Golden>,
}

/// A picture that a scenario compares the display with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Golden {
    /// Name in the trace's `expect frame`.
    pub name: String,
    /// Path as the scenario has it, relative to its folder.
    pub path: String,
    /// Line in the scenario, from 1.
    pub line: u64,
}

/// Reads the scenario in the file at `path`. The map assigns parts to buttons: `B1=btn1`; a part
/// that has a button's name is that button.
///
/// # Errors
/// If the file is not a scenario, or its steps do not make a valid trace.
pub fn load(path: &Path, wiring: &Wiring) -> Result<Scenario, FormatError> {
    let name = path.display().to_string();
    parse(&name, &read(path)?, wiring)
}

/// Reads the text of the file at `path`.
///
/// # Errors
/// If the file cannot be read, is too large for a scenario, or is not UTF-8.
pub fn read(path: &Path) -> Result<String, FormatError> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    host::input_files::open(path)
        .and_then(|file| file.take(yaml::FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| FormatError::of(&name, error))?;
    if bytes.len() > yaml::FILE_BYTES_MAX {
        return Err(FormatError::of(&name, ScenarioError::TooLarge));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count();
        FormatError::at(&name, line as u64 + 1, ScenarioError::NotUtf8(error.utf8_error()))
    })
}

/// Reads a scenario. `file` is its name in errors.
///
/// # Errors
/// If the text is not a scenario, or its steps do not make a valid trace.
pub fn parse(file: &str, text: &str, wiring: &Wiring) -> Result<Scenario, FormatError> {
    parse_with(file, text, KnownParts::Mapped(wiring))
}

/// Reads a scenario for a board that was imported from the diagram beside it.
///
/// # Errors
/// As for [`parse`].
pub fn parse_on(file: &str, text: &str, parts: DiagramParts<'_>) -> Result<Scenario, FormatError> {
    parse_with(file, text, KnownParts::OfDiagram(parts))
}

/// Returns whether a text is YAML with a list `steps`, as scenarios have.
pub fn has_steps(text: &str) -> bool {
    let root = (!text.contains('\0')).then(|| yaml::parse("", text).ok()).flatten();
    let steps = root.as_ref().and_then(|root| root.get("steps"));
    steps.is_some_and(|steps| matches!(steps.value, Value::List(_)))
}

fn parse_with(file: &str, text: &str, parts: KnownParts<'_>) -> Result<Scenario, FormatError> {
    if let Some(place) = text.bytes().position(|byte| byte == 0) {
        let line = text[..place].matches('\n').count() as u64 + 1;
        return Err(FormatError::at(file, line, ScenarioError::NulByte));
    }
    let root = yaml::parse(file, text)?;
    let mut reader = Reader::new(file, parts, root.line);
    reader.head(&root)?;
    let steps = root
        .get("steps")
        .ok_or_else(|| FormatError::at(file, root.line, ScenarioError::NoSteps))?;
    let Value::List(list) = &steps.value else {
        return Err(FormatError::at(file, steps.line, ScenarioError::StepsNoList(steps.noun())));
    };
    for step in list {
        reader.step(step)?;
    }
    reader.finish()
}

struct Reader<'a> {
    file: &'a str,
    parts: KnownParts<'a>,
    trace: Trace,
    /// Line of the current step, and those of the lines of the trace.
    line: u64,
    lines: Vec<u64>,
    goldens: Vec<Golden>,
    /// Time since the previous line.
    pending: Nanos,
    /// Comments for the next line.
    above: Vec<String>,
    down: ButtonSet,
    notes: Vec<String>,
    losses: Vec<Loss>,
}

impl<'a> Reader<'a> {
    fn new(file: &'a str, parts: KnownParts<'a>, line: u64) -> Self {
        let on = Line::new(When::At(Instant::START), Action::PowerOn);
        Self {
            file,
            parts,
            trace: Trace { lines: vec![on], ..Trace::default() },
            line,
            lines: vec![line],
            goldens: Vec::new(),
            pending: Nanos::ZERO,
            above: Vec::new(),
            down: ButtonSet::EMPTY,
            notes: Vec::new(),
            losses: Vec::new(),
        }
    }

    fn error(&self, node: &Node, kind: ScenarioError) -> FormatError {
        FormatError::at(self.file, node.line, kind)
    }

    fn head(&mut self, root: &Node) -> Result<(), FormatError> {
        const KEYS: [&str; 4] = ["name", "version", "author", "steps"];
        if !matches!(root.value, Value::Map(_)) {
            return Err(self.error(root, ScenarioError::NotAMap(root.noun())));
        }
        for (key, value) in root.entries() {
            match key.text().unwrap_or_default() {
                "version" if value.text() != Some("1") => {
                    return Err(self.error(value, ScenarioError::UnknownVersion));
                }
                name @ ("name" | "author") => {
                    let text = printable(value.text().unwrap_or_default());
                    self.trace.above.push(format!("{name}: {text}"));
                }
                "version" | "steps" => {}
                other => {
                    let unknown = ScenarioError::UnknownKey { key: printable(other), known: &KEYS };
                    return Err(self.error(key, unknown));
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Node) -> Result<(), FormatError> {
        let mut found = None;
        for (key, value) in step.entries() {
            let name = key.text().unwrap_or_default();
            if name == "name" {
                self.above.push(printable(value.text().unwrap_or_default()));
            } else if !STEPS.contains(&name) {
                let unknown = ScenarioError::UnknownStep { step: printable(name), known: &STEPS };
                return Err(self.error(key, unknown));
            } else if found.is_some() {
                return Err(self.error(key, ScenarioError::SecondStep));
            } else {
                self.line = key.line;
                found = Some((name.to_owned(), value));
            }
        }
        let Some((name, value)) = found else {
            return Err(self.error(step, ScenarioError::NotAStep(step.noun())));
        };
        match name.as_str() {
            "delay" => self.delay(value),
            "set-control" => self.set_control(value),
            "wait-serial" => self.wait_serial(value),
            "take-screenshot" => self.take_screenshot(value),
            "write-serial" => self.write_serial(value),
            "expect-pin" => self.expect_pin(value),
            name if name.starts_with("touch") => {
                self.lose(value, LossReason::Touch(name.to_owned()));
                Ok(())
            }
            name => {
                self.lose(value, LossReason::NoSuchPart(name.to_owned()));
                Ok(())
            }
        }
    }

    fn delay(&mut self, value: &Node) -> Result<(), FormatError> {
        // Wokwi allows a space before the unit, and no unit for zero.
        let text: String =
            value.text().unwrap_or_default().chars().filter(|letter| *letter != ' ').collect();
        let zero = !text.is_empty() && text.chars().all(|letter| matches!(letter, '0' | '.'));
        let text = if zero { "0ms".to_owned() } else { text.replace(".n", "n").replace(".u", "u") };
        let text = text.replace(".m", "m").replace(".s", "s");
        let span =
            parse_time(&text).map_err(|error| self.error(value, ScenarioError::Delay(error)))?;
        self.pending = self
            .pending
            .checked_add(span)
            .filter(|span| *span <= trace::LATEST.since_start())
            .ok_or_else(|| self.error(value, ScenarioError::PastTheEnd))?;
        Ok(())
    }

    fn set_control(&mut self, value: &Node) -> Result<(), FormatError> {
        let field = |key: &str| value.get(key).and_then(Node::text);
        let part = field("part-id").ok_or_else(|| self.error(value, ScenarioError::NoPart))?;
        let control = field("control")
            .or_else(|| field("name"))
            .ok_or_else(|| self.error(value, ScenarioError::NoControl))?;
        let level = field("value").ok_or_else(|| self.error(value, ScenarioError::NoValue))?;
        if control == "pressed"
            && let Some(button) = self.parts.button(part)
        {
            let down = self.switched(value, control, level)?;
            if self.down.set(button, down) {
                self.push(if down { Action::Press(button) } else { Action::Release(button) });
            }
            return Ok(());
        }
        let reason = match (self.parts.find(part), self.parts) {
            (Some(Part::Control(moved)), _) => {
                match self.movement(value, moved, control, level)? {
                    Some(Movement::Turn { by: 0, .. }) => return Ok(()),
                    Some(movement) => {
                        self.push(Action::Move { control: moved, movement });
                        return Ok(());
                    }
                    None => LossReason::NoSuchControl {
                        part: printable(part),
                        kind: moved.kind().noun(),
                        control: printable(control),
                    },
                }
            }
            (Some(Part::Button(button)), _) => {
                LossReason::OnlyPressed { button, control: printable(control) }
            }
            (Some(Part::Led(_)) | None, KnownParts::OfDiagram(_)) => {
                LossReason::NoControls(printable(part))
            }
            (Some(Part::Led(_)) | None, KnownParts::Mapped(_)) => {
                LossReason::NotAButton(printable(part))
            }
        };
        self.lose(value, reason);
        Ok(())
    }

    /// Returns the movement of a control that a step stands for; `None` if the part has no such
    /// control.
    fn movement(
        &self,
        value: &Node,
        moved: Control,
        control: &str,
        level: &str,
    ) -> Result<Option<Movement>, FormatError> {
        let wrong = |limits: &'static str| {
            let (control, value_text) = (printable(control), printable(level));
            self.error(value, ScenarioError::NotAValue { value: value_text, control, limits })
        };
        Ok(Some(match (moved.kind(), control) {
            (ControlKind::Switch, "value" | "state" | "position") => {
                Movement::Switch(self.switched(value, control, level)?)
            }
            (ControlKind::Potentiometer, "position" | "value") => {
                let share = level.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                let share = share.ok_or_else(|| wrong("a number from 0 to 1"))?;
                Movement::Set { x: Share::nearest(share), y: None }
            }
            (ControlKind::Encoder, "rotate-cw" | "rotate-ccw") => {
                let detents = level.parse().ok().filter(|by| (0..=DETENTS_MAX).contains(by));
                let detents = detents.ok_or_else(|| wrong("a whole number from 0 to 1000"))?;
                let by = if control == "rotate-cw" { detents } else { -detents };
                Movement::Turn { by, over: None }
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the state that a value of two stands for.
    fn switched(&self, value: &Node, control: &str, level: &str) -> Result<bool, FormatError> {
        match level {
            "0" | "false" => Ok(false),
            "1" | "true" => Ok(true),
            other => Err(self.error(
                value,
                ScenarioError::NotAValue {
                    value: printable(other),
                    control: printable(control),
                    limits: "0 or 1",
                },
            )),
        }
    }

    /// Converts an expectation of the pin by which an LED is driven.
    fn expect_pin(&mut self, value: &Node) -> Result<(), FormatError> {
        let field = |key: &str| value.get(key).and_then(Node::text);
        let (part, pin) = (field("part-id").unwrap_or_default(), field("pin").unwrap_or_default());
        let Some(Part::Led(led)) = self.parts.find(&format!("{part}:{pin}")) else {
            self.lose(value, LossReason::ExpectPin);
            return Ok(());
        };
        let level = field("value").ok_or_else(|| self.error(value, ScenarioError::NoPinValue))?;
        // A cathode is low while the LED is on.
        let is_on = self.switched(value, "value", level)? == (pin != "C");
        let expected = if is_on { LedLight::On } else { LedLight::Off };
        self.push(Action::ExpectLed(LedCheck { led, number: None, expected }));
        Ok(())
    }

    /// Converts a text, or a list of bytes.
    fn write_serial(&mut self, value: &Node) -> Result<(), FormatError> {
        let bytes = match &value.value {
            Value::Text(text) => Some(text.clone().into_bytes()),
            Value::List(list) => list.iter().map(|byte| byte.text()?.parse().ok()).collect(),
            Value::Map(_) => None,
        };
        let bytes = bytes.ok_or_else(|| self.error(value, ScenarioError::NotBytes))?;
        if !bytes.is_empty() {
            self.push(Action::TypeBytes(bytes));
        }
        Ok(())
    }

    fn wait_serial(&mut self, value: &Node) -> Result<(), FormatError> {
        let text = value.text().unwrap_or_default();
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() || lines.iter().any(|line| line.chars().any(char::is_control)) {
            self.lose(value, LossReason::UnprintableSerial);
            return Ok(());
        }
        for line in lines {
            self.push(Action::WaitConsole { text: line.to_owned(), within: WAIT_WITHIN });
        }
        Ok(())
    }

    fn take_screenshot(&mut self, value: &Node) -> Result<(), FormatError> {
        let field = |key: &str| value.get(key).and_then(Node::text);
        let (save, compare) = (field("save-to"), field("compare-with"));
        if save.is_none() && compare.is_none() {
            return Err(self.error(value, ScenarioError::NoPicture));
        }
        for (path, golden) in [(save, false), (compare, true)] {
            let Some(path) = path else { continue };
            let mut name = name_of(path);
            if golden {
                name = self.golden(name, path);
                if let KnownParts::Mapped(_) = self.parts {
                    self.notes.push(format!(
                        "the picture {} belongs into the trace's folder as {name}.png",
                        printable(path)
                    ));
                }
                self.push(Action::ExpectFrame(name.into()));
            } else {
                self.push(Action::Screenshot(name.into()));
            }
        }
        for (key, _) in value.entries() {
            let key = key.text().unwrap_or_default();
            if !["part-id", "save-to", "compare-with"].contains(&key) {
                self.lose(value, LossReason::UnknownScreenshotKey(printable(key)));
            }
        }
        Ok(())
    }

    /// Returns the name of the golden at `path`: `name`, or with a number if another path has it.
    fn golden(&mut self, name: String, path: &str) -> String {
        if let Some(known) = self.goldens.iter().find(|golden| golden.path == path) {
            return known.name.clone();
        }
        let mut own = name.clone();
        let mut number = 2;
        while self.goldens.iter().any(|golden| golden.name == own) {
            let short: String = name.chars().take(NAME_CHARS_MAX - 8).collect();
            own = format!("{short}-{number}");
            number += 1;
        }
        let golden = Golden { name: own.clone(), path: path.to_owned(), line: self.line };
        self.goldens.push(golden);
        own
    }

    fn push(&mut self, action: Action) {
        self.lines.push(self.line);
        let mut line = Line::new(When::After(std::mem::take(&mut self.pending)), action);
        line.above = std::mem::take(&mut self.above);
        self.trace.lines.push(line);
    }

    fn lose(&mut self, node: &Node, reason: LossReason) {
        self.above.push(format!("not carried over (line {}): {reason}", node.line));
        self.losses.push(Loss { file: self.file.to_owned(), line: node.line, reason });
    }

    fn finish(mut self) -> Result<Scenario, FormatError> {
        self.push(Action::End);
        // The trace parser checks the rules of traces.
        trace::parse_written(self.file, &self.trace.to_string(), &self.trace)
            .map_err(|error| FormatError::of(self.file, ScenarioError::NoTrace(Box::new(error))))?;
        let notes = std::mem::take(&mut self.notes);
        let converted = ConvertedTrace { trace: std::mem::take(&mut self.trace), notes };
        let Self { losses, lines, goldens, .. } = self;
        Ok(Scenario { converted, losses, lines, goldens })
    }
}

/// Returns the name of a picture: its file name without folder and extension, restricted to the
/// characters of names.
fn name_of(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' }
    };
    let name: String = stem.chars().take(NAME_CHARS_MAX).map(letter).collect();
    if is_name(&name) { name } else { "screen".to_owned() }
}

/// Returns a text of a file for a comment or a message: one line without control characters.
fn printable(text: &str) -> String {
    const SHOWN: usize = 200;
    plain(&text.replace('\n', " ")).chars().take(SHOWN).collect()
}
