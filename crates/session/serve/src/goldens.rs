//! Golden frames of a session: pictures in a folder of the session folder.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use hal_mock::replay::Goldens;
use host::output_files::Output;
use ili9341_model::Frame;
use reading::golden::{GoldenError, compare_part, decode_png, encode_png, relation};
use trace::FrameCheck;

use crate::fault::Fault;
use crate::session_folder;

/// Pictures in a folder, which need not exist yet.
#[derive(Clone, Debug)]
pub(crate) struct FolderGoldens {
    folder: PathBuf,
    /// Whether the next comparison writes its picture if it fails.
    pub(crate) blesses: bool,
    /// Whether the last comparison wrote its picture.
    pub(crate) blessed: bool,
    /// Names of the goldens in the session's lines.
    names: BTreeSet<String>,
}

impl FolderGoldens {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, blesses: false, blessed: false, names: BTreeSet::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.png"))
    }

    /// Copies the existing goldens of the session's lines into `folder`, where a replay reads
    /// them.
    pub(crate) fn copy_to(&self, folder: &Path) -> Result<(), Fault> {
        for name in self.names.iter().filter(|_| folder != self.folder) {
            if let Some(picture) = session_folder::read(&self.path(name))? {
                let target = folder.join(format!("{name}.png"));
                session_folder::write(&Output::golden(target).replace(true), &picture)?;
            }
        }
        Ok(())
    }

    fn compare(&self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        let path = self.path(&expected.name);
        let bytes = session_folder::read(&path).map_err(GoldenError::reported)?;
        let Some(bytes) = bytes else {
            let path = path.display();
            return Err(format!("there is no golden {path}; look at the LCD, and bless it").into());
        };
        let golden = decode_png(Cursor::new(bytes))
            .map_err(|fault| format!("{}: {fault}", path.display()))?;
        let (region, rules) = (expected.shown(actual), &expected.rules);
        compare_part(actual, &golden, region, rules).map_err(|mismatch| {
            match relation(actual, &golden, region, rules) {
                Some(relation) => GoldenError::Related { mismatch, relation },
                None => mismatch.into(),
            }
        })
    }
}

impl Goldens for FolderGoldens {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        self.names.insert(expected.name.clone());
        self.blessed = false;
        match self.compare(expected, actual) {
            Err(_) if self.blesses => {
                let picture = encode_png(&actual.part(expected.shown(actual)));
                let output = Output::golden(self.path(&expected.name)).replace(true);
                output.write(&picture).map_err(GoldenError::reported)?;
                self.blessed = true;
                Ok(())
            }
            compared => compared,
        }
    }

    fn screenshot(&mut self, _: &str, _: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }
}
