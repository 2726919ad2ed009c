//! Tests the encoder, the switch, the slider and the joystick of a described board in the window:
//! mouse, wheel, keys and the recording; and the window's own keys on such a board.

use std::fs;

use ili9341_model::Frame;
use live::keymap::{ControlMove, KeyAction};
use trace::ControlKind;
use window::face::{Face, Footer, Labels, Layout, PartState, PartStates, Rect, Shape, View};

use crate::described::Example;
use crate::desktop::{Desktop, key};
use crate::{output_text, words};

struct Dial {
    board: Example,
    layout: Layout,
    booted: Frame,
}

impl Dial {
    /// Opens the window with the board `dial`, and waits until its program has drawn.
    fn open(scene: &str, scale: u8) -> (Self, Desktop) {
        let board = Example::new(scene, "dial");
        let unit = f32::from(scale) / board.face.units_per_pixel();
        let layout = board.layout(unit);
        let mut desktop = board.open(&["--scale", &scale.to_string(), "--mute"]);
        let is_drawn = |window: &Frame| {
            board.panel_of(window, &layout).pixels().iter().any(|pixel| *pixel != 0)
        };
        let booted = desktop.settled(is_drawn);
        board.keep("booted", &booted);
        (Self { board, layout, booted }, desktop)
    }

    fn part(&self, name: &str) -> Rect {
        self.layout.part(name).unwrap()
    }

    fn panel(&self, window: &Frame) -> Frame {
        self.board.panel_of(window, &self.layout)
    }

    /// Returns whether `window` shows the part of that name in this state.
    fn shows(&self, window: &Frame, name: &str, state: PartState) -> bool {
        let mut parts = PartStates::default();
        parts.set(name, state);
        let mut face = Face::new(self.layout.clone(), Labels::new(&self.board.keymap));
        face.draw(&View { parts, ..View::default() });
        let place = self.part(name);
        words::cropped(window, place) == words::cropped(face.picture(), place)
    }

    /// Closes the window. Returns the lines of the recording that move a control, without times.
    #[track_caller]
    fn moves(&self, desktop: Desktop) -> Vec<String> {
        let output = desktop.close();
        assert!(output.status.success(), "{}", output_text(&output));
        let text = fs::read_to_string(self.board.folder.join("w.trace")).unwrap();
        let action = |line: &str| line.split_once(' ').map(|(_, action)| action.trim().to_owned());
        let moves = |action: &String| {
            ["turn ", "switch ", "set "].iter().any(|verb| action.starts_with(verb))
        };
        text.lines().filter_map(action).filter(moves).collect()
    }
}

fn tilted(x: u16, y: u16) -> PartState {
    PartState::Tilted(x, y)
}

#[test]
fn the_mouse_moves_every_control_and_the_recording_replays() {
    let (dial, mut desktop) = Dial::open("controls-mouse", 2);
    let [knob, mode, level, stick] = ["DIAL", "MODE", "LEVEL", "STICK"].map(|name| dial.part(name));
    let middle = |rect: Rect| (rect.left + rect.width / 2, rect.top + rect.height / 2);
    // The wheel turns the knob, and says how it is moved.
    let (x, y) = middle(knob);
    desktop.mouse_to(x, y);
    let hint = desktop.changed(|window| words::footer(window, &dial.layout).contains("DIAL:"));
    let hint = words::footer(&hint, &dial.layout);
    assert!(
        hint.contains("DIAL: wheel, drag up and down, or click a side; keys Left Right"),
        "{hint}"
    );
    desktop.wheel(true);
    // A click turns it to the side that is clicked; a drag by its way.
    desktop.click_on(Rect { left: knob.left, width: knob.width / 2, ..knob });
    desktop.mouse_down_on(knob);
    desktop.mouse_to(x, 0);
    desktop.mouse_up();
    desktop.click_on(mode);
    let moved = desktop.settled(|window| dial.shows(window, "MODE", PartState::On(true)));
    dial.board.keep("moved", &moved);
    // The pointer leaves the slider, and then the window.
    desktop.mouse_down_on(level);
    desktop.mouse_to(dial.layout.width() - 1, 0);
    desktop.changed(|window| dial.shows(window, "LEVEL", PartState::Turned(1_000)));
    desktop.mouse_up();
    desktop.wheel(false);
    desktop.mouse_down_on(stick);
    desktop.mouse_to(middle(stick).0, dial.layout.height() - 1);
    let held = desktop.settled(|window| dial.shows(window, "STICK", tilted(500, 0)));
    dial.board.keep("held", &held);
    desktop.mouse_up_far_away();
    let last = desktop.settled(|window| dial.shows(window, "STICK", tilted(500, 500)));
    dial.board.keep("last", &last);
    assert_ne!(dial.panel(&last), dial.panel(&dial.booted));
    let moves = dial.moves(desktop);
    let of = |name: &str| -> Vec<&str> {
        let own = moves.iter().filter(|action| action.split(' ').nth(1) == Some(name));
        own.map(String::as_str).collect()
    };
    assert_eq!(of("DIAL")[..2], ["turn DIAL by 1", "turn DIAL by -1"]);
    let dragged: Vec<i32> = of("DIAL")[2..]
        .iter()
        .map(|action| action.rsplit(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!(dragged.iter().all(|by| *by > 0) && !dragged.is_empty(), "{dragged:?}");
    assert_eq!(of("MODE"), ["switch MODE on"]);
    // The wheel, after the drag, is not over the slider any more.
    assert_eq!(of("LEVEL").last(), Some(&"set LEVEL 1"));
    assert!(of("STICK").contains(&"set STICK 0.5,0"), "{:?}", of("STICK"));
    assert_eq!(of("STICK").last(), Some(&"set STICK 0.5,0.5"));
    dial.board.check_replay(&dial.panel(&last));
}

#[test]
fn keys_move_every_control_and_a_held_one_tilts_the_joystick() {
    let (dial, mut desktop) = Dial::open("controls-keys", 2);
    // The keys of the board file, and those of controls without any.
    let key_of = |name: &str, by: ControlMove| {
        let control = dial.board.controls.named(name).unwrap();
        dial.board.keymap.key_name(KeyAction::Move(control, by))
    };
    assert_eq!(key_of("DIAL", ControlMove::Clockwise), "Right");
    assert_eq!(key_of("MODE", ControlMove::Toggle), "M");
    assert_eq!(
        [key_of("LEVEL", ControlMove::Less), key_of("LEVEL", ControlMove::More)],
        ["[", "]"]
    );
    let joystick = ControlMove::of(ControlKind::Joystick);
    assert_eq!(joystick.iter().map(|by| key_of("STICK", *by)).collect::<String>(), "HKUJ");

    desktop.tap_named(key::RIGHT);
    desktop.tap_named(key::RIGHT);
    desktop.tap_named(key::LEFT);
    desktop.tap('m');
    desktop.tap(']');
    desktop.named_down(key::SHIFT);
    desktop.tap('[');
    desktop.named_up(key::SHIFT);
    desktop.key_down('u');
    desktop.key_down('k');
    desktop.settled(|window| dial.shows(window, "STICK", tilted(1_000, 1_000)));
    desktop.key_up('u');
    // A window that loses the keyboard lets go.
    desktop.take_focus_away();
    desktop.settled(|window| dial.shows(window, "STICK", tilted(500, 500)));
    desktop.key_up('k');
    desktop.give_focus();
    let last = desktop.settled(|window| dial.shows(window, "MODE", PartState::On(true)));
    dial.board.keep("last", &last);
    // The list has the controls.
    desktop.tap_named(key::F1);
    let listed = desktop.settled_after(&last);
    dial.board.keep("listed", &listed);
    let (width, height) = (listed.width() as u32, listed.height() as u32);
    let rows = words::rows(&listed, Rect { left: 0, top: 0, width, height }).join("\n");
    for row in ["Left Right", "turn DIAL", "switch MODE", "move LEVEL", "H K U J", "tilt STICK"] {
        assert!(rows.contains(row), "{row}\n{rows}");
    }
    // Nobody sees what a key would move while the list covers the board.
    desktop.tap('m');
    desktop.tap_named(key::F1);
    desktop.settled(|window| *window != listed);
    let expected = [
        "turn DIAL by 1",
        "turn DIAL by 1",
        "turn DIAL by -1",
        "switch MODE on",
        "set LEVEL 0.3",
        "set LEVEL 0.29",
        "set STICK 0.5,1",
        "set STICK 1,1",
        "set STICK 1,0.5",
        "set STICK 0.5,0.5",
    ];
    assert_eq!(dial.moves(desktop), expected);
}

#[test]
fn the_past_shows_controls_and_leds_as_they_were() {
    let (dial, mut desktop) = Dial::open("controls-past", 2);
    desktop.tap('p');
    let before = desktop.settled(|_| true);
    let mode = dial.part("MODE");
    desktop.click_on(mode);
    desktop.settled(|window| dial.shows(window, "MODE", PartState::On(true)));
    let lit = desktop.settled(|_| true);
    // To the press of PUSH, before the switch was moved.
    desktop.tap_named(key::PAGE_UP);
    let past = desktop.settled(|window| dial.shows(window, "MODE", PartState::On(false)));
    dial.board.keep("past", &past);
    let leds = ["STATUS", "DIMMED", "MOOD", "STRIP"].map(|name| dial.part(name));
    let same = |one: &Frame, other: &Frame| {
        leds.iter().all(|at| words::cropped(one, *at) == words::cropped(other, *at))
    };
    assert!(!same(&before, &lit), "the switch lights LEDs");
    assert!(same(&before, &past), "they are as they were");
    // A control that is moved in the past begins a branch.
    desktop.click_on(dial.part("MODE"));
    let kept = |window: &Frame| words::footer(window, &dial.layout).contains("branch 1");
    desktop.changed(kept);
    desktop.settled(|window| dial.shows(window, "MODE", PartState::On(true)));
    assert_eq!(dial.moves(desktop), ["switch MODE on"]);
}

#[test]
fn the_windows_own_keys_work_on_a_described_board() {
    let (dial, mut desktop) = Dial::open("controls-views", 1);
    let panel = dial.panel(&dial.booted);
    let size = desktop.size();
    // F2 shows the panel alone, in the middle and at a whole scale.
    desktop.tap_named(key::F2);
    let bare = desktop.settled(|window| has_only_panel(window, &panel));
    dial.board.keep("bare", &bare);
    desktop.tap_named(key::F2);
    desktop.settled(|window| window.width() as u32 == size.0 && dial.panel(window) == panel);
    // F3 shows the console beside the board, whose controls can still be moved.
    let says = |window: &Frame, text: &str| {
        let width = (window.width() as u32).saturating_sub(size.0);
        let beside = Rect { left: size.0, top: 0, width, height: size.1 };
        width > 0 && words::rows(window, beside).join("\n").contains(text)
    };
    desktop.tap_named(key::F3);
    let pane = desktop.settled(|window| says(window, "dial=0 mode=false"));
    dial.board.keep("pane", &pane);
    desktop.click_on(dial.part("MODE"));
    let moved = desktop.changed(|window| says(window, "mode=true"));
    dial.board.keep("pane-moved", &moved);
    desktop.tap_named(key::F3);
    desktop.settled(|window| window.width() as u32 == size.0);
    // D has nothing to show.
    desktop.tap('d');
    let footer = |window: &Frame| words::footer(window, &dial.layout);
    desktop.changed(|window| footer(window).contains("nothing"));
    // In a wide window the state and the keys are beside the board.
    let wide = dial.board.face.layout(dial.layout.unit(), Shape::Wide);
    let size = (wide.width(), wide.height() + Footer::height(wide.unit()));
    desktop.resize(size.0, size.1);
    let mode = wide.part("MODE").unwrap();
    let switched = |on: bool| {
        let mut parts = PartStates::default();
        parts.set("MODE", PartState::On(on));
        let mut face = Face::new(wide.clone(), Labels::new(&dial.board.keymap));
        face.draw(&View { parts, ..View::default() });
        words::cropped(face.picture(), mode)
    };
    let [off, on] = [false, true].map(switched);
    let is_wide = |window: &Frame| (window.width() as u32, window.height() as u32) == size;
    let shown = desktop.settled(|window| is_wide(window) && words::cropped(window, mode) == on);
    dial.board.keep("wide", &shown);
    desktop.click_on(mode);
    desktop.settled(|window| words::cropped(window, mode) == off);
    assert_eq!(dial.moves(desktop), ["switch MODE on", "switch MODE off"]);
}

/// Returns whether the window shows the panel alone, in the middle and at the largest whole scale.
fn has_only_panel(window: &Frame, panel: &Frame) -> bool {
    let scale = (window.width() / panel.width()).min(window.height() / panel.height());
    let left = (window.width() - panel.width() * scale) / 2;
    let top = (window.height() - panel.height() * scale) / 2;
    let at = |x: usize, y: usize| window.pixel(left + x * scale, top + y * scale);
    let mut all = (0..panel.height()).flat_map(|y| (0..panel.width()).map(move |x| (x, y)));
    scale > 0 && all.all(|(x, y)| at(x, y) == panel.pixel(x, y))
}
