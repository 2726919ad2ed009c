//! Compares a capture of the real board with one of the simulated board: aligns them in time, and
//! finds the first edge without a counterpart.
//!
//! Both are read twice: first their beginnings to align them, then the whole captures in parallel,
//! in memory that depends on the tolerance and not on the length. Edges are matched wire by wire,
//! in order. Only levels and times are compared; SPI bytes are decoded only to describe the
//! position of a difference.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use virtual_time::{Instant, Nanos};

use crate::capture::Capture;
use crate::debounce::Debouncer;
use crate::edge::Edge;
use crate::error::{CompareError, FormatError};
use crate::signal::Signal;
use crate::spi::{self, Decoder};
use crate::wiring::Wiring;

/// Number of edges of each capture that are used for the alignment.
const ALIGNMENT_EDGES: usize = 20_000;
/// Number of first edges of each wire that are paired with each other to find the offset.
const CANDIDATE_EDGES: usize = 6;
/// Maximum number of edges that wait for their counterpart.
const WAITING_MAX: usize = 1 << 20;

/// Options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct CompareOptions {
    /// Maximum distance of two matching edges.
    pub tolerance: Nanos,
    /// Maximum relative drift of the clocks, in parts per million.
    pub skew_ppm: u32,
    /// Wires to compare; empty = all that both captures have.
    pub signals: Vec<Signal>,
    /// Debounce period; see [`Debouncer`].
    pub debounce: Nanos,
    /// Map from channels of the real capture to wires.
    pub wiring: Wiring,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Wires that were compared.
    pub signals: Vec<Signal>,
    /// Wires that only one of the captures has, and which one: 0 or 1.
    pub only_in: Vec<(Signal, usize)>,
    /// The readers' changes to the captures.
    pub notes: Vec<String>,
    /// Offset in nanoseconds that is added to the second capture's times.
    pub offset: i128,
    /// Number of matching pairs of edges.
    pub matched: u64,
    /// Largest distance of such a pair.
    pub furthest: Nanos,
    /// Number of edges outside the time that both captures cover, of the first and the second.
    pub outside: [u64; 2],
    /// First edge that has no counterpart.
    pub difference: Option<Difference>,
}

/// An edge of one capture that the other does not have within the tolerance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub signal: Signal,
    /// Level after the edge.
    pub high: bool,
    /// The capture that has the edge: 0 or 1.
    pub side: usize,
    /// Time in that capture.
    pub at: Instant,
    /// Same time in the other capture's time; it may be before its zero.
    pub expected: i128,
    /// The other capture's next edge of that wire, in its own time, and the level after it.
    pub other: Option<(Instant, bool)>,
    /// Byte on the LCD's SPI at that time in each capture, if the edge is on one of its wires.
    pub spi: Option<[String; 2]>,
}

/// Compares the captures at `paths`.
///
/// # Errors
/// If one cannot be read, if they have no wire in common, or if no edges align them.
pub fn compare(paths: [&Path; 2], options: &CompareOptions) -> Result<Comparison, FormatError> {
    let open = |side: usize| {
        let plain = options.wiring.without_entries();
        Capture::open(paths[side], if side == 0 { &options.wiring } else { &plain })
    };
    let (first, second) = (open(0)?, open(1)?);
    let has = |capture: &Capture, signal: &Signal| capture.signals().contains(signal);
    let wanted = |signal: &Signal| {
        options.signals.contains(signal) || options.signals.is_empty() && *signal != Signal::Power
    };
    for signal in &options.signals {
        for capture in [&first, &second] {
            if !has(capture, signal) {
                return Err(FormatError::of(capture.name(), CompareError::NoSignal(*signal)));
            }
        }
    }
    let mut signals = Vec::new();
    let mut only_in = Vec::new();
    for signal in Signal::all_of(options.wiring.buttons()).into_iter().filter(wanted) {
        match (has(&first, &signal), has(&second, &signal)) {
            (true, true) => signals.push(signal),
            (true, false) => only_in.push((signal, 0)),
            (false, true) => only_in.push((signal, 1)),
            (false, false) => {}
        }
    }
    if signals.is_empty() {
        let other = first.name().to_owned();
        return Err(FormatError::of(second.name(), CompareError::NothingInCommon { other }));
    }
    let second_name = second.name().to_owned();
    let heads = [head(first, &signals, options)?, head(second, &signals, options)?];
    let Some(offset) = align(&heads, &signals, options) else {
        let other = paths[0].display().to_string();
        return Err(FormatError::of(&second_name, CompareError::NothingAligns { other }));
    };
    let [first_notes, second_notes] = [&heads[0].notes, &heads[1].notes];
    let notes = [&first_notes[..], &second_notes[..]].concat();
    let sides =
        [Side::new(open(0)?, &signals, options, 0), Side::new(open(1)?, &signals, options, offset)];
    let spans = [heads[0].begins, heads[1].begins + offset];
    Matcher {
        sides,
        options,
        paths: paths.map(Path::to_path_buf),
        begin: spans[0].max(spans[1]),
        drift: 0,
        anchor: None,
        result: Comparison {
            signals,
            only_in,
            notes,
            offset,
            matched: 0,
            furthest: Nanos::ZERO,
            outside: [0; 2],
            difference: None,
        },
    }
    .run()
}

/// The beginning of a capture.
struct Head {
    begins: i128,
    edges: Vec<Edge>,
    notes: Vec<String>,
}

fn head(
    capture: Capture,
    signals: &[Signal],
    options: &CompareOptions,
) -> Result<Head, FormatError> {
    let mut side = Side::new(capture, signals, options, 0);
    let mut edges = Vec::new();
    while edges.len() < ALIGNMENT_EDGES
        && let Some(edge) = side.next()?
    {
        edges.push(edge);
    }
    let begins = side.capture.span().map_or(0, |(begins, _)| i128::from(begins.0));
    Ok(Head { begins, edges, notes: side.capture.notes() })
}

/// Returns the offset at which most edges of the beginnings match, and the closest of several such
/// offsets, within the permitted drift.
fn align(heads: &[Head; 2], signals: &[Signal], options: &CompareOptions) -> Option<i128> {
    let of = |side: usize, signal: Signal| {
        heads[side].edges.iter().filter(move |edge| edge.signal == signal)
    };
    let mut candidates: Vec<i128> = Vec::new();
    for &signal in signals {
        for real in of(0, signal).take(CANDIDATE_EDGES) {
            for simulated in
                of(1, signal).take(CANDIDATE_EDGES).filter(|edge| edge.high == real.high)
            {
                candidates.push(i128::from(real.at.0) - i128::from(simulated.at.0));
            }
        }
    }
    let times: Vec<[Vec<(i128, bool)>; 2]> = signals
        .iter()
        .map(|&signal| {
            [0, 1].map(|side| {
                of(side, signal).map(|edge| (i128::from(edge.at.0), edge.high)).collect()
            })
        })
        .collect();
    // Of two offsets with equally many matches, the one with the smaller distances is better.
    let meet = |offset: i128| {
        let wires = times.iter().map(|[real, sim]| pairs(real, sim, offset, options));
        wires.fold((0, 0), |sum, (met, apart)| (sum.0 + met, sum.1 - apart))
    };
    let mut best: Option<((usize, i128), i128)> = None;
    candidates.dedup();
    for offset in candidates {
        let met = meet(offset);
        if best.is_none_or(|(most, _)| met > most) {
            best = Some((met, offset));
        }
    }
    best.map(|(_, offset)| offset)
}

/// Returns the number of edges that match in order, and the sum of their distances.
fn pairs(
    real: &[(i128, bool)],
    simulated: &[(i128, bool)],
    offset: i128,
    options: &CompareOptions,
) -> (usize, i128) {
    let (mut i, mut j, mut met, mut apart) = (0, 0, 0, 0);
    let (mut drift, mut anchor) = (0, None);
    while let (Some((at, high)), Some((other, other_high))) = (real.get(i), simulated.get(j)) {
        let other = other + offset + drift;
        let distance = at - other;
        if distance.abs() <= i128::from(options.tolerance.0) && high == other_high {
            (i, j, met, apart) = (i + 1, j + 1, met + 1, apart + distance.abs());
            let since = (at - *anchor.get_or_insert(*at)).abs();
            drift = drifted(drift, distance, since, options);
        } else if *at <= other {
            i += 1;
        } else {
            j += 1;
        }
    }
    (met, apart)
}

/// Returns the drift of the clocks after a pair of edges whose distance was `distance` in spite of
/// the previous drift, `since` after the first pair: limited by the permitted drift in that time.
fn drifted(drift: i128, distance: i128, since: i128, options: &CompareOptions) -> i128 {
    let most = since * i128::from(options.skew_ppm) / 1_000_000;
    (drift + distance).clamp(-most, most)
}

/// One capture, with its edges that wait for those of the other.
struct Side {
    capture: Capture,
    debouncer: Debouncer,
    compared: [bool; Signal::COUNT_MAX],
    /// Wires whose first level, which is not an edge, has been read.
    begun: [bool; Signal::COUNT_MAX],
    /// Edges that the debouncer has returned and that have not been used yet.
    ready: VecDeque<Edge>,
    /// Offset that is added to the times.
    offset: i128,
    waiting: Vec<VecDeque<Edge>>,
    /// Wires that have waiting edges.
    pending: [bool; Signal::COUNT_MAX],
    count: usize,
    /// Lower bound of the times of later edges of this capture, in nanoseconds.
    read_to: i128,
    over: bool,
}

impl Side {
    fn new(capture: Capture, signals: &[Signal], options: &CompareOptions, offset: i128) -> Self {
        let mut compared = [false; Signal::COUNT_MAX];
        for signal in signals {
            compared[signal.index()] = true;
        }
        Self {
            capture,
            debouncer: Debouncer::new(options.debounce),
            compared,
            begun: [false; Signal::COUNT_MAX],
            ready: VecDeque::new(),
            offset,
            waiting: vec![VecDeque::new(); Signal::COUNT_MAX],
            pending: [false; Signal::COUNT_MAX],
            count: 0,
            read_to: i128::MIN,
            over: false,
        }
    }

    /// Returns the next edge of a compared wire.
    fn next(&mut self) -> Result<Option<Edge>, FormatError> {
        loop {
            if let Some(edge) = self.ready.pop_front() {
                return Ok(Some(edge));
            }
            let Some(edge) = self.capture.next().transpose()? else {
                self.ready.extend(self.debouncer.rest());
                return Ok(self.ready.pop_front());
            };
            let place = edge.signal.index();
            if !self.compared[place] {
                continue;
            }
            let kept = self.debouncer.take(edge);
            if std::mem::replace(&mut self.begun[place], true) {
                self.ready.extend(kept);
            }
        }
    }

    /// Reads one more edge and adds it to the waiting edges.
    fn read(&mut self) -> Result<(), FormatError> {
        match self.next()? {
            Some(edge) => {
                self.read_to = self.read_to.max(self.shifted(edge.at));
                self.waiting[edge.signal.index()].push_back(edge);
                self.pending[edge.signal.index()] = true;
                self.count += 1;
            }
            None => {
                let end = self.capture.span().map_or(Instant::START, |(_, end)| end);
                self.read_to = self.read_to.max(self.shifted(end));
                self.over = true;
            }
        }
        Ok(())
    }

    /// Removes the first waiting edge of a wire.
    fn remove_first(&mut self, wire: usize) {
        if self.waiting[wire].pop_front().is_some() {
            self.count -= 1;
        }
        if self.waiting[wire].is_empty() {
            self.pending[wire] = false;
        }
    }

    fn shifted(&self, at: Instant) -> i128 {
        i128::from(at.0) + self.offset
    }
}

struct Matcher<'a> {
    sides: [Side; 2],
    options: &'a CompareOptions,
    paths: [PathBuf; 2],
    /// Time at which both captures have begun, in the first's time.
    begin: i128,
    /// Drift of the two clocks since the first pair, in nanoseconds.
    drift: i128,
    anchor: Option<i128>,
    result: Comparison,
}

impl Matcher<'_> {
    fn run(mut self) -> Result<Comparison, FormatError> {
        loop {
            let behind = usize::from(self.sides[1].read_to < self.sides[0].read_to);
            let behind = if self.sides[behind].over { 1 - behind } else { behind };
            if self.sides[behind].over {
                break;
            }
            self.sides[behind].read()?;
            if let Some(difference) = self.settle(false) {
                return self.name(difference);
            }
            if self.sides.iter().any(|side| side.count > WAITING_MAX) {
                let tolerance = self.options.tolerance;
                let kind = CompareError::TooManyEdges { max: WAITING_MAX, tolerance };
                return Err(FormatError::of(self.sides[0].capture.name(), kind));
            }
        }
        match self.settle(true) {
            Some(difference) => self.name(difference),
            None => Ok(self.result),
        }
    }

    /// Pairs the waiting edges; returns the earliest edge that cannot have a counterpart any more.
    fn settle(&mut self, at_the_end: bool) -> Option<(usize, Edge)> {
        let tolerance = i128::from(self.options.tolerance.0);
        let mut lone: Option<(i128, usize, Edge)> = None;
        for place in 0..self.result.signals.len() {
            let wire = self.result.signals[place].index();
            if !self.sides.iter().any(|side| side.pending[wire]) {
                continue;
            }
            while let Some((side, edge)) = self.pair(wire, tolerance, at_the_end) {
                let at = self.sides[side].shifted(edge.at);
                if self.is_outside(at, tolerance, at_the_end) {
                    self.sides[side].remove_first(wire);
                    self.result.outside[side] += 1;
                    continue;
                }
                if lone.as_ref().is_none_or(|(first, _, _)| at < *first) {
                    lone = Some((at, side, edge));
                }
                break;
            }
        }
        lone.map(|(_, side, edge)| (side, edge))
    }

    /// Returns whether a time is outside the time that both captures cover. An edge within the
    /// tolerance of the ends may have its counterpart outside.
    fn is_outside(&self, at: i128, tolerance: i128, at_the_end: bool) -> bool {
        let over = self.sides.iter().filter(|side| side.over || at_the_end);
        let end = over.map(|side| side.read_to).min().unwrap_or(i128::MAX);
        at < self.begin + tolerance || at.saturating_add(tolerance) > end
    }

    /// Pairs the edges of one wire as far as they are known; returns the first edge that has no
    /// counterpart and cannot get one.
    fn pair(&mut self, wire: usize, tolerance: i128, at_the_end: bool) -> Option<(usize, Edge)> {
        loop {
            let fronts = [0, 1].map(|side| self.sides[side].waiting[wire].front().copied());
            let time = |side: usize, edge: Edge| {
                self.sides[side].shifted(edge.at) + if side == 1 { self.drift } else { 0 }
            };
            match fronts {
                [None, None] => return None,
                [Some(real), Some(simulated)] => {
                    let (at, other) = (time(0, real), time(1, simulated));
                    let apart = at - other;
                    if apart.abs() <= tolerance && real.high == simulated.high {
                        self.matched(wire, at, apart);
                        continue;
                    }
                    let side = usize::from(other < at);
                    return fronts[side].map(|edge| (side, edge));
                }
                [front, other] => {
                    let side = usize::from(front.is_none());
                    let edge = front.or(other)?;
                    let far = &self.sides[1 - side];
                    // The debouncer may return an edge late.
                    let slack = i128::from(self.options.debounce.0);
                    let read = far.over
                        || at_the_end
                        || far.read_to > time(side, edge) + tolerance + slack + self.drift.abs();
                    return read.then_some((side, edge));
                }
            }
        }
    }

    fn matched(&mut self, wire: usize, at: i128, apart: i128) {
        for side in &mut self.sides {
            side.remove_first(wire);
        }
        self.result.matched += 1;
        let distance = Nanos(u64::try_from(apart.abs()).unwrap_or(u64::MAX));
        self.result.furthest = self.result.furthest.max(distance);
        let anchor = *self.anchor.get_or_insert(at);
        self.drift = drifted(self.drift, apart, (at - anchor).abs(), self.options);
    }

    /// Completes the result with the difference `edge` of capture `side`.
    fn name(mut self, (side, edge): (usize, Edge)) -> Result<Comparison, FormatError> {
        let wire = edge.signal.index();
        let far = &mut self.sides[1 - side];
        while far.waiting[wire].is_empty() && !far.over && far.count <= WAITING_MAX {
            far.read()?;
        }
        let far = &self.sides[1 - side];
        let other = far.waiting[wire].front().map(|edge| (edge.at, edge.high));
        let sign = if side == 0 { -1 } else { 1 };
        let expected = i128::from(edge.at.0) + sign * (self.result.offset + self.drift);
        let is_spi = spi::WIRES.contains(&edge.signal) || edge.signal == Signal::Miso;
        let spi = if is_spi {
            let at = |of: usize| {
                if of == side { i128::from(edge.at.0) } else { expected }
            };
            Some([self.byte_at(0, at(0))?, self.byte_at(1, at(1))?])
        } else {
            None
        };
        self.result.difference = Some(Difference {
            signal: edge.signal,
            high: edge.high,
            side,
            at: edge.at,
            expected,
            other,
            spi,
        });
        Ok(self.result)
    }

    /// Describes the byte on the LCD's wires at a time of a capture.
    fn byte_at(&self, side: usize, at: i128) -> Result<String, FormatError> {
        let plain = self.options.wiring.without_entries();
        let wiring = if side == 0 { &self.options.wiring } else { &plain };
        let capture = Capture::open(&self.paths[side], wiring)?;
        if !spi::WIRES.iter().all(|wire| capture.signals().contains(wire)) {
            return Ok("not decoded: that takes CS, SCK, MOSI and DC".to_owned());
        }
        let mut decoder = Decoder::default();
        let mut before = None;
        for edge in capture {
            let edge = edge?;
            let past = i128::from(edge.at.0) > at;
            if past && !decoder.inside_byte() {
                break;
            }
            if let Some(byte) = decoder.take(edge) {
                before = Some(byte);
                if past {
                    break;
                }
            }
        }
        Ok(before.map_or_else(|| "nothing sent yet".to_owned(), |byte| byte.to_string()))
    }
}
