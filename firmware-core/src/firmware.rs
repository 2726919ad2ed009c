//! The firmware: an [`App`] on the pins of a board.
//!
//! [`Firmware::boot`] blocks while the LCD initialises; after that nothing blocks.
//! [`Firmware::step`] reads the buttons, lets the app go on, and keeps the LCD's bus
//! busy for at most four milliseconds; to draw what it sends takes a Pico some more, six in all
//! (docs/budgets-pico.md). The owner of the pins (the Pico's `main`, or the virtual board) calls
//! it at the moment that the last call returned and at every edge of a button.

use core::ops::DerefMut;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, InputPin, OutputPin};
use embedded_hal::pwm::SetDutyCycle as _;
use embedded_hal::spi::SpiDevice;
use embedded_io::{Write, WriteReady};
use embedded_storage::nor_flash::NorFlash;

use crate::game::opponent::Thinker;
use crate::interface::app::{self, App, Start};
use crate::interface::screen::{Element, View};
use crate::pins::button::{BUTTONS, Button};
use crate::pins::debounce::{Debouncer, Edge, Levels};
use crate::pins::entropy::{self, Entropy};
use crate::pins::lcd::{Lcd, LcdError, PANEL, SPI_HZ};
use crate::pins::present::{self, Budget, Presenter};
use crate::pins::sound::Buzzer;
use crate::storage::{Records, Stored};
use crate::time::{Instant, Micros, Wake};

/// Bytes that one step may put on the bus: four milliseconds of it.
pub const BYTES_A_STEP: u32 = SPI_HZ / 8 / 1_000 * 4;

/// How soon to look again whether the UART takes more: about half its 32-byte FIFO at
/// 115,200 baud.
const UART_RETRY: Micros = Micros(1_500);

/// The bus rests for this long between two frames, so that an observer of the wire can
/// separate them (docs/trace-format.md): 5 ms, and the timer's resolution of 1 µs.
const FRAME_GAP: Micros = Micros(5_001);

/// The kinds of pins and peripherals that a board has.
pub trait Board {
    /// SPI with the LCD's chip select.
    type Spi: SpiDevice;
    /// The LCD's data/command pin.
    type Dc: OutputPin;
    /// The LCD's reset pin, active low.
    type Reset: OutputPin;
    /// The LCD's backlight, active high.
    type Backlight: OutputPin;
    /// A button to ground.
    type Button: InputPin;
    /// The piezo.
    type Buzzer: Buzzer;
    /// UART0.
    type Console: Write + WriteReady;
    /// The last 256 KiB of the flash.
    type Flash: NorFlash;
    /// Noise.
    type Entropy: Entropy;
    /// How memory is lent: `&'static mut T` where there are statics, `Box<T>` on a heap.
    type Lent<T: 'static>: DerefMut<Target = T>;
}

/// What the presenter of a [`Firmware`] draws on.
pub type Canvas = present::Canvas<Element>;

/// The large parts of a [`Firmware`]. The caller of [`Firmware::boot`] chooses where they lie;
/// no part of them is on a stack.
pub struct Memory<B: Board> {
    /// The app's.
    pub app: B::Lent<app::Memory>,
    /// The presenter's.
    pub canvas: B::Lent<Canvas>,
}

/// The pins and peripherals of a board.
#[expect(missing_docs, reason = "the fields are the types of `Board`, in words")]
pub struct Parts<B: Board> {
    pub spi: B::Spi,
    pub dc: B::Dc,
    pub reset: B::Reset,
    pub backlight: B::Backlight,
    /// In the order B1…B6, T1…T6, RESET.
    pub buttons: [B::Button; BUTTONS],
    pub buzzer: B::Buzzer,
    pub console: B::Console,
    pub flash: B::Flash,
    pub entropy: B::Entropy,
}

/// A peripheral that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HardwareFault {
    /// The LCD's bus or one of its pins.
    Lcd(LcdError),
    /// A button's pin.
    Button(digital::ErrorKind),
    /// The buzzer's PWM.
    Buzzer,
    /// The UART.
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

impl From<LcdError> for HardwareFault {
    fn from(error: LcdError) -> Self {
        Self::Lcd(error)
    }
}

/// A running board.
pub struct Firmware<B: Board> {
    lcd: Lcd<B::Spi, B::Dc, B::Reset, B::Backlight>,
    buttons: [B::Button; BUTTONS],
    buzzer: B::Buzzer,
    uart: B::Console,
    flash: B::Flash,
    /// The source of chance, until the first press stirs it; not kept if it stands still.
    entropy: Option<B::Entropy>,
    debouncer: Debouncer,
    presenter: Presenter<B::Lent<Canvas>, View>,
    app: App<B::Lent<app::Memory>>,
    bus: Bus,
    lit: bool,
    tone: Option<u32>,
}

/// What the LCD's bus is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bus {
    /// A frame is being sent.
    Busy,
    /// The last byte of a frame was sent in the step before: it ends when this one begins.
    Ending,
    /// No byte is sent before this moment.
    Resting(Instant),
}

impl<B: Board> Firmware<B> {
    /// Reads the settings and initialises the LCD; blocks for about 265 ms. A button
    /// that is down before and after is stuck; one that goes down meanwhile counts from
    /// the first step on if it still is down, and is not seen if it was released.
    ///
    /// # Errors
    /// If the LCD or a pin fails. Damaged flash is no error: the LCD shows a message.
    pub fn boot(
        parts: Parts<B>,
        memory: Memory<B>,
        delay: &mut impl DelayNs,
    ) -> Result<Self, HardwareFault> {
        let Parts {
            spi,
            dc,
            reset,
            backlight,
            mut buttons,
            buzzer,
            console,
            mut flash,
            mut entropy,
        } = parts;
        let mut records = Records::default();
        let Stored { settings, scores, damage } = records.start(&mut flash);
        let before = read_buttons(&mut buttons)?;
        let lcd = Lcd::init(spi, dc, reset, backlight, delay)?;
        let stuck = before.and(read_buttons(&mut buttons)?);
        let chance = entropy::draw(&mut entropy);
        Ok(Self {
            lcd,
            buttons,
            buzzer,
            uart: console,
            flash,
            entropy: chance.map(|_| entropy),
            debouncer: Debouncer::new(Instant::POWER_ON, stuck),
            presenter: Presenter::new(memory.canvas),
            app: App::new(memory.app, Start { settings, scores, stuck, damage, records, chance }),
            bus: Bus::Busy,
            lit: false,
            tone: None,
        })
    }

    /// Another firmware in the same state on the pins in `parts`, for tools that copy a board: the
    /// board does not use it. Its LCD's driver is set up anew, which sends the initialisation over
    /// those pins and waits by `delay`; what is at their end has to be in the state of the first
    /// one's only afterwards.
    ///
    /// # Errors
    /// If the LCD's bus or one of its pins fails.
    pub fn copied(&self, parts: Parts<B>, delay: &mut impl DelayNs) -> Result<Self, HardwareFault>
    where
        B::Lent<app::Memory>: Clone,
        B::Lent<Canvas>: Clone,
    {
        let Parts { spi, dc, reset, backlight, buttons, buzzer, console, flash, entropy } = parts;
        Ok(Self {
            lcd: Lcd::init(spi, dc, reset, backlight, delay)?,
            buttons,
            buzzer,
            uart: console,
            flash,
            entropy: self.entropy.as_ref().map(|_| entropy),
            debouncer: self.debouncer.clone(),
            presenter: self.presenter.clone(),
            app: self.app.clone(),
            bus: self.bus,
            lit: self.lit,
            tone: self.tone,
        })
    }

    /// Does the work that is due at `now`, and returns when more will be due. Call it then, and
    /// at every edge of a button.
    ///
    /// # Errors
    /// If a peripheral fails.
    #[inline(never)]
    pub fn step(&mut self, now: Instant) -> Result<Wake, HardwareFault> {
        let levels = read_buttons(&mut self.buttons)?;
        let edges = self.debouncer.sample(now, levels);
        self.app.look_at(&self.debouncer);
        self.stir(&edges);
        let app = self.app.step(now, &edges, self.debouncer.stuck(), &mut self.flash);
        let sound = self.sound(now)?;
        let wake = app
            .or_earlier(Wake::from(self.debouncer.wake_at()))
            .or_earlier(Wake::from(sound))
            .or_earlier(self.talk(now)?)
            .or_earlier(self.draw(now)?);
        Ok(wake)
    }

    /// The view that the LCD shows, but for the frame under way, and the view of that frame:
    /// for tools that look up which element a pixel belongs to. The board does not use it.
    pub fn views(&self) -> (Option<&View>, Option<&View>) {
        self.presenter.views()
    }

    /// What the computer thinks, or thought last: for tools that look on. The board does not use it.
    pub fn thinker(&self) -> &Thinker {
        self.app.thinker()
    }

    /// At the first press, draws again: its moment is chance too.
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
        let (tone, until) = self.app.tone(now);
        if tone != self.tone {
            self.tone = tone;
            match tone {
                Some(hz) => {
                    self.buzzer.set_frequency(hz);
                    self.buzzer.set_duty_cycle_percent(50).map_err(|_| HardwareFault::Buzzer)?;
                }
                None => {
                    self.buzzer.set_duty_cycle_fully_off().map_err(|_| HardwareFault::Buzzer)?;
                }
            }
        }
        Ok(until)
    }

    fn talk(&mut self, now: Instant) -> Result<Wake, HardwareFault> {
        let console = self.app.console();
        if console.is_empty() {
            return Ok(Wake::OnInput);
        }
        console.send(&mut self.uart).map_err(|_| HardwareFault::Console)?;
        Ok(if console.is_empty() {
            Wake::OnInput
        } else {
            Wake::At(now.saturating_add(UART_RETRY))
        })
    }

    fn draw(&mut self, now: Instant) -> Result<Wake, HardwareFault> {
        let view = self.app.view(now);
        if self.bus == Bus::Ending {
            self.bus = Bus::Resting(now.saturating_add(FRAME_GAP));
        }
        if self.presenter.shows(&view) {
            self.app.shown(now);
            return Ok(Wake::OnInput);
        }
        if let Some(until) = self.app.watches_reset_until(now) {
            return Ok(Wake::At(until));
        }
        if let Bus::Resting(until) = self.bus {
            if now < until {
                return Ok(Wake::At(until));
            }
            self.bus = Bus::Busy;
        }
        let mut budget = Budget::new(BYTES_A_STEP);
        if self.presenter.step(&view, PANEL, self.lcd.target(), &mut budget)? {
            self.bus = Bus::Ending;
            let lit = !self.app.is_off();
            if self.lit != lit {
                self.lit = lit;
                self.lcd.light(lit)?;
            }
        }
        Ok(Wake::Now)
    }
}

fn read_buttons<P: InputPin>(buttons: &mut [P; BUTTONS]) -> Result<Levels, HardwareFault> {
    let mut levels = Levels::default();
    for (button, pin) in Button::all().zip(buttons) {
        let down =
            pin.is_low().map_err(|error| HardwareFault::Button(digital::Error::kind(&error)))?;
        if down {
            levels.set_down(button);
        }
    }
    Ok(levels)
}
