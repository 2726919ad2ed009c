//! Text of an [`Answer`]: the last write in full, then the earlier ones.

use std::fmt;

use ili9341_model::PixelWrite;
use rp2040_emulator::program::CodePlace;
use virtual_time::spoken;

use super::answer::{Answer, PixelWritten};

/// MADCTL's bits, from the highest (datasheet 8.2.29).
const MADCTL: [(u8, &str); 6] =
    [(0x80, "MY"), (0x40, "MX"), (0x20, "MV"), (0x10, "ML"), (0x08, "BGR"), (0x04, "MH")];

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.pixel;
        writeln!(
            out,
            "pixel {x},{y}{} at {} is #{:06X}",
            self.display.map_or_else(String::new, |name| format!(" of {name}")),
            spoken(self.at.since_start()),
            self.colour
        )?;
        let Some((last, earlier)) = self.writes.split_last() else { return Ok(()) };
        let PixelWrite { at, transfer, opened, columns, pages, position, madctl, .. } = &last.write;
        // A byte of a controller with pages is a column of a page.
        let has_pages = last.write.bytes.len() == 1;
        let (first, over) = (last.write.first_byte, last.write.bytes.len() as i64);
        writeln!(out, "  written   {}", spoken(at.since_start()))?;
        if self.unfinished {
            writeln!(
                out,
                "            in a frame that is not complete yet: it is not seen so far"
            )?;
        }
        writeln!(
            out,
            "  transfer  {}transfer {} since power-on at {}: {} to {}, {} bytes; the pixel is \
             {}",
            if has_pages { "" } else { "SPI " },
            transfer.number,
            spoken(self.powered_at.since_start()),
            spoken(transfer.start.since_start()),
            spoken(transfer.end.since_start()),
            transfer.bytes,
            if first < 0 {
                format!("its first {} and the last {} of the one before", over + first, -first)
            } else {
                format!("bytes {first} to {} of it", first + over - 1)
            }
        )?;
        writeln!(out, "  bytes     {}", bytes(&last.write))?;
        writeln!(out, "  before    {}", before(&last.write))?;
        let [caset, paset] = if has_pages { ["columns", "pages"] } else { ["CASET", "PASET"] };
        writeln!(
            out,
            "  window    {caset} {} to {}, {paset} {} to {}, opened by transfer {} at {}; column {}, \
             page {}",
            columns.0,
            columns.1,
            pages.0,
            pages.1,
            opened.number,
            spoken(opened.start.since_start()),
            position.0,
            position.1
        )?;
        let (column, page) = self.cell;
        if has_pages {
            writeln!(out, "  memory    column {column}, line {page}")?;
        } else {
            writeln!(out, "  MADCTL    {}", bits(*madctl))?;
            writeln!(out, "  memory    column {column}, page {page}")?;
        }
        if let Some(drawn) = &last.drawn {
            writeln!(out, "  drawn     {drawn}")?;
        }
        for (nth, function) in self.functions.iter().enumerate() {
            let label = if nth == 0 { "function" } else { "" };
            let from = if nth == 0 { "" } else { "called from " };
            let CodePlace { address, symbol, lines } = function;
            let named = CodePlace { address: *address, symbol: symbol.clone(), lines: vec![] };
            writeln!(out, "  {label:<9} {from}{named}")?;
            for (depth, line) in lines.iter().enumerate() {
                let before = if depth == 0 { "at" } else { "inlined at" };
                let within = line.function.iter().map(|name| format!(", in {name}"));
                writeln!(out, "            {before} {line}{}", within.collect::<String>())?;
            }
        }
        if let Some(text) = &self.text {
            writeln!(out, "  text      {text:?}")?;
        }
        if earlier.is_empty() {
            return writeln!(out, "  nothing was written there before, since power-on");
        }
        writeln!(out, "earlier")?;
        // The longest time is followed by one blank.
        let width = earlier.iter().map(|written| when(written).len()).max().unwrap_or_default();
        for written in earlier.iter().rev() {
            writeln!(out, "  {:<width$} {}", when(written), Short(written))?;
        }
        match self.count - self.writes.len() as u64 {
            0 => Ok(()),
            1 => writeln!(out, "  and 1 write before"),
            more => writeln!(out, "  and {more} writes before"),
        }
    }
}

fn when(written: &PixelWritten) -> String {
    spoken(written.write.at.since_start())
}

/// A write on one line, without its time.
struct Short<'a>(&'a PixelWritten);

impl fmt::Display for Short<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = &self.0.write;
        write!(out, "transfer {}: {}", write.transfer.number, bytes(write))?;
        match &self.0.drawn {
            Some(drawn) => write!(out, "; {drawn}"),
            None => Ok(()),
        }
    }
}

/// Returns `FF E0, RGB565 31,63,0`.
fn bytes(write: &PixelWrite) -> String {
    let hex: Vec<String> = write.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    let hex = hex.join(" ");
    match write.bytes[..] {
        [upper, lower] => {
            let pixel = u16::from_be_bytes([upper, lower]);
            format!("{hex}, RGB565 {},{},{}", pixel >> 11, pixel >> 5 & 0x3F, pixel & 0x1F)
        }
        [_] => format!("{hex}, eight lines of a column, the lowest bit on top"),
        _ => {
            let six: Vec<String> = write.bytes.iter().map(|byte| (byte >> 2).to_string()).collect();
            format!("{hex}, RGB666 {}", six.join(","))
        }
    }
}

fn before(write: &PixelWrite) -> String {
    match write.cell_before {
        None => "what the memory holds after power-on: noise".to_owned(),
        Some(cell) if cell == write.cell => "the same colour".to_owned(),
        Some(cell) => {
            let [_, red, green, blue] = cell.to_be_bytes().map(|colour| colour >> 2);
            format!("RGB666 {red},{green},{blue}")
        }
    }
}

/// Returns `28h (MV BGR)`.
fn bits(madctl: u8) -> String {
    let set: Vec<&str> =
        MADCTL.iter().filter(|(bit, _)| madctl & bit != 0).map(|(_, name)| *name).collect();
    let set = if set.is_empty() { "no bit set".to_owned() } else { set.join(" ") };
    format!("{madctl:02X}h ({set})")
}
