//! The pins as the caller drives and observes them: levels, wires, functions, PWM waves, analogue
//! voltages, the BOOTSEL button.

use super::Chip;
use super::devices::{FunctionChange, PinBurst, PinChange, PinWords};
use super::peripherals::adc::AnalogInput;
use super::peripherals::io_bank::{Diode, Drive, PIN_COUNT};
use super::peripherals::pwm::OutputChange;

impl Chip {
    /// Drives GPIO `pin` from outside the chip.
    pub fn drive(&mut self, pin: usize, drive: Drive) {
        let cycle = self.cores[0].cycles();
        self.devices.change_pins(cycle, |devices| devices.bank.drive(pin, drive));
    }

    /// Drives GPIO `pin` from outside the chip at `ns`, which must not be before now, nor before
    /// the time scheduled last. PIOs and reads of the pins see the level in the right cycle, and it
    /// costs no event. An interrupt of the pin, or a UART or SPI whose input it is, may notice the
    /// level later: for those, run to the nanosecond and call [`drive`](Self::drive).
    pub fn schedule(&mut self, ns: u64, pin: usize, drive: Drive) {
        self.devices.schedule(ns, pin, drive);
    }

    /// Drops levels [scheduled](Self::schedule) for later than `ns`.
    pub fn cancel_scheduled(&mut self, ns: u64) {
        self.devices.cancel_arrivals(ns);
    }

    /// Returns the number of scheduled levels that have not arrived yet.
    pub fn scheduled(&self) -> usize {
        self.devices.arrivals()
    }

    /// Lets a change of one of these pins (bit n is GPIO n) end [`run`](Self::run), which then
    /// returns [`Halt::Time`](super::Halt::Time) before its time. 0 switches this off.
    pub fn stop_at_changes(&mut self, pins: u32) {
        self.devices.changes.stop_at(pins);
        self.devices.touch();
    }

    /// Gives the pins of UARTs, SPIs, I2Cs, PWM and CLK_GPOUT levels from now on, also after every
    /// reset, and lets the inputs of UARTs, SPIs and I2Cs sample the pins that are driven or wired.
    /// Without this call they are observed as bytes, words and waves. Each edge is an event, so a
    /// program with a fast clock on a pin takes many times as long.
    pub fn observe_functions(&mut self) {
        self.devices.observe_functions(self.cores[0].cycles());
    }

    /// Connects two pins by a wire, which every reset retains. An output among the pins that are
    /// wired together gives them its level; of several outputs, low wins. Returns false if a pin
    /// does not exist, or there are 15 wires already.
    ///
    /// As soon as a wired pin, or one that a contact connects, is one of a UART, SPI, I2C, PWM or
    /// CLK_GPOUT, all pins of these functions have levels, as after
    /// [`observe_functions`](Self::observe_functions). Pins of SIO and of the PIOs always have.
    pub fn wire(&mut self, pins: [usize; 2]) -> bool {
        let mut joined = false;
        let cycle = self.cores[0].cycles();
        self.devices.change_pins(cycle, |devices| {
            joined = devices.bank.join(pins);
            devices.observe_for_wires();
        });
        joined
    }

    /// Connects pins by closed contacts, and by contacts with diodes, in place of those of the last
    /// call; every reset retains them. An output among the pins that contacts connect gives them
    /// its level; of several outputs, low wins. Without a [`wire`](Self::wire), this gives the pins
    /// of functions no levels.
    pub fn connect(&mut self, contacts: &[[usize; 2]], diodes: &[Diode]) {
        let cycle = self.cores[0].cycles();
        self.devices.change_pins(cycle, |devices| {
            devices.bank.connect(contacts, diodes);
            devices.observe_for_wires();
        });
    }

    /// Returns the pins (bit n is GPIO n) that are connected to each other and whose outputs have
    /// had different levels since the last call.
    pub fn take_short_circuits(&mut self) -> u32 {
        self.devices.bank.take_short_circuits()
    }

    /// Returns the levels of all pins; bit n is GPIO n.
    pub fn levels(&self) -> u32 {
        self.devices.levels_at(self.cores[0].cycles())
    }

    /// Returns the pins that the chip drives now: the enabled outputs of SIO and of the PIOs, and
    /// the outputs of the other functions. An I2C drives its pins only low, and is not included.
    pub fn driven(&self) -> u32 {
        self.devices.driven()
    }

    /// Returns GPIO_OUT and GPIO_OE: the levels of the processor's outputs, and the pins that it
    /// drives if their function is SIO.
    pub fn outputs(&self) -> (u32, u32) {
        self.devices.sio.outputs()
    }

    /// Records level changes of these pins for [`take_changes`](Self::take_changes); bit n is
    /// GPIO n.
    pub fn watch(&mut self, pins: u32) {
        self.devices.catch_up(self.cores[0].cycles());
        self.devices.changes.watch(pins);
    }

    /// Returns the changes of watched pins since the last call, oldest first. At most
    /// [`MAX_PIN_CHANGES`](super::MAX_PIN_CHANGES) are stored; older ones are
    /// [dropped](Self::dropped_changes).
    pub fn take_changes(&mut self) -> Vec<PinChange> {
        let cycle = self.cores[0].cycles();
        let ns = self.devices.now(cycle);
        // Edges of UART, SPI and PWM are applied only when they are observed.
        self.devices.advance_functions(ns);
        self.devices.catch_up(cycle);
        self.devices.changes.take()
    }

    /// Returns the bursts on watched pins since the last call, oldest first. From the first call on
    /// the changes of a burst are not among those of [`take_changes`](Self::take_changes); no other
    /// change happens between its first and its last one.
    pub fn take_bursts(&mut self) -> Vec<PinBurst> {
        self.devices.catch_up(self.cores[0].cycles());
        self.devices.changes.take_bursts()
    }

    /// Returns the words on watched pins since the last call, oldest first. From the first call on
    /// their changes are not among those of [`take_changes`](Self::take_changes) and
    /// [`take_bursts`](Self::take_bursts); no other change happens between the first one of some
    /// words and their last one.
    pub fn take_words(&mut self) -> Vec<PinWords> {
        self.devices.catch_up(self.cores[0].cycles());
        self.devices.changes.take_words()
    }

    /// Records changes of the functions of these pins for
    /// [`take_function_changes`](Self::take_function_changes); bit n is GPIO n. At most 4,096
    /// changes are stored; older ones are dropped.
    pub fn watch_functions(&mut self, pins: u32) {
        self.devices.watch_functions(pins);
    }

    /// Returns the changes of functions of watched pins since the last call, oldest first.
    pub fn take_function_changes(&mut self) -> Vec<FunctionChange> {
        self.devices.function_changes.take()
    }

    /// Returns the number of changes of watched pins that were dropped since power-on because the
    /// buffer was full.
    pub fn dropped_changes(&self) -> u64 {
        self.devices.changes.dropped()
    }

    /// Returns FUNCSEL of a pin (datasheet section 2.19.2): 3 is I2C, 4 is PWM, 5 is SIO, 6 and 7
    /// are the PIOs.
    pub fn function(&self, pin: usize) -> Option<u32> {
        self.devices.bank.function(pin)
    }

    /// Returns the inputs of a program that polls GPIO_IN in vain ([`polled`](Self::polled)): pins with the
    /// function SIO that it does not drive; bit n is GPIO n. 0 if no core polls GPIO_IN.
    pub fn inputs_polled_in_vain(&self) -> u32 {
        const GPIO_IN: u32 = 0xD000_0004; // datasheet section 2.3.1.7
        const SIO: u32 = 5; // datasheet section 2.19.2
        if !self.polled().iter().any(|polled| polled.access.address == GPIO_IN) {
            return 0;
        }
        let (_, outputs) = self.outputs();
        let has_function = (0..PIN_COUNT).filter(|pin| self.function(*pin) == Some(SIO));
        has_function.fold(0, |pins, pin| pins | 1 << pin) & !outputs
    }

    /// Returns the changes of the PWM's outputs since the last call, and the number of changes
    /// dropped since power-on because the buffer was full.
    pub fn take_pwm_changes(&mut self) -> (Vec<OutputChange>, u64) {
        let ns = self.now_ns();
        (self.devices.pwm.take_changes(ns), self.devices.pwm.dropped())
    }

    /// Returns the frequency in Hz and the duty of a PWM channel (slice 0 to 7; channel 0 is A, 1
    /// is B), if its output is a square wave.
    pub fn square_wave(&mut self, slice: usize, channel: usize) -> Option<(f64, f64)> {
        let ns = self.now_ns();
        self.devices.pwm.square_wave(slice, channel, ns)
    }

    /// Returns the levels of the PWM's channels: bit 2n is slice n's A, bit 2n + 1 its B.
    pub fn pwm_levels(&mut self) -> u32 {
        let ns = self.now_ns();
        self.devices.pwm.levels(ns)
    }

    /// Sets the voltage of ADC input `number` from now on, which every reset retains: 0 to 3 are
    /// GPIO 26 to 29, 4 is the temperature sensor ([`AnalogInput::sensor_volts`]). There are
    /// [`ADC_INPUT_COUNT`](super::ADC_INPUT_COUNT) inputs; other numbers are ignored.
    pub fn set_analog_input(&mut self, number: usize, input: AnalogInput) {
        let ns = self.now_ns();
        self.devices.adc.advance(ns);
        self.devices.adc.set_input(number, input);
    }

    /// Presses or releases the BOOTSEL button.
    pub fn press_bootsel(&mut self, pressed: bool) {
        self.devices.qspi.press_bootsel(pressed);
        self.devices.touch();
    }
}
