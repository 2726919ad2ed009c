//! The pictures of one trace: its golden frames, its artifacts, its screens for the
//! contact sheet; and its chains of frames (`chain`).
//!
//! It decides what is written: a golden only when blessing, artifacts only into their
//! folder, never anything else. It knows no board and no order of traces.

mod chain;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hal_mock::board::Tone;
use hal_mock::golden::{self, Mismatch, PngError, Rules};
use hal_mock::replay::{Goldens, Seen};
use hal_mock::trace::{Action, FrameCheck, Trace};
use hal_mock::{Frame, Nanos, VirtualBoard};

use crate::command::command;
use crate::exit::Exit;
use crate::options::ReplayOptions;
use crate::report::SheetPicture;
use crate::suite::find::FoundTrace;
use chain::ChainRecord;

/// What a failed frame leaves among the artifacts, by the ends of the names.
const KINDS: [&str; 3] = ["actual", "expected", "diff"];

pub(crate) struct Gallery<'a> {
    trace: &'a Path,
    options: &'a ReplayOptions,
    /// Where the goldens are.
    folder: PathBuf,
    /// Where the artifacts go.
    artifacts: Option<PathBuf>,
    /// The goldens that the trace compares with.
    named: BTreeSet<&'a str>,
    /// The chains of frames that the trace compares with.
    chains: BTreeSet<&'a str>,
    /// The chains that have begun.
    records: BTreeMap<String, ChainRecord>,
    screenshots: BTreeSet<String>,
    blessed: BTreeSet<String>,
    /// What was written, for the report.
    pub notes: Vec<String>,
    /// The worst of what happened, apart from what the replay itself reports.
    pub exit: Exit,
    /// Screens for the contact sheet, if there is to be one.
    pub pictures: Vec<SheetPicture>,
}

impl<'a> Gallery<'a> {
    pub fn new(found: &'a FoundTrace, trace: &'a Trace, options: &'a ReplayOptions) -> Self {
        let named = trace.lines.iter().filter_map(|line| match &line.action {
            Action::ExpectFrame(expected) => Some(expected.name.as_str()),
            _ => None,
        });
        let chains = trace.lines.iter().filter_map(|line| match &line.action {
            Action::ExpectFrames { name, .. } => Some(name.as_str()),
            _ => None,
        });
        Self {
            trace: &found.path,
            options,
            folder: found.path.with_extension(""),
            artifacts: options.artifacts.as_ref().map(|folder| folder.join(&found.artifacts)),
            named: named.collect(),
            chains: chains.collect(),
            records: BTreeMap::new(),
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
        let frames = self.named.iter().flat_map(|name| KINDS.map(|kind| (name, kind)));
        let chains = self.chains.iter().flat_map(|name| chain::KINDS.map(|kind| (name, kind)));
        for (name, kind) in frames.chain(chains) {
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
        self.save_screen("at the end", &board.frame_at(ended_at));
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

    /// The goldens beside the trace that no line of it compares with, sorted.
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
            let end = path.extension();
            let is = |kind: &str| end.is_some_and(|end| end.eq_ignore_ascii_case(kind));
            let (kind, known) = match (is("png"), is("frames")) {
                (true, _) => ("png", &self.named),
                (_, true) => ("frames", &self.chains),
                _ => continue,
            };
            let name = path.file_stem().and_then(OsStr::to_str);
            let is_named = name.is_some_and(|name| known.contains(name));
            if !(is_named && end == Some(OsStr::new(kind))) {
                unused.push(path);
            }
        }
        unused.sort();
        Ok(unused)
    }

    fn save_screen(&mut self, name: &str, frame: &Frame) {
        if self.options.contact_sheet.is_none() || frame.pixels().is_empty() {
            return;
        }
        // As PNG it takes a few kilobytes instead of 300: there may be thousands.
        let picture = SheetPicture {
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
    fn bless(&mut self, expected: &FrameCheck, path: &Path, actual: &Frame) -> Result<(), String> {
        let name = &expected.name;
        let shown = actual.part(expected.shown());
        let old = golden::read_png(path);
        let judged = old
            .as_ref()
            .map(|old| golden::compare_part(actual, old, expected.shown(), &expected.rules));
        if let Ok(Ok(())) = judged {
            return Ok(());
        }
        if self.blessed.contains(name) {
            return Err(format!(
                "expected frame {name} again, but the LCD shows another than when it was blessed \
                 further up; give the two frames two names"
            ));
        }
        let what = match judged {
            Err(_) if !path.exists() => format!("new, {}x{}", shown.width(), shown.height()),
            Err(_) => "replaced a file that was no picture".to_owned(),
            // Of what was blessed all is written, and so all is told.
            Ok(Err(Mismatch::Pixels(_)) | Ok(())) => {
                let old = old.unwrap_or_else(|_| shown.clone());
                match golden::compare_part(actual, &old, expected.shown(), &Rules::default()) {
                    Err(mismatch) => format!("replaced: {mismatch}"),
                    Ok(()) => "replaced".to_owned(),
                }
            }
            Ok(Err(mismatch @ Mismatch::Size { .. })) => format!("replaced: {mismatch}"),
        };
        self.make_folder()?;
        self.written(golden::write_png(path, &shown))?;
        self.blessed.insert(name.to_owned());
        self.notes.push(format!("blessed {} ({what})", path.display()));
        Ok(())
    }

    /// Makes the folder of the goldens.
    fn make_folder(&mut self) -> Result<(), String> {
        fs::create_dir_all(&self.folder).map_err(|error| {
            self.exit = Exit::Usage;
            format!("{}: cannot be written: {error}", self.folder.display())
        })
    }

    /// Compares with the golden, which exists.
    fn compare(
        &mut self,
        expected: &FrameCheck,
        path: &Path,
        actual: &Frame,
    ) -> Result<(), String> {
        let name = &expected.name;
        let golden = golden::read_png(path).map_err(|error| {
            self.exit = Exit::Usage;
            let again = command(self.trace, self.options, &["--bless"]);
            format!("{error}; restore the golden, or write it anew with `{again}`")
        })?;
        let (region, rules) = (expected.shown(), &expected.rules);
        let Err(mismatch) = golden::compare_part(actual, &golden, region, rules) else {
            return Ok(());
        };
        if matches!(mismatch, Mismatch::Size { .. }) {
            self.exit = Exit::Usage;
        }
        let difference = golden::difference_part(actual, &golden, region, rules);
        let mut message = format!("expected frame {name} ({}), but {mismatch}", path.display());
        let frames = [&actual.part(region), &golden, &difference];
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
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), String> {
        let name = &expected.name;
        let path = self.folder.join(format!("{name}.png"));
        if self.options.bless {
            return self.bless(expected, &path, actual);
        }
        if path.exists() {
            return self.compare(expected, &path, actual);
        }
        let bless = command(self.trace, self.options, &["--bless"]);
        let mut message =
            format!("expected frame {name}, but there is no golden {}", path.display());
        let shown = actual.part(expected.shown());
        if let Some(see) = self.artifact(&format!("{name}.actual"), &shown)? {
            message += &format!("\nsee {} for what the LCD shows", see.display());
        }
        Err(message + &format!("\nif that is right, keep it: {bless}"))
    }

    fn watch(&mut self, name: &str, seen: &Seen<'_>) {
        if !self.records.contains_key(name) {
            let record = ChainRecord::begin(&self.chain_path(name));
            self.records.insert(name.to_owned(), record);
        }
        if let Some(record) = self.records.get_mut(name) {
            record.add(seen);
        }
    }

    fn chain(&mut self, name: &str) -> Result<(), String> {
        let path = self.chain_path(name);
        // Without a single frame it has not begun yet.
        let record = self.records.remove(name).unwrap_or_else(|| ChainRecord::begin(&path));
        if self.options.bless {
            return self.bless_chain(&record, &path);
        }
        self.compare_chain(name, &record, &path)
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), String> {
        self.save_screen(name, frame);
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
