import { once } from "node:events";
import type { APIMessage } from "discord-api-types/v10";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import type { HelloEvent, PageEvent } from "../../../src/sandbox/platform/protocol.ts";
import type { PersonName } from "../../../src/sandbox/types.ts";
import { type RawBot, startRawBot } from "../../support/raw-bot.ts";
import { tinyPng } from "./tiny-png.ts";

describe("the page's API", () => {
  let platform: Platform;
  let bot: RawBot;
  const sockets: WebSocket[] = [];

  beforeEach(async () => {
    platform = await startPlatform({
      page: { fetch: async () => new Response("<html>") },
    });
    bot = await startRawBot(platform);
    const commands = [
      { name: "go", description: "Goes", options: [{ type: 11, name: "file", description: "F" }] },
      { name: "clean", description: "Cleans", default_member_permissions: "8192" },
    ];
    await bot.send("PUT", `/applications/${platform.applicationId}/commands`, { body: commands });
  });

  afterEach(async () => {
    bot.close();
    for (const socket of sockets.splice(0)) socket.terminate();
    await platform.close();
  });

  async function look(as: PersonName): Promise<{ hello: HelloEvent; events: PageEvent[] }> {
    const url = `${platform.url.replace("http", "ws")}/page/socket?as=${as}`;
    const socket = new WebSocket(url, { origin: platform.url });
    sockets.push(socket);
    const events: PageEvent[] = [];
    socket.on("message", (raw) => events.push(JSON.parse(String(raw))));
    await once(socket, "message");
    return { hello: events[0] as HelloEvent, events };
  }

  async function act(
    name: string,
    body: unknown,
    { as = "owner", ...headers }: Record<string, string> = {},
  ) {
    const response = await fetch(`${platform.url}/page/${name}?as=${as}`, {
      method: "POST",
      headers: { origin: platform.url, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as Record<string, never> };
  }

  const idOf = (hello: HelloEvent, name: string) =>
    hello.commands.find((each) => each.name === name)?.id ?? "";

  it("shows a person what is there", async () => {
    const { hello } = await look("member");

    expect(hello).toMatchObject({
      me: { name: "member" },
      online: true,
      channels: [{ name: "greenroom" }, { name: "announcements" }],
      attachmentLimit: 10 * 1_024 * 1_024,
      messages: [],
    });
    expect(hello.commands.map(({ name }) => name)).toEqual(["go"]);
  });

  it("carries a command with a file, and what comes of it", async () => {
    const { hello, events } = await look("owner");
    let size: unknown;
    bot.answer(async ({ interaction, callback }) => {
      const { resolved } = interaction.data as { resolved: { attachments: object } };
      size = (Object.values(resolved.attachments)[0] as { size: number }).size;
      await callback({ type: 4, data: { content: "done" } });
    });
    const upload = await fetch(`${platform.url}/page/files?as=owner&name=a.png`, {
      method: "POST",
      headers: { origin: platform.url, "content-type": "image/png" },
      body: tinyPng,
    });
    const { id } = (await upload.json()) as { id: string };

    const { json } = await act("command", {
      channelId: platform.channelId,
      commandId: idOf(hello, "go"),
      path: [],
      options: [{ name: "file", value: id }],
    });

    await expect
      .poll(() => events.map(({ type }) => type))
      .toEqual(["hello", "message", "settled"]);
    expect(events[1]).toMatchObject({ message: { content: "done" } });
    expect(events[2]).toEqual({ type: "settled", interactionId: json.interactionId });
    expect(size).toBe(tinyPng.byteLength);
  });

  it("shows ephemeral messages to their person only, and hides them for good", async () => {
    const [owner, member] = [await look("owner"), await look("member")];
    bot.answer(({ callback }) => callback({ type: 4, data: { content: "psst", flags: 64 } }));
    const message = (await platform.people("owner").command("go")) as APIMessage;

    const { status } = await act("dismiss", { messageId: message.id });

    await expect.poll(() => owner.events.at(-1)?.type).toBe("message-deleted");
    expect(status).toBe(200);
    expect(member.events.map(({ type }) => type)).toEqual(["hello"]);
    expect((await look("owner")).hello.messages).toEqual([]);
  });

  it("deletes messages for whoever may manage them, and for their authors", async () => {
    const [byMember, byOwner] = await Promise.all([
      platform.people("member").say("mine"),
      platform.people("owner").say("not yours"),
    ]);
    const remove = async (as: string, { id }: APIMessage) =>
      (await act("delete", { messageId: id }, { as })).status;

    expect(await remove("member", byOwner)).toBe(400);
    expect(await remove("member", byMember)).toBe(200);
    expect(await remove("moderator", byOwner)).toBe(200);
    expect((await look("owner")).hello.messages).toEqual([]);
  });

  it("shows a forum and its posts to those who may see it", async () => {
    const forum = platform.channels.find(({ type }) => type === 15)?.id;
    const [moderator, member] = [await look("moderator"), await look("member")];
    const post = { name: "A post", message: { content: "x" } };
    const { json } = await bot.send("POST", `/channels/${forum}/threads`, { body: post });
    const { id } = json as { id: string };

    await expect.poll(() => moderator.events.at(-1)?.type).toBe("thread");
    expect(moderator.events.slice(1)).toMatchObject([
      { type: "message", message: { id, channel_id: id } },
      { type: "thread", thread: { id, name: "A post", parent_id: forum } },
    ]);
    const { hello } = await look("moderator");
    expect(hello.threads).toMatchObject([{ id }]);
    expect(hello.channels.find(({ type }) => type === 15)).toMatchObject({
      id: forum,
      type: 15,
      available_tags: [{}, {}, {}],
    });
    expect((await look("member")).hello).toMatchObject({ channels: [{}, {}], threads: [] });
    expect(member.events).toHaveLength(1);
  });

  it("shows everyone their own reactions, and takes new ones", async () => {
    const { json } = await act("message", {
      channelId: platform.channelId,
      content: "hi",
      files: [],
    });
    const [owner, member] = [await look("owner"), await look("member")];

    const { status } = await act("react", { messageId: json.id, emoji: "🎉" });
    const wrong = await act("react", { messageId: json.id, emoji: "none" });

    const shown = ({ events }: typeof owner) => {
      const last = events.at(-1);
      return last?.type === "message"
        ? last.message.reactions?.map(({ count, me }) => [count, me])
        : undefined;
    };
    expect([status, wrong.status]).toEqual([200, 400]);
    await expect.poll(() => shown(owner)).toEqual([[1, true]]);
    await expect.poll(() => shown(member)).toEqual([[1, false]]);
    expect((await look("member")).hello.messages[0]?.reactions).toMatchObject([{ me: false }]);
  });

  it("shows everyone which channels are left when one is deleted", async () => {
    const [moderator, member] = [await look("moderator"), await look("member")];
    platform.removeChannel("moderators");

    const names = ({ events }: typeof member) => {
      const last = events.at(-1);
      return last?.type === "channels" ? last.channels.map(({ name }) => name) : [];
    };
    await expect
      .poll(() => names(moderator))
      .toEqual(["greenroom", "review-forum", "announcements"]);
    await expect.poll(() => names(member)).toEqual(["greenroom", "announcements"]);
  });

  it("takes messages with files, and answers what is wrong", async () => {
    const { channelId } = platform;

    const said = await act("message", { channelId, content: "hi", files: [] });
    const empty = await act("message", { channelId, content: " ", files: [] });
    const broken = await act("message", { content: 1 });
    const unknown = await act("nothing", {});

    expect(said.json).toMatchObject({ content: "hi" });
    expect([empty.status, broken.status, unknown.status]).toEqual([400, 400, 404]);
    expect(empty.json.error).toMatch(/Write something/);
  });

  it("reports when the bot disconnects and connects", async () => {
    const { events } = await look("owner");

    bot.close();

    await expect.poll(() => events.at(-1)).toEqual({ type: "online", online: false });
  });

  it.each([
    ["another site", { origin: "https://example.com" }],
    ["another port", { origin: "http://127.0.0.1:1" }],
    ["a page without origin", { origin: "null" }],
  ])("is closed to %s", async (_, headers) => {
    expect((await act("message", {}, headers)).status).toBe(403);
  });

  it("is closed to sockets of another site", async () => {
    const url = `${platform.url.replace("http", "ws")}/page/socket?as=owner`;
    const socket = new WebSocket(url, { origin: "https://example.com" });

    const [error] = await once(socket, "error");

    expect(String(error)).toMatch(/403/);
  });

  it("answers only under this machine's own names", async () => {
    const { request } = await import("node:http");
    const asked = request(`${platform.url}/`, { headers: { host: "evil.example" } }).end();

    const [response] = await once(asked, "response");

    expect(response.statusCode).toBe(403);
    expect(await (await fetch(platform.url)).text()).toBe("<html>");
  });
});
