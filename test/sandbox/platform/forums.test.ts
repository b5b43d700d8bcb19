import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import { send } from "../../support/raw-bot.ts";
import { asMessage } from "../../support/stage.ts";
import { observePlatform } from "./observed-platform.ts";
import { tinyPng } from "./tiny-png.ts";

const observed = observePlatform({ hasLimits: false, checks: "exchanges and events" });
const { exchanges, pass, startBot } = observed;
let platform: Platform;

beforeEach(() => {
  ({ platform } = observed);
});

const forumName = "review-forum";
const everyday =
  bits.ViewChannel |
  bits.SendMessages |
  bits.SendMessagesInThreads |
  bits.EmbedLinks |
  bits.AttachFiles |
  bits.ReadMessageHistory;

interface Shown {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly applied_tags: readonly string[];
  readonly available_tags: readonly { readonly id: string; readonly name: string }[];
  readonly message: { readonly id: string; readonly content: string };
  readonly thread_metadata: { readonly archived: boolean; readonly locked: boolean };
  readonly message_count: number;
  readonly total_message_sent: number;
  readonly last_message_id: string | null;
}

const idOf = (name: string) => platform.channels.find((each) => each.name === name)?.id ?? "";
const forum = () => idOf(forumName);

async function ask(method: string, path: string, body?: unknown, files: readonly File[] = []) {
  const answer = await send(platform, method, path, { body, files });
  return { status: answer.status, json: answer.json as Shown & { readonly code?: number } };
}

const post = (body: object, files: readonly File[] = []) =>
  ask("POST", `/channels/${forum()}/threads`, body, files);
const button = { type: 2, style: 1, label: "Approve", custom_id: "approve" };
const rows = [{ type: 1, components: [button] }];

async function tagId(name: string): Promise<string> {
  const { json } = await ask("GET", `/channels/${forum()}`);
  return json.available_tags.find((tag) => tag.name === name)?.id ?? "";
}

async function opened(name = "A comment", more: object = {}): Promise<Shown> {
  const { json } = await post({ name, message: { content: "what it says" }, ...more });
  return json;
}

describe("a forum", () => {
  it("says what it is, with its tags and its newest post", async () => {
    const { json: empty } = await ask("GET", `/channels/${forum()}`);
    const thread = await opened();
    const { json: used } = await ask("GET", `/channels/${forum()}`);

    expect(empty).toMatchObject({ type: 15, name: forumName, last_message_id: null });
    expect(empty.available_tags.map(({ name }) => name)).toEqual([
      "Waiting",
      "Approved",
      "Rejected",
    ]);
    expect(used.last_message_id).toBe(thread.id);
  });

  it("takes posts with a title, tags, a message and files", async () => {
    const tag = await tagId("Waiting");
    const file = new File([tinyPng], "a.png", { type: "image/png" });
    const { status, json } = await post(
      {
        name: " A comment ",
        applied_tags: [tag],
        auto_archive_duration: 1_440,
        message: {
          content: "see",
          embeds: [{ title: "x", image: { url: "attachment://a.png" } }],
          components: rows,
        },
      },
      [file],
    );

    expect(status).toBe(201);
    expect(json).toMatchObject({
      type: 11,
      name: "A comment",
      parent_id: forum(),
      applied_tags: [tag],
      message_count: 0,
      member: { user_id: platform.applicationId },
      message: { content: "see", channel_id: json.id, components: rows.map(() => ({ type: 1 })) },
    });
    expect(json.message.id).toBe(json.id);
  });

  it.each([
    ["no name", { message: { content: "x" } }, "BASE_TYPE_REQUIRED"],
    ["a blank name", { name: " ", message: { content: "x" } }, "BASE_TYPE_REQUIRED"],
    ["a name of 101", { name: "x".repeat(101), message: { content: "x" } }, "BASE_TYPE_BAD_LENGTH"],
    ["no message", { name: "x" }, "BASE_TYPE_REQUIRED"],
    [
      "content of 2,001",
      { name: "x", message: { content: "x".repeat(2_001) } },
      "BASE_TYPE_MAX_LENGTH",
    ],
    [
      "six tags",
      { name: "x", message: { content: "x" }, applied_tags: ["1", "2", "3", "4", "5", "6"] },
      "BASE_TYPE_MAX_LENGTH",
    ],
    [
      "another time until the archive",
      { name: "x", message: { content: "x" }, auto_archive_duration: 2 },
      "BASE_TYPE_CHOICES",
    ],
  ])("refuses %s", async (_, body, code) => {
    const { status, json } = await post(body);
    exchanges.length = 0;

    expect([status, json.code]).toEqual([400, 50_035]);
    expect(JSON.stringify(json)).toContain(code);
    expect(platform.people("owner").posts(forumName)).toEqual([]);
  });

  it("refuses an empty message, and names its faults below the message", async () => {
    const empty = await post({ name: "x", message: {} });
    const wrong = await post({ name: "x", message: { embeds: [{ title: "x".repeat(257) }] } });
    exchanges.length = 0;

    expect(empty.json).toMatchObject({ code: 50_006 });
    expect(wrong.json).toMatchObject({ errors: { message: { embeds: { "0": { title: {} } } } } });
    expect((await ask("GET", `/guilds/${platform.guildId}/threads/active`)).json).toMatchObject({
      threads: [],
    });
  });

  it("refuses tags that it has not, and asks for one where it must", async () => {
    const body = { name: "x", message: { content: "x" } };
    const unknown = await post({ ...body, applied_tags: ["1"] });
    platform.changeChannel(forumName, { flags: 16 as never });
    const without = await post(body);
    const withOne = await post({ ...body, applied_tags: [await tagId("Waiting")] });

    expect([unknown.status, unknown.json.code]).toEqual([404, 10_087]);
    expect([without.status, without.json.code]).toEqual([400, 40_067]);
    expect(withOne.status).toBe(201);
  });

  it("keeps tags of moderators for those who manage threads", async () => {
    const { available_tags: tags } = (await ask("GET", `/channels/${forum()}`)).json;
    const moderated = tags.map((tag) => ({ ...tag, moderated: tag.name === "Waiting" }));
    platform.changeChannel(forumName, { available_tags: moderated as never });
    const body = { name: "x", message: { content: "x" }, applied_tags: [await tagId("Waiting")] };

    const refused = await post(body);
    platform.setBotPermissions(everyday | bits.ManageThreads);

    expect(refused.json).toMatchObject({ code: 50_013 });
    expect((await post(body)).status).toBe(201);
  });

  it.each([
    ["view it", bits.ViewChannel, 50_001],
    ["write there", bits.SendMessages, 50_013],
    ["embed", bits.EmbedLinks, 50_013],
  ])("refuses posts of a bot that may not %s", async (_, denied, code) => {
    platform.forbidBot(forum(), denied);
    const answer = await post({ name: "x", message: { embeds: [{ title: "x" }] } });

    expect([answer.status, answer.json.code]).toEqual([403, code]);
  });

  it("takes no plain messages, and has none", async () => {
    const path = `/channels/${forum()}/messages`;
    const refused = await ask("POST", path, { content: "x" });

    expect([refused.status, refused.json.code]).toEqual([400, 50_008]);
    expect((await ask("GET", path)).json).toEqual([]);
    await expect(platform.people("owner").in(forumName).say("x")).rejects.toThrow(/Open a post/);
  });

  it("is the only kind of channel that takes posts", async () => {
    const body = { name: "x", message: { content: "x" } };
    const answer = await ask("POST", `/channels/${platform.channelId}/threads`, body);

    expect([answer.status, answer.json.code]).toEqual([400, 50_024]);
  });

  it("has a limit of active posts", async () => {
    platform.setActiveThreadLimit(2);
    const [first] = [await opened(), await opened()];
    const refused = await post({ name: "x", message: { content: "x" } });
    await ask("PATCH", `/channels/${first?.id}`, { archived: true });

    expect([refused.status, refused.json.code]).toEqual([400, 160_006]);
    expect((await post({ name: "x", message: { content: "x" } })).status).toBe(201);
  });

  it("lets its tags be made by a bot that manages channels", async () => {
    const { json: before } = await ask("GET", `/channels/${forum()}`);
    const wanted = { available_tags: [...before.available_tags, { name: "Failed" }] };

    const refused = await ask("PATCH", `/channels/${forum()}`, wanted);
    platform.setBotPermissions(everyday | bits.ManageChannels);
    const { json: after } = await ask("PATCH", `/channels/${forum()}`, wanted);
    const twice = await ask("PATCH", `/channels/${forum()}`, {
      available_tags: [{ name: "Same" }, { name: "same" }],
    });

    expect(refused.json).toMatchObject({ code: 50_013 });
    expect(after.available_tags.map(({ name }) => name)).toEqual([
      "Waiting",
      "Approved",
      "Rejected",
      "Failed",
    ]);
    expect(after.available_tags.slice(0, 3)).toEqual(before.available_tags);
    expect(twice.json).toMatchObject({ code: 40_061 });
  });

  it("takes a tag that is gone from its posts", async () => {
    const [pending, approved] = [await tagId("Waiting"), await tagId("Approved")];
    const thread = await opened("x", { applied_tags: [pending, approved] });
    platform.setBotPermissions(everyday | bits.ManageChannels);
    await ask("PATCH", `/channels/${forum()}`, {
      available_tags: [{ id: approved, name: "Approved" }],
    });

    const { json } = await ask("GET", `/channels/${thread.id}`);
    expect(json.applied_tags).toEqual([approved]);
  });
});

describe("a post", () => {
  it("counts its messages, and those that were ever there", async () => {
    const { id } = await opened();
    const path = `/channels/${id}/messages`;
    const first = await ask("POST", path, { content: "one" });
    await ask("POST", path, { content: "two" });
    await ask("DELETE", `${path}/${first.json.id}`);

    const { json } = await ask("GET", `/channels/${id}`);
    const { json: all } = await ask("GET", path);
    expect([json.message_count, json.total_message_sent]).toEqual([1, 2]);
    expect(all).toMatchObject([{ content: "two" }, { id, content: "what it says" }]);
    expect(json.last_message_id).toBe((all as unknown as Shown[])[0]?.id);
  });

  it("is renamed and tagged by the bot that began it", async () => {
    const { id } = await opened("before", { applied_tags: [await tagId("Waiting")] });
    const approved = await tagId("Approved");
    const { json } = await ask("PATCH", `/channels/${id}`, {
      name: "after",
      applied_tags: [approved],
    });

    expect(json).toMatchObject({ name: "after", applied_tags: [approved] });
    expect(platform.people("owner").posts()).toMatchObject([
      { id, title: "after", tags: ["Approved"], isArchived: false, isLocked: false },
    ]);
  });

  it("is edited message by message", async () => {
    const { id } = await opened();
    const path = `/channels/${id}/messages/${id}`;
    await ask("PATCH", path, { content: "changed", components: [] });

    expect((await ask("GET", path)).json).toMatchObject({ content: "changed" });
  });

  it("is closed and deleted by those who manage threads", async () => {
    const { id } = await opened();
    const refusals = [
      await ask("PATCH", `/channels/${id}`, { locked: true }),
      await ask("DELETE", `/channels/${id}`),
    ];
    platform.setBotPermissions(everyday | bits.ManageThreads);
    const locked = await ask("PATCH", `/channels/${id}`, { locked: true });
    const deleted = await ask("DELETE", `/channels/${id}`);

    expect(refusals.map(({ json }) => json.code)).toEqual([50_013, 50_013]);
    expect(locked.json.thread_metadata.locked).toBe(true);
    expect([deleted.status, deleted.json.id]).toEqual([200, id]);
    expect((await ask("GET", `/channels/${id}`)).json).toMatchObject({ code: 10_003 });
    expect(platform.people("owner").posts(forumName)).toEqual([]);
  });

  it("takes nothing from the bot while a moderator has it locked", async () => {
    const { id } = await opened();
    platform.changeThread(id, { locked: true });
    const answers = [
      await ask("POST", `/channels/${id}/messages`, { content: "x" }),
      await ask("PATCH", `/channels/${id}/messages/${id}`, { content: "x" }),
      await ask("PATCH", `/channels/${id}`, { name: "x" }),
    ];
    platform.setBotPermissions(everyday | bits.ManageThreads);

    expect(answers.map(({ json }) => json.code)).toEqual([160_005, 160_005, 160_005]);
    expect((await ask("PATCH", `/channels/${id}`, { name: "x" })).status).toBe(200);
  });

  it("in the archive is not edited until it is taken out", async () => {
    const { id } = await opened();
    const archived = await ask("PATCH", `/channels/${id}`, { archived: true });
    const message = `/channels/${id}/messages/${id}`;
    const refused = [
      await ask("PATCH", message, { content: "x" }),
      await ask("PATCH", `/channels/${id}`, { name: "x" }),
    ];
    const { json: active } = await ask("GET", `/guilds/${platform.guildId}/threads/active`);
    const { json: old } = await ask("GET", `/channels/${forum()}/threads/archived/public`);
    await ask("PATCH", `/channels/${id}`, { archived: false, name: "again" });

    expect(archived.json.thread_metadata.archived).toBe(true);
    expect(refused.map(({ json }) => json.code)).toEqual([50_083, 50_083]);
    expect(active).toMatchObject({ threads: [] });
    expect(old).toMatchObject({ threads: [{ id }], has_more: false });
    expect((await ask("PATCH", message, { content: "y" })).json).toMatchObject({ content: "y" });
  });

  it("goes to the archive by itself when it is quiet, and comes back with a message", async () => {
    const { id } = await opened("x", { auto_archive_duration: 60 });
    pass(60 * 60_000);
    const quiet = await ask("GET", `/channels/${id}`);
    await platform.people("moderator").in(id).say("still here");
    const back = await ask("GET", `/channels/${id}`);

    expect(quiet.json.thread_metadata.archived).toBe(true);
    expect(back.json.thread_metadata.archived).toBe(false);
    expect(back.json.message_count).toBe(1);
  });

  it("needs the right to write in threads, and no other", async () => {
    const { id } = await opened();
    const path = `/channels/${id}/messages`;
    platform.forbidBot(forum(), bits.SendMessages);
    const allowed = await ask("POST", path, { content: "x" });
    platform.forbidBot(forum(), bits.SendMessagesInThreads);
    const refused = await ask("POST", path, { content: "x" });

    expect([allowed.status, refused.json.code]).toEqual([200, 50_013]);
  });

  it("is listed while it is active, newest first", async () => {
    const [first, second] = [await opened("one"), await opened("two")];
    const { json } = await ask("GET", `/guilds/${platform.guildId}/threads/active`);

    expect(json).toMatchObject({
      threads: [{ id: second?.id }, { id: first?.id }],
      members: [{ id: second?.id }, { id: first?.id }],
    });
    platform.forbidBot(forum(), bits.ViewChannel);
    const hidden = await ask("GET", `/guilds/${platform.guildId}/threads/active`);
    expect(hidden.json).toMatchObject({ threads: [] });
  });

  it("shows to those who see its forum, and is pressed there", async () => {
    const bot = await startBot();
    const { id } = await opened("A comment", { message: { content: "x", components: rows } });
    bot.answer(async ({ interaction, callback }) => {
      expect(interaction).toMatchObject({
        channel_id: id,
        channel: { id, type: 11, parent_id: forum(), permissions: expect.any(String) },
        message: { id },
      });
      await callback({ type: 7, data: { content: "approved", components: [] } });
    });
    const moderator = platform.people("moderator");
    const [seen] = moderator.posts(forumName);
    const pressed = await moderator.click(seen?.messages[0] as never, "Approve");

    expect(asMessage(pressed)).toMatchObject({ id, content: "approved" });
    expect(moderator.in("A comment").messages()).toMatchObject([{ content: "approved" }]);
    expect(platform.people("member").posts()).toEqual([]);
    expect(() => platform.people("member").in("A comment")).toThrow(/sees no channel/);
    expect(() => platform.people("member").in(id)).toThrow(/sees no channel/);
  });

  it("is a place for replies to its members' words alone", async () => {
    const bot = await startBot();
    const { id } = await opened("A comment", { message: { content: "x", components: rows } });
    bot.answer(({ callback }) => callback({ type: 4, data: { content: "only you", flags: 64 } }));
    const moderator = platform.people("moderator");
    await moderator.click(moderator.messages(id)[0] as never, "Approve");

    expect(moderator.messages(id).map(({ content }) => content)).toEqual(["x", "only you"]);
    expect(platform.people("owner").messages(id)).toHaveLength(1);
    expect((await ask("GET", `/channels/${id}`)).json.message_count).toBe(0);
  });
});

describe("channels at run time", () => {
  it("go away with all that is in them, and come back", async () => {
    const { id } = await opened();
    platform.removeChannel(forumName);
    const gone = [
      await ask("GET", `/channels/${forum()}`),
      await ask("GET", `/channels/${id}`),
      await post({ name: "x", message: { content: "x" } }),
      await ask("PATCH", `/channels/${id}/messages/${id}`, { content: "x" }),
    ];
    const { json: listed } = await ask("GET", `/guilds/${platform.guildId}/channels`);

    expect(gone.map(({ json }) => json.code)).toEqual([10_003, 10_003, 10_003, 10_003]);
    expect((listed as unknown as Shown[]).map(({ name }) => name)).not.toContain(forumName);
    expect(() => platform.people("owner").posts(forumName)).toThrow(/sees no channel/);
    platform.restoreChannel(forumName);
    expect(platform.people("owner").posts(forumName)).toHaveLength(1);
  });

  it("are listed with the roles of the server", async () => {
    const { json: channels } = await ask("GET", `/guilds/${platform.guildId}/channels`);
    const { json: roles } = await ask("GET", `/guilds/${platform.guildId}/roles`);

    expect((channels as unknown as Shown[]).map(({ type }) => type)).toEqual([0, 0, 15, 5]);
    expect((roles as unknown as Shown[]).map(({ name }) => name)).toEqual([
      "@everyone",
      "Greenroom",
      "Owner",
      "Moderator",
      "Member",
    ]);
    expect((await ask("GET", "/guilds/1/roles")).json).toMatchObject({ code: 10_004 });
  });

  it("each know their own nonces, for some minutes and beyond a deletion", async () => {
    const body = { content: "once", nonce: "n", enforce_nonce: true };
    const say = (name: string) => ask("POST", `/channels/${idOf(name)}/messages`, body);
    const [first, again, elsewhere] = [
      await say("greenroom"),
      await say("greenroom"),
      await say("moderators"),
    ];
    await ask("DELETE", `/channels/${idOf("greenroom")}/messages/${first?.json.id}`);
    const deleted = await say("greenroom");
    pass(5 * 60_000);

    expect(again?.json.id).toBe(first?.json.id);
    expect(elsewhere?.json.id).not.toBe(first?.json.id);
    expect(deleted.json).toMatchObject({ code: 10_008 });
    expect((await say("moderators")).json.id).not.toBe(elsewhere?.json.id);
  });

  it("are no limit in their requests where a test says so", async () => {
    platform.limitRequests(true);
    const path = `/channels/${platform.channelId}/messages`;
    const burst = () =>
      Promise.all(Array.from({ length: 8 }, () => ask("POST", path, { content: "x" })));

    const statuses = (await burst()).map(({ status }) => status);
    platform.limitRequests(false);

    expect(statuses).toContain(429);
    expect((await burst()).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});

describe("a role", () => {
  const roleOf = async (name: string) => {
    const { json } = await ask("GET", `/guilds/${platform.guildId}/roles`);
    return (json as unknown as Shown[]).find((role) => role.name === name)?.id ?? "";
  };
  const call = (id: string, allowed?: object) =>
    ask("POST", `/channels/${platform.channelId}/messages`, {
      content: `<@&${id}> look`,
      ...(allowed === undefined ? {} : { allowed_mentions: allowed }),
    });

  it("is called only where the message says so", async () => {
    const id = await roleOf("Moderator");

    expect((await call(id, { parse: [], roles: [id] })).json).toMatchObject({
      mention_roles: [id],
    });
    expect((await call(id, { parse: [] })).json).toMatchObject({ mention_roles: [] });
    expect((await call(id, { parse: ["users"] })).json).toMatchObject({ mention_roles: [] });
  });

  it("that not everyone may mention is called only with the right to call all", async () => {
    const id = await roleOf("Owner");
    const refused = await call(id, { parse: [], roles: [id] });
    platform.setBotPermissions(everyday | bits.MentionEveryone);
    const called = await call(id, { parse: [], roles: [id] });

    expect(refused.json).toMatchObject({ mention_roles: [] });
    expect(called.json).toMatchObject({ mention_roles: [id] });
  });

  it("is chosen in an option", async () => {
    const options = [
      { type: 8, name: "who", description: "Whom" },
      { type: 7, name: "where", description: "Where", channel_types: [15] },
    ];
    const bot = await startBot();
    await bot.send("PUT", `/applications/${platform.applicationId}/commands`, {
      body: [{ name: "call", description: "Call", options }],
    });
    let data: unknown;
    bot.answer(({ interaction, callback }) => {
      data = interaction.data;
      return callback({ type: 4, data: { content: "noted" } });
    });
    const id = await roleOf("Moderator");
    const moderator = platform.people("moderator");
    await moderator.command("call", { who: id, where: forum() });

    expect(data).toMatchObject({
      resolved: {
        roles: { [id]: { name: "Moderator", mentionable: true } },
        channels: {
          [forum()]: {
            type: 15,
            permissions: expect.any(String),
            app_permissions: expect.any(String),
          },
        },
      },
    });
    const wrong = moderator.command("call", { where: platform.channelId });
    await expect(wrong).rejects.toThrow(/wrong type of channel/);
  });
});
