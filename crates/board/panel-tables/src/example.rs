//! The examples of a table: what a host sends, and what the controller has then. A model runs them.

use virtual_time::Nanos;

use crate::rule::Rule;

/// An example of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub name: String,
    /// Line and column in the file, from 1.
    pub place: (usize, usize),
    /// Whether the power sequence is executed first; otherwise the power has just been turned on.
    pub is_ready: bool,
    pub steps: Vec<Step>,
    /// Expected arguments of registers, by the name of the command.
    pub registers: Vec<(String, Vec<u8>)>,
    /// Expected pixels of the visible panel: column, row, `0x00RRGGBB`.
    pub pixels: Vec<(u16, u16, u32)>,
    /// Violations and notes of the steps, in order.
    pub rules: Vec<Rule>,
}

/// A step of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A command, and its arguments or pixels.
    Send(u8, Vec<u8>),
    /// Bytes of pixels without a command.
    Data(Vec<u8>),
    Wait(Nanos),
    /// RESX is low for this time.
    Reset(Nanos),
}
