//! Tests of the controller alone, driven byte by byte.

mod decoding;
mod families;
mod frames;
mod glass;
mod kept;
mod linter;
mod provenance;
mod reading;
mod scanout;
mod tables;
mod tiles;

use super::{Ili9341, Rule};
use virtual_time::{Instant, Nanos};

use crate::frame::Frame;

/// Duration of a byte at 31.25 MHz.
const BYTE: Nanos = Nanos(256);
const BLACK: u32 = 0x000000;
const WHITE: u32 = 0xFFFFFF;
const RED: u32 = 0xFF0000;
const BLUE: u32 = 0x0000FF;

/// A host with one controller on its bus.
struct Host {
    lcd: Ili9341,
    now: Instant,
}

impl Host {
    /// Creates a host after power-on.
    fn powered() -> Self {
        let mut lcd = Ili9341::new(7);
        lcd.set_power(Instant::START, true);
        Self { lcd, now: Instant::START }
    }

    /// Creates a host whose controller is awake, with 16 bits a pixel, MADCTL as given, black
    /// memory, display on, and no violations.
    fn ready(madctl: u8) -> Self {
        let mut host = Self::powered();
        host.wait_ms(120);
        host.send(0x11, &[]);
        host.wait_ms(120);
        host.send(0x3A, &[0x55]);
        host.send(0x2C, &[0; 240 * 320 * 2]);
        host.send(0x36, &[madctl]);
        let (width, height) = if madctl & 0x20 == 0 { (240, 320) } else { (320, 240) };
        host.window(0, width - 1, 0, height - 1);
        host.send(0x29, &[]);
        host.wait_ms(10);
        assert_eq!(host.rules(), []);
        host
    }

    fn wait(&mut self, span: Nanos) {
        self.now = self.now.saturating_add(span);
    }

    fn wait_ms(&mut self, millis: u64) {
        self.wait(Nanos::from_millis(millis));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let start = self.now;
        self.wait(Nanos(BYTE.0 * bytes.len() as u64));
        self.lcd.write(start, self.now, bytes);
    }

    fn command(&mut self, code: u8) {
        self.lcd.set_dc(self.now, false);
        self.bytes(&[code]);
        self.lcd.set_dc(self.now, true);
    }

    fn send(&mut self, code: u8, arguments: &[u8]) {
        self.command(code);
        self.bytes(arguments);
    }

    fn window(&mut self, sc: u16, ec: u16, sp: u16, ep: u16) {
        let words = |a: u16, b: u16| [a.to_be_bytes(), b.to_be_bytes()].concat();
        self.send(0x2A, &words(sc, ec));
        self.send(0x2B, &words(sp, ep));
    }

    fn pixels(&mut self, colours: &[u16]) {
        let bytes: Vec<u8> = colours.iter().flat_map(|colour| colour.to_be_bytes()).collect();
        self.send(0x2C, &bytes);
    }

    /// Sends a read command and clocks `count` bytes out.
    fn read(&mut self, code: u8, count: usize) -> Vec<u8> {
        self.command(code);
        self.clock(count)
    }

    fn clock(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        let start = self.now;
        self.wait(Nanos(BYTE.0 * count as u64));
        self.lcd.exchange(start, self.now, &mut bytes);
        bytes
    }

    /// Returns the visible frame once it is complete.
    fn look(&mut self) -> Frame {
        self.wait_ms(5);
        self.lcd.frame_at(self.now)
    }

    fn rules(&self) -> Vec<Rule> {
        self.lcd.violations().iter().map(|violation| violation.rule).collect()
    }

    fn notes(&self) -> Vec<Rule> {
        self.lcd.notes().iter().map(|note| note.rule).collect()
    }
}

/// Returns the memory address of the host's column and page by the table of section 8.2.29, without
/// the model's arithmetic.
fn physical(madctl: u8, column: usize, page: usize) -> Option<(usize, usize)> {
    let (x, y) = if madctl & 0x20 == 0 { (column, page) } else { (page, column) };
    if x >= 240 || y >= 320 {
        return None;
    }
    let x = if madctl & 0x40 == 0 { x } else { 239 - x };
    let y = if madctl & 0x80 == 0 { y } else { 319 - y };
    Some((x, y))
}

/// Returns a 16-bit pixel as stored in the memory: six bits a colour, the lowest of red and blue a
/// copy of the highest.
fn kept(colour: u16) -> u32 {
    let (r, g, b) = (u32::from(colour >> 11), u32::from(colour >> 5 & 63), u32::from(colour & 31));
    let six = |five: u32| five * 2 + five / 16;
    six(r) * 4 * 65536 + g * 4 * 256 + six(b) * 4
}

/// Returns a colour for each pixel that differs from its neighbours'.
fn pattern(index: usize) -> u16 {
    (index as u16).wrapping_mul(40503) ^ 0x55AA
}
