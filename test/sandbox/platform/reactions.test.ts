import { type APIMessage, PermissionFlagsBits as bits } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import type { RawBot } from "../../support/raw-bot.ts";
import { observePlatform } from "./observed-platform.ts";

const everyIntent = (1 << 26) - 1;

const observed = observePlatform({ hasLimits: false, checks: "exchanges and events" });
const { events } = observed;
let platform: Platform;
let bot: RawBot;
let message: APIMessage;

beforeEach(async () => {
  ({ platform } = observed);
  bot = await observed.startBot(everyIntent);
  message = await platform.people("member").say("look");
});

const channel = () => `/channels/${platform.channelId}`;
const here = () => `${channel()}/messages/${message.id}`;
const named = (text: string) => events.filter(({ name }) => name === text).map(({ data }) => data);
async function codeOf(method: string, path: string): Promise<readonly unknown[]> {
  const { status, json } = await bot.send(method, path);
  return [status, (json as { code?: number } | undefined)?.code];
}

describe("reactions", () => {
  const at = (emoji: string, who = "") => `${here()}/reactions/${encodeURIComponent(emoji)}${who}`;
  const shown = async () =>
    ((await bot.send("GET", here())).json as APIMessage).reactions?.map(
      ({ emoji, count, me }) => [emoji.name, count, me] as const,
    );

  it("are added once by everyone, and listed", async () => {
    platform.people("member").react(message, "🎉");
    await codeOf("PUT", at("🎉", "/@me"));
    await codeOf("PUT", at("🎉", "/@me"));
    await codeOf("PUT", at("❤", "/@me"));

    const { json } = await bot.send("GET", at("🎉"));
    const page = await bot.send("GET", `${at("🎉")}?limit=1&after=${platform.applicationId}`);

    expect(await shown()).toEqual([
      ["🎉", 2, true],
      ["❤", 1, true],
    ]);
    expect((json as { username: string }[]).map(({ username }) => username)).toEqual([
      "Greenroom",
      "alex",
    ]);
    expect(page.json).toMatchObject([{ username: "alex" }]);
    expect(named("MESSAGE_REACTION_ADD")).toMatchObject([
      { emoji: { name: "🎉" }, guild_id: platform.guildId, member: { user: { username: "alex" } } },
      { emoji: { name: "🎉" }, user_id: platform.applicationId },
      { emoji: { name: "❤" } },
    ]);
  });

  it("are taken back, taken from others and cleared", async () => {
    for (const emoji of ["🎉", "👍", "👀"]) {
      platform.people("member").react(message, emoji);
      await codeOf("PUT", at(emoji, "/@me"));
    }
    platform.setBotPermissions(0n);
    const { id } = message.author;
    const refused = [
      await codeOf("DELETE", at("🎉", `/${id}`)),
      await codeOf("DELETE", at("🎉")),
      await codeOf("DELETE", `${here()}/reactions`),
    ];
    platform.setBotPermissions(bits.ManageMessages);

    await codeOf("DELETE", at("🎉", "/@me"));
    await codeOf("DELETE", at("👍", `/${id}`));
    const left = await shown();
    await codeOf("DELETE", at("👍"));
    const without = await shown();
    await codeOf("DELETE", `${here()}/reactions`);

    expect(refused).toEqual(Array(3).fill([403, 50_013]));
    expect(left).toEqual([
      ["🎉", 1, false],
      ["👍", 1, true],
      ["👀", 2, true],
    ]);
    expect(without?.map(([name]) => name)).toEqual(["🎉", "👀"]);
    expect(await shown()).toBeUndefined();
    expect(named("MESSAGE_REACTION_REMOVE")).toHaveLength(2);
    expect(named("MESSAGE_REACTION_REMOVE_EMOJI")).toHaveLength(1);
    expect(named("MESSAGE_REACTION_REMOVE_ALL")).toHaveLength(1);
  });

  it.each(["x", "🎉🎉", "name:1", "a".repeat(2_000)])("are none with %j", async (text) => {
    expect(await codeOf("PUT", at(text, "/@me"))).toEqual([404, 10_014]);
  });

  it("are twenty at most, of which the bot joins those it may not begin", async () => {
    const all = [..."😀😁😂🤣😃😄😅😆😉😊😋😎😍😘😗😙😚🙂🤗🤩"];
    for (const emoji of all) platform.people("member").react(message, emoji);

    expect(await codeOf("PUT", at("🎉", "/@me"))).toEqual([400, 30_010]);
    expect(() => platform.people("owner").react(message, "🎉")).toThrow(/can't react/);
    platform.forbidBot(platform.channelId, bits.AddReactions);
    expect(await codeOf("PUT", at("😀", "/@me"))).toEqual([204, undefined]);
    platform.people("member").react(message, "😁");
    expect(await codeOf("PUT", at("😁", "/@me"))).toEqual([403, 50_013]);
  });

  it("are not on what is not there", async () => {
    const path = `${channel()}/messages/1/reactions/${encodeURIComponent("🎉")}/@me`;

    expect(await codeOf("PUT", path)).toEqual([404, 10_008]);
  });
});

describe("typing", () => {
  it("shows to the bot, and the bot's to others", async () => {
    platform.people("owner").type();

    expect(await codeOf("POST", `${channel()}/typing`)).toEqual([204, undefined]);
    expect(named("TYPING_START")).toMatchObject([
      { user_id: platform.ownerId, member: { user: { username: "robin" } } },
      { user_id: platform.applicationId },
    ]);
  });

  it("takes the right to write", async () => {
    platform.forbidBot(platform.channelId, bits.SendMessages);

    expect(await codeOf("POST", `${channel()}/typing`)).toEqual([403, 50_013]);
    expect(await codeOf("POST", "/channels/1/typing")).toEqual([404, 10_003]);
  });
});

describe("pins", () => {
  const pins = ["pins", "messages/pins"];

  it.each(pins)("are set, listed and taken away by /%s", async (base) => {
    platform.setBotPermissions(bits.PinMessages);
    const path = `${channel()}/${base}/${message.id}`;

    const done = [await codeOf("PUT", path), await codeOf("PUT", path)];
    const list = await bot.send("GET", `${channel()}/${base}`);
    const notices = platform
      .people("member")
      .messages()
      .filter(({ type }) => type === 6);
    done.push(await codeOf("DELETE", path), await codeOf("DELETE", path));

    expect(done).toEqual(Array(4).fill([204, undefined]));
    expect(JSON.stringify(list.json)).toContain(`"id":"${message.id}"`);
    expect(notices).toMatchObject([{ message_reference: { message_id: message.id } }]);
    expect(named("CHANNEL_PINS_UPDATE")).toMatchObject([
      { last_pin_timestamp: expect.any(String) },
      { last_pin_timestamp: null },
    ]);
  });

  it("come the latest first, a page at a time", async () => {
    platform.setBotPermissions(bits.PinMessages);
    const second = await platform.people("member").say("second");
    for (const { id } of [message, second]) {
      await codeOf("PUT", `${channel()}/messages/pins/${id}`);
      observed.pass(1);
    }

    const page = async (query: string) =>
      (await bot.send("GET", `${channel()}/messages/pins?${query}`)).json;

    expect(await page("limit=1")).toMatchObject({
      items: [{ message: { content: "second", pinned: true } }],
      has_more: true,
    });
    expect(await page("before=2000-01-01T00:00:00Z")).toEqual({ items: [], has_more: false });
  });

  it("take a right of their own, and a message that somebody wrote", async () => {
    platform.setBotPermissions(bits.ManageMessages);
    const refused = await codeOf("PUT", `${channel()}/messages/pins/${message.id}`);
    platform.setBotPermissions(bits.PinMessages);
    await codeOf("PUT", `${channel()}/messages/pins/${message.id}`);
    const notice = platform.people("member").messages().at(-1);

    expect(refused).toEqual([403, 50_013]);
    expect(await codeOf("PUT", `${channel()}/messages/pins/${notice?.id}`)).toEqual([403, 50_021]);
    expect(await codeOf("PUT", `${channel()}/messages/pins/1`)).toEqual([404, 10_008]);
  });
});
