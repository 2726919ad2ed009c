//! `nudge flash`: the saved games and logs in a flash image, as text files and back.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use boards::flash_file::FlashFileError;
use boards::flash_files::{
    ContentError, FileContent, FileNameError, FlashFiles, NameError, PutError, StoredFile,
    TextError, file_name, kind_name, name, name_of,
};
use boards::game_text::FILE_BYTES_MAX;
use firmware_core::name::Name;
use firmware_core::storage::StorageError;
use firmware_core::storage::files::FileKind;
use hal_mock::trace::did_you_mean;
use output_files::{FileLock, LockError, Output, OutputError};
use runner::Exit;

use crate::cli::{FlashExportArgs, FlashImage, FlashImportArgs, FlashVerb};
use crate::roles::{self, NamedFile, SameFile};

/// The next step for an image that is locked.
const HELD: &str = "; close the window of `nudge run` that has it";

/// Why a verb of `nudge flash` failed, wholly or in part.
#[derive(Debug, thiserror::Error)]
enum FlashVerbError {
    #[error(transparent)]
    Image(#[from] FlashFileError),
    #[error("{}: no such file", .0.display())]
    NoImage(PathBuf),
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    FileName(#[from] FileNameError),
    #[error(transparent)]
    Text(#[from] TextError),
    #[error(transparent)]
    Put(#[from] PutError),
    #[error(transparent)]
    SameFile(#[from] SameFile),
    #[error(transparent)]
    Write(#[from] OutputError),
    #[error("{lock}{}", if matches!(lock, LockError::Held { .. }) { HELD } else { "" })]
    Lock {
        #[from]
        #[source]
        lock: LockError,
    },
    #[error("{}: no saved game or log is called {name}{suggestion}", image.display())]
    NotFound { image: PathBuf, name: Name, suggestion: String },
    #[error("{}: there is no saved game and no log in it", .0.display())]
    Nothing(PathBuf),
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(
        "{}: the {} {name} cannot be read: {source}{}",
        image.display(),
        kind_name(*kind),
        if *others { "; the others were written" } else { "" }
    )]
    Damaged { image: PathBuf, kind: FileKind, name: Name, source: ContentError, others: bool },
    #[error("--name names one file; import several one by one")]
    NameOfSeveral,
    #[error("{}: another of these files is the {} {name} as well", file.display(), kind_name(*kind))]
    Twice { file: PathBuf, kind: FileKind, name: Name },
    #[error(
        "{}: there is a {} {name} already; replace it by --force", image.display(), kind_name(*kind)
    )]
    Taken { image: PathBuf, kind: FileKind, name: Name },
}

/// Carries out a verb of `nudge flash`.
pub fn flash(verb: FlashVerb, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let done = match verb {
        FlashVerb::Ls(args) => ls(&args),
        FlashVerb::Export(args) => export(&args),
        FlashVerb::Import(args) => import(&args),
    };
    match done {
        Ok(said) => {
            out.write_all(said.as_bytes())?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// The table of the files in the image.
fn ls(FlashImage { image }: &FlashImage) -> Result<String, FlashVerbError> {
    Ok(open(image)?.listing()?.lines().join("\n") + "\n")
}

/// Writes saved games and logs as text files; returns the list of the files.
fn export(args: &FlashExportArgs) -> Result<String, FlashVerbError> {
    let mut found = open(&args.image)?.listing()?.files;
    if let Some(wanted) = &args.name {
        let wanted = name(wanted)?;
        let names: Vec<String> = found.iter().map(|found| found.name.to_string()).collect();
        found.retain(|found| found.name == wanted);
        if found.is_empty() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let near = did_you_mean(wanted.as_str(), &names);
            let image = args.image.clone();
            return Err(FlashVerbError::NotFound { image, name: wanted, suggestion: near });
        }
    }
    if found.is_empty() {
        return Err(FlashVerbError::Nothing(args.image.clone()));
    }
    // Every file is checked before the first is written.
    let outputs = found.iter().map(|file| args.out.join(file_name(file.kind, file.name)));
    let outputs = outputs.map(|path| NamedFile::written("--out", &path));
    let files: Vec<NamedFile> = outputs.chain([NamedFile::read("IMAGE", &args.image)]).collect();
    roles::distinct(&files)?;
    let mut texts = Vec::new();
    for StoredFile { name, kind, content, .. } in &found {
        if let Ok(content) = content {
            let path = args.out.join(file_name(*kind, *name));
            texts.push((Output::new(path).replace(args.force).create()?, content.to_text()));
        }
    }
    let (mut said, others) = (String::new(), !texts.is_empty());
    for (mut file, text) in texts {
        file.fill(text.as_bytes())?;
        said.push_str(&format!("wrote {}\n", file.path().display()));
        file.commit()?;
    }
    let damaged = found.into_iter().find_map(|StoredFile { name, kind, content, .. }| {
        let image = args.image.clone();
        let source = content.err()?;
        Some(FlashVerbError::Damaged { image, kind, name, source, others })
    });
    damaged.map_or(Ok(said), Err)
}

/// Writes text files into the image; returns the list of what was written.
fn import(args: &FlashImportArgs) -> Result<String, FlashVerbError> {
    if args.name.is_some() && args.files.len() > 1 {
        return Err(FlashVerbError::NameOfSeveral);
    }
    // Until the end: a session in the window would overwrite what is imported meanwhile.
    let _lock = FileLock::acquire(&args.image)?;
    let mut image = FlashFiles::open(&args.image)?.unwrap_or_else(FlashFiles::factory_new);
    let mut put: BTreeSet<String> = BTreeSet::new();
    let mut said = String::new();
    for path in &args.files {
        let content = content(path)?;
        let name = match &args.name {
            Some(given) => name(given)?,
            None => name_of(path)?,
        };
        let kind = content.kind();
        if !put.insert(file_name(kind, name)) {
            return Err(FlashVerbError::Twice { file: path.clone(), kind, name });
        }
        if !args.force && image.has(kind, name)? {
            return Err(FlashVerbError::Taken { image: args.image.clone(), kind, name });
        }
        image.put(name, &content)?;
        said.push_str(&format!("{}: is the {} {name}\n", path.display(), kind_name(kind)));
    }
    image.save(&args.image)?;
    Ok(said)
}

/// The saved game or log in the text file at `path`.
fn content(path: &Path) -> Result<FileContent, FlashVerbError> {
    let mut text = String::new();
    input_files::open(path)
        // One byte above the limit tells the parser that the text is too large.
        .and_then(|file| file.take(FILE_BYTES_MAX as u64 + 1).read_to_string(&mut text))
        .map_err(|source| FlashVerbError::Unreadable { path: path.to_owned(), source })?;
    Ok(FileContent::from_text(&path.display().to_string(), &text)?)
}

/// The image in a file that exists.
fn open(path: &Path) -> Result<FlashFiles, FlashVerbError> {
    FlashFiles::open(path)?.ok_or_else(|| FlashVerbError::NoImage(path.to_owned()))
}
