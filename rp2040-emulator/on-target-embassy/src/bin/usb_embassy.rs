//! A serial port and a keyboard in one USB device, on embassy-rp's driver and embassy-usb, with its
//! executor and its time driver. The USB host enumerates, sends, sets the keyboard's lights, and
//! suspends the bus.
//!
//! The program reports on UART0 as the programs of `on-target` do: `ok NAME` or `failed NAME` per
//! line, and `end`.
#![no_std]
#![no_main]

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use embassy_executor::Spawner;
use embassy_futures::select::select;
use embassy_rp::bind_interrupts;
use embassy_rp::peripherals::USB;
use embassy_rp::uart::{self, Blocking, UartTx};
use embassy_rp::usb::{Driver, InterruptHandler};
use embassy_time::{Duration, Instant, Timer, with_timeout};
use embassy_usb::class::cdc_acm::{self, CdcAcmClass};
use embassy_usb::class::hid::{
    self, HidBootProtocol, HidReader, HidReaderWriter, HidSubclass, HidWriter,
};
use embassy_usb::{Builder, Handler};

/// Number of bytes that are echoed.
const BYTES: usize = 1_000;
/// Size of a USB packet at full speed, in bytes.
const PACKET: usize = 64;
/// Longest time to wait for the host.
const PATIENCE: Duration = Duration::from_millis(1_000);

/// A keyboard's report descriptor: eight bytes in, the lights out (Device Class Definition for HID
/// 1.11, appendix B.1).
#[rustfmt::skip]
const KEYBOARD: [u8; 63] = [
    0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0x00, 0x25, 0x01,
    0x75, 0x01, 0x95, 0x08, 0x81, 0x02, 0x95, 0x01, 0x75, 0x08, 0x81, 0x01, 0x95, 0x05, 0x75, 0x01,
    0x05, 0x08, 0x19, 0x01, 0x29, 0x05, 0x91, 0x02, 0x95, 0x01, 0x75, 0x03, 0x91, 0x01, 0x95, 0x06,
    0x75, 0x08, 0x15, 0x00, 0x25, 0x65, 0x05, 0x07, 0x19, 0x00, 0x29, 0x65, 0x81, 0x00, 0xC0,
];

bind_interrupts!(struct Interrupts {
    USBCTRL_IRQ => InterruptHandler<USB>;
});

type UsbDriver<'d> = Driver<'d, USB>;

/// State of the bus as set by the host.
static CONFIGURED: AtomicBool = AtomicBool::new(false);
static SUSPENDED: AtomicBool = AtomicBool::new(false);

struct Bus;

impl Handler for Bus {
    fn configured(&mut self, configured: bool) {
        CONFIGURED.store(configured, Ordering::Relaxed);
    }

    fn suspended(&mut self, suspended: bool) {
        SUSPENDED.store(suspended, Ordering::Relaxed);
    }
}

/// The report that is written to UART0.
struct Report(UartTx<'static, Blocking>);

impl Report {
    fn record(&mut self, name: &str, holds: bool) {
        let word: &str = if holds { "ok " } else { "failed " };
        for part in [word, name, "\r\n"] {
            self.write(part);
        }
    }

    fn end(&mut self) {
        self.write("end\r\n");
    }

    fn write(&mut self, text: &str) {
        // A blocking UART write cannot fail.
        let _ = self.0.blocking_write(text.as_bytes()).and_then(|()| self.0.blocking_flush());
    }
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let chip = embassy_rp::init(embassy_rp::config::Config::default());
    let report = Report(UartTx::new_blocking(chip.UART0, chip.PIN_0, uart::Config::default()));

    let mut config = embassy_usb::Config::new(0x1209, 0x0003);
    config.manufacturer = Some("nudge");
    config.product = Some("embassy");
    let (mut configuration, mut bos, mut control) = ([0; 256], [0; 64], [0; 64]);
    let (mut serial_state, mut keyboard_state) = (cdc_acm::State::new(), hid::State::new());
    let mut bus = Bus;
    let driver = Driver::new(chip.USB, Interrupts);
    let mut builder =
        Builder::new(driver, config, &mut configuration, &mut bos, &mut [], &mut control);
    builder.handler(&mut bus);
    let serial = CdcAcmClass::new(&mut builder, &mut serial_state, PACKET as u16);
    let keyboard = hid::Config {
        report_descriptor: &KEYBOARD,
        request_handler: None,
        poll_ms: 10,
        max_packet_size: 8,
        hid_subclass: HidSubclass::Boot,
        hid_boot_protocol: HidBootProtocol::Keyboard,
    };
    let keyboard = HidReaderWriter::<_, 1, 8>::new(&mut builder, &mut keyboard_state, keyboard);
    let mut device = builder.build();
    let (lights, keys) = keyboard.split();
    select(device.run(), check(report, serial, keys, lights)).await;
}

async fn check<'d>(
    mut report: Report,
    mut serial: CdcAcmClass<'d, UsbDriver<'d>>,
    mut keys: HidWriter<'d, UsbDriver<'d>, 8>,
    mut lights: HidReader<'d, UsbDriver<'d>, 1>,
) {
    let start = Instant::now();
    Timer::after_millis(5).await;
    let waited = start.elapsed().as_micros();
    report.record("the executor sleeps until a time", (5_000..5_100).contains(&waited));

    report.record("a host configures it", until(|| CONFIGURED.load(Ordering::Relaxed)).await);
    let is_open = || serial.dtr() && serial.line_coding().data_rate() == 9_600;
    report.record("the port is opened", until(is_open).await);
    let echoed = with_timeout(PATIENCE, echo(&mut serial)).await;
    report.record("bytes go both ways", echoed == Ok(true));
    report.record("the port is closed", until(|| !serial.dtr()).await);

    for key in [4, 0] {
        let sent = with_timeout(PATIENCE, keys.write(&[2, 0, key, 0, 0, 0, 0, 0])).await;
        report.record("a key is reported", sent == Ok(Ok(())));
    }
    let mut set = [0];
    let read = with_timeout(PATIENCE, lights.read(&mut set)).await;
    report.record("the lights are set", matches!(read, Ok(Ok(1))) && set == [2]);

    report.record("a quiet bus is suspended", until(|| SUSPENDED.load(Ordering::Relaxed)).await);
    report.record("the host resumes it", until(|| !SUSPENDED.load(Ordering::Relaxed)).await);
    report.end();
}

/// Echoes received bytes in capital letters until as many as expected have arrived.
async fn echo<'d>(serial: &mut CdcAcmClass<'d, UsbDriver<'d>>) -> bool {
    let mut echoed = 0;
    while echoed < BYTES {
        let mut packet = [0; PACKET];
        let Ok(length) = serial.read_packet(&mut packet).await else { return false };
        packet.make_ascii_uppercase();
        if serial.write_packet(&packet[..length]).await.is_err() {
            return false;
        }
        echoed += length;
    }
    // A transfer whose last packet is full is ended by an empty packet.
    echoed == BYTES && (!BYTES.is_multiple_of(PACKET) || serial.write_packet(&[]).await.is_ok())
}

/// Waits until the condition holds. Returns false if the host takes too long.
async fn until(condition: impl Fn() -> bool) -> bool {
    let held = async {
        while !condition() {
            Timer::after_micros(100).await;
        }
    };
    with_timeout(PATIENCE, held).await.is_ok()
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // The fault ends the run.
    cortex_m::asm::udf()
}
