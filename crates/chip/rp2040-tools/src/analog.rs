//! `--adc`: what an input of the ADC has, by the command line or a table in a file.
//!
//! A table has a line for each point, `SECONDS,VOLTS`, in order of time; between the points it is a
//! straight line. An empty line, a line that begins with `#`, and a first line without a number are
//! skipped. It opens no file.

use std::str::FromStr;

use rp2040_emulator::chip::{ADC_INPUT_COUNT, AnalogInput};

/// The input of the temperature sensor.
const SENSOR: usize = 4;
const NS: f64 = 1e9;
/// The latest time of a table: ten years.
const SECONDS_MAX: f64 = 315_360_000.0;

/// An input and what it has: `0=1.65`, `3=ramp.csv`, `temp=40`.
#[derive(Clone, Debug, PartialEq)]
pub struct AdcSetting {
    /// 0 to 4.
    pub input: usize,
    /// What it has.
    pub source: AdcSource,
}

/// What an input has.
#[derive(Clone, Debug, PartialEq)]
pub enum AdcSource {
    /// The same voltage at all times.
    Volts(f64),
    /// The table in this file.
    File(String),
}

/// Why a word is no setting of an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdcSettingError {
    /// Not `INPUT=VALUE`.
    #[error("it is not CH=VOLTS, CH=FILE.csv or temp=CELSIUS")]
    NoPair,
    /// No input of this name.
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

/// What is wrong with a line of a table: its number from 1, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct AdcTableError {
    /// From 1.
    pub line: usize,
    /// The reason.
    pub why: AdcLineError,
}

/// Why a line is no point of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdcLineError {
    /// Not two numbers.
    #[error("it is not SECONDS,VOLTS")]
    NotTwoNumbers,
    /// The time is negative or beyond ten years.
    #[error("its time is not between 0 and 315360000 s")]
    Time,
    /// The time is before that of the line above.
    #[error("its time is before that of the line above")]
    Order,
    /// No line of the file has a point.
    #[error("the file has no point")]
    Empty,
}

/// Reads a table.
///
/// # Errors
/// [`AdcTableError`] for the first line that is wrong.
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

/// The two numbers of a line.
fn pair(line: &str) -> Option<(f64, f64)> {
    let (seconds, volts) = line.split_once([',', ';', '\t'])?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    Some((number(seconds)?, number(volts)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word and the input with its source, or the sentence of its error.
    #[track_caller]
    fn check(word: &str, expected: Result<(usize, AdcSource), &str>) {
        let found = word.parse::<AdcSetting>();
        let found = found.map(|setting| (setting.input, setting.source));
        let found = found.map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{word}");
    }

    #[test]
    fn a_setting_names_an_input_and_what_it_has() {
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
    fn a_table_is_points_in_order_of_time() {
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
