//! Texts with commands to their reader, for property tests.

use proptest::prelude::*;

use super::is_command;

/// Pieces that a reader might interpret as commands.
const PIECES: [&str; 30] = [
    "::",
    ":",
    "#",
    "##[",
    "[",
    "##[stop-commands]x",
    "::stop-commands::x",
    "::error::x",
    "\n",
    "\r",
    "\r\n",
    " ",
    "\t",
    "\u{A0}",
    "\x1b[31m",
    "\x1b]0;x\x07",
    "\u{9b}2J",
    "\u{202E}",
    "\u{2028}",
    "\0",
    "\u{FFFE}",
    "<script>",
    "&amp;",
    "]]>",
    "\"'",
    "|",
    "%0A",
    ",line=1::",
    "[[ATTACHMENT|x]]",
    "ü€😀",
];

/// Generates a text of such pieces and of arbitrary characters.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z ]{1,8}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Returns `text` as a reader that supports lines must show it.
pub(crate) fn shown(text: &str) -> String {
    let replaced = |letter| is_command(letter) && letter != '\n';
    text.replace(replaced, "\u{FFFD}")
}

/// Checks that neither a terminal nor GitHub's log finds a command in `out`.
#[track_caller]
pub(crate) fn check_log(out: &str) {
    for line in out.split('\n') {
        assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{line:?}");
        let obeyed = line.chars().find(|letter| is_command(*letter) && *letter != '\t');
        assert_eq!(obeyed, None, "{line:?}");
    }
}
