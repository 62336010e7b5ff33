/** What Windows takes for a device, whatever follows the first dot. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** Writes every character that `awkward` matches as percent triples, as well as what begins a device name. */
export function percentEncode(text: string, awkward: RegExp): string {
  const encoded = text.replace(awkward, spellOut);
  return deviceName.test(encoded) ? spellOut(encoded.slice(0, 1)) + encoded.slice(1) : encoded;
}

/** Every byte as a percent triple. */
export function spellOut(text: string): string {
  let spelled = "";
  for (const byte of Buffer.from(text)) spelled += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return spelled;
}

/** Undefined for what is no percent encoding of well-formed UTF-8. */
export function percentDecode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
