import { openStore } from "../../src/store/index.ts";
import { createUnits, projectOfKey } from "../../src/video/index.ts";

// Started by units-crash.test.ts as a process of its own: books calls as fast as it can and says on standard output
// what it has spent once each call may leave; every so many calls the searches are called empty, and that is said too.
// A fixed noon: right after midnight in Los Angeles an empty bucket is not held for the whole day.
const noon = Date.parse("2026-01-15T20:00:00Z");
const [path = "", project = "", emptyAfter = "0"] = process.argv.slice(2);
const store = await openStore({
  url: `sqlite:${path}`,
  keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
});
const units = createUnits({ records: store.units, now: () => noon, limits: { units: 400_000 } });
const spender = { guildId: "111111111111111111", userId: "1", command: "test" };
const meter = units.meter(projectOfKey(project), spender);

let spent = 0;
for (let n = 1; ; n++) {
  const cost = [1, 1, 1, 50][n % 4] ?? 1;
  const booking = await meter.book({ method: "videos.list", bucket: "units", cost });
  spent += cost;
  process.stdout.write(`spent ${spent}\n`);
  await booking.settle({ attempts: 1, exhausted: false });
  if (n === Number(emptyAfter)) {
    const last = await meter.book({ method: "search.list", bucket: "searches", cost: 1 });
    await last.settle({ attempts: 1, exhausted: true });
    process.stdout.write("empty\n");
  }
  // The pipe to the test is written between two turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
