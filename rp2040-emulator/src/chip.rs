//! The RP2040 around its cores: memory, boot ROM, clocks, timer, pins, UARTs, and the connections
//! between them.
//!
//! [`Chip::load`] writes a program into the flash, [`Chip::power_on`] starts it as the boot ROM
//! does, [`Chip::run`] advances time. The caller drives and reads pins ([`Chip::drive`],
//! [`Chip::levels`]), wires them together ([`Chip::wire`]), exchanges UART bytes ([`Chip::send`],
//! [`Chip::take_sent`]), attaches I2C and SPI devices ([`Chip::attach_i2c`],
//! [`Chip::attach_i2c_at`], [`Chip::attach_spi`], [`Chip::attach_spi_target`]) and sets the
//! voltages of analogue inputs ([`Chip::set_analog_input`]). The chip is deterministic: two chips
//! with the same program and the same calls have the same state after every instruction, and so
//! does a clone.
//!
//! Registers that are not modelled read as zero; [`Chip::not_modelled`] lists the ones that the
//! program has accessed. The chip does not depend on any board: only the caller drives its pins.

use crate::cpu::bus::Bus;
use crate::cpu::memory::{FLASH_BASE, Memory, RAM_BASE, RAM_SIZE};
use crate::cpu::{CoreFault, Cpu, Stop, SurvivedFaults};
use crate::image::{Image, Segment};

mod buses;
mod cache;
mod debug_port;
mod devices;
mod faults;
mod flash_change;
mod flash_rules;
mod native;
mod peek;
mod peripherals;
mod pins;
mod polls;
mod rate;
mod report;
mod rom;
mod rules;
mod step;
mod time;
mod usb;
mod waits;

use debug_port::{CoreDebug, HALTED};
pub use debug_port::{DebugFault, DebugPort, DebugTarget};
use devices::{Devices, Launch};
pub use devices::{
    FunctionChange, MAX_PIN_CHANGES, PinBurst, PinChange, PinWords, WordChange, WordData,
};
pub use faults::Survival;
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
pub use rules::{Actor, Detail, Finding, MAX_FINDINGS, Rule, Severity};
pub use step::{Step, StepEvent, Turns};
use waits::IdleTurns;

/// Largest number of cycles by which one core may be ahead of the other while both run, in its own
/// memory and registers.
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
    /// Whether the flash ignores the ROM's functions that program and erase it.
    flash_is_stuck: bool,
    /// The last fault of a core before the program reset the chip.
    old_fault: Option<Box<CoreFault>>,
    /// Faults that the watchdog's time has ended.
    reset_faults: Option<Box<SurvivedFaults>>,
    /// Whether a core that locks up ends the run.
    lockup_halts: bool,
    /// Cycles that each core still spends in a ROM function; [`HALTED`] while a debugger halts it.
    in_rom: [u64; 2],
    /// Largest number of cycles by which a core may be ahead.
    lead: u64,
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
        Self {
            cores,
            memory,
            devices,
            flash_changes: None,
            flash_is_stuck: false,
            old_fault: None,
            reset_faults: None,
            lockup_halts: true,
            in_rom: [0; 2],
            lead: LEAD,
            debug: Default::default(),
        }
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
        self.reset(Watchdog::default(), None);
        self.forget_debugger();
        self.boot()
    }

    /// Makes RANDOMBIT read 0 until it is repaired (`false`). The sequence of its source continues
    /// then where it was.
    pub fn stick_random_bits(&mut self, stuck: bool) {
        self.devices.clocks.stick_random_bits(stuck);
    }

    /// Sets the frequency of the crystal in hertz, 12 MHz from the start. Every reset retains it.
    pub fn set_crystal(&mut self, hz: u64) {
        self.devices.clocks.set_crystal(hz);
    }

    /// Makes the flash ignore the ROM's functions that program and erase it, as if it were
    /// write-protected, until it is repaired (`false`). They still take their time.
    pub fn stick_flash(&mut self, stuck: bool) {
        self.flash_is_stuck = stuck;
    }

    /// Sets the source of the bits that RANDOMBIT of the ring oscillator reads, which every reset
    /// retains.
    pub fn set_random_bits(&mut self, bits: RandomBits) {
        self.devices.clocks.set_random_bits(bits);
    }

    fn reset(&mut self, watchdog: Watchdog, reason: Option<Reason>) {
        let cycle = self.cores[0].cycles();
        self.store_fault(reason);
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
    /// returns [`Halt::Time`] before its time, as it does when a
    /// [record](crate::cpu::memory::Memory::is_record_full) must be taken.
    pub fn run(&mut self, until_ns: u64) -> Halt {
        let halt = self.run_to(until_ns);
        // The caller may change what is foreseen of the DMA and the PIOs.
        if self.devices.foresees_words() {
            self.devices.catch_up(self.cores[0].cycles());
        }
        self.devices.apply_unnoticed(self.cores[0].cycles());
        halt
    }

    fn run_to(&mut self, until_ns: u64) -> Halt {
        // Number of consecutive turns in which both cores slept: after two, each core has sampled
        // its interrupts.
        let mut asleep = 0;
        let mut calm = IdleTurns::default();
        self.cores.iter_mut().for_each(Cpu::end_recording);
        loop {
            self.serve_devices();
            if self.devices.clocks.sys_is_stopped() {
                match self.pass_dormant(until_ns) {
                    Ok(()) => continue,
                    Err(halt) => return halt,
                }
            }
            if std::mem::take(&mut self.devices.asked) || self.memory.is_record_full() {
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
            let deadline = self.begin_turn(core, until);
            let activity = self.devices.activity;
            let stop = self.cores[core].run(&mut self.memory, &mut self.devices, deadline);
            self.skip_waits(&mut calm, core, stop, activity, until);
            let both = stop == Stop::Deadline && self.cores.iter().all(Cpu::asleep);
            asleep = if both { asleep + 1 } else { 0 };
            match stop {
                Stop::Deadline | Stop::Bus => {}
                Stop::Breakpoint(_) if self.halts_at_breakpoint(core) => {}
                Stop::Breakpoint(number) => return Halt::Breakpoint(core as u8, number),
                Stop::Lockup if self.outlives_lockup() => self.pass_locked_up(core, deadline),
                Stop::Lockup => return Halt::Lockup(core as u8),
                Stop::ResetRequest => {
                    self.reboot(None);
                    self.note_reset(core);
                }
                Stop::NativeCall(number) => {
                    if let Err(name) = self.native_call(core, number) {
                        return Halt::RomCall(core as u8, name);
                    }
                    self.note_return_from_rom(core);
                }
            }
        }
    }

    /// Passes the time in which the system clock stands still, if it is dormant.
    fn pass_dormant(&mut self, until_ns: u64) -> Result<(), Halt> {
        if !self.devices.is_dormant() {
            return Err(Halt::ClockStopped);
        }
        let cycle = self.cores.iter().map(Cpu::cycles).fold(0, u64::max);
        let is_awake = self.devices.pass_dormant(cycle, until_ns);
        if is_awake { Ok(()) } else { Err(Halt::Time) }
    }

    /// Returns whether the system clock stands still until a pin or the RTC wakes its oscillator.
    pub fn is_dormant(&self) -> bool {
        self.devices.is_dormant()
    }

    /// Returns the core with the lower cycle count, unless both have reached `until`.
    fn next_core(&self, until: u64) -> Option<usize> {
        let second = self.devices.launch == Launch::Running;
        let core = usize::from(second && self.cores[1].cycles() < self.cores[0].cycles());
        (self.cores[core].cycles() < until).then_some(core)
    }

    /// Sets the largest number of cycles by which one core may be ahead of the other, 1 to 32. A
    /// core that is ahead accesses only memory: accesses to devices are in the order of their
    /// cycles with any number, and tests compare them.
    pub fn set_turn_cycles(&mut self, cycles: u64) {
        self.lead = cycles.clamp(1, LEAD);
    }

    /// Begins a turn of `core`. Returns the cycle up to which it may run.
    fn begin_turn(&mut self, core: usize, until: u64) -> u64 {
        let other = self.cores[1 - core].cycles();
        self.end_flash_operation(core);
        let (deadline, horizon) = match self.devices.launch {
            Launch::Running => (until.min(other + self.lead), Self::horizon(core, other)),
            _ => (until.min(self.memory.turn_end(self.cores[core].cycles())), u64::MAX),
        };
        self.cores[core].set_horizon(horizon);
        deadline
    }

    /// Returns the latest cycle at which `core` may access what it shares with the other core,
    /// which is at cycle `other`. Of two accesses in one cycle that of core 0 is the first.
    fn horizon(core: usize, other: u64) -> u64 {
        if core == 0 { other } else { other.saturating_sub(1) }
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
        if self.devices.launch == Launch::Running && !self.devices.wants_service() {
            return;
        }
        self.devices.clear_stop();
        let cycle = self.cores[0].cycles();
        // Up to this cycle all accesses have been made.
        let reached = match self.devices.launch {
            Launch::Running => cycle.min(self.cores[1].cycles()),
            _ => cycle,
        };
        let ns = self.devices.now(reached);
        if let Some(reason) = self.devices.watchdog.expired(ns) {
            self.reboot(Some(reason));
        }
        self.devices.fetch_flash(&self.memory, reached);
        self.devices.transfer(&mut self.memory, reached);
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
        self.reset(watchdog, reason);
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

    /// Starts recording changes of the flash for [`take_flash_changes`](Self::take_flash_changes).
    pub fn watch_flash(&mut self) {
        self.flash_changes.get_or_insert_default();
    }

    /// Returns the changes that ROM functions have made to the flash since the last call, in order.
    pub fn take_flash_changes(&mut self) -> Vec<FlashChange> {
        self.flash_changes.as_mut().map(std::mem::take).unwrap_or_default()
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

    /// Returns the places at which the program has broken a rule of the chip, in the order in which
    /// it first did.
    pub fn findings(&self) -> &[Finding] {
        self.devices.findings.all()
    }

    /// Returns the number of breaks at places that are not stored, because there were
    /// [`MAX_FINDINGS`] before.
    pub fn findings_left_out(&self) -> u64 {
        self.devices.findings.left_out()
    }

    /// Returns the registers that a core has polled for a second or longer while they did not
    /// change.
    pub fn polled(&self) -> &[Polled] {
        self.devices.polls.all()
    }
}

#[cfg(test)]
mod tests;
