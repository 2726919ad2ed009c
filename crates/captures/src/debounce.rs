//! Leaves out the bounce of contacts: the first edge of a movement counts, and what the contact
//! does within a period behind it is left out.

use hal_mock::{Button, Nanos};

use crate::edge::Edge;
use crate::signal::Signal;

/// Leaves the bounce of buttons out: of other wires everything passes.
pub struct Debouncer {
    period: Nanos,
    contacts: [Contact; Button::COUNT],
}

#[derive(Clone, Copy, Default)]
struct Contact {
    /// The level that has been handed on.
    taken: Option<bool>,
    /// When it moved there; `None` for the level that it began with.
    moved: Option<Nanos>,
    /// The latest edge within the period behind that, and its level.
    last: Option<(bool, Nanos)>,
    left_out: u64,
}

impl Debouncer {
    /// One that leaves out what a contact does within `period` of a movement; zero leaves out
    /// nothing.
    pub fn new(period: Nanos) -> Self {
        Self { period, contacts: [Contact::default(); Button::COUNT] }
    }

    /// Hands on what counts. If a contact came to rest at the other level within the period,
    /// that was a movement of its own: it is known only with the next edge, and dated when it
    /// came.
    pub fn take(&mut self, edge: Edge) -> impl Iterator<Item = Edge> + use<> {
        let mut late = None;
        let mut now = Some(edge);
        if let Signal::Button(button) = edge.signal
            && self.period > Nanos::ZERO
        {
            let contact = &mut self.contacts[button.index()];
            let bounces =
                |moved: Option<Nanos>| moved.is_some_and(|moved| edge.at - moved < self.period);
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

    /// What had not been handed on when the capture ended.
    pub fn rest(&mut self) -> Vec<Edge> {
        let settle = |button: Button| self.contacts[button.index()].settle(Signal::Button(button));
        Button::ALL.into_iter().filter_map(settle).collect()
    }

    /// How many edges of each button were left out.
    pub fn left_out(&self) -> Vec<(Button, u64)> {
        let counts =
            Button::ALL.into_iter().map(|button| (button, self.contacts[button.index()].left_out));
        counts.filter(|(_, count)| *count > 0).collect()
    }
}

impl Contact {
    /// The movement that hid in the bounce, if the contact came to rest at the other level.
    fn settle(&mut self, signal: Signal) -> Option<Edge> {
        let (high, at) = self.last.take().filter(|(last, _)| Some(*last) != self.taken)?;
        self.left_out = self.left_out.saturating_sub(1);
        (self.taken, self.moved) = (Some(high), Some(at));
        Some(Edge { at, signal, high })
    }
}
