//! `nudge flash`: converts the saved games and logs of a flash image to text files and back.
//!
//! Every verb reports damaged parts of an image on standard error, and then ends with an exit code
//! other than 0. The intact parts are listed, written and stored nevertheless.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use boards::flash_file::FlashFileError;
use firmware_board::flash_files::{
    ContentError, FileContent, FileNameError, FlashDamage, FlashFiles, NameError, PutError,
    StoredFile, TextError, file_name, kind_name, name, name_of,
};
use firmware_board::game_text::FILE_BYTES_MAX;
use firmware_core::name::Name;
use firmware_core::storage::StorageError;
use firmware_core::storage::files::FileKind;
use host::{
    Exit,
    output_files::{FileLock, LockError, Output, OutputError},
};
use trace::did_you_mean;

use crate::cli::{
    FlashDeleteArgs, FlashExportArgs, FlashImage, FlashImportArgs, FlashKind, FlashVerb,
};
use crate::roles::{self, NamedFile, SameFile};

/// The next step for an image that another process has locked.
const LOCKED_ADVICE: &str = "; close the window of `nudge run` that has it";

/// Errors of `nudge flash`; the verb may have succeeded in part.
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
    #[error("{lock}{}", if matches!(lock, LockError::Held { .. }) { LOCKED_ADVICE } else { "" })]
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
    #[error("{}: damaged: {damage}", image.display())]
    DamagedImage { image: PathBuf, damage: FlashDamage },
    #[error("{}: a game and a log are called {name}; `--kind` says which", image.display())]
    TwoKinds { image: PathBuf, name: Name },
    #[error("{}: no {} is called {name}{suggestion}", image.display(), kind_name(*kind))]
    NotOfKind { image: PathBuf, kind: FileKind, name: Name, suggestion: String },
    #[error("--name names one file; import several one by one")]
    NameOfSeveral,
    #[error("{}: another of these files is the {} {name} as well", file.display(), kind_name(*kind))]
    Twice { file: PathBuf, kind: FileKind, name: Name },
    #[error(
        "{}: there is a {} {name} already; replace it by --force", image.display(), kind_name(*kind)
    )]
    Taken { image: PathBuf, kind: FileKind, name: Name },
}

/// Executes a verb of `nudge flash`.
pub fn flash(verb: FlashVerb, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let done = match verb {
        FlashVerb::Ls(args) => ls(&args),
        FlashVerb::Export(args) => export(&args),
        FlashVerb::Import(args) => import(&args),
        FlashVerb::Delete(args) => delete(&args),
    };
    let errors = match done {
        Ok(VerbOutcome { said, damage }) => {
            out.write_all(said.as_bytes())?;
            damage
        }
        Err(error) => vec![error],
    };
    for error in &errors {
        writeln!(err, "nudge: {error}")?;
    }
    Ok(if errors.is_empty() { Exit::Passed } else { Exit::Usage })
}

/// The output of a verb, and the damage that it found.
struct VerbOutcome {
    said: String,
    damage: Vec<FlashVerbError>,
}

impl VerbOutcome {
    fn new(said: String, image: &Path, damage: Option<FlashDamage>) -> Self {
        let image = image.to_owned();
        let damage = damage.map(|damage| FlashVerbError::DamagedImage { image, damage });
        Self { said, damage: Vec::from_iter(damage) }
    }
}

/// Lists the files in the image.
fn ls(FlashImage { image }: &FlashImage) -> Result<VerbOutcome, FlashVerbError> {
    let listing = open(image)?.listing()?;
    Ok(VerbOutcome::new(listing.lines().join("\n") + "\n", image, listing.damage()))
}

/// Writes saved games and logs as text files; returns the list of the files.
///
/// Damaged records and files without a name are reported unless `--name` selects one file.
fn export(args: &FlashExportArgs) -> Result<VerbOutcome, FlashVerbError> {
    let listing = open(&args.image)?.listing()?;
    let mut damage = listing.damage().filter(|_| args.name.is_none());
    let mut found = listing.files;
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
        return match damage {
            Some(damage) => Ok(VerbOutcome::new(String::new(), &args.image, Some(damage))),
            None => Err(FlashVerbError::Nothing(args.image.clone())),
        };
    }
    // Checks every file before the first is written.
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
    let damaged = found.into_iter().filter_map(|StoredFile { name, kind, content, .. }| {
        let image = args.image.clone();
        let source = content.err()?;
        Some(FlashVerbError::Damaged { image, kind, name, source, others })
    });
    let damaged: Vec<FlashVerbError> = damaged.collect();
    // Each damaged file has its own message, with the reason.
    if let Some(damage) = &mut damage {
        damage.files.clear();
    }
    let mut done = VerbOutcome::new(said, &args.image, damage.filter(FlashDamage::is_any));
    done.damage.splice(0..0, damaged);
    Ok(done)
}

/// Writes text files into the image; returns the list of the files.
fn import(args: &FlashImportArgs) -> Result<VerbOutcome, FlashVerbError> {
    if args.name.is_some() && args.files.len() > 1 {
        return Err(FlashVerbError::NameOfSeveral);
    }
    // Locked to the end: a session in the window would overwrite the imported files.
    let _lock = FileLock::acquire(&args.image)?;
    let mut image = FlashFiles::open(&args.image)?.unwrap_or_else(FlashFiles::factory_new);
    // Checked before the import, which may replace damaged files.
    let damage = image.listing()?.damage();
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
    Ok(VerbOutcome::new(said, &args.image, damage))
}

/// Deletes saved games and logs from the image. If one of the names is wrong, none is deleted.
fn delete(args: &FlashDeleteArgs) -> Result<VerbOutcome, FlashVerbError> {
    // Locked to the end: a session in the window would restore the deleted files.
    let _lock = FileLock::acquire(&args.image)?;
    let mut image = open(&args.image)?;
    let files = image.listing()?.files;
    let mut wanted: Vec<(FileKind, Name)> = Vec::new();
    for given in &args.names {
        let file = to_delete(args, &files, name(given)?)?;
        if !wanted.contains(&file) {
            wanted.push(file);
        }
    }
    let mut said = String::new();
    for (kind, name) in wanted {
        image.delete(kind, name)?;
        said.push_str(&format!("deleted the {} {name}\n", kind_name(kind)));
    }
    image.save(&args.image)?;
    // Checked after the deletion, which may remove damaged files.
    let damage = image.listing()?.damage();
    Ok(VerbOutcome::new(said, &args.image, damage))
}

/// Returns the only file with the name `wanted`.
fn to_delete(
    args: &FlashDeleteArgs,
    files: &[StoredFile],
    wanted: Name,
) -> Result<(FileKind, Name), FlashVerbError> {
    let kind = args.kind.map(|kind| match kind {
        FlashKind::Game => FileKind::Game,
        FlashKind::Log => FileKind::Log,
    });
    let fitting = files.iter().filter(|file| kind.is_none_or(|kind| kind == file.kind));
    let found: Vec<FileKind> =
        fitting.clone().filter(|file| file.name == wanted).map(|file| file.kind).collect();
    let image = || args.image.clone();
    match (found.as_slice(), kind) {
        ([kind], _) => Ok((*kind, wanted)),
        ([], kind) => {
            let names: Vec<&str> = fitting.map(|file| file.name.as_str()).collect();
            let suggestion = did_you_mean(wanted.as_str(), &names);
            Err(match kind {
                Some(kind) => {
                    FlashVerbError::NotOfKind { image: image(), kind, name: wanted, suggestion }
                }
                None => FlashVerbError::NotFound { image: image(), name: wanted, suggestion },
            })
        }
        _ => Err(FlashVerbError::TwoKinds { image: image(), name: wanted }),
    }
}

/// Parses the saved game or log in the text file at `path`.
fn content(path: &Path) -> Result<FileContent, FlashVerbError> {
    let mut text = String::new();
    host::input_files::open(path)
        // With one byte above the limit the parser reports that the text is too large.
        .and_then(|file| file.take(FILE_BYTES_MAX as u64 + 1).read_to_string(&mut text))
        .map_err(|source| FlashVerbError::Unreadable { path: path.to_owned(), source })?;
    Ok(FileContent::from_text(&path.display().to_string(), &text)?)
}

/// Opens an image that exists.
fn open(path: &Path) -> Result<FlashFiles, FlashVerbError> {
    FlashFiles::open(path)?.ok_or_else(|| FlashVerbError::NoImage(path.to_owned()))
}
