//! The pages on the LCD: menus, questions, notices, lists, names, all with the soft keys at
//! the bottom, each above its NUDGE button.
//!
//! A page is a title, rows below each other, an aside next to them, and the keys; `sheet` has their
//! positions. The content of an element is a `Part`, which depends on the page alone: two pages
//! differ where their parts differ, so no change of a page can be missed. Pages know no rule and no
//! flash: their data is in [`crate::interface::page`], their texts in [`words`].
//!
//! | file | subject |
//! |---|---|
//! | `part` | the content of an element |
//! | `words` | all texts |
//! | `sheet` | the position of everything |
//! | `menu` | tabs, entries, the explanation beside them |
//! | `card` | questions, notices, the progress of a log |
//! | `totals` | both players' scores |
//! | `letters` | a name and the letters to choose from |
//! | `files` | the list of saved games or logs |
//! | `how_to_play` | the rules, with drawings; the board of a saved game |
//! | `hold` | the bar that fills while RESET is held |
//! | `edit` | the explanation of the keys while the board is edited |
//! | `keys` | key caps |
//! | `painter` | text, cards, arrows, ticks |

mod card;
mod edit;
mod files;
mod hold;
pub mod how_to_play;
mod keys;
mod letters;
mod menu;
mod painter;
mod part;
mod sheet;
mod totals;
pub mod words;

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;

pub use super::element::PageElement as Element;
use super::element::{Damage, Element as AnyElement, whole};
use super::style::Style;
use super::theme;
use crate::game::places::CUPS_A_SIDE;
use crate::interface::menu::Menu;
use crate::interface::message::Holding;
use crate::interface::page::{FILE_ROWS, LOG_ROWS, LogText, Notice, Page, STEP_ROWS};
use crate::pins::present::TextTarget;
use painter::{Painter, split, strip};
use part::Part;
use sheet::Sheet;

/// Content of the LCD in place of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageView {
    /// Style whose words for the players are used.
    pub style: &'static Style,
    pub page: Page,
    /// Visible rows of the log; empty on every other page.
    pub log: LogText,
    /// State of a held RESET, shown as a bar in place of the title; a menu has none.
    pub holding: Option<Holding>,
}

/// Kinds of pages whose elements have the same positions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    Menu(Menu),
    Card,
    Totals,
    Name,
    Files,
    Log,
    Review,
    /// A lesson with a drawing of this height.
    HowToPlay(u32),
    Logging,
    Edit,
}

impl PageView {
    /// Reports the differences; see [`View::damage`](super::View::damage).
    pub(super) fn damage(&self, shown: Option<&Self>, size: Size, mut report: impl FnMut(Damage)) {
        if shown.is_some_and(|shown| shown.arrangement() != self.arrangement()) {
            report(whole(size));
            return;
        }
        let is_retitled = shown.is_some_and(|shown| shown.titles() != self.titles());
        if is_retitled {
            report(Damage::Redraw(Sheet::new(size).title(), AnyElement::Whole));
        }
        self.elements(|element| {
            if is_retitled && matches!(element, Element::Title(_)) {
                return;
            }
            let area = self.area(element, size);
            let before = shown.map(|shown| shown.part(element));
            let after = self.part(element);
            let same = before.as_ref() == Some(&after);
            let area = match (&before, &after) {
                // Only the bar advances.
                (Some(Part::Holding(before)), Part::Holding(after)) => {
                    hold::changed(*before, *after, area)
                }
                _ => area,
            };
            if !same && !area.is_zero_sized() {
                report(Damage::Redraw(area, AnyElement::Page(element)));
            }
        });
    }

    /// Draws one element; see [`View::draw`](super::View::draw).
    pub(super) fn draw<D: TextTarget>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let area = self.area(element, size);
        let painter = &mut Painter(target);
        match self.part(element) {
            Part::Ground => painter.fill(area, theme::GROUND),
            Part::Holding(holding) => hold::draw(holding, area, painter),
            Part::Title { text, place } => menu::draw_title(&text, &place, area, painter),
            Part::Arrow { down } => letters::draw_arrow(down, area, painter),
            Part::Tab { name, open } => menu::draw_tab(name, open, area, painter),
            Part::Entry(entry) => entry.draw(area, painter),
            Part::Explanation(explanation) => explanation.draw(area, painter),
            Part::Card(card) => card.draw(area, painter),
            Part::Progress(progress) => progress.draw(area, painter),
            Part::Sentence { text, ink } => card::draw_sentence(&text, ink, area, painter),
            Part::Total { player, name, total } => totals::draw(player, name, total, area, painter),
            Part::Name(name) => letters::draw_name(&name, area, painter),
            Part::Letters { row, chosen } => letters::draw_row(row, chosen, area, painter),
            Part::File(file) => file.draw(area, painter),
            Part::FilesAside(aside) => aside.draw(area, painter),
            Part::LogRow(text) => files::draw_log_row(&text, area, painter),
            Part::Lesson(text) => how_to_play::draw_text(text, area, painter),
            Part::Drawing { drawing, style } => drawing.draw(style, area, painter),
            Part::EditKey { name, text } => edit::draw(&name, &text, area, painter),
            Part::Key(cap) => keys::draw(cap, area, painter),
            Part::Reset => keys::draw_reset(area, painter),
        }
    }

    /// Calls `each` for every element, in drawing order.
    fn elements(&self, mut each: impl FnMut(Element)) {
        for nth in 0..self.titles() as u8 {
            each(Element::Title(nth));
        }
        for nth in 0..self.rows() as u8 {
            each(Element::Row(nth));
        }
        each(Element::Rest);
        if matches!(self.arrangement(), Arrangement::Menu(_) | Arrangement::Files) {
            each(Element::Aside);
        }
        each(Element::Left);
        for nth in 0..CUPS_A_SIDE as u8 {
            each(Element::Key(nth));
        }
        each(Element::Right);
    }

    fn area(&self, element: Element, size: Size) -> Rectangle {
        let sheet = Sheet::new(size);
        let body = sheet.body();
        let aside = if let Arrangement::Files = self.arrangement() { files::ASIDE } else { 0 };
        let (rows, aside) = split(body, body.size.width.saturating_sub(aside));
        let top = |nth: usize| self.row_top(nth, body.size.height).min(body.size.height);
        match (element, self.arrangement()) {
            (Element::Title(nth), _) => sheet.tab(nth.into(), self.titles() as u32),
            (Element::Row(nth), Arrangement::Menu(menu)) => {
                menu::Columns::new(menu, body).row(nth.into())
            }
            (Element::Rest, Arrangement::Menu(menu)) => menu::Columns::new(menu, body).rest(),
            (Element::Aside, Arrangement::Menu(menu)) => {
                menu::Columns::new(menu, body).explanation()
            }
            (Element::Row(nth), _) => {
                let (from, to) = (top(nth.into()), top(usize::from(nth) + 1));
                strip(rows, from, to - from)
            }
            (Element::Rest, _) => {
                let from = top(self.rows());
                strip(rows, from, body.size.height - from)
            }
            (Element::Aside, _) => aside,
            (Element::Key(nth), _) => sheet.key(nth.into()),
            (Element::Left, _) => sheet.left_of_keys(),
            (Element::Right, _) => sheet.right_of_keys(),
        }
    }

    fn arrangement(&self) -> Arrangement {
        match &self.page {
            Page::Menu { menu, .. } => Arrangement::Menu(*menu),
            Page::Notice(Notice::Totals(..)) | Page::Scores { .. } => Arrangement::Totals,
            Page::Question(_) | Page::Notice(_) => Arrangement::Card,
            Page::Name { .. } => Arrangement::Name,
            Page::Files { .. } => Arrangement::Files,
            Page::Log { .. } => Arrangement::Log,
            Page::Review { .. } => Arrangement::Review,
            Page::HowToPlay { game, nth, .. } => {
                Arrangement::HowToPlay(how_to_play::lesson(*game, *nth).drawing.height())
            }
            Page::Logging(_) => Arrangement::Logging,
            Page::Edit { .. } => Arrangement::Edit,
        }
    }

    /// Returns the number of elements that the title is divided into.
    fn titles(&self) -> usize {
        match self.arrangement() {
            Arrangement::Menu(_) => Menu::ALL.len(),
            // The bar of RESET needs the whole title.
            Arrangement::Name if self.holding.is_none() => 2,
            _ => 1,
        }
    }

    fn rows(&self) -> usize {
        match self.arrangement() {
            Arrangement::Menu(menu) => menu.len(),
            Arrangement::Card => 1,
            Arrangement::Totals => totals::HEIGHTS.len(),
            Arrangement::Name => letters::HEIGHTS.len(),
            Arrangement::Files => FILE_ROWS,
            Arrangement::Log => LOG_ROWS,
            Arrangement::Review => STEP_ROWS + 1,
            Arrangement::HowToPlay(_) => 2,
            Arrangement::Logging => card::LOGGING_HEIGHTS.len(),
            Arrangement::Edit => edit::HEIGHTS.len(),
        }
    }

    /// Returns the distance of the `nth` row from the top of a body of `height`, except in a menu.
    fn row_top(&self, nth: usize, height: u32) -> u32 {
        let above = |heights: &[u32]| heights.iter().take(nth).sum();
        match self.arrangement() {
            Arrangement::Menu(_) | Arrangement::Card => nth as u32 * height,
            Arrangement::Totals => above(&totals::HEIGHTS),
            Arrangement::Name => above(&letters::HEIGHTS),
            Arrangement::Files => nth as u32 * files::ROW,
            Arrangement::Log => nth as u32 * files::LOG_ROW,
            Arrangement::Review => match nth {
                0..=STEP_ROWS => nth as u32 * files::LOG_ROW,
                _ => height,
            },
            Arrangement::HowToPlay(drawing) => match nth {
                0 => 0,
                1 => height.saturating_sub(drawing),
                _ => height,
            },
            Arrangement::Logging => above(&card::LOGGING_HEIGHTS),
            Arrangement::Edit => above(&edit::HEIGHTS),
        }
    }

    fn part(&self, element: Element) -> Part {
        match element {
            Element::Title(nth) => self.title(nth.into()),
            Element::Row(nth) => self.row(nth.into()),
            Element::Aside => self.aside(),
            Element::Key(nth) => {
                let key = self.page.keys().get(usize::from(nth)).copied().flatten();
                Part::Key(key.map(|key| words::cap(&self.page, key, self.style)))
            }
            Element::Left => Part::Reset,
            Element::Rest | Element::Right => Part::Ground,
        }
    }

    fn title(&self, nth: usize) -> Part {
        match (&self.page, Menu::ALL.get(nth), self.holding) {
            (Page::Menu { menu, .. }, Some(tab), _) => {
                Part::Tab { name: words::menu(*tab), open: tab == menu }
            }
            (_, _, Some(holding)) => Part::Holding(holding),
            (Page::Name { .. }, ..) => Part::Arrow { down: nth == 1 },
            (page, ..) => Part::Title { text: words::title(page), place: words::place(page) },
        }
    }

    fn row(&self, nth: usize) -> Part {
        match &self.page {
            Page::Menu { menu, cursor, checked, dim, volume } => {
                menu::Entry::of(*menu, nth, (*cursor).into(), *checked, *dim, *volume)
                    .map_or(Part::Ground, Part::Entry)
            }
            Page::Notice(Notice::Totals(result, both)) => {
                let text = words::totals_after(*result, self.style);
                Part::totals(nth, *both, Part::Sentence { text, ink: theme::INK }, self.style)
            }
            Page::Scores { totals: both, .. } => {
                let text = words::totals(self.style);
                Part::totals(nth, *both, Part::Sentence { text, ink: theme::INK_DIM }, self.style)
            }
            Page::Question(question) => Part::Card(card::Card::question(question, self.style)),
            Page::Notice(notice) => Part::Card(card::Card::notice(notice, self.style)),
            Page::Name { name, letter, .. } => Part::name(nth, &self.page, *name, *letter),
            Page::Files { rows, cursor, .. } => {
                let row = rows.get(nth).copied().flatten();
                Part::File(files::File { row, cursor: nth == usize::from(*cursor) })
            }
            Page::Log { .. } => Part::LogRow(words::log_row(&self.log, nth)),
            Page::Review { .. } if nth < STEP_ROWS => Part::LogRow(words::log_row(&self.log, nth)),
            Page::Review { game, stones, sown, .. } => {
                let drawing = how_to_play::Drawing::Step { stones: *stones, sown: *sown };
                Part::Drawing { drawing, style: game.style() }
            }
            Page::HowToPlay { game, nth: page, .. } => {
                Part::lesson(nth, how_to_play::lesson(*game, *page), game.style())
            }
            Page::Logging(per_cent) => Part::logging(nth, *per_cent),
            Page::Edit { turn, holding } => {
                Part::edit(nth, &self.page, *turn, *holding, self.style)
            }
        }
    }

    fn aside(&self) -> Part {
        match &self.page {
            Page::Menu { menu, cursor, checked, dim, volume } => {
                menu::Explanation::of(*menu, (*cursor).into(), *checked, *dim, *volume)
                    .map_or(Part::Ground, Part::Explanation)
            }
            Page::Files { list, rows, cursor, above, below } => {
                let chosen = rows.get(usize::from(*cursor)).copied().flatten();
                Part::FilesAside(files::Aside { above: *above, below: *below, list: *list, chosen })
            }
            _ => Part::Ground,
        }
    }
}
