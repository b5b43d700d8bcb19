import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Fault } from "../../src/sandbox/faults.ts";
import { startOAuth } from "../../src/sandbox/oauth/index.ts";
import { openStore } from "../../src/store/index.ts";
import { studio } from "../sandbox/oauth/support.ts";
import { seeded } from "../support/random.ts";
import { counting } from "./counting.ts";

const callerFile = fileURLToPath(new URL("caller.ts", import.meta.url));
const channelId = studio.channelId ?? "";

/** What goes wrong for a while: none of it says that a consent is over. */
export const troubles: readonly Fault[] = [
  { kind: "cut-before", rate: 0.12 },
  { kind: "cut-after", rate: 0.12 },
  { kind: "answer", status: 500, body: '{"error":"invalid_grant"}', rate: 0.12 },
  { kind: "answer", status: 200, body: "<html>maintenance</html>", rate: 0.12 },
  { kind: "answer", status: 400, body: "<html>invalid_grant</html>", rate: 0.12 },
  { kind: "delay", delayMs: 700, rate: 0.12 },
];

export interface ExpiryOptions {
  readonly credentials: number;
  /** Of all processes together. */
  readonly callers: number;
  readonly processes: number;
  readonly seed: number;
  /** At the token endpoint, while the callers ask. */
  readonly faults?: readonly Fault[];
  /** How often all of them ask under faults, before they ask once more without. */
  readonly rounds?: number;
  readonly silenceMs?: number;
}

export interface Expired {
  /** Requests to the token endpoint by credential, in the last round. */
  readonly refreshes: readonly number[];
  /** Different tokens that callers of one credential got in the last round, the most of any. */
  readonly mostTokens: number;
  readonly failed: Readonly<Record<string, number>>;
  /** In the last round, when nothing is wrong any more. */
  readonly failedAtLast: number;
  /** Consents that were marked or told to be over, though none is, or whose token changed. */
  readonly lost: number;
  readonly close: () => Promise<void>;
}

interface Called {
  readonly given: Readonly<Record<string, readonly string[]>>;
  readonly failed: Readonly<Record<string, number>>;
  readonly gone: number;
}

/** Processes of one bot with one SQLite file, whose callers all ask when every token has just run out. */
export async function atExpiry(options: ExpiryOptions): Promise<Expired> {
  const { credentials, callers, processes, seed, faults = [], rounds = 0, silenceMs } = options;
  const random = seeded(seed);
  const oauth = await startOAuth({ accounts: [studio], random });
  const front = await counting(oauth.tokenUrl);
  const folder = await mkdtemp(join(tmpdir(), "greenroom-expiry-"));
  const path = join(folder, "a.sqlite");
  const store = await openStore({
    url: `sqlite:${path}`,
    keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
  });
  const ids = Array.from({ length: credentials }, (_, n) => `${10n ** 17n + BigInt(n)}`);
  const secrets = new Map<string, string>();
  for (const id of ids) {
    // Of one account more than a hundred would end the oldest.
    const { refreshToken } = oauth.mint({ channelId });
    secrets.set(id, refreshToken);
    const facts = { addedBy: "333333333333333333", addedAt: Date.now() };
    await store.credentials.write(id, {
      ...{ kind: "channel", channelId, secret: refreshToken, ...facts },
    });
  }
  const expireAll = async (inMs: number) => {
    for (const [id, secret] of secrets) {
      const grantHash = createHash("sha256").update(secret).digest("hex");
      const endsAt = Date.now() + inMs;
      const row = { token: `old-${id}`, grantHash, renewAt: endsAt, endsAt };
      await store.accessTokens.write(id, channelId, row);
    }
    return Date.now() + inMs;
  };
  const args = [path, front.url, oauth.clientId, oauth.clientSecret, `${silenceMs ?? 10_000}`];
  const children = await Promise.all(
    Array.from({ length: processes }, () => startCaller([...args, ids.join(",")])),
  );
  const askAll = () => Promise.all(children.map(({ ask }) => ask(Math.ceil(callers / processes))));
  const failed: Record<string, number> = {};
  let isOver = 0;
  const note = (called: readonly Called[]) => {
    for (const one of called) {
      for (const [code, n] of Object.entries(one.failed)) failed[code] = (failed[code] ?? 0) + n;
    }
    isOver = called.reduce((sum, { gone }) => sum + gone, 0);
  };

  for (const fault of faults) oauth.faults.add(fault);
  for (let round = 0; round < rounds; round += 1) {
    for (const id of ids) await store.accessTokens.remove(id, channelId);
    note(await askAll());
  }
  oauth.faults.clear();
  const overAt = await expireAll(1_000);
  // Every process has the old token in its memory, and it serves.
  note(await askAll());
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, overAt - Date.now())));
  front.received.length = 0;
  const last = await askAll();
  note(last);

  const perSecret = new Map<string, number>();
  for (const { body } of front.received) {
    const secret = new URLSearchParams(String(body)).get("refresh_token") ?? "";
    perSecret.set(secret, (perSecret.get(secret) ?? 0) + 1);
  }
  const tokensOf = (id: string) => new Set(last.flatMap(({ given }) => given[id] ?? [])).size;
  let changed = 0;
  for (const [id, secret] of secrets) {
    const read = await store.credentials.read(id, "channel");
    const isWhole = read.state === "found" && read.value.secret === secret && !read.value.brokenAt;
    if (!isWhole) changed += 1;
  }
  return {
    refreshes: [...secrets.values()].map((secret) => perSecret.get(secret) ?? 0),
    mostTokens: Math.max(...ids.map(tokensOf)),
    failed,
    failedAtLast: last.flatMap((one) => Object.values(one.failed)).reduce((a, b) => a + b, 0),
    lost: Math.max(isOver, changed),
    close: async () => {
      await Promise.all(children.map(({ end }) => end()));
      await Promise.all([store.close(), front.close(), oauth.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
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
    ask: async (callers: number): Promise<Called> => {
      stdin.write(`${callers}\n`);
      return JSON.parse(String((await lines.next()).value));
    },
    end: async () => {
      const over = once(child, "close");
      stdin.end();
      await over;
    },
  };
}
