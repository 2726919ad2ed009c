//! The lists that can be shown over the window.

/// A list to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Branches,
    Recent,
}

impl List {
    /// Returns the title, with the keys.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Branches => "Branches: Up and Down choose, Return goes there, Escape closes",
            Self::Recent => "Recent sessions: Up and Down choose, Return opens, Escape closes",
        }
    }
}
