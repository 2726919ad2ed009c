//! A minimal assembler for the harness: code with labels and literals.

use std::collections::HashMap;

/// Code under construction, for a given address.
pub struct Assembler {
    base: u32,
    halfwords: Vec<u16>,
    labels: HashMap<&'static str, u32>,
    /// Index of each branch's halfword, and the label that it goes to.
    branches: Vec<(usize, &'static str)>,
    /// Index of each load of a literal, and the literal.
    literals: Vec<(usize, u32)>,
}

impl Assembler {
    pub fn new(base: u32) -> Self {
        assert!(base.is_multiple_of(4));
        Self { base, halfwords: vec![], labels: HashMap::new(), branches: vec![], literals: vec![] }
    }

    pub fn here(&self) -> u32 {
        self.base + 2 * self.halfwords.len() as u32
    }

    pub fn label(&mut self, name: &'static str) {
        self.labels.insert(name, self.here());
    }

    pub fn address(&self, name: &str) -> u32 {
        self.labels[name]
    }

    pub fn code(&mut self, halfwords: &[u16]) {
        self.halfwords.extend(halfwords);
    }

    /// Adds a branch; `encoding` is a conditional or an unconditional branch without its offset.
    pub fn branch(&mut self, encoding: u16, label: &'static str) {
        self.branches.push((self.halfwords.len(), label));
        self.halfwords.push(encoding);
    }

    /// Adds a BL to a label that is already set.
    pub fn call(&mut self, label: &str) {
        let halfwords = (self.labels[label] as i32 - self.here() as i32 - 4) / 2;
        assert!((-1024..0).contains(&halfwords), "{label} is too far away");
        self.code(&[0xF7FF, 0xF800 | halfwords as u16 & 0x7FF]);
    }

    pub fn load(&mut self, register: u16, literal: u32) {
        self.literals.push((self.halfwords.len(), literal));
        self.halfwords.push(0x4800 | register << 8);
    }

    /// Places the literals after the code and sets the branches; a gap of more than 1 KiB between a
    /// load and its literal does not assemble.
    pub fn finish(mut self) -> (Vec<u16>, HashMap<&'static str, u32>) {
        for (at, label) in std::mem::take(&mut self.branches) {
            let from = self.base + 2 * at as u32 + 4;
            let halfwords = self.labels[label].wrapping_sub(from) as i32 / 2;
            let bits = if self.halfwords[at] >> 12 == 0xE { 11 } else { 8 };
            assert!(halfwords.unsigned_abs() < 1 << (bits - 1), "{label} is too far away");
            self.halfwords[at] |= halfwords as u16 & ((1 << bits) - 1);
        }
        if !self.here().is_multiple_of(4) {
            self.halfwords.push(0xBF00);
        }
        for (at, literal) in std::mem::take(&mut self.literals) {
            let pc = (self.base + 2 * at as u32 + 4) & !3;
            let words = (self.here() - pc) / 4;
            assert!(words < 256, "the literal 0x{literal:08x} is too far away");
            self.halfwords[at] |= words as u16;
            self.halfwords.extend([literal as u16, (literal >> 16) as u16]);
        }
        (self.halfwords, self.labels)
    }
}
