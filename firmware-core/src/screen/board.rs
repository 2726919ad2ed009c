//! The screen of the `board` system: two rows of cups, two stores, the status message
//! box in the middle, and its words.

use core::fmt::Write as _;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;
use heapless::String;

use super::layout::{Layout, around, inside};
use super::stones::Heap;
use super::text::Line;
use super::theme;
use crate::message::Message;
use crate::places::Places;
use crate::rules::{CUPS_A_SIDE, Cup, GameResult, PLACES, PlayError, Player};

/// What the screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// Stones drawn and counted at each place.
    pub stones: [u8; PLACES],
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
}

/// The lines of `message` in this system's words; the second may be empty.
pub const fn words(message: Message) -> [&'static str; 2] {
    use Player::{Bottom, Top};
    match message {
        Message::Turn(Bottom) => ["Player 1's turn", ""],
        Message::Turn(Top) => ["Player 2's turn", ""],
        Message::FreeTurn(Bottom) => ["Player 1", "FREE TURN"],
        Message::FreeTurn(Top) => ["Player 2", "FREE TURN"],
        Message::Captured(Bottom) => ["Player 1", "collected BONUS"],
        Message::Captured(Top) => ["Player 2", "collected BONUS"],
        Message::Over(GameResult::Winner(Bottom)) => ["GAME OVER", "Player 1 wins"],
        Message::Over(GameResult::Winner(Top)) => ["GAME OVER", "Player 2 wins"],
        Message::Over(GameResult::Draw) => ["GAME OVER", "DRAW"],
        Message::Refused(PlayError::NotYours, Bottom) => ["Not your cup:", "Player 1's turn"],
        Message::Refused(PlayError::NotYours, Top) => ["Not your cup:", "Player 2's turn"],
        Message::Refused(PlayError::Empty, _) => ["Empty cup:", "choose another"],
        Message::Refused(PlayError::GameOver, _) => ["GAME OVER:", "press RESET"],
        Message::Stuck(_) => ["is stuck", "and ignored"],
        Message::StorageDamaged => ["Flash damaged:", "defaults used"],
    }
}

impl BoardView {
    /// See [`super::View::damage`].
    pub(super) fn damage(
        &self,
        shown: Option<&Self>,
        size: Size,
        mut report: impl FnMut((Element, Rectangle)),
    ) {
        let layout = Layout::new(size);
        for place in 0..PLACES as u8 {
            let at = usize::from(place);
            let hollow = hollow(&layout, place);
            if shown.is_none_or(|shown| shown.rim(place) != self.rim(place)) {
                for strip in around(hollow) {
                    report((Element::Rim(place), strip));
                }
            }
            let before = shown.map(|shown| shown.stones[at]);
            if before != Some(self.stones[at]) {
                self.damaged_stones(place, before, inside(hollow), &mut report);
                report((Element::Count(place), count(&layout, place)));
            }
            if shown.is_none_or(|shown| shown.label_ink(place) != self.label_ink(place)) {
                report((Element::Label(place), label(&layout, place)));
            }
        }
        for player in Player::BOTH {
            if shown.is_none_or(|shown| shown.rail_colour(player) != self.rail_colour(player)) {
                report((Element::Rail(player), layout.rail(player)));
            }
        }
        if shown.is_none_or(|shown| (shown.message, shown.turn) != (self.message, self.turn)) {
            report((Element::Message, layout.message()));
        }
    }

    /// Few stones more or less are reported one by one, many as the whole heap.
    fn damaged_stones(
        &self,
        place: u8,
        before: Option<u8>,
        inside: Rectangle,
        report: &mut impl FnMut((Element, Rectangle)),
    ) {
        let after = self.stones[usize::from(place)];
        let changed = match before {
            Some(before) => before.min(after)..before.max(after),
            None => 0..u8::MAX,
        };
        let heap = Heap::new(inside);
        if changed.len() == 1 {
            report((Element::Stones(place), heap.stone(changed.start)));
        } else {
            report((Element::Stones(place), inside));
        }
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
                let mut text = String::<8>::new();
                // "P1", "#6" and "stuck" all fit.
                let _ = self.write_label(place, &mut text);
                let ink = self.label_ink(place);
                draw_cell(&text, theme::LABEL_FONT, ink, label(&layout, place), target)
            }
            Element::Rim(place) => draw_rim(hollow(&layout, place), self.rim(place), target),
            Element::Stones(place) => Heap::new(inside(hollow(&layout, place)))
                .draw(self.stones[usize::from(place)], target),
            Element::Count(place) => {
                let stones = self.stones[usize::from(place)];
                let mut text = String::<4>::new();
                let _ = write!(text, "{stones}");
                let area = count(&layout, place);
                match Cup::at(place.into()) {
                    Some(_) => {
                        let ink = if stones == 0 { theme::INK_DIM } else { theme::INK };
                        draw_cell(&text, theme::TEXT_FONT, ink, area, target)
                    }
                    None => {
                        let ink = theme::player(owner(place));
                        draw_cell(&text, theme::STORE_FONT, ink, area, target)
                    }
                }
            }
            Element::Rail(player) => {
                target.fill_solid(&layout.rail(player), self.rail_colour(player))
            }
            Element::Message => self.draw_message(layout.message(), target),
        }
    }

    fn draw_message<D: DrawTarget<Color = Rgb565>>(
        &self,
        area: Rectangle,
        target: &mut D,
    ) -> Result<(), D::Error> {
        target.fill_solid(&area, theme::MESSAGE_GROUND)?;
        let ink = match self.message {
            Message::Refused(..) | Message::Stuck(_) | Message::StorageDamaged => {
                theme::INK_WARNING
            }
            _ => theme::INK,
        };
        let mut first = String::<24>::new();
        let [line, second] = words(self.message);
        // The longest line has 15 characters.
        let _ = match self.message {
            Message::Stuck(button) => write!(first, "{} {line}", button.name()),
            _ => first.push_str(line).map_err(|_| core::fmt::Error),
        };
        let font = theme::TEXT_FONT;
        let lines = if second.is_empty() { 1 } else { 2 };
        let height = font.character_size.height;
        let mut row = Rectangle::new(
            area.top_left + Point::new(0, (area.size.height - lines * height) as i32 / 2),
            Size::new(area.size.width, height),
        );
        for text in [first.as_str(), second] {
            let line = Line { text, font, ink, ground: theme::MESSAGE_GROUND };
            line.draw(line.centred_in(&row).top_left, target)?;
            row.top_left.y += height as i32;
        }
        if let Some(player) = self.turn {
            let centre_y = area.center().y;
            let margin = height as i32 / 2 + 2;
            let right = area.top_left.x + area.size.width as i32 - 1;
            for centre_x in [area.top_left.x + margin, right - margin] {
                draw_arrow(Point::new(centre_x, centre_y), height / 2, player, target)?;
            }
        }
        Ok(())
    }

    fn write_label(&self, place: u8, text: &mut String<8>) -> core::fmt::Result {
        match Cup::at(place.into()) {
            Some(_) if self.stuck.contains(place.into()) => text.write_str("--"),
            // #1 is beside one's own store, #6 farthest from it.
            Some(cup) => write!(text, "#{}", CUPS_A_SIDE - cup.nth_of_owner()),
            None => write!(text, "P{}", owner(place).index() + 1),
        }
    }

    /// Bright for a cup that its owner can sow now.
    fn label_ink(&self, place: u8) -> Rgb565 {
        let Some(cup) = Cup::at(place.into()) else { return theme::player(owner(place)) };
        if self.stuck.contains(place.into()) {
            theme::INK_WARNING
        } else if self.turn == Some(cup.owner()) {
            theme::player(cup.owner())
        } else {
            theme::INK_DIM
        }
    }

    fn rim(&self, place: u8) -> Rgb565 {
        match self.lit {
            Some((light, places)) if places.contains(place.into()) => match light {
                Light::Sowing => theme::RIM_SOWING,
                Light::Event => theme::RIM_EVENT,
            },
            _ if Cup::at(place.into()).is_none() => theme::player(owner(place)),
            _ => theme::RIM,
        }
    }

    fn rail_colour(&self, player: Player) -> Rgb565 {
        if self.turn == Some(player) { theme::player(player) } else { theme::GROUND }
    }
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
    font: &'static embedded_graphics::mono_font::MonoFont<'static>,
    ink: Rgb565,
    area: Rectangle,
    target: &mut D,
) -> Result<(), D::Error> {
    target.fill_solid(&area, theme::GROUND)?;
    let line = Line { text, font, ink, ground: theme::GROUND };
    line.draw(line.centred_in(&area).top_left, target)
}

/// The rim of a hollow: two pixels wide with rounded corners, one pixel inside the cell.
fn draw_rim<D: DrawTarget<Color = Rgb565>>(
    cell: Rectangle,
    colour: Rgb565,
    target: &mut D,
) -> Result<(), D::Error> {
    /// How far the rim stands back in each row of a corner, from the top and from the bottom.
    const CORNER: [i32; 3] = [3, 1, 1];
    const THICK: i32 = 2;
    let left = cell.top_left.x + 1;
    let top = cell.top_left.y + 1;
    let width = cell.size.width as i32 - 2;
    let height = cell.size.height as i32 - 2;
    let span = |x: i32, y: i32, width: i32, height: i32| {
        Rectangle::new(Point::new(x, y), Size::new(width.max(0) as u32, height.max(0) as u32))
    };
    for strip in around(cell) {
        target.fill_solid(&strip, theme::GROUND)?;
    }
    let rows = CORNER.len() as i32;
    for (row, back) in (0..).zip(CORNER) {
        for y in [top + row, top + height - 1 - row] {
            if row < THICK {
                target.fill_solid(&span(left + back, y, width - 2 * back, 1), colour)?;
            } else {
                target.fill_solid(&span(left + back, y, THICK - back, 1), colour)?;
                target.fill_solid(&span(left + width - THICK, y, THICK - back, 1), colour)?;
            }
        }
    }
    for x in [left, left + width - THICK] {
        target.fill_solid(&span(x, top + rows, THICK, height - 2 * rows), colour)?;
    }
    Ok(())
}

/// A triangle `size` pixels high that points at the row of `player`.
fn draw_arrow<D: DrawTarget<Color = Rgb565>>(
    centre: Point,
    size: u32,
    player: Player,
    target: &mut D,
) -> Result<(), D::Error> {
    for row in 0..size as i32 {
        let y = match player {
            Player::Top => centre.y - size as i32 / 2 + row,
            Player::Bottom => centre.y + size as i32 / 2 - row,
        };
        let half = row * 2 / 3;
        let span =
            Rectangle::new(Point::new(centre.x - half, y), Size::new(2 * half as u32 + 1, 1));
        target.fill_solid(&span, theme::player(player))?;
    }
    Ok(())
}
