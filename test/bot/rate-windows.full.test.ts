import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createPacer, type SharedRateWindow } from "../../src/background/index.ts";
import { createRateWindows } from "../../src/bot/rate-windows.ts";
import { openDatabase } from "../../src/database/index.ts";
import { createCreditAccount } from "../../src/sandbox/background/credit-account.ts";
import { createClock } from "../background/clock.ts";
import { type Kind, postgres } from "../support/databases/kinds.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import { seeded } from "../support/random.ts";

const key = "an image key";
const second = 1_000;
const minute = 60 * second;

describe.skipIf(!findPostgres())("createRateWindows", () => {
  let kind: Kind | undefined;
  afterAll(() => kind?.stop());

  async function rig() {
    kind ??= postgres();
    const place = await kind.fresh();
    const clock = createClock();
    const failures: unknown[] = [];
    const queries = { underWay: 0 };
    /** Opens the database and a pacer as a separate process would. */
    const open = async () => {
      const database = await openDatabase({ url: place.url, now: clock.now });
      onTestFinished(() => database.close());
      const windowOf = createRateWindows({ database, onFailure: (error) => failures.push(error) });
      const { now, sleep } = clock;
      const window = windowOf?.(key);
      const shared: SharedRateWindow = {
        change: async (make) => {
          queries.underWay += 1;
          const changed = await window?.change(make);
          queries.underWay -= 1;
          if (changed === undefined) throw new Error("nothing is shared");
          return changed;
        },
      };
      const pacer = createPacer({ now, sleep, shared });
      return { database, pacer };
    };
    return { place, clock, failures, queries, open };
  }

  it("gives two processes one minute's megapixels", async () => {
    const { open } = await rig();
    const [one, other] = [await open(), await open()];
    await one.pacer.admit({ megapixels: 300 });
    await other.pacer.admit({ megapixels: 200 });

    const late = one.pacer.admit({ megapixels: 1, deadlineAt: 0 });

    await expect(late).rejects.toMatchObject({ code: "busy" });
  });

  it("holds all processes after one of them was told to wait", async () => {
    const { open, clock } = await rig();
    const [one, other] = [await open(), await open()];
    await one.pacer.hold(clock.now() + 9 * second);

    expect(await other.pacer.heldUntil()).toBe(clock.now() + 9 * second);
  });

  it("gives back what a call took that was never sent", async () => {
    const { open } = await rig();
    const [one, other] = [await open(), await open()];
    const turn = await one.pacer.admit({ megapixels: 500 });
    turn.cancel();
    await one.pacer.heldUntil();

    await expect(other.pacer.admit({ megapixels: 500 })).resolves.toBeDefined();
  });

  it("loses what a dead process took only until its minute ends", async () => {
    const { open, clock } = await rig();
    const dead = await open();
    await dead.pacer.admit({ megapixels: 500 });
    await dead.database.close();
    const other = await open();
    let startedAt: number | undefined;
    const begunAt = clock.now();
    const started = other.pacer.admit({ megapixels: 500 }).then(() => {
      startedAt = clock.now();
    });
    while (startedAt === undefined) {
      await clock.run();
      await new Promise(setImmediate);
    }
    await started;

    expect(startedAt - begunAt).toBe(minute);
  });

  it("counts in memory while the database is away", async () => {
    const { open, failures } = await rig();
    const { database, pacer } = await open();
    await database.close();

    await pacer.admit({ megapixels: 500 });
    const late = pacer.admit({ megapixels: 1, deadlineAt: 0 });

    await expect(late).rejects.toMatchObject({ code: "busy" });
    expect(failures.length).toBeGreaterThan(0);
  });

  it("does not store the key", async () => {
    const { open, place } = await rig();
    const { pacer } = await open();
    await pacer.admit();

    expect(JSON.stringify(await place.query("select * from rates"))).not.toContain(key);
  });

  it("uses the whole rate in two processes and never exceeds it at the service", async () => {
    const { open, clock, queries, failures } = await rig();
    const pacers = [(await open()).pacer, (await open()).pacer];
    const account = createCreditAccount({ credits: Number.POSITIVE_INFINITY, now: clock.now });
    const random = seeded(19);
    /** Megapixels in each window in which remove.bg counted them. */
    const sent = new Map<number, number>();
    let refused = 0;
    let waiting = 240;
    const cutOut = async (pacer: (typeof pacers)[number], n: number) => {
      const megapixels = 1 + Math.floor(random() * 20);
      const turn = await pacer.admit({ megapixels, tenant: `${n % 5}` });
      try {
        const rate = account.admit(megapixels * 1e6);
        if (rate === undefined) throw new Error("the account has no limit");
        const { limit, remaining, reset } = rate;
        sent.set(reset, (sent.get(reset) ?? 0) + megapixels);
        await pacer.correct({ limit, remaining, resetAt: new Date(reset * 1_000) });
        await clock.sleep(Math.round(second + random() * 2 * second));
      } catch {
        refused += 1;
      }
      turn.end();
      waiting -= 1;
    };
    const all = Array.from({ length: waiting }, (_, n) =>
      cutOut(pacers[n % 2] as (typeof pacers)[number], n),
    );
    // Time stands still during queries, or a call could be sent in a later minute than the one that admitted it.
    while (waiting > 0) {
      do await new Promise(setImmediate);
      while (queries.underWay > 0);
      await clock.run(clock.now() + second / 10);
    }
    await Promise.all(all);

    const windows = [...sent.values()].slice(0, -1);
    const used = windows.reduce((sum, megapixels) => sum + megapixels, 0) / (windows.length * 500);
    console.info("pace", { windows, used, refused });
    expect(failures).toEqual([]);
    expect(refused).toBe(0);
    expect(windows.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...windows)).toBeLessThanOrEqual(500);
    expect(used).toBeGreaterThanOrEqual(0.95);
  });
});
