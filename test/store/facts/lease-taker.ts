import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "../../../src/store/index.ts";

// Started by leases.ts as a process of its own: takes a lease as often as it is told, and says from when to when it had it.
const [url = "", name = "", times = "0"] = process.argv.slice(2);
const store = await openStore({ url, keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }] });
// One clock for all processes of a machine, finer than a millisecond.
const now = () => performance.timeOrigin + performance.now();

for (let taken = 0; taken < Number(times); ) {
  const lease = await store.leases.take(name, 10_000);
  if (lease === undefined) {
    await wait(1);
    continue;
  }
  const from = now();
  await wait(2);
  process.stdout.write(`${JSON.stringify({ from, to: now() })}\n`);
  await lease.release();
  taken += 1;
}
await store.close();
