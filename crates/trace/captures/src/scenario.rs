//! Converts Wokwi's automation scenarios to traces: all documented steps.
//!
//! A step that a trace cannot express is a [`Loss`] with its line. `docs/formats.md` lists the
//! steps and their counterparts in a trace.

use std::io::Read;
use std::path::Path;

use escape::terminal::plain;
use trace::{Action, Button, Line, NAME_CHARS_MAX, Trace, When, is_name, parse_time};
use virtual_time::{Instant, Nanos};

use crate::error::{FormatError, ScenarioError};
use crate::loss::{Loss, LossReason};
use crate::presses::ConvertedTrace;
use crate::signal::Signal;
use crate::wiring::Wiring;
use crate::yaml::{self, Node, Value};

/// Longest wait of `wait-serial`: the time limit of Wokwi's own command, 30 s.
const WAIT_WITHIN: Nanos = Nanos::from_secs(30);

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
}

/// Reads the scenario in the file at `path`. The map assigns parts to buttons: `B1=btn1`; a part
/// that has a button's name is that button.
///
/// # Errors
/// If the file is not a scenario, or its steps do not make a valid trace.
pub fn load(path: &Path, wiring: &Wiring) -> Result<Scenario, FormatError> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    host::input_files::open(path)
        .and_then(|file| file.take(yaml::FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| FormatError::of(&name, error))?;
    if bytes.len() > yaml::FILE_BYTES_MAX {
        return Err(FormatError::of(&name, ScenarioError::TooLarge));
    }
    let text = str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        FormatError::at(&name, line as u64 + 1, ScenarioError::NotUtf8(error))
    })?;
    parse(&name, text, wiring)
}

/// Reads a scenario. `file` is its name in errors.
///
/// # Errors
/// If the text is not a scenario, or its steps do not make a valid trace.
pub fn parse(file: &str, text: &str, wiring: &Wiring) -> Result<Scenario, FormatError> {
    if let Some(place) = text.bytes().position(|byte| byte == 0) {
        let line = text[..place].matches('\n').count() as u64 + 1;
        return Err(FormatError::at(file, line, ScenarioError::NulByte));
    }
    let root = yaml::parse(file, text)?;
    let mut reader = Reader::new(file, wiring);
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
    wiring: &'a Wiring,
    trace: Trace,
    /// Time since the previous line.
    pending: Nanos,
    /// Comments for the next line.
    above: Vec<String>,
    down: [bool; Button::COUNT],
    notes: Vec<String>,
    losses: Vec<Loss>,
}

impl<'a> Reader<'a> {
    fn new(file: &'a str, wiring: &'a Wiring) -> Self {
        let on = Line::new(When::At(Instant::START), Action::PowerOn);
        Self {
            file,
            wiring,
            trace: Trace { lines: vec![on], ..Trace::default() },
            pending: Nanos::ZERO,
            above: Vec::new(),
            down: [false; Button::COUNT],
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
            "write-serial" => {
                self.lose(value, LossReason::WriteSerial);
                Ok(())
            }
            "expect-pin" => {
                self.lose(value, LossReason::ExpectPin);
                Ok(())
            }
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
        let Some(Signal::Button(button)) = self.wiring.signal(part) else {
            self.lose(value, LossReason::NotAButton(printable(part)));
            return Ok(());
        };
        if control != "pressed" {
            let control = printable(control);
            self.lose(value, LossReason::OnlyPressed { button, control });
            return Ok(());
        }
        let down = match level {
            "0" | "false" => false,
            "1" | "true" => true,
            other => {
                return Err(self.error(value, ScenarioError::NotAValue(printable(other))));
            }
        };
        if std::mem::replace(&mut self.down[button.index()], down) != down {
            self.push(if down { Action::Press(button) } else { Action::Release(button) });
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
        self.push(Action::Settle { within: WAIT_WITHIN });
        for line in lines {
            self.push(Action::ExpectConsole(line.to_owned()));
        }
        let note =
            "`wait-serial` has become `settle` and `expect console`: a trace waits for the LCD";
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
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
            let name = name_of(path);
            if golden {
                self.notes.push(format!(
                    "the picture {} belongs into the trace's folder as {name}.png",
                    printable(path)
                ));
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

    fn push(&mut self, action: Action) {
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
        let converted = ConvertedTrace { trace: self.trace, notes: self.notes };
        Ok(Scenario { converted, losses: self.losses })
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
