//! A folder of sources, the shell script that compiles them, and the window that watches them.

use std::fs;
use std::path::{Path, PathBuf};

use host::clock::Stopwatch;
use ili9341_model::Frame;
use reading::golden::{read_png, write_png};
use tempfile::TempDir;
use window::face::Layout;

use crate::command::{NUDGE, nudge};
use crate::desktop::{Desktop, PATIENCE};
use crate::{folder, layout, output_text, panel_of, words};

/// The compiler: the content of `firmware.rs` selects its result.
pub(super) const COMPILER: &str = r##"
what=$(cat firmware.rs)
echo "$what" >>builds
case $what in
    error*)
        printf '%s\n' '{"reason":"compiler-message","message":{"level":"error","message":"mismatched types","spans":[{"file_name":"firmware.rs","line_start":3,"column_start":5,"is_primary":true}],"rendered":"error[E0308]: mismatched types\n --> firmware.rs:3:5\n  |\n3 |     42\n  |     ^^ expected `Board`, found integer\n"}}'
        exit 1 ;;
    slow*) sleep 1000 ;;
esac
{
    echo '#!/bin/sh'
    echo "# $what"
    case $what in
        panic*) echo '[ "$1" = session ] && { echo "thread main panicked at firmware.rs:7:1:" >&2; echo "no such cup" >&2; exit 101; }' ;;
        hang*) echo '[ "$1" = session ] && while :; do :; done' ;;
        # It takes one cup for another.
        cups*) echo 'game=board swap="s/ B3/ B4/"' ;;
        *) echo "game=$what" ;;
    esac
    cat <<'END'
case $* in
    session)
        # The machine's header comes before the recording's.
        exec 3<&0
        { IFS= read -r line <&3; printf '%s\n' "$line" | sed "s/\"game\",\"board\"/\"game\",\"$game\"/"; exec cat <&3; } | "$NUDGE" session ;;
    'trace observe '*)
        sed "s/^game board/game $game/; $swap" "$3" >"$3.other.trace"
        "$NUDGE" trace observe "$3.other.trace" ;;
    *) exec "$NUDGE" "$@" ;;
esac
END
} | sed "s|\$NUDGE|$NUDGE|" >built
chmod +x built
echo compiling
echo built
"##;

/// A folder of sources with a window that watches them.
pub(super) struct Scene {
    pub(super) sources: TempDir,
    pub(super) desktop: Desktop,
    pub(super) layout: Layout,
    pub(super) pictures: PathBuf,
}

impl Scene {
    /// Opens the window, and waits until its first firmware was built and runs.
    pub(super) fn new(scene: &str, arguments: &[&str]) -> Self {
        let sources = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(sources.path().join(name), text).unwrap();
        write("firmware.rs", "board");
        write("build.sh", &format!("NUDGE='{NUDGE}'\n{COMPILER}"));
        let mut all = vec!["--watch", "--build", "sh build.sh", "--game", "board", "--seed", "7"];
        all.extend(["--scale", "1"]);
        all.extend(arguments);
        let desktop = Desktop::new(sources.path(), &all);
        let mut scene = Self {
            sources,
            desktop,
            layout: layout(1),
            pictures: folder(&format!("watch-{scene}")),
        };
        scene.wait_for("the first firmware", |scene| scene.firmwares() == ["firmware-1"]);
        scene.settled("booted", |panel| panel.pixels().iter().any(|pixel| *pixel != 0));
        scene
    }

    pub(super) fn path(&self) -> &Path {
        self.sources.path()
    }

    pub(super) fn save(&self, text: &str) {
        fs::write(self.path().join("firmware.rs"), text).unwrap();
    }

    pub(super) fn panel(&self, window: &Frame) -> Frame {
        panel_of(window, &self.layout, 1)
    }

    /// Waits until the panel is as `wanted` and settled; returns it, and saves a picture of the
    /// window.
    #[track_caller]
    pub(super) fn settled(&mut self, name: &str, wanted: impl Fn(&Frame) -> bool) -> Frame {
        let layout = self.layout.clone();
        let window = self.desktop.settled(|window| wanted(&panel_of(window, &layout, 1)));
        write_png(self.pictures.join(format!("{name}.png")), &window).unwrap();
        self.panel(&window)
    }

    /// Saves and returns the current picture of the window.
    pub(super) fn keep(&mut self, name: &str) -> Frame {
        let window = self.desktop.look();
        write_png(self.pictures.join(format!("{name}.png")), &window).unwrap();
        window
    }

    #[track_caller]
    pub(super) fn wait_for(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let clock = Stopwatch::start();
        while !is_so(self) {
            assert!(clock.elapsed() < PATIENCE, "{what} does not come");
            std::thread::yield_now();
        }
    }

    /// Returns whether the firmware of that number was compared with the one before.
    pub(super) fn was_compared(&self, number: u32) -> bool {
        let trace = format!("compare-{number}/session.trace.other.trace");
        let mut folders = fs::read_dir(self.path()).unwrap().flatten();
        folders.any(|entry| entry.path().join(&trace).exists())
    }

    /// Waits until the footer is as `wanted`; returns its text.
    #[track_caller]
    pub(super) fn says(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let clock = Stopwatch::start();
        loop {
            let said = words::footer(&self.desktop.look(), &self.layout);
            if wanted(&said) {
                return said;
            }
            assert!(clock.elapsed() < PATIENCE, "{what} is not shown, but: {said}");
            self.desktop.rest(std::time::Duration::from_millis(50));
        }
    }

    pub(super) fn builds(&self) -> usize {
        let built = fs::read_to_string(self.path().join("builds")).unwrap_or_default();
        built.lines().count()
    }

    /// Returns the firmwares whose sessions run: the programs of this test's processes.
    pub(super) fn firmwares(&self) -> Vec<String> {
        let mut found: Vec<String> =
            processes(self.path()).into_iter().map(|(_, name)| name).collect();
        found.sort();
        found.dedup();
        found
    }
}

/// Returns the processes that run a session from the folder of temporary files below `folder`:
/// number, and program.
pub fn processes(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(line) = fs::read(entry.path().join("cmdline")) else { continue };
        let words: Vec<_> = line.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
        if !words.iter().any(|word| word == "session") {
            continue;
        }
        let program = words.iter().find(|word| Path::new(word.as_ref()).starts_with(folder));
        if let Some(name) = program.and_then(|program| Path::new(program.as_ref()).file_name()) {
            let number = entry.file_name().to_string_lossy().into_owned();
            found.push((number, name.to_string_lossy().into_owned()));
        }
    }
    found
}

/// Returns the last frame of the recording when it is replayed with another game.
#[track_caller]
pub fn picture_with(game: &str, recording: &Path) -> Frame {
    let text =
        fs::read_to_string(recording).unwrap().replace("game board", &format!("game {game}"));
    // Until the session has ended, the recording ends with its last line, when something may still
    // move.
    let end = if text.contains(" end") { "" } else { "+5s end\n" };
    let text = text + end;
    let other = recording.with_extension("other.trace");
    let picture = recording.with_extension("other.png");
    let _ = fs::remove_file(&picture);
    fs::write(&other, text).unwrap();
    let output =
        nudge().arg("screenshot").arg(&other).arg("--output").arg(&picture).output().unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
    read_png(&picture).unwrap()
}
