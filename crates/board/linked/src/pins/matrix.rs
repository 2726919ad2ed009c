//! The pins of a key matrix, which the firmware scans.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use board_file::BoardFile;
use board_file::parts::{Driven, Level};
use embedded_hal::digital::{ErrorType, InputPin};

use super::output::output_pins;
use crate::clock::Never;
use crate::context::{self, READ};

/// The pins of a matrix: the driven ones and the read ones, in the order of the board file.
#[derive(Debug)]
pub struct MatrixPins {
    pub outputs: Vec<MatrixOutput>,
    pub inputs: Vec<MatrixInput>,
}

/// A pin that selects a row or a column.
#[derive(Debug)]
pub struct MatrixOutput {
    number: usize,
    keys: Arc<Keys>,
}

/// A pin that reads the selected rows or columns.
#[derive(Debug)]
pub struct MatrixInput {
    number: usize,
    keys: Arc<Keys>,
}

/// The keys of a matrix.
#[derive(Debug)]
struct Keys {
    /// Number of the first button among those of the board; they follow each other row by row.
    first: usize,
    rows: usize,
    columns: usize,
    drives_rows: bool,
    /// Level of a selecting output.
    active: Level,
    has_diodes: bool,
    /// Outputs that select, as a mask.
    selected: AtomicU32,
}

impl Keys {
    /// Returns whether a closed key connects the output with the input.
    fn is_closed(&self, output: usize, input: usize) -> bool {
        let (row, column) = if self.drives_rows { (output, input) } else { (input, output) };
        let number = self.first + row * self.columns + column;
        context::terminals(|terminals, at| terminals.is_button_closed(at, number))
    }

    fn outputs(&self) -> usize {
        if self.drives_rows { self.rows } else { self.columns }
    }

    fn inputs(&self) -> usize {
        if self.drives_rows { self.columns } else { self.rows }
    }

    /// Returns whether an input is connected with a selecting output. Without diodes, current also
    /// flows through other inputs and outputs, which do not select and are open.
    fn is_selected(&self, input: usize) -> bool {
        let selected = self.selected.load(Ordering::Relaxed);
        let mut reached_outputs = selected;
        let mut reached_inputs = 0u32;
        loop {
            let before = (reached_outputs, reached_inputs);
            for output in 0..self.outputs() {
                for input in 0..self.inputs() {
                    let is_live = reached_outputs >> output & 1 != 0;
                    let is_fed = reached_inputs >> input & 1 != 0 && !self.has_diodes;
                    if !(is_live || is_fed) || !self.is_closed(output, input) {
                        continue;
                    }
                    reached_inputs |= 1 << input;
                    if !self.has_diodes {
                        reached_outputs |= 1 << output;
                    }
                }
            }
            if before == (reached_outputs, reached_inputs) {
                return reached_inputs >> input & 1 != 0;
            }
        }
    }
}

impl MatrixPins {
    pub(crate) fn new(file: &BoardFile, number: usize) -> Self {
        let before = file.matrix.iter().take(number);
        let before: usize = before.map(|matrix| matrix.buttons.iter().flatten().count()).sum();
        let matrix = &file.matrix[number];
        let keys = Arc::new(Keys {
            first: file.button.len() + before,
            rows: matrix.rows.len(),
            columns: matrix.columns.len(),
            drives_rows: matrix.driven == Driven::Rows,
            active: matrix.active,
            has_diodes: matrix.diodes,
            selected: AtomicU32::new(0),
        });
        let output = |number| MatrixOutput { number, keys: Arc::clone(&keys) };
        let input = |number| MatrixInput { number, keys: Arc::clone(&keys) };
        Self {
            outputs: (0..keys.outputs()).map(output).collect(),
            inputs: (0..keys.inputs()).map(input).collect(),
        }
    }
}

impl MatrixOutput {
    fn set(&self, level: Level) {
        let bit = 1 << self.number;
        if level == self.keys.active {
            self.keys.selected.fetch_or(bit, Ordering::Relaxed);
        } else {
            self.keys.selected.fetch_and(!bit, Ordering::Relaxed);
        }
    }
}

output_pins!(MatrixOutput);

impl ErrorType for MatrixInput {
    type Error = Never;
}

impl InputPin for MatrixInput {
    fn is_high(&mut self) -> Result<bool, Never> {
        let is_selected = self.keys.is_selected(self.number);
        context::spend(READ);
        Ok(is_selected == (self.keys.active == Level::High))
    }

    fn is_low(&mut self) -> Result<bool, Never> {
        Ok(!self.is_high()?)
    }
}
