//! Tests the atlas of the LCD board's firmware with a small budget.

use atlas::{
    Atlas, Budget, Factory, Flaw, FoundScreen, TraceScreens, World as _, explore, page, trace_to,
};
use embedded_graphics::geometry::Size;
use firmware_board::native;
use firmware_insight::LcdBoard;
use hal_mock::replay::{self, ReplaySettings, Unjudged, Verdict};
use host::Interrupt;
use insight::{Screen, Step};
use reading::text::Reader;
use trace::{Action, Button};
use virtual_time::{Nanos, Random};

fn budget(jobs: usize) -> Budget {
    Budget { screens: 18, time: Nanos(u64::MAX), jobs }
}

#[test]
fn exploring_the_board_is_reproducible_and_its_traces_replay() {
    sampled!();
    let reader = Reader::new(native::fonts());
    let factory = Factory::new(&LcdBoard, 1, &reader);
    let never = Interrupt::default();
    // On the second panel the screens cannot be drawn at all.
    let sizes = [Size::new(480, 320), Size::new(64, 64)];
    let draw = |jobs| {
        let found = explore(&factory, budget(jobs), &never, &mut |_| {}).unwrap();
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
        let only = |flaw: &Flaw| matches!(flaw, Flaw::NotDrawn(size) | Flaw::Misfit(Some(size), _) if *size == sizes[1]);
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
        let mut machine = native::build(&trace, None).unwrap();
        let settings = ReplaySettings::default();
        let outcome = replay::replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &settings);
        assert_eq!(outcome.verdict, Verdict::Passed, "{name}:\n{trace}");
    }
}

#[test]
fn a_path_shows_the_same_after_any_other_path() {
    sampled!();
    let reader = Reader::new(native::fonts());
    let factory = Factory::new(&LcdBoard, 3, &reader);
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
        let walked = factory.walk(&mut walker, &path).unwrap();
        let whole = trace_to(factory.header(), &path, Action::End, Vec::new());
        assert_eq!(walked, factory.replay(&whole).unwrap(), "{path:?}");
        // Returns to a random press of the path and continues from there.
        path.truncate(1 + any(path.len()));
        for _ in 0..1 + any(3) {
            path.push(steps[any(steps.len())]);
        }
    }
}
