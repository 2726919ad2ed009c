//! Compares the bytes on the LCD's wire in a trace with the pixels that they change.
//!
//! This module replays the buttons of a trace frame by frame and compares the picture on the panel
//! before and after each frame. It judges nothing.

use hal_mock::{Machine, MachineError};
use trace::{Action, TAP_HOLD, Trace, When};
use virtual_time::{Instant, Nanos};

/// Number of bytes per pixel on the wire (RGB565).
const PIXEL_BYTES: u64 = 2;

/// Time for which the screen may change after a trace's last line: the longest animation.
const TAIL: Nanos = Nanos::from_secs(5);

/// Number of bytes on the wire, including commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Number of frames after the power-on frame.
    pub frames: u64,
    /// Bytes sent for these frames.
    pub sent: u64,
    /// Bytes of the pixels that changed in these frames.
    pub changed: u64,
    /// Bytes sent for the largest of these frames.
    pub largest: u64,
    /// Bytes sent for the power-on frame, including the initialisation.
    pub power_on: u64,
}

impl Traffic {
    /// Returns the number of bytes sent per byte of a changed pixel.
    pub fn ratio(&self) -> f64 {
        self.sent as f64 / self.changed as f64
    }
}

/// Measures the traffic of the taps, presses and releases of `trace` on a machine that has not been
/// powered on yet. Waits take no time here, so the presses of `trace` must have times of their own.
///
/// # Errors
/// If the machine cannot continue.
pub fn of(
    trace: &Trace,
    build: impl FnOnce() -> Box<dyn Machine>,
) -> Result<Traffic, MachineError> {
    let mut machine = build();
    machine.power_on()?;
    let mut meter = Meter::new(machine.as_mut())?;
    let mut now = Instant::START;
    for line in &trace.lines {
        now = match line.when {
            When::At(at) => at,
            When::After(span) => now.saturating_add(span),
        };
        meter.run_until(now)?;
        let board = meter.machine.board();
        match line.action {
            Action::Tap { button, hold } => {
                board.press(now, button);
                board.release(now.saturating_add(hold.unwrap_or(TAP_HOLD)), button);
            }
            Action::Press(button) => board.press(now, button),
            Action::Release(button) => board.release(now, button),
            _ => {}
        }
    }
    meter.run_until(now.saturating_add(TAIL))?;
    Ok(meter.traffic)
}

struct Meter<'a> {
    machine: &'a mut dyn Machine,
    traffic: Traffic,
    shown: ili9341_model::Frame,
    bytes: u64,
    frames: u64,
}

impl<'a> Meter<'a> {
    /// Runs until the power-on frame is complete.
    fn new(machine: &'a mut dyn Machine) -> Result<Self, MachineError> {
        let settled = machine.board().now().saturating_add(Nanos::from_millis(500));
        machine.run_until(settled)?;
        let board = machine.board();
        let (shown, bytes) = (board.frame(), board.bus().bytes);
        let frames = board.frame_count_at(board.now());
        let traffic = Traffic { power_on: bytes, ..Traffic::default() };
        Ok(Self { machine, traffic, shown, bytes, frames })
    }

    fn run_until(&mut self, until: Instant) -> Result<(), MachineError> {
        while self.machine.board().now() < until {
            let limit = self.machine.board().frame_due().map_or(until, |due| due.min(until));
            self.machine.step(limit)?;
            self.read();
        }
        Ok(())
    }

    fn read(&mut self) {
        let board = self.machine.board();
        let frames = board.frame_count_at(board.now());
        if frames == self.frames {
            return;
        }
        let (frame, bytes) = (board.frame(), board.bus().bytes);
        let pixels = frame.pixels().iter().zip(self.shown.pixels());
        let changed = pixels.filter(|(after, before)| after != before).count() as u64;
        let sent = bytes - self.bytes;
        self.traffic.frames += frames - self.frames;
        self.traffic.sent += sent;
        self.traffic.changed += changed * PIXEL_BYTES;
        self.traffic.largest = self.traffic.largest.max(sent);
        (self.shown, self.bytes, self.frames) = (frame, bytes, frames);
    }
}
