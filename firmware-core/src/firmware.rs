//! The firmware: an [`App`] on the pins of a board.
//!
//! [`Firmware::boot`] blocks while the LCD initialises; after that nothing blocks.
//! [`Firmware::step`] reads the buttons, advances the app, and occupies the LCD's bus for at most
//! four milliseconds; drawing takes a Pico some more, six milliseconds in total
//! (docs/budgets-pico.md). The owner of the pins (the Pico's `main`, or the virtual board) calls it
//! at the time that the last call returned, and at every edge of a button. An edge that comes
//! during a step still has its exact time ([`Contacts`]).

use core::mem;
use core::ops::DerefMut;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::pwm::SetDutyCycle as _;
use embedded_hal::spi::SpiDevice;
use embedded_io::{Read, ReadReady, Write, WriteReady};
use embedded_storage::nor_flash::NorFlash;
use heapless::Vec;

use crate::game::opponent::Thinker;
use crate::game::random::Random;
use crate::interface::app::{self, App, PressTarget, Start};
use crate::interface::screen::{Element, View};
use crate::pins::button::BUTTONS;
use crate::pins::command_line::{InputLine, LineReader};
use crate::pins::contacts::{Change, Contacts};
use crate::pins::debounce::{Debouncer, Edge};
use crate::pins::entropy::{self, Entropy, Source};
use crate::pins::lcd::{Lcd, LcdError, PANEL, SPI_HZ};
use crate::pins::present::{self, Budget, Presenter};
use crate::pins::sound::Buzzer;
use crate::storage::{ChanceSource, Records, Settings, Stored};
use crate::time::{Instant, Micros, Wake};

/// Number of bytes that one step may put on the bus: four milliseconds of it.
pub const BYTES_A_STEP: u32 = SPI_HZ / 8 / 1_000 * 4;

/// Interval for polling whether the UART takes more: about half its 32-byte FIFO at 115,200 baud.
const UART_RETRY: Micros = Micros(1_500);

/// Maximum number of typed bytes that one step reads: more than arrive in the longest one. The rest
/// waits for the next.
const TYPED_A_STEP: usize = 256;

/// Pause of the bus between two frames, so that an observer of the wire can separate them
/// (docs/trace-format.md): 5 ms, and the timer's resolution of 1 µs.
const FRAME_GAP: Micros = Micros(5_001);

/// The types of pins and peripherals that a board has.
pub trait Board {
    /// SPI with the LCD's chip select.
    type Spi: SpiDevice;
    /// The LCD's data/command pin.
    type Dc: OutputPin;
    /// The LCD's reset pin, active low.
    type Reset: OutputPin;
    /// The LCD's backlight, active high.
    type Backlight: OutputPin;
    /// The thirteen buttons to ground.
    type Contacts: Contacts;
    /// The piezo buzzer.
    type Buzzer: Buzzer;
    /// UART0. A read error means only that bytes were lost or received incorrectly.
    type Console: Read + ReadReady + Write + WriteReady;
    /// The last 256 KiB of the flash.
    type Flash: NorFlash;
    /// Source of noise.
    type Entropy: Entropy;
    /// Owner of borrowed memory: `&'static mut T` where there are statics, `Box<T>` on a heap.
    type Lent<T: 'static>: DerefMut<Target = T>;
}

/// Buffers of the presenter of a [`Firmware`].
pub type Canvas = present::Canvas<Element>;

/// Large parts of a [`Firmware`]. The caller of [`Firmware::boot`] chooses their location; no part
/// of them is on a stack.
pub struct Memory<B: Board> {
    /// Memory of the app.
    pub app: B::Lent<app::Memory>,
    /// Memory of the presenter.
    pub canvas: B::Lent<Canvas>,
}

/// The pins and peripherals of a board.
pub struct Parts<B: Board> {
    pub spi: B::Spi,
    pub dc: B::Dc,
    pub reset: B::Reset,
    pub backlight: B::Backlight,
    pub contacts: B::Contacts,
    pub buzzer: B::Buzzer,
    pub console: B::Console,
    pub flash: B::Flash,
    pub entropy: B::Entropy,
}

/// A peripheral that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HardwareFault {
    /// The LCD's bus or one of its pins failed.
    Lcd(LcdError),
    /// A button's pin failed.
    Button(digital::ErrorKind),
    /// The buzzer's PWM failed.
    Buzzer,
    /// The UART failed.
    Console,
}

impl core::fmt::Display for HardwareFault {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Lcd(error) => write!(out, "the LCD failed: {error:?}"),
            Self::Button(kind) => write!(out, "a button's pin failed: {kind:?}"),
            Self::Buzzer => out.write_str("the buzzer's PWM failed"),
            Self::Console => out.write_str("the console's UART failed"),
        }
    }
}

impl core::error::Error for HardwareFault {}

impl From<digital::ErrorKind> for HardwareFault {
    fn from(kind: digital::ErrorKind) -> Self {
        Self::Button(kind)
    }
}

impl From<LcdError> for HardwareFault {
    fn from(error: LcdError) -> Self {
        Self::Lcd(error)
    }
}

/// A running board.
pub struct Firmware<B: Board> {
    lcd: Lcd<B::Spi, B::Dc, B::Reset, B::Backlight>,
    contacts: B::Contacts,
    buzzer: B::Buzzer,
    uart: B::Console,
    /// Typed input: the unfinished line, and a finished one that waits until there is room for the
    /// answer.
    typing: LineReader,
    typed: Option<InputLine>,
    flash: B::Flash,
    /// Source of randomness, until the first press stirs it; `None` if it is constant.
    entropy: Option<Source<B::Entropy>>,
    debouncer: Debouncer,
    /// Whether no step has been made: the first step samples the contacts, and earlier changes do
    /// not count.
    booting: bool,
    presenter: Presenter<B::Lent<Canvas>, View>,
    /// What a press acts on in the latest frame.
    in_frame: PressTarget,
    app: App<B::Lent<app::Memory>>,
    bus: Bus,
    lit: bool,
    /// Frequency in Hz and duty cycle in per cent of the tone that sounds.
    tone: Option<(u32, u8)>,
}

/// Debounced edges, oldest first.
type Edges = Vec<Edge, { 2 * BUTTONS }>;

/// State of the LCD's bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bus {
    /// A frame is being sent.
    Busy,
    /// The last byte of a frame was sent in the previous step: the frame ends when this step
    /// begins.
    Ending,
    /// No byte is sent before this time.
    Resting(Instant),
}

impl<B: Board> Firmware<B> {
    /// Reads the settings and initialises the LCD; blocks for about 265 ms. A button that is down
    /// before and after is stuck; one that goes down meanwhile counts from the first step on if it
    /// is still down, and is missed if it was released.
    ///
    /// # Errors
    /// The LCD or a pin fails. Damaged flash is not an error: the LCD shows a message.
    pub fn boot(
        parts: Parts<B>,
        memory: Memory<B>,
        delay: &mut impl DelayNs,
    ) -> Result<Self, HardwareFault> {
        let Parts { spi, dc, reset, backlight, mut contacts, buzzer, console, mut flash, entropy } =
            parts;
        let mut records = Records::default();
        let Stored { mut settings, scores, damage } = records.start(&mut flash);
        let mut entropy = source(entropy, &mut settings, &mut records, &mut flash);
        let before = contacts.levels()?;
        let lcd = Lcd::init(spi, dc, reset, backlight, delay)?;
        let stuck = before.and(contacts.levels()?);
        let chance = entropy::draw(&mut entropy);
        Ok(Self {
            lcd,
            contacts,
            buzzer,
            uart: console,
            typing: LineReader::new(),
            typed: None,
            flash,
            entropy: chance.map(|_| entropy),
            debouncer: Debouncer::new(Instant::POWER_ON, stuck),
            booting: true,
            presenter: Presenter::new(memory.canvas),
            in_frame: PressTarget::default(),
            app: App::new(memory.app, Start { settings, scores, stuck, damage, records, chance }),
            bus: Bus::Busy,
            lit: false,
            tone: None,
        })
    }

    /// Creates another firmware in the same state on the pins in `parts`, for tools that copy a
    /// board: the board does not use it. Its LCD driver is initialised again, which sends the
    /// initialisation over those pins and waits with `delay`; the device on these pins needs the
    /// state of the first one's only after that.
    ///
    /// # Errors
    /// The LCD's bus or one of its pins fails.
    pub fn copied(&self, parts: Parts<B>, delay: &mut impl DelayNs) -> Result<Self, HardwareFault>
    where
        B::Lent<app::Memory>: Clone,
        B::Lent<Canvas>: Clone,
    {
        let Parts { spi, dc, reset, backlight, contacts, buzzer, console, flash, entropy } = parts;
        Ok(Self {
            lcd: Lcd::init(spi, dc, reset, backlight, delay)?,
            contacts,
            buzzer,
            uart: console,
            typing: self.typing.clone(),
            typed: self.typed.clone(),
            flash,
            entropy: match &self.entropy {
                None => None,
                Some(Source::Board(_)) => Some(Source::Board(entropy)),
                Some(Source::Seeded(bits)) => Some(Source::Seeded(bits.clone())),
                Some(Source::Constant) => Some(Source::Constant),
            },
            debouncer: self.debouncer.clone(),
            booting: self.booting,
            presenter: self.presenter.clone(),
            in_frame: self.in_frame,
            app: self.app.clone(),
            bus: self.bus,
            lit: self.lit,
            tone: self.tone,
        })
    }

    /// Does the work that is due at `now`. Returns when more will be due; call it then, and at
    /// every edge of a button.
    ///
    /// # Errors
    /// A peripheral fails.
    #[inline(never)]
    pub fn step(&mut self, now: Instant) -> Result<Wake, HardwareFault> {
        let mut edges = Edges::new();
        let until = self.take_edges(now, &mut edges)?;
        let (now, late) = (until, until < now);
        self.app.sample_contacts(&self.debouncer);
        self.stir(&edges);
        let app = self.app.step(now, &edges, self.debouncer.stuck(), &mut self.flash);
        let typed = self.read_console_input(now);
        let sound = self.sound(now)?;
        let more = if late { Wake::Now } else { Wake::OnInput };
        let wake = app
            .or_earlier(more)
            .or_earlier(typed)
            .or_earlier(Wake::from(self.debouncer.wake_at()))
            .or_earlier(Wake::from(sound))
            .or_earlier(self.send_console(now)?)
            .or_earlier(self.draw(now)?);
        Ok(wake)
    }

    /// Returns the view that the LCD shows, except for the frame in progress, and the view of that
    /// frame: for tools that look up which element a pixel belongs to. The board does not use it.
    pub fn views(&self) -> (Option<&View>, Option<&View>) {
        self.presenter.views()
    }

    /// Adds the edges of the contacts up to `now`, or as many as fit. Returns the time up to which
    /// they are complete.
    fn take_edges(&mut self, now: Instant, edges: &mut Edges) -> Result<Instant, HardwareFault> {
        if mem::take(&mut self.booting) {
            edges.extend(self.debouncer.sample(now, self.contacts.levels()?));
        }
        while let Some(Change { at, levels }) = self.contacts.take_change()? {
            edges.extend(self.debouncer.sample(at, levels));
            if edges.len() > BUTTONS {
                return Ok(at.min(now));
            }
        }
        if self.debouncer.wake_at().is_some_and(|at| at <= now) {
            edges.extend(self.debouncer.sample(now, self.debouncer.levels()));
        }
        Ok(now)
    }

    /// Returns the current or latest thoughts of the computer, for observing tools. The board does
    /// not use it.
    pub fn thinker(&self) -> &Thinker {
        self.app.thinker()
    }

    /// Draws another number at the first press, because its time is random too.
    fn stir(&mut self, edges: &[Edge]) {
        let Some(first) = edges.iter().find(|edge| edge.down) else { return };
        if let Some(mut entropy) = self.entropy.take() {
            entropy.stir(first.at);
            if let Some(number) = entropy::draw(&mut entropy) {
                self.app.stir(number);
            }
        }
    }

    fn sound(&mut self, now: Instant) -> Result<Option<Instant>, HardwareFault> {
        let (hz, until) = self.app.tone(now);
        let tone = hz.map(|hz| (hz, self.app.duty_percent()));
        if tone != self.tone {
            self.tone = tone;
            match tone {
                Some((hz, duty)) => {
                    self.buzzer.set_frequency(hz);
                    self.buzzer.set_duty_cycle_percent(duty).map_err(|_| HardwareFault::Buzzer)?;
                }
                None => {
                    self.buzzer.set_duty_cycle_fully_off().map_err(|_| HardwareFault::Buzzer)?;
                }
            }
        }
        Ok(until)
    }

    /// Reads what is typed on the console, and executes a line once all earlier output has been
    /// sent. At most one line a step; its changes are visible in the next one.
    fn read_console_input(&mut self, now: Instant) -> Wake {
        let mut left = TYPED_A_STEP;
        // Reads even if a line waits, because bytes that have arrived do not wake the board again.
        while self.uart.read_ready().unwrap_or(false) && self.typed.is_none() {
            if left == 0 {
                return Wake::Now;
            }
            left -= 1;
            let mut byte = [0];
            match self.uart.read(&mut byte) {
                Ok(0) => break,
                Ok(_) => self.typed = self.typing.take(byte[0]),
                Err(_) => self.typing.lost(),
            }
        }
        if self.typed.is_none() {
            return Wake::OnInput;
        }
        // Its answer has room once all earlier output has been sent.
        if !self.app.console().is_empty() || self.app.is_exporting() {
            return Wake::At(now.saturating_add(UART_RETRY));
        }
        let Some(line) = self.typed.take() else { return Wake::OnInput };
        self.app.command(now, line.as_deref().map_err(|fault| *fault), &mut self.flash);
        Wake::Now
    }

    fn send_console(&mut self, now: Instant) -> Result<Wake, HardwareFault> {
        let console = self.app.console();
        if console.is_empty() {
            return Ok(Wake::OnInput);
        }
        console.send(&mut self.uart).map_err(|_| HardwareFault::Console)?;
        Ok(if !console.is_empty() {
            Wake::At(now.saturating_add(UART_RETRY))
        } else if self.app.is_exporting() {
            // The next line of the export has room now.
            Wake::Now
        } else {
            Wake::OnInput
        })
    }

    fn draw(&mut self, now: Instant) -> Result<Wake, HardwareFault> {
        let view = self.app.view(now);
        if self.bus == Bus::Ending {
            self.bus = Bus::Resting(now.saturating_add(FRAME_GAP));
            self.app.shown_earlier(self.in_frame, now);
        }
        if self.presenter.shows(&view) {
            self.light(now)?;
            self.app.shown(now);
            return Ok(Wake::OnInput);
        }
        if let Bus::Resting(until) = self.bus {
            if now < until {
                return Ok(Wake::At(until));
            }
            self.bus = Bus::Busy;
        }
        if !self.presenter.is_drawing() {
            self.in_frame = self.app.press_target();
        }
        let mut budget = Budget::new(BYTES_A_STEP);
        if self.presenter.step(&view, PANEL, self.lcd.target(), &mut budget)? {
            self.bus = Bus::Ending;
            self.light(now)?;
        }
        Ok(Wake::Now)
    }

    /// Switches the backlight on or off. The LCD shows a whole picture.
    fn light(&mut self, now: Instant) -> Result<(), HardwareFault> {
        let lit = self.app.is_lit(now);
        if self.lit != lit {
            self.lit = lit;
            self.lcd.light(lit)?;
        }
        Ok(())
    }
}

/// Returns the source of randomness that the settings select. Each power-on of a seeded source has
/// its own seed: the state that leads to the next one is stored. If that fails, the next power-on
/// repeats this one.
fn source<E: Entropy, F: NorFlash>(
    own: E,
    settings: &mut Settings,
    records: &mut Records,
    flash: &mut F,
) -> Source<E> {
    match settings.chance {
        ChanceSource::Noise => Source::Board(own),
        ChanceSource::Still => Source::Constant,
        ChanceSource::Seeded => {
            let mut seeds = Random::new(settings.seed);
            let bits = Random::new(seeds.number());
            settings.seed = seeds.state();
            let _ = records.save(flash, settings);
            Source::Seeded(bits)
        }
    }
}

#[cfg(test)]
mod tests;
