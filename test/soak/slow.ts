import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createLanguages, locales } from "../../src/language/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import type { Links } from "../../src/oauth/index.ts";
import { startWeb } from "../../src/web/index.ts";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { createWebClient } from "../support/web-client.ts";
import type { SlowAttack } from "./slow-attacker.ts";

export const rows: BenchRows = { "slow.page": slow };

const goalMs = 1_000;
const connections = 1_000;
const lastsMs = 15_000;
const token = "T".repeat(43);

interface Attack {
  readonly name: string;
  /** What the connection with this number sends before it goes on byte by byte. */
  readonly opening: (number: number) => string;
}

const post = (path: string, ...headers: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, "Host: a", "Content-Length: 4000", ...headers, "", "p"].join("\r\n");
const cookie = `Cookie: greenroom-link=${token}`;
const form = [
  "Content-Type: application/x-www-form-urlencoded",
  "Sec-Fetch-Site: same-origin",
  cookie,
];
const forwarded = (number: number) => `X-Forwarded-For: 203.0.113.${number % 5}`;
const scattered = (number: number) => `X-Forwarded-For: 198.51.${number % 100}.${number % 250}`;

const attacks: readonly Attack[] = [
  { name: "forms", opening: () => post(`/connect/${token}`, ...form) },
  { name: "deliveries", opening: () => post(`/hub/${token}`) },
  { name: "unknown paths", opening: () => post("/nowhere") },
  {
    name: "five visitors",
    opening: (number) => post(`/connect/${token}`, ...form, forwarded(number)),
  },
  { name: "many visitors", opening: (number) => post(`/hub/${token}`, scattered(number)) },
  { name: "headers", opening: () => "GET / HTTP/1.1\r\nX-Slow: " },
];

/** A thousand slow connections of each kind, opened again whenever they end, while a visitor requests a page. */
async function slow(): Promise<readonly BenchRow[]> {
  let slowest = 0;
  for (const attack of attacks) slowest = Math.max(slowest, await waited(attack));
  const value = Math.round(slowest);
  return [{ name: "slow.page", value, unit: "ms", goal: goalMs, ok: value <= goalMs }];
}

async function waited({ opening }: Attack): Promise<number> {
  const web = await openPages();
  const openings = Array.from({ length: connections }, (_, number) => opening(number));
  // In a separate thread, so that the attacker's own work does not hold up the bot.
  const attacker = new Worker(new URL("./slow-attacker.ts", import.meta.url), {
    workerData: { port: web.port, openings } satisfies SlowAttack,
  });
  await once(attacker, "online");
  try {
    return await slowestPage(web.port);
  } finally {
    await attacker.terminate();
    await web.close();
  }
}

/** Each page is requested by a different visitor, on a connection of its own. */
async function slowestPage(port: number): Promise<number> {
  const endsAt = performance.now() + lastsMs;
  let slowest = 0;
  let visitor = 0;
  while (performance.now() < endsAt) {
    const began = performance.now();
    const client = createWebClient(port);
    const headers = { "X-Forwarded-For": `192.0.2.${++visitor}` };
    const { status } = await client.ask("/", { headers }).catch(() => ({ status: 0 }));
    client.close();
    slowest = Math.max(
      slowest,
      status === 200 ? performance.now() - began : Number.MAX_SAFE_INTEGER,
    );
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  return slowest;
}

function openPages() {
  const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
  const hub = {
    verify: async () => undefined,
    take: async (_: string, { readBody }: { readBody: () => Promise<Uint8Array | undefined> }) =>
      (await readBody()) === undefined ? ("unread" as const) : ("taken" as const),
  };
  return startWeb({
    // Links are never completed here.
    links: {} as Links,
    hub,
    publicUrl: "http://127.0.0.1:1",
    goesTo: [],
    discordUrl: "https://discord.example",
    words: { locales, of: createLanguages().of },
    port: 0,
    host: "127.0.0.1",
    log,
    now: Date.now,
  });
}
