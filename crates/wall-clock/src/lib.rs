//! The wall clock, and how virtual time keeps step with it.
//!
//! This is the only module of the project that reads the wall clock: [`Stopwatch`]. All
//! that is calculated from it ([`Speed`], [`Pacer`]) takes the reading as an argument and
//! is plain arithmetic. It knows no board, no window and no thread.

use core::fmt;
use core::str::FromStr;
use std::time::{Duration, Instant};

use hal_mock::Nanos;

/// Wall time since some moment.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// Starts at zero.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one reading of the wall clock: pacing, progress and report times come from here"
    )]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// The wall time since [`start`](Self::start); it never goes back.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// How fast virtual time runs: 1 = as the wall clock. In thousandths, so that pacing is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Speed(u32);

impl Speed {
    /// A tenth of real time.
    pub const MIN: Self = Self(100);
    /// As the wall clock.
    pub const REAL: Self = Self(1_000);
    /// A hundred times real time.
    pub const MAX: Self = Self(100_000);

    /// `thousandths` / 1000 of real time; `None` outside 0.1 to 100.
    pub fn from_thousandths(thousandths: u32) -> Option<Self> {
        let speed = Self(thousandths);
        (Self::MIN..=Self::MAX).contains(&speed).then_some(speed)
    }

    /// The factor times a thousand: 100 to 100,000.
    pub fn thousandths(self) -> u32 {
        self.0
    }

    /// How much virtual time passes in `wall`.
    pub fn virtual_span(self, wall: Duration) -> Nanos {
        let nanos = wall.as_nanos() * u128::from(self.0) / 1_000;
        Nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// How long the wall clock takes for `span` of virtual time, rounded up.
    pub fn wall_span(self, span: Nanos) -> Duration {
        let nanos = (u128::from(span.0) * 1_000).div_ceil(u128::from(self.0));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

impl Default for Speed {
    fn default() -> Self {
        Self::REAL
    }
}

/// `1`, `0.5`, `12.25`: the factor, without needless decimals.
impl fmt::Display for Speed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0 / 1_000)?;
        match self.0 % 1_000 {
            0 => Ok(()),
            rest => write!(out, ".{}", format!("{rest:03}").trim_end_matches('0')),
        }
    }
}

/// What is wrong with a speed; says what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeedError(String);

impl fmt::Display for SpeedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is no speed; a speed is a factor from 0.1 to 100, 1 = real time", self.0)
    }
}

impl std::error::Error for SpeedError {}

/// Reads `0.1` to `100`; the fourth decimal is rounded.
impl FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Self, SpeedError> {
        let wrong = || SpeedError(text.chars().take(40).collect());
        let factor: f64 = text.trim().parse().map_err(|_| wrong())?;
        let thousandths = (factor * 1_000.0).round();
        // Also false for what is not a number.
        if !(f64::from(Self::MIN.0)..=f64::from(Self::MAX.0)).contains(&thousandths) {
            return Err(wrong());
        }
        Ok(Self(thousandths as u32))
    }
}

/// The most wall time that is made up for when the machine falls behind: a laptop that
/// slept, a debugger, a program too slow for its speed. What is more is dropped.
pub const LAG_MAX: Duration = Duration::from_millis(100);

/// Says which virtual time belongs to a wall time: a straight line through an anchor,
/// level while paused.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    wall: Duration,
    at: Nanos,
    speed: Speed,
    paused: bool,
}

impl Pacer {
    /// Runs from the moment `wall`, when virtual time is `at`.
    pub fn new(wall: Duration, at: Nanos, speed: Speed) -> Self {
        Self { wall, at, speed, paused: false }
    }

    /// The virtual time at the wall time `wall`.
    pub fn target(&self, wall: Duration) -> Nanos {
        if self.paused {
            return self.at;
        }
        self.at + self.speed.virtual_span(wall.saturating_sub(self.wall))
    }

    /// Tells that the machine is no further than `now`. If that is more than [`LAG_MAX`]
    /// behind, the rest is dropped.
    pub fn lag(&mut self, wall: Duration, now: Nanos) {
        if self.target(wall).saturating_sub(now) > self.speed.virtual_span(LAG_MAX) {
            self.jump(wall, now);
        }
    }

    /// Says that virtual time is `now` at `wall`, whatever it was to be: the machine ran
    /// unpaced, for a single frame.
    pub fn jump(&mut self, wall: Duration, now: Nanos) {
        (self.wall, self.at) = (wall, now);
    }

    /// Another speed from `wall` on.
    pub fn set_speed(&mut self, wall: Duration, speed: Speed) {
        (self.at, self.wall, self.speed) = (self.target(wall), wall, speed);
    }

    /// Stops virtual time, or lets it run on from where it stood.
    pub fn set_paused(&mut self, wall: Duration, paused: bool) {
        (self.at, self.wall, self.paused) = (self.target(wall), wall, paused);
    }

    /// Whether virtual time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The present speed, paused or not.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// The wall time from `wall` until virtual time is `at`; `None` while paused.
    pub fn wall_until(&self, wall: Duration, at: Nanos) -> Option<Duration> {
        let left = at.saturating_sub(self.target(wall));
        (!self.paused).then(|| self.speed.wall_span(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    const fn virtual_ms(millis: u64) -> Nanos {
        Nanos::from_millis(millis)
    }

    #[test]
    fn virtual_time_follows_the_wall_clock_at_its_speed() {
        let mut pacer = Pacer::new(ms(1_000), virtual_ms(50), Speed::REAL);
        assert_eq!(pacer.target(ms(1_000)), virtual_ms(50));
        assert_eq!(pacer.target(ms(1_020)), virtual_ms(70));
        pacer.set_speed(ms(1_020), Speed::MAX);
        assert_eq!(pacer.target(ms(1_021)), virtual_ms(170));
        pacer.set_speed(ms(1_021), Speed::MIN);
        assert_eq!(pacer.target(ms(1_031)), virtual_ms(171));
    }

    #[test]
    fn a_pause_stops_virtual_time_and_loses_none() {
        let mut pacer = Pacer::new(ms(0), Nanos::ZERO, Speed::REAL);
        pacer.set_paused(ms(10), true);
        assert_eq!(pacer.target(ms(9_999)), virtual_ms(10));
        assert_eq!(pacer.wall_until(ms(9_999), virtual_ms(11)), None);
        pacer.set_paused(ms(10_000), false);
        assert_eq!(pacer.target(ms(10_005)), virtual_ms(15));
        assert_eq!(pacer.wall_until(ms(10_005), virtual_ms(16)), Some(ms(1)));
    }

    #[test]
    fn a_single_frame_while_paused_moves_the_time_that_stands() {
        let mut pacer = Pacer::new(ms(0), Nanos::ZERO, Speed::REAL);
        pacer.set_paused(ms(10), true);
        pacer.jump(ms(500), virtual_ms(60));
        assert_eq!(pacer.target(ms(900)), virtual_ms(60));
    }

    #[test]
    fn a_long_stall_is_dropped_and_a_short_one_made_up_for() {
        let mut pacer = Pacer::new(ms(0), Nanos::ZERO, Speed::REAL);
        pacer.lag(ms(90), virtual_ms(10));
        assert_eq!(pacer.target(ms(100)), virtual_ms(100), "80 ms behind: made up for");
        pacer.lag(ms(5_000), virtual_ms(100));
        assert_eq!(pacer.target(ms(5_010)), virtual_ms(110), "seconds behind: dropped");
    }

    #[test]
    fn speeds_from_a_tenth_to_a_hundred_are_read_and_nothing_else() {
        for (text, thousandths) in [("0.1", 100), ("1", 1_000), ("2.5", 2_500), ("100", 100_000)] {
            let speed: Speed = text.parse().unwrap();
            assert_eq!((speed.thousandths(), speed.to_string().as_str()), (thousandths, text));
        }
        for text in ["0", "-1", "0.09", "100.1", "NaN", "inf", "fast", "", "1x", "1e9"] {
            let error = text.parse::<Speed>().unwrap_err().to_string();
            assert!(error.contains("from 0.1 to 100"), "{error}");
        }
    }
}
