/**
 * Gives thousands of bad files to the picture workers and prints how they were handled: `node bytes-campaign.ts FOLDER
 * SEED COUNT`.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { createImages } from "../../src/images/index.ts";
import { type Kind, kinds, mutant, type Seeds } from "../images/bad-files.ts";
import { judge, maxMs, peakMiB, type Verdict, workersPeakMiB } from "../images/campaign.ts";
import { seeded } from "../support/random.ts";

export interface CampaignReport {
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Files that were handled wrongly or too slowly, with enough about each to find it again. */
  readonly wrong: readonly {
    readonly kind: string;
    readonly name: string;
    readonly reason: string;
  }[];
  readonly slowestMs: number;
  readonly exits: number;
  readonly workerPeakMiB: number;
  readonly ownPeakMiB: number;
}

interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly bytes: Buffer;
}

const [folder = "", seed = "0", count = "0"] = process.argv.slice(2);
const maxWorkerBytes = 1024 ** 3;
const lookAtMemoryEvery = 200;

const counts: Record<string, Record<string, number>> = {};
const wrong: { kind: string; name: string; reason: string }[] = [];
let exits = 0;
let slowestMs = 0;
let workerPeakMiB = 0;

const read = (file: string) => readFileSync(join(folder, file));
/** One buffer for all large files: like the bot, the campaign has only one at a time in memory. */
const room = Buffer.allocUnsafeSlow(110_000_000);

function readLarge(file: string): Buffer {
  const descriptor = openSync(join(folder, file), "r");
  const bytes = readSync(descriptor, room);
  closeSync(descriptor);
  return room.subarray(0, bytes);
}
const images = createImages({
  workers: 2,
  maxWorkerBytes,
  log: {
    warn: () => {
      exits += 1;
    },
  },
});

function note({ kind, name }: Omit<Case, "bytes">, { ms, answer, reason }: Verdict): void {
  counts[kind] ??= {};
  counts[kind][answer] = (counts[kind][answer] ?? 0) + 1;
  slowestMs = Math.max(slowestMs, ms);
  if (answer === "wrong") wrong.push({ kind, name, reason: reason ?? "" });
  else if (ms > maxMs) wrong.push({ kind, name, reason: `${answer} after ${Math.round(ms)} ms` });
}

/** Two at a time, one for each worker, so that none waits in the queue. */
async function run(total: number, make: (turn: number) => Case): Promise<void> {
  let next = 0;
  const loop = async () => {
    for (let turn = next++; turn < total; turn = next++) {
      const made = make(turn);
      note(made, await judge(images, made, turn));
      if (turn % lookAtMemoryEvery === 0) {
        workerPeakMiB = Math.max(workerPeakMiB, workersPeakMiB());
      }
    }
  };
  await Promise.all([loop(), loop()]);
}

/** Starts the workers, because starting must not count as part of an answer. */
async function warmUp(seeds: Seeds): Promise<void> {
  const [jpeg = Buffer.alloc(0)] = seeds.files.jpeg;
  await Promise.all([images.inspect(jpeg), images.inspect(jpeg)]);
}

function readSeeds(): Seeds {
  const { files, entries } = JSON.parse(read("seeds.json").toString("utf8"));
  const decode = (text: string) => Buffer.from(text, "base64");
  const decoded = kinds.map((kind) => [kind, files[kind].map(decode)]);
  return {
    files: Object.fromEntries(decoded),
    entries: { color: decode(entries.color), alpha: decode(entries.alpha) },
  };
}

const seeds = readSeeds();
await warmUp(seeds);
for (const [n, kind] of kinds.entries()) {
  await run(Number(count), (turn) => {
    const name = `mutation ${turn} of seed ${seed}`;
    const random = seeded(Number(seed) * 1_000_003 + n * 100_003 + turn);
    return { name, kind, bytes: mutant(kind, seeds, random) };
  });
}
const hostile: readonly { name: string; kind: Kind; file: string }[] = JSON.parse(
  read("hostile.json").toString("utf8"),
);
for (const { name, kind, file } of hostile) {
  const bytes = readLarge(file);
  // Every job for files of this kind, one after the other.
  for (let turn = 0; turn < 5; turn++) {
    note({ name, kind }, await judge(images, { kind, bytes }, turn));
    workerPeakMiB = Math.max(workerPeakMiB, workersPeakMiB());
  }
}
const ownPeakMiB = peakMiB("self");
await images.close();

const report: CampaignReport = { counts, wrong, slowestMs, exits, workerPeakMiB, ownPeakMiB };
console.log(JSON.stringify(report));
