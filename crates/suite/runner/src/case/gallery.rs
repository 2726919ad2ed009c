//! The pictures of one trace: its golden frames, its chains of frames (`chain`), its artifacts, its
//! screens for the contact sheet; and why one of them failed (`error`).
//!
//! **Invariant:** it writes goldens only with `--bless`, artifacts only into their folder, and
//! nothing else. It knows no board and no order of traces.

pub(crate) mod chain;
mod error;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hal_mock::{
    VirtualBoard,
    board::Tone,
    replay::{Goldens, Seen},
};
use host::{
    Exit,
    output_files::{Output, OutputError, goldens_of, inside},
};
use ili9341_model::Frame;
use reading::golden::{self, GoldenError, Mismatch, PngError, PngFault, Rules};
use trace::{Action, FrameCheck, Trace, counted};
use virtual_time::Instant;

use crate::command::command;
use crate::options::ReplayOptions;
use crate::report::SheetPicture;
use crate::suite::find::FoundTrace;
use chain::{ChainRecord, DifferingFrame};
pub(super) use error::GalleryError;

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
    /// Screens for the contact sheet; empty if none is written.
    pub pictures: Vec<SheetPicture>,
    /// The first frame that differs in the chain that was judged last.
    pub differing: Option<DifferingFrame>,
}

impl<'a> Gallery<'a> {
    /// # Errors
    /// If nothing can be called after the trace.
    pub fn new(
        found: &'a FoundTrace,
        trace: &'a Trace,
        options: &'a ReplayOptions,
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
            differing: None,
        })
    }

    /// Where the goldens are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the artifacts go, if they are wanted.
    pub fn artifacts_folder(&self) -> Option<&Path> {
        self.artifacts.as_deref()
    }

    /// Makes the artifacts' folder and removes the pictures of failed frames that an earlier run
    /// left there.
    ///
    /// # Errors
    /// If the folder cannot be made, or a file in it cannot be removed.
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

    /// Saves the last screen, the console, the tones and the flash of a replay that ended at `ended_at`.
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
        let flash = board.with_flash(|flash| flash.image().to_vec());
        Output::new(folder.join("flash.bin")).replace(true).write(&flash)?;
        Ok(())
    }

    /// The goldens beside the trace that no line of it compares with, sorted.
    ///
    /// # Errors
    /// If the folder is there but cannot be read.
    pub fn unused(&self) -> Result<Vec<PathBuf>, GalleryError> {
        let mut unused = Vec::new();
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(unused),
            // A file of that name: there are no goldens, and each missing one is reported.
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
        // As PNG it takes a few kilobytes instead of 300: there may be thousands.
        let picture = SheetPicture {
            title: self.trace.display().to_string(),
            name: name.to_owned(),
            png: golden::encode_png(frame),
        };
        // The last screen is often the last screenshot; it is shown once.
        if self.pictures.last().is_none_or(|last| last.png != picture.png) {
            self.pictures.push(picture);
        }
    }

    fn cannot_read(&self, source: io::Error) -> GalleryError {
        GalleryError::ReadFolder { path: self.folder.clone(), source }
    }

    /// The command that writes the trace's goldens.
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
    /// the last.
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

    /// Writes the golden, unless it is right as it is.
    fn bless(
        &mut self,
        expected: &FrameCheck,
        path: &Path,
        actual: &Frame,
    ) -> Result<(), GalleryError> {
        let name = &expected.name;
        let shown = actual.part(expected.shown());
        let old = golden::read_png(path);
        if let Err(PngError { path, fault: PngFault::LfsPointer }) = &old {
            return Err(GalleryError::LfsPointer(path.clone()));
        }
        let judged = old
            .as_ref()
            .map(|old| golden::compare_part(actual, old, expected.shown(), &expected.rules));
        if let Ok(Ok(())) = judged {
            return Ok(());
        }
        if self.blessed.contains(name) {
            return Err(GalleryError::BlessedBefore { name: name.clone() });
        }
        let what = match judged {
            Err(_) if !path.exists() => format!("new, {}x{}", shown.width(), shown.height()),
            Err(_) => "replaced a file that was no picture".to_owned(),
            // The whole frame is written, so all its differences are reported.
            Ok(Err(Mismatch::Pixels(_)) | Ok(())) => {
                let old = old.unwrap_or_else(|_| shown.clone());
                match golden::compare_part(actual, &old, expected.shown(), &Rules::default()) {
                    Err(mismatch) => format!("replaced: {mismatch}"),
                    Ok(()) => "replaced".to_owned(),
                }
            }
            Ok(Err(mismatch @ Mismatch::Size { .. })) => format!("replaced: {mismatch}"),
        };
        golden::write_png(path, &shown).map_err(GalleryError::WritePicture)?;
        self.blessed.insert(name.to_owned());
        self.notes.push(format!("blessed {} ({what})", path.display()));
        Ok(())
    }

    /// Compares with the golden, which exists.
    fn compare(
        &self,
        expected: &FrameCheck,
        path: &Path,
        actual: &Frame,
    ) -> Result<(), GalleryError> {
        let golden = golden::read_png(path).map_err(|source| match source.fault {
            PngFault::LfsPointer => GalleryError::LfsPointer(source.path),
            _ => GalleryError::UnreadableGolden { source, bless: self.bless_command() },
        })?;
        let (region, rules) = (expected.shown(), &expected.rules);
        let Err(mismatch) = golden::compare_part(actual, &golden, region, rules) else {
            return Ok(());
        };
        let name = expected.name.clone();
        let difference = golden::difference_part(actual, &golden, region, rules);
        let frames = [&actual.part(region), &golden, &difference];
        let artifact = self.artifacts(&name, KINDS, frames)?;
        Err(GalleryError::FrameDiffers {
            name,
            golden: path.to_owned(),
            mismatch: Box::new(mismatch),
            artifact,
        })
    }

    /// Compares with a golden, or blesses it.
    fn check_frame(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GalleryError> {
        let name = expected.name.clone();
        let golden = inside(&self.folder, format!("{name}.png").as_ref())?;
        if self.options.bless {
            return self.bless(expected, &golden, actual);
        }
        if golden.exists() {
            return self.compare(expected, &golden, actual);
        }
        let shown = actual.part(expected.shown());
        let artifact = self.artifact(&format!("{name}.actual"), &shown)?;
        Err(GalleryError::NoGolden { name, golden, artifact, bless: self.bless_command() })
    }

    fn chain_path(&self, name: &str) -> Result<PathBuf, GalleryError> {
        Ok(inside(&self.folder, format!("{name}.frames").as_ref())?)
    }

    /// Compares with a chain, or blesses it.
    fn check_chain(&mut self, name: &str) -> Result<(), GalleryError> {
        let path = self.chain_path(name)?;
        // Without a single frame it has not begun yet.
        let record = self.records.remove(name).unwrap_or_else(|| ChainRecord::begin(&path));
        if record.is_lfs_pointer() {
            return Err(GalleryError::LfsPointer(path));
        }
        if self.options.bless {
            return self.bless_chain(&record, &path);
        }
        self.compare_chain(name, record, path)
    }

    /// Writes the chain's file, unless it is right as it is.
    fn bless_chain(&mut self, record: &ChainRecord, path: &Path) -> Result<(), GalleryError> {
        let count = counted(record.seen.links.len(), "frame");
        let what = match &record.expected {
            Ok(expected) => match record.difference(expected) {
                None if record.is_of_older_format() => {
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

    /// Compares with the chain's file.
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

    /// Takes a screenshot; a second one of the same name gets a number.
    fn take_screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GalleryError> {
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

    /// An error as the replay takes it. Its exit code counts for the trace.
    fn reported(&mut self, result: Result<(), GalleryError>) -> Result<(), GoldenError> {
        result.map_err(|error| {
            // What differs fails the trace by itself.
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

    fn watch(&mut self, name: &str, seen: &Seen<'_>) {
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

/// A line a tone: when it began, its frequency, how long it sounded.
fn tone_list(tones: &[Tone], ended_at: Instant) -> String {
    let mut list = String::new();
    for (nth, tone) in tones.iter().enumerate().take_while(|(_, tone)| tone.at <= ended_at) {
        let until = tones.get(nth + 1).map_or(ended_at, |next| next.at.min(ended_at));
        if let Some(hertz) = tone.hz {
            list += &format!("{} {hertz}Hz for {}\n", tone.at, until.saturating_since(tone.at));
        }
    }
    list
}

#[cfg(test)]
mod tests;
