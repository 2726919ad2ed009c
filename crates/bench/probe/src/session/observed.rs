//! Observations that own their bytes.

use probe_protocol::bursts::{self, Burst};
use probe_protocol::swd::SwdResult;
use probe_protocol::{Observation, Packed, ProbeTime, UART_BAUD, Wire};

use super::{Bytes, Levels, Observed};
use crate::swd::BatchResult;

/// An observation that owns its bytes.
pub(super) enum OwnedObservation {
    NoMessage,
    Observed(Vec<(u64, Observed)>),
    Mark { before: u64, done: u32 },
    Refused { number: u32, why: probe_protocol::Refusal },
    Overrun { at: ProbeTime, wire: Wire },
    BadBurst { at: ProbeTime, clocks: u32, bytes: u32 },
    Released,
    Levels(Levels),
    Swd { number: u8, result: BatchResult },
    Nothing,
}

fn of_burst(burst: &Burst<'_>) -> Observed {
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
    Observed::Lcd { took: burst.took, dc: burst.dc, bytes }
}

/// Copies an observation with its bytes.
pub(super) fn owned(observation: &Observation<'_>) -> OwnedObservation {
    let one = |at: ProbeTime, seen| OwnedObservation::Observed(vec![(at.0, seen)]);
    match *observation {
        Observation::Lcd { at, took, dc, bytes } => {
            let bytes = match bytes {
                Packed::Plain(bytes) => Bytes::Plain(bytes.to_vec()),
                Packed::Repeated(pair, times) => Bytes::Repeated(pair, times),
            };
            one(at, Observed::Lcd { took: u64::from(took), dc, bytes })
        }
        Observation::Bursts { at, packed } => {
            let bursts = bursts::bursts(at, packed);
            let seen = bursts.map(|burst| burst.map(|burst| (burst.at.0, of_burst(&burst))));
            seen.collect::<Result<_, _>>()
                .map_or(OwnedObservation::NoMessage, OwnedObservation::Observed)
        }
        Observation::Wire { at, wire, high } => one(at, Observed::Wire { wire, high }),
        Observation::Tone { at, periods, took } => {
            let hz = u64::from(periods).saturating_mul(1_000_000_000).saturating_add(took / 2);
            let hz =
                hz.checked_div(took).and_then(|hz| u32::try_from(hz).ok()).filter(|hz| *hz > 0);
            one(at, Observed::Tone(hz))
        }
        Observation::Silence { at } => one(at, Observed::Tone(None)),
        Observation::Uart { at, bytes } => {
            let end = |index| at.after(index as u64 * 10_000_000_000 / u64::from(UART_BAUD)).0;
            let bytes = bytes.iter().enumerate();
            OwnedObservation::Observed(
                bytes.map(|(index, byte)| (end(index), Observed::Uart(*byte))).collect(),
            )
        }
        Observation::Mark { before, done } => OwnedObservation::Mark { before: before.0, done },
        Observation::Refused { number, why, .. } => OwnedObservation::Refused { number, why },
        Observation::Overrun { at, wire } => OwnedObservation::Overrun { at, wire },
        Observation::BadBurst { at, clocks, bytes } => {
            OwnedObservation::BadBurst { at, clocks, bytes }
        }
        Observation::Released { .. } => OwnedObservation::Released,
        Observation::Levels { high, moved, lines, .. } => {
            OwnedObservation::Levels(Levels { high, moved, lines })
        }
        Observation::Swd(SwdResult { number, end, transfers, words }) => {
            let words = words.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
            let result = BatchResult { end, transfers, words: words.collect() };
            OwnedObservation::Swd { number, result }
        }
        Observation::Power { .. } => OwnedObservation::Nothing,
    }
}
