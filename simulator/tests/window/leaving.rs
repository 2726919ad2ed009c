//! Tests the end of a session, and its files: two windows on one flash, signals, a full disk, a
//! flash that cannot be written, a pause.

use std::fs;
use std::path::Path;

use ili9341_model::Frame;
use live::keymap::Keymap;
use reading::golden::write_png;
use window::face::{Face, FlashState, Labels, Recording, Running, View};

use crate::command::nudge;
use crate::desktop::Desktop;
use crate::{board_of, check_replay, folder, layout, output_text, panel_of};

const GAME: &str = "nudge saved game 1
game board
board 0,0,0,0,0,1,24,1,0,0,0,0,0,22
turn 0
";

/// Writes a flash with a saved game of the name `game`.
fn flash_with(folder: &Path, flash: &str, game: &str) {
    fs::write(folder.join("game.txt"), GAME).unwrap();
    let output = nudge()
        .args(["flash", "import", flash, "game.txt", "--name", game])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
}

/// Returns the picture of the window once the board has booted.
fn booted(desktop: &mut Desktop) -> Frame {
    desktop
        .settled(|window| panel_of(window, &layout(1), 1).pixels().iter().any(|pixel| *pixel != 0))
}

/// Returns whether the window shows `view` around its panel.
fn has_view(window: &Frame, view: &View) -> bool {
    let mut face = Face::new(layout(1), Labels::new(&Keymap::default()));
    face.draw(view);
    face.with_panel(&panel_of(window, &layout(1), 1)) == board_of(window, &layout(1))
}

/// Checks that the window shows `view` around its panel.
#[track_caller]
fn check_view(window: &Frame, view: &View) {
    assert!(has_view(window, view), "{view:?}");
}

#[test]
fn one_window_opens_the_flash_and_others_open_copies() {
    let folder = folder("two-windows");
    flash_with(&folder, "flash.bin", "FIRST");
    let before = fs::read(folder.join("flash.bin")).unwrap();
    let mut desktop = Desktop::new(&folder, &["--flash", "flash.bin", "--scale", "1"]);
    let shown = booted(&mut desktop);
    check_view(&shown, &View { flash: FlashState::Kept, ..View::default() });

    let output = Desktop::refused(&folder, &["--flash", "./flash.bin"]);
    assert_eq!(output.status.code(), Some(2), "{}", output_text(&output));
    assert!(
        output_text(&output).contains("another session has this flash"),
        "{}",
        output_text(&output)
    );
    assert!(output_text(&output).contains("`--flash-copy`"), "{}", output_text(&output));
    let flash = |arguments: &[&str]| {
        nudge().arg("flash").args(arguments).current_dir(&folder).output().unwrap()
    };
    let output = flash(&["import", "flash.bin", "game.txt", "--name", "SECOND"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output_text(&output).contains("close the window of `nudge run`"),
        "{}",
        output_text(&output)
    );
    assert!(output_text(&flash(&["ls", "flash.bin"])).contains("FIRST"));
    assert!(flash(&["export", "flash.bin", "--out", "out"]).status.success());

    let mut copy = Desktop::new(&folder, &["--flash", "flash.bin", "--flash-copy", "--scale", "1"]);
    let shown = booted(&mut copy);
    write_png(folder.join("copy.png"), &shown).unwrap();
    check_view(&shown, &View { flash: FlashState::Copy, ..View::default() });
    let output = copy.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert_eq!(fs::read(folder.join("flash.bin")).unwrap(), before);

    // Another program ignores the lock; the session has changed nothing and writes nothing.
    fs::remove_file(folder.join("flash.bin")).unwrap();
    flash_with(&folder, "other.bin", "SECOND");
    fs::rename(folder.join("other.bin"), folder.join("flash.bin")).unwrap();
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(output_text(&flash(&["ls", "flash.bin"])).contains("SECOND"));
    let left = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().contains("lock")));
    assert!(flash(&["import", "flash.bin", "game.txt", "--name", "THIRD"]).status.success());
}

#[test]
fn a_signal_ends_a_session_like_closing_the_window() {
    for signal in ["HUP", "QUIT", "TERM"] {
        let folder = folder(&format!("signal-{signal}"));
        let arguments = ["--record", "x.trace", "--expect", "--flash", "f.bin", "--scale", "1"];
        let mut desktop = Desktop::new(&folder, &arguments);
        let before = booted(&mut desktop);
        desktop.tap('c');
        let last = desktop.settled_after(&before);
        let output = desktop.signal(signal);
        assert_eq!(output.status.code(), Some(0), "{signal}: {}", output_text(&output));
        let text = fs::read_to_string(folder.join("x.trace")).unwrap();
        assert!(text.contains("tap B3") && text.contains("expect frame"), "{signal}: {text}");
        check_replay(&folder.join("x.trace"), &panel_of(&last, &layout(1), 1));
        assert_eq!(fs::metadata(folder.join("f.bin")).unwrap().len(), 256 * 1024);
    }
}

#[test]
fn a_session_that_loses_its_display_is_recorded_to_the_end() {
    let folder = folder("lost-display");
    let mut desktop =
        Desktop::new(&folder, &["--record", "x.trace", "--seed", "7", "--scale", "1"]);
    let before = booted(&mut desktop);
    desktop.tap('c');
    let last = desktop.settled_after(&before);
    let output = desktop.lose_display();
    assert_eq!(output.status.code(), Some(1), "{}", output_text(&output));
    let told = "nudge: the connection to the display is lost; the recording in x.trace is complete";
    assert!(output_text(&output).contains(told), "{}", output_text(&output));
    let text = fs::read_to_string(folder.join("x.trace")).unwrap();
    assert!(text.contains(" B3\n") && text.trim_end().ends_with(" end"), "{text}");
    check_replay(&folder.join("x.trace"), &panel_of(&last, &layout(1), 1));
}

#[test]
fn on_a_full_disk_a_recording_ends_with_a_whole_line() {
    let folder = folder("full-disk");
    let arguments = ["--record", "full.trace", "--seed", "7", "--scale", "1"];
    let mut desktop = Desktop::with_full_disk(&folder, &arguments, 1);
    booted(&mut desktop);
    // A block is 512 or 1024 bytes, and a press and its release take about 40.
    for _ in 0..30 {
        desktop.tap('c');
    }
    let failed = View { recording: Recording::Failed, ..View::default() };
    let shown = desktop.settled(|window| has_view(window, &failed));
    write_png(folder.join("full.png"), &shown).unwrap();
    assert!(desktop.title().starts_with("the recording cannot be written"), "{}", desktop.title());
    let output = desktop.close();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output_text(&output).contains("full.trace is not complete"),
        "{}",
        output_text(&output)
    );
    let text = fs::read_to_string(folder.join("full.trace")).unwrap();
    assert!(text.ends_with(" B3\n") && text.len() > 400, "{text}");
    let output = nudge().args(["trace", "check", "full.trace"]).current_dir(&folder).output();
    assert!(output.unwrap().status.success());
}

#[test]
fn an_unwritable_flash_is_reported_during_the_whole_session() {
    let folder = folder("unwritable");
    flash_with(&folder, "flash.bin", "FIRST");
    let before = fs::read(folder.join("flash.bin")).unwrap();
    // As in a read-only folder: neither a lock nor another file can be created.
    fs::create_dir(folder.join("flash.bin.lock")).unwrap();
    let mut desktop = Desktop::new(&folder, &["--flash", "flash.bin", "--scale", "1"]);
    let shown = booted(&mut desktop);
    write_png(folder.join("unwritable.png"), &shown).unwrap();
    check_view(&shown, &View { flash: FlashState::Failed, ..View::default() });
    assert!(desktop.title().starts_with("cannot keep the board's flash in"), "{}", desktop.title());
    let output = desktop.close();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output_text(&output).contains("nudge: cannot keep the board's flash"),
        "{}",
        output_text(&output)
    );
    assert_eq!(fs::read(folder.join("flash.bin")).unwrap(), before);
}

#[test]
fn a_paused_session_replays_to_its_last_frame() {
    let folder = folder("paused");
    let arguments = ["--record", "p.trace", "--seed", "7", "--scale", "1", "--speed", "0.1"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let start = booted(&mut desktop);
    desktop.key_down('c');
    // The movement is not over.
    let moving = desktop
        .changed(|window| panel_of(window, &layout(1), 1) != panel_of(&start, &layout(1), 1));
    desktop.tap('p');
    desktop.tap('v');
    desktop.take_focus_away();
    // The held key is released when the window loses the focus, which may be visible later than the
    // pause.
    let paused = View {
        running: Running::Paused,
        recording: Recording::To("p".into()),
        speed: "0.1".parse().unwrap(),
        pace: "0.1".parse().unwrap(),
        ..View::default()
    };
    let last = desktop.settled(|window| *window != moving && has_view(window, &paused));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    check_replay(&folder.join("p.trace"), &panel_of(&last, &layout(1), 1));
}
