//! Writes a value change dump of the board's wires, change by change: one nanosecond per step, one
//! scope `lcd_board`, wires named as in [`Signal`].

use std::io::{self, Write};

use trace::HeaderEntry;
use vcd::{IdCode, TimescaleUnit, Writer};
use virtual_time::Instant;

use crate::edge::Edge;
use crate::signal::Signal;
use crate::vcd::HEADER_COMMENT;

/// A waveform in progress. It writes many small pieces, so `out` should be buffered. The writer is
/// a trait object, so that the code is compiled once in this crate, not in each crate that uses it.
pub struct Waveform<'a> {
    out: Writer<Box<dyn Write + 'a>>,
    wires: [Option<IdCode>; Signal::COUNT],
    /// Levels that have been written.
    written: [bool; Signal::COUNT],
    /// Levels at `now`. They are written when the time advances, so a wire that moves twice in one
    /// nanosecond has not moved.
    levels: [bool; Signal::COUNT],
    now: Instant,
    moved: bool,
}

impl<'a> Waveform<'a> {
    /// Begins a waveform of `signals`, each with its idle level at 0 ns. The entries of a trace's
    /// header are written as comments.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn new(
        out: impl Write + 'a,
        signals: &[Signal],
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
        let mut wires = [None; Signal::COUNT];
        for signal in signals {
            wires[signal.index()] = Some(out.add_wire(1, signal.name())?);
        }
        out.upscope()?;
        out.enddefinitions()?;
        let mut levels = [false; Signal::COUNT];
        out.timestamp(0)?;
        for signal in Signal::all() {
            levels[signal.index()] = signal.idles_high();
            if let Some(wire) = wires[signal.index()] {
                out.change_scalar(wire, signal.idles_high())?;
            }
        }
        Ok(Self { out, wires, written: levels, levels, now: Instant::START, moved: false })
    }

    /// Processes an edge. An edge before the last one counts as simultaneous with it.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn set(&mut self, edge: Edge) -> io::Result<()> {
        if edge.at > self.now {
            self.write()?;
            self.now = edge.at;
        }
        self.levels[edge.signal.index()] = edge.high;
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
