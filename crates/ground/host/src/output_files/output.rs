//! A file to be written, and the rules for it.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::output_files::{OutputError, OutputFile, goldens_of, trace_of_goldens};
use crate::output_files::{folder::folder_of, folder::missing_folders};

/// Purpose of a file, which determines where it may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Plain,
    Trace,
    Golden,
}

/// A function that recognizes a kind of file by its first bytes.
pub type Recognizer = fn(&[u8]) -> bool;

/// Maximum number of a file's first bytes that a [`Recognizer`] gets.
const HEAD_BYTES_MAX: u64 = 4_096;

/// Existing files that may be replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Replacement {
    None,
    /// A file of the same kind, or an empty one.
    Like(Recognizer),
    Any,
}

/// A file to be written. Nothing happens before [`create`](Self::create) or [`write`](Self::write).
#[derive(Clone, Debug)]
pub struct Output {
    path: PathBuf,
    role: Role,
    replacement: Replacement,
    durable: bool,
}

impl Output {
    /// Creates the output for a file at `path` that is neither a trace nor a golden picture.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            role: Role::Plain,
            replacement: Replacement::None,
            durable: false,
        }
    }

    /// Creates the output for a trace at `path`; only recording, tidying, converting and shrinking
    /// write traces.
    pub fn trace(path: impl Into<PathBuf>) -> Self {
        Self { role: Role::Trace, ..Self::new(path) }
    }

    /// Creates the output for a golden picture, or a file that belongs to one, at `path`.
    pub fn golden(path: impl Into<PathBuf>) -> Self {
        Self { role: Role::Golden, ..Self::new(path) }
    }

    /// Permits replacing an existing regular file of any kind, if `force` is set. Without this call
    /// and [`replace_like`](Self::replace_like) no file is replaced.
    pub fn replace(self, force: bool) -> Self {
        if force { Self { replacement: Replacement::Any, ..self } } else { self }
    }

    /// Permits replacing an existing file if it is empty or `recognizes` accepts its first 4,096
    /// bytes: for reports, which every run writes again.
    pub fn replace_like(self, recognizes: Recognizer) -> Self {
        Self { replacement: Replacement::Like(recognizes), ..self }
    }

    /// Makes [`OutputFile::commit`] flush the file to the disk, so that it survives a power
    /// failure. Costs some milliseconds.
    pub fn durable(self) -> Self {
        Self { durable: true, ..self }
    }

    /// Opens a temporary file beside the path, and creates missing folders.
    ///
    /// # Errors
    /// If a rule of this crate forbids the path, or no file can be created there.
    pub fn create(&self) -> Result<OutputFile, OutputError> {
        let path = &self.path;
        self.check_place(path)?;
        let target = self.target()?;
        // The target of a link must obey the same rules as the link itself.
        self.check_place(&target)?;
        let folders = missing_folders(folder_of(&target));
        let replace = !matches!(self.replacement, Replacement::None);
        OutputFile::open(path.clone(), target, folders, replace, self.durable)
    }

    /// Writes `bytes` as the whole file.
    ///
    /// # Errors
    /// As [`create`](Self::create) and [`OutputFile::commit`].
    pub fn write(&self, bytes: &[u8]) -> Result<(), OutputError> {
        let mut file = self.create()?;
        file.fill(bytes)?;
        file.commit()
    }

    /// Does the same as [`write`](Self::write), but does not touch a file that already contains
    /// `bytes`.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_if_changed(&self, bytes: &[u8]) -> Result<(), OutputError> {
        if fs::read(&self.path).is_ok_and(|held| held == bytes) {
            return Ok(());
        }
        self.write(bytes)
    }

    /// Checks that a file for this output may be at `place`.
    fn check_place(&self, place: &Path) -> Result<(), OutputError> {
        if self.role != Role::Trace && is_named(place, &["trace"]) {
            return Err(OutputError::IsTrace { path: place.to_owned() });
        }
        if self.role == Role::Trace && is_named(place, &["trace"]) {
            goldens_of(place)?;
        }
        if self.role == Role::Plain
            && let Some(trace) = trace_of_goldens(folder_of(place))
        {
            return Err(OutputError::InGoldens { path: place.to_owned(), trace });
        }
        Ok(())
    }

    /// Returns the actual path of the file, with links followed.
    fn target(&self) -> Result<PathBuf, OutputError> {
        let path = self.path.clone();
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(path),
            Err(source) => return Err(OutputError::Io { path, source }),
            Ok(_) => {}
        }
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => Err(OutputError::IsFolder { path }),
            Ok(found) if !found.is_file() => Err(OutputError::NotRegular { path }),
            Ok(_) => match self.replacement {
                Replacement::None => Err(OutputError::Exists { path }),
                Replacement::Like(recognizes) if !is_like(&path, recognizes)? => {
                    Err(OutputError::OtherKind { path })
                }
                Replacement::Like(_) | Replacement::Any => {
                    path.canonicalize().map_err(|source| OutputError::Io { path, source })
                }
            },
            // A dangling link: creating its target could be unexpected.
            Err(source) => Err(OutputError::Io { path, source }),
        }
    }
}

/// Returns whether the file at `path` is empty or `recognizes` accepts it.
fn is_like(path: &Path, recognizes: Recognizer) -> Result<bool, OutputError> {
    let mut head = Vec::new();
    match File::open(path).and_then(|file| file.take(HEAD_BYTES_MAX).read_to_end(&mut head)) {
        Ok(_) => Ok(head.is_empty() || recognizes(&head)),
        Err(source) => Err(OutputError::Io { path: path.to_owned(), source }),
    }
}

/// Checks that `folder` may be created for outputs that are neither traces nor goldens, without
/// creating it: before long work whose results are written there.
///
/// # Errors
/// If the folder is a trace's folder of golden pictures or inside one, if a file is in its place,
/// or if the operating system cannot write there.
pub fn check_folder(folder: &Path) -> Result<(), OutputError> {
    let place = place_of(folder)?;
    let written = tempfile::tempfile_in(place);
    written.map(drop).map_err(|source| OutputError::Io { path: folder.to_owned(), source })
}

/// Creates `folder` and its missing parents.
///
/// # Errors
/// As [`check_folder`].
pub fn create_folder(folder: &Path) -> Result<(), OutputError> {
    place_of(folder)?;
    fs::create_dir_all(folder).map_err(|source| OutputError::Io { path: folder.to_owned(), source })
}

/// Returns the innermost existing folder of `folder` and its parents, if outputs may be written to
/// `folder`.
fn place_of(folder: &Path) -> Result<&Path, OutputError> {
    let parents = [folder, folder_of(folder)];
    if let Some(trace) = parents.into_iter().find_map(trace_of_goldens) {
        return Err(OutputError::InGoldens { path: folder.to_owned(), trace });
    }
    match folder.ancestors().find(|place| place.exists()) {
        None => Ok(Path::new(".")),
        Some(place) if place.is_dir() => Ok(place),
        Some(_) => {
            let source = ErrorKind::NotADirectory.into();
            Err(OutputError::Io { path: folder.to_owned(), source })
        }
    }
}

/// Accepts `path` if its extension is one of `extensions`, ignoring case.
///
/// # Errors
/// [`OutputError::Extension`], with the allowed names.
pub fn demand_extension(path: &Path, extensions: &[&str]) -> Result<(), OutputError> {
    if is_named(path, extensions) {
        return Ok(());
    }
    let names: Vec<String> = extensions.iter().map(|extension| format!("*.{extension}")).collect();
    let expected = match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    Err(OutputError::Extension { path: path.to_owned(), expected })
}

fn is_named(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        extensions.iter().any(|other| other.eq_ignore_ascii_case(extension))
    })
}
