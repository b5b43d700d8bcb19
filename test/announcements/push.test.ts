import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLanguages, locales } from "../../src/language/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import type { Links } from "../../src/oauth/index.ts";
import { feedXml, type HubServer, startHub } from "../../src/sandbox/hub/index.ts";
import type { HubCallback } from "../../src/web/index.ts";
import { startWeb } from "../../src/web/index.ts";
import { seed, seeded } from "../support/random.ts";
import {
  announcedIn,
  day,
  guildId,
  hour,
  minute,
  openRig,
  owner,
  type Rig,
  uploadsHere,
} from "./rig.ts";

let hub: HubServer;
let rig: Rig;
let web: Awaited<ReturnType<typeof startWeb>>;
const logged: string[] = [];
const roomLog: string[] = [];

beforeEach(async () => {
  let now = Date.now;
  let callback: HubCallback | undefined;
  const log = createLog({ level: "debug", secrets: createSecrets(), write: (l) => logged.push(l) });
  hub = await startHub({ now: () => now(), random: seeded(seed) });
  web = await startWeb({
    links: {} as Links,
    publicUrl: "https://bot.example",
    goesTo: [],
    discordUrl: "https://discord.example",
    words: { locales, of: createLanguages().of },
    hub: {
      verify: async (...asked) => callback?.verify(...asked),
      take: async (...news) => callback?.take(...news) ?? "gone",
    },
    port: 0,
    host: "127.0.0.1",
    log,
    now: () => now(),
    traffic: { visitor: 100_000, all: 100_000 },
  });
  const callbackUrl = `http://127.0.0.1:${web.port}/hub`;
  roomLog.length = 0;
  rig = await openRig({ callbackUrl, hubUrl: hub.url, write: (line) => roomLog.push(line) });
  now = rig.clock.now;
  callback = rig.first.feeds.hub;
});
afterEach(async () => {
  await rig.close();
  await Promise.all([web.close(), hub.close()]);
});

/**
 * Requests to the hub, its questions and what follows from them take turns; a minute for each is more than any needs.
 */
async function passUntilSettled(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    await hub.settled();
    await rig.clock.pass(minute);
  }
}

/** Follows a channel, and waits until the hub has verified the subscription. */
async function subscribed() {
  const channel = rig.stranger();
  const feed = await rig.follow(channel.id);
  await hub.settled();
  await rig.clock.pass(minute);
  const entryOf = (videoId: string) => ({
    videoId,
    channelId: channel.id,
    channelTitle: channel.title,
    title: "T",
    publishedAt: rig.clock.now(),
  });
  const tell = async (videoId: string, delivery = {}) => {
    const answers = await hub.publish(entryOf(videoId), delivery);
    await rig.clock.pass(minute);
    return answers;
  };
  return { channelId: channel.id, feed, entryOf, tell };
}

describe("a feed with push notifications", () => {
  it("is announced at once, and looked at four times a day", async () => {
    const { channelId, feed, tell } = await subscribed();
    const spent = rig.units.spent;
    await rig.clock.pass(day);
    const idle = rig.units.spent - spent;
    const { id } = rig.video.releases.publish({ channelId, title: "Told" });

    const answers = await tell(id);

    expect(hub.subscriptions).toHaveLength(1);
    expect(await rig.of().status(feed.id)).toMatchObject({ isPushed: true, unitsADay: 4 });
    expect(idle).toBeLessThanOrEqual(5);
    expect(answers).toEqual([202]);
    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("is announced once, however often and in whatever order it is pushed", async () => {
    const { channelId, entryOf } = await subscribed();
    hub.hold();
    const ids: string[] = [];
    for (let number = 0; number < 12; number += 1) {
      const { id } = rig.video.releases.publish({ channelId, title: `${number}` });
      ids.push(id);
      await hub.publish(entryOf(id), { times: 3 });
    }

    await hub.release();
    await rig.clock.pass(day);

    expect(
      announcedIn(rig)
        .map(([id]) => id)
        .toSorted(),
    ).toEqual(ids.toSorted());
  });

  it("pays nothing for changes of what is known, and a unit for what is new", async () => {
    const { channelId, tell } = await subscribed();
    const { id } = rig.video.releases.publish({ channelId, title: "One" });
    const before = rig.units.spent;
    await tell(id);
    const first = rig.units.spent - before;

    rig.video.releases.rename(id, "Two");
    await tell(id);
    await tell(id);

    expect(first).toBe(1);
    expect(rig.units.spent - before).toBe(1);
    expect(rig.channel.messages).toHaveLength(1);
  });

  it("waits for a video that YouTube does not show yet", async () => {
    const { channelId, tell } = await subscribed();
    const { id } = rig.video.releases.publish({ channelId, title: "Early", privacy: "private" });
    await tell(id);
    rig.video.releases.setPrivacy(id, "public");

    await rig.clock.pass(5 * minute);

    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("ignores deletions, other channels' videos and what is old", async () => {
    const { channelId, tell, entryOf } = await subscribed();
    const own = rig.video.releases.publish({ channelId: rig.video.ownChannelId, title: "Other" });
    const old = (await rig.rows()).announcements[0]?.videoId ?? "";

    await tell(own.id);
    await tell(old);
    await hub.publish({ ...entryOf(old), isDeleted: true });
    await hub.publish({ ...entryOf(own.id), channelId }, { body: "<feed/>" });
    await rig.clock.pass(hour);

    expect(rig.channel.messages).toEqual([]);
  });

  it("is polled again when the hub forgets it, and asked for anew in time", async () => {
    const { feed } = await subscribed();
    const first = hub.subscriptions.map(({ callback }) => callback);
    for (let passed = 0; passed < 9; passed += 1) {
      await rig.clock.pass(12 * hour);
      await hub.settled();
    }
    const renewed = hub.subscriptions.length;
    const isPushed = (await rig.of().status(feed.id))?.isPushed;
    hub.faults.add({ kind: "answer", status: 500 });

    await rig.clock.pass(7 * day);

    expect(first).toHaveLength(1);
    expect(renewed).toBe(2);
    expect(isPushed).toBe(true);
    expect((await rig.of().status(feed.id))?.isPushed).toBe(false);
  });

  it("is asked for again within the lease that the hub grants, and costs no more looks for it", async () => {
    hub.lease({ longestS: 3_600 });
    const { channelId, feed, tell } = await subscribed();
    await rig.clock.pass(hour);
    const spent = rig.units.spent;
    let pushed = 0;

    for (let passed = 0; passed < 24; passed += 1) {
      await rig.clock.pass(hour);
      await hub.settled();
      if ((await rig.of().status(feed.id))?.isPushed) pushed += 1;
    }
    const { id } = rig.video.releases.publish({ channelId, title: "Told" });
    await tell(id);

    expect(pushed).toBe(24);
    expect(rig.units.spent - spent).toBeLessThanOrEqual(6);
    expect(hub.leasesAsked.length).toBeLessThan(50);
    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it.each(["refused", "denied"] as const)(
    "asks for a shorter lease where a long one is %s",
    async (beyond) => {
      hub.lease({ longestS: 8 * 3_600, beyond });
      const { channelId, feed, tell } = await subscribed();
      await passUntilSettled();
      const first = [...hub.leasesAsked];
      const { id } = rig.video.releases.publish({ channelId, title: "Told" });
      await tell(id);
      await rig.clock.pass(12 * hour);

      expect(first).toEqual([432_000, 86_400, 21_600]);
      expect(hub.leasesAsked.slice(3)).toContain(21_600);
      expect(hub.leasesAsked.slice(3)).not.toContain(86_400);
      expect((await rig.of().status(feed.id))?.isPushed).toBe(true);
      expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
    },
  );

  it.each(["refused", "denied"] as const)(
    "is looked at, and logged, where every lease is %s",
    async (beyond) => {
      hub.lease({ longestS: 60, beyond });
      const { channelId, feed } = await subscribed();
      await passUntilSettled();
      const { id } = rig.video.releases.publish({ channelId, title: "Found" });
      await rig.clock.pass(12 * hour);
      const inHalfADay = [...hub.leasesAsked];
      await rig.clock.pass(day);

      expect(inHalfADay).toEqual([432_000, 86_400, 21_600, 3_600]);
      expect(hub.leasesAsked.length).toBeLessThanOrEqual(2 * inHalfADay.length);
      expect(hub.leasesAsked[4]).toBe(432_000);
      expect((await rig.of().status(feed.id))?.isPushed).toBe(false);
      expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
      expect(roomLog.join("\n")).toContain("the hub refused every lease");
    },
  );

  it("takes a lease that the hub does not name for the one that was asked for", async () => {
    hub.lease({ isSent: false });
    const { feed } = await subscribed();

    await rig.clock.pass(3 * day);

    expect(hub.leasesAsked).toEqual([432_000]);
    expect((await rig.of().status(feed.id))?.isPushed).toBe(true);
  });

  it("renews a lease that is longer than what was asked for before its callback ends", async () => {
    const { channelId, feed, tell } = await subscribed();
    const [{ callback, topic } = { callback: "", topic: "" }] = hub.subscriptions;
    const question = { "hub.mode": "subscribe", "hub.topic": topic, "hub.challenge": "x" };
    await hub.ask(callback, { ...question, "hub.lease_seconds": `${30 * 86_400}` });
    await rig.clock.pass(8 * day);
    await hub.settled();
    const { id } = rig.video.releases.publish({ channelId, title: "Late" });

    await tell(id);

    expect((await rig.of().status(feed.id))?.isPushed).toBe(true);
    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("steps down once for a denial that is said twice", async () => {
    hub.lease({ longestS: 86_400, beyond: "denied" });
    const denied: Promise<Response>[] = [];
    await subscribed();
    const [{ callback, topic } = { callback: "", topic: "" }] = hub.subscriptions;
    const question = { "hub.mode": "denied", "hub.topic": topic };
    for (let times = 0; times < 5; times += 1) denied.push(hub.ask(callback, question));
    await Promise.all(denied);
    await passUntilSettled();

    expect(hub.leasesAsked).toEqual([432_000, 86_400, 21_600]);
  });

  it("takes no more than 30 looks an hour of a flood", async () => {
    const { entryOf } = await subscribed();
    const before = rig.units.spent;

    for (let second = 0; second < 600; second += 5) {
      await hub.publish(entryOf(`flood${String(second).padStart(6, "0")}`));
      await rig.clock.pass(5_000);
    }

    expect(rig.units.spent - before).toBeLessThan(60);
  });
});

describe("the end of a subscription", () => {
  const ends: readonly (readonly [string, (feedId: string) => Promise<unknown>])[] = [
    ["an announcement that is removed", (feedId) => rig.of().remove(feedId)],
    ["an announcement that is paused", (feedId) => rig.of().pause(feedId, owner)],
    ["a server whose data is erased", () => rig.first.eraseServer(guildId)],
    [
      "a server without a connection",
      async () => {
        rig.disconnect();
        await rig.of().pollSoon();
      },
    ],
  ];

  it.each(ends)("is requested for %s, once", async (_, end) => {
    const { feed } = await subscribed();
    const [callback] = hub.subscriptions.map((one) => one.callback);

    await end(feed.id);
    await passUntilSettled();
    await rig.clock.pass(day);

    expect(hub.endsAsked).toEqual([callback]);
    expect(hub.subscriptions).toEqual([]);
  });

  it("leaves no job behind once the subscription would have ended by itself", async () => {
    await subscribed();
    await rig.first.eraseServer(guildId);
    await passUntilSettled();
    const { jobs } = await rig.rows();

    await rig.clock.pass(6 * day);

    expect(jobs.map(({ queue }) => queue)).toEqual(["feeds.unsubscribe"]);
    expect((await rig.rows()).jobs).toEqual([]);
  });

  it("ends each of a feed's subscriptions, and another server's stays", async () => {
    const { channelId, feed } = await subscribed();
    const uploads = `UU${channelId.slice(2)}`;
    await rig.first.feeds
      .of("100000000000000009")
      .put({ source: channelId, title: "t", uploads, places: { upload: uploadsHere } }, owner);
    await passUntilSettled();
    const first = hub.subscriptions.map(({ callback }) => callback);
    await rig.clock.pass(4 * day + hour);
    await passUntilSettled();
    const all = hub.subscriptions.map(({ callback }) => callback);

    await rig.of().remove(feed.id);
    await passUntilSettled();

    expect([first.length, all.length]).toEqual([2, 4]);
    expect(hub.endsAsked).toHaveLength(2);
    expect(hub.subscriptions).toHaveLength(2);
    const entry = { videoId: "abcdefghijk", channelId, channelTitle: "", title: "" };
    expect(await hub.publish({ ...entry, publishedAt: 0 })).toEqual([202, 202]);
  });

  it.each([
    ["answers 503", { kind: "answer", status: 503 }],
    ["answers 404", { kind: "answer", status: 404 }],
    ["answers 429", { kind: "answer", status: 429 }],
    ["breaks the connection", { kind: "cut-before" }],
    ["accepts it and never asks back", { kind: "answer", status: 202 }],
  ] as const)("is requested again where the hub %s, and blocks nothing", async (_, fault) => {
    const { feed } = await subscribed();
    hub.faults.add(fault);

    const isRemoved = await rig.of().remove(feed.id);
    await passUntilSettled();
    const left = hub.subscriptions.length;
    hub.faults.clear();
    await rig.clock.pass(hour);
    await passUntilSettled();

    expect(isRemoved).toBe(true);
    expect(left).toBe(1);
    expect(await rig.of().all()).toEqual([]);
    expect(hub.subscriptions).toEqual([]);
  });

  it("is given up when the subscription has ended by itself", async () => {
    const { feed } = await subscribed();
    const { met } = hub.faults.add({ kind: "answer", status: 400 });
    await rig.of().remove(feed.id);
    await passUntilSettled();
    await met;

    await rig.clock.pass(6 * day);
    const asked = roomLog.filter((line) => line.includes("did not end a")).length;

    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(15);
    expect((await rig.rows()).jobs).toEqual([]);
  });

  it("comes for a feed that is removed while the hub is asked for a subscription", async () => {
    const channel = rig.stranger();
    const { met } = hub.faults.add({ kind: "delay", delayMs: 50, times: 1 });
    const uploads = `UU${channel.id.slice(2)}`;
    const feed = await rig
      .of()
      .put({ source: channel.id, title: "t", uploads, places: { upload: uploadsHere } }, owner);
    const passing = rig.clock.pass(minute);
    await met;

    await rig.of().remove(feed.id);
    await passing;
    await vi.waitFor(() => expect(hub.leasesAsked).toHaveLength(1));
    await passUntilSettled();

    expect(hub.endsAsked).toHaveLength(1);
    expect(hub.subscriptions).toEqual([]);
  });

  it("leads to a new subscription when the announcement goes on", async () => {
    const { channelId, feed, tell } = await subscribed();
    await rig.of().pause(feed.id, owner);
    await passUntilSettled();
    const paused = hub.subscriptions.length;
    await rig.of().resume(feed.id);
    await passUntilSettled();
    const { id } = rig.video.releases.publish({ channelId, title: "Told" });

    await tell(id);

    expect(paused).toBe(0);
    expect(hub.subscriptions).toHaveLength(1);
    expect((await rig.of().status(feed.id))?.isPushed).toBe(true);
    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("leads to a new subscription when the server has a connection again", async () => {
    const { feed } = await subscribed();
    rig.disconnect();
    await rig.of().pollSoon();
    await passUntilSettled();
    const keyless = hub.subscriptions.length;
    rig.reconnect();

    await rig.clock.pass(hour);
    await passUntilSettled();

    expect(keyless).toBe(0);
    expect(hub.subscriptions).toHaveLength(1);
    expect((await rig.of().status(feed.id))?.isPushed).toBe(true);
  });

  it("is confirmed however often the hub asks, from any process, and only where it is wanted", async () => {
    const { feed } = await subscribed();
    const other = await rig.begin({ isIdle: true });
    const [{ callback, topic } = { callback: "", topic: "" }] = hub.subscriptions;
    const path = callback.split("/").at(-1) ?? "";
    const question = { mode: "unsubscribe", topic, challenge: "abc", leaseSeconds: undefined };
    const askBoth = async (asked: typeof question) => [
      await rig.first.feeds.hub.verify(path, asked),
      await other.feeds.hub.verify(path, asked),
    ];

    const before = await askBoth(question);
    await rig.of().remove(feed.id);
    const after = await askBoth(question);
    const wrong = await askBoth({ ...question, topic: `${topic}x` });
    const empty = await askBoth({ ...question, challenge: "" });
    const again = await askBoth({ ...question, mode: "subscribe" });

    expect(before).toEqual([undefined, undefined]);
    expect(after).toEqual(["abc", "abc"]);
    expect([wrong, empty, again].flat()).toEqual(Array(6).fill(undefined));
  });
});

describe("the callback", () => {
  const ask = async (path: string, question: Record<string, string>) => {
    const url = `http://127.0.0.1:${web.port}/hub/${path}`;
    const response = await hub.ask(url, question);
    return {
      status: response.status,
      body: await response.text(),
      type: response.headers.get("content-type"),
    };
  };
  const pathIn = (callback: string | undefined) => (callback ?? "").split("/").at(-1) ?? "";

  it("answers the challenge of what was asked for, and of nothing else", async () => {
    await subscribed();
    const [{ callback, topic } = { callback: "", topic: "" }] = hub.subscriptions;
    const path = pathIn(callback);
    const right = {
      "hub.mode": "subscribe",
      "hub.topic": topic,
      "hub.challenge": "<b>abc</b>",
      "hub.lease_seconds": "60",
    };

    const good = await ask(path, right);
    const others = await Promise.all([
      ask(path, { ...right, "hub.topic": `${topic}x` }),
      ask(path, { ...right, "hub.mode": "unsubscribe" }),
      ask(path, { ...right, "hub.mode": "x" }),
      ask(path, { ...right, "hub.challenge": "" }),
      ask(path, { ...right, "hub.challenge": "x".repeat(5_000) }),
      ask("A".repeat(43), right),
      ask("short", right),
    ]);

    expect(good).toMatchObject({ status: 200, body: "<b>abc</b>" });
    expect(good.type).toMatch(/^text\/plain/u);
    expect(others.map(({ status }) => status)).toEqual(Array(7).fill(404));
    expect(others.some(({ body }) => body.includes("abc"))).toBe(false);
  });

  it("takes what is not signed, and does nothing with it", async () => {
    const { channelId, tell } = await subscribed();
    const { id } = rig.video.releases.publish({ channelId, title: "Forged" });
    const spent = rig.units.spent;
    logged.length = 0;

    const answers = [
      await tell(id, { signature: undefined }),
      await tell(id, { signature: "sha1=0000000000000000000000000000000000000000" }),
      await tell(id, { signature: "nonsense" }),
    ];

    expect(answers.flat()).toEqual([202, 202, 202]);
    expect(rig.units.spent).toBe(spent);
    expect(rig.channel.messages).toEqual([]);
  });

  it("refuses a body that is too large before it is read", async () => {
    const { tell } = await subscribed();

    expect(await tell("x", { body: "x".repeat(300_000) })).toEqual([413]);
  });

  it("says that it is over when the feed is gone, so that the hub ends it", async () => {
    const { feed, tell } = await subscribed();
    await rig.of().remove(feed.id);

    expect(await tell("abcdefghijk")).toEqual([410]);
    expect(hub.subscriptions).toEqual([]);
  });

  it("is quiet for a feed that is paused", async () => {
    const { channelId, feed, tell } = await subscribed();
    await rig.of().pause(feed.id, "200000000000000002");
    const { id } = rig.video.releases.publish({ channelId, title: "Watch paused" });
    const spent = rig.units.spent;

    const answers = await tell(id);

    expect(answers).toEqual([202]);
    expect(rig.units.spent).toBe(spent);
    expect(rig.channel.messages).toEqual([]);
  });

  it("keeps path and secret nowhere in the open", async () => {
    await subscribed();
    const [one] = hub.subscriptions;

    const rows = JSON.stringify(await rig.rows());

    expect(one?.secret).toMatch(/^[\da-f]{64}$/u);
    expect(rows).not.toContain(one?.secret);
    expect(rows).not.toContain(pathIn(one?.callback));
    expect(logged.join("\n")).not.toContain(pathIn(one?.callback));
  });

  it("leaves the pages' own headers on its answers", async () => {
    const response = await fetch(`http://127.0.0.1:${web.port}/hub/${"A".repeat(43)}`, {
      method: "POST",
      body: feedXml(
        { videoId: "a", channelId: "b", channelTitle: "", title: "", publishedAt: 0 },
        0,
      ),
    });

    expect(response.status).toBe(410);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toBe("");
  });
});
