//! Keys of a keyboard by their names in SDL2 and in board files.

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseButton {
    /// The finger on a touch panel.
    Left,
    /// Does not occur.
    Middle,
    /// Does not occur.
    Right,
}

macro_rules! keycodes {
    ($($name:ident $text:literal),* $(,)?) => {
        /// A key, which a button has in the board file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keycode {
            $(#[doc = concat!("The key `", $text, "` of a board file.")] $name,)*
        }

        impl Keycode {
            /// Returns the key with this name in a board file.
            pub(super) fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

keycodes! {
    A "A", B "B", C "C", D "D", E "E", F "F", G "G", H "H", I "I", J "J", K "K", L "L", M "M",
    N "N", O "O", P "P", Q "Q", R "R", S "S", T "T", U "U", V "V", W "W", X "X", Y "Y", Z "Z",
    Num0 "0", Num1 "1", Num2 "2", Num3 "3", Num4 "4", Num5 "5", Num6 "6", Num7 "7", Num8 "8",
    Num9 "9", F1 "F1", F2 "F2", F3 "F3", F4 "F4", F5 "F5", F6 "F6", F7 "F7", F8 "F8", F9 "F9",
    F10 "F10", F11 "F11", F12 "F12", Return "Return", Escape "Escape", Backspace "Backspace",
    Tab "Tab", Space "Space", Insert "Insert", Home "Home", PageUp "PageUp", Delete "Delete",
    End "End", PageDown "PageDown", Right "Right", Left "Left", Down "Down", Up "Up",
}
