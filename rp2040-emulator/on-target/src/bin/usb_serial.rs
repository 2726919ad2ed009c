//! Two serial ports over USB, on rp2040-hal's UsbBus with usb-device and usbd-serial. The USB host
//! enumerates, sends, closes its ports, and suspends the bus.
#![no_std]
#![no_main]

use on_target::{Board, holds, same};
use rp2040_hal::timer::Timer;
use rp2040_hal::usb::UsbBus;
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{
    StringDescriptors, UsbDevice, UsbDeviceBuilder, UsbDeviceState, UsbVidPid,
};
use usbd_serial::SerialPort;

/// The test IDs of pid.codes.
const NUMBERS: UsbVidPid = UsbVidPid(0x1209, 0x0001);
/// Number of bytes that are echoed.
const BYTES: u32 = 1_000;

type Ports<'a> = [SerialPort<'a, UsbBus>; 2];

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let timer = board.timer;
    let bus = UsbBusAllocator::new(UsbBus::new(
        board.rest.USBCTRL_REGS,
        board.rest.USBCTRL_DPRAM,
        board.clocks.usb_clock,
        true,
        &mut board.resets,
    ));
    let mut ports = [SerialPort::new(&bus), SerialPort::new(&bus)];
    let strings = StringDescriptors::default().manufacturer("nudge").product("ports");
    let Ok(builder) = UsbDeviceBuilder::new(&bus, NUMBERS).strings(&[strings]) else {
        unreachable!("there is room for the strings")
    };
    // Without interface associations the configuration fits into usb-device's 128 bytes.
    let mut device = builder.build();

    let configured = until(&timer, || {
        step(&mut device, &mut ports);
        device.state() == UsbDeviceState::Configured
    });
    report.record("a host configures it", holds("configured", configured));
    let mut echoed = 0;
    let open = until(&timer, || {
        echoed += step(&mut device, &mut ports);
        ports[1].dtr() && ports[1].line_coding().data_rate() == 9_600
    });
    report.record("a port is opened", holds("open", open));
    report.record("the other one is not", holds("closed", !ports[0].dtr()));
    let all = until(&timer, || {
        echoed += step(&mut device, &mut ports);
        echoed == BYTES
    });
    report.record("bytes go both ways", same("echoed", echoed, if all { BYTES } else { 0 }));
    let closed = until(&timer, || {
        step(&mut device, &mut ports);
        !ports[1].dtr()
    });
    report.record("a port is closed", holds("closed", closed));
    let suspended = until(&timer, || {
        step(&mut device, &mut ports);
        device.state() == UsbDeviceState::Suspend
    });
    report.record("a quiet bus is suspended", holds("suspended", suspended));
    let resumed = until(&timer, || {
        step(&mut device, &mut ports);
        device.state() == UsbDeviceState::Configured
    });
    report.record("the host resumes it", holds("resumed", resumed));
    report.end()
}

/// Polls the bus and echoes what port 1 has received, in capitals. Returns the number of bytes.
fn step(device: &mut UsbDevice<'_, UsbBus>, ports: &mut Ports<'_>) -> u32 {
    let [first, second] = ports;
    device.poll(&mut [first, second]);
    let mut bytes = [0; 64];
    let Ok(count) = second.read(&mut bytes) else { return 0 };
    let mut left = &mut bytes[..count];
    left.make_ascii_uppercase();
    while !left.is_empty() {
        match second.write(left) {
            Ok(written) => left = &mut left[written..],
            Err(_) => {
                device.poll(&mut [first, second]);
            }
        }
    }
    count as u32
}

/// Repeats until the condition holds, for a second at most.
fn until(timer: &Timer, mut condition: impl FnMut() -> bool) -> bool {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < 1_000_000 {
        if condition() {
            return true;
        }
    }
    false
}
