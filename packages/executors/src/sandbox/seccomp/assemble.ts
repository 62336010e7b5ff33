/** One instruction of the classic Berkeley packet filter: jumps count the instructions that are left out. */
export interface Instruction {
  code: number;
  whenTrue: number;
  whenFalse: number;
  operand: number;
}

/** Loads the 32-bit word at `offset` of the call's record. */
export const load = (offset: number): Instruction => ({ code: 0x20, whenTrue: 0, whenFalse: 0, operand: offset });
/** Ends the filter with a verdict. */
export const verdict = (operand: number): Instruction => ({ code: 0x06, whenTrue: 0, whenFalse: 0, operand });
/** The instructions that follow run when the loaded word equals, is at least, or has a bit of `operand`; else they are left out. */
export const whenEqual = (operand: number, then: readonly Instruction[]) => guarded(0x15, operand, then);
export const whenAtLeast = (operand: number, then: readonly Instruction[]) => guarded(0x35, operand, then);
export const whenAnyBit = (operand: number, then: readonly Instruction[]) => guarded(0x45, operand, then);
/** The instructions that follow run unless the loaded word equals `operand`. */
export function unlessEqual(operand: number, then: readonly Instruction[]): Instruction[] {
  return [{ code: 0x15, whenTrue: then.length, whenFalse: 0, operand }, ...then];
}

function guarded(code: number, operand: number, then: readonly Instruction[]): Instruction[] {
  return [{ code, whenTrue: 0, whenFalse: then.length, operand }, ...then];
}

/** The program as the kernel reads it: eight bytes an instruction, in the byte order of every machine that Node runs on here. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(({ code, whenTrue, whenFalse, operand }, index) => {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, whenTrue);
    view.setUint8(index * 8 + 3, whenFalse);
    view.setUint32(index * 8 + 4, operand, true);
  });
  return bytes;
}
