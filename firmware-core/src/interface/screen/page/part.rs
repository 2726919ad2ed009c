//! The content of an element of a page, which depends on the page alone.

use embedded_graphics::pixelcolor::Rgb565;

use super::how_to_play::{Drawing, Lesson};
use super::words::{self, Text};
use super::{card, files, letters, menu};
use crate::game::places::Player;
use crate::interface::message::Holding;
use crate::interface::page::Page;
use crate::interface::screen::style::Style;
use crate::interface::screen::theme;
use crate::storage::name::Name;

/// Content of an element.
#[derive(PartialEq)]
pub(super) enum Part {
    Ground,
    Title { text: Text, place: Text },
    Arrow { down: bool },
    Holding(Holding),
    Tab { name: &'static str, open: bool },
    Entry(menu::Entry),
    Explanation(menu::Explanation),
    Card(card::Card),
    Progress(card::Progress),
    Sentence { text: Text, ink: Rgb565 },
    Total { player: Player, name: &'static str, total: u32 },
    Name(Name),
    Letters { row: u8, chosen: Option<u8> },
    File(files::File),
    FilesAside(files::Aside),
    LogRow(Text),
    Lesson(&'static str),
    Drawing { drawing: Drawing, style: &'static Style },
    EditKey { name: Text, text: Text },
    Key(Option<words::Cap>),
    Reset,
}

impl Part {
    /// Returns the `nth` row of the page with the progress of a log.
    pub(super) fn logging(nth: usize, per_cent: u8) -> Part {
        match nth {
            0 => Part::Progress(card::Progress::Heading),
            1 => Part::Progress(card::Progress::Bar(per_cent.min(100))),
            2 => Part::Progress(card::Progress::Number(per_cent.min(100))),
            _ => Part::Sentence { text: words::logging_detail(), ink: theme::INK_DIM },
        }
    }

    /// Returns the `nth` row of the total scores below `heading`, a sentence.
    pub(super) fn totals(nth: usize, totals: [u32; 2], heading: Part, style: &Style) -> Part {
        let total = |player: Player| Part::Total {
            player,
            name: words::player_name(style, player),
            total: totals[player.index()],
        };
        match nth {
            0 => heading,
            1 => total(Player::Top),
            2 => total(Player::Bottom),
            _ => Part::Sentence { text: words::lead(totals, style), ink: theme::INK },
        }
    }

    /// Returns the `nth` row of a page about how to play.
    pub(super) fn lesson(nth: usize, lesson: &'static Lesson, style: &'static Style) -> Part {
        match nth {
            0 => Part::Lesson(lesson.text),
            _ => Part::Drawing { drawing: lesson.drawing, style },
        }
    }

    /// Returns the `nth` row of the page on which a name is entered.
    pub(super) fn name(nth: usize, page: &Page, name: Name, letter: u8) -> Part {
        match nth {
            0 => Part::Sentence { text: words::title(page), ink: theme::INK },
            1 => Part::Name(name),
            2..=4 => {
                let first = (nth - 2) * letters::COLUMNS;
                let chosen =
                    usize::from(letter).checked_sub(first).filter(|nth| *nth < letters::COLUMNS);
                Part::Letters { row: nth as u8 - 2, chosen: chosen.map(|nth| nth as u8) }
            }
            _ => Part::Sentence { text: words::name_hint(name.len()), ink: theme::INK_DIM },
        }
    }

    /// Returns the `nth` row of the page that explains the keys of Edit Board.
    pub(super) fn edit(
        nth: usize,
        page: &Page,
        turn: Player,
        holding: bool,
        style: &Style,
    ) -> Part {
        let Some(nth) = nth.checked_sub(1) else {
            return Part::Sentence {
                text: words::edit_heading(holding, style),
                ink: theme::INK_DIM,
            };
        };
        match page.keys().into_iter().flatten().nth(nth) {
            Some(key) => Part::EditKey {
                name: words::cap(page, key, style).in_one_line(),
                text: words::edit_explanation(key, turn, holding, style),
            },
            None => Part::EditKey {
                name: words::edit_reset(),
                text: words::edit_reset_explanation(style),
            },
        }
    }
}
