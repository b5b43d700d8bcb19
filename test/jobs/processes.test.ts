import { expect, it } from "vitest";
import { type Database, sql } from "../../src/database/index.ts";
import { LostError, requireOwned } from "../../src/ownership.ts";
import { openFor } from "../database/open.ts";
import { describeOnEach } from "../support/databases/each-kind.ts";
import { guildId, heldHandler, holdJobs, openMail, openStage, startWith, usual } from "./stage.ts";

describeOnEach("jobs of several processes", (kind, kindName) => {
  it("does each job in one of them", async () => {
    const { process, pass } = await openStage(kind);
    const begun: string[] = [];
    const all = [process(), process()];
    for (const [n, jobs] of all.entries()) {
      jobs.handle("mail", { ...usual, concurrency: 3 }, async ({ key }) => {
        begun.push(`${n}:${key}`);
        return undefined;
      });
      jobs.start();
    }

    for (let n = 0; n < 20; n += 1) await all[n % 2]?.put({ queue: "mail", key: `${n}` });
    await pass(10_000);

    const keys = begun.map((each) => each.slice(2)).sort((a, b) => Number(a) - Number(b));
    expect(keys).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`));
  });

  it("does what another one made within half a second", async () => {
    const { process, pass } = await openStage(kind);
    const [maker, doer] = [process(), process()];
    const { begun } = holdJobs(doer);
    doer.start();
    await pass(10_000);

    await maker.put({ queue: "mail", key: "a" });
    await pass(500);

    expect(begun).toHaveLength(1);
  });

  it("runs no job that another one holds, until that one is dead", async () => {
    const { process, pass } = await openStage(kind);
    const [holder, other] = [process(), process()];
    const { keys } = holdJobs(other, "processes");
    other.start();

    const id = holder.processId;
    const held = await holder.hold({ queue: "processes", key: id });
    await pass(60_000);
    const before = keys();
    const counts = await other.counts();
    holder.die();
    await pass(20_000);

    expect(before).toEqual([]);
    expect(counts).toEqual([{ queue: "processes", waiting: 0, due: 0, running: 1, parked: 0 }]);
    expect(keys()).toEqual([id]);
    expect(held.signal.aborted).toBe(false);
  });

  it.skipIf(kindName === "SQLite")(
    "lets no write follow a lock that another one took",
    async () => {
      const { process, pass, settle } = await openStage(kind);
      const [stopped, other] = [
        process({ renewEveryMs: 1_000_000, lookEveryMs: 1_000_000 }),
        process(),
      ];
      const { work, keys } = heldHandler();
      const goOn = Promise.withResolvers<void>();
      const writes: string[] = [];
      const aborted: unknown[] = [];
      stopped.handle("mail", usual, async ({ signal }) => {
        await requireOwned();
        writes.push("first");
        await goOn.promise;
        await requireOwned().finally(() => aborted.push(signal.reason));
        writes.push("second");
        return undefined;
      });
      other.handle("mail", usual, work);
      stopped.start();
      await stopped.put({ queue: "mail", key: "a" });
      await pass(1_000);

      other.start();
      await pass(20_000);
      goOn.resolve();
      await settle();

      expect(keys()).toEqual(["a"]);
      expect(writes).toEqual(["first"]);
      expect(aborted).toEqual([expect.any(LostError)]);
    },
  );

  it("lets no write follow from a run that was abandoned, while the job runs again", async () => {
    const { process, pass, settle } = await openStage(kind);
    const jobs = process();
    const goOn = Promise.withResolvers<void>();
    const writes: unknown[] = [];
    let runs = 0;
    jobs.handle("mail", { ...usual, timeoutMs: 1_000 }, async () => {
      runs += 1;
      await goOn.promise;
      await requireOwned().then(
        () => writes.push("written"),
        (error) => writes.push(error),
      );
      return undefined;
    });
    jobs.start();
    await jobs.put({ queue: "mail", key: "a" });
    await pass(33_000);

    goOn.resolve();
    await settle();

    expect(runs).toBe(2);
    expect(writes).toEqual([expect.any(LostError), "written"]);
  });

  it.skipIf(kindName === "SQLite").each([
    ["9 seconds, and keeps that one too", 9_000, false],
    ["longer than it can be sure of that one, which alone it stops", 14_000, true],
  ])(
    "says that it lives where somebody else changes a row of its jobs for %s",
    async (_, ms, isLost) => {
      const { url, process, pass } = await openStage(kind);
      const changing = await openFor({ url });
      const jobs = process();
      const { begun } = holdJobs(jobs);
      jobs.start();
      const held = await jobs.hold({ queue: "processes", key: "a" });
      for (const key of ["a", "b"]) {
        await jobs.put({ queue: "mail", key });
        await pass(500);
      }

      await changing.transaction(async () => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(changing.db);
        await sql`update jobs set tries = tries where queue = ${"mail"} and key = ${"a"}`.execute(
          changing.db,
        );
        await pass(ms);
      });
      await pass(30_000);

      const [a, b] = ["a", "b"].map((key) => begun.filter((job) => job.key === key));
      expect([held, ...(b ?? [])].map(({ signal }) => signal.aborted)).toEqual([false, false]);
      expect(a?.[0]?.signal.aborted).toBe(isLost);
    },
  );

  it("tells a holder that it was taken for dead, and lets it hold again after the handler", async () => {
    const { process, pass, settle } = await openStage(kind);
    const [holder, other] = [process({ renewEveryMs: 100_000 }), process()];
    const { keys, end } = holdJobs(other, "processes");
    other.start();
    const name = { queue: "processes", key: "a" };
    const first = await holder.hold(name);
    await pass(20_000);
    const again = await holder.hold(name).catch((error: unknown) => error);
    end(0);
    await settle();
    const second = await holder.hold(name);

    expect(first.signal.aborted).toBe(true);
    expect(again).toBeInstanceOf(LostError);
    expect(keys()).toEqual(["a"]);
    expect(second.signal.aborted).toBe(false);
    expect(await other.counts()).toMatchObject([{ running: 1 }]);
  });

  it("runs what a holder still had when it closed at once", async () => {
    const { process, pass } = await openStage(kind);
    const [holder, other] = [process(), process()];
    const { keys } = holdJobs(other, "processes");
    other.start();
    const held = await holder.hold({ queue: "processes", key: "a" });

    await holder.close();
    await pass(1_000);

    expect(held.signal.aborted).toBe(true);
    expect(keys()).toEqual(["a"]);
  });

  it("frees the jobs of a dead one at the start where it is alone", async () => {
    const { process, pass } = await openStage(kind);
    const [dead, next] = [process(), process({ isAlone: true })];
    dead.handle("mail", usual, heldHandler().work);
    dead.start();
    await dead.put({ queue: "mail", key: "a" });
    await pass(1_000);
    dead.die();
    const { keys } = holdJobs(next);

    next.start();
    await pass(1_000);

    expect(keys()).toEqual(["a"]);
  });

  it("goes on with the jobs of one that died, within 20 seconds", async () => {
    const { process, pass } = await openStage(kind);
    const [first, second] = [process(), process()];
    const [dead, living] = [heldHandler(), heldHandler()];
    first.handle("mail", usual, dead.work);
    second.handle("mail", usual, living.work);
    first.start();
    await first.put({ queue: "mail", key: "a", guildId, data: 1 });
    // Just after the process renewed its lock.
    await pass(40_001);

    second.start();
    first.die();
    await pass(5_000);

    expect([dead.begun.length, living.begun.length]).toEqual([1, 0]);
    await pass(15_000);
    expect(living.begun).toMatchObject([{ key: "a", guildId, data: 1, failures: 0 }]);
  });

  it("keeps what was wanted for later from one that died", async () => {
    const { process, pass, now } = await openStage(kind);
    const [first, second] = [process(), process()];
    const { work, begun, end } = heldHandler();
    first.handle("mail", usual, async () => new Promise(() => undefined));
    second.handle("mail", usual, work);
    await startWith(first, { pass });
    await second.put({ queue: "mail", key: "a", dueAt: now() + 60_000 });

    first.die();
    second.start();
    await pass(20_000);
    end(0);
    await pass(40_000);

    expect(begun).toHaveLength(2);
  });

  it("ends what was taken back from one that died", async () => {
    const { process, pass } = await openStage(kind);
    const [first, second] = [process(), process()];
    const { work, begun } = heldHandler();
    first.handle("mail", usual, async () => new Promise(() => undefined));
    second.handle("mail", usual, work);
    await startWith(first, { pass });

    first.die();
    second.start();
    await second.remove("mail", "a");
    await pass(20_000);

    expect(begun).toEqual([]);
    expect(await second.counts()).toEqual([]);
  });

  it("tells one that comes back that it has lost its job, and lets it finish nothing", async () => {
    const { process, pass, now } = await openStage(kind);
    // This process neither renews its lock nor looks for jobs for longer than the lock lasts.
    const away = process({ renewEveryMs: 30_000, lookEveryMs: 3_600_000 });
    const other = process();
    const [lost, living] = [heldHandler(), heldHandler()];
    away.handle("mail", usual, lost.work);
    other.handle("mail", usual, living.work);
    await startWith(away, { pass });
    other.start();

    await pass(20_000);
    expect(living.begun).toHaveLength(1);
    await pass(15_000);
    expect(lost.begun[0]?.signal.aborted).toBe(true);
    lost.end(0, now());
    await pass(10);

    expect(await other.counts()).toMatchObject([{ running: 1, waiting: 0 }]);
    living.end(0);
    await pass(10);
    expect(await other.counts()).toEqual([]);
    expect([lost.begun.length, living.begun.length]).toEqual([1, 1]);
  });

  it("hears of a job that another one takes back", async () => {
    const { process, pass } = await openStage(kind);
    const [doer, other] = [process(), process()];
    const { begun, fail } = holdJobs(doer);
    await startWith(doer, { pass });

    await other.remove("mail", "a");
    await pass(5_000);

    expect(begun[0]?.signal.aborted).toBe(true);
    fail(0, new Error("ended"));
    await pass(60_000);
    expect(begun).toHaveLength(1);
    expect(await other.counts()).toEqual([]);
  });

  it("leaves its jobs to the others when it closes, as if it had not begun them", async () => {
    const { process, pass } = await openStage(kind);
    const [first, second] = [process(), process()];
    const { work, begun } = heldHandler();
    first.handle(
      "mail",
      usual,
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        ),
    );
    second.handle("mail", usual, work);
    await startWith(first, { pass });

    await first.close();
    second.start();
    await pass(10);

    expect(begun).toMatchObject([{ key: "a", failures: 0 }]);
  });

  it("closes within three seconds where a job ignores its signal, which keeps its lock", async () => {
    const { process, pass, lines } = await openStage(kind);
    const [first, second] = [process(), process()];
    const { work, begun } = heldHandler();
    first.handle("mail", usual, async () => new Promise(() => undefined));
    second.handle("mail", usual, work);
    await startWith(first, { pass });

    const closed = first.close();
    await pass(3_000);
    await closed;

    expect(lines.at(-1)).toMatchObject({ message: "jobs went on while the bot stopped" });
    second.start();
    await pass(5_000);
    expect(begun).toEqual([]);
    await pass(15_000);
    expect(begun).toHaveLength(1);
  });

  it("begins nothing once it closes", async () => {
    const { jobs, pass, begun } = await openMail(kind);
    jobs.start();
    await pass(10);

    await jobs.close();
    await jobs.put({ queue: "mail", key: "a" });
    await pass(60_000);

    expect(begun).toEqual([]);
  });

  it("goes on by itself after the database was away for 30 seconds", async () => {
    const { jobs, pass, now, setAway, lines, begun, end } = await openMail(kind);
    jobs.start();
    await jobs.put({ queue: "mail", key: "waits", dueAt: now() + 10_000 });
    await jobs.put({ queue: "mail", key: "runs" });
    await pass(10);

    setAway(true);
    await pass(30_000);
    setAway(false);
    await pass(1_000);

    expect(begun.map(({ key }) => key)).toEqual(["runs", "waits"]);
    end(0);
    end(1);
    await pass(30_000);
    expect(await jobs.counts()).toEqual([]);
    expect(lines.map(({ message }) => message)).toEqual([
      "jobs could not be looked for",
      "jobs are looked for again",
    ]);
  });

  it("does a job again whose end could not be written down", async () => {
    const { jobs, pass, setAway, begun, end } = await openMail(kind);
    await startWith(jobs, { pass });

    setAway(true);
    end(0);
    await pass(30_000);
    setAway(false);
    await pass(20_000);

    expect(begun).toMatchObject([{ key: "a" }, { key: "a" }]);
    end(1);
    await pass(10);
    expect(await jobs.counts()).toEqual([]);
  });

  it("leaves their jobs to processes that the database was away from as well", async () => {
    const { process, pass, setAway } = await openStage(kind);
    const all = [heldHandler(), heldHandler()];
    for (const { work } of all) {
      const jobs = process();
      jobs.handle("mail", { ...usual, concurrency: 1 }, work);
      jobs.start();
      await jobs.put({ queue: "mail", key: `${all.findIndex((one) => one.work === work)}` });
      await pass(1_000);
    }

    setAway(true);
    await pass(5_000);
    setAway(false);
    await pass(20_000);

    expect(all.map(({ begun }) => begun.length)).toEqual([1, 1]);
    expect(all.map(({ begun }) => begun[0]?.signal.aborted)).toEqual([false, false]);
  });

  it("stops all that it runs once it could say for ten seconds that it lives, and goes on as another", async () => {
    const { jobs, pass, setAway, begun } = await openMail(kind);
    jobs.start();
    const held = await jobs.hold({ queue: "processes", key: "a" });
    await jobs.put({ queue: "mail", key: "a" });
    const id = jobs.processId;
    await pass(3_999);

    setAway(true);
    await pass(6_000);
    const before = [held, ...begun].map(({ signal }) => signal.aborted);
    await pass(1_000);
    setAway(false);

    expect(before).toEqual([false, false]);
    expect([held, ...begun].map(({ signal }) => signal.reason)).toEqual([
      expect.any(LostError),
      expect.any(LostError),
    ]);
    expect(jobs.processId).not.toBe(id);
  });

  it("stops all that it runs before anything else, where it wakes up after others may have taken it for dead", async () => {
    const { process, pass, now } = await openStage(kind);
    let stoodMs = 0;
    const jobs = process({ elapsed: () => now() + stoodMs });
    const { begun } = holdJobs(jobs);
    jobs.start();
    const held = await jobs.hold({ queue: "processes", key: "a" });
    await jobs.put({ queue: "mail", key: "a" });
    await pass(10);
    const order: string[] = [];
    held.signal.addEventListener("abort", () => order.push(`held, now ${jobs.processId}`));
    begun[0]?.signal.addEventListener("abort", () => order.push("job"));
    const id = jobs.processId;

    stoodMs = 9_000;
    const same = jobs.processId;
    stoodMs = 10_001;
    const later = jobs.processId;

    expect(order).toEqual([`held, now ${later}`, "job"]);
    expect([same === id, later === id, jobs.processId === later]).toEqual([true, false, true]);
  });

  it("begins nothing that it locked before it stood still", async () => {
    const { process, pass, now, database } = await openStage(kind);
    let stoodMs = 0;
    const urgently: Database["urgently"] = async (query) => {
      const answer = await database.urgently(query);
      // The statement succeeds, but the process stands still before it reads the answer.
      if (isStanding) stoodMs += 20_000;
      return answer;
    };
    let isStanding = false;
    const jobs = process({ database: { ...database, urgently }, elapsed: () => now() + stoodMs });
    const { begun } = holdJobs(jobs);
    await jobs.put({ queue: "mail", key: "a" });

    isStanding = true;
    jobs.start();
    await pass(1);
    const before = begun.length;
    isStanding = false;
    await pass(1_000);

    expect(before).toBe(0);
    expect(begun).toMatchObject([{ key: "a", failures: 0 }]);
  });

  it("is never taken for dead where it is alone", async () => {
    const { process, pass, now } = await openStage(kind);
    let stoodMs = 0;
    const jobs = process({ isAlone: true, elapsed: () => now() + stoodMs });
    const { begun } = holdJobs(jobs);
    await startWith(jobs, { pass });

    const id = jobs.processId;
    stoodMs = 60_000;
    await pass(30_000);

    expect(begun.map(({ signal }) => signal.aborted)).toEqual([false]);
    expect(jobs.processId).toBe(id);
  });

  it("lets its jobs end as its own that it lost and nobody took", async () => {
    const { process, pass, now } = await openStage(kind);
    let stoodMs = 0;
    const jobs = process({ elapsed: () => now() + stoodMs });
    const { begun, end } = holdJobs(jobs);
    await startWith(jobs, { pass });

    stoodMs = 12_000;
    await pass(4_000);
    end(0);
    await pass(60_000);

    expect(begun.map(({ signal }) => signal.aborted)).toEqual([true]);
    expect(await jobs.counts()).toEqual([]);
  });
});
