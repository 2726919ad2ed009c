// Runs an ELF file from RAM on rp2040js until BKPT and prints how many instructions that took.
//   node run.mjs FOLDER ELF [core | MILLISECONDS]
// FOLDER is where npm has installed rp2040js. The whole chip runs as rp2040js's own Simulator
// runs it, with its clock at 125 MHz; with `core`, its clock and so its devices are stopped.
// A program that does not end is stopped after MILLISECONDS of the chip's time.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const CYCLE_NS = 8;
const RAM_BASE = 0x20000000;

const [folder, file, only] = process.argv.slice(2);
const { RP2040 } = createRequire(resolve(folder, 'package.json'))('rp2040js');

const chip = new RP2040();
const elf = readFileSync(file);
const headers = elf.readUInt32LE(28);
for (let number = 0; number < elf.readUInt16LE(44); number++) {
  const header = headers + number * elf.readUInt16LE(42);
  const [offset, , address, size] = [4, 8, 12, 16].map((at) => elf.readUInt32LE(header + at));
  chip.sram.set(elf.subarray(offset, offset + size), address - RAM_BASE);
}
chip.core.PC = elf.readUInt32LE(24) & ~1;

let stopped = false;
let instructions = 0;
chip.onBreak = () => (stopped = true);
if (only === 'core') {
  for (; !stopped; instructions++) chip.core.executeInstruction();
} else {
  const most = Number(only ?? Infinity) * (1e6 / CYCLE_NS);
  for (let passed = 0; !stopped && passed < most; instructions++) {
    const cycles = chip.core.executeInstruction();
    chip.clock.tick(cycles * CYCLE_NS);
    passed += cycles;
  }
}
console.log(instructions);
