//! Tests every page on the LCD: the whole panel is drawn, every word can be read from the pixels,
//! every key is above its button; and a change from any screen to any other leaves no old pixel,
//! writes none twice, and takes few bytes if it is small.
//!
//! | file | subject |
//! |---|---|
//! | `all` | every page |
//! | `paper` | the panel on which they are drawn |
//! | `texts`, `own_words` | the words on them |
//! | `looks` | positions, sizes, brightness |
//! | `changes` | changes from one to another |

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions as _, OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::{PointsIter as _, Rectangle};
use firmware_core::agreement::{QUIET_MOVES, REPETITIONS};
use firmware_core::firmware::{BYTES_A_STEP, Canvas};
use firmware_core::history::Quiet;
use firmware_core::lcd::{PANEL, PIXEL_BYTES, WINDOW_BYTES};
use firmware_core::menu::{Entries, Entry, Menu};
use firmware_core::message::{BAR_STEPS, HoldAction, Holding, Message};
use firmware_core::name::{LETTERS, Name};
use firmware_core::opponent::Players;
use firmware_core::page::{
    Agreement, FILE_ROWS, FileContent, FileRow, LOG_COLUMNS, LOG_ROWS, List, ListRow, LogText,
    Notice, Page, Question, STEP_ROWS, TotalsAfter,
};
use firmware_core::places::Places;
use firmware_core::present::{Budget, Presenter};
use firmware_core::rules::{CUPS_A_SIDE, GameResult, PLACES, Player};
use firmware_core::screen::layout::{Layout, Table};
use firmware_core::screen::page::{Element, how_to_play, words};
use firmware_core::screen::style::Style;
use firmware_core::screen::{self, BoardView, Damage, PageView, View, theme};
use firmware_core::sound::Volume;
use firmware_core::storage::files::FileKind;
use firmware_core::systems::{BOARD, Game, SYSTEMS, System};
use ili9341_model::Frame;
use nudge_tests::dice::Dice;
use nudge_tests::glance::{GameReader, cut_out, seen};
use nudge_tests::{legible, sheet};

use all::{entries, name, pages};
use paper::{Paper, new_presenter};
use texts::expected;

mod all;
mod changes;
mod own_words;
mod paper;
mod positions;
mod texts;

/// The board's panel, and a larger one that another board may have.
const PANELS: [Size; 2] = [PANEL, Size::new(480, 320)];

fn view(system: &System, page: Page) -> View {
    let mut log = LogText::EMPTY;
    if let Page::Log { .. } | Page::Review { .. } = page {
        for (nth, text) in LOG_LINES.iter().enumerate() {
            log.set(nth, if nth == 1 { 5 } else { 0 }, text.as_bytes());
        }
    }
    View::Page(PageView { style: system.style(), page, log, holding: None })
}

/// The visible part of a log: the longest rows, an indented one, and an empty one.
const LOG_LINES: [&str; LOG_ROWS] = [
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "WWWWWWWWWWWWWWWWWWWWWWWWW",
    "",
    "log of WWWWWWWW",
    "1 Player 1 #6, captures 48",
    "gggggggggggggggggggggggggggggg",
    "bottom row 4 4 4 4 4 4",
    "end of the log",
];
const _: () = assert!(LOG_LINES[0].len() == LOG_COLUMNS);

fn board(system: &System) -> View {
    View::Board(BoardView {
        style: system.style(),
        stones: [4; PLACES],
        counted: Places::ALL,
        dash: None,
        direction: None,
        turn: Some(Player::Bottom),
        message: Message::Turn(Player::Bottom),
        lit: None,
        began: None,
        ended: None,
        dots: 0,
        stuck: Places::NONE,
    })
}

/// Returns the area of every element of `page` on a panel of `size`.
fn elements(view: &View, size: Size) -> Vec<(Element, Rectangle)> {
    let mut all = Vec::new();
    view.damage(None, size, |part| match part {
        Damage::Redraw(area, screen::Element::Page(element)) => all.push((element, area)),
        other => panic!("{other:?} is no part of a page"),
    });
    all
}
