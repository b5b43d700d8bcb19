import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../src/database/index.ts";
import { LostError, requireOwned } from "../../src/ownership.ts";
import { createSharedLocks, type Locks } from "../../src/store/locks.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind, Place } from "../support/databases/kinds.ts";

/** Begins a turn, which goes on until `goOn` is called. */
async function holdTurn(lock: Locks | undefined) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = lock?.("a key", () => {
    begun.resolve();
    return end.promise;
  });
  await begun.promise;
  return { first, goOn: end.resolve };
}

const shared = kinds.find(({ name, make }) => name === "PostgreSQL" && make !== undefined);

describe.each(kinds)("createSharedLocks on $name", ({ make }) => {
  const kind = make?.();
  afterAll(() => kind?.stop());

  async function rig() {
    if (kind === undefined) throw new Error("no database");
    const place = await kind.fresh();
    const databases = [
      await openDatabase({ url: place.url }),
      ...(kind.dialect === "postgres" ? [await openDatabase({ url: place.url })] : []),
    ];
    onTestFinished(async () => {
      for (const database of databases) await database.close();
    });
    return {
      place,
      line: () => lineIn(place),
      locks: databases.map((database) => createSharedLocks(database)),
    };
  }

  it.skipIf(kind === undefined)("runs work of one key one after the other", async () => {
    const { locks } = await rig();
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => locks[n % locks.length]?.("a key", work)),
    );

    expect(most).toBe(1);
  });

  it.skipIf(kind === undefined)("lets others go on after work that failed", async () => {
    const { locks, place } = await rig();
    const [first, last = first] = locks;
    await expect(
      first?.("a key", async () => {
        throw new Error("failed");
      }),
    ).rejects.toThrow("failed");

    expect(await last?.("a key", async () => 1)).toBe(1);
    expect(await place.query("select key from rates")).toHaveLength(0);
  });

  it.skipIf(kind === undefined)("lets whoever waits go in the order of the calls", async () => {
    const { locks, line } = await rig();
    const [one, other = one] = locks;
    const order: string[] = [];
    const turn = async (lock: Locks | undefined, name: string) =>
      lock?.("a key", async () => void order.push(name));
    const { first, goOn } = await holdTurn(one);

    const second = turn(other, "second");
    if (kind?.dialect === "postgres") await vi.waitUntil(async () => (await line()).length === 2);
    const third = turn(one, "third");
    goOn();
    await Promise.all([first, second, third]);

    expect(order).toEqual(["second", "third"]);
  });

  it.skipIf(kind === undefined)("begins nothing for whoever stops waiting", async () => {
    const { locks, place } = await rig();
    const [one, other = one] = locks;
    const stop = new AbortController();
    const work = vi.fn(async () => undefined);
    const { first, goOn } = await holdTurn(one);

    const refused = [one, other].map((lock) =>
      expect(lock?.("a key", work, stop.signal)).rejects.toThrow("enough"),
    );
    stop.abort(new Error("enough"));
    await Promise.all(refused);
    goOn();
    await first;

    expect(work).not.toHaveBeenCalled();
    expect(await place.query("select key from rates")).toHaveLength(0);
    expect(await other?.("a key", async () => 1)).toBe(1);
  });
});

describe.skipIf(shared === undefined)("createSharedLocks of several processes", () => {
  const kind = shared?.make?.();
  afterAll(() => kind?.stop());

  /** Two processes; the first has the turn until `goOn` is called. */
  async function held(options?: Parameters<typeof createSharedLocks>[1]) {
    const place = await (kind as Kind).fresh();
    const databases = [
      await openDatabase({ url: place.url }),
      await openDatabase({ url: place.url }),
    ] as const;
    onTestFinished(async () => {
      for (const database of databases) await database.close();
    });
    const [holder, other] = databases.map((database) => createSharedLocks(database, options)) as [
      Locks,
      Locks,
    ];
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const turn = holder("a key", async () => {
      await requireOwned();
      begun.resolve();
      await goOn.promise;
      await requireOwned();
    });
    turn.catch(() => undefined);
    await begun.promise;
    return { place, other, turn, goOn, line: () => lineIn(place) };
  }

  it("lets no write follow a turn that another one took", async () => {
    const { place, other, turn, goOn } = await held({ renewEveryMs: 1_000_000 });
    await place.query(
      `update rates set data = jsonb_set(data::jsonb, '{0,1}', '1')::text where key like 'turns %'`,
    );

    await other("a key", requireOwned);
    goOn.resolve();

    await expect(turn).rejects.toThrow(LostError);
  });

  it("keeps the turn of a holder that lives", async () => {
    const { line, turn, goOn } = await held({ keptMs: 60_000, renewEveryMs: 5 });
    const [[, before] = []] = await line();

    await vi.waitUntil(async () => Number((await line())[0]?.[1]) > Number(before));
    goOn.resolve();

    await expect(turn).resolves.toBeUndefined();
  });

  it("begins nothing while the database fails", async () => {
    const { place, other, turn, goOn } = await held();
    goOn.resolve();
    await turn;
    await place.query("alter table rates rename to lost");
    const work = vi.fn(async () => undefined);

    await expect(other("a key", work)).rejects.toMatchObject({ code: "store_unavailable" });
    expect(work).not.toHaveBeenCalled();
  });
});

/** Who has the turn and who waits for it, in order. */
async function lineIn(place: Place): Promise<readonly (readonly [string, number])[]> {
  const [row] = await place.query("select data from rates where key like 'turns %'");
  return row === undefined ? [] : JSON.parse(String(row.data));
}
