//! What is done to a real board before a trace: it is started, its wires are looked at, and it is told over its console what the
//! trace's header says of it.
//!
//! It knows how a board answers a line (docs/console.md), and not what the lines mean.

use std::collections::VecDeque;

use probe_protocol::{ProbeTime, Wire};
use virtual_time::Nanos;

use crate::doctor::{Diagnosis, Evidence, LOOKED_AT, Reference, SLOW, SLOW_EDGES, Sent, diagnose};
use crate::error::ProbeError;
use crate::session::{Bytes, Job, Seen, Session};

/// A task is ordered so long before it is due: nothing depends on when a line is typed.
const LEAD: Nanos = Nanos::from_millis(150);
/// How long a board is left without power: its capacitors are empty then.
pub(crate) const POWER_GAP: Nanos = Nanos::from_millis(200);
/// A board that has power writes its `boot` line within this time.
const BOOT: Nanos = Nanos::from_secs(3);
/// What is drawn first is on the wires so long after the `boot` line, or after power-on if there is no such line.
const DRAWN: Nanos = Nanos::from_millis(200);
/// A line is answered within this time: the flash erases some sectors at up to 400 ms each before (W25Q16JV 9.6).
const ANSWER: Nanos = Nanos::from_secs(6);
/// A question, which needs no flash, is answered within this time.
const QUESTION: Nanos = Nanos::from_secs(1);
/// A board that starts again because of a line says so within this time of its answer.
const RESTART: Nanos = Nanos::from_secs(1);
/// How often a line is typed that has lost bytes on its way, or has no answer.
const ATTEMPTS: u32 = 2;
/// What is heard is taken in spans of this length.
const SLICE: Nanos = Nanos::from_millis(5);
/// Bytes of a line from the board that are kept; the firmware writes at most 1 KiB.
const LINE: usize = 2048;

/// The first words of the line that a board writes at power-on.
pub(crate) const BOOTED: &str = "boot nudge=";
/// What a board answers to a line of which it has not heard all bytes.
const LOST: &str = "error text=\"bytes were lost";

/// Why a board cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BringUpError {
    /// The probe cannot go on.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The board does not say that it starts.
    #[error(
        "the board has written no `boot` line on its console within {} s of power-on, so it cannot be set up: {_0}",
        BOOT.0 / 1_000_000_000
    )]
    NoBoot(Diagnosis),
    /// Nothing that is seen can be relied on.
    #[error("the board cannot be set up: {0}")]
    Wires(Diagnosis),
    /// A line has no answer.
    #[error("the board has not answered `{line}`: {}", Diagnosis::Deaf)]
    NoAnswer {
        /// What was typed.
        line: String,
    },
    /// A line is refused.
    #[error("the board refuses `{line}` on its console: {answer}")]
    Refused {
        /// What was typed.
        line: String,
        /// What it says.
        answer: String,
    },
}

/// What was seen of a board that was started.
struct Started {
    evidence: Evidence,
    /// Its `boot` line; `None`: it wrote none.
    boot: Option<String>,
}

/// What is known of a board that was examined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// Its `boot` line; `None`: it wrote none.
    pub boot: Option<String>,
    /// What is likely wrong with its wires.
    pub diagnosis: Option<Diagnosis>,
}

/// Starts the board, looks at its wires and asks for its settings on the console, which changes nothing; then switches it off.
///
/// # Errors
/// If the probe cannot go on.
pub fn examine(session: &mut Session, reference: &Reference) -> Result<Examined, ProbeError> {
    let mut ear = Ear::new(session);
    let Started { evidence, boot } = ear.start()?;
    if evidence.fast.is_some() {
        ear.leave();
        return Ok(Examined { boot, diagnosis: diagnose(&evidence, reference) });
    }
    let mut diagnosis = diagnose(&evidence, reference);
    if diagnosis.is_none() && boot.is_none() {
        diagnosis = Some(Diagnosis::Mute { speaks: evidence.speaks });
    }
    if diagnosis.is_none() && !ear.hears()? {
        diagnosis = Some(Diagnosis::Deaf);
    }
    ear.switch_off()?;
    Ok(Examined { boot, diagnosis })
}

/// Starts the board, types `lines` on its console, each when the one before is answered, and switches it off. What is likely
/// wrong with its wires, though not so that it could not be set up.
///
/// # Errors
/// If it does not start, does not answer or refuses a line; or if the probe cannot go on.
pub fn set_up(
    session: &mut Session,
    lines: &[String],
    reference: &Reference,
) -> Result<Option<Diagnosis>, BringUpError> {
    let mut ear = Ear::new(session);
    let Started { evidence, boot } = ear.start()?;
    let doctor = diagnose(&evidence, reference);
    if let (Some(_), Some(diagnosis)) = (evidence.fast, &doctor) {
        ear.leave();
        return Err(BringUpError::Wires(diagnosis.clone()));
    }
    if boot.is_none() {
        let mute = Diagnosis::Mute { speaks: evidence.speaks };
        return Err(BringUpError::NoBoot(doctor.unwrap_or(mute)));
    }
    for line in lines {
        ear.tell(line)?;
    }
    ear.switch_off()?;
    Ok(doctor)
}

/// How the answer to `line` begins.
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

/// Whether the board starts again when it has carried `line` out.
fn restarts(line: &str) -> bool {
    !line.starts_with("seed ") && !line.starts_with("import ")
}

/// What comes from a board.
struct Ear<'s> {
    session: &'s mut Session,
    evidence: Evidence,
    /// The console's line that has no end yet.
    line: Vec<u8>,
    lines: VecDeque<String>,
    /// How often each wire of [`SLOW`] has moved.
    moves: [usize; SLOW.len()],
    /// RST has come up.
    reset_over: bool,
}

impl<'s> Ear<'s> {
    fn new(session: &'s mut Session) -> Self {
        let (evidence, line, lines, moves, reset_over) = Default::default();
        Self { session, evidence, line, lines, moves, reset_over }
    }

    /// Starts the board. That the probe loses edges of a slow wire is part of the evidence.
    fn start(&mut self) -> Result<Started, ProbeError> {
        self.session.keep_overruns();
        let boot = self.start_and_listen()?;
        let lost = self.session.take_overruns();
        let slow = lost.iter().map(|(wire, _)| *wire).find(|wire| SLOW.contains(wire));
        let mut evidence = std::mem::take(&mut self.evidence);
        evidence.fast = evidence.fast.or(slow);
        evidence.booted = boot.is_some();
        match (evidence.fast, lost.first()) {
            (None, Some((wire, at))) => Err(ProbeError::Overrun { wire: *wire, at: *at }),
            _ => Ok(Started { evidence, boot }),
        }
    }

    fn start_and_listen(&mut self) -> Result<Option<String>, ProbeError> {
        let on = self.off()?.after(POWER_GAP.0);
        // What comes until then is of the board before.
        self.listen(on, |_| false)?;
        (self.evidence, self.line, self.moves, self.reset_over) = Default::default();
        self.lines.clear();
        self.session.order(on.after(LEAD.0), Job::Power(true));
        let begun = on.after(LEAD.0);
        let boot = self.listen(begun.after(BOOT.0), |line| line.contains(BOOTED))?;
        let drawn = self.session.known().after(DRAWN.0);
        self.listen(drawn, |_| false)?;
        self.evidence.levels = self.session.levels()?;
        Ok(boot)
    }

    /// Orders the power off; when that is.
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

    /// Switches a board off of which nothing more is wanted, whatever the probe still says of it.
    fn leave(&mut self) {
        if self.switch_off().is_err() {
            self.session.is_off();
        }
    }

    /// Whether the board answers a question on its console.
    fn hears(&mut self) -> Result<bool, ProbeError> {
        let at = self.session.now().after(LEAD.0);
        self.session.order(at, Job::Uart(b"get game\n".to_vec()));
        let answer = self.listen(at.after(QUESTION.0), |said| said.starts_with("setting game="))?;
        Ok(answer.is_some())
    }

    /// Types a line, and waits for its answer and for what follows from it.
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

    /// Takes what comes until `until`, or until a line is `wanted`: that line.
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

    fn take(&mut self, seen: Seen) {
        match seen {
            Seen::Lcd { dc, bytes, .. } => {
                if self.evidence.lcd.is_empty() {
                    self.evidence.in_reset = !self.reset_over;
                }
                let room = LOOKED_AT.saturating_sub(self.evidence.lcd.len());
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
            // A board without power has no levels: the next one begins with its own.
            Seen::Wire { wire, high } => {
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
            Seen::Tone(_) => {}
            Seen::Uart(byte) => {
                self.evidence.speaks = true;
                match byte {
                    b'\n' => {
                        let line = std::mem::take(&mut self.line);
                        let line = String::from_utf8_lossy(&line);
                        self.lines.push_back(line.trim_end_matches('\r').to_owned());
                    }
                    byte if self.line.len() < LINE => self.line.push(byte),
                    _ => {}
                }
            }
        }
    }
}
