//! Colours and fonts of all screens.
//!
//! Capitals of all text are at least 10 pixels high (1.5 mm on a panel of 2.4 inches). Text has a
//! contrast of at least 7:1 on its background (WCAG 2.2, criterion 1.4.6); text of unavailable
//! choices has 4.5:1 (criterion 1.4.3). The tests of the board and the pages measure both.
//!
//! The two players are orange and sky blue, which people with every common kind of colour vision
//! can distinguish (Okabe and Ito, Color Universal Design, 2008); colour alone never carries
//! meaning.

use embedded_graphics::mono_font::ascii::{FONT_7X14, FONT_7X14_BOLD};
use embedded_graphics::pixelcolor::Rgb565;
use profont::{PROFONT_14_POINT, PROFONT_18_POINT, PROFONT_24_POINT};

use super::font::Font;
use crate::game::places::Player;

/// Font of the key caps: five characters fit above a button. It is the bold 7x14 of X11's fixed
/// fonts, narrower than ProFont with capitals of the same height.
pub const KEY_FONT: &Font =
    &Font::cut(&FONT_7X14_BOLD, include_bytes!(concat!(env!("OUT_DIR"), "/7x14-bold.raw")));
/// Font of lines that are too long for [`LABEL_FONT`]: not bold, because bold fills `m` and `w`.
pub const LIST_FONT: &Font =
    &Font::cut(&FONT_7X14, include_bytes!(concat!(env!("OUT_DIR"), "/7x14.raw")));
/// Font of the labels next to the buttons.
pub const LABEL_FONT: &Font =
    &Font::cut(&PROFONT_14_POINT, include_bytes!(concat!(env!("OUT_DIR"), "/14.raw")));
/// Font of the status message and the stones in a cup.
pub const TEXT_FONT: &Font =
    &Font::cut(&PROFONT_18_POINT, include_bytes!(concat!(env!("OUT_DIR"), "/18.raw")));
/// Font of the stones in a store.
pub const STORE_FONT: &Font =
    &Font::cut(&PROFONT_24_POINT, include_bytes!(concat!(env!("OUT_DIR"), "/24.raw")));

/// Fonts of text on the LCD, with their names: for code that reads text off the panel's pixels
/// ([`Font::to_mono`]).
pub const FONTS: [(&str, &Font); 5] = [
    ("key", KEY_FONT),
    ("list", LIST_FONT),
    ("label", LABEL_FONT),
    ("text", TEXT_FONT),
    ("store", STORE_FONT),
];

/// Characters of text on the LCD.
pub const CHARACTERS: &str =
    "0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:;!?'#+-/()%=";

/// Background of the board between the cups.
pub const GROUND: Rgb565 = rgb(0x14, 0x1C, 0x26);
/// Background of the status message.
pub const MESSAGE_GROUND: Rgb565 = rgb(0x22, 0x2E, 0x3C);
/// Inside of cups and stores.
pub const HOLLOW: Rgb565 = rgb(0x06, 0x0A, 0x10);
/// Rim of a cup at rest.
pub const RIM: Rgb565 = rgb(0x5C, 0x70, 0x88);
/// Rim of a place that a stone is falling into: a thick line.
pub const RIM_SOWING: Rgb565 = rgb(0xFF, 0xFF, 0xFF);
/// Rim of a cup that is being captured, and of a store that gives a free turn: a thin line with
/// thick corners.
pub const RIM_EVENT: Rgb565 = rgb(0xFF, 0xD0, 0x00);
/// Rim of the cup that Help would play.
pub const RIM_ADVICE: Rgb565 = rgb(0xFF, 0xFF, 0xFF);
/// Dash next to a place.
pub const DASH: Rgb565 = rgb(0xFF, 0xFF, 0xFF);
/// Text that matters now.
pub const INK: Rgb565 = rgb(0xFF, 0xFF, 0xFF);
/// Text that matters less, but is still meant to be read.
pub const INK_DIM: Rgb565 = rgb(0xB8, 0xC4, 0xD0);
/// Text of an unavailable choice.
pub const INK_OFF: Rgb565 = rgb(0x7C, 0x8C, 0x9C);
/// Text about something that was refused or is broken.
pub const INK_WARNING: Rgb565 = rgb(0xF0, 0xE4, 0x42);

/// Background of the entry, file or letter that the keys act on.
pub const CURSOR_GROUND: Rgb565 = rgb(0xE6, 0xEC, 0xF2);
/// Text on [`CURSOR_GROUND`].
pub const CURSOR_INK: Rgb565 = rgb(0x14, 0x1C, 0x26);
/// Text on [`CURSOR_GROUND`] of an unavailable choice.
pub const CURSOR_INK_OFF: Rgb565 = rgb(0x5A, 0x68, 0x76);
/// Background of a soft key's cap.
pub const KEY_GROUND: Rgb565 = rgb(0x30, 0x42, 0x58);
/// Rim of a soft key's cap.
pub const KEY_RIM: Rgb565 = rgb(0x9C, 0xAC, 0xBC);
/// Panel when the board is switched off.
pub const OFF: Rgb565 = rgb(0, 0, 0);

/// Edge of a stone, which separates it from the next.
pub const STONE_EDGE: Rgb565 = rgb(0x5C, 0x44, 0x20);
/// Body of a stone.
pub const STONE_BODY: Rgb565 = rgb(0xE8, 0xCE, 0x90);
/// Side of a stone away from the light.
pub const STONE_SHADE: Rgb565 = rgb(0xB8, 0x94, 0x54);
/// Highlight of a stone.
pub const STONE_SHINE: Rgb565 = rgb(0xFF, 0xFF, 0xF4);

/// Returns the colour of a player: orange at the bottom, sky blue at the top.
pub const fn player(player: Player) -> Rgb565 {
    match player {
        Player::Bottom => rgb(0xFF, 0xA8, 0x18),
        Player::Top => rgb(0x56, 0xB4, 0xE9),
    }
}

/// Returns the nearest RGB565 colour to eight bits a channel.
const fn rgb(red: u8, green: u8, blue: u8) -> Rgb565 {
    const fn scale(value: u8, max: u16) -> u8 {
        ((value as u16 * max + 127) / 255) as u8
    }
    Rgb565::new(scale(red, 31), scale(green, 63), scale(blue, 31))
}
