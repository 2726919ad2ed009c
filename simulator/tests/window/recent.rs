//! Tests the list of recent sessions, and the layout of a wide window.

use std::fs;

use ili9341_model::Frame;
use reading::golden::write_png;
use trace::Button;
use window::face::{Layout, Rect, Shape};

use crate::desktop::{Desktop, key};
use crate::{PANEL, folder, layout, output_text, panel_of, window_size, words};

fn text(window: &Frame) -> String {
    let (width, height) = (window.width() as u32, window.height() as u32);
    words::rows(window, Rect { left: 0, top: 0, width, height }).join(" ")
}

#[test]
fn a_recent_session_is_opened_and_one_that_is_gone_is_not() {
    let folder = folder("recent");
    let recorded = ["--record", "w.trace", "--game", "wari", "--seed", "7", "--scale", "1"];
    let mut desktop = Desktop::new(&folder, &recorded);
    desktop.settled(|_| true);
    assert!(desktop.close().status.success());
    let plain = ["--flash-copy", "--game", "family", "--seed", "8", "--scale", "1"];
    let mut desktop = Desktop::new(&folder, &plain);
    let says = |window: &Frame| words::footer(window, &layout(1));
    desktop.changed(|window| {
        says(window).starts_with("O lists the recent sessions; the last one is w.trace")
    });
    assert!(desktop.title().starts_with("nudge - native, family"), "{}", desktop.title());
    desktop.tap('o');
    let listed = desktop.settled(|window| text(window).contains("w.trace"));
    write_png(folder.join("listed.png"), &listed).unwrap();
    assert!(!text(&listed).contains("(gone)"), "{}", text(&listed));
    desktop.tap_named(key::RETURN);
    desktop.changed(|window| says(window).contains("w.trace runs"));
    assert!(desktop.title().starts_with("nudge - native, wari, seed 7"), "{}", desktop.title());
    fs::rename(folder.join("w.trace"), folder.join("v.trace")).unwrap();
    desktop.tap('o');
    let listed = desktop.settled(|window| text(window).contains("w.trace (gone)"));
    write_png(folder.join("gone.png"), &listed).unwrap();
    desktop.tap_named(key::RETURN);
    desktop.changed(|window| says(window).starts_with("not opened: w.trace: it is gone"));
    assert!(desktop.close().status.success());
    let output = Desktop::refused(&folder, &["--last"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output_text(&output).contains("there is no last session"), "{}", output_text(&output));
    // A file of that name is the last session again.
    fs::rename(folder.join("v.trace"), folder.join("w.trace")).unwrap();
    let mut desktop = Desktop::new(&folder, &["--last", "--scale", "1"]);
    desktop.settled(|_| true);
    assert!(desktop.title().starts_with("nudge - native, wari, seed 7"), "{}", desktop.title());
    assert!(desktop.close().status.success());
}

#[test]
fn a_wide_window_has_reset_beside_the_lcd() {
    let folder = folder("wide");
    let arguments = ["--seed", "7", "--flash-copy"];
    let mut desktop = Desktop::on_screen(&folder, "1600x900x24", &arguments);
    let wide = Layout::shaped(PANEL, 1.0, Shape::Wide);
    let (width, height) = window_size(&wide);
    desktop.resize(width, height);
    let is_lit = |window: &Frame| {
        (window.width(), window.height()) == (width as usize, height as usize)
            && panel_of(window, &wide, 1).pixels().iter().any(|pixel| *pixel != 0)
    };
    let first = desktop.settled(is_lit);
    write_png(folder.join("wide.png"), &first).unwrap();
    // RESET beside the LCD leaves the introduction.
    desktop.click(&wide, Button::Reset);
    let begun = desktop.settled(|window| panel_of(window, &wide, 1) != panel_of(&first, &wide, 1));
    // The same picture of the LCD in an upright window, and back.
    let (narrow, high) = window_size(&layout(1));
    desktop.resize(narrow, high);
    let upright = desktop.settled(|window| window.width() == narrow as usize);
    assert!(panel_of(&upright, &layout(1), 1) == panel_of(&begun, &wide, 1));
    desktop.resize(width, height);
    let back = desktop.settled(|window| window.width() == width as usize);
    assert!(panel_of(&back, &wide, 1) == panel_of(&begun, &wide, 1));
    assert!(desktop.close().status.success());
}
