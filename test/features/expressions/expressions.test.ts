import type { APIMessage } from "discord-api-types/v10";
import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import type { PersonName, SandboxFile } from "../../../src/sandbox/types.ts";
import { tinyPng } from "../../sandbox/platform/tiny-png.ts";
import { send } from "../../support/raw-bot.ts";
import { asMessage, fetchBytes, isEphemeral, photo, textOf } from "../../support/stage.ts";
import { buttonsOf, expectText, useStage } from "../../support/use-stage.ts";

const { stage, as, owner, member, creditsLeft } = useStage();
afterEach(async () => {
  const { platform } = stage.sandbox;
  platform.setBotPermissions(mayMake);
  for (const what of ["emojis", "stickers"] as const) {
    for (const { id } of await there(what)) {
      await send(platform, "DELETE", `${guild()}/${what}/${id}`);
    }
  }
});

const mayMake = 1n << 43n;
const guild = () => `/guilds/${stage.sandbox.platform.guildId}`;

interface Expression {
  readonly id: string;
  readonly name: string;
  readonly tags?: string;
  readonly description?: string | null;
}

async function there(what: "emojis" | "stickers"): Promise<readonly Expression[]> {
  const { json } = await send(stage.sandbox.platform, "GET", `${guild()}/${what}`);
  return json as readonly Expression[];
}

/** Adds an unrelated sticker, which uses up one of the server's places. */
async function fillSlot(): Promise<void> {
  const { url, token } = stage.sandbox.platform;
  const form = new FormData();
  const file = new Blob([tinyPng], { type: "image/png" });
  for (const [name, value] of Object.entries({ name: "Another", description: "", tags: "x", file }))
    form.set(name, value);
  const headers = { authorization: `Bot ${token}` };
  await fetch(`${url}/api/v10${guild()}/stickers`, { method: "POST", headers, body: form });
}

/** A photo that is cut out quickly, but is larger than any sticker. */
async function smallPhoto(): Promise<SandboxFile> {
  const { data, ...rest } = await photo("cat");
  return { ...rest, data: await sharp(data).resize(360).toBuffer() };
}

/** A red disc on transparency. */
async function disc(): Promise<SandboxFile> {
  const raw = { width: 200, height: 200, channels: 4 } as const;
  const rgba = Buffer.alloc(200 * 200 * 4);
  for (let at = 0; at < 200 * 200; at += 1) {
    const isInside = Math.hypot((at % 200) - 90, Math.floor(at / 200) - 110) < 70;
    if (isInside) rgba.set([255, 0, 0, 255], at * 4);
  }
  return {
    name: "red disc.png",
    type: "image/png",
    data: await sharp(rgba, { raw }).png().toBuffer(),
  };
}

async function made(who: PersonName, options: Readonly<Record<string, string | boolean>> = {}) {
  return await as(who).run("background sticker", { image: await disc(), ...options });
}

async function picture(message: APIMessage, at = 0) {
  const attachment = message.attachments[at];
  if (attachment === undefined) throw new Error(`no file came: ${textOf(message)}`);
  const bytes = await fetchBytes(attachment.url);
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  /** How many pixels are opaque and as light as a sticker's rim. */
  let white = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] === 255 && Math.min(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0) > 250)
      white += 1;
  }
  return {
    name: attachment.filename,
    bytes,
    format,
    width: info.width,
    height: info.height,
    white,
  };
}

/** Presses the button, fills in the form and submits it. */
async function add(who: PersonName, message: APIMessage, fields: Readonly<Record<string, string>>) {
  const form = await as(who).clickForm(message, "Add to this server");
  return { form, answer: await as(who).submit(form, fields) };
}

describe("/background sticker", () => {
  it("makes a sticker from a transparent picture, without a credit", async () => {
    const before = await creditsLeft();

    const message = await made("member");
    const { name, format, width, height, bytes, white } = await picture(message);

    expect({ name, format, width, height }).toEqual({
      name: "red_disc-sticker.png",
      format: "png",
      width: 320,
      height: 320,
    });
    expect(bytes.length).toBeLessThan(512 * 1024);
    expect(white).toBeGreaterThan(1000);
    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).toContain("Already transparent – no credit used.");
    expect(await creditsLeft()).toBe(before);
  });

  it("sends a transparent picture only when someone pays anyway", async () => {
    const message = await made("member");
    const before = await creditsLeft();

    const paid = await member.click(message, "Remove anyway (up to 0.25 credits)");

    expect(textOf(paid)).toContain("0.25 credits · 320×320");
    expect(paid.attachments).toHaveLength(2);
    expect(before - (await creditsLeft())).toBe(0.25);
  });

  it("has another background for its whole cut-out, without a credit", async () => {
    const sticker = await as("member").run("background sticker", { image: await photo("cat") });
    const own = await made("member");
    const before = await creditsLeft();

    for (const message of [sticker, own]) {
      const form = await member.clickForm(message, "Background…");
      const onRed = await member.submit(form, { typed: "#ff0000" });
      const bytes = await fetchBytes(onRed.attachments[0]?.url ?? "");
      const { dominant } = await sharp(bytes)
        .extract({ left: 0, top: 0, width: 4, height: 4 })
        .stats();

      expect(dominant.r).toBeGreaterThan(230);
      expect(textOf(onRed)).toContain("No charge");
    }
    expect(await creditsLeft()).toBe(before);
  });

  it("makes an emoji, with or without a rim", async () => {
    const plain = await made("member", { kind: "emoji" });
    const rimmed = await member.click(plain, "White outline");

    expect(await picture(plain)).toMatchObject({ width: 128, height: 128, white: 0 });
    expect((await picture(rimmed)).white).toBeGreaterThan(200);
    expect(rimmed.id).toBe(plain.id);
  });

  it("cuts a photo out first, says what it cost and adds the whole cut-out", async () => {
    const before = await creditsLeft();
    const image = await smallPhoto();

    const message = await owner.run("background sticker", { image, rim: false });
    const again = await owner.click(message, "As an emoji");
    const { answer } = await add("owner", again, {});

    expect(await creditsLeft()).toBeLessThan(before);
    expect(textOf(message)).toMatch(/credits? · 320×320 · PNG/u);
    for (const one of [message, again, answer]) {
      expect(one.attachments[1]?.filename).toBe("cat-cutout.png");
      expect((await picture(one, 1)).width).toBeGreaterThan(320);
    }
    expect((await there("emojis"))[0]?.name).toBe("cat");
  });

  it("makes a larger one for other messengers", async () => {
    const large = await member.click(await made("member", { kind: "emoji" }), "512");

    expect(await picture(large)).toMatchObject({
      name: "red_disc-512.png",
      width: 512,
      height: 512,
    });
    expect(isEphemeral(large)).toBe(true);
  });

  it("speaks German", async () => {
    member.speak("de");
    const message = await made("member");
    member.speak("en-US");

    expectText(message, "Dein Sticker", "kein Credit verbraucht");
    expect(buttonsOf(message)).toEqual([
      "Keine Kontur",
      "512 × 512",
      "Als Emoji",
      "Hintergrund …",
      "Trotzdem entfernen (bis zu 0,25 Credits)",
    ]);
  });
});

describe("under a result", () => {
  it("everybody makes a sticker of their own", async () => {
    const result = await owner.run("background remove", { image: await smallPhoto() });

    const message = await member.click(result, "Sticker");
    const later = await member.click(message, "No outline");

    expect(isEphemeral(message)).toBe(true);
    expect(await picture(message)).toMatchObject({ name: "cat-sticker.png", width: 320 });
    expect(await picture(later)).toMatchObject({ width: 320 });
    expect(later.attachments).toHaveLength(1);
  });
});

describe("adding it to the server", () => {
  it("is for those who may: a sticker with its name, emoji and description", async () => {
    const message = await made("moderator");
    const shown = await picture(message);

    const { form, answer } = await add("moderator", message, {
      name: " Red disc! ",
      related: ["fire"] as unknown as string,
      description: "It glows",
    });

    expect(JSON.stringify(form)).toContain('"value":"red disc"');
    expect(await there("stickers")).toMatchObject([
      { name: "Red disc!", tags: "fire", description: "It glows" },
    ]);
    const [sticker] = await there("stickers");
    const kept = await fetchBytes(`${stage.sandbox.url}/stickers/${sticker?.id}.png`);
    expect(kept).toEqual(shown.bytes);
    expect(textOf(answer)).toContain("Sticker added");
    expect(buttonsOf(answer)).toEqual(["512 × 512", "As an emoji"]);
  });

  it("shows the emoji it became", async () => {
    const { answer } = await add("owner", await made("owner", { kind: "emoji" }), {});

    const [emoji] = await there("emojis");
    expect(emoji?.name).toBe("red_disc");
    expect(answer.embeds[0]?.description).toContain(`<:red_disc:${emoji?.id}>`);
  });

  it("is not offered to a member, with the reason", async () => {
    const message = await made("member");

    expect(buttonsOf(message)).not.toContain("Add to this server");
    expect(textOf(message)).toContain("Someone with the “Create Expressions” permission");
  });

  it("is not offered if the bot may not; the reply says which permission is missing", async () => {
    stage.sandbox.platform.setBotPermissions(0n);

    const message = await made("owner");

    expect(buttonsOf(message)).not.toContain("Add to this server");
    expectText(message, "I need the “Create Expressions” permission", "Server Settings → Roles");
  });

  it("says so if the bot has lost the permission, and gives the form back", async () => {
    const message = await made("owner");
    const form = await owner.clickForm(message, "Add to this server");
    stage.sandbox.platform.setBotPermissions(0n);

    const answer = await owner.submit(form, { name: "Mine" });

    expect(textOf(answer)).toContain("I can’t add emoji and stickers here");
    expect(textOf(answer)).not.toContain("Nothing was changed");
    expect(JSON.stringify(await owner.clickForm(answer, "Back"))).toContain("Mine");
  });

  it("refuses a name before anything is sent, and gives the form back as it was filled", async () => {
    const message = await made("owner", { kind: "emoji" });
    const before = stage.exchanges.length;

    const { answer } = await add("owner", message, { name: "so so" });
    const form = await owner.clickForm(answer, "Back");

    expect(textOf(answer)).toContain("Invalid emoji name");
    expect(JSON.stringify(form)).toContain('"value":"so so"');
    const asked = stage.exchanges.slice(before).filter(({ path }) => path.endsWith("/emojis"));
    expect(asked).toEqual([]);
    await owner.submit(form, { name: "so_so" });
    expect(await there("emojis")).toMatchObject([{ name: "so_so" }]);
  });

  it("says that the server is full", async () => {
    const message = await made("owner");
    for (let count = 0; count < 5; count += 1) await fillSlot();

    const { answer } = await add("owner", message, {});

    expect(textOf(answer)).toContain("This server has no room for another sticker");
    expect(await there("stickers")).toHaveLength(5);
  });

  it("happens once even if the answer breaks off", async () => {
    const message = await made("owner", { kind: "emoji" });
    stage.sandbox.platform.faults.add({
      method: "POST",
      path: /\/emojis$/u,
      kind: "cut-after",
      times: 1,
    });

    const { answer } = await add("owner", message, {});

    expect(textOf(answer)).toContain("Emoji added");
    expect(await there("emojis")).toHaveLength(1);
  });

  it("happens once even if the form is sent twice", async () => {
    const form = await owner.clickForm(await made("owner"), "Add to this server");

    const answers = await Promise.all([owner.submit(form, {}), owner.submit(form, {})]);
    const late = await owner.submit(form, {});

    expect(answers.map((one) => textOf(asMessage(one))).join()).toContain("Sticker added");
    expect(textOf(late)).not.toContain("Sticker added");
    expect(await there("stickers")).toHaveLength(1);
  });
});
