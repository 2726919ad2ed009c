//! The LEDs of a board: the state of each now and shortly before, because a trace line may check a
//! time that the firmware's last step has passed.
//!
//! The module knows no pin and no protocol: `boards` decides what an LED shows.

use std::collections::VecDeque;

use trace::{Led, LedState, Leds};
use virtual_time::Instant;

/// Maximum number of stored changes of an LED. A step of the firmware makes fewer visible ones.
const CHANGES_MAX: usize = 64;

/// State of an LED at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedReading {
    pub state: LedState,
    /// Time from which the LED has had the state; `None`: since the power was switched on.
    pub since: Option<Instant>,
}

/// An LED. The changes before the first stored one are forgotten.
#[derive(Clone, Debug)]
struct Lamp {
    before: LedReading,
    changes: VecDeque<(Instant, LedState)>,
}

impl Lamp {
    fn set(&mut self, at: Instant, state: LedState) {
        let last = self.changes.back();
        if last.map_or(self.before.state, |(_, state)| *state) == state {
            return;
        }
        // Times never go back.
        let at = last.map_or(at, |(last, _)| at.max(*last));
        if self.changes.len() == CHANGES_MAX
            && let Some((at, state)) = self.changes.pop_front()
        {
            self.before = LedReading { state, since: Some(at) };
        }
        self.changes.push_back((at, state));
    }

    fn at(&self, at: Instant) -> LedReading {
        let by_then = self.changes.iter().rev().find(|(change, _)| *change <= at);
        by_then
            .map_or(self.before, |(since, state)| LedReading { state: *state, since: Some(*since) })
    }
}

/// The LEDs of a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Lamps {
    leds: Leds,
    /// For each LED or chain, its lamps.
    lamps: Vec<Vec<Lamp>>,
}

impl Lamps {
    pub(super) fn new(leds: Leds) -> Self {
        let of = |led: &Led| {
            let before = LedReading { state: led.dark(), since: None };
            vec![Lamp { before, changes: VecDeque::new() }; usize::from(led.count())]
        };
        Self { lamps: leds.all().iter().map(of).collect(), leds }
    }

    pub(super) fn leds(&self) -> &Leds {
        &self.leds
    }

    /// Sets the state of an LED from `at` on. An LED that does not exist is ignored.
    pub(super) fn set(&mut self, at: Instant, led: usize, number: usize, state: LedState) {
        if let Some(lamp) = self.lamps.get_mut(led).and_then(|chain| chain.get_mut(number)) {
            lamp.set(at, state);
        }
    }

    /// Returns the state of an LED at `at`.
    pub(super) fn at(&self, at: Instant, led: usize, number: usize) -> Option<LedReading> {
        self.lamps.get(led)?.get(number).map(|lamp| lamp.at(at))
    }

    /// Makes all LEDs dark at `at`.
    pub(super) fn lose_power(&mut self, at: Instant) {
        for (led, chain) in self.leds.all().iter().zip(&mut self.lamps) {
            for lamp in chain {
                lamp.set(at, led.dark());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::{LedKind, Share};

    fn lamps() -> Lamps {
        let chain = LedKind::Chain { count: 2, has_white: false };
        Lamps::new(Leds::new([(LedKind::Plain, "L"), (chain, "STRIP")]).unwrap())
    }

    const ON: LedState = LedState::Level(Share::WHOLE);
    const OFF: LedState = LedState::Level(Share::ZERO);

    #[test]
    fn an_led_has_its_state_since_its_last_change() {
        let mut lamps = lamps();
        let ms = Instant::from_millis;
        let of = |lamps: &Lamps, at| lamps.at(ms(at), 0, 0).map(|it| (it.state, it.since));
        assert_eq!(of(&lamps, 5), Some((OFF, None)));
        lamps.set(ms(10), 0, 0, ON);
        lamps.set(ms(20), 0, 0, ON);
        lamps.set(ms(30), 0, 0, OFF);
        assert_eq!(of(&lamps, 9), Some((OFF, None)));
        assert_eq!(of(&lamps, 29), Some((ON, Some(ms(10)))));
        assert_eq!(of(&lamps, 30), Some((OFF, Some(ms(30)))));
        assert_eq!(lamps.at(ms(0), 0, 1), None);
    }

    #[test]
    fn a_power_off_makes_every_led_dark() {
        let mut lamps = lamps();
        lamps.set(Instant::START, 1, 1, LedState::Colour([1, 2, 3, 0]));
        lamps.lose_power(Instant::from_millis(1));
        let reading = lamps.at(Instant::from_millis(1), 1, 1).unwrap();
        assert_eq!(reading.state, LedState::Colour([0; 4]));
    }

    #[test]
    fn old_changes_are_dropped_and_the_last_ones_stay_right() {
        let mut lamps = lamps();
        for ms in 0..1_000 {
            lamps.set(Instant::from_millis(ms), 0, 0, if ms % 2 == 0 { ON } else { OFF });
        }
        assert_eq!(lamps.lamps[0][0].changes.len(), CHANGES_MAX);
        for ms in 950..1_000 {
            let reading = lamps.at(Instant::from_millis(ms), 0, 0).unwrap();
            assert_eq!(reading.since, Some(Instant::from_millis(ms)));
        }
    }
}
