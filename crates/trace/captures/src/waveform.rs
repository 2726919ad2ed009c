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
    /// The wires that are recorded, in the order of [`Signal::index`].
    wires: Vec<Wire>,
    now: Instant,
    moved: bool,
}

/// A wire that is recorded.
struct Wire {
    signal: Signal,
    code: IdCode,
    /// Level that has been written.
    written: bool,
    /// Level at the present time. It is written when the time advances, so a wire that moves twice
    /// in one nanosecond has not moved.
    level: bool,
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
        let mut wires = Vec::new();
        for signal in signals {
            let (code, level) = (out.add_wire(1, signal.name())?, signal.idles_high());
            wires.push(Wire { signal: *signal, code, written: level, level });
        }
        wires.sort_by_key(|wire| wire.signal.index());
        out.upscope()?;
        out.enddefinitions()?;
        out.timestamp(0)?;
        for wire in &wires {
            out.change_scalar(wire.code, wire.level)?;
        }
        Ok(Self { out, wires, now: Instant::START, moved: false })
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
        let place = |wire: &Wire| wire.signal.index();
        if let Ok(place) = self.wires.binary_search_by_key(&edge.signal.index(), place) {
            self.wires[place].level = edge.high;
            self.moved = true;
        }
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
        for wire in &mut self.wires {
            if wire.written != wire.level {
                if !std::mem::replace(&mut dated, true) {
                    self.out.timestamp(self.now.0)?;
                }
                self.out.change_scalar(wire.code, wire.level)?;
                wire.written = wire.level;
            }
        }
        Ok(())
    }
}
