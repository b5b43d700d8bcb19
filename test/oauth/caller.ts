import { createHttp } from "../../src/http/index.ts";
import { createChannelTokens } from "../../src/oauth/index.ts";
import { openStore } from "../../src/store/index.ts";

// Started by expiry.ts as a separate process. It reads from standard input how many callers want a token at once, and
// how far its clock is ahead. It prints what they got as one line of JSON.
const [url = "", tokenUrl = "", clientId = "", clientSecret = "", silence = "10000", ids = ""] =
  process.argv.slice(2);
const guilds = ids.split(",");
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
const store = await openStore({ now, url, keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }] });
const http = createHttp();
let gone = 0;
const tokens = createChannelTokens({
  http,
  tokenUrl,
  clientId,
  clientSecret,
  now,
  silenceMs: Number(silence),
  credentials: store.credentials,
  accessTokens: store.accessTokens,
  database: store.database,
  onSecret: () => undefined,
  onGone: async () => {
    gone += 1;
  },
});

interface Called {
  /** The different tokens that each server's callers got; there should be one. */
  readonly given: Readonly<Record<string, readonly string[]>>;
  /** How many calls failed, by code. */
  readonly failed: Readonly<Record<string, number>>;
  /** Consents that this process has reported as gone. */
  readonly gone: number;
}

async function call(callers: number): Promise<Called> {
  const given: Record<string, string[]> = {};
  const failed: Record<string, number> = {};
  const one = async (n: number) => {
    const guildId = guilds[n % guilds.length] ?? "";
    try {
      const token = await tokens.of(guildId)();
      const all = given[guildId] ?? [];
      if (!all.includes(token)) given[guildId] = [...all, token];
    } catch (error) {
      const code = String(Object(error).code);
      failed[code] = (failed[code] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, n) => one(n)));
  return { given, failed, gone };
}

process.stdout.write('"ready"\n');
for await (const chunk of process.stdin) {
  for (const order of String(chunk).trim().split("\n")) {
    const [callers = 0, ahead = 0] = order.split(" ").map(Number);
    aheadMs = ahead;
    const called = await call(callers);
    process.stdout.write(`${JSON.stringify(called)}\n`);
  }
}
await tokens.close();
await http.close();
await store.close();
