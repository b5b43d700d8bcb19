import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { InjectedFault } from "../../src/sandbox/faults.ts";
import { startOAuth } from "../../src/sandbox/oauth/index.ts";
import { openStore } from "../../src/store/index.ts";
import { studio } from "../sandbox/oauth/support.ts";
import { seeded } from "../support/random.ts";
import { counting } from "./counting.ts";

const callerFile = fileURLToPath(new URL("caller.ts", import.meta.url));
const channelId = studio.channelId ?? "";

/** Temporary failures, none of which means that a consent is gone. */
export const troubles: readonly InjectedFault[] = [
  { kind: "cut-before", rate: 0.12 },
  { kind: "cut-after", rate: 0.12 },
  { kind: "answer", status: 500, body: '{"error":"invalid_grant"}', rate: 0.12 },
  { kind: "answer", status: 200, body: "<html>maintenance</html>", rate: 0.12 },
  { kind: "answer", status: 400, body: "<html>invalid_grant</html>", rate: 0.12 },
  { kind: "delay", delayMs: 700, rate: 0.12 },
];

export interface ExpiryOptions {
  readonly credentials: number;
  /** In all processes together. */
  readonly callers: number;
  readonly processes: number;
  readonly seed: number;
  /** The store that all processes share; a new SQLite file when absent. */
  readonly url?: string;
  /** Faults of the token endpoint, while the callers ask. */
  readonly faults?: readonly InjectedFault[];
  /** How often all callers ask under faults, before they ask once more without. */
  readonly rounds?: number;
  readonly silenceMs?: number;
}

export interface Expired {
  /** How many requests to the token endpoint each credential caused in the last round. */
  readonly refreshes: readonly number[];
  /** The largest number of different tokens that one credential's callers got in the last round. */
  readonly mostTokens: number;
  readonly failed: Readonly<Record<string, number>>;
  /** How many calls failed in the last round, without faults. */
  readonly failedAtLast: number;
  /** Consents that were wrongly marked or reported as gone, or whose token changed. */
  readonly lost: number;
  readonly close: () => Promise<void>;
}

interface Called {
  readonly given: Readonly<Record<string, readonly string[]>>;
  readonly failed: Readonly<Record<string, number>>;
  readonly gone: number;
}

/** Processes of one bot with one store, whose callers all ask just when every token has expired. */
export async function atExpiry(options: ExpiryOptions): Promise<Expired> {
  const { callers, processes, faults = [], rounds = 0, silenceMs = 10_000 } = options;
  const linked = await linkAll(options);
  const { oauth, front, secrets } = linked;
  const client = [oauth.clientId, oauth.clientSecret, `${silenceMs}`];
  const args = [linked.url, front.url, ...client, [...secrets.keys()].join(",")];
  const children = await Promise.all(Array.from({ length: processes }, () => startCaller(args)));
  const seen: Called[][] = [];
  /** Moves every clock by more than a token's life, so that all callers find theirs expired. */
  const askAll = async () => {
    const aheadMs = (seen.length + 1) * 2 * 3_600_000;
    const each = Math.ceil(callers / processes);
    const called = await Promise.all(children.map(({ ask }) => ask(each, aheadMs)));
    seen.push(called);
    return called;
  };

  await askAll();
  for (const fault of faults) oauth.faults.add(fault);
  for (let round = 0; round < rounds; round += 1) await askAll();
  oauth.faults.clear();
  front.received.length = 0;
  const last = await askAll();

  const asked = front.received.map(({ body }) => new URLSearchParams(String(body)));
  const refreshesOf = (secret: string) =>
    asked.filter((form) => form.get("refresh_token") === secret).length;
  const tokensOf = (id: string) => new Set(last.flatMap(({ given }) => given[id] ?? [])).size;
  const reported = last.reduce((sum, { gone }) => sum + gone, 0);
  return {
    refreshes: [...secrets.values()].map(refreshesOf),
    mostTokens: Math.max(...[...secrets.keys()].map(tokensOf)),
    failed: sumOf(seen.flat()),
    failedAtLast: Object.values(sumOf(last)).reduce((sum, n) => sum + n, 0),
    lost: Math.max(reported, await linked.lost()),
    close: async () => {
      await Promise.all(children.map(({ end }) => end()));
      await linked.close();
    },
  };
}

/** Links one account in a separate server for each credential. */
async function linkAll({ credentials, seed, url: given }: ExpiryOptions) {
  const oauth = await startOAuth({ accounts: [studio], random: seeded(seed) });
  const front = await counting(oauth.tokenUrl);
  const folder = await mkdtemp(join(tmpdir(), "greenroom-expiry-"));
  const url = given ?? `sqlite:${join(folder, "a.sqlite")}`;
  const keys = [{ id: "k1", key: new Uint8Array(32).fill(1) }];
  const store = await openStore({ url, keys });
  const secrets = new Map<string, string>();
  for (let n = 0; n < credentials; n += 1) {
    const id = `${10n ** 17n + BigInt(n)}`;
    const { refreshToken: secret } = oauth.mint({ channelId });
    secrets.set(id, secret);
    const facts = { addedBy: "333333333333333333", addedAt: Date.now() };
    await store.credentials.write(id, { kind: "channel", channelId, secret, ...facts });
  }
  const isLost = async ([id, secret]: readonly [string, string]) => {
    const read = await store.credentials.read(id, "channel");
    return read.state !== "found" || read.value.secret !== secret || read.value.brokenAt;
  };
  return {
    oauth,
    front,
    url,
    secrets,
    lost: async () => (await Promise.all([...secrets].map(isLost))).filter(Boolean).length,
    close: async () => {
      await Promise.all([store.close(), front.close(), oauth.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function sumOf(all: readonly Called[]): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const [code, n] of all.flatMap(({ failed }) => Object.entries(failed))) {
    sum[code] = (sum[code] ?? 0) + n;
  }
  return sum;
}

async function startCaller(args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [callerFile, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("a caller without pipes");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    ask: async (callers: number, aheadMs: number): Promise<Called> => {
      stdin.write(`${callers} ${aheadMs}\n`);
      return JSON.parse(String((await lines.next()).value));
    },
    end: async () => {
      const over = once(child, "close");
      stdin.end();
      await over;
    },
  };
}
