//! Tests of both families with other controllers than the ILI9341: orientations, pixels of twelve
//! bits, pages of one bit, and hostile hosts.

use panel_tables::{Family, by_name, names};
use proptest::prelude::*;

use crate::{CachedFrame, Frame, Ili9341, Module, Mounting, Table};
use virtual_time::{Instant, Nanos};

/// A host with one controller, whose bytes take 4 µs.
struct Host {
    lcd: Ili9341,
    now: Instant,
}

impl Host {
    /// Creates a host whose controller has executed its power sequence.
    fn ready(table: &'static Table, module: Module) -> Self {
        let mut lcd = Ili9341::with_module(5, table, module);
        lcd.set_power(Instant::START, true);
        let mut host = Self { lcd, now: Instant::START };
        for command in table.power.sequence.iter() {
            host.wait(200);
            host.send(command[0], &command[1..]);
        }
        host.wait(200);
        host
    }

    fn wait(&mut self, millis: u64) {
        self.now = self.now.saturating_add(Nanos::from_millis(millis));
    }

    fn send(&mut self, code: u8, bytes: &[u8]) {
        self.write(false, &[code]);
        self.write(self.lcd.table().family == Family::Dcs, bytes);
    }

    fn write(&mut self, dc_high: bool, bytes: &[u8]) {
        self.lcd.set_dc(self.now, dc_high);
        let end = self.now.saturating_add(Nanos(4_000 * bytes.len() as u64));
        self.lcd.write(self.now, end, bytes);
        self.now = end;
    }

    fn window(&mut self, columns: (u16, u16), pages: (u16, u16)) {
        for (code, (first, last)) in [(0x2A, columns), (0x2B, pages)] {
            self.send(code, &[first.to_be_bytes(), last.to_be_bytes()].concat());
        }
    }
}

fn table(name: &str) -> &'static Table {
    by_name(name).unwrap()
}

/// Returns a colour that the memory stores exactly, as two bytes and as it is seen.
fn colour(number: usize) -> ([u8; 2], u32) {
    let all = [0xF800, 0x07E0, 0x001F, 0xFFFF, 0x0000];
    let seen = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF, 0x000000];
    (u16::to_be_bytes(all[number % 5]), seen[number % 5])
}

#[test]
fn every_madctl_and_mounting_shows_the_right_pixels() {
    let table = table("st7789");
    for madctl in [0x00_u8, 0x20, 0x40, 0x60, 0x80, 0xA0, 0xC0, 0xE0] {
        for mirror in 0..8 {
            let bit = |bit: u8| mirror >> bit & 1 == 1;
            let mounting = Mounting { is_landscape: bit(0), mirrors_x: bit(1), mirrors_y: bit(2) };
            let part = Module {
                columns: 50,
                lines: 70,
                first_column: 20,
                first_line: 30,
                mounting,
                ..table.module
            };
            let mut host = Host::ready(table, part);
            host.send(0x36, &[madctl]);
            let exchange = madctl & 0x20 != 0;
            let (width, height) = if exchange { (320, 240) } else { (240, 320) };
            host.window((0, width - 1), (0, height - 1));
            let count = usize::from(width) * usize::from(height);
            let bytes: Vec<u8> =
                (0..count).flat_map(|number| colour(number * 7 + number / 31).0).collect();
            host.send(0x2C, &bytes);
            let picture = host.lcd.picture();
            assert_eq!((picture.width(), picture.height()), host.lcd.size());
            for (x, y) in [(0, 0), (3, 5), (49, 49), (10, 40)] {
                // The viewer's pixel, through the mounting, to the memory, to the host's counting.
                let (width_seen, height_seen) = host.lcd.size();
                let x_of = if mounting.mirrors_x { width_seen - 1 - x } else { x };
                let y_of = if mounting.mirrors_y { height_seen - 1 - y } else { y };
                let (column, line) =
                    if mounting.is_landscape { (y_of, x_of) } else { (x_of, y_of) };
                let (column, line) = (column + 20, line + 30);
                let column = if madctl & 0x40 != 0 { 239 - column } else { column };
                let line = if madctl & 0x80 != 0 { 319 - line } else { line };
                let (across, down) = if exchange { (line, column) } else { (column, line) };
                let number = down * usize::from(width) + across;
                let expected = colour(number * 7 + number / 31).1;
                assert_eq!(
                    picture.pixel(x, y),
                    Some(expected),
                    "{madctl:02X} {mounting:?} {x},{y}"
                );
            }
        }
    }
}

#[test]
fn a_module_is_cut_at_the_end_of_the_memory() {
    let table = table("ssd1306");
    let far =
        Module { columns: 500, lines: 500, first_column: 120, first_line: 9999, ..table.module };
    let host = Host::ready(table, far);
    assert_eq!(host.lcd.size(), (8, 1));
    assert_eq!(host.lcd.picture().pixels().len(), 8);
}

#[test]
fn a_cached_frame_of_a_portrait_panel_is_updated_by_tiles() {
    let table = table("st7789");
    let mut host = Host::ready(table, table.module);
    let mut kept = CachedFrame::default();
    host.send(0x2C, &[0; 240 * 320 * 2]);
    host.wait(10);
    host.lcd.update_frame_at(host.now, &mut kept);
    host.window((16, 23), (40, 47));
    host.send(0x2C, &[0xFF; 8 * 8 * 2]);
    let before = host.lcd.frame_at(host.now);
    host.wait(10);
    let tiles = host.lcd.update_frame_at(host.now, &mut kept);
    assert_eq!((tiles.count(), tiles.holds(16, 40)), (1, true));
    assert_eq!(kept.frame(), &host.lcd.frame_at(host.now));
    assert_eq!(before, Frame::filled(240, 320, 0), "the frame in progress is not shown");
    assert_eq!(kept.frame().pixel(20, 44), Some(0xFFFFFF));
}

/// Draws `bytes` as pages with an addressing mode and ranges, and returns the lit bytes of the
/// memory by a simple model.
fn by_hand(
    mode: u8,
    (c0, c1): (usize, usize),
    (p0, p1): (usize, usize),
    bytes: &[u8],
) -> Vec<[u8; 128]> {
    let mut memory = vec![[0; 128]; 8];
    let (mut column, mut page) = if mode == 2 { (0, 0) } else { (c0, p0) };
    for byte in bytes {
        memory[page][column] = *byte;
        match mode {
            0 => {
                (column, page) = if column < c1 {
                    (column + 1, page)
                } else {
                    (c0, if page < p1 { page + 1 } else { p0 })
                };
            }
            1 => {
                (page, column) = if page < p1 {
                    (page + 1, column)
                } else {
                    (p0, if column < c1 { column + 1 } else { c0 })
                };
            }
            _ => column = (column + 1) % 128,
        }
    }
    memory
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn pages_are_written_in_every_addressing_mode(
        mode in 0..3_u8, (a, b) in (0..128_usize, 0..128_usize), (c, d) in (0..8_usize, 0..8_usize),
        bytes in prop::collection::vec(any::<u8>(), 0..600), piece in 1..200_usize,
    ) {
        let table = table("ssd1306");
        let mut host = Host::ready(table, table.module);
        let (columns, pages) = ((a.min(b), a.max(b)), (c.min(d), c.max(d)));
        let clear = |host: &mut Host| {
            host.send(0x20, &[0]);
            host.send(0x21, &[0, 127]);
            host.send(0x22, &[0, 7]);
            host.write(true, &[0; 1024]);
        };
        clear(&mut host);
        host.send(0x21, &[columns.0 as u8, columns.1 as u8]);
        host.send(0x22, &[pages.0 as u8, pages.1 as u8]);
        host.send(0x20, &[mode]);
        if mode == 2 {
            for code in [0xB0, 0x00, 0x10] {
                host.send(code, &[]);
            }
        }
        bytes.chunks(piece).for_each(|piece| host.write(true, piece));
        let expected = by_hand(mode, columns, pages, &bytes);
        let picture = host.lcd.picture();
        for y in 0..64 {
            for (x, byte) in expected[y / 8].iter().enumerate() {
                let lit = byte >> (y % 8) & 1 == 1;
                prop_assert_eq!(picture.pixel(x, y), Some(if lit { 0xFFFFFF } else { 0 }));
            }
        }
        prop_assert_eq!(host.lcd.violations(), &[]);
    }

    #[test]
    fn pixels_of_twelve_bits_may_be_split_anywhere(
        pixels in 1..120_usize, cuts in prop::collection::vec(1..9_usize, 1..9),
    ) {
        let table = table("st7789");
        let bytes: Vec<u8> = (0..(pixels * 3).div_ceil(2)).map(|byte| (byte * 37 + 11) as u8).collect();
        let drawn = |cuts: &[usize]| {
            let mut host = Host::ready(table, table.module);
            host.send(0x3A, &[0x53]);
            host.window((3, 9), (4, 40));
            host.send(0x2C, &[]);
            let mut rest = &bytes[..];
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (now, later) = rest.split_at((*cut).min(rest.len()));
                host.write(true, now);
                rest = later;
            }
            (host.lcd.picture(), host.lcd.last_change(), host.lcd.panel().counter)
        };
        let whole = drawn(&[usize::MAX]);
        prop_assert_eq!(&drawn(&cuts), &whole);
        // Each pixel is three half bytes.
        let half = |at: usize| u32::from(bytes[at / 2] >> (if at.is_multiple_of(2) { 4 } else { 0 }) & 0x0F);
        for pixel in 0..pixels {
            let rgb = (0..3).fold(0, |rgb, nth| (rgb << 8) | (half(pixel * 3 + nth) * 0x11));
            let cell = rgb & 0xFCFCFC;
            let seen = cell | (cell >> 6 & 0x030303);
            prop_assert_eq!(whole.0.pixel(3 + pixel % 7, 4 + pixel / 7), Some(seen));
        }
    }

    #[test]
    fn any_bytes_are_decoded_by_every_table(
        steps in prop::collection::vec((0..6_u8, prop::collection::vec(any::<u8>(), 0..40)), 0..60),
    ) {
        for name in names() {
            let table = table(name);
            let mut host = Host::ready(table, table.module);
            let mut kept = CachedFrame::default();
            for (kind, bytes) in &steps {
                match kind {
                    0 | 1 => host.write(false, bytes),
                    2 | 3 => host.write(true, bytes),
                    4 => host.lcd.exchange(host.now, host.now, &mut bytes.clone()),
                    _ => {
                        host.lcd.set_reset(host.now, bytes.len().is_multiple_of(2));
                        host.wait(bytes.len() as u64);
                    }
                }
            }
            host.lcd.update_frame_at(host.now, &mut kept);
            prop_assert_eq!(kept.frame(), &host.lcd.frame_at(host.now));
            let panel = host.lcd.panel();
            prop_assert!(panel.registers.is_sorted_by_key(|register| register.code));
            prop_assert!(panel.refresh_hz.is_finite());
            for (x, y) in [(0, 0), (5, 9)] {
                let _ = host.lcd.cell_at(x, y);
            }
        }
    }
}
