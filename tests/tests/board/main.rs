//! Tests the board `native` as a whole. All tests are one program, because linking one for each
//! file takes longer than most of them.
//!
//! | file | subject |
//! |---|---|
//! | `broken_traces` | the errors of the traces in `tests/broken` |
//! | `bus`, `wire` | the bytes on the LCD's wire |
//! | `chance` | the random numbers of a seed at each power-on |
//! | `heap`, `interrupt`, `timing` | the heap meter, Ctrl-C, the times of two boards |
//! | `quick_presses`, `reset_boundary` | players in a hurry; RESET, short or long |
//! | `texts` | printed text of the LCD can be pasted into a trace |

mod broken_traces;
mod bus;
mod chance;
mod heap;
mod interrupt;
mod quick_presses;
mod reset_boundary;
mod texts;
mod timing;
mod wire;
