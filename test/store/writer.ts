import { openStore } from "../../src/store/index.ts";

// Started by tests as a separate process. Writes credentials one after the other, and prints each number once the store
// has acknowledged it.
const [url = "", first = "0", count = "1000000", kind = "video-key"] = process.argv.slice(2);
const store = await openStore({ url, keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }] });

for (let n = Number(first); n < Number(first) + Number(count); n++) {
  const guildId = String(100_000_000_000_000_000n + BigInt(n));
  await store.credentials.write(guildId, {
    kind: kind === "video-key" ? "video-key" : "background-key",
    secret: `secret-of-${n}`,
    addedBy: "1",
    addedAt: n,
  });
  process.stdout.write(`${n}\n`);
}
await store.close();
