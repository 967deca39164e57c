const DECODERS: [mark: number[], encoding: string][] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * Decodes a roster file: UTF-8, UTF-16 with a byte order mark, or Windows-1252 (Excel's plain
 * "CSV") (OPS-05).
 */
export function decodeRoster(bytes: Uint8Array): string {
  const marked = DECODERS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return new TextDecoder(marked[1]).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
