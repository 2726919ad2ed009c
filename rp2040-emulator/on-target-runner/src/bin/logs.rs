//! Tests defmt over RTT with panic-probe: every level, arguments of several kinds, a module with a
//! filter of its own, more text than the channel's buffer can hold, and a panic.
#![no_std]
#![no_main]

use defmt_rtt as _;
use on_target_runner::count_message;
use panic_probe as _;

defmt::timestamp!("{=u32:us}", count_message());

/// A type that is formatted on the host.
#[derive(defmt::Format)]
struct Stone {
    cup: u8,
    owner: Option<&'static str>,
}

mod quiet {
    //! A module that is filtered separately.

    /// Logs one message at each of two levels.
    pub fn speak() {
        defmt::debug!("quiet debugging");
        defmt::warn!("quiet warning");
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    defmt::trace!("a trace");
    defmt::debug!("{=u8:#04x} {=i16} {=bool}", 10, -3, true);
    defmt::info!("{} and {=[u8]:a}", Stone { cup: 4, owner: Some("south") }, *b"seeds");
    quiet::speak();
    defmt::println!("a line without a level");
    for number in 0..200_u32 {
        defmt::trace!("message {} of many", number);
    }
    defmt::error!("the last one");
    panic!("on purpose");
}
