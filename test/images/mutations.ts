import { crc32 } from "node:zlib";

export type Random = () => number;

/** One way to damage a file; the same random numbers cause the same damage. */
export type Mutation = (bytes: Buffer, random: Random) => Buffer;

const extremes = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
const headBytes = 64;

const below = (most: number, random: Random) => Math.floor(random() * most);

/** Where to damage a file: half the time near its start, where headers are. */
function place(bytes: Buffer, random: Random): number {
  return below(random() < 0.5 ? Math.min(headBytes, bytes.length) : bytes.length, random);
}

function slice(bytes: Buffer, random: Random) {
  const start = below(bytes.length, random);
  const end = Math.min(bytes.length, start + 1 + below(Math.ceil(bytes.length / 4), random));
  return { start, end };
}

const flip: Mutation = (bytes, random) => {
  const damaged = Buffer.from(bytes);
  for (let left = 1 + below(20, random); left > 0; left--) {
    const at = below(bytes.length, random);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << below(8, random));
  }
  return damaged;
};

const cut: Mutation = (bytes, random) => bytes.subarray(0, below(bytes.length, random));

const move: Mutation = (bytes, random) => {
  const { start, end } = slice(bytes, random);
  const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  const at = below(rest.length, random);
  return Buffer.concat([rest.subarray(0, at), bytes.subarray(start, end), rest.subarray(at)]);
};

const duplicate: Mutation = (bytes, random) => {
  const { start, end } = slice(bytes, random);
  const twice = Buffer.concat(Array(1 + below(8, random)).fill(bytes.subarray(start, end)));
  return Buffer.concat([bytes.subarray(0, end), twice, bytes.subarray(end)]);
};

/** Overwrites a number with zero, an extreme value or one that turns negative. */
const lie: Mutation = (bytes, random) => {
  const damaged = Buffer.from(bytes);
  for (let left = 1 + below(3, random); left > 0; left--) {
    const value = extremes[below(extremes.length, random)] ?? 0;
    const at = Math.min(place(bytes, random), bytes.length - 4);
    if (value > 0xffff) damaged[random() < 0.5 ? "writeUInt32BE" : "writeUInt32LE"](value, at);
    else if (value > 0xff) damaged[random() < 0.5 ? "writeUInt16BE" : "writeUInt16LE"](value, at);
    else damaged[at] = value;
  }
  return damaged;
};

const overwrite: Mutation = (bytes, random) => {
  const { start, end } = slice(bytes, random);
  return Buffer.from(bytes).fill(below(256, random), start, end);
};

const mutations = [flip, cut, move, duplicate, lie, lie, overwrite] as const;

/** Damages a file once or twice. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let damaged = bytes;
  for (let left = random() < 0.3 ? 2 : 1; left > 0 && damaged.length > 8; left--) {
    const mutation = mutations[below(mutations.length, random)] ?? flip;
    damaged = mutation(damaged, random);
  }
  return damaged;
}

/** Corrects the checksums of a PNG's chunks, so that damage reaches the code behind the check. */
export function withSums(png: Buffer): Buffer {
  const mended = Buffer.from(png);
  for (let at = 8; at + 12 <= mended.length; ) {
    const end = at + 12 + mended.readUInt32BE(at);
    if (end > mended.length) break;
    mended.writeUInt32BE(crc32(mended.subarray(at + 4, end - 4)), end - 4);
    at = end;
  }
  return mended;
}
