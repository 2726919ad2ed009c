//! Prepares a real board for a trace: starts it, checks its wires, and types the settings of the
//! trace's header on its console. `buttons` presses each button and reads which ones it notices.
//!
//! The module knows how a board answers a console line (docs/console.md), but not what the lines
//! mean.

mod buttons;

use std::collections::VecDeque;

use probe_protocol::wiring::{CONNECTIONS, Role};
use probe_protocol::{ProbeTime, Wire};
use virtual_time::Nanos;

use crate::doctor::{
    Diagnosis, EXAMINED_BYTES, Evidence, Reference, SLOW, SLOW_EDGES, Sent, diagnose,
};
use crate::error::ProbeError;
use crate::session::{Bytes, Job, Observed, Session};
use crate::swd::SwdError;

pub use buttons::examine_buttons;

/// Lead time of a task before it is due. The exact time at which a line is typed does not matter.
const LEAD: Nanos = Nanos::from_millis(150);
/// Time for which a board is left without power; its capacitors are empty afterwards
/// (`tests/circuit.rs`).
pub const POWER_GAP: Nanos = Nanos::from_millis(200);
/// Time from power-on until a board's debug port is used: its supply rises in 6 ms
/// (`tests/circuit.rs`), and its chip leaves its reset.
const POWERED: Nanos = Nanos::from_millis(30);
/// Limit of the time from power-on to the board's `boot` line.
const BOOT: Nanos = Nanos::from_secs(3);
/// Time from the `boot` line, or from power-on if there is none, until the first picture has been
/// sent to the LCD.
const DRAWN: Nanos = Nanos::from_millis(200);
/// Limit of the time to answer a line. The flash may first erase some sectors at up to 400 ms each
/// (W25Q16JV 9.6).
const ANSWER: Nanos = Nanos::from_secs(6);
/// Limit of the time to answer a query, which needs no flash.
const QUESTION: Nanos = Nanos::from_secs(1);
/// Limit of the time from the answer to a line until a board that restarts because of it writes its
/// `boot` line.
const RESTART: Nanos = Nanos::from_secs(1);
/// Number of times that a line is typed if bytes were lost or no answer came.
const ATTEMPTS: u32 = 2;
/// Span of time in which observations are processed.
const SLICE: Nanos = Nanos::from_millis(5);
/// Largest number of bytes stored of a line from the board; the firmware writes at most 1 KiB.
const LINE: usize = 2048;

/// First words of the line that a board writes at power-on.
pub(crate) const BOOTED: &str = "boot nudge=";
/// Beginning of the line that names a button that is down at power-on.
const STUCK: &str = "stuck button=";
/// Beginning of a board's answer to a line of which it has lost bytes.
const LOST: &str = "error text=\"bytes were lost";

/// A reason why a board cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BringUpError {
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The board has not written its `boot` line.
    #[error(
        "the board has written no `boot` line on its console within {} s of power-on, so it cannot be set up: {_0}",
        BOOT.0 / 1_000_000_000
    )]
    NoBoot(Diagnosis),
    /// The wires are faulty, so no observation can be relied on.
    #[error("the board cannot be set up: {0}")]
    Wires(Diagnosis),
    /// The board has not answered a line.
    #[error("the board has not answered `{line}`: {}", Diagnosis::ConsoleUnanswered)]
    NoAnswer {
        /// The line that was typed.
        line: String,
    },
    /// The board has refused a line.
    #[error("the board refuses `{line}` on its console: {answer}")]
    Refused {
        /// The line that was typed.
        line: String,
        /// The board's answer.
        answer: String,
    },
}

/// Observations of a board that was started.
struct Started {
    evidence: Evidence,
    /// The board's `boot` line; `None` if it wrote none.
    boot: Option<String>,
}

/// Result of examining a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// The board's `boot` line; `None` if it wrote none.
    pub boot: Option<String>,
    /// The likely fault of its wires.
    pub diagnosis: Option<Diagnosis>,
}

/// Result of setting up a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// The board's `boot` line.
    pub boot: String,
    /// The likely fault of its wires, which did not prevent the setup.
    pub diagnosis: Option<Diagnosis>,
}

/// Starts the board, checks its wires, queries a setting on the console (which changes nothing),
/// and switches the board off.
///
/// # Errors
/// Returns an error if the probe fails.
pub fn examine(session: &mut Session, reference: &Reference) -> Result<Examined, ProbeError> {
    let mut listener = BoardReader::new(session);
    let Started { evidence, boot } = listener.start()?;
    if evidence.fast.is_some() {
        listener.leave();
        return Ok(Examined { boot, diagnosis: diagnose(&evidence, reference) });
    }
    let mut diagnosis = diagnose(&evidence, reference);
    if diagnosis.is_none() && boot.is_none() {
        diagnosis = Some(Diagnosis::ConsoleUnreadable { speaks: evidence.speaks });
    }
    if diagnosis.is_none() && !listener.hears()? {
        diagnosis = Some(Diagnosis::ConsoleUnanswered);
    }
    listener.switch_off()?;
    Ok(Examined { boot, diagnosis })
}

/// Starts the board, types `lines` on its console, each after the previous one is answered, and
/// switches the board off.
///
/// # Errors
/// Returns an error if the board does not start, does not answer or refuses a line, or if the probe
/// fails.
pub fn set_up(
    session: &mut Session,
    lines: &[String],
    reference: &Reference,
) -> Result<SetUp, BringUpError> {
    let mut listener = BoardReader::new(session);
    let Started { evidence, boot } = listener.start()?;
    let doctor = diagnose(&evidence, reference);
    if let (Some(_), Some(diagnosis)) = (evidence.fast, &doctor) {
        listener.leave();
        return Err(BringUpError::Wires(diagnosis.clone()));
    }
    let Some(boot) = boot else {
        let mute = Diagnosis::ConsoleUnreadable { speaks: evidence.speaks };
        return Err(BringUpError::NoBoot(doctor.unwrap_or(mute)));
    };
    for line in lines {
        listener.tell(line)?;
    }
    listener.switch_off()?;
    Ok(SetUp { boot, diagnosis: doctor })
}

/// Returns the line of the button with this name.
fn line_of(name: &str) -> Option<u8> {
    CONNECTIONS.into_iter().find_map(|it| match it.role {
        Role::Button(line) if it.name == name => Some(line),
        _ => None,
    })
}

/// Switches the board on, lets `work` use its debug port, and switches it off. If `restarts`,
/// `work` resets the board at its end; the result then has the `boot` line that the board writes
/// after it.
///
/// # Errors
/// The error of `work`, or that of the probe.
pub fn with_debug_port<T>(
    session: &mut Session,
    restarts: bool,
    work: impl FnOnce(&mut Session) -> Result<T, SwdError>,
) -> Result<(T, Option<String>), SwdError> {
    let mut listener = BoardReader::new(session);
    listener.session.tolerate_overruns();
    let done = listener
        .switch_on_for(POWERED)
        .map_err(SwdError::from)
        .and_then(|()| work(listener.session));
    let boot = match done {
        // What has come until now belongs to the run before the reset.
        Ok(_) if restarts => listener.discard().and_then(|()| {
            let until = listener.session.known().after(BOOT.0);
            listener.listen(until, |line| line.contains(BOOTED))
        }),
        _ => Ok(None),
    };
    let off = listener.switch_off();
    listener.session.take_overruns();
    listener.session.take_bad_burst();
    let done = done?;
    let boot = boot?;
    off?;
    Ok((done, boot))
}

/// Returns the beginning of the answer to `line`.
fn answer_to(line: &str) -> String {
    let mut words = line.split_ascii_whitespace();
    match (words.next().unwrap_or_default(), words.next(), words.next()) {
        ("set", Some(key), Some(value)) => format!("setting {key}={value}"),
        ("totals", Some(game), _) => format!("totals game={game} "),
        ("seed", Some(value), _) => format!("seed value={value} "),
        ("factory", ..) => "factory state=new".into(),
        ("import", Some(word), _) if word.starts_with("game=") || word.starts_with("log=") => {
            "importing ".into()
        }
        ("import", ..) => "imported ".into(),
        (verb, ..) => format!("{verb} "),
    }
}

/// Returns whether the board restarts after executing `line`.
fn restarts(line: &str) -> bool {
    !line.starts_with("seed ") && !line.starts_with("import ")
}

/// Receives and collects what the probe observes of a board.
struct BoardReader<'s> {
    session: &'s mut Session,
    evidence: Evidence,
    /// The current console line, whose end has not arrived yet.
    line: Vec<u8>,
    lines: VecDeque<String>,
    /// Number of level changes of each wire of [`SLOW`].
    moves: [usize; SLOW.len()],
    /// Whether RST has gone high.
    reset_over: bool,
}

impl<'s> BoardReader<'s> {
    fn new(session: &'s mut Session) -> Self {
        let (evidence, line, lines, moves, reset_over) = Default::default();
        Self { session, evidence, line, lines, moves, reset_over }
    }

    /// Starts the board. If the probe loses edges of a slow wire, that is part of the evidence.
    fn start(&mut self) -> Result<Started, ProbeError> {
        self.session.tolerate_overruns();
        let boot = self.start_and_listen()?;
        let lost = self.session.take_overruns();
        let slow = lost.iter().map(|(wire, _)| *wire).find(|wire| SLOW.contains(wire));
        let mut evidence = std::mem::take(&mut self.evidence);
        evidence.fast = evidence.fast.or(slow);
        evidence.booted = boot.is_some();
        evidence.bad_burst = self.session.take_bad_burst();
        match (evidence.fast, lost.first()) {
            (None, Some((wire, at))) => Err(ProbeError::Overrun { wire: *wire, at: *at }),
            _ => Ok(Started { evidence, boot }),
        }
    }

    fn start_and_listen(&mut self) -> Result<Option<String>, ProbeError> {
        let on = self.off()?.after(POWER_GAP.0);
        // Observations until then belong to the board's previous run.
        self.listen(on, |_| false)?;
        self.forget();
        self.session.order(on.after(LEAD.0), Job::Power(true));
        let begun = on.after(LEAD.0);
        let boot = self.listen(begun.after(BOOT.0), |line| line.contains(BOOTED))?;
        let drawn = self.session.known().after(DRAWN.0);
        self.listen(drawn, |_| false)?;
        self.evidence.levels = self.session.levels()?;
        Ok(boot)
    }

    /// Discards what was observed so far.
    fn forget(&mut self) {
        (self.evidence, self.line, self.moves, self.reset_over) = Default::default();
        self.lines.clear();
    }

    /// Orders the power off and returns the time at which it is switched off.
    fn off(&mut self) -> Result<ProbeTime, ProbeError> {
        let at = self.session.now().after(LEAD.0);
        self.session.order(at, Job::Power(false));
        Ok(at)
    }

    fn switch_off(&mut self) -> Result<(), ProbeError> {
        let gone = self.off()?.after(POWER_GAP.0);
        self.listen(gone, |_| false)?;
        self.session.is_off();
        Ok(())
    }

    /// Switches the board on after its capacitors are empty, and waits for `span`.
    fn switch_on_for(&mut self, span: Nanos) -> Result<(), ProbeError> {
        let on = self.off()?.after(POWER_GAP.0);
        self.session.order(on, Job::Power(true));
        self.listen(on.after(span.0), |_| false).map(drop)
    }

    /// Discards what the probe has observed until now.
    fn discard(&mut self) -> Result<(), ProbeError> {
        let now = self.session.now();
        self.session.know(now)?;
        while self.session.take_before(now).is_some() {}
        self.line.clear();
        self.lines.clear();
        Ok(())
    }

    /// Switches the board off and ignores errors, when nothing more is needed from it.
    fn leave(&mut self) {
        if self.switch_off().is_err() {
            self.session.is_off();
        }
    }

    /// Returns whether the board answers a query on its console.
    fn hears(&mut self) -> Result<bool, ProbeError> {
        let at = self.session.now().after(LEAD.0);
        self.session.order(at, Job::Uart(b"get game\n".to_vec()));
        let answer = self.listen(at.after(QUESTION.0), |said| said.starts_with("setting game="))?;
        Ok(answer.is_some())
    }

    /// Types a line, and waits for its answer and for a restart that follows from it.
    fn tell(&mut self, line: &str) -> Result<(), BringUpError> {
        let wanted = answer_to(line);
        for attempt in 1..=ATTEMPTS {
            self.lines.clear();
            let at = self.session.now().after(LEAD.0);
            self.session.order(at, Job::Uart(format!("{line}\n").into_bytes()));
            let is_answer = |said: &str| said.starts_with(&wanted) || said.starts_with("error ");
            match self.listen(at.after(ANSWER.0), is_answer)? {
                Some(said) if said.starts_with(&wanted) => {
                    if restarts(line) {
                        let until = self.session.known().after(RESTART.0);
                        self.listen(until, |said| said.contains(BOOTED))?;
                        let drawn = self.session.known().after(DRAWN.0);
                        self.listen(drawn, |_| false)?;
                    }
                    return Ok(());
                }
                Some(said) if !said.starts_with(LOST) || attempt == ATTEMPTS => {
                    return Err(BringUpError::Refused { line: line.to_owned(), answer: said });
                }
                _ => {}
            }
        }
        Err(BringUpError::NoAnswer { line: line.to_owned() })
    }

    /// Processes observations until `until`, or until a line for which `wanted` is true, and
    /// returns that line.
    fn listen(
        &mut self,
        until: ProbeTime,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Option<String>, ProbeError> {
        loop {
            while let Some((_, seen)) = self.session.take_before(self.session.known()) {
                self.take(seen);
            }
            while let Some(line) = self.lines.pop_front() {
                if wanted(&line) {
                    return Ok(Some(line));
                }
            }
            let known = self.session.known();
            if known >= until {
                return Ok(None);
            }
            self.session.know(known.after(SLICE.0).min(until))?;
        }
    }

    fn take(&mut self, seen: Observed) {
        match seen {
            Observed::Lcd { dc, bytes, .. } => {
                if self.evidence.lcd.is_empty() {
                    self.evidence.in_reset = !self.reset_over;
                }
                let room = EXAMINED_BYTES.saturating_sub(self.evidence.lcd.len());
                let sent = |byte| Sent { data: dc, byte };
                match bytes {
                    Bytes::Plain(bytes) => {
                        self.evidence.lcd.extend(bytes.into_iter().take(room).map(sent));
                    }
                    Bytes::Repeated(pair, times) => {
                        let bytes = (0..times).flat_map(|_| pair).take(room);
                        self.evidence.lcd.extend(bytes.map(sent));
                    }
                }
            }
            // The levels of a board without power mean nothing; after power-on its levels are
            // reported again.
            Observed::Wire { wire, high } => {
                if wire == Wire::Reset {
                    self.reset_over = high;
                }
                let places = SLOW.into_iter().zip(&mut self.moves);
                if let Some((_, moves)) = places.into_iter().find(|(slow, _)| *slow == wire) {
                    *moves += 1;
                    if *moves >= SLOW_EDGES {
                        self.evidence.fast.get_or_insert(wire);
                    }
                }
            }
            Observed::Tone(_) => {}
            Observed::Uart(byte) => {
                self.evidence.speaks = true;
                match byte {
                    b'\n' => {
                        let line = std::mem::take(&mut self.line);
                        let line = String::from_utf8_lossy(&line);
                        let stuck = line.trim_end().strip_prefix(STUCK).and_then(line_of);
                        self.evidence.stuck |= stuck.map_or(0, |line| 1 << line);
                        self.lines.push_back(line.trim_end_matches('\r').to_owned());
                    }
                    byte if self.line.len() < LINE => self.line.push(byte),
                    _ => {}
                }
            }
        }
    }
}
