//! The screen of a game: two rows of cups, two stores, and the status message. All systems share
//! it; each has a [`Style`], which among other things sets the position of the stores.

use core::fmt::Write as _;

use embedded_graphics::geometry::Size;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;
use heapless::String;

use super::dots;
pub use super::element::BoardElement as Element;
use super::element::{Damage, Element as AnyElement};
use super::font::Font;
use super::hollow::{CellSide, inside};
use super::layout::{Layout, Side, Table};
use super::marks::{self, Rim};
use super::status::Text;
use super::stones::Heap;
use super::style::Style;
use super::tag::Tag;
use super::text::{Line, centred};
use super::theme;
use crate::game::places::{Cup, Direction, PLACES, Places, Player};
use crate::interface::message::Message;
use crate::pins::present::{Inks, TextTarget, overlap};

/// Content of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// Words and marks of the system.
    pub style: &'static Style,
    /// Number of stones drawn at each place.
    pub stones: [u8; PLACES],
    /// Places whose stones are also counted in digits.
    pub counted: Places,
    /// Place that a dash marks.
    pub dash: Option<u8>,
    /// Direction of the arrows in the middle; `None` where the direction never flips.
    pub direction: Option<Direction>,
    /// Player to move; `None` once the game is over.
    pub turn: Option<Player>,
    pub message: Message,
    /// Places with a lit rim, and the reason.
    pub lit: Option<(Light, Places)>,
    /// Cup that the last move began in: its label has brackets.
    pub began: Option<u8>,
    /// Place where the last move ended: its label has a plate.
    pub ended: Option<u8>,
    /// Number of dots next to the triangle, 0 to 3: the computer thinks under the message.
    pub dots: u8,
    /// Cups whose button is stuck.
    pub stuck: Places,
}

/// Reason why a rim is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// A stone is being sown.
    Sowing,
    /// A capture, a free turn, a sweep.
    Event,
    /// The cup that Help would play.
    Advice,
}

/// Appearance of a place: see [`BoardView`].
#[derive(PartialEq, Eq)]
struct Look {
    stones: u8,
    counted: bool,
    light: Option<Light>,
    dash: bool,
    began: bool,
    ended: bool,
    stuck: bool,
}

impl BoardView {
    /// Returns whether every element has the same rectangles as in `other`.
    pub(super) fn is_laid_out_as(&self, other: &Self) -> bool {
        self.style.table == other.style.table
    }

    /// Reports the differences; see [`View::damage`](super::View::damage).
    pub(super) fn damage(&self, shown: Option<&Self>, size: Size, mut report: impl FnMut(Damage)) {
        let layout = self.layout(size);
        let Some(shown) = shown.filter(|shown| shown.style == self.style) else {
            Self::elements(&layout, |element, area| report(redraw(element, area)));
            return;
        };
        for place in 0..PLACES as u8 {
            self.place_damage(shown, place, &layout, &mut report);
        }
        for player in Player::BOTH {
            if shown.rail_colour(player) != self.rail_colour(player) {
                report(Damage::Fill(layout.rail(player), self.rail_colour(player)));
            }
        }
        for (side, area) in Side::BOTH.into_iter().zip(layout.triangles()) {
            if let Some(area) = area.filter(|_| shown.turn != self.turn) {
                let area = centred(Size::new_equal(layout.triangle_size()), &area);
                report(redraw(Element::Triangle(side), area));
            }
        }
        for side in Side::BOTH {
            if let Some(area) = layout.dots(side).filter(|_| shown.dots != self.dots) {
                report(redraw(Element::Triangle(side), area));
            }
            if let Some(area) = layout.arrow(side).filter(|_| shown.direction != self.direction) {
                report(redraw(Element::Arrow(side), marks::arrow(&area)));
            }
        }
        if shown.message != self.message {
            let text = |view: &Self| Text::of(view.message, self.style);
            let (before, after) = (text(shown), text(self));
            before.damage(&after, &layout.message(), |part| {
                report(redraw(Element::Message, part));
            });
        }
    }

    /// Returns everything that the elements of a place show, in one style: most places do not
    /// change.
    fn look(&self, place: u8) -> Look {
        let at = usize::from(place);
        Look {
            stones: self.stones[at],
            counted: self.counted.contains(at),
            light: self.lit.filter(|(_, places)| places.contains(at)).map(|(light, _)| light),
            dash: self.dash == Some(place),
            began: self.began == Some(place),
            ended: self.ended == Some(place),
            stuck: self.stuck.contains(at),
        }
    }

    /// Reports the differences in the elements of one place.
    fn place_damage(
        &self,
        shown: &Self,
        place: u8,
        layout: &Layout,
        report: &mut impl FnMut(Damage),
    ) {
        if shown.look(place) == self.look(place) {
            return;
        }
        let at = usize::from(place);
        let cell = hollow(layout, place);
        let (before, after) = (shown.rim(place), self.rim(place));
        if before != after {
            for side in CellSide::ALL {
                let element = AnyElement::Board(Element::Rim(place, side));
                report(after.damage(before, element, side.strip(cell)));
            }
        }
        if shown.stones[at] != self.stones[at] {
            let heap = heap(layout, place);
            let changed = changed_stones(shown.stones[at], self.stones[at], heap);
            if let Some(area) = overlap(&changed, &stones(layout, place)) {
                report(redraw(Element::Stones(place), area));
            }
        }
        let area = count(layout, place);
        let counts = |view: &Self| (view.stones[at], view.counted.contains(at));
        let digits = if counts(shown) == counts(self) {
            0
        } else {
            shown.count(place).len().max(self.count(place).len()) as u32
        };
        let [before, after] = [shown, self].map(|view| view.dash_instead_of_digits(place, layout));
        let moved = before.or(after).filter(|_| before != after);
        let changed = match (digits, moved) {
            (0, moved) => moved,
            (_, None) => Some(cells(count_font(place), digits, &area)),
            // Digits in place of a dash.
            (_, Some(_)) => Some(area),
        };
        if let Some(area) = changed {
            report(redraw(Element::Count(place), area));
        }
        let (before, after) = (shown.tag(place), self.tag(place));
        let area = label(layout, place);
        if before.ink != after.ink {
            report(redraw(Element::Label(place), after.plate(&area)));
        } else if before.ended != after.ended {
            // The colours of ink and background are swapped.
            let element = AnyElement::Board(Element::Label(place));
            report(Damage::Replace(after.plate(&area), element));
        }
        if (before.ink, before.began) != (after.ink, after.began) {
            for bracket in Tag::brackets(&area) {
                report(redraw(Element::Label(place), bracket));
            }
        }
        if shown.dash_colour(place) != self.dash_colour(place) {
            let area = marks::dash(&dash(layout, place));
            report(Damage::Fill(area, self.dash_colour(place)));
        }
    }

    /// Calls `each` for every element with its rectangles, which cover the panel.
    fn elements(layout: &Layout, mut each: impl FnMut(Element, Rectangle)) {
        for place in 0..PLACES as u8 {
            for side in CellSide::ALL {
                each(Element::Rim(place, side), side.strip(hollow(layout, place)));
            }
            each(Element::Stones(place), stones(layout, place));
            each(Element::Count(place), count(layout, place));
            each(Element::Label(place), label(layout, place));
            each(Element::Dash(place), dash(layout, place));
        }
        for player in Player::BOTH {
            each(Element::Rail(player), layout.rail(player));
            for area in layout.blanks(player).into_iter().flatten() {
                each(Element::Blank, area);
            }
        }
        for (side, area) in Side::BOTH.into_iter().zip(layout.triangles()) {
            if let Some(area) = area {
                each(Element::Triangle(side), area);
            }
            if let Some(area) = layout.arrow(side) {
                each(Element::Arrow(side), area);
            }
        }
        each(Element::Message, layout.message());
    }

    /// Returns the two colours of an element that is text.
    pub(super) fn inks(&self, element: Element) -> Option<Inks> {
        match element {
            Element::Label(place) => {
                Some(Inks { ink: self.label_ink(place), ground: theme::GROUND })
            }
            Element::Count(place) => Some(self.count_inks(place)),
            Element::Message => Text::inks(self.message),
            _ => None,
        }
    }

    /// Draws one element; see [`View::draw`](super::View::draw).
    pub(super) fn draw<D: TextTarget>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let layout = self.layout(size);
        match element {
            Element::Label(place) => self.tag(place).draw(label(&layout, place), target),
            Element::Rim(place, side) => self.rim(place).draw(hollow(&layout, place), side, target),
            Element::Stones(place) => {
                Heap::new(heap(&layout, place)).draw(self.stones[usize::from(place)], target)
            }
            Element::Count(place) => {
                let Inks { ink, ground } = self.count_inks(place);
                let line = Line { text: &self.count(place), font: count_font(place), ink, ground };
                draw_cell(line, count(&layout, place), target)?;
                match self.dash_instead_of_digits(place, &layout) {
                    Some(dash) => target.fill_solid(&dash, ink),
                    None => Ok(()),
                }
            }
            Element::Dash(place) => {
                let area = dash(&layout, place);
                target.fill_solid(&area, self.dash_ground(place))?;
                target.fill_solid(&marks::dash(&area), self.dash_colour(place))
            }
            Element::Rail(player) => {
                target.fill_solid(&layout.rail(player), self.rail_colour(player))
            }
            Element::Message => Text::of(self.message, self.style).draw(layout.message(), target),
            Element::Triangle(side) => match layout.triangles()[side as usize] {
                Some(area) => {
                    marks::draw_triangle(self.turn, layout.triangle_size(), area, target)?;
                    match layout.dots(side) {
                        Some(area) => dots::draw_dots(self.dots, area, target),
                        None => Ok(()),
                    }
                }
                None => Ok(()),
            },
            Element::Arrow(side) => match layout.arrow(side) {
                Some(area) => marks::draw_arrow(self.direction, side, area, target),
                None => Ok(()),
            },
            Element::Blank => target.fill_solid(&target.bounding_box(), theme::GROUND),
        }
    }

    fn layout(&self, size: Size) -> Layout {
        Layout::of(self.style.table, size)
    }

    fn tag(&self, place: u8) -> Tag {
        Tag {
            text: self.label(place),
            ink: self.label_ink(place),
            began: self.began == Some(place),
            ended: self.ended == Some(place),
        }
    }

    fn label(&self, place: u8) -> &'static str {
        match Cup::at(place.into()) {
            Some(_) if self.stuck.contains(place.into()) => "--",
            Some(cup) => self.style.label(cup),
            None => self.style.stores[owner(place).index()],
        }
    }

    fn label_ink(&self, place: u8) -> Rgb565 {
        if self.stuck.contains(place.into()) {
            theme::INK_WARNING
        } else {
            theme::player(owner(place))
        }
    }

    /// Returns the digits of a place; empty if its stones are not counted.
    fn count(&self, place: u8) -> String<3> {
        let mut digits = String::new();
        if self.counted.contains(place.into()) {
            let stones = self.stones[usize::from(place)];
            // Three digits fit: a count is a byte.
            let _ = match (self.style.table, Cup::at(place.into())) {
                (Table::StoresInTheMiddle, None) => write!(digits, "{stones:02}"),
                _ => write!(digits, "{stones}"),
            };
        }
        digits
    }

    fn rim(&self, place: u8) -> Rim {
        match self.lit {
            Some((light, places)) if places.contains(place.into()) => match light {
                Light::Sowing => Rim::Thick(theme::RIM_SOWING),
                Light::Event => Rim::Cornered(theme::RIM_EVENT),
                Light::Advice => Rim::Broken(theme::RIM_ADVICE),
            },
            _ if Cup::at(place.into()).is_none() => Rim::Whole(theme::player(owner(place))),
            _ => Rim::Whole(theme::RIM),
        }
    }

    fn rail_colour(&self, player: Player) -> Rgb565 {
        if self.turn == Some(player) { theme::player(player) } else { theme::GROUND }
    }

    /// Returns the dash of a cup without digits, if it has one: it is in their place, because
    /// beyond them it would be far from its cup.
    fn dash_instead_of_digits(&self, place: u8, layout: &Layout) -> Option<Rectangle> {
        let cup = Cup::at(place.into()).filter(|_| self.has_dash_instead_of_digits(place))?;
        Some(marks::dash(&layout.cup_dash_without_digits(cup)))
    }

    fn has_dash_instead_of_digits(&self, place: u8) -> bool {
        self.dash == Some(place)
            && self.style.table == Table::StoresAtTheEnds
            && !self.counted.contains(place.into())
            && Cup::at(place.into()).is_some()
    }

    fn dash_colour(&self, place: u8) -> Rgb565 {
        if self.dash == Some(place) && !self.has_dash_instead_of_digits(place) {
            theme::DASH
        } else {
            self.dash_ground(place)
        }
    }

    /// Returns the background of a dash: the edge of the message box, a hollow, or the board.
    fn dash_ground(&self, place: u8) -> Rgb565 {
        match (self.style.table, Cup::at(place.into())) {
            (Table::StoresAtTheEnds, Some(_)) => theme::MESSAGE_GROUND,
            (Table::StoresAtTheEnds, None) | (Table::StoresInTheMiddle, Some(_)) => theme::HOLLOW,
            (Table::StoresInTheMiddle, None) => theme::GROUND,
        }
    }

    /// Returns the colours of the digits, on a hollow or the board.
    fn count_inks(&self, place: u8) -> Inks {
        let cup = Cup::at(place.into());
        let ink = match cup {
            Some(_) if self.has_dash_instead_of_digits(place) => theme::DASH,
            Some(cup) if self.stones[cup.place()] == 0 => theme::INK_DIM,
            Some(_) => theme::INK,
            None => theme::player(owner(place)),
        };
        let ground = match (self.style.table, cup) {
            (Table::StoresInTheMiddle, Some(_)) => theme::HOLLOW,
            _ => theme::GROUND,
        };
        Inks { ink, ground }
    }
}

/// Returns the font of the digits of a cup or a store.
const fn count_font(place: u8) -> &'static Font {
    if Cup::at(place as usize).is_some() { theme::TEXT_FONT } else { theme::STORE_FONT }
}

/// Returns the cells of `count` characters in the middle of `area`.
fn cells(font: &Font, count: u32, area: &Rectangle) -> Rectangle {
    let cell = font.character_size;
    centred(Size::new(count * cell.width, cell.height), area)
}

const fn owner(place: u8) -> Player {
    if (place as usize) <= Player::Bottom.store() { Player::Bottom } else { Player::Top }
}

fn label(layout: &Layout, place: u8) -> Rectangle {
    match Cup::at(place.into()) {
        Some(cup) => layout.cup_label(cup),
        None => layout.store_label(owner(place)),
    }
}

fn hollow(layout: &Layout, place: u8) -> Rectangle {
    match Cup::at(place.into()) {
        Some(cup) => layout.cup_hollow(cup),
        None => layout.store_hollow(owner(place)),
    }
}

fn stones(layout: &Layout, place: u8) -> Rectangle {
    match Cup::at(place.into()) {
        Some(cup) => layout.cup_stones(cup),
        None => layout.store_stones(owner(place)),
    }
}

/// Returns the area in which the stones of a place are centred.
fn heap(layout: &Layout, place: u8) -> Rectangle {
    match Cup::at(place.into()) {
        Some(cup) => layout.cup_stones(cup),
        None => inside(layout.store_hollow(owner(place))),
    }
}

fn count(layout: &Layout, place: u8) -> Rectangle {
    match Cup::at(place.into()) {
        Some(cup) => layout.cup_count(cup),
        None => layout.store_count(owner(place)),
    }
}

fn dash(layout: &Layout, place: u8) -> Rectangle {
    match Cup::at(place.into()) {
        Some(cup) => layout.cup_dash(cup),
        None => layout.store_dash(owner(place)),
    }
}

/// Draws one line of text in the middle of an area of its background.
fn draw_cell<D: TextTarget>(
    line: Line<'_>,
    area: Rectangle,
    target: &mut D,
) -> Result<(), D::Error> {
    target.fill_solid(&area, line.ground)?;
    line.draw(line.centred_in(&area).top_left, target)
}

/// Returns the area that changes: one stone more or less is drawn alone, several with the whole
/// heap.
fn changed_stones(before: u8, after: u8, inside: Rectangle) -> Rectangle {
    if before.abs_diff(after) == 1 { Heap::new(inside).stone(before.min(after)) } else { inside }
}

const fn redraw(element: Element, area: Rectangle) -> Damage {
    Damage::Redraw(area, AnyElement::Board(element))
}
