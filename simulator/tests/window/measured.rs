//! What the window costs, in processor time: it can be measured on a computer that does something else as well. The
//! numbers are in `docs/performance.md`; here are only bounds that a slow machine keeps too.
//!
//! `cargo test -p simulator --features window-test --test window measured -- --ignored --nocapture --test-threads 1`

use std::fs;
use std::time::Duration;

use wall_clock::Stopwatch;

use crate::desk::{Desk, key};
use crate::{folder, layout, panel_of};

/// How long is measured.
const SPAN: Duration = Duration::from_secs(20);

/// The processor's share in what follows, in hundredths of a core.
fn share(desk: &Desk) -> f64 {
    let (clock, before) = (Stopwatch::start(), desk.processor_time());
    desk.rest(SPAN);
    let used = desk.processor_time().saturating_sub(before);
    100.0 * used.as_secs_f64() / clock.elapsed().as_secs_f64()
}

#[test]
#[ignore = "it measures for a minute"]
fn a_window_that_rests_costs_little_and_one_that_moves_not_much() {
    let folder = folder("measured");
    let mut desk = Desk::new(&folder, &["--seed", "7", "--scale", "3"]);
    desk.settled(|window| panel_of(window, &layout(3), 3).pixels().iter().any(|pixel| *pixel != 0));
    let rests = share(&desk);
    // Two computers play each other without end.
    let demo = folder.join("demo.trace");
    fs::write(&demo, "trace 1\nseed 7\nplayers demo\n\n0ms power on\n10min end\n").unwrap();
    desk.drop_file(&demo);
    let before = desk.look();
    desk.changed(|window| *window != before);
    desk.rest(Duration::from_secs(3));
    let moves = share(&desk);
    println!(
        "at scale 3, of one core: {rests:.1} % while nothing moves, {moves:.1} % while stones move"
    );

    // Ten minutes of it are behind: how much work the first look back is.
    let (before, shown) = (desk.processor_time(), desk.look());
    desk.tap_named(key::LEFT);
    desk.changed(|window| *window != shown);
    desk.rest(Duration::from_secs(1));
    let first = desk.processor_time().saturating_sub(before);
    let before = desk.processor_time();
    desk.tap_named(key::LEFT);
    desk.rest(Duration::from_secs(1));
    let next = desk.processor_time().saturating_sub(before);
    println!(
        "back in ten minutes: {first:?} of processor time for the first look, {next:?} for the next"
    );
    assert!(desk.close().status.success());
    assert!(rests < 30.0 && moves < 200.0);
}
