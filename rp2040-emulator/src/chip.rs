//! The RP2040 around its cores: memory, boot ROM, clocks, timer, pins, UARTs, and the connections
//! between them.
//!
//! [`Chip::load`] writes a program into the flash, [`Chip::power_on`] starts it as the boot ROM
//! does, [`Chip::run`] advances time. The caller drives and reads pins ([`Chip::drive`],
//! [`Chip::levels`]), wires them together ([`Chip::wire`]), exchanges UART bytes ([`Chip::send`],
//! [`Chip::take_sent`]), attaches I2C and SPI devices ([`Chip::attach_i2c`], [`Chip::attach_i2c_at`],
//! [`Chip::attach_spi`], [`Chip::attach_spi_target`])
//! and sets the voltages of analogue inputs ([`Chip::set_analog_input`]). The chip is
//! deterministic: two chips with the same program and the same calls have the same state after
//! every instruction, and so does a clone.
//!
//! Registers that are not modelled read as zero; [`Chip::not_modelled`] lists the ones that the
//! program has accessed. The chip does not depend on any board: only the caller drives its pins.

use crate::backtrace::{self, Names};
use crate::cpu::bus::Bus;
use crate::cpu::memory::{FLASH_BASE, Memory, RAM_BASE, RAM_SIZE};
use crate::cpu::{CoreFault, Cpu, Stop};
use crate::image::{Image, Segment};

mod cache;
mod debug_port;
mod devices;
mod flash_change;
mod native;
mod peek;
mod peripherals;
mod polls;
mod rate;
mod report;
mod rom;
mod step;
mod time;
mod usb;
mod waits;

use debug_port::{CoreDebug, HALTED};
pub use debug_port::{DebugFault, DebugPort, DebugTarget};
use devices::{Devices, Launch};
pub use devices::{FunctionChange, MAX_PIN_CHANGES, PinBurst, PinChange};
pub use flash_change::FlashChange;
pub use peripherals::adc::{ADC_INPUT_COUNT, AnalogInput};
pub use peripherals::clocks::RandomBits;
pub use peripherals::i2c::{I2cEvent, I2cTarget};
pub use peripherals::io_bank::{Diode, Drive, PIN_COUNT};
pub use peripherals::pwm::{Output, OutputChange};
pub use peripherals::spi::{SpiAnswer, SpiDevice, SpiPins, SpiTarget, SpiWord};
use peripherals::watchdog::{Reason, Watchdog, WatchdogBoot};
pub use polls::Polled;
pub use report::{MAX_REPORTS, NotModelled};
pub use step::{Step, StepEvent, Turns};
use waits::IdleTurns;

/// Largest number of cycles by which one core may be ahead of the other while both run.
const LEAD: u64 = 32;

/// Address to which the boot ROM copies the second stage; the boot ROM's stack is below it.
const BOOT2_RAM: u32 = RAM_BASE + RAM_SIZE as u32 - 256;
const BOOT2_SIZE: usize = 256;

/// Reason why [`Chip::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The requested time is reached.
    Time,
    /// This core has reached a BKPT instruction with this number.
    Breakpoint(u8, u8),
    /// This core has locked up; [`Cpu::fault`] has the reason.
    Lockup(u8),
    /// This core has called a ROM function of this name that is not modelled.
    RomCall(u8, &'static str),
    /// The source of the system clock has stopped, so no core continues.
    ClockStopped,
}

/// Reason why a program does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BootError {
    /// The program has bytes at this address, beyond the end of this chip's flash; its size in
    /// bytes.
    #[error(
        "the program reaches 0x{0:08x}, but this flash of {1} bytes ends at 0x{end:08x}",
        end = FLASH_BASE as usize + .1
    )]
    FlashTooSmall(u32, usize),
    /// The checksum of the second-stage boot loader (computed) differs from its last word (found).
    #[error(
        "the first 256 bytes of the flash are no second-stage boot loader: their checksum is \
         0x{0:08x}, not 0x{1:08x}; the chip would wait for USB"
    )]
    Boot2Checksum(u32, u32),
}

/// The error for a boot ROM of this number of bytes instead of 16 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a boot ROM has 16384 bytes, this has {0}")]
pub struct WrongRomSize(pub usize);

/// An RP2040.
#[derive(Clone, Debug)]
pub struct Chip {
    cores: [Cpu; 2],
    memory: Memory,
    devices: Devices,
    /// Changes of the flash, recorded once the caller has called [`Chip::watch_flash`].
    flash_changes: Option<Vec<FlashChange>>,
    /// The last fault of a core before the chip was reset.
    old_fault: Option<Box<CoreFault>>,
    /// Cycles that each core still spends in a ROM function; [`HALTED`] while a debugger halts it.
    in_rom: [u64; 2],
    /// Debug registers of each core.
    debug: [CoreDebug; 2],
}

impl Chip {
    /// Creates an unpowered chip with `flash_size` bytes of erased flash.
    ///
    /// # Panics
    /// Panics if `flash_size` is more than 16 MiB.
    pub fn new(flash_size: usize) -> Self {
        let mut memory = Memory::new(rom::SIZE, flash_size);
        memory.load(0, &rom::image()).expect("the ROM's image has the ROM's size");
        let mut cores = [Cpu::new(0), Cpu::new(1)];
        for core in &mut cores {
            core.set_native_calls(rom::SIZE as u32);
        }
        let mut devices = Devices::new();
        devices.ssi.set_flash_size(memory.flash_size());
        let (flash_changes, old_fault, in_rom, debug) = Default::default();
        Self { cores, memory, devices, flash_changes, old_fault, in_rom, debug }
    }

    /// Replaces the built-in substitute by the ROM of a real chip, whose functions are executed
    /// instruction by instruction. The chip still starts at the second stage, and core 1 is still
    /// launched as the ROM does it.
    ///
    /// # Errors
    /// Returns the number of bytes if it is not 16 KiB.
    pub fn set_boot_rom(&mut self, bytes: &[u8]) -> Result<(), WrongRomSize> {
        if bytes.len() != rom::SIZE {
            return Err(WrongRomSize(bytes.len()));
        }
        self.memory.load(0, bytes).map_err(|_| WrongRomSize(bytes.len()))?;
        for core in &mut self.cores {
            core.set_native_calls(0);
        }
        Ok(())
    }

    /// Writes a program to its addresses; the rest of the flash retains its contents.
    ///
    /// # Errors
    /// Returns [`BootError::FlashTooSmall`]; nothing is written then.
    pub fn load(&mut self, image: &Image) -> Result<(), BootError> {
        let size = self.memory.flash_size();
        for Segment { address, bytes } in &image.segments {
            let end = (address - FLASH_BASE) as usize + bytes.len();
            if *address < RAM_BASE && end > size {
                return Err(BootError::FlashTooSmall(FLASH_BASE + end as u32 - 1, size));
            }
        }
        for Segment { address, bytes } in &image.segments {
            self.memory
                .load(*address, bytes)
                .map_err(|error| BootError::FlashTooSmall(error.address, size))?;
        }
        Ok(())
    }

    /// Starts the program in the flash as the boot ROM does: checks the second-stage boot loader,
    /// copies it to the end of the RAM and runs it.
    ///
    /// # Errors
    /// Returns [`BootError::Boot2Checksum`] where a chip would start its USB boot loader.
    pub fn power_on(&mut self) -> Result<(), BootError> {
        self.reset(Watchdog::default());
        self.forget_debugger();
        self.boot()
    }

    /// Makes RANDOMBIT read 0 until it is repaired (`false`). The sequence of its source continues
    /// then where it was.
    pub fn stick_random_bits(&mut self, stuck: bool) {
        self.devices.clocks.stick_random_bits(stuck);
    }

    /// Sets the source of the bits that RANDOMBIT of the ring oscillator reads, which every reset
    /// retains.
    pub fn set_random_bits(&mut self, bits: RandomBits) {
        self.devices.clocks.set_random_bits(bits);
    }

    fn reset(&mut self, watchdog: Watchdog) {
        let cycle = self.cores[0].cycles();
        if let Some(fault) = self.fault() {
            self.old_fault = Some(Box::new(fault.clone()));
        }
        self.in_rom = [0; 2];
        let devices = std::mem::replace(&mut self.devices, Devices::new());
        self.devices = devices.after_reset(watchdog, cycle);
    }

    fn boot(&mut self) -> Result<(), BootError> {
        if let Some(WatchdogBoot { stack, entry }) = self.devices.watchdog.take_boot() {
            self.cores[0].begin(0, stack, entry);
            return Ok(());
        }
        let boot2: [u8; BOOT2_SIZE] = self.memory.bytes(FLASH_BASE).unwrap_or([0; BOOT2_SIZE]);
        let (code, sum) = boot2.split_at(BOOT2_SIZE - 4);
        let found = u32::from_le_bytes(*sum.first_chunk().expect("four bytes"));
        let computed = rom::boot2_checksum(code);
        if computed != found {
            return Err(BootError::Boot2Checksum(computed, found));
        }
        self.memory.load(BOOT2_RAM, &boot2).expect("the end of the RAM has room");
        self.cores[0].begin(0, BOOT2_RAM, BOOT2_RAM | 1);
        // The second stage returns if LR is not zero, and starts the program if it is.
        self.cores[0].set_register(14, 0);
        Ok(())
    }

    /// Runs until `until_ns` nanoseconds since the chip was created, or until an event ends the run
    /// earlier. A frame that an [`SpiDevice`] leaves to the caller is such an event: the run then
    /// returns [`Halt::Time`] before its time.
    pub fn run(&mut self, until_ns: u64) -> Halt {
        // Number of consecutive turns in which both cores slept: after two, each core has sampled
        // its interrupts.
        let mut asleep = 0;
        let mut calm = IdleTurns::default();
        self.cores.iter_mut().for_each(Cpu::end_recording);
        loop {
            self.serve_devices();
            if self.devices.clocks.sys_is_stopped() {
                return Halt::ClockStopped;
            }
            if std::mem::take(&mut self.devices.asked) {
                return Halt::Time;
            }
            let until = self.devices.time.cycle(until_ns);
            if asleep >= 2 && self.devices.launch == Launch::Running {
                self.skip(until);
                asleep = 0;
            }
            let Some(core) = self.next_core(until) else { return Halt::Time };
            if self.is_in_rom(core) {
                self.pass_in_rom(core, until);
                continue;
            }
            let deadline = self.deadline(core, until);
            let activity = self.devices.activity;
            let stop = self.cores[core].run(&mut self.memory, &mut self.devices, deadline);
            self.skip_waits(&mut calm, core, stop, activity, until);
            let both = stop == Stop::Deadline && self.cores.iter().all(Cpu::asleep);
            asleep = if both { asleep + 1 } else { 0 };
            match stop {
                Stop::Deadline | Stop::Bus => {}
                Stop::Breakpoint(_) if self.halts_at_breakpoint(core) => {}
                Stop::Breakpoint(number) => return Halt::Breakpoint(core as u8, number),
                Stop::Lockup => return Halt::Lockup(core as u8),
                Stop::ResetRequest => self.reboot(None),
                Stop::NativeCall(number) => {
                    if let Err(name) = self.native_call(core, number) {
                        return Halt::RomCall(core as u8, name);
                    }
                }
            }
        }
    }

    /// Returns the core with the lower cycle count, unless both have reached `until`.
    fn next_core(&self, until: u64) -> Option<usize> {
        let second = self.devices.launch == Launch::Running;
        let core = usize::from(second && self.cores[1].cycles() < self.cores[0].cycles());
        (self.cores[core].cycles() < until).then_some(core)
    }

    /// Returns the cycle up to which `core` may run before the turn of the other core.
    fn deadline(&self, core: usize, until: u64) -> u64 {
        match self.devices.launch {
            Launch::Running => until.min(self.cores[1 - core].cycles() + LEAD),
            _ => until,
        }
    }

    /// Advances time to the next possible change, while both cores sleep and no interrupt is due.
    fn skip(&mut self, until: u64) {
        let ticks = self.cores.iter().map(Cpu::next_tick);
        let quiet = ticks.fold(until.min(self.devices.next_change(0)), u64::min);
        for core in &mut self.cores {
            core.idle(quiet.saturating_sub(core.cycles()));
        }
    }

    /// Executes the requests of the devices: resets, transfers, events, the launch of core 1.
    fn serve_devices(&mut self) {
        self.devices.clear_stop();
        let cycle = self.cores[0].cycles();
        let ns = self.devices.now(cycle);
        if let Some(reason) = self.devices.watchdog.expired(ns) {
            self.reboot(Some(reason));
        }
        let latest = self.cores.iter().map(Cpu::cycles).fold(cycle, u64::max);
        self.devices.fetch_flash(&self.memory, latest);
        self.devices.transfer(&mut self.memory, latest);
        let tick = self.devices.tick_cycles;
        for (core, event) in self.cores.iter_mut().zip(&mut self.devices.events) {
            core.set_systick_reference(tick);
            if std::mem::take(event) {
                core.set_event();
            }
        }
        match self.devices.launch {
            Launch::Ready(start) => {
                let second = &mut self.cores[1];
                second.idle(cycle.saturating_sub(second.cycles()));
                second.begin(start.vectors, start.stack, start.entry);
                second.set_register(14, rom::CORE_1_END | 1);
                self.in_rom[1] &= HALTED;
                self.devices.launch = Launch::Running;
            }
            Launch::Reset | Launch::Waiting(..) | Launch::Running => {}
        }
    }

    /// Resets the chip, by the watchdog or by a core's SYSRESETREQ, which retains the watchdog's
    /// state.
    fn reboot(&mut self, reason: Option<Reason>) {
        let watchdog = match reason {
            Some(reason) => self.devices.watchdog.after(reason),
            None => self.devices.watchdog.clone(),
        };
        self.reset(watchdog);
        // The second stage was valid when the chip was switched on. If the program has overwritten
        // it since, the chip waits for USB, which never answers here.
        if self.boot().is_err() {
            self.cores[0].begin(0, 0, 0);
        }
        self.note_reset_for_debug();
    }

    /// Returns the nanoseconds since the chip was created, by the cycle count of core 0.
    pub fn now_ns(&self) -> u64 {
        self.devices.time.ns(self.cores[0].cycles())
    }

    /// Returns core `number` (0 or 1): registers, counts, last fault.
    pub fn core(&self, number: usize) -> &Cpu {
        &self.cores[number & 1]
    }

    /// Returns the last fault of either core, which a later reset of the chip retains.
    pub fn fault(&self) -> Option<&CoreFault> {
        let faults = self.cores.iter().filter_map(Cpu::fault);
        faults.max_by_key(|fault| fault.cycle).or(self.old_fault.as_deref())
    }

    /// Returns a report of a fault of this chip, with addresses described by `names`.
    pub fn explain(&self, fault: &CoreFault, names: &dyn Names) -> String {
        backtrace::report(fault, &self.memory, names)
    }

    /// Starts recording changes of the flash for [`take_flash_changes`](Self::take_flash_changes).
    pub fn watch_flash(&mut self) {
        self.flash_changes.get_or_insert_default();
    }

    /// Returns the changes that ROM functions have made to the flash since the last call, in order.
    pub fn take_flash_changes(&mut self) -> Vec<FlashChange> {
        self.flash_changes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Returns a report of the last fault of core `number`, with addresses described by `names`.
    pub fn fault_report(&self, number: usize, names: &dyn Names) -> Option<String> {
        let fault = self.core(number).fault()?;
        Some(backtrace::report(fault, &self.memory, names))
    }

    /// Sets whether BKPT stops the run (a debugger is attached) or causes a HardFault.
    pub fn set_debugged(&mut self, debugged: bool) {
        for core in &mut self.cores {
            core.set_debugged(debugged);
        }
    }

    /// Returns ROM, flash and RAM.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns ROM, flash and RAM, for changes by the caller.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Returns the accesses to registers that are not modelled: the first access to each address.
    pub fn not_modelled(&self) -> &[NotModelled] {
        self.devices.reports.all()
    }

    /// Returns the registers that a core has polled for a second or longer while they did not
    /// change.
    pub fn polled(&self) -> &[Polled] {
        self.devices.polls.all()
    }

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
    /// returns [`Halt::Time`] before its time. 0 switches this off.
    pub fn stop_at_changes(&mut self, pins: u32) {
        self.devices.changes.stop_at(pins);
    }

    /// Gives the pins of UARTs, SPIs, I2Cs, PWM and CLK_GPOUT levels from now on, also after every
    /// reset, and lets the inputs of UARTs, SPIs and I2Cs sample the pins that are driven or wired.
    /// Without this call they are observed as bytes, words and waves. Each edge is an event, so a
    /// program with a fast clock on a pin takes many times as long.
    pub fn observe_functions(&mut self) {
        self.devices.observe_functions(self.cores[0].cycles());
    }

    /// Connects two pins by a wire, which every reset retains, and enables the levels of the
    /// functions as [`observe_functions`](Self::observe_functions) does. An output among the pins
    /// that are wired together gives them its level; of several outputs, low wins. Returns false if
    /// a pin does not exist, or there are 15 wires already.
    pub fn wire(&mut self, pins: [usize; 2]) -> bool {
        self.observe_functions();
        let mut joined = false;
        let cycle = self.cores[0].cycles();
        self.devices.change_pins(cycle, |devices| joined = devices.bank.join(pins));
        joined
    }

    /// Connects pins by closed contacts, and by contacts with diodes, in place of those of the last
    /// call; every reset retains them. An output among the pins that contacts connect gives them its
    /// level; of several outputs, low wins. Unlike [`wire`](Self::wire), this enables no levels of
    /// functions.
    pub fn connect(&mut self, contacts: &[[usize; 2]], diodes: &[Diode]) {
        let cycle = self.cores[0].cycles();
        self.devices.change_pins(cycle, |devices| devices.bank.connect(contacts, diodes));
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
    /// [`MAX_PIN_CHANGES`] are stored; older ones are [dropped](Self::dropped_changes).
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

    /// Returns the bytes that UART `number` (0 or 1) has sent since the last call, each with the
    /// nanosecond at which its stop bit ended.
    pub fn take_sent(&mut self, number: usize) -> Vec<(u64, u8)> {
        self.devices.uarts[number & 1].take_sent()
    }

    /// Lets UART `number` send its remaining bytes in the time that this takes, while everything
    /// else is stopped; [`take_sent`](Self::take_sent) then returns these bytes. Intended for the
    /// end of a run.
    pub fn drain_uart(&mut self, number: usize) {
        self.devices.uarts[number & 1].drain();
    }

    /// Returns whether UART `number` has a byte on the wire or in its FIFO.
    pub fn is_sending(&self, number: usize) -> bool {
        self.devices.uarts[number & 1].is_sending()
    }

    /// Returns FUNCSEL of a pin (datasheet section 2.19.2): 3 is I2C, 4 is PWM, 5 is SIO, 6 and 7
    /// are the PIOs.
    pub fn function(&self, pin: usize) -> Option<u32> {
        self.devices.bank.function(pin)
    }

    /// Returns the duration of a byte on the wire to UART `number`, in nanoseconds; `None` while an
    /// arriving byte would be lost, because the receiver is disabled or has no clock, or its FIFO
    /// is full.
    pub fn arrival_ns(&self, number: usize) -> Option<u64> {
        self.devices.uarts[number & 1].arrival_ns()
    }

    /// Makes UART `number` report that it has lost a byte: the next byte has the overrun flag
    /// (datasheet section 4.2.8, UARTDR).
    pub fn lose(&mut self, number: usize) {
        self.devices.uarts[number & 1].lose();
        self.devices.touch();
    }

    /// Delivers a byte to UART `number`.
    pub fn send(&mut self, number: usize, byte: u8) {
        let ns = self.now_ns();
        self.devices.uarts[number & 1].arrive(byte, ns);
        self.devices.touch();
    }

    /// Returns the words that SPI controller `number` (0 or 1) has sent since the last call, and
    /// the number of words dropped since power-on because the buffer was full.
    pub fn take_spi_sent(&mut self, number: usize) -> (Vec<SpiWord>, u64) {
        let ns = self.now_ns();
        let spi = &mut self.devices.spis[number & 1];
        (spi.take_sent(ns), spi.dropped())
    }

    /// Queues the word that the next unanswered frame of SPI controller `number` reads. Returns
    /// false, and drops the word, if the queue is full.
    pub fn answer_spi(&mut self, number: usize, word: u16) -> bool {
        self.devices.spis[number & 1].answer(word)
    }

    /// Sets the level of an SPI controller's RX while no answer is queued; initially low.
    pub fn set_spi_idle_level(&mut self, number: usize, high: bool) {
        self.devices.spis[number & 1].set_idle_level(high);
    }

    /// Attaches a device to SPI controller `number` (0 or 1), replacing an earlier one. The device
    /// answers each frame that begins from now on.
    pub fn attach_spi(&mut self, number: usize, device: Box<dyn SpiDevice>) {
        self.devices.catch_up(self.cores[0].cycles());
        let levels = self.devices.bank.levels();
        self.devices.spis[number & 1].attach(device, levels);
        self.devices.spi_devices = true;
    }

    /// Returns the current frame of SPI controller `number`, if its device leaves the answer to the
    /// caller. [`answer_spi`](Self::answer_spi) sets the answer; without one the frame reads the
    /// idle level.
    pub fn unanswered_spi_frame(&self, number: usize) -> Option<SpiWord> {
        self.devices.spis[number & 1].question()
    }

    /// Adds an SPI bus for [targets](Self::attach_spi_target). If `is_pulled_up`, a resistor pulls
    /// its MISO up while no target drives it; every reset retains it. Returns false if a pin does not
    /// exist.
    pub fn add_spi_bus(&mut self, pins: SpiPins, is_pulled_up: bool) -> bool {
        self.devices.catch_up(self.cores[0].cycles());
        self.devices.add_spi_bus(pins, is_pulled_up)
    }

    /// Attaches a device to an SPI bus, with its own chip select. It receives what its wires carry: the
    /// frames of the SPI controller that has SCK and MOSI by the functions of the pins, or otherwise
    /// the edges of the pins. Returns the number of the target; `None`, and attaches nothing, if a pin
    /// does not exist.
    pub fn attach_spi_target(
        &mut self,
        pins: SpiPins,
        chip_select: usize,
        target: Box<dyn SpiTarget>,
    ) -> Option<usize> {
        self.devices.catch_up(self.cores[0].cycles());
        self.devices.attach_spi_target(pins, chip_select, target)
    }

    /// Returns the target with this number, in its current state.
    pub fn spi_target(&self, number: usize) -> Option<&dyn SpiTarget> {
        self.devices.spi_target(number)
    }

    /// Attaches a device to the bus of I2C controller `number` (0 or 1). If several devices
    /// acknowledge an address, the one that was attached first is addressed.
    pub fn attach_i2c(&mut self, number: usize, target: Box<dyn I2cTarget>) {
        self.devices.i2cs[number & 1].attach(target, 0);
    }

    /// Attaches a device to two pins, SDA and SCL. It is on the bus of the I2C controller that can
    /// have both pins, while they have that function. Returns false, and attaches nothing, if they
    /// are not the pins of one controller (datasheet section 1.4.3).
    pub fn attach_i2c_at(&mut self, [sda, scl]: [usize; 2], target: Box<dyn I2cTarget>) -> bool {
        let number = sda / 2 % 2;
        let exists = sda.max(scl) < PIN_COUNT;
        if !exists || sda % 2 != 0 || scl % 2 != 1 || scl / 2 % 2 != number {
            return false;
        }
        self.devices.i2cs[number].attach(target, 1 << sda | 1 << scl);
        self.devices.route_i2cs();
        true
    }

    /// Returns the events on the bus of I2C controller `number` as a master since the last call,
    /// each with the nanosecond of its end. The first call starts the recording; at most 262,144
    /// events are stored.
    pub fn take_i2c_events(&mut self, number: usize) -> Vec<(u64, I2cEvent)> {
        self.devices.i2cs[number & 1].take_events()
    }

    /// Sends a start and an address, as another master on the bus of I2C controller `number`.
    /// Returns true if the controller acknowledges it, as a target.
    pub fn call_i2c(&mut self, number: usize, address: u16, reading: bool) -> bool {
        self.devices.touch();
        self.devices.i2cs[number & 1].call(address, reading)
    }

    /// Writes a byte as the other master. Returns true if the controller acknowledges it.
    pub fn send_i2c(&mut self, number: usize, byte: u8) -> bool {
        self.devices.touch();
        self.devices.i2cs[number & 1].take_byte(byte)
    }

    /// Reads a byte as the other master. Returns `None` while the program has not provided one; the
    /// controller then stretches the clock.
    pub fn fetch_i2c(&mut self, number: usize) -> Option<u8> {
        self.devices.touch();
        self.devices.i2cs[number & 1].give_byte()
    }

    /// Sends a stop as the other master.
    pub fn end_i2c_call(&mut self, number: usize) {
        self.devices.touch();
        self.devices.i2cs[number & 1].end_call();
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
    /// [`ADC_INPUT_COUNT`] inputs; other numbers are ignored.
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

#[cfg(test)]
mod tests;
