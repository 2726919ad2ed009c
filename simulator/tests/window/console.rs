//! Tests the text next to the board and below it: the console's pane and the footer's two lines.

use std::fs;

use ili9341_model::Frame;
use reading::golden::write_png;
use trace::Button;
use window::face::{Rect, Theme};

use crate::desktop::{Desktop, key};
use crate::{folder, layout, output_text, panel_of, words};

fn is_lit(window: &Frame) -> bool {
    panel_of(window, &layout(1), 1).pixels().iter().any(|pixel| *pixel != 0)
}

/// Returns the rows of the pane, right of a board at scale 1.
fn pane(window: &Frame) -> Vec<String> {
    let left = layout(1).width();
    if window.width() as u32 <= left {
        return Vec::new();
    }
    let (width, height) = (window.width() as u32 - left, window.height() as u32);
    words::rows(window, Rect { left, top: 0, width, height })
}

/// Returns the pane's value of `fact`.
#[track_caller]
fn fact(window: &Frame, fact: &str) -> String {
    let rows = pane(window);
    let row = rows.iter().find_map(|row| row.strip_prefix(fact));
    row.unwrap_or_else(|| panic!("no {fact} in {rows:#?}")).trim().to_owned()
}

#[test]
fn the_pane_shows_console_tone_contacts_and_frames() {
    let folder = folder("pane");
    let mut desktop = Desktop::new(&folder, &["--seed", "7", "--game", "wari", "--scale", "1"]);
    let plain = desktop.settled(is_lit);
    let (width, height) = desktop.size();
    desktop.tap_named(key::F3);
    let shown = desktop.settled(|window| pane(window).iter().any(|row| row == "console"));
    write_png(folder.join("pane.png"), &shown).unwrap();
    // The pane has 38 % of the width.
    assert_eq!(desktop.size(), ((width * 100).div_ceil(62), height));
    assert!(panel_of(&shown, &layout(1), 1) == panel_of(&plain, &layout(1), 1));
    assert_eq!(fact(&shown, "tone"), "silent");
    assert!(fact(&shown, "frame").ends_with(" bytes"));
    let rows = pane(&shown);
    let console = rows.iter().position(|row| row == "console").expect("a console");
    assert!(rows.len() > console + 1, "it has said something: {rows:#?}");
    let all = rows.join(" ");
    for button in Button::LCD_BOARD {
        assert!(all.contains(&format!("{button}=1")), "{button} in {rows:#?}");
    }

    // At a tenth of the speed a note lasts long enough to be observed.
    for _ in 0..3 {
        desktop.tap_named(key::DOWN);
    }
    desktop.key_down('c');
    let held = desktop.changed(|window| pane(window).join(" ").contains("B3=0"));
    assert!(pane(&held).join(" ").contains("B4=1"));
    let sounds = desktop.changed(|window| fact(window, "tone").ends_with(" Hz"));
    write_png(folder.join("sounds.png"), &sounds).unwrap();
    desktop.key_up('c');
    let opened = desktop.settled(|window| pane(window).join(" ").contains("B3=1"));
    assert_eq!(fact(&opened, "tone"), "silent");
    // NO: the board is drawn.
    desktop.tap('n');
    let opened = desktop.settled(|window| fact(window, "frame") != fact(&shown, "frame"));
    let [before, after] = [&shown, &opened].map(|window| fact(window, "frame"));
    assert_ne!(before, after, "the bytes of the last frame");
    // The part of the panel that the last frame has changed: WIDTHxHEIGHT at X,Y.
    let redrawn = fact(&opened, "redrawn");
    let (size, place) = redrawn.split_once(" at ").expect("a part");
    let numbers = |text: &str, by| -> Vec<u32> {
        text.split(by).map(|number| number.parse().expect("a number")).collect()
    };
    let (size, place) = (numbers(size, 'x'), numbers(place, ','));
    assert!(size[0] + place[0] <= 320 && size[1] + place[1] <= 240, "{redrawn}");

    desktop.tap_named(key::F3);
    let narrow = desktop.settled(|window| window.width() as u32 == width);
    assert_eq!(desktop.size(), (width, height));
    write_png(folder.join("narrow.png"), &narrow).unwrap();
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
}

#[test]
fn text_is_legible_in_the_light_and_the_dark_theme() {
    let folder = folder("theme");
    let mut desktop =
        Desktop::new(&folder, &["--seed", "7", "--game", "wari", "--scale", "1", "--console"]);
    let corner = |window: &Frame| window.pixel(0, window.height() - 1);
    let dark =
        desktop.settled(|window| is_lit(window) && corner(window) == Some(Theme::Dark.backdrop()));
    desktop.tap_named(key::F4);
    let light = desktop.settled(|window| corner(window) == Some(Theme::Light.backdrop()));
    write_png(folder.join("light.png"), &light).unwrap();
    assert_eq!(pane(&dark), pane(&light));
    let [dark, light] = [&dark, &light].map(|window| words::footer(window, &layout(1)));
    assert_eq!(dark, light);
    assert!(dark.contains("wari, seed 7"), "{dark}");
    desktop.tap_named(key::F4);
    desktop.settled(|window| corner(window) == Some(Theme::Dark.backdrop()));
    assert!(desktop.close().status.success());
    let mut desktop = Desktop::new(&folder, &["--seed", "7", "--scale", "1", "--light"]);
    desktop.settled(|window| is_lit(window) && corner(window) == Some(Theme::Light.backdrop()));
    assert!(desktop.close().status.success());
}

#[test]
fn the_footer_names_firmware_recording_and_flash() {
    let scenes: [(&[&str], &str); 6] = [
        (&["--flash", "f.bin", "--record", "w.trace"], "w.trace, flash f.bin"),
        (&["--flash", "f.bin"], "flash f.bin"),
        (
            &["--flash", "f.bin", "--flash-copy", "--record", "x.trace"],
            "x.trace, a copy of a flash",
        ),
        (&["--record", "y.trace"], "y.trace, a flash that is not kept"),
        // A recording starts without a flash file, unless one is named.
        (&["--record", "z.trace", "--flash-copy"], "z.trace, a flash that is not kept"),
        // The user's own flash: its path may be too long for the line.
        (&[], ""),
    ];
    for (number, (more, files)) in scenes.into_iter().enumerate() {
        // In one folder the footer would name the last recording instead.
        let folder = folder(&format!("footer-{number}"));
        let arguments = [&["--seed", "7", "--game", "top-bottom", "--scale", "1"], more].concat();
        let mut desktop = Desktop::new(&folder, &arguments);
        let shown = desktop.settled(is_lit);
        let words = words::footer(&shown, &layout(1));
        let runs = "native, top-bottom, seed 7, source ";
        assert!(words.starts_with(runs), "{words}");
        let told = words[runs.len()..].split_once(' ').expect("its files").1;
        if files.is_empty() {
            let own = folder.join("nudge/flash.bin").display().to_string();
            let told = told.strip_prefix("flash ").expect("a flash").trim_end_matches("..");
            assert!(own.starts_with(told), "{told} of {own}");
        } else {
            assert_eq!(told, files);
        }
        // The title names the same program.
        let program = words[runs.len()..].split(' ').next().unwrap();
        assert!(
            desktop.title().starts_with(&format!("nudge - {runs}{program}")),
            "{}",
            desktop.title()
        );
        let output = desktop.close();
        assert!(output.status.success(), "{}", output_text(&output));
        if more.contains(&"f.bin") && !more.contains(&"--flash-copy") {
            assert!(fs::metadata(folder.join("f.bin")).unwrap().len() > 0);
        }
    }
}

#[test]
fn lines_are_typed_on_the_console_and_scrolled() {
    let folder = folder("typed");
    let recording = folder.join("typed.trace");
    let mut desktop = Desktop::new(
        &folder,
        &["--seed", "7", "--game", "wari", "--scale", "1", "--record", "typed.trace"],
    );
    let plain = desktop.settled(is_lit);
    let width = desktop.size().0;
    // A button that is held when the typing begins is released.
    desktop.key_down('c');
    desktop.tap('i');
    desktop.settled(|window| {
        window.width() as u32 > width && pane(window).iter().any(|row| row.starts_with('>'))
    });
    desktop.key_up('c');
    let panel = panel_of(&desktop.settled(|_| true), &layout(1), 1);
    for letter in "help".chars() {
        desktop.tap(letter);
    }
    let typed = desktop.settled(|window| pane(window).iter().any(|row| row.starts_with("> help")));
    write_png(folder.join("typing.png"), &typed).unwrap();
    desktop.tap_named(key::RETURN);
    // The answer is shown while the LCD rests.
    let answered = desktop.settled(|window| pane(window).join(" ").contains("help usage"));
    write_png(folder.join("answered.png"), &answered).unwrap();
    assert!(panel_of(&answered, &layout(1), 1) == panel, "the LCD does not change");
    assert!(!pane(&answered).join(" ").contains("newer below"));

    desktop.mouse_to(width + 40, 300);
    desktop.wheel_up(2);
    let scrolled =
        desktop.settled(|window| pane(window).join(" ").contains("console, 6 newer below"));
    write_png(folder.join("scrolled.png"), &scrolled).unwrap();
    assert_ne!(pane(&scrolled), pane(&answered));

    // After Escape letters are keys again, and so they are after a click on the board.
    desktop.tap_named(key::ESCAPE);
    desktop.settled(|window| pane(window).join(" ").contains("or a click types here"));
    desktop.tap('x');
    let played = desktop.settled(|window| panel_of(window, &layout(1), 1) != panel);
    desktop.click_on(Rect { left: width + 10, top: 300, width: 40, height: 20 });
    desktop.settled(|window| pane(window).iter().any(|row| row.starts_with('>')));
    desktop.click(&layout(1), Button::B5);
    let last = desktop.settled(|window| pane(window).join(" ").contains("or a click types here"));
    write_png(folder.join("last.png"), &last).unwrap();
    assert!(panel_of(&plain, &layout(1), 1) != panel_of(&played, &layout(1), 1));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = crate::check_replay(&recording, &panel_of(&last, &layout(1), 1));
    let names = crate::input_names(&trace);
    let buttons = ["press of B3", "release of B3", "type", "press of B2", "release of B2"];
    let all = [&["power on"][..], &buttons, &["press of B5", "release of B5", "end"]].concat();
    assert_eq!(names, all);
}
