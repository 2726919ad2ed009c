//! Order of timed lines: times never go back, a pressed button is not pressed again, a finger that is
//! not on its panel is not lifted, nothing comes after `end`.
//!
//! The sequence gets the lines in order and stores only what the next one depends on. It accepts
//! what is unknown before the trace runs (the time at which a `wait` is satisfied): the replayer
//! checks that. [`Sequence::recover`] continues after a wrong line, so that errors that only follow
//! from that line are not reported. The module knows no text; files are only names.

use std::collections::HashMap;
use std::sync::Arc;

use super::action::Action;
use super::control::Movement;
use super::document::When;
use super::error::SequenceError;
use super::fault::BoardFault;
use super::known_time::KnownTime;
use super::limits::TAP_HOLD;
use super::number::sum;
use super::place::LineName;
use crate::{Button, ButtonMap};
use virtual_time::Instant;

/// A line, by its file's name in errors and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceLine {
    pub(super) file: Arc<str>,
    pub(super) line: u32,
}

impl SourceLine {
    /// Returns the line's name in an error of the line `here`.
    fn seen_from(&self, here: &Self) -> LineName {
        let file = (self.file != here.file).then(|| Arc::clone(&self.file));
        LineName { line: self.line, file }
    }
}

/// State of a button.
#[derive(Clone, Debug, Default)]
enum Contact {
    #[default]
    Up,
    Pressed {
        line: SourceLine,
    },
    Tapped {
        line: SourceLine,
        until: KnownTime,
    },
    /// A wrong line may have changed the state.
    Unsure,
}

/// State of the finger on a touch panel. The movements of a panel follow each other, whatever their
/// times.
#[derive(Clone, Debug, Default)]
enum Finger {
    #[default]
    Up,
    Down,
    /// Lifted by a `touch … for` at its end.
    Lifted {
        line: SourceLine,
    },
    /// A wrong line may have changed the state.
    Unsure,
}

/// State of the power, as far as it is known before the trace runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Power {
    On,
    Off,
    /// A planned cut at a byte of the flash may or may not have happened, or a line is wrong.
    Unsure,
}

#[derive(Debug)]
pub(super) struct Sequence {
    now: KnownTime,
    waits: u32,
    started: bool,
    /// Whether a wrong line may have been the first `power on`.
    may_have_power_on: bool,
    power: Power,
    ended: bool,
    contacts: ButtonMap<Contact>,
    /// Fingers on touch panels, by the numbers of the controls.
    fingers: HashMap<usize, Finger>,
    /// State of the other fingers: up, or unsure.
    other_fingers: Finger,
    /// Line of each chain of frames.
    chains: HashMap<String, SourceLine>,
}

impl Sequence {
    pub(super) fn new() -> Self {
        Self {
            now: KnownTime { since_wait: 0, at: Instant::START },
            waits: 0,
            started: false,
            may_have_power_on: false,
            power: Power::Off,
            ended: false,
            contacts: ButtonMap::default(),
            fingers: HashMap::new(),
            other_fingers: Finger::Up,
            chains: HashMap::new(),
        }
    }

    /// Returns whether a timed line has been accepted.
    pub(super) fn has_started(&self) -> bool {
        self.started
    }

    /// Returns whether a timed line has been accepted, or a wrong line may have been one.
    pub(super) fn may_have_started(&self) -> bool {
        self.started || self.may_have_power_on
    }

    /// Returns whether `end` has been accepted.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Accepts the next line. If the line is not allowed here, returns the reason and changes
    /// nothing.
    pub(super) fn accept(
        &mut self,
        line: &SourceLine,
        when: When,
        action: &Action,
    ) -> Result<(), SequenceError> {
        if self.ended {
            return Err(SequenceError::AfterEnd { action: action.noun() });
        }
        if !self.may_have_started() && *action != Action::PowerOn {
            return Err(SequenceError::NotPowerOn { action: action.noun() });
        }
        let now = self.time(when, action)?;
        let contact = self.contact(line, now, action)?;
        let finger = self.finger(line, action)?;
        let power = self.power_after(action)?;
        if let Some(within) = action.longest_wait() {
            sum(now.at, within)?;
        }
        if let Action::ExpectFrames { name, .. } = action {
            if let Some(first) = self.chains.get(name) {
                let line = first.seen_from(line);
                return Err(SequenceError::ChainTwice { name: name.clone(), line });
            }
            self.chains.insert(name.clone(), line.clone());
        }

        (self.now, self.power, self.started) = (now, power, true);
        self.ended = *action == Action::End;
        if let Some((button, contact)) = contact {
            *self.contacts.at(button) = contact;
        }
        if let Some((panel, finger)) = finger {
            self.fingers.insert(panel, finger);
        }
        if action.longest_wait().is_some() {
            self.wait();
        }
        Ok(())
    }

    /// Continues after a wrong line. `when` and `action` are the readable parts of it, `verb` is
    /// the word in the place of its verb. From then on, everything is accepted that would be right
    /// if the wrong line had been right.
    pub(super) fn recover(
        &mut self,
        when: Option<When>,
        verb: Option<&str>,
        action: Option<&Action>,
    ) {
        if !self.started {
            (self.may_have_power_on, self.power) = (true, Power::Unsure);
        }
        match when {
            Some(When::At(at)) => {
                if at < self.now.at {
                    // It is unknown which of the two times is wrong.
                    let contacts = self.contacts.iter_mut();
                    contacts
                        .filter(|contact| matches!(contact, Contact::Tapped { .. }))
                        .for_each(|contact| *contact = Contact::Unsure);
                }
                self.now = KnownTime { since_wait: 0, at };
            }
            Some(When::After(span)) => {
                self.now.at = sum(self.now.at, span).unwrap_or(self.now.at);
            }
            None => self.wait(),
        }
        match action {
            Some(Action::Tap { button, .. } | Action::Press(button) | Action::Release(button)) => {
                *self.contacts.at(*button) = Contact::Unsure;
            }
            Some(Action::PowerOn | Action::PowerOff | Action::Fault(_)) => {
                self.power = Power::Unsure;
            }
            Some(Action::Move {
                control,
                movement: Movement::Touch { .. } | Movement::Drag { .. } | Movement::Lift,
            }) => {
                self.fingers.insert(control.index(), Finger::Unsure);
            }
            Some(action) if action.longest_wait().is_some() => self.wait(),
            Some(_) => {}
            None => self.recover_from(verb),
        }
        // Only the first line after `end` gets an error.
        self.ended = !self.ended && action == Some(&Action::End);
    }

    /// Continues after a line whose action cannot be read, or after a whole file: without a verb,
    /// any effect is possible.
    fn recover_from(&mut self, verb: Option<&str>) {
        let contacts = |sequence: &mut Self| sequence.contacts.fill(&Contact::Unsure);
        let fingers = |sequence: &mut Self| {
            sequence.fingers.clear();
            sequence.other_fingers = Finger::Unsure;
        };
        match verb {
            Some("tap" | "press" | "release") => contacts(self),
            Some("touch" | "drag" | "lift") => fingers(self),
            Some("power" | "fault") => self.power = Power::Unsure,
            Some("wait" | "settle") => self.wait(),
            Some("expect" | "screenshot" | "end" | "turn" | "switch" | "set") => {}
            _ => {
                contacts(self);
                fingers(self);
                self.power = Power::Unsure;
                self.wait();
            }
        }
    }

    /// Makes the current time unknown until the trace runs.
    fn wait(&mut self) {
        // Cannot overflow: a few per line at most, and a trace has at most `LINES_MAX` lines.
        self.waits += 1;
        self.now.since_wait = self.waits;
    }

    fn power_after(&self, action: &Action) -> Result<Power, SequenceError> {
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

    fn time(&self, when: When, action: &Action) -> Result<KnownTime, SequenceError> {
        match when {
            When::After(span) => Ok(KnownTime { at: sum(self.now.at, span)?, ..self.now }),
            When::At(at) if at < self.now.at => {
                Err(SequenceError::GoesBack { action: action.noun(), at, above: self.now })
            }
            When::At(at) => Ok(KnownTime { since_wait: 0, at }),
        }
    }

    /// Returns the number of the touch panel whose finger `action` moves, with its new state.
    fn finger(
        &self,
        line: &SourceLine,
        action: &Action,
    ) -> Result<Option<(usize, Finger)>, SequenceError> {
        let Action::Move { control, movement } = *action else { return Ok(None) };
        let finger = match movement {
            Movement::Touch { hold: Some(_), .. } => Finger::Lifted { line: line.clone() },
            Movement::Touch { hold: None, .. } | Movement::Drag { .. } => Finger::Down,
            Movement::Lift => {
                let before = self.fingers.get(&control.index()).unwrap_or(&self.other_fingers);
                match before {
                    Finger::Up => return Err(SequenceError::NotTouched(control)),
                    Finger::Lifted { line: touched } => {
                        let line = touched.seen_from(line);
                        return Err(SequenceError::LiftedByTouch { control, line });
                    }
                    Finger::Down => Finger::Up,
                    Finger::Unsure => Finger::Unsure,
                }
            }
            Movement::Turn { .. } | Movement::Switch(_) | Movement::Set { .. } => return Ok(None),
        };
        Ok(Some((control.index(), finger)))
    }

    /// Returns the button that `action` moves, with its new state.
    fn contact(
        &self,
        line: &SourceLine,
        now: KnownTime,
        action: &Action,
    ) -> Result<Option<(Button, Contact)>, SequenceError> {
        let held_by_tap = |until: KnownTime| {
            // If a wait separates a tap from a line, their order is unknown, unless the line's time
            // is exact and before the earliest possible release.
            (now.since_wait == until.since_wait || now.since_wait == 0) && now.at < until.at
        };
        match *action {
            Action::Press(button) | Action::Tap { button, .. } => {
                match self.contacts.get(button).unwrap_or(&Contact::Up) {
                    Contact::Pressed { line: pressed } => {
                        let line = pressed.seen_from(line);
                        Err(SequenceError::Pressed { action: action.noun(), line })
                    }
                    Contact::Tapped { line: tapped, until } if held_by_tap(*until) => {
                        let (line, until) = (tapped.seen_from(line), *until);
                        Err(SequenceError::Tapped { action: action.noun(), line, until })
                    }
                    Contact::Up | Contact::Unsure | Contact::Tapped { .. } => {
                        let line = line.clone();
                        let contact = match *action {
                            Action::Tap { hold, .. } => {
                                let at = sum(now.at, hold.unwrap_or(TAP_HOLD))?;
                                Contact::Tapped { line, until: KnownTime { at, ..now } }
                            }
                            _ => Contact::Pressed { line },
                        };
                        Ok(Some((button, contact)))
                    }
                }
            }
            Action::Release(button) => match self.contacts.get(button).unwrap_or(&Contact::Up) {
                Contact::Pressed { .. } => Ok(Some((button, Contact::Up))),
                Contact::Unsure => Ok(None),
                Contact::Tapped { line: tapped, until } if held_by_tap(*until) => {
                    let line = tapped.seen_from(line);
                    Err(SequenceError::ReleasedByTap { button, line })
                }
                Contact::Up | Contact::Tapped { .. } => Err(SequenceError::NotDown(button)),
            },
            _ => Ok(None),
        }
    }
}
