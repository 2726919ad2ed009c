//! An album on an ILI9488 of 480x320 pixels, with three bytes a pixel. The pictures are files on an SD
//! card, and the number of the last one that was shown is in an SPI flash; display, card, flash and the
//! resistive touch panel share SPI0. NEXT and BACK turn the pages, and so do fingers beside the
//! picture; on the picture they draw.
#![no_std]
#![no_main]

use core::cell::RefCell;
use core::fmt::Write as _;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_10X20;
use embedded_graphics::pixelcolor::Rgb666;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::InputPin as _;
use embedded_hal::spi::{MODE_0, Operation, SpiBus as _, SpiDevice};
use embedded_hal_bus::spi::RefCellDevice;
use embedded_sdmmc::{
    BlockDevice, Directory, Mode, SdCard, TimeSource, Timestamp, VolumeIdx, VolumeManager,
};
use mipidsi::Builder;
use mipidsi::dcs::{
    BitsPerPixel, EnterNormalMode, ExitSleepMode, InterfaceExt as _, PixelFormat, SetAddressMode,
    SetDisplayOn, SetPixelFormat,
};
use mipidsi::interface::{Interface, SpiInterface};
use mipidsi::models::{Model, ModelInitError};
use mipidsi::options::{ColorOrder, ModelOptions, Orientation, Rotation};
use own_boards::{Board, Button, LongDelay};
use rp2040_hal::Spi;
use rp2040_hal::clocks::Clock as _;
use rp2040_hal::fugit::RateExtU32 as _;
use rp2040_hal::gpio::{FunctionSpi, FunctionUart};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};

/// Size of a picture in pixels.
const SIZE: Size = Size::new(120, 90);
/// Bytes of a row of a picture.
const ROW: usize = 3 * SIZE.width as usize;
/// Bytes before the pixels of a BMP file.
const HEADER: u32 = 54;
/// Largest number of pictures.
const PAGES_MAX: usize = 8;
/// Factor by which a picture is enlarged.
const ZOOM: u32 = 2;

/// The ILI9488 with 18 bits a pixel. The model of mipidsi 0.10 sends commands at once after SLPOUT, and
/// the controller needs 5 ms (datasheet, 5.2.13).
struct Ili9488;

impl Model for Ili9488 {
    type ColorFormat = Rgb666;
    const FRAMEBUFFER_SIZE: (u16, u16) = (320, 480);

    fn init<W: DelayNs, I: Interface>(
        &mut self,
        interface: &mut I,
        delay: &mut W,
        options: &ModelOptions,
    ) -> Result<SetAddressMode, ModelInitError<I::Error>> {
        let mode = SetAddressMode::from(options);
        // After a reset SLPOUT may come after 120 ms (17.4.5).
        delay.delay_ms(120);
        interface.write_command(ExitSleepMode)?;
        delay.delay_ms(5);
        let format = PixelFormat::with_all(BitsPerPixel::from_rgb_color::<Rgb666>());
        interface.write_command(SetPixelFormat::new(format))?;
        interface.write_command(mode)?;
        interface.write_command(EnterNormalMode)?;
        interface.write_command(SetDisplayOn)?;
        Ok(mode)
    }
}

/// A clock that does not run: the card's files are only read.
struct NoClock;

impl TimeSource for NoClock {
    fn get_timestamp(&self) -> Timestamp {
        Timestamp {
            year_since_1970: 54,
            zero_indexed_month: 0,
            zero_indexed_day: 0,
            hours: 0,
            minutes: 0,
            seconds: 0,
        }
    }
}

/// An SPI flash whose first page is a log of numbers: the byte before the first erased one counts.
struct Flash<D>(D);

impl<D: SpiDevice> Flash<D> {
    fn identification(&mut self) -> [u8; 3] {
        let mut answer = [0; 3];
        let _ = self.0.transaction(&mut [Operation::Write(&[0x9F]), Operation::Read(&mut answer)]);
        answer
    }

    /// Returns the byte at an address.
    fn read(&mut self, address: u8) -> u8 {
        let mut byte = [0];
        let command = [0x0B, 0, 0, address, 0];
        let _ = self.0.transaction(&mut [Operation::Write(&command), Operation::Read(&mut byte)]);
        byte[0]
    }

    fn wait(&mut self, delay: &mut impl DelayNs) {
        let mut status = [1];
        while status[0] & 1 != 0 {
            delay.delay_us(100);
            let _ =
                self.0.transaction(&mut [Operation::Write(&[0x05]), Operation::Read(&mut status)]);
        }
    }

    /// Returns the last stored number and its address.
    fn last(&mut self) -> Option<(u8, u8)> {
        let at = match (0..=u8::MAX).find(|at| self.read(*at) == 0xFF) {
            Some(first_erased) => first_erased.checked_sub(1)?,
            None => u8::MAX,
        };
        Some((at, self.read(at)))
    }

    /// Stores a number after the last one. A full page is erased first.
    fn store(&mut self, number: u8, delay: &mut impl DelayNs) {
        let at = self.last().map_or(0, |(at, _)| at.wrapping_add(1));
        if self.read(at) != 0xFF {
            let _ = self.0.write(&[0x06]);
            let _ = self.0.write(&[0x20, 0, 0, 0]);
            self.wait(delay);
        }
        let _ = self.0.write(&[0x06]);
        let _ = self.0.write(&[0x02, 0, 0, at, number]);
        self.wait(delay);
    }
}

/// The XPT2046 of the touch panel.
struct Touch<D>(D);

impl<D: SpiDevice> Touch<D> {
    /// Returns the pixel under the finger. The panel's top edge is on the right.
    fn pixel(&mut self) -> Point {
        // X and Y in 16 clocks each; PD0 of the last control byte enables PENIRQ again.
        let mut answer = [0; 5];
        let _ = self.0.transfer(&mut answer, &[0xD1, 0, 0x90, 0, 0]);
        let value = |at: usize| i32::from(u16::from_be_bytes([answer[at], answer[at + 1]]) >> 3);
        // The values at the edges of the glass are 200 and 3900.
        let [x, y] = [(value(1), 319), (value(3), 479)]
            .map(|(value, last)| ((value - 200) * last + 1_850) / 3_700);
        Point::new(479 - y, x)
    }
}

type Name = embedded_sdmmc::ShortFileName;

/// Returns the names of the pictures, in the order of the folder.
fn pictures<D: BlockDevice>(
    root: &Directory<'_, D, NoClock, 4, 4, 1>,
) -> ([Option<Name>; PAGES_MAX], usize) {
    let mut names = [const { None }; PAGES_MAX];
    let mut count = 0;
    let _ = root.iterate_dir(|entry| {
        let is_picture = entry.name.extension() == b"BMP";
        if is_picture && let Some(place) = names.get_mut(count) {
            *place = Some(entry.name.clone());
            count += 1;
        }
    });
    (names, count)
}

/// Draws the picture of a file, whose rows are stored from the bottom. Returns whether it has all of
/// them.
fn draw<D: BlockDevice, T: DrawTarget<Color = Rgb666>>(
    root: &Directory<'_, D, NoClock, 4, 4, 1>,
    name: &Name,
    display: &mut T,
) -> bool {
    let Ok(file) = root.open_file_in_dir(name, Mode::ReadOnly) else { return false };
    if file.seek_from_start(HEADER).is_err() {
        return false;
    }
    let corner = Point::new(120, 40);
    let mut row = [0; ROW];
    for y in (0..SIZE.height).rev() {
        let mut filled = 0;
        while filled < ROW {
            match file.read(&mut row[filled..]) {
                Ok(count) if count > 0 => filled += count,
                _ => return false,
            }
        }
        // Blue, green, red.
        let pixels =
            row.chunks_exact(3).map(|bgr| Rgb666::new(bgr[2] >> 2, bgr[1] >> 2, bgr[0] >> 2));
        let wide = pixels.flat_map(|pixel| [pixel; ZOOM as usize]);
        let place = corner + Point::new(0, (y * ZOOM) as i32);
        for line in 0..ZOOM {
            let area =
                Rectangle::new(place + Point::new(0, line as i32), Size::new(SIZE.width * ZOOM, 1));
            let _ = display.fill_contiguous(&area, wide.clone());
        }
    }
    true
}

#[rp2040_hal::entry]
fn main() -> ! {
    let Board { clocks, mut timer, pins, mut resets, spi0, uart0, .. } = Board::take();
    let clock = clocks.peripheral_clock.freq();

    let wires = (pins.gpio0.into_function::<FunctionUart>(), pins.gpio1.into_function());
    let config = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let Ok(mut console) = UartPeripheral::new(uart0, wires, &mut resets).enable(config, clock)
    else {
        panic!("no such rate")
    };

    let wires = (
        pins.gpio19.into_function::<FunctionSpi>(),
        pins.gpio16.into_function::<FunctionSpi>(),
        pins.gpio18.into_function::<FunctionSpi>(),
    );
    // A card takes at most 400 kHz until it is initialised, after at least 74 clocks.
    let bus = RefCell::new(Spi::<_, _, _, 8>::new(spi0, wires).init(
        &mut resets,
        clock,
        400.kHz(),
        MODE_0,
    ));
    let mut select = [
        pins.gpio17.into_push_pull_output().into_dyn_pin(),
        pins.gpio22.into_push_pull_output().into_dyn_pin(),
        pins.gpio15.into_push_pull_output().into_dyn_pin(),
        pins.gpio14.into_push_pull_output().into_dyn_pin(),
    ];
    for pin in &mut select {
        let _ = embedded_hal::digital::OutputPin::set_high(pin);
    }
    let _ = bus.borrow_mut().write(&[0xFF; 10]);
    let [of_display, of_card, of_flash, of_touch] = select;
    let Ok(card) = RefCellDevice::new(&bus, of_card, timer);
    let card = SdCard::new(card, timer);
    let mut detect = pins.gpio26.into_pull_up_input();
    let is_inserted = detect.is_low().unwrap_or(false);
    let bytes = if is_inserted { card.num_bytes().unwrap_or(0) } else { 0 };
    bus.borrow_mut().set_baudrate(clock, 15_625.kHz());

    let Ok(flash) = RefCellDevice::new(&bus, of_flash, timer);
    let mut flash = Flash(flash);
    let [maker, kind, size] = flash.identification();
    let _ = writeln!(console, "card={bytes} flash={maker:02x}{kind:02x}{size:02x}\r");

    let Ok(touch) = RefCellDevice::new(&bus, of_touch, timer);
    let mut touch = Touch(touch);
    let mut touched = pins.gpio13.into_pull_up_input();

    let Ok(device) = RefCellDevice::new(&bus, of_display, timer);
    let mut buffer = [0; 720];
    let interface = SpiInterface::new(device, pins.gpio20.into_push_pull_output(), &mut buffer);
    let reset = pins.gpio21.into_push_pull_output();
    timer.delay_us(20);
    let display = Builder::new(Ili9488, interface)
        .orientation(Orientation::new().rotate(Rotation::Deg270))
        .color_order(ColorOrder::Bgr)
        .reset_pin(reset)
        .init(&mut LongDelay(timer));
    let Ok(mut display) = display else { panic!("the display does not answer") };
    let _ = display.clear(Rgb666::BLACK);
    let style = MonoTextStyle::new(&FONT_10X20, Rgb666::WHITE);
    let centred =
        TextStyleBuilder::new().alignment(Alignment::Center).baseline(Baseline::Top).build();

    let volumes: VolumeManager<_, _, 4, 4, 1> = VolumeManager::new_with_limits(card, NoClock, 1);
    let volume = volumes.open_volume(VolumeIdx(0));
    let root = volume.as_ref().ok().and_then(|volume| volume.open_root_dir().ok());
    let (names, count) = root.as_ref().map(pictures).unwrap_or(([const { None }; PAGES_MAX], 0));
    if count == 0 {
        let place = Point::new(240, 150);
        let _ = Text::with_text_style("NO PICTURES", place, style, centred).draw(&mut display);
        let _ = writeln!(console, "pictures=0\r");
    }

    let mut next = Button::new(pins.gpio2.into_pull_up_input(), false);
    let mut back = Button::new(pins.gpio3.into_pull_up_input(), false);
    let mut page = flash.last().map_or(0, |(_, page)| usize::from(page)) % count.max(1);
    let mut shown = None;
    let mut finger: Option<Point> = None;
    loop {
        if let Some(root) = root.as_ref().filter(|_| count > 0)
            && shown != Some(page)
            && let Some(name) = names.get(page).and_then(Option::as_ref)
        {
            let is_whole = draw(root, name, &mut display);
            let mut line = Line::default();
            let _ = write!(line, "{} OF {count} {name}", page + 1);
            let area = Rectangle::new(Point::new(120, 250), Size::new(240, 20));
            let _ = display.fill_solid(&area, Rgb666::BLACK);
            let place = Point::new(240, 250);
            let text = Text::with_text_style(line.as_str(), place, style, centred);
            let _ = text.draw(&mut display);
            if shown.is_some() {
                flash.store(page as u8, &mut timer);
            }
            shown = Some(page);
            let _ = writeln!(console, "page={} name={name} whole={is_whole}\r", page + 1);
        }
        timer.delay_ms(5);
        if next.is_pressed() {
            page = (page + 1) % count.max(1);
        }
        if back.is_pressed() {
            page = (page + count.max(1) - 1) % count.max(1);
        }
        if touched.is_high().unwrap_or(true) {
            if let Some(at) = finger.take() {
                let _ = writeln!(console, "lift={},{}\r", at.x, at.y);
            }
            continue;
        }
        // The XPT2046 takes at most 2.5 MHz.
        bus.borrow_mut().set_baudrate(clock, 2.MHz());
        let at = touch.pixel();
        bus.borrow_mut().set_baudrate(clock, 15_625.kHz());
        if finger.is_none() {
            let _ = writeln!(console, "touch={},{}\r", at.x, at.y);
            match at.x {
                ..120 => page = (page + count.max(1) - 1) % count.max(1),
                360.. => page = (page + 1) % count.max(1),
                _ => {}
            }
        }
        if (120..360).contains(&at.x) && finger != Some(at) {
            let pen = Rectangle::with_center(at, Size::new(5, 5));
            let _ = display.fill_solid(&pen, Rgb666::new(63, 63, 0));
        }
        finger = Some(at);
    }
}

/// A line of text.
#[derive(Default)]
struct Line {
    bytes: [u8; 24],
    length: usize,
}

impl Line {
    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl core::fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for byte in text.bytes().filter(u8::is_ascii) {
            let place = self.bytes.get_mut(self.length).ok_or(core::fmt::Error)?;
            *place = byte;
            self.length += 1;
        }
        Ok(())
    }
}
