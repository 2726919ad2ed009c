//! A part of the face that a pointer holds.

use std::time::Duration;

use trace::Control;

use super::fingers::Finger;

/// A pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    Mouse,
    Finger(Finger),
}

/// A part that a pointer holds.
#[derive(Clone, Debug)]
pub(super) struct HeldPart {
    pub(super) pointer: Pointer,
    pub(super) control: Control,
    /// Point of the window at which the pointer went down.
    pub(super) from: (i32, i32),
    /// Number of detents that the drag has turned an encoder by.
    pub(super) turned: i32,
    /// Whether the pointer has moved far enough for a drag.
    pub(super) is_dragged: bool,
    /// Point to which the part was not moved yet.
    pub(super) waits: Option<(i32, i32)>,
    /// Time of the last movement.
    pub(super) moved: Option<Duration>,
}
