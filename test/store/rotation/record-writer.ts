import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "../../../src/store/index.ts";
import { seeded } from "../../support/random.ts";
import { keysFor } from "./reseal-kills.ts";

// Started by reseal-kills.ts as a separate process. Writes sealed records of every kind, and prints each once the store
// has acknowledged it.
const [url = "", sealing = "0", start = "0", seed = "1"] = process.argv.slice(2);
const store = await openStore({ url, keys: keysFor(Number(sealing)) });
const random = seeded(Number(seed));
const hour = 3_600_000;

const writers = {
  async credential(guildId: string, version: number) {
    const secret = `secret ${version}`;
    await store.credentials.write(guildId, { kind: "video-key", secret, addedBy: "1", addedAt: 1 });
    return guildId;
  },
  async token(guildId: string, version: number) {
    const times = { renewAt: Date.now() + hour, endsAt: Date.now() + hour };
    const token = { token: `token ${version}`, grantHash: "0", ...times };
    await store.accessTokens.write(guildId, "UC-channel", token);
    return guildId;
  },
  async ticket(guildId: string, version: number) {
    return store.oneTimeTokens.put({ guildId, userId: guildId, content: version }, hour);
  },
  revocation: async (_: string, version: number) => store.revocations.add(`revoked ${version}`),
} as const;

const kinds = Object.keys(writers) as (keyof typeof writers)[];

for (let version = Number(start); ; version++) {
  const kind = kinds[Math.floor(random() * kinds.length)] ?? "credential";
  const guildId = String(100_000_000_000_000_000n + BigInt(Math.floor(random() * 40)));
  const id = await writers[kind](guildId, version);
  process.stdout.write(`${JSON.stringify({ kind, id, version })}\n`);
  // Often enough to write between two rows, but not more than can be checked afterwards.
  await wait(random() * 6);
}
