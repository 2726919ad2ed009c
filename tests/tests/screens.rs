//! Every word that the LCD can say, read back off the pixels: complete, in its place, in the
//! fonts and characters that the readers are told of. On the board's panel and on a larger one.

use std::collections::BTreeSet;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::{PointsIter as _, Rectangle};
use firmware_core::button::Button;
use firmware_core::lcd::PANEL;
use firmware_core::message::Message;
use firmware_core::places::Places;
use firmware_core::rules::{Cup, GameResult, PLACES, PlayError, Player};
use firmware_core::screen::layout::Layout;
use firmware_core::screen::style::{Counts, Style};
use firmware_core::screen::{BoardView, Damage, View, theme};
use firmware_core::systems::{BOARD, SYSTEMS};
use hal_mock::Frame;
use nudge_tests::glance::{Eye, cut_out, pixels_in, seen};

/// The board's panel, and one that somebody may take instead.
const PANELS: [Size; 2] = [PANEL, Size::new(480, 320)];

/// A frame to draw on, as the panel would show it.
struct Paper(Frame);

impl Paper {
    /// Everything that `view` shows on a panel of `size`.
    fn drawn(view: &View, size: Size) -> Self {
        const NEVER_DRAWN: u32 = 0x00FF_00FF;
        let mut paper = Self(Frame::filled(size.width as usize, size.height as usize, NEVER_DRAWN));
        let mut damage = Vec::new();
        view.damage(None, size, |part| damage.push(part));
        for part in damage {
            match part {
                Damage::Fill(area, colour) => paper.fill_solid(&area, colour),
                Damage::Redraw(area, element) => {
                    view.draw(element, size, &mut Part { paper: &mut paper, area })
                }
            }
            .unwrap_or_else(|never| match never {});
        }
        assert!(!paper.0.pixels().contains(&NEVER_DRAWN), "a pixel is left out on {size}");
        paper
    }
}

impl OriginDimensions for Paper {
    fn size(&self) -> Size {
        Size::new(self.0.width() as u32, self.0.height() as u32)
    }
}

impl DrawTarget for Paper {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        let width = self.0.width();
        for Pixel(point, colour) in pixels {
            self.0.pixels_mut()[point.y as usize * width + point.x as usize] = seen(colour);
        }
        Ok(())
    }
}

/// A rectangle of the paper; what falls outside of it is cut off.
struct Part<'a> {
    paper: &'a mut Paper,
    area: Rectangle,
}

impl Dimensions for Part<'_> {
    fn bounding_box(&self) -> Rectangle {
        self.area
    }
}

impl DrawTarget for Part<'_> {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        let area = self.area;
        self.paper.draw_iter(pixels.into_iter().filter(move |pixel| area.contains(pixel.0)))
    }
}

/// Every message that there is.
fn messages() -> Vec<Message> {
    let mut all = vec![Message::Over(GameResult::Draw), Message::StorageDamaged];
    for player in Player::BOTH {
        all.extend([
            Message::Turn(player),
            Message::FreeTurn(player),
            Message::Captured(player),
            Message::Coin(player),
            Message::Over(GameResult::Winner(player)),
            Message::Refused(PlayError::NotYours, player),
            Message::Refused(PlayError::Empty, player),
            Message::Refused(PlayError::GameOver, player),
        ]);
    }
    all.extend(Button::all().map(Message::Stuck));
    // A new message does not compile here: it belongs into the list above.
    for message in &all {
        match message {
            Message::Turn(_) | Message::FreeTurn(_) | Message::Captured(_) | Message::Coin(_) => {}
            Message::Over(GameResult::Winner(_) | GameResult::Draw) => {}
            Message::Refused(PlayError::NotYours | PlayError::Empty | PlayError::GameOver, _) => {}
            Message::Stuck(_) | Message::StorageDamaged => {}
            _ => {}
        }
    }
    all
}

/// What `message` must read, its lines joined by one space.
fn expected(style: &Style, message: Message) -> String {
    let text = (style.words)(message).join(" ");
    match message {
        Message::Stuck(button) => format!("{} {text}", button.name()),
        _ => text.trim_end().to_owned(),
    }
}

fn view(stones: [u8; PLACES], message: Message, stuck: Places) -> BoardView {
    BoardView {
        style: BOARD.style,
        stones,
        counted: Places::ALL,
        dash: None,
        direction: None,
        turn: Some(Player::Bottom),
        message,
        lit: None,
        stuck,
    }
}

/// Draws `board` in every system's style on every panel and reads it: message, digits and labels, each in its place,
/// and not a pixel of ink that is in none of the letters read.
#[track_caller]
fn check(board: BoardView) {
    for system in SYSTEMS {
        let style = system.style;
        check_style(BoardView {
            style,
            counted: if style.counts == Counts::Always { Places::ALL } else { Places::NONE },
            ..board
        });
        check_style(BoardView { style, counted: Places::ALL, ..board });
    }
}

#[track_caller]
fn check_style(board: BoardView) {
    let counted =
        |stones: u8| if board.counted == Places::ALL { stones.to_string() } else { String::new() };
    let eye = Eye::default();
    for size in PANELS {
        let layout = Layout::new(size);
        let frame = Paper::drawn(&View::Board(board), size).0;
        let mut expected = vec![(layout.message(), expected(board.style, board.message))];
        for player in Player::BOTH {
            let stones = counted(board.stones[player.store()]);
            expected.push((layout.store_count(player), stones));
            let name = board.style.stores[player.index()].to_owned();
            expected.push((layout.store_label(player), name));
        }
        for cup in Cup::all() {
            expected.push((layout.cup_count(cup), counted(board.stones[cup.place()])));
            if !board.stuck.contains(cup.place()) {
                expected.push((layout.cup_label(cup), (board.style.label)(cup).to_owned()));
            }
        }
        for (area, words) in &expected {
            assert_eq!(&eye.words(&frame, area), words, "on {size}");
            assert_eq!(stray_ink(&eye, &frame, area), None, "ink beside {words:?} on {size}");
        }
    }
}

/// A pixel of `area`, from its own edges, that is neither ground nor part of a letter read.
fn stray_ink(eye: &Eye, frame: &Frame, area: &Rectangle) -> Option<(usize, usize)> {
    let lines = eye.text(&cut_out(frame, area)).lines;
    let ground = pixels_in(frame, area).next()?.2;
    let ink = pixels_in(frame, area).filter(|&(_, _, pixel)| pixel != ground);
    let mut places = ink.map(|(x, y, _)| (x, y));
    places.find(|(x, y)| {
        !lines.iter().any(|line| {
            (line.x..line.x + line.width).contains(x) && (line.y..line.y + line.height).contains(y)
        })
    })
}

#[test]
fn every_message_fits_its_box_and_reads_as_it_is_meant() {
    for message in messages() {
        check(view([4; PLACES], message, Places::NONE));
    }
}

#[test]
fn every_count_of_stones_reads_as_it_is_meant() {
    for stones in 0..=48 {
        check(view([stones; PLACES], Message::Turn(Player::Top), Places::NONE));
    }
}

#[test]
fn a_stuck_cup_shows_two_dashes_in_the_colour_of_a_warning_and_no_number() {
    let all = (0..PLACES).fold(Places::NONE, Places::with);
    let mut over = view([0; PLACES], Message::Over(GameResult::Draw), all);
    over.turn = None;
    check(over);
    for size in PANELS {
        let frame = Paper::drawn(&View::Board(over), size).0;
        let layout = Layout::new(size);
        for cup in Cup::all() {
            let label = layout.cup_label(cup);
            let warning = seen(theme::INK_WARNING);
            let ink = pixels_in(&frame, &label).filter(|&(_, _, pixel)| pixel == warning);
            let rows: BTreeSet<usize> = ink.map(|(_, y, _)| y).collect();
            // A dash alone is no text to a reader, which could not tell it from a line.
            assert!((1..=2).contains(&rows.len()), "dashes in rows {rows:?} of {cup:?}");
            assert_eq!(Eye::default().words(&frame, &label), "");
        }
    }
}

#[test]
fn what_the_lcd_says_uses_only_the_characters_that_readers_are_told_of() {
    for message in messages() {
        let text = expected(BOARD.style, message);
        let foreign = text.chars().find(|letter| !theme::CHARACTERS.contains(*letter));
        assert_eq!(foreign, None, "in {text:?}");
    }
}

#[test]
fn the_parts_of_the_screen_cover_it_without_overlapping() {
    for size in PANELS {
        let mut covered = vec![0u32; (size.width * size.height) as usize];
        let board = view([4; PLACES], Message::Turn(Player::Bottom), Places::NONE);
        View::Board(board).damage(None, size, |part| {
            let (Damage::Fill(area, _) | Damage::Redraw(area, _)) = part;
            for Point { x, y } in area.points() {
                covered[(y as u32 * size.width + x as u32) as usize] += 1;
            }
        });
        let wrong = covered.iter().position(|times| *times != 1);
        let place = wrong.map(|at| (at as u32 % size.width, at as u32 / size.width, covered[at]));
        assert_eq!(place, None, "x, y and how often, on {size}");
    }
}

#[test]
fn the_stones_that_are_drawn_can_be_counted_on_every_panel() {
    let eye = Eye::default();
    for size in PANELS {
        // A cup of 33 stones has a third layer on the small panel; a game hardly ever has 20.
        for stones in 0..=32u8 {
            let board = view([stones; PLACES], Message::Turn(Player::Top), Places::NONE);
            let shown = eye.glance(&Paper::drawn(&View::Board(board), size).0);
            assert_eq!(shown.stones, [u32::from(stones); PLACES], "on {size}");
        }
    }
}
