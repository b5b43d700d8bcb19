/** Seeded noise, in which every byte value is equally likely. */
export function grain(length: number, start: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let state = start;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[i] = state >> 16;
  }
  return bytes;
}
