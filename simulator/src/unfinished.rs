//! Files that take their place only when they are whole, and why one could not be written.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use runner::Exit;

/// Why nothing was written.
pub type Refusal = (Exit, Vec<String>);

/// A file that takes its place when it is whole, and leaves nothing behind if it never is.
pub struct Unfinished {
    place: PathBuf,
    beside: PathBuf,
    file: Option<File>,
}

impl Unfinished {
    pub fn create(place: &Path) -> Result<Self, Refusal> {
        let mut beside = OsString::from(place);
        beside.push(".new");
        let beside = PathBuf::from(beside);
        // It may be somebody's, too.
        let file = File::create_new(&beside).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => usage(format!(
                "{} is there, perhaps of a conversion that was killed; delete it",
                beside.display()
            )),
            _ => usage(format!("{}: cannot be written: {error}", place.display())),
        })?;
        Ok(Self { place: place.to_owned(), beside, file: Some(file) })
    }

    /// A writer into it.
    pub fn out(&self) -> Result<BufWriter<File>, Refusal> {
        let file = self.file.as_ref().ok_or_else(|| usage("the file is closed"))?;
        file.try_clone()
            .map(BufWriter::new)
            .map_err(|error| usage(format!("{}: {error}", self.place.display())))
    }

    /// Writes the rest and puts it in its place.
    pub fn done(&mut self, rest: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), Refusal> {
        let written = match self.file.take() {
            Some(mut file) => rest(&mut file).and_then(|()| fs::rename(&self.beside, &self.place)),
            None => Ok(()),
        };
        written.map_err(|error| {
            let _ = fs::remove_file(&self.beside);
            usage(format!("{}: {error}", self.place.display()))
        })
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.file.is_some() {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

pub fn interrupted() -> Refusal {
    (Exit::Interrupted, vec!["interrupted; nothing is written".into()])
}

pub fn usage(message: impl ToString) -> Refusal {
    (Exit::Usage, vec![message.to_string()])
}
