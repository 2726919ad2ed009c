//! Lines about controls and LEDs: what they mean, how they are written, and their errors.

use std::path::Path;
use std::sync::Arc;

use super::*;
use ili9341_model::frame::Region;
use virtual_time::{Instant, Nanos};

/// The panel of the second display.
const TOP: Region = Region { x: 0, y: 0, width: 128, height: 64 };

/// Returns the parts of a board with one part of each kind.
pub(crate) fn parts() -> BoardParts {
    let controls = [
        (ControlKind::Encoder, "DIAL"),
        (ControlKind::Switch, "MODE"),
        (ControlKind::Joystick, "STICK"),
        (ControlKind::Potentiometer, "VOLUME"),
        (ControlKind::Touch(TouchArea { display: 0, width: 320, height: 240 }), "PAD"),
    ];
    let leds = [
        (LedKind::Plain, "STATUS"),
        (LedKind::Pwm, "DIMMED"),
        (LedKind::Rgb, "MOOD"),
        (LedKind::Chain { count: 4, has_white: false }, "STRIP"),
        (LedKind::Chain { count: 2, has_white: true }, "WARM"),
    ];
    BoardParts {
        buttons: Buttons::new(["A", "UP"]).unwrap(),
        controls: Controls::new(controls).unwrap(),
        leds: Leds::new(leds).unwrap(),
        displays: Displays::new([("FRONT", Region::PANEL), ("TOP", TOP)]).unwrap(),
        panel: Region::PANEL,
    }
}

/// Files with the one board above.
struct OneBoard;

impl IncludeSource for OneBoard {
    fn read(&mut self, _: &Path, _: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        Err(IncludeReadError::NotFound)
    }

    fn board(&mut self, _: &Path) -> Result<BoardParts, BoardError> {
        Ok(parts())
    }
}

fn read(line: &str) -> Result<Action, ParseErrorKind> {
    parse_action(line, &parts())
}

/// Checks that a line is read, and written in the same way.
#[track_caller]
fn check(line: &str) -> Action {
    let action = read(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    assert_eq!(action.to_string(), line);
    action
}

/// Checks the error of a line.
#[track_caller]
fn refused(line: &str, expected: &str) {
    let error = read(line).expect_err(line);
    assert_eq!(error.to_string(), expected, "{line}");
}

#[test]
fn every_form_is_written_as_it_is_read() {
    for line in [
        "turn DIAL by 3",
        "turn DIAL by -1000",
        "turn DIAL by -3 over 200ms",
        "switch MODE on",
        "switch MODE off",
        "set VOLUME 0.5",
        "set VOLUME 1",
        "set STICK 0,0.0625",
        "touch PAD at 0,0",
        "touch PAD at 319,239 for 80ms",
        "drag PAD to 200,40 over 300ms",
        "lift PAD",
        "expect led STATUS on",
        "expect led DIMMED 12.5%",
        "expect led MOOD #ff8000",
        "expect led STRIP off",
        "expect led STRIP 3 #00ff00",
        "expect led WARM 0 #00000040",
    ] {
        check(line);
    }
    let turn = check("turn DIAL by -3 over 200ms");
    let over = Some(Nanos::from_millis(200));
    let control = parts().controls.named("DIAL").unwrap();
    assert_eq!(turn, Action::Move { control, movement: Movement::Turn { by: -3, over } });
    assert_eq!((turn.noun().as_str(), turn.is_input()), ("turn of DIAL", true));
    assert!(check("expect led STATUS on").is_expectation());
}

#[test]
fn a_line_names_the_display_that_it_reads() {
    for line in [
        "expect frame a on TOP in 0,0,128,64 ignore 1,1,2,2",
        "expect text \"READY\" on TOP in 0,0,128,8 for 2s",
        "expect no text \"on\" on FRONT",
        "wait text \"READY\" on TOP within 5s",
        "screenshot a on TOP",
        "expect frames all on TOP",
        "expect settled frames all on TOP",
        "expect frame-time < 45ms on TOP",
        "expect backlight on on TOP",
        "expect backlight off on FRONT",
        "settle on TOP within 5s",
        "fault spi flip 1/1000 on TOP",
        "fault none spi on TOP",
    ] {
        let named = check(line).display().unwrap();
        assert_eq!(Some(named), parts().displays.named(named.name()), "{line}");
    }
    assert_eq!(check("expect frame a in 0,0,320,240").display(), None);
    // Options come in any order, and regions are on the display of the line.
    let action = read("expect frame a in 0,0,128,64 on TOP").unwrap();
    assert_eq!(action.to_string(), "expect frame a on TOP in 0,0,128,64");
    refused(
        "expect text \"x\" in 0,0,129,8 on TOP",
        "the region 0,0,129,8 reaches out of the panel, which has 128x64 pixels",
    );
    refused("expect frame a on TPO", "unknown display `TPO`; did you mean `TOP`?");
    for line in [
        "expect frames all on TPO",
        "expect settled frames all on TPO",
        "expect frame-time < 45ms on TPO",
        "expect backlight on on TPO",
        "settle on TPO within 5s",
        "fault spi flip 1/9 on TPO",
        "fault none spi on TPO",
    ] {
        refused(line, "unknown display `TPO`; did you mean `TOP`?");
    }
    refused("expect backlight on TOP", "nothing may follow `expect backlight`, but `TOP` does");
    refused("screenshot a on X", "unknown display `X`; the board has FRONT, TOP");
    refused("wait text \"x\" on within 5s", "unknown display `within`; the board has FRONT, TOP");
    refused("expect frame a on TOP on FRONT", "`on` is given twice");
    refused("expect text \"x\" on", "`on` needs the name of a display: FRONT, TOP");
}

#[test]
fn a_turn_takes_25_ms_a_detent_or_its_own_time() {
    let lasts = |line| match check(line) {
        Action::Move { movement, .. } => movement.lasts(),
        _ => Nanos::ZERO,
    };
    assert_eq!(lasts("turn DIAL by -4"), Nanos::from_millis(100));
    assert_eq!(lasts("turn DIAL by 4 over 1s"), Nanos::from_secs(1));
    assert_eq!(lasts("switch MODE on"), Nanos::ZERO);
}

#[test]
fn a_finger_stays_on_the_pixels_of_the_display() {
    refused(
        "touch PAD at 320,0",
        "`320,0` is outside of the display of PAD, which has 320x240 pixels",
    );
    refused(
        "drag PAD to 0,99999 over 1s",
        "`0,99999` is outside of the display of PAD, which has 320x240 pixels",
    );
    for word in ["120", "120,", ",40", "-1,4", "1,2,3", "0.5,0.5"] {
        refused(
            &format!("touch PAD at {word}"),
            &format!("`{word}` is no pixel; write `x,y` from the upper left corner, like `120,40`"),
        );
    }
    refused("touch PAD 1,2", "`touch` needs `at`, not `1,2`");
    refused("touch PAD at 1,2 over 1s", "the pixel needs `for`, not `over`");
    refused(
        "touch PAD at 1,2 for 0ms",
        "a finger that stays for no time touches nothing; name a time above 0, or leave out `for`",
    );
    refused("drag PAD to 1,2", "the pixel needs `over`");
    refused("drag PAD to 1,2 over 9ms", "a drag takes 10 ms to 60 s, not 9 ms");
    refused("drag PAD to 1,2 over 61s", "a drag takes 10 ms to 60 s, not 61 s");
    refused("lift PAD now", "nothing may follow `lift of PAD`, but `now` does");
    refused(
        "touch DIAL at 1,2",
        "DIAL is an encoder, and `touch` is for a touch panel; write `turn DIAL by 1`",
    );
    refused(
        "tap PAD",
        "PAD is a touch panel, and `tap` is for buttons; write `touch PAD at 120,40`",
    );
    refused("lift A", "A is a button, and `lift` is for a touch panel; write `tap A`");
    refused("touch", "`touch` needs the name of a touch panel: PAD");
}

#[test]
fn a_verb_for_another_part_names_the_right_verb() {
    refused("turn A by 1", "A is a button, and `turn` is for an encoder; write `tap A`");
    refused(
        "turn MODE by 1",
        "MODE is a switch, and `turn` is for an encoder; write `switch MODE on`",
    );
    refused(
        "set DIAL 0.5",
        "DIAL is an encoder, and `set` is for a joystick or a potentiometer; write `turn DIAL by 1`",
    );
    refused("tap DIAL", "DIAL is an encoder, and `tap` is for buttons; write `turn DIAL by 1`");
    refused(
        "press STICK",
        "STICK is a joystick, and `press` is for buttons; write `set STICK 0.5,0.5`",
    );
}

#[test]
fn unknown_names_are_answered_with_the_nearest_or_all() {
    refused("turn DAIL by 1", "unknown encoder `DAIL`; did you mean `DIAL`?");
    refused("set x 1", "unknown joystick or potentiometer `x`; the board has STICK, VOLUME");
    refused("expect led STRP on", "unknown LED `STRP`; did you mean `STRIP`?");
    refused("expect led X on", "unknown LED `X`; the board has STATUS, DIMMED, MOOD, STRIP, WARM");
}

#[test]
fn values_out_of_range_are_refused_with_the_limit() {
    refused("turn DIAL by 0", "a turn by 0 detents moves nothing; write at least 1, or -1");
    refused("turn DIAL by 1001", "`1001` is out of range; a line turns by -1000 to 1000 detents");
    refused(
        "turn DIAL by 1.5",
        "`1.5` is no number of detents; write a whole number, like `3`, or `-3` for counterclockwise",
    );
    refused(
        "turn DIAL by 100 over 99ms",
        "a turn by this number of detents takes 100 ms to 60 s, not 99 ms",
    );
    refused("set VOLUME 1.01", "`1.01` is out of range; a voltage is 0 to 1, as a share of 3.3 V");
    refused("set VOLUME -0.1", "`-0.1` is out of range; a voltage is 0 to 1, as a share of 3.3 V");
    refused(
        "set VOLUME 50%",
        "`50%` is no share of 3.3 V; write a number from 0 to 1 with at most four decimals, like `0.5`",
    );
    refused(
        "set STICK 0.5",
        "`0.5` does not fit STICK, which has two axes: write `x,y`, like `0.5,0.1`",
    );
    refused(
        "set VOLUME 0.5,0.1",
        "`0.5,0.1` does not fit VOLUME, which has one voltage, like `0.5`",
    );
    refused("expect led DIMMED 101%", "`101%` is out of range; a duty cycle is 0% to 100%");
    refused(
        "expect led STRIP 4 on",
        "STRIP has no LED `4`; its LEDs are 0 to 3, from its input on",
    );
    refused(
        "expect led STATUS 0 on",
        "STATUS is a single LED, without numbers; write `expect led STATUS on`",
    );
    refused(
        "expect led STATUS 50%",
        "`50%` does not fit the LED STATUS, whose state is `on` or `off`",
    );
    refused(
        "expect led STRIP 0 #00000000",
        "`#00000000` does not fit the LED STRIP, whose state is `on`, `off` or a colour like `#ff8000`",
    );
    refused(
        "expect led MOOD red",
        "`red` is no state of this LED; it is `on`, `off` or a colour like `#ff8000`",
    );
}

#[test]
fn missing_and_additional_words_are_named() {
    refused("turn", "`turn` needs the name of an encoder: DIAL");
    refused("turn DIAL 3", "`turn` needs `by`, not `3`");
    refused("turn DIAL by", "`by` needs a number of detents, like `3` or `-3`");
    refused("turn DIAL by 3 in 1s", "the number of detents needs `over`, not `in`");
    refused("switch MODE", "`switch` needs `on` or `off`");
    refused("switch MODE up", "unknown position of a switch `up`; known are on, off");
    refused(
        "expect led",
        "`expect led` needs the name of an LED: STATUS, DIMMED, MOOD, STRIP, WARM",
    );
    refused(
        "expect led STRIP 1",
        "the number of the LED needs its state: `on`, `off` or a colour like `#ff8000`",
    );
    refused("switch MODE on off", "nothing may follow `switch of MODE`, but `off` does");
}

#[test]
fn the_lcd_board_has_no_such_parts() {
    let refused = |line: &str, expected: &str| {
        let error = parse("win.trace", &format!("trace 1\n0ms power on\n1s {line}\n"));
        assert_eq!(error.unwrap_err().to_string(), format!("win.trace:3:{expected}"), "{line}");
    };
    refused(
        "turn ENC by 1",
        "9: the board has no encoder; `turn` is for an encoder, which a board file describes with \
         [[encoder]]",
    );
    refused(
        "set JOY 0,0",
        "8: the board has no joystick; `set` is for a joystick or a potentiometer, which a board file \
         describes with [[joystick]]",
    );
    refused(
        "touch PAD at 0,0",
        "10: the board has no touch panel; `touch` is for a touch panel, which a board file describes \
         with [[touch]]",
    );
    refused("switch B1 on", "11: B1 is a button, and `switch` is for a switch; write `tap B1`");
    refused(
        "expect led L on",
        "15: the board has no LED; `expect led` is for one that a board file describes with [[led]]",
    );
    refused("screenshot a on TOP", "20: unknown display `TOP`; the board has LCD");
}

#[test]
fn a_recorder_writes_the_names_of_its_events() {
    let parts = parts();
    let mut recorder = Recorder::start(Vec::new(), &[]).unwrap();
    recorder.record(Instant::START, Action::PowerOn).unwrap();
    for (millis, line) in (1..).zip([
        "set STICK 0.5,0.1",
        "turn DIAL by 3",
        "expect led STRIP 3 on",
        "screenshot a on TOP",
    ]) {
        let action = parse_action(line, &parts).unwrap();
        recorder.record(Instant::from_millis(millis), action).unwrap();
    }
    let text = String::from_utf8(recorder.finish(Instant::from_secs(1)).unwrap()).unwrap();
    let read = parse_on("x", text.as_bytes(), &mut NoIncludes, Some(&parts)).unwrap();
    assert_eq!(read.lines.len(), 6);
    assert!(text.contains("2ms     turn DIAL by 3\n"), "{text}");
    // A trace that this crate has written is read without its board.
    assert_eq!(parse_written("x", &text, &read).unwrap(), read);
}

#[test]
fn a_colour_is_no_comment_and_a_comment_no_colour() {
    let text = "trace 1\nboard x.toml\n\n0ms     power on\n1s      expect led MOOD #ff8000 #00ff00 is wrong\n\
                +0ms expect led STRIP   3 #00ff00\n+0ms    expect led STRIP on # #00ff00\n";
    let formatted = format("win.trace", text.as_bytes(), &mut OneBoard).unwrap();
    let lines: Vec<&str> = formatted.lines().skip(4).collect();
    assert_eq!(
        lines,
        [
            "1s      expect led MOOD #ff8000 # 00ff00 is wrong",
            "+0ms    expect led STRIP 3 #00ff00",
            "+0ms    expect led STRIP on   # #00ff00",
        ]
    );
    refused("expect led STATUS #comment", "`expect led STATUS` needs its state: `on` or `off`");
}

/// Checks lines after `power on`; `None`: they are right.
#[track_caller]
fn check_order(lines: &str, expected: Option<&str>) {
    let text = format!("trace 1\n\n0ms power on\n{lines}\n");
    let found = parse_on("t.trace", text.as_bytes(), &mut NoIncludes, Some(&parts()));
    assert_eq!(found.err().map(|error| error.to_string()).as_deref(), expected, "{lines}");
}

#[test]
fn only_a_finger_on_the_panel_is_lifted() {
    let nobody =
        "t.trace:4:5: lift of PAD, which no finger touches; `touch PAD at X,Y` puts one on it";
    check_order("+1s lift PAD", Some(nobody));
    check_order(
        "+1s touch PAD at 1,1\n+1s lift PAD\n+1s drag PAD to 2,2 over 20ms\n+0ms lift PAD",
        None,
    );
    let twice = nobody.replace(":4:", ":6:");
    check_order("+1s touch PAD at 1,1\n+1s lift PAD\n+1s lift PAD", Some(&twice));
    // A movement during another one begins at its end, so the finger is up by then.
    let by_itself = "t.trace:5:7: lift of PAD, which the touch in line 4 lifts by itself";
    check_order("+1s touch PAD at 1,1 for 1s\n+10ms lift PAD", Some(by_itself));
    check_order("+1s touch PAD at 1,1 for 1s\n+1s touch PAD at 2,2\n+1s lift PAD", None);
    // After a wrong line the finger is not known.
    let text = "trace 1\n\n0ms power on\n+1s touch PAX at 1,1\n+1s lift PAD\n";
    let errors = parse_on("t.trace", text.as_bytes(), &mut NoIncludes, Some(&parts())).unwrap_err();
    assert_eq!(errors.to_string().lines().count(), 1, "{errors}");
}
