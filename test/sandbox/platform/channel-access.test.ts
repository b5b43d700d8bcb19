import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import { checkGatewayObject } from "../../support/discord-spec.ts";
import { type Answering, send } from "../../support/raw-bot.ts";
import { asMessage } from "../../support/stage.ts";
import { observePlatform } from "./observed-platform.ts";
import { tinyPng } from "./tiny-png.ts";

const observed = observePlatform({ hasLimits: false, checks: "exchanges" });
const { exchanges, events, pass, startBot } = observed;
let platform: Platform;

beforeEach(() => {
  ({ platform } = observed);
});

const [greenroom, moderators] = ["greenroom", "moderators"];
const idOf = (name: string) => platform.channels.find((each) => each.name === name)?.id ?? "";
const post = (channelId: string, body: unknown, files: readonly File[] = []) =>
  send(platform, "POST", `/channels/${channelId}/messages`, { body, files });

async function direct(name: "owner" | "moderator" | "member"): Promise<string> {
  const { author } = await platform.people(name).say("here");
  const body = { recipient_id: author.id };
  const { json } = await send(platform, "POST", "/users/@me/channels", { body });
  return (json as { id: string }).id;
}

const button = { type: 2, style: 1, label: "Do it", custom_id: "do" };
const rows = [{ type: 1, components: [button] }];

describe("the channels", () => {
  it("are two, a forum and one for announcements, of which members see two", () => {
    const { people, channels } = platform;

    expect(channels.map(({ name, type }) => [name, type])).toEqual([
      [greenroom, 0],
      [moderators, 0],
      ["review-forum", 15],
      ["announcements", 5],
    ]);
    for (const name of ["owner", "moderator"] as const) {
      expect(people(name).messages(moderators)).toEqual([]);
      expect(people(name).posts("review-forum")).toEqual([]);
    }
    expect(people("member").messages("announcements")).toEqual([]);
    expect(() => people("member").messages(moderators)).toThrow(/sees no channel "moderators"/);
  });

  it("keep what is written in one out of the other", async () => {
    await post(idOf(moderators), { content: "between us" });
    await platform.people("moderator").in(moderators).say("heard");

    const contents = platform.people("owner").messages(moderators);
    expect(contents.map(({ content }) => content)).toEqual(["between us", "heard"]);
    expect(platform.people("owner").messages()).toEqual([]);
    expect(platform.people("member").messages()).toEqual([]);
  });

  it("refuse whoever does not see them", async () => {
    const hidden = { ...(await post(idOf(moderators), { components: rows })) };
    const message = hidden.json as never;

    await expect(platform.people("member").click(message, "Do it")).rejects.toThrow(/no longer/);
  });

  it.each([
    ["view", bits.ViewChannel, 403, 50_001],
    ["send", bits.SendMessages, 403, 50_013],
  ])(
    "refuse the bot without the right to %s there, and there only",
    async (_, denied, status, code) => {
      platform.forbidBot(idOf(greenroom), denied);

      expect(await post(idOf(greenroom), { content: "x" })).toMatchObject({
        status,
        json: { code },
      });
      expect((await post(idOf(moderators), { content: "x" })).status).toBe(200);
      platform.forbidBot(idOf(greenroom), 0n);
      expect((await post(idOf(greenroom), { content: "x" })).status).toBe(200);
    },
  );

  it("refuse embeds and files without the rights for them", async () => {
    platform.forbidBot(idOf(greenroom), bits.EmbedLinks | bits.AttachFiles);
    const file = new File([tinyPng], "a.png", { type: "image/png" });

    const answers = [
      await post(idOf(greenroom), { embeds: [{ title: "x" }] }),
      await post(idOf(greenroom), { content: "x" }, [file]),
      await post(idOf(greenroom), { content: "x" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200]);
  });

  it("give out no history and take no replies without the right to read it", async () => {
    const { json } = await post(idOf(greenroom), { content: "x" });
    platform.forbidBot(idOf(greenroom), bits.ReadMessageHistory);
    const path = `/channels/${idOf(greenroom)}/messages`;

    const reference = { message_id: (json as { id: string }).id };
    const reply = await post(idOf(greenroom), { content: "y", message_reference: reference });

    expect((await send(platform, "GET", path)).json).toEqual([]);
    expect(reply).toMatchObject({ status: 400, json: { code: 160_002 } });
  });

  it("let the bot take away others' words only with the right to", async () => {
    const [first, second] = [
      await platform.people("member").say("spam"),
      await platform.people("member").say("more"),
    ];
    const remove = ({ id }: { readonly id: string }) =>
      send(platform, "DELETE", `/channels/${idOf(greenroom)}/messages/${id}`);

    expect((await remove(first)).status).toBe(204);
    platform.forbidBot(idOf(greenroom), bits.ManageMessages);
    expect((await remove(second)).json).toMatchObject({ code: 50_013 });
  });

  it("are named in options with what the person and the bot may do there", async () => {
    const options = [{ type: 7, name: "where", description: "Where", channel_types: [0] }];
    const body = [{ name: "point", description: "Point", options }];
    const bot = await startBot();
    await bot.send("PUT", `/applications/${platform.applicationId}/commands`, { body });
    platform.forbidBot(idOf(moderators), bits.SendMessages);
    let found: unknown;
    bot.answer(({ interaction, callback }) => {
      found = (interaction.data as { resolved: unknown }).resolved;
      return callback({ type: 4, data: { content: "ok" } });
    });

    await platform.people("moderator").command("point", { where: idOf(moderators) });

    const { channels } = found as { channels: Record<string, Record<string, string>> };
    const named = channels[idOf(moderators)];
    expect(named).toMatchObject({ name: moderators, type: 0 });
    expect(BigInt(named?.app_permissions ?? 0) & bits.SendMessages).toBe(0n);
    expect(BigInt(named?.permissions ?? 0) & bits.ModerateMembers).toBe(bits.ModerateMembers);
    expect(await checkGatewayObject("INTERACTION_CREATE", events.at(-1)?.data)).toEqual([]);
    const member = platform.people("member").command("point", { where: idOf(moderators) });
    await expect(member).rejects.toThrow(/You can’t see that channel/);
  });

  it("are all closed to a bot that was taken out of the server", async () => {
    platform.removeGuild(platform.guildId);

    expect((await post(idOf(greenroom), { content: "x" })).json).toMatchObject({ code: 50_001 });
    const guild = await send(platform, "GET", `/guilds/${platform.guildId}`);
    expect(guild).toMatchObject({ status: 404, json: { code: 10_004 } });
  });
});

describe("what the bot posts unasked", () => {
  it("is answered with the earlier message for a nonce that comes again, in any channel", async () => {
    const body = { content: "once", nonce: "n-1", enforce_nonce: true };
    const first = await post(idOf(greenroom), body);
    const again = await post(idOf(greenroom), body);
    pass(5 * 60_000);
    const later = await post(idOf(greenroom), body);

    const ids = [first, again, later].map(({ json }) => (json as { id: string }).id);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it("has buttons that work, also for somebody in front of another channel", async () => {
    const bot = await startBot();
    bot.answer(({ callback }) => callback({ type: 4, data: { content: "done", flags: 64 } }));
    const { json } = await post(idOf(moderators), { content: "card", components: rows });

    const answer = asMessage(await platform.people("moderator").click(json as never, "Do it"));

    expect(answer).toMatchObject({ content: "done", channel_id: idOf(moderators) });
    const [event] = events.filter(({ name }) => name === "INTERACTION_CREATE");
    const faults = await checkGatewayObject("INTERACTION_CREATE", event?.data);
    expect(faults).toEqual([]);
    expect(event?.data).toMatchObject({ channel_id: idOf(moderators), guild_id: platform.guildId });
  });

  it("is edited and deleted like any other message", async () => {
    const { json } = await post(idOf(moderators), { content: "card", components: rows });
    const path = `/channels/${idOf(moderators)}/messages/${(json as { id: string }).id}`;

    const edited = await send(platform, "PATCH", path, {
      body: { content: "old", components: [] },
    });
    const shown = platform.people("owner").messages(moderators);
    const deleted = await send(platform, "DELETE", path);

    expect(edited.json).toMatchObject({ content: "old", components: [] });
    expect(shown).toMatchObject([{ content: "old" }]);
    expect(deleted.status).toBe(204);
    expect(platform.people("owner").messages(moderators)).toEqual([]);
  });

  it.each([
    ["a message of nothing", { content: " " }, 50_006],
    ["a content that is too long", { content: "x".repeat(2_001) }, 50_035],
    ["an ephemeral flag", { content: "x", flags: 64 }, 50_035],
    ["a nonce that is too long", { content: "x", nonce: "n".repeat(26) }, 50_035],
    ["an unknown field", { content: "x", colour: 1 }, 50_035],
  ])("is refused for %s", async (_, body, code) => {
    const { status, json } = await post(idOf(greenroom), body);

    expect(json).toMatchObject({ code });
    expect(status).toBe(400);
    exchanges.length = 0;
  });
});

describe("direct messages", () => {
  it("reach one person and nobody else", async () => {
    const channelId = await direct("owner");
    const { status, json } = await post(channelId, { content: "a word", components: rows });

    expect(status).toBe(200);
    expect(json).not.toHaveProperty("guild_id");
    expect(platform.people("owner").directMessages()).toMatchObject([{ content: "a word" }]);
    expect(platform.people("moderator").directMessages()).toEqual([]);
    for (const name of ["owner", "moderator", "member"] as const) {
      const contents = platform.people(name).messages();
      expect(contents.map(({ content }) => content)).toEqual(["here"]);
    }
    const channel = await send(platform, "GET", `/channels/${channelId}`);
    expect(channel.json).toMatchObject({ type: 1, recipients: [{ username: "robin" }] });
    // Discord's specification describes this path only for a server's channels.
    exchanges.pop();
  });

  it("have one place per person, which is unknown before it is opened", async () => {
    const unopened = await post("1", { content: "x" });
    const [first, second] = [await direct("member"), await direct("member")];

    expect(unopened.json).toMatchObject({ code: 10_003 });
    expect(second).toBe(first);
  });

  it("are not opened to nobody", async () => {
    const body = { recipient_id: "1" };
    const answer = await send(platform, "POST", "/users/@me/channels", { body });

    expect(answer).toMatchObject({ status: 400, json: { code: 50_033 } });
  });

  it("are refused with 50007 while the person takes none", async () => {
    const channelId = await direct("member");
    platform.people("member").takeDirectMessages(false);
    const refused = await post(channelId, { content: "x" });
    platform.people("member").takeDirectMessages(true);

    expect(refused).toMatchObject({ status: 403, json: { code: 50_007 } });
    expect((await post(channelId, { content: "x" })).status).toBe(200);
  });

  it("are refused with 50278 where the bot shares no server with the person", async () => {
    const channelId = await direct("member");
    platform.removeGuild(platform.guildId);

    expect((await post(channelId, { content: "x" })).json).toMatchObject({ code: 50_278 });
  });

  it("have buttons whose press names a user and no server", async () => {
    const bot = await startBot();
    let seen: Answering["interaction"] | undefined;
    bot.answer(({ interaction, callback }) => {
      seen = interaction;
      return callback({ type: 4, data: { content: "thanks" } }, "?with_response=true");
    });
    const { json } = await post(await direct("owner"), { content: "card", components: rows });

    await platform.people("owner").click(json as never, "Do it");

    expect(seen).toMatchObject({ user: { username: "robin" }, context: 1 });
    expect(seen).not.toHaveProperty("guild_id");
    expect(seen).not.toHaveProperty("member");
    expect(await checkGatewayObject("INTERACTION_CREATE", seen)).toEqual([]);
    expect(platform.people("owner").directMessages()).toMatchObject([
      { content: "card" },
      { content: "thanks" },
    ]);
  });
});
