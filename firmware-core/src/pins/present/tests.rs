//! Limits of a step for sending and drawing, and frames with more changes than fit into the list.

extern crate std;

use core::convert::Infallible;
use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use embedded_graphics::Pixel;
use embedded_graphics::geometry::OriginDimensions;
use embedded_graphics::pixelcolor::IntoStorage as _;
use embedded_graphics::pixelcolor::raw::RawU16;

use super::*;
use crate::pins::lcd::PANEL;

const CELLS: usize = 200;

/// A background of one colour, and cells with their own colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sheet {
    ground: u16,
    cells: [u16; CELLS],
}

#[derive(Clone, Copy)]
enum Element {
    Whole,
    Cell(usize),
}

fn colour(number: u16) -> Rgb565 {
    Rgb565::from(RawU16::new(number))
}

fn cell(nth: usize) -> Rectangle {
    Rectangle::new(Point::new((nth % 20 * 16) as i32, (nth / 20 * 24) as i32), Size::new(8, 8))
}

fn whole() -> Rectangle {
    Rectangle::new(Point::zero(), PANEL)
}

impl Picture for Sheet {
    type Element = Element;

    fn damage(&self, shown: Option<&Self>, _: Size, mut report: impl FnMut(Damage<Element>)) {
        match shown.filter(|shown| shown.ground == self.ground) {
            None => report(Damage::Redraw(whole(), Element::Whole)),
            Some(shown) => (0..CELLS)
                .filter(|nth| shown.cells[*nth] != self.cells[*nth])
                .for_each(|nth| report(Damage::Redraw(cell(nth), Element::Cell(nth)))),
        }
    }

    /// A cell has one colour: alternately an ink on an unchanged background, and a changed
    /// background.
    fn inks(&self, element: Element) -> Option<Inks> {
        let Element::Cell(nth) = element else { return None };
        let (cell, ground) = (colour(self.cells[nth]), colour(self.ground));
        let inks = [Inks { ink: cell, ground }, Inks { ink: ground, ground: cell }];
        Some(inks[nth % 2])
    }

    fn draw<D: TextTarget>(
        &self,
        element: Element,
        _: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let cells = match element {
            Element::Whole => {
                target.fill_solid(&whole(), colour(self.ground))?;
                0..CELLS
            }
            Element::Cell(nth) => nth..nth + 1,
        };
        for nth in cells {
            target.fill_solid(&cell(nth), colour(self.cells[nth]))?;
        }
        Ok(())
    }
}

/// A panel that counts the bytes sent to it.
struct Panel {
    pixels: Vec<u16>,
    bytes: u32,
}

impl OriginDimensions for Panel {
    fn size(&self) -> Size {
        PANEL
    }
}

impl DrawTarget for Panel {
    type Color = Rgb565;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(&mut self, _: I) -> Result<(), Infallible> {
        panic!("single pixels cost a window each");
    }

    fn fill_contiguous<I: IntoIterator<Item = Rgb565>>(
        &mut self,
        area: &Rectangle,
        colours: I,
    ) -> Result<(), Infallible> {
        self.bytes += 11 + 2 * area.size.width * area.size.height;
        let mut colours = colours.into_iter();
        for y in 0..area.size.height {
            for x in 0..area.size.width {
                let at = (area.top_left.y as u32 + y) * PANEL.width + area.top_left.x as u32 + x;
                self.pixels[at as usize] = colours.next().expect("a colour a pixel").into_storage();
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Rgb565) -> Result<(), Infallible> {
        self.fill_contiguous(area, core::iter::repeat(colour))
    }
}

struct Scene {
    presenter: Presenter<Box<Canvas<Element>>, Sheet>,
    panel: Panel,
}

impl Scene {
    fn new() -> Self {
        let pixels = vec![0xDEAD; (PANEL.width * PANEL.height) as usize];
        Self { presenter: Presenter::new(Box::default()), panel: Panel { pixels, bytes: 0 } }
    }

    /// Shows `view` in steps of at most `bytes`. Returns the number of steps.
    #[track_caller]
    fn show(&mut self, view: &Sheet, bytes: u32) -> u32 {
        for step in 1..=400 {
            let before = self.panel.bytes;
            let mut budget = Budget::new(bytes);
            let over = self.presenter.step(view, PANEL, &mut self.panel, &mut budget);
            let sent = self.panel.bytes - before;
            assert!(sent <= bytes, "step {step}: {sent} bytes of {bytes}");
            if over == Ok(true) {
                self.check(view);
                return step;
            }
        }
        panic!("it never ends");
    }

    #[track_caller]
    fn check(&self, view: &Sheet) {
        let mut expected = vec![view.ground; self.panel.pixels.len()];
        for nth in 0..CELLS {
            for point in embedded_graphics::primitives::PointsIter::points(&cell(nth)) {
                expected[point.y as usize * PANEL.width as usize + point.x as usize] =
                    view.cells[nth];
            }
        }
        assert!(self.panel.pixels == expected, "the panel shows something else");
        assert!(self.presenter.shows(view));
        assert_eq!(self.presenter.views(), (Some(view), None));
    }
}

fn sheet(ground: u16) -> Sheet {
    Sheet { ground, cells: [ground ^ 0xF00; CELLS] }
}

#[test]
fn no_step_sends_more_than_its_budget() {
    // A full tile and its window take 3,211 bytes.
    for bytes in [3_211, 3_212, 4_000, 6_422, 20_000] {
        let mut scene = Scene::new();
        scene.show(&sheet(1), bytes);
        scene.show(&sheet(2), bytes);
        let mut cells = sheet(2);
        (0..100).for_each(|nth| cells.cells[nth] = nth as u16);
        scene.show(&cells, bytes);
    }
}

#[test]
fn a_step_without_room_for_a_tile_sends_nothing() {
    let mut scene = Scene::new();
    let over = scene.presenter.step(&sheet(1), PANEL, &mut scene.panel, &mut Budget::new(3_210));
    assert_eq!((over, scene.panel.bytes), (Ok(false), 0));
    assert_eq!(scene.presenter.views(), (None, Some(&sheet(1))));
}

/// A frame has 48 full tiles: with unknown panel content each is drawn in its new state, otherwise
/// also in its old one.
#[test]
fn a_step_draws_two_tiles_at_most() {
    let mut scene = Scene::new();
    assert_eq!(scene.show(&sheet(1), u32::MAX), 24);
    assert_eq!(scene.show(&sheet(2), u32::MAX), 48);
}

/// A cell of 64 pixels is drawn twice, and each tile costs 100 pixels more.
#[test]
fn small_tiles_cost_more_than_their_pixels() {
    let mut scene = Scene::new();
    scene.show(&sheet(1), u32::MAX);
    let mut cells = sheet(1);
    (0..100).for_each(|nth| cells.cells[nth] = 7);
    let a_step = 2 * (1_600 + 100) / (2 * (64 + 100));
    assert_eq!(scene.show(&cells, u32::MAX), 100_u32.div_ceil(a_step));
}

#[test]
fn too_many_changes_draw_everything() {
    for changes in [MAX_DAMAGE, MAX_DAMAGE + 1, CELLS] {
        let mut scene = Scene::new();
        scene.show(&sheet(1), u32::MAX);
        let mut cells = sheet(1);
        (0..changes).for_each(|nth| cells.cells[nth] = 7);
        let before = scene.panel.bytes;
        scene.show(&cells, u32::MAX);
        let all = scene.panel.bytes - before > 2 * PANEL.width * PANEL.height;
        assert_eq!(all, changes > MAX_DAMAGE, "{changes}");
    }
}
