//! Mistakes that a person makes in a board file. Each file in `tests/mistakes` has one; its comments
//! that begin with `#=` are the expected errors, with line and column.

use std::fs;
use std::path::PathBuf;

/// Minimum number of files.
const MISTAKES_MIN: usize = 120;

fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mistakes");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    files
}

#[test]
fn each_mistake_has_its_message_with_line_and_next_step() {
    let (files, mut wrong) = (files(), Vec::new());
    assert!(files.len() >= MISTAKES_MIN, "{} files", files.len());
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let expected: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("#= ")).collect();
        let found = match board_file::parse("", &text) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.list().iter().map(|error| error.to_string()).collect(),
        };
        // The name of the file is empty, so each message begins with a colon.
        let found: Vec<&str> = found.iter().map(|line| line.trim_start_matches(':')).collect();
        if expected.is_empty() || found != expected {
            let found = found.iter().map(|line| format!("#= {line}")).collect::<Vec<_>>();
            wrong.push(format!("{}\n{}", path.display(), found.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn every_file_without_its_mistake_is_right() {
    let text = "board = 1\nname = \"Handheld\"\nchip = \"rp2040\"\n\n[[display]]\npanel = \"ili9341\"\n\
                bus = \"spi4\"\nsck = \"GP18\"\nmosi = \"GP19\"\ndc = \"GP20\"\n";
    board_file::parse("right.board.toml", text).unwrap();
}

#[test]
fn at_most_twenty_errors_are_listed_and_the_others_counted() {
    let head = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n";
    let text = (0..30).fold(head.to_owned(), |text, _| text + "[[button]]\nname = \"A\"\n");
    let errors = board_file::parse("many.board.toml", &text).unwrap_err();
    assert_eq!(errors.list().len(), 20);
    // Each of the 30 buttons has no pin, and the board has no display.
    assert_eq!(errors.more(), 11);
    assert!(errors.to_string().ends_with("and 11 more; these are the first 20"));
}

#[test]
fn a_file_that_is_too_large_or_no_text_is_refused() {
    let large = vec![b'#'; board_file::limits::FILE_BYTES_MAX + 1];
    let errors = board_file::parse_bytes("large", &large).unwrap_err();
    assert!(errors.to_string().starts_with("large:1:1: the file is larger than 256 KiB"));
    let errors = board_file::parse_bytes("bytes", b"board = 1\n\xFF").unwrap_err();
    assert_eq!(errors.to_string(), "bytes:2:1: the file is not UTF-8; save it as UTF-8 text");
}

#[test]
fn a_file_of_another_encoding_is_named() {
    let right = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"ssd1306\"\n\
                 bus = \"i2c\"\nsda = \"GP4\"\nscl = \"GP55\"\n";
    let utf16 =
        |bytes: fn(u16) -> [u8; 2]| right.encode_utf16().flat_map(bytes).collect::<Vec<_>>();
    let check = |bytes: &[u8], expected: &str| {
        let errors = board_file::parse_bytes("x", bytes).unwrap_err();
        assert_eq!(errors.to_string(), expected);
    };
    let is_utf16 = "x:1:1: the file is UTF-16, as Notepad and PowerShell may write it; save it as \
                    UTF-8 text";
    check(&utf16(u16::to_le_bytes), is_utf16);
    check(&utf16(u16::to_be_bytes), is_utf16);
    check(&[&[0xFF, 0xFE][..], &utf16(u16::to_le_bytes)].concat(), is_utf16);
    check(b"", "x:1:1: the file is empty; docs/board-file.md has a file to start from");
    // CR LF, tabs and a byte order mark are right, and change no line or column.
    let no_pin = "x:8:7: the RP2040 has no GP55; its pins are GP0 to GP29";
    check(right.replace('\n', "\r\n").as_bytes(), no_pin);
    check(right.replace(" = ", "\t=\t").as_bytes(), no_pin);
    check(format!("\u{feff}{right}").as_bytes(), no_pin);
    let errors = board_file::parse_bytes("x", right.replace('\n', "\r").as_bytes()).unwrap_err();
    let message = errors.to_string();
    let step = "; its lines end with CR only; save it with LF or CR LF";
    assert!(errors.list().len() == 1 && message.ends_with(step), "{message}");
}

#[test]
fn more_parts_than_the_limit_are_refused() {
    let head = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"ssd1306\"\n\
                bus = \"i2c\"\nsda = \"GP4\"\nscl = \"GP5\"\n";
    let text = (0..200).fold(head.to_owned(), |text, at| {
        text + &format!("[[button]]\nname = \"B{at}\"\npin = \"GP2\"\n")
    });
    let errors = board_file::parse("large.board.toml", &text).unwrap_err();
    assert_eq!(errors.list().len(), 1);
    let message = errors.to_string();
    assert!(
        message.ends_with("the board has 201 parts; the limit is 200: remove some"),
        "{message}"
    );
}
