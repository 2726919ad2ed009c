//! Measures the cost and the speed of the window. The processor's share is processor time, which
//! can be measured on a computer with other work; frames per second and the time from a press to
//! its pixel are wall time. The numbers are in `docs/performance.md`; the bounds here also hold on
//! a slow machine.
//!
//! `cargo build --release --bin nudge`, then `NUDGE_MEASURED=target/release/nudge cargo test -p
//! simulator --features window-test --test window measured -- --ignored --nocapture --test-threads
//! 1`; without the variable the tests' own build is measured. `NUDGE_MEASURED_SOURCES` names a
//! checkout for the time from a save to the new frame; a word in it is changed, and restored.
//! `NUDGE_MEASURED_BOARD=pico` builds the Pico's program.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::clock::Stopwatch;
use ili9341_model::Frame;
use trace::Button;
use window::face::Rect;

use crate::desktop::{Desktop, key};
use crate::{folder, layout, panel_of};

/// Duration of a measurement.
const SPAN: Duration = Duration::from_secs(20);

/// Measures the processor's share for [`SPAN`], in hundredths of a core, and the pictures per
/// second of the LCD in the window.
fn share(desktop: &Desktop) -> (f64, f64) {
    let (clock, before) = (Stopwatch::start(), desktop.processor_time());
    let pictures = desktop.pictures(layout(3).panel(), SPAN);
    let used = desktop.processor_time().saturating_sub(before);
    let span = clock.elapsed().as_secs_f64();
    (100.0 * used.as_secs_f64() / span, f64::from(pictures) / span)
}

/// Starts an endless game between two computer players, and plays ten minutes of it.
fn play_ten_minutes(desktop: &Desktop, folder: &Path) {
    let demo = folder.join("demo.trace");
    fs::write(&demo, "trace 1\nseed 7\nplayers demo\n\n0ms power on\n10min end\n").unwrap();
    let before = desktop.look();
    desktop.drop_file(&demo);
    desktop.changed(|window| *window != before);
    desktop.rest(Duration::from_secs(3));
}

#[test]
#[ignore = "it measures for two minutes and a half"]
fn an_idle_window_costs_little_and_an_animated_one_not_much() {
    let folder = folder("measured");
    let mut desktop = Desktop::measured(&folder, &["--seed", "7", "--scale", "3"]);
    desktop
        .settled(|window| panel_of(window, &layout(3), 3).pixels().iter().any(|pixel| *pixel != 0));
    let (rests, _) = share(&desktop);
    play_ten_minutes(&desktop, &folder);
    let (moves, shown) = share(&desktop);
    println!("at scale 3, of one core: {rests:.1} % while nothing moves");
    println!("{moves:.1} % while stones move, at {shown:.1} pictures a second");

    // Measures how long it takes until the first look back is visible, and its processor time.
    for look in ["first", "second", "third"] {
        let (before, rows) = (desktop.processor_time(), rows_of_panel());
        let [seen] = desktop.press_until(key::LEFT, [&rows], Duration::from_secs(5));
        desktop.named_up(key::LEFT);
        let used = desktop.processor_time().saturating_sub(before);
        println!(
            "back in ten minutes, {look} look: seen after {seen:?}, {used:?} of processor time"
        );
    }
    desktop.tap_named(key::END);

    // Increases the speed until about 60 pictures per second are shown.
    let mut near_sixty = 0.0;
    for speed in [2, 5, 10] {
        desktop.tap_named(key::UP);
        let (used, shown) = share(&desktop);
        println!("{used:.1} % at {speed} times the speed, at {shown:.1} pictures a second");
        near_sixty = if shown < 70.0 { used } else { near_sixty };
    }

    // At 100 times the speed there are more changes than can be shown, so the window shows as many
    // as it can.
    for _ in 0..9 {
        desktop.tap_named(key::UP);
    }
    let (fast, most) = share(&desktop);
    println!("{most:.1} pictures a second at 100 times the speed, {fast:.1} % of one core");
    assert!(desktop.close().status.success());
    assert!(rests < 30.0 && moves < 200.0 && near_sixty < 200.0 && most > 10.0);
}

/// Returns rows of the panel at scale 3. Their distance is smaller than the height of any change.
fn rows_of_panel() -> [Rect; 17] {
    let glass = layout(3).panel();
    std::array::from_fn(|at| {
        let top = glass.top + 3 * (6 + 14 * at as u32);
        Rect { left: glass.left, top, width: glass.width, height: 1 }
    })
}

#[test]
#[ignore = "it measures for a minute"]
fn a_press_is_soon_visible() {
    let folder = folder("measured-press");
    let mut desktop = Desktop::measured(&folder, &["--seed", "7", "--scale", "3"]);
    desktop
        .settled(|window| panel_of(window, &layout(3), 3).pixels().iter().any(|pixel| *pixel != 0));
    let rows = rows_of_panel();
    let keys = [
        ('z', Button::B1),
        ('q', Button::T1),
        ('x', Button::B2),
        ('w', Button::T2),
        ('c', Button::B3),
        ('e', Button::T3),
        ('v', Button::B4),
        ('r', Button::T4),
        ('b', Button::B5),
        ('t', Button::T5),
        ('n', Button::B6),
        ('y', Button::T6),
    ];
    let (mut on_button, mut on_panel) = (Vec::new(), Vec::new());
    for (letter, button) in keys.into_iter().cycle().take(60) {
        let cap = layout(3).button(button);
        let cap = [Rect { top: cap.top + cap.height / 2, height: 1, ..cap }];
        let seen = desktop.press_until(letter.into(), [&cap, &rows], Duration::from_millis(300));
        desktop.key_up(letter);
        let [button, panel] = seen;
        on_button.extend(button);
        // A press without a meaning is not visible on the panel.
        on_panel.extend(panel);
        // Waits until the stones have stopped.
        desktop.rest(Duration::from_millis(1_500));
    }
    for (what, seen) in [("on the button", &mut on_button), ("on the LCD", &mut on_panel)] {
        seen.sort();
        let at = |share: usize| seen[(seen.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
        println!(
            "a press is seen {what} after {:.1} ms (median of {}), {:.1} to {:.1} ms, 95 % by {:.1} ms",
            at(50),
            seen.len(),
            at(0),
            at(100),
            at(95)
        );
    }
    assert!(desktop.close().status.success());
    assert!(on_button.len() == 60 && on_panel.len() > 20);
}

/// A word of the first screen, and its replacement.
const WORDS: [&str; 2] = ["'s turn", "'s move"];

/// A source file, whose content is restored at the end.
struct Source {
    path: PathBuf,
    text: String,
}

impl Drop for Source {
    fn drop(&mut self) {
        fs::write(&self.path, &self.text).unwrap();
    }
}

#[test]
#[ignore = "it builds this repository, in the checkout that NUDGE_MEASURED_SOURCES names"]
fn a_saved_source_is_soon_visible() {
    let sources = std::env::var_os("NUDGE_MEASURED_SOURCES").expect("a checkout");
    let sources = Path::new(&sources).canonicalize().unwrap();
    let path = sources.join("firmware-core/src/interface/screen/words.rs");
    let source = Source { text: fs::read_to_string(&path).unwrap(), path };
    assert!(source.text.contains(WORDS[0]));
    let folder = folder("measured-save");
    let save = |changed: bool| {
        let text = source.text.replace(WORDS[0], WORDS[usize::from(changed)]);
        fs::write(&source.path, text).unwrap();
    };
    let recording = folder.join("w.trace").to_str().unwrap().to_owned();
    let board = std::env::var("NUDGE_MEASURED_BOARD").unwrap_or_else(|_| "native".into());
    let arguments = ["--watch", "--game", "board", "--seed", "7", "--scale", "1"];
    let arguments = [&arguments[..], &["--board", &board, "--record", &recording]].concat();
    // The first build has another screen than the measured program.
    save(true);
    let mut desktop = Desktop::measured_in(&folder, &sources, &arguments);
    let panel = |window: &Frame| panel_of(window, &layout(1), 1);
    let booted = |window: &Frame| panel(window).pixels().iter().any(|pixel| *pixel != 0);
    let mut before = panel(&desktop.changed(booted));
    let is_built = |number: u32| {
        let entries = fs::read_dir(&folder).unwrap().flatten();
        let names = ["", ".elf"].map(|extension| format!("firmware-{number}{extension}"));
        entries
            .map(|entry| entry.path())
            .any(|path| names.iter().any(|name| path.join(name).exists()))
    };
    let mut clock = Stopwatch::start();
    let mut times = Vec::new();
    for number in 1..=SAVES + 1 {
        let waits = |what: &str, is_so: &dyn Fn() -> bool| {
            while !is_so() {
                assert!(clock.elapsed() < Duration::from_secs(1_200), "{what} does not come");
                desktop.rest(Duration::from_millis(5));
            }
            clock.elapsed()
        };
        let built = waits("the build", &|| is_built(number));
        let shown = waits("the new frame", &|| panel(&desktop.look()) != before);
        println!(
            "build {number}: seen after {shown:.2?}, of which {built:.2?} until cargo has built"
        );
        // The first build is not one after a save.
        if number > 1 {
            times.push(shown);
        }
        before = panel(&desktop.settled(|_| true));
        clock = Stopwatch::start();
        if number <= SAVES {
            save(number % 2 == 0);
        }
    }
    print_times(&mut times);
    assert!(desktop.close().status.success());
}

/// Number of saves that are measured.
const SAVES: u32 = 10;

fn print_times(times: &mut [Duration]) {
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let least = times.first().copied().unwrap_or_default();
    println!("{} saves: median {median:.2?}, least {least:.2?}", times.len());
}
