//! A firmware in C runs, is left when its board ends, and its mistakes end the board with words.

use std::sync::Arc;

use board_file::BoardFile;
use hal_mock::memory::{Content, MemoryPart};
use hal_mock::{BoardConfig, Machine};
use linked::{Application, Instant, LinkedMachine};
use trace::{Buttons, LedKind, LedState, Leds, Share};

const BOARD: &str = r#"
board = 1
name = "x"
chip = "rp2040"
[[console]]
kind = "uart"
tx = "GP0"
rx = "GP1"
[[display]]
panel = "ssd1306"
bus = "i2c"
sda = "GP4"
scl = "GP5"
[[button]]
name = "GO"
pin = "GP2"
[[led]]
name = "L"
pin = "GP6"
"#;

fn file() -> Arc<BoardFile> {
    Arc::new(board_file::parse("x.board.toml", BOARD).unwrap())
}

fn config() -> BoardConfig {
    BoardConfig {
        buttons: Buttons::new(["GO"]).unwrap(),
        leds: Leds::new([(LedKind::Plain, "L")]).unwrap(),
        ..BoardConfig::default()
    }
}

fn machine(application: Application) -> LinkedMachine {
    LinkedMachine::new(file(), application, config())
}

fn is_lit(machine: &dyn Machine) -> bool {
    let board = machine.board();
    let led = board.parts().leds.all()[0];
    board.led_at(board.now(), led, 0).unwrap().state != LedState::Level(Share::ZERO)
}

/// Checks the error with which a firmware ends.
#[track_caller]
fn check_end(application: Application, expected: &str) {
    let mut machine = machine(application);
    machine.power_on().unwrap();
    let error = machine.run_until(Instant::from_millis(10)).unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn a_firmware_runs_and_is_left_with_its_power() {
    let mut machine = machine(nudge_c::firmware!(test_blinks));
    for _ in 0..3 {
        machine.power_on().unwrap();
        let start = machine.board().now();
        for millis in 0..6 {
            let at = Instant(start.0 + millis * 1_000_000 + 500_000);
            machine.run_until(at).unwrap();
            assert_eq!(is_lit(&machine), millis % 2 == 0, "{millis}");
        }
        machine.power_off();
    }
}

/// Returns a board with memories, and its machine.
fn with_memories(application: Application) -> LinkedMachine {
    let slot = |name: &str, cs: u8, more: &str| {
        format!(
            "[[sd_card]]\nname = \"{name}\"\nsck = \"GP18\"\nmosi = \"GP19\"\nmiso = \"GP16\"\n\
             cs = \"GP{cs}\"\n{more}\n"
        )
    };
    let text = format!(
        "{BOARD}\n[[spi_flash]]\nname = \"LOG\"\nsck = \"GP10\"\nmosi = \"GP11\"\nmiso = \"GP12\"\n\
         cs = \"GP13\"\nsize = \"1 MiB\"\n{}{}",
        slot("CARD", 17, "detect = \"GP20\"\nsize = \"1 MiB\""),
        slot("OLD", 21, ""),
    );
    let content = |erased| Content::new([].into(), 1 << 20, erased);
    let memories =
        vec![MemoryPart::Flash(content(0xFF)), MemoryPart::Card(content(0)), MemoryPart::EmptySlot];
    let file = Arc::new(board_file::parse("x.board.toml", &text).unwrap());
    LinkedMachine::new(file, application, BoardConfig { memories, ..config() })
}

#[test]
fn a_firmware_uses_a_flash_and_a_card() {
    let mut machine = with_memories(nudge_c::firmware!(test_uses_memories));
    machine.power_on().unwrap();
    machine.run_until(Instant::from_millis(100)).unwrap();
    let lines = machine.board().console_lines_from(0).into_iter().map(|line| line.text);
    // A W25Q of 1 MiB; in the idle state after CMD0.
    assert_eq!(lines.collect::<Vec<_>>(), ["flash ef4014", "byte 5a", "card 01, inserted"]);
}

#[test]
fn a_memory_that_is_used_wrongly_is_named() {
    let text = panic_with(with_memories(nudge_c::firmware!(test_asks_for_a_missing_contact)));
    assert!(text.starts_with("the board file has no `detect` for the slot `OLD`; "), "{text}");
    let text = panic_with(with_memories(nudge_c::firmware!(test_selects_a_display)));
    assert!(text.starts_with("the part 0, `LCD`, is no memory; "), "{text}");
}

/// The lamp of `docs/library.md`, which shows `tests/lamp.cpp`.
#[cfg(has_cpp)]
#[test]
fn a_firmware_in_cpp_switches_a_lamp() {
    let mut machine = machine(nudge_c::firmware!(lamp));
    machine.power_on().unwrap();
    let go = machine.board().buttons().named("GO").unwrap();
    for press in 0..4 {
        let at = Instant::from_millis(100 * press + 50);
        machine.run_until(at).unwrap();
        assert_eq!(is_lit(&machine), press % 2 == 1, "before press {press}");
        machine.board().press(at, go);
        machine.run_until(Instant::from_millis(100 * press + 80)).unwrap();
        machine.board().release(machine.board().now(), go);
    }
}

#[test]
fn the_documentation_shows_the_lamp() {
    let source = include_str!("lamp.cpp");
    let page = include_str!("../../docs/library.md");
    assert!(page.contains(&format!("```cpp\n{source}```")), "docs/library.md has another lamp");
}

#[test]
fn boards_on_one_thread_do_not_disturb_each_other() {
    let mut one = machine(nudge_c::firmware!(test_blinks));
    one.power_on().unwrap();
    one.run_until(Instant(2_500_000)).unwrap();
    let mut copy = one.fork().unwrap();
    let mut other = machine(nudge_c::firmware!(test_echoes));
    other.power_on().unwrap();
    for millis in 3..30 {
        let at = Instant(millis * 1_000_000 + 500_000);
        one.run_until(at).unwrap();
        other.run_until(at).unwrap();
        copy.run_until(at).unwrap();
        assert_eq!([is_lit(&one), is_lit(copy.as_ref())], [millis % 2 == 0; 2], "{millis}");
    }
}

#[test]
fn mistakes_end_the_board_with_words() {
    check_end(
        nudge_c::firmware!(test_asks_for_a_missing_part),
        "the firmware asks for the button `GOO`, but the board file has GO; did you mean `GO`?",
    );
    check_end(
        nudge_c::firmware!(test_returns),
        "the firmware's main function has returned; on a chip it never does",
    );
}

/// Returns the message of the panic with which a firmware ends.
fn panic_of(application: Application) -> String {
    panic_with(machine(application))
}

fn panic_with(mut machine: LinkedMachine) -> String {
    machine.power_on().unwrap();
    let run = std::panic::AssertUnwindSafe(|| machine.run_until(Instant::from_millis(10)));
    let panic = std::panic::catch_unwind(run).unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn a_part_that_is_used_as_another_kind_is_named() {
    let text = panic_of(nudge_c::firmware!(test_writes_to_an_input));
    assert!(text.starts_with("the part 0, `GO`, is no output; "), "{text}");
    let text = panic_of(nudge_c::firmware!(test_uses_no_part));
    assert!(text.starts_with("there is no part 77: "), "{text}");
    let text = panic_of(nudge_c::firmware!(test_asks_with_null));
    assert_eq!(text, "a name of a part is a null pointer");
}

#[cfg(target_os = "linux")]
mod statics {
    use super::*;

    fn lines(machine: &dyn Machine) -> Vec<String> {
        machine.board().console_lines_from(0).into_iter().map(|line| line.text).collect()
    }

    fn counted(from: u32, count: u32) -> Vec<String> {
        (from..from + count)
            .map(|blinks| format!("{blinks} blinks, a line that does not fit into the FIFO"))
            .collect()
    }

    #[test]
    fn each_board_and_each_power_on_has_its_own_variables() {
        let start = || {
            let mut machine = machine(nudge_c::firmware!(test_counts_in_statics));
            machine.power_on().unwrap();
            machine
        };
        let (mut one, mut other) = (start(), start());
        for millis in 1..=40 {
            // A byte takes 87 µs: the boards take turns in the middle of different lines.
            other.run_until(Instant::from_millis(50 + millis)).unwrap();
            one.run_until(Instant::from_millis(millis)).unwrap();
        }
        let shown = lines(&one);
        assert!(shown.len() >= 4, "{shown:?}");
        assert_eq!(shown, counted(8, shown.len() as u32));
        assert_eq!(lines(&other), counted(8, lines(&other).len() as u32));
        let mut copy = one.fork().unwrap();
        for machine in [&mut one as &mut dyn Machine, &mut *copy] {
            machine.run_until(Instant::from_millis(60)).unwrap();
            let shown = lines(machine);
            assert_eq!(shown, counted(8, shown.len() as u32));
        }
        let before = lines(&one).len();
        // The line that the power cuts goes on with the first one of the next start.
        one.power_off();
        one.power_on().unwrap();
        one.run_until(Instant::from_millis(90)).unwrap();
        let again = &lines(&one)[before + 1..];
        assert_eq!(again, counted(9, again.len() as u32));
    }

    #[test]
    fn boards_on_several_threads_do_not_disturb_each_other() {
        let run = || {
            let mut machine = machine(nudge_c::firmware!(test_counts_in_statics));
            machine.power_on().unwrap();
            machine.run_until(Instant::from_millis(500)).unwrap();
            lines(&machine)
        };
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(run)).collect();
        for thread in threads {
            let shown = thread.join().unwrap();
            assert_eq!(shown, counted(8, shown.len() as u32));
        }
    }

    #[test]
    fn bytes_are_read_into_the_variables_of_the_board() {
        let start = |text| {
            let mut machine = machine(nudge_c::firmware!(test_echoes_by_statics));
            machine.power_on().unwrap();
            machine.board().type_line(Instant::from_millis(1), text);
            machine
        };
        let (mut one, mut other) = (start("one"), start("other"));
        for millis in 1..20 {
            one.run_until(Instant::from_millis(millis)).unwrap();
            other.run_until(Instant::from_millis(millis)).unwrap();
        }
        assert_eq!((lines(&one), lines(&other)), (vec!["one".into()], vec!["other".into()]));
    }
}
