//! Maps wall time to virtual time. The module reads no clock: the wall time is an argument.

use std::time::Duration;

use virtual_time::Instant;

use crate::clock::speed::Speed;

/// Maximum wall time that is caught up when the machine falls behind (a laptop that slept, a
/// debugger, a program too slow for its speed). The rest is dropped.
pub const LAG_MAX: Duration = Duration::from_millis(100);

/// A map from wall time to virtual time: a straight line through an anchor, constant while paused.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    wall: Duration,
    at: Instant,
    speed: Speed,
    paused: bool,
}

impl Pacer {
    /// Creates a pacer that runs from wall time `wall` on, at virtual time `at`.
    pub fn new(wall: Duration, at: Instant, speed: Speed) -> Self {
        Self { wall, at, speed, paused: false }
    }

    /// Returns the virtual time at the wall time `wall`.
    pub fn target(&self, wall: Duration) -> Instant {
        if self.paused {
            return self.at;
        }
        self.at.saturating_add(self.speed.virtual_span(wall.saturating_sub(self.wall)))
    }

    /// Reports that the machine has reached `now`. If it lags by more than [`LAG_MAX`], the rest of
    /// the lag is dropped.
    pub fn lag(&mut self, wall: Duration, now: Instant) {
        if self.target(wall).saturating_since(now) > self.speed.virtual_span(LAG_MAX) {
            self.jump(wall, now);
        }
    }

    /// Sets virtual time to `now` at `wall`, after the machine ran unpaced for a single frame.
    pub fn jump(&mut self, wall: Duration, now: Instant) {
        (self.wall, self.at) = (wall, now);
    }

    /// Sets the speed from `wall` on; an earlier time than the last change counts as that.
    pub fn set_speed(&mut self, wall: Duration, speed: Speed) {
        let wall = wall.max(self.wall);
        (self.at, self.wall, self.speed) = (self.target(wall), wall, speed);
    }

    /// Stops virtual time, or lets it continue from where it stopped. An earlier time than the last
    /// change counts as that.
    pub fn set_paused(&mut self, wall: Duration, paused: bool) {
        let wall = wall.max(self.wall);
        (self.at, self.wall, self.paused) = (self.target(wall), wall, paused);
    }

    /// Returns whether virtual time is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Returns the current speed, paused or not.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Returns the wall time from `wall` until virtual time is `at`; `None` while paused.
    pub fn wall_until(&self, wall: Duration, at: Instant) -> Option<Duration> {
        let left = at.saturating_since(self.target(wall));
        (!self.paused).then(|| self.speed.wall_span(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    const fn virtual_ms(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    #[test]
    fn virtual_time_follows_the_wall_clock_at_its_speed() {
        let mut pacer = Pacer::new(ms(1_000), virtual_ms(50), Speed::REAL);
        assert_eq!(pacer.target(ms(1_000)), virtual_ms(50));
        assert_eq!(pacer.target(ms(1_020)), virtual_ms(70));
        pacer.set_speed(ms(1_020), Speed::MAX);
        assert_eq!(pacer.target(ms(1_021)), virtual_ms(170));
        pacer.set_speed(ms(1_021), Speed::MIN);
        assert_eq!(pacer.target(ms(1_121)), virtual_ms(171));
    }

    #[test]
    fn a_change_that_was_made_earlier_than_the_last_gains_no_time() {
        let mut pacer = Pacer::new(ms(0), Instant::START, Speed::REAL);
        pacer.jump(ms(100), virtual_ms(100));
        pacer.set_speed(ms(40), Speed::TEN);
        assert_eq!(pacer.target(ms(110)), virtual_ms(200));
    }

    #[test]
    fn a_pause_stops_virtual_time_and_loses_none() {
        let mut pacer = Pacer::new(ms(0), Instant::START, Speed::REAL);
        pacer.set_paused(ms(10), true);
        assert_eq!(pacer.target(ms(9_999)), virtual_ms(10));
        assert_eq!(pacer.wall_until(ms(9_999), virtual_ms(11)), None);
        pacer.set_paused(ms(10_000), false);
        assert_eq!(pacer.target(ms(10_005)), virtual_ms(15));
        assert_eq!(pacer.wall_until(ms(10_005), virtual_ms(16)), Some(ms(1)));
    }

    #[test]
    fn a_single_frame_while_paused_moves_the_paused_time() {
        let mut pacer = Pacer::new(ms(0), Instant::START, Speed::REAL);
        pacer.set_paused(ms(10), true);
        pacer.jump(ms(500), virtual_ms(60));
        assert_eq!(pacer.target(ms(900)), virtual_ms(60));
    }

    #[test]
    fn a_long_stall_is_dropped_and_a_short_one_is_caught_up() {
        let mut pacer = Pacer::new(ms(0), Instant::START, Speed::REAL);
        pacer.lag(ms(90), virtual_ms(10));
        assert_eq!(pacer.target(ms(100)), virtual_ms(100), "80 ms behind: made up for");
        pacer.lag(ms(5_000), virtual_ms(100));
        assert_eq!(pacer.target(ms(5_010)), virtual_ms(110), "seconds behind: dropped");
    }
}
