//! Changes the keyboard layout of the X server.

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::ConnectionExt as _;

use super::{Desktop, TAP, wait};

impl Desktop {
    /// Swaps the symbols of each pair of keys, like another keyboard layout. The positions of the
    /// keys stay the same.
    pub fn swap_keys(&self, pairs: &[(char, char)]) {
        let setup = self.screen.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping =
            self.screen.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let each = mapping.keysyms_per_keycode;
        let of = |key: u8| {
            let from = usize::from(key - first) * usize::from(each);
            mapping.keysyms[from..from + usize::from(each)].to_vec()
        };
        for (one, other) in pairs {
            let keys = [*one, *other].map(|letter| self.key(letter.into()));
            let [one, other] = keys.map(of);
            for (key, keysyms) in keys.into_iter().zip([other, one]) {
                self.screen
                    .change_keyboard_mapping(1, key, each, &keysyms)
                    .unwrap()
                    .check()
                    .unwrap();
            }
        }
        wait(TAP);
    }
}
