//! Random walks through the app: after each press the LCD, which is updated by differences, is the
//! same as one on which the whole view is drawn.

use std::format;
use std::vec;
use std::vec::Vec;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::Rgb565;

use super::*;
use crate::game::random::Random;
use crate::interface::screen::Element;
use crate::pins::lcd::PANEL;
use crate::pins::present::{Budget, Canvas, Presenter};

const WALKS: u64 = 30;
const PRESSES: u32 = 40;
/// Bytes of a step on the board.
const STEP: u32 = 15_625;

struct Panel(Vec<Rgb565>);

impl OriginDimensions for Panel {
    fn size(&self) -> Size {
        PANEL
    }
}

impl DrawTarget for Panel {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        for Pixel(Point { x, y }, colour) in pixels {
            self.0[y as usize * PANEL.width as usize + x as usize] = colour;
        }
        Ok(())
    }
}

type Drawer = Presenter<Box<Canvas<Element>>, View>;

fn blank() -> (Drawer, Panel) {
    let pixels = (PANEL.width * PANEL.height) as usize;
    let panel = Panel(vec![Rgb565::new(31, 0, 31); pixels]);
    (Presenter::new(Box::new(Canvas::new())), panel)
}

/// A scene with an LCD, and the presses so far.
struct Walk {
    scene: Scene,
    lcd: (Drawer, Panel),
    replay: Vec<String>,
}

impl Walk {
    /// Draws for one step, as the board does while the app continues.
    fn draw_a_step(&mut self) {
        let view = self.scene.app.view(self.scene.now);
        let (drawer, panel) = &mut self.lcd;
        let Ok(_) = drawer.step(&view, PANEL, panel, &mut Budget::new(STEP));
    }

    /// Lets time pass, from wake to wake.
    fn wait(&mut self, millis: u32) {
        let end = self.scene.now.saturating_add(Micros::from_millis(millis));
        while self.scene.now < end {
            let Scene { app, chip, now, .. } = &mut self.scene;
            let next = match app.step(*now, &[], Levels::default(), chip) {
                Wake::Now => now.saturating_add(Micros(500)),
                Wake::At(at) => at.max(now.saturating_add(Micros(500))),
                Wake::OnInput => end,
            };
            self.draw_a_step();
            self.scene.read_console();
            self.scene.now = next.min(end);
        }
        self.compare();
    }

    fn edge(&mut self, button: Button, down: bool) {
        let edge = Edge { at: self.scene.now, button, down };
        let Scene { app, chip, now, .. } = &mut self.scene;
        app.step(*now, &[edge], Levels::default(), chip);
        self.draw_a_step();
        self.scene.read_console();
        let does = if down { "press" } else { "release" };
        self.replay.push(format!("{}us {does} {}", self.scene.now.0, button.name()));
    }

    /// Completes the frame, and compares it with the whole view.
    fn compare(&mut self) {
        let view = self.scene.app.view(self.scene.now);
        let (drawer, panel) = &mut self.lcd;
        while !drawer.shows(&view) {
            let Ok(_) = drawer.step(&view, PANEL, panel, &mut Budget::new(u32::MAX));
        }
        self.scene.app.shown(self.scene.now);
        let (mut other, mut whole) = blank();
        while !other.shows(&view) {
            let Ok(_) = other.step(&view, PANEL, &mut whole, &mut Budget::new(u32::MAX));
        }
        let differs = panel.0.iter().zip(&whole.0).filter(|(one, two)| one != two).count();
        let at = panel.0.iter().zip(&whole.0).position(|(one, two)| one != two).unwrap_or(0);
        assert!(
            differs == 0,
            "{differs} pixels differ, the first at x={} y={}; view {view:?}; replay:\n{}",
            at % PANEL.width as usize,
            at / PANEL.width as usize,
            self.replay.join("\n"),
        );
    }
}

#[test]
fn differences_lead_to_the_same_picture_as_drawing_all() {
    for seed in 0..WALKS {
        let mut dice = Random::new(seed + 1);
        let mut below = |limit: u64| dice.number() % limit;
        let games = [Game::Board, Game::Family, Game::Wari, Game::TopBottom];
        let game = games[below(4) as usize];
        let settings = Settings { first: Some(Player::Bottom), ..playing(game) };
        let mut scene = Scene::with(settings);
        // From an entry of the menu on, so that the pages come about that presses seldom reach.
        let entries: Vec<Entry> = Menu::ALL.into_iter().flat_map(Menu::entries).collect();
        let entry = entries[below(entries.len() as u64) as usize];
        scene.choose(entry);
        let start = format!("seed {seed}: {game:?}, menu entry {entry:?}");
        let mut walk = Walk { scene, lcd: blank(), replay: vec![start] };
        walk.compare();
        for _ in 0..PRESSES {
            let buttons: Vec<Button> = Button::all().collect();
            let button = match below(4) {
                0 => Button::RESET,
                _ => buttons[below(buttons.len() as u64) as usize],
            };
            let held = [30, 80, 200, 450, 700, 1_100][below(6) as usize];
            walk.edge(button, true);
            walk.wait(held);
            walk.edge(button, false);
            walk.wait([10, 40, 150, 600][below(4) as usize]);
        }
    }
}
