//! Time in the user's hands: back, forward, on another way from there.

use std::fs;

use reading::golden::write_png;
use trace::Button;
use window::face::Footer;

use crate::command::nudge;
use crate::desk::{Desk, key};
use crate::{check_replay, folder, input_names, layout, panel_of, said};

#[test]
fn the_past_is_shown_left_again_and_gone_on_from_with_the_other_future_kept() {
    let folder = folder("time");
    let board = layout(1);
    let recording = folder.join("time.trace");
    let mut desk = Desk::new(&folder, &["--record", "time.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let booted = desk.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desk.click(&board, Button::B3);
    let played = desk.settled(|window| panel(window) != panel(&booted));

    // Held, the key goes back; what was shown then is shown again.
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
    // Tapped: on a slow machine a held key goes past the press before its release is seen.
    let mut shown = begun;
    while panel(&shown) != panel(&booted) {
        desk.tap_named(key::RIGHT);
        shown = desk.settled(|_| true);
    }

    // A press in the past begins another future; the one that was is kept.
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
fn a_held_key_for_single_frames_repeats_and_each_repetition_is_a_frame() {
    let folder = folder("held-frame");
    let mut desk = Desk::new(&folder, &["--record", "held.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let lit = desk.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desk.tap('p');
    // The press waits for the first step; its stones move for many frames.
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
    // The key is not held: the stones stand.
    let stands = desk.settled(|_| true);
    write_png(folder.join("stands.png"), &stands).unwrap();
    let output = desk.close();
    assert!(output.status.success(), "{}", said(&output));
    let trace = check_replay(&folder.join("held.trace"), &panel(&stands));
    assert_eq!(input_names(&trace), ["power on", "press of B2", "release of B2", "end"]);
}

#[test]
fn what_was_recorded_survives_the_death_of_the_program() {
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
    // It ends with its last event. What came of that is the same.
    let longer = folder.join("longer.trace");
    fs::write(&longer, text + "+5s end\n").unwrap();
    check_replay(&longer, &panel(&last));
}
