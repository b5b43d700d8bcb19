import { CompiledQuery } from "kysely";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PostgresDriver } from "../../src/database/postgres.ts";

/** A pool that answers at once; the driver calls nothing else. */
const answeringPool = () =>
  ({
    connect: async () => ({
      query: async () => ({ rows: [], rowCount: 0, command: "SELECT" }),
      on: () => undefined,
      off: () => undefined,
      release: () => undefined,
    }),
  }) as unknown as pg.Pool;

const eight = Array.from({ length: 8 });
const query = CompiledQuery.raw("select 1");

const isUrgent = true;

describe("PostgresDriver, when all connections for general work are in use", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const openBusy = async () => {
    const driver = new PostgresDriver(answeringPool());
    const used = await Promise.all(eight.map(() => driver.acquireConnection()));
    const [first] = used;
    if (first === undefined) throw new Error("no connection");
    return { driver, first };
  };

  it("gives a free one to whoever waits longest", async () => {
    const { driver, first } = await openBusy();
    const order: number[] = [];
    const waiting = [1, 2].map((n) => driver.acquireConnection().then(() => order.push(n)));

    first.release();
    await waiting[0];

    expect(order).toEqual([1]);
  });

  it("lets callers wait while the server answers others", async () => {
    const { driver, first } = await openBusy();
    const waiting = driver.acquireConnection();

    for (const _ of eight) {
      await vi.advanceTimersByTimeAsync(3_000);
      await first.executeQuery(query);
    }
    first.release();

    await expect(waiting).resolves.toBeDefined();
  });

  it("refuses whoever waits when the server has answered nobody for four seconds", async () => {
    const { driver } = await openBusy();
    const refused = expect(driver.acquireConnection()).rejects.toMatchObject({
      code: "store_unavailable",
      outcome: "nothing",
    });

    await vi.advanceTimersByTimeAsync(4_001);

    await refused;
  });

  it("refuses after thirty seconds, however busy the server is", async () => {
    const { driver, first } = await openBusy();
    const refused = expect(driver.acquireConnection()).rejects.toMatchObject({
      code: "store_unavailable",
    });

    for (const _ of Array.from({ length: 11 })) {
      await vi.advanceTimersByTimeAsync(3_000);
      await first.executeQuery(query);
    }

    await refused;
  });

  it("keeps two connections for urgent work, which may use a general one too", async () => {
    const { driver, first } = await openBusy();
    const order: string[] = [];
    const urgent = (name: string) =>
      driver.acquireConnection({ isUrgent }).then(() => order.push(name));

    await Promise.all([urgent("own 1"), urgent("own 2")]);
    const general = driver.acquireConnection().then(() => order.push("general"));
    const third = urgent("third");
    first.release();
    await third;

    expect(order).toEqual(["own 1", "own 2", "third"]);
    void general.catch(() => undefined);
  });

  it("gives a fourth of the general ones to others while urgent work never ends", async () => {
    const { driver, first } = await openBusy();
    await Promise.all([1, 2].map(() => driver.acquireConnection({ isUrgent })));
    const order: string[] = [];
    const use = async (name: string, options = {}) => {
      const connection = await driver.acquireConnection(options);
      order.push(name);
      connection.release();
    };
    const all = [
      ...[1, 2].map((n) => use(`general ${n}`)),
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => use(`urgent ${n}`, { isUrgent })),
    ];

    first.release();
    await Promise.all(all);

    const urgent = (...of: readonly number[]) => of.map((n) => `urgent ${n}`);
    expect(order).toEqual([
      ...[...urgent(1, 2, 3), "general 1"],
      ...[...urgent(4, 5, 6), "general 2"],
      ...urgent(7),
    ]);
  });

  it("gives a connection for urgent work to nobody else", async () => {
    const { driver } = await openBusy();
    const urgent = await driver.acquireConnection({ isUrgent });
    let isTaken = false;
    const general = driver.acquireConnection().then(() => {
      isTaken = true;
    });
    general.catch(() => undefined);

    urgent.release();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(isTaken).toBe(false);
  });

  it("says how long the oldest of those that wait has waited, urgent ones excepted", async () => {
    const { driver, first } = await openBusy();
    const urgent = await Promise.all([1, 2].map(() => driver.acquireConnection({ isUrgent })));
    const waiting = driver.acquireConnection();
    await vi.advanceTimersByTimeAsync(700);
    const later = driver.acquireConnection();
    await vi.advanceTimersByTimeAsync(300);

    const both = driver.waitingMs();
    first.release();
    await waiting;
    const one = driver.waitingMs();
    (await waiting).release();
    await later;
    const third = driver.acquireConnection({ isUrgent });

    expect([both, one, driver.waitingMs()]).toEqual([1_000, 300, 0]);
    expect(urgent).toHaveLength(2);
    (await later).release();
    await third;
  });
});
