//! Text that is compared as bits gives the same windows, in the same order and with the same
//! pixels, as a comparison of its colours.

use super::sent_whole::Shown;
use super::*;
use crate::game::outcome::{GameResult, PlayError};
use crate::game::random::Random;
use crate::pins::button::Button;

/// A view that does not report the two colours of its text.
#[derive(Clone, Copy, PartialEq)]
struct Coloured(View);

impl Picture for Coloured {
    type Element = Element;

    fn damage(&self, shown: Option<&Self>, size: Size, report: impl FnMut(Damage)) {
        self.0.damage(shown.map(|shown| &shown.0), size, report);
    }

    fn draw<D: TextTarget>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        Picture::draw(&self.0, element, size, target)
    }
}

const MESSAGES: [Message; 12] = [
    Message::Turn(Player::Bottom),
    Message::Turn(Player::Top),
    Message::TurnHint(Player::Bottom),
    Message::Holding(Holding { does: HoldAction::Menu, steps: 9 }),
    Message::FreeTurn(Player::Top),
    Message::Captured(Player::Bottom),
    Message::Over(GameResult::Winner(Player::Top)),
    Message::Refused(PlayError::Empty, Player::Top),
    Message::Stuck(Button::RESET),
    Message::Thinking(Player::Top, 1),
    Message::Thinking(Player::Top, 3),
    Message::NotStored,
];

/// Changes some of the content of a board.
fn change(view: &mut BoardView, random: &mut Random) {
    let mut below = |most: usize| random.number() as usize % most;
    match below(5) {
        0 => view.message = MESSAGES[below(MESSAGES.len())],
        1 => view.stones[below(PLACES)] = below(30) as u8,
        2 => view.counted = [Places::ALL, Places::STORES, Places::NONE.with(3)][below(3)],
        3 => view.began = Some(below(PLACES) as u8),
        _ => view.stuck = [Places::NONE, Places::NONE.with(below(6))][below(2)],
    }
}

#[test]
fn text_compared_as_bits_gives_the_same_windows() {
    for (seed, system) in (0..).zip(SYSTEMS) {
        let mut random = Random::new(seed);
        let mut view = board_view([4; PLACES], MESSAGES[0]);
        view.style = system.style();
        let (mut panel, mut coloured) = (Shown::new(), Shown::new());
        let mut as_bits = 0;
        for nth in 0..400 {
            let shown = View::Board(view);
            for _ in 0..=nth % 3 {
                change(&mut view, &mut random);
            }
            let next = View::Board(view);
            next.damage(Some(&shown), PANEL, |damage| {
                if let Damage::Redraw(_, element) = damage {
                    as_bits += usize::from(next.inks(element).and(shown.inks(element)).is_some());
                }
            });
            assert_eq!(panel.show(next), coloured.show(Coloured(next)), "{}: {nth}", system.name);
            assert!(panel.paper.pixels == coloured.paper.pixels, "{}: {nth}", system.name);
        }
        assert!(as_bits > 400, "{}: {as_bits}", system.name);
    }
}
