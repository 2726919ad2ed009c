//! UART0: sends lines as fast as its FIFO takes them, and receives typed bytes.
//!
//! A received byte requests an interrupt, whose handler stores it: a step may take longer than the
//! 2.8 ms in which the receiver's FIFO of 32 bytes fills up. While the flash is written no handler
//! can run ([`crate::flash`]): bytes that arrive then are lost, and their line is refused.

use core::cell::RefCell;
use core::convert::Infallible;
use core::fmt;
use core::mem;

use cortex_m::interrupt::{CriticalSection, Mutex, free};
use embedded_hal_nb::nb;
use embedded_io::{ErrorKind, ErrorType, Read, ReadReady, Write, WriteReady};
use heapless::Deque;
use rp2040_hal::gpio::bank0::{Gpio0, Gpio1};
use rp2040_hal::gpio::{FunctionUart, Pin, PullDown, PullUp};
use rp2040_hal::pac::{Interrupt, NVIC, UART0, interrupt};
use rp2040_hal::uart::{Enabled, ReadErrorType, Reader, UartPeripheral, Writer};

/// TX and RX. RX is pulled up, so it may be unconnected.
pub type UartPins = (Pin<Gpio0, FunctionUart, PullDown>, Pin<Gpio1, FunctionUart, PullUp>);

/// Maximum number of bytes that wait for a step: 22 ms of them, which is more than the longest step
/// that does not write to flash.
const KEPT: usize = 256;

/// The receiver, for the handler, and the bytes that the handler has stored. All bytes except those
/// of the receiver are initially zero.
static RECEIVER: Mutex<RefCell<Option<Reader<UART0, UartPins>>>> = Mutex::new(RefCell::new(None));
static TYPED: Mutex<RefCell<Typed>> =
    Mutex::new(RefCell::new(Typed { bytes: Deque::new(), lost: false }));

struct Typed {
    /// The bytes in their order; `None` where bytes are missing or were received incorrectly.
    bytes: Deque<Option<u8>, KEPT>,
    /// Whether bytes after these are missing or were received incorrectly.
    lost: bool,
}

impl Typed {
    fn push(&mut self, byte: u8) {
        if self.lost && self.bytes.push_back(None).is_ok() {
            self.lost = false;
        }
        if !self.lost {
            self.lost = self.bytes.push_back(Some(byte)).is_err();
        }
    }
}

/// Bytes were lost, or received incorrectly.
#[derive(Clone, Copy, Debug)]
pub struct BytesLost;

impl fmt::Display for BytesLost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("bytes were lost")
    }
}

impl core::error::Error for BytesLost {}

impl embedded_io::Error for BytesLost {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl From<Infallible> for BytesLost {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The console, for the firmware. There is only one.
pub struct PicoConsole(Writer<UART0, UartPins>);

impl PicoConsole {
    /// Creates the console from both directions of `uart`. From now on a received byte requests an
    /// interrupt.
    pub fn new(mut uart: UartPeripheral<Enabled, UART0, UartPins>) -> Self {
        uart.enable_rx_interrupt();
        let (reader, writer) = uart.split();
        free(|key| RECEIVER.borrow(key).replace(Some(reader)));
        Self(writer)
    }

    /// Writes `bytes` and waits until the FIFO has taken them.
    pub fn write_full_blocking(&self, bytes: &[u8]) {
        self.0.write_full_blocking(bytes);
    }
}

impl ErrorType for PicoConsole {
    type Error = BytesLost;
}

impl Write for PicoConsole {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, BytesLost> {
        Ok(Write::write(&mut self.0, bytes)?)
    }

    fn flush(&mut self) -> Result<(), BytesLost> {
        Ok(Write::flush(&mut self.0)?)
    }
}

impl WriteReady for PicoConsole {
    fn write_ready(&mut self) -> Result<bool, BytesLost> {
        Ok(self.0.write_ready()?)
    }
}

impl Read for PicoConsole {
    /// Returns the stored bytes up to a lost one, possibly none.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, BytesLost> {
        free(|key| {
            with_typed(key, |typed| {
                if let Some(None) = typed.bytes.front() {
                    typed.bytes.pop_front();
                    return Err(BytesLost);
                }
                if typed.bytes.is_empty() && mem::take(&mut typed.lost) {
                    return Err(BytesLost);
                }
                let mut count = 0;
                while count < buffer.len()
                    && let Some(Some(byte)) = typed.bytes.front().copied()
                {
                    typed.bytes.pop_front();
                    buffer[count] = byte;
                    count += 1;
                }
                Ok(count)
            })
        })
        .unwrap_or(Ok(0))
    }
}

impl ReadReady for PicoConsole {
    fn read_ready(&mut self) -> Result<bool, BytesLost> {
        Ok(free(has_input))
    }
}

/// Returns whether typed bytes wait for the firmware.
pub fn has_input(key: &CriticalSection) -> bool {
    with_typed(key, |typed| typed.lost || !typed.bytes.is_empty()).unwrap_or(false)
}

/// Runs `work` on the stored bytes. They are borrowed only within critical sections, so they are
/// free here.
fn with_typed<T>(key: &CriticalSection, work: impl FnOnce(&mut Typed) -> T) -> Option<T> {
    Some(work(&mut *TYPED.borrow(key).try_borrow_mut().ok()?))
}

/// Empties the receiver's FIFO, which also clears its interrupt request.
fn receive(key: &CriticalSection) {
    let Ok(receiver) = RECEIVER.borrow(key).try_borrow() else { return };
    let Some(receiver) = &*receiver else { return };
    let mut buffer = [0; 8];
    loop {
        // Number of good bytes, and of those before a lost one.
        let (count, lost_after) = match receiver.read_raw(&mut buffer) {
            Ok(count) => (count, None),
            Err(nb::Error::WouldBlock) => return,
            Err(nb::Error::Other(error)) => match (error.err_type, error.discarded.len()) {
                // The last byte is good and comes after the lost one.
                (ReadErrorType::Overrun, count @ 1..) => (count, Some(count - 1)),
                (_, count) => (count, Some(count)),
            },
        };
        with_typed(key, |typed| {
            for (nth, byte) in buffer[..count].iter().enumerate() {
                typed.lost |= lost_after == Some(nth);
                typed.push(*byte);
            }
            typed.lost |= lost_after == Some(count);
        });
    }
}

/// Enables the handler; it runs once interrupts are not masked.
#[expect(unsafe_code, reason = "cortex-m cannot know that nothing relies on a mask here")]
pub fn listen() {
    // SAFETY: the data that the handler shares with the firmware is protected by a critical
    // section.
    unsafe { NVIC::unmask(Interrupt::UART0_IRQ) };
}

#[interrupt]
fn UART0_IRQ() {
    free(receive);
}
