//! Gives an action another key: the user presses the former key, then the new one.

use live::keymap::Key;
use sdl2::keyboard::Scancode;

use super::controls::key_name;
use super::error::RunError;
use super::event_loop::EventLoop;
use super::session_view::Remap;

impl EventLoop<'_> {
    /// Begins to change a key.
    pub(super) fn begin_remap(&mut self) {
        self.session.remap = Some(Remap::Former);
        self.session.open.say("press the key that is to change; Esc cancels".to_owned());
    }

    /// Handles a key while one is changed.
    pub(super) fn remap_key(&mut self, scancode: Scancode) -> Result<(), RunError> {
        let key = u16::try_from(scancode as i32).ok().and_then(Key::from_usage);
        let (Some(remap), Some(key)) = (self.session.remap.take(), key) else {
            self.session.open.say("a key map has no name for that key".to_owned());
            return Ok(());
        };
        if scancode == Scancode::Escape {
            self.session.open.say("no key is changed".to_owned());
            return Ok(());
        }
        match remap {
            Remap::Former => match self.keymap.action(key) {
                Some(action) => {
                    self.session.remap = Some(Remap::New(action));
                    let name = action.name();
                    self.session.open.say(format!("press the new key of {name}; Esc cancels"));
                }
                None => {
                    let name = key_name(key);
                    self.session.open.say(format!("{name} has no action; no key is changed"));
                }
            },
            Remap::New(action) => {
                let other = self.keymap.assign(action, key);
                let mut what = format!("{} is now on {}", action.name(), key_name(key));
                if let Some(other) = other {
                    let key = self.keymap.key(other).map_or_else(String::new, key_name);
                    what += &format!(", and {} on {key}", other.name());
                }
                what += &match self.keep_keymap.as_ref().map(|keep| keep(&self.keymap)) {
                    Some(Ok(path)) => format!("; stored in {}", path.display()),
                    Some(Err(error)) => format!("; it cannot be stored: {error}"),
                    None => "; for this session, because of --keymap".to_owned(),
                };
                self.session.open.say(what);
                self.rename_keys()?;
            }
        }
        Ok(())
    }
}
