//! Tests conversions, comparisons and broken files of other tools' formats on the command line.

mod bad_input;
mod compare;
mod convert;
mod dialects;
mod properties;
mod replay_vcd;
mod scenario;

use std::fs;
use std::path::PathBuf;
use std::process::Output;

/// A folder with the files of one test.
pub(crate) struct TestFolder(tempfile::TempDir);

pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl TestFolder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `nudge trace …` in this folder.
    pub(crate) fn nudge(&self, words: &str) -> Ended {
        self.run(&format!("trace {words}"))
    }

    /// Runs `nudge …` in this folder.
    pub(crate) fn run(&self, words: &str) -> Ended {
        let Output { status, stdout, stderr } = crate::command::nudge()
            .args(words.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&stdout), text(&stderr));
        Ended { code: status.code().unwrap_or(-1), out, err }
    }
}

impl Ended {
    #[track_caller]
    pub(crate) fn is(&self, code: i32, said: &str) -> &Self {
        let all = format!("{}{}", self.out, self.err);
        assert!(self.code == code && all.contains(said), "code {}\n{all}", self.code);
        self
    }
}
