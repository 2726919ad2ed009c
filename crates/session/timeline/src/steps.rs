//! Next and previous times of a session: of complete frames, and of transactions on the wire.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::board::WireListener;
use virtual_time::{Instant, Nanos};

use crate::run::NoObserver;
use crate::session::Session;

/// Virtual time that a step forward searches.
const SEARCHED_AHEAD: Nanos = Nanos::from_secs(10);
/// Virtual time that a machine runs between two checks.
const SEARCH_STEP: Nanos = Nanos::from_millis(20);

impl Session {
    pub(crate) fn next_frame(&mut self) -> Option<Instant> {
        let (present, reached) = (self.present(), self.reached());
        if let Some(next) = self.frames().iter().find(|frame| frame.at > present) {
            return Some(next.at);
        }
        // A trace has no more frames; another session runs further.
        self.left_at()?;
        let last = reached.saturating_add(SEARCHED_AHEAD);
        let mut at = reached;
        while at < last {
            at = at.saturating_add(SEARCH_STEP);
            self.go(at);
            if self.present() < at {
                break;
            }
            if let Some(next) = self.frames().iter().find(|frame| frame.at > present) {
                return Some(next.at);
            }
        }
        None
    }

    pub(crate) fn frame_before(&mut self) -> Option<Instant> {
        let present = self.present();
        self.frames().iter().rev().find(|frame| frame.at < present).map(|frame| frame.at)
    }

    pub(crate) fn next_transfer(&mut self) -> Option<Instant> {
        let present = self.present();
        let last = present.saturating_add(SEARCHED_AHEAD);
        let last = if self.left_at().is_none() { last.min(self.reached()) } else { last };
        let mut run = self.start(present)?;
        let wire = Rc::new(RefCell::new(Wire { after: present, ..Wire::default() }));
        run.board().set_listener(Rc::clone(&wire) as Rc<RefCell<dyn WireListener>>);
        let mut at = present;
        while at < last && run.broken().is_none() {
            at = at.saturating_add(SEARCH_STEP).min(last);
            run.advance(self.done(), at, &mut NoObserver, None);
            if let Some(next) = wire.borrow().next.filter(|next| *next <= last) {
                return Some(next);
            }
        }
        None
    }

    pub(crate) fn transfer_before(&mut self) -> Option<Instant> {
        let present = self.present();
        // Most often the last second is enough; if not, the whole past is searched.
        for from in [present.saturating_sub(Nanos::from_secs(1)), Instant::START] {
            let mut run = self.start(from)?;
            let wire = Rc::new(RefCell::new(Wire { after: present, ..Wire::default() }));
            run.board().set_listener(Rc::clone(&wire) as Rc<RefCell<dyn WireListener>>);
            run.advance(self.done(), present, &mut NoObserver, None);
            let before = wire.borrow().before;
            if before.is_some() {
                return before;
            }
        }
        None
    }
}

/// Listens to the transactions on the LCD's wire around a time.
#[derive(Default)]
struct Wire {
    after: Instant,
    /// End of the last transaction before that time.
    before: Option<Instant>,
    /// End of the first transaction after it.
    next: Option<Instant>,
}

impl WireListener for Wire {
    fn lcd_bytes(&mut self, _: Instant, end: Instant, _: &[u8], _: &[u8]) {
        if end < self.after {
            self.before = Some(end);
        } else if end > self.after && self.next.is_none() {
            self.next = Some(end);
        }
    }
}
