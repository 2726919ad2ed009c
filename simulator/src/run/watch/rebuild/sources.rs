//! Watches the source files of a folder and reports when one was saved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use thiserror::Error;

/// Maximum number of watched folders.
pub const FOLDERS_MAX: usize = 8_192;
/// Extensions of source files: Rust, cargo, linkers, assemblers, C.
const EXTENSIONS: [&str; 10] = ["rs", "toml", "x", "ld", "s", "S", "c", "h", "cpp", "hpp"];
/// Name of the file that marks a folder of build output, <https://bford.info/cachedir/>. Cargo
/// writes it.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// The reason why a folder cannot be watched.
#[derive(Debug, Error)]
pub enum WatchError {
    /// The operating system reports no changes.
    #[error("{}: its files cannot be watched: {source}", folder.display())]
    Notify {
        folder: PathBuf,
        #[source]
        source: notify::Error,
    },
    /// The folder cannot be read.
    #[error("{}: {source}", folder.display())]
    Folder {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    /// There are more than [`FOLDERS_MAX`] folders.
    #[error(
        "{}: there are more than {FOLDERS_MAX} folders below it; start `{program} run --watch` in the folder of \
         the sources", .0.display(), program = live::command_name()
    )]
    TooMany(PathBuf),
    /// The operating system could not create a thread.
    #[error("the build gets no thread: {0}")]
    Thread(#[source] io::Error),
}

/// Watched folders. Dropping it ends the watching.
#[derive(Debug)]
pub struct SourceWatcher {
    saved: Receiver<()>,
    found: Sender<WatcherMessage>,
}

/// A message to the thread that owns the watcher.
enum WatcherMessage {
    Folder(PathBuf),
    End,
}

impl SourceWatcher {
    /// Watches the sources in `folder` and the folders below it, except hidden folders, build
    /// output, and `excluded`; and `files`, wherever they are.
    ///
    /// # Errors
    /// If a folder cannot be watched.
    pub fn watch(
        folder: Option<&Path>,
        files: &[PathBuf],
        excluded: Option<PathBuf>,
    ) -> Result<Self, WatchError> {
        let files: Vec<PathBuf> = files.iter().filter_map(|file| real_path(file)).collect();
        let has_sources = folder.is_some();
        let (sender, saved) = bounded(1);
        let (found, next) = unbounded();
        let handler = {
            let (sender, found) = (sender.clone(), found.clone());
            let left_out = excluded.clone();
            let files = files.clone();
            move |event: notify::Result<Event>| {
                // An error of the watcher may hide a save.
                let Ok(event) = event else { return tell(&sender) };
                let is_file = |path: &PathBuf| {
                    files.contains(path)
                        || real_path(path).is_some_and(|path| files.contains(&path))
                };
                let is_source = |path: &PathBuf| {
                    has_sources && !is_in(path, left_out.as_deref()) && is_source(path)
                };
                let changed = |path: &PathBuf| is_source(path) || is_file(path);
                if is_save(&event) && event.paths.iter().any(changed) {
                    tell(&sender);
                }
                if has_sources
                    && matches!(
                        event.kind,
                        EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_))
                    )
                {
                    for path in event.paths {
                        // Fails if the thread has ended.
                        let _ = found.send(WatcherMessage::Folder(path));
                    }
                }
            }
        };
        let failed = |folder: &Path, source| {
            let folder = folder.to_owned();
            WatchError::Notify { folder, source }
        };
        let here = folder.unwrap_or(Path::new("."));
        let mut watcher =
            notify::recommended_watcher(handler).map_err(|source| failed(here, source))?;
        let mut watched = match folder {
            Some(folder) => folders(folder, excluded.as_deref())?,
            None => Vec::new(),
        };
        // A linker or an editor replaces a file, so its folder is watched.
        for parent in files.iter().filter_map(|file| file.parent()) {
            let is_watched = |folder: &PathBuf| real_path(folder).as_deref() == Some(parent);
            if !watched.iter().any(is_watched) {
                watched.push(parent.to_owned());
            }
        }
        for path in watched {
            let watching = watcher.watch(&path, RecursiveMode::NonRecursive);
            watching.map_err(|source| failed(&path, source))?;
        }
        // On its own thread, because adding a folder within the handler would deadlock.
        thread::Builder::new()
            .name("folders".into())
            .spawn(move || watch_new(watcher, &next, &sender, excluded.as_deref()))
            .map_err(WatchError::Thread)?;
        Ok(Self { saved, found })
    }

    /// Returns the channel that has a message once a source was saved, created, renamed or removed.
    pub fn saved(&self) -> &Receiver<()> {
        &self.saved
    }
}

impl Drop for SourceWatcher {
    fn drop(&mut self) {
        // Fails only if the thread has ended already.
        let _ = self.found.send(WatcherMessage::End);
    }
}

/// Watches new folders.
fn watch_new(
    mut watcher: RecommendedWatcher,
    next: &Receiver<WatcherMessage>,
    saved: &Sender<()>,
    excluded: Option<&Path>,
) {
    while let Ok(WatcherMessage::Folder(path)) = next.recv() {
        if !is_watched(&path, excluded) {
            continue;
        }
        for folder in folders(&path, excluded).unwrap_or_default() {
            // A folder that was removed again is not watched.
            if watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok() && has_sources(&folder) {
                // The sources may have been written before the folder was watched.
                tell(saved);
            }
        }
    }
}

fn tell(sender: &Sender<()>) {
    // If the channel is full, a save is already reported.
    let _ = sender.try_send(());
}

fn is_save(event: &Event) -> bool {
    match event.kind {
        EventKind::Create(_) | EventKind::Remove(_) => true,
        EventKind::Modify(kind) => !matches!(kind, ModifyKind::Metadata(_)),
        _ => false,
    }
}

/// Returns the path with the real path of its folder. The file itself may not exist; a link stays
/// one, because a build may replace it.
fn real_path(path: &Path) -> Option<PathBuf> {
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}

/// Returns whether the file's name is that of a source.
fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    is_visible(path) && extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

fn has_sources(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| is_source(&entry.path()))
}

/// Returns whether the file or folder is not hidden.
fn is_visible(path: &Path) -> bool {
    path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'))
}

/// Returns whether the path is a folder to be watched.
fn is_watched(path: &Path, excluded: Option<&Path>) -> bool {
    // Links are not followed: they could lead out of the folder, or form a cycle.
    is_visible(path) && !is_in(path, excluded) && is_folder(path) && !path.join(CACHE_TAG).exists()
}

fn is_in(path: &Path, excluded: Option<&Path>) -> bool {
    excluded.is_some_and(|folder| path.starts_with(folder))
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Returns `folder` and the watched folders below it.
fn folders(folder: &Path, excluded: Option<&Path>) -> Result<Vec<PathBuf>, WatchError> {
    let mut found = vec![folder.to_owned()];
    let mut next = 0;
    while let Some(here) = found.get(next).cloned() {
        next += 1;
        let entries = match fs::read_dir(&here) {
            Ok(entries) => entries,
            Err(source) if next == 1 => return Err(WatchError::Folder { folder: here, source }),
            // The user may not read this folder, or it was removed meanwhile.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if is_watched(&path, excluded) {
                found.push(path);
            }
        }
        if found.len() > FOLDERS_MAX {
            return Err(WatchError::TooMany(folder.to_owned()));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SOON: Duration = Duration::from_secs(20);
    const NEVER: Duration = Duration::from_millis(300);

    #[test]
    fn only_saved_sources_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["src/deep", "target/debug", ".git"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        fs::write(at("target/CACHEDIR.TAG"), "Signature: 8a477f597d28d172789f06886806bc55")
            .unwrap();
        fs::write(at("src/deep/a.rs"), "").unwrap();
        let sources = SourceWatcher::watch(Some(folder.path()), &[], Some(at("built"))).unwrap();
        fs::create_dir_all(at("built/out")).unwrap();
        for name in [
            "win.trace",
            "src/note.md",
            "target/debug/b.rs",
            ".git/c.rs",
            "src/.a.rs.swp",
            "built/d.rs",
            "built/out/e.rs",
        ] {
            fs::write(at(name), "x").unwrap();
        }
        // Reading a file is no save.
        fs::read(at("src/deep/a.rs")).unwrap();
        assert!(sources.saved().recv_timeout(NEVER).is_err());
        fs::write(at("src/deep/a.rs"), "x").unwrap();
        sources.saved().recv_timeout(SOON).unwrap();
        while sources.saved().recv_timeout(NEVER).is_ok() {}
        // Editors save like this: a new file replaces the old one.
        fs::write(at("src/deep/a.tmp"), "y").unwrap();
        fs::rename(at("src/deep/a.tmp"), at("src/deep/a.rs")).unwrap();
        sources.saved().recv_timeout(SOON).unwrap();
        while sources.saved().recv_timeout(NEVER).is_ok() {}
        // A new folder is watched too.
        fs::create_dir(at("src/new")).unwrap();
        assert!(sources.saved().recv_timeout(NEVER).is_err(), "it is empty");
        fs::write(at("src/new/b.rs"), "x").unwrap();
        sources.saved().recv_timeout(SOON).unwrap();
    }

    #[test]
    fn the_error_names_a_missing_folder() {
        let error =
            SourceWatcher::watch(Some(Path::new("/no/such/folder")), &[], None).unwrap_err();
        assert!(error.to_string().starts_with("/no/such/folder: "), "{error}");
    }
}
