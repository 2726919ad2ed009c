//! Tests `nudge replay --gif`: the film has the LCD's frames at their times.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use reading::golden;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/traces");

/// Runs `nudge replay` in `folder`; returns its exit code and its output.
fn replay(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = crate::command::nudge()
        .arg("replay")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

/// Returns the pixels of a GIF's last picture as a player shows it, and the duration of the GIF in
/// hundredths of a second.
fn last_picture(path: &Path) -> (Vec<u32>, u64) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(fs::File::open(path).unwrap()).unwrap();
    let mut screen = vec![0; 320 * 240];
    let mut ticks = 0;
    while let Some(picture) = decoder.read_next_frame().unwrap() {
        ticks += u64::from(picture.delay);
        for (nth, pixel) in picture.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (nth % usize::from(picture.width), nth / usize::from(picture.width));
            screen[(y + usize::from(picture.top)) * 320 + x + usize::from(picture.left)] =
                u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]]);
        }
    }
    (screen, ticks)
}

#[test]
fn a_film_has_the_length_of_the_game_and_ends_with_its_golden() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let (code, said) =
        replay(folder.path(), &[&format!("{TRACES}/game-1.trace"), "--gif", "game.gif"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("wrote game.gif, "), "{said}");
    let golden = golden::read_png(Path::new(TRACES).join("game-1/end.png")).unwrap();
    let (shown, ticks) = last_picture(&folder.path().join("game.gif"));
    assert_eq!(shown, golden.pixels());
    // The trace ends when its screen has settled, at 91.2 s.
    assert_eq!(ticks, 9_122);
}

#[test]
fn a_film_ends_at_the_time_of_until() {
    let folder = tempfile::tempdir().unwrap();
    let trace = format!("{TRACES}/game-1.trace");
    let (code, said) = replay(folder.path(), &[&trace, "--gif", "a.GIF", "--until", "2s"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(last_picture(&folder.path().join("a.GIF")).1, 200);
}

#[test]
fn an_impossible_film_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let trace = format!("{TRACES}/free-turn.trace");
    fs::write(folder.path().join("kept.gif"), "mine").unwrap();
    fs::write(folder.path().join("file"), "in the way").unwrap();
    for (arguments, expected) in [
        (vec![TRACES, "--gif", "all.gif"], "films the LCD of one trace, and these are"),
        (vec![&trace[..], "--gif", "win.trace"], "the file to write must be named *.gif"),
        (vec![&trace[..], "--gif", "file/win.gif"], "file/win.gif: cannot be written"),
        (vec![&trace[..], "--gif", "kept.gif"], "kept.gif is there already; `--force`"),
    ] {
        let (code, said) = replay(folder.path(), &arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected) && !said.contains("PASS"), "{arguments:?}: {said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    assert_eq!(fs::read(folder.path().join("kept.gif")).unwrap(), b"mine");
}
