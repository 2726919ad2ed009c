//! Observations that own their bytes.

use probe_protocol::bursts::{self, Burst};
use probe_protocol::{Observation, Packed, ProbeTime, UART_BAUD, Wire};

use super::{Bytes, Levels, Seen};

/// An observation that owns its bytes.
pub(super) enum Owned {
    NoMessage,
    Seen(Vec<(u64, Seen)>),
    Mark { before: u64, done: u32 },
    Refused { number: u32, why: probe_protocol::Refusal },
    Overrun { at: ProbeTime, wire: Wire },
    Released,
    Levels(Levels),
    Nothing,
}

fn of_burst(burst: &Burst<'_>) -> Seen {
    let mut runs = burst.runs();
    let bytes = match (runs.next(), runs.next()) {
        (Some(Packed::Repeated(pair, times)), None) => Bytes::Repeated(pair, times),
        _ => {
            let mut bytes = Vec::with_capacity(burst.length);
            for run in burst.runs() {
                match run {
                    Packed::Plain(plain) => bytes.extend_from_slice(plain),
                    Packed::Repeated(pair, times) => bytes.extend(pair.repeat(times as usize)),
                }
            }
            Bytes::Plain(bytes)
        }
    };
    Seen::Lcd { took: burst.took, dc: burst.dc, bytes }
}

/// Copies an observation with its bytes.
pub(super) fn owned(observation: &Observation<'_>) -> Owned {
    let one = |at: ProbeTime, seen| Owned::Seen(vec![(at.0, seen)]);
    match *observation {
        Observation::Lcd { at, took, dc, bytes } => {
            let bytes = match bytes {
                Packed::Plain(bytes) => Bytes::Plain(bytes.to_vec()),
                Packed::Repeated(pair, times) => Bytes::Repeated(pair, times),
            };
            one(at, Seen::Lcd { took: u64::from(took), dc, bytes })
        }
        Observation::Bursts { at, packed } => {
            let bursts = bursts::bursts(at, packed);
            let seen = bursts.map(|burst| burst.map(|burst| (burst.at.0, of_burst(&burst))));
            seen.collect::<Result<_, _>>().map_or(Owned::NoMessage, Owned::Seen)
        }
        Observation::Wire { at, wire, high } => one(at, Seen::Wire { wire, high }),
        Observation::Tone { at, periods, took } => {
            let hz = u64::from(periods).saturating_mul(1_000_000_000).saturating_add(took / 2);
            let hz =
                hz.checked_div(took).and_then(|hz| u32::try_from(hz).ok()).filter(|hz| *hz > 0);
            one(at, Seen::Tone(hz))
        }
        Observation::Silence { at } => one(at, Seen::Tone(None)),
        Observation::Uart { at, bytes } => {
            let end = |index| at.after(index as u64 * 10_000_000_000 / u64::from(UART_BAUD)).0;
            let bytes = bytes.iter().enumerate();
            Owned::Seen(bytes.map(|(index, byte)| (end(index), Seen::Uart(*byte))).collect())
        }
        Observation::Mark { before, done } => Owned::Mark { before: before.0, done },
        Observation::Refused { number, why, .. } => Owned::Refused { number, why },
        Observation::Overrun { at, wire } => Owned::Overrun { at, wire },
        Observation::Released { .. } => Owned::Released,
        Observation::Levels { high, moved, lines, .. } => {
            Owned::Levels(Levels { high, moved, lines })
        }
        Observation::Power { .. } => Owned::Nothing,
    }
}
