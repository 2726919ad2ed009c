//! Acts as the window manager for a window that requests to fill the screen.

use host::clock::Stopwatch;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{Atom, AtomEnum, ConfigureWindowAux, ConnectionExt as _, PropMode};
use x11rb::wrapper::ConnectionExt as _;

use super::{BLINK, Desktop, PATIENCE, wait};

impl Desktop {
    /// Waits until the window requests to fill the screen or to leave that state (EWMH,
    /// `_NET_WM_STATE`), and grants it. Returns whether the window fills the screen.
    #[track_caller]
    pub fn manage_full_screen(&self, before: (u32, u32)) -> bool {
        let [state, full] = [&b"_NET_WM_STATE"[..], b"_NET_WM_STATE_FULLSCREEN"]
            .map(|name| self.screen.intern_atom(false, name).unwrap().reply().unwrap().atom);
        let clock = Stopwatch::start();
        let wanted = loop {
            assert!(clock.elapsed() < PATIENCE, "the window does not ask for the screen");
            let Some(event) = self.screen.poll_for_event().unwrap() else {
                wait(BLINK);
                continue;
            };
            if let Event::ClientMessage(message) = event
                && message.type_ == state
            {
                // 0 removes the state, 1 adds it.
                let [action, one, other, ..] = message.data.as_data32();
                assert!([one, other].contains(&full), "{:?}", message.data.as_data32());
                break action == 1;
            }
        };
        let states: &[Atom] = if wanted { &[full] } else { &[] };
        self.screen
            .change_property32(PropMode::REPLACE, self.window, state, AtomEnum::ATOM, states)
            .unwrap()
            .check()
            .unwrap();
        let root = self.screen.get_geometry(self.root).unwrap().reply().unwrap();
        let whole = (u32::from(root.width), u32::from(root.height));
        let (width, height) = if wanted { whole } else { before };
        let place = ConfigureWindowAux::new().x(0).y(0).width(width).height(height);
        self.screen.configure_window(self.window, &place).unwrap().check().unwrap();
        wanted
    }
}
