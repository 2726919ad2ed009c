//! Outputs of a machine up to a time: contacts, tones, console, power, findings of the linter.
//! The history grows when a machine runs further than any before.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    board::{CONSOLE_BYTES_MAX, ConsoleLine, TONES_MAX, Tone, Violation, WireListener},
    log::Log,
};
use trace::{Button, ButtonMap};
use virtual_time::Instant;

/// A contact closes or opens, bounce included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    pub at: Instant,
    pub button: Button,
    pub closed: bool,
}

/// The power is switched on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerChange {
    pub at: Instant,
    pub on: bool,
}

/// Most edges of contacts in a history.
const CONTACTS_MAX: usize = 1 << 20;

/// Bytes of console lines in the history of a machine without an end.
const ENDLESS_CONSOLE_BYTES: usize = 8 << 20;
/// Changes of tone in the history of a machine without an end.
const ENDLESS_TONES: usize = 1 << 18;

/// Outputs of a machine. Each list is in order of time.
#[derive(Clone)]
pub struct History {
    /// All edges of the contacts that the firmware has read.
    pub contacts: Vec<Contact>,
    /// Changes of tone, the newest.
    pub tones: Log<Tone>,
    /// Lines of the console, the newest.
    pub console: Log<ConsoleLine>,
    pub power: Vec<PowerChange>,
    /// The linter's findings, without its notes.
    pub violations: Vec<Violation>,
    pub notes: Vec<Violation>,
    /// Whether a list is incomplete.
    pub dropped: bool,
}

impl Default for History {
    /// Stores as much as a board does.
    fn default() -> Self {
        Self::storing(CONSOLE_BYTES_MAX, TONES_MAX)
    }
}

impl History {
    /// Stores as much as suffices for a machine that runs all day.
    pub(crate) fn endless() -> Self {
        Self::storing(ENDLESS_CONSOLE_BYTES, ENDLESS_TONES)
    }

    fn storing(console_bytes: usize, tones: usize) -> Self {
        Self {
            contacts: Vec::new(),
            tones: Log::with_limit(tones * size_of::<Tone>()),
            console: Log::with_limit(console_bytes),
            power: Vec::new(),
            violations: Vec::new(),
            notes: Vec::new(),
            dropped: false,
        }
    }

    /// Removes what came after `at`.
    pub(crate) fn keep_before(&mut self, at: Instant) {
        self.contacts.retain(|contact| contact.at <= at);
        self.tones.truncate(self.tones.partition_point(|tone| tone.at <= at));
        self.console.truncate(self.console.partition_point(|line| line.at <= at));
        self.power.truncate(self.power.partition_point(|change| change.at <= at));
        self.violations.retain(|found| found.at <= at);
        self.notes.retain(|found| found.at <= at);
    }

    /// Removes what happened from `at` on.
    pub(crate) fn keep_until(&mut self, at: Instant) {
        self.contacts.retain(|contact| contact.at < at);
        self.tones.truncate(self.tones.partition_point(|tone| tone.at < at));
        self.console.truncate(self.console.partition_point(|line| line.at < at));
        self.power.truncate(self.power.partition_point(|change| change.at < at));
        self.violations.retain(|found| found.at < at);
        self.notes.retain(|found| found.at < at);
    }

    /// Adds the entries of `board`'s lists that are not in the history yet.
    pub(crate) fn catch_up(&mut self, board: &VirtualBoard) {
        board.with_tones(|tones| self.tones.catch_up(tones));
        board.with_console(|lines| self.console.catch_up(lines));
        let (violations, notes) = (self.violations.len(), self.notes.len());
        board.with_lcd(|lcd| {
            self.violations.extend(lcd.violations().iter().skip(violations).cloned());
            self.notes.extend(lcd.notes().iter().skip(notes).cloned());
        });
        let dropped = self.tones.first() + self.console.first() > 0;
        self.dropped |= dropped || board.dropped().violations > 0;
    }

    /// Adds what a listener has received; some of it may be in the history already.
    pub(crate) fn take_from(&mut self, listener: &mut ContactListener) {
        let known = self.power.last().map(|last| last.at);
        let new =
            listener.power.drain(..).filter(|change| known.is_none_or(|known| change.at > known));
        self.power.extend(new);
        self.dropped |= listener.dropped;
        let contacts = &mut listener.contacts;
        if contacts.is_empty() {
            return;
        }
        let mut known: ButtonMap<Option<Instant>> = ButtonMap::default();
        for contact in &self.contacts {
            *known.at(contact.button) = Some(contact.at);
        }
        contacts.retain(|edge| known.of(edge.button).is_none_or(|known| edge.at > known));
        if self.contacts.len() + contacts.len() > CONTACTS_MAX {
            self.dropped = true;
            contacts.clear();
        }
        self.contacts.append(contacts);
        self.contacts.sort_by_key(|contact| contact.at);
    }
}

/// Listens to the contacts and the power of a board.
#[derive(Default)]
pub(crate) struct ContactListener {
    contacts: Vec<Contact>,
    power: Vec<PowerChange>,
    /// Whether more was received than is stored.
    dropped: bool,
}

impl WireListener for ContactListener {
    fn power(&mut self, at: Instant, on: bool) {
        self.power.push(PowerChange { at, on });
    }

    fn contact(&mut self, at: Instant, button: Button, closed: bool) {
        if self.contacts.len() < CONTACTS_MAX {
            self.contacts.push(Contact { at, button, closed });
        } else {
            self.dropped = true;
        }
    }
}

/// Returns a listener that is attached to `board`.
pub(crate) fn attach_listener(board: &VirtualBoard) -> Rc<RefCell<ContactListener>> {
    let listener = Rc::new(RefCell::new(ContactListener::default()));
    board.set_listener(Rc::clone(&listener) as Rc<RefCell<dyn WireListener>>);
    listener
}
