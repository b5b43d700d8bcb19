import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StreamNotice, StreamOptions } from "../../../src/announcements/index.ts";
import { AccessError } from "../../../src/errors.ts";
import { day, hour, liveHere, minute, openRig, type Rig } from "../rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const roleId = "400000000000000004";

async function follow(streams: StreamOptions, place: object = {}) {
  const { channelId, id } = await rig.followStranger(
    { live: { ...liveHere, roleId, ...place } },
    streams,
  );
  return { channelId, feedId: id, releases: rig.video.releases };
}

/** What is in the channel now: what each message says, `!` for a ping, and what was removed. */
function messages() {
  return rig.channel.messages.map(({ message, says, isRemoved }) => {
    const { what } = (says.facts as { notice: StreamNotice }).notice;
    return `${message.pingRoleId === undefined ? "" : "!"}${what}${isRemoved ? " (removed)" : ""}`;
  });
}

function notices() {
  return rig.channel.messages.map(({ says }) => (says.facts as { notice: StreamNotice }).notice);
}

async function state() {
  const { announcements } = await rig.rows();
  return announcements.filter(({ stream }) => stream !== undefined).map((one) => one.state);
}

describe("a stream that is announced a day ahead", () => {
  const startsIn = 25 * hour;

  async function run(streams: StreamOptions) {
    const { channelId, releases } = await follow(streams);
    const startsAt = rig.clock.now() + startsIn;
    const { id } = releases.publish({ channelId, title: "Planned", live: "upcoming", startsAt });
    const seen: (readonly string[])[] = [];
    const note = () => seen.push(messages());
    await rig.clock.pass(hour);
    note();
    await rig.clock.pass(startsIn - hour - 10 * minute);
    note();
    await rig.clock.pass(12 * minute);
    releases.goLive(id);
    await rig.clock.pass(2 * minute);
    note();
    await rig.clock.pass(2 * hour);
    releases.endLive(id, 7_200);
    await rig.clock.pass(hour);
    note();
    return seen;
  }

  it("has one message that is kept up to date, with short calls that go away", async () => {
    const seen = await run({ messages: "one", reminderMs: 15 * minute });
    await rig.clock.pass(26 * hour);

    expect(seen).toEqual([
      ["!scheduled"],
      ["!scheduled", "!reminder"],
      ["!live", "!reminder (removed)", "!call"],
      ["!over", "!reminder (removed)", "!call (removed)"],
    ]);
    expect(notices()[0]).toMatchObject({ isRecorded: true, peakViewers: 12 });
    expect(await state()).toEqual(["done"]);
  });

  it("has a message for each stage, of which only the newest says everything", async () => {
    const seen = await run({ messages: "each" });

    expect(seen).toEqual([
      ["!scheduled"],
      ["!scheduled"],
      ["!earlier", "!live"],
      ["!earlier", "!earlier", "over"],
    ]);
    const { channelId: at, messageId } = rig.channel.messages[2] ?? {};
    const newest = { channelId: at, messageId };
    const [first, second] = notices();
    expect(first).toEqual({ what: "earlier", startsAt: expect.any(Number), newest });
    expect(second).toEqual({ what: "earlier", startedAt: expect.any(Number), newest });
  });

  it("is not told again when people choose other messages", async () => {
    const { channelId, feedId, releases } = await follow({ messages: "one" });
    const startsAt = rig.clock.now() + hour;
    const release = () =>
      releases.publish({ channelId, title: "x", live: "upcoming", startsAt }).id;
    const [over, live, cancelled] = [release(), release(), release()];
    await rig.clock.pass(hour + minute);
    for (const id of [over, live]) releases.goLive(id);
    releases.withdraw(cancelled);
    await rig.clock.pass(20 * minute);
    releases.endLive(over, 60);
    await rig.clock.pass(30 * minute);
    const before = messages();

    await rig.of().changeStreams(feedId, () => ({ messages: "each" }));
    await rig.clock.pass(20 * minute);

    expect(messages()).toEqual(before);
    releases.endLive(live, 60);
    await rig.clock.pass(20 * minute);
    expect(messages().slice(before.length)).toEqual(["over"]);
  });

  it("has one message from its start on", async () => {
    const seen = await run({ messages: "live" });

    expect(seen).toEqual([[], [], ["!live"], ["!over"]]);
  });
});

it("says when a stream is put off, and when it should have begun long ago", async () => {
  const { channelId, releases } = await follow({ messages: "one" });
  const startsAt = rig.clock.now() + 3 * hour;
  const { id } = releases.publish({ channelId, title: "Late", live: "upcoming", startsAt });
  await rig.clock.pass(hour);
  releases.reschedule(id, startsAt + hour);
  await rig.clock.pass(2 * hour);
  const moved = notices()[0];
  await rig.clock.pass(2 * hour);

  expect(moved).toEqual({ what: "scheduled", startsAt: startsAt + hour, movedFrom: startsAt });
  expect(notices()[0]).toMatchObject({ what: "scheduled", isOverdue: true });
  expect(messages()).toHaveLength(1);
});

it("updates a message that is found only after the stream was put off", async () => {
  const { channelId, releases } = await follow({ messages: "one" });
  const startsAt = rig.clock.now() + 50 * minute;
  let posts = 0;
  rig.channel.strike(() => (posts++ === 0 ? "after" : "before"));
  const { id } = releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
  await rig.clock.pass(25 * minute);
  releases.reschedule(id, startsAt + hour);
  await rig.clock.pass(20 * minute);
  rig.channel.strike(undefined);

  await rig.clock.pass(10 * minute);

  expect(notices()).toMatchObject([{ what: "scheduled", startsAt: startsAt + hour }]);
});

it("tells of a deleted stream after the second look, and of one that is back", async () => {
  const { channelId, releases } = await follow({ messages: "each" });
  const startsAt = rig.clock.now() + 10 * day;
  const { id } = releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
  await rig.clock.pass(hour);
  releases.setPrivacy(id, "private");
  await rig.clock.pass(12 * hour);
  const lost = messages();
  releases.setPrivacy(id, "public");
  await rig.clock.pass(day);

  expect(lost).toEqual(["!earlier", "cancelled"]);
  expect(messages()).toEqual(["!scheduled", "cancelled (removed)"]);
  expect(notices()[0]).toMatchObject({ isBack: true });
});

it("announces a waiting room only two weeks before its start", async () => {
  const { channelId, releases } = await follow({ messages: "one" });
  const startsAt = rig.clock.now() + 16 * day;
  releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
  await rig.clock.pass(day);
  const before = messages();
  await rig.clock.pass(2 * day);

  expect([before, messages()]).toEqual([[], ["!scheduled"]]);
});

it("announces a waiting room that is overdue when first seen only once its stream begins", async () => {
  const { id: channelId } = rig.stranger();
  const publish = (late: number) => {
    const startsAt = rig.clock.now() - late;
    return rig.video.releases.publish({ channelId, title: "x", live: "upcoming", startsAt }).id;
  };
  publish(400 * day);
  const begins = publish(2 * hour);
  await follow({ messages: "one", hasEvents: true });
  await rig.clock.pass(hour);
  const before = messages();
  rig.video.releases.goLive(begins);
  await rig.clock.pass(hour);

  expect(before).toEqual([]);
  expect(messages()).toEqual(["!live"]);
  expect(rig.events.all).toEqual([]);
});

it("tells late what happened while no process ran: what is live, and what is over, without a ping", async () => {
  const { channelId, releases } = await follow({ messages: "one", reminderMs: hour });
  const startsAt = rig.clock.now() + 2 * hour;
  const release = (title: string) =>
    releases.publish({ channelId, title, live: "upcoming", startsAt }).id;
  const [over = "", live = ""] = [release("Over"), release("Live")];
  rig.first.kill();
  await rig.clock.pass(2 * hour);
  for (const id of [over, live]) releases.goLive(id);
  await rig.clock.pass(3 * hour);
  releases.endLive(over, 10_000);

  await rig.begin();
  await rig.clock.pass(20 * minute);

  expect(messages().toSorted()).toEqual(["live", "over"]);
  expect(notices().find(({ what }) => what === "over")).toMatchObject({ isLate: true });
});

it("reminds people while nothing can be read, and reads a stream without a place only once a day", async () => {
  const { channelId, feedId, releases } = await follow({ messages: "one", reminderMs: hour });
  const startsAt = rig.clock.now() + 6 * hour;
  releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
  await rig.clock.pass(hour);
  rig.disconnect();
  await rig.clock.pass(4 * hour + 40 * minute);
  const reminded = messages();
  rig.reconnect();
  await rig.of().change(feedId, () => ({ short: liveHere }));
  await rig.clock.pass(hour);
  const { looks } = rig.units;
  await rig.clock.pass(3 * hour);

  expect(reminded).toEqual(["!scheduled", "!reminder"]);
  expect(rig.units.looks).toBe(looks);
});

it("reminds people, and keeps an event open, however long YouTube can't be asked", async () => {
  const events = { messages: "one", hasEvents: true, reminderMs: 10 * minute } as const;
  const { channelId, releases } = await follow(events);
  const now = rig.clock.now();
  const first = releases.publish({ channelId, title: "x", live: "upcoming", startsAt: now + hour });
  releases.publish({ channelId, title: "y", live: "upcoming", startsAt: now + 6 * hour });
  await rig.clock.pass(hour);
  releases.goLive(first.id);
  await rig.clock.pass(10 * minute);
  rig.video.quota.exhaust("units");
  await rig.clock.pass(4 * hour + 45 * minute);

  expect(messages().filter((one) => one.startsWith("!reminder"))).toHaveLength(2);
  expect(rig.events.all[0]?.event.endsAt).toBeGreaterThan(rig.clock.now());
});

it("says nothing of a stream that began while the feed was paused", async () => {
  const { channelId, feedId, releases } = await follow({ messages: "live" });
  const startsAt = rig.clock.now() + 2 * hour;
  const { id } = releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
  await rig.clock.pass(hour);
  await rig.of().pause(feedId, "1");
  await rig.clock.pass(hour);
  releases.goLive(id);
  await rig.clock.pass(hour);
  await rig.of().resume(feedId);
  await rig.clock.pass(hour);
  releases.endLive(id);
  await rig.clock.pass(day);

  expect(messages()).toEqual([]);
});

it("leaves a message alone that somebody has removed", async () => {
  const { channelId, releases } = await follow({ messages: "one" });
  const startsAt = rig.clock.now() + 2 * hour;
  const { id } = releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
  await rig.clock.pass(hour);
  rig.channel.removeByHand(rig.channel.messages[0]?.messageId ?? "");
  await rig.clock.pass(hour);
  releases.goLive(id);
  await rig.clock.pass(hour);

  expect(messages()).toEqual(["!scheduled (removed)"]);
});

it("posts in a stream's post of a forum, and takes its removal for no removal of the forum", async () => {
  const place = { isForum: true };
  const { channelId, feedId, releases } = await follow(
    { messages: "one", reminderMs: hour },
    place,
  );
  const startsAt = rig.clock.now() + 3 * hour;
  const release = () => releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
  release();
  release();
  await rig.clock.pass(hour);
  const [kept, deleted] = rig.channel.messages.map((one) => one.channelId);
  rig.channel.close(deleted ?? "", "discord_channel_gone");
  await rig.clock.pass(90 * minute);

  const places = rig.channel.messages.map(({ message }) => message.channelId);
  expect(messages()).toEqual(["!scheduled", "scheduled", "!reminder"]);
  expect(places).toEqual([liveHere.channelId, liveHere.channelId, kept]);
  expect((await rig.of().status(feedId))?.feed.places.live?.off).toBeUndefined();
});

describe("an event", () => {
  it("is kept in step with the stream", async () => {
    const { channelId, feedId, releases } = await follow({ messages: "live", hasEvents: true });
    const startsAt = rig.clock.now() + 3 * hour;
    const { id } = releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
    await rig.clock.pass(hour);
    const made = rig.events.all.map(({ event }) => event);
    releases.rename(id, "y");
    await rig.clock.pass(2 * hour);
    releases.goLive(id);
    await rig.clock.pass(5 * hour);
    const during = rig.events.all[0]?.event;
    const { currentStreams } = (await rig.of().status(feedId)) ?? {};
    releases.endLive(id);
    await rig.clock.pass(hour);
    const ended = await rig.of().status(feedId);
    await rig.of().pause(feedId, "200000000000000002");

    expect([currentStreams, ended?.currentStreams]).toEqual([1, 0]);
    expect((await rig.of().status(feedId))?.unitsADay).toBe(0);
    expect(made).toMatchObject([{ name: "x", state: "scheduled", startsAt }]);
    expect(during).toMatchObject({ name: "y", state: "active" });
    expect(during?.endsAt).toBeGreaterThan(rig.clock.now() - hour);
    expect(rig.events.all).toMatchObject([{ event: { state: "over" } }]);
    expect(rig.events.changes).toBeLessThan(8);
  });

  it("ends when its stream is hours late; a new start gets a new event", async () => {
    const { channelId, releases } = await follow({ messages: "one", hasEvents: true });
    const startsAt = rig.clock.now() + 3 * hour;
    const { id } = releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
    const states = () => rig.events.all.map(({ event }) => event.state);
    await rig.clock.pass(6 * hour);
    const waiting = states();
    await rig.clock.pass(2 * hour);
    const ended = states();
    releases.reschedule(id, rig.clock.now() + 2 * hour);
    await rig.clock.pass(hour);
    const again = states();
    await rig.clock.pass(70 * minute);
    // Moved after Discord has started the event.
    releases.reschedule(id, rig.clock.now() + day);
    await rig.clock.pass(10 * minute);

    expect(waiting).toEqual(["active"]);
    expect(ended).toEqual(["cancelled"]);
    expect(again).toEqual(["cancelled", "scheduled"]);
    expect(states()).toEqual(["cancelled", "cancelled", "scheduled"]);
  });

  it("is found again when people remove its channel and add it again", async () => {
    const streams = { messages: "one", hasEvents: true } as const;
    const { channelId, feedId, releases } = await follow(streams);
    const startsAt = rig.clock.now() + 3 * hour;
    const { id } = releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
    await rig.clock.pass(hour);
    await rig.of().remove(feedId);
    await follow(streams);
    releases.rename(id, "y");
    await rig.clock.pass(2 * hour);

    expect(rig.events.all).toMatchObject([{ event: { name: "y" } }]);
  });

  it("is given up once, and told, where the bot lacks the permission", async () => {
    const { channelId, feedId, releases } = await follow({ messages: "one", hasEvents: true });
    const code = "discord_events_forbidden";
    rig.events.refuse(() => new AccessError("no", { code } as never));
    const startsAt = rig.clock.now() + 3 * hour;
    releases.publish({ channelId, title: "x", live: "upcoming", startsAt });
    await rig.clock.pass(hour);

    expect(messages()).toEqual(["!scheduled"]);
    expect(rig.events.all).toEqual([]);
    expect(await rig.of().status(feedId)).toMatchObject({
      currentStreams: 1,
      feed: { streams: { eventsOff: { code, isTold: true } } },
    });
    expect(rig.notifications).toMatchObject([{ name: "feed-off", facts: { isEvents: true } }]);
  });
});
