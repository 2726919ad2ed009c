//! The fonts of a described board.

use std::path::Path;
use std::sync::Arc;

use board_file::BoardFile;
use hal_mock::board::TextReader;
use reading::fonts::{self, FILE_MAX, Sheet};
use reading::text::Reader;

use super::BoardFiles;
use super::error::DescribedError;

/// Returns the reader of the board's fonts; `None` if the file names none. Font files are in
/// `folder`, and `hash` gets their content.
pub(super) fn reader(
    file: &BoardFile,
    folder: &Path,
    files: &mut dyn BoardFiles,
    hash: &mut impl FnMut(&[u8]),
) -> Result<Option<TextReader>, DescribedError> {
    let mut all = Vec::new();
    for font in &file.font {
        let glyphs = match (&font.file, font.built_in) {
            (Some(path), _) => {
                let path = folder.join(&path.0);
                let bytes = files.data(&path, FILE_MAX + 1).map_err(|source| {
                    DescribedError::FontUnreadable { path: path.clone(), source }
                })?;
                hash(&bytes);
                let sheet = font.size.map(|size| Sheet {
                    columns: size.width,
                    rows: size.height,
                    first: font.first.value,
                });
                fonts::load(&path, &bytes, sheet)?
            }
            // A test excludes the error: the words of board files are the names of these fonts.
            (None, built_in) => match built_in.and_then(|font| fonts::built_in(font.word())) {
                Some(glyphs) => glyphs,
                None => continue,
            },
        };
        all.extend(glyphs.fonts());
    }
    Ok((!all.is_empty()).then(|| TextReader(Arc::new(Reader::new(all)))))
}

#[cfg(test)]
mod tests {
    use board_file::parts::BuiltInFont;

    use super::super::DiskFiles;
    use super::*;

    fn read(keys: &str) -> Result<Option<TextReader>, DescribedError> {
        let text = format!(
            "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"st7735\"\nbus = \"spi4\"\n\
             sck = \"GP18\"\nmosi = \"GP19\"\ndc = \"GP20\"\n{keys}\n"
        );
        reader(
            &board_file::parse("x", &text).unwrap(),
            Path::new("none"),
            &mut DiskFiles,
            &mut |_| {},
        )
    }

    #[test]
    fn every_built_in_font_of_board_files_is_known() {
        assert!(BuiltInFont::words().eq(fonts::names()));
        for name in fonts::names() {
            let reader = read(&format!("[[font]]\nbuilt_in = \"{name}\"")).unwrap().unwrap();
            assert_eq!(reader.0.fonts()[0].name(), name);
        }
        assert!(read("").unwrap().is_none());
    }

    #[test]
    fn a_file_that_is_missing_is_named() {
        let error = read("[[font]]\nfile = \"own.bdf\"").unwrap_err().to_string();
        assert!(error.contains("none/own.bdf"), "{error}");
    }
}
