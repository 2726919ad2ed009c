//! Tests of the search in mazes without a firmware, and of the legibility of text.

use embedded_graphics::Drawable as _;
use embedded_graphics::draw_target::DrawTarget as _;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::{MonoTextStyleBuilder, ascii::FONT_10X20};
use embedded_graphics::pixelcolor::{Rgb565, RgbColor as _};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use host::Interrupt;
use insight::Step;
use reading::text::{Font, Reader};
use trace::Button;
use virtual_time::Nanos;

use super::appearance::{Unreadable, lowest, unreadable};
use super::*;
use legibility::canvas::Canvas;
use legibility::vision::Vision;

const B1: Step = Step::Tap(Button::B1);
const B2: Step = Step::Tap(Button::B2);

fn budget(screens: usize, jobs: usize) -> Budget {
    Budget { screens, time: Nanos(u64::MAX), jobs }
}

/// A world whose screens are numbers. A door leads from a screen, by a step, through others to the
/// last, which stays.
struct Maze {
    doors: &'static [(u8, Step, &'static [u8])],
    /// Game that can be played on screen 0.
    game: &'static [Step],
}

impl World for Maze {
    type Screen = u8;
    type Error = ();
    type Walker<'w> = ();

    fn walker(&self) {}

    fn visit(&self, (): &mut (), path: &[Step], from: usize) -> Result<Visit<u8>, ()> {
        let mut at = 0;
        let mut seen = if path.is_empty() { vec![(0, 0)] } else { Vec::new() };
        for (nth, step) in path.iter().enumerate() {
            let door = self.doors.iter().find(|(here, other, _)| (*here, other) == (at, step));
            for screen in door.map_or(&[][..], |(.., leads)| leads) {
                at = *screen;
                if nth >= from {
                    seen.push((nth, at));
                }
            }
        }
        let (phase, stored) = (String::new(), String::new());
        let time = Nanos::from_secs(1 + path.len() as u64);
        Ok(Visit { seen, rest: Some(at), phase, stored, time, fault: None })
    }

    fn steps(&self, _: &u8) -> Vec<Step> {
        vec![B1, B2]
    }

    fn games(&self, screen: &u8, _: &str) -> Vec<Vec<Step>> {
        if *screen == 0 && !self.game.is_empty() { vec![self.game.to_vec()] } else { Vec::new() }
    }
}

fn found(maze: &Maze, budget: Budget) -> Found<u8> {
    explore(maze, budget, &Interrupt::default(), &mut |_| {}).unwrap()
}

/// B1 leads from 0 over 1 and 2 to 3, B2 leads directly to 3. Screen 4 disappears by itself. Screen
/// 5, after 3, is a dead end.
const HOUSE: Maze = Maze {
    doors: &[
        (0, B1, &[1]),
        (1, B1, &[2]),
        (2, B1, &[3]),
        (0, B2, &[3]),
        (3, B1, &[4, 0]),
        (3, B2, &[5]),
        (1, B2, &[0]),
        (2, B2, &[0]),
    ],
    game: &[],
};

#[test]
fn the_fewest_presses_lead_to_each_screen() {
    let found = found(&HOUSE, budget(100, 1));
    let ways: Vec<(u8, &[Step], bool)> =
        found.screens.iter().map(|found| (found.screen, &found.path[..], found.at_rest)).collect();
    let expected: [(u8, &[Step], bool); 6] = [
        (0, &[], true),
        (1, &[B1], true),
        (3, &[B2], true),
        (2, &[B1, B1], true),
        (4, &[B2, B1], false),
        (5, &[B2, B2], true),
    ];
    assert_eq!(ways, expected);
    assert_eq!(found.end, End::Everything);
    assert_eq!(found.ways[&(2, 5)], [Some(B2)].into());
    // A temporary screen is followed by the next without a press.
    assert_eq!(found.ways[&(4, 0)], [None].into());
}

#[test]
fn only_tried_screens_are_reported_as_dead_ends() {
    let all = found(&HOUSE, budget(100, 1));
    let stuck = without_way_back(&all, |screen| *screen == 0);
    let stuck: Vec<u8> = stuck.into_iter().map(|nth| all.screens[nth].screen).collect();
    assert_eq!(stuck, [5]);
    let some = found(&HOUSE, budget(3, 1));
    assert_eq!(some.end, End::Screens);
    assert_eq!(without_way_back(&some, |screen| *screen == 0), [0_usize; 0]);
}

#[test]
fn a_budget_of_virtual_time_ends_the_search() {
    let maze = Maze { doors: &[(0, B1, &[1])], game: &[] };
    let budget = Budget { time: Nanos::from_secs(1), ..budget(100, 1) };
    let found = found(&maze, budget);
    assert_eq!((found.end, found.screens.len()), (End::Time, 2));
}

#[test]
fn a_game_finds_further_screens_and_its_path_is_shortened() {
    // A visit does not distinguish the states of screen 0: only the third B2 leads to 9.
    struct Hidden;
    impl World for Hidden {
        type Screen = u8;
        type Error = ();
        type Walker<'w> = ();
        fn walker(&self) {}
        fn visit(&self, (): &mut (), path: &[Step], from: usize) -> Result<Visit<u8>, ()> {
            let pressed = path.iter().filter(|step| **step == B2).count();
            let won = path.iter().scan(0, |sum, step| {
                *sum += usize::from(*step == B2);
                Some(*sum)
            });
            let won = won.into_iter().position(|sum| sum == 3);
            let mut seen = if path.is_empty() { vec![(0, 0)] } else { Vec::new() };
            seen.extend(won.filter(|nth| *nth >= from).map(|nth| (nth, 9)));
            let rest = Some(if pressed >= 3 { 9 } else { 0 });
            let (phase, stored) = (String::new(), String::new());
            Ok(Visit { seen, rest, phase, stored, time: Nanos(1), fault: None })
        }
        fn steps(&self, _: &u8) -> Vec<Step> {
            vec![B1, B2]
        }
        fn games(&self, screen: &u8, _: &str) -> Vec<Vec<Step>> {
            let game = vec![B1, B2, B1, B1, B2, B1, B1, B1, B2, B1, B2];
            if *screen == 0 { vec![game] } else { Vec::new() }
        }
    }
    let found = explore(&Hidden, budget(100, 2), &Interrupt::default(), &mut |_| {}).unwrap();
    let last = found.screens.last().unwrap();
    assert_eq!((last.screen, &last.path[..], last.played), (9, &[B2, B2, B2][..], true));
}

#[test]
fn faint_text_is_reported_for_each_kind_of_vision() {
    let reader = Reader::new(vec![Font::from_mono("10x20", &FONT_10X20, 1, "Faint")]);
    let frame = |ink, ground| {
        let mut canvas = Canvas::new(Size::new(120, 30), 0);
        let Ok(()) = canvas.fill_solid(&Rectangle::new(Point::zero(), Size::new(120, 30)), ground);
        let style = MonoTextStyleBuilder::new().font(&FONT_10X20).text_color(ink);
        let style = style.background_color(ground).build();
        let text = Text::with_baseline("Faint", Point::new(8, 4), style, Baseline::Top);
        let Ok(_) = text.draw(&mut canvas);
        canvas.panel()
    };
    let of = |ink, ground| {
        let frame = frame(ink, ground);
        unreadable(&[], &frame, &reader.read(&frame), &reader)
    };
    assert_eq!(of(Rgb565::WHITE, Rgb565::BLACK), []);
    let grey = of(Rgb565::new(12, 24, 12), Rgb565::BLACK);
    let [Unreadable::Faint { vision, .. }] = grey[..] else { panic!("{grey:?}") };
    assert_eq!(vision.name(), "normal");
    // Without long-wave cones, red is dark.
    let frame = frame(Rgb565::RED, Rgb565::BLACK);
    let lowest = lowest(&[], &frame, &reader.read(&frame), &reader);
    let of =
        |vision| lowest.iter().find(|(other, ..)| *other == vision).map(|(_, found, _)| *found);
    assert!(of(Vision::Normal) > Some(5.0) && of(Vision::Protanopia) < Some(3.5), "{lowest:?}");
}
