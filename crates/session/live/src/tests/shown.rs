//! Time at which a picture is shown, and the callback for updates.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::session::DRAWN_AFTER;

#[test]
fn drawing_is_shown_before_its_frame_is_complete() {
    let mut session = session(&Paper::default());
    session.advance(ms(500));
    let before = session.take_update().unwrap();
    session.execute(ms(500), Command::Press(Button::B1));
    let (mut wall, mut beeped) = (ms(500), None);
    let shown = loop {
        wall += Duration::from_micros(100);
        session.advance(wall);
        if let Some(update) = session.take_update() {
            beeped = update.tones.last().map(|tone| tone.at).or(beeped);
            if update.frame != before.frame {
                break update;
            }
        }
        assert!(wall < ms(600), "nothing is shown");
    };
    assert_eq!(shown.status.frames, before.status.frames, "the frame is not complete yet");
    // The firmware beeps after the last pixel.
    let rested = shown.now.saturating_since(beeped.unwrap());
    let most = Nanos(DRAWN_AFTER.0 + 200_000);
    assert!(rested >= DRAWN_AFTER && rested <= most, "{rested} behind the last pixel");
    // The session waits no longer for it than this.
    assert!(session.idle_for(wall).unwrap() <= ms(3));

    // Later pictures have at least as many pixels drawn, and the same picture is not sent twice.
    session.advance(wall + ms(10));
    let complete = session.take_update().unwrap();
    assert_eq!(complete.status.frames, before.status.frames + 1);
    assert!(Arc::ptr_eq(&complete.frame, &shown.frame));
}

#[test]
fn a_board_at_rest_lets_the_thread_sleep() {
    let mut session = session(&Paper::default());
    session.advance(ms(500));
    // The wall clock has gone on while the update was made.
    let idle = session.idle_for(ms(500) + Duration::from_micros(30));
    assert!(idle.is_none_or(|idle| idle >= ms(100)), "{idle:?}");
    // A command interrupts a machine that is late.
    session.advance_while(ms(900), || false);
    assert_eq!(session.idle_for(ms(900)), Some(Duration::ZERO));
    session.advance_while(ms(900), || true);
    assert_ne!(session.idle_for(ms(900)), Some(Duration::ZERO));
}

#[test]
fn the_callback_is_called_for_each_update() {
    let live = spawn(|| Ok(FakeMachine::boxed(7)), Setup::default()).unwrap();
    let called = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&called);
    live.on_update(Box::new(move || {
        counts.fetch_add(1, Ordering::SeqCst);
    }));
    let mut live = live;
    let clock = Stopwatch::start();
    for presses in 1..=3 {
        let before = called.load(Ordering::SeqCst);
        live.send(Command::Press(Button::B1)).unwrap();
        live.send(Command::Release(Button::B1)).unwrap();
        // A late call may announce an update that was taken before.
        while called.load(Ordering::SeqCst) == before || live.update().unwrap().is_none() {
            assert!(
                clock.elapsed() < Duration::from_secs(60),
                "no call announces an update of press {presses}"
            );
            thread::yield_now();
        }
    }
    live.quit().unwrap();
}
