import { createSpending, projectOfKey } from "../../src/budget/index.ts";
import { createTimerClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/database/index.ts";

// Started by kill.full.test.ts as a separate process. It books calls as fast as it can, and prints what it has spent
// once each call may be sent. After `emptyAfter` calls it reports the searches as used up and prints that too. It ends
// when a call is refused. The fixed time is noon in Los Angeles: right after midnight there, a bucket that is used up
// is not blocked for the whole day.
const now = () => Date.parse("2026-01-15T20:00:00Z");
const [url = "", project = "", units = "0", emptyAfter = "0"] = process.argv.slice(2);
const database = await openDatabase({ url, now });
// On a busy machine the database may take longer than the second after which spending is counted in memory. That is not
// what is tested here, so this clock waits a minute instead.
const { after } = createTimerClock(now);
const clock = { now, after: (ms: number, call: () => void) => after(60 * ms, call) };
const spending = createSpending({
  database,
  clock,
  secret: new Uint8Array(32),
  quota: { units: Number(units) },
  onFailure: (error) => process.stderr.write(`${String(error)}\n`),
});
const billedTo = { guildId: "111111111111111111", userId: "1", command: "test" };
const account = spending.account(projectOfKey(project), {
  ...billedTo,
  limits: { reserve: 0, sharer: async () => ({ channelId: "UC1", linkedBy: "1" }) },
});

let spent = 0;
for (let n = 1; ; n++) {
  const cost = [1, 1, 1, 50][n % 4] ?? 1;
  const booking = await account
    .book({ method: "videos.list", bucket: "units", cost })
    .catch(() => undefined);
  if (booking === undefined) break;
  spent += cost;
  process.stdout.write(`spent ${spent}\n`);
  await booking.settle({ attempts: 1 });
  if (n === Number(emptyAfter)) {
    const last = await account
      .book({ method: "search.list", bucket: "searches", cost: 1 })
      .catch(() => undefined);
    await last?.settle({ attempts: 1, exhausted: true });
    process.stdout.write("empty\n");
  }
  // Gives the pipe to the test a turn of the event loop to be written.
  await new Promise((resolve) => setImmediate(resolve));
}
process.stdout.write("refused\n");
await spending.close();
await database.close();
