//! The real-time clock: date and time, leap years, the alarm. Needs no external device.
#![no_std]
#![no_main]

use core::cell::Cell;

use critical_section::Mutex;
use on_target::{Board, Verdict, between, holds, same, unmask};
use rp2040_hal::pac::{self, interrupt};
use rp2040_hal::rtc::{DateTime, DateTimeFilter, DayOfWeek, RealTimeClock};
use rp2040_hal::timer::Timer;

/// Length of the clock's second in this program, in microseconds: 469 cycles of 46,875 Hz, so that
/// the test is short.
const SECOND_US: u32 = 10_005;

/// Number of interrupts of the alarm.
static ALARMS: Mutex<Cell<u32>> = Mutex::new(Cell::new(0));

fn date(year: u16, month: u8, day: u8, day_of_week: DayOfWeek) -> DateTime {
    DateTime { year, month, day, day_of_week, hour: 23, minute: 59, second: 59 }
}

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let timer = board.timer;
    let start = date(2024, 2, 28, DayOfWeek::Wednesday);
    let rtc = RealTimeClock::new(board.rest.RTC, board.clocks.rtc_clock, &mut board.resets, start);
    let Ok(mut rtc) = rtc else { unreachable!("the date is one") };
    #[expect(unsafe_code, reason = "hal has no other divider than that of a second")]
    // SAFETY: hal writes the divider only in `new`, and every 16-bit value is valid.
    unsafe {
        pac::Peripherals::steal().RTC.clkdiv_m1().write(|w| w.bits(468));
    }

    report.record("it runs", holds("running", rtc.is_running()));
    report.record("a day ends", midnight(&mut rtc, &timer));
    report.record("centuries can be told", century(&mut rtc, &timer));
    report.record("an alarm interrupts at its second", alarm(&mut rtc, &timer));
    report.end()
}

/// Waits until the second changes; returns the microseconds.
fn second(rtc: &RealTimeClock, timer: &Timer) -> u32 {
    let start = timer.get_counter_low();
    let now = |rtc: &RealTimeClock| rtc.now().map(|now| now.second).unwrap_or_default();
    let before = now(rtc);
    while now(rtc) == before {}
    timer.get_counter_low().wrapping_sub(start)
}

fn is(rtc: &RealTimeClock, month: u8, day: u8, day_of_week: DayOfWeek) -> Verdict {
    let Ok(now) = rtc.now() else { return holds("a date", false) };
    same("month", now.month, month)?;
    same("day", now.day, day)?;
    holds("the day of the week", now.day_of_week == day_of_week)?;
    same("hour, minute and second", now.hour + now.minute + now.second, 0u8)
}

fn midnight(rtc: &mut RealTimeClock, timer: &Timer) -> Verdict {
    between("the first second", second(rtc, timer), SECOND_US / 2, SECOND_US)?;
    is(rtc, 2, 29, DayOfWeek::Thursday)?;
    between("a whole second", second(rtc, timer), SECOND_US - 20, SECOND_US + 10)
}

/// Checks the year 2100, which is not a leap year; the program must tell the chip so.
fn century(rtc: &mut RealTimeClock, timer: &Timer) -> Verdict {
    let set = rtc.set_datetime(date(2100, 2, 28, DayOfWeek::Sunday));
    holds("the date is one", set.is_ok())?;
    // The check is switched on again for a new date.
    rtc.set_leap_year_check(false);
    second(rtc, timer);
    is(rtc, 3, 1, DayOfWeek::Monday)
}

fn alarm(rtc: &mut RealTimeClock, timer: &Timer) -> Verdict {
    rtc.schedule_alarm(DateTimeFilter::default().second(2));
    rtc.enable_interrupt();
    unmask(pac::Interrupt::RTC_IRQ);
    second(rtc, timer);
    same("alarms a second before", alarms(), 0u32)?;
    second(rtc, timer);
    same("alarms at its second", alarms(), 1u32)?;
    second(rtc, timer);
    same("alarms a second after", alarms(), 1u32)
}

fn alarms() -> u32 {
    critical_section::with(|section| ALARMS.borrow(section).get())
}

#[interrupt]
fn RTC_IRQ() {
    critical_section::with(|section| {
        let count = ALARMS.borrow(section);
        count.set(count.get() + 1);
    });
    #[expect(unsafe_code, reason = "hal's clock is with the program")]
    // SAFETY: the program only reads the date while the alarm is enabled.
    let rtc = unsafe { pac::Peripherals::steal() }.RTC;
    // As hal's clear_interrupt does.
    rtc.irq_setup_0().modify(|_, w| w.match_ena().clear_bit());
    while rtc.irq_setup_0().read().match_active().bit() {}
}
