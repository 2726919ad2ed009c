//! Colours and fonts of all screens.
//!
//! No letter that is read has capitals lower than 10 pixels (1.5 mm on a panel of 2.4 inches). Text
//! has a contrast of at least 7:1 on its ground (WCAG 2.2, criterion 1.4.6); text of what cannot be
//! chosen now has 4.5:1 (criterion 1.4.3). The tests of the board and the pages measure both.
//!
//! The two players are orange and sky blue, which every common kind of colour vision
//! tells apart (Okabe and Ito, Color Universal Design, 2008); colour alone never carries meaning.

use embedded_graphics::mono_font::ascii::{FONT_7X14, FONT_7X14_BOLD};
use embedded_graphics::pixelcolor::Rgb565;
use profont::{PROFONT_14_POINT, PROFONT_18_POINT, PROFONT_24_POINT};

use super::font::Font;
use crate::game::places::Player;

/// Key caps: five characters stand above a button. It is narrower than ProFont with capitals of the
/// same height: the bold 7x14 of X11's fixed fonts.
pub const KEY_FONT: &Font =
    &Font::cut(&FONT_7X14_BOLD, include_bytes!(concat!(env!("OUT_DIR"), "/7x14-bold.raw")));
/// Lines that are too long for [`LABEL_FONT`]: not bold, which fills `m` and `w`.
pub const LIST_FONT: &Font =
    &Font::cut(&FONT_7X14, include_bytes!(concat!(env!("OUT_DIR"), "/7x14.raw")));
/// Labels beside the buttons.
pub const LABEL_FONT: &Font =
    &Font::cut(&PROFONT_14_POINT, include_bytes!(concat!(env!("OUT_DIR"), "/14.raw")));
/// The status message and the stones in a cup.
pub const TEXT_FONT: &Font =
    &Font::cut(&PROFONT_18_POINT, include_bytes!(concat!(env!("OUT_DIR"), "/18.raw")));
/// The stones in a store.
pub const STORE_FONT: &Font =
    &Font::cut(&PROFONT_24_POINT, include_bytes!(concat!(env!("OUT_DIR"), "/24.raw")));

/// The fonts that text on the LCD may stand in, with their names: for code that reads
/// text off the panel's pixels ([`Font::to_mono`]).
pub const FONTS: [(&str, &Font); 5] = [
    ("key", KEY_FONT),
    ("list", LIST_FONT),
    ("label", LABEL_FONT),
    ("text", TEXT_FONT),
    ("store", STORE_FONT),
];

/// The characters that text on the LCD may use.
pub const CHARACTERS: &str =
    "0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:;!?'#+-/()%=";

/// The board between the cups.
pub const GROUND: Rgb565 = rgb(0x14, 0x1C, 0x26);
/// The ground of the status message.
pub const MESSAGE_GROUND: Rgb565 = rgb(0x22, 0x2E, 0x3C);
/// The inside of cups and stores.
pub const HOLLOW: Rgb565 = rgb(0x06, 0x0A, 0x10);
/// The rim of a cup at rest.
pub const RIM: Rgb565 = rgb(0x5C, 0x70, 0x88);
/// The rim of what a stone is falling into: a thick line.
pub const RIM_SOWING: Rgb565 = rgb(0xFF, 0xFF, 0xFF);
/// The rim of what is being captured, and of a store that gives a free turn: a thin line with thick
/// corners.
pub const RIM_EVENT: Rgb565 = rgb(0xFF, 0xD0, 0x00);
/// The rim of the cup that Help would play.
pub const RIM_ADVICE: Rgb565 = rgb(0xFF, 0xFF, 0xFF);
/// The dash beside a place.
pub const DASH: Rgb565 = rgb(0xFF, 0xFF, 0xFF);
/// Text that matters now.
pub const INK: Rgb565 = rgb(0xFF, 0xFF, 0xFF);
/// Text that matters less, but is read.
pub const INK_DIM: Rgb565 = rgb(0xB8, 0xC4, 0xD0);
/// Text of what cannot be chosen now.
pub const INK_OFF: Rgb565 = rgb(0x7C, 0x8C, 0x9C);
/// Text about something that was refused or is broken.
pub const INK_WARNING: Rgb565 = rgb(0xF0, 0xE4, 0x42);

/// The ground of the entry, file or letter that the keys act on.
pub const CURSOR_GROUND: Rgb565 = rgb(0xE6, 0xEC, 0xF2);
/// Text on [`CURSOR_GROUND`].
pub const CURSOR_INK: Rgb565 = rgb(0x14, 0x1C, 0x26);
/// Text on [`CURSOR_GROUND`] that cannot be chosen.
pub const CURSOR_INK_OFF: Rgb565 = rgb(0x5A, 0x68, 0x76);
/// The ground of a soft key's cap.
pub const KEY_GROUND: Rgb565 = rgb(0x30, 0x42, 0x58);
/// The rim of a soft key's cap.
pub const KEY_RIM: Rgb565 = rgb(0x9C, 0xAC, 0xBC);
/// The panel when the board is switched off.
pub const OFF: Rgb565 = rgb(0, 0, 0);

/// The edge of a stone, which parts it from the next.
pub const STONE_EDGE: Rgb565 = rgb(0x5C, 0x44, 0x20);
/// The body of a stone.
pub const STONE_BODY: Rgb565 = rgb(0xE8, 0xCE, 0x90);
/// The side of a stone away from the light.
pub const STONE_SHADE: Rgb565 = rgb(0xB8, 0x94, 0x54);
/// The light on a stone.
pub const STONE_SHINE: Rgb565 = rgb(0xFF, 0xFF, 0xF4);

/// The colour of a player: orange at the bottom, sky blue at the top.
pub const fn player(player: Player) -> Rgb565 {
    match player {
        Player::Bottom => rgb(0xFF, 0xA8, 0x18),
        Player::Top => rgb(0x56, 0xB4, 0xE9),
    }
}

/// The nearest RGB565 colour to eight bits a channel.
const fn rgb(red: u8, green: u8, blue: u8) -> Rgb565 {
    const fn scale(value: u8, max: u16) -> u8 {
        ((value as u16 * max + 127) / 255) as u8
    }
    Rgb565::new(scale(red, 31), scale(green, 63), scale(blue, 31))
}
