import { describe, expect, it } from "vitest";
import { createJobs } from "../../src/jobs/index.ts";
import type { Watch } from "../../src/moderation/index.ts";
import { startWatchJobs } from "../../src/moderation/watch-jobs.ts";
import { seed, seeded } from "../support/random.ts";
import {
  ann,
  channelId,
  firstRef,
  guildId,
  hour,
  keeping,
  minute,
  openProcess,
  openRig,
  putWatch,
  type Rig,
  settingOf,
} from "./support/rig.ts";

const second = 1_000;

function watchOf(rig: Rig, n: number): readonly [string, Watch] {
  const digits = String(n).padStart(6, "0");
  const server = `111111111111${digits}`;
  return [
    server,
    {
      ...settingOf(rig.video, { channelId: `222222222222${digits}` }),
      id: n.toString(16).padStart(16, "0"),
      addedBy: ann.userId,
      addedAt: rig.clock.now(),
    },
  ];
}

async function putWatches(rig: Rig, count: number): Promise<void> {
  const { clock, database } = rig;
  const jobs = createJobs({ database, clock, random: () => 0, log: keeping([]) });
  for (let n = 0; n < count; n += 1) {
    const [guildId, watch] = watchOf(rig, n);
    await rig.records.watches.change(guildId, watch.id, () => watch);
    await startWatchJobs(jobs, { guildId, watchId: watch.id });
  }
}

describe("two processes", () => {
  it("announce nothing twice, and poll no more often than one", async () => {
    const alone = await pollsIn(1);
    const together = await pollsIn(2);

    expect(together.polls).toBeLessThanOrEqual(alone.polls * 1.1);
    expect([alone.cards, together.cards]).toEqual([12, 12]);
    expect(together.calls).toBe(12);
  });

  async function pollsIn(count: number) {
    const rig = await openRig();
    const [first] = Array.from({ length: count }, () => rig.process());
    await first?.watch({ digestFrom: 0 });
    const before = rig.asked.length;
    for (let n = 0; n < 12; n += 1) {
      rig.hold(`Held ${n}`);
      await rig.clock.pass(3 * minute);
    }
    const polls = rig.asked.length - before;
    return { polls, cards: rig.discord.messages.length, calls: rig.discord.calls.post };
  }

  it("take over from one another within a minute", async () => {
    const rig = await openRig();
    const first = rig.process();
    rig.process();
    await first.watch();
    await rig.clock.pass(5 * minute);
    // The process dies in the middle of posting, while it holds the lease.
    rig.hold("Unseen");
    rig.discord.before = (act) => {
      if (act === "post" && !first.fence.isDead()) first.fence.kill();
    };
    while (!first.fence.isDead()) await rig.clock.pass(second);
    const diedAt = rig.clock.now();
    await rig.clock.pass(minute);

    const [card] = rig.discord.messages;
    expect(rig.discord.messages).toHaveLength(1);
    expect((card?.postedAt ?? Number.NaN) - diedAt).toBeLessThan(minute);
  });

  it("take over decisions that one of them left", async () => {
    const rig = await openRig();
    const [first, second_] = [rig.process(), rig.process()];
    await first.watch();
    rig.hold("Decided, and then nothing");
    await rig.clock.pass(2 * minute);
    const ref = await firstRef(rig);

    await first.server.queue.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
    first.fence.kill();
    await rig.clock.pass(20 * minute);

    expect(await second_.server.queue.item(ref)).toMatchObject({ status: "approved" });
  });
});

describe("a thousand watches", () => {
  it("do not all poll at once", async () => {
    const rig = await openRig();
    await putWatches(rig, 1_000);
    const at: number[] = [];
    let running = 0;
    let most = 0;
    rig.process({
      random: seeded(seed),
      onPoll: () => at.push(rig.clock.now()),
      video: async () => ({
        call: async () => {
          running += 1;
          most = Math.max(most, running);
          await rig.clock.hold(new Promise((resolve) => setImmediate(resolve)));
          running -= 1;
          return { items: [] } as never;
        },
        pages: () => {
          throw new TypeError("not asked");
        },
      }),
    });

    await rig.clock.pass(70 * second);

    expect(at).toHaveLength(1_000);
    expect(most).toBeLessThanOrEqual(24);
  });

  it("are not held up by those that hang", async () => {
    const rig = await openRig();
    await putWatches(rig, 80);
    const polled = new Set<string>();
    const hangs = (server: string) => Number(server.slice(-6)) < 60;
    rig.process({
      random: seeded(seed),
      video: async (server) => ({
        call: async () => {
          if (hangs(server)) return new Promise<never>(() => {});
          polled.add(server);
          return { items: [] } as never;
        },
        pages: () => {
          throw new TypeError("not asked");
        },
      }),
    });

    // More watches hang than can be polled at once.
    await rig.clock.pass(4 * minute);

    expect(polled.size).toBe(20);
  });
});

describe("closing", () => {
  it("comes to its end, whatever hangs", async () => {
    const rig = await openRig();
    const process = rig.process({ settings: () => new Promise(() => {}) });
    rig.hold("Never sent");
    await putWatch(
      process.server,
      settingOf(rig.video, { ping: { roleId: "4".repeat(18), gapMs: 0 } }),
    );
    await rig.clock.pass(minute);

    const closed = process.jobs.close();
    await rig.clock.pass(10 * second);

    await expect(closed).resolves.toBeUndefined();
  });

  it("is the end: nothing follows it", async () => {
    const { rig, process } = await openProcess();
    await process.watch();

    await process.jobs.close();
    const asked = rig.asked.length;
    rig.hold("Too late");
    await rig.clock.pass(hour);

    expect(rig.asked.length).toBe(asked);
    expect(rig.warnings).toEqual([]);
  });
});

describe("a watch", () => {
  it("sleeps while it is paused, and looks at once when it goes on", async () => {
    const { rig, server, watch } = await openProcess();
    const { id } = await watch();
    await server.watches.pause(id, ann.userId);
    rig.hold("While it slept");
    const asked = rig.asked.length;
    await rig.clock.pass(2 * hour);
    const meanwhile = { asked: rig.asked.length, status: await server.watches.status(id) };

    await server.watches.resume(id);
    await rig.clock.pass(2 * second);

    expect(meanwhile.asked).toBe(asked);
    expect(meanwhile.status?.watch.paused).toEqual({ at: expect.any(Number), by: ann.userId });
    expect(rig.discord.messages).toHaveLength(1);
  });

  it("is one a channel, and keeps its queue when it is changed", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("Kept");
    const before = await watch();

    const after = await putWatch(server, settingOf(rig.video, { paceMs: hour }));

    expect(after).toEqual({ ...before, paceMs: hour });
    expect(await server.watches.all()).toEqual([after]);
    expect(await rig.items(after.id)).toHaveLength(1);
  });

  it("takes its queue with it", async () => {
    const { rig, server, watch } = await openProcess();
    for (let n = 0; n < 8; n += 1) rig.hold(`Held ${n}`);
    const { id } = await watch();

    const answers = [await server.watches.remove(id), await server.watches.remove(id)];
    await rig.clock.pass(2 * hour);

    const tables = ["watches", "held_comments", "digests", "jobs"] as const;
    const left = tables.map((name) => rig.database.db.selectFrom(name).selectAll().execute());
    expect(answers).toEqual([true, false]);
    expect((await Promise.all(left)).flat()).toEqual([]);
  });

  it("is another one when it is about another linked channel", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("Of the first channel");
    const former = await watch();

    const after = await putWatch(server, settingOf(rig.video, { source: "UCanother" }));

    await rig.clock.pass(2 * hour);
    expect(await rig.items()).toEqual([]);
    expect(await server.watches.all()).toEqual([after]);
    expect(after.id).not.toBe(former.id);
  });

  it("is one of ten in a server at most", async () => {
    const { rig, server } = await openProcess();
    const put = (n: number) =>
      putWatch(server, settingOf(rig.video, { channelId: `${channelId}${n}` }));
    for (let n = 0; n < 10; n += 1) await put(n);

    await expect(put(10)).rejects.toMatchObject({ code: "too_many_watches", facts: { most: 10 } });
    await expect(put(3)).resolves.toMatchObject({ channelId: `${channelId}3` });
  });

  it("leaves a sample where its cards go", async () => {
    const { rig, server, watch } = await openProcess();
    const { id } = await watch({ isForum: true });

    await server.watches.test(id, ann.userId);

    const [sample] = rig.discord.of("watch-sample");
    expect(sample?.message).toMatchObject({
      channelId,
      isForum: true,
      facts: { guildId, by: ann.userId, watch: { id } },
    });
    expect(await rig.items()).toEqual([]);
  });

  it("says what state it is in", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("Waits since noon");
    const writtenAt = rig.clock.now();
    const { id } = await watch();
    await rig.clock.pass(hour);

    const status = await server.watches.status(id);

    expect(status).toMatchObject({
      paceMs: 6 * minute,
      slowedBy: "quiet",
      unitsADay: 480,
      waiting: 1,
      oldestAt: writtenAt,
      troubles: {},
    });
    expect(status?.unitsToday).toBeGreaterThan(30);
    expect(status?.nextPollAt).toBeGreaterThan(status?.polledAt ?? Number.NaN);
  });

  it("ends with its server", async () => {
    const { rig, watch } = await openProcess();
    await watch();
    const { servers } = rig.database;

    await servers.remove({ table: "servers", serverId: await servers.need(guildId) });
    const asked = rig.asked.length;
    await rig.clock.pass(hour);

    expect(rig.asked.length).toBe(asked);
    expect(await servers.page()).toEqual([]);
  });
});
