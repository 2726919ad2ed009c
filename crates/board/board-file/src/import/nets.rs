//! The nets of a diagram: the pins that its wires connect, through breadboards and resistors.

use std::collections::{BTreeMap, BTreeSet};

/// A supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supply {
    Ground,
    High,
}

/// The nets of a diagram. A pin is written `PART:PIN`.
#[derive(Debug, Default)]
pub(super) struct Nets {
    /// Index of the pin with which each pin is joined; a root is joined with itself.
    parents: Vec<usize>,
    /// Number of pins in a root's net.
    sizes: Vec<usize>,
    indices: BTreeMap<String, usize>,
    /// GPIO of a root's net. Of several, the lowest.
    gpios: BTreeMap<usize, u8>,
    supplies: BTreeMap<usize, Supply>,
    /// Nets at the two ends of each resistor.
    resistors: Vec<(usize, usize)>,
}

impl Nets {
    fn index(&mut self, pin: &str) -> usize {
        if let Some(index) = self.indices.get(pin) {
            return *index;
        }
        let index = self.parents.len();
        self.parents.push(index);
        self.sizes.push(1);
        self.indices.insert(pin.to_owned(), index);
        index
    }

    fn root(&self, mut index: usize) -> usize {
        while self.parents[index] != index {
            index = self.parents[index];
        }
        index
    }

    /// Joins the nets of two pins.
    pub(super) fn join(&mut self, one: &str, other: &str) {
        let (one, other) = (self.index(one), self.index(other));
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        // The smaller net joins the larger one, so that paths have at most 20 steps.
        let (small, large) =
            if self.sizes[one] < self.sizes[other] { (one, other) } else { (other, one) };
        self.parents[small] = large;
        self.sizes[large] += self.sizes[small];
    }

    pub(super) fn resistor(&mut self, one: &str, other: &str) {
        let ends = (self.index(one), self.index(other));
        self.resistors.push(ends);
    }

    /// Makes all paths short. Call it after the last wire.
    pub(super) fn settle(&mut self, pins: impl Fn(&str) -> (Option<u8>, Option<Supply>)) {
        for index in 0..self.parents.len() {
            self.parents[index] = self.root(index);
        }
        for (pin, index) in &self.indices {
            let root = self.parents[*index];
            let (gpio, supply) = pins(pin);
            if let Some(gpio) = gpio {
                let lowest = self.gpios.entry(root).or_insert(gpio);
                *lowest = gpio.min(*lowest);
            }
            if let Some(supply) = supply {
                self.supplies.insert(root, supply);
            }
        }
    }

    fn net(&self, pin: &str) -> Option<usize> {
        self.indices.get(pin).map(|index| self.root(*index))
    }

    /// Returns the nets behind one resistor.
    fn across(&self, net: usize) -> BTreeSet<usize> {
        let ends = self.resistors.iter().map(|(one, other)| (self.root(*one), self.root(*other)));
        let other = |(one, other): (usize, usize)| match () {
            () if one == net => Some(other),
            () if other == net => Some(one),
            () => None,
        };
        ends.filter_map(other).collect()
    }

    /// Returns the GPIO that a pin is connected to, directly or through one resistor.
    pub(super) fn gpio(&self, pin: &str) -> Option<u8> {
        let net = self.net(pin)?;
        let direct = self.gpios.get(&net).copied();
        direct.or_else(|| {
            self.across(net).into_iter().find_map(|other| self.gpios.get(&other).copied())
        })
    }

    /// Returns the supply that a pin is connected to without a resistor.
    pub(super) fn supply(&self, pin: &str) -> Option<Supply> {
        self.supplies.get(&self.net(pin)?).copied()
    }

    /// Returns the supply that a pin is connected to, directly or through one resistor.
    pub(super) fn supply_or_resistor(&self, pin: &str) -> Option<Supply> {
        self.supply(pin).or_else(|| self.pull(pin))
    }

    /// Returns the supply to which a resistor pulls a pin.
    pub(super) fn pull(&self, pin: &str) -> Option<Supply> {
        let across = self.across(self.net(pin)?);
        across.into_iter().find_map(|other| self.supplies.get(&other).copied())
    }
}
