//! The presenter against a panel that counts how often each pixel is written.

extern crate std;
use std::vec;
use std::vec::Vec;

use embedded_graphics::Pixel;
use embedded_graphics::geometry::OriginDimensions;

use super::*;
use crate::lcd::PANEL;
use crate::message::Message;
use crate::places::Places;
use crate::rules::{PLACES, Player};
use crate::screen::{BoardView, board};

struct Paper {
    size: Size,
    pixels: Vec<Rgb565>,
    writes: Vec<u32>,
    bytes: u32,
}

impl Paper {
    fn new(size: Size) -> Self {
        let count = (size.width * size.height) as usize;
        Self { size, pixels: vec![Rgb565::new(31, 0, 31); count], writes: vec![0; count], bytes: 0 }
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
        for Pixel(point, colour) in pixels {
            self.bytes += PIXEL_BYTES;
            assert!(point.x >= 0 && (point.x as u32) < self.size.width, "{point:?}");
            assert!(point.y >= 0 && (point.y as u32) < self.size.height, "{point:?}");
            let index = point.y as usize * self.size.width as usize + point.x as usize;
            self.pixels[index] = colour;
            self.writes[index] += 1;
        }
        Ok(())
    }
}

fn view(stones: [u8; PLACES], message: Message) -> View {
    View::Board(BoardView {
        style: &board::STYLE,
        stones,
        counted: Places::ALL,
        dash: None,
        direction: None,
        turn: Some(Player::Bottom),
        message,
        lit: None,
        stuck: Places::NONE,
    })
}

fn present(presenter: &mut Presenter, view: &View, paper: &mut Paper) -> usize {
    let size = paper.size;
    for step in 1.. {
        let before = paper.bytes;
        let mut budget = ByteBudget(BUDGET);
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
fn a_whole_screen_fits_and_writes_every_pixel_exactly_once() {
    for size in SIZES {
        let mut paper = Paper::new(size);
        let first = view([4; PLACES], Message::Turn(Player::Bottom));
        present(&mut Presenter::new(), &first, &mut paper);
        let wrong = paper.writes.iter().position(|writes| *writes != 1);
        assert_eq!(
            wrong.map(|at| (at as u32 % size.width, at as u32 / size.width, paper.writes[at])),
            None,
            "on {size:?}"
        );
    }
}

#[test]
fn a_change_writes_no_pixel_twice_and_ends_as_if_drawn_whole() {
    let mut stones = [4; PLACES];
    for size in SIZES {
        let mut presenter = Presenter::new();
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
            present(&mut Presenter::new(), &next, &mut whole);
            assert!(paper.pixels == whole.pixels, "change {change} on {size:?}");
        }
    }
}

#[test]
fn a_whole_screen_takes_several_steps_and_none_goes_beyond_its_budget() {
    let mut paper = Paper::new(PANEL);
    let first = view([4; PLACES], Message::Turn(Player::Top));
    let steps = present(&mut Presenter::new(), &first, &mut paper);
    assert!(steps >= (paper.bytes.div_ceil(BUDGET)) as usize);
    assert!(steps <= 14, "{steps} steps");
}
