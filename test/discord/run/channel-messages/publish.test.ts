import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { send } from "../../../support/raw-bot.ts";
import { known, type MessagesRig, openMessagesRig, rights } from "./rig.ts";

const asBot = rights.view | rights.send | rights.embed | rights.history;
const hourMs = 3_600_000;

describe("messages of an announcement channel", () => {
  let rig: MessagesRig;
  beforeEach(async () => {
    rig = await openMessagesRig();
  });
  afterEach(async () => {
    expect(await rig.violations()).toEqual([]);
    await rig.close();
  });

  const message = (channel = "announcements") => rig.message({ channelId: rig.channel(channel) });
  const post = (channel?: string) => rig.messages.post(message(channel));
  const sent = (path: RegExp) => rig.exchanges.filter((one) => path.test(one.path));
  const read = async (path: string) => (await send(rig.platform, "GET", path)).json;

  describe("publish", () => {
    it.each([
      ["once", undefined],
      ["once where the answer was lost", { kind: "cut-after" }],
      ["once where Discord failed", { kind: "answer", status: 503 }],
    ] as const)("publishes a message %s", async (_, fault) => {
      const place = await post();
      const path = /crosspost$/u;
      if (fault !== undefined)
        rig.platform.faults.add({ method: "POST", path, ...fault, times: 1 });

      await rig.messages.publish(place);
      await rig.messages.publish(place);

      const { channelId, messageId } = place;
      expect(await read(`/channels/${channelId}/messages/${messageId}`)).toMatchObject({
        flags: 1,
      });
    });

    it("says why it can't be done", async () => {
      const [elsewhere, gone, closed] = [await post("moderators"), await post(), await post()];
      await rig.messages.remove(gone);

      await expect(rig.messages.publish(elsewhere)).rejects.toEqual(
        known("discord_not_publishable"),
      );
      await expect(rig.messages.publish(gone)).rejects.toEqual(known("discord_message_gone"));
      rig.platform.forbidBot(closed.channelId, rights.send);
      await expect(rig.messages.publish(closed)).rejects.toEqual(
        known("discord_channel_closed", { lack: "send" }),
      );
    });

    it("says when Discord takes the eleventh of an hour, and holds up nothing else", async () => {
      rig.platform.limitRequests(false);
      const places = await Promise.all(Array.from({ length: 12 }, () => post()));
      rig.platform.limitRequests(true);
      for (const place of places.slice(0, 10)) await rig.messages.publish(place);
      const [, last = { channelId: "", messageId: "" }] = places.slice(10);

      const refused = await rig.messages.publish(last).catch((error: unknown) => error);
      await rig.messages.remove(last);

      expect(refused).toEqual(known("discord_publish_limit"));
      const { retryAt } = refused as { readonly retryAt: Date };
      expect((retryAt.getTime() - Date.now()) / hourMs).toBeCloseTo(1, 1);
    });

    it("says when Discord takes the fourth change of a published message", async () => {
      const first = message();
      const place = await rig.messages.post(first);
      await rig.messages.publish(place);
      for (let times = 0; times < 3; times += 1) await rig.messages.edit(place, first);

      const refused = await rig.messages.edit(place, first).catch((error: unknown) => error);
      await rig.messages.edit(await post(), first);

      expect(refused).toEqual(known("discord_limit"));
      const { retryAt } = refused as { readonly retryAt: Date };
      expect((retryAt.getTime() - Date.now()) / hourMs).toBeCloseTo(1, 1);
      expect(sent(new RegExp(`/${place.messageId}$`, "u"))).toHaveLength(4);
    });
  });

  describe("openThread", () => {
    it.each([
      ["announcements", 10],
      ["moderators", 11],
    ])("opens a thread once in #%s, with a name that fits", async (channel, type) => {
      const place = await post(channel);
      rig.platform.faults.add({ method: "POST", path: /threads$/u, kind: "cut-after", times: 1 });

      await rig.messages.openThread(place, `${"x".repeat(60)}\n${"y".repeat(60)}`);
      await rig.messages.openThread(place, "Another");

      const name = `${"x".repeat(60)} ${"y".repeat(38)}…`;
      expect(await read(`/channels/${place.messageId}`)).toMatchObject({ type, name });
    });

    it("has nothing to do for a post, which is a thread", async () => {
      const place = await post("review-forum");

      await rig.messages.openThread(place, "Talk");

      expect(sent(/messages\/\d+\/threads$/u)).toEqual([]);
    });

    it("says why it can't be done", async () => {
      const [gone, place] = [await post(), await post()];
      await rig.messages.remove(gone);

      await expect(rig.messages.openThread(gone, "x")).rejects.toEqual(
        known("discord_message_gone"),
      );
      rig.platform.setRolePermissions("everyone", asBot);
      rig.platform.setBotPermissions(asBot);
      await expect(rig.messages.openThread(place, "x")).rejects.toEqual(
        known("discord_threads_forbidden"),
      );
      rig.platform.setActiveThreadLimit(0);
      rig.platform.setBotPermissions(asBot | rights.beginThreads);
      await expect(rig.messages.openThread(place, "x")).rejects.toEqual(
        known("discord_posts_full"),
      );
    });
  });
});
