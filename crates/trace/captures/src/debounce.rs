//! Removes the bounce of contacts: the first edge of a movement counts, and further edges within a
//! period after it are left out.

use std::collections::BTreeMap;

use trace::Button;
use virtual_time::{Instant, Nanos};

use crate::edge::Edge;
use crate::signal::Signal;

/// Removes the bounce of buttons; the edges of other wires pass.
pub struct Debouncer {
    period: Nanos,
    /// The buttons with a contact that has moved, and their contacts.
    contacts: BTreeMap<Button, Contact>,
}

#[derive(Clone, Copy, Default)]
struct Contact {
    /// Level of the last edge that counted.
    taken: Option<bool>,
    /// Time of that edge; `None` for the level at the capture's start.
    moved: Option<Instant>,
    /// Level and time of the last edge within the period after that.
    last: Option<(bool, Instant)>,
    left_out: u64,
}

impl Debouncer {
    /// Creates a debouncer that leaves out the edges of a contact within `period` after a movement;
    /// zero leaves out nothing.
    pub fn new(period: Nanos) -> Self {
        Self { period, contacts: BTreeMap::new() }
    }

    /// Takes an edge and returns the edges that count. If a contact came to rest at the other level
    /// within the period, that is a separate movement: it is returned with the next edge, at its
    /// own time.
    pub fn take(&mut self, edge: Edge) -> impl Iterator<Item = Edge> + use<> {
        let mut late = None;
        let mut now = Some(edge);
        if let Signal::Button(button) = edge.signal
            && self.period > Nanos::ZERO
        {
            let contact = self.contacts.entry(button).or_default();
            let bounces = |moved: Option<Instant>| {
                moved.is_some_and(|moved| edge.at.saturating_since(moved) < self.period)
            };
            if !bounces(contact.moved) {
                late = contact.settle(edge.signal);
            }
            if bounces(contact.moved) {
                contact.left_out += 1;
                contact.last = Some((edge.high, edge.at));
                now = None;
            } else {
                contact.moved = contact.taken.map(|_| edge.at);
                contact.taken = Some(edge.high);
            }
        }
        late.into_iter().chain(now)
    }

    /// Returns the edges that count and were not returned before the end of the capture.
    pub fn rest(&mut self) -> Vec<Edge> {
        let contacts = self.contacts.iter_mut();
        contacts.filter_map(|(button, contact)| contact.settle(Signal::Button(*button))).collect()
    }

    /// Returns the number of edges of each button that were left out.
    pub fn left_out(&self) -> Vec<(Button, u64)> {
        let counts = self.contacts.iter().map(|(button, contact)| (*button, contact.left_out));
        counts.filter(|(_, count)| *count > 0).collect()
    }
}

impl Contact {
    /// Returns the movement that was hidden in the bounce, if the contact came to rest at the other
    /// level.
    fn settle(&mut self, signal: Signal) -> Option<Edge> {
        let (high, at) = self.last.take().filter(|(last, _)| Some(*last) != self.taken)?;
        self.left_out = self.left_out.saturating_sub(1);
        (self.taken, self.moved) = (Some(high), Some(at));
        Some(Edge { at, signal, high })
    }
}
