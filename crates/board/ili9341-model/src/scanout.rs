//! The panel as the controller drives it: line by line, repeatedly, while the host writes the
//! memory.
//!
//! [`frame_at`](Ili9341::frame_at) returns complete frames and knows no scan. A [`ScanOut`] shows
//! what an eye or a camera would see of each line: the memory's contents when that line was last
//! scanned. A picture that is written more slowly than it is scanned (on SPI, every one) is torn:
//! part of the panel shows the old picture, part of it the new one.
//!
//! The lines are those of the gates, one a page of the memory. The reference module is mounted
//! landscape, so a line is vertical and the scan goes from left to right; GS and ML reverse it. A
//! line takes RTNA clocks of the
//! oscillator, divided by DIVA (FRMCTR1, 8.3.2); the lines of the porches are between two scans
//! (PRCTR, 8.3.6). The scan begins with its first line when the [`ScanOut`] is created, and
//! continues while the panel is dark. The module does not model the response time of the liquid
//! crystal, and no reads: it gets what the host sends.

use virtual_time::{Instant, Nanos};

use super::Ili9341;
use super::frame::Frame;
use super::view::{DisplaySettings, render};

/// A controller, and the picture on its panel as scanned.
#[derive(Clone)]
pub struct ScanOut {
    lcd: Ili9341,
    shown: Frame,
    /// Next line in the order of the scan; values from the number of pages on are lines of the
    /// porches.
    line: u32,
    /// Time at which that line is scanned.
    at: Instant,
    /// Display settings at the last event or scan; `None` while the panel was dark.
    glass: Option<DisplaySettings>,
    /// Number of lines that may differ from the memory.
    stale: u32,
    changes: u64,
}

impl ScanOut {
    /// Starts scanning the panel of `lcd` at `at`. The first picture is the current memory.
    pub fn new(lcd: Ili9341, at: Instant) -> Self {
        let glass = lcd.registers.display_settings(lcd.backlight_on);
        let shown = render(lcd.memory.cells(), glass.as_ref(), &lcd.registers.layout);
        Self { lcd, shown, line: 0, at, glass, stale: 0, changes: 0 }
    }

    /// Returns the picture on the panel.
    pub fn frame(&self) -> &Frame {
        &self.shown
    }

    /// Returns how often the picture on the panel has changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Does the same as [`Ili9341::set_power`].
    pub fn set_power(&mut self, at: Instant, on: bool) {
        self.reach(at);
        self.lcd.set_power(at, on);
        self.touched();
    }

    /// Does the same as [`Ili9341::set_reset`].
    pub fn set_reset(&mut self, at: Instant, high: bool) {
        self.reach(at);
        self.lcd.set_reset(at, high);
        self.touched();
    }

    /// Does the same as [`Ili9341::set_dc`].
    pub fn set_dc(&mut self, at: Instant, high: bool) {
        self.lcd.set_dc(at, high);
    }

    /// Does the same as [`Ili9341::set_backlight`].
    pub fn set_backlight(&mut self, at: Instant, on: bool) {
        self.reach(at);
        self.lcd.set_backlight(at, on);
        self.touched();
    }

    /// Does the same as [`Ili9341::write`]. A line that is scanned meanwhile shows the bytes that
    /// have arrived by then.
    pub fn write(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        self.reach(start);
        let span = u128::from(end.saturating_since(start).0).max(1);
        let (mut sent, mut from) = (0, start);
        while sent < bytes.len() {
            let until = self.at.min(end);
            let by_then = u128::from(until.saturating_since(start).0) * bytes.len() as u128 / span;
            let arrived = if until >= end { bytes.len() } else { by_then as usize };
            if arrived > sent {
                self.lcd.write(from, until, &bytes[sent..arrived]);
                (sent, from) = (arrived, until);
                self.touched();
            }
            if sent < bytes.len() {
                self.scan();
            }
        }
    }

    /// Scans all lines that are due by `at`.
    pub fn reach(&mut self, at: Instant) {
        while self.at <= at {
            if self.stale == 0 {
                self.skip(at);
                return;
            }
            self.scan();
        }
    }

    /// Advances past `at` without rendering: no line would change.
    fn skip(&mut self, at: Instant) {
        let (line, lines) = (self.line_time().0, self.lines());
        let passed = at.saturating_since(self.at).0 / line + 1;
        self.line = ((u64::from(self.line) + passed) % u64::from(lines)) as u32;
        self.at = self.at.saturating_add(Nanos(passed.saturating_mul(line)));
    }

    /// Marks all lines as stale after a possible change. A panel that turns dark does so at once,
    /// independently of the scan.
    fn touched(&mut self) {
        self.stale = self.lines();
        let glass = self.lcd.registers.display_settings(self.lcd.backlight_on);
        if glass.is_none() && self.glass.is_some() {
            self.shown.pixels_mut().fill(0);
            self.changes += 1;
        }
        self.glass = glass;
    }

    /// Scans the next line.
    fn scan(&mut self) {
        let layout = self.lcd.registers.layout;
        if let Some(glass) = &self.glass
            && self.line < layout.pages as u32
        {
            let gate = glass.gate_of_scan_line(&layout, self.line as u16);
            let cells = self.lcd.memory.cells();
            let differs = glass.render_gate(&layout, cells, gate, &mut self.shown);
            self.changes += u64::from(differs);
        }
        self.stale = self.stale.saturating_sub(1);
        self.line = (self.line + 1) % self.lines();
        self.at = self.at.saturating_add(self.line_time());
    }

    fn lines(&self) -> u32 {
        self.lcd.registers.layout.pages as u32 + self.lcd.registers.porches()
    }

    fn line_time(&self) -> Nanos {
        self.lcd.registers.line_time()
    }
}
