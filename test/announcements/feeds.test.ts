import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFeedRecords } from "../../src/announcements/feed-records.ts";
import { AccessError, LimitError } from "../../src/errors.ts";
import {
  announcedIn,
  day,
  everywhere,
  guildId,
  hour,
  liveHere,
  minute,
  openRig,
  owner,
  plenty,
  type Rig,
  shortsHere,
  uploadsHere,
} from "./rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const roleId = "400000000000000004";

describe("a feed", () => {
  it("announces nothing that was there before", async () => {
    await rig.followStranger();
    await rig.clock.pass(day);

    expect(rig.channel.messages).toEqual([]);
  });

  it("is not added after its server was erased during the same work", async () => {
    const { id: source, title } = rig.stranger();
    const channel = { source, title, uploads: `UU${source.slice(2)}`, places: everywhere };
    const feeds = rig.of();
    const work = feeds.during(async () => {
      await feeds.put(channel, owner);
      await rig.first.eraseServer(guildId);
      return feeds.put({ ...channel, source: rig.video.ownChannelId }, owner);
    });

    await expect(work).rejects.toMatchObject({ code: "guild_erased" });
    expect((await rig.rows()).feeds).toEqual([]);
  });

  it("publishes messages and opens threads, later where Discord has had enough", async () => {
    const upload = { ...uploadsHere, isPublished: true, hasThread: true, tagIds: ["7"] };
    const { channelId } = await rig.followStranger({ upload });
    const retryAt = new Date(rig.clock.now() + 2 * hour);
    const limit = () => new LimitError("ten an hour", { code: "rate_limited", retryAt });
    rig.channel.refusePublishing(() => (rig.channel.published.length < 1 ? undefined : limit()));
    for (const title of ["One", "Two"]) rig.video.releases.publish({ channelId, title });
    await rig.clock.pass(hour);
    const soon = [...rig.channel.published];
    const troubles = async () => (await rig.of().statuses())[0]?.progress?.troubles;
    const [limited] = (await troubles()) ?? [];
    rig.channel.refusePublishing(undefined);

    await rig.clock.pass(2 * hour);

    const ids = rig.channel.messages.map(({ messageId }) => messageId);
    expect(soon).toEqual(ids.slice(0, 1));
    expect(rig.channel.published).toEqual(ids);
    expect(limited).toMatchObject({ what: "isPublished", code: "rate_limited" });
    expect(await troubles()).toEqual([]);
    expect(rig.channel.threads.toSorted()).toEqual(["One", "Two"]);
    expect(rig.channel.messages[0]?.message.tagIds).toEqual(["7"]);
    const { announcements } = await rig.rows();
    expect(announcements.filter(({ state }) => state === "due")).toEqual([]);
  });

  it("records no trouble for a place when people removed a message", async () => {
    const { channelId, id } = await rig.followStranger({
      upload: { ...uploadsHere, isPublished: true },
    });
    const gone = () => new AccessError("it was removed", { code: "discord_message_gone" });
    rig.channel.refusePublishing(gone);
    rig.video.releases.publish({ channelId, title: "One" });

    await rig.clock.pass(hour);

    expect(rig.channel.messages).toHaveLength(1);
    const { announcements } = await rig.rows();
    expect(announcements.filter(({ state }) => state === "due")).toEqual([]);
    expect((await rig.of().status(id))?.progress?.troubles).toBeUndefined();
  });

  it("says since when posts in a forum lack tags, until one has them all", async () => {
    const upload = { ...uploadsHere, isForum: true, tagIds: ["0"] } as const;
    const { channelId, id } = await rig.followStranger({ upload });
    const troubles = async () => (await rig.of().status(id))?.progress?.troubles;
    rig.video.releases.publish({ channelId, title: "One" });
    await rig.clock.pass(hour);
    const before = await troubles();
    await rig.of().change(id, () => ({ upload: { ...upload, tagIds: ["7"] } }));
    rig.video.releases.publish({ channelId, title: "Two" });

    await rig.clock.pass(hour);

    expect(before).toMatchObject([{ what: "tagIds", code: "tags_left_out" }]);
    expect(await troubles()).toEqual([]);
  });

  it("is found by the number of its videos where units are short", async () => {
    await rig.close();
    const left = () => {
      return { ...plenty(rig.clock.now()), left: 4_600, resetsAt: new Date(rig.clock.now() + day) };
    };
    rig = await openRig({ left });
    const others = createFeedRecords(rig.database);
    const { channelId, id } = await rig.followStranger();
    // Another feed of the project, which wants all of its units.
    const greedy = { guildId, feedId: "f".repeat(16) };
    const feed = (await rig.rows()).feeds[0];
    const paused = { at: 0, by: owner };
    await others.changeFeed(
      greedy,
      () => feed && { ...feed, id: greedy.feedId, source: "x", paused },
    );
    await others.changeProgress(greedy, () => ({ project: guildId, looksADay: 8_000 }));
    await rig.clock.pass(hour);
    const spent = rig.units.spent;
    const { progress } = (await others.read({ guildId, feedId: id })) ?? {};
    const { id: videoId } = rig.video.releases.publish({ channelId, title: "Counted" });

    await rig.clock.pass(12 * minute);

    expect((progress?.nextPollAt ?? 0) - (progress?.polledAt ?? 0)).toBeGreaterThan(40 * minute);
    expect(announcedIn(rig).map(([found]) => found)).toEqual([videoId]);
    // Two counts at most, the list and the video.
    expect(rig.units.spent - spent).toBeLessThanOrEqual(4);
  });

  it("never announces what came out while it was muted, and what its filter leaves out", async () => {
    const { channelId, id } = await rig.followStranger();
    const { releases } = rig.video;
    await rig.of().mute(undefined, rig.clock.now() + 2 * hour);
    releases.publish({ channelId, title: "Meanwhile" });
    await rig.clock.pass(3 * hour);
    await rig.of().mute([id], rig.clock.now() + day);
    releases.publish({ channelId, title: "Again" });
    const unmuted = await rig.of().mute(undefined, undefined);
    await rig.of().setFilter(id, () => ({ titleContains: ["news"] }));
    releases.publish({ channelId, title: "Other" });
    const start = rig.clock.now() + day;
    releases.publish({ channelId, title: "Planned", live: "upcoming", startsAt: start });
    const { id: wanted } = releases.publish({ channelId, title: "News" });

    await rig.clock.pass(2 * hour);

    expect(unmuted.map((feed) => feed.id)).toEqual([id]);
    expect(announcedIn(rig).map(([videoId]) => videoId)).toEqual([wanted]);
    const { announcements } = await rig.rows();
    expect(announcements.filter(({ state }) => state === "awaited")).toEqual([]);
  });

  it("distinguishes uploads, Shorts and live streams", async () => {
    const { channelId } = await rig.followStranger();
    const { releases } = rig.video;
    const upload = releases.publish({ channelId, title: "Long", seconds: 600 });
    const tall = releases.publish({ channelId, title: "Tall", seconds: 180, shape: "tall" });
    const square = releases.publish({ channelId, title: "Square", seconds: 60, shape: "square" });
    const tooLong = releases.publish({ channelId, title: "x", seconds: 181, shape: "tall" });
    const wide = releases.publish({ channelId, title: "y", seconds: 20 });
    const unknown = releases.publish({ channelId, title: "z", seconds: 20, shape: undefined });
    const live = releases.publish({ channelId, title: "Live", live: "live" });

    await rig.clock.pass(hour);

    expect(Object.fromEntries(announcedIn(rig))).toEqual({
      [upload.id]: uploadsHere.channelId,
      [tall.id]: shortsHere.channelId,
      [square.id]: shortsHere.channelId,
      [tooLong.id]: uploadsHere.channelId,
      [wide.id]: uploadsHere.channelId,
      [unknown.id]: uploadsHere.channelId,
      [live.id]: liveHere.channelId,
    });
    expect(rig.channel.messages).toHaveLength(7);
  });

  it("announces a premiere once, when it begins, though it is put off", async () => {
    const { channelId } = await rig.followStranger();
    const startsAt = rig.clock.now() + 5 * hour;
    const { releases } = rig.video;
    const { id } = releases.publish({ channelId, title: "Premiere", live: "upcoming", startsAt });
    await rig.clock.pass(4 * hour);
    releases.reschedule(id, startsAt + hour);
    await rig.clock.pass(2 * hour);
    const before = rig.channel.messages.length;

    releases.goLive(id);
    await rig.clock.pass(10 * minute);
    const during = announcedIn(rig);
    releases.endLive(id);
    await rig.clock.pass(day);

    expect(before).toBe(0);
    expect(during).toEqual([[id, liveHere.channelId]]);
    expect(rig.channel.messages).toHaveLength(1);
    expect(rig.channel.messages[0]?.message.facts).toMatchObject({ video: { kind: "live" } });
  });

  it("announces a premiere and a stream as uploads, once each has become a video, where only uploads are", async () => {
    const { channelId } = await rig.followStranger({ upload: uploadsHere });
    const startsAt = rig.clock.now() + 2 * hour;
    const { releases } = rig.video;
    const planned = releases.publish({ channelId, title: "Premiere", live: "upcoming", startsAt });
    const stream = releases.publish({ channelId, title: "Stream", live: "live" });
    await rig.clock.pass(2 * hour);
    releases.goLive(planned.id);
    await rig.clock.pass(hour);
    const during = announcedIn(rig);

    releases.endLive(planned.id);
    releases.endLive(stream.id);
    await rig.clock.pass(2 * hour);

    expect(during).toEqual([]);
    expect(announcedIn(rig).toSorted()).toEqual(
      [planned.id, stream.id].map((id) => [id, uploadsHere.channelId]).toSorted(),
    );
    expect(rig.channel.messages.map(({ message }) => message.facts)).toMatchObject([
      { video: { kind: "upload" } },
      { video: { kind: "upload" } },
    ]);
  });

  it("awaits what was planned before the feed began", async () => {
    const { id: channelId } = rig.stranger();
    const { releases } = rig.video;
    const startsAt = rig.clock.now() + 2 * hour;
    const { id } = releases.publish({ channelId, title: "Soon", live: "upcoming", startsAt });
    await rig.follow(channelId);
    await rig.clock.pass(2 * hour);

    releases.goLive(id);
    await rig.clock.pass(10 * minute);

    expect(announcedIn(rig)).toEqual([[id, liveHere.channelId]]);
  });

  it("announces what becomes public later, once, and not before", async () => {
    const { id: channelId } = rig.stranger();
    const { releases } = rig.video;
    const hidden = releases.publish({ channelId, title: "Hidden", privacy: "private" });
    await rig.follow(channelId);
    const publishAt = rig.clock.now() + 3 * hour;
    const planned = releases.publish({ channelId, title: "P", privacy: "private", publishAt });
    await rig.clock.pass(2 * hour);
    const before = rig.channel.messages.length;

    releases.setPrivacy(hidden.id, "public");
    await rig.clock.pass(4 * hour);

    expect(before).toBe(0);
    expect(announcedIn(rig).map(([id]) => id)).toEqual([hidden.id, planned.id]);
  });

  it("announces no title's change, and nothing that was hidden and shown again", async () => {
    const { channelId } = await rig.followStranger();
    const { releases } = rig.video;
    const { id } = releases.publish({ channelId, title: "One" });
    await rig.clock.pass(hour);

    releases.rename(id, "Two");
    await rig.clock.pass(hour);
    releases.setPrivacy(id, "private");
    await rig.clock.pass(hour);
    releases.setPrivacy(id, "public");
    await rig.clock.pass(day);

    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("does not take an old video for a new one when a newer one is deleted", async () => {
    const channelId = rig.video.ownChannelId;
    const { releases } = rig.video;
    const many = Array.from({ length: 60 }, (_, index) =>
      releases.publish({ channelId, title: `Old ${index}` }),
    );
    await rig.clock.pass(minute);
    await rig.follow(channelId);

    for (const { id } of many.slice(40)) releases.withdraw(id);
    await rig.clock.pass(day);

    expect(rig.channel.messages).toEqual([]);
  });

  it("passes over what is deleted before it is announced", async () => {
    const { channelId } = await rig.followStranger();
    rig.channel.strike(() => "before");
    const { id } = rig.video.releases.publish({ channelId, title: "Gone" });
    await rig.clock.pass(hour);
    rig.video.releases.withdraw(id);
    rig.channel.strike(undefined);

    await rig.clock.pass(day);

    expect(rig.channel.messages).toEqual([]);
  });

  it("calls a place's role with the first of several, and with nothing else", async () => {
    const { channelId } = await rig.followStranger({
      upload: { ...uploadsHere, roleId },
      short: shortsHere,
    });
    const { releases } = rig.video;
    for (const title of ["a", "b", "c"]) releases.publish({ channelId, title });
    releases.publish({ channelId, title: "d", seconds: 9, shape: "tall" });

    await rig.clock.pass(hour);

    const pings = rig.channel.messages.map(({ message }) => message.pingRoleId);
    expect(pings.filter((ping) => ping !== undefined)).toEqual([roleId]);
    expect(pings).toHaveLength(4);
  });

  it("announces only the kinds that somebody wants", async () => {
    const { channelId } = await rig.followStranger({ short: shortsHere });
    rig.video.releases.publish({ channelId, title: "Long" });
    await rig.clock.pass(hour);

    await rig
      .of()
      .put(
        { source: channelId, title: "t", uploads: `UU${channelId.slice(2)}`, places: everywhere },
        owner,
      );
    await rig.clock.pass(day);

    expect(rig.channel.messages).toEqual([]);
  });

  it("is silent while it is paused, and about what came out meanwhile", async () => {
    const { channelId, id } = await rig.followStranger();
    await rig.of().pause(id, owner);
    const spent = rig.units.spent;
    rig.video.releases.publish({ channelId, title: "Meanwhile" });
    await rig.clock.pass(day);
    const paused = rig.units.spent - spent;

    await rig.of().resume(id);
    await rig.clock.pass(hour);
    const after = rig.video.releases.publish({ channelId, title: "After" });
    await rig.clock.pass(2 * hour);

    expect(paused).toBe(0);
    expect(announcedIn(rig).map(([video]) => video)).toEqual([after.id]);
  });

  it("forgets a name that nobody reads again, and reads it in time where somebody does", async () => {
    const { channelId, title, id } = await rig.followStranger();
    await rig.of().pause(id, owner);
    await rig.clock.pass(28 * day);
    const kept = (await rig.of().all())[0];
    await rig.clock.pass(day);
    const forgotten = (await rig.of().all())[0];

    await rig.of().resume(id);
    await rig.clock.pass(2 * minute);

    expect(kept?.title).toBe(title);
    expect(forgotten?.title).toBe(channelId);
    expect((await rig.of().all())[0]?.title).toBe(title);
  });

  it("posts a sample that calls nobody and counts for nothing", async () => {
    const { channelId, id } = await rig.followStranger({ upload: { ...uploadsHere, roleId } });

    const { channelId: to } = await rig.of().test(id);
    const { id: made } = rig.video.releases.publish({ channelId, title: "New" });
    await rig.clock.pass(2 * hour);

    const [sample] = rig.channel.messages;
    expect(to).toBe(uploadsHere.channelId);
    expect(sample?.message.pingRoleId).toBeUndefined();
    expect(sample?.message.facts).toMatchObject({ isSample: true });
    expect(announcedIn(rig).slice(1)).toEqual([[made, uploadsHere.channelId]]);
  });

  it("takes everything with it when it is removed", async () => {
    const { id } = await rig.followStranger();

    const isThere = await rig.of().remove(id);
    const again = await rig.of().remove(id);
    await rig.clock.pass(day);

    expect([isThere, again]).toEqual([true, false]);
    expect(await rig.rows()).toEqual({ feeds: [], progress: [], announcements: [], jobs: [] });
  });

  it("is one a channel, and there are at most 200 in a server", async () => {
    const put = (number: number) => {
      const source = `UC${String(number).padStart(22, "0")}`;
      return rig
        .of()
        .put({ source, title: "x", uploads: `UU${source.slice(2)}`, places: everywhere }, owner);
    };
    await put(0);
    const row = await rig.database.db.selectFrom("feeds").selectAll().executeTakeFirstOrThrow();
    const rows = Array.from({ length: 199 }, (_, index) => {
      const own = { id: `${index + 1}`, source: `UC${String(index + 1).padStart(22, "0")}` };
      return { ...row, ...own, data: JSON.stringify({ ...JSON.parse(row.data), ...own }) };
    });
    await rig.database.db.insertInto("feeds").values(rows).execute();

    await put(3);
    const refused = put(200).catch((error: unknown) => error);

    expect(await rig.of().all()).toHaveLength(200);
    expect(await refused).toMatchObject({ code: "too_many_feeds" });
  });
});

describe("a linked channel's own list", () => {
  it("announces its private videos when they become public, and pays nothing until then", async () => {
    await rig.close();
    rig = await openRig({ asOwner: true });
    const channelId = rig.video.ownChannelId;
    const { releases } = rig.video;
    const old = releases.publish({ channelId, title: "Old", privacy: "private" });
    const unlisted = releases.publish({ channelId, title: "Unlisted", privacy: "unlisted" });
    await rig.clock.pass(hour);
    await rig.follow(channelId);
    const spent = rig.units.spent;
    await rig.clock.pass(2 * hour);
    const looks = rig.units.spent - spent;
    const before = rig.channel.messages.length;

    releases.setPrivacy(old.id, "public");
    releases.setPrivacy(unlisted.id, "public");
    await rig.clock.pass(3 * hour);

    expect(before).toBe(0);
    expect(looks).toBeLessThan(26);
    expect(
      announcedIn(rig)
        .map(([id]) => id)
        .sort(),
    ).toEqual([old.id, unlisted.id].sort());
  });
});
