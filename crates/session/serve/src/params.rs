//! Reads the parameters of a request.

use ili9341_model::Region;
use serde_json::{Map, Value};
use trace::{
    BoardParts, Button, Buttons, Display, HeaderEntry, RegionText, parse_instant, parse_time,
};
use virtual_time::{Instant, Nanos};

use crate::fault::Fault;
use crate::methods::Method;

/// Parameters of a request, by their names.
pub(crate) struct Params(Map<String, Value>);

impl Params {
    /// Reads the parameters of a request of `method`.
    pub(crate) fn of(method: &Method, params: Option<Value>) -> Result<Self, Fault> {
        let fields = match params {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(fields)) => fields,
            Some(_) => {
                return Err(Fault::params("parameters are given by their names, as an object"));
            }
        };
        for name in fields.keys() {
            if !method.params.iter().any(|param| param.name == name) {
                let names: Vec<&str> = method.params.iter().map(|param| param.name).collect();
                let known = match names.is_empty() {
                    true => "it has none".to_owned(),
                    false => format!("there are {}", names.join(", ")),
                };
                let message = format!("`{}` has no parameter `{name}`; {known}", method.name);
                return Err(Fault::params(message));
            }
        }
        Ok(Self(fields))
    }

    /// Returns the value, unless it is missing or `null`.
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn needed<T>(name: &str, value: Option<T>) -> Result<T, Fault> {
        value.ok_or_else(|| Fault::params(format!("`{name}` is missing")))
    }

    fn read<T>(
        &self,
        name: &str,
        what: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let found = read(value);
        found.map(Some).ok_or_else(|| Fault::params(format!("`{name}` is {what}")))
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Fault> {
        self.read(name, "a text", |value| value.as_str().map(str::to_owned))
    }

    pub(crate) fn needed_text(&self, name: &str) -> Result<String, Fault> {
        Self::needed(name, self.text(name)?)
    }

    /// Reads a text to search for: not blank.
    pub(crate) fn wanted(&self, name: &str) -> Result<String, Fault> {
        let text = self.needed_text(name)?;
        if text.trim().is_empty() || text.chars().any(char::is_control) {
            return Err(Fault::params(format!("`{name}` is blank, or has control characters")));
        }
        Ok(text)
    }

    pub(crate) fn flag(&self, name: &str) -> Result<bool, Fault> {
        Ok(self.read(name, "true or false", Value::as_bool)?.unwrap_or_default())
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Fault> {
        self.read(name, "a whole number from 0 on", Value::as_u64)
    }

    pub(crate) fn needed_number(&self, name: &str) -> Result<u64, Fault> {
        Self::needed(name, self.number(name)?)
    }

    /// Reads a span: `"250ms"` or whole nanoseconds.
    pub(crate) fn span(&self, name: &str) -> Result<Option<Nanos>, Fault> {
        let what = "a time like \"250ms\" or \"1.5s\", or a whole number of nanoseconds";
        self.read(name, what, |value| match value {
            Value::String(text) => parse_time(text).ok(),
            value => value.as_u64().filter(|nanos| *nanos < 1 << 63).map(Nanos),
        })
    }

    pub(crate) fn needed_span(&self, name: &str) -> Result<Nanos, Fault> {
        Self::needed(name, self.span(name)?)
    }

    /// Reads a time, as a span since the first power-on.
    pub(crate) fn time(&self, name: &str) -> Result<Option<Instant>, Fault> {
        let what = "a moment like \"12.5s\", or a whole number of nanoseconds";
        self.read(name, what, |value| match value {
            Value::String(text) => parse_instant(text).ok(),
            value => value.as_u64().filter(|nanos| *nanos < 1 << 63).map(Instant),
        })
    }

    pub(crate) fn button(&self, name: &str, buttons: &Buttons) -> Result<Button, Fault> {
        let text = self.needed_text(name)?;
        button(&text, buttons)
    }

    /// Reads at least two buttons, none twice.
    pub(crate) fn buttons(&self, name: &str, of: &Buttons) -> Result<Vec<Button>, Fault> {
        let names = self.read(name, "a list of buttons", |value| {
            let names = value.as_array()?.iter();
            names.map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>()
        })?;
        let names = Self::needed(name, names)?;
        let buttons: Vec<Button> =
            names.iter().map(|name| button(name, of)).collect::<Result<_, _>>()?;
        let twice = buttons.iter().enumerate().any(|(nth, one)| buttons[..nth].contains(one));
        if buttons.len() < 2 || twice {
            return Err(Fault::params(format!("`{name}` is two buttons or more, none twice")));
        }
        Ok(buttons)
    }

    /// Reads a part of the panel, `[x, y, width, height]`.
    fn region(&self, name: &str, panel: Region) -> Result<Option<Region>, Fault> {
        let what = "[x, y, width, height] in pixels, and lies on the panel";
        self.read(name, what, |value| {
            let numbers = value
                .as_array()?
                .iter()
                .map(|number| number.as_u64().and_then(|number| u16::try_from(number).ok()));
            let numbers: Vec<u16> = numbers.collect::<Option<_>>()?;
            let [x, y, width, height] = numbers[..] else { return None };
            let region = Region { x, y, width, height };
            (region.area() > 0 && panel.holds(region)).then_some(region)
        })
    }

    /// Reads the name of a display.
    pub(crate) fn display(&self, parts: &BoardParts) -> Result<Option<Display>, Fault> {
        let name = self.text("display")?;
        name.map(|name| parts.displays.find(&name).map_err(Fault::params)).transpose()
    }

    /// Reads a part of the panel of the display.
    pub(crate) fn region_of(
        &self,
        display: Option<Display>,
        parts: &BoardParts,
    ) -> Result<Option<Region>, Fault> {
        self.region("region", display.map_or(parts.panel, Display::panel))
    }

    pub(crate) fn region_text(&self, parts: &BoardParts) -> Result<RegionText, Fault> {
        let (text, display) = (self.wanted("text")?, self.display(parts)?);
        Ok(RegionText { text, display, region: self.region_of(display, parts)? })
    }

    /// Reads the header of a trace: keys with texts or whole numbers.
    pub(crate) fn header(&self, name: &str) -> Result<Vec<HeaderEntry>, Fault> {
        let what = "an object of texts, whole numbers, true and false";
        let entries = self.read(name, what, |value| {
            let fields = value.as_object()?.iter().map(|(key, value)| {
                let value = match value {
                    Value::String(text) => text.clone(),
                    Value::Number(number) => number.as_u64()?.to_string(),
                    Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
                    _ => return None,
                };
                Some(HeaderEntry::new(key, value))
            });
            fields.collect::<Option<Vec<HeaderEntry>>>()
        })?;
        Ok(entries.unwrap_or_default())
    }
}

fn button(name: &str, buttons: &Buttons) -> Result<Button, Fault> {
    buttons.named(name).ok_or_else(|| {
        let known = if *buttons == Buttons::lcd_board() {
            "B1 to B6, T1 to T6, RESET".to_owned()
        } else {
            buttons.names().join(", ")
        };
        Fault::params(format!("there is no button `{name}`; there are {known}"))
    })
}
