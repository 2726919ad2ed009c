//! Writes the trace of a random session: random presses at random times, power changes and faults.
//!
//! Session K of seed N is always the same, independent of earlier sessions. Every trace can be
//! parsed and replayed with `nudge replay`, and has only lines that act on the board.

use insight::SessionRules;
use trace::{
    Action, BoardFault, Button, ButtonSet, Buttons, HeaderEntry, LONGEST_BOUNCE, Line, TAP_HOLD,
    Trace, When,
};
use virtual_time::{Instant, Nanos};

use super::dice::SessionRandom;
use super::finding::PRESS_ANSWERED_WITHIN;

/// Number of events in a session: lower bound inclusive, upper bound exclusive.
const EVENTS: (u64, u64) = (10, 60);
/// Time without an event after the first power-on.
const BOOT: Nanos = Nanos::from_secs(1);
/// Time without an event after the release of the answered button, for its answer.
const ANSWER: Nanos = Nanos::from_millis(250);
/// Time between the last event and the end. It is long enough for every answer and every
/// animation.
const LAST_WAIT: Nanos = Nanos::from_secs(8);

/// Time before each of the last taps. It is longer than an answer may take after the tap.
const EACH_BUTTON: Nanos = Nanos::from_millis(1_200);
const _: () = assert!(EACH_BUTTON.0 > TAP_HOLD.0 + PRESS_ANSWERED_WITHIN.0);

/// Parameters from which sessions are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Seed of all sessions.
    pub seed: u64,
    /// Whether sessions have faults: contacts that stick and bounce, flipped bits, and power
    /// failures.
    pub faults: bool,
}

/// Returns the trace of session `number` on a board with these buttons. On a board without `rules`, or
/// with other buttons than theirs, a press of every button comes last.
pub fn session_on(
    plan: &Plan,
    buttons: &Buttons,
    rules: Option<&dyn SessionRules>,
    number: u64,
) -> Trace {
    let rules = rules.filter(|rules| rules.has_buttons(buttons));
    let mut dice = SessionRandom::new(plan.seed, number);
    let header = match rules {
        Some(rules) => rules.header(dice.stream()),
        None => plain_header(&mut dice),
    };
    let mut above = vec![format!("Session {number} of seed {}.", plan.seed)];
    if !plan.faults {
        above.push("Without faults.".into());
    }
    let on = Line::new(When::At(Instant::START), Action::PowerOn);
    let mut writer = SessionWriter {
        dice,
        lines: vec![on],
        owed: BOOT,
        held: ButtonSet::EMPTY,
        repair: None,
        buttons: buttons.all().to_vec(),
        answered: rules.and_then(SessionRules::answered_button),
    };
    let events = writer.dice.between(EVENTS.0, EVENTS.1);
    for _ in 0..events {
        writer.event(plan.faults);
    }
    writer.release_all();
    if rules.is_none() {
        writer.each_button();
    }
    writer.push(LAST_WAIT, Action::End);
    Trace { above, header, lines: writer.lines, ..Trace::default() }
}

/// Returns the settings that every board has.
fn plain_header(dice: &mut SessionRandom) -> Vec<HeaderEntry> {
    let seed = dice.between(0, 1_000_000).to_string();
    let mut header = vec![HeaderEntry::new("seed", seed)];
    if dice.once_in(3) {
        let bounce = dice.between(1, 12);
        header.push(HeaderEntry::new("bounce", format!("{bounce}ms")));
    }
    header
}

struct SessionWriter {
    dice: SessionRandom,
    lines: Vec<Line>,
    /// Time that is added before the next line.
    owed: Nanos,
    /// Buttons that are held.
    held: ButtonSet,
    /// Line that repairs the broken part of the board.
    repair: Option<BoardFault>,
    /// Buttons of the board.
    buttons: Vec<Button>,
    /// The button that is always answered.
    answered: Option<Button>,
}

impl SessionWriter {
    fn push(&mut self, after: Nanos, action: Action) {
        let after = after.saturating_add(std::mem::take(&mut self.owed));
        self.lines.push(Line::new(When::After(after), action));
    }

    /// Returns the time before an event: mostly 0.1 to 1.5 s, sometimes some nanoseconds, sometimes
    /// long enough for every animation to end.
    fn pause(&mut self) -> Nanos {
        match self.dice.between(0, 10) {
            0 => Nanos(self.dice.between(0, 2_000_000)),
            1 | 2 => Nanos(self.dice.between(0, 100_000_000)),
            3..=7 => Nanos::from_millis(self.dice.between(100, 1_500)),
            8 => Nanos::from_millis(self.dice.between(1_500, 4_000)),
            _ => Nanos::from_millis(self.dice.between(4_000, 9_000)),
        }
    }

    fn hold(&mut self) -> Option<Nanos> {
        match self.dice.between(0, 10) {
            0 => Some(Nanos(self.dice.between(1, 30_000_000))),
            1 => Some(Nanos::from_millis(self.dice.between(900, 1_300))),
            2 => Some(Nanos::from_millis(self.dice.between(30, 600))),
            _ => None,
        }
    }

    fn button(&mut self) -> Option<Button> {
        let is_free =
            |button: &Button| !self.held.contains(*button) && Some(*button) != self.answered;
        let free: Vec<Button> = self.buttons.iter().copied().filter(is_free).collect();
        (!free.is_empty()).then(|| self.dice.pick(&free))
    }

    fn event(&mut self, faults: bool) {
        match self.dice.between(0, 100) {
            0..60 => self.tap(),
            60..68 => self.chord(),
            68..78 => self.answered(),
            78..84 => self.press_or_release(),
            84..88 => self.power_cycle(),
            _ if faults => self.fault(),
            _ => self.tap(),
        }
    }

    /// Adds a tap of any other button that ends before the next line.
    fn tap(&mut self) {
        let (pause, hold) = (self.pause(), self.hold());
        if let Some(button) = self.button() {
            self.push(pause, Action::Tap { button, hold });
            self.owed = hold.unwrap_or(TAP_HOLD);
        }
    }

    /// Adds two or three taps at about the same time.
    fn chord(&mut self) {
        let pause = self.pause();
        let mut first = pause;
        let mut longest = TAP_HOLD;
        let mut taken: Vec<Button> = Vec::new();
        for _ in 0..self.dice.between(2, 4) {
            let Some(button) = self.button().filter(|button| !taken.contains(button)) else {
                continue;
            };
            taken.push(button);
            let hold = self.hold();
            longest = longest.max(hold.unwrap_or(TAP_HOLD));
            self.push(first, Action::Tap { button, hold });
            first = Nanos(self.dice.between(0, 3_000_000));
        }
        self.owed = longest;
    }

    /// Adds a tap of the answered button, with time for its answer.
    fn answered(&mut self) {
        let Some(button) = self.answered else { return self.tap() };
        let (pause, hold) = (self.pause(), self.hold());
        self.push(pause, Action::Tap { button, hold });
        self.owed = hold.unwrap_or(TAP_HOLD).saturating_add(ANSWER);
    }

    /// Presses a button that stays held, or releases one that is held.
    fn press_or_release(&mut self) {
        let pause = self.pause();
        let held = self.buttons.iter().copied().find(|button| self.held.contains(*button));
        match (held, self.button()) {
            (Some(button), _) => {
                self.push(pause, Action::Release(button));
                self.held.remove(button);
            }
            (None, Some(button)) => {
                self.push(pause, Action::Press(button));
                self.held.insert(button);
            }
            (None, None) => {}
        }
    }

    fn release_all(&mut self) {
        for button in self.buttons.clone() {
            if self.held.remove(button) {
                self.push(Nanos::from_millis(10), Action::Release(button));
            }
        }
    }

    /// Adds a tap of every button, after the repair of what is broken, with time for an answer.
    fn each_button(&mut self) {
        if let Some(mended) = self.repair.take() {
            self.push(Nanos::from_millis(10), Action::Fault(mended));
        }
        for button in self.buttons.clone() {
            self.push(EACH_BUTTON, Action::Tap { button, hold: None });
        }
    }

    fn power_cycle(&mut self) {
        let (pause, off) = (self.pause(), self.pause());
        self.push(pause, Action::PowerOff);
        self.push(off, Action::PowerOn);
    }

    /// Breaks a part of the board, or repairs the one that is broken.
    fn fault(&mut self) {
        let pause = self.pause();
        if let Some(mended) = self.repair.take() {
            return self.push(pause, Action::Fault(mended));
        }
        if self.buttons.is_empty() {
            return self.power_cycle();
        }
        let button = self.dice.pick(&self.buttons);
        match self.dice.between(0, 8) {
            0 | 1 => {
                self.push(pause, Action::Fault(BoardFault::Stuck(button)));
                self.repair = Some(BoardFault::NoContactFault(button));
            }
            2 | 3 => {
                let bounce = Nanos(self.dice.between(1, LONGEST_BOUNCE.0 + 1));
                self.push(pause, Action::Fault(BoardFault::Bounce { button, bounce }));
                self.repair = Some(BoardFault::NoContactFault(button));
            }
            4 => {
                let one_in = self.dice.pick(&[1_000, 100_000, 10_000_000]);
                self.push(pause, Action::Fault(BoardFault::SpiFlip { one_in, display: None }));
                self.repair = Some(BoardFault::NoSpiFault { display: None });
            }
            5 => {
                let after = self.dice.between(0, 6_000) as u32;
                self.push(pause, Action::Fault(BoardFault::FlashCut { after }));
                let (pause, off) = (self.pause(), self.pause());
                self.push(pause, Action::PowerOff);
                self.push(off, Action::PowerOn);
            }
            _ => {
                self.push(pause, Action::Fault(BoardFault::PowerCut));
                let off = self.pause();
                self.push(off, Action::PowerOn);
            }
        }
    }
}
