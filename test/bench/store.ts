import { createDecipheriv, createSecretKey } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../../src/store/index.ts";
import type { BenchRow } from "./row.ts";

const guilds = 2000;
const rounds = 5;
const reads = 10_000;
const warmUp = 5000;
const goalUs = 100;
const seed = 1;

/** Rows by the prefix of their names. */
export const rows: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  "credential.open": credentialOpen,
};

/** Reading and opening one credential, at the 99th percentile, beside bare SQLite and one deciphering of as much. */
async function credentialOpen(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-bench-"));
  const path = join(folder, "a.sqlite");
  const key = new Uint8Array(32).fill(1);
  const store = await openStore({ url: `sqlite:${path}`, keys: [{ id: "k1", key }] });
  try {
    for (let n = 0; n < guilds; n++) await store.credentials.write(guildId(n), credential(n));
    const floor = await measure(bareRead(path, key));
    const value = await measure((n) => store.credentials.read(guildId(n), "video-key"));
    return [
      {
        name: "credential.open",
        value,
        unit: "us",
        floor,
        goal: goalUs,
        ok: value <= goalUs,
        seed,
      },
    ];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function credential(n: number) {
  const secret = `AIzaSy-bench-secret-${n}`.padEnd(39, "x");
  return { kind: "video-key", secret, addedBy: guildId(n), addedAt: n } as const;
}

function guildId(n: number): string {
  return String(100_000_000_000_000_000n + BigInt(n));
}

function bareRead(path: string, key: Uint8Array): (n: number) => unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const statement = database.prepare("SELECT value FROM entries WHERE key = ?");
  const secretKey = createSecretKey(key);
  return (n) => {
    const value = String(statement.get(`credential:${guildId(n)}:video-key`)?.value);
    const box = Buffer.from(value.slice(15, -2), "base64url");
    const decipher = createDecipheriv("aes-256-gcm", secretKey, box.subarray(0, 12));
    return decipher.update(box.subarray(28));
  };
}

/** The quietest round's 99th percentile, because what other processes take is not ours. */
async function measure(read: (n: number) => unknown): Promise<number> {
  const order = shuffled();
  await time(read, order.slice(0, warmUp));
  const results: number[] = [];
  for (let round = 0; round < rounds; round++) results.push(percentile99(await time(read, order)));
  return Math.min(...results);
}

/** Guild numbers in a seeded order; the low digits of such a generator repeat, so its high ones are taken. */
function shuffled(): readonly number[] {
  let state = seed;
  return Array.from({ length: reads }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * guilds);
  });
}

async function time(read: (n: number) => unknown, order: readonly number[]) {
  const times: number[] = [];
  for (const n of order) {
    const start = performance.now();
    await read(n);
    times.push((performance.now() - start) * 1000);
  }
  return times;
}

function percentile99(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 10) / 10;
}
