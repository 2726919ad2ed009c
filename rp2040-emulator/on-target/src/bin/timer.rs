//! The timer with its alarms, SysTick, and the delays based on them. Needs no external device.
#![no_std]
#![no_main]

use core::cell::Cell;

use cortex_m::delay::Delay;
use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use critical_section::Mutex;
use embedded_hal::delay::DelayNs;
use on_target::{Board, Verdict, between, holds, same, system_hz, unmask};
use rp2040_hal::fugit::ExtU32;
use rp2040_hal::pac::{self, interrupt};
use rp2040_hal::timer::{Alarm, Alarm0, Instant, ScheduleAlarmError, Timer};

/// Time at which the handlers of alarm 0 and SysTick last ran, in microseconds, and how many times
/// they ran.
static ALARM: Mutex<Cell<(u32, u32)>> = Mutex::new(Cell::new((0, 0)));
static TICKS: Mutex<Cell<u32>> = Mutex::new(Cell::new(0));

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let mut timer = board.timer;
    let Some(core) = cortex_m::Peripherals::take() else { unreachable!("main runs once") };
    let mut syst = core.SYST;

    report.record("the counter counts microseconds", counter(&timer, &mut syst));
    report.record("delays last as long as they say", delays(&mut timer));
    report.record("a countdown comes round", countdown(&timer));
    let alarms = (timer.alarm_0(), timer.alarm_1(), timer.alarm_2(), timer.alarm_3());
    let (Some(mut zero), Some(mut one), Some(two), Some(three)) = alarms else {
        unreachable!("they are taken once")
    };
    report.record("an alarm interrupts at its time", alarm(&mut zero, &timer));
    report.record("an alarm at a time that was", missed(&mut zero, &timer));
    report.record("an alarm that is cancelled stays silent", cancelled(&mut zero, &timer));
    report.record("an alarm is seen without an interrupt", polled(&mut one, &timer));
    report.record("every alarm has its own time", all(two, three, &timer));
    report.record("SysTick interrupts", systick(&mut syst, &timer));
    report.record("SysTick's delay", systick_delay(syst, system_hz(&board.clocks), &timer));
    report.end()
}

/// Checks that a thousand microseconds are a thousand times 125 cycles.
fn counter(timer: &Timer, syst: &mut SYST) -> Verdict {
    syst.set_clock_source(SystClkSource::Core);
    syst.set_reload(0x00FF_FFFF);
    syst.clear_current();
    syst.enable_counter();
    let start = timer.get_counter_low();
    while timer.get_counter_low() == start {}
    let cycles = SYST::get_current();
    while timer.get_counter_low().wrapping_sub(start) <= 1_000 {}
    let cycles = cycles.wrapping_sub(SYST::get_current()) & 0x00FF_FFFF;
    between("cycles", cycles, 124_950u32, 125_050u32)?;
    let (low, whole) = (timer.get_counter_low(), timer.get_counter().ticks());
    between("the whole counter", whole, low, u64::from(low) + 20)
}

fn delays(timer: &mut Timer) -> Verdict {
    for (us, delay) in [
        (700, (|timer| timer.delay_us(700)) as fn(&mut Timer)),
        (3_000, |timer| timer.delay_ms(3)),
        (12, |timer| timer.delay_ns(11_001)),
    ] {
        let before = timer.get_counter();
        delay(timer);
        between("the delay", (timer.get_counter() - before).to_micros(), us, us + 3u64)?;
    }
    Ok(())
}

/// Checks a countdown of embedded-hal 0.2, which hal still offers.
fn countdown(timer: &Timer) -> Verdict {
    use embedded_hal_0_2::timer::CountDown;
    let mut countdown = timer.count_down();
    let before = timer.get_counter();
    countdown.start(250u32.micros());
    for _ in 0..4 {
        let _ = nb::block!(countdown.wait());
    }
    between("four periods", (timer.get_counter() - before).to_micros(), 1_000u64, 1_005u64)
}

fn alarm(alarm: &mut Alarm0, timer: &Timer) -> Verdict {
    alarm.enable_interrupt();
    unmask(pac::Interrupt::TIMER_IRQ_0);
    let before = timer.get_counter_low();
    holds("scheduling", alarm.schedule(1_234u32.micros()).is_ok())?;
    while ran() == 0 {
        cortex_m::asm::wfi();
    }
    let (at, _) = critical_section::with(|section| ALARM.borrow(section).get());
    alarm.clear_interrupt();
    pac::NVIC::unpend(pac::Interrupt::TIMER_IRQ_0);
    unmask(pac::Interrupt::TIMER_IRQ_0);
    between("the time", at.wrapping_sub(before), 1_234u32, 1_240u32)?;
    same("interrupts", ran(), 1u32)?;
    holds("finished", alarm.finished())
}

fn ran() -> u32 {
    critical_section::with(|section| ALARM.borrow(section).get().1)
}

/// Checks an alarm in the past: rp2040-hal triggers it immediately instead of waiting for an hour.
fn missed(alarm: &mut Alarm0, timer: &Timer) -> Verdict {
    let now = timer.get_counter();
    let done = alarm.schedule_at(Instant::from_ticks(now.ticks() - 10));
    holds("scheduling", done.is_ok())?;
    same("interrupts", ran(), 2u32)?;
    alarm.clear_interrupt();
    pac::NVIC::unpend(pac::Interrupt::TIMER_IRQ_0);
    unmask(pac::Interrupt::TIMER_IRQ_0);
    let far = Instant::from_ticks(now.ticks() + (1 << 33));
    holds("too far", alarm.schedule_at(far) == Err(ScheduleAlarmError::AlarmTooLate))
}

fn cancelled(alarm: &mut Alarm0, timer: &Timer) -> Verdict {
    holds("scheduling", alarm.schedule(100u32.micros()).is_ok())?;
    holds("cancelling", alarm.cancel().is_ok())?;
    wait(timer, 300);
    same("interrupts", ran(), 2u32)
}

fn polled(alarm: &mut impl Alarm, timer: &Timer) -> Verdict {
    let before = timer.get_counter_low();
    holds("scheduling", alarm.schedule(90u32.micros()).is_ok())?;
    holds("not yet", !alarm.finished())?;
    while !alarm.finished() {}
    between("the time", timer.get_counter_low().wrapping_sub(before), 90u32, 93u32)
}

fn all(mut two: impl Alarm, mut three: impl Alarm, timer: &Timer) -> Verdict {
    holds("scheduling", two.schedule(200u32.micros()).is_ok())?;
    holds("scheduling the other", three.schedule(100u32.micros()).is_ok())?;
    wait(timer, 150);
    holds("the early one", three.finished() && !two.finished())?;
    wait(timer, 100);
    holds("the late one", two.finished())
}

/// Checks an interrupt every millisecond; a reload value of n takes n + 1 cycles.
fn systick(syst: &mut SYST, timer: &Timer) -> Verdict {
    syst.disable_counter();
    syst.set_reload(125_000 - 1);
    syst.clear_current();
    syst.enable_interrupt();
    syst.enable_counter();
    wait(timer, 10_500);
    syst.disable_interrupt();
    syst.disable_counter();
    let ticks = critical_section::with(|section| TICKS.borrow(section).get());
    same("interrupts", ticks, 10u32)?;
    holds("wrapped", !syst.has_wrapped())?;
    // The external reference is the watchdog's tick: microseconds.
    syst.set_clock_source(SystClkSource::External);
    syst.set_reload(0x00FF_FFFF);
    syst.clear_current();
    syst.enable_counter();
    wait(timer, 500);
    between("microseconds", 0x00FF_FFFF - SYST::get_current(), 498u32, 502u32)
}

fn systick_delay(syst: SYST, hz: u32, timer: &Timer) -> Verdict {
    let mut delay = Delay::new(syst, hz);
    let before = timer.get_counter();
    delay.delay_us(150_000);
    let took = (timer.get_counter() - before).to_micros();
    between("the delay", took, 150_000u64, 150_010u64)
}

fn wait(timer: &Timer, us: u32) {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < us {}
}

/// Records the time. The main program clears the interrupt, so the handler masks it until then.
#[interrupt]
fn TIMER_IRQ_0() {
    pac::NVIC::mask(pac::Interrupt::TIMER_IRQ_0);
    #[expect(unsafe_code, reason = "the timer's own type is the program's")]
    // SAFETY: reading the counter has no effect.
    let now = unsafe { pac::Peripherals::steal() }.TIMER.timerawl().read().bits();
    critical_section::with(|section| {
        let alarm = ALARM.borrow(section);
        alarm.set((now, alarm.get().1 + 1));
    });
}

#[cortex_m_rt::exception]
fn SysTick() {
    critical_section::with(|section| {
        let ticks = TICKS.borrow(section);
        ticks.set(ticks.get() + 1);
    });
}
