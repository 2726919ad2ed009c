//! Transfers data between the window and another program: dropped files, and the clipboard.

use std::path::Path;

use host::clock::Stopwatch;
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::{BLINK, Desktop, PATIENCE, wait};

impl Desktop {
    /// Returns the text in the clipboard.
    pub fn clipboard(&self) -> String {
        let atom =
            |name: &[u8]| self.screen.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let own = self.other_window();
        let (clipboard, text) = (atom(b"CLIPBOARD"), atom(b"UTF8_STRING"));
        self.screen
            .convert_selection(own, clipboard, text, text, CURRENT_TIME)
            .unwrap()
            .check()
            .unwrap();
        let clock = Stopwatch::start();
        loop {
            let value =
                self.screen.get_property(false, own, text, AtomEnum::ANY, 0, 4_096).unwrap();
            let value = value.reply().unwrap().value;
            if !value.is_empty() {
                return String::from_utf8(value).unwrap();
            }
            assert!(clock.elapsed() < PATIENCE, "the clipboard has no text");
            wait(BLINK);
        }
    }

    /// Drags a file from another program and drops it on the window, by the XDND protocol.
    pub fn drop_file(&self, path: &Path) {
        let atom =
            |name: &[u8]| self.screen.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let own = self.other_window();
        let (selection, list) = (atom(b"XdndSelection"), atom(b"text/uri-list"));
        self.screen.set_selection_owner(own, selection, CURRENT_TIME).unwrap().check().unwrap();
        let say = |name: &[u8], data: [u32; 5]| {
            let message = ClientMessageEvent::new(32, self.window, atom(name), data);
            let sent = self.screen.send_event(false, self.window, EventMask::NO_EVENT, message);
            sent.unwrap().check().unwrap();
        };
        const VERSION: u32 = 5;
        say(b"XdndEnter", [own, VERSION << 24, list, 0, 0]);
        say(b"XdndPosition", [own, 0, 40 << 16 | 40, CURRENT_TIME, atom(b"XdndActionCopy")]);
        say(b"XdndDrop", [own, 0, CURRENT_TIME, 0, 0]);
        let clock = Stopwatch::start();
        let asked = loop {
            assert!(clock.elapsed() < PATIENCE, "the window does not ask what was dropped");
            if let Some(Event::SelectionRequest(asked)) = self.screen.poll_for_event().unwrap() {
                break asked;
            }
            wait(BLINK);
        };
        let uri = format!("file://{}\r\n", path.display());
        let (requestor, property) = (asked.requestor, asked.property);
        self.screen
            .change_property8(PropMode::REPLACE, requestor, property, asked.target, uri.as_bytes())
            .unwrap()
            .check()
            .unwrap();
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: asked.time,
            requestor,
            selection: asked.selection,
            target: asked.target,
            property,
        };
        let sent = self.screen.send_event(false, requestor, EventMask::NO_EVENT, answer);
        sent.unwrap().check().unwrap();
    }

    /// Creates an invisible window of another program.
    fn other_window(&self) -> Window {
        let own = self.screen.generate_id().unwrap();
        self.screen
            .create_window(
                0,
                own,
                self.root,
                0,
                0,
                1,
                1,
                0,
                WindowClass::INPUT_ONLY,
                0,
                &CreateWindowAux::new(),
            )
            .unwrap()
            .check()
            .unwrap();
        own
    }
}
