import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CredentialKind } from "../../src/store/index.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import type { DatabaseServer } from "../support/databases/child.ts";
import { endWithThis } from "../support/databases/child.ts";
import { seeded } from "../support/random.ts";

export interface KillsResult {
  readonly acknowledged: number;
  /** Records that were acknowledged but are missing, or different from what was written. */
  readonly lost: readonly string[];
  /** Records that were never acknowledged, and are neither complete nor absent. */
  readonly torn: readonly string[];
}

const writer = fileURLToPath(new URL("writer.ts", import.meta.url));
const keys = [{ id: "k1", key: new Uint8Array(32).fill(1) }];
const batch = 100_000;

/** A process that writes; `acknowledged` gets each number that the process prints. */
export function startWriter(...args: readonly string[]) {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  endWithThis(child);
  const acknowledged: number[] = [];
  const errors: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => acknowledged.push(Number(line)));
  child.stderr.on("data", (data) => errors.push(String(data)));
  return { child, lines, acknowledged, errors };
}

export async function closed(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, "close");
  return code;
}

/** Again and again kills a process that is writing. */
export async function killWriters(url: string, kills: number, seed: number): Promise<KillsResult> {
  const random = seeded(seed);
  const all: number[] = [];
  const next: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const { child, lines, acknowledged, errors } = startWriter(url, String(kill * batch));
    const end = closed(child);
    const enough = 3 + Math.floor(random() * 20);
    while (acknowledged.length < enough && child.exitCode === null && child.signalCode === null)
      await Promise.race([once(lines, "line"), end]);
    await wait(random() * 10);
    child.kill("SIGKILL");
    await end;
    if (errors.length > 0) throw new Error(errors.join(""));
    all.push(...acknowledged);
    next.push((acknowledged.at(-1) ?? kill * batch - 1) + 1);
  }
  const store = await openStore({ url, keys });
  const result = {
    acknowledged: all.length,
    lost: await lostOf(store, all),
    torn: await tornOf(store, next),
  };
  await store.close();
  return result;
}

const writers = 8;

/** Again and again kills a database server while several write to it; the store reconnects by itself. */
export async function killServer(
  server: DatabaseServer,
  kills: number,
  seed: number,
): Promise<KillsResult> {
  const random = seeded(seed);
  const store = await openStore({ url: server.url, keys });
  const written: number[] = [];
  const doubtful: number[] = [];
  let isOver = false;

  async function write(from: number): Promise<void> {
    for (let n = from; !isOver; n += writers) {
      try {
        await store.credentials.write(guildOf(n), credential(n, "video-key"));
        written.push(n);
      } catch {
        doubtful.push(n);
        await wait(5);
      }
    }
  }

  const all = Promise.all(Array.from({ length: writers }, (_, n) => write(n)));
  for (let kill = 0; kill < kills; kill++) {
    const before = written.length;
    while (written.length <= before + writers) await wait(2);
    await wait(random() * 80);
    await server.kill();
    await server.start();
  }
  isOver = true;
  await all;
  await up(store);
  const lost = await lostOf(store, written);
  const torn = await tornOf(store, doubtful);
  await store.close();
  return { acknowledged: written.length, lost, torn };
}

async function up(store: Store): Promise<void> {
  while ((await store.ping()).state !== "found") await wait(20);
}

export async function lostOf(
  store: Store,
  numbers: readonly number[],
  kind: CredentialKind = "video-key",
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const n of numbers) {
    const read = await store.credentials.read(guildOf(n), kind);
    const secret = read.state === "found" ? read.value.secret : read.state;
    if (secret !== `secret-of-${n}`) lost.push(`${n}: ${secret}`);
  }
  return lost;
}

async function tornOf(store: Store, numbers: readonly number[]): Promise<readonly string[]> {
  const notThere = await lostOf(store, numbers);
  return notThere.filter((line) => !line.endsWith(": absent"));
}

function credential(n: number, kind: "video-key") {
  return { kind, secret: `secret-of-${n}`, addedBy: "1", addedAt: n } as const;
}

function guildOf(n: number): string {
  return String(100_000_000_000_000_000n + BigInt(n));
}
