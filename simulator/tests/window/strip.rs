//! Tests the timeline strip of the session and the keys for time: dragging by the mouse, single
//! frames, 100 times the speed.

use std::time::Duration;

use host::clock::Stopwatch;
use ili9341_model::Frame;
use live::Mark;
use reading::golden::write_png;
use trace::{Action, Button, Trace, When};
use virtual_time::Instant;
use window::face::{Footer, FooterView};

use crate::desktop::{Desktop, key};
use crate::words::strip;
use crate::{check_replay, folder, input_names, layout, output_text, panel_of};

fn panel(window: &Frame) -> Frame {
    panel_of(window, &layout(1), 1)
}

fn is_lit(window: &Frame) -> bool {
    panel(window).pixels().iter().any(|pixel| *pixel != 0)
}

/// Returns the time of the first action in a trace for which `is_it` returns true.
fn time_of(trace: &Trace, is_it: impl Fn(&Action) -> bool) -> Instant {
    let line = trace.lines.iter().find(|line| is_it(&line.action)).expect("a line");
    match line.when {
        When::At(at) => at,
        _ => panic!("a recording has the times of its lines"),
    }
}

#[test]
fn the_mouse_drags_the_strip_until_its_button_is_released() {
    let folder = folder("drag");
    let mut desktop =
        Desktop::new(&folder, &["--record", "w.trace", "--seed", "7", "--scale", "1"]);
    let booted = desktop.settled(is_lit);
    desktop.click(&layout(1), Button::B3);
    let played = desktop.settled(|window| panel(window) != panel(&booted));
    let strip = strip(&layout(1));
    let (left, middle) = (strip.left, strip.top + strip.height / 2);
    // The left button goes down in the middle of the strip: a time between power-on and now.
    desktop.mouse_down_on(strip);
    desktop.settled(|window| panel(window) != panel(&played) || *window != played);
    desktop.mouse_to(left, middle);
    let begins = desktop.settled(|window| !is_lit(window));
    write_png(folder.join("begins.png"), &begins).unwrap();
    // The pointer may leave the strip, upwards and beyond its end.
    desktop.mouse_to(left + strip.width + 5, strip.top - 40);
    desktop.settled(|window| panel(window) == panel(&played));
    desktop.mouse_to(left, strip.top - 40);
    desktop.settled(|window| !is_lit(window));
    desktop.mouse_up();
    // After the release, the pointer has no effect.
    desktop.mouse_to(left + strip.width / 2, middle);
    desktop.mouse_to(left + strip.width + 5, middle);
    let stays = desktop.settled(|_| true);
    assert!(!is_lit(&stays), "the moment stays");
    desktop.tap_named(key::END);
    let last = desktop.settled(|window| panel(window) == panel(&played));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = check_replay(&folder.join("w.trace"), &panel(&last));
    assert_eq!(input_names(&trace), ["power on", "press of B3", "release of B3", "end"]);
}

#[test]
fn a_press_is_marked_on_the_strip_where_it_was() {
    let folder = folder("mark");
    let mut desktop =
        Desktop::new(&folder, &["--record", "w.trace", "--seed", "7", "--scale", "1"]);
    let booted = desktop.settled(is_lit);
    let strip = strip(&layout(1));
    // A strip with only this press shows the colours of a mark.
    let mut marks = live::Marks::default();
    marks.add(Instant::from_millis(500), Mark::Press);
    let now = Instant::from_secs(1);
    let mut footer = Footer::new(layout(1).width(), 1.0);
    footer.draw(&FooterView { marks: marks.into(), now, ..FooterView::default() });
    let columns = |picture: &Frame, y: u32, paint: u32| -> Vec<u32> {
        let places = strip.left..strip.left + strip.width;
        places.filter(|x| picture.pixel(*x as usize, y as usize) == Some(paint)).collect()
    };
    let row = 3;
    let drawn = footer.picture().pixel((strip.left + strip.width / 2) as usize, row as usize);
    let paint = drawn.expect("a mark");
    assert_eq!(columns(&booted, strip.top + row, paint), [0_u32; 0], "nothing is pressed yet");

    desktop.click(&layout(1), Button::B3);
    desktop.tap('p');
    let paused = desktop.settled_after(&booted);
    write_png(folder.join("mark.png"), &paused).unwrap();
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = check_replay(&folder.join("w.trace"), &panel(&paused));
    let pressed = time_of(&trace, |action| *action == Action::Press(Button::B3));
    let end = time_of(&trace, |action| *action == Action::End);
    let marked = columns(&paused, strip.top + row, paint);
    // A mark is as wide as its bin of 20 ms, and the hand is at the end.
    let column = |at: u64| strip.left + (at * u64::from(strip.width) / end.0) as u32;
    let (first, last) = (column(pressed.0 - 20_000_000), column(pressed.0 + 20_000_000));
    assert!(!marked.is_empty(), "no mark");
    assert!(marked.iter().all(|x| (first..=last).contains(x)), "{marked:?}, not {first} to {last}");
}

#[test]
fn shift_and_an_arrow_step_frame_by_frame() {
    let folder = folder("fine");
    let mut desktop =
        Desktop::new(&folder, &["--record", "w.trace", "--seed", "7", "--scale", "1"]);
    desktop.settled(is_lit);
    desktop.tap('p');
    desktop.tap('x');
    let mut frames = vec![panel(&desktop.settled(|_| true))];
    // Each picture is that of one frame, until stones move.
    while frames.len() < 5 {
        desktop.tap('.');
        let shown = panel(&desktop.settled(|_| true));
        if frames.last() != Some(&shown) {
            frames.push(shown);
        }
    }
    desktop.named_down(key::SHIFT);
    for (keysym, place) in [
        (key::LEFT, 3),
        (key::LEFT, 2),
        (key::LEFT, 1),
        (key::RIGHT, 2),
        (key::RIGHT, 3),
        (key::LEFT, 2),
    ] {
        desktop.tap_named(keysym);
        let shown = panel(&desktop.settled(|_| true));
        assert!(shown == frames[place], "not frame {place}");
    }
    desktop.named_up(key::SHIFT);
    // Without Shift a step back is longer than all of them: the frames were drawn within 0.25 s.
    desktop.tap_named(key::LEFT);
    desktop.settled(|window| panel(window) == frames[0]);
    desktop.tap_named(key::END);
    let last = desktop.settled(|window| panel(window) == frames[4]);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    check_replay(&folder.join("w.trace"), &panel(&last));
}

#[test]
fn at_100_times_the_speed_the_board_is_minutes_ahead() {
    let folder = folder("fast");
    let mut desktop =
        Desktop::new(&folder, &["--record", "w.trace", "--seed", "7", "--scale", "1"]);
    desktop.settled(is_lit);
    let clock = Stopwatch::start();
    // Factors are 1, 2, 5, 10 …; 100 is the largest.
    for _ in 0..12 {
        desktop.tap_named(key::UP);
    }
    desktop.rest(Duration::from_secs(3));
    // The board executes a press at that speed.
    desktop.tap('x');
    let last = desktop.settled(|_| true);
    let output = desktop.close();
    let took = clock.elapsed();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = check_replay(&folder.join("w.trace"), &panel(&last));
    let end = Duration::from_nanos(time_of(&trace, |action| *action == Action::End).0);
    assert!(end > 10 * took, "{end:?} of the board in {took:?}");
    assert_eq!(input_names(&trace), ["power on", "press of B2", "release of B2", "end"]);
}
