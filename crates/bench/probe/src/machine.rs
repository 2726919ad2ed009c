//! [`ProbeMachine`]: a real board on a probe, as a machine that replays traces.
//!
//! The real board's signals are played back on a virtual board: the bytes on its SPI go to the same
//! model of the LCD as those of an emulated chip, its tones and console bytes likewise. The
//! contacts of the virtual board's buttons become tasks of the probe, bounce included. So every
//! observer of a board (texts, goldens, the linter, waveforms) works unchanged.
//!
//! The trace's clock is the probe's. The virtual board lags behind the real one: its clock advances
//! up to the time that the probe has reported. [`VirtualBoard::inputs_from`] returns the time that
//! the real board may have reached.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use hal_mock::{
    BoardConfig, Heap, Machine, MachineError, VirtualBoard,
    board::{Input, Terminals, WireListener},
    flash::{FLASH_SIZE, FlashChip},
};
use probe_protocol::{LINES, ProbeTime, Wire};
use trace::{Button, ButtonSet};
use virtual_time::{Instant, Nanos};

use crate::bring_up::POWER_GAP;
use crate::error::ProbeError;
use crate::restarts::Restarts;
use crate::session::{Bytes, Job, Observed, Session};
use crate::swd::{DebugPort, SwdError};

/// Smallest lead time of an input over the time that the host knows of: the latency of the line,
/// twice, plus that of this computer between two lines of a trace. A line of a trace after one that
/// waits comes later than on a virtual board by this time.
pub const LEAD: Duration = Duration::from_millis(20);

/// Smallest time from the session's beginning to the trace's 0. No observation depends on it, so it
/// is long enough for a busy computer.
const FIRST_LEAD: Nanos = Nanos::from_millis(150);
/// Longest time played back at once; as `SLICE` of the emulated Pico.
const SLICE: Nanos = Nanos::from_millis(4);
/// Time after which a board that draws nothing counts as booted.
const LONGEST_BOOT: Nanos = Nanos::from_secs(1);
/// Address of the last bytes of a flash of 2 MiB in the window that bypasses the cache and does not
/// change it (RP2040 datasheet 2.6.3).
const STORAGE: u32 = 0x1300_0000 + (2 << 20) - FLASH_SIZE as u32;
/// Time by which the end of booting may be overshot.
const BOOT_SLICE: Nanos = Nanos::from_micros(100);

const _: () = assert!(SLICE.0 < hal_mock::board::FRAME_IDLE.0);
const _: () = assert!(LINES as usize == Button::LCD_BOARD.len());

/// Collects the inputs to the virtual board, in order.
#[derive(Default)]
struct InputQueue(Vec<Input>);

impl WireListener for InputQueue {
    fn input(&mut self, _: Instant, input: Input) {
        self.0.push(input);
    }
}

/// A real board on a probe.
pub struct ProbeMachine {
    board: VirtualBoard,
    terminals: Terminals,
    listener: Rc<RefCell<InputQueue>>,
    /// A board with the same contacts that always has power. The edges of its contacts are computed
    /// ahead of time.
    fingers: VirtualBoard,
    closed: ButtonSet,
    session: Session,
    lead: Nanos,
    /// Probe's time at the trace's 0, in nanoseconds.
    origin: Option<u64>,
    /// Level of DC that was last reported to the virtual board.
    dc: Option<bool>,
    restarts: Restarts,
    /// Time of the last power-off.
    off_at: Option<Instant>,
    /// Time of the last power cut, which may be ordered before the power-on that it follows.
    cut_at: Option<Instant>,
    heap: Heap,
    failed: Option<ProbeError>,
}

impl ProbeMachine {
    /// Creates a machine for the board on `session`, whose power is off. `config` defines how its
    /// contacts bounce; its flash is that of the real board. `lead` is [`LEAD`], or more for a slow
    /// computer.
    pub fn new(session: Session, config: BoardConfig, lead: Duration) -> Self {
        let fingers = VirtualBoard::new(BoardConfig { flash: None, ..config.clone() });
        fingers.power_on();
        let board = VirtualBoard::new(config);
        let listener = Rc::new(RefCell::new(InputQueue::default()));
        board.set_input_listener(Rc::clone(&listener) as Rc<RefCell<dyn WireListener>>);
        // Set from the start on: no trace line may take effect immediately.
        board.set_inputs_from(Instant::START);
        Self {
            terminals: board.terminals(),
            board,
            listener,
            fingers,
            closed: ButtonSet::EMPTY,
            session,
            lead: Nanos(u64::try_from(lead.as_nanos()).unwrap_or(u64::MAX)),
            origin: None,
            dc: None,
            restarts: Restarts::default(),
            off_at: None,
            cut_at: None,
            heap: Heap::Unknown(
                "its program was not compared with one whose functions are known".into(),
            ),
            failed: None,
        }
    }

    /// Sets the use of a heap by the board's program, which the caller has compared with one whose
    /// functions are known.
    #[must_use]
    pub fn with_heap(mut self, heap: Heap) -> Self {
        self.heap = heap;
        self
    }

    /// Returns the reason why the machine cannot continue, if it cannot.
    pub fn failure(&self) -> Option<&ProbeError> {
        self.failed.as_ref()
    }

    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Converts `at` to the probe's time. The first call fixes the trace's 0, [`FIRST_LEAD`] after
    /// now.
    fn probe_time(&mut self, at: Instant) -> ProbeTime {
        let origin = match self.origin {
            Some(origin) => origin,
            None => {
                let mut begin = self.session.now().after(self.lead.max(FIRST_LEAD).0);
                if self.session.began_powered() {
                    // A host that was killed has left the power on: restart the board.
                    self.session.order(begin, Job::Power(false));
                    begin = begin.after(POWER_GAP.0);
                }
                // Tasks are rounded to whole microseconds.
                let origin = begin.0.saturating_sub(self.board.now().0).next_multiple_of(1000);
                *self.origin.insert(origin)
            }
        };
        ProbeTime(origin.saturating_add(at.0))
    }

    fn instant(&self, at: ProbeTime) -> Instant {
        Instant(at.0.saturating_sub(self.origin.unwrap_or(0)))
    }

    /// Converts an error: a loss has the time at which data was lost, every other error that at
    /// which it was noticed.
    fn error(&self, cause: ProbeError) -> MachineError {
        let at = match cause {
            ProbeError::Overrun { at, .. } | ProbeError::BadBurst { at, .. } => self.instant(at),
            _ => self.board.now(),
        };
        match cause.is_of_bench() {
            true => MachineError::of_bench(at, cause),
            false => MachineError::new(at, cause),
        }
    }

    /// Orders the bytes to be typed, starting at one time.
    fn order_typed(&mut self, typed: Option<(Instant, Vec<u8>)>) {
        if let Some((at, bytes)) = typed {
            self.restarts.typed();
            let at = self.probe_time(at);
            self.session.order(at, Job::Uart(bytes));
        }
    }

    /// Converts the inputs of the virtual board to tasks of the probe.
    fn order_inputs(&mut self) {
        self.probe_time(Instant::START);
        let inputs = std::mem::take(&mut self.listener.borrow_mut().0);
        let mut typed: Option<(Instant, Vec<u8>)> = None;
        for input in inputs {
            match input {
                Input::CutPower { at } => {
                    if let Some(before) = self.cut_at.replace(at) {
                        self.off_at = self.off_at.max(Some(before));
                    }
                    let at = self.probe_time(at);
                    self.session.order(at, Job::Power(false));
                }
                Input::CutFlash { .. } => {
                    let cannot = "lose its power after so many bytes of its flash";
                    self.failed.get_or_insert(ProbeError::VirtualBoardOnly(cannot));
                }
                Input::Typed { at, byte } => match &mut typed {
                    // A line's bytes all have the same time; they are sent back to back on the
                    // wire.
                    Some((from, bytes)) if *from == at => bytes.push(byte),
                    _ => self.order_typed(typed.replace((at, vec![byte]))),
                },
                Input::TypingFault(Some(_)) => {
                    let cannot = "lose or garble bytes at its UART's receiver";
                    self.failed.get_or_insert(ProbeError::VirtualBoardOnly(cannot));
                }
                Input::StickNoise(true) => {
                    let cannot = "have its ring oscillator, the source of noise, stuck";
                    self.failed.get_or_insert(ProbeError::VirtualBoardOnly(cannot));
                }
                Input::StickFlash(true) => {
                    let cannot = "have a flash that is not programmed or erased";
                    self.failed.get_or_insert(ProbeError::VirtualBoardOnly(cannot));
                }
                Input::TypingFault(None) | Input::StickNoise(false) | Input::StickFlash(false) => {}
                // The LCD board, on which a probe is, has no such parts.
                Input::Move { .. } => {}
                // Bit errors on the LCD's wire are applied when it is played back.
                Input::FlipBits { .. } | Input::CancelFlashCut => {}
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
            for button in Button::LCD_BOARD {
                let closed = terminals.is_closed(edge, button);
                if self.closed.set(button, closed) {
                    let at = self.probe_time(edge);
                    let line = button.index() as u8;
                    let job = if closed { Job::Press(line) } else { Job::Release(line) };
                    self.session.order(at, job);
                }
            }
        }
    }

    /// Plays back what the probe observed before `until`, and advances the clock to it.
    fn play_back(&mut self, until: Instant) {
        let until = self.probe_time(until);
        while let Some((at, seen)) = self.session.take_before(until) {
            if at < self.probe_time(Instant::START) && !matches!(seen, Observed::Wire { .. }) {
                // It comes from the board's run before it was switched off.
                continue;
            }
            match seen {
                Observed::Lcd { took, dc, bytes } => {
                    if let Some((rest_at, rest)) = self.play_bytes(at, took, dc, bytes, until) {
                        let begins_later = rest_at >= until;
                        self.session.put_back(rest_at, rest);
                        if begins_later {
                            continue;
                        }
                        // The byte has not ended yet: it comes with the next slice.
                        break;
                    }
                }
                Observed::Wire { wire, high } => {
                    self.restarts.level(wire, high);
                    self.play_level(at, wire, high);
                }
                Observed::Tone(hz) => self.terminals.set_tone(self.instant(at), hz),
                Observed::Uart(byte) => {
                    self.terminals.hear(self.instant(at), byte);
                    if self.restarts.receive(byte) {
                        self.failed.get_or_insert(ProbeError::BoardRestarted);
                    }
                }
            }
        }
        self.board.advance_to(self.instant(until));
        // The board's firmware has already seen the edges up to now.
        while let Some(edge) = self.board.next_edge().filter(|edge| *edge <= self.board.now()) {
            for button in Button::LCD_BOARD {
                self.terminals.is_closed(edge, button);
            }
        }
    }

    /// Plays back the observations before a loss, which are complete.
    fn play_back_until_loss(&mut self, at: Instant) {
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

    /// Passes the bytes that end by `until` to the LCD. Returns the rest and its start.
    fn play_bytes(
        &mut self,
        at: ProbeTime,
        took: u64,
        dc: bool,
        bytes: Bytes,
        until: ProbeTime,
    ) -> Option<(ProbeTime, Observed)> {
        let begin = self.instant(at);
        self.set_dc(begin, dc);
        let whole = bytes.len() as u64;
        let over = match until.since(at) {
            passed if passed >= took => whole,
            passed => (u128::from(whole) * u128::from(passed) / u128::from(took.max(1))) as u64,
        };
        // Only whole pairs of a repetition.
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
        (over < whole)
            .then(|| (at.after(spent), Observed::Lcd { took: took - spent, dc, bytes: rest }))
    }

    /// Returns the end of the next step: the limit, but at most a slice after the known
    /// observations.
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
        self.order_inputs();
        let target = self.target(limit);
        let until = self.probe_time(target);
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        if let Err(error) = self.session.know(until) {
            self.failed = Some(error.clone());
            if let ProbeError::Overrun { at, .. } | ProbeError::BadBurst { at, .. } = error {
                self.play_back_until_loss(self.instant(at));
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

    fn stored_bytes(&mut self) -> Result<Vec<u8>, SwdError> {
        if !self.board.is_powered() {
            return Err(SwdError::NoPower);
        }
        let words = DebugPort::connect(&mut self.session)?.read_words(STORAGE, FLASH_SIZE / 4)?;
        Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
    }

    /// Returns the earliest time at which the power can be switched.
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
        // A board that is switched on before its capacitors are empty may not reset.
        let offs = [self.off_at, self.cut_at].into_iter().flatten();
        let off_at = offs.filter(|off| *off <= at).max();
        let at = off_at.map_or(at, |off| at.max(off.saturating_add(POWER_GAP)));
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
        self.off_at = Some(at);
    }

    fn heap(&self) -> Heap {
        self.heap.clone()
    }

    /// Reads the last 256 KiB of the flash through the debug port while the firmware runs. This takes
    /// a second or longer, so the lines after it come later.
    fn read_flash(&mut self) -> Result<(), MachineError> {
        let read = self.stored_bytes().and_then(|bytes| {
            let flash = FlashChip::from_image(bytes).map_err(|_| SwdError::Garbled)?;
            self.board.with_flash(|it| *it = flash);
            Ok(())
        });
        let now = self.session.now();
        self.board.set_inputs_from(self.instant(now).saturating_add(self.lead));
        read.map_err(|error| match error {
            SwdError::Probe(cause) => {
                self.failed = Some(cause.clone());
                self.error(cause)
            }
            other => MachineError::of_bench(self.board.now(), other),
        })
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.advance(limit).map_err(|error| self.error(error))
    }

    /// Returns `None`: a real board cannot be copied.
    fn fork(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

/// Switches the board off at the end.
impl Drop for ProbeMachine {
    fn drop(&mut self) {
        self.power_off();
    }
}
