//! Formats a message as a line with the requested fields.

use super::{Field, Format, Level, Part};

/// A decoded message with the values of its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) time: Option<String>,
    pub(super) level: Option<Level>,
    pub(super) text: String,
    /// Path of the module, the file and the line.
    pub(super) place: Option<(String, String, u64)>,
}

impl Format {
    /// Returns the line of `message`. If the message lacks a field, the punctuation between that
    /// field and the nearest blank is left out as well.
    pub(super) fn line(&self, message: &Message) -> String {
        let mut line = String::new();
        let mut skipping = false;
        for part in &self.parts {
            let field = match part {
                Part::Text(text) => {
                    // Punctuation after an absent field, up to the next word, belongs to it.
                    let text = if skipping {
                        text.trim_start_matches(|c| " :@)]".contains(c))
                    } else {
                        text
                    };
                    skipping &= text.is_empty();
                    line.push_str(text);
                    continue;
                }
                Part::Field(field) => message.field(*field),
            };
            skipping = field.is_none();
            match field {
                Some(text) => line.push_str(&text),
                None => line.truncate(line.trim_end_matches(|c| " ([@:\n└─".contains(c)).len()),
            }
            if skipping && !line.is_empty() && *part == Part::Field(Field::Level) {
                line.push(' ');
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

impl Message {
    fn field(&self, field: Field) -> Option<String> {
        let (module, file, line) = match &self.place {
            Some((module, file, line)) => (Some(module), Some(file), Some(line)),
            None => (None, None, None),
        };
        match field {
            Field::Time => self.time.clone(),
            Field::Level => self.level.map(|level| format!("{level:<5}")),
            Field::Message => Some(self.text.clone()),
            Field::Crate => {
                module.map(|module| module.split("::").next().unwrap_or_default().into())
            }
            Field::Module => module.cloned(),
            Field::Path => file.cloned(),
            Field::File => file.map(|file| short(file).to_owned()),
            Field::Line => line.map(u64::to_string),
        }
    }
}

/// Returns the file name with the folder that it is in.
fn short(file: &str) -> &str {
    match file.rmatch_indices('/').nth(1) {
        Some((at, _)) => &file[at + 1..],
        None => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_fields_of_its_format() {
        let place = ("app::radio".into(), "/home/a/app/src/radio.rs".into(), 12);
        let message = Message {
            time: Some("0.5".into()),
            level: Some(Level::Info),
            text: "on".into(),
            place: Some(place),
        };
        let line =
            |format: &str, message: &Message| format.parse::<Format>().unwrap().line(message);
        assert_eq!(line("oneline", &message), "0.5 [INFO ] on (app src/radio.rs:12)");
        assert_eq!(
            line("full", &message),
            "0.5 INFO  on\n└─ app::radio @ /home/a/app/src/radio.rs:12"
        );
        assert_eq!(line("{L} {s}", &message), "INFO  on");
        let bare = Message { text: "on".into(), ..Message::default() };
        assert_eq!(line("oneline", &bare), "on");
        assert_eq!(line("full", &bare), "on");
        let timed = Message { time: Some("7".into()), ..bare };
        assert_eq!(line("oneline", &timed), "7 on");
    }
}
