//! The tones of a replay as text, for the artifacts.

use hal_mock::board::Tone;
use virtual_time::Instant;

/// Lists the tones, one per line: start, frequency and duration.
pub(super) fn tone_list(tones: &[Tone], ended_at: Instant) -> String {
    let mut list = String::new();
    for (nth, tone) in tones.iter().enumerate().take_while(|(_, tone)| tone.at <= ended_at) {
        let until = tones.get(nth + 1).map_or(ended_at, |next| next.at.min(ended_at));
        if let Some(hertz) = tone.hz {
            list += &format!("{} {hertz}Hz for {}\n", tone.at, until.saturating_since(tone.at));
        }
    }
    list
}
