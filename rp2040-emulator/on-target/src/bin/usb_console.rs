//! A console over USB, on rp2040-hal's UsbBus with usb-device and usbd-serial: a greeting when the
//! port is opened, and an echo in capitals. Bytes received before DTR are dropped, as by programs
//! that wait for a terminal. UART0 stays silent. The USB host is `nudge emulate`.
#![no_std]
#![no_main]

use on_target::Board;
use rp2040_hal::usb::UsbBus;
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{StringDescriptors, UsbDeviceBuilder, UsbVidPid};
use usbd_serial::SerialPort;

/// The test IDs of pid.codes.
const NUMBERS: UsbVidPid = UsbVidPid(0x1209, 0x0001);

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let bus = UsbBusAllocator::new(UsbBus::new(
        board.rest.USBCTRL_REGS,
        board.rest.USBCTRL_DPRAM,
        board.clocks.usb_clock,
        true,
        &mut board.resets,
    ));
    let mut port = SerialPort::new(&bus);
    let strings = StringDescriptors::default().manufacturer("nudge").product("console");
    let Ok(builder) = UsbDeviceBuilder::new(&bus, NUMBERS).strings(&[strings]) else {
        unreachable!("there is room for the strings")
    };
    let mut device = builder.device_class(usbd_serial::USB_CLASS_CDC).build();
    let mut greeted = false;
    loop {
        device.poll(&mut [&mut port]);
        let mut bytes = [0; 64];
        let count = port.read(&mut bytes).unwrap_or(0);
        if !port.dtr() {
            continue;
        }
        if !greeted {
            greeted = port.write(b"ready\n").is_ok();
        }
        let mut left = &mut bytes[..count];
        left.make_ascii_uppercase();
        while !left.is_empty() {
            match port.write(left) {
                Ok(written) => left = &mut left[written..],
                Err(_) => {
                    device.poll(&mut [&mut port]);
                }
            }
        }
    }
}
