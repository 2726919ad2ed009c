//! The wires of a display on the bus `parallel8`: eight data lines, of which the display samples a byte
//! when WRX rises (8080-I interface; ILI9341 datasheet, 7.1.2).
//!
//! The lines share the levels that the firmware has set. Nothing is read: RDX stays high.

use std::cell::Cell;
use std::rc::Rc;

use board_file::BoardFile;
use board_file::parts::Level;
use virtual_time::Nanos;

use super::display::{Backlight, DataCommand, Reset};
use super::output::output_pins;
use crate::context;

/// Number of data lines.
const LINES: usize = 8;

/// Time of a write, in which the firmware sets its pins: the 66 ns of an ILI9341, rounded up.
const WRITE: Nanos = Nanos(100);

/// The wires of a display on a parallel bus.
#[derive(Debug)]
pub struct ParallelPins {
    /// D0 to D7.
    pub data: [DataLine; LINES],
    /// WRX: the display samples a byte when it rises.
    pub write: WriteLine,
    /// D/CX.
    pub dc: DataCommand,
    /// CSX, high until it is set; `None` for a display that is always selected.
    pub select: Option<SelectLine>,
    pub reset: Reset,
    pub backlight: Backlight,
}

/// The levels of the wires. They belong to the state of the firmware, which a copy of the board executes
/// again.
#[derive(Debug)]
struct Wires {
    display: usize,
    data: Cell<u8>,
    is_write_high: Cell<bool>,
    is_selected: Cell<bool>,
}

impl ParallelPins {
    pub(crate) fn new(file: &BoardFile, display: usize) -> Self {
        let part = &file.display[display];
        let wires = Rc::new(Wires {
            display,
            data: Cell::new(0),
            is_write_high: Cell::new(true),
            is_selected: Cell::new(part.cs.is_none()),
        });
        let data = core::array::from_fn(|line| DataLine { wires: Rc::clone(&wires), line });
        Self {
            data,
            write: WriteLine(Rc::clone(&wires)),
            dc: DataCommand::new(display),
            select: part.cs.is_some().then_some(SelectLine(wires)),
            reset: Reset::new(file, display),
            backlight: Backlight::new(file, display),
        }
    }
}

/// A data line.
#[derive(Debug)]
pub struct DataLine {
    wires: Rc<Wires>,
    line: usize,
}

/// The wire WRX.
#[derive(Debug)]
pub struct WriteLine(Rc<Wires>);

/// The wire CSX: low while the display is selected.
#[derive(Debug)]
pub struct SelectLine(Rc<Wires>);

impl DataLine {
    fn set(&self, level: Level) {
        let bit = 1 << self.line;
        let others = self.wires.data.get() & !bit;
        self.wires.data.set(if level == Level::High { others | bit } else { others });
    }
}

impl WriteLine {
    fn set(&self, level: Level) {
        let wires = &self.0;
        let was_high = wires.is_write_high.replace(level == Level::High);
        if was_high || level == Level::Low || !wires.is_selected.get() {
            return;
        }
        context::terminals(|terminals, at| {
            let lcd = terminals.at_display(wires.display);
            lcd.lcd_write(at, at.saturating_add(WRITE), &[wires.data.get()]);
        });
        context::spend(WRITE);
    }
}

impl SelectLine {
    fn set(&self, level: Level) {
        self.0.is_selected.set(level == Level::Low);
    }
}

output_pins!(DataLine, WriteLine, SelectLine);
