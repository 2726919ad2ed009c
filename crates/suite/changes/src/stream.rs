//! Records of replays as lines of JSON, through which two `nudge` programs, possibly of different
//! versions, exchange observations. `docs/observations.md` describes the format.
//!
//! The first line has the version. A reader ignores fields that it does not know; an incompatible
//! change gets another version. All text is ASCII, so that no terminal or CI log interprets it as a
//! command.

use std::io::{self, Cursor, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hal_mock::board::{ConsoleLine, Tone};
use ili9341_model::Region;
use reading::golden::{chain::FrameHash, decode_png, encode_png};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use virtual_time::Instant;

use crate::observation::{FRAMES_MAX, Observation, SettledFrame};

/// Version of the format.
pub const VERSION: u32 = 1;

/// One line of the format.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Record {
    Observations { version: u32, firmware: String },
    Trace { path: String },
    Frame(FrameRecord),
    Console { at: u64, text: String },
    Tone { at: u64, hz: Option<u32> },
    End { at: u64, frames: u64, bytes: u64, failed: Option<String>, stopped: bool, left_out: u64 },
    Error { message: String },
}

#[derive(Serialize, Deserialize)]
struct FrameRecord {
    at: u64,
    settled: bool,
    hash: String,
    line: u32,
    bytes: u64,
    between: u64,
    between_hash: String,
    region: String,
    /// PNG in base64.
    patch: String,
}

/// The version alone; other fields of the line are ignored.
#[derive(Deserialize)]
struct Head {
    observations: HeadVersion,
}

#[derive(Deserialize)]
struct HeadVersion {
    version: u32,
}

/// Reason why there is no record of a trace: a sentence for people, from the program that could not
/// replay it, which may be another `nudge`. No code parses it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotObserved(pub String);

/// The record of a trace, or the reason why there is none.
pub type Observed = Result<Observation, NotObserved>;

/// Writes the first line.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_head(out: &mut dyn Write, firmware: &str) -> io::Result<()> {
    line(out, &Record::Observations { version: VERSION, firmware: firmware.to_owned() })
}

/// Writes the lines of one trace.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_trace(out: &mut dyn Write, path: &str, observed: &Observed) -> io::Result<()> {
    line(out, &Record::Trace { path: path.to_owned() })?;
    let observation = match observed {
        Ok(observation) => observation,
        Err(NotObserved(message)) => return line(out, &Record::Error { message: message.clone() }),
    };
    for frame in &observation.frames {
        let record = Record::Frame(FrameRecord {
            at: frame.at.0,
            settled: frame.settled,
            hash: frame.hash.to_string(),
            line: frame.line,
            bytes: frame.bytes,
            between: frame.between,
            between_hash: frame.between_hash.to_string(),
            region: frame.region.to_string(),
            patch: STANDARD.encode(encode_png(&frame.patch)),
        });
        line(out, &record)?;
    }
    for ConsoleLine { at, text } in &observation.console {
        line(out, &Record::Console { at: at.0, text: text.clone() })?;
    }
    for tone in &observation.tones {
        line(out, &Record::Tone { at: tone.at.0, hz: tone.hz })?;
    }
    let end = Record::End {
        at: observation.ended_at.0,
        frames: observation.frames_total,
        bytes: observation.bytes,
        failed: observation.failed.clone(),
        stopped: observation.stopped,
        left_out: observation.left_out,
    };
    line(out, &end)
}

fn line(out: &mut dyn Write, record: &Record) -> io::Result<()> {
    let json = serde_json::to_string(record)?;
    let mut text = String::with_capacity(json.len() + 1);
    // Characters beyond ASCII occur only inside strings.
    for unit in json.encode_utf16() {
        match u8::try_from(unit) {
            Ok(letter) if letter.is_ascii_graphic() || letter == b' ' => text.push(letter.into()),
            _ => text += &format!("\\u{unit:04x}"),
        }
    }
    // `##[` begins a command in GitHub's log.
    writeln!(out, "{}", text.replace("##[", "#\\u0023["))
}

/// Reason why bytes are not a stream of records.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StreamError {
    /// The first line is not the head of a stream.
    #[error("it writes no observations")]
    NoHead,
    /// The stream has another version.
    #[error("its observations have version {0}, and this nudge reads version {VERSION}")]
    Version(u32),
    /// A line is invalid.
    #[error("line {line} of its observations cannot be read")]
    Line {
        /// Number of the line, from 1.
        line: usize,
    },
    /// The last trace is incomplete.
    #[error("its observations end in the middle of a trace")]
    Torn,
}

/// The observations of another program.
#[derive(Debug, Default, PartialEq)]
pub struct Stream {
    /// Name of its firmware.
    pub firmware: String,
    /// The traces, in order.
    pub traces: Vec<(String, Observed)>,
}

/// Reads the output of [`write_head`] and [`write_trace`].
///
/// # Errors
/// If the bytes are not such a stream.
pub fn read(bytes: &[u8]) -> Result<Stream, StreamError> {
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate();
    let head = lines.next().map(|(_, line)| line).unwrap_or_default();
    let Head { observations: HeadVersion { version } } =
        serde_json::from_slice(head).map_err(|_| StreamError::NoHead)?;
    if version != VERSION {
        return Err(StreamError::Version(version));
    }
    let Ok(Record::Observations { firmware, .. }) = serde_json::from_slice(head) else {
        return Err(StreamError::NoHead);
    };
    let mut stream = Stream { firmware, traces: Vec::new() };
    let mut current: Option<(String, Observation)> = None;
    for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let wrong = || StreamError::Line { line: index + 1 };
        let record: Record = serde_json::from_slice(line).map_err(|_| wrong())?;
        match (record, &mut current) {
            (Record::Trace { path }, None) => current = Some((path, Observation::default())),
            (Record::Frame(record), Some((_, seen))) if seen.frames.len() < FRAMES_MAX => {
                seen.frames.push(frame(&record).ok_or_else(wrong)?);
            }
            (Record::Console { at, text }, Some((_, seen))) => {
                seen.console.push(ConsoleLine { at: Instant(at), text });
            }
            (Record::Tone { at, hz }, Some((_, seen))) => {
                seen.tones.push(Tone { at: Instant(at), hz });
            }
            (Record::End { at, frames, bytes, failed, stopped, left_out }, Some(_)) => {
                let Some((path, mut seen)) = current.take() else { return Err(wrong()) };
                (seen.ended_at, seen.frames_total) = (Instant(at), frames);
                (seen.bytes, seen.failed, seen.left_out) = (bytes, failed, left_out);
                seen.stopped = stopped;
                stream.traces.push((path, Ok(seen)));
            }
            (Record::Error { message }, Some(_)) => {
                let Some((path, _)) = current.take() else { return Err(wrong()) };
                stream.traces.push((path, Err(NotObserved(message))));
            }
            _ => return Err(wrong()),
        }
    }
    if current.is_some() { Err(StreamError::Torn) } else { Ok(stream) }
}

fn frame(record: &FrameRecord) -> Option<SettledFrame> {
    let hash = |text: &str| u64::from_str_radix(text, 16).ok().map(FrameHash);
    let region = Region::parse(&record.region).filter(|region| Region::PANEL.holds(*region))?;
    let patch = decode_png(Cursor::new(STANDARD.decode(&record.patch).ok()?)).ok()?;
    let sides = (usize::from(region.width), usize::from(region.height));
    Some(SettledFrame {
        at: Instant(record.at),
        settled: record.settled,
        hash: hash(&record.hash)?,
        line: record.line,
        bytes: record.bytes,
        between: record.between,
        between_hash: hash(&record.between_hash)?,
        region,
        patch: Some(patch).filter(|patch| (patch.width(), patch.height()) == sides)?,
    })
}

#[cfg(test)]
mod tests {
    use ili9341_model::Frame;
    use proptest::prelude::*;

    use super::*;

    fn observation(text: String) -> Observation {
        let region = Region { x: 300, y: 200, width: 2, height: 1 };
        Observation {
            frames: vec![SettledFrame {
                at: Instant(u64::MAX),
                settled: true,
                hash: FrameHash(u64::MAX),
                line: 7,
                bytes: 9,
                between: 3,
                between_hash: FrameHash(1),
                region,
                patch: Frame::from_pixels(2, 1, vec![0x0012_3456, 0x00FF_FFFF]),
            }],
            console: vec![ConsoleLine { at: Instant(5), text: text.clone() }],
            tones: vec![Tone { at: Instant(6), hz: Some(440) }, Tone { at: Instant(7), hz: None }],
            ended_at: Instant(10),
            frames_total: 11,
            bytes: 12,
            failed: Some(text),
            stopped: true,
            left_out: 1,
        }
    }

    fn written(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        write_head(&mut out, text).unwrap();
        write_trace(&mut out, text, &Ok(observation(text.to_owned()))).unwrap();
        write_trace(&mut out, "b.trace", &Err(NotObserved(text.to_owned()))).unwrap();
        out
    }

    proptest! {
        #[test]
        fn written_records_are_read_back_and_are_harmless(text in "\\PC{0,8}|.{0,8}|(##\\[|\u{9b}|::){0,3}") {
            let out = written(&text);
            let harmless = |byte: &u8| byte.is_ascii_graphic() || b" \n".contains(byte);
            prop_assert!(out.iter().all(harmless));
            prop_assert!(!String::from_utf8_lossy(&out).contains("##["));
            let stream = read(&out).unwrap();
            prop_assert_eq!(&stream.firmware, &text);
            prop_assert_eq!(&stream.traces[0], &(text.clone(), Ok(observation(text.clone()))));
            prop_assert_eq!(&stream.traces[1], &("b.trace".to_owned(), Err(NotObserved(text))));
        }

        #[test]
        fn no_bytes_make_it_panic(at in 0_usize..2_000, byte in any::<u8>(), cut in 0_usize..2_000) {
            let mut out = written("a");
            let place = at % out.len();
            out[place] = byte;
            out.truncate(out.len() - cut % out.len());
            let _ = read(&out);
        }
    }

    #[test]
    fn another_version_and_another_program_are_distinguished() {
        assert_eq!(read(b"").unwrap_err(), StreamError::NoHead);
        assert_eq!(read(b"error: unrecognized subcommand\n").unwrap_err(), StreamError::NoHead);
        let newer = br#"{"observations":{"version":2,"boards":[]}}"#;
        assert_eq!(read(newer).unwrap_err(), StreamError::Version(2));
        let newer = br#"{"observations":{"version":1,"firmware":"f","more":1}}"#;
        assert_eq!(read(newer).unwrap().firmware, "f");
        let out = written("a");
        let torn = &out[..out.len() - 60];
        assert!(read(torn).is_err());
    }
}
