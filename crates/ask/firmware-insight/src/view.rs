//! The elements of a view, and their names.
//!
//! A screen consists of elements that each own a rectangle ([`View::damage`] lists them), so a view
//! and a position identify the element.

use std::any::Any;

use embedded_graphics::geometry::Point;
use embedded_graphics::primitives::Rectangle;
use firmware_core::button::Button;
use firmware_core::lcd::PANEL;
use firmware_core::page::{List, Page};
use firmware_core::rules::{Cup, Player};
use firmware_core::screen::layout::Side;
use firmware_core::screen::style::Style;
use firmware_core::screen::{BoardView, Damage, Element, PageView, View, page, rows};

use insight::DrawnElement;

/// A view of the LCD board's firmware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LcdView(pub(crate) View);

impl LcdView {
    /// Returns `view` as the view of this firmware; `None` if it is that of another one.
    pub(crate) fn of(view: &dyn insight::View) -> Option<&View> {
        let view: &dyn Any = view;
        view.downcast_ref::<Self>().map(|view| &view.0)
    }
}

impl insight::View for LcdView {
    fn is(&self, other: &dyn insight::View) -> bool {
        Self::of(other) == Some(&self.0)
    }

    fn element(
        &self,
        before: Option<&dyn insight::View>,
        pixel: (usize, usize),
    ) -> Option<DrawnElement> {
        let view = &self.0;
        let element = match part(view, None, pixel)? {
            Damage::Fill(..) => "ground".to_owned(),
            Damage::Redraw(_, element) | Damage::Replace(_, element) => {
                element_name(view, element)?
            }
        };
        let changed = part(view, before.and_then(Self::of), pixel);
        let whole = before.is_none()
            || matches!(changed, Some(Damage::Redraw(_, Element::Whole)))
            || *view == View::Off;
        Some(DrawnElement { screen: screen(view), element, whole })
    }

    fn names_at(&self, pixels: &[(usize, usize)]) -> Vec<String> {
        names_at(&self.0, pixels)
    }
}

/// Returns the name of `element` of `view`; `None` if the view has no such element.
pub(crate) fn element_name(view: &View, element: Element) -> Option<String> {
    match (element, view) {
        (Element::Whole, _) => Some("ground".to_owned()),
        (Element::Board(element), View::Board(view)) => Some(board(element, view)),
        (Element::Page(element), View::Page(view)) => Some(page(element, view)),
        _ => None,
    }
}

/// Returns the names of the elements of `view` at `pixels`, the element with most of them first.
fn names_at(view: &View, pixels: &[(usize, usize)]) -> Vec<String> {
    let mut parts = Vec::new();
    view.damage(None, PANEL, |damage| parts.push(damage));
    let mut counts: Vec<(usize, Option<Element>)> = Vec::new();
    for (x, y) in pixels {
        let point = Point::new(*x as i32, *y as i32);
        let part = parts.iter().rev().find(|part| Rectangle::contains(&part.area(), point));
        let element = match part {
            Some(Damage::Redraw(_, element) | Damage::Replace(_, element)) => Some(*element),
            Some(Damage::Fill(..)) => None,
            None => continue,
        };
        match counts.iter_mut().find(|(_, counted)| *counted == element) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, element)),
        }
    }
    counts.sort_by_key(|(count, _)| core::cmp::Reverse(*count));
    let mut names = Vec::new();
    for (_, element) in counts {
        let name = element.map_or_else(|| Some("ground".to_owned()), |it| element_name(view, it));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    names
}

/// Returns the part of `view` that is drawn at `pixel` if the panel shows `shown`.
fn part(view: &View, shown: Option<&View>, (x, y): (usize, usize)) -> Option<Damage> {
    let point = Point::new(x as i32, y as i32);
    let mut found = None;
    view.damage(shown, PANEL, |damage| {
        if Rectangle::contains(&damage.area(), point) {
            found = Some(damage);
        }
    });
    found
}

fn screen(view: &View) -> String {
    match view {
        View::Board(view) => format!("board ({})", view.style.name),
        View::Page(view) => page_name(&view.page).to_owned(),
        View::Off => "off".to_owned(),
    }
}

/// Returns the name of a page.
pub(crate) const fn page_name(page: &Page) -> &'static str {
    match page {
        Page::Menu { .. } => "menu",
        Page::Question(_) => "question",
        Page::Notice(_) => "notice",
        Page::Scores { .. } => "total scores",
        Page::Name { .. } => "name",
        Page::Files { list: List::LoadGame | List::SaveGame, .. } => "saved games",
        Page::Files { list: List::Logs, .. } => "logs",
        Page::Log { .. } => "log",
        Page::Review { .. } => "saved game",
        Page::HowToPlay { .. } => "how to play",
        Page::Logging(_) => "log in progress",
        Page::Edit { .. } => "edit board",
    }
}

fn board(element: rows::Element, view: &BoardView) -> String {
    use rows::Element::{Arrow, Blank, Count, Dash, Label, Message, Rail, Rim, Stones, Triangle};
    let style = view.style;
    match element {
        Label(at) => format!("label of {}", place(at, style)),
        Rim(at, _) => format!("rim of {}", place(at, style)),
        Stones(at) => {
            format!("stones of {}, {} of them", place(at, style), view.stones[usize::from(at)])
        }
        Count(at) => format!("count of {}", place(at, style)),
        Dash(at) => format!("dash of {}", place(at, style)),
        Rail(player) => format!("rail of {}", name(player, style)),
        Message => "status message".to_owned(),
        Triangle(side) => format!("{} triangle of the player to move", at_side(side)),
        Arrow(side) => format!("{} arrow in the direction of sowing", at_side(side)),
        Blank => "ground between the parts".to_owned(),
    }
}

fn page(element: page::Element, view: &PageView) -> String {
    use page::Element::{Aside, Key, Left, Rest, Right, Row, Title};
    match element {
        Title(nth) if matches!(view.page, Page::Menu { .. }) => format!("tab {}", nth + 1),
        Title(_) => "title".to_owned(),
        Row(nth) => format!("row {}", nth + 1),
        Rest => "ground below the rows".to_owned(),
        Aside => "box beside the rows".to_owned(),
        Key(nth) => format!("key above B{}", nth + 1),
        Left => "ground left of the keys".to_owned(),
        Right => "ground right of the keys".to_owned(),
    }
}

/// Returns `cup #3 (B4)`, `the store of Player 1`.
fn place(at: u8, style: &Style) -> String {
    match Cup::at(at.into()) {
        Some(cup) => {
            let button = Button::beside(cup).name();
            match style.label(cup) {
                "" => format!("the cup of {button}"),
                label => format!("cup {label} ({button})"),
            }
        }
        None if usize::from(at) == Player::Bottom.store() => {
            format!("the store of {}", name(Player::Bottom, style))
        }
        None => format!("the store of {}", name(Player::Top, style)),
    }
}

const fn name(player: Player, style: &Style) -> &'static str {
    style.words.players[player.index()]
}

fn at_side(side: Side) -> &'static str {
    if side == Side::BOTH[0] { "left" } else { "right" }
}
