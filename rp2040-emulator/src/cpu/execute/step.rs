//! One step of the loop: what each instruction does.

use super::{Done, Pause, Runner, TAKEN, alone};
use crate::cpu::State;
use crate::cpu::bus::Bus;
use crate::cpu::instruction::{Instruction, Register};

impl<B: Bus> Runner<'_, B> {
    /// Executes the instruction in slot `index`, or a pair whose second instruction begins within
    /// `room` cycles.
    ///
    /// Without `OUTSIDE` this is the body of the loop, with no calls; with it, loads and stores may
    /// access the bus.
    #[inline(always)]
    pub(super) fn step<const OUTSIDE: bool>(
        &mut self,
        index: usize,
        room: u32,
    ) -> Result<Done, Pause> {
        use Instruction as I;
        let cycles = match *self.memory.slot(index) {
            I::MovsRegister { d, m } => self.result(d, self.get(m)),
            I::LslsImmediate { d, m, shift } => self.shift_left(d, self.get(m), shift.into()),
            I::LsrsImmediate { d, m, shift } => self.shift_right(d, self.get(m), shift.into()),
            I::AsrsImmediate { d, m, shift } => self.shift_arithmetic(d, self.get(m), shift.into()),
            I::AddsRegister { d, n, m } => self.add(d, self.get(n), self.get(m)),
            I::SubsRegister { d, n, m } => self.subtract(d, self.get(n), self.get(m)),
            I::AddsImmediate { d, n, value } => self.add(d, self.get(n), value.into()),
            I::SubsImmediate { d, n, value } => self.subtract(d, self.get(n), value.into()),
            I::MovsImmediate { d, value } => self.result(d, value.into()),
            I::CmpImmediate { n, value } => self.compare(self.get(n), value.into()),
            I::Ands { d, m } => self.result(d, self.get(d) & self.get(m)),
            I::Eors { d, m } => self.result(d, self.get(d) ^ self.get(m)),
            I::LslsRegister { d, m } => self.shift_left(d, self.get(d), self.get(m) & 0xFF),
            I::LsrsRegister { d, m } => self.shift_right(d, self.get(d), self.get(m) & 0xFF),
            I::AsrsRegister { d, m } => self.shift_arithmetic(d, self.get(d), self.get(m) & 0xFF),
            I::Adcs { d, m } => self.add_with_carry(d, self.get(d), self.get(m)),
            I::Sbcs { d, m } => self.add_with_carry(d, self.get(d), !self.get(m)),
            I::RorsRegister { d, m } => self.rotate(d, self.get(d), self.get(m) & 0xFF),
            I::Tst { n, m } => self.test(self.get(n) & self.get(m)),
            I::Rsbs { d, n } => self.subtract(d, 0, self.get(n)),
            I::Cmp { n, m } => self.compare(self.get(n), self.get(m)),
            I::Cmn { n, m } => self.compare_negative(self.get(n), self.get(m)),
            I::Orrs { d, m } => self.result(d, self.get(d) | self.get(m)),
            I::Muls { d, m } => self.result(d, self.get(d).wrapping_mul(self.get(m))),
            I::Bics { d, m } => self.result(d, self.get(d) & !self.get(m)),
            I::Mvns { d, m } => self.result(d, !self.get(m)),

            I::Add { d, m } => self.move_to(d, self.get(d).wrapping_add(self.get(m))),
            I::Mov { d, m } => self.move_to(d, self.get(m)),
            I::AddPcTo { d } => self.move_to(d, self.get(d).wrapping_add(self.pc(index))),
            I::MovFromPc { d } => self.move_to(d, self.pc(index)),
            I::AddToPc { m } => {
                return self.jump(self.pc(index).wrapping_add(self.get(m)) | 1, TAKEN);
            }
            I::MovToPc { m } => return self.jump(self.get(m) | 1, TAKEN),
            I::Bx { m } => return self.jump(self.get(m), TAKEN),
            I::Blx { m } => {
                let (target, link) = (self.get(m), self.address(index).wrapping_add(2) | 1);
                self.set(Register::LR, link);
                return self.jump(target, TAKEN);
            }

            I::Adr { d, offset } => self.move_to(d, self.literal(index, offset)),
            I::AddSp { d, offset } => {
                self.move_to(d, self.get(Register::SP).wrapping_add(offset.into()))
            }
            I::AdjustSp { offset } => {
                let sp = self.get(Register::SP).wrapping_add_signed(offset.into());
                self.move_to(Register::SP, sp)
            }

            I::LdrLiteral { t, offset } => {
                self.load_word::<OUTSIDE>(t, self.literal(index, offset))?
            }
            I::StrRegister { t, n, m } => self.store_word::<OUTSIDE>(t, self.sum(n, m))?,
            I::StrhRegister { t, n, m } => self.store_half::<OUTSIDE>(t, self.sum(n, m))?,
            I::StrbRegister { t, n, m } => self.store_byte::<OUTSIDE>(t, self.sum(n, m))?,
            I::LdrsbRegister { t, n, m } => self.load_signed_byte::<OUTSIDE>(t, self.sum(n, m))?,
            I::LdrRegister { t, n, m } => self.load_word::<OUTSIDE>(t, self.sum(n, m))?,
            I::LdrhRegister { t, n, m } => self.load_half::<OUTSIDE>(t, self.sum(n, m))?,
            I::LdrbRegister { t, n, m } => self.load_byte::<OUTSIDE>(t, self.sum(n, m))?,
            I::LdrshRegister { t, n, m } => self.load_signed_half::<OUTSIDE>(t, self.sum(n, m))?,
            I::StrImmediate { t, n, offset } => {
                self.store_word::<OUTSIDE>(t, self.displaced(n, offset))?
            }
            I::LdrImmediate { t, n, offset } => {
                self.load_word::<OUTSIDE>(t, self.displaced(n, offset))?
            }
            I::StrbImmediate { t, n, offset } => {
                self.store_byte::<OUTSIDE>(t, self.displaced(n, offset))?
            }
            I::LdrbImmediate { t, n, offset } => {
                self.load_byte::<OUTSIDE>(t, self.displaced(n, offset))?
            }
            I::StrhImmediate { t, n, offset } => {
                self.store_half::<OUTSIDE>(t, self.displaced(n, offset))?
            }
            I::LdrhImmediate { t, n, offset } => {
                self.load_half::<OUTSIDE>(t, self.displaced(n, offset))?
            }
            I::Push { list } => self.push::<OUTSIDE>(list)?,
            I::Pop { list } => self.pop::<OUTSIDE>(list)?,
            I::PopPc { list } => return self.pop_pc::<OUTSIDE>(list),
            I::Stm { n, list } => self.store_multiple::<OUTSIDE>(n, list)?,
            I::Ldm { n, list } => self.load_multiple::<OUTSIDE>(n, list)?,

            I::Sxth { d, m } => self.move_to(d, self.get(m) as i16 as u32),
            I::Sxtb { d, m } => self.move_to(d, self.get(m) as i8 as u32),
            I::Uxth { d, m } => self.move_to(d, self.get(m) & 0xFFFF),
            I::Uxtb { d, m } => self.move_to(d, self.get(m) & 0xFF),
            I::Rev { d, m } => self.move_to(d, self.get(m).swap_bytes()),
            I::Rev16 { d, m } => self.move_to(d, self.get(m).swap_bytes().rotate_right(16)),
            I::Revsh { d, m } => self.move_to(d, (self.get(m) as u16).swap_bytes() as i16 as u32),

            I::Beq { offset } => return self.branch_if(index, self.cpu.flags.zero(), offset),
            I::Bne { offset } => return self.branch_if(index, !self.cpu.flags.zero(), offset),
            I::Bcs { offset } => return self.branch_if(index, self.cpu.flags.carry, offset),
            I::Bcc { offset } => return self.branch_if(index, !self.cpu.flags.carry, offset),
            I::Bmi { offset } => return self.branch_if(index, self.cpu.flags.negative(), offset),
            I::Bpl { offset } => return self.branch_if(index, !self.cpu.flags.negative(), offset),
            I::Bvs { offset } => return self.branch_if(index, self.cpu.flags.overflowed(), offset),
            I::Bvc { offset } => {
                return self.branch_if(index, !self.cpu.flags.overflowed(), offset);
            }
            I::Bhi { offset } => return self.branch_if(index, self.higher(), offset),
            I::Bls { offset } => return self.branch_if(index, !self.higher(), offset),
            I::Bge { offset } => return self.branch_if(index, self.greater_or_equal(), offset),
            I::Blt { offset } => return self.branch_if(index, !self.greater_or_equal(), offset),
            I::Bgt { offset } => return self.branch_if(index, self.greater(), offset),
            I::Ble { offset } => return self.branch_if(index, !self.greater(), offset),
            I::B { offset } => return self.branch(index, offset, TAKEN),
            I::Bl { offset } => return self.branch_with_link(index, offset),

            I::SubsImmediateThenBne { d, value, offset } => {
                self.subtract(d, self.get(d), value.into());
                return Ok(self.then_if(index, room, !self.cpu.flags.zero(), offset));
            }
            I::SubsImmediateThen { d, value, branch } => {
                self.subtract(d, self.get(d), value.into());
                return Ok(self.then(index, room, branch));
            }
            I::CmpImmediateThen { n, value, branch } => {
                self.compare(self.get(n), value.into());
                return Ok(self.then(index, room, branch));
            }
            I::CmpThen { n, m, branch } => {
                self.compare(self.get(n), self.get(m));
                return Ok(self.then(index, room, branch));
            }
            I::TstThen { n, m, branch } => {
                self.test(self.get(n) & self.get(m));
                return Ok(self.then(index, room, branch));
            }
            I::LslsImmediateThen { dm, shift, branch } => {
                self.shift_left(Register::new(dm >> 4), self.get(Register::new(dm)), shift.into());
                return Ok(self.then(index, room, branch));
            }

            I::Svc { .. } => return Err(Pause::SupervisorCall),
            I::Bkpt { number } => return Err(Pause::Breakpoint(number)),
            I::Udf { .. } | I::Undefined { .. } => return Err(Pause::Undefined),
            // These may affect interrupts, so they end the loop and are handled out of line.
            I::Cps { .. } | I::Msr { .. } | I::Sev if !OUTSIDE => return Err(Pause::Outside),
            I::Cps { disable } => {
                self.cpu.set_primask(disable);
                self.until = 0;
                1
            }
            I::Msr { special, n } => {
                self.cpu.write_special(special, self.get(n));
                self.until = 0;
                return Ok(alone(3, index + 2));
            }
            I::Sev => {
                self.cpu.event = true;
                self.bus.event(self.cpu.number);
                self.until = 0;
                1
            }
            I::Mrs { d, special } => {
                self.set(d, self.cpu.read_special(special));
                return Ok(alone(3, index + 2));
            }
            I::Dsb | I::Dmb | I::Isb => return Ok(alone(3, index + 2)),
            I::Nop | I::Yield => 1,
            I::Wfe => return Err(Pause::Sleep(State::WaitingForEvent)),
            I::Wfi => return Err(Pause::Sleep(State::WaitingForInterrupt)),
            I::Undecoded | I::End | I::Unfetchable | I::NotThumb => {
                return Err(Pause::Unknown);
            }
        };
        Ok(alone(cycles, index + 1))
    }
}
