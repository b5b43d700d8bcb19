import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Feed } from "../../src/announcements/index.ts";
import {
  announcedIn,
  day,
  hour,
  minute,
  openRig,
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

const feedNow = async (): Promise<Feed | undefined> => (await rig.of().all())[0];

describe("a channel that is gone", () => {
  it("switches its feed off, says so once, and is requested no more", async () => {
    const { channelId } = await rig.followStranger();
    rig.video.releases.closeChannel(channelId);
    await rig.clock.pass(6 * hour);
    const spent = rig.units.spent;

    await rig.clock.pass(2 * day);

    expect(rig.notifications).toHaveLength(1);
    expect(rig.notifications[0]).toMatchObject({
      name: "feed-off",
      facts: { code: "channel_gone" },
    });
    expect(await feedNow()).toMatchObject({ off: { code: "channel_gone", isTold: true } });
    expect(rig.units.spent).toBe(spent);
  });

  it("is not believed to be gone at the first sight", async () => {
    const { channelId } = await rig.followStranger();
    const reopen = rig.video.releases.closeChannel(channelId);
    await rig.clock.pass(70 * minute);
    reopen();

    await rig.clock.pass(day);

    expect(rig.notifications).toEqual([]);
    expect(await feedNow()).not.toHaveProperty("off");
  });

  it("is announced again once it is back and somebody says so", async () => {
    const { channelId, id } = await rig.followStranger();
    const reopen = rig.video.releases.closeChannel(channelId);
    await rig.clock.pass(day);
    reopen();

    await rig.of().resume(id);
    await rig.clock.pass(hour);
    const made = rig.video.releases.publish({ channelId, title: "Back" });
    await rig.clock.pass(2 * hour);

    expect(announcedIn(rig)).toEqual([[made.id, uploadsHere.channelId]]);
  });

  it("is another thing than one without a public video", async () => {
    await rig.followStranger();
    const playlist = { method: "GET", path: /playlistItems/, kind: "answer", status: 404 } as const;
    const body = '{"error":{"code":404,"errors":[{"reason":"playlistNotFound"}]}}';
    rig.video.faults.add({ ...playlist, body });

    await rig.clock.pass(2 * day);

    expect(await feedNow()).not.toHaveProperty("off");
  });
});

describe("a channel of Discord's that is gone or closed", () => {
  it.each(["discord_channel_gone", "discord_channel_closed"])(
    "is switched off alone: %s",
    async (code) => {
      const { channelId } = await rig.followStranger({
        upload: uploadsHere,
        live: uploadsHere,
        short: shortsHere,
      });
      rig.channel.close(uploadsHere.channelId, code);
      rig.video.releases.publish({ channelId, title: "Lost" });
      await rig.clock.pass(2 * hour);
      const short = { channelId, title: "Short", seconds: 30, shape: "tall" } as const;
      const { id } = rig.video.releases.publish(short);

      await rig.clock.pass(2 * hour);

      expect(announcedIn(rig)).toEqual([[id, shortsHere.channelId]]);
      expect(rig.notifications).toHaveLength(1);
      expect(rig.notifications[0]).toMatchObject({
        name: "feed-off",
        facts: { code, place: { channelId: uploadsHere.channelId, kinds: ["upload", "live"] } },
      });
      expect((await feedNow())?.places.upload?.off?.code).toBe(code);
    },
  );

  it("is announced in again after resume, without what was missed", async () => {
    const { channelId, id } = await rig.followStranger({ upload: uploadsHere });
    rig.channel.close(uploadsHere.channelId);
    rig.video.releases.publish({ channelId, title: "Lost" });
    await rig.clock.pass(2 * hour);
    const spent = rig.units.spent;
    await rig.clock.pass(day);
    const idle = rig.units.spent - spent;
    rig.channel.open(uploadsHere.channelId);

    await rig.of().resume(id);
    await rig.clock.pass(hour);
    const made = rig.video.releases.publish({ channelId, title: "Seen" });
    await rig.clock.pass(2 * hour);

    expect(idle).toBe(0);
    expect(announcedIn(rig).map(([video]) => video)).toEqual([made.id]);
  });
});

describe("a server without key and link", () => {
  it("is reported after a while, and continues by itself once it is connected again", async () => {
    const { channelId } = await rig.followStranger();
    rig.disconnect();
    await rig.clock.pass(day);
    const off = await feedNow();
    const notified = rig.notifications.length;
    const { id } = rig.video.releases.publish({ channelId, title: "Meanwhile" });
    rig.reconnect();

    await rig.clock.pass(hour);

    expect(notified).toBe(1);
    expect(rig.notifications[0]).toMatchObject({ facts: { code: "video_key_missing" } });
    expect(off).toMatchObject({ off: { code: "video_key_missing" } });
    expect(await feedNow()).not.toHaveProperty("off");
    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("is not notified of a short gap", async () => {
    await rig.followStranger();
    rig.disconnect();
    await rig.clock.pass(hour);
    rig.reconnect();
    await rig.clock.pass(day);

    expect(rig.notifications).toEqual([]);
  });
});

describe("YouTube's bad days", () => {
  it("are waited out, and nothing is lost", async () => {
    const { channelId } = await rig.followStranger();
    rig.video.faults.add({ kind: "answer", status: 400, body: "nonsense" });
    const { id } = rig.video.releases.publish({ channelId, title: "Late" });
    await rig.clock.pass(5 * hour);
    const during = rig.channel.messages.length;
    rig.video.faults.clear();

    await rig.clock.pass(2 * hour);

    expect(during).toBe(0);
    expect(rig.notifications).toEqual([]);
    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("leave an announcement due until Discord takes it", async () => {
    const { channelId } = await rig.followStranger();
    rig.channel.strike(() => "before");
    const { id } = rig.video.releases.publish({ channelId, title: "Snooze" });
    await rig.clock.pass(3 * hour);
    rig.channel.strike(undefined);

    await rig.clock.pass(hour);

    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("make no second message of one whose answer was cut", async () => {
    const { channelId } = await rig.followStranger();
    let cuts = 0;
    rig.channel.strike(() => (cuts++ < 3 ? "after" : "none"));
    const { id } = rig.video.releases.publish({ channelId, title: "Cut" });

    await rig.clock.pass(5 * hour);

    expect(announcedIn(rig)).toEqual([[id, uploadsHere.channelId]]);
  });

  it("keep what moderation keeps", async () => {
    await rig.close();
    let left = 10_000;
    const open = () => ({ ...plenty(rig.clock.now()), left });
    rig = await openRig({ left: open });
    await rig.followStranger();
    await rig.clock.pass(2 * hour);
    left = 2_000;
    await rig.clock.pass(2 * hour);
    const spent = rig.units.spent;

    await rig.clock.pass(10 * hour);

    expect(rig.units.spent - spent).toBeLessThanOrEqual(11);
  });
});
