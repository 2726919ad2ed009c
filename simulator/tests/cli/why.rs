//! Tests `nudge trace why` with pixels of several screens, and with invalid questions.

use std::fs;
use std::path::Path;

use boards::BoardFactory;
use firmware_board::native;
use firmware_insight::LcdBoard;
use ili9341_model::Region;
use reading::{golden::read_png, text::Reader};
use trace::Trace;
use virtual_time::Instant;
use why::{Answer, WhyError, ask, elements};

/// A trace that sows the third cup of the bottom row, then opens the menu, and closes it.
const GAME: &str = "trace 1\ngame board\nfirst bottom\n\n0ms power on\n+0ms settle within 5s\n\
                    +500ms tap B3\n+0ms settle within 5s\n+1s tap RESET for 1500ms\n\
                    +0ms settle within 5s\n+3s tap B6\n+0ms settle within 5s\n+1s end\n";
/// Times in ms at which the LCD shows the board after its start, the board after the move, the
/// menu, and the board again.
const STARTED: u64 = 900;
const SOWN: u64 = 2_400;
const MENU: u64 = 5_400;

fn game() -> Trace {
    trace::parse("game.trace", GAME).unwrap()
}

fn answer(x: usize, y: usize, at_ms: u64) -> Result<Answer, WhyError> {
    let reader = Reader::new(native::fonts());
    ask(
        &game(),
        (x, y).into(),
        Some(Instant::from_millis(at_ms)),
        &firmware_board::factory(),
        Some(&LcdBoard),
        None,
        &reader,
    )
}

/// Checks the screen and the element that drew a pixel, and whether the whole screen was drawn.
#[track_caller]
fn check(x: usize, y: usize, at_ms: u64, screen: &str, element: &str, whole: bool) -> Answer {
    let answer = answer(x, y, at_ms).unwrap();
    let last = answer.writes.last().unwrap();
    let drawn = last.drawn.as_ref().unwrap();
    let found = (drawn.screen.as_str(), drawn.element.as_str(), drawn.whole);
    assert_eq!(found, (screen, element, whole), "{answer}");
    no_line_ends_in_a_blank(&answer.to_string());
    // In every transfer that wrote the pixel, the window contains the pixel, and the counter is at
    // the pixel, with MADCTL 28h.
    assert_eq!(last.write.madctl, 0x28, "{answer}");
    assert_eq!(last.write.position, (x as u16, y as u16), "{answer}");
    let (columns, pages) = (last.write.columns, last.write.pages);
    assert!((columns.0..=columns.1).contains(&(x as u16)), "{answer}");
    assert!((pages.0..=pages.1).contains(&(y as u16)), "{answer}");
    assert!(last.write.at <= answer.at && last.write.transfer.end >= last.write.at, "{answer}");
    answer
}

#[track_caller]
fn no_line_ends_in_a_blank(text: &str) {
    let torn = text.lines().find(|line| line.trim_end() != *line);
    assert_eq!(torn, None, "{text}");
}

/// Returns a pixel of the first cell of `text` on the LCD at the time `at_ms`.
fn place_of(text: &str, at_ms: u64) -> (usize, usize) {
    let reader = Reader::new(native::fonts());
    let mut machine = firmware_board::factory().build(&game(), None).unwrap();
    let options = hal_mock::replay::ReplaySettings {
        until: Some(Instant::from_millis(at_ms)),
        ..hal_mock::replay::ReplaySettings::default()
    };
    let goldens = &mut hal_mock::replay::Unjudged;
    let outcome = hal_mock::replay::replay(&game(), machine.as_mut(), &reader, goldens, &options);
    let screen = reader.read(&machine.board().frame_at(outcome.ended_at));
    let line = screen.lines.iter().find(|line| line.text.contains(text));
    let line = line.unwrap_or_else(|| panic!("no {text:?} on\n{screen}"));
    (line.x + 1, line.y + line.height / 2)
}

#[test]
fn after_power_on_every_pixel_is_from_the_whole_screen() {
    let (x, y) = place_of("Player 1", STARTED);
    let answer = check(x, y, STARTED, "board (board)", "status message", true);
    assert_eq!((answer.writes.len(), answer.count), (1, 1));
    assert_eq!(answer.text.as_deref(), Some("Player 1's turn"));
    assert!(answer.to_string().contains("nothing was written there before"), "{answer}");
}

#[test]
fn the_status_was_drawn_with_the_move() {
    let (x, y) = place_of("FREE TURN", SOWN);
    let before = answer(x, y, STARTED).unwrap();
    let (x, y) = changed_pixel(x, y);
    let answer = check(x, y, SOWN, "board (board)", "status message", false);
    assert!(answer.writes.last().unwrap().write.at > before.writes.last().unwrap().write.at);
}

/// Returns a pixel near x, y that the move has changed.
fn changed_pixel(x: usize, y: usize) -> (usize, usize) {
    let around = (y - 6..y + 6).flat_map(|y| (x..x + 40).map(move |x| (x, y)));
    around
        .into_iter()
        .find(|&(x, y)| answer(x, y, SOWN).is_ok_and(|answer| answer.count > 1))
        .expect("a pixel of the status has changed")
}

#[test]
fn the_count_of_a_cup_was_drawn_with_its_stones() {
    sampled!();
    // Every pixel that the move has written belongs to a part that the move has changed.
    let mut elements = Vec::new();
    for x in (0..320).step_by(17) {
        for y in (0..240).step_by(13) {
            let answer = answer(x, y, SOWN).unwrap();
            let last = answer.writes.last().unwrap();
            let drawn = last.drawn.clone().unwrap();
            assert_eq!(drawn.whole, answer.count == 1, "{answer}");
            if !drawn.whole {
                elements.push(drawn.element);
            }
        }
    }
    let has = |start: &str| elements.iter().any(|element| element.starts_with(start));
    assert!(has("stones of cup #4 (B3), 0 of them"), "{elements:?}");
    assert!(has("count of cup #4 (B3)"), "{elements:?}");
    let untouched = |element: &String| element.contains("(T1)") || element.contains("(B1)");
    assert!(!elements.iter().any(untouched), "{elements:?}");
}

#[test]
fn a_menu_key_was_drawn_with_the_menu_after_the_board() {
    // Only the difference between the two screens is sent.
    let column = firmware_core::screen::layout::Layout::new(firmware_core::lcd::PANEL)
        .button_column(5) as usize;
    let mut of_the_key = (column - 9..column + 9).flat_map(|x| (206..236).map(move |y| (x, y)));
    let sent = of_the_key.find(|&(x, y)| {
        let known = answer(x, y, MENU).unwrap();
        let last = known.writes.last().and_then(|written| written.drawn.as_ref());
        known.count == 2 && last.is_some_and(|drawn| drawn.element == "key above B6")
    });
    let (x, y) = sent.expect("a pixel of the key is another than the board's");
    let answer = check(x, y, MENU, "menu", "key above B6", true);
    let [board, menu] = &answer.writes[..] else { panic!("{answer}") };
    assert_eq!(board.drawn.as_ref().unwrap().screen, "board (board)");
    assert_eq!(menu.write.cell_before, Some(board.write.cell));
    let report = answer.to_string();
    for part in
        ["CASET ", "PASET ", "MADCTL    28h (MV BGR)", "RGB565 ", "SPI transfer ", "earlier"]
    {
        assert!(report.contains(part), "{part}:\n{report}");
    }
}

#[test]
fn the_colour_is_the_one_of_the_screenshot() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.trace"), GAME).unwrap();
    nudge(folder.path(), "screenshot game.trace --at 2400ms --output shot.png", 0);
    let shot = read_png(folder.path().join("shot.png")).unwrap();
    for (x, y) in [(0, 0), (160, 120), (40, 200), (319, 239), (77, 33)] {
        assert_eq!(shot.pixel(x, y), Some(answer(x, y, SOWN).unwrap().colour), "{x},{y}");
    }
}

#[test]
fn an_invalid_question_is_refused_with_the_reason() {
    let error = |x, y, at| answer(x, y, at).unwrap_err().to_string();
    assert_eq!(
        error(320, 10, STARTED),
        "there is no pixel 320,10: the panel has 320x240, 0,0 to 319,239"
    );
    let early = error(10, 10, 100);
    assert!(early.starts_with("nothing has been written to the pixel 10,10 by 100 ms"), "{early}");
    let late = error(10, 10, 3_600_000);
    assert!(late.contains("--at 3600s is behind that"), "{late}");
    let Region { width, height, .. } = Region::PANEL;
    assert!(answer(usize::from(width) - 1, usize::from(height) - 1, STARTED).is_ok());
}

#[test]
fn the_command_answers_and_refuses() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.trace"), GAME).unwrap();
    let why = |options: &str, code| nudge(folder.path(), &format!("trace why {options}"), code);
    let (out, _) = why("game.trace --at 2.4s --pixel 160,120", 0);
    assert!(out.starts_with("pixel 160,120 at 2.4 s is #"), "{out}");
    assert!(out.contains("drawn     screen board (board): "), "{out}");
    no_line_ends_in_a_blank(&out);
    why("game.trace --pixel 160,120", 0);
    let (_, err) = why("game.trace --at 2.4s --pixel 160", 2);
    assert!(err.contains("a pixel is X,Y from the top left, like 160,120"), "{err}");
    let (_, err) = why("game.trace --at 2.4s --pixel 160,240", 2);
    assert!(err.contains("there is no pixel 160,240"), "{err}");
    let (_, err) = why("game.trace --at 9min --pixel 1,1", 2);
    assert!(err.contains("the trace ends at "), "{err}");
    let (_, err) = why("game.trace --at 1ms --pixel 1,1", 1);
    assert!(err.contains("nothing has been written to the pixel 1,1"), "{err}");
    let (_, err) = why("none.trace --at 1s --pixel 1,1", 2);
    assert!(err.contains("none.trace"), "{err}");
}

/// The binary of `make firmware` has function names; without it the test returns at once.
#[test]
fn on_the_pico_the_function_that_sent_the_pixel_is_named() {
    let Ok(maker) = BoardFactory::of(&"pico".parse().unwrap(), &firmware_board::Firmware) else {
        return;
    };
    let reader = Reader::new(native::fonts());
    let at = Some(Instant::from_millis(SOWN));
    let answer =
        ask(&game(), (160, 120).into(), at, &maker, Some(&LcdBoard), None, &reader).unwrap();
    let last = answer.writes.last().unwrap();
    assert_eq!((last.write.position, last.write.madctl), ((160, 120), 0x28));
    assert!(last.drawn.is_none() && !answer.functions.is_empty(), "{answer}");
    // The driver's bus sends the bytes; the compiler has inlined parts of the library into it.
    let bus = "firmware-core/src/pins/lcd/bus.rs";
    let sends = &answer.functions[0];
    assert!(sends.symbol.is_some() && sends.lines.iter().any(|line| line.file == bus), "{answer}");
    let text = answer.to_string();
    no_line_ends_in_a_blank(&text);
    for line in &sends.lines {
        let function = line.function.as_deref().expect("each inlined function has a name");
        assert!(
            text.contains(&format!("at {}:{}, in {function}\n", line.file, line.line)),
            "{text}"
        );
    }
    assert!(text.contains("called from 0x10") && text.contains("firmware-core/src/firmware.rs:"));
}

#[test]
fn without_the_views_of_the_firmware_only_the_element_is_unknown() {
    let reader = Reader::new(native::fonts());
    let (at, factory) = (Some(Instant::from_millis(SOWN)), firmware_board::factory());
    let known = answer(160, 120, SOWN).unwrap();
    let mut unknown = ask(&game(), (160, 120).into(), at, &factory, None, None, &reader).unwrap();
    assert!(unknown.writes.iter().all(|written| written.drawn.is_none()), "{unknown}");
    for (written, known) in unknown.writes.iter_mut().zip(&known.writes) {
        written.drawn.clone_from(&known.drawn);
    }
    assert_eq!(unknown, known);
}

#[test]
fn elements_are_named_by_their_pixels_the_largest_first() {
    let trace = trace::parse("a.trace", "trace 1\ngame board\n\n0ms power on\n2s end\n").unwrap();
    let reader = Reader::new(native::fonts());
    let names = |millis, pixels: &[(usize, usize)]| {
        elements(&LcdBoard, &trace, Instant::from_millis(millis), pixels, &reader)
    };
    let whole: Vec<(usize, usize)> = (0..240).flat_map(|y| (0..320).map(move |x| (x, y))).collect();
    let all = names(1_500, &whole);
    for expected in ["status message", "stones of cup #1 (B6), 4 of them", "rail of Player 2"] {
        assert!(all.iter().any(|name| name == expected), "{expected}: {all:?}");
    }
    let corner = names(1_500, &whole[..1]);
    assert_eq!(corner.len(), 1, "{corner:?}");
    let [first, ..] = &all[..] else { panic!("no names") };
    assert_ne!(Some(first), corner.first(), "the largest element is not in the corner");
    assert!(names(1_500, &[]).is_empty());
    assert!(names(0, &whole).is_empty(), "nothing is drawn before the board has booted");
}

#[track_caller]
fn nudge(folder: &Path, arguments: &str, code: i32) -> (String, String) {
    crate::command::check(folder, arguments, code, &[]).into()
}
