//! The virtual LCD board: one clock, thirteen contacts, the LCD at the end of its SPI wire,
//! backlight, buzzer, console and flash.
//!
//! [`VirtualBoard`] is a handle; clones and the pins it hands out are the same board. The
//! firmware gets the pins (embedded-hal, embedded-io, embedded-storage), the replayer and
//! the window press buttons and look at the glass. It knows no firmware, no game and no
//! trace, and it never reads a clock other than its own.

mod backlight;
mod circuit;
mod console;
mod contact;
mod entropy;
mod fault;
mod input;
mod noise;
mod probe;
mod sound;
mod terminals;
mod typing;
mod wires;

use std::cell::RefCell;
use std::rc::Rc;

pub use console::{CONSOLE_KEPT, ConsoleLine, UART_BAUD, UART_FIFO};
pub use contact::BOUNCE_HELD_BELOW;
pub use input::Input;
pub use probe::{LcdPin, Probe, TOLD_WITHIN};
pub use sound::{TONES_KEPT, Tone};
pub use terminals::Terminals;
pub use wires::{
    Backlight, BoardDelay, ButtonPin, Buzzer, Contacts, Entropy, FlashHandle, LcdDc, LcdReset,
    LcdSpi, Uart,
};

pub use ili9341_model::{BusStats, FRAME_IDLE, Ili9341, Rule, Violation};

use crate::flash::{FLASH_SIZE, FlashChip, FlashReader};
use backlight::BacklightWire;
use circuit::{BYTE_AT_ONE_HERTZ, Circuit};
use console::Console;
use contact::Contact;
use entropy::Source;
use ili9341_model::{Frame, KeptFrame, Tiles};
use probe::Clip;
use sound::Sound;
use trace::Button;
use typing::Typing;
use virtual_time::{Instant, Nanos};

/// The screen is settled once nothing has been drawn for this long.
pub const SETTLED_AFTER: Nanos = Nanos::from_millis(100);

const _: () = assert!(SETTLED_AFTER.0 > FRAME_IDLE.0);

/// What a board is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardConfig {
    /// SPI clock in hertz; 31.25 MHz on the board. Below 1 counts as 1.
    pub spi_hz: u32,
    /// How long a contact bounces at most; zero = it does not.
    pub bounce: Nanos,
    /// The seed of bounce and of what the LCD's memory holds at power-on.
    pub seed: u64,
    /// The seed of the board's source of chance, which gives other bits at each power-on; `None`:
    /// it stands still.
    pub entropy: Option<u64>,
    /// The last 256 KiB of the flash; `None` = factory-new, every byte `0xFF`. Of an image
    /// of another size the first 256 KiB count, and what is missing is `0xFF`; a caller that reads
    /// one from a file checks it first with [`FlashChip::from_image`].
    pub flash: Option<Vec<u8>>,
    /// Describes the flash for [`VirtualBoard::flash_lines`]; the board itself knows only its bytes.
    pub flash_reader: Option<FlashReader>,
}

impl Default for BoardConfig {
    fn default() -> Self {
        Self {
            spi_hz: 31_250_000,
            bounce: Nanos::ZERO,
            seed: 0,
            entropy: None,
            flash: None,
            flash_reader: None,
        }
    }
}

/// A handle to the board; [`fork`](Self::fork) makes another board. Single-threaded: a machine
/// lives on one thread.
#[derive(Clone)]
pub struct VirtualBoard(Rc<RefCell<Circuit>>);

impl VirtualBoard {
    /// A board without power, its clock at 0.
    pub fn new(config: BoardConfig) -> Self {
        let BoardConfig { spi_hz, bounce, seed, entropy, flash, flash_reader } = config;
        let flash = flash.and_then(|mut image| {
            image.resize(FLASH_SIZE, 0xFF);
            FlashChip::from_image(image).ok()
        });
        Self(Rc::new(RefCell::new(Circuit {
            now: Instant::START,
            powered: false,
            spi_hz: u64::from(spi_hz.max(1)),
            spi_byte: (BYTE_AT_ONE_HERTZ.is_multiple_of(u64::from(spi_hz.max(1))))
                .then(|| BYTE_AT_ONE_HERTZ / u64::from(spi_hz.max(1))),
            spi_remainder: 0,
            contacts: Button::ALL.map(|button| Contact::new(button, seed, bounce)),
            lcd: Ili9341::new(seed),
            console: Console::default(),
            typing: Typing::default(),
            sound: Sound::default(),
            backlight: BacklightWire::default(),
            flash: flash.unwrap_or_default(),
            flash_reader,
            clip: Clip::default(),
            inputs_to: Clip::default(),
            seed,
            inputs_from: None,
            entropy: Source::new(entropy),
            noise: None,
            cut_at: None,
            off_since: Instant::START,
            cut: false,
        })))
    }

    /// Lets `probe` hear what moves on the wires from now on, instead of those before.
    pub fn clip_on(&self, probe: Rc<RefCell<dyn Probe>>) {
        self.0.borrow_mut().clip_on(Clip::on(probe));
    }

    /// Lets `probe` hear what moves on the wires from now on, beside those that do already.
    pub fn clip_on_too(&self, probe: Rc<RefCell<dyn Probe>>) {
        let circuit = &mut *self.0.borrow_mut();
        let clip = circuit.clip.and(probe);
        circuit.clip_on(clip);
    }

    /// Tells `machine` of each input from now on, whatever is clipped on: for the machine of a real board, which carries
    /// them out.
    pub fn hand_inputs_to(&self, machine: Rc<RefCell<dyn Probe>>) {
        self.0.borrow_mut().inputs_to = Clip::on(machine);
    }

    /// Another board in the same state, which goes on exactly as this one would. Nothing is clipped
    /// onto it, and its flash writes nothing down.
    pub fn fork(&self) -> Self {
        Self(Rc::new(RefCell::new(self.copied())))
    }

    fn copied(&self) -> Circuit {
        let mut circuit = self.0.borrow().clone();
        circuit.clip_on(Clip::default());
        circuit.inputs_to = Clip::default();
        circuit.flash.take_recording();
        circuit
    }

    /// Takes over the state of `other`, as [`fork`](Self::fork) gives it; the pins of this board
    /// stay its pins.
    pub fn become_like(&self, other: &Self) {
        // The copy is made first: `other` may be this board.
        let circuit = other.copied();
        *self.0.borrow_mut() = circuit;
    }

    /// Tells the probe what it has not heard of yet, up to now.
    pub fn tell_probe(&self) {
        self.0.borrow_mut().tell_probe();
    }

    /// The virtual clock.
    pub fn now(&self) -> Instant {
        self.0.borrow().now
    }

    /// Moves the clock to `at`; an earlier time does nothing.
    pub fn advance_to(&self, at: Instant) {
        self.0.borrow_mut().advance_to(at);
    }

    /// Gives power; does nothing if there is some. The LCD's memory holds seeded noise, its
    /// registers their power-on values; the backlight is off.
    pub fn power_on(&self) {
        let circuit = &mut *self.0.borrow_mut();
        if circuit.powered {
            return;
        }
        circuit.powered = true;
        circuit.cut = false;
        circuit.clip.tell(|probe| probe.power(circuit.now, true));
        circuit.spi_remainder = 0;
        circuit.settle_contacts();
        circuit.entropy.power_on();
        circuit.flash.restore_power();
        circuit.lcd.set_backlight(circuit.now, false);
        circuit.backlight.set(circuit.now, false);
        circuit.lcd.set_power(circuit.now, true);
    }

    /// Takes power away: the LCD is dark at once and forgets, the tone stops, what the UART
    /// had not sent is lost. The flash keeps, the clock runs on.
    pub fn power_off(&self) {
        self.0.borrow_mut().take_power();
    }

    /// Whether there is power.
    pub fn is_powered(&self) -> bool {
        self.0.borrow().powered
    }

    /// Since when there has been no power; `None` if there is some.
    pub fn off_since(&self) -> Option<Instant> {
        let circuit = self.0.borrow();
        (!circuit.powered).then_some(circuit.off_since)
    }

    /// The finger goes down at `at`: the contact closes, with bounce if configured. The
    /// first edge is exactly at `at` (or just behind the last edge that the firmware has
    /// already read). Does nothing if it is down by then.
    pub fn press(&self, at: Instant, button: Button) {
        self.tell_input(Input::Finger { at, button, down: true });
        self.0.borrow_mut().move_finger(at, button, true);
    }

    /// The finger goes up at `at`; the counterpart of [`VirtualBoard::press`].
    pub fn release(&self, at: Instant, button: Button) {
        self.tell_input(Input::Finger { at, button, down: false });
        self.0.borrow_mut().move_finger(at, button, false);
    }

    /// Types `text` on the console, from `at` on, and ends the line with LF. A byte takes 87 µs. Without power nothing
    /// hears it.
    pub fn type_line(&self, at: Instant, text: &str) {
        for byte in text.bytes().chain([b'\n']) {
            self.type_byte(at, byte);
        }
    }

    /// Sends a byte to UART0's receiver, from `at` on or behind those that are under way.
    pub fn type_byte(&self, at: Instant, byte: u8) {
        self.tell_input(Input::Typed { at, byte });
        let circuit = &mut *self.0.borrow_mut();
        if circuit.powered {
            circuit.typing.send(at, byte);
        }
    }

    /// When the next byte that was typed arrives of which the firmware does not know; it may lie in the past.
    pub fn next_typed(&self) -> Option<Instant> {
        self.0.borrow().typing.next()
    }

    /// When the last byte that was typed has arrived; [`Instant::START`] if there was none.
    pub fn typed_until(&self) -> Instant {
        self.0.borrow().typing.until()
    }

    /// The earliest moment at which something may still be done to this board: it stands for a real one, which
    /// goes on while its machine looks at it. `None`: its clock stands still until it is moved, so now.
    pub fn inputs_from(&self) -> Option<Instant> {
        self.0.borrow().inputs_from
    }

    /// Says so: for the machine of a real board.
    pub fn set_inputs_from(&self, from: Instant) {
        self.0.borrow_mut().inputs_from = Some(from);
    }

    /// Whether the finger is on `button` now, without bounce.
    pub fn is_down(&self, button: Button) -> bool {
        let circuit = self.0.borrow();
        circuit.contacts[button.index()].is_down(circuit.now)
    }

    /// The earliest electrical edge that no pin read has consumed yet. It may lie in the
    /// past, if it came while the bus was busy. Without power there are no edges.
    pub fn next_edge(&self) -> Option<Instant> {
        let circuit = self.0.borrow();
        if !circuit.powered {
            return None;
        }
        circuit.contacts.iter().filter_map(Contact::next_edge).min()
    }

    /// The far ends of the wires, for a chip that keeps its own time.
    pub fn terminals(&self) -> Terminals {
        Terminals(Rc::clone(&self.0))
    }

    /// All buttons, with the moment of each edge.
    pub fn contacts(&self) -> wires::Contacts {
        wires::Contacts(self.0.clone())
    }

    /// The pin of a button: low while it is pressed.
    pub fn button_pin(&self, button: Button) -> ButtonPin {
        ButtonPin { circuit: self.0.clone(), button }
    }

    /// The LCD's SPI device.
    pub fn lcd_spi(&self) -> LcdSpi {
        LcdSpi(self.0.clone())
    }

    /// The LCD's D/CX pin.
    pub fn lcd_dc(&self) -> LcdDc {
        LcdDc(self.0.clone())
    }

    /// The LCD's RESX pin.
    pub fn lcd_reset(&self) -> LcdReset {
        LcdReset(self.0.clone())
    }

    /// The LCD's backlight pin.
    pub fn lcd_backlight(&self) -> Backlight {
        Backlight(self.0.clone())
    }

    /// A delay in virtual time.
    pub fn delay(&self) -> BoardDelay {
        BoardDelay(self.0.clone())
    }

    /// The buzzer's PWM channel.
    pub fn buzzer(&self) -> Buzzer {
        Buzzer(self.0.clone())
    }

    /// The console's transmitter.
    pub fn uart(&self) -> Uart {
        Uart(self.0.clone())
    }

    /// The source of chance.
    pub fn entropy(&self) -> Entropy {
        Entropy(self.0.clone())
    }

    /// The seed of the bits that the source of chance gives since the last power-on, for a chip
    /// that has a source of its own: the top bits of the numbers of [`virtual_time::Random`].
    /// `None`: it stands still.
    pub fn entropy_seed(&self) -> Option<u64> {
        self.0.borrow().entropy.seed()
    }

    /// The flash, as the firmware sees it.
    pub fn flash(&self) -> FlashHandle {
        FlashHandle(self.0.clone())
    }

    /// The flash chip itself: its image, its wear, and power cuts to plan. Takes no time.
    pub fn with_flash<R>(&self, look: impl FnOnce(&mut FlashChip) -> R) -> R {
        look(&mut self.0.borrow_mut().flash)
    }

    /// What the flash holds, in lines with single blanks; `None` if nothing reads it. Whether there
    /// is power does not matter.
    pub fn flash_lines(&self) -> Option<Vec<String>> {
        let circuit = self.0.borrow();
        circuit.flash_reader.map(|reader| reader.lines(circuit.flash.image()))
    }

    /// The LCD itself.
    pub fn with_lcd<R>(&self, look: impl FnOnce(&Ili9341) -> R) -> R {
        look(&self.0.borrow().lcd)
    }

    /// Remembers what is written into a cell of the LCD's memory; see [`Ili9341::watch_cell`].
    pub fn watch_cell(&self, column: usize, page: usize, until: Instant) -> bool {
        self.0.borrow_mut().lcd.watch_cell(column, page, until)
    }

    /// Keeps the picture as it is after the last transfer that is over by `at`, from now on and
    /// instead of another; see [`Ili9341::hold_picture`].
    pub fn hold_picture(&self, at: Instant) {
        self.0.borrow_mut().lcd.hold_picture(at);
    }

    /// That picture; see [`Ili9341::held_picture`].
    pub fn held_picture(&self) -> Frame {
        self.0.borrow().lcd.held_picture()
    }

    /// What the LCD's memory holds now, as a person sees it; a frame may be half drawn. See
    /// [`Ili9341::picture`].
    pub fn picture(&self) -> Frame {
        self.0.borrow().lcd.picture()
    }

    /// The last complete frame as of now, as a person sees it: black while backlight,
    /// display or power is off.
    pub fn frame(&self) -> Frame {
        let circuit = self.0.borrow();
        circuit.lcd.frame_at(circuit.now)
    }

    /// The last complete frame as of `at`: what was drawn after `at` is not in it. Exact as
    /// long as `at` is not before the firmware's last step, and that step was shorter than
    /// [`FRAME_IDLE`].
    pub fn frame_at(&self, at: Instant) -> Frame {
        self.0.borrow().lcd.frame_at(at)
    }

    /// Makes `kept` what [`frame_at`](Self::frame_at) gives, with less work; see [`Ili9341::update_frame_at`].
    pub fn update_frame_at(&self, at: Instant, kept: &mut KeptFrame) -> Tiles {
        self.0.borrow().lcd.update_frame_at(at, kept)
    }

    /// Frames that were complete at `at`; exact under the same condition.
    pub fn frame_count_at(&self, at: Instant) -> u64 {
        self.0.borrow().lcd.frame_count_at(at)
    }

    /// From when to when the last frame that was complete at `at` was drawn; see
    /// [`Ili9341::frame_span_at`].
    pub fn frame_span_at(&self, at: Instant) -> Option<(Instant, Instant)> {
        self.0.borrow().lcd.frame_span_at(at)
    }

    /// When the frame in progress will be complete if nothing more is drawn; `None` if
    /// nothing is in progress.
    pub fn frame_due(&self) -> Option<Instant> {
        let circuit = self.0.borrow();
        circuit.lcd.frame_due(circuit.now)
    }

    /// When a pixel was last written or something else visible changed.
    pub fn last_change(&self) -> Instant {
        self.0.borrow().lcd.last_change()
    }

    /// Rules of the datasheet that the firmware broke, in order of time; the first
    /// [`KEPT`](ili9341_model::KEPT).
    pub fn violations(&self) -> Vec<Violation> {
        self.0.borrow().lcd.violations().to_vec()
    }

    /// Notes: what the datasheet advises against but drivers commonly do; the first
    /// [`KEPT`](ili9341_model::KEPT).
    pub fn notes(&self) -> Vec<Violation> {
        self.0.borrow().lcd.notes().to_vec()
    }

    /// Lines that have left the console's wire by now.
    pub fn console_lines(&self) -> Vec<ConsoleLine> {
        self.console_lines_from(0)
    }

    /// The same from the line with index `first` on.
    pub fn console_lines_from(&self, first: usize) -> Vec<ConsoleLine> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.catch_up(circuit.now);
        circuit.console.lines().get(first..).unwrap_or_default().to_vec()
    }

    /// The earliest moment, behind now, at which the line that is being sent can have left the
    /// wire; `None` if none is. Exact once its newline waits in the transmitter.
    pub fn console_line_due(&self) -> Option<Instant> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.catch_up(circuit.now);
        circuit.console.line_due(circuit.now)
    }

    /// Bytes that have left the console's wire by now.
    pub fn console_bytes(&self) -> Vec<u8> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.catch_up(circuit.now);
        circuit.console.bytes().to_vec()
    }

    /// Every change of what the buzzer sounds.
    pub fn tones(&self) -> Vec<Tone> {
        self.tones_from(0)
    }

    /// The same from the change with index `first` on.
    pub fn tones_from(&self, first: usize) -> Vec<Tone> {
        self.0.borrow().sound.tones().get(first..).unwrap_or_default().to_vec()
    }

    /// The same, without a copy.
    pub fn with_tones<R>(&self, look: impl FnOnce(&[Tone]) -> R) -> R {
        look(self.0.borrow().sound.tones())
    }

    /// Whether the backlight's wire was high at `at`; exact under the same condition as
    /// [`VirtualBoard::frame_at`].
    pub fn is_backlit_at(&self, at: Instant) -> bool {
        self.0.borrow().backlight.at(at)
    }

    /// What crossed the LCD's bus since power-on.
    pub fn bus(&self) -> BusStats {
        self.0.borrow().lcd.bus()
    }

    /// What happened but was not kept, because a history was full.
    pub fn dropped(&self) -> Dropped {
        let circuit = self.0.borrow();
        let (violations, notes) = circuit.lcd.dropped();
        Dropped {
            violations,
            notes,
            console_bytes: circuit.console.dropped(),
            tones: circuit.sound.dropped(),
        }
    }
}

/// How much of each history was not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Beyond [`KEPT`](ili9341_model::KEPT).
    pub violations: u64,
    /// Beyond [`KEPT`](ili9341_model::KEPT).
    pub notes: u64,
    /// Beyond [`CONSOLE_KEPT`].
    pub console_bytes: u64,
    /// Beyond [`TONES_KEPT`].
    pub tones: u64,
}

#[cfg(test)]
mod driver_tests;
#[cfg(test)]
mod tests;
