//! Scenes of `expect` with subjects other than text and whole frames.

use super::Scene;
use super::played::Played;
use trace::Action;

pub(super) const SCENES: &[Scene] = &[
    ("goldens of a part, ignored pixels, a tolerance", "expect/parts", |played| {
        let parts = played.count(
            |action| matches!(action, Action::ExpectFrame(expected) if expected.region.is_some()),
        );
        let ignores = played.count(
            |action| matches!(action, Action::ExpectFrame(expected) if !expected.rules.ignored.is_empty()),
        );
        let tolerates = played.count(
            |action| matches!(action, Action::ExpectFrame(expected) if expected.rules.tolerance > 0),
        );
        (parts, ignores, tolerates) == (3, 1, 1) && played.moves().any(|said| said.is("free-turn"))
    }),
    ("every screen that stood still, in one line", "expect/frames", |played| {
        let chains =
            played.count(|action| matches!(action, Action::ExpectFrames { settled: true, .. }));
        chains == 2 && played.refuses("not-yours") && played.moves().count() == 2
    }),
    ("console lines, tones, silence and the backlight", "expect/heard", |played| {
        let waits = played.count(|action| matches!(action, Action::WaitConsole { .. }));
        let lengths =
            played.count(|action| matches!(action, Action::ExpectTone { lasted: Some(_), .. }));
        let silence = played.count(|action| matches!(action, Action::ExpectNoTone { .. }));
        let dark =
            played.count(|action| matches!(action, Action::ExpectBacklight { on: false, .. }));
        (waits, lengths, silence, dark) == (5, 3, 3, 3)
            && played.refuses("empty")
            && played.wrote(&["off", "boot nudge="])
    }),
    ("settings and saved games in flash, with power and without", "expect/flash", |played| {
        let there = played.count(|action| matches!(action, Action::ExpectFlash(_)));
        let not_there = played.count(|action| matches!(action, Action::ExpectNoFlash(_)));
        (there, not_there) == (8, 3) && played.wrote(&["saved name=GAME1"])
    }),
    ("bytes, times of frames and violations within their budgets", "expect/budgets", |played| {
        let bus = played.count(|action| matches!(action, Action::ExpectBus { .. }));
        let times = played.count(|action| matches!(action, Action::ExpectFrameTime { .. }));
        let rules = played.count(|action| *action == Action::ExpectNoViolations);
        (bus, times, rules) == (3, 2, 2) && played.moves().count() == 1
    }),
    ("the cost of a menu", "menu/drawing-cost-menus", |played| bounds_the_bus(played) == 15),
    ("the cost of pages", "menu/drawing-cost-pages", |played| bounds_the_bus(played) == 12),
    ("the cost of the name entry", "menu/drawing-cost-names", |played| bounds_the_bus(played) == 8),
    ("the cost of counting and sowing", "wari/drawing-cost", |played| {
        bounds_the_bus(played) == 7 && played.moves().count() == 2
    }),
    ("the cost of moves", "drawing-cost", |played| {
        bounds_the_bus(played) == 8 && played.moves().count() == 7
    }),
    ("texts along a row, in a part of the panel, for their time", "expect/texts", |played| {
        let regions = played.count(|action| match action {
            Action::ExpectText(check) => check.wanted.region.is_some(),
            Action::ExpectNoText(wanted) => wanted.region.is_some(),
            _ => false,
        });
        let times = played.count(
            |action| matches!(action, Action::ExpectText(check) if check.shown_for.is_some()),
        );
        (regions, times) == (4, 3) && played.refuses("empty") && played.refuses("not-yours")
    }),
];

fn bounds_the_bus(played: &Played) -> usize {
    played.count(|action| matches!(action, Action::ExpectBus { .. }))
}
