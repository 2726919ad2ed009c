//! Tests time control: the user goes back, forward, and continues differently from the past.

use std::fs;

use reading::golden::write_png;
use trace::Button;
use window::face::Footer;

use crate::command::nudge;
use crate::desk::{Desk, key};
use crate::{check_replay, folder, input_names, layout, panel_of, said};

#[test]
fn a_press_in_the_past_continues_and_saves_the_other_future() {
    let folder = folder("time");
    let board = layout(1);
    let recording = folder.join("time.trace");
    let mut desk = Desk::new(&folder, &["--record", "time.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let booted = desk.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desk.click(&board, Button::B3);
    let played = desk.settled(|window| panel(window) != panel(&booted));

    // A held key goes back, and shows the same pictures again.
    desk.named_down(key::LEFT);
    let back = desk.changed(|window| panel(window) == panel(&booted));
    desk.named_up(key::LEFT);
    let rests = desk.settled(|_| true);
    write_png(folder.join("past.png"), &rests).unwrap();
    assert!(panel(&back) == panel(&booted));
    desk.tap_named(key::END);
    let present = desk.settled(|window| panel(window) == panel(&played));
    write_png(folder.join("present.png"), &present).unwrap();

    // The strip can be dragged: its left end is power-on, when the panel is dark.
    let mut footer = Footer::new(board.width(), 1.0);
    let mut strip = footer.strip();
    footer.draw(&window::face::FooterView::default());
    strip.top += board.height();
    strip.width = 2;
    desk.click_on(strip);
    let begun = desk.settled(|window| panel(window) != panel(&played));
    assert!(panel(&begun).pixels().iter().all(|pixel| *pixel == 0));
    // Tapped, because on a slow machine a held key goes past the press before its release arrives.
    let mut shown = begun;
    while panel(&shown) != panel(&booted) {
        desk.tap_named(key::RIGHT);
        shown = desk.settled(|_| true);
    }

    // A press in the past begins another future; the former one is saved.
    desk.click(&board, Button::B5);
    let last = desk.settled(|window| panel(window) != panel(&booted));
    let output = desk.close();
    assert!(output.status.success(), "{}", said(&output));
    let trace = check_replay(&recording, &panel(&last));
    assert_eq!(input_names(&trace), ["power on", "press of B5", "release of B5", "end"]);
    let trace = check_replay(&folder.join("time.2.trace"), &panel(&played));
    assert_eq!(input_names(&trace), ["power on", "press of B3", "release of B3", "end"]);
}

#[test]
fn a_held_single_frame_key_steps_once_per_repetition() {
    let folder = folder("held-frame");
    let mut desk = Desk::new(&folder, &["--record", "held.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let lit = desk.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desk.tap('p');
    // The press has no effect before the first step; its stones move for many frames.
    desk.tap('x');
    let paused = desk.settled_after(&lit);
    desk.key_down('.');
    let mut seen = vec![panel(&paused)];
    let count = std::cell::RefCell::new(&mut seen);
    desk.changed(|window| {
        let mut seen = count.borrow_mut();
        let now = panel(window);
        if seen.last() != Some(&now) {
            seen.push(now);
        }
        seen.len() > 3
    });
    desk.key_up('.');
    // The key is released, so the stones do not move.
    let stands = desk.settled(|_| true);
    write_png(folder.join("stands.png"), &stands).unwrap();
    let output = desk.close();
    assert!(output.status.success(), "{}", said(&output));
    let trace = check_replay(&folder.join("held.trace"), &panel(&stands));
    assert_eq!(input_names(&trace), ["power on", "press of B2", "release of B2", "end"]);
}

#[test]
fn the_recording_survives_a_kill_of_the_program() {
    let folder = folder("killed");
    let mut desk = Desk::new(&folder, &["--record", "killed.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let lit = desk.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desk.click(&layout(1), Button::B3);
    let last = desk.settled_after(&lit);
    desk.kill();
    let text = fs::read_to_string(folder.join("killed.trace")).unwrap();
    assert!(text.ends_with("release B3\n"), "{text}");
    let output = nudge().arg("replay").arg(folder.join("killed.trace")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    // The recording ends with its last event. A longer end shows the effect of that event.
    let longer = folder.join("longer.trace");
    fs::write(&longer, text + "+5s end\n").unwrap();
    check_replay(&longer, &panel(&last));
}
