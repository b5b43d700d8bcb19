import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { kinds } from "../support/databases/each-kind.ts";
import { reusing } from "../support/databases/kinds.ts";
import {
  announcedIn,
  day,
  everywhere,
  guildId,
  hour,
  minute,
  openRig,
  owner,
  type Process,
  type ProcessOptions,
  type Rig,
} from "./rig.ts";

describe.each(kinds)("processes that share $name", ({ make }) => {
  const own = make?.();
  const free: (() => void)[] = [];
  const kind = own && reusing(own, (work) => free.push(work));
  let rig: Rig;
  let source = "";
  beforeEach(async () => {
    if (kind === undefined) return;
    rig = await openRig({ url: (await kind.fresh()).url });
    source = rig.stranger().id;
  });
  afterEach(async () => {
    await rig?.close();
    for (const work of free.splice(0)) work();
  });
  afterAll(() => own?.stop());

  const follow = ({ feeds }: Process, guildId: string) =>
    feeds
      .of(guildId)
      .put({ source, title: "t", uploads: `UU${source.slice(2)}`, places: everywhere }, owner);
  const empty = { feeds: [], progress: [], announcements: [], jobs: [] };

  /** Another process works instead of the first; `happens` is done once meanwhile. */
  async function during(
    happens: (process: Process) => Promise<unknown>,
    change: (first: () => Promise<void>) => ProcessOptions,
  ): Promise<Process> {
    rig.first.kill();
    let isOver = false;
    const process: Process = await rig.begin(
      change(async () => {
        if (isOver) return;
        isOver = true;
        await happens(process);
      }),
    );
    return process;
  }

  const withLook = (first: () => Promise<void>): ProcessOptions => ({
    left: async () => {
      await first();
      throw new Error("nobody knows");
    },
  });
  const withPost = (first: () => Promise<void>): ProcessOptions => ({
    channelMessages: {
      ...rig.channel.channelMessages,
      post: async (message) => {
        await first();
        return rig.channel.channelMessages.post(message);
      },
    },
  });

  const withHub = (first: () => Promise<void>): ProcessOptions => ({
    hub: { url: "http://127.0.0.1:9/subscribe", callbackUrl: "http://127.0.0.1:9/hub" },
    http: {
      request: async () => {
        await first();
        return { status: 202, body: "" };
      },
    } as never,
  });

  /** Erases as another process would, or other work of the same process. */
  async function erase(): Promise<void> {
    const { servers } = rig.database;
    const serverId = await servers.find(guildId);
    if (serverId === undefined) throw new Error("nothing is there to be erased");
    await rig.clock.hold(() => servers.remove({ table: "servers", serverId }));
  }

  it.skipIf(kind === undefined)("announce once in each server", async () => {
    await rig.begin();
    const guildIds = Array.from({ length: 6 }, (_, n) => `1000000000000000${10 + n}`);
    for (const guildId of guildIds) await follow(rig.first, guildId);
    await rig.clock.pass(minute);
    const { id } = rig.video.releases.publish({ channelId: source, title: "New" });

    await rig.clock.pass(2 * hour);

    expect(announcedIn(rig).map(([video]) => video)).toEqual(guildIds.map(() => id));
    const reached = rig.channel.messages.map(({ message }) => message.guildId);
    expect(reached.toSorted()).toEqual(guildIds);
  });

  it.skipIf(kind === undefined)("what one begins another one ends", async () => {
    const idle = await rig.begin({ isIdle: true });
    await follow(idle, guildId);
    await rig.clock.pass(minute);
    rig.first.kill();
    const { id } = rig.video.releases.publish({ channelId: source, title: "New" });
    await rig.begin();

    await rig.clock.pass(hour);

    expect(announcedIn(rig).map(([video]) => video)).toEqual([id]);
  });

  it.skipIf(kind === undefined).each([
    ["a look", withLook],
    ["a message", withPost],
  ])("erasing during %s leaves nothing", async (_, change) => {
    let erased = 0;
    const process = await during(async () => {
      await erase();
      erased += 1;
    }, change);
    await follow(process, guildId);
    if (change === withPost) {
      await rig.clock.pass(minute);
      rig.video.releases.publish({ channelId: source, title: "New" });
    }

    await rig.clock.pass(2 * hour);

    expect(erased).toBe(1);
    expect(await rig.rows()).toEqual(empty);
    expect(await rig.database.servers.page()).toEqual([]);
  });

  it.skipIf(kind === undefined).each([
    ["a look", withLook],
    ["a message", withPost],
  ])("removing a feed during %s leaves nothing of it", async (_, change) => {
    const other = await rig.begin({ isIdle: true });
    const remove = async () => {
      const [feed] = await other.feeds.of(guildId).all();
      await other.feeds.of(guildId).remove(feed?.id ?? "");
    };
    const process = await during(remove, change);
    await follow(process, guildId);
    if (change === withPost) {
      await rig.clock.pass(minute);
      rig.video.releases.publish({ channelId: source, title: "New" });
    }

    await rig.clock.pass(2 * hour);

    expect(await rig.rows()).toEqual(empty);
  });

  it.skipIf(kind === undefined).each([
    [
      "removing a feed",
      async ({ feeds }: Process) => {
        const [feed] = await feeds.of(guildId).all();
        await feeds.of(guildId).remove(feed?.id ?? "");
      },
    ],
    ["erasing a server", (process: Process) => process.eraseServer(guildId)],
  ])("%s while the hub is asked for a subscription ends that too", async (_, end) => {
    const other = await rig.begin({ isIdle: true });
    const process = await during(() => end(other), withHub);
    await follow(process, guildId);
    await rig.clock.pass(minute);
    const { jobs } = await rig.rows();

    await rig.clock.pass(6 * day);

    expect(jobs.map(({ queue }) => queue)).toEqual(["feeds.unsubscribe"]);
    expect(await rig.rows()).toEqual(empty);
  });

  it.skipIf(kind === undefined)(
    "begin one feed of a channel, however many ask at once",
    async () => {
      const other = await rig.begin();

      const made = await Promise.all(
        [rig.first, other, rig.first, other].map((process) => follow(process, guildId)),
      );

      expect(new Set(made.map((feed) => feed?.id)).size).toBe(1);
      expect((await rig.rows()).feeds).toHaveLength(1);
    },
  );
});
