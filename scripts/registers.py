#!/usr/bin/env python3
"""Names of the RP2040's registers by address, for rp2040-emulator/src/registers.txt.

  scripts/registers.py RP2040.svd >rp2040-emulator/src/registers.txt

The file is Raspberry Pi's; the crate rp2040-pac 0.6.0 has it as svd/rp2040.svd.
A line without a blank at its beginning is a peripheral, `base name`; one with is a register, ` offset name`.
"""

import sys
import xml.etree.ElementTree as ElementTree

peripherals = {}
for peripheral in ElementTree.parse(sys.argv[1]).getroot().iter("peripheral"):
    name = peripheral.findtext("name")
    like = peripherals.get(peripheral.get("derivedFrom"), {"registers": {}})
    registers = dict(like["registers"])
    for register in peripheral.iter("register"):
        registers[int(register.findtext("addressOffset"), 0)] = register.findtext("name")
    peripherals[name] = {
        "base": int(peripheral.findtext("baseAddress"), 0),
        "registers": registers,
    }

for name, peripheral in sorted(peripherals.items(), key=lambda item: item[1]["base"]):
    print(f"{peripheral['base']:08x} {name}")
    for offset, register in sorted(peripheral["registers"].items()):
        print(f" {offset:x} {register}")
