import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOf } from "../../../support/stage.ts";
import { known, type MessagesRig, newHandle, openMessagesRig, rights } from "./rig.ts";

describe("channel messages in a text channel", () => {
  let rig: MessagesRig;
  beforeEach(async () => {
    rig = await openMessagesRig();
  });
  afterEach(async () => {
    expect(await rig.violations()).toEqual([]);
    await rig.close();
  });

  const messages = () => rig.platform.people("owner").messages("moderators");
  const posts = (path: RegExp) =>
    rig.exchanges.filter(({ method, path: at }) => method === "POST" && path.test(at));

  it("leaves a message that can be pressed by anyone of rank, after a restart too", async () => {
    const message = rig.message();

    const place = await rig.messages.post(message);

    const [left] = messages();
    expect(place).toEqual({ channelId: message.channelId, messageId: left?.id });
    expect(JSON.stringify(left?.components)).toContain(`g1:u:${message.handle}:0`);
    expect(JSON.stringify(left?.components)).toContain(`g1:f:${message.handle}:1`);
    expect(await rig.store.continuations.read(message.handle)).toMatchObject({
      state: "found",
      value: {
        guildId: rig.platform.guildId,
        state: [{ action: "test.approve", isKept: true }, {}],
      },
    });
  });

  it("is one message for the same nonce, whichever process sends it", async () => {
    const message = rig.message();

    const places = [await rig.messages.post(message), await rig.another().post(message)];

    expect(places[0]).toEqual(places[1]);
    expect(messages()).toHaveLength(1);
  });

  it.each(["cut-before", "cut-after"] as const)("leaves one where it was %s", async (kind) => {
    rig.platform.faults.add({ method: "POST", path: /messages$/u, kind, times: 2 });

    const place = await rig.messages.post(rig.message());

    expect(messages().map(({ id }) => id)).toEqual([place.messageId]);
  });

  it("says that it may have been left where no answer comes", async () => {
    const { faults } = rig.platform;
    faults.add({ method: "POST", path: /messages$/u, kind: "answer", status: 503, times: 99 });

    await expect(rig.messages.post(rig.message())).rejects.toMatchObject({
      code: "discord_down",
      kind: "service",
      outcome: "unknown",
    });
  });

  it("asks once about the server and the channel for many messages", async () => {
    await Promise.all(Array.from({ length: 4 }, () => rig.messages.post(rig.message())));

    const reads = rig.exchanges.filter(({ method }) => method === "GET").map(({ path }) => path);
    expect(reads.toSorted()).toEqual([
      `/channels/${rig.channel("moderators")}`,
      `/guilds/${rig.platform.guildId}`,
    ]);
  });

  it("speaks the server's language", async () => {
    rig.platform.setGuildLocale("de");

    await rig.messages.post(rig.message());

    expect(messages().map(textOf).join()).toContain("Abgebrochen");
  });

  it("draws anew what it left, with the same presses and without another record", async () => {
    const message = rig.message();
    const place = await rig.messages.post(message);
    const before = messages()[0]?.components;

    await rig.messages.edit(place, {
      ...message,
      facts: { text: "Changed", handle: message.handle },
    });

    expect(textOf(messages()[0] as never)).toContain("Changed");
    expect(messages()[0]?.components).toEqual(before);
  });

  it("removes it, and takes it well when it is gone", async () => {
    const place = await rig.messages.post(rig.message());

    await rig.messages.remove(place);
    await rig.messages.remove(place);

    expect(messages()).toEqual([]);
    await expect(rig.messages.edit(place, rig.message())).rejects.toEqual(
      known("discord_message_gone"),
    );
  });

  it("finds its own message by its handle, among those since then", async () => {
    const message = rig.message();
    const began = Date.now();
    const place = await rig.messages.post(message);
    await rig.messages.post(rig.message());

    expect(await rig.another().find(message, began)).toEqual(place);
    expect(await rig.messages.find({ ...message, handle: newHandle() }, began)).toBeUndefined();
    expect(await rig.messages.find(message, Date.now() + 3_600_000)).toBeUndefined();
  });

  it.each([
    ["view", "view"],
    ["send", "send"],
  ] as const)("says that the channel is closed without the right to %s", async (right, lack) => {
    rig.platform.forbidBot(rig.channel("moderators"), rights[right]);

    await expect(rig.messages.post(rig.message())).rejects.toEqual(
      known("discord_channel_closed", { lack }),
    );
  });

  it("says that a channel is gone, be it deleted or another server's", async () => {
    const gone = rig.message({ channelId: "9".repeat(18) });
    const foreign = rig.message({ guildId: "8".repeat(18) });

    await expect(rig.messages.post(gone)).rejects.toEqual(known("discord_channel_gone"));
    await expect(rig.messages.post(foreign)).rejects.toEqual(known("discord_channel_gone"));
    expect(posts(/./u)).toEqual([]);
  });

  it.each(["card", "list"] as const)(
    "calls one role with the first %s, and nobody after",
    async (kind) => {
      const pingRoleId = "123456789012345678";
      const message = rig.message({ pingRoleId });
      const entries = kind === "list" ? { entries: ["Hello"] } : {};
      const facts = { text: "Hello", handle: message.handle, ...entries };

      const place = await rig.messages.post({ ...message, facts });
      await rig.messages.edit(place, { ...message, facts });

      const [sent, redrawn] = rig.exchanges.filter(({ method }) => /POST|PATCH/u.test(method));
      expect(sent?.requestBody).toMatchObject({
        allowed_mentions: { parse: [], roles: [pingRoleId] },
      });
      expect(JSON.stringify(sent?.requestBody).match(/<@&\d+>/gu)).toEqual([`<@&${pingRoleId}>`]);
      expect(redrawn?.requestBody).toMatchObject({ allowed_mentions: { parse: [] } });
      expect(JSON.stringify(redrawn?.requestBody)).not.toContain(`<@&${pingRoleId}>`);
    },
  );

  it("takes no press that the message does not keep", async () => {
    await expect(rig.messages.post(rig.message({ name: "astray" }))).rejects.toThrow(TypeError);
    await expect(rig.messages.post(rig.message({ name: "nothing" }))).rejects.toThrow(TypeError);
    expect(messages()).toEqual([]);
  });
});
