//! A panic, a hard fault, a stack overflow or a hang: its location is stored, the board restarts, and
//! reports it on the console and on the LCD before it continues.
//!
//! The report follows the restart because nothing is certain at the time of the crash: the LCD may
//! be in the middle of a window, its bus in the middle of a byte, the stack at its end. After a
//! restart everything begins as at power-on, and the usual code initialises the LCD. The report
//! crosses the restart in RAM that no start-up code changes; a checksum distinguishes it from the
//! content of RAM at power-on.
#![expect(unsafe_code, reason = "memory that survives a restart has no owner")]

use core::cell::UnsafeCell;
use core::fmt::{self, Write};
use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use cortex_m_rt::ExceptionFrame;
use embedded_graphics::draw_target::DrawTarget as _;
use embedded_graphics::geometry::Point;
use embedded_hal::delay::DelayNs as _;
use firmware_core::firmware::{HardwareFault, Parts};
use firmware_core::lcd::{Lcd, PANEL};
use firmware_core::present::PixelTarget;
use firmware_core::screen::text::{Line, pitch};
use firmware_core::screen::theme;

use crate::pico::Pico;
use crate::rest::Sleeper;

/// Time for which the LCD shows the report.
const SHOWN_MS: u32 = 8_000;

/// Maximum number of stored characters; longer reports are truncated.
const LONGEST: usize = 244;

/// Mark of a stored record.
const MARK: u32 = u32::from_be_bytes(*b"ouch");

/// The addresses of the program in the flash; the storage comes after it.
const PROGRAM: core::ops::Range<u32> = 0x1000_0100..0x101C_0000;

unsafe extern "C" {
    /// First address after the stack (cortex-m-rt's link.x).
    static _stack_start: u32;
}

/// Margin of the displayed text in pixels.
const MARGIN: i32 = 8;

/// A crash report in printable ASCII.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Text {
    length: u32,
    bytes: [u8; LONGEST],
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Record {
    mark: u32,
    sum: u32,
    text: Text,
}

struct PersistentRecord(UnsafeCell<MaybeUninit<Record>>);

// SAFETY: one core runs, its interrupt handlers do not use it, and a hard fault does not return.
unsafe impl Sync for PersistentRecord {}

#[unsafe(link_section = ".uninit.crash")]
static SURVIVOR: PersistentRecord = PersistentRecord(UnsafeCell::new(MaybeUninit::uninit()));

/// Returns the report of the last crash, once.
pub fn take_report() -> Option<Text> {
    let place = SURVIVOR.0.get().cast::<Record>();
    // SAFETY: a record consists of integers: any content of RAM is a valid one.
    let record = unsafe { place.read_volatile() };
    // SAFETY: as above; no other code accesses it.
    unsafe { (&raw mut (*place).mark).write_volatile(0) };
    let Record { mark, sum, text } = record;
    (mark == MARK && text.length as usize <= LONGEST && sum == text.sum()).then_some(text)
}

/// Returns the report for a watchdog timeout.
pub fn hang_report() -> Text {
    let mut text = Text::new();
    text.say(format_args!("hung: the watchdog was not fed"));
    text
}

/// Shows the report and restarts the board.
pub fn show(text: &Text, parts: Parts<Pico>, rest: &mut Sleeper) -> ! {
    let Parts { spi, dc, reset, backlight, console, .. } = parts;
    // The newline ends a line that the restart may have cut off.
    console.write_full_blocking(b"\ncrash text=\"");
    console.write_full_blocking(text.as_str().as_bytes());
    console.write_full_blocking(b"\"\n");
    let mut delay = rest.delay();
    // A defective LCD must not prevent the restart.
    let _: Result<(), HardwareFault> = (|| {
        let mut lcd = Lcd::init(spi, dc, reset, backlight, &mut delay)?;
        let target = &mut PixelTarget(lcd.target());
        target.clear(theme::GROUND)?;
        let mut line = Line {
            text: "The firmware crashed",
            font: theme::TEXT_FONT,
            ink: theme::INK_WARNING,
            ground: theme::GROUND,
        };
        let mut corner = Point::new(MARGIN, MARGIN);
        line.draw(corner, target)?;
        corner.y += 2 * line.font.character_size.height as i32;
        line.font = theme::LABEL_FONT;
        line.ink = theme::INK;
        let columns = (PANEL.width - 2 * MARGIN as u32) / pitch(line.font);
        for part in text.bytes[..text.length as usize].chunks(columns as usize) {
            line.text = str::from_utf8(part).unwrap_or_default();
            line.draw(corner, target)?;
            corner.y += line.font.character_size.height as i32;
        }
        lcd.light(true)?;
        Ok(())
    })();
    delay.delay_ms(SHOWN_MS);
    rp2040_hal::reset()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    // In release builds every panic has a location.
    match info.location() {
        Some(place) => {
            store_and_restart(format_args!("{}:{}: {}", place.file(), place.line(), info.message()))
        }
        None => store_and_restart(format_args!("{}", info.message())),
    }
}

/// Stores the report of a hard fault with this frame, and restarts. `stack` is the lowest address of
/// the stack.
pub extern "C" fn hard_fault(frame: *const ExceptionFrame, stack: *const u32) -> ! {
    if frame.cast() < stack {
        // The core has not written the whole frame.
        let used = frame.wrapping_add(1).cast();
        let caller = last_caller(if used < stack { stack } else { used });
        store_and_restart(format_args!("stack overflow, called from {caller:#010x}"));
    }
    // SAFETY: the core has written the frame.
    let frame = unsafe { &*frame };
    store_and_restart(format_args!(
        "hard fault at {:#010x}, called from {:#010x}",
        frame.pc(),
        frame.lr()
    ))
}

/// Returns the first word from `stack` on that can be the return address of a call: an address in
/// the flash with bit 0 set. 0 if there is none.
fn last_caller(stack: *const u32) -> u32 {
    let mut word = stack;
    while word < (&raw const _stack_start) {
        // SAFETY: these words are in the RAM, and any content is a valid one.
        let value = unsafe { word.read_volatile() };
        if value & 1 != 0 && PROGRAM.contains(&value) {
            return value;
        }
        word = word.wrapping_add(1);
    }
    0
}

/// Stores the message across a restart, and restarts.
fn store_and_restart(what: fmt::Arguments<'_>) -> ! {
    let mut text = Text::new();
    text.say(what);
    let record = Record { mark: MARK, sum: text.sum(), text };
    // SAFETY: no other code accesses it, and nothing runs after this.
    unsafe { SURVIVOR.0.get().cast::<Record>().write_volatile(record) };
    rp2040_hal::reset()
}

impl Text {
    const fn new() -> Self {
        Self { length: 0, bytes: [0; LONGEST] }
    }

    fn say(&mut self, what: fmt::Arguments<'_>) {
        // Fails only if a value's own `Display` does; the text written so far is retained.
        let _ = self.write_fmt(what);
    }

    fn as_str(&self) -> &str {
        self.bytes
            .get(..self.length as usize)
            .and_then(|bytes| str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    /// Returns the Fowler-Noll-Vo hash (FNV-1a).
    fn sum(&self) -> u32 {
        self.as_str()
            .bytes()
            .fold(0x811C_9DC5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

impl Write for Text {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        for character in more.chars() {
            let Some(place) = self.bytes.get_mut(self.length as usize) else { break };
            // A quote would end the value on the console.
            *place = match character {
                '"' => b'\'',
                ' '..='~' => character as u8,
                _ => b' ',
            };
            self.length += 1;
        }
        Ok(())
    }
}
