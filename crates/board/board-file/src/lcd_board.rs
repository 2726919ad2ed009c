//! The description of the LCD board, embedded in the program.

use std::sync::LazyLock;

use crate::parse::parse;
use crate::parts::BoardFile;

/// The text of `boards/lcd-board.board.toml`.
pub const LCD_BOARD: &str = include_str!("../../../../boards/lcd-board.board.toml");

/// Returns the description of the LCD board.
///
/// # Panics
/// If the embedded file has an error, which a test of this crate excludes.
pub fn lcd_board() -> &'static BoardFile {
    static BOARD: LazyLock<BoardFile> = LazyLock::new(|| {
        parse("lcd-board.board.toml", LCD_BOARD).unwrap_or_else(|errors| panic!("{errors}"))
    });
    &BOARD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_is_the_wiring_of_the_document() {
        let board = lcd_board();
        let wiring = include_str!("../../../../docs/wiring.md");
        let gpio_of = |signal: &str| {
            let row = wiring.lines().find(|line| line.starts_with(&format!("| {signal} |")));
            let cell = row.and_then(|row| row.split('|').nth(2)).unwrap_or_default();
            cell.trim().parse::<u8>().unwrap_or_else(|_| panic!("{signal}: {row:?}"))
        };
        let (lcd, console) = (&board.display[0], &board.console[0]);
        for (signal, pin) in [
            ("UART0 TX", console.tx),
            ("UART0 RX", console.rx),
            ("RESET", Some(board.button[12].pin)),
            ("buzzer", Some(board.buzzer[0].pin)),
            ("LCD MISO", lcd.miso),
            ("LCD CS", lcd.cs),
            ("LCD SCK", lcd.sck),
            ("LCD MOSI", lcd.mosi),
            ("LCD DC", lcd.dc),
            ("LCD RST", lcd.rst),
            ("LCD backlight", lcd.backlight),
        ] {
            assert_eq!(pin.map(|pin| pin.gpio), Some(gpio_of(signal)), "{signal}");
        }
        // `B1 … B4` to `T3 … T6` are GPIO 2 to 13, in the order of the names.
        let pins: Vec<u8> = board.button.iter().map(|button| button.pin.gpio).collect();
        assert_eq!(pins, (2..=14).collect::<Vec<u8>>());
    }
}
