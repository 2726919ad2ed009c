//! The board's UART0, in both directions.
//!
//! The FIFOs are off: each byte requests an interrupt at its stop bit, whose handler records the
//! microsecond (datasheet 4.2.5).

use core::cell::RefCell;

use cortex_m::interrupt::{Mutex, free};
use heapless::{Deque, Vec};
use probe_protocol::message::Wire;
use probe_protocol::{Observation, ProbeTime, UART_BAUD};
use rp2040_hal::gpio::bank0::{Gpio0, Gpio1};
use rp2040_hal::gpio::{FunctionUart, Pin, PullNone, PullUp};
use rp2040_hal::pac::{self, UART0, interrupt};
use rp2040_hal::uart::{Enabled, UartPeripheral};

use crate::chip::{micros, set_lowest_priority, store, unmask};
use crate::outbox::Outbox;

/// Number of bytes from the board that wait for the loop: 22 ms of them.
const RECEIVED: usize = 256;
/// Number of bytes to the board that wait for their turn: the host sends tasks at the pace of the
/// line.
const SENT: usize = 256;
/// Maximum number of bytes in an observation.
const TOGETHER: usize = 64;
/// Duration of a byte in nanoseconds.
const BYTE_NS: u64 = 10_000_000_000 / UART_BAUD as u64;
/// Bytes count as consecutive if the gap to the next one is at most this long, in nanoseconds.
const OFF_NS: u64 = 2_000;
/// Half a bit in nanoseconds: the interrupt comes in the middle of the stop bit.
const HALF_BIT_NS: u64 = 500_000_000 / UART_BAUD as u64;

const RXIM: u32 = 1 << 4;
const TXIM: u32 = 1 << 5;
const RXFE: u32 = 1 << 4;
const TXFF: u32 = 1 << 5;
/// UARTDR: the stop bit was low, the whole byte was low, a byte before was lost (datasheet 4.2.8).
const NO_STOP: u32 = 1 << 8 | 1 << 10;
const OVERRUN: u32 = 1 << 11;
/// FUNCSEL of GPIO 0: UART, or disconnected.
const UART: u32 = 2;
const NOTHING: u32 = 31;

type Uart = UartPeripheral<
    Enabled,
    UART0,
    (Pin<Gpio0, FunctionUart, PullNone>, Pin<Gpio1, FunctionUart, PullUp>),
>;

struct Queues {
    received: Deque<(u64, u8), RECEIVED>,
    sent: Deque<u8, SENT>,
    lost: Option<u64>,
}

static QUEUES: Mutex<RefCell<Queues>> =
    Mutex::new(RefCell::new(Queues { received: Deque::new(), sent: Deque::new(), lost: None }));

/// The board's UART.
pub struct Console {
    _uart: Uart,
}

#[expect(unsafe_code, reason = "the handler has no owner to hand it the UART")]
fn uart() -> &'static pac::uart0::RegisterBlock {
    // SAFETY: rp2040-hal's peripheral is stored and not used.
    unsafe { &*UART0::ptr() }
}

/// Queues bytes for the line to the board, after those that wait.
pub fn send(bytes: &[u8]) {
    free(|key| {
        let Ok(mut queues) = QUEUES.borrow(key).try_borrow_mut() else { return };
        // The host sends at the line's pace: bytes that do not fit were sent too fast, and are lost
        // as on any line.
        bytes.iter().for_each(|byte| {
            let _ = queues.sent.push_back(*byte);
        });
        queues.transmit();
    });
}

/// Connects the line to the board only while the board has power: a line that is driven high would
/// feed a board without power.
#[expect(unsafe_code, reason = "FUNCSEL of one pin")]
pub fn connect(powered: bool) {
    let function = if powered { UART } else { NOTHING };
    // SAFETY: GPIO 0 belongs to this module.
    unsafe { store((*pac::IO_BANK0::ptr()).gpio(0).gpio_ctrl().as_ptr(), function) };
}

impl Queues {
    fn transmit(&mut self) {
        while uart().uartfr().read().bits() & TXFF == 0 {
            let Some(byte) = self.sent.pop_front() else { return };
            store(uart().uartdr().as_ptr(), byte.into());
        }
    }

    /// Handles `read` from the UART's data register at `now`.
    fn receive(&mut self, now: u64, read: u32) {
        if read & OVERRUN != 0 {
            self.lost.get_or_insert(now);
        }
        // A line that stays low is a board that starts, not a byte.
        if read & NO_STOP == 0 && self.received.push_back((now, read as u8)).is_err() {
            self.lost.get_or_insert(now);
        }
    }
}

/// The handler of tasks may interrupt this one, except while it accesses data that both share.
#[interrupt]
fn UART0_IRQ() {
    store(uart().uarticr().as_ptr(), RXIM | TXIM);
    while uart().uartfr().read().bits() & RXFE == 0 {
        let now = micros();
        let read = uart().uartdr().read().bits();
        free(|key| QUEUES.borrow(key).borrow_mut().receive(now, read));
    }
    free(|key| QUEUES.borrow(key).borrow_mut().transmit());
}

impl Console {
    /// Creates the console on `uart`, without FIFOs.
    pub fn new(uart: Uart) -> Self {
        Self { _uart: uart }
    }

    /// Begins to receive bytes.
    pub fn begin(&self) {
        uart().uartlcr_h().modify(|_, w| w.fen().clear_bit());
        store(uart().uartimsc().as_ptr(), RXIM | TXIM);
        connect(false);
        set_lowest_priority(pac::Interrupt::UART0_IRQ);
        unmask(pac::Interrupt::UART0_IRQ);
    }

    /// Sends received bytes to the host if one is connected. Returns true if there were any.
    pub fn poll(&self, outbox: &mut Outbox, told: bool) -> bool {
        let mut busy = false;
        loop {
            let (first, together, lost) = next();
            if let Some(at) = lost.filter(|_| told) {
                outbox.lose(Wire::Uart, ProbeTime::from_micros(at));
            }
            let Some(at) = first else { return busy };
            busy = true;
            if told {
                outbox.push_bulk(Wire::Uart, at, &Observation::Uart { at, bytes: &together });
            }
        }
    }
}

/// Returns the end of the next byte's stop bit, that byte with those that follow it without a gap,
/// and the time at which bytes were lost.
fn next() -> (Option<ProbeTime>, Vec<u8, TOGETHER>, Option<u64>) {
    free(|key| {
        let mut queues = QUEUES.borrow(key).borrow_mut();
        let mut together = Vec::new();
        let mut begin = None;
        while let Some((at, byte)) = queues.received.front().copied() {
            let at = at * 1000 + HALF_BIT_NS;
            let expected = begin.map_or(at, |begin| begin + together.len() as u64 * BYTE_NS);
            if at.abs_diff(expected) > OFF_NS || together.push(byte).is_err() {
                break;
            }
            begin.get_or_insert(at);
            queues.received.pop_front();
        }
        (begin.map(ProbeTime), together, queues.lost.take())
    })
}
