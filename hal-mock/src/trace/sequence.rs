//! Which timed line may follow which: times never go back, a button that is down is
//! not pressed again, nothing comes after `end`.
//!
//! It sees the lines in order and keeps only what the next one depends on. What is
//! unknown before the trace runs (the moment a `wait` is met) it lets pass: the
//! replayer finds out. It knows no text and no file.

use std::collections::HashMap;

use super::action::Action;
use super::document::When;
use super::error::SequenceError;
use super::fault::BoardFault;
use super::limits::TAP_HOLD;
use super::moment::Moment;
use super::number::sum;
use crate::{Button, Instant};

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
    pub(super) fn accept(
        &mut self,
        line: u32,
        when: When,
        action: &Action,
    ) -> Result<(), SequenceError> {
        if self.ended {
            return Err(SequenceError::AfterEnd { action: action.noun() });
        }
        if !self.started && *action != Action::PowerOn {
            return Err(SequenceError::NotPowerOn { action: action.noun() });
        }
        let now = self.time(when, action)?;
        let contact = self.contact(line, now, action)?;
        let power = self.power_behind(action)?;
        if let Some(within) = action.longest_wait() {
            sum(now.at, within)?;
        }
        if let Action::ExpectFrames { name, .. } = action {
            if let Some(&line) = self.chains.get(name) {
                return Err(SequenceError::ChainTwice { name: name.clone(), line });
            }
            self.chains.insert(name.clone(), line);
        }

        (self.now, self.power, self.started) = (now, power, true);
        self.ended = *action == Action::End;
        if let Some((button, contact)) = contact {
            self.contacts[button.index()] = contact;
        }
        if action.longest_wait().is_some() {
            // At most one a line, so at most `LINES_MAX`.
            self.waits += 1;
            self.now.since_wait = self.waits;
        }
        Ok(())
    }

    fn power_behind(&self, action: &Action) -> Result<Power, SequenceError> {
        let off = self.power == Power::Off;
        match action {
            Action::PowerOn if self.power == Power::On => Err(SequenceError::PowerIsOn),
            Action::PowerOff | Action::Fault(BoardFault::PowerCut) if off => {
                Err(SequenceError::PowerIsOff)
            }
            Action::Fault(BoardFault::FlashCut { .. }) if off => {
                Err(SequenceError::FlashCutWithoutPower)
            }
            Action::Fault(BoardFault::NoFlashFault) if off => {
                Err(SequenceError::NoFlashFaultWithoutPower)
            }
            Action::PowerOn => Ok(Power::On),
            Action::PowerOff | Action::Fault(BoardFault::PowerCut) => Ok(Power::Off),
            Action::Fault(BoardFault::FlashCut { .. }) => Ok(Power::Unsure),
            _ => Ok(self.power),
        }
    }

    fn time(&self, when: When, action: &Action) -> Result<Moment, SequenceError> {
        match when {
            When::After(span) => Ok(Moment { at: sum(self.now.at, span)?, ..self.now }),
            When::At(at) if at < self.now.at => {
                Err(SequenceError::GoesBack { action: action.noun(), at, above: self.now })
            }
            When::At(at) => Ok(Moment { since_wait: 0, at }),
        }
    }

    /// The button that `action` moves, with its new state.
    fn contact(
        &self,
        line: u32,
        now: Moment,
        action: &Action,
    ) -> Result<Option<(Button, Contact)>, SequenceError> {
        let held_by_tap = |until: Moment| {
            // Of a tap and a line with a wait between them the order is not known yet,
            // unless the line's time is exact and too early even for the earliest release.
            (now.since_wait == until.since_wait || now.since_wait == 0) && now.at < until.at
        };
        match *action {
            Action::Press(button) | Action::Tap { button, .. } => {
                match self.contacts[button.index()] {
                    Contact::Pressed { line } => {
                        Err(SequenceError::Pressed { action: action.noun(), line })
                    }
                    Contact::Tapped { line, until } if held_by_tap(until) => {
                        Err(SequenceError::Tapped { action: action.noun(), line, until })
                    }
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
                Contact::Tapped { line, until } if held_by_tap(until) => {
                    Err(SequenceError::ReleasedByTap { button, line })
                }
                Contact::Up | Contact::Tapped { .. } => Err(SequenceError::NotDown(button)),
            },
            _ => Ok(None),
        }
    }
}
