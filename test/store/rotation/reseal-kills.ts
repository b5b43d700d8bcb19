import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type MasterKey, openRotation, openStore } from "../../../src/store/index.ts";
import { endWithThis } from "../../support/databases/child.ts";
import { seeded } from "../../support/random.ts";

export interface KillsOptions {
  readonly url: string;
  readonly kills: number;
  readonly seed: number;
}

export type KillsResult = Awaited<ReturnType<typeof killDuringReseal>>;

interface Acknowledged {
  readonly kind: "credential" | "token" | "ticket" | "revocation";
  readonly id: string;
  readonly version: number;
}

/** Two master keys, one of which seals new rows. */
export function keysFor(sealing: number): readonly MasterKey[] {
  const keys = [1, 2].map((fill) => ({ id: `k${fill}`, key: new Uint8Array(32).fill(fill) }));
  return sealing % 2 === 0 ? keys : keys.reverse();
}

const batch = 100_000;

/**
 * Again and again kills a process that re-seals every row, and another that keeps writing under the old key. The two
 * keys change roles each time.
 */
export async function killDuringReseal({ url, kills, seed }: KillsOptions) {
  const random = seeded(seed);
  const records: Acknowledged[] = [];
  let halfway = 0;
  for (let kill = 0; kill < kills; kill++) {
    const writer = start("record-writer.ts", [url, kill, kill * batch, Math.floor(random() * 1e9)]);
    await untilLine(writer, 20 + Math.floor(random() * 20));
    const resealer = start("resealer.ts", [url, kill + 1]);
    await untilLine(resealer, 1 + Math.floor(random() * 60));
    if (resealer.child.kill("SIGKILL") && !resealer.lines.at(-1)?.startsWith("{")) halfway += 1;
    writer.child.kill("SIGKILL");
    await Promise.all([resealer.end, writer.end]);
    const errors = [writer, resealer].flatMap((each) => each.errors).join("");
    if (errors !== "") throw new Error(errors);
    records.push(...writer.lines.map((line) => JSON.parse(line)));
  }
  const lost = await missing(url, records);
  const rotation = await openRotation({ url, keys: keysFor(0) });
  const { left } = await rotation.reseal();
  await rotation.close();
  return {
    acknowledged: records.length,
    /** How many kills came between two rows. */
    halfway,
    /** Records that were acknowledged but are missing, are an older version, or can't be decrypted. */
    lost: [...lost, ...(await missing(url, records))],
    /** Rows that are still under the old key after a last, undisturbed run. */
    left,
  };
}

interface Started {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly errors: string[];
  readonly end: Promise<unknown>;
  readonly more: () => Promise<unknown>;
}

function start(file: string, parameters: readonly (string | number)[]): Started {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...parameters.map(String)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithThis(child);
  const lines: string[] = [];
  const errors: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  child.stderr.on("data", (data) => errors.push(String(data)));
  const end = Promise.all([once(child, "close"), once(reader, "close")]);
  return { child, lines, errors, end, more: () => Promise.race([once(reader, "line"), end]) };
}

/** Waits for that many lines, or for the end of the process. */
async function untilLine(started: Started, count: number): Promise<void> {
  while (started.lines.length < count && started.child.exitCode === null) await started.more();
}

async function missing(url: string, records: readonly Acknowledged[]): Promise<readonly string[]> {
  const store = await openStore({ url, keys: keysFor(0) });
  const readers = {
    credential: async (id) => versionOf(await store.credentials.read(id, "video-key")),
    token: async (id) => versionOf(await store.accessTokens.read(id, "UC-channel")),
    ticket: async (id) => versionOf(await store.oneTimeTokens.read(id)),
    revocation: async (id) => versionOf(await store.revocations.read(id)),
  } as const satisfies Record<Acknowledged["kind"], (id: string) => Promise<number | string>>;
  const lost: string[] = [];
  for (const { kind, id, version } of records) {
    const found = await readers[kind](id);
    // A newer version is fine: a later write, acknowledged or not, has replaced this one.
    const isThere = typeof found === "number" && found >= version;
    if (!isThere) lost.push(`${kind} ${id} ${version}: ${found}`);
  }
  await store.close();
  return lost;
}

type Answered =
  | { readonly state: "found"; readonly value: object }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly error: Error };

function versionOf(read: Answered): number | string {
  if (read.state === "failed") return read.error.message;
  if (read.state === "absent") return "absent";
  const { secret, token, content } = read.value as Readonly<Record<string, unknown>>;
  return Number(String(secret ?? token ?? content).replace(/^\w+ /u, ""));
}
