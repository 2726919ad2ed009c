//! All peripherals and their connections: the address map, the aliases that set, clear and flip
//! bits, narrow transfers, and the interrupt lines (datasheet sections 2.1, 2.2 and 2.3.2).

use super::peripherals::adc::Adc;
use super::peripherals::bus_control::BusControl;
use super::peripherals::clocks::Clocks;
use super::peripherals::dma::Dma;
use super::peripherals::dreq::{DREQ_PWM_WRAP0, DREQ_XIP_SSIRX};
use super::peripherals::frequency_counter::FrequencyCounter;
use super::peripherals::i2c::I2c;
use super::peripherals::io_bank::IoBank;
use super::peripherals::pio::Pios;
use super::peripherals::psm::Psm;
use super::peripherals::pwm::{Pwm, SLICE_COUNT};
use super::peripherals::qspi_pins::QspiPins;
use super::peripherals::resets::Resets;
use super::peripherals::rtc::Rtc;
use super::peripherals::sio::Sio;
use super::peripherals::spi::{Spi, SpiTargets};
use super::peripherals::ssi::Ssi;
use super::peripherals::syscfg::SystemConfig;
use super::peripherals::timer::Timer;
use super::peripherals::uart::Uart;
use super::peripherals::usb::Usb;
use super::peripherals::vreg::VoltageRegulator;
use super::peripherals::watchdog::Watchdog;
use super::peripherals::xip::XipCache;
use super::polls::Polls;
use super::report::Reports;
use super::rules::Findings;
use super::time::Time;

mod aliases;
mod arrivals;
mod block;
mod bus;
mod checks;
mod dormant;
mod fed_words;
mod flash_state;
mod function_changes;
mod functions;
mod held;
mod irq;
mod launch;
mod pin_change;
mod pin_changes;
mod pin_words;
mod pio_pins;
mod registers;
mod resets;
mod spi_targets;
mod steady;
mod stream;
mod transfers;

use arrivals::Arrivals;
use fed_words::FedWords;
use flash_state::FlashState;
pub use function_changes::FunctionChange;
use function_changes::FunctionChanges;
use functions::Functions;
use held::Held;
pub(super) use launch::Launch;
pub use pin_change::PinChange;
use pin_changes::PinChanges;
pub use pin_changes::{MAX_PIN_CHANGES, PinBurst};
pub use pin_words::{PinWords, WordChange, WordData};
use steady::LastRead;
use stream::Others;

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
    pub(super) usb: Usb,
    pub(super) pios: Pios,
    dma: Dma,
    /// Whether a DMA read of the flash that misses the XIP cache waits for the flash.
    pub(super) dma_misses: bool,
    /// Number of reads of the flash by the DMA since power-on.
    pub(super) dma_flash_reads: u64,
    pub(super) adc: Adc,
    rtc: Rtc,
    frequency: FrequencyCounter,
    bus_control: BusControl,
    pub(super) cache: XipCache,
    pub(super) qspi: QspiPins,
    pub(super) ssi: Ssi,
    resets: Resets,
    psm: Psm,
    voltage: VoltageRegulator,
    system_config: SystemConfig,
    pub(super) reports: Reports,
    pub(super) findings: Findings,
    /// Blocks that RESETS holds.
    held: Held,
    pub(super) flash: FlashState,
    /// Frequency of clk_sys and voltage that were checked last.
    checked_clock: (u64, u32),
    /// Consecutive attempts to claim a spinlock by the core that holds it.
    attempts: u32,
    /// Core and cycle of the last write of a core to each PIO.
    pio_writes: [(u8, u64); 2],
    pub(super) polls: Polls,
    pub(super) launch: Launch,
    /// For each core, whether the other core has executed SEV.
    pub(super) events: [bool; 2],
    pub(super) changes: PinChanges,
    pub(super) function_changes: FunctionChanges,
    /// Latest cycle of any access. The cores may be a few cycles apart; a core that lags sees the
    /// devices as of this cycle.
    pub(super) now_cycle: u64,
    /// Time of [`now_cycle`](Self::now_cycle), in nanoseconds.
    now_ns: u64,
    /// Cycle at which a device next changes without an access.
    next_cycle: u64,
    /// Cycles of the system clock per tick of the watchdog, which is SysTick's reference.
    pub(super) tick_cycles: u32,
    /// Whether a write may have changed an interrupt line.
    touched: bool,
    stop: bool,
    /// Whether a DMA transfer is due.
    transfer_due: bool,
    others: Others,
    /// Number of accesses made while both cores run that may have changed something.
    pub(super) activity: u64,
    /// Interrupt lines of both cores, and the count of accesses at which they were computed.
    lines: [u32; 2],
    lines_at: u64,
    /// Register that was read last, for [`steady`](Self::steady).
    last_read: LastRead,
    functions: Functions,
    arrivals: Arrivals,
    /// Whether a device is attached to an SPI controller, which must be notified of the pins'
    /// levels.
    pub(super) spi_devices: bool,
    /// Targets on SPI buses whose pins are not those of one controller.
    loose_targets: SpiTargets,
    /// Number of targets, and whether there is a bus for them.
    target_count: usize,
    has_targets: bool,
    /// Whether loops of the PIOs may be executed at once; tests compare both ways.
    bursts: bool,
    /// Words that the DMA passes to a PIO until a known cycle.
    fed_words: FedWords,
    /// Whether the run must end, for the caller's answer to an SPI frame or for a pin change.
    pub(super) asked: bool,
}

impl Devices {
    /// Creates the devices in their power-on state.
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
            usb: Usb::default(),
            pios: Pios::default(),
            dma: Dma::default(),
            dma_misses: false,
            dma_flash_reads: 0,
            adc: Adc::default(),
            rtc: Rtc::default(),
            frequency: FrequencyCounter::default(),
            bus_control: BusControl::default(),
            cache: XipCache::default(),
            qspi: QspiPins::default(),
            ssi: Ssi::default(),
            resets: Resets::default(),
            psm: Psm::default(),
            voltage: VoltageRegulator::default(),
            system_config: SystemConfig::default(),
            reports: Reports::default(),
            findings: Findings::default(),
            held: Held::default(),
            flash: FlashState::default(),
            checked_clock: (0, 0),
            attempts: 0,
            pio_writes: [(0, 0); 2],
            polls: Polls::default(),
            launch: Launch::Reset,
            events: [false; 2],
            changes: PinChanges::default(),
            function_changes: FunctionChanges::default(),
            now_cycle: 0,
            now_ns: 0,
            next_cycle: 0,
            tick_cycles: 0,
            touched: true,
            stop: false,
            transfer_due: false,
            others: Others::default(),
            activity: 0,
            lines: [0; 2],
            lines_at: u64::MAX,
            last_read: LastRead::Sio(0),
            functions: Functions::default(),
            arrivals: Arrivals::default(),
            spi_devices: false,
            loose_targets: SpiTargets::default(),
            target_count: 0,
            has_targets: false,
            bursts: true,
            fed_words: FedWords::default(),
            asked: false,
        };
        devices.note_held();
        devices.launch = Launch::in_rom(&mut devices.sio);
        devices.clocks_changed(0);
        devices
    }

    /// Returns the devices after a reset at `cycle`. Time, external inputs, and data recorded for
    /// the caller are retained.
    pub(super) fn after_reset(mut self, watchdog: Watchdog, cycle: u64) -> Self {
        let fresh = Self::new();
        self.catch_up(cycle);
        let uarts = self.uarts.each_mut().map(Uart::after_reset);
        let ns = self.now(cycle);
        let spis = self.spis.each_mut().map(Spi::after_reset);
        let i2cs = self.i2cs.each_mut().map(|i2c| i2c.after_reset(ns));
        let pwm = self.pwm.after_reset(ns);
        let (adc, rtc) = (self.adc.after_reset(), self.rtc.after_reset());
        let cache = self.cache.after_reset();
        // The state in which the boot ROM leaves the flash's pins; the state of the BOOTSEL button
        // is retained.
        let mut qspi = self.qspi.after_reset();
        qspi.reset_pads();
        qspi.give_to_flash();
        let mut devices = Self {
            time: self.time,
            clocks: self.clocks.after_reset(),
            watchdog,
            bank: self.bank.after_reset(),
            uarts,
            spis,
            i2cs,
            pwm,
            adc,
            rtc,
            cache,
            usb: self.usb.after_reset(ns),
            qspi,
            ssi: self.ssi.after_reset(),
            resets: Resets::after_boot_rom(),
            reports: self.reports,
            findings: self.findings,
            polls: self.polls,
            changes: self.changes,
            function_changes: self.function_changes,
            now_cycle: self.now_cycle,
            now_ns: self.now_ns,
            spi_devices: self.spi_devices,
            loose_targets: self.loose_targets,
            target_count: self.target_count,
            has_targets: self.has_targets,
            bursts: self.bursts,
            dma_misses: self.dma_misses,
            dma_flash_reads: self.dma_flash_reads,
            functions: self.functions,
            arrivals: self.arrivals,
            ..fresh
        };
        devices.note_held();
        devices.clocks_changed(cycle);
        devices.take_pio_outputs();
        let ns = devices.now_ns;
        devices.functions.expire();
        devices.update_functions(ns);
        devices.note_functions();
        devices
    }

    /// Restarts core 1 in the boot ROM, from which core 0 can launch it.
    pub(super) fn send_core_1_to_rom(&mut self) {
        self.launch = Launch::in_rom(&mut self.sio);
        self.events[0] = true;
        self.touched = true;
        self.stop = true;
    }

    pub(super) fn now(&mut self, cycle: u64) -> u64 {
        self.now_cycle = self.now_cycle.max(cycle);
        self.now_ns = self.now_ns.max(self.time.ns(self.now_cycle));
        self.now_ns
    }

    pub(super) fn clear_stop(&mut self) {
        self.stop = false;
        self.transfer_due = false;
        self.invalidate_others();
    }

    /// Returns whether the owner of the devices has to act.
    pub(super) fn wants_service(&self) -> bool {
        self.stop || self.transfer_due || self.ssi.wants_flash()
    }

    /// Marks that an external input has changed.
    pub(super) fn touch(&mut self) {
        self.touched = true;
        self.functions.expire();
    }

    /// Recomputes the pins' levels and records changes of watched pins.
    pub(super) fn settle(&mut self) {
        let before = self.bank.levels();
        if self.bank.settle(self.sio.outputs()) {
            self.changes.note(before, PinChange { ns: self.now_ns, levels: self.bank.levels() });
        }
        self.pios.set_inputs(self.bank.inputs());
        self.check_stop();
        self.sense_pwm(self.now_ns);
        self.notify_spi_devices();
    }

    /// Ends the run if a pin at which it shall stop has changed.
    pub(super) fn check_stop(&mut self) {
        if self.changes.take_stopped() {
            self.asked = true;
            self.stop = true;
        }
    }

    /// Passes the levels of the pins to the devices at the SPI controllers.
    pub(super) fn notify_spi_devices(&mut self) {
        if self.spi_devices {
            for spi in &mut self.spis {
                spi.set_levels(self.bank.levels(), self.now_ns);
            }
            self.check_unanswered_frames();
            self.move_targets();
        }
    }

    /// Ends the run if a device leaves the answer to a frame to the caller.
    fn check_unanswered_frames(&mut self) {
        if self.spi_devices && self.spis.iter_mut().any(Spi::take_unseen) {
            self.asked = true;
            self.stop = true;
        }
    }

    fn clocks_changed(&mut self, cycle: u64) {
        let ns = self.now(cycle);
        // The last cycles before the dormant state have the old frequency.
        if !self.is_dormant() {
            self.time.change(cycle, self.clocks.sys_hz());
        }
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
        self.adc.set_clock(self.clocks.adc_hz(), ns);
        self.rtc.set_clock(self.clocks.rtc_hz(), ns);
        let product = u128::from(tick_ns) * u128::from(self.clocks.sys_hz());
        self.tick_cycles = (product / 1_000_000_000) as u32;
        self.stop = true;
    }

    fn advance(&mut self, ns: u64) {
        self.advance_functions(ns);
        self.advance_devices(ns);
    }

    fn advance_devices(&mut self, ns: u64) {
        self.timer.advance(ns);
        for uart in &mut self.uarts {
            uart.advance(ns);
        }
        for spi in &mut self.spis {
            spi.advance(ns);
        }
        self.check_unanswered_frames();
        for i2c in &mut self.i2cs {
            i2c.advance(ns);
        }
        self.adc.advance(ns);
        self.rtc.advance(ns);
        self.usb.advance(ns);
        self.advance_pwm(ns);
        if self.watchdog.expired(ns).is_some() {
            self.stop = true;
        }
    }

    /// Advances the devices with pins to `ns`: the edges of the others' time are applied later.
    fn advance_outputs(&mut self, ns: u64) {
        for uart in &mut self.uarts {
            uart.advance(ns);
        }
        for spi in &mut self.spis {
            spi.advance(ns);
        }
        self.advance_pwm(ns);
    }

    /// Advances the PWM to `ns`; channels that now wait for a wrap receive those until then.
    fn advance_pwm(&mut self, ns: u64) {
        self.pwm.advance(ns);
        if self.pwm.has_wrapped() {
            for slice in 0..SLICE_COUNT {
                self.dma.request(DREQ_PWM_WRAP0 + slice, self.pwm.take_wraps(slice));
            }
        }
    }

    /// Returns the cycle in which a flash word arrives that a DMA channel waits for.
    fn next_of_flash(&self) -> u64 {
        let awaited = self.dma.listens() >> DREQ_XIP_SSIRX & 1 != 0;
        if awaited { self.ssi.next() } else { u64::MAX }
    }

    /// Returns the cycle at which a device other than the DMA next changes without an access.
    fn next_event(&self) -> u64 {
        let dma = self.dma.is_busy();
        let next = self.spis.iter().map(|spi| spi.next(dma)).fold(u64::MAX, u64::min);
        self.time.cycle(next).min(self.next_of_others())
    }

    /// As [`next_event`](Self::next_event), without the SPIs.
    fn next_of_others(&self) -> u64 {
        let next = self.timer.next().min(self.watchdog.next()).min(self.usb.next());
        let next = self.uarts.iter().map(Uart::next).fold(next, u64::min);
        let next = self.i2cs.iter().map(I2c::next).fold(next, u64::min);
        let next = next.min(self.functions.next_noticed());
        let next = next.min(self.adc.next()).min(self.rtc.next());
        let wraps = (self.dma.listens() >> DREQ_PWM_WRAP0) as u32 & 0xFF;
        self.time.cycle(next.min(self.pwm.next(wraps)))
    }
}
