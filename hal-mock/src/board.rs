//! The virtual board: one clock, the contacts of its buttons, the LCD at the end of its SPI wire,
//! backlight, buzzer, console and flash.
//!
//! [`VirtualBoard`] is a handle: clones, and the pins that it returns, refer to the same board. The
//! firmware gets the pins (embedded-hal, embedded-io, embedded-storage); the replayer and the
//! window press buttons and read the panel. The module knows no firmware, no game and no trace, and
//! never reads a clock other than its own.

mod backlight;
mod circuit;
mod console;
mod contact;
mod controls;
mod displays;
mod encoder;
mod entropy;
mod fault;
mod frames;
mod history;
mod input;
mod lamps;
mod memories;
mod more_lcd;
mod noise;
mod probe;
mod sound;
mod terminals;
mod text_reader;
mod typing;
mod wires;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

pub use console::{CONSOLE_BYTES_MAX, CONSOLE_LINE_MAX, ConsoleLine, UART_BAUD, UART_FIFO};
pub use contact::BOUNCE_HELD_BELOW;
pub use controls::{ControlConfig, Position};
pub use encoder::encoder_contacts;
pub use history::Dropped;
pub use input::{Input, TypingFault};
pub use lamps::LedReading;
pub use more_lcd::DisplayConfig;
pub use probe::{LcdPin, REPORT_DELAY_MAX, WireListener};
pub use sound::{TONES_MAX, Tone, tone_at};
pub use terminals::Terminals;
pub use text_reader::TextReader;
pub use typing::TypedByte;
pub use wires::{
    Backlight, BoardDelay, ButtonPin, Buzzer, Contacts, Entropy, FlashHandle, LcdDc, LcdReset,
    LcdSpi, Uart, UartOverrun,
};

pub use ili9341_model::{BusStats, FRAME_IDLE, Ili9341, Rule, Violation};

use crate::flash::{FLASH_SIZE, FlashChip, FlashReader};
use crate::memory::MemoryPart;
use backlight::BacklightWire;
use circuit::{BYTE_AT_ONE_HERTZ, Circuit};
use console::Console;
use contact::Contact;
use controls::ControlPanel;
use entropy::Source;
use ili9341_model::Region;
use lamps::Lamps;
use memories::Memories;
use more_lcd::MoreLcd;
use probe::Listeners;
use reading::text::Reader;
use sound::Sound;
use trace::{BoardParts, Button, Buttons, Displays, Leds};
use typing::Typing;
use virtual_time::{Instant, Nanos};

/// Time without drawing after which the screen is settled.
pub const SETTLED_AFTER: Nanos = Nanos::from_millis(100);

const _: () = assert!(SETTLED_AFTER.0 > FRAME_IDLE.0);

/// Configuration of a [`VirtualBoard`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardConfig {
    /// SPI clock in hertz; 31.25 MHz on the board. Below 1 counts as 1.
    pub spi_hz: u32,
    /// Maximum bounce time of a contact; zero = contacts do not bounce.
    pub bounce: Nanos,
    /// Seed of contact bounce and of the LCD memory's contents at power-on.
    pub seed: u64,
    /// Seed of the board's entropy source, which returns different bits after each power-on.
    /// `None`: the source returns constant bits.
    pub entropy: Option<u64>,
    /// Contents of the last 256 KiB of the flash; `None` = factory-new, every byte `0xFF`. An image
    /// of another size is cut to 256 KiB or filled up with `0xFF`. A caller that reads an image
    /// from a file checks it first with [`FlashChip::from_image`].
    pub flash: Option<Vec<u8>>,
    /// Describes the flash for [`VirtualBoard::flash_lines`]; the board itself knows only bytes.
    pub flash_reader: Option<FlashReader>,
    /// Reads the text of the board's own fonts. `None`: the reader of whoever looks at the board.
    pub text_reader: Option<TextReader>,
    /// The LCD or OLED; the one of the LCD board by default.
    pub display: DisplayConfig,
    /// Displays after the first one; none by default.
    pub more_displays: Vec<DisplayConfig>,
    /// Names of all displays; that of the LCD board by default.
    pub displays: Displays,
    /// The buttons; those of the LCD board by default.
    pub buttons: Buttons,
    /// Maximum bounce times of the contacts, in pin order; the others have `bounce`.
    pub bounces: Vec<Nanos>,
    /// Encoders, switches, joysticks and potentiometers; none by default.
    pub controls: Vec<ControlConfig>,
    /// The LEDs; none by default.
    pub leds: Leds,
    /// SPI flashes and SD cards for a firmware that is compiled for this computer; none by default.
    pub memories: Vec<MemoryPart>,
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
            text_reader: None,
            display: DisplayConfig::default(),
            more_displays: Vec::new(),
            displays: Displays::lcd_board(),
            buttons: Buttons::lcd_board(),
            bounces: Vec::new(),
            controls: Vec::new(),
            leds: Leds::default(),
            memories: Vec::new(),
        }
    }
}

/// A handle to the board, and the number of the display whose picture it reads: the first one, or
/// that of [`at_display`](Self::at_display). [`fork`](Self::fork) makes another board. Not `Send`: a
/// machine stays on one thread.
#[derive(Clone)]
pub struct VirtualBoard(Rc<RefCell<Circuit>>, usize);

impl VirtualBoard {
    /// Creates a board without power, with its clock at 0.
    pub fn new(config: BoardConfig) -> Self {
        let BoardConfig {
            spi_hz,
            bounce,
            seed,
            entropy,
            flash,
            flash_reader,
            text_reader,
            display,
            more_displays,
            displays,
            buttons,
            bounces,
            controls,
            leds,
            memories,
        } = config;
        let contact = |button: &Button| {
            let bounce = bounces.get(button.index()).copied().unwrap_or(bounce);
            Contact::new(*button, seed, bounce)
        };
        let contacts = buttons.all().iter().map(contact).collect();
        let flash = flash.and_then(|mut image| {
            image.resize(FLASH_SIZE, 0xFF);
            FlashChip::from_image(image).ok()
        });
        let circuit = Circuit {
            now: Instant::START,
            powered: false,
            spi_hz: u64::from(spi_hz.max(1)),
            spi_byte: (BYTE_AT_ONE_HERTZ.is_multiple_of(u64::from(spi_hz.max(1))))
                .then(|| BYTE_AT_ONE_HERTZ / u64::from(spi_hz.max(1))),
            spi_remainder: 0,
            contacts,
            lcd: display.panel(seed),
            more_lcds: more_displays.iter().map(|display| MoreLcd::new(display, seed)).collect(),
            displays,
            buttons,
            controls: ControlPanel::new(&controls),
            lamps: Lamps::new(leds),
            console: Console::default(),
            typing: Typing::new(seed),
            sound: Sound::default(),
            backlight: BacklightWire::default(),
            flash: flash.unwrap_or_default(),
            memories: Memories::new(memories),
            flash_reader,
            text_reader,
            clip: Listeners::default(),
            input_listeners: Listeners::default(),
            seed,
            inputs_from: None,
            entropy: Source::new(entropy),
            noise: None,
            cut_at: None,
            off_since: Instant::START,
            cut: false,
        };
        Self(Rc::new(RefCell::new(circuit)), 0)
    }

    /// Reports all activity on the wires to `probe` from now on, in place of the previous probes.
    pub fn set_listener(&self, probe: Rc<RefCell<dyn WireListener>>) {
        self.0.borrow_mut().set_listener(Listeners::on(probe));
    }

    /// Reports all activity on the wires to `probe` from now on, in addition to the previous
    /// probes.
    pub fn add_listener(&self, probe: Rc<RefCell<dyn WireListener>>) {
        let circuit = &mut *self.0.borrow_mut();
        let clip = circuit.clip.and(probe);
        circuit.set_listener(clip);
    }

    /// Reports each input to `machine` from now on, independently of the probes. The machine of a
    /// real board applies the inputs to that board.
    pub fn set_input_listener(&self, machine: Rc<RefCell<dyn WireListener>>) {
        self.0.borrow_mut().input_listeners = Listeners::on(machine);
    }

    /// Returns another board in the same state, which continues exactly as this one would. The new
    /// board has no probes, and its flash is not recorded.
    pub fn fork(&self) -> Self {
        Self(Rc::new(RefCell::new(self.copied())), self.1)
    }

    fn copied(&self) -> Circuit {
        let mut circuit = self.0.borrow().clone();
        circuit.set_listener(Listeners::default());
        circuit.input_listeners = Listeners::default();
        circuit.flash.take_recording();
        circuit
    }

    /// Copies the state of `other`, as [`fork`](Self::fork) does; pins of this board stay pins of
    /// this board.
    pub fn copy_state_from(&self, other: &Self) {
        // The copy is made first: `other` may be this board.
        let circuit = other.copied();
        *self.0.borrow_mut() = circuit;
    }

    /// Reports to the probes everything up to now that has not been reported yet.
    pub fn notify_listeners(&self) {
        self.0.borrow_mut().notify_listeners();
    }

    /// Returns the time of the virtual clock.
    pub fn now(&self) -> Instant {
        self.0.borrow().now
    }

    /// Moves the clock to `at`; does nothing if `at` is earlier than now.
    pub fn advance_to(&self, at: Instant) {
        self.0.borrow_mut().advance_to(at);
    }

    /// Turns the power on; does nothing if it is on. The LCD's memory contains seeded noise, its
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
        circuit.memories.power_on(circuit.now);
        circuit.lcd.set_backlight(circuit.now, false);
        circuit.backlight.set(circuit.now, false);
        circuit.lcd.set_power(circuit.now, true);
        let now = circuit.now;
        circuit.more_lcds.iter_mut().for_each(|lcd| lcd.power_on(now));
    }

    /// Turns the power off: the LCD goes dark at once and loses its contents, the tone stops, and
    /// bytes that the UART has not sent are lost. The flash is retained, and the clock continues.
    pub fn power_off(&self) {
        self.0.borrow_mut().switch_off();
    }

    /// Returns whether the power is on.
    pub fn is_powered(&self) -> bool {
        self.0.borrow().powered
    }

    /// Returns the time of the last power-off; `None` if the power is on.
    pub fn off_since(&self) -> Option<Instant> {
        let circuit = self.0.borrow();
        (!circuit.powered).then_some(circuit.off_since)
    }

    /// Presses `button` at `at`: the contact closes, with bounce if configured. The first edge is
    /// exactly at `at`, or just after the last edge that the firmware has already read. Does
    /// nothing if the button is pressed by then, or if the board does not have it.
    pub fn press(&self, at: Instant, button: Button) {
        self.report_input(Input::Finger { at, button, down: true });
        self.0.borrow_mut().move_finger(at, button, true);
    }

    /// Releases `button` at `at`; the counterpart of [`VirtualBoard::press`].
    pub fn release(&self, at: Instant, button: Button) {
        self.report_input(Input::Finger { at, button, down: false });
        self.0.borrow_mut().move_finger(at, button, false);
    }

    /// Types `text` and LF on the console, from `at` on. A byte takes 87 µs. Without power the
    /// bytes are lost.
    pub fn type_line(&self, at: Instant, text: &str) {
        for byte in text.bytes().chain([b'\n']) {
            self.type_byte(at, byte);
        }
    }

    /// Types `bytes` on the console, from `at` on, without a line end.
    pub fn type_bytes(&self, at: Instant, bytes: &[u8]) {
        for byte in bytes {
            self.type_byte(at, *byte);
        }
    }

    /// Sends a byte to UART0's receiver, at `at` or after the bytes that are still in transit.
    pub fn type_byte(&self, at: Instant, byte: u8) {
        self.report_input(Input::Typed { at, byte });
        let circuit = &mut *self.0.borrow_mut();
        if circuit.powered {
            circuit.typing.send(at, byte);
        }
    }

    /// Returns the arrival time of the next typed byte that the firmware does not know of; the time
    /// may be in the past.
    pub fn next_typed(&self) -> Option<Instant> {
        self.0.borrow().typing.next()
    }

    /// Returns the arrival time of the last typed byte; [`Instant::START`] if none was typed.
    pub fn typed_until(&self) -> Instant {
        self.0.borrow().typing.until()
    }

    /// Returns the earliest time at which an input can still be applied. `Some` for a board that
    /// mirrors a real one, which keeps running while its machine observes it. `None`: the clock
    /// stops until it is moved, so inputs apply from now on.
    pub fn inputs_from(&self) -> Option<Instant> {
        self.0.borrow().inputs_from
    }

    /// Sets the result of [`inputs_from`](Self::inputs_from); called by the machine of a real
    /// board.
    pub fn set_inputs_from(&self, from: Instant) {
        self.0.borrow_mut().inputs_from = Some(from);
    }

    /// Returns whether `button` is pressed now, without bounce.
    pub fn is_down(&self, button: Button) -> bool {
        let circuit = self.0.borrow();
        circuit.contacts.get(button.index()).is_some_and(|contact| contact.is_down(circuit.now))
    }

    /// Returns the reader of the board's own fonts, if it has any.
    pub fn text_reader(&self) -> Option<Arc<Reader>> {
        self.0.borrow().text_reader.as_ref().map(|reader| Arc::clone(&reader.0))
    }

    /// Returns the buttons, with their names.
    pub fn buttons(&self) -> Buttons {
        self.0.borrow().buttons.clone()
    }

    /// Returns the button with the name that it has on this board.
    pub fn named(&self, button: Button) -> Button {
        self.0.borrow().named(button)
    }

    /// Returns the parts that the lines of a trace name.
    pub fn parts(&self) -> BoardParts {
        let (buttons, panel) = (self.buttons(), self.at_display(0).panel());
        let circuit = self.0.borrow();
        let (controls, leds) = (circuit.controls.controls().clone(), circuit.lamps.leds().clone());
        BoardParts { buttons, controls, leds, displays: circuit.displays.clone(), panel }
    }

    /// Returns the whole panel.
    pub fn panel(&self) -> Region {
        let (width, height) = self.0.borrow().lcd(self.1).size();
        let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        Region { x: 0, y: 0, width: side(width), height: side(height) }
    }

    /// Returns the earliest electrical edge that no pin read has consumed yet. Its time may be in
    /// the past, if it came while the bus was busy. Without power there are no edges.
    pub fn next_edge(&self) -> Option<Instant> {
        let circuit = self.0.borrow();
        if !circuit.powered {
            return None;
        }
        circuit.contacts.iter().filter_map(Contact::next_edge).min()
    }

    /// Returns the far ends of the wires, for a chip that keeps its own time.
    pub fn terminals(&self) -> Terminals {
        Terminals(Rc::clone(&self.0), 0)
    }

    /// Returns all buttons, with the time of each edge.
    pub fn contacts(&self) -> wires::Contacts {
        wires::Contacts(self.0.clone())
    }

    /// Returns the pin of a button: low while the button is pressed.
    pub fn button_pin(&self, button: Button) -> ButtonPin {
        ButtonPin { circuit: self.0.clone(), button }
    }

    /// Returns the LCD's SPI device.
    pub fn lcd_spi(&self) -> LcdSpi {
        LcdSpi(self.0.clone())
    }

    /// Returns the LCD's D/CX pin.
    pub fn lcd_dc(&self) -> LcdDc {
        LcdDc(self.0.clone())
    }

    /// Returns the LCD's RESX pin.
    pub fn lcd_reset(&self) -> LcdReset {
        LcdReset(self.0.clone())
    }

    /// Returns the LCD's backlight pin.
    pub fn lcd_backlight(&self) -> Backlight {
        Backlight(self.0.clone())
    }

    /// Returns a delay in virtual time.
    pub fn delay(&self) -> BoardDelay {
        BoardDelay(self.0.clone())
    }

    /// Returns the buzzer's PWM channel.
    pub fn buzzer(&self) -> Buzzer {
        Buzzer(self.0.clone())
    }

    /// Returns the console's transmitter.
    pub fn uart(&self) -> Uart {
        Uart(self.0.clone())
    }

    /// Returns the board's entropy source.
    pub fn entropy(&self) -> Entropy {
        Entropy(self.0.clone())
    }

    /// Returns whether [`stick_noise`](Self::stick_noise) makes every bit of the entropy source 0.
    pub fn noise_is_stuck(&self) -> bool {
        self.0.borrow().entropy.is_stuck()
    }

    /// Returns the seed of the entropy bits since the last power-on, for a chip that has its own
    /// entropy source: the bits are the top bits of the numbers of [`virtual_time::Random`].
    /// `None`: the bits are constant.
    pub fn entropy_seed(&self) -> Option<u64> {
        self.0.borrow().entropy.seed()
    }

    /// Returns the flash as the firmware accesses it.
    pub fn flash(&self) -> FlashHandle {
        FlashHandle(self.0.clone())
    }

    /// Calls `look` with the flash chip itself: its image, its wear, its planned power cuts. Takes
    /// no virtual time.
    pub fn with_flash<R>(&self, look: impl FnOnce(&mut FlashChip) -> R) -> R {
        look(&mut self.0.borrow_mut().flash)
    }

    /// Returns the flash's contents as lines with single spaces between words; `None` if the board
    /// has no [`FlashReader`]. Works with and without power.
    pub fn flash_lines(&self) -> Option<Vec<String>> {
        let circuit = self.0.borrow();
        circuit.flash_reader.map(|reader| reader.lines(circuit.flash.image()))
    }

    /// Calls `look` with the LCD model.
    pub fn with_lcd<R>(&self, look: impl FnOnce(&Ili9341) -> R) -> R {
        look(self.0.borrow().lcd(self.1))
    }

    /// Records writes to a cell of the LCD's memory; see [`Ili9341::watch_cell`].
    pub fn watch_cell(&self, column: usize, page: usize, until: Instant) -> bool {
        self.0.borrow_mut().lcd_mut(self.1).watch_cell(column, page, until)
    }

    /// Returns the time at which a pixel was last written or something else visible changed.
    pub fn last_change(&self) -> Instant {
        self.0.borrow().lcd(self.1).last_change()
    }

    /// Returns the violations of the datasheet by the firmware, in order of time; at most the first
    /// [`VIOLATIONS_MAX`](ili9341_model::VIOLATIONS_MAX).
    pub fn violations(&self) -> Vec<Violation> {
        self.0.borrow().lcd(self.1).violations().to_vec()
    }

    /// Returns the notes: what the datasheet advises against but drivers commonly do; at most the
    /// first [`VIOLATIONS_MAX`](ili9341_model::VIOLATIONS_MAX).
    pub fn notes(&self) -> Vec<Violation> {
        self.0.borrow().lcd(self.1).notes().to_vec()
    }

    /// Returns whether the backlight's wire was high at `at`; exact under the same condition as
    /// [`VirtualBoard::frame_at`].
    pub fn is_backlit_at(&self, at: Instant) -> bool {
        self.0.borrow().backlight(self.1).at(at)
    }

    /// Returns statistics of the LCD's bus since power-on.
    pub fn bus(&self) -> BusStats {
        self.0.borrow().lcd(self.1).bus()
    }
}

#[cfg(test)]
mod driver_tests;
#[cfg(test)]
mod tests;
