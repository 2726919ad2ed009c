//! A firmware that is linked into this program, on the virtual board of a board file.
//!
//! [`Application`] is the firmware: a value that is polled, a function that blocks, or a future.
//! [`Pins`] are what it gets: the parts of the board file by their names, as types of embedded-hal.
//! [`LinkedMachine`] runs the firmware in virtual time and is a
//! [`Machine`](hal_mock::Machine) like the other boards.
//!
//! The firmware runs as a coroutine, which the machine suspends inside delays and transfers: it is
//! deterministic, and needs no thread. A pin stores the number of its part only; it acts on the board
//! of the machine that runs at the moment (`context`). So a machine is copied without a copy of the
//! firmware's state: the copy gets the board's state, and once it runs, the firmware is executed again
//! with the same inputs (`machine/inputs`).
//!
//! [`simulator`] has the types of embedded-graphics-simulator, for programs that were written for it.

mod application;
mod clock;
mod context;
#[cfg(feature = "embassy")]
mod embassy;
mod executor;
mod heap;
mod machine;
mod pins;
pub mod simulator;

pub use application::{Application, Firmware, IntoApplication, Wake, blocking, executor};
pub use clock::{Clock, Delay};
pub use machine::LinkedMachine;
pub use pins::analog::AnalogInput;
pub use pins::console::Console;
pub use pins::contact::InputPin;
pub use pins::display::{Backlight, DataCommand, DisplayPins, DisplaySpi, Reset};
pub use pins::flash::Flash;
pub use pins::i2c::{I2c, I2cError};
pub use pins::led::{Led, LedChain, RgbLed};
pub use pins::matrix::{MatrixInput, MatrixOutput, MatrixPins};
pub use pins::memory::{MemorySpi, SdCardPins};
pub use pins::nine_bits::{NineBitPins, NineBitSpi};
pub use pins::parallel::{DataLine, ParallelPins, SelectLine, WriteLine};
pub use pins::random::Entropy;
pub use pins::sound::Buzzer;
pub use pins::{EncoderPins, JoystickInputs, PartError, Pins};
pub use virtual_time::{Instant, Nanos};
