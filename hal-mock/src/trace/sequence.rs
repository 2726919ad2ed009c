//! Which timed line may follow which: times never go back, a button that is down is
//! not pressed again, nothing comes after `end`.
//!
//! It sees the lines in order and keeps only what the next one depends on. What is
//! unknown before the trace runs (the moment a `wait` is met) it lets pass: the
//! replayer finds out. It knows no text and no file.

use core::fmt;
use std::collections::HashMap;

use super::action::Action;
use super::document::When;
use super::fault::BoardFault;
use super::limits::TAP_HOLD;
use super::number::sum;
use super::spoken::spoken;
use crate::{Button, Instant};

/// A moment as far as it is known before the trace runs.
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// The last `wait` or `settle` that it depends on, counted from 1; 0 = none: exact.
    since_wait: u32,
    /// The moment itself if exact, otherwise the earliest it can be. Two moments
    /// that depend on the same wait are as far apart as these say.
    at: Instant,
}

/// `2 s`, or `at least 2 s`.
impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.since_wait == 0 { "" } else { "at least " };
        write!(out, "{bound}{}", spoken(self.at.since_start()))
    }
}

/// What keeps a button down.
#[derive(Clone, Copy, Debug)]
enum Contact {
    Up,
    Pressed { line: u32 },
    Tapped { line: u32, until: Moment },
}

/// Whether the board has power, as far as it is known before the trace runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Power {
    On,
    Off,
    /// A cut is planned that comes with a byte of the flash, or does not.
    Unsure,
}

/// The state between two timed lines.
#[derive(Debug)]
pub(super) struct Sequence {
    now: Moment,
    waits: u32,
    started: bool,
    power: Power,
    ended: bool,
    contacts: [Contact; Button::COUNT],
    /// The line of each chain of frames.
    chains: HashMap<String, u32>,
}

impl Sequence {
    pub(super) fn new() -> Self {
        Self {
            now: Moment { since_wait: 0, at: Instant::START },
            waits: 0,
            started: false,
            power: Power::Off,
            ended: false,
            contacts: [Contact::Up; Button::COUNT],
            chains: HashMap::new(),
        }
    }

    /// Whether a timed line has come.
    pub(super) fn has_started(&self) -> bool {
        self.started
    }

    /// Whether `end` has come.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes the line numbered `line`, or says why it cannot stand here; then nothing changes.
    pub(super) fn accept(&mut self, line: u32, when: When, action: &Action) -> Result<(), String> {
        if self.ended {
            return Err(format!("{} comes after `end`, which closes a trace", action.noun()));
        }
        if !self.started && *action != Action::PowerOn {
            return Err(format!(
                "the first timed line is {}; it must be `power on`: write `0ms power on` above it",
                action.noun()
            ));
        }
        let now = self.time(when, action)?;
        let contact = self.contact(line, now, action)?;
        let power = self.power_behind(action)?;
        if let Action::WaitText { within, .. } | Action::Settle { within } = action {
            sum(now.at, *within)?;
        }
        if let Action::ExpectFrames { name, .. } = action {
            if let Some(line) = self.chains.get(name) {
                return Err(format!(
                    "the frames {name} stand in line {line} already; each chain has its own name"
                ));
            }
            self.chains.insert(name.clone(), line);
        }

        (self.now, self.power, self.started) = (now, power, true);
        self.ended = *action == Action::End;
        if let Some((button, contact)) = contact {
            self.contacts[button.index()] = contact;
        }
        if matches!(action, Action::WaitText { .. } | Action::Settle { .. }) {
            // At most one a line, so at most `LINES_MAX`.
            self.waits += 1;
            self.now.since_wait = self.waits;
        }
        Ok(())
    }

    fn power_behind(&self, action: &Action) -> Result<Power, String> {
        let off = self.power == Power::Off;
        match action {
            Action::PowerOn if self.power == Power::On => Err("the power is on already".into()),
            Action::PowerOff | Action::Fault(BoardFault::PowerCut) if off => {
                Err("the power is off already".into())
            }
            Action::Fault(BoardFault::FlashCut { .. }) if off => {
                Err("the power is off; a cut in the flash is planned while it is on".into())
            }
            Action::PowerOn => Ok(Power::On),
            Action::PowerOff | Action::Fault(BoardFault::PowerCut) => Ok(Power::Off),
            Action::Fault(BoardFault::FlashCut { .. }) => Ok(Power::Unsure),
            _ => Ok(self.power),
        }
    }

    fn time(&self, when: When, action: &Action) -> Result<Moment, String> {
        match when {
            When::After(span) => Ok(Moment { at: sum(self.now.at, span)?, ..self.now }),
            When::At(at) if at < self.now.at => Err(format!(
                "{} at {} comes before the line above ({}); times never go back",
                action.noun(),
                spoken(at.since_start()),
                self.now,
            )),
            When::At(at) => Ok(Moment { since_wait: 0, at }),
        }
    }

    /// The button that `action` moves, with its new state.
    fn contact(
        &self,
        line: u32,
        now: Moment,
        action: &Action,
    ) -> Result<Option<(Button, Contact)>, String> {
        let held_by_tap = |until: Moment| {
            // Of a tap and a line with a wait between them the order is not known yet,
            // unless the line's time is exact and too early even for the earliest release.
            (now.since_wait == until.since_wait || now.since_wait == 0) && now.at < until.at
        };
        match *action {
            Action::Press(button) | Action::Tap { button, .. } => {
                match self.contacts[button.index()] {
                    Contact::Pressed { line } => Err(format!(
                        "{}, which is down already (pressed in line {line}); release it first",
                        action.noun()
                    )),
                    Contact::Tapped { line, until } if held_by_tap(until) => Err(format!(
                        "{}, which is down already (the tap in line {line} holds it until {until})",
                        action.noun()
                    )),
                    Contact::Up | Contact::Tapped { .. } => {
                        let contact = match *action {
                            Action::Tap { hold, .. } => {
                                let at = sum(now.at, hold.unwrap_or(TAP_HOLD))?;
                                Contact::Tapped { line, until: Moment { at, ..now } }
                            }
                            _ => Contact::Pressed { line },
                        };
                        Ok(Some((button, contact)))
                    }
                }
            }
            Action::Release(button) => match self.contacts[button.index()] {
                Contact::Pressed { .. } => Ok(Some((button, Contact::Up))),
                Contact::Tapped { line, until } if held_by_tap(until) => Err(format!(
                    "release of {button}, which the tap in line {line} releases by itself"
                )),
                Contact::Up | Contact::Tapped { .. } => {
                    Err(format!("release of {button}, which is not down"))
                }
            },
            _ => Ok(None),
        }
    }
}
