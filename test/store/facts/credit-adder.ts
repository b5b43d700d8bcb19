import { openStore } from "../../../src/store/index.ts";

// Started by credits.ts as a process of its own: adds to one record as often as it is told.
const [url = "", times = "0"] = process.argv.slice(2);
const store = await openStore({
  url,
  keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
});
const at = { guildId: "111111111111111111", day: "2026-01-31" };
for (let n = 0; n < Number(times); n += 1) await store.credits.add(at, { a: 1 });
await store.close();
