//! Tests time control: the user goes back, forward, and continues differently from the past.

use std::fs;

use reading::golden::write_png;
use trace::Button;
use window::face::Footer;

use crate::command::nudge;
use crate::desktop::{Desktop, key};
use crate::words::strip;
use crate::{check_replay, folder, input_names, layout, output_text, panel_of};

#[test]
fn a_press_in_the_past_branches_and_the_list_goes_back() {
    let folder = folder("time");
    let board = layout(1);
    let recording = folder.join("time.trace");
    let mut desktop =
        Desktop::new(&folder, &["--record", "time.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desktop.click(&board, Button::B3);
    let played = desktop.settled(|window| panel(window) != panel(&booted));

    // A held key goes back, and shows the same pictures again. On a slow machine it goes further
    // before its release arrives.
    desktop.named_down(key::LEFT);
    desktop.changed(|window| panel(window) != panel(&played));
    desktop.named_up(key::LEFT);
    let mut back = desktop.settled(|_| true);
    while panel(&back) != panel(&booted) {
        let is_dark = panel(&back).pixels().iter().all(|pixel| *pixel == 0);
        desktop.tap_named(if is_dark { key::RIGHT } else { key::LEFT });
        back = desktop.settled(|_| true);
    }
    write_png(folder.join("past.png"), &back).unwrap();
    desktop.tap_named(key::END);
    let present = desktop.settled(|window| panel(window) == panel(&played));
    write_png(folder.join("present.png"), &present).unwrap();

    // The strip can be dragged: its left end is power-on, when the panel is dark.
    let mut footer = Footer::new(board.width(), 1.0);
    let mut strip = footer.strip();
    footer.draw(&window::face::FooterView::default());
    strip.top += board.height();
    strip.width = 2;
    desktop.click_on(strip);
    let begun = desktop.settled(|window| panel(window) != panel(&played));
    assert!(panel(&begun).pixels().iter().all(|pixel| *pixel == 0));
    // Tapped, because on a slow machine a held key goes past the press before its release arrives.
    let mut shown = begun;
    while panel(&shown) != panel(&booted) {
        desktop.tap_named(key::RIGHT);
        shown = desktop.settled(|_| true);
    }

    // A press in the past begins another future; the former one is saved.
    desktop.click(&board, Button::B5);
    let other = desktop.settled(|window| panel(window) != panel(&booted));
    write_png(folder.join("branched.png"), &other).unwrap();

    // The list has the former future, and Return goes back to it.
    desktop.tap('l');
    let list = desktop.settled(|window| *window != other);
    write_png(folder.join("list.png"), &list).unwrap();
    desktop.tap_named(key::RETURN);
    let last = desktop.settled(|window| panel(window) == panel(&played));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = check_replay(&recording, &panel(&last));
    assert_eq!(input_names(&trace), ["power on", "press of B3", "release of B3", "end"]);
    // One file has both, each as a whole trace.
    let branches = fs::read_to_string(folder.join("time.branches")).unwrap();
    let sections: Vec<&str> = branches.split("# A branch ").skip(1).collect();
    for (section, button, shown) in [(0, "B3", &played), (1, "B5", &other)] {
        let (heading, trace) = sections[section].split_once('\n').unwrap();
        assert!(heading.contains(&format!("from press {button} at ")), "{heading}");
        let path = folder.join(format!("{button}.trace"));
        fs::write(&path, trace).unwrap();
        let trace = check_replay(&path, &panel(shown));
        let inputs = ["power on", &format!("press of {button}"), &format!("release of {button}")];
        assert_eq!(input_names(&trace), [&inputs[..], &["end"]].concat());
    }
    assert_eq!(sections.len(), 2);
}

#[test]
fn the_past_is_played_from_where_it_was_left() {
    let folder = folder("played");
    let mut desktop =
        Desktop::new(&folder, &["--record", "w.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desktop.click(&layout(1), Button::B3);
    let played = desktop.settled(|window| panel(window) != panel(&booted));
    // To the press, whose effect is not yet shown, and on from there to the present.
    desktop.tap_named(key::PAGE_UP);
    let pressed = desktop.settled(|window| panel(window) == panel(&booted));
    write_png(folder.join("pressed.png"), &pressed).unwrap();
    let strip = strip(&layout(1));
    desktop.mouse_to(strip.left + strip.width / 3, strip.top + strip.height / 2);
    desktop.wheel(true);
    desktop.wheel(true);
    let zoomed = desktop.settled(|window| *window != pressed);
    write_png(folder.join("zoomed.png"), &zoomed).unwrap();
    desktop.tap('p');
    let last = desktop.settled(|window| panel(window) == panel(&played));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = check_replay(&folder.join("w.trace"), &panel(&last));
    assert_eq!(input_names(&trace), ["power on", "press of B3", "release of B3", "end"]);
}

#[test]
fn a_held_single_frame_key_steps_once_per_repetition() {
    let folder = folder("held-frame");
    let mut desktop =
        Desktop::new(&folder, &["--record", "held.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let lit = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desktop.tap('p');
    // The press has no effect before the first step; its stones move for many frames.
    desktop.tap('x');
    let paused = desktop.settled_after(&lit);
    desktop.key_down('.');
    let mut seen = vec![panel(&paused)];
    let count = std::cell::RefCell::new(&mut seen);
    desktop.changed(|window| {
        let mut seen = count.borrow_mut();
        let now = panel(window);
        if seen.last() != Some(&now) {
            seen.push(now);
        }
        seen.len() > 3
    });
    desktop.key_up('.');
    // The key is released, so the stones do not move.
    let stands = desktop.settled(|_| true);
    write_png(folder.join("stands.png"), &stands).unwrap();
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = check_replay(&folder.join("held.trace"), &panel(&stands));
    assert_eq!(input_names(&trace), ["power on", "press of B2", "release of B2", "end"]);
}

#[test]
fn the_recording_survives_a_kill_of_the_program() {
    let folder = folder("killed");
    let mut desktop =
        Desktop::new(&folder, &["--record", "killed.trace", "--seed", "7", "--scale", "1"]);
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let lit = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desktop.click(&layout(1), Button::B3);
    let last = desktop.settled_after(&lit);
    desktop.kill();
    let text = fs::read_to_string(folder.join("killed.trace")).unwrap();
    assert!(text.ends_with("release B3\n"), "{text}");
    let output = nudge().arg("replay").arg(folder.join("killed.trace")).output().unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
    // The recording ends with its last event. A longer end shows the effect of that event.
    let longer = folder.join("longer.trace");
    fs::write(&longer, text + "+5s end\n").unwrap();
    check_replay(&longer, &panel(&last));
}
