//! Firmware in C and C++ on the virtual boards of nudge.
//!
//! [`firmware!`] makes an application of a C function `void NAME(void)` that never returns. It finds the
//! parts of the board, delays and transfers in `include/nudge.h`; `examples/stopwatch-c` is one.
//!
//! `board` has the parts that a firmware has asked for, and does what it asks for. `boundary` and `statics`
//! are all that is unsafe: the functions that C calls, the call of C, and its static variables. No panic
//! crosses the boundary: a board that ends leaves the firmware by `longjmp`.

mod board;
mod boundary;
mod statics;

pub use boundary::application;
#[doc(hidden)]
pub use linked::Application;

/// Makes an application of the function `void NAME(void)` of a C library that the program links:
/// `nudge_c::firmware!(stopwatch)`.
#[macro_export]
macro_rules! firmware {
    ($name:ident) => {{
        unsafe extern "C" {
            fn $name();
        }
        // SAFETY: the C library defines the function with this type.
        unsafe { $crate::application($name) }
    }};
}
