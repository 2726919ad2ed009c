//! The buttons of a board: contacts with the names that traces, key maps and errors use.

use core::fmt;
use core::hash::{Hash, Hasher};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use thiserror::Error;

/// Maximum number of buttons of a board.
pub const BUTTONS_MAX: usize = 128;
/// Maximum number of characters of a button's name.
pub const BUTTON_NAME_CHARS_MAX: usize = 24;
/// Maximum number of names that a process stores. It bounds the memory.
const NAMES_MAX: usize = 4_096;

/// A push button: a contact of the board, and its name. The order is the board's pin order;
/// simultaneous edges are processed in this order.
///
/// The constants are the buttons of the LCD board, twelve NUDGE and one RESET; [`Buttons`] has those
/// of another board. Two buttons are equal if they are the same contact, whatever its name is.
#[derive(Clone, Copy)]
pub struct Button {
    contact: u8,
    name: &'static str,
}

impl Button {
    /// The buttons of the LCD board, in pin order.
    pub const LCD_BOARD: [Self; 13] = [
        Self::B1,
        Self::B2,
        Self::B3,
        Self::B4,
        Self::B5,
        Self::B6,
        Self::T1,
        Self::T2,
        Self::T3,
        Self::T4,
        Self::T5,
        Self::T6,
        Self::Reset,
    ];

    pub const B1: Self = Self::of(0, "B1");
    pub const B2: Self = Self::of(1, "B2");
    pub const B3: Self = Self::of(2, "B3");
    pub const B4: Self = Self::of(3, "B4");
    pub const B5: Self = Self::of(4, "B5");
    pub const B6: Self = Self::of(5, "B6");
    pub const T1: Self = Self::of(6, "T1");
    pub const T2: Self = Self::of(7, "T2");
    pub const T3: Self = Self::of(8, "T3");
    pub const T4: Self = Self::of(9, "T4");
    pub const T5: Self = Self::of(10, "T5");
    pub const T6: Self = Self::of(11, "T6");
    #[expect(non_upper_case_globals, reason = "named like a variant")]
    pub const Reset: Self = Self::of(12, "RESET");

    const fn of(contact: u8, name: &'static str) -> Self {
        Self { contact, name }
    }

    /// Returns the index of the contact, less than [`BUTTONS_MAX`].
    pub const fn index(self) -> usize {
        self.contact as usize
    }

    /// Returns the name: `B1`…`B6`, `T1`…`T6`, `RESET` on the LCD board.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the button of the LCD board with exactly that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::LCD_BOARD.into_iter().find(|button| button.name() == name)
    }
}

impl PartialEq for Button {
    fn eq(&self, other: &Self) -> bool {
        self.contact == other.contact
    }
}

impl Eq for Button {}

impl PartialOrd for Button {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Button {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.contact.cmp(&other.contact)
    }
}

impl Hash for Button {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.contact.hash(state);
    }
}

impl fmt::Display for Button {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl fmt::Debug for Button {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

/// The buttons of a board, in pin order.
#[derive(Clone, Debug)]
pub struct Buttons(Arc<[Button]>);

/// Reason why names cannot be those of a board's buttons, controls or LEDs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ButtonsError {
    /// More buttons than a board can have.
    #[error(
        "the board has {0} buttons; the limit is {BUTTONS_MAX}: describe only {BUTTONS_MAX} of them"
    )]
    TooMany(usize),
    /// A name of two buttons.
    #[error("two buttons have the name {0}; a name of a button is unique")]
    Twice(String),
    /// A text that is no name.
    #[error(
        "`{0}` is no name of a button; it has 1 to {BUTTON_NAME_CHARS_MAX} letters, digits, `-` and \
         `_`"
    )]
    NotAName(String),
    /// More names than a process stores.
    #[error("more than {NAMES_MAX} names of parts are in use; start another process")]
    TooManyNames,
}

impl Buttons {
    /// Returns buttons with these names.
    ///
    /// # Errors
    /// If there are too many, if one is no name, or if two are equal.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, ButtonsError> {
        let names: Vec<&str> = names.into_iter().collect();
        if names.len() > BUTTONS_MAX {
            return Err(ButtonsError::TooMany(names.len()));
        }
        let mut buttons: Vec<Button> = Vec::new();
        for (contact, name) in (0..).zip(names) {
            if !is_button_name(name) {
                let quoted = name.chars().take(BUTTON_NAME_CHARS_MAX).collect();
                return Err(ButtonsError::NotAName(quoted));
            }
            if buttons.iter().any(|button| button.name == name) {
                return Err(ButtonsError::Twice(name.to_owned()));
            }
            buttons.push(Button::of(contact, stored(name)?));
        }
        Ok(Self(buttons.into()))
    }

    /// Returns the buttons of the LCD board.
    pub fn lcd_board() -> Self {
        static BUTTONS: LazyLock<Buttons> = LazyLock::new(|| Buttons(Arc::new(Button::LCD_BOARD)));
        BUTTONS.clone()
    }

    /// Returns the buttons in pin order.
    pub fn all(&self) -> &[Button] {
        &self.0
    }

    /// Returns the button of exactly that name.
    pub fn named(&self, name: &str) -> Option<Button> {
        self.0.iter().copied().find(|button| button.name == name)
    }

    /// Returns the names in pin order.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|button| button.name).collect()
    }

    /// Returns the names as a list, for messages: `B1…B6, T1…T6 and RESET`, `A, B and UP`.
    pub(crate) fn listed(&self, conjunction: &str) -> String {
        if *self == Self::lcd_board() {
            return format!("B1…B6, T1…T6 {conjunction} RESET");
        }
        match self.names().as_slice() {
            [] => "none".to_owned(),
            [name] => (*name).to_owned(),
            [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
        }
    }

    /// Replaces the name of a contact. Another contact with this name has no name then.
    pub(crate) fn rename(&mut self, button: Button) {
        if self.0.get(button.index()).is_some_and(|own| own.name == button.name) {
            return;
        }
        let mut all: Vec<Button> = self.0.to_vec();
        for own in all.iter_mut().filter(|own| own.name == button.name) {
            own.name = "";
        }
        if let Some(own) = all.get_mut(button.index()) {
            *own = button;
        }
        self.0 = all.into();
    }
}

/// Returns the buttons of the LCD board.
impl Default for Buttons {
    fn default() -> Self {
        Self::lcd_board()
    }
}

/// Compares contacts and names.
impl PartialEq for Buttons {
    fn eq(&self, other: &Self) -> bool {
        let key = |button: &Button| (button.contact, button.name);
        self.0.iter().map(key).eq(other.0.iter().map(key))
    }
}

impl Eq for Buttons {}

/// Returns whether `text` can be the name of a button.
fn is_button_name(text: &str) -> bool {
    (1..=BUTTON_NAME_CHARS_MAX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Returns the name with the lifetime of the process; equal names are stored once.
pub(super) fn stored(name: &str) -> Result<&'static str, ButtonsError> {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return Ok(known);
    }
    if names.len() >= NAMES_MAX {
        return Err(ButtonsError::TooManyNames);
    }
    let name: &'static str = Box::leak(name.into());
    names.insert(name);
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buttons_of_a_board_have_its_names() {
        let buttons = Buttons::new(["A", "UP"]).unwrap();
        assert_eq!(buttons.names(), ["A", "UP"]);
        let up = buttons.named("UP").unwrap();
        assert_eq!((up.index(), up.to_string()), (1, "UP".to_owned()));
        assert_eq!(buttons.named("up"), None);
        // The same contact, with another name.
        assert_eq!(up, Button::B2);
        assert_ne!(buttons, Buttons::new(["A", "DOWN"]).unwrap());
        assert_eq!(Buttons::lcd_board().names(), Button::LCD_BOARD.map(Button::name));
    }

    #[test]
    fn a_board_may_have_as_many_buttons_as_the_limit() {
        let names: Vec<String> = (0..BUTTONS_MAX).map(|nth| format!("K{nth}")).collect();
        let buttons = Buttons::new(names.iter().map(String::as_str)).unwrap();
        assert_eq!(buttons.named("K127").unwrap().index(), 127);
    }

    #[test]
    fn wrong_names_are_refused() {
        let check = |names: &[&str], expected: &str| {
            let error = Buttons::new(names.iter().copied()).unwrap_err();
            assert_eq!(error.to_string(), expected);
        };
        check(
            &["A"; 129],
            "the board has 129 buttons; the limit is 128: describe only 128 of them",
        );
        check(&["A", "A"], "two buttons have the name A; a name of a button is unique");
        check(
            &["a b"],
            "`a b` is no name of a button; it has 1 to 24 letters, digits, `-` and `_`",
        );
    }

    #[test]
    fn names_are_listed_in_messages() {
        assert_eq!(Buttons::lcd_board().listed("and"), "B1…B6, T1…T6 and RESET");
        assert_eq!(Buttons::new(["A", "B", "UP"]).unwrap().listed("or"), "A, B or UP");
    }
}
