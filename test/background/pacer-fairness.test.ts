import { describe, expect, it } from "vitest";
import { createPacer, type PaceRequest } from "../../src/background/index.ts";
import { forecast } from "../../src/background/pace/forecast.ts";
import { firstRateWindow, megapixelCost } from "../../src/background/pace/rate-window.ts";
import { seed, seeded } from "../support/random.ts";
import { createClock } from "./clock.ts";

interface Started {
  readonly tenant: string;
  readonly number: number;
  readonly cost: number;
  readonly at: number;
}

/** Makes calls and records when each started; every call takes `callMs`. */
function office(callMs: () => number = () => 1_000) {
  const clock = createClock();
  const start = clock.now();
  const pacer = createPacer(clock);
  const started: Started[] = [];
  const refused: unknown[] = [];
  let running = 0;
  let mostRunning = 0;
  const numbers = new Map<string, number>();

  async function call(tenant: string, request: PaceRequest = {}): Promise<void> {
    const number = (numbers.get(tenant) ?? 0) + 1;
    numbers.set(tenant, number);
    try {
      const turn = await pacer.admit({ ...request, tenant });
      const cost = megapixelCost(request.megapixels);
      started.push({ tenant, number, cost, at: clock.now() - start });
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await clock.sleep(callMs());
      running -= 1;
      turn.end();
    } catch (error) {
      refused.push(error);
    }
  }

  return { clock, start, pacer, started, refused, call, mostRunning: () => mostRunning };
}

/** The most that remove.bg counts in one window: each lasts a minute and begins with its first call. */
function fullestWindow(started: readonly Started[]): number {
  let [begins, sum, most] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (const { at, cost } of started) {
    if (at >= begins + 60_000) [begins, sum] = [at, 0];
    sum += cost;
    most = Math.max(most, sum);
  }
  return most;
}

describe("the pacer, whatever is asked of it", () => {
  it.each(Array.from({ length: 60 }, (_, n) => seed + n))(
    "never passes the limit, keeps each tenant's order and forgets nobody (seed %i)",
    async (own) => {
      const random = seeded(own);
      const upTo = (most: number) => Math.floor(random() * most);
      const { clock, started, refused, call, mostRunning } = office(() => 100 + upTo(9_000));
      const tenants = Array.from({ length: 1 + upTo(6) }, (_, n) => `guild ${n}`);
      const largest = [1, 10, 50, 50][upTo(4)] ?? 1;
      const aborted = new Set<AbortController>();
      const count = 20 + upTo(130);

      for (let n = 0; n < count; n += 1) {
        const tenant = tenants[Math.min(upTo(tenants.length), upTo(tenants.length))] ?? "";
        const abort = new AbortController();
        void call(tenant, { megapixels: random() * largest, signal: abort.signal });
        if (random() < 0.1) {
          aborted.add(abort);
          void clock.sleep(upTo(90_000)).then(() => abort.abort(new Error("changed my mind")));
        }
        if (random() < 0.3) await clock.run(clock.now() + upTo(5_000));
      }
      await clock.run();

      expect(fullestWindow(started)).toBeLessThanOrEqual(500);
      expect(mostRunning()).toBeLessThanOrEqual(8);
      expect(started.length + refused.length).toBe(count);
      expect(refused.length).toBeLessThanOrEqual(aborted.size);
      expect(clock.asleep()).toBe(0);
      for (const tenant of tenants) {
        const numbers = started.filter((one) => one.tenant === tenant).map((one) => one.number);
        expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
      }
    },
  );

  it("serves tenants in turn, however many calls one has waiting", async () => {
    const { clock, started, call } = office();
    for (let n = 0; n < 200; n += 1) void call("greedy", { megapixels: 1 });
    for (let n = 0; n < 20; n += 1) void call("modest", { megapixels: 1 });
    await clock.run();

    const order = started.map(({ tenant }) => tenant).slice(0, 40);

    expect(order.filter((tenant) => tenant === "modest")).toHaveLength(20);
  });

  it("lets a single picture start within the running window, behind 200 of another guild", async () => {
    const { clock, started, call } = office();
    for (let n = 0; n < 200; n += 1) void call("greedy", { megapixels: 12 });
    await clock.run(clock.now() + 20_000);
    void call("modest", { megapixels: 12 });
    await clock.run();

    const modest = started.find(({ tenant }) => tenant === "modest");

    expect(modest?.at).toBeLessThanOrEqual(60_000);
    expect(started.at(-1)?.at).toBeGreaterThan(200_000);
  });

  it("gives what a large picture must leave to others who can use it", async () => {
    const { clock, started, call } = office();
    void call("first", { megapixels: 460 });
    void call("large", { megapixels: 50 });
    void call("small", { megapixels: 10 });
    await clock.run();

    expect(started.map(({ tenant, at }) => [tenant, at])).toEqual([
      ["first", 0],
      ["small", 0],
      ["large", 60_000],
    ]);
  });

  it("never lets small ones overtake a large one of the same tenant", async () => {
    const { clock, started, call } = office();
    void call("first", { megapixels: 460 });
    void call("other", { megapixels: 50 });
    void call("other", { megapixels: 1 });
    await clock.run();

    expect(started.map(({ tenant, number }) => `${tenant} ${number}`)).toEqual([
      "first 1",
      "other 1",
      "other 2",
    ]);
  });
});

describe("the place in the queue", () => {
  it("is reported at once, and whenever it changes", async () => {
    const { clock, call } = office(() => 500);
    const places: object[] = [];
    void call("a", { megapixels: 500 });
    await clock.run(clock.now() + 10_000);
    void call("a", { megapixels: 500 });
    void call("b", { megapixels: 500 });
    void call("a", { megapixels: 500, onQueued: (place) => places.push(place) });
    await clock.run(clock.now());

    expect(places).toEqual([{ ahead: 2, waitMs: 170_000 }]);
    await clock.run();
    expect(places).toEqual([
      { ahead: 2, waitMs: 170_000 },
      { ahead: 1, waitMs: 120_000 },
      { ahead: 0, waitMs: 60_000 },
    ]);
  });

  it("is not reported to those who can start at once", async () => {
    const { clock, call } = office();
    const places: object[] = [];

    void call("a", { onQueued: (place) => places.push(place) });
    await clock.run();

    expect(places).toEqual([]);
  });

  it("moves up when somebody ahead leaves", async () => {
    const { clock, call } = office();
    const places: object[] = [];
    const abort = new AbortController();
    void call("a", { megapixels: 500 });
    await clock.run(clock.now());
    void call("a", { megapixels: 500, signal: abort.signal });
    void call("a", { megapixels: 500, onQueued: (place) => places.push(place) });
    await clock.run(clock.now());

    abort.abort(new Error("changed my mind"));
    await clock.run(clock.now());

    expect(places).toEqual([
      { ahead: 1, waitMs: 120_000 },
      { ahead: 0, waitMs: 60_000 },
    ]);
  });

  it("counts that calls wait for the end of others", async () => {
    const { clock, call } = office(() => 2_000);
    const waits: number[] = [];
    for (let n = 0; n < 25; n += 1) {
      void call("a", { onQueued: ({ waitMs }) => waits.push(waitMs) });
    }
    await clock.run(clock.now());

    expect(waits.slice(0, 17)).toEqual([
      ...Array.from({ length: 8 }, () => 2_000),
      ...Array.from({ length: 8 }, () => 4_000),
      6_000,
    ]);
  });

  it("ends the wait of those whom telling fails, and of nobody else", async () => {
    const { clock, call, refused, started } = office();
    const fault = new Error("a bug of the one who is told");
    void call("a", { megapixels: 500 });
    void call("a", {
      onQueued: () => {
        throw fault;
      },
    });
    void call("a", {});
    await clock.run();

    expect(refused).toEqual([fault]);
    expect(started).toHaveLength(2);
  });
});

describe("a hold", () => {
  it("stops everybody until it is over, and starts a fresh minute then", async () => {
    const { clock, pacer, call, started, start } = office();
    void call("a", { megapixels: 499 });
    await clock.run(clock.now());
    pacer.hold(start + 10_000);
    void call("a", { megapixels: 499 });
    void call("b", { megapixels: 2 });
    await clock.run();

    expect(started.map(({ at }) => at)).toEqual([0, 10_000, 70_000]);
  });

  it("is not lifted by an answer that was on its way", async () => {
    const { clock, pacer, call, started, start } = office();
    pacer.hold(start + 30_000);
    void call("a");
    pacer.correct({ limit: 500, remaining: 400, resetAt: new Date(start + 5_000) });
    pacer.hold(start + 20_000);
    await clock.run();

    expect(started.map(({ at }) => at)).toEqual([30_000]);
  });

  it("is not drawn out by such an answer either", async () => {
    const { clock, pacer, call, started, start } = office();
    void call("a");
    await clock.run(clock.now());
    pacer.hold(start + 10_000);
    void call("a");
    pacer.correct({ limit: 500, remaining: 0, resetAt: new Date(start + 40_000) });
    await clock.run();

    expect(started.map(({ at }) => at)).toEqual([0, 10_000]);
  });

  it("refuses at once who can't wait that long, also of those who wait already", async () => {
    const { clock, pacer, call, refused, start } = office();
    void call("a", { megapixels: 500 });
    void call("a", { megapixels: 500, deadlineAt: start + 100_000 });
    await clock.run(clock.now() + 1_000);
    expect(refused).toEqual([]);

    pacer.hold(start + 3 * 24 * 3_600_000 * 30);
    await clock.run(clock.now());

    expect(refused).toEqual([expect.objectContaining({ code: "busy" })]);
  });

  it("may outlast every timer", async () => {
    const { clock, pacer, call, started, start } = office();
    pacer.hold(start + 3_000_000_000);
    void call("a");
    await clock.run();

    expect(started.map(({ at }) => at)).toEqual([3_000_000_000]);
  });
});

describe("forecast", () => {
  const state = {
    window: { ...firstRateWindow, left: 0, resetAt: 60_000 },
    slots: [0],
    callMs: 10,
    now: 0,
  };
  const call = (name: string, deadlineAt = Number.POSITIVE_INFINITY) => {
    return { name, cost: 1, deadlineAt };
  };

  it("plays the queue tenant by tenant", () => {
    const lanes = [[call("a1"), call("a2"), call("a3")], [call("b1")], [call("c1"), call("c2")]];

    const order = forecast({ ...state, lanes }).map(({ one, startsAt }) => [one.name, startsAt]);

    expect(order).toEqual([
      ["a1", 60_000],
      ["b1", 60_010],
      ["c1", 60_020],
      ["a2", 60_030],
      ["c2", 60_040],
      ["a3", 60_050],
    ]);
  });

  it("lets those behind a late one have its turn", () => {
    const lanes = [[call("a1", 59_999), call("a2")], [call("b1")]];

    const order = forecast({ ...state, lanes });

    expect(order.map(({ one, ahead, isLate }) => [one.name, ahead, isLate])).toEqual([
      ["a1", 0, true],
      ["a2", 0, false],
      ["b1", 1, false],
    ]);
  });
});

describe("a turn that was cancelled", () => {
  it("gives its megapixels back, once", async () => {
    const { clock, pacer, call, started } = office();
    const turn = await pacer.admit({ megapixels: 500 });
    turn.cancel();
    turn.cancel();
    turn.end();
    void call("a", { megapixels: 500 });
    void call("a", { megapixels: 1 });
    await clock.run();

    expect(started.map(({ at }) => at)).toEqual([0, 60_000]);
  });

  it("gives nothing to a later minute", async () => {
    const { clock, pacer, call, started } = office();
    const turn = await pacer.admit({ megapixels: 500 });
    await clock.run(clock.now() + 61_000);
    void call("a", { megapixels: 500 });
    await clock.run(clock.now());
    turn.cancel();
    void call("a", { megapixels: 1 });
    await clock.run();

    expect(started.map(({ at }) => at)).toEqual([61_000, 121_000]);
  });

  it("comes before everybody when it is asked for again", async () => {
    const { clock, pacer, started, call, start } = office();
    pacer.hold(start + 1_000);
    void call("a", { megapixels: 300 });
    void call("b", { megapixels: 300 });
    void call("c", { megapixels: 300, isRepeat: true });
    await clock.run();

    expect(started.map(({ tenant }) => tenant)).toEqual(["c", "a", "b"]);
  });
});
