//! The board's UART0, both ways.
//!
//! The FIFOs are off: each byte asks for an interrupt when its stop bit is there, whose handler notes the microsecond
//! (datasheet 4.2.5).

use core::cell::RefCell;

use cortex_m::interrupt::{Mutex, free};
use heapless::{Deque, Vec};
use probe_protocol::message::Wire;
use probe_protocol::{Observation, ProbeTime, UART_BAUD};
use rp2040_hal::gpio::bank0::{Gpio0, Gpio1};
use rp2040_hal::gpio::{FunctionUart, Pin, PullNone, PullUp};
use rp2040_hal::pac::{self, UART0, interrupt};
use rp2040_hal::uart::{Enabled, UartPeripheral};

use crate::chip::{give_way, micros, store, unmask};
use crate::outbox::Outbox;
use crate::tasks::wait_for_a_quiet_moment;

/// Bytes from the board that wait for the loop: 22 ms of them.
const RECEIVED: usize = 256;
/// Bytes to the board that wait for their turn: the host sends tasks at the pace of the line.
const SENT: usize = 256;
/// Bytes in an observation.
const TOGETHER: usize = 64;
/// Nanoseconds of a byte.
const BYTE_NS: u64 = 10_000_000_000 / UART_BAUD as u64;
/// Bytes follow each other if the next is not further off than this, in nanoseconds.
const OFF_NS: u64 = 2_000;
/// The interrupt comes in the middle of the stop bit.
const HALF_BIT_NS: u64 = 500_000_000 / UART_BAUD as u64;

const RXIM: u32 = 1 << 4;
const TXIM: u32 = 1 << 5;
const RXFE: u32 = 1 << 4;
const TXFF: u32 = 1 << 5;
/// UARTDR: the stop bit was low, all of it was, a byte before was lost (datasheet 4.2.8).
const NO_STOP: u32 = 1 << 8 | 1 << 10;
const OVERRUN: u32 = 1 << 11;
/// FUNCSEL of GPIO 0: UART, or nothing.
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

/// UART0.
pub struct Console {
    _uart: Uart,
}

#[expect(unsafe_code, reason = "the handler has no owner to hand it the UART")]
fn uart() -> &'static pac::uart0::RegisterBlock {
    // SAFETY: rp2040-hal's peripheral is kept and not used.
    unsafe { &*UART0::ptr() }
}

/// Puts bytes on the line to the board, behind those that wait.
pub fn send(bytes: &[u8]) {
    free(|key| {
        let Ok(mut queues) = QUEUES.borrow(key).try_borrow_mut() else { return };
        // The line's pace is the host's: what does not fit was sent too fast, and is lost as on any line.
        bytes.iter().for_each(|byte| {
            let _ = queues.sent.push_back(*byte);
        });
        queues.transmit();
    });
}

/// The board has power, or not: a line that is driven high would feed a board without power.
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

    /// The UART has `read` at `now`.
    fn receive(&mut self, now: u64, read: u32) {
        if read & OVERRUN != 0 {
            self.lost.get_or_insert(now);
        }
        // A line that rests at low is a board that starts, not a byte.
        if read & NO_STOP == 0 && self.received.push_back((now, read as u8)).is_err() {
            self.lost.get_or_insert(now);
        }
    }
}

/// The handler of tasks may interrupt it, but for what both share.
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
    /// The console on `uart`, without FIFOs.
    pub fn new(uart: Uart) -> Self {
        Self { _uart: uart }
    }

    /// From now on bytes are taken.
    pub fn begin(&self) {
        uart().uartlcr_h().modify(|_, w| w.fen().clear_bit());
        store(uart().uartimsc().as_ptr(), RXIM | TXIM);
        connect(false);
        give_way(pac::Interrupt::UART0_IRQ);
        unmask(pac::Interrupt::UART0_IRQ);
    }

    /// Says what has come, if somebody is told. True if something has.
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
                outbox.say_of(Wire::Uart, at, &Observation::Uart { at, bytes: &together });
            }
        }
    }
}

/// The end of the next byte's stop bit, that byte and those that follow it at once, and when bytes were lost.
fn next() -> (Option<ProbeTime>, Vec<u8, TOGETHER>, Option<u64>) {
    wait_for_a_quiet_moment();
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
