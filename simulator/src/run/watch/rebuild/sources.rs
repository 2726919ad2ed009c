//! Which files of a folder are sources, and that one was saved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use thiserror::Error;

/// Folders that are watched at most.
pub const FOLDERS_MAX: usize = 8_192;
/// What a file of sources ends with: Rust, cargo, linkers, assemblers, C.
const EXTENSIONS: [&str; 10] = ["rs", "toml", "x", "ld", "s", "S", "c", "h", "cpp", "hpp"];
/// What marks a folder of what was built: <https://bford.info/cachedir/>. Cargo writes it.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// Why nothing is watched.
#[derive(Debug, Error)]
pub enum WatchError {
    /// The operating system does not tell of changes.
    #[error("{}: its files cannot be watched: {source}", folder.display())]
    Notify {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        source: notify::Error,
    },
    /// A folder cannot be read.
    #[error("{}: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// There are too many.
    #[error(
        "{}: there are more than {FOLDERS_MAX} folders below it; start `nudge run --watch` in the folder of \
         the sources", .0.display()
    )]
    TooMany(PathBuf),
    /// The operating system gives no thread.
    #[error("the build gets no thread: {0}")]
    Thread(#[source] io::Error),
}

/// Folders that are watched, until it is dropped.
#[derive(Debug)]
pub struct Sources {
    saved: Receiver<()>,
    found: Sender<Found>,
}

/// What the thread that has the watcher is told.
enum Found {
    Folder(PathBuf),
    End,
}

impl Sources {
    /// Watches `folder` and what is below it: no hidden folders, none of what was built, and nothing in `left_out`.
    ///
    /// # Errors
    /// If it cannot be watched.
    pub fn watch(folder: &Path, left_out: Option<PathBuf>) -> Result<Self, WatchError> {
        let (sender, saved) = bounded(1);
        let (found, next) = unbounded();
        let handler = {
            let (sender, found) = (sender.clone(), found.clone());
            let left_out = left_out.clone();
            move |event: notify::Result<Event>| {
                // What cannot be said precisely may be a save.
                let Ok(event) = event else { return tell(&sender) };
                if is_save(&event, left_out.as_deref()) {
                    tell(&sender);
                }
                if matches!(
                    event.kind,
                    EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_))
                ) {
                    for path in event.paths {
                        // The other end may be gone.
                        let _ = found.send(Found::Folder(path));
                    }
                }
            }
        };
        let failed = |source| WatchError::Notify { folder: folder.to_owned(), source };
        let mut watcher = notify::recommended_watcher(handler).map_err(failed)?;
        for path in folders(folder, left_out.as_deref())? {
            watcher.watch(&path, RecursiveMode::NonRecursive).map_err(failed)?;
        }
        // A thread of its own: a handler that watches would wait for itself.
        thread::Builder::new()
            .name("folders".into())
            .spawn(move || watch_new(watcher, &next, &sender, left_out.as_deref()))
            .map_err(WatchError::Thread)?;
        Ok(Self { saved, found })
    }

    /// Something is in it once a source was saved, created, renamed or removed.
    pub fn saved(&self) -> &Receiver<()> {
        &self.saved
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        // If nobody takes it, the thread has ended.
        let _ = self.found.send(Found::End);
    }
}

/// Watches folders that are new.
fn watch_new(
    mut watcher: RecommendedWatcher,
    next: &Receiver<Found>,
    saved: &Sender<()>,
    left_out: Option<&Path>,
) {
    while let Ok(Found::Folder(path)) = next.recv() {
        if !is_watched(&path, left_out) {
            continue;
        }
        for folder in folders(&path, left_out).unwrap_or_default() {
            // One that is gone again is not watched.
            if watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok() && has_sources(&folder) {
                // They may have been there before it was watched.
                tell(saved);
            }
        }
    }
}

fn tell(sender: &Sender<()>) {
    // If it is full, it is told already.
    let _ = sender.try_send(());
}

fn is_save(event: &Event, left_out: Option<&Path>) -> bool {
    let changes = match event.kind {
        EventKind::Create(_) | EventKind::Remove(_) => true,
        EventKind::Modify(kind) => !matches!(kind, ModifyKind::Metadata(_)),
        _ => false,
    };
    changes && event.paths.iter().any(|path| !is_in(path, left_out) && is_source(path))
}

/// Whether a file of that name is a source.
fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    is_wanted(path) && extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

fn has_sources(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| is_source(&entry.path()))
}

/// Whether a name is not hidden.
fn is_wanted(path: &Path) -> bool {
    path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'))
}

/// Whether a path is a folder of sources.
fn is_watched(path: &Path, left_out: Option<&Path>) -> bool {
    // A link would lead out of the folder, or round in it.
    is_wanted(path) && !is_in(path, left_out) && is_folder(path) && !path.join(CACHE_TAG).exists()
}

fn is_in(path: &Path, left_out: Option<&Path>) -> bool {
    left_out.is_some_and(|folder| path.starts_with(folder))
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// `folder` and what is below it.
fn folders(folder: &Path, left_out: Option<&Path>) -> Result<Vec<PathBuf>, WatchError> {
    let mut found = vec![folder.to_owned()];
    let mut next = 0;
    while let Some(here) = found.get(next).cloned() {
        next += 1;
        let entries = match fs::read_dir(&here) {
            Ok(entries) => entries,
            Err(source) if next == 1 => return Err(WatchError::Folder { folder: here, source }),
            // One that is closed to the user, or gone meanwhile.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if is_watched(&path, left_out) {
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
        let sources = Sources::watch(folder.path(), Some(at("built"))).unwrap();
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
        // A file that is only read.
        fs::read(at("src/deep/a.rs")).unwrap();
        assert!(sources.saved().recv_timeout(NEVER).is_err());
        fs::write(at("src/deep/a.rs"), "x").unwrap();
        sources.saved().recv_timeout(SOON).unwrap();
        while sources.saved().recv_timeout(NEVER).is_ok() {}
        // As editors save: a new file takes the place of the old one.
        fs::write(at("src/deep/a.tmp"), "y").unwrap();
        fs::rename(at("src/deep/a.tmp"), at("src/deep/a.rs")).unwrap();
        sources.saved().recv_timeout(SOON).unwrap();
        while sources.saved().recv_timeout(NEVER).is_ok() {}
        // A folder that is new is watched as well.
        fs::create_dir(at("src/new")).unwrap();
        assert!(sources.saved().recv_timeout(NEVER).is_err(), "it is empty");
        fs::write(at("src/new/b.rs"), "x").unwrap();
        sources.saved().recv_timeout(SOON).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = Sources::watch(Path::new("/no/such/folder"), None).unwrap_err();
        assert!(error.to_string().starts_with("/no/such/folder: "), "{error}");
    }
}
