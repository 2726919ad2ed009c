//! Writes a value change dump of the board's wires, change by change: one nanosecond per step, one
//! scope `lcd_board`, wires named as in [`Signal`]; those of a display after the first one with its
//! name, like `READOUT_SCK`.

use std::io::{self, Write};

use trace::HeaderEntry;
use vcd::{IdCode, TimescaleUnit, Writer};
use virtual_time::Instant;

use crate::edge::Edge;
use crate::signal::Signal;
use crate::vcd::HEADER_COMMENT;

/// Wires of a display.
pub(crate) const DISPLAY_WIRES: [Signal; 7] = [
    Signal::ChipSelect,
    Signal::Clock,
    Signal::Mosi,
    Signal::Miso,
    Signal::Dc,
    Signal::LcdReset,
    Signal::Backlight,
];

/// Number of a wire in a waveform: the index of its signal, or that of a wire of a display after the
/// first one, from [`Signal::COUNT`] on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane(pub(crate) usize);

impl Lane {
    /// Returns the lane of a wire of the display with this number; `None` if displays have no such
    /// wire.
    pub(crate) fn of(display: usize, wire: Signal) -> Option<Self> {
        let Some(further) = display.checked_sub(1) else { return Some(wire.into()) };
        let place = DISPLAY_WIRES.iter().position(|known| *known == wire)?;
        Some(Self(Signal::COUNT + further * DISPLAY_WIRES.len() + place))
    }
}

impl From<Signal> for Lane {
    fn from(signal: Signal) -> Self {
        Self(signal.index())
    }
}

/// A waveform in progress. It writes many small pieces, so `out` should be buffered. The writer is
/// a trait object, so that the code is compiled once in this crate, not in each crate that uses it.
pub struct Waveform<'a> {
    out: Writer<Box<dyn Write + 'a>>,
    /// The wires, lane by lane.
    wires: Vec<Option<IdCode>>,
    /// Levels that have been written.
    written: Vec<bool>,
    /// Levels at `now`. They are written when the time advances, so a wire that moves twice in one
    /// nanosecond has not moved.
    levels: Vec<bool>,
    now: Instant,
    moved: bool,
}

impl<'a> Waveform<'a> {
    /// Begins a waveform of `signals`, each with its idle level at 0 ns. Displays after the first one,
    /// whose names are `further`, have the same wires as the first one. The entries of a trace's header
    /// are written as comments.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn new(
        out: impl Write + 'a,
        signals: &[Signal],
        further: &[&str],
        header: &[HeaderEntry],
    ) -> io::Result<Self> {
        let out: Box<dyn Write + 'a> = Box::new(out);
        let mut out = Writer::new(out);
        out.version("nudge")?;
        for entry in header {
            out.comment(&format!("{HEADER_COMMENT}{} {}", entry.key, entry.value))?;
        }
        out.timescale(1, TimescaleUnit::NS)?;
        out.add_module("lcd_board")?;
        let lanes = Signal::all().map(|signal| (0, signal));
        let of_displays = |display| DISPLAY_WIRES.map(|wire| (display, wire));
        let lanes: Vec<(usize, Signal)> =
            lanes.chain((1..=further.len()).flat_map(of_displays)).collect();
        let mut wires = vec![None; lanes.len()];
        for signal in signals {
            wires[signal.index()] = Some(out.add_wire(1, signal.name())?);
        }
        for (wire, (display, signal)) in wires.iter_mut().zip(&lanes).skip(Signal::COUNT) {
            if signals.contains(signal) {
                let name = format!("{}_{}", further[display - 1], signal.name());
                *wire = Some(out.add_wire(1, &name)?);
            }
        }
        out.upscope()?;
        out.enddefinitions()?;
        let levels: Vec<bool> = lanes.iter().map(|(_, signal)| signal.idles_high()).collect();
        out.timestamp(0)?;
        for (wire, high) in wires.iter().zip(&levels) {
            if let Some(wire) = wire {
                out.change_scalar(*wire, *high)?;
            }
        }
        let written = levels.clone();
        Ok(Self { out, wires, written, levels, now: Instant::START, moved: false })
    }

    /// Processes an edge. An edge before the last one counts as simultaneous with it.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn set(&mut self, edge: Edge) -> io::Result<()> {
        self.set_lane(edge.at, edge.signal.into(), edge.high)
    }

    /// Processes an edge of any wire.
    pub(crate) fn set_lane(&mut self, at: Instant, lane: Lane, high: bool) -> io::Result<()> {
        if at > self.now {
            self.write()?;
            self.now = at;
        }
        self.levels[lane.0] = high;
        self.moved = true;
        Ok(())
    }

    /// Ends the waveform at `at`, so that the last levels have a duration.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self, at: Instant) -> io::Result<()> {
        self.write()?;
        self.out.timestamp(at.max(self.now).0)?;
        self.out.flush()
    }

    fn write(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.moved) {
            return Ok(());
        }
        let mut dated = self.now == Instant::START;
        for (place, wire) in self.wires.iter().enumerate() {
            let Some(wire) = *wire else { continue };
            if self.written[place] != self.levels[place] {
                if !std::mem::replace(&mut dated, true) {
                    self.out.timestamp(self.now.0)?;
                }
                self.out.change_scalar(wire, self.levels[place])?;
                self.written[place] = self.levels[place];
            }
        }
        Ok(())
    }
}
