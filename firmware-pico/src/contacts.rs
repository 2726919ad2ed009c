//! Thirteen buttons that connect to ground. Each edge requests an interrupt, whose handler records
//! the microsecond and the levels at any time, also during a step.
//!
//! While the flash is written no handler can run ([`crate::flash`]): an edge is then recorded at
//! the end of the page (0.4 ms) or of the sector (45 ms).

use core::cell::RefCell;
use core::mem;

use cortex_m::interrupt::{CriticalSection, Mutex, free};
use cortex_m::peripheral::NVIC;
use embedded_hal::digital::{ErrorKind, InputPin as _};
use firmware_core::button::{BUTTONS, Button};
use firmware_core::contacts::{Change, Contacts};
use firmware_core::debounce::Levels;
use firmware_core::time::Instant;
use heapless::Deque;
use rp2040_hal::Timer;
use rp2040_hal::gpio::{
    AnyPin, DynPinId, FunctionNull, FunctionSioInput, Interrupt, Pin, PinId, PullDown, PullUp,
    ValidFunction,
};
use rp2040_hal::pac::interrupt;

/// Maximum number of changes that wait for a step. A bouncing contact makes fewer than ten in the
/// longest step that draws or thinks.
const KEPT: usize = 64;

/// The pins and the timer, for the handler.
static PINS: Mutex<RefCell<Option<Pins>>> = Mutex::new(RefCell::new(None));

/// Changes that the handler has recorded. All bytes are initially zero: it is in `.bss`.
static NOTES: Mutex<RefCell<Notes>> = Mutex::new(RefCell::new(Notes::new()));

/// A button's pin.
pub type ButtonPin = Pin<DynPinId, FunctionSioInput, PullUp>;

struct Pins {
    /// Pins in the order B1…B6, T1…T6, RESET.
    buttons: [ButtonPin; BUTTONS],
    timer: Timer,
}

struct Notes {
    /// Newest levels.
    newest: Change,
    /// Changes that the firmware has not taken; `newest` is the last one if there was room for it.
    changes: Deque<Change, KEPT>,
    /// Whether there was no room for `newest`.
    lost: bool,
}

/// The contacts, for the firmware. There is only one.
pub struct PicoContacts(());

/// Configures a pin with its pull-up.
pub fn button<I>(pin: Pin<I, FunctionNull, PullDown>) -> ButtonPin
where
    I: PinId + ValidFunction<FunctionSioInput>,
    Pin<I, FunctionNull, PullDown>: AnyPin,
{
    pin.into_pull_up_input().into_dyn_pin()
}

impl PicoContacts {
    /// Creates the contacts from `buttons`, in the order B1…B6, T1…T6, RESET. From now on their
    /// edges request an interrupt.
    pub fn new(buttons: [ButtonPin; BUTTONS], timer: Timer) -> Self {
        for pin in &buttons {
            pin.set_interrupt_enabled(Interrupt::EdgeLow, true);
            pin.set_interrupt_enabled(Interrupt::EdgeHigh, true);
        }
        free(|key| PINS.borrow(key).replace(Some(Pins { buttons, timer })));
        Self(())
    }
}

impl Contacts for PicoContacts {
    fn levels(&mut self) -> Result<Levels, ErrorKind> {
        Ok(free(|key| {
            note(key);
            with_notes(key, |notes| {
                (notes.changes, notes.lost) = (Deque::new(), false);
                notes.newest.levels
            })
        })
        .unwrap_or_default())
    }

    fn take_change(&mut self) -> Result<Option<Change>, ErrorKind> {
        let take = |notes: &mut Notes| {
            notes.changes.pop_front().or_else(|| mem::take(&mut notes.lost).then_some(notes.newest))
        };
        Ok(free(|key| with_notes(key, take)).flatten())
    }
}

/// Returns whether a change waits for the firmware.
pub fn has_changed(key: &CriticalSection) -> bool {
    with_notes(key, |notes| notes.lost || !notes.changes.is_empty()).unwrap_or(false)
}

/// Enables the handler.
#[expect(unsafe_code, reason = "cortex-m cannot know that nothing relies on a mask here")]
pub fn listen() {
    // SAFETY: the data that the handler shares with the firmware is protected by a critical
    // section.
    unsafe {
        NVIC::unmask(rp2040_hal::pac::Interrupt::IO_IRQ_BANK0);
        cortex_m::interrupt::enable();
    }
}

/// Runs `work` on the recorded changes. They are borrowed only within critical sections, so they
/// are free here.
fn with_notes<T>(key: &CriticalSection, work: impl FnOnce(&mut Notes) -> T) -> Option<T> {
    Some(work(&mut *NOTES.borrow(key).try_borrow_mut().ok()?))
}

/// Records the current levels of the pins if they have changed. If a contact has moved and returned
/// meanwhile, as a bounce does within some microseconds, both edges are recorded: the first edge of
/// a press determines its time.
fn note(key: &CriticalSection) {
    let Ok(mut pins) = PINS.borrow(key).try_borrow_mut() else { return };
    let Some(Pins { buttons, timer }) = &mut *pins else { return };
    let at = Instant(timer.get_counter().ticks());
    with_notes(key, |notes| {
        let before = notes.newest.levels;
        let (mut between, mut levels) = (Levels::default(), Levels::default());
        for (button, pin) in Button::all().zip(buttons) {
            // The edge is cleared before the level is read, and only if it was seen: an edge in
            // between is seen twice, never missed.
            let [fell, rose] = [Interrupt::EdgeLow, Interrupt::EdgeHigh].map(|edge| {
                let seen = pin.interrupt_status(edge);
                if seen {
                    pin.clear_interrupt(edge);
                }
                seen
            });
            let Ok(down) = pin.is_low();
            let went = if down { rose } else { fell };
            let is_back = went && before.is_down(button) == down;
            if down {
                levels.set_down(button);
            }
            if down != is_back {
                between.set_down(button);
            }
        }
        notes.change(at, between);
        notes.change(at, levels);
    });
}

impl Notes {
    const fn new() -> Self {
        let newest = Change { at: Instant::POWER_ON, levels: Levels::NONE };
        Self { newest, changes: Deque::new(), lost: false }
    }

    fn change(&mut self, at: Instant, levels: Levels) {
        if self.newest.levels != levels {
            self.newest = Change { at, levels };
            self.lost |= self.changes.push_back(self.newest).is_err();
        }
    }
}

#[interrupt]
fn IO_IRQ_BANK0() {
    free(note);
}
