import { createDecipheriv, createSecretKey } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type CredentialKind, openStore, type Store } from "../../src/store/index.ts";
import type { BenchRow } from "./row.ts";

const guilds = 2000;
const rounds = 25;
const reads = 2000;
const warmUp = 2000;
const goalUs = 100;
const seed = 1;

export const rows: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  "credential.open": credentialOpen,
};

/** How many channels each server has linked. */
const channels = 5;

/**
 * Reading and decrypting one credential, at the 99th percentile: a server's key, and its five linked channels. Compared
 * with reading the same row by SQLite's driver alone, and with Node's own AES-GCM on as many bytes.
 */
async function credentialOpen(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-bench-"));
  const path = join(folder, "a.sqlite");
  const key = new Uint8Array(32).fill(1);
  const store = await openStore({ url: `sqlite:${path}`, keys: [{ id: "k1", key }] });
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    for (let n = 0; n < guilds; n++) await fill(store, n);
    const shared = { store, database, key };
    return [
      ...(await openingOf(shared, "credential.open", "video-key")),
      ...(await openingOf(shared, `credential.open.channels`, "channel")),
    ];
  } finally {
    database.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

interface Parts {
  readonly store: Store;
  readonly database: DatabaseSync;
  readonly key: Uint8Array;
}

async function openingOf(
  { store, database, key }: Parts,
  name: string,
  kind: CredentialKind,
): Promise<readonly BenchRow[]> {
  const select = database.prepare("SELECT value FROM keyv WHERE key = ?");
  const read = (n: number) => String(select.get(`credential:${guildId(n)}:${kind}`)?.value);
  const decipher = bareDecipher(key, read(0));
  const [bareRead, bareCipher, value] = await measure([
    read,
    decipher,
    (n) => store.credentials.read(guildId(n), kind),
  ]);
  const row = (of: string, us: number): BenchRow => {
    return { name: of, value: us, unit: "us", goal: goalUs, ok: us <= goalUs, seed };
  };
  return [
    { ...row(name, value), floor: Math.round((bareRead + bareCipher) * 10) / 10 },
    row(`${name}.bare-read`, bareRead),
    row(`${name}.bare-gcm`, bareCipher),
  ];
}

/** Deciphers the bytes of the row once; the store deciphers the row's data key first, and authenticates both. */
function bareDecipher(key: Uint8Array, value: string): () => unknown {
  const box = Buffer.from(value.slice(15, -2), "base64url");
  const secretKey = createSecretKey(key);
  return () => {
    const decipher = createDecipheriv("aes-256-gcm", secretKey, box.subarray(0, 12));
    return decipher.update(box.subarray(28));
  };
}

async function fill({ credentials }: Store, n: number): Promise<void> {
  await credentials.write(guildId(n), credential(n));
  for (let each = 0; each < channels; each++) await credentials.write(guildId(n), channel(n, each));
}

function channel(n: number, each: number) {
  const channelId = `UC${String(each).padStart(22, "x")}`;
  const facts = { channelId, channelTitle: `Channel number ${each} of a server`, titleReadAt: n };
  const scopes = ["youtube.force-ssl", "youtube.upload", "youtube.readonly"];
  const secret = `1//0bench-refresh-token-${n}-${each}`.padEnd(103, "x");
  return { ...credential(n), kind: "channel", secret, scopes, ...facts } as const;
}

function credential(n: number) {
  const secret = `AIzaSy-bench-secret-${n}`.padEnd(39, "x");
  return { kind: "video-key", secret, addedBy: guildId(n), addedAt: n } as const;
}

function guildId(n: number): string {
  return String(100_000_000_000_000_000n + BigInt(n));
}

type Read = (n: number) => unknown;

/**
 * The 99th percentile of each in its quietest round, because what other processes take is not ours. They take turns, so
 * that a busy moment affects them alike.
 */
async function measure(all: readonly [Read, Read, Read]): Promise<[number, number, number]> {
  const order = shuffled();
  const best: [number, number, number] = [Infinity, Infinity, Infinity];
  for (const read of all) await time(read, order.slice(0, warmUp));
  for (let round = 0; round < rounds; round++) {
    for (const [at, read] of all.entries()) {
      best[at] = Math.min(best[at] ?? Infinity, percentile99(await time(read, order)));
    }
  }
  return best;
}

/** Server numbers in a seeded order. The low bits of such a generator repeat soon, so its high ones are used. */
function shuffled(): readonly number[] {
  let state = seed;
  return Array.from({ length: reads }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * guilds);
  });
}

async function time(read: Read, order: readonly number[]) {
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
