//! Tests the window on different screens: filling them, and with many dots per inch.

use ili9341_model::Frame;
use reading::golden::write_png;
use trace::Button;
use window::face::{Footer, Layout, Rect, Shape, Theme};

use crate::desktop::{Desktop, key};
use crate::{PANEL, folder, input_names, layout, output_text, panel_of};

/// Returns the layout of the board in a window of that size, and the position of its picture. The
/// board has the shape in which the panel is larger.
fn board_in((width, height): (u32, u32)) -> (Layout, (u32, u32)) {
    let of_shape = |shape: Shape| {
        let below = |unit: f32| {
            let below = height - Footer::height(unit);
            Layout::fitting_shape(PANEL, shape, width, below)
        };
        let unit = below(below(Layout::fitting_shape(PANEL, shape, width, height)));
        Layout::shaped(PANEL, unit, shape)
    };
    let boards = Shape::ALL.map(of_shape).into_iter();
    let board = boards.max_by(|one, other| one.unit().total_cmp(&other.unit())).unwrap();
    let whole = board.height() + Footer::height(board.unit());
    let corner = ((width - board.width()) / 2, (height - whole) / 2);
    (board, corner)
}

/// Returns the bounds of the board in the window: first and last column, first and last row.
fn drawn(window: &Frame) -> [usize; 4] {
    let desktop = Theme::Dark.backdrop();
    let (width, height) = (window.width(), window.height());
    let row = |y: &usize| (0..width).any(|x| window.pixel(x, *y) != Some(desktop));
    let column = |x: &usize| (0..height).any(|y| window.pixel(*x, y) != Some(desktop));
    let rows = ((0..height).find(row), (0..height).rev().find(row));
    let columns = ((0..width).find(column), (0..width).rev().find(column));
    [columns.0, columns.1, rows.0, rows.1].map(|edge| edge.expect("something is drawn"))
}

/// Clicks on a button of a board in the middle of the window.
fn click(desktop: &Desktop, button: Button) {
    let (board, (left, top)) = board_in(desktop.size());
    let rect = board.button(button);
    desktop.click_on(Rect { left: left + rect.left, top: top + rect.top, ..rect });
}

#[test]
fn the_board_fills_the_screen_and_its_buttons_work() {
    let folder = folder("full-screen");
    let screen = (1_366, 768);
    let arguments = ["--record", "w.trace", "--seed", "7", "--scale", "1"];
    let mut desktop = Desktop::on_screen(&folder, "1366x768x24", &arguments);
    let is_lit =
        |window: &Frame| panel_of(window, &layout(1), 1).pixels().iter().any(|pixel| *pixel != 0);
    desktop.settled(is_lit);
    let small = desktop.size();
    desktop.tap_named(key::F11);
    assert!(desktop.manage_full_screen(small));
    // SDL requests the full screen, and draws only after it is granted, or one second later.
    let filled = desktop.settled(|window| {
        let whole = (window.width(), window.height()) == (1_366, 768);
        whole && window.pixel(0, 767) == Some(Theme::Dark.backdrop())
    });
    write_png(folder.join("filled.png"), &filled).unwrap();
    // The board uses the whole height, with equal margins left and right.
    let [left, right, top, bottom] = drawn(&filled);
    assert!(bottom - top > 730, "{top} to {bottom} of 768 rows");
    assert!(left.abs_diff(1_365 - right) < 30, "{left} left of it, {} right", 1_365 - right);
    let (board, corner) = board_in(screen);
    assert!(board.unit() > 1.3 && left.abs_diff(corner.0 as usize) < 20, "{left} {corner:?}");
    click(&desktop, Button::B3);
    let played = desktop.settled_after(&filled);
    write_png(folder.join("played.png"), &played).unwrap();
    desktop.tap_named(key::F11);
    assert!(!desktop.manage_full_screen(small));
    let back = desktop.settled(|window| (window.width() as u32, window.height() as u32) == small);
    write_png(folder.join("back.png"), &back).unwrap();
    let lit = desktop.settled(is_lit);
    desktop.click(&layout(1), Button::B5);
    desktop.settled_after(&lit);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let names = input_names(&runner::open_trace(&folder.join("w.trace")).unwrap());
    let [three, five] =
        ["B3", "B5"].map(|button| [format!("press of {button}"), format!("release of {button}")]);
    let expected = [vec!["power on".to_owned()], three.into(), five.into(), vec!["end".to_owned()]];
    assert_eq!(names, expected.concat());
}

#[test]
fn a_window_may_fill_the_screen_from_the_beginning() {
    let folder = folder("full-screen-option");
    let arguments = ["--full-screen", "--seed", "7"];
    let mut desktop = Desktop::on_screen(&folder, "1366x768x24", &arguments);
    assert!(desktop.manage_full_screen(desktop.size()));
    let filled = desktop.settled(|window| {
        let whole = (window.width(), window.height()) == (1_366, 768);
        whole && window.pixel(0, 767) == Some(Theme::Dark.backdrop())
    });
    write_png(folder.join("filled.png"), &filled).unwrap();
    let [left, right, top, _] = drawn(&filled);
    assert!(top < 20 && left.abs_diff(1_365 - right) < 30, "{left} {right} {top}");
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
}

#[test]
fn a_dense_screen_has_a_larger_window_and_a_click_hits() {
    let mut sizes = Vec::new();
    // Each has a folder of its own: a window remembers the size of the last one.
    for (name, dots) in [("plain", 96), ("dense", 192)] {
        let folder = folder(&format!("dots-{name}"));
        let recording = format!("{name}.trace");
        let arguments = ["--record", &recording, "--seed", "7"];
        let mut desktop = Desktop::on_dense_screen(&folder, "3840x2160x24", dots, &arguments);
        let size = desktop.size();
        let shown = desktop.settled(|window| {
            let middle = window.pixels().len() / 2;
            window.pixels()[middle..middle + 100].iter().any(|pixel| *pixel != 0)
        });
        write_png(folder.join(format!("{name}.png")), &shown).unwrap();
        let [left, right, top, bottom] = drawn(&shown);
        assert!(left < 40 && top < 40, "{left} {top}");
        let edge = |last: usize, length: u32| length as usize - last < 40;
        assert!(edge(right, size.0) && edge(bottom, size.1), "{right} {bottom} of {size:?}");
        click(&desktop, Button::T2);
        let output = desktop.close();
        assert!(output.status.success(), "{}", output_text(&output));
        let names = input_names(&runner::open_trace(&folder.join(&recording)).unwrap());
        assert_eq!(names, ["power on", "press of T2", "release of T2", "end"], "{name}");
        sizes.push(size);
    }
    // At 96 dots per inch the window has 3 pixels for each of the panel's, at 192 as many as fit.
    assert!(sizes[0].1 * 5 < sizes[1].1 * 4 && sizes[1].1 <= 2_160, "{sizes:?}");
}
