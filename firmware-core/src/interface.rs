//! The interface: what a press means, and what the LCD shows.
//!
//! | module | subject |
//! |---|---|
//! | [`app`] | presses in; a view, notes and console lines out |
//! | [`menu`], [`page`] | the menus and pages that the app opens and the screens draw |
//! | [`message`] | what the status line says |
//! | [`name`] | names of saved games and logs, and the letters they are entered with |
//! | [`screen`] | a view drawn on any `DrawTarget` |

pub mod app;
pub mod menu;
pub mod message;
pub mod name;
pub mod page;
pub mod screen;
