//! The backlight while no button is pressed.

use super::*;
use crate::game::opponent::Players;
use crate::interface::app::DARK_AFTER;

const LIT: u32 = (DARK_AFTER.0 / 1_000) as u32;

fn is_lit(scene: &Scene) -> bool {
    scene.app.is_lit(scene.now)
}

#[test]
fn the_backlight_goes_out_ten_minutes_after_the_last_edge() {
    let mut scene = Scene::new();
    scene.edge("B1", true);
    scene.wait(500);
    scene.edge("B1", false);
    scene.wait(LIT - 1);
    assert!(is_lit(&scene));
    scene.wait(1);
    assert!(!is_lit(&scene));
}

#[test]
fn the_app_is_called_when_the_backlight_goes_out() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(LIT - 1);
    let wake = scene.app.step(scene.now, &[], Levels::default(), &mut scene.chip);
    assert_eq!(wake, Wake::At(scene.now.saturating_add(Micros::from_millis(1))));
}

#[test]
fn a_press_in_the_dark_only_lights_the_board() {
    for button in ["B1", "T1", "RESET"] {
        let mut scene = Scene::new();
        scene.tap("B1");
        scene.wait(5_000);
        let before = scene.view().stones;
        scene.wait(LIT);
        scene.tap(button);
        assert!(is_lit(&scene));
        scene.wait(3_000);
        assert_eq!(scene.view().stones, before, "{button}");
        scene.tap("T1");
        scene.wait(3_000);
        assert_ne!(scene.view().stones, before, "the next press counts");
    }
}

#[test]
fn a_button_that_is_released_in_the_dark_is_no_longer_held() {
    let mut scene = Scene::new();
    scene.hold_reset();
    scene.edge("B1", true);
    scene.wait(LIT + 1);
    assert!(!is_lit(&scene));
    scene.edge("B1", false);
    assert!(scene.app.buttons.held.is_none());
    assert!(is_lit(&scene));
}

#[test]
fn the_demo_stays_lit() {
    let mut scene = Scene::with(Settings { players: Players::Demo, ..Settings::default() });
    scene.wait(LIT + 1_000);
    assert!(is_lit(&scene));
}
