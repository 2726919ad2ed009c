//! The board's wires: bounce, bus time, console, tones, power.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};
use embedded_hal::pwm::SetDutyCycle;
use embedded_hal::spi::{Operation, SpiDevice};
use embedded_io::{Write, WriteReady};
use embedded_storage::nor_flash::{NorFlash, ReadNorFlash};
use proptest::prelude::*;

use super::{
    BOUNCE_HELD_BELOW, BoardConfig, CONSOLE_BYTES_MAX, CONSOLE_LINE_MAX, Tone, UART_BAUD,
    UART_FIFO, VirtualBoard,
};
use crate::flash::{PAGE_PROGRAM, SECTOR_ERASE};
use trace::Button;
use virtual_time::{Instant, Nanos};

fn board(config: BoardConfig) -> VirtualBoard {
    let board = VirtualBoard::new(config);
    board.power_on();
    board
}

fn bouncing(bounce: Nanos, seed: u64) -> VirtualBoard {
    board(BoardConfig { bounce, seed, ..BoardConfig::default() })
}

/// Reads the pin at each edge; returns the time, and whether the pin is low from then on.
fn edges(board: &VirtualBoard, button: Button) -> Vec<(Instant, bool)> {
    let mut pin = board.button_pin(button);
    let mut seen = Vec::new();
    while let Some(at) = board.next_edge() {
        board.advance_to(at);
        seen.push((at, pin.is_low().unwrap()));
    }
    seen
}

const MS: Nanos = Nanos::from_millis(1);
const AT_1_MS: Instant = Instant::from_millis(1);

#[test]
fn without_bounce_a_press_is_one_edge() {
    let board = board(BoardConfig::default());
    board.press(Instant(500), Button::B3);
    board.release(Instant(900), Button::B3);
    assert_eq!(board.next_edge(), Some(Instant(500)));
    assert!(board.button_pin(Button::B3).is_high().unwrap());
    board.advance_to(Instant(500));
    assert!(board.is_down(Button::B3));
    assert!(board.button_pin(Button::B3).is_low().unwrap());
    assert!(board.button_pin(Button::B2).is_high().unwrap());
    assert_eq!(board.next_edge(), Some(Instant(900)));
    board.advance_to(Instant(2_000));
    assert!(!board.is_down(Button::B3));
    assert_eq!(board.next_edge(), Some(Instant(900)), "the edge was not read yet");
    assert!(board.button_pin(Button::B3).is_high().unwrap());
    assert_eq!(board.next_edge(), None);
}

#[test]
fn pressing_a_pressed_button_does_nothing() {
    let board = board(BoardConfig::default());
    board.press(Instant(500), Button::B3);
    board.press(Instant(600), Button::B3);
    board.release(Instant(700), Button::B3);
    board.release(Instant(800), Button::B3);
    let seen = edges(&board, Button::B3);
    assert_eq!(seen, [(Instant(500), true), (Instant(700), false)]);
}

proptest! {
    #[test]
    fn a_contact_bounces_as_promised(
        bounce in 1..30_000_000_u64, seed: u64, at in 0..u64::from(u32::MAX), index in 0..13_usize,
    ) {
        let (bounce, at, button) = (Nanos(bounce), Instant(at), Button::LCD_BOARD[index]);
        let pressed = || {
            let board = bouncing(bounce, seed);
            board.press(at, button);
            edges(&board, button)
        };
        let seen = pressed();
        prop_assert_eq!(&seen, &pressed(), "same seed, same edges");
        prop_assert_eq!(seen[0], (at, true), "the first edge is the press");
        let (last, low) = seen[seen.len() - 1];
        prop_assert!(low, "it settles at the level of the button");
        prop_assert!(last < at.saturating_add(bounce), "before the bounce time is over");
        for pair in seen.windows(2) {
            prop_assert!(pair[0].1 != pair[1].1, "each edge changes the level");
            prop_assert!(pair[1].0 > pair[0].0);
            prop_assert!(pair[1].0.saturating_since(pair[0].0) < BOUNCE_HELD_BELOW, "no level is held");
        }
    }

    #[test]
    fn bounce_does_not_depend_on_the_order_of_calls(seed: u64, gap in 1..20_000_000_u64) {
        let moves = [
            (Instant(1_000), true), (Instant(1_000 + gap), false), (Instant(1_000 + 2 * gap), true),
        ];
        let bounce = Nanos::from_millis(8);
        let play = |order: [usize; 3]| {
            let board = bouncing(bounce, seed);
            for i in order {
                let (at, down) = moves[i];
                if down { board.press(at, Button::T4) } else { board.release(at, Button::T4) }
            }
            edges(&board, Button::T4)
        };
        let seen = play([0, 1, 2]);
        prop_assert!(seen[seen.len() - 1].1, "it ends down");
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            prop_assert_eq!(&seen, &play(order));
        }
    }

    #[test]
    fn after_any_presses_the_pin_matches_the_button(
        seed: u64,
        bounce in 0..10_000_000_u64,
        moves in prop::collection::vec((0..100_000_000_u64, any::<bool>(), 0..5_000_000_u64), 0..40),
    ) {
        let board = bouncing(Nanos(bounce), seed);
        let mut pin = board.button_pin(Button::B1);
        for (at, down, look) in moves {
            if down { board.press(Instant(at), Button::B1) } else { board.release(Instant(at), Button::B1) }
            board.advance_to(board.now().saturating_add(Nanos(look)));
            pin.is_low().unwrap();
        }
        board.advance_to(Instant::from_secs(1));
        prop_assert_eq!(pin.is_low().unwrap(), board.is_down(Button::B1));
        prop_assert_eq!(board.next_edge(), None);
    }
}

#[test]
fn bounce_differs_by_button_and_by_time() {
    let bounce = Nanos::from_millis(5);
    let board = bouncing(bounce, 1);
    board.press(AT_1_MS, Button::B1);
    let first: Vec<_> = edges(&board, Button::B1);
    let other = bouncing(bounce, 1);
    other.press(AT_1_MS, Button::B2);
    assert_ne!(first, edges(&other, Button::B2));
    let seed = bouncing(bounce, 2);
    seed.press(AT_1_MS, Button::B1);
    assert_ne!(first, edges(&seed, Button::B1));
    assert!(first.len() > 1);
}

#[test]
fn a_press_during_a_long_transfer_is_seen_after_it() {
    let board = board(BoardConfig::default());
    let mut pin = board.button_pin(Button::B1);
    assert!(pin.is_high().unwrap());
    board.lcd_spi().write(&[0; 40_000]).unwrap();
    board.press(Instant::from_millis(3), Button::B1);
    assert_eq!(board.next_edge(), Some(Instant::from_millis(3)));
    assert!(pin.is_low().unwrap());
}

#[test]
fn a_button_pressed_without_power_is_down_at_power_on() {
    let board = VirtualBoard::new(BoardConfig { bounce: MS, ..BoardConfig::default() });
    board.press(Instant::START, Button::T2);
    board.advance_to(Instant::from_millis(10));
    assert_eq!(board.next_edge(), None);
    board.power_on();
    assert!(board.button_pin(Button::T2).is_low().unwrap());
    assert_eq!(board.next_edge(), None);
}

#[test]
fn a_whole_frame_takes_39_milliseconds_on_the_bus() {
    let board = board(BoardConfig::default());
    board.lcd_spi().write(&vec![0; 153_600]).unwrap();
    assert_eq!(board.now(), Instant(39_321_600));
    assert_eq!(board.bus().bytes, 153_600);
}

#[test]
fn bus_time_is_exact_at_any_clock() {
    for hz in [1, 3, 7_000_000, 24_000_000, 31_250_000, 62_500_000, u32::MAX] {
        let board = board(BoardConfig { spi_hz: hz, ..BoardConfig::default() });
        let mut spi = board.lcd_spi();
        for _ in 0..1000 {
            spi.write(&[0; 3]).unwrap();
        }
        assert_eq!(u128::from(board.now().0), 3000 * 8_000_000_000 / u128::from(hz), "{hz} Hz");
    }
}

#[test]
fn every_kind_of_operation_takes_its_time() {
    let board = board(BoardConfig::default());
    let (mut spi, mut dc) = (board.lcd_spi(), board.lcd_dc());
    board.delay().delay_ms(5);
    let start = board.now();
    dc.set_low().unwrap();
    spi.write(&[0xD3]).unwrap();
    dc.set_high().unwrap();
    let (mut read, mut both, mut transferred) = ([9; 2], [9; 1], [9; 2]);
    spi.transaction(&mut [
        Operation::Read(&mut read),
        Operation::TransferInPlace(&mut both),
        Operation::DelayNs(1000),
        Operation::Transfer(&mut transferred, &[0; 3]),
    ])
    .unwrap();
    assert_eq!(read, [0x00, 0x00]);
    assert_eq!((both, transferred), ([0x93], [0x41, 0x00]));
    assert_eq!(board.now().saturating_since(start), Nanos(7 * 256 + 1000));
}

#[test]
fn the_delay_advances_the_clock_exactly() {
    let board = board(BoardConfig::default());
    board.delay().delay_ns(7);
    board.delay().delay_us(3);
    board.delay().delay_ms(2);
    assert_eq!(board.now(), Instant(2_003_007));
    board.advance_to(AT_1_MS);
    assert_eq!(board.now(), Instant(2_003_007), "never back");
}

#[test]
fn the_console_accepts_what_fits_and_drains_at_115200_baud() {
    let board = board(BoardConfig::default());
    let mut uart = board.uart();
    let text = [b'x'; 40];
    assert_eq!(uart.write(&text).unwrap(), UART_FIFO);
    assert!(!uart.write_ready().unwrap());
    assert_eq!(board.now(), Instant::START, "taking costs nothing");
    // The FIFO is full: the clock advances until one byte has left, 10 bits later.
    assert_eq!(uart.write(&text).unwrap(), 1);
    assert_eq!(board.now(), Instant(86_805));
    board.advance_to(Instant(173_611));
    assert!(uart.write_ready().unwrap());
    assert_eq!(board.console_bytes(), b"xx");
    uart.flush().unwrap();
    assert_eq!(board.now(), Instant(33 * 10 * 1_000_000_000 / UART_BAUD));
    assert_eq!(board.console_bytes().len(), 33);
}

#[test]
fn a_console_line_is_dated_by_its_newline() {
    let board = board(BoardConfig::default());
    board.advance_to(AT_1_MS);
    board.uart().write_all(b"ok \xFF\r\nrest").unwrap();
    let byte = |n: u64| Instant(1_000_000 + n * 10 * 1_000_000_000 / UART_BAUD);
    board.advance_to(byte(6).saturating_sub(Nanos(1)));
    assert_eq!(board.console_lines(), []);
    board.advance_to(byte(6));
    let lines = board.console_lines();
    assert_eq!(lines.len(), 1);
    assert_eq!((lines[0].at, &lines[0].text[..]), (byte(6), "ok \u{FFFD}"));
    assert_eq!(board.console_lines_from(1), []);
    assert_eq!(board.console_lines_from(99), []);
}

#[test]
fn the_newest_output_of_the_console_is_stored() {
    let board = board(BoardConfig::default());
    let mut uart = board.uart();
    let line = [b'.'; 1 << 16];
    for _ in 0..CONSOLE_BYTES_MAX / line.len() {
        uart.write_all(&line).unwrap();
    }
    uart.write_all(b"late\n").unwrap();
    uart.flush().unwrap();
    let bytes = board.console_bytes();
    assert!(bytes.len() <= CONSOLE_BYTES_MAX && bytes.ends_with(b".late\n"));
    assert_eq!(board.dropped().console_bytes + bytes.len() as u64, CONSOLE_BYTES_MAX as u64 + 5);
    let lines = board.console_lines();
    // Long lines are broken, and the last one has what is left.
    assert_eq!(lines[0].text.len(), CONSOLE_LINE_MAX);
    assert_eq!(lines.last().unwrap().text, "late");
}

#[test]
fn a_board_that_keeps_less_shares_it_with_its_copies() {
    let board = board(BoardConfig::default());
    board.keep_outputs(64 << 10, 100);
    for nth in 0..10_000 {
        board.uart().write_all(format!("line {nth}\n").as_bytes()).unwrap();
    }
    let copy = board.fork();
    for board in [&board, &copy] {
        board.uart().write_all(b"last\n").unwrap();
        board.uart().flush().unwrap();
        assert_eq!(board.with_console(|lines| lines.end()), 10_001);
        let first = board.with_console(|lines| lines.first());
        assert!(first > 7_000, "{first}");
        assert_eq!(board.console_lines_from(9_999)[0].text, "line 9999");
        assert_eq!(board.console_lines_from(0)[0].text, format!("line {first}"));
        assert!(board.console_bytes().len() <= 64 << 10);
    }
}

#[test]
fn a_tone_sounds_while_the_pin_toggles() {
    let board = board(BoardConfig::default());
    let mut buzzer = board.buzzer();
    buzzer.set_duty_cycle_percent(50).unwrap();
    assert_eq!(board.tones(), []);
    buzzer.set_frequency(440);
    board.advance_to(AT_1_MS);
    buzzer.set_frequency(440);
    buzzer.set_frequency(880);
    buzzer.set_duty_cycle_fully_on().unwrap();
    buzzer.set_duty_cycle_percent(25).unwrap();
    board.advance_to(AT_1_MS.saturating_add(MS));
    board.power_off();
    let expected = [(0, Some(440)), (1, Some(880)), (1, None), (1, Some(880)), (2, None)];
    assert_eq!(board.tones(), expected.map(|(ms, hz)| Tone { at: Instant::from_millis(ms), hz }));
    assert_eq!(board.tones_from(4).len(), 1);
}

#[test]
fn flash_operations_take_datasheet_time_and_survive_power_off() {
    let board = board(BoardConfig::default());
    let mut flash = board.flash();
    flash.write(4096, &[1, 2, 3, 4]).unwrap();
    assert_eq!(board.now(), Instant::START.saturating_add(PAGE_PROGRAM));
    board.power_off();
    board.power_on();
    let mut bytes = [0; 4];
    flash.read(4096, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 3, 4]);
    flash.erase(4096, 8192).unwrap();
    assert_eq!(
        board.now(),
        Instant::START.saturating_add(PAGE_PROGRAM).saturating_add(SECTOR_ERASE)
    );
    assert_eq!(board.with_flash(|chip| chip.image()[4096]), 0xFF);
}

#[test]
fn the_board_starts_with_its_flash_image() {
    let mut image = vec![0x5A; crate::flash::FLASH_SIZE];
    image[7] = 0;
    let config = BoardConfig { flash: Some(image.clone()), ..BoardConfig::default() };
    assert!(VirtualBoard::new(config).with_flash(|chip| chip.image() == image));
}

#[test]
fn power_off_loses_unsent_uart_bytes() {
    let board = board(BoardConfig::default());
    board.uart().write_all(b"one\ntwo\n").unwrap();
    board.advance_to(Instant::from_micros(350));
    board.power_off();
    board.advance_to(Instant::from_secs(1));
    assert_eq!(board.console_bytes(), b"one\n");
    assert_eq!(board.uart().write(b"nobody listens").unwrap(), 14);
    assert_eq!(board.console_bytes(), b"one\n");
}

#[test]
fn the_backlight_is_off_until_it_is_driven() {
    let board = board(BoardConfig::default());
    let (mut spi, mut dc, mut light) = (board.lcd_spi(), board.lcd_dc(), board.lcd_backlight());
    board.delay().delay_ms(5);
    dc.set_low().unwrap();
    spi.write(&[0x11]).unwrap();
    board.delay().delay_ms(5);
    spi.write(&[0x29]).unwrap();
    board.delay().delay_ms(5);
    let dark = || board.frame().pixels().iter().all(|pixel| *pixel == 0);
    assert!(dark());
    light.set_high().unwrap();
    assert_eq!(board.frame_due(), Some(board.now().saturating_add(super::FRAME_IDLE)));
    board.delay().delay_ms(5);
    assert!(!dark(), "noise is seen");
    let lit = board.frame_count_at(board.now());
    board.power_off();
    assert!(dark());
    assert_eq!(board.frame_count_at(board.now()), lit + 1);
    assert_eq!(board.violations(), []);
    board.power_on();
    assert_eq!(board.bus(), super::BusStats::default());
}
