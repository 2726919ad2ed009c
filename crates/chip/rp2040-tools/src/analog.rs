//! `--adc`: voltages at the inputs of the ADC, from the command line or from a table in a file.
//!
//! A table has one line per point, `SECONDS,VOLTS`, in order of time; between the points the
//! voltage is linear. An empty line, a line that begins with `#`, and a first line without a number
//! are skipped. This module opens no file.

use std::str::FromStr;

use rp2040_emulator::chip::{ADC_INPUT_COUNT, AnalogInput};

/// Number of the temperature sensor's input.
const SENSOR: usize = 4;
const NS: f64 = 1e9;
/// Latest time in a table: ten years, in seconds.
const SECONDS_MAX: f64 = 315_360_000.0;

/// An input with the source of its voltage: `0=1.65`, `3=ramp.csv`, `temp=40`.
#[derive(Clone, Debug, PartialEq)]
pub struct AdcSetting {
    /// Number of the input, 0 to 4.
    pub input: usize,
    pub source: AdcSource,
}

/// Source of an input's voltage.
#[derive(Clone, Debug, PartialEq)]
pub enum AdcSource {
    /// A constant voltage.
    Volts(f64),
    /// The table in this file.
    File(String),
}

/// Reason why a word is not a setting of an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdcSettingError {
    /// The word is not `INPUT=VALUE`.
    #[error("it is not CH=VOLTS, CH=FILE.csv or temp=CELSIUS")]
    NoPair,
    /// There is no input of this name.
    #[error(
        "there is no input {0:?}; the inputs are 0 to 3 (GPIO 26 to 29), 4 and temp (the sensor)"
    )]
    NoInput(String),
    /// The value is neither a number nor the name of a table.
    #[error("{0:?} is neither a number nor a FILE.csv")]
    NoValue(String),
}

impl FromStr for AdcSetting {
    type Err = AdcSettingError;

    fn from_str(word: &str) -> Result<Self, AdcSettingError> {
        let (name, value) = word.split_once('=').ok_or(AdcSettingError::NoPair)?;
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        let wrong = || AdcSettingError::NoValue(value.to_owned());
        if name == "temp" {
            let volts = AnalogInput::sensor_volts(number.ok_or_else(wrong)?);
            return Ok(Self { input: SENSOR, source: AdcSource::Volts(volts) });
        }
        let input = name.parse().ok().filter(|input| *input < ADC_INPUT_COUNT);
        let input = input.ok_or_else(|| AdcSettingError::NoInput(name.to_owned()))?;
        let source = match number {
            Some(volts) => AdcSource::Volts(volts),
            None if value.to_ascii_lowercase().ends_with(".csv") => AdcSource::File(value.into()),
            None => return Err(wrong()),
        };
        Ok(Self { input, source })
    }
}

/// An invalid line of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct AdcTableError {
    /// Number of the line, from 1.
    pub line: usize,
    pub why: AdcLineError,
}

/// Reason why a line is not a point of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdcLineError {
    /// The line is not two numbers.
    #[error("it is not SECONDS,VOLTS")]
    NotTwoNumbers,
    /// The time is negative or beyond ten years.
    #[error("its time is not between 0 and 315360000 s")]
    Time,
    /// The time is before that of the previous line.
    #[error("its time is before that of the line above")]
    Order,
    /// No line of the file is a point.
    #[error("the file has no point")]
    Empty,
}

/// Reads a table.
///
/// # Errors
/// Returns [`AdcTableError`] for the first invalid line.
pub fn table(text: &str) -> Result<AnalogInput, AdcTableError> {
    let mut points: Vec<(u64, f64)> = vec![];
    let mut headed = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{FEFF}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |why| AdcTableError { line: number + 1, why };
        let first = !std::mem::replace(&mut headed, true);
        if first && !line.contains(|letter: char| letter.is_ascii_digit()) {
            continue;
        }
        let (seconds, volts) = pair(line).ok_or_else(|| wrong(AdcLineError::NotTwoNumbers))?;
        if !(0.0..=SECONDS_MAX).contains(&seconds) {
            return Err(wrong(AdcLineError::Time));
        }
        let ns = (seconds * NS).round() as u64;
        if points.last().is_some_and(|(before, _)| *before > ns) {
            return Err(wrong(AdcLineError::Order));
        }
        points.push((ns, volts));
    }
    if points.is_empty() {
        return Err(AdcTableError { line: 1, why: AdcLineError::Empty });
    }
    Ok(AnalogInput::Table(points.into()))
}

/// Returns the two numbers of a line.
fn pair(line: &str) -> Option<(f64, f64)> {
    let (seconds, volts) = line.split_once([',', ';', '\t'])?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    Some((number(seconds)?, number(volts)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the input and the source of a word, or the message of its error.
    #[track_caller]
    fn check(word: &str, expected: Result<(usize, AdcSource), &str>) {
        let found = word.parse::<AdcSetting>();
        let found = found.map(|setting| (setting.input, setting.source));
        let found = found.map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{word}");
    }

    #[test]
    fn a_setting_is_an_input_and_its_source() {
        check("0=1.65", Ok((0, AdcSource::Volts(1.65))));
        check("temp=27", Ok((4, AdcSource::Volts(0.706))));
        check("3=a=b.CSV", Ok((3, AdcSource::File("a=b.CSV".into()))));
        check("1", Err("it is not CH=VOLTS, CH=FILE.csv or temp=CELSIUS"));
        check(
            "5=1",
            Err("there is no input \"5\"; the inputs are 0 to 3 (GPIO 26 to 29), 4 and temp (the \
                 sensor)"),
        );
        check("1=nan", Err("\"nan\" is neither a number nor a FILE.csv"));
        check("temp=a.csv", Err("\"a.csv\" is neither a number nor a FILE.csv"));
    }

    #[test]
    fn a_table_has_points_in_order_of_time() {
        let input = table("time,volts\n# a ramp\n0, 0\n\n1e-3;3.3\r\n").unwrap();
        assert_eq!([0, 500_000, 2_000_000].map(|ns| input.volts(ns)), [0.0, 1.65, 3.3]);
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, error) in [
            ("", "line 1: the file has no point"),
            ("0,0\nhello", "line 2: it is not SECONDS,VOLTS"),
            ("0,0\n1,inf", "line 2: it is not SECONDS,VOLTS"),
            ("2,0\n1,0", "line 2: its time is before that of the line above"),
            ("-1,0", "line 1: its time is not between 0 and 315360000 s"),
        ] {
            assert_eq!(table(text).map(|_| ()).unwrap_err().to_string(), error, "{text:?}");
        }
    }
}
