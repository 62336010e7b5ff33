/** What the kernel would answer to a system call under a filter: the verdict's number. Knows the instructions that filters here use. */
export function simulateFilter(program: Uint8Array, call: { nr: number; arch: number; args?: number[] }): number {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const word = (offset: number) => {
    if (offset === 0) return call.nr;
    if (offset === 4) return call.arch;
    return call.args?.[(offset - 16) / 8] ?? 0;
  };
  let loaded = 0;
  for (let at = 0; ; at++) {
    const operand = view.getUint32(at * 8 + 4, true);
    const jump = (taken: boolean) => {
      at += view.getUint8(at * 8 + (taken ? 2 : 3));
    };
    switch (view.getUint16(at * 8, true)) {
      case 0x20:
        loaded = word(operand);
        break;
      case 0x06:
        return operand;
      case 0x15:
        jump(loaded === operand);
        break;
      case 0x35:
        jump(loaded >= operand);
        break;
      case 0x45:
        jump((loaded & operand) !== 0);
        break;
      default:
        throw new Error(`no instruction this knows at ${at}`);
    }
  }
}
