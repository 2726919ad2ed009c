//! Tests of the search in mazes without a firmware, with planted flaws, and on the board itself
//! with a small budget.

use std::sync::Arc;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::{Rgb565, RgbColor as _};
use embedded_graphics::primitives::Rectangle;
use firmware_core::present::{Damage, Picture, PixelTarget, TextTarget};
use firmware_core::screen::View;
use firmware_core::screen::text::Line;
use firmware_core::screen::theme::LABEL_FONT;
use hal_mock::replay::{self, ReplaySettings, Unjudged, Verdict};
use host::Interrupt;
use reading::text::Reader;
use trace::{Action, Button};
use virtual_time::{Nanos, Random};

use super::appearance::{Fault, Unreadable, faults, lowest, unreadable};
use super::factory::run;
use super::walker::Walk;
use super::watched::StoredPictures;
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

/// A line of text in an area that may be too short for it, and a second area.
#[derive(Clone, Copy, PartialEq)]
struct Planted {
    text: &'static str,
    places: [Rectangle; 2],
}

impl Picture for Planted {
    type Element = usize;

    fn damage(&self, _: Option<&Self>, size: Size, mut report: impl FnMut(Damage<usize>)) {
        report(Damage::Fill(Rectangle::new(Point::zero(), size), Rgb565::BLACK));
        self.places.iter().enumerate().for_each(|(nth, area)| report(Damage::Redraw(*area, nth)));
    }

    fn draw<D: TextTarget>(&self, element: usize, _: Size, target: &mut D) -> Result<(), D::Error> {
        let area = self.places[element];
        let line =
            Line { text: self.text, font: LABEL_FONT, ink: Rgb565::WHITE, ground: Rgb565::BLUE };
        if element == 0 {
            line.draw(area.top_left, target)
        } else {
            target.fill_solid(&area, Rgb565::RED)
        }
    }
}

#[track_caller]
fn check(width: u32, second: Point, expected: &[Fault<usize>]) {
    let places = [
        Rectangle::new(Point::new(10, 10), Size::new(width, 20)),
        Rectangle::new(second, Size::new(20, 20)),
    ];
    let reader = Reader::new(boards::native::fonts());
    let picture = Planted { text: "All of it", places };
    assert_eq!(faults(&picture, Size::new(160, 100), &reader), expected);
}

#[test]
fn clipped_text_and_overlapping_parts_are_reported() {
    let clipped = || Fault::Clipped { part: 0, text: "All of it".to_owned() };
    check(110, Point::new(10, 60), &[]);
    check(40, Point::new(10, 60), &[clipped()]);
    check(110, Point::new(100, 10), &[Fault::Overlap(0, 1)]);
    check(110, Point::new(150, 60), &[Fault::OtherBoard(1)]);
}

#[test]
fn faint_text_is_reported_for_each_kind_of_vision() {
    let reader = Reader::new(boards::native::fonts());
    let frame = |ink, ground| {
        let mut canvas = Canvas::new(Size::new(120, 30), 0);
        let Ok(()) = canvas.fill_solid(&Rectangle::new(Point::zero(), Size::new(120, 30)), ground);
        let line = Line { text: "Faint", font: LABEL_FONT, ink, ground };
        let Ok(()) = line.draw(Point::new(8, 4), &mut PixelTarget(&mut canvas));
        canvas.panel()
    };
    let of = |ink, ground| {
        let frame = frame(ink, ground);
        unreadable(&View::Off, &frame, &reader.read(&frame), &reader)
    };
    assert_eq!(of(Rgb565::WHITE, Rgb565::BLACK), []);
    let grey = of(Rgb565::new(12, 24, 12), Rgb565::BLACK);
    let [Unreadable::Faint { vision, .. }] = grey[..] else { panic!("{grey:?}") };
    assert_eq!(vision.name(), "normal");
    // Without long-wave cones, red is dark.
    let frame = frame(Rgb565::RED, Rgb565::BLACK);
    let lowest = lowest(&View::Off, &frame, &reader.read(&frame), &reader);
    let of =
        |vision| lowest.iter().find(|(other, ..)| *other == vision).map(|(_, found, _)| *found);
    assert!(of(Vision::Normal) > Some(5.0) && of(Vision::Protanopia) < Some(3.5), "{lowest:?}");
}

#[test]
fn exploring_the_board_is_reproducible_and_its_traces_replay() {
    let reader = Reader::new(boards::native::fonts());
    let factory = Factory::new(1, &reader);
    let never = Interrupt::default();
    // On the second panel the screens cannot be drawn at all.
    let sizes = [Size::new(480, 320), Size::new(64, 64)];
    let draw = |jobs| {
        let found = explore(&factory, budget(18, jobs), &never, &mut |_| {}).unwrap();
        Atlas::draw(&factory, found, &sizes, TraceScreens::default(), jobs, &never).unwrap()
    };
    let atlas = draw(2);
    assert!(page(&atlas, &[]) == page(&draw(1), &[]), "two searches differ");

    let presses = |kind: &str, text: &str| {
        let is = |found: &&FoundScreen<Screen>| {
            found.screen.kind == kind && found.screen.text.starts_with(text)
        };
        let found = atlas.found.screens.iter().find(is);
        let found = found.unwrap_or_else(|| panic!("no {kind} {text}: {:#?}", atlas.found.screens));
        let steps: Vec<String> = found.path.iter().map(ToString::to_string).collect();
        steps.join(" ")
    };
    assert_eq!(presses("question", "Welcome"), "");
    assert_eq!(presses("how to play", "Sowing 2 of 6"), "B1 B2");
    assert_eq!(presses("menu Play", "New Board"), "hold RESET B2");
    assert_eq!(presses("board", "Player 1 FREE TURN"), "B6 B3");
    assert_eq!(presses("board", "Help: this cup"), "B6 RESET+T5");

    for portrait in atlas.portraits.iter().flatten() {
        let only = |flaw: &Flaw| matches!(flaw, Flaw::NotDrawn(size) | Flaw::Misfit(size, _) if *size == sizes[1]);
        assert!(
            portrait.same && !portrait.flaws.is_empty() && portrait.flaws.iter().all(only),
            "{:?}: {:?}",
            portrait.text,
            portrait.flaws
        );
    }
    let traces = atlas.to_traces(&factory);
    assert_eq!(traces.len(), atlas.found.screens.len());
    for (name, trace) in traces {
        let mut machine = boards::native::build(&trace, None).unwrap();
        let settings = ReplaySettings::default();
        let outcome = replay::replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &settings);
        assert_eq!(outcome.verdict, Verdict::Passed, "{name}:\n{trace}");
    }
}

#[test]
fn a_path_shows_the_same_after_any_other_path() {
    let reader = Reader::new(boards::native::fonts());
    let factory = Factory::new(3, &reader);
    let steps: Vec<Step> = Button::LCD_BOARD
        .into_iter()
        .flat_map(|button| [Step::Tap(button), Step::Hold(button), Step::WithReset(button)])
        .filter(|step| *step != Step::WithReset(Button::Reset))
        .chain([Step::Wait, Step::OffAndOn])
        .collect();
    let mut random = Random::new(5);
    let mut any = |count: usize| (random.next() % count as u64) as usize;
    let mut walker = factory.walker();
    // Leaves the welcome page, makes a move, and asks the computer for one.
    let mut path = vec![Step::Tap(Button::B6), Step::Tap(Button::B3), Step::WithReset(Button::T5)];
    for _ in 0..60 {
        let from = path.len() - 1;
        let visit = factory.visit(&mut walker, &path, from).unwrap();
        let fresh = factory.visit(&mut factory.walker(), &path, from).unwrap();
        assert_eq!(visit, fresh, "{path:?}");
        let walked = walker.walk(&path, StoredPictures::Nothing).unwrap();
        let whole = run(&factory.eye, &trace_to(factory.header(), &path, Action::End, Vec::new()));
        let whole = whole.unwrap();
        let noted = |walk: &Walk| -> Vec<_> {
            walk.noted.iter().map(|noted| (noted.at, Arc::clone(&noted.screen))).collect()
        };
        assert_eq!(noted(&walked), noted(&whole), "{path:?}");
        assert_eq!((walked.console, walked.fault), (whole.console, whole.fault), "{path:?}");
        // Returns to a random press of the path and continues from there.
        path.truncate(1 + any(path.len()));
        for _ in 0..1 + any(3) {
            path.push(steps[any(steps.len())]);
        }
    }
}
