//! Recent sessions: the traces and programs that were opened, and the recordings, newest first. The
//! list is a file in the data folder.
//!
//! A line has the board and the path, separated by a tab. Two sessions that end at the same time
//! may lose one line.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use host::output_files::Output;
use live::RecentSession;

use crate::data_folder;

/// Maximum number of sessions in the list.
const RECENT_MAX: usize = 12;
/// Maximum number of bytes of the file that are read.
const FILE_MAX: u64 = 64 << 10;

/// The list of recent sessions; without a data folder it remains empty.
#[derive(Clone, Debug)]
pub struct RecentSessions {
    file: Option<PathBuf>,
}

impl RecentSessions {
    /// Returns the list of this user.
    pub fn of_user() -> Self {
        Self { file: data_folder::recent_file() }
    }

    /// Returns the sessions, the newest first. A list that cannot be read is empty.
    pub fn all(&self) -> Vec<RecentSession> {
        let text = self.file.as_deref().and_then(|file| read(file).ok()).unwrap_or_default();
        let session = |line: &str| {
            let (board, path) = line.split_once('\t')?;
            let path = PathBuf::from(path);
            let is_there = path.is_file();
            Some(RecentSession { path, board: board.to_owned(), is_there })
        };
        text.lines().filter_map(session).take(RECENT_MAX).collect()
    }

    /// Returns the newest session whose file still exists.
    pub fn last(&self) -> Option<RecentSession> {
        self.all().into_iter().find(|session| session.is_there)
    }

    /// Puts the file at `path`, which `board` runs, at the head of the list. Without a data folder,
    /// or with a path that no line can hold, nothing changes.
    pub fn add(&self, board: &str, path: &Path) {
        let Some(file) = &self.file else { return };
        let Ok(path) = std::path::absolute(path) else { return };
        let Some(name) = path.to_str().filter(|name| !name.contains(['\n', '\r'])) else { return };
        let others = self.all();
        let others = others.iter().filter(|other| other.path != path);
        let others = others.take(RECENT_MAX - 1);
        let mut text = format!("{board}\t{name}\n");
        for RecentSession { path, board, .. } in others {
            text += &format!("{board}\t{}\n", path.display());
        }
        // The session does not depend on the list.
        let _ = Output::new(file).replace(true).write(text.as_bytes());
    }
}

fn read(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    host::input_files::open(file)?.take(FILE_MAX).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_each_file_once_and_the_newest_first() {
        let folder = tempfile::tempdir().unwrap();
        let recent = RecentSessions { file: Some(folder.path().join("nudge/recent.txt")) };
        assert_eq!((recent.all(), recent.last()), (Vec::new(), None));
        let path = |nth: usize| folder.path().join(format!("{nth}.trace"));
        for nth in 0..20 {
            std::fs::write(path(nth), "").unwrap();
            recent.add("native", &path(nth));
        }
        recent.add("pico=my board.elf", &path(15));
        let all = recent.all();
        assert_eq!(all.len(), RECENT_MAX);
        let newest: Vec<_> = all.iter().take(3).map(|session| session.path.clone()).collect();
        assert_eq!(newest, [path(15), path(19), path(18)]);
        assert_eq!(all[0].board, "pico=my board.elf");
        std::fs::remove_file(path(15)).unwrap();
        let gone: Vec<bool> = recent.all().iter().map(|session| !session.is_there).collect();
        assert_eq!(gone.iter().filter(|gone| **gone).count(), 1);
        assert!(gone[0]);
        assert_eq!(recent.last().map(|session| session.path), Some(path(19)));
    }

    #[test]
    fn a_damaged_list_is_read_as_far_as_it_goes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("recent.txt");
        std::fs::write(&file, "no tab\n\nnative\t/tmp/w.trace\n\0\n").unwrap();
        let recent = RecentSessions { file: Some(file.clone()) };
        assert_eq!(recent.all().len(), 1);
        std::fs::write(&file, [0xFF, 0xFE]).unwrap();
        assert_eq!(recent.all(), []);
        recent.add("native", &folder.path().join("a\nb.trace"));
        assert_eq!(recent.all(), []);
        assert_eq!(RecentSessions { file: None }.all(), []);
    }
}
