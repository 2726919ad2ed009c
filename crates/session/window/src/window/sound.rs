//! The speaker on SDL's sound device.

use hal_mock::board::Tone;
use sdl2::Sdl;
use sdl2::audio::{AudioCallback, AudioDevice, AudioSpecDesired};
use virtual_time::Instant;

use super::error::SdlError;
use crate::speaker::Speaker;
use host::clock::Speed;

/// Requested sample rate in hertz; the device may have another.
const SAMPLE_RATE: i32 = 48_000;
/// Number of samples per callback: about 11 ms.
const SAMPLES: u16 = 512;

/// A sound device that plays the buzzer's tones.
pub(super) struct Loudspeaker(AudioDevice<Samples>);

struct Samples(Speaker);

impl AudioCallback for Samples {
    type Channel = f32;

    fn callback(&mut self, samples: &mut [f32]) {
        self.0.fill(samples);
    }
}

impl Loudspeaker {
    /// Opens the default device. An error has SDL's message.
    pub(super) fn open(sdl: &Sdl) -> Result<Self, SdlError> {
        let wanted =
            AudioSpecDesired { freq: Some(SAMPLE_RATE), channels: Some(1), samples: Some(SAMPLES) };
        let device = sdl.audio()?.open_playback(None, &wanted, |spec| {
            Samples(Speaker::new(u32::try_from(spec.freq).unwrap_or(1)))
        })?;
        device.resume();
        Ok(Self(device))
    }

    pub(super) fn play(&mut self, now: Instant, speed: Speed, tones: &[Tone]) {
        self.0.lock().0.play(now, speed, tones);
    }

    pub(super) fn set_volume(&mut self, percent: u8) {
        self.0.lock().0.set_volume(percent);
    }

    pub(super) fn set_silenced(&mut self, silenced: bool) {
        self.0.lock().0.set_silenced(silenced);
    }
}
