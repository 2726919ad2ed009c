//! The driver mipidsi on the board, in each of its orientations.

use embedded_graphics::pixelcolor::{Rgb565, Rgb666, RgbColor};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};
use embedded_hal::digital::OutputPin;
use mipidsi::Builder;
use mipidsi::interface::SpiInterface;
use mipidsi::models::{ILI9341Rgb565, ILI9341Rgb666};
use mipidsi::options::{ColorInversion, ColorOrder, Orientation, Rotation};

use super::{FRAME_IDLE, Rule};
use crate::{BoardConfig, VirtualBoard};

const BLACK: u32 = 0x000000;
const WHITE: u32 = 0xFFFFFF;
const RED: u32 = 0xFF0000;
const BLUE: u32 = 0x0000FF;

/// Returns the memory's column and page for the host's, by the table of section 8.2.29.
fn physical(madctl: u8, column: usize, page: usize) -> Option<(usize, usize)> {
    let (x, y) = if madctl & 0x20 == 0 { (column, page) } else { (page, column) };
    if x >= 240 || y >= 320 {
        return None;
    }
    let x = if madctl & 0x40 == 0 { x } else { 239 - x };
    let y = if madctl & 0x80 == 0 { y } else { 319 - y };
    Some((x, y))
}

fn orientations() -> Vec<Orientation> {
    let rotations = [Rotation::Deg0, Rotation::Deg90, Rotation::Deg180, Rotation::Deg270];
    let turned = |mirrored| rotations.map(|rotation| Orientation { rotation, mirrored });
    [turned(false), turned(true)].concat()
}

/// Orientation in which this module's panel is upright: MADCTL 28h with BGR.
const UPRIGHT: Orientation = Orientation { rotation: Rotation::Deg90, mirrored: true };

fn powered_board() -> VirtualBoard {
    let board = VirtualBoard::new(BoardConfig::default());
    board.power_on();
    board.lcd_backlight().set_high().unwrap();
    board
}

fn settle(board: &VirtualBoard) {
    board.advance_to(board.now().saturating_add(FRAME_IDLE));
}

#[track_caller]
fn check_clean(board: &VirtualBoard) {
    let violations = board.violations();
    assert!(violations.is_empty(), "{}", violations[0]);
}

#[test]
fn each_orientation_writes_the_cells_that_the_datasheet_gives() {
    for orientation in orientations() {
        let board = powered_board();
        let mut buffer = [0; 61];
        let interface = SpiInterface::new(board.lcd_spi(), board.lcd_dc(), &mut buffer);
        let mut display = Builder::new(ILI9341Rgb565, interface)
            .reset_pin(board.lcd_reset())
            .orientation(orientation)
            .init(&mut board.delay())
            .unwrap();
        display.clear(Rgb565::BLACK).unwrap();
        let spots = [(0, 0), (7, 3), (239, 239), (100, 200)];
        for (x, y) in spots {
            display.set_pixel(x, y, Rgb565::WHITE).unwrap();
        }
        let madctl = board.with_lcd(|lcd| lcd.memory_access_control());
        let expected = spots.map(|(x, y)| physical(madctl, usize::from(x), usize::from(y)));
        for column in 0..240 {
            for page in 0..320 {
                let white = expected.contains(&Some((column, page)));
                let cell = board.with_lcd(|lcd| lcd.memory_pixel(column, page));
                assert_eq!(cell, Some(if white { 0xFCFCFC } else { 0 }), "{orientation:?}");
            }
        }
        check_clean(&board);
        // The driver turns the display on before it draws: a note, not a violation.
        assert!(board.notes().iter().any(|note| note.rule == Rule::DisplayOnUnwritten));
    }
}

#[test]
fn drawings_with_mv_and_bgr_are_upright() {
    let board = powered_board();
    let mut buffer = [0; 64];
    let interface = SpiInterface::new(board.lcd_spi(), board.lcd_dc(), &mut buffer);
    let mut display = Builder::new(ILI9341Rgb565, interface)
        .reset_pin(board.lcd_reset())
        .orientation(UPRIGHT)
        .color_order(ColorOrder::Bgr)
        .init(&mut board.delay())
        .unwrap();
    assert_eq!(board.with_lcd(|lcd| lcd.memory_access_control()), 0x28);
    display.clear(Rgb565::WHITE).unwrap();
    let place = Rectangle::new(Point::new(300, 10), Size::new(15, 4));
    place.into_styled(PrimitiveStyle::with_fill(Rgb565::RED)).draw(&mut display).unwrap();
    settle(&board);
    let frame = board.frame();
    assert_eq!((frame.width(), frame.height()), (320, 240));
    for y in 0..240 {
        for x in 0..320 {
            let inside = (300..315).contains(&x) && (10..14).contains(&y);
            assert_eq!(frame.pixel(x, y), Some(if inside { RED } else { WHITE }), "{x}, {y}");
        }
    }
    check_clean(&board);
}

#[test]
fn the_driver_without_a_reset_pin_obeys_the_rules_too() {
    let board = powered_board();
    board.advance_to(board.now().saturating_add(virtual_time::Nanos::from_millis(5)));
    let mut buffer = [0; 64];
    let interface = SpiInterface::new(board.lcd_spi(), board.lcd_dc(), &mut buffer);
    let mut display = Builder::new(ILI9341Rgb565, interface).init(&mut board.delay()).unwrap();
    let mut delay = board.delay();
    display.sleep(&mut delay).unwrap();
    display.wake(&mut delay).unwrap();
    display.set_vertical_scroll_region(10, 20).unwrap();
    display.set_vertical_scroll_offset(10).unwrap();
    check_clean(&board);
}

#[test]
fn eighteen_bit_colour_and_inversion_come_through_the_driver() {
    let board = powered_board();
    let mut buffer = [0; 64];
    let interface = SpiInterface::new(board.lcd_spi(), board.lcd_dc(), &mut buffer);
    let mut display = Builder::new(ILI9341Rgb666, interface)
        .reset_pin(board.lcd_reset())
        .orientation(UPRIGHT)
        .color_order(ColorOrder::Bgr)
        .invert_colors(ColorInversion::Inverted)
        .init(&mut board.delay())
        .unwrap();
    display.clear(Rgb666::YELLOW).unwrap();
    display.set_pixel(0, 0, Rgb666::WHITE).unwrap();
    settle(&board);
    assert_eq!(board.frame().pixel(0, 0), Some(BLACK));
    assert_eq!(board.frame().pixel(1, 0), Some(BLUE));
    check_clean(&board);
}
