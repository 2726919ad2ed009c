//! Converts the buzzer's tones to samples: a square wave, band-limited against aliasing of high
//! notes, and faded in and out against clicks. Samples lag virtual time by 40 ms, so that notes
//! have their correct lengths although tones arrive in batches. This module knows no sound device:
//! the caller fetches samples with [`Speaker::fill`].

use std::collections::VecDeque;
use std::time::Duration;

use hal_mock::board::Tone;
use virtual_time::{Instant, Nanos};

use host::clock::Speed;

/// Delay of the speaker after the board.
const LATENCY: Duration = Duration::from_millis(40);
/// Maximum number of queued tone changes. If there are more, the last ones are retained.
const WAITING_MAX: usize = 4_096;
/// Amplitude at full volume, 0 to 1.
const VOLUME: f32 = 0.12;
/// Duration of a fade in or out, in seconds.
const FADE_SECONDS: f32 = 0.002;

/// Converts tones to samples.
#[derive(Clone, Debug)]
pub struct Speaker {
    sample_rate: f32,
    waiting: VecDeque<Tone>,
    /// Virtual time of the next sample.
    at: Instant,
    /// Virtual nanoseconds per sample.
    sample: u64,
    hz: Option<u32>,
    /// Frequency in hertz, which stays during the fade-out of a note.
    pitch: f32,
    phase: f32,
    level: f32,
    silenced: bool,
    /// Share of [`VOLUME`], 0 to 1.
    volume: f32,
}

impl Speaker {
    /// Creates a speaker for `sample_rate` samples a second, at least 1.
    pub fn new(sample_rate: u32) -> Self {
        let mut speaker = Self {
            sample_rate: sample_rate.max(1) as f32,
            waiting: VecDeque::new(),
            at: Instant::START,
            sample: 0,
            hz: None,
            pitch: 0.0,
            phase: 0.0,
            level: 0.0,
            silenced: false,
            volume: 1.0,
        };
        speaker.set_speed(Speed::REAL);
        speaker
    }

    /// Queues the tones that the board made up to its virtual time `now`.
    pub fn play(&mut self, now: Instant, speed: Speed, tones: &[Tone]) {
        self.set_speed(speed);
        let Some(first) = tones.first() else { return };
        let wanted = now.saturating_sub(speed.virtual_span(LATENCY));
        let off = self.at.saturating_since(wanted).max(wanted.saturating_since(self.at));
        let silent = self.hz.is_none() && self.waiting.is_empty();
        if silent {
            // After silence the first note is played completely, even if it arrived late.
            self.at = wanted.min(first.at);
        } else if off > speed.virtual_span(2 * LATENCY) {
            self.at = wanted;
        }
        self.waiting.extend(tones);
        let surplus = self.waiting.len().saturating_sub(WAITING_MAX);
        self.waiting.drain(..surplus);
    }

    /// Silences the speaker, for a muted or paused session, or lets it sound again. Tones are
    /// consumed in either case.
    pub fn set_silenced(&mut self, silenced: bool) {
        self.silenced = silenced;
    }

    /// Sets the volume, 0 to 100 percent.
    pub fn set_volume(&mut self, percent: u8) {
        self.volume = f32::from(percent.min(100)) / 100.0;
    }

    /// Writes the next samples, one channel, −1 to 1.
    pub fn fill(&mut self, samples: &mut [f32]) {
        let fade = VOLUME / (FADE_SECONDS * self.sample_rate).max(1.0);
        for sample in samples {
            while let Some(tone) = self.waiting.front().copied().filter(|tone| tone.at <= self.at) {
                self.waiting.pop_front();
                self.hz = tone.hz;
                self.pitch = tone.hz.map_or(self.pitch, |hz| hz as f32);
            }
            self.at = self.at.saturating_add(Nanos(self.sample));
            let step = self.pitch / self.sample_rate;
            // A tone above half the sample rate cannot be represented and is not played.
            let audible = self.hz.is_some() && step < 0.5 && !self.silenced;
            let target = if audible { VOLUME * self.volume } else { 0.0 };
            self.level += (target - self.level).clamp(-fade, fade);
            if self.level == 0.0 {
                self.phase = 0.0;
                *sample = 0.0;
                continue;
            }
            let high = if self.phase < 0.5 { 1.0 } else { -1.0 };
            let rise = soft_edge(self.phase, step);
            let fall = soft_edge((self.phase + 0.5).fract(), step);
            *sample = self.level * (high + rise - fall);
            self.phase = (self.phase + step).fract();
        }
    }

    fn set_speed(&mut self, speed: Speed) {
        self.sample = speed.virtual_span(Duration::from_secs(1)).0 / self.sample_rate as u64;
    }
}

/// Returns the correction to add around a jump from −1 to 1 at phase 0, so that the jump has no
/// overtones beyond the sample rate: two parabolas, one sample to each side (the polynomial
/// band-limited step).
fn soft_edge(phase: f32, step: f32) -> f32 {
    if step <= 0.0 || step >= 0.5 {
        return 0.0;
    }
    if phase < step {
        let part = phase / step;
        2.0 * part - part * part - 1.0
    } else if phase > 1.0 - step {
        let part = (phase - 1.0) / step;
        part * part + 2.0 * part + 1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_volume_scales_the_samples() {
        let loudest = |percent: u8| {
            let mut speaker = Speaker::new(48_000);
            speaker.set_volume(percent);
            speaker.play(
                Instant::from_millis(100),
                Speed::REAL,
                &[Tone { at: Instant::START, hz: Some(440) }],
            );
            let mut samples = vec![0.0; 9_600];
            speaker.fill(&mut samples);
            samples.into_iter().fold(0.0, |loudest: f32, sample| loudest.max(sample.abs()))
        };
        let [full, half, none] = [100, 50, 0].map(loudest);
        assert!(full > 0.1 && (half - full / 2.0).abs() < 0.001, "{full} {half}");
        assert_eq!(none, 0.0);
    }

    const RATE: u32 = 48_000;

    fn tone(at_ms: u64, hz: Option<u32>) -> Tone {
        Tone { at: Instant::from_millis(at_ms), hz }
    }

    /// Returns the samples of `millis` milliseconds.
    fn listen(speaker: &mut Speaker, millis: usize) -> Vec<f32> {
        let mut samples = vec![0.0; RATE as usize * millis / 1_000];
        speaker.fill(&mut samples);
        samples
    }

    fn upward_crossings(samples: &[f32]) -> usize {
        samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
    }

    #[test]
    fn a_tone_has_its_pitch_and_its_length() {
        let mut speaker = Speaker::new(RATE);
        let tones = [tone(1_000, Some(1_000)), tone(1_100, None)];
        speaker.play(Instant::from_millis(1_104), Speed::REAL, &tones);
        let samples = listen(&mut speaker, 300);
        assert!(upward_crossings(&samples).abs_diff(100) <= 2);
        assert!(samples[RATE as usize / 5..].iter().all(|sample| *sample == 0.0));
        assert!(samples.iter().all(|sample| sample.abs() <= 2.0 * VOLUME));
    }

    #[test]
    fn notes_that_arrive_together_sound_one_after_the_other() {
        let mut speaker = Speaker::new(RATE);
        let tones = [tone(10, Some(500)), tone(60, Some(2_000)), tone(110, None)];
        speaker.play(Instant::from_millis(50), Speed::REAL, &tones);
        let samples = listen(&mut speaker, 200);
        let (first, second) = samples.split_at(RATE as usize * 50 / 1_000);
        assert!(upward_crossings(first).abs_diff(25) <= 1);
        // The tone has 100 crossings, and four more while it fades out.
        assert!(upward_crossings(second).abs_diff(102) <= 3);
    }

    #[test]
    fn faster_time_makes_shorter_notes_of_the_same_pitch() {
        let mut speaker = Speaker::new(RATE);
        let double = Speed::from_thousandths(2_000).unwrap();
        speaker.play(
            Instant::from_millis(1_000),
            double,
            &[tone(920, Some(1_000)), tone(1_020, None)],
        );
        assert!(upward_crossings(&listen(&mut speaker, 200)).abs_diff(50) <= 2);
    }

    #[test]
    fn silenced_and_inaudible_tones_are_silent() {
        let mut speaker = Speaker::new(RATE);
        speaker.set_silenced(true);
        speaker.play(Instant::from_millis(40), Speed::REAL, &[tone(0, Some(440))]);
        assert!(listen(&mut speaker, 50).iter().all(|sample| *sample == 0.0));
        let mut speaker = Speaker::new(RATE);
        speaker.play(Instant::from_millis(40), Speed::REAL, &[tone(0, Some(u32::MAX))]);
        assert!(listen(&mut speaker, 50).iter().all(|sample| *sample == 0.0));
    }
}
