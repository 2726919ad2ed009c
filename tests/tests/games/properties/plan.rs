//! The trace of a session, and the presses of RESET that the board must answer in it.

use super::*;

/// A session: its trace, and the facts about it that are known in advance.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) setting: Setting,
    pub(super) trace: Trace,
    /// Releases of RESET that the board must answer.
    pub(super) resets: Vec<Instant>,
    /// Time at which all buttons are released and the LCD is at rest.
    pub(super) rest: Instant,
    pub(super) end: Instant,
}

/// Converts `inputs`, each with its time since the last, to a trace. At its end all buttons are
/// released, the LCD comes to rest (screenshot `rest`), and the power is cycled (screenshot
/// `anew`).
pub(super) fn plan(setting: &Setting, inputs: &[(Nanos, Input)]) -> Plan {
    let mut plan = Planner::new(setting);
    for (pause, input) in inputs {
        plan.now = plan.now.saturating_add(*pause);
        match input {
            Input::Move(button) => plan.change(*button),
            Input::Tap(button, hold) => plan.tap(*button, *hold),
            Input::Chord(buttons, hold) => {
                buttons.iter().for_each(|button| plan.tap(*button, *hold));
            }
            Input::Menu(keys) => {
                plan.tap(Button::Reset, HOLD);
                plan.now = plan.now.saturating_add(HOLD);
                for key in keys {
                    plan.now = plan.now.saturating_add(KEY_TIME);
                    plan.tap(*key, KEY_HOLD);
                }
            }
            Input::PowerCut(time) => plan.cut_power(*time),
        }
    }
    plan.finish(setting)
}

struct Planner {
    now: Instant,
    lines: Vec<Line>,
    header: Trace,
    /// End of each button's hold; `NEVER` if it is not known yet.
    held: [Instant; Button::LCD_BOARD.len()],
    /// Time of each button's last press.
    pressed: [Instant; Button::LCD_BOARD.len()],
    /// Presses of RESET since the last power-on, with their releases.
    resets: Vec<(Instant, Instant)>,
    /// Presses of NUDGE buttons since the last power-on, with their releases.
    nudges: Vec<(Button, Instant, Instant)>,
    certain: Vec<Instant>,
    powered: Instant,
    /// Minimum distance at which two presses are certainly separate.
    certain_gap: Nanos,
}

impl Planner {
    fn new(setting: &Setting) -> Self {
        let mut new = Self {
            now: Instant::START,
            lines: Vec::new(),
            header: Trace { header: setting.header(), ..Trace::default() },
            held: [Instant::START; Button::LCD_BOARD.len()],
            pressed: [Instant::START; Button::LCD_BOARD.len()],
            resets: Vec::new(),
            nudges: Vec::new(),
            certain: Vec::new(),
            powered: Instant::START,
            certain_gap: DEBOUNCE.saturating_add(setting.bounce).saturating_add(TICK),
        };
        new.note(Action::PowerOn);
        new
    }

    fn note(&mut self, action: Action) {
        self.lines.push(Line::new(When::At(self.now), action));
    }

    fn change(&mut self, button: Button) {
        let down = self.held[button.index()] == Instant::NEVER;
        if !down && self.is_undo_or_help(button) {
            return;
        }
        match self.held[button.index()] {
            Instant::NEVER => {
                self.note(Action::Release(button));
                self.held[button.index()] = self.now;
                if button == Button::Reset
                    && let Some(last) = self.resets.last_mut()
                {
                    last.1 = self.now;
                }
                let mut nudges = self.nudges.iter_mut().rev();
                if let Some(last) = nudges.find(|(nudge, ..)| *nudge == button) {
                    last.2 = self.now;
                }
            }
            until if until <= self.now => {
                self.note(Action::Press(button));
                self.pressed[button.index()] = self.now;
                self.held[button.index()] = Instant::NEVER;
                self.remember(button, Instant::NEVER);
            }
            _ => {}
        }
    }

    fn tap(&mut self, button: Button, hold: Nanos) {
        if self.held[button.index()] > self.now || self.is_undo_or_help(button) {
            return;
        }
        if button == Button::Reset && self.may_become_a_long_press(hold) {
            return;
        }
        self.note(Action::Tap { button, hold: Some(hold) });
        self.pressed[button.index()] = self.now;
        self.held[button.index()] = self.now.saturating_add(hold);
        self.remember(button, self.now.saturating_add(hold));
    }

    fn remember(&mut self, button: Button, release: Instant) {
        if button == Button::Reset {
            self.resets.push((self.now, release));
        } else {
            self.nudges.push((button, self.now, release));
        }
    }

    /// Returns whether no NUDGE is down from `CALM` before `press` to `release`: RESET is no chord,
    /// the LCD is complete, and nothing takes the place of what it shows.
    fn is_alone(&self, press: Instant, release: Instant) -> bool {
        self.nudges.iter().all(|(_, down, up)| *down > release || up.saturating_add(CALM) <= press)
    }

    /// Returns whether a press of `button` now may be one together with RESET, which means Undo or
    /// Help or takes back the move of a NUDGE. Those are not judged here.
    fn is_undo_or_help(&self, button: Button) -> bool {
        let soon = |at: Instant| at > Instant::START && at.saturating_add(FIRM) > self.now;
        if button == Button::Reset {
            let mut nudges = self.pressed.iter().take(NUDGES);
            return nudges.any(|at| *at > Instant::START && at.saturating_add(CHORD) > self.now);
        }
        [Button::T5, Button::T6].contains(&button) && soon(self.held[Button::Reset.index()])
    }

    /// Returns whether RESET, held from now for `hold`, which is too short for a long press, may
    /// count as one long press together with the presses before it: a gap counts if the contact is
    /// stable for [`DEBOUNCE`], which is certain only after the bounce.
    fn may_become_a_long_press(&self, hold: Nanos) -> bool {
        let mut start = self.now;
        for &(press, release) in self.resets.iter().rev() {
            if start.saturating_since(release) >= self.certain_gap {
                break;
            }
            start = press;
        }
        let held = self.now.saturating_add(hold).saturating_since(start);
        start < self.now && hold < LONG_PRESS && held.saturating_add(TICK) >= LONG_PRESS
    }

    fn cut_power(&mut self, time: Nanos) {
        self.judge_resets(self.now);
        self.note(Action::PowerOff);
        self.now = self.now.saturating_add(time);
        self.note(Action::PowerOn);
        self.powered = self.now;
        let held = self.held[Button::Reset.index()];
        if held > self.now {
            // The button counts as stuck until its release.
            self.resets.push((self.now, held));
        }
    }

    /// Determines which presses of RESET the board must have answered by `end`.
    fn judge_resets(&mut self, end: Instant) {
        for (index, &(press, release)) in self.resets.iter().enumerate() {
            let next = self.resets.get(index + 1).map_or(Instant::NEVER, |next| next.0);
            let held = release.saturating_since(press);
            let before = index.checked_sub(1).map_or(self.powered.saturating_add(START), |last| {
                self.resets[last].1.saturating_add(CALM)
            });
            if press >= before.max(self.powered.saturating_add(START))
                && (FIRM..LONG_PRESS).contains(&held)
                && next >= release.saturating_add(FIRM)
                && self.is_alone(press, release)
                && end >= release.saturating_add(RESET_ANSWER).saturating_add(FIRM)
            {
                self.certain.push(release);
            }
        }
        self.resets.clear();
        self.nudges.clear();
    }

    fn finish(mut self, setting: &Setting) -> Plan {
        self.now = self.now.saturating_add(Nanos::from_millis(1));
        for button in Button::LCD_BOARD {
            if self.held[button.index()] == Instant::NEVER {
                self.change(button);
            }
        }
        let last = self.held.into_iter().max().unwrap_or_default();
        self.now = self.now.max(last).saturating_add(REST);
        let rest = self.now;
        self.note(Action::Screenshot("rest".into()));
        self.cut_power(FIRM);
        self.now = self.now.saturating_add(REST);
        self.note(Action::Screenshot("anew".into()));
        self.note(Action::End);
        let trace = Trace { lines: self.lines, ..self.header };
        let setting = setting.clone();
        Plan { setting, trace, resets: self.certain, rest, end: self.now }
    }
}
