//! Input that a step handles, and what observing tools get, on a board of which only the contacts
//! and the console do anything.

extern crate std;

use core::cell::Cell;
use core::convert::Infallible;
use std::boxed::Box;
use std::collections::VecDeque;
use std::rc::Rc;

use embedded_hal::pwm;
use embedded_hal::spi::{self, Operation};
use embedded_io::ErrorType;

use super::*;
use crate::pins::button::Button;
use crate::pins::debounce::Levels;
use crate::storage::chip::Chip;

/// A pin of any kind that is connected to nothing.
struct Pin;

impl digital::ErrorType for Pin {
    type Error = Infallible;
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The LCD's wire, with the number of bytes sent on it.
struct Wire(Rc<Cell<u32>>);

impl spi::ErrorType for Wire {
    type Error = Infallible;
}

impl SpiDevice for Wire {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        for operation in operations {
            if let Operation::Write(bytes) = operation {
                self.0.set(self.0.get() + bytes.len() as u32);
            }
        }
        Ok(())
    }
}

/// The buzzer, with its duty cycle in per cent.
#[derive(Default)]
struct Piezo(u16);

impl pwm::ErrorType for Piezo {
    type Error = Infallible;
}

impl pwm::SetDutyCycle for Piezo {
    fn max_duty_cycle(&self) -> u16 {
        100
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        self.0 = duty;
        Ok(())
    }
}

impl Buzzer for Piezo {
    fn set_frequency(&mut self, _: u32) {}
}

impl Entropy for Pin {
    fn bit(&mut self) -> bool {
        false
    }

    fn stir(&mut self, _: Instant) {}
}

impl DelayNs for Pin {
    fn delay_ns(&mut self, _: u32) {}
}

#[derive(Default)]
struct Keys(VecDeque<Change>);

impl Contacts for Keys {
    fn levels(&mut self) -> Result<Levels, digital::ErrorKind> {
        Ok(Levels::NONE)
    }

    fn take_change(&mut self) -> Result<Option<Change>, digital::ErrorKind> {
        Ok(self.0.pop_front())
    }
}

/// Takes all output; has `typed` as input, or reports input although it has none.
#[derive(Default)]
struct Uart {
    typed: VecDeque<u8>,
    pretends: bool,
}

impl ErrorType for Uart {
    type Error = Infallible;
}

impl Read for Uart {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let typed = self.typed.pop_front();
        Ok(bytes.iter_mut().zip(typed).map(|(to, byte)| *to = byte).count())
    }
}

impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.pretends || !self.typed.is_empty())
    }
}

impl Write for Uart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl WriteReady for Uart {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(true)
    }
}

struct Bench;

impl Board for Bench {
    type Spi = Wire;
    type Dc = Pin;
    type Reset = Pin;
    type Backlight = Pin;
    type Contacts = Keys;
    type Buzzer = Piezo;
    type Console = Uart;
    type Flash = Chip;
    type Entropy = Pin;
    type Lent<T: 'static> = Box<T>;
}

/// Time of the first step: everything before has settled.
const FIRST_STEP: Instant = Instant(1_000_000);

/// Returns a board that has been switched on and has made no step.
fn booted() -> Firmware<Bench> {
    booted_on(Wire(Rc::default()))
}

fn booted_on(spi: Wire) -> Firmware<Bench> {
    let parts = Parts {
        spi,
        dc: Pin,
        reset: Pin,
        backlight: Pin,
        contacts: Keys::default(),
        buzzer: Piezo::default(),
        console: Uart::default(),
        flash: Chip::factory_new(),
        entropy: Pin,
    };
    let memory = Memory { app: Box::default(), canvas: Box::default() };
    Firmware::boot(parts, memory, &mut Pin).expect("nothing fails")
}

/// Returns such a board when the first picture is complete, and the time.
fn at_rest() -> (Firmware<Bench>, Instant) {
    let (mut firmware, mut now) = (booted(), FIRST_STEP);
    for _ in 0..1_000 {
        match firmware.step(now).expect("nothing fails") {
            Wake::Now => now = now.saturating_add(Micros(100)),
            Wake::At(at) if at < now.saturating_add(UART_RETRY) => now = at,
            Wake::At(_) | Wake::OnInput => return (firmware, now),
        }
    }
    panic!("it never rests");
}

#[test]
fn an_observer_sees_the_shown_and_the_next_picture() {
    let mut firmware = booted();
    assert_eq!(firmware.views(), (None, None));
    assert_eq!(firmware.step(FIRST_STEP), Ok(Wake::Now));
    let drawn = firmware.views().1.copied();
    assert!(firmware.views().0.is_none() && drawn.is_some());
    let (firmware, _) = at_rest();
    assert_eq!(firmware.views(), (drawn.as_ref(), None));
}

/// On a bus of 31.25 MHz, four milliseconds are 15,625 bytes; two tiles of a picture are 6,422.
#[test]
fn a_step_of_the_first_picture_sends_two_tiles_at_least() {
    let sent = Rc::new(Cell::new(0));
    let mut firmware = booted_on(Wire(Rc::clone(&sent)));
    let before = sent.get();
    assert_eq!(firmware.step(FIRST_STEP), Ok(Wake::Now));
    let bytes = sent.get() - before;
    assert!((6_000..=BYTES_A_STEP).contains(&bytes), "{bytes}");
}

/// Changes arrive faster than steps: none is lost, and no step handles more than it has room for.
#[test]
fn a_step_with_too_many_edges_requests_another_one() {
    let (mut firmware, now) = at_rest();
    // Presses before the first picture change nothing on the board.
    let mut down = Levels::NONE;
    down.set_down(Button::at(0).expect("a button"));
    let changes = |nth: u64| Change {
        at: Instant(nth * 10_000),
        levels: if nth.is_multiple_of(2) { down } else { Levels::NONE },
    };
    firmware.contacts.0 = (0..40).map(changes).collect();
    // A change settles the previous level: the first one makes no edge.
    let mut left = 40;
    for taken in [BUTTONS + 2, BUTTONS + 1] {
        assert_eq!(firmware.step(now), Ok(Wake::Now));
        left -= taken;
        assert_eq!(firmware.contacts.0.len(), left);
    }
    assert_ne!(firmware.step(now), Ok(Wake::Now), "these were all");
    assert_eq!(firmware.contacts.0.len(), 0);
}

/// All buttons change at once when there is room for two edges of each.
#[test]
fn a_step_has_room_for_every_button_after_as_many_edges() {
    let (mut firmware, now) = at_rest();
    let (mut one, mut all) = (Levels::NONE, Levels::NONE);
    one.set_down(Button::at(0).expect("a button"));
    Button::all().for_each(|button| all.set_down(button));
    for nth in 0..=BUTTONS as u64 + 1 {
        let levels = match nth {
            nth if nth >= BUTTONS as u64 => all,
            nth if !nth.is_multiple_of(2) => one,
            _ => Levels::NONE,
        };
        firmware.contacts.0.push_back(Change { at: Instant(nth * 10_000), levels });
    }
    let mut edges = Edges::new();
    let until = firmware.take_edges(now, &mut edges).expect("nothing fails");
    assert_eq!((edges.len(), until), (2 * BUTTONS - 1, Instant((BUTTONS as u64 + 1) * 10_000)));
}

#[test]
fn a_press_counts_in_the_step_at_the_end_of_its_debounce_time() {
    let (mut firmware, now) = at_rest();
    let mut down = Levels::NONE;
    down.set_down(Button::at(0).expect("a button"));
    firmware.contacts.0.push_back(Change { at: now, levels: down });
    let counts = now.saturating_add(crate::pins::debounce::DEBOUNCE);
    let mut edges = Edges::new();
    for (at, count) in [(now, 0), (Instant(counts.0 - 1), 0), (counts, 1)] {
        assert_eq!(firmware.take_edges(at, &mut edges), Ok(at));
        assert_eq!(edges.len(), count);
    }
}

#[test]
fn a_step_reads_a_limited_number_of_bytes_and_requests_another() {
    let (mut firmware, now) = at_rest();
    firmware.uart.typed = std::iter::repeat_n(b' ', TYPED_A_STEP + 44).collect();
    assert_eq!(firmware.step(now), Ok(Wake::Now));
    assert_eq!(firmware.uart.typed.len(), 44);
    assert_ne!(firmware.step(now), Ok(Wake::Now));
    assert_eq!(firmware.uart.typed.len(), 0);
}

#[test]
fn a_line_is_executed_before_the_next_one_is_read() {
    let (mut firmware, now) = at_rest();
    firmware.uart.typed = b"get game\nget sound\n".iter().copied().collect();
    assert_eq!(firmware.step(now), Ok(Wake::Now));
    assert_eq!(firmware.uart.typed, b"get sound\n");
}

#[test]
fn a_uart_that_falsely_reports_input_keeps_no_step_busy() {
    let (mut firmware, now) = at_rest();
    firmware.uart.pretends = true;
    assert_ne!(firmware.step(now), Ok(Wake::Now));
}

/// Steps the firmware until `end`. Returns the duty cycles of the buzzer, each once.
fn duties_until(firmware: &mut Firmware<Bench>, mut now: Instant, end: Instant) -> Vec<u16, 8> {
    let mut heard = Vec::new();
    while now < end {
        let wake = firmware.step(now).expect("nothing fails");
        if !heard.contains(&firmware.buzzer.0) {
            heard.push(firmware.buzzer.0).expect("few");
        }
        now = match wake {
            Wake::At(at) => at.max(now.saturating_add(Micros(1))).min(end),
            Wake::Now => now.saturating_add(Micros(100)),
            Wake::OnInput => end,
        };
    }
    heard
}

#[test]
fn the_volume_is_the_duty_cycle_of_every_tone() {
    for (volume, duty) in [("loud", 50), ("medium", 10), ("soft", 3)] {
        let (mut firmware, now) = at_rest();
        let line = std::format!("set volume {volume}\nset introduction off\n");
        firmware.uart.typed = line.bytes().collect();
        let started = now.saturating_add(Micros::from_millis(3_000));
        duties_until(&mut firmware, now, started);
        let mut down = Levels::NONE;
        down.set_down(Button::at(0).expect("a button"));
        let end = started.saturating_add(Micros::from_millis(2_000));
        firmware.contacts.0.push_back(Change { at: started, levels: down });
        assert_eq!(duties_until(&mut firmware, started, end).as_slice(), [0, duty], "{volume}");
    }
}

/// Volume is chosen twice while the first note of its answer sounds: the same note goes on, softer.
#[test]
fn another_volume_counts_for_the_note_that_sounds() {
    let (mut firmware, mut now) = at_rest();
    firmware.uart.typed = b"set introduction off\n".iter().copied().collect();
    let mut tap = |name: &str, held: u32, until: u32| {
        let mut down = Levels::NONE;
        down.set_down(Button::all().find(|button| button.name() == name).expect("a button"));
        firmware.contacts.0.push_back(Change { at: now, levels: down });
        let up = now.saturating_add(Micros::from_millis(held));
        let mut heard = duties_until(&mut firmware, now, up);
        firmware.contacts.0.push_back(Change { at: up, levels: Levels::NONE });
        now = now.saturating_add(Micros::from_millis(until));
        heard.extend(duties_until(&mut firmware, up, now));
        heard
    };
    tap("T1", 0, 3_000);
    tap("RESET", 1_200, 1_500);
    // From Load Game to Options, and up to Volume.
    for name in ["B2", "B2"].into_iter().chain(core::iter::repeat_n("B3", 9)) {
        tap(name, 80, 200);
    }
    let [medium, soft] = [(); 2].map(|()| tap("B5", 20, 40));
    assert!(medium.ends_with(&[10]), "{medium:?}");
    assert!(soft.ends_with(&[3]), "{soft:?}");
}
