//! The screens, sent by the presenter to a panel that counts how often each pixel is written.

extern crate std;
use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTargetExt as _;
use embedded_graphics::geometry::OriginDimensions;

mod sent_whole;
mod two_inks;

use super::*;
use crate::game::places::{Direction, PLACES, Places, Player};
use crate::game::systems::SYSTEMS;
use crate::interface::message::{HoldAction, Holding, Message};
use crate::interface::page::{LogText, Notice, Page};
use crate::interface::screen::rows::Light;
use crate::interface::screen::text::Line;
use crate::pins::lcd::PANEL;
use crate::pins::lcd::{PIXEL_BYTES, WINDOW_BYTES};
use crate::pins::present::{Budget, Canvas, Presenter};

struct Paper {
    size: Size,
    pixels: Vec<Rgb565>,
    writes: Vec<u32>,
    bytes: u32,
    windows: Vec<Rectangle>,
}

impl Paper {
    fn new(size: Size) -> Self {
        let count = (size.width * size.height) as usize;
        Self {
            size,
            pixels: vec![Rgb565::new(31, 0, 31); count],
            writes: vec![0; count],
            bytes: 0,
            windows: vec![],
        }
    }

    fn forget_writes(&mut self) {
        self.writes.fill(0);
    }
}

impl OriginDimensions for Paper {
    fn size(&self) -> Size {
        self.size
    }
}

impl DrawTarget for Paper {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        self.bytes += WINDOW_BYTES;
        let mut corners = None;
        for Pixel(point, colour) in pixels {
            self.bytes += PIXEL_BYTES;
            assert!(point.x >= 0 && (point.x as u32) < self.size.width, "{point:?}");
            assert!(point.y >= 0 && (point.y as u32) < self.size.height, "{point:?}");
            let index = point.y as usize * self.size.width as usize + point.x as usize;
            self.pixels[index] = colour;
            self.writes[index] += 1;
            corners = Some((corners.map_or(point, |(first, _)| first), point));
        }
        let window = corners.map(|(first, last)| Rectangle::with_corners(first, last));
        self.windows.extend(window);
        Ok(())
    }
}

fn view(stones: [u8; PLACES], message: Message) -> View {
    View::Board(board_view(stones, message))
}

fn board_view(stones: [u8; PLACES], message: Message) -> BoardView {
    BoardView {
        style: &board::STYLE,
        stones,
        counted: Places::ALL,
        dash: None,
        direction: None,
        turn: Some(Player::Bottom),
        message,
        lit: None,
        began: None,
        ended: None,
        dots: 0,
        stuck: Places::NONE,
    }
}

fn new_presenter() -> Presenter<Box<Canvas<Element>>, View> {
    Presenter::new(Box::new(Canvas::new()))
}

fn present(
    presenter: &mut Presenter<Box<Canvas<Element>>, View>,
    view: &View,
    paper: &mut Paper,
) -> usize {
    let size = paper.size;
    for step in 1.. {
        let before = paper.bytes;
        let mut budget = Budget::new(BUDGET);
        let done = presenter.step(view, size, paper, &mut budget).unwrap();
        assert!(paper.bytes - before <= BUDGET, "{} bytes in a step", paper.bytes - before);
        if done {
            return step;
        }
        assert!(step < 1_000, "never done");
    }
    unreachable!()
}

const BUDGET: u32 = crate::firmware::BYTES_A_STEP;
const SIZES: [Size; 3] = [PANEL, Size::new(480, 320), Size::new(400, 240)];

#[test]
fn a_whole_screen_writes_every_pixel_exactly_once() {
    for (size, system) in SIZES.into_iter().flat_map(|size| SYSTEMS.map(|system| (size, system))) {
        let mut paper = Paper::new(size);
        let mut first = board_view([4; PLACES], Message::Turn(Player::Bottom));
        first.style = system.style();
        present(&mut new_presenter(), &View::Board(first), &mut paper);
        let wrong = paper.writes.iter().position(|writes| *writes != 1);
        assert_eq!(
            wrong.map(|at| (at as u32 % size.width, at as u32 / size.width, paper.writes[at])),
            None,
            "{} on {size:?}",
            system.name
        );
    }
}

#[test]
fn changes_write_no_pixel_twice_and_match_a_whole_drawing() {
    let mut stones = [4; PLACES];
    for size in SIZES {
        let mut presenter = new_presenter();
        let mut paper = Paper::new(size);
        present(&mut presenter, &view(stones, Message::Turn(Player::Bottom)), &mut paper);
        for change in 0..60u32 {
            for (place, count) in (0u32..).zip(stones.iter_mut()) {
                *count = (change * 7 + place * (change % 5)) as u8 % 49;
            }
            let message = [Message::FreeTurn(Player::Top), Message::Turn(Player::Top)];
            let next = view(stones, message[change as usize % 2]);
            paper.forget_writes();
            present(&mut presenter, &next, &mut paper);
            assert!(paper.writes.iter().all(|writes| *writes <= 1));
            let mut whole = Paper::new(size);
            present(&mut new_presenter(), &next, &mut whole);
            assert!(paper.pixels == whole.pixels, "change {change} on {size:?}");
        }
    }
}

/// The system changes at every third step; marks appear, move and disappear.
#[test]
fn marks_and_tables_write_no_pixel_twice_and_match_a_whole() {
    let lights = [Light::Sowing, Light::Event, Light::Advice];
    let directions = [None, Some(Direction::CounterClockwise), Some(Direction::Clockwise)];
    for size in SIZES {
        let mut presenter = new_presenter();
        let mut paper = Paper::new(size);
        for change in 0..48usize {
            let mut stones = [5; PLACES];
            stones[change % PLACES] += change as u8;
            let next = View::Board(BoardView {
                style: SYSTEMS[change / 3 % SYSTEMS.len()].style(),
                stones,
                counted: Places::STORES.with(change % 5),
                dash: (change % 4 > 0).then_some((change * 5 % PLACES) as u8),
                direction: directions[change % 3],
                turn: Some(Player::BOTH[change / 2 % 2]).filter(|_| change % 5 > 0),
                message: Message::Thinking(Player::Top, change as u8 % 4),
                lit: Some((lights[change % 3], Places::NONE.with(change % 7))),
                began: (change % 3 > 0).then_some((change % 6) as u8),
                ended: (change % 4 > 0).then_some((change * 3 % PLACES) as u8),
                dots: change as u8 % 4,
                stuck: Places::NONE.with(change * 7 % 6),
            });
            paper.forget_writes();
            present(&mut presenter, &next, &mut paper);
            assert!(paper.writes.iter().all(|writes| *writes <= 1));
            let mut whole = Paper::new(size);
            present(&mut new_presenter(), &next, &mut whole);
            assert!(paper.pixels == whole.pixels, "change {change} on {size:?}");
        }
    }
}

#[test]
fn a_dash_that_moves_costs_two_windows_and_their_pixels() {
    const DASH: u32 = 20 * 4;
    for system in SYSTEMS {
        let mut presenter = new_presenter();
        let mut paper = Paper::new(PANEL);
        let mut board = board_view([4; PLACES], Message::Turn(Player::Bottom));
        board.style = system.style();
        for place in 0..PLACES as u8 {
            board.dash = Some(place);
            let before = paper.bytes;
            present(&mut presenter, &View::Board(board), &mut paper);
            let most = 2 * (WINDOW_BYTES + DASH * PIXEL_BYTES);
            assert!(place == 0 || paper.bytes - before <= most, "{} to {place}", system.name);
        }
    }
}

#[test]
fn a_whole_screen_takes_several_steps_within_the_budget() {
    let mut paper = Paper::new(PANEL);
    let first = view([4; PLACES], Message::Turn(Player::Top));
    let steps = present(&mut new_presenter(), &first, &mut paper);
    assert!(steps >= (paper.bytes.div_ceil(BUDGET)) as usize);
    assert!(steps <= 36, "{steps} steps");
}

#[test]
fn text_split_at_any_column_is_unchanged() {
    let size = Size::new(60, 24);
    let line = Line {
        text: "MW#",
        font: theme::TEXT_FONT,
        ink: Rgb565::new(31, 63, 31),
        ground: Rgb565::new(1, 2, 3),
    };
    let mut whole = Paper::new(size);
    line.draw(Point::new(3, 2), &mut PixelTarget(&mut whole)).unwrap();
    for column in 0..size.width {
        let mut cut = Paper::new(size);
        let left = Rectangle::new(Point::zero(), Size::new(column, size.height));
        let right = Rectangle::new(
            Point::new(column as i32, 0),
            Size::new(size.width - column, size.height),
        );
        for part in [left, right] {
            line.draw(Point::new(3, 2), &mut PixelTarget(&mut cut.clipped(&part))).unwrap();
        }
        assert!(cut.pixels == whole.pixels, "column {column}");
    }
}

/// Returns the rectangles that are drawn so that a page that shows `shown` shows `next`.
fn damage_of(shown: PageView, next: PageView) -> Vec<Rectangle> {
    let mut areas = Vec::new();
    View::Page(next).damage(Some(&View::Page(shown)), PANEL, |damage| areas.push(damage.area()));
    areas
}

#[test]
fn only_the_changes_of_a_page_are_drawn() {
    let page = Page::Notice(Notice::NoLogs);
    let holding = |steps| Some(Holding { does: HoldAction::Menu, steps });
    let view = |holding| PageView { style: &board::STYLE, page, log: LogText::EMPTY, holding };
    assert!(damage_of(view(None), view(None)).is_empty());
    assert!(damage_of(view(holding(3)), view(holding(3))).is_empty());
    let title = damage_of(view(None), view(holding(3)));
    assert_eq!(title.len(), 1);
    // A bar that advances by a step: only that step's columns.
    let step = damage_of(view(holding(3)), view(holding(4)));
    assert_eq!(step.len(), 1);
    assert_eq!(step[0].intersection(&title[0]), step[0]);
    assert_eq!(step[0].size.width, 5);
}
