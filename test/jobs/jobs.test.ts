import { expect, it } from "vitest";
import { ServiceError } from "../../src/errors.ts";
import { describeOnEach } from "../support/databases/each-kind.ts";
import {
  guildId,
  heldHandler,
  openMail,
  openStage,
  otherGuildId,
  startWith,
  usual,
} from "./stage.ts";

describeOnEach("createJobs", (kind) => {
  it("does a job once, with its data", async () => {
    const { jobs, pass, begun, end } = await openMail(kind);
    jobs.start();

    await jobs.put({ queue: "mail", key: "a", guildId, data: { to: ["me"] } });
    await pass(10);
    end(0);
    await pass(60_000);

    expect(begun).toMatchObject([{ key: "a", guildId, data: { to: ["me"] }, failures: 0 }]);
    expect(await jobs.counts()).toEqual([]);
  });

  it("does a job when it is due and not before", async () => {
    const { jobs, pass, now, begun } = await openMail(kind);
    jobs.start();

    await jobs.put({ queue: "mail", key: "a", dueAt: now() + 10_000 });
    await pass(9_999);

    expect(begun).toEqual([]);
    await pass(1);
    expect(begun).toHaveLength(1);
  });

  it("does only what is handled here", async () => {
    const { jobs, pass } = await openMail(kind);
    jobs.start();

    await jobs.put({ queue: "post", key: "a" });
    await pass(5_000);

    expect(await jobs.counts()).toEqual([
      { queue: "post", waiting: 1, due: 1, running: 0, parked: 0 },
    ]);
  });

  it("keeps one job a key, with the data that came last", async () => {
    const { jobs, pass, begun } = await openMail(kind);

    await jobs.put({ queue: "mail", key: "a", data: 1 });
    await jobs.put({ queue: "mail", key: "a", data: 2 });
    await jobs.put({ queue: "mail", key: "a" });
    jobs.start();
    await pass(10);

    expect(begun).toMatchObject([{ key: "a", data: 2 }]);
  });

  it("brings a job forward, and leaves one that is due earlier", async () => {
    const { jobs, pass, now, keys } = await openMail(kind);
    jobs.start();
    await jobs.put({ queue: "mail", key: "later", dueAt: now() + 60_000 });
    await jobs.put({ queue: "mail", key: "sooner", dueAt: now() + 1_000 });

    await jobs.put({ queue: "mail", key: "later", dueAt: now() + 500 });
    await jobs.put({ queue: "mail", key: "sooner", dueAt: now() + 60_000 });

    await pass(500);
    expect(keys()).toEqual(["later"]);
    await pass(500);
    expect(keys()).toEqual(["later", "sooner"]);
  });

  it("puts a job off where that is asked for", async () => {
    const { jobs, pass, now, begun } = await openMail(kind);
    await jobs.put({ queue: "mail", key: "a" });

    await jobs.put({ queue: "mail", key: "a", dueAt: now() + 60_000, isPostponed: true });
    jobs.start();
    await pass(59_999);

    expect(begun).toEqual([]);
    await pass(1);
    expect(begun).toHaveLength(1);
  });

  it("does a job again when its handler says so", async () => {
    const { jobs, pass, now, begun, end } = await openMail(kind);
    await startWith(jobs, { pass }, { data: "kept" });

    end(0, now() + 30_000);
    await pass(29_999);

    expect(begun).toHaveLength(1);
    await pass(1);
    expect(begun[1]).toMatchObject({ key: "a", data: "kept", failures: 0 });
  });

  it("does a job again that is wanted while it runs, once it is over", async () => {
    const { jobs, pass, begun, end } = await openMail(kind);
    await startWith(jobs, { pass }, { data: 1 });

    await jobs.put({ queue: "mail", key: "a", data: 2 });
    await pass(30_000);

    expect(begun).toHaveLength(1);
    end(0);
    await pass(10);
    expect(begun[1]).toMatchObject({ key: "a", data: 2 });
  });

  it("takes the earlier of what is wanted and what the handler says", async () => {
    const { jobs, pass, now, begun, end } = await openMail(kind);
    await startWith(jobs, { pass });

    await jobs.put({ queue: "mail", key: "a", dueAt: now() + 60_000 });
    await jobs.put({ queue: "mail", key: "a", dueAt: now() + 10_000 });
    end(0, now() + 20_000);
    await pass(10_000);

    expect(begun).toHaveLength(2);
    end(1);
    await pass(120_000);
    expect(begun).toHaveLength(2);
  });

  it("waits longer after each failure, and counts them", async () => {
    const { process, pass, now } = await openStage(kind);
    const jobs = process();
    const times: (readonly [number, number])[] = [];
    jobs.handle("mail", { ...usual, waitMs: { first: 1_000, longest: 4_000 } }, async (job) => {
      times.push([now(), job.failures]);
      throw new Error("no");
    });
    jobs.start();

    await jobs.put({ queue: "mail", key: "a" });
    await pass(14_000);

    const waits = times.slice(1).map(([at, failures], n) => [at - (times[n]?.[0] ?? 0), failures]);
    // The jitter varies between half of a wait and all of it; here it is in the middle.
    expect(waits).toEqual([
      [750, 1],
      [1_500, 2],
      [3_000, 3],
      [3_000, 4],
      [3_000, 5],
    ]);
  });

  it("begins to count failures anew after a success", async () => {
    const { jobs, pass, now, begun, end, fail } = await openMail(kind);
    await startWith(jobs, { pass });

    fail(0, new Error("no"));
    await pass(1_000);
    end(1, now());
    await pass(10);

    expect(begun.map(({ failures }) => failures)).toEqual([0, 1, 0]);
  });

  it("parks what fails too often, says so, and lists it", async () => {
    const { process, pass, now, lines } = await openStage(kind);
    const jobs = process();
    jobs.handle("mail", { ...usual, maxTries: 2 }, async () => {
      throw new ServiceError("no", { code: "quota" as string });
    });
    jobs.start();

    await jobs.put({ queue: "mail", key: "a", guildId });
    await pass(60_000);

    expect(await jobs.parked()).toMatchObject([
      { queue: "mail", key: "a", guildId, failure: "quota" },
    ]);
    expect((await jobs.parked())[0]?.parkedAt).toBeLessThan(now() - 50_000);
    expect(await jobs.counts()).toEqual([
      { queue: "mail", waiting: 0, due: 0, running: 0, parked: 1 },
    ]);
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ["warn", "a job failed"],
      ["error", "a job failed for good"],
    ]);
  });

  it("begins a parked job anew when it is put again", async () => {
    const { jobs, pass, begun, fail } = await openMail(kind, { maxTries: 1 });
    await startWith(jobs, { pass }, { data: 1 });
    fail(0, new Error("no"));
    await pass(60_000);

    await jobs.put({ queue: "mail", key: "a" });
    await pass(10);

    expect(begun).toMatchObject([{ failures: 0 }, { data: 1, failures: 0 }]);
    expect(await jobs.parked()).toEqual([]);
  });

  it("begins parked jobs anew: one, those of a queue, or all", async () => {
    const { process, pass } = await openStage(kind);
    const jobs = process();
    const begun: string[] = [];
    for (const queue of ["mail", "post"]) {
      jobs.handle(queue, { ...usual, maxTries: 1 }, async ({ key, failures }) => {
        begun.push(`${queue}:${key}:${failures}`);
        throw new Error("no");
      });
      for (const key of ["a", "b"]) await jobs.put({ queue, key });
    }
    jobs.start();
    await pass(1_000);
    begun.length = 0;

    expect(await jobs.retry("mail", "a")).toBe(1);
    await pass(1_000);
    expect(begun.splice(0)).toEqual(["mail:a:0"]);
    expect(await jobs.retry("post")).toBe(2);
    await pass(1_000);
    expect(begun.splice(0).sort()).toEqual(["post:a:0", "post:b:0"]);
    expect(await jobs.retry()).toBe(4);
  });

  it("keeps whose a job is where who brings it forward does not say", async () => {
    const { jobs, pass, begun } = await openMail(kind);

    await jobs.put({ queue: "mail", key: "a", guildId });
    await jobs.put({ queue: "mail", key: "a" });
    jobs.start();
    await pass(10);

    expect(begun).toMatchObject([{ guildId }]);
  });

  it("does not park what is wanted meanwhile", async () => {
    const { jobs, pass, begun, fail } = await openMail(kind, { maxTries: 1 });
    await startWith(jobs, { pass });

    await jobs.put({ queue: "mail", key: "a" });
    fail(0, new Error("no"));
    await pass(10);

    expect(begun).toHaveLength(2);
    expect(begun[1]).toMatchObject({ failures: 0 });
  });

  it("takes turns between servers, however long the line of one is", async () => {
    const { jobs, pass, now, database, keys, end } = await openMail(kind, { concurrency: 2 });
    await database.transaction(async () => {
      for (let n = 0; n < 200; n += 1) {
        await jobs.put({ queue: "mail", key: `greedy:${n}`, guildId, dueAt: now() + n });
      }
      await jobs.put({ queue: "mail", key: "other", guildId: otherGuildId, dueAt: now() + 500 });
    });
    await pass(500);

    jobs.start();
    await pass(10);
    expect(keys().sort()).toEqual(["greedy:0", "other"]);

    end(0);
    end(1);
    await pass(10);
    expect(keys().slice(2).sort()).toEqual(["greedy:1", "greedy:2"]);
  });

  it("does no more of one server at once than its queue says", async () => {
    const { jobs, pass, keys } = await openMail(kind, { perServer: 2 });
    for (const key of ["a", "b", "c"]) await jobs.put({ queue: "mail", key, guildId });
    await jobs.put({ queue: "mail", key: "d", guildId: otherGuildId });

    jobs.start();
    await pass(5_000);

    expect(keys().sort()).toEqual(["a", "b", "d"]);
  });

  it("does no more at once than its queue says, and goes on as each ends", async () => {
    const { jobs, pass, keys, end } = await openMail(kind, { concurrency: 2 });
    for (const key of ["a", "b", "c"]) await jobs.put({ queue: "mail", key });
    jobs.start();

    await pass(5_000);
    expect(keys()).toHaveLength(2);

    end(0);
    await pass(10);
    expect(keys().sort()).toEqual(["a", "b", "c"]);
  });

  it("ends what takes too long by its signal, and counts it as failed", async () => {
    const { jobs, pass, begun, fail } = await openMail(kind, { timeoutMs: 5_000 });
    jobs.start();
    await jobs.put({ queue: "mail", key: "a" });

    await pass(4_900);
    expect(begun[0]?.signal.aborted).toBe(false);
    await pass(200);
    expect(begun[0]?.signal.aborted).toBe(true);
    fail(0, new Error("ended"));
    await pass(1_000);
    expect(begun[1]).toMatchObject({ failures: 1 });
  });

  it("gives up what does not end by its signal", async () => {
    const { jobs, pass, begun, end } = await openMail(kind, { timeoutMs: 5_000 });
    jobs.start();
    await jobs.put({ queue: "mail", key: "a" });

    await pass(40_000);

    expect(begun).toMatchObject([{ failures: 0 }, { failures: 1 }]);
    end(0, 0);
    await pass(1_000);
    expect(begun).toHaveLength(2);
  });

  it("takes a waiting job back", async () => {
    const { jobs, pass, now, begun } = await openMail(kind);
    jobs.start();
    await jobs.put({ queue: "mail", key: "a", dueAt: now() + 1_000 });

    expect(await jobs.remove("mail", "a")).toBe(true);
    expect(await jobs.remove("mail", "a")).toBe(false);
    await pass(5_000);
    expect(begun).toEqual([]);
  });

  it("takes a running job back: its signal says so, and it is not repeated", async () => {
    const { jobs, pass, now, begun, end } = await openMail(kind);
    await startWith(jobs, { pass });

    expect(await jobs.remove("mail", "a")).toBe(true);

    expect(begun[0]?.signal.aborted).toBe(true);
    end(0, now());
    await pass(60_000);
    expect(begun).toHaveLength(1);
    expect(await jobs.counts()).toEqual([]);
  });

  it("begins a job that is put after it was taken back only when the one before is over", async () => {
    const { process, pass, now } = await openStage(kind);
    const [jobs, other] = [process(), process()];
    const { work, begun, end } = heldHandler();
    for (const one of [jobs, other]) one.handle("mail", usual, work);
    await startWith(jobs, { pass }, { data: 1 });
    other.start();

    await jobs.remove("mail", "a");
    await jobs.put({ queue: "mail", key: "a", data: 2 });
    await pass(60_000);

    expect(begun).toHaveLength(1);
    end(0, now() + 1_000_000);
    await pass(1_000);
    expect(begun[1]).toMatchObject({ data: 2 });
  });

  it("makes no job in a transaction that fails", async () => {
    const { jobs, pass, database, begun } = await openMail(kind);
    jobs.start();

    const failing = database.transaction(async () => {
      await jobs.put({ queue: "mail", key: "a" });
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    await pass(5_000);
    expect(begun).toEqual([]);
    expect(await jobs.counts()).toEqual([]);
  });

  it("begins a job of a transaction when that is over, and not later", async () => {
    const { jobs, pass, database, begun } = await openMail(kind, {}, { lookEveryMs: 3_600_000 });
    jobs.start();
    await pass(10);

    const gate = Promise.withResolvers<void>();
    const made = database.transaction(async () => {
      await jobs.put({ queue: "mail", key: "a" });
      await gate.promise;
    });
    await pass(10);
    expect(begun).toEqual([]);
    gate.resolve();
    await made;
    await pass(10);

    expect(begun).toHaveLength(1);
  });

  it("takes the jobs of an erased server away, and ends what runs for it", async () => {
    const { jobs, pass, now, database, begun, end } = await openMail(kind);
    jobs.start();
    await jobs.put({ queue: "mail", key: "a", guildId });
    await jobs.put({ queue: "mail", key: "b", guildId, dueAt: now() + 1_000 });
    await pass(10);

    const serverId = (await database.servers.find(guildId)) ?? 0;
    await database.servers.remove({ table: "servers", serverId });
    await pass(5_000);

    expect(begun[0]?.signal.aborted).toBe(true);
    end(0, now());
    await pass(60_000);
    expect(begun).toHaveLength(1);
    expect(await jobs.counts()).toEqual([]);
  });

  it("refuses a job that a work of an erased server makes, and ends that work's own", async () => {
    const { process, pass, database } = await openStage(kind);
    const jobs = process();
    const gate = Promise.withResolvers<void>();
    let said: unknown;
    jobs.handle("mail", usual, async () => {
      await gate.promise;
      await jobs.put({ queue: "mail", key: "b", guildId }).catch((error: unknown) => {
        said = error;
        throw error;
      });
      return undefined;
    });
    await startWith(jobs, { pass }, { guildId });

    const serverId = (await database.servers.find(guildId)) ?? 0;
    await database.servers.remove({ table: "servers", serverId });
    await database.servers.need(guildId);
    gate.resolve();
    await pass(60_000);

    expect(said).toMatchObject({ code: "guild_erased" });
    expect(await jobs.counts()).toEqual([]);
  });

  it("does the job of a server that is set up again beside the ruins of the former one", async () => {
    const { jobs, pass, database, begun, end } = await openMail(kind);
    await startWith(jobs, { pass }, { guildId, data: 1 });
    const serverId = (await database.servers.find(guildId)) ?? 0;
    await database.servers.remove({ table: "servers", serverId });

    await jobs.put({ queue: "mail", key: "a", guildId, data: 2 });
    await pass(10);
    end(0);
    await pass(1_000);

    expect(begun.map(({ data }) => data)).toEqual([1, 2]);
  });

  it("takes times that are no whole milliseconds", async () => {
    const { jobs, pass, now, begun, end } = await openMail(kind);
    jobs.start();

    await jobs.put({ queue: "mail", key: "a", dueAt: now() + 0.25 });
    await pass(10);
    end(0, now() + 0.4);
    await pass(10);

    expect(begun).toHaveLength(2);
  });
});
