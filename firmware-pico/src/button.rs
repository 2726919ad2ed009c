//! A button to ground whose edges wake the core.

use core::convert::Infallible;

use embedded_hal::digital::{ErrorType, InputPin};
use rp2040_hal::gpio::{
    AnyPin, DynPinId, FunctionNull, FunctionSioInput, Interrupt, Pin, PinId, PullDown, PullUp,
    ValidFunction,
};

/// One of the thirteen.
pub struct PicoButton(Pin<DynPinId, FunctionSioInput, PullUp>);

impl PicoButton {
    /// The pin with its pull-up; from now on its edges ask for an interrupt.
    pub fn new<I>(pin: Pin<I, FunctionNull, PullDown>) -> Self
    where
        I: PinId + ValidFunction<FunctionSioInput>,
        Pin<I, FunctionNull, PullDown>: AnyPin,
    {
        let pin = pin.into_pull_up_input().into_dyn_pin();
        pin.set_interrupt_enabled(Interrupt::EdgeLow, true);
        pin.set_interrupt_enabled(Interrupt::EdgeHigh, true);
        Self(pin)
    }
}

impl ErrorType for PicoButton {
    type Error = Infallible;
}

impl InputPin for PicoButton {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        // Forgotten before the level is read: an edge in between is seen twice, never missed.
        self.0.clear_interrupt(Interrupt::EdgeLow);
        self.0.clear_interrupt(Interrupt::EdgeHigh);
        self.0.is_high()
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.is_high().map(|high| !high)
    }
}
