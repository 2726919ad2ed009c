//! The pictures of one trace: golden frames, chains of frames (`chain`), artifacts and screens for
//! the contact sheet. `error` has the reasons why one of them failed.
//!
//! **Invariant:** this module writes goldens only with `--bless` and artifacts only into their
//! folder, and writes nothing else. It does not know boards or the order of traces.

pub(crate) mod chain;
mod error;
mod tones;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use causes::difference::differences;
use hal_mock::{
    VirtualBoard,
    replay::{ChainFrame, Goldens},
};
use host::{
    Exit,
    output_files::{Output, OutputError, goldens_of, inside},
};
use ili9341_model::Frame;
use reading::golden::{self, GoldenError, Mismatch, PngError, PngFault, Rules};
use reading::text::Reader;
use trace::{Action, FrameCheck, Trace, counted};
use virtual_time::Instant;

use crate::command::command;
use crate::options::ReplayOptions;
use crate::report::SheetPicture;
use crate::report::causes::{FailureCause, FailureKind};
use crate::report::change::{self, GoldenChange, NewGolden};
use crate::suite::find::FoundTrace;
use chain::{ChainRecord, DifferingFrame};
pub(super) use error::GalleryError;
use tones::tone_list;

/// Maximum number of causes per trace.
const CAUSES_MAX: usize = 20;
/// Endings of the names of the artifacts that a failed frame leaves.
const KINDS: [&str; 3] = ["actual", "expected", "diff"];

pub(crate) struct Gallery<'a> {
    trace: &'a Path,
    options: &'a ReplayOptions,
    /// Folder of the goldens.
    folder: PathBuf,
    /// Folder of the artifacts, if artifacts are written.
    artifacts: Option<PathBuf>,
    /// Goldens that the trace compares with.
    named: BTreeSet<&'a str>,
    /// Chains of frames that the trace compares with.
    chains: BTreeSet<&'a str>,
    /// Chains that have begun.
    records: BTreeMap<String, ChainRecord>,
    screenshots: BTreeSet<String>,
    blessed: BTreeSet<String>,
    /// Messages about files that were written, for the report.
    pub notes: Vec<String>,
    /// The worst exit code so far, apart from the verdict of the replay itself.
    pub exit: Exit,
    /// Screens for the contact sheet; empty if no sheet is written.
    pub pictures: Vec<SheetPicture>,
    /// Causes of the differences from goldens so far.
    pub causes: Vec<FailureCause>,
    /// The cause from which further differences may only follow.
    diverged: Option<FailureKind>,
    /// Goldens that would be written, if the options ask for a review.
    pub changes: Vec<GoldenChange>,
    /// Number of goldens that differ or are missing.
    pub unmet: usize,
    reader: &'a Reader,
    /// The first frame that differs in the chain that was judged last.
    pub differing: Option<DifferingFrame>,
}

impl<'a> Gallery<'a> {
    /// # Errors
    /// If the trace has a name from which no output can be named.
    pub fn new(
        found: &'a FoundTrace,
        trace: &'a Trace,
        options: &'a ReplayOptions,
        reader: &'a Reader,
    ) -> Result<Self, GalleryError> {
        let named = trace.lines.iter().filter_map(|line| match &line.action {
            Action::ExpectFrame(expected) => Some(expected.name.as_str()),
            _ => None,
        });
        let chains = trace.lines.iter().filter_map(|line| match &line.action {
            Action::ExpectFrames { name, .. } => Some(name.as_str()),
            _ => None,
        });
        let artifacts = options.artifacts.as_deref();
        Ok(Self {
            trace: &found.path,
            options,
            folder: goldens_of(&found.path)?,
            artifacts: artifacts.map(|folder| inside(folder, &found.artifacts)).transpose()?,
            named: named.collect(),
            chains: chains.collect(),
            records: BTreeMap::new(),
            screenshots: BTreeSet::new(),
            blessed: BTreeSet::new(),
            notes: Vec::new(),
            exit: Exit::Passed,
            pictures: Vec::new(),
            causes: Vec::new(),
            diverged: None,
            changes: Vec::new(),
            unmet: 0,
            reader,
            differing: None,
        })
    }

    /// Returns the folder of the goldens.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder of the artifacts, if artifacts are written.
    pub fn artifacts_folder(&self) -> Option<&Path> {
        self.artifacts.as_deref()
    }

    /// Creates the artifacts' folder and removes the pictures of failed frames that an earlier run
    /// left in it.
    ///
    /// # Errors
    /// If the folder cannot be created, or a file in it cannot be removed.
    pub fn open(&mut self) -> Result<(), GalleryError> {
        let Some(folder) = &self.artifacts else { return Ok(()) };
        host::output_files::create_folder(folder)?;
        let frames = self.named.iter().flat_map(|name| KINDS.map(|kind| (name, kind)));
        let chains = self.chains.iter().flat_map(|name| chain::KINDS.map(|kind| (name, kind)));
        for (name, kind) in frames.chain(chains) {
            let path = inside(folder, format!("{name}.{kind}.png").as_ref())?;
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(cannot_write(&path, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Saves the last screen, the console and the tones of a replay that ended at
    /// `ended_at`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn close(&mut self, board: &VirtualBoard, ended_at: Instant) -> Result<(), GalleryError> {
        if self.options.contact_sheet.is_some() {
            self.save_screen("at the end", &board.frame_at(ended_at));
        }
        let Some(folder) = &self.artifacts else { return Ok(()) };
        let mut console = board.console_bytes();
        console.retain(|byte| *byte != b'\r');
        let tones = tone_list(&board.tones(), ended_at);
        for (name, text) in [("console.txt", console), ("tones.txt", tones.into_bytes())] {
            Output::new(inside(folder, name.as_ref())?).replace(true).write(&text)?;
        }
        Ok(())
    }

    /// Saves the flash, if it is `wanted`; otherwise removes that of an earlier run. A flash has megabytes.
    ///
    /// # Errors
    /// If the file cannot be written or removed.
    pub fn save_flash(&self, board: &VirtualBoard, wanted: bool) -> Result<(), GalleryError> {
        let Some(folder) = &self.artifacts else { return Ok(()) };
        let path = folder.join("flash.bin");
        if wanted {
            let flash = board.with_flash(|flash| flash.image().to_vec());
            return Ok(Output::new(path).replace(true).write(&flash)?);
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(cannot_write(&path, error))
            }
            _ => Ok(()),
        }
    }

    /// Returns the goldens beside the trace that no line compares with, sorted.
    ///
    /// # Errors
    /// If the folder exists but cannot be read.
    pub fn unused(&self) -> Result<Vec<PathBuf>, GalleryError> {
        let mut unused = Vec::new();
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(unused),
            // A file has the folder's name, so there are no goldens; each missing one is reported.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(unused),
            Err(source) => return Err(self.cannot_read(source)),
        };
        for entry in entries {
            let path = entry.map_err(|source| self.cannot_read(source))?.path();
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
        // A PNG file takes a few kilobytes instead of 300 KB for a frame; a sheet may have
        // thousands of screens.
        let picture = SheetPicture {
            title: self.trace.display().to_string(),
            name: name.to_owned(),
            png: golden::encode_png(frame),
        };
        // The last screen is often equal to the last screenshot; it is shown only once.
        if self.pictures.last().is_none_or(|last| last.png != picture.png) {
            self.pictures.push(picture);
        }
    }

    fn cannot_read(&self, source: io::Error) -> GalleryError {
        GalleryError::ReadFolder { path: self.folder.clone(), source }
    }

    /// Returns the command that writes the trace's goldens.
    fn bless_command(&self) -> String {
        command(self.trace, self.options, &["--bless"])
    }

    /// Writes an artifact, if artifacts are wanted, and returns its path.
    fn artifact(&self, name: &str, frame: &Frame) -> Result<Option<PathBuf>, GalleryError> {
        let Some(folder) = &self.artifacts else { return Ok(None) };
        let path = inside(folder, format!("{name}.png").as_ref())?;
        Output::new(&path).replace(true).write(&golden::encode_png(frame))?;
        Ok(Some(path))
    }

    /// Writes pictures of one frame as artifacts, if artifacts are wanted, and returns the path of
    /// the last picture.
    fn artifacts(
        &self,
        name: &str,
        kinds: [&str; 3],
        frames: [&Frame; 3],
    ) -> Result<Option<PathBuf>, GalleryError> {
        let mut last = None;
        for (kind, frame) in kinds.into_iter().zip(frames) {
            last = self.artifact(&format!("{name}.{kind}"), frame)?;
        }
        Ok(last)
    }

    /// Writes the golden unless the frame already matches it.
    fn bless(
        &mut self,
        expected: &FrameCheck,
        path: &Path,
        actual: &Frame,
    ) -> Result<(), GalleryError> {
        let name = &expected.name;
        let shown = actual.part(expected.shown(actual));
        let old = golden::read_png(path);
        if let Err(PngError { path, fault: PngFault::LfsPointer }) = &old {
            return Err(GalleryError::LfsPointer(path.clone()));
        }
        let judged = old
            .as_ref()
            .map(|old| golden::compare_part(actual, old, expected.shown(actual), &expected.rules));
        if let Ok(Ok(())) = judged {
            return Ok(());
        }
        if self.blessed.contains(name) {
            return Err(GalleryError::BlessedBefore { name: name.clone() });
        }
        let before = old.as_ref().ok().cloned();
        let what = match judged {
            Err(_) if !path.exists() => format!("new, {}x{}", shown.width(), shown.height()),
            Err(_) => "replaced a file that was no picture".to_owned(),
            // The whole frame is written, so all its differences are reported.
            Ok(Err(Mismatch::Pixels(_)) | Ok(())) => {
                let old = old.unwrap_or_else(|_| shown.clone());
                match golden::compare_part(actual, &old, expected.shown(actual), &Rules::default())
                {
                    Err(mismatch) => format!("replaced: {mismatch}"),
                    Ok(()) => "replaced".to_owned(),
                }
            }
            Ok(Err(mismatch @ Mismatch::Size { .. })) => format!("replaced: {mismatch}"),
        };
        if let Some(old) = before.filter(|_| path.exists()) {
            self.classify(expected, &old, actual);
        }
        golden::write_png(path, &shown).map_err(GalleryError::WritePicture)?;
        self.blessed.insert(name.to_owned());
        self.notes.push(format!("blessed {} ({what})", path.display()));
        Ok(())
    }

    /// Compares the frame with its golden, which exists.
    fn compare(
        &mut self,
        expected: &FrameCheck,
        path: &Path,
        actual: &Frame,
    ) -> Result<(), GalleryError> {
        let golden = golden::read_png(path).map_err(|source| match source.fault {
            PngFault::LfsPointer => GalleryError::LfsPointer(source.path),
            _ => GalleryError::UnreadableGolden { source, bless: self.bless_command() },
        })?;
        let (region, rules) = (expected.shown(actual), &expected.rules);
        let Err(mismatch) = golden::compare_part(actual, &golden, region, rules) else {
            return Ok(());
        };
        let kinds = self.classify(expected, &golden, actual);
        let after = || NewGolden::picture(&actual.part(region));
        self.add_change(path, kinds, Some(&golden), after);
        let name = expected.name.clone();
        let difference = golden::difference_part(actual, &golden, region, rules);
        let frames = [&actual.part(region), &golden, &difference];
        let artifact = self.artifacts(&name, KINDS, frames)?;
        Err(GalleryError::FrameDiffers {
            name,
            golden: path.to_owned(),
            mismatch: Box::new(mismatch),
            relation: golden::relation(actual, &golden, region, rules),
            artifact,
        })
    }

    /// Records a golden that would be written, if a review is requested.
    fn add_change(
        &mut self,
        golden: &Path,
        kinds: Vec<FailureKind>,
        before: Option<&Frame>,
        after: impl FnOnce() -> Option<NewGolden>,
    ) {
        self.unmet += 1;
        if !self.options.reviews {
            return;
        }
        let Some(after) = after() else { return };
        let example = self.causes.iter().find(|cause| kinds.contains(&cause.kind));
        let change = GoldenChange {
            golden: golden.to_owned(),
            example: example.map_or(String::new(), |cause| cause.example.clone()),
            kinds,
            before: before.map(golden::encode_png),
            after,
            is_contradictory: false,
        };
        change::add(&mut self.changes, change);
    }

    /// Adds the causes of the pixels in which a frame differs from its golden, and returns them; at
    /// least one.
    fn classify(
        &mut self,
        expected: &FrameCheck,
        golden: &Frame,
        actual: &Frame,
    ) -> Vec<FailureKind> {
        if let Some(kind) = &self.diverged {
            return vec![kind.clone()];
        }
        let region = expected.shown(actual);
        let part = actual.part(region);
        let is_same_size = (part.width(), part.height()) == (golden.width(), golden.height());
        if !is_same_size {
            return vec![FailureKind::line("a golden has another size")];
        }
        // Pixels that may differ are no difference.
        let (left, top) = region.corner();
        let mut allowed = golden.clone();
        let width = part.width();
        for (at, (should, is)) in allowed.pixels_mut().iter_mut().zip(part.pixels()).enumerate() {
            if !expected.rules.differs(left + at % width, top + at / width, *is, *should) {
                *should = *is;
            }
        }
        let found = differences(&allowed, &part, self.reader);
        let divergence = causes::folded(&found).find(|(cause, _)| cause.diverges());
        let shown: Vec<_> = match divergence {
            Some(divergence) => vec![divergence],
            None => causes::folded(&found).collect(),
        };
        let mut kinds = Vec::new();
        for (cause, difference) in shown {
            let diverges = cause.diverges();
            let kind = FailureKind::Frames(cause);
            if diverges {
                self.diverged.get_or_insert(kind.clone());
            }
            self.add_cause(kind.clone(), difference.what.to_string());
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    fn add_cause(&mut self, kind: FailureKind, example: String) {
        if self.causes.len() < CAUSES_MAX && !self.causes.iter().any(|known| known.kind == kind) {
            self.causes.push(FailureCause { kind, example });
        }
    }

    /// Compares a frame with its golden, or blesses it.
    fn check_frame(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GalleryError> {
        let name = expected.name.clone();
        let golden = match self.options.converted.golden(self.trace, &name) {
            Some(path) => path.to_owned(),
            None => inside(&self.folder, format!("{name}.png").as_ref())?,
        };
        if self.options.bless {
            return self.bless(expected, &golden, actual);
        }
        if golden.exists() {
            return self.compare(expected, &golden, actual);
        }
        let shown = actual.part(expected.shown(actual));
        let kinds = vec![FailureKind::line("there is no golden yet")];
        self.add_change(&golden, kinds, None, || NewGolden::picture(&shown));
        let artifact = self.artifact(&format!("{name}.actual"), &shown)?;
        Err(GalleryError::NoGolden { name, golden, artifact, bless: self.bless_command() })
    }

    fn chain_path(&self, name: &str) -> Result<PathBuf, GalleryError> {
        Ok(inside(&self.folder, format!("{name}.frames").as_ref())?)
    }

    /// Compares a chain with its file, or blesses it.
    fn check_chain(&mut self, name: &str) -> Result<(), GalleryError> {
        let path = self.chain_path(name)?;
        // A chain without a frame has no record yet.
        let record = self.records.remove(name).unwrap_or_else(|| ChainRecord::begin(&path));
        if record.is_lfs_pointer() {
            return Err(GalleryError::LfsPointer(path));
        }
        if self.options.bless {
            return self.bless_chain(&record, &path);
        }
        self.compare_chain(name, record, path)
    }

    /// Writes the chain's file unless it already matches.
    fn bless_chain(&mut self, record: &ChainRecord, path: &Path) -> Result<(), GalleryError> {
        let count = counted(record.seen.links.len(), "frame");
        let what = match &record.expected {
            Ok(expected) => match record.difference(expected) {
                None if record.has_older_format() => {
                    format!("written in the present format; {count}")
                }
                None => return Ok(()),
                Some(difference) => format!("replaced: {difference}; now {count}"),
            },
            Err(_) if !record.exists => format!("new, {count}"),
            Err(_) => format!("replaced a file that was no chain; now {count}"),
        };
        record.as_written().save(path).map_err(|error| GalleryError::WriteChain(error.into()))?;
        self.notes.push(format!("blessed {} ({what})", path.display()));
        Ok(())
    }

    /// Compares the recorded chain with its file.
    fn compare_chain(
        &mut self,
        name: &str,
        record: ChainRecord,
        file: PathBuf,
    ) -> Result<(), GalleryError> {
        let name = name.to_owned();
        let expected = match &record.expected {
            Ok(expected) => expected,
            Err(_) if !record.exists => {
                let seen = record.seen.links.len();
                let kinds = vec![FailureKind::line("there is no golden yet")];
                let after = || Some(NewGolden::Chain(record.as_written().clone()));
                self.add_change(&file, kinds, None, after);
                return Err(GalleryError::NoChain {
                    name,
                    file,
                    seen,
                    bless: self.bless_command(),
                });
            }
            Err(_) => {
                let bless = self.bless_command();
                let Err(source) = record.expected else { return Ok(()) };
                return Err(GalleryError::UnreadableChain { source, bless });
            }
        };
        let Some(difference) = record.difference(expected) else { return Ok(()) };
        let mut kinds: Vec<FailureKind> =
            self.causes.iter().map(|cause| cause.kind.clone()).collect();
        if kinds.is_empty() {
            kinds.push(FailureKind::line("the frames of a chain differ"));
        }
        self.add_change(&file, kinds, None, || Some(NewGolden::Chain(record.as_written().clone())));
        let artifact = match &record.differing {
            Some(DifferingFrame { before, actual, .. }) => {
                let changed = golden::difference_frame(actual, before);
                self.artifacts(&name, chain::KINDS, [before, actual, &changed])?
            }
            None => None,
        };
        self.differing = record.differing;
        Err(GalleryError::ChainDiffers { name, file, difference: Box::new(difference), artifact })
    }

    /// Saves a screenshot. A further one of the same name gets a number.
    fn take_screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GalleryError> {
        self.save_screen(name, frame);
        let mut own = name.to_owned();
        let mut number = 2;
        // Bounded by the number of screenshots of that name in the trace.
        while !self.screenshots.insert(own.clone()) {
            own = format!("{name}-{number}");
            number += 1;
        }
        self.artifact(&own, frame).map(drop)
    }

    /// Converts an error for the replay, and records its exit code for the trace.
    fn reported(&mut self, result: Result<(), GalleryError>) -> Result<(), GoldenError> {
        result.map_err(|error| {
            // A difference fails the trace by itself; only a usage error needs a record here.
            if error.exit() == Exit::Usage {
                self.exit = Exit::Usage;
            }
            GoldenError::reported(error)
        })
    }
}

fn cannot_write(path: &Path, source: io::Error) -> GalleryError {
    OutputError::Io { path: path.to_owned(), source }.into()
}

impl Goldens for Gallery<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        let result = self.check_frame(expected, actual);
        self.reported(result)
    }

    fn watch(&mut self, name: &str, seen: &ChainFrame<'_>) {
        // A name that leads out of the folder is reported when the chain is judged.
        if !self.records.contains_key(name)
            && let Ok(path) = self.chain_path(name)
        {
            let record = ChainRecord::begin(&path);
            self.records.insert(name.to_owned(), record);
        }
        if let Some(record) = self.records.get_mut(name) {
            record.add(seen);
        }
    }

    fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        let result = self.check_chain(name);
        self.reported(result)
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GoldenError> {
        let result = self.take_screenshot(name, frame);
        self.reported(result)
    }
}

#[cfg(test)]
mod tests;
