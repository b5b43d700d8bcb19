import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createImages, type Images } from "../../src/images/index.ts";
import { seed, seeded } from "../support/random.ts";
import {
  hostilePictures,
  hostileResults,
  type Kind,
  kinds,
  mutant,
  type NamedFile,
  type Seeds,
  seedEntries,
  seedFiles,
} from "./bad-files.ts";
import { judge } from "./campaign.ts";

/** `npm run soak -- --only bytes` tries thousands, and the harmful files at full size. */
const mutationsOfEach = 15;
const part = 0.05;
const bombBytes = 80_000_000;

let images: Images;
let seeds: Seeds;
let exits = 0;

beforeAll(async () => {
  const warn = () => {
    exits += 1;
  };
  images = createImages({ workers: 2, maxWorkerBytes: 1024 ** 3, log: { warn } });
  seeds = { files: await seedFiles(), entries: await seedEntries() };
  const [jpeg = Buffer.alloc(0)] = seeds.files.jpeg;
  await Promise.all([images.inspect(jpeg), images.inspect(jpeg)]);
});

afterAll(() => images.close());

interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly bytes: Buffer;
}

/** Files that were handled wrongly. */
async function wrongOf(total: number, make: (turn: number) => Case): Promise<readonly string[]> {
  const wrong: string[] = [];
  let next = 0;
  const loop = async () => {
    for (let turn = next++; turn < total; turn = next++) {
      const made = make(turn);
      const { answer, reason } = await judge(images, made, turn);
      if (answer === "wrong") wrong.push(`${made.name}: ${reason}`);
    }
  };
  await Promise.all([loop(), loop()]);
  return wrong;
}

const all = (files: readonly NamedFile[]) => (turn: number) => {
  const file = files[Math.floor(turn / 5)];
  if (!file) throw new Error(`no file for turn ${turn}`);
  return file;
};

describe.runIf(process.platform === "linux")(`damaged files, seed ${seed}`, () => {
  it.each(kinds)("are refused or served, each %s of them", async (kind) => {
    const wrong = await wrongOf(mutationsOfEach, (turn) => ({
      name: `mutation ${turn}`,
      kind,
      bytes: mutant(kind, seeds, seeded(seed + turn)),
    }));

    expect(wrong).toEqual([]);
    expect(exits).toBe(0);
  });

  it("are refused or served although they were made to hurt", async () => {
    const files = [...(await hostilePictures(part)), ...(await hostileResults(bombBytes))];

    const wrong = await wrongOf(files.length * 5, all(files));

    expect(wrong).toEqual([]);
    expect(exits).toBe(0);
  });
});
