//! Decides which views of the firmware are the same screen to a person: the same kind of screen
//! with the same text. Positions of a game do not distinguish screens, nor do names, totals and the
//! content of a list. This module does not know presses.

use firmware_core::lcd::PANEL;
use firmware_core::message::Message;
use firmware_core::page::{ListRow, Notice, Page, Question};
use firmware_core::screen::layout::Layout;
use firmware_core::screen::page::{Element as PageElement, words};
use firmware_core::screen::{BoardView, Damage, Element, PageView, View};
use firmware_core::storage::name::Name;
use ili9341_model::Region;
use insight::Screen;
use reading::text::ScreenText;

use crate::view::page_name;

/// Kind of the screens that show a game.
pub(crate) const BOARD: &str = "board";

/// Returns everything in a view that `screen` uses: views with the same shape are the same screen.
/// Returns `None` for a page that only shows for how long RESET is held.
pub(crate) fn shape(view: &View) -> Option<String> {
    Some(match view {
        View::Board(BoardView { style, message, direction, .. }) => {
            let message = match message {
                // The message is shown briefly, and its bar is not text.
                Message::Holding(holding) => format!("{:?}", holding.does),
                message => format!("{message:?}"),
            };
            format!("{} {message} {}", style.name, direction.is_some())
        }
        View::Page(PageView { holding: Some(_), .. }) => return None,
        View::Page(PageView { style, page, log, .. }) => format!("{} {page:?} {log:?}", style.name),
        View::Off => "off".to_owned(),
    })
}

/// Returns the screen of `view`, whose text on the LCD is `text`.
pub(crate) fn screen(view: &View, text: &ScreenText) -> Screen {
    match view {
        View::Board(view) => board(view, text),
        View::Page(view) => page(view, text),
        View::Off => {
            Screen { system: "", kind: "off".to_owned(), text: "the LCD is dark".to_owned() }
        }
    }
}

fn board(view: &BoardView, text: &ScreenText) -> Screen {
    let message = Layout::of(view.style.table, PANEL).message();
    let mut text = words_in(text, region(&message));
    // The number of dots changes while the computer thinks.
    text.truncate(text.trim_end_matches(['.', ' ']).len());
    if view.direction.is_some() {
        text += ", with arrows in the direction of sowing";
    }
    Screen { system: view.style.name, kind: BOARD.to_owned(), text }
}

fn page(view: &PageView, text: &ScreenText) -> Screen {
    let whole = View::Page(*view);
    let wanted = |element: PageElement| match (view.page, element) {
        (Page::Menu { .. }, PageElement::Aside) => true,
        (Page::Menu { .. } | Page::Name { .. }, _) => false,
        (Page::Log { .. } | Page::Review { .. }, element) => {
            matches!(element, PageElement::Title(_))
        }
        // Only the title and one sentence are text; a drawing is below them.
        (Page::HowToPlay { .. }, PageElement::Row(nth)) => nth == 0,
        (_, PageElement::Key(_) | PageElement::Left | PageElement::Right) => false,
        _ => true,
    };
    let mut parts: Vec<String> = Vec::new();
    whole.damage(None, PANEL, |damage| {
        if let Damage::Redraw(area, Element::Page(element)) = damage
            && wanted(element)
        {
            let part = settled(&view.page, &words_in(text, region(&area)));
            if !part.is_empty() && parts.last() != Some(&part) {
                parts.push(part);
            }
        }
    });
    let (kind, first) = match view.page {
        Page::Menu { menu, cursor, .. } => {
            let entry = menu.entry(cursor.into()).map_or("", words::entry);
            (format!("menu {menu:?}"), Some(entry.to_owned()))
        }
        Page::Name { name, .. } => {
            let letters = match name.as_str().len() {
                0 => "no letter yet",
                8 => "eight letters",
                _ => "some letters",
            };
            (
                page_name(&view.page).to_owned(),
                Some(format!("{}: {letters}", words::title(&view.page))),
            )
        }
        _ => (page_name(&view.page).to_owned(), None),
    };
    let text = first.into_iter().chain(parts).collect::<Vec<_>>().join(" / ");
    Screen { system: view.style.name, kind, text }
}

/// Returns the words in `region` on one line.
fn words_in(text: &ScreenText, region: Region) -> String {
    let lines: Vec<String> = text.within(region).lines.into_iter().map(|line| line.text).collect();
    lines.join(" ")
}

/// Replaces names that the user entered, and numbers that come from a game, in the `text` of `page`
/// with `…`.
fn settled(page: &Page, text: &str) -> String {
    let names = names(page);
    let counts = matches!(
        page,
        Page::Scores { .. }
            | Page::Files { .. }
            | Page::Log { .. }
            | Page::Logging(_)
            | Page::Question(Question::ResetScores(_) | Question::Abandon(..))
            | Page::Notice(Notice::Totals(..) | Notice::Declined(_) | Notice::NoRoom { .. })
    );
    let mut settled: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let is_player = settled.last().is_some_and(|before| before == "Player");
        let is_count = counts && !is_player && bare.bytes().any(|byte| byte.is_ascii_digit());
        let is_name = !bare.is_empty() && names.iter().any(|name| name.as_str() == bare);
        settled.push(if is_count || is_name { word.replace(bare, "…") } else { word.to_owned() });
    }
    settled.join(" ")
}

/// Returns the names that a page shows.
fn names(page: &Page) -> Vec<Name> {
    match *page {
        Page::Question(
            Question::Load(name)
            | Question::Overwrite(_, name)
            | Question::OverwriteOldest(_, name)
            | Question::Delete(_, name),
        )
        | Page::Notice(
            Notice::CannotRead(name)
            | Notice::NotDeleted(name)
            | Notice::CannotLoad(name)
            | Notice::Saved(_, name),
        )
        | Page::Log { name, .. } => vec![name],
        Page::Files { rows, .. } => {
            rows.into_iter().flatten().filter_map(ListRow::file).map(|row| row.name).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns `area` as a region of the panel.
fn region(area: &embedded_graphics::primitives::Rectangle) -> Region {
    let edge = |pixels: i64| u16::try_from(pixels.max(0)).unwrap_or(u16::MAX);
    Region {
        x: edge(area.top_left.x.into()),
        y: edge(area.top_left.y.into()),
        width: edge(area.size.width.into()),
        height: edge(area.size.height.into()),
    }
}
