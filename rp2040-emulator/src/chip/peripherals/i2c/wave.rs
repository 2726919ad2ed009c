//! The edges of a controller as a master on its two wires, while its pins have levels.
//!
//! A bit takes the low and the high time of SCL, as where transfers are bytes. It takes longer if
//! another device holds SCL low, because the high time begins when SCL has risen. SDA changes the
//! hold time after SCL has fallen.

use std::collections::VecDeque;

/// The wires that are pulled low; the others are released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::chip) struct Pulls {
    pub(in crate::chip) sda: bool,
    pub(in crate::chip) scl: bool,
}

/// Times of a bit in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitTimes {
    pub(super) high: u64,
    pub(super) low: u64,
    /// Time from the falling edge of SCL to a change of SDA.
    pub(super) hold: u64,
}

/// One item of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A start, or a repeated one.
    Start,
    /// A bit that the master sends.
    Sent(bool),
    /// A bit that another device sends; `low` if it is an attached device, and sends a 0.
    Awaited {
        low: bool,
    },
    Stop,
}

/// Progress of the current item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// SDA is to be set next.
    Set,
    /// SCL is to be released next.
    Rise,
    /// SCL has been released, and has not risen.
    Wait,
    /// SDA is to fall or rise next, while SCL is high.
    Turn,
    /// The high time is to end next.
    Fall,
}

/// Reason why a wave has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaveEnd {
    /// The wave ended after its last item, at this nanosecond.
    Over(u64),
    /// The master has sent a 1, but SDA was low.
    Lost,
}

#[derive(Clone, Debug)]
pub(super) struct Wave {
    times: BitTimes,
    items: VecDeque<Item>,
    part: Part,
    due: u64,
    pulls: Pulls,
    /// Level of SDA that was last sensed.
    sda: bool,
    /// Levels of SDA in the bits of the current step.
    bits: Vec<bool>,
}

impl Wave {
    /// Creates a wave on an idle bus.
    pub(super) fn new(times: BitTimes) -> Self {
        Self {
            times,
            items: VecDeque::new(),
            part: Part::Set,
            due: u64::MAX,
            pulls: Pulls::default(),
            sda: true,
            bits: Vec::new(),
        }
    }

    /// Begins the next step at `ns`.
    pub(super) fn begin(&mut self, items: impl IntoIterator<Item = Item>, ns: u64) {
        self.items.extend(items);
        self.bits.clear();
        self.enter(ns);
    }

    /// Sends a stop from `ns` on, replacing the current step. If `owed`, a bit that does not
    /// acknowledge the previous byte is sent first.
    pub(super) fn stop_now(&mut self, owed: bool, ns: u64) {
        self.items.clear();
        self.pulls.scl = true;
        self.begin(owed.then_some(Item::Sent(true)).into_iter().chain([Item::Stop]), ns);
    }

    /// Returns whether a step is in progress.
    pub(super) fn is_busy(&self) -> bool {
        !self.items.is_empty()
    }

    pub(super) fn pulls(&self) -> Pulls {
        self.pulls
    }

    /// Returns the nanosecond of the next edge; `u64::MAX` while the wave waits for SCL or the next
    /// step.
    pub(super) fn due(&self) -> u64 {
        self.due
    }

    /// Returns the level of SDA in the high time of each bit of the step.
    pub(super) fn bits(&self) -> &[bool] {
        &self.bits
    }

    /// Processes the levels that the wires have from `ns` on.
    pub(super) fn sense(&mut self, sda: bool, scl: bool, ns: u64) {
        self.sda = sda;
        if self.part == Part::Wait && scl && self.is_busy() {
            let turns = matches!(self.items.front(), Some(Item::Start | Item::Stop));
            self.part = if turns { Part::Turn } else { Part::Fall };
            self.due = ns.saturating_add(if turns { self.times.high / 2 } else { self.times.high });
        }
    }

    /// Applies the edges up to `ns`. Returns the end of the step, if it ends.
    pub(super) fn advance(&mut self, ns: u64) -> Option<WaveEnd> {
        while self.due <= ns {
            if let Some(end) = self.edge() {
                return Some(end);
            }
        }
        None
    }

    /// Starts the current item at `ns`.
    fn enter(&mut self, ns: u64) {
        self.part = Part::Set;
        // A repeated start releases SDA as a bit does.
        self.due = ns.saturating_add(self.times.hold);
    }

    fn edge(&mut self) -> Option<WaveEnd> {
        let BitTimes { high, low, hold } = self.times;
        let Some(item) = self.items.front().copied() else {
            self.due = u64::MAX;
            return None;
        };
        match self.part {
            Part::Set => {
                self.pulls.sda = match item {
                    Item::Start => false,
                    Item::Sent(bit) => !bit,
                    Item::Awaited { low } => low,
                    Item::Stop => true,
                };
                self.part = Part::Rise;
                self.due = self.due.saturating_add(low.saturating_sub(hold));
            }
            Part::Rise => {
                self.pulls.scl = false;
                self.part = Part::Wait;
                self.due = u64::MAX;
            }
            Part::Wait => self.due = u64::MAX,
            Part::Turn => {
                self.pulls.sda = item == Item::Start;
                self.part = Part::Fall;
                self.due = self.due.saturating_add(high - high / 2);
            }
            Part::Fall => {
                self.items.pop_front();
                self.pulls.scl = item != Item::Stop;
                match item {
                    Item::Sent(true) if !self.sda => return Some(WaveEnd::Lost),
                    Item::Sent(_) | Item::Awaited { .. } => self.bits.push(self.sda),
                    Item::Start | Item::Stop => {}
                }
                let now = self.due;
                if self.items.is_empty() {
                    self.due = u64::MAX;
                    return Some(WaveEnd::Over(now));
                }
                self.enter(now);
            }
        }
        None
    }
}
