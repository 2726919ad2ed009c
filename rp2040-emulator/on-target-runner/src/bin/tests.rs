//! Tests under embedded-test, one for each kind of result.
#![no_std]
#![no_main]

use cortex_m_rt as _;
use defmt_rtt as _;
use on_target_runner as _;

#[embedded_test::tests(default_timeout = 1)]
mod tests {
    use core::sync::atomic::{AtomicU32, Ordering};

    /// A variable in RAM, which a fresh boot sets to 0.
    static BOOTED: AtomicU32 = AtomicU32::new(0);

    /// State that is passed to each test.
    struct Board {
        cups: u8,
    }

    #[init]
    fn init() -> Board {
        BOOTED.store(BOOTED.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        Board { cups: 12 }
    }

    #[test]
    fn has_twelve_cups(board: Board) {
        defmt::info!("counting");
        defmt::assert_eq!(board.cups, 12);
    }

    #[test]
    fn starts_afresh(_board: Board) {
        defmt::assert_eq!(BOOTED.load(Ordering::Relaxed), 1);
    }

    #[test]
    #[should_panic]
    fn panics_as_it_should(_board: Board) {
        defmt::panic!("as it should");
    }

    #[test]
    fn returns_an_error(_board: Board) -> Result<(), &'static str> {
        Err("no stones")
    }

    #[test]
    fn fails(board: Board) {
        defmt::assert_eq!(board.cups, 14);
    }

    #[test]
    #[timeout(2)]
    fn never_ends(_board: Board) {
        loop {
            cortex_m::asm::wfi();
        }
    }

    #[test]
    #[ignore]
    fn is_ignored(_board: Board) {
        defmt::panic!("nobody asked");
    }
}
