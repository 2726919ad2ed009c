//! The screen with two rows of cups, two stores at their ends, and the status message box
//! in the middle. Systems share it; each has a [`Style`].

use core::fmt::Write as _;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;
use heapless::String;

use super::Damage;
use super::layout::{Layout, around, inside, rim};
use super::status::Text;
use super::stones::Heap;
use super::style::Style;
use super::text::{Line, centred};
use super::theme;
use crate::message::Message;
use crate::places::Places;
use crate::rules::{Cup, Direction, PLACES, Player};

/// Characters of the longest label of a cup: `#6`, `12`, `--`.
const LABEL_CHARACTERS: u32 = 2;
/// Width and height of the square that an arrow stands in, in pixels.
const ARROW: u32 = 16;

/// What the screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// The words and the marks.
    pub style: &'static Style,
    /// Stones drawn at each place.
    pub stones: [u8; PLACES],
    /// Places whose stones are counted in digits as well.
    pub counted: Places,
    /// The place that a dash marks.
    pub dash: Option<u8>,
    /// Which way the arrows in the middle point; none where the direction never flips.
    pub direction: Option<Direction>,
    /// Whose turn it is; none once the game is over.
    pub turn: Option<Player>,
    /// The status message.
    pub message: Message,
    /// Places with a lit rim, and why.
    pub lit: Option<(Light, Places)>,
    /// Cups whose button is stuck.
    pub stuck: Places,
}

/// Why a rim is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// A stone is on its way.
    Sowing,
    /// A capture, a free turn, a sweep.
    Event,
    /// The cup that Help would play.
    Advice,
}

/// The parts of the screen. A place is a cup or a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// The name of a cup beside its button, or of a store's owner.
    Label(u8),
    /// The rim of a place.
    Rim(u8),
    /// The stones of a place.
    Stones(u8),
    /// The digits of a place.
    Count(u8),
    /// The line beside a player's cups.
    Rail(Player),
    /// The status message box.
    Message,
    /// The arrow at the left or the right end of the message, which points at the row of
    /// the player to move.
    Arrow(Side),
}

/// An end of the status message box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Side {
    Left,
    Right,
}

impl BoardView {
    /// See [`super::View::damage`].
    pub(super) fn damage(&self, shown: Option<&Self>, size: Size, mut report: impl FnMut(Damage)) {
        let layout = Layout::new(size);
        let Some(shown) = shown.filter(|shown| shown.style == self.style) else {
            Self::elements(&layout, |element, area| report(redraw(element, area)));
            return;
        };
        for place in 0..PLACES as u8 {
            let at = usize::from(place);
            if shown.rim(place) != self.rim(place) {
                for strip in rim(hollow(&layout, place)) {
                    report(Damage::Fill(strip, self.rim(place)));
                }
            }
            if shown.stones[at] != self.stones[at] {
                let heap = inside(hollow(&layout, place));
                let area = damaged_stones(shown.stones[at], self.stones[at], heap);
                report(redraw(Element::Stones(place), area));
            }
            if (shown.counted.contains(at), shown.stones[at])
                != (self.counted.contains(at), self.stones[at])
            {
                let digits =
                    shown.stones[at].max(self.stones[at]).checked_ilog10().unwrap_or(0) + 1;
                let area = cells(count_font(place), digits, &count(&layout, place));
                report(redraw(Element::Count(place), area));
            }
            if shown.label_ink(place) != self.label_ink(place) {
                let area = cells(theme::LABEL_FONT, LABEL_CHARACTERS, &label(&layout, place));
                report(redraw(Element::Label(place), area));
            }
        }
        for player in Player::BOTH {
            if shown.rail_colour(player) != self.rail_colour(player) {
                report(Damage::Fill(layout.rail(player), self.rail_colour(player)));
            }
        }
        if shown.turn != self.turn {
            for side in [Side::Left, Side::Right] {
                let area = centred(Size::new_equal(ARROW), &layout.arrow(side));
                report(redraw(Element::Arrow(side), area));
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

    /// Every element with its rectangles, which cover the panel.
    fn elements(layout: &Layout, mut each: impl FnMut(Element, Rectangle)) {
        for place in 0..PLACES as u8 {
            let hollow = hollow(layout, place);
            for strip in around(hollow) {
                each(Element::Rim(place), strip);
            }
            each(Element::Stones(place), inside(hollow));
            each(Element::Count(place), count(layout, place));
            each(Element::Label(place), label(layout, place));
        }
        for player in Player::BOTH {
            each(Element::Rail(player), layout.rail(player));
        }
        for side in [Side::Left, Side::Right] {
            each(Element::Arrow(side), layout.arrow(side));
        }
        each(Element::Message, layout.message());
    }

    /// Draws one element; see [`super::View::draw`].
    pub(super) fn draw<D: DrawTarget<Color = Rgb565>>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let layout = Layout::new(size);
        match element {
            Element::Label(place) => {
                let (text, ink) = (self.label(place), self.label_ink(place));
                draw_cell(text, theme::LABEL_FONT, ink, label(&layout, place), target)
            }
            Element::Rim(place) => draw_rim(hollow(&layout, place), self.rim(place), target),
            Element::Stones(place) => Heap::new(inside(hollow(&layout, place)))
                .draw(self.stones[usize::from(place)], target),
            Element::Count(place) => {
                let stones = self.stones[usize::from(place)];
                let mut text = String::<4>::new();
                if self.counted.contains(place.into()) {
                    // Three digits fit.
                    let _ = write!(text, "{stones}");
                }
                let area = count(&layout, place);
                let ink = match Cup::at(place.into()) {
                    Some(_) if stones == 0 => theme::INK_DIM,
                    Some(_) => theme::INK,
                    None => theme::player(owner(place)),
                };
                draw_cell(&text, count_font(place), ink, area, target)
            }
            Element::Rail(player) => {
                target.fill_solid(&layout.rail(player), self.rail_colour(player))
            }
            Element::Message => Text::of(self.message, self.style).draw(layout.message(), target),
            Element::Arrow(side) => self.draw_arrow(layout.arrow(side), target),
        }
    }

    fn draw_arrow<D: DrawTarget<Color = Rgb565>>(
        &self,
        area: Rectangle,
        target: &mut D,
    ) -> Result<(), D::Error> {
        target.fill_solid(&area, theme::MESSAGE_GROUND)?;
        let Some(player) = self.turn else { return Ok(()) };
        let centre = area.center();
        let rows = ARROW as i32 * 3 / 4;
        for row in 0..rows {
            let y = match player {
                Player::Top => centre.y - rows / 2 + row,
                Player::Bottom => centre.y + rows / 2 - row,
            };
            // Three pixels down, two to each side.
            let half = row * 2 / 3;
            let span =
                Rectangle::new(Point::new(centre.x - half, y), Size::new(2 * half as u32 + 1, 1));
            target.fill_solid(&span, theme::player(player))?;
        }
        Ok(())
    }

    fn label(&self, place: u8) -> &'static str {
        match Cup::at(place.into()) {
            Some(_) if self.stuck.contains(place.into()) => "--",
            Some(cup) => (self.style.label)(cup),
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

    fn rim(&self, place: u8) -> Rgb565 {
        match self.lit {
            Some((light, places)) if places.contains(place.into()) => match light {
                Light::Sowing => theme::RIM_SOWING,
                Light::Event | Light::Advice => theme::RIM_EVENT,
            },
            _ if Cup::at(place.into()).is_none() => theme::player(owner(place)),
            _ => theme::RIM,
        }
    }

    fn rail_colour(&self, player: Player) -> Rgb565 {
        if self.turn == Some(player) { theme::player(player) } else { theme::GROUND }
    }
}

/// The font of the digits of a cup or a store.
const fn count_font(place: u8) -> &'static MonoFont<'static> {
    if Cup::at(place as usize).is_some() { theme::TEXT_FONT } else { theme::STORE_FONT }
}

/// Where `count` characters stand in the middle of `area`.
fn cells(font: &MonoFont<'_>, count: u32, area: &Rectangle) -> Rectangle {
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

fn count(layout: &Layout, place: u8) -> Rectangle {
    match Cup::at(place.into()) {
        Some(cup) => layout.cup_count(cup),
        None => layout.store_count(owner(place)),
    }
}

/// One line of text in the middle of an area of board.
fn draw_cell<D: DrawTarget<Color = Rgb565>>(
    text: &str,
    font: &'static MonoFont<'static>,
    ink: Rgb565,
    area: Rectangle,
    target: &mut D,
) -> Result<(), D::Error> {
    target.fill_solid(&area, theme::GROUND)?;
    let line = Line { text, font, ink, ground: theme::GROUND };
    line.draw(line.centred_in(&area).top_left, target)
}

/// One stone more or less is drawn alone, several with the whole heap.
fn damaged_stones(before: u8, after: u8, inside: Rectangle) -> Rectangle {
    if before.abs_diff(after) == 1 { Heap::new(inside).stone(before.min(after)) } else { inside }
}

const fn redraw(element: Element, area: Rectangle) -> Damage {
    Damage::Redraw(area, super::Element::Board(element))
}

fn draw_rim<D: DrawTarget<Color = Rgb565>>(
    cell: Rectangle,
    colour: Rgb565,
    target: &mut D,
) -> Result<(), D::Error> {
    for strip in around(cell) {
        target.fill_solid(&strip, theme::GROUND)?;
    }
    for strip in rim(cell) {
        target.fill_solid(&strip, colour)?;
    }
    Ok(())
}
