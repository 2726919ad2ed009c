//! Tests the window's shape and contents: any size, the bare panel, the list of keys, captures, the
//! console, stopped firmware.

use std::fs;

use ili9341_model::Frame;
use live::keymap::{Control, KeyAction};
use reading::golden::{read_png, write_png};
use trace::Button;

use crate::desktop::{Desktop, key};
use crate::{
    board_of, check_replay, folder, input_names, layout, output_text, panel_of, window_size,
};

fn booted(desktop: &mut Desktop, scale: u32) -> Frame {
    desktop.settled(|window| {
        panel_of(window, &layout(scale), scale).pixels().iter().any(|pixel| *pixel != 0)
    })
}

/// Returns whether the window has the panel at `scale` in its middle, equal to that of the board's
/// picture `panel`.
fn has_panel(window: &Frame, panel: &Frame, scale: usize) -> bool {
    let left = (window.width() - panel.width() * scale) / 2;
    let top = (window.height() - panel.height() * scale) / 2;
    let middle = |at: usize| at * scale + scale / 2;
    (0..panel.height()).all(|y| {
        (0..panel.width())
            .all(|x| window.pixel(left + middle(x), top + middle(y)) == panel.pixel(x, y))
    })
}

#[test]
fn a_window_appears_once_has_an_icon_and_takes_any_size() {
    let folder = folder("shape");
    let arguments = ["--scale", "8", "--seed", "7", "--game", "wari"];
    let mut desktop = Desktop::on_screen(&folder, "1366x768x24", &arguments);
    let (width, height) = desktop.size();
    assert!(width <= 1_366 && height <= 768, "{width}x{height}");
    assert!(height > 600, "it uses the screen: {width}x{height}");
    assert_eq!(desktop.windows_made_and_shown(), (1, 1));
    assert!(desktop.has_icon());
    let [least, greatest] = desktop.sizes();
    assert!(least.is_some_and(|(width, height)| width < 400 && height < 500), "{least:?}");
    assert_eq!(greatest, None);
    let title = desktop.title();
    assert!(title.starts_with("nudge - native, wari, seed 7, source "), "{title}");
    let first = desktop.settled(|_| true);
    write_png(folder.join("laptop.png"), &first).unwrap();

    // At a whole scale the panel is exact, and the buttons are clickable at their drawn positions.
    let (wide, high) = window_size(&layout(1));
    desktop.resize(wide, high);
    let shown = booted(&mut desktop, 1);
    let panel = panel_of(&shown, &layout(1), 1);
    // Leaves the introduction.
    desktop.click(&layout(1), Button::Reset);
    desktop.settled(|window| panel_of(window, &layout(1), 1) != panel);
    desktop.tap('p');
    let played = desktop.settled(|_| true);

    // The bare panel has the largest whole scale; every size works.
    let panel = panel_of(&played, &layout(1), 1);
    desktop.tap_named(key::F2);
    desktop.resize(700, 500);
    let bare = desktop.settled(|window| window.width() == 700);
    write_png(folder.join("bare.png"), &bare).unwrap();
    assert!(has_panel(&bare, &panel, 2));
    desktop.resize(1, 1);
    desktop.settled(|window| window.width() == 1);
    desktop.resize(700, 500);
    let again = desktop.settled(|window| window.width() == 700);
    assert!(again == bare);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
}

#[test]
fn the_bare_panel_fills_the_window_that_it_opens() {
    let folder = folder("bare");
    let arguments = ["--bare", "--record", "w.trace", "--seed", "7"];
    let mut desktop = Desktop::on_screen(&folder, "1366x768x24", &arguments);
    assert_eq!(desktop.size(), (960, 720), "three times the panel");
    let middle = |window: &Frame| {
        let pixels = (0..240).flat_map(|y| (0..320).map(move |x| (3 * x + 1, 3 * y + 1)));
        let pixels = pixels.map(|(x, y)| window.pixel(x, y).unwrap()).collect();
        Frame::from_pixels(320, 240, pixels)
    };
    let shown = desktop.settled(|window| middle(window).pixels().iter().any(|pixel| *pixel != 0));
    write_png(folder.join("bare.png"), &shown).unwrap();
    assert!(desktop.close().status.success());
    check_replay(&folder.join("w.trace"), &middle(&shown));
}

#[test]
fn modified_keys_press_nothing_and_ctrl_click_holds() {
    let folder = folder("chords");
    let mut desktop =
        Desktop::new(&folder, &["--record", "chords.trace", "--seed", "7", "--scale", "1"]);
    let lit = booted(&mut desktop, 1);
    for modifier in [key::CTRL, key::ALT] {
        desktop.named_down(modifier);
        desktop.tap('c');
        desktop.named_up(modifier);
    }
    let board = layout(1);
    desktop.named_down(key::CTRL);
    desktop.click(&board, Button::B1);
    desktop.named_up(key::CTRL);
    let held = desktop.settled_after(&lit);
    desktop.click(&board, Button::T1);
    desktop.click(&board, Button::B1);
    let released = desktop.settled_after(&held);
    let rect = board.button(Button::B1);
    let middle = ((rect.left + 3) as usize, (rect.top + rect.height / 2) as usize);
    assert_ne!(held.pixel(middle.0, middle.1), released.pixel(middle.0, middle.1));
    let control = |control| board.control(KeyAction::Control(control)).unwrap();
    desktop.click_on(control(Control::PowerCycle));
    desktop.settled(|_| true);
    let before = desktop.settled(|_| true);
    desktop.click_on(control(Control::Pause));
    let paused = desktop.settled_after(&before);
    desktop.click_on(control(Control::Keys));
    let listed = desktop.settled_after(&paused);
    write_png(folder.join("keys.png"), &listed).unwrap();
    desktop.tap_named(key::F1);
    let back = desktop.settled_after(&listed);
    assert!(board_of(&back, &board) == board_of(&paused, &board));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = runner::open_trace(&folder.join("chords.trace")).unwrap();
    let names = input_names(&trace);
    let expected = [
        "power on",
        "press of B1",
        "press of T1",
        "release of T1",
        "release of B1",
        "power off",
        "power on",
        "end",
    ];
    assert_eq!(names, expected);
}

#[test]
fn keys_save_picture_film_and_text_without_overwriting() {
    let folder = folder("captures");
    let arguments = ["--captures", "shots", "--seed", "7", "--scale", "1", "--console", "--light"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let first = desktop.settled(|_| true);
    write_png(folder.join("console.png"), &first).unwrap();
    desktop.tap_named(key::F3);
    desktop.tap_named(key::F4);
    let shown = booted(&mut desktop, 1);
    desktop.tap_named(key::F6);
    desktop.tap_named(key::F6);
    // Leaves the introduction.
    desktop.tap(' ');
    let played = desktop.settled_after(&shown);
    desktop.tap_named(key::F7);
    desktop.tap_named(key::F8);
    let said_where = desktop.settled(|_| true);
    write_png(folder.join("said.png"), &said_where).unwrap();
    let text = desktop.clipboard();
    assert!(text.contains("Player 1") || text.contains("Hold RESET"), "{text}");
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let mut names: Vec<String> = fs::read_dir(folder.join("shots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_by_key(|name| (name.ends_with("gif"), name.clone()));
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("nudge_2")), "{names:?}");
    assert!(names[..2].iter().all(|name| name.ends_with(".png")), "{names:?}");
    let panel = panel_of(&shown, &layout(1), 1);
    assert!(read_png(folder.join("shots").join(&names[0])).unwrap() == panel);
    // The film ends with the last frame.
    let film = fs::File::open(folder.join("shots").join(&names[2])).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut film = options.read_info(film).unwrap();
    assert_eq!((film.width(), film.height()), (320, 240));
    let mut canvas = Frame::filled(320, 240, 0);
    let mut pictures = 0;
    while let Some(picture) = film.read_next_frame().unwrap() {
        pictures += 1;
        for (at, rgba) in picture.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (at % usize::from(picture.width), at / usize::from(picture.width));
            let at = (usize::from(picture.top) + y) * 320 + usize::from(picture.left) + x;
            canvas.pixels_mut()[at] = u32::from_be_bytes([0, rgba[0], rgba[1], rgba[2]]);
        }
    }
    assert!(pictures >= 2, "{pictures}");
    assert!(canvas == panel_of(&played, &layout(1), 1));
}

#[test]
fn two_buttons_on_one_key_are_refused_with_their_place() {
    let folder = folder("keys");
    fs::write(folder.join("two.keys"), "B1 = Z\nB2 = Z\n").unwrap();
    let output = Desktop::refused(&folder, &["--keys", "two.keys"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output_text(&output).contains("two.keys:2:6: the key Z is B1's already"),
        "{}",
        output_text(&output)
    );
}
