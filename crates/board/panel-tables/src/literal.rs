//! Writes values of a table as Rust expressions that are constants.

use std::borrow::Cow;
use std::fmt::Write as _;

use virtual_time::Nanos;

use crate::effect::{Answer, Effect, Status};
use crate::family::Family;
use crate::rule::Rule;
use crate::table::{
    Bus, Command, Follows, Format, Module, Mounting, Place, Power, RuleText, Scan, Table, Values,
};

/// Returns the imports of the written file.
pub fn header() -> String {
    "use std::borrow::Cow;\n\
     use virtual_time::Nanos;\n\
     use crate::effect::{Answer, Effect, Status};\n\
     use crate::family::Family;\n\
     use crate::rule::Rule;\n\
     #[allow(unused_imports)]\n\
     use crate::table::*;\n"
        .to_owned()
}

/// A value that can be written as an expression.
pub trait Literal {
    fn literal(&self, out: &mut String);
}

/// Writes the `Debug` form, which for these types is an expression.
macro_rules! as_debug {
    ($($type:ty: $prefix:literal,)*) => {
        $(impl Literal for $type {
            fn literal(&self, out: &mut String) {
                write!(out, "{}{self:?}", $prefix).expect("a String takes all text");
            }
        })*
    };
}

macro_rules! fields {
    ($($type:ident { $($field:ident),* })*) => {
        $(impl Literal for $type {
            fn literal(&self, out: &mut String) {
                out.push_str(concat!(stringify!($type), " { "));
                $(
                    out.push_str(concat!(stringify!($field), ": "));
                    self.$field.literal(out);
                    out.push_str(", ");
                )*
                out.push('}');
            }
        })*
    };
}

as_debug! {
    u8: "", u16: "", u32: "", u64: "", bool: "",
    Bus: "Bus::", Effect: "Effect::", Family: "Family::", Follows: "Follows::",
    Format: "Format::", Rule: "Rule::", Status: "Status::",
}

fields! {
    Table { name, title, datasheet, family, columns, lines, module, buses, formats, scan, power, commands, by_code, rules, rule_bits }
    Module { columns, lines, first_column, first_line, mounting, is_bgr, is_inverted, bus }
    Mounting { is_landscape, mirrors_x, mirrors_y }
    Scan { clock_hz, line_clocks, porches }
    Power { spike, sequence }
    Command { code, last, name, section, follows, effect, reset, is_retained, fields, answer, values }
    Place { name, byte, bytes, low, bits }
    Values { argument, first, last }
    RuleText { rule, section, text, limit }
}

impl Literal for Nanos {
    fn literal(&self, out: &mut String) {
        write!(out, "Nanos({})", self.0).expect("a String takes all text");
    }
}

impl Literal for Answer {
    fn literal(&self, out: &mut String) {
        match self {
            Self::Byte(byte) => write!(out, "Answer::Byte({byte})"),
            Self::Status(status) => write!(out, "Answer::Status(Status::{status:?})"),
        }
        .expect("a String takes all text");
    }
}

impl<T: Literal> Literal for Option<T> {
    fn literal(&self, out: &mut String) {
        match self {
            None => out.push_str("None"),
            Some(value) => {
                out.push_str("Some(");
                value.literal(out);
                out.push(')');
            }
        }
    }
}

impl Literal for Cow<'static, str> {
    fn literal(&self, out: &mut String) {
        write!(out, "Cow::Borrowed({self:?})").expect("a String takes all text");
    }
}

impl<T: Literal + Clone> Literal for Cow<'static, [T]> {
    fn literal(&self, out: &mut String) {
        out.push_str("Cow::Borrowed(&");
        self.as_ref().literal(out);
        out.push(')');
    }
}

impl<T: Literal, const COUNT: usize> Literal for [T; COUNT] {
    fn literal(&self, out: &mut String) {
        self.as_slice().literal(out);
    }
}

impl<T: Literal> Literal for [T] {
    fn literal(&self, out: &mut String) {
        out.push('[');
        for value in self {
            value.literal(out);
            out.push_str(", ");
        }
        out.push(']');
    }
}
