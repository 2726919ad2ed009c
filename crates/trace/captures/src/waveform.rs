//! Writes a value change dump of the board's wires, change by change: one nanosecond per step, one
//! scope `lcd_board`, wires named as in [`Signal`]; those of a display after the first one with its
//! name, like `READOUT_SCK`, or `DISPLAY/READOUT_SCK` if a button is called so.

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
/// first one, from [`Signal::COUNT_MAX`] on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lane(pub(crate) usize);

impl Lane {
    /// Returns the lane of a wire of the display with this number; `None` if displays have no such
    /// wire.
    pub(crate) fn of(display: usize, wire: Signal) -> Option<Self> {
        let Some(further) = display.checked_sub(1) else { return Some(wire.into()) };
        let place = DISPLAY_WIRES.iter().position(|known| *known == wire)?;
        Some(Self(Signal::COUNT_MAX + further * DISPLAY_WIRES.len() + place))
    }
}

impl From<Signal> for Lane {
    fn from(signal: Signal) -> Self {
        Self(signal.index())
    }
}

/// Size of `Waveform::changes` at which it is written, in bytes.
const BLOCK: usize = 64 * 1_024;

/// A waveform in progress. The writer is a trait object, so that the code is compiled once in this
/// crate, not in each crate that uses it.
pub struct Waveform<'a> {
    out: Writer<Box<dyn Write + 'a>>,
    /// Lines that are not written yet: the calls of a formatter cost more than all the rest.
    changes: Vec<u8>,
    /// The wires that are recorded, in the order of their lanes.
    wires: Vec<Wire>,
    now: Instant,
    moved: bool,
}

/// A wire that is recorded.
struct Wire {
    lane: Lane,
    code: IdCode,
    /// The code with the end of the line.
    line_end: String,
    /// Level that has been written.
    written: bool,
    /// Level at the present time. It is written when the time advances, so a wire that moves twice
    /// in one nanosecond has not moved.
    level: bool,
}

impl Wire {
    fn new(lane: Lane, code: IdCode, level: bool) -> Self {
        Self { lane, code, line_end: format!("{code}\n"), written: level, level }
    }
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
        let mut wires = Vec::new();
        for signal in signals {
            let (code, level) = (out.add_wire(1, signal.name())?, signal.idles_high());
            wires.push(Wire::new((*signal).into(), code, level));
        }
        wires.sort_by_key(|wire| wire.lane);
        for (nth, name) in further.iter().enumerate() {
            for signal in DISPLAY_WIRES.into_iter().filter(|wire| signals.contains(wire)) {
                let Some(lane) = Lane::of(nth + 1, signal) else { continue };
                let mut name = format!("{name}_{}", signal.name());
                // A button may have this name. No button has one with a `/`.
                if signals.iter().any(|other| other.name().eq_ignore_ascii_case(&name)) {
                    name.insert_str(0, "DISPLAY/");
                }
                let code = out.add_wire(1, &name)?;
                let level = signal.idles_high();
                wires.push(Wire::new(lane, code, level));
            }
        }
        out.upscope()?;
        out.enddefinitions()?;
        out.timestamp(0)?;
        for wire in &wires {
            out.change_scalar(wire.code, wire.level)?;
        }
        Ok(Self { out, changes: Vec::new(), wires, now: Instant::START, moved: false })
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
        if let Ok(place) = self.wires.binary_search_by_key(&lane, |wire| wire.lane) {
            self.wires[place].level = high;
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
        self.write_block()?;
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
                    writeln!(self.changes, "#{}", self.now.0)?;
                }
                self.changes.push(if wire.level { b'1' } else { b'0' });
                self.changes.extend_from_slice(wire.line_end.as_bytes());
                wire.written = wire.level;
            }
        }
        if self.changes.len() >= BLOCK { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> io::Result<()> {
        self.out.writer().write_all(&self.changes)?;
        self.changes.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use trace::Buttons;

    use super::*;
    use crate::{Capture, Wiring};

    #[test]
    fn buttons_called_like_wires_are_read_as_they_are_written() {
        let buttons = Buttons::new(["CS", "sck", "READOUT_DC"]).unwrap();
        let signals = Signal::all_of(&buttons);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.vcd");
        let file = std::fs::File::create(&path).unwrap();
        let mut waveform = Waveform::new(file, &signals, &["READOUT"], &[]).unwrap();
        // Each signal has its own number of edges.
        let mut at = Instant::START;
        for (nth, signal) in signals.iter().enumerate() {
            for edge in 0..=nth {
                at = Instant(at.0 + 10);
                let high = signal.idles_high() ^ (edge % 2 == 0);
                waveform.set(Edge { at, signal: *signal, high }).unwrap();
            }
        }
        waveform.finish(Instant(at.0 + 10)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for name in [" CS ", " BUTTON/CS ", " BUTTON/sck ", " DISPLAY/READOUT_DC ", " READOUT_CS "]
        {
            let name = name.replace("sck", "SCK");
            assert_eq!(text.matches(&name).count(), 1, "{name}");
        }
        let edges: Vec<Edge> =
            Capture::open(&path, &Wiring::of(buttons)).unwrap().map(Result::unwrap).collect();
        for (nth, signal) in signals.iter().enumerate() {
            // The first one is the level at 0 ns.
            let count = edges.iter().filter(|edge| edge.signal == *signal).count();
            assert_eq!(count, nth + 2, "{signal}");
        }
    }
}
