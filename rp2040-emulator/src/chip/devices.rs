//! Everything at an address that is not memory: which block it belongs to, the aliases that set,
//! clear and flip bits, narrow transfers, and the interrupt lines (datasheet sections 2.1, 2.2
//! and 2.3.2).

use super::peripherals::clocks::{ClockBlock, Clocks};
use super::peripherals::dma::{Dma, Outcome, Transfer};
use super::peripherals::i2c::I2c;
use super::peripherals::io_bank::IoBank;
use super::peripherals::pio::{PIO_COUNT, Pios};
use super::peripherals::pwm::{Pwm, SLICE_COUNT};
use super::peripherals::qspi_pins::QspiPins;
use super::peripherals::sio::Sio;
use super::peripherals::spi::Spi;
use super::peripherals::ssi::Ssi;
use super::peripherals::timer::Timer;
use super::peripherals::uart::Uart;
use super::peripherals::watchdog::Watchdog;
use super::report::Reports;
use super::time::Time;
use crate::bus::{Access, Bus, BusFault, Width};
use crate::memory::Memory;

mod block;
mod launch;
mod pin_changes;
mod pio_pins;

use block::Block;
pub(super) use launch::Launch;
use pin_changes::PinChanges;
pub use pin_changes::{MAX_PIN_CHANGES, PinChange};

/// Bits of RESETS: the blocks that a program can hold in reset.
const ALL_RESETS: u32 = 0x01FF_FFFF;
const RESET_DMA: u32 = 1 << 2;
const RESET_I2CS: [u32; 2] = [1 << 3, 1 << 4];
const RESET_IO_BANK: u32 = 1 << 5;
const RESET_IO_QSPI: u32 = 1 << 6;
const RESET_PADS_QSPI: u32 = 1 << 9;
const RESET_PIOS: [u32; PIO_COUNT] = [1 << 10, 1 << 11];
const RESET_PWM: u32 = 1 << 14;
const RESET_SPIS: [u32; 2] = [1 << 16, 1 << 17];
const RESET_TIMER: u32 = 1 << 21;
const RESET_UARTS: [u32; 2] = [1 << 22, 1 << 23];
/// Bits of PSM.
const ALL_POWER: u32 = 0x1FFFF;
const POWER_CORE_1: u32 = 1 << 16;

const UART_LINES: [u32; 2] = [20, 21];
const SPI_LINES: [u32; 2] = [18, 19];
const I2C_LINES: [u32; 2] = [23, 24];
const PWM_LINE: u32 = 4;
const FIRST_PIO_LINE: u32 = 7;
const DMA_LINES: [u32; 2] = [11, 12];
const IO_BANK_LINE: u32 = 13;
const IO_QSPI_LINE: u32 = 14;
const SIO_LINE: u32 = 15;

/// The DMA's requests of each SPI controller: the first to transmit, the next to receive.
const SPI_REQUESTS: [u32; 2] = [16, 18];
const UART_REQUESTS: [u32; 2] = [20, 22];
const I2C_REQUESTS: [u32; 2] = [32, 34];
const WRAP_REQUEST: usize = 24;

#[derive(Clone, Debug)]
pub(super) struct Devices {
    pub(super) time: Time,
    pub(super) clocks: Clocks,
    pub(super) timer: Timer,
    pub(super) watchdog: Watchdog,
    pub(super) sio: Sio,
    pub(super) bank: IoBank,
    pub(super) uarts: [Uart; 2],
    pub(super) spis: [Spi; 2],
    pub(super) i2cs: [I2c; 2],
    pub(super) pwm: Pwm,
    pub(super) pios: Pios,
    dma: Dma,
    pub(super) qspi: QspiPins,
    ssi: Ssi,
    resets: u32,
    /// RESETS.WDSEL, PSM.FRCE_ON and PSM.WDSEL: held, and of no effect.
    held: [u32; 3],
    power_off: u32,
    voltage: [u32; 2],
    /// SYSCFG: which pins of either bank bypass their synchronisers, which delay nothing here.
    bypassed: [u32; 2],
    pub(super) reports: Reports,
    pub(super) launch: Launch,
    /// SEV of the other core, for each core.
    pub(super) events: [bool; 2],
    pub(super) changes: PinChanges,
    /// The latest time that a core has asked about: cores may be a few cycles apart.
    now_ns: u64,
    /// When something changes by itself, in cycles.
    next_cycle: u64,
    /// Cycles of the system clock a tick, which is what SysTick's reference is.
    pub(super) tick_cycles: u32,
    /// A write may have moved an interrupt line.
    touched: bool,
    stop: bool,
    /// The DMA has something to do.
    transfer_due: bool,
}

impl Devices {
    /// The devices at power-on.
    pub(super) fn new() -> Self {
        let clocks = Clocks::default();
        let mut devices = Self {
            time: Time::new(clocks.sys_hz()),
            clocks,
            timer: Timer::default(),
            watchdog: Watchdog::default(),
            sio: Sio::default(),
            bank: IoBank::default(),
            uarts: [Uart::new(), Uart::new()],
            spis: [Spi::default(), Spi::default()],
            i2cs: [I2c::default(), I2c::default()],
            pwm: Pwm::default(),
            pios: Pios::default(),
            dma: Dma::default(),
            qspi: QspiPins::default(),
            ssi: Ssi::default(),
            resets: ALL_RESETS,
            held: [0; 3],
            power_off: 0,
            voltage: [0xB1, 9],
            bypassed: [0; 2],
            reports: Reports::default(),
            launch: Launch::default(),
            events: [false; 2],
            changes: PinChanges::default(),
            now_ns: 0,
            next_cycle: 0,
            tick_cycles: 0,
            touched: true,
            stop: false,
            transfer_due: false,
        };
        devices.clocks_changed(0);
        devices
    }

    /// The devices after a reset at `cycle`. Time, what is outside, and what is kept for the
    /// caller go on.
    pub(super) fn after_reset(mut self, watchdog: Watchdog, cycle: u64) -> Self {
        let fresh = Self::new();
        self.catch_up(cycle);
        let uarts = self.uarts.each_mut().map(Uart::after_reset);
        let ns = self.now(cycle);
        let spis = self.spis.each_mut().map(Spi::after_reset);
        let i2cs = self.i2cs.each_mut().map(|i2c| i2c.after_reset(ns));
        let pwm = self.pwm.after_reset(ns);
        // As the boot ROM leaves the flash's pins; whoever presses BOOTSEL goes on.
        let mut qspi = self.qspi.after_reset();
        qspi.reset_pads();
        qspi.give_to_flash();
        let mut devices = Self {
            time: self.time,
            watchdog,
            bank: self.bank.after_reset(),
            uarts,
            spis,
            i2cs,
            pwm,
            qspi,
            reports: self.reports,
            changes: self.changes,
            now_ns: self.now_ns,
            ..fresh
        };
        devices.clocks_changed(cycle);
        devices.take_pio_outputs();
        devices
    }

    pub(super) fn now(&mut self, cycle: u64) -> u64 {
        self.now_ns = self.now_ns.max(self.time.ns(cycle));
        self.now_ns
    }

    pub(super) fn clear_stop(&mut self) {
        self.stop = false;
        self.transfer_due = false;
    }

    /// Something from outside has changed.
    pub(super) fn touch(&mut self) {
        self.touched = true;
    }

    /// Computes the pins' levels anew and keeps changes of watched ones.
    pub(super) fn settle(&mut self) {
        let before = self.bank.levels();
        if self.bank.settle(self.sio.outputs()) {
            self.changes.note(before, PinChange { ns: self.now_ns, levels: self.bank.levels() });
        }
        self.pios.set_inputs(self.bank.inputs());
    }

    fn clocks_changed(&mut self, cycle: u64) {
        let ns = self.now(cycle);
        self.time.change(cycle, self.clocks.sys_hz());
        let tick_ns = self.watchdog.tick_ns(self.clocks.ref_hz());
        self.timer.set_tick(ns, tick_ns);
        self.watchdog.set_tick_ns(ns, tick_ns);
        for uart in &mut self.uarts {
            uart.set_clock(self.clocks.peri_hz());
        }
        for spi in &mut self.spis {
            spi.set_clock(self.clocks.peri_hz(), ns);
        }
        for i2c in &mut self.i2cs {
            i2c.set_clock(self.clocks.sys_hz(), ns);
        }
        self.pwm.set_clock(self.clocks.sys_hz(), ns);
        let product = u128::from(tick_ns) * u128::from(self.clocks.sys_hz());
        self.tick_cycles = (product / 1_000_000_000) as u32;
        self.stop = true;
    }

    fn advance(&mut self, ns: u64) {
        self.timer.advance(ns);
        for uart in &mut self.uarts {
            uart.advance(ns);
        }
        for spi in &mut self.spis {
            spi.advance(ns);
        }
        for i2c in &mut self.i2cs {
            i2c.advance(ns);
        }
        self.pwm.advance(ns);
        if self.pwm.has_wrapped() {
            for slice in 0..SLICE_COUNT {
                self.dma.request(WRAP_REQUEST + slice, self.pwm.take_wraps(slice));
            }
        }
        if self.watchdog.expired(ns).is_some() {
            self.stop = true;
        }
    }

    /// Reads a register; `None` if it is not modelled.
    fn register(&mut self, block: Block, offset: u32, ns: u64, cycle: u64) -> Option<u32> {
        match block {
            Block::Clocks => self.clocks.read(ClockBlock::Generators, offset),
            Block::Xosc => self.clocks.read(ClockBlock::Xosc, offset),
            Block::Rosc => self.clocks.read(ClockBlock::Rosc, offset),
            Block::PllSys => self.clocks.read(ClockBlock::PllSys, offset),
            Block::PllUsb => self.clocks.read(ClockBlock::PllUsb, offset),
            Block::IoBank => self.bank.read(offset),
            Block::Pads => self.bank.read_pads(offset),
            Block::Timer => self.timer.read(offset, ns),
            Block::Watchdog => self.watchdog.read(offset, ns),
            Block::Uart(number) => self.uarts[number].read(offset, ns),
            Block::Spi(number) => self.spis[number].read(offset, ns),
            Block::I2c(number) => self.i2cs[number].read(offset, ns),
            Block::Pwm => self.pwm.read(offset, ns),
            Block::Pio(number) => self.pios.read(number, offset),
            Block::Dma => self.dma.read(offset, cycle),
            Block::IoQspi => self.qspi.read(offset),
            Block::PadsQspi => self.qspi.read_pads(offset),
            Block::Ssi => self.ssi.read(offset),
            Block::Resets => match offset {
                0x0 => Some(self.resets),
                0x4 => Some(self.held[0]),
                0x8 => Some(!self.resets & ALL_RESETS),
                _ => None,
            },
            Block::Power => match offset {
                0x0 => Some(self.held[1]),
                0x4 => Some(self.power_off),
                0x8 => Some(self.held[2]),
                0xC => Some(!self.power_off & ALL_POWER),
                _ => None,
            },
            // A chip of revision B2, made for a real board.
            Block::SystemInfo => match offset {
                0x00 => Some(0x2000_2927),
                0x04 => Some(2),
                _ => None,
            },
            Block::SystemConfig => match offset {
                0x0C => Some(self.bypassed[0]),
                0x10 => Some(self.bypassed[1]),
                _ => None,
            },
            Block::Voltage => match offset {
                // The regulator is in regulation.
                0x0 => Some(self.voltage[0] | 1 << 12),
                0x4 => Some(self.voltage[1]),
                _ => None,
            },
            // Enabled; the cache is always empty and ready.
            Block::XipControl => match offset {
                0x0 => Some(3),
                0x4 => Some(0),
                0x8 => Some(2),
                _ => None,
            },
            Block::NotModelled(_) => None,
        }
    }

    fn set_register(&mut self, block: Block, offset: u32, value: u32, cycle: u64) -> Option<()> {
        let ns = self.now(cycle);
        match block {
            Block::Clocks => self.set_clock(ClockBlock::Generators, offset, value, cycle),
            Block::Xosc => self.set_clock(ClockBlock::Xosc, offset, value, cycle),
            Block::Rosc => self.set_clock(ClockBlock::Rosc, offset, value, cycle),
            Block::PllSys => self.set_clock(ClockBlock::PllSys, offset, value, cycle),
            Block::PllUsb => self.set_clock(ClockBlock::PllUsb, offset, value, cycle),
            Block::IoBank => {
                self.bank.write(offset, value)?;
                self.settle();
                Some(())
            }
            Block::Pads => {
                self.bank.write_pads(offset, value)?;
                self.settle();
                Some(())
            }
            Block::Timer => self.timer.write(offset, value, ns),
            Block::Watchdog => {
                self.watchdog.write(offset, value, ns)?;
                if offset == 0x2C {
                    self.clocks_changed(cycle);
                }
                Some(())
            }
            Block::Uart(number) => self.uarts[number].write(offset, value, ns),
            Block::Spi(number) => self.spis[number].write(offset, value, ns),
            Block::I2c(number) => self.i2cs[number].write(offset, value, ns),
            Block::Pwm => self.pwm.write(offset, value, ns),
            Block::Pio(number) => self.pios.write(number, offset, value),
            Block::Dma => self.dma.write(offset, value, cycle),
            Block::IoQspi => self.qspi.write(offset, value),
            Block::PadsQspi => self.qspi.write_pads(offset, value),
            Block::Ssi => self.ssi.write(offset, value),
            Block::Resets => match offset {
                0x0 => {
                    self.hold_in_reset(value & ALL_RESETS, cycle);
                    Some(())
                }
                0x4 => {
                    self.held[0] = value & ALL_RESETS;
                    Some(())
                }
                0x8 => Some(()),
                _ => None,
            },
            Block::Power => {
                match offset {
                    0x0 => self.held[1] = value & ALL_POWER,
                    0x4 => {
                        self.power_off = value & ALL_POWER;
                        if self.power_off & POWER_CORE_1 != 0 {
                            self.launch = Launch::Reset;
                            self.stop = true;
                        }
                    }
                    0x8 => self.held[2] = value & ALL_POWER,
                    0xC => {}
                    _ => return None,
                }
                Some(())
            }
            Block::SystemConfig => {
                match offset {
                    0x0C => self.bypassed[0] = value & 0x3FFF_FFFF,
                    0x10 => self.bypassed[1] = value & 0x3F,
                    _ => return None,
                }
                Some(())
            }
            Block::Voltage => {
                *self.voltage.get_mut(offset as usize / 4)? = value;
                Some(())
            }
            // Flushes of a cache that holds nothing.
            Block::XipControl if offset <= 0x4 => Some(()),
            Block::XipControl | Block::SystemInfo | Block::NotModelled(_) => None,
        }
    }

    fn set_clock(&mut self, block: ClockBlock, offset: u32, value: u32, cycle: u64) -> Option<()> {
        self.clocks.write(block, offset, value)?;
        self.clocks_changed(cycle);
        Some(())
    }

    /// Blocks whose bit is newly set lose their state.
    fn hold_in_reset(&mut self, resets: u32, cycle: u64) {
        let fresh = resets & !self.resets;
        self.resets = resets;
        if fresh & RESET_IO_BANK != 0 {
            self.bank = self.bank.after_reset();
            self.settle();
        }
        if fresh & RESET_TIMER != 0 {
            self.timer = Timer::default();
            let ns = self.now(cycle);
            self.timer.set_tick(ns, self.watchdog.tick_ns(self.clocks.ref_hz()));
        }
        for (uart, bit) in self.uarts.iter_mut().zip(RESET_UARTS) {
            if fresh & bit != 0 {
                *uart = uart.after_reset();
                uart.set_clock(self.clocks.peri_hz());
            }
        }
        for (spi, bit) in self.spis.iter_mut().zip(RESET_SPIS) {
            if fresh & bit != 0 {
                *spi = spi.after_reset();
            }
        }
        for (number, bit) in RESET_I2CS.into_iter().enumerate() {
            if fresh & bit != 0 {
                let ns = self.now(cycle);
                self.i2cs[number] = self.i2cs[number].after_reset(ns);
            }
        }
        if fresh & RESET_PWM != 0 {
            let ns = self.now(cycle);
            self.pwm = self.pwm.after_reset(ns);
        }
        for (number, bit) in RESET_PIOS.into_iter().enumerate() {
            if fresh & bit != 0 {
                self.pios.reset(number);
                self.take_pio_outputs();
            }
        }
        if fresh & RESET_DMA != 0 {
            self.dma = Dma::default();
        }
        if fresh & RESET_IO_QSPI != 0 {
            self.qspi = self.qspi.after_reset();
        }
        if fresh & RESET_PADS_QSPI != 0 {
            self.qspi.reset_pads();
        }
    }

    /// The requests that stand: bit n is request n.
    fn requests(&self) -> u64 {
        if !self.dma.is_busy() {
            return 0;
        }
        let spis = self.spis.iter().map(Spi::requests).zip(SPI_REQUESTS);
        let uarts = self.uarts.iter().map(Uart::requests).zip(UART_REQUESTS);
        let i2cs = self.i2cs.iter().map(I2c::requests).zip(I2C_REQUESTS);
        spis.chain(uarts).chain(i2cs).fold(
            u64::from(self.pios.requests()),
            |mask, ((transmit, receive), first)| {
                mask | u64::from(transmit) << first | u64::from(receive) << (first + 1)
            },
        )
    }

    /// The cycle at which a device next changes by itself, the DMA aside.
    fn next_event(&self) -> u64 {
        let next = self.timer.next().min(self.watchdog.next());
        let next = self.uarts.iter().map(Uart::next).fold(next, u64::min);
        let next = self.spis.iter().map(Spi::next).fold(next, u64::min);
        let next = self.i2cs.iter().map(I2c::next).fold(next, u64::min);
        let wraps = (self.dma.listens() >> WRAP_REQUEST) as u32 & 0xFF;
        self.time.cycle(next.min(self.pwm.next(wraps)))
    }

    /// Lets the DMA do what it can do by `cycle`.
    pub(super) fn transfer(&mut self, memory: &mut Memory, cycle: u64) {
        self.catch_up(cycle);
        while self.dma.is_busy()
            && let Some(transfer) = self.dma.wanted(cycle, self.requests())
        {
            let outcome = self.carry_out(&transfer, memory);
            self.dma.finished(&transfer, outcome);
            self.touched = true;
        }
    }

    fn carry_out(&mut self, transfer: &Transfer, memory: &mut Memory) -> Outcome {
        let Transfer { cycle, width, read, write, .. } = *transfer;
        let access = |address| Access { core: 0, address, width, cycle, pc: 0 };
        let value = match width {
            Width::Byte => memory.load8(read),
            Width::Half => memory.load16(read),
            Width::Word => memory.load32(read),
        };
        // The SIO belongs to the cores.
        let value = match value {
            Some(value) => value,
            None if read >= SIO => return Outcome::ReadError,
            None => match self.read(access(read)) {
                Ok(value) => value,
                Err(BusFault) => return Outcome::ReadError,
            },
        };
        let value = self.dma.fetched(transfer, value) & width.mask();
        let stored = match width {
            Width::Byte => memory.store8(write, value),
            Width::Half => memory.store16(write, value),
            Width::Word => memory.store32(write, value),
        };
        if stored || write < SIO && self.write(access(write), value).is_ok() {
            Outcome::Done
        } else {
            Outcome::WriteError
        }
    }
}

/// The two address bits that choose how a write to a register changes it.
fn changed(address: u32, old: u32, value: u32) -> u32 {
    match address >> 12 & 3 {
        0 => value,
        1 => old ^ value,
        2 => old | value,
        _ => old & !value,
    }
}

const SIO: u32 = 0xD000_0000;

impl Bus for Devices {
    fn read(&mut self, access: Access) -> Result<u32, BusFault> {
        let Access { address, cycle, width, core, .. } = access;
        let ns = self.now(cycle);
        self.catch_up(cycle);
        let (value, what) = if address & !0x1FF == SIO {
            let inputs = self.bank.inputs();
            let value = match address & 0x1FC {
                0x08 => Some(self.qspi.inputs()),
                offset => self.sio.read(core, offset, inputs),
            };
            (value, "SIO register")
        } else {
            let block = Block::at(address).ok_or(BusFault)?;
            (self.register(block, block.offset(address), ns, cycle), block.name())
        };
        let value = value.unwrap_or_else(|| {
            self.reports.add(what, access, false);
            0
        });
        Ok(value >> (address % 4 * 8) & width.mask())
    }

    fn write(&mut self, access: Access, value: u32) -> Result<(), BusFault> {
        let Access { address, cycle, width, core, .. } = access;
        let ns = self.now(cycle);
        self.catch_up(cycle);
        // A narrow write reaches a register with its bits repeated over the whole word.
        let value = match width {
            Width::Byte => value * 0x0101_0101,
            Width::Half => value * 0x0001_0001,
            Width::Word => value,
        };
        if address & !0x1FF == SIO {
            let offset = address & 0x1FC;
            if self.sio.write(core, offset, value).is_none() {
                self.reports.add("SIO register", access, true);
            }
            match offset {
                0x10..=0x2C => self.settle(),
                0x50..=0x58 => {
                    self.touched = true;
                    self.stop |= self.launch.proceed(&mut self.sio);
                }
                _ => {}
            }
            return Ok(());
        }
        let block = Block::at(address).ok_or(BusFault)?;
        let offset = block.offset(address);
        let value = if block.has_aliases() && address & 0x3000 != 0 {
            let old = match block {
                Block::Pio(number) => self.pios.before_change(number, offset),
                // SPIs, UARTs, I2Cs and the SSI are read first, whatever that does to them (datasheet
                // section 2.1.2).
                _ => self.register(block, offset, ns, cycle),
            };
            let old = old.unwrap_or_default();
            changed(address, old, value)
        } else {
            value
        };
        if self.set_register(block, offset, value, cycle).is_none() {
            self.reports.add(block.name(), access, true);
        }
        // What a program writes most often, to a device that interrupts nobody.
        let quiet =
            matches!((block, offset), (Block::Spi(number), 8) if self.spis[number].is_quiet());
        self.touched |= !quiet;
        Ok(())
    }

    fn interrupts(&mut self, core: u8, cycle: u64) -> u32 {
        let ns = self.now(cycle);
        self.catch_up(cycle);
        self.advance(ns);
        self.touched = false;
        let dma = self.dma.next(self.requests());
        self.transfer_due |= dma <= cycle;
        // Before it goes on, a core that stops asks again.
        self.next_cycle = if self.wants_stop() {
            cycle
        } else {
            self.next_event().min(dma).min(self.next_of_pios())
        };
        let mut lines = self.timer.interrupts();
        lines |= u32::from(self.bank.interrupt(core)) << IO_BANK_LINE;
        lines |= u32::from(self.sio.interrupt(core)) << (SIO_LINE + u32::from(core));
        for (uart, line) in self.uarts.iter().zip(UART_LINES) {
            lines |= u32::from(uart.interrupt()) << line;
        }
        for (spi, line) in self.spis.iter().zip(SPI_LINES) {
            lines |= u32::from(spi.interrupt()) << line;
        }
        for (i2c, line) in self.i2cs.iter().zip(I2C_LINES) {
            lines |= u32::from(i2c.interrupt()) << line;
        }
        for (interrupt, line) in self.dma.interrupts().into_iter().zip(DMA_LINES) {
            lines |= u32::from(interrupt) << line;
        }
        lines |= u32::from(self.pwm.interrupt()) << PWM_LINE;
        lines |= self.pios.interrupts() << FIRST_PIO_LINE;
        lines |= u32::from(self.qspi.interrupt(core)) << IO_QSPI_LINE;
        lines
    }

    fn next_change(&self, _: u8) -> u64 {
        if self.touched || self.wants_stop() { 0 } else { self.next_cycle }
    }

    fn wants_stop(&self) -> bool {
        self.stop || self.transfer_due
    }

    /// While one core runs, its time is the latest: the DMA need not wait for the chip to find
    /// out which core's is.
    fn serve(&mut self, memory: &mut Memory, cycle: u64) -> bool {
        let alone = self.transfer_due && !self.stop && self.launch != Launch::Running;
        if alone {
            self.transfer_due = false;
            self.transfer(memory, cycle);
        }
        alone
    }

    fn event(&mut self, core: u8) {
        if self.launch == Launch::Running {
            self.events[usize::from(1 - (core & 1))] = true;
            self.stop = true;
        }
    }

    fn not_modelled(&mut self, access: Access, what: &'static str, write: bool) {
        self.reports.add(what, access, write);
    }
}
