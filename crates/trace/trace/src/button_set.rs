//! Sets of buttons, and values for each button of a board, whose number is bounded only by
//! [`BUTTONS_MAX`].

use core::fmt;

use crate::button::{BUTTONS_MAX, Button};

const _: () = assert!(BUTTONS_MAX <= u128::BITS as usize);

/// A set of buttons, for example of those whose contacts are closed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ButtonSet(u128);

impl ButtonSet {
    /// The set without a button.
    pub const EMPTY: Self = Self(0);

    const fn bit(button: Button) -> u128 {
        1 << button.index()
    }

    /// Returns whether the set has `button`.
    pub const fn contains(self, button: Button) -> bool {
        self.0 & Self::bit(button) != 0
    }

    /// Returns whether the set has the button with this [`Button::index`].
    pub const fn contains_index(self, index: usize) -> bool {
        index < BUTTONS_MAX && self.0 >> index & 1 != 0
    }

    /// Adds `button`. Returns whether the set did not have it.
    pub const fn insert(&mut self, button: Button) -> bool {
        self.set(button, true)
    }

    /// Removes `button`. Returns whether the set had it.
    pub const fn remove(&mut self, button: Button) -> bool {
        self.set(button, false)
    }

    /// Adds or removes `button`. Returns whether that changed the set.
    pub const fn set(&mut self, button: Button, is_in: bool) -> bool {
        let before = self.0;
        let bit = Self::bit(button);
        self.0 = if is_in { before | bit } else { before & !bit };
        self.0 != before
    }

    /// Returns whether the set has no button.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the indices of the buttons, in ascending order.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..BUTTONS_MAX).filter(move |index| self.contains_index(*index))
    }
}

impl FromIterator<Button> for ButtonSet {
    fn from_iter<I: IntoIterator<Item = Button>>(buttons: I) -> Self {
        let mut set = Self::EMPTY;
        buttons.into_iter().for_each(|button| {
            set.insert(button);
        });
        set
    }
}

/// Writes the indices: the set does not know the names.
impl fmt::Debug for ButtonSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.indices()).finish()
    }
}

/// A value for each button, by [`Button::index`]. A button whose value was never changed has the
/// default value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ButtonMap<T>(Vec<T>);

impl<T> Default for ButtonMap<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ButtonMap<T> {
    /// Returns the value of `button`; `None` if it was never changed.
    pub fn get(&self, button: Button) -> Option<&T> {
        self.0.get(button.index())
    }

    /// Returns the values that can differ from the default value, in the order of the buttons.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }

    /// Gives all buttons the default value.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<T: Default> ButtonMap<T> {
    /// Returns the value of `button`, to change it.
    pub fn at(&mut self, button: Button) -> &mut T {
        let index = button.index();
        if index >= self.0.len() {
            self.0.resize_with(index + 1, T::default);
        }
        &mut self.0[index]
    }
}

impl<T: Clone> ButtonMap<T> {
    /// Gives all buttons that a board can have this value.
    pub fn fill(&mut self, value: &T) {
        self.0 = vec![value.clone(); BUTTONS_MAX];
    }
}

impl<T: Copy + Default> ButtonMap<T> {
    /// Returns the value of `button`.
    pub fn of(&self, button: Button) -> T {
        self.get(button).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buttons;

    /// The last button of a board with as many buttons as possible.
    fn last() -> Button {
        let names: Vec<String> = (0..BUTTONS_MAX).map(|nth| format!("K{nth}")).collect();
        *Buttons::new(names.iter().map(String::as_str)).unwrap().all().last().unwrap()
    }

    #[test]
    fn a_set_has_what_was_inserted_and_not_removed() {
        let mut set = ButtonSet::EMPTY;
        assert!(set.insert(Button::B1) && set.insert(last()));
        assert!(!set.insert(last()), "it is there already");
        assert!(set.contains(Button::B1) && set.contains(last()) && !set.contains(Button::B2));
        assert_eq!(set.indices().collect::<Vec<_>>(), [0, 127]);
        assert_eq!(format!("{set:?}"), "{0, 127}");
        assert_eq!(set, [last(), Button::B1].into_iter().collect());
        assert!(set.remove(Button::B1) && !set.remove(Button::B1) && !set.is_empty());
        assert!(set.remove(last()) && set.is_empty());
        assert!(!set.contains_index(BUTTONS_MAX));
    }

    #[test]
    fn a_map_has_a_value_for_each_button() {
        let mut map = ButtonMap::default();
        *map.at(last()) = 7;
        *map.at(Button::B2) += 1;
        assert_eq!((map.of(last()), map.of(Button::B2), map.of(Button::B1)), (7, 1, 0));
        map.clear();
        assert_eq!((map.of(last()), map.get(Button::B2)), (0, None));
        map.fill(&3);
        assert_eq!((map.of(last()), map.of(Button::B1)), (3, 3));
    }
}
