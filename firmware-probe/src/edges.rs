//! RST, the backlight and the buzzer: edges become observations.

use probe_protocol::message::Wire;
use probe_protocol::tone::{ToneChange, ToneDetector};
use probe_protocol::{Observation, ProbeTime};

use crate::chip::{MARGIN_US, Now};
use crate::outbox::Outbox;
use crate::sampler::{EDGES, Edge, Sampler, edge_ns};

/// Time without edges after which the buzzer is silent, in nanoseconds: the lowest tone has 100 Hz,
/// a period of 10 ms.
const REST_NS: u64 = 10_000_000;
/// Error of a period in nanoseconds: a round at each end.
const ERROR_NS: u64 = 40;

/// State of the edge detection.
pub struct Edges {
    tones: ToneDetector,
    buzzer: u32,
    /// Levels of the other wires. Edges are counted modulo half a minute: the buzzer's silence
    /// follows from its own.
    levels: [Option<bool>; 2],
}

impl Edges {
    /// Creates the state in which nothing has changed.
    pub const fn new() -> Self {
        Self { tones: ToneDetector::new(REST_NS, ERROR_NS), buzzer: 0, levels: [None; 2] }
    }

    /// Returns the time before which everything has been reported.
    pub fn known(&self, now: Now) -> ProbeTime {
        self.tones.undecided().map_or(now.before(MARGIN_US), ProbeTime)
    }

    /// Reports changes if a host is connected. Returns true if there were any.
    pub fn poll(
        &mut self,
        now: Now,
        sampler: &mut Sampler,
        outbox: &mut Outbox,
        told: bool,
    ) -> bool {
        let mut busy = false;
        for (index, wire) in [Wire::Reset, Wire::Backlight].into_iter().enumerate() {
            while let Some(Edge { count, high }) = sampler.slow_edge(wire) {
                busy = true;
                let at = ProbeTime(edge_ns(now.whole_of_31(count)));
                if self.levels[index].replace(high) != Some(high) && told {
                    outbox.push(&Observation::Wire { at, wire, high });
                }
            }
        }
        for (lost, wire) in
            sampler.slow_edges_lost().into_iter().zip([Wire::Reset, Wire::Backlight])
        {
            if lost && told {
                outbox.push(&Observation::Overrun { at: now.before(0), wire });
            }
        }
        let edges = sampler.buzzer_edges();
        let new = edges.wrapping_sub(self.buzzer) & (u32::MAX >> 1);
        if new as usize > EDGES {
            self.buzzer = edges;
            self.tones = ToneDetector::new(REST_NS, ERROR_NS);
            if told {
                outbox.push(&Observation::Overrun { at: now.before(0), wire: Wire::Buzzer });
            }
        }
        while self.buzzer != edges {
            let Edge { count, high } = sampler.buzzer_edge(self.buzzer);
            self.buzzer = self.buzzer.wrapping_add(1) & (u32::MAX >> 1);
            self.tones.edge(edge_ns(now.whole_of_31(count)), high);
            self.say(outbox, told);
            busy = true;
        }
        self.tones.pass(now.before(MARGIN_US).0);
        self.say(outbox, told);
        busy
    }

    fn say(&mut self, outbox: &mut Outbox, told: bool) {
        while let Some(sound) = self.tones.take() {
            let observation = match sound {
                ToneChange::Tone { at, periods, took } => {
                    Observation::Tone { at: ProbeTime(at), periods, took }
                }
                ToneChange::Silence { at } => Observation::Silence { at: ProbeTime(at) },
            };
            if told {
                outbox.push(&observation);
            }
        }
    }
}
