//! The interface: the meaning of the buttons, and the views on the LCD.
//!
//! | module | subject |
//! |---|---|
//! | [`app`] | presses in; a view, notes and console lines out |
//! | [`menu`], [`page`] | the menus and pages that the app opens and the screens draw |
//! | [`log`] | the moves of a game as text |
//! | [`message`] | the content of the status line |
//! | [`screen`] | a view drawn on any `DrawTarget` |

pub mod app;
pub mod log;
pub mod menu;
pub mod message;
pub mod page;
pub mod screen;
