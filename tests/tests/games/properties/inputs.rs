//! The inputs of a session with their times. This module knows no board and no rule.

use super::*;

/// An input: a press of buttons, or a power cut.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// A press if the button is up, a release if it is down.
    Move(Button),
    /// A press and a release.
    Tap(Button, Nanos),
    /// Several buttons at once.
    Chord(Vec<Button>, Nanos),
    /// RESET held for a second, followed by soft keys.
    Menu(Vec<Button>),
    /// Power off, and on again after that time.
    PowerCut(Nanos),
}

fn button() -> impl Strategy<Value = Button> {
    (0..Button::LCD_BOARD.len()).prop_map(|index| Button::LCD_BOARD[index])
}

pub(super) fn micros(range: core::ops::Range<u64>) -> impl Strategy<Value = Nanos> {
    range.prop_map(Nanos::from_micros)
}

/// Generates the duration of a hold or a pause: usually a person's, sometimes any.
pub(super) fn span() -> impl Strategy<Value = Nanos> {
    prop_oneof![
        1 => Just(Nanos(1)),
        2 => (1..20_000_000u64).prop_map(Nanos),
        6 => micros(20_000..400_000),
        2 => micros(400_000..2_600_000),
    ]
}

/// Generates a hold too short for RESET to open the menu or for a key to leave the demo.
fn short() -> impl Strategy<Value = Nanos> {
    prop_oneof![
        1 => Just(Nanos(1)),
        2 => (1..20_000_000u64).prop_map(Nanos),
        5 => micros(20_000..980_000),
        1 => micros(980_000..1_000_000),
    ]
}

/// Generates an input that stays on the board.
pub(super) fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        3 => (0..NUDGES).prop_map(|nth| Input::Move(Button::LCD_BOARD[nth])),
        8 => (button(), short()).prop_map(|(button, hold)| Input::Tap(button, hold)),
        3 => short().prop_map(|hold| Input::Tap(Button::Reset, hold)),
        2 => (vec(button(), 2..13), short()).prop_map(|(all, hold)| Input::Chord(all, hold)),
        1 => short().prop_map(Input::PowerCut),
    ]
}

/// Generates a soft key, rarely any other button.
fn key() -> impl Strategy<Value = Button> {
    prop_oneof![6 => (0..6_usize).prop_map(|nth| row(0)[nth].0), 1 => button()]
}

/// Generates the keys to some entry of some menu, and keys after it.
fn entry() -> impl Strategy<Value = Vec<Button>> {
    let then = prop_oneof![2 => vec(key(), 0..5), 1 => Just(vec![YES, YES])];
    (0..4_usize, 0..12_usize, then).prop_map(|(right, down, then)| {
        let mut keys = [Button::B2].repeat(right);
        keys.extend([Button::B4].repeat(down));
        keys.push(OK);
        keys.extend(then);
        keys
    })
}

/// Generates any input.
pub(super) fn any_input() -> impl Strategy<Value = Input> {
    prop_oneof![
        2 => button().prop_map(Input::Move),
        6 => (button(), span()).prop_map(|(button, hold)| Input::Tap(button, hold)),
        6 => (key(), span()).prop_map(|(button, hold)| Input::Tap(button, hold)),
        3 => span().prop_map(|hold| Input::Tap(Button::Reset, hold)),
        2 => vec(key(), 1..12).prop_map(Input::Menu),
        5 => entry().prop_map(Input::Menu),
        1 => (vec(button(), 2..13), span()).prop_map(|(all, hold)| Input::Chord(all, hold)),
        1 => span().prop_map(Input::PowerCut),
    ]
}
