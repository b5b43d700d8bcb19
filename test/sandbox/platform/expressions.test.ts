import { randomBytes } from "node:crypto";
import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import { type Answered, send } from "../../support/raw-bot.ts";
import { observePlatform } from "./observed-platform.ts";

const observed = observePlatform({ checks: "exchanges" });
const { pass } = observed;
let platform: Platform;

beforeEach(() => {
  ({ platform } = observed);
});

const guild = () => `/guilds/${platform.guildId}`;
const square = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: "#fa08" } })
    .png()
    .toBuffer();
const dataUri = (bytes: Uint8Array) =>
  `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;

async function makeEmoji(change: object = {}): Promise<Answered> {
  const body = { name: "cat", image: dataUri(await square(128)), ...change };
  return send(platform, "POST", `${guild()}/emojis`, { body });
}

async function makeSticker(change: Readonly<Record<string, string | Blob>> = {}) {
  const file = new Blob([new Uint8Array(await square(320))], { type: "image/png" });
  const form = new FormData();
  const fields = { name: "A cat", description: "", tags: "cat", file, ...change };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const response = await fetch(`${platform.url}/api/v10${guild()}/stickers`, {
    method: "POST",
    headers: { authorization: `Bot ${platform.token}` },
    body: form,
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

const list = async (what: "emojis" | "stickers") =>
  (await send(platform, "GET", `${guild()}/${what}`)).json as { id: string; name: string }[];

describe("emoji of the server", () => {
  it("are made, listed, served and taken away", async () => {
    const { status, json } = await makeEmoji();
    const { id } = json as { id: string };

    expect(status).toBe(201);
    expect(json).toMatchObject({ name: "cat", animated: false, user: { username: "Greenroom" } });
    expect(await list("emojis")).toMatchObject([{ id, name: "cat" }]);
    const picture = await fetch(`${platform.url}/emojis/${id}.png`);
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(await square(128));
    expect((await send(platform, "GET", guild())).json).toMatchObject({ emojis: [{ id }] });

    expect((await send(platform, "DELETE", `${guild()}/emojis/${id}`)).status).toBe(204);
    expect(await list("emojis")).toEqual([]);
    expect((await fetch(`${platform.url}/emojis/${id}.png`)).status).toBe(404);
    expect((await send(platform, "DELETE", `${guild()}/emojis/${id}`)).json).toMatchObject({
      code: 10_014,
    });
  });

  it.each([
    ["a name of one letter", { name: "c" }, "name"],
    ["a name of 33 letters", { name: "c".repeat(33) }, "name"],
    ["a name with a space", { name: "my cat" }, "name"],
    ["a name beyond ASCII", { name: "くま" }, "name"],
    ["no picture", { image: "cat.png" }, "image"],
    ["words as a picture", { image: dataUri(Buffer.from("words")) }, "image"],
  ])("are refused with %s", async (_, change, field) => {
    const { status, json } = await makeEmoji(change);

    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 50_035, errors: { [field]: { _errors: [{}] } } });
  });

  it("are refused above 256 KiB", async () => {
    const { json } = await makeEmoji({ image: dataUri(randomBytes(256 * 1_024 + 1)) });

    expect(json).toMatchObject({ code: 50_045 });
  });

  it("are fifty at most, and fifty in an hour", async () => {
    for (let count = 0; count < 50; count += 1) {
      expect((await makeEmoji()).status).toBe(201);
      // Stays below the requests that a bot may send in a second.
      pass(25);
    }
    const early = await makeEmoji();
    pass(3_600_000);
    const late = await makeEmoji();

    expect(early.status).toBe(429);
    expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect(late.json).toEqual({
      code: 30_008,
      message: "Maximum number of emojis reached (50)",
    });
  });
});

describe("stickers of the server", () => {
  it("are made, listed, served and taken away", async () => {
    const { status, json } = await makeSticker({ description: "One that sits" });

    expect(status).toBe(201);
    expect(json).toMatchObject({
      name: "A cat",
      tags: "cat",
      description: "One that sits",
      type: 2,
      format_type: 1,
      guild_id: platform.guildId,
    });
    expect(await list("stickers")).toMatchObject([{ id: json.id }]);
    const picture = await fetch(`${platform.url}/stickers/${json.id}.png`);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(await square(320));
    expect((await send(platform, "DELETE", `${guild()}/stickers/${json.id}`)).status).toBe(204);
    expect(await list("stickers")).toEqual([]);
  });

  it("need no description", async () => {
    expect((await makeSticker()).json).toMatchObject({ description: null });
  });

  it.each([
    ["a name of one letter", { name: "c" }, "name"],
    ["a description of one letter", { description: "c" }, "description"],
    ["tags of 201 letters", { tags: "c".repeat(201) }, "tags"],
    ["no file", { file: "cat" }, "file"],
  ])("are refused with %s", async (_, change, field) => {
    const { status, json } = await makeSticker(change);

    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 50_035, errors: { [field]: { _errors: [{}] } } });
  });

  it("are refused above 320 pixels, above 512 KiB, and as anything but a PNG", async () => {
    const blob = (bytes: Uint8Array) => ({ file: new Blob([new Uint8Array(bytes)]) });
    const jpeg = await sharp(await square(320))
      .jpeg()
      .toBuffer();

    expect((await makeSticker(blob(await square(321)))).json).toMatchObject({ code: 50_046 });
    expect((await makeSticker(blob(jpeg))).json).toMatchObject({ code: 50_046 });
    expect((await makeSticker(blob(randomBytes(512 * 1_024 + 1)))).json).toMatchObject({
      code: 50_045,
    });
  });

  it("are five at most", async () => {
    for (let count = 0; count < 5; count += 1) expect((await makeSticker()).status).toBe(201);

    expect((await makeSticker()).json).toMatchObject({ code: 30_039 });
  });
});

describe("the bot's permission", () => {
  it("to make them is needed; to manage them is not enough, but takes away", async () => {
    const { json } = await makeEmoji();
    platform.setBotPermissions(bits.ManageGuildExpressions);
    const managed = await makeEmoji();
    platform.setBotPermissions(0n);
    const [emoji, sticker] = [await makeEmoji(), await makeSticker()];
    const listed = await list("emojis");
    platform.setBotPermissions(bits.ManageGuildExpressions);
    const { id } = json as { id: string };
    const removed = await send(platform, "DELETE", `${guild()}/emojis/${id}`);

    for (const { status, json: refusal } of [managed, emoji, sticker]) {
      expect({ status, refusal }).toMatchObject({ status: 403, refusal: { code: 50_013 } });
    }
    expect(listed[0]).not.toHaveProperty("user");
    expect(removed.status).toBe(204);
  });

  it("is for the bot's own servers", async () => {
    expect((await send(platform, "GET", "/guilds/1/emojis")).json).toMatchObject({ code: 10_004 });
    platform.removeGuild(platform.guildId);
    expect((await makeEmoji()).json).toMatchObject({ code: 10_004 });
  });
});
