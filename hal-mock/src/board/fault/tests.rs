//! Faults of the board: contacts, power, the LCD's wire.

use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::{InputPin as _, OutputPin as _};
use embedded_hal::spi::SpiDevice as _;
use embedded_storage::nor_flash::NorFlash as _;

use crate::board::{BoardConfig, VirtualBoard};
use crate::flash::{PAGE_PROGRAM, SECTOR_ERASE};
use trace::Button;
use virtual_time::{Instant, Nanos};

fn board() -> VirtualBoard {
    let board = VirtualBoard::new(BoardConfig { seed: 7, ..BoardConfig::default() });
    board.power_on();
    board
}

fn ms(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn is_closed(board: &VirtualBoard, at: u64) -> bool {
    board.advance_to(ms(at));
    board.button_pin(Button::B3).is_low().unwrap()
}

#[test]
fn a_stuck_contact_stays_closed_until_it_is_healed() {
    let board = board();
    board.stick(ms(10), Button::B3);
    assert!(!is_closed(&board, 9));
    assert!(is_closed(&board, 10));
    board.press(ms(20), Button::B3);
    board.release(ms(30), Button::B3);
    assert!(is_closed(&board, 40));
    board.heal_contact(ms(50), Button::B3);
    assert!(!is_closed(&board, 50));
    board.stick(ms(60), Button::B3);
    board.press(ms(70), Button::B3);
    board.heal_contact(ms(80), Button::B3);
    assert!(is_closed(&board, 90));
}

#[test]
fn a_bouncing_contact_bounces_and_a_healed_one_does_not() {
    let board = board();
    let edges = |from: u64| {
        board.press(ms(from), Button::B3);
        let mut edges = 0;
        while let Some(edge) = board.next_edge() {
            board.advance_to(edge);
            board.button_pin(Button::B3).is_low().unwrap();
            edges += 1;
        }
        board.release(ms(from + 100), Button::B3);
        board.advance_to(ms(from + 200));
        board.button_pin(Button::B3).is_low().unwrap();
        edges
    };
    assert_eq!(edges(1_000), 1);
    board.set_bounce(Button::B3, Nanos::from_millis(8));
    assert!(edges(2_000) > 3);
    board.heal_contact(board.now(), Button::B3);
    assert_eq!(edges(3_000), 1);
}

/// Sends a black picture over a noisy wire and counts the pixels that are not black.
fn pixels_disturbed(board: &VirtualBoard) -> usize {
    const WIDTH: usize = 240;
    const HEIGHT: usize = 320;
    let (mut spi, mut dc) = (board.lcd_spi(), board.lcd_dc());
    for (command, arguments) in [(0x3A, &[0x55][..]), (0x2C, &[])] {
        dc.set_low().unwrap();
        spi.write(&[command]).unwrap();
        dc.set_high().unwrap();
        spi.write(arguments).unwrap();
    }
    board.flip_bits(Some(1_000));
    spi.write(&[0; WIDTH * HEIGHT * 2]).unwrap();
    let is_disturbed =
        |at: &usize| board.with_lcd(|lcd| lcd.memory_pixel(at % WIDTH, at / WIDTH)) != Some(0);
    (0..WIDTH * HEIGHT).filter(is_disturbed).count()
}

#[test]
fn a_power_cut_in_a_transfer_keeps_the_bytes_before_it() {
    let board = board();
    board.advance_to(ms(10));
    board.cut_power_at(ms(10).saturating_add(Nanos(10 * 256)));
    let mut spi = board.lcd_spi();
    spi.write(&[0; 100]).unwrap();
    // 31.25 MHz: a byte takes 256 ns.
    assert_eq!(board.now(), ms(10).saturating_add(Nanos(10 * 256)));
    assert_eq!(board.bus().bytes, 10);
    assert!(!board.is_powered());
    // Without power the pins are dead and operations take no time.
    spi.write(&[0; 100]).unwrap();
    board.delay().delay_ms(100);
    assert_eq!((board.now(), board.bus().bytes), (ms(10).saturating_add(Nanos(10 * 256)), 10));
    board.power_on();
    spi.write(&[0; 100]).unwrap();
    assert_eq!(board.bus().bytes, 100);
}

#[test]
fn a_power_cut_in_the_past_takes_effect_at_once() {
    let board = board();
    board.advance_to(ms(10));
    board.cut_power_at(ms(4));
    assert!(!board.is_powered());
    assert_eq!(board.now(), ms(10));
}

#[test]
fn a_power_cut_in_an_erasure_tears_the_sector() {
    let board = board();
    board.flash().write(0, &[0; 256]).unwrap();
    let begun = board.now();
    board.cut_power_at(begun.saturating_add(Nanos(SECTOR_ERASE.0 / 2)));
    assert!(board.flash().erase(0, 4096).is_err());
    assert_eq!(board.now(), begun.saturating_add(Nanos(SECTOR_ERASE.0 / 2)));
    assert!(!board.is_powered());
    let torn = board.with_flash(|flash| flash.image()[..256].to_vec());
    assert!(torn.iter().any(|byte| *byte != 0) && torn.iter().any(|byte| *byte != 0xFF));
}

#[test]
fn a_power_cut_in_a_program_keeps_the_bytes_already_programmed() {
    let board = board();
    let begun = board.now();
    board
        .cut_power_at(begun.saturating_add(PAGE_PROGRAM).saturating_add(Nanos(PAGE_PROGRAM.0 / 4)));
    assert!(board.flash().write(0, &[0; 512]).is_err());
    let image = board.with_flash(|flash| flash.image()[..512].to_vec());
    assert!(image[..256 + 64].iter().all(|byte| *byte == 0));
    assert!(image[256 + 64..].iter().any(|byte| *byte != 0));
}

#[test]
fn a_power_cut_after_a_flash_operation_leaves_it_complete() {
    let board = board();
    board.cut_power_at(board.now().saturating_add(PAGE_PROGRAM));
    board.flash().write(0, &[0; 256]).unwrap();
    assert!(!board.is_powered());
    assert!(board.with_flash(|flash| flash.image()[..256].iter().all(|byte| *byte == 0)));
}

#[test]
fn a_cut_at_a_byte_of_the_flash_takes_the_boards_power() {
    let board = board();
    board.cut_flash_after(37);
    board.flash().write(0, &[0; 36]).unwrap();
    assert!(board.is_powered());
    assert!(board.flash().write(36, &[0; 8]).is_err());
    assert!(!board.is_powered());
    board.power_on();
    board.flash().write(36, &[0; 64]).unwrap();
}

#[test]
fn flipped_bits_have_the_configured_rate_and_are_repeatable() {
    let disturbed = pixels_disturbed(&board());
    // 1,228,800 bits, one in a thousand, and few of them in the same pixel.
    assert!((1_100..1_350).contains(&disturbed), "{disturbed}");
    assert_eq!(disturbed, pixels_disturbed(&board()));
}

#[test]
fn the_linter_pauses_from_flipped_bits_to_the_next_power_on() {
    let board = board();
    board.flip_bits(Some(1));
    board.lcd_dc().set_low().unwrap();
    board.lcd_spi().write(&[0x2C]).unwrap();
    assert!(board.violations().is_empty());
    board.flip_bits(None);
    board.power_off();
    board.power_on();
    board.lcd_dc().set_low().unwrap();
    board.lcd_spi().write(&[0x2C]).unwrap();
    assert!(!board.violations().is_empty());
}
