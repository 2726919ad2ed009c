//! No text makes the parser or an importer panic, and every accepted file has a face.

use board_file::{import, layout, parse, parse_bytes, table};
use proptest::prelude::*;

const BOARD: &str = board_file::LCD_BOARD;
const DIAGRAM: &str = include_str!("imports/handheld.json");
const OVERLAY: &str = include_str!("imports/handheld.overlay");

/// Replaces, removes and repeats pieces of a text.
fn mutated(original: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let edit = (0..original.len(), 0..40_usize, 0..5_u8, any::<u8>(), 0..original.len());
    proptest::collection::vec(edit, 1..6).prop_map(move |edits| {
        let mut bytes = original.as_bytes().to_vec();
        for (at, length, kind, byte, from) in edits {
            let at = at.min(bytes.len());
            let end = (at + length).min(bytes.len());
            let piece = original.as_bytes()[from..(from + length).min(original.len())].to_vec();
            match kind {
                0 => drop(bytes.drain(at..end)),
                1 => bytes[at..end].fill(byte),
                2 => drop(bytes.splice(at..at, piece)),
                3 => drop(bytes.splice(at..end, piece)),
                _ => bytes.insert(at, byte),
            }
        }
        bytes
    })
}

fn check(bytes: &[u8]) {
    match parse_bytes("x.board.toml", bytes) {
        Ok(board) => {
            let face = layout(&board);
            for (at, item) in face.items.iter().enumerate() {
                for other in &face.items[..at] {
                    assert!(!item.place.overlaps(&other.place), "{} {}", item.name, other.name);
                }
            }
            let _ = (table(&board), board_file::json(&board), board_file::face_text(&board));
        }
        Err(errors) => {
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            assert!((1..=20).contains(&errors.list().len()));
            for error in errors.list() {
                assert!((1..=lines).contains(&error.line), "{error}");
                assert!(!error.to_string().chars().any(char::is_control), "{error:?}");
            }
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
        let _ = import::import("x.json", &bytes);
        let _ = import::import("x.overlay", &bytes);
    }

    #[test]
    fn random_toml_is_read_or_refused(text in "(\\[{0,2}(button|display|led|matrix|x)\\]{0,2}\n|[a-z_]{1,8} = (\"[A-Za-z0-9 ]{0,6}\"|-?[0-9]{1,20}|[0-9]\\.[0-9]|\\[[0-9, ]{0,6}\\]|true)\n){0,30}") {
        check(text.as_bytes());
    }

    #[test]
    fn a_mutated_board_is_read_or_refused(bytes in mutated(BOARD)) {
        check(&bytes);
    }

    #[test]
    fn a_mutated_import_is_read_or_refused_and_its_board_has_no_broken_toml(
        diagram in mutated(DIAGRAM), overlay in mutated(OVERLAY)
    ) {
        for (name, bytes) in [("x.json", diagram), ("x.overlay", overlay)] {
            let Ok(imported) = import::import(name, &bytes) else { continue };
            if let Err(errors) = parse("x.board.toml", &imported.text) {
                for error in errors.list() {
                    prop_assert!(!error.kind.is_syntax(), "{error}\n{}", imported.text);
                }
            }
        }
    }
}
