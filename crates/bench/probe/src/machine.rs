//! [`ProbeMachine`]: a real board behind a probe, as a machine that replays traces.
//!
//! The real board's wires are played back on a virtual board: the bytes on its SPI go to the same model of the
//! LCD that an emulated chip's go to, its tones and console bytes likewise. The fingers of the
//! virtual board become tasks of the probe, bounce included. So what looks at a board (texts, goldens, the linter, waveforms)
//! works unchanged.
//!
//! The clock of the trace is the probe's. The virtual board is behind the real one: its clock advances to what
//! the probe has told of. [`VirtualBoard::inputs_from`] says how far the real one may have come.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use hal_mock::{
    BoardConfig, Heap, Machine, MachineError, VirtualBoard,
    board::{Input, Probe, Terminals},
};
use probe_protocol::{LINES, ProbeTime, Wire};
use trace::Button;
use virtual_time::{Instant, Nanos};

use crate::bring_up::POWER_GAP;
use crate::error::ProbeError;
use crate::restarts::Restarts;
use crate::session::{Bytes, Job, Seen, Session};

/// What is done to the board is done at least so long after the moment that the host knows of: the time on the line, twice, and
/// that of this computer between two lines of a trace. A line of a trace behind one that waits comes
/// that much later than on a virtual board.
pub const LEAD: Duration = Duration::from_millis(20);

/// The trace's 0 is at least so long after the session's beginning: nothing waits for it, so a busy computer is never late with it.
const FIRST_LEAD: Nanos = Nanos::from_millis(150);
/// The longest time that is played back at once; see the same of the emulated Pico.
const SLICE: Nanos = Nanos::from_millis(4);
/// A board that draws nothing for this long counts as booted.
const LONGEST_BOOT: Nanos = Nanos::from_secs(1);
/// The end of booting may be overshot by this time.
const BOOT_SLICE: Nanos = Nanos::from_micros(100);

const _: () = assert!(SLICE.0 < hal_mock::board::FRAME_IDLE.0);
const _: () = assert!(LINES as usize == Button::COUNT);

/// What is done to the virtual board, in order.
#[derive(Default)]
struct Ear(Vec<Input>);

impl Probe for Ear {
    fn input(&mut self, _: Instant, input: Input) {
        self.0.push(input);
    }
}

/// A real board behind a probe.
pub struct ProbeMachine {
    board: VirtualBoard,
    terminals: Terminals,
    ear: Rc<RefCell<Ear>>,
    /// A board with the same contacts and always with power, whose edges are read ahead.
    fingers: VirtualBoard,
    closed: [bool; Button::COUNT],
    session: Session,
    lead: Nanos,
    /// The probe's time at the trace's 0.
    origin: Option<u64>,
    /// Levels that the board was told of: DC, RST and the backlight.
    dc: Option<bool>,
    restarts: Restarts,
    failed: Option<ProbeError>,
}

impl ProbeMachine {
    /// The board behind `session`, its power off. `config` says how its contacts bounce; its flash is
    /// what the board has. `lead` is [`LEAD`], or more for a slow computer.
    pub fn new(session: Session, config: BoardConfig, lead: Duration) -> Self {
        let fingers = VirtualBoard::new(BoardConfig { flash: None, ..config.clone() });
        fingers.power_on();
        let board = VirtualBoard::new(config);
        let ear = Rc::new(RefCell::new(Ear::default()));
        board.hand_inputs_to(Rc::clone(&ear) as Rc<RefCell<dyn Probe>>);
        // From the start: no line is early enough to be done at once.
        board.set_inputs_from(Instant::START);
        Self {
            terminals: board.terminals(),
            board,
            ear,
            fingers,
            closed: [false; Button::COUNT],
            session,
            lead: Nanos(u64::try_from(lead.as_nanos()).unwrap_or(u64::MAX)),
            origin: None,
            dc: None,
            restarts: Restarts::default(),
            failed: None,
        }
    }

    /// The session with the probe.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The probe's time at `at`. The first call fixes the trace's 0: its clock then is [`FIRST_LEAD`] ahead.
    fn probe_time(&mut self, at: Instant) -> ProbeTime {
        let origin = match self.origin {
            Some(origin) => origin,
            None => {
                let mut begin = self.session.now().after(self.lead.max(FIRST_LEAD).0);
                if self.session.began_powered() {
                    // A host that was killed has left it on: the board begins anew.
                    self.session.order(begin, Job::Power(false));
                    begin = begin.after(POWER_GAP.0);
                }
                // Whole microseconds: tasks are rounded to those.
                let origin = begin.0.saturating_sub(self.board.now().0).next_multiple_of(1000);
                *self.origin.insert(origin)
            }
        };
        ProbeTime(origin.saturating_add(at.0))
    }

    fn instant(&self, at: ProbeTime) -> Instant {
        Instant(at.0.saturating_sub(self.origin.unwrap_or(0)))
    }

    /// What is lost fails when it was lost, all else when it is noticed.
    fn error(&self, cause: ProbeError) -> MachineError {
        let at = match cause {
            ProbeError::Overrun { at, .. } => self.instant(at),
            _ => self.board.now(),
        };
        MachineError::new(at, cause)
    }

    /// Has bytes typed that begin at one moment.
    fn order_typed(&mut self, typed: Option<(Instant, Vec<u8>)>) {
        if let Some((at, bytes)) = typed {
            self.restarts.typed();
            let at = self.probe_time(at);
            self.session.order(at, Job::Uart(bytes));
        }
    }

    /// Makes tasks of what was done to the virtual board.
    fn pass_on(&mut self) {
        self.probe_time(Instant::START);
        let inputs = std::mem::take(&mut self.ear.borrow_mut().0);
        let mut typed: Option<(Instant, Vec<u8>)> = None;
        for input in inputs {
            match input {
                Input::CutPower { at } => {
                    let at = self.probe_time(at);
                    self.session.order(at, Job::Power(false));
                }
                Input::CutFlash { .. } => {
                    let cannot = "lose its power after so many bytes of its flash";
                    self.failed.get_or_insert(ProbeError::NotOnARealBoard(cannot));
                }
                Input::Typed { at, byte } => match &mut typed {
                    // A line's bytes are typed at one moment and follow each other on the wire.
                    Some((from, bytes)) if *from == at => bytes.push(byte),
                    _ => self.order_typed(typed.replace((at, vec![byte]))),
                },
                // Noise on the LCD's wire disturbs what is played back.
                Input::FlipBits(_) | Input::ForgetFlashCut => {}
                Input::Finger { .. }
                | Input::Stick { .. }
                | Input::HealContact { .. }
                | Input::SetBounce { .. } => self.fingers.apply(input),
            }
        }
        self.order_typed(typed);
        let terminals = self.fingers.terminals();
        while let Some(edge) = self.fingers.next_edge() {
            self.fingers.advance_to(edge);
            for button in Button::ALL {
                let closed = terminals.is_closed(edge, button);
                if std::mem::replace(&mut self.closed[button.index()], closed) != closed {
                    let at = self.probe_time(edge);
                    let line = button.index() as u8;
                    let job = if closed { Job::Press(line) } else { Job::Release(line) };
                    self.session.order(at, job);
                }
            }
        }
    }

    /// Plays back what the probe saw before `until`, and moves the clock there.
    fn play_back(&mut self, until: Instant) {
        let until = self.probe_time(until);
        while let Some((at, seen)) = self.session.take_before(until) {
            if at < self.probe_time(Instant::START) && !matches!(seen, Seen::Wire { .. }) {
                // Of the board before it was switched off.
                continue;
            }
            match seen {
                Seen::Lcd { took, dc, bytes } => {
                    if let Some((rest_at, rest)) = self.play_bytes(at, took, dc, bytes, until) {
                        let begins_later = rest_at >= until;
                        self.session.give_back(rest_at, rest);
                        if begins_later {
                            continue;
                        }
                        // A single byte is not over yet: it comes with the next slice.
                        break;
                    }
                }
                Seen::Wire { wire, high } => {
                    self.restarts.level(wire, high);
                    self.play_level(at, wire, high);
                }
                Seen::Tone(hz) => self.terminals.set_tone(self.instant(at), hz),
                Seen::Uart(byte) => {
                    self.terminals.hear(self.instant(at), byte);
                    if self.restarts.heard(byte) {
                        self.failed.get_or_insert(ProbeError::BoardRestarted);
                    }
                }
            }
        }
        self.board.advance_to(self.instant(until));
        // Edges up to now have been seen by the board's firmware.
        while let Some(edge) = self.board.next_edge().filter(|edge| *edge <= self.board.now()) {
            for button in Button::ALL {
                self.terminals.is_closed(edge, button);
            }
        }
    }

    /// What came before something was lost is whole.
    fn play_back_to_the_loss(&mut self, at: Instant) {
        while self.board.now() < at {
            self.play_back(self.board.now().saturating_add(SLICE).min(at));
        }
    }

    fn play_level(&mut self, at: ProbeTime, wire: Wire, high: bool) {
        let at = self.instant(at);
        match wire {
            Wire::Dc => self.set_dc(at, high),
            Wire::Reset => self.terminals.set_lcd_reset(at, high),
            Wire::Backlight => self.terminals.set_backlight(at, high),
            Wire::Cs | Wire::Sck | Wire::Mosi | Wire::Buzzer | Wire::Uart => {}
        }
    }

    fn set_dc(&mut self, at: Instant, high: bool) {
        if self.dc.replace(high) != Some(high) {
            self.terminals.set_lcd_dc(at, high);
        }
    }

    /// Hands the LCD the bytes that are over by `until`; gives the rest, and when it begins.
    fn play_bytes(
        &mut self,
        at: ProbeTime,
        took: u64,
        dc: bool,
        bytes: Bytes,
        until: ProbeTime,
    ) -> Option<(ProbeTime, Seen)> {
        let begin = self.instant(at);
        self.set_dc(begin, dc);
        let whole = bytes.len() as u64;
        let over = match until.since(at) {
            passed if passed >= took => whole,
            passed => (u128::from(whole) * u128::from(passed) / u128::from(took.max(1))) as u64,
        };
        // Of a repetition whole pairs.
        let over = if matches!(bytes, Bytes::Repeated(..)) { over & !1 } else { over };
        let spent = (u128::from(took) * u128::from(over) / u128::from(whole.max(1))) as u64;
        let end = begin.saturating_add(Nanos(spent));
        let rest = match bytes {
            Bytes::Plain(mut bytes) => {
                let rest = bytes.split_off(over as usize);
                self.terminals.lcd_write(begin, end, &bytes);
                Bytes::Plain(rest)
            }
            Bytes::Repeated(pair, times) => {
                let now = (over / 2) as usize;
                self.terminals.lcd_write(begin, end, &pair.repeat(now));
                Bytes::Repeated(pair, times - now as u32)
            }
        };
        (over < whole).then(|| (at.after(spent), Seen::Lcd { took: took - spent, dc, bytes: rest }))
    }

    /// How far the next step goes: to the limit, but not further than a slice behind what was seen.
    fn target(&mut self, limit: Instant) -> Instant {
        let slice = self.board.now().saturating_add(SLICE);
        let known = self.instant(self.session.known());
        let far = match self.session.next_at().map(|at| self.instant(at)) {
            Some(next) if next < known => next.max(self.board.now()).saturating_add(SLICE),
            _ => known.max(slice),
        };
        far.min(limit)
    }

    fn advance(&mut self, limit: Instant) -> Result<(), ProbeError> {
        self.pass_on();
        let target = self.target(limit);
        let until = self.probe_time(target);
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        if let Err(error) = self.session.know(until) {
            self.failed = Some(error.clone());
            if let ProbeError::Overrun { at, .. } = error {
                self.play_back_to_the_loss(self.instant(at));
            }
            return Err(error);
        }
        self.play_back(target);
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        let now = self.session.now();
        self.board.set_inputs_from(self.instant(now).saturating_add(self.lead));
        Ok(())
    }

    /// The earliest moment at which the power can be switched.
    fn earliest(&mut self) -> Instant {
        self.probe_time(Instant::START);
        let now = self.session.now();
        self.instant(now).saturating_add(self.lead).max(self.board.now())
    }
}

impl Machine for ProbeMachine {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        if self.board.is_powered() {
            return Ok(());
        }
        let first = self.origin.is_none();
        let at = if first { self.board.now() } else { self.earliest() };
        let time = self.probe_time(at);
        self.session.order(time, Job::Power(true));
        while self.board.now() < at {
            self.step(at)?;
        }
        self.board.power_on();
        self.restarts = Restarts::default();
        self.dc = None;
        let latest = at.saturating_add(LONGEST_BOOT);
        while self.board.is_powered()
            && self.board.bus().pixel_bytes == 0
            && self.board.now() < latest
        {
            self.step(latest.min(self.board.now().saturating_add(BOOT_SLICE)))?;
        }
        Ok(())
    }

    fn power_off(&mut self) {
        if !self.board.is_powered() {
            return;
        }
        let at = self.earliest();
        let time = self.probe_time(at);
        self.session.order(time, Job::Power(false));
        while self.board.is_powered() && self.board.now() < at {
            if self.step(at).is_err() {
                break;
            }
        }
        self.board.power_off();
    }

    fn heap(&self) -> Heap {
        Heap::Unknown("the memory of a real board cannot be seen".into())
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.advance(limit).map_err(|error| self.error(error))
    }

    /// There is one real board.
    fn fork(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

/// The board has no power when nobody plays with it.
impl Drop for ProbeMachine {
    fn drop(&mut self) {
        self.power_off();
    }
}
