//! Decodes the frames of a channel with [`defmt_decoder`].

use std::panic::{AssertUnwindSafe, catch_unwind};

use defmt_decoder::{DecodeError, Encoding, Frame, Location, Locations, Table};

use super::line::Message;
use super::{DefmtError, Format, Level, Levels};

/// Longest frame, in bytes. It bounds the recursion of the decoder over nested frames.
const FRAME_MAX: usize = 4096;

/// Converts the bytes of a channel into lines.
pub struct DefmtLog {
    table: Table,
    /// Locations of the messages in the source; `None` if the file does not have them.
    locations: Option<Locations>,
    levels: Levels,
    format: Format,
    /// Bytes of an incomplete frame.
    bytes: Vec<u8>,
    /// Number of frames and bytes that were left out.
    damaged: (u64, u64),
    /// Whether a raw frame was damaged, after which nothing more can be decoded.
    lost: bool,
}

impl DefmtLog {
    /// Creates a log for the program in this ELF file.
    ///
    /// # Errors
    /// If the file has no table of messages, or one that cannot be read.
    pub fn new(elf: &[u8], levels: Levels, format: Format) -> Result<Self, DefmtError> {
        let wrong = |error: &dyn std::fmt::Display| DefmtError::Table(error.to_string());
        let table = guarded(|| Table::parse(elf)).ok_or_else(|| wrong(&"it is damaged"))?;
        let table = table.map_err(|error| wrong(&error))?.ok_or(DefmtError::NoTable)?;
        // Debugging information may be missing or damaged.
        let locations = guarded(|| table.get_locations(elf)).and_then(Result::ok);
        let locations = locations.filter(|locations| !locations.is_empty());
        Ok(Self {
            table,
            locations,
            levels,
            format,
            bytes: Vec::new(),
            damaged: (0, 0),
            lost: false,
        })
    }

    /// Returns the lines of the frames that these bytes complete.
    pub fn take(&mut self, bytes: &[u8]) -> String {
        let mut lines = String::new();
        for byte in bytes.iter().copied() {
            if self.lost {
                self.damaged.1 += 1;
                continue;
            }
            match self.table.encoding() {
                Encoding::Rzcobs if byte != 0 => {
                    // A frame that is too long is counted when its end comes.
                    if self.bytes.len() <= FRAME_MAX {
                        self.bytes.push(byte);
                    }
                }
                Encoding::Rzcobs => {
                    let frame = std::mem::take(&mut self.bytes);
                    // There may be several zeros between two frames.
                    if !frame.is_empty() {
                        self.marked(&frame, &mut lines);
                    }
                }
                _ => {
                    self.bytes.push(byte);
                    self.unmarked(&mut lines);
                }
            }
        }
        lines
    }

    /// Returns descriptions of the problems as sentences without a full stop; empty if there were
    /// none.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let (frames, bytes) = self.damaged;
        if frames > 0 && !self.lost {
            let frames = if frames == 1 { "one frame".into() } else { format!("{frames} frames") };
            problems.push(format!(
                "defmt: left out {frames}, {bytes} bytes in all, that could not be decoded"
            ));
        }
        if self.lost {
            problems.push(format!(
                "defmt: a frame could not be decoded; its raw encoding does not say where the next one begins, so {bytes} bytes are left out"
            ));
        }
        if self.locations.is_none() && self.levels.name_modules() {
            problems.push(
                "defmt: the file does not say where its messages are, so no module is filtered on its own".into(),
            );
        }
        problems
    }

    /// Decodes a frame whose end was marked.
    fn marked(&mut self, frame: &[u8], lines: &mut String) {
        let mut message = None;
        if frame.len() <= FRAME_MAX {
            let mut stream = self.table.new_stream_decoder();
            stream.received(frame);
            stream.received(&[0]);
            message = guarded(|| stream.decode().ok().map(|frame| self.message(&frame))).flatten();
        }
        match message {
            Some(message) => self.show(&message, lines),
            None => {
                self.damaged.0 += 1;
                self.damaged.1 += frame.len() as u64;
            }
        }
    }

    /// Decodes the next frame of an encoding without marks, if it is complete.
    fn unmarked(&mut self, lines: &mut String) {
        let decoded = guarded(|| {
            self.table.decode(&self.bytes).map(|(frame, used)| (self.message(&frame), used))
        });
        match decoded {
            Some(Ok((message, used))) => {
                self.bytes.drain(..used);
                self.show(&message, lines);
            }
            Some(Err(DecodeError::UnexpectedEof)) if self.bytes.len() < FRAME_MAX => {}
            _ => {
                self.lost = true;
                self.damaged = (1, self.bytes.len() as u64);
            }
        }
    }

    fn message(&self, frame: &Frame<'_>) -> Message {
        let location = self.locations.as_ref().and_then(|all| all.get(&frame.index()));
        let place = location.map(|Location { file, line, module }| {
            (module.clone(), file.display().to_string(), *line)
        });
        // Both crates use the same names for the levels.
        let level = frame.level().and_then(|level| level.as_str().parse::<Level>().ok());
        Message {
            time: frame.display_timestamp().map(|time| time.to_string()),
            level,
            text: frame.display_message().to_string(),
            place,
        }
    }

    fn show(&self, message: &Message, lines: &mut String) {
        let module = message.place.as_ref().map(|(module, ..)| &**module);
        if self.levels.show(message.level, module) {
            lines.push_str(&self.format.line(message));
            lines.push('\n');
        }
    }
}

/// Returns the result of `decode`, or `None` if it panics. The decoder assumes that a table was
/// made by defmt, but a user's file may have any.
fn guarded<T>(decode: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(decode)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a log with one message, `n {=u8}` at 1.
    fn log(encoding: &str) -> DefmtLog {
        let string = serde_json::json!({ "tag": "Info", "string": "n {=u8}" });
        let entry = serde_json::json!({ "string": string, "raw_symbol": "" });
        let table = serde_json::json!({
            "timestamp": null, "entries": { "1": entry }, "bitflags": {}, "encoding": encoding,
        });
        DefmtLog {
            table: serde_json::from_value(table).unwrap(),
            locations: None,
            levels: Levels::default(),
            format: Format::default(),
            bytes: Vec::new(),
            damaged: (0, 0),
            lost: false,
        }
    }

    /// The frame 1, 0, 42 with its end mark.
    const FRAME: [u8; 4] = [1, 42, 0x7A, 0];

    #[test]
    fn frames_are_decoded_when_cut_and_after_damaged_ones() {
        let mut log = log("Rzcobs");
        assert_eq!(log.take(&[&FRAME[..], &FRAME[..2]].concat()), "[INFO ] n 42\n");
        assert_eq!(log.take(&FRAME[2..]), "[INFO ] n 42\n");
        assert_eq!(log.problems(), [""; 0]);
        // An unknown message, a frame that is too short, one that is too long.
        let long = vec![0x55; 2 * FRAME_MAX];
        let damaged = [&[9, 9, 0x7A, 0, 0, 0x7A, 0], &long[..], &[0]].concat();
        assert_eq!(log.take(&damaged), "");
        assert_eq!(log.take(&FRAME), "[INFO ] n 42\n");
        let said = "defmt: left out 3 frames, 4101 bytes in all, that could not be decoded";
        assert_eq!(log.problems(), [said]);
    }

    #[test]
    fn nothing_is_decoded_after_a_damaged_raw_frame() {
        let mut log = log("Raw");
        assert_eq!(log.take(&[1, 0, 42, 1, 0]), "[INFO ] n 42\n");
        assert_eq!(log.take(&[7]), "[INFO ] n 7\n");
        assert_eq!(log.take(&[9, 9, 1, 0, 42]), "");
        let problems = log.problems();
        let [said] = &problems[..] else { panic!("{problems:?}") };
        assert!(said.ends_with("so 5 bytes are left out"), "{said}");
    }
}
