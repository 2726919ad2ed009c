//! The pictures of one trace: its golden frames, its artifacts, its screens for the
//! contact sheet.
//!
//! It decides what is written: a golden only when blessing, artifacts only into their
//! folder, never anything else. It knows no board and no order of traces.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hal_mock::board::Tone;
use hal_mock::golden::{self, Mismatch, PngError};
use hal_mock::replay::Goldens;
use hal_mock::trace::{Action, Trace};
use hal_mock::{Frame, Nanos, VirtualBoard};

use super::report::{Picture, command};
use super::{Exit, Found, Options};

/// What a failed frame leaves among the artifacts, by the ends of the names.
const KINDS: [&str; 3] = ["actual", "expected", "diff"];

pub(super) struct Gallery<'a> {
    trace: &'a Path,
    options: &'a Options,
    /// Where the goldens are.
    folder: PathBuf,
    /// Where the artifacts go.
    artifacts: Option<PathBuf>,
    /// The goldens that the trace compares with.
    named: BTreeSet<&'a str>,
    screenshots: BTreeSet<String>,
    blessed: BTreeSet<String>,
    /// What was written, for the report.
    pub notes: Vec<String>,
    /// The worst of what happened, apart from what the replay itself reports.
    pub exit: Exit,
    /// Screens for the contact sheet, if there is to be one.
    pub pictures: Vec<Picture>,
}

impl<'a> Gallery<'a> {
    pub fn new(found: &'a Found, trace: &'a Trace, options: &'a Options) -> Self {
        let named = trace.lines.iter().filter_map(|line| match &line.action {
            Action::ExpectFrame(name) => Some(name.as_str()),
            _ => None,
        });
        Self {
            trace: &found.path,
            options,
            folder: found.path.with_extension(""),
            artifacts: options.artifacts.as_ref().map(|folder| folder.join(&found.artifacts)),
            named: named.collect(),
            screenshots: BTreeSet::new(),
            blessed: BTreeSet::new(),
            notes: Vec::new(),
            exit: Exit::Passed,
            pictures: Vec::new(),
        }
    }

    /// Makes the artifacts' folder and takes away what an earlier run left there of frames
    /// that failed, so that whatever stands there is of this run.
    ///
    /// # Errors
    /// The sentence for the report.
    pub fn open(&mut self) -> Result<(), String> {
        let Some(folder) = &self.artifacts else { return Ok(()) };
        let fail = |path: &Path, error: io::Error| {
            format!("{}: cannot be written: {error}", path.display())
        };
        fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
        for (name, kind) in self.named.iter().flat_map(|name| KINDS.map(|kind| (name, kind))) {
            let path = folder.join(format!("{name}.{kind}.png"));
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(fail(&path, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Keeps the last screen, the console and the tones of a replay that ended at `ended_at`.
    ///
    /// # Errors
    /// The sentence for the report.
    pub fn close(&mut self, board: &VirtualBoard, ended_at: Nanos) -> Result<(), String> {
        self.keep("at the end", &board.frame_at(ended_at));
        let Some(folder) = &self.artifacts else { return Ok(()) };
        let mut console = board.console_bytes();
        console.retain(|byte| *byte != b'\r');
        let tones = tone_list(&board.tones(), ended_at);
        for (name, text) in [("console.txt", console), ("tones.txt", tones.into_bytes())] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|error| {
                self.exit = Exit::Usage;
                format!("{}: cannot be written: {error}", path.display())
            })?;
        }
        Ok(())
    }

    /// The PNG files beside the trace that no line of it compares with, sorted.
    ///
    /// # Errors
    /// The sentence for the report, if the folder is there but cannot be read.
    pub fn unused(&self) -> Result<Vec<PathBuf>, String> {
        let mut unused = Vec::new();
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(unused),
            // A file of that name: then there are no goldens, and missing ones say so.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(unused),
            Err(error) => return Err(format!("{}: {error}", self.folder.display())),
        };
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", self.folder.display()))?.path();
            let is_png = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("png"));
            let name = path.file_stem().and_then(OsStr::to_str);
            let is_named = name.is_some_and(|name| self.named.contains(name))
                && path.extension() == Some(OsStr::new("png"));
            if is_png && !is_named {
                unused.push(path);
            }
        }
        unused.sort();
        Ok(unused)
    }

    fn keep(&mut self, name: &str, frame: &Frame) {
        if self.options.contact_sheet.is_none() || frame.pixels().is_empty() {
            return;
        }
        // As PNG it takes a few kilobytes instead of 300: there may be thousands.
        let picture = Picture {
            title: self.trace.display().to_string(),
            name: name.to_owned(),
            png: golden::encode_png(frame),
        };
        // A last screen that is on a screenshot already says nothing new.
        if self.pictures.last().is_none_or(|last| last.png != picture.png) {
            self.pictures.push(picture);
        }
    }

    /// Writes an artifact, if artifacts are wanted, and returns its path.
    fn artifact(&mut self, name: &str, frame: &Frame) -> Result<Option<PathBuf>, String> {
        let Some(folder) = &self.artifacts else { return Ok(None) };
        let path = folder.join(format!("{name}.png"));
        self.written(golden::write_png(&path, frame)).map(|()| Some(path))
    }

    fn written(&mut self, result: Result<(), PngError>) -> Result<(), String> {
        result.map_err(|error| {
            self.exit = Exit::Usage;
            error.to_string()
        })
    }

    /// Writes the golden, unless it is right as it is.
    fn bless(&mut self, name: &str, path: &Path, actual: &Frame) -> Result<(), String> {
        let old = golden::read_png(path);
        if old.as_ref().is_ok_and(|old| old == actual) {
            return Ok(());
        }
        if self.blessed.contains(name) {
            return Err(format!(
                "expected frame {name} again, but the LCD shows another than when it was blessed \
                 further up; give the two frames two names"
            ));
        }
        let what = match old {
            Err(_) if !path.exists() => "new".to_owned(),
            Err(_) => "replaced a file that was no picture".to_owned(),
            Ok(old) => match golden::compare(actual, &old) {
                Err(mismatch) => format!("replaced: {mismatch}"),
                Ok(()) => "replaced".to_owned(),
            },
        };
        if let Err(error) = fs::create_dir_all(&self.folder) {
            self.exit = Exit::Usage;
            return Err(format!("{}: cannot be written: {error}", self.folder.display()));
        }
        self.written(golden::write_png(path, actual))?;
        self.blessed.insert(name.to_owned());
        self.notes.push(format!("blessed {} ({what})", path.display()));
        Ok(())
    }

    /// Compares with the golden, which exists.
    fn compare(&mut self, name: &str, path: &Path, actual: &Frame) -> Result<(), String> {
        let expected = golden::read_png(path).map_err(|error| {
            self.exit = Exit::Usage;
            let again = command(self.trace, self.options, &["--bless"]);
            format!("{error}; restore the golden, or write it anew with `{again}`")
        })?;
        let Err(mismatch) = golden::compare(actual, &expected) else { return Ok(()) };
        if matches!(mismatch, Mismatch::Size { .. }) {
            self.exit = Exit::Usage;
        }
        let difference = golden::difference_frame(actual, &expected);
        let mut message = format!("expected frame {name} ({}), but {mismatch}", path.display());
        let frames = [actual, &expected, &difference];
        let mut see = None;
        for (kind, frame) in KINDS.into_iter().zip(frames) {
            see = self.artifact(&format!("{name}.{kind}"), frame)?;
        }
        if let Some(see) = see {
            message += &format!("\nsee {}, and .actual and .expected beside it", see.display());
        }
        Err(message)
    }
}

impl Goldens for Gallery<'_> {
    fn check(&mut self, name: &str, actual: &Frame) -> Result<(), String> {
        let path = self.folder.join(format!("{name}.png"));
        if self.options.bless {
            return self.bless(name, &path, actual);
        }
        if path.exists() {
            return self.compare(name, &path, actual);
        }
        let bless = command(self.trace, self.options, &["--bless"]);
        let mut message =
            format!("expected frame {name}, but there is no golden {}", path.display());
        if let Some(see) = self.artifact(&format!("{name}.actual"), actual)? {
            message += &format!("\nsee {} for what the LCD shows", see.display());
        }
        Err(message + &format!("\nif that is right, keep it: {bless}"))
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), String> {
        self.keep(name, frame);
        let mut own = name.to_owned();
        let mut number = 2;
        // At most as many rounds as the trace has screenshots of that name.
        while !self.screenshots.insert(own.clone()) {
            own = format!("{name}-{number}");
            number += 1;
        }
        self.artifact(&own, frame).map(drop)
    }
}

/// A line a tone: when it began, its frequency, how long it sounded.
fn tone_list(tones: &[Tone], ended_at: Nanos) -> String {
    let mut list = String::new();
    for (nth, tone) in tones.iter().enumerate().take_while(|(_, tone)| tone.at <= ended_at) {
        let until = tones.get(nth + 1).map_or(ended_at, |next| next.at.min(ended_at));
        if let Some(hertz) = tone.hz {
            list += &format!("{} {hertz}Hz for {}\n", tone.at, until - tone.at);
        }
    }
    list
}
