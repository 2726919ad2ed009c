//! Reads `wokwi.toml`, which names the program of a Wokwi project
//! (<https://docs.wokwi.com/vscode/project-config>).

use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::reader::{Lines, quoted};

/// Maximum size of the file in bytes.
pub const FILE_BYTES_MAX: usize = 64 << 10;

/// The files of a project, relative to its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WokwiProject {
    /// The program with its symbols.
    pub elf: Option<String>,
    /// The program as it is flashed.
    pub firmware: Option<String>,
}

/// The reason why the file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WokwiProjectError {
    #[error("larger than {} KiB; this is no wokwi.toml", FILE_BYTES_MAX >> 10)]
    TooLarge,
    #[error("not UTF-8; save it as UTF-8 text")]
    NotUtf8,
    #[error("{line}: this is no TOML: {message}")]
    Syntax { line: usize, message: String },
    #[error("there is no table [wokwi]; it has `version = 1`, and `elf` or `firmware`")]
    NoTable,
    #[error("{line}: `{key}` is the path of a file, in quotes")]
    NotAPath { line: usize, key: &'static str },
    #[error("{line}: version {version} is unknown; this build reads version 1")]
    Version { line: usize, version: String },
    #[error("[wokwi] names no program: add `elf` or `firmware` with its path")]
    NoProgram,
}

impl WokwiProjectError {
    /// Returns whether the message begins with the number of a line.
    pub fn has_line(&self) -> bool {
        matches!(self, Self::Syntax { .. } | Self::NotAPath { .. } | Self::Version { .. })
    }
}

/// Reads the bytes of a `wokwi.toml`.
///
/// # Errors
/// If it is no TOML, or names no program.
pub fn parse(bytes: &[u8]) -> Result<WokwiProject, WokwiProjectError> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(WokwiProjectError::TooLarge);
    }
    let text = str::from_utf8(bytes).map_err(|_| WokwiProjectError::NotUtf8)?;
    let lines = Lines::new(text);
    let line_of = |start: usize| lines.place(start).0;
    let root = DeTable::parse(text).map_err(|error| WokwiProjectError::Syntax {
        line: line_of(error.span().map_or(0, |span| span.start)),
        message: error.message().to_owned(),
    })?;
    let table = match root.get_ref().get("wokwi").map(Spanned::get_ref) {
        Some(DeValue::Table(table)) => table,
        _ => return Err(WokwiProjectError::NoTable),
    };
    if let Some(version) = table.get("version") {
        let is_known =
            matches!(version.get_ref(), DeValue::Integer(number) if number.as_str() == "1");
        if !is_known {
            let line = line_of(version.span().start);
            let version = text.get(version.span()).unwrap_or_default();
            return Err(WokwiProjectError::Version { line, version: quoted(version) });
        }
    }
    let path = |key: &'static str| match table.get(key) {
        None => Ok(None),
        Some(value) => match value.get_ref() {
            DeValue::String(path) => Ok(Some(path.to_string())),
            _ => Err(WokwiProjectError::NotAPath { line: line_of(value.span().start), key }),
        },
    };
    let project = WokwiProject { elf: path("elf")?, firmware: path("firmware")? };
    if project == WokwiProject::default() {
        return Err(WokwiProjectError::NoProgram);
    }
    Ok(project)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, error: &str) {
        assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), error);
    }

    #[test]
    fn the_paths_of_the_program_are_read() {
        let text = "[wokwi]\nversion = 1\nfirmware = 'build/a.uf2'\nelf = \"build/a.elf\"\n\
                    [[chip]]\nname = 'x'\n";
        let project = parse(text.as_bytes()).unwrap();
        assert_eq!(project.elf.as_deref(), Some("build/a.elf"));
        assert_eq!(project.firmware.as_deref(), Some("build/a.uf2"));
    }

    #[test]
    fn each_mistake_has_its_sentence() {
        check("[wokwi]\nversion = 1\n", &WokwiProjectError::NoProgram.to_string());
        check("a = 1\n", &WokwiProjectError::NoTable.to_string());
        check("[wokwi]\nversion = 2\n", "2: version 2 is unknown; this build reads version 1");
        check("[wokwi]\n\nelf = 3\n", "3: `elf` is the path of a file, in quotes");
        let error = parse(b"[wokwi]\nelf = \n").unwrap_err().to_string();
        assert!(error.starts_with("2: this is no TOML: "), "{error}");
        assert_eq!(parse(b"\xFF").unwrap_err(), WokwiProjectError::NotUtf8);
        assert_eq!(
            parse(&vec![b'#'; FILE_BYTES_MAX + 1]).unwrap_err(),
            WokwiProjectError::TooLarge
        );
    }
}
