//! Timed actions, to the microsecond: buttons, power, bytes to the console.
//!
//! The loop puts tasks into a queue; alarm 0's handler executes those that are due and sets the
//! alarm for the next one (datasheet 4.6.3). A line is pulled by enabling its output, which is
//! constantly 0: no line is ever driven high.

use core::cell::RefCell;

use cortex_m::interrupt::{CriticalSection, Mutex, free};
use heapless::binary_heap::{BinaryHeap, Min};
use heapless::{Deque, Vec};
use probe_protocol::message::UART_TASK;
use probe_protocol::{LINES, ProbeTime, QUEUE, Refusal, Task, wiring};
use rp2040_hal::pac::{self, interrupt};

use crate::chip::{micros, store, timer_registers, unmask};
use crate::console;

/// Bit of alarm 0 in the timer's registers.
const ALARM: u32 = 1 << 0;
/// Longest time to an alarm in microseconds. The alarm compares the lower 32 bits of the time; a
/// task further away gets an intermediate alarm.
const FAR_US: u64 = 1_000_000;
/// Time in microseconds before a due task in which the loop does not delay the handler: longer than
/// a poll of the USB controller takes, which copies packets with interrupts disabled.
const SOON_US: u64 = 30;
/// Maximum number of power changes that wait to be reported.
const SWITCHED: usize = 16;
const LINES_MASK: u32 = ((1 << LINES) - 1) << wiring::FIRST_LINE;
const POWER_MASK: u32 = 1 << wiring::POWER.probe;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Work {
    Press(u8),
    Release(u8),
    Power(bool),
    /// Slot with the bytes.
    Uart(u8),
}

/// A queued task. Ordered by due time, and at the same time by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    at_us: u64,
    number: u32,
    work: Work,
}

struct Tasks {
    queue: BinaryHeap<Due, Min, QUEUE>,
    texts: [Vec<u8, UART_TASK>; QUEUE],
    done: u32,
    powered: bool,
    switched: Deque<(u64, bool), SWITCHED>,
}

static TASKS: Mutex<RefCell<Tasks>> = Mutex::new(RefCell::new(Tasks {
    queue: BinaryHeap::new(),
    texts: [const { Vec::new() }; QUEUE],
    done: 0,
    powered: false,
    switched: Deque::new(),
}));

#[expect(
    unsafe_code,
    reason = "the handler and the loop set and clear bits by writes of their own"
)]
fn sio() -> &'static pac::sio::RegisterBlock {
    // SAFETY: only its set and clear registers are written.
    unsafe { &*pac::SIO::ptr() }
}

fn with<T>(work: impl FnOnce(&mut Tasks) -> T) -> T {
    free(|key| work(&mut TASKS.borrow(key).borrow_mut()))
}

/// Begins to execute tasks.
pub fn begin() {
    store(sio().gpio_oe_clr().as_ptr(), LINES_MASK);
    store(sio().gpio_out_clr().as_ptr(), LINES_MASK);
    store(timer_registers().inte().as_ptr(), timer_registers().inte().read().bits() | ALARM);
    unmask(pac::Interrupt::TIMER_IRQ_0);
}

/// Begins a session in which no task has been executed.
pub fn open() {
    release_all();
    with(|tasks| {
        tasks.done = 0;
        tasks.switched.clear();
    });
}

/// Returns the number of tasks that have been executed or refused since the session began.
pub fn done() -> u32 {
    with(|tasks| tasks.done)
}

/// Returns whether the board's power is on.
pub fn is_powered() -> bool {
    with(|tasks| tasks.powered)
}

/// Removes and returns the next change of the power, with its microsecond.
pub fn take_switched() -> Option<(u64, bool)> {
    with(|tasks| tasks.switched.pop_front())
}

/// Queues a task.
///
/// # Errors
/// The task cannot be executed; it counts as done.
pub fn add(number: u32, at: ProbeTime, task: &Task<'_>) -> Result<(), Refusal> {
    wait_until_no_task_is_imminent();
    let at_us = at.as_micros();
    with(|tasks| {
        let added = tasks.add(number, at_us, task);
        if added.is_err() {
            tasks.done = tasks.done.wrapping_add(1);
        }
        tasks.set_alarm();
        added
    })
}

/// Releases every button and drops all tasks, which count as done.
pub fn release_all() {
    with(|tasks| {
        store(sio().gpio_oe_clr().as_ptr(), LINES_MASK);
        tasks.done = tasks.done.wrapping_add(tasks.queue.len() as u32);
        tasks.queue.clear();
        tasks.texts.iter_mut().for_each(Vec::clear);
    });
}

/// Waits while a task is due within [`SOON_US`]. Call it before code that disables interrupts for
/// about a microsecond or longer.
pub fn wait_until_no_task_is_imminent() {
    while with(|tasks| {
        let now = micros();
        tasks.queue.peek().is_some_and(|first| first.at_us >= now && first.at_us < now + SOON_US)
    }) {}
}

impl Tasks {
    fn add(&mut self, number: u32, at_us: u64, task: &Task<'_>) -> Result<(), Refusal> {
        task.check().map_err(|_| Refusal::NotPossible)?;
        if self.queue.is_full() {
            return Err(Refusal::QueueFull);
        }
        let work = match *task {
            Task::Press(line) => Work::Press(line),
            Task::Release(line) => Work::Release(line),
            Task::Power(on) => Work::Power(on),
            Task::Uart(bytes) => {
                let free = self.texts.iter().position(Vec::is_empty);
                let slot = free.ok_or(Refusal::QueueFull)?;
                self.texts[slot].extend_from_slice(bytes).map_err(|_| Refusal::NotPossible)?;
                Work::Uart(slot as u8)
            }
        };
        if at_us < micros() {
            if let Work::Uart(slot) = work {
                self.texts[usize::from(slot)].clear();
            }
            return Err(Refusal::TooLate);
        }
        self.queue.push(Due { at_us, number, work }).map_err(|_| Refusal::QueueFull)
    }

    /// Executes the tasks that are due, and sets the alarm.
    fn run(&mut self) {
        while let Some(first) = self.queue.peek().filter(|first| first.at_us <= micros()) {
            let Due { at_us, work, .. } = *first;
            match work {
                Work::Press(line) => {
                    store(sio().gpio_oe_set().as_ptr(), 1 << (wiring::FIRST_LINE + line));
                }
                Work::Release(line) => {
                    store(sio().gpio_oe_clr().as_ptr(), 1 << (wiring::FIRST_LINE + line));
                }
                Work::Power(on) => self.switch(at_us, on),
                Work::Uart(slot) => {
                    let text = &mut self.texts[usize::from(slot)];
                    console::send(text);
                    text.clear();
                }
            }
            self.queue.pop();
            self.done = self.done.wrapping_add(1);
        }
        self.set_alarm();
    }

    fn switch(&mut self, at_us: u64, on: bool) {
        if on {
            store(sio().gpio_out_set().as_ptr(), POWER_MASK);
        } else {
            store(sio().gpio_out_clr().as_ptr(), POWER_MASK);
        }
        console::connect(on);
        if on && !self.powered {
            clear_edges();
        }
        self.powered = on;
        // The host is only notified of changes; if it does not keep up, of the latest ones.
        if self.switched.is_full() {
            self.switched.pop_front();
        }
        let _ = self.switched.push_back((at_us, on));
    }

    fn set_alarm(&mut self) {
        let timer = timer_registers();
        let Some(first) = self.queue.peek() else {
            // Disarms alarm 0.
            store(timer.armed().as_ptr(), ALARM);
            return;
        };
        let now = micros();
        let at = first.at_us.min(now + FAR_US);
        store(timer.alarm0().as_ptr(), at as u32);
        // The alarm compares for equality, so a task that is due by now must be triggered.
        if at <= micros() {
            cortex_m::peripheral::NVIC::pend(pac::Interrupt::TIMER_IRQ_0);
        }
    }
}

#[interrupt]
fn TIMER_IRQ_0() {
    store(timer_registers().intr().as_ptr(), ALARM);
    let run = |key: &CriticalSection| TASKS.borrow(key).borrow_mut().run();
    free(run);
}

#[expect(unsafe_code, reason = "INTR of the pins, which nothing else uses")]
fn pins() -> &'static pac::io_bank0::RegisterBlock {
    // SAFETY: its edges are read and cleared only here.
    unsafe { &*pac::IO_BANK0::ptr() }
}

/// Clears the recorded edges: [`changed_pins`] reports pins that change after this call.
fn clear_edges() {
    for register in 0..4 {
        store(pins().intr(register).as_ptr(), u32::MAX);
    }
}

/// Returns the pins that have changed since the power was switched on: bit n is GPIO n.
pub fn changed_pins() -> u32 {
    let mut moved = 0;
    for pin in 0..30 {
        // Two bits of levels, two of edges.
        let edges = pins().intr(pin / 8).read().bits() >> (pin % 8 * 4) & 0b1100;
        moved |= u32::from(edges != 0) << pin;
    }
    moved
}
