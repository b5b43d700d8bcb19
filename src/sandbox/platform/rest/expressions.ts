import type { APIUser } from "discord-api-types/v10";
import { Hono } from "hono";
import { readDimensions } from "../../dimensions.ts";
import { serverRights } from "../channel-access.ts";
import { array, type Check, object, required, snowflakeId, string } from "../check/check.ts";
import {
  describeEmoji,
  describeSticker,
  type StoredExpression,
  type StoredSticker,
  shownExpressions,
  slots,
} from "../expressions.ts";
import type { NewFile } from "../files.ts";
import { isHeld } from "../permissions.ts";
import { demand, failField, rejection } from "../rejection.ts";
import type { PlatformState } from "../state.ts";
import { bodyFields, type RestContext, type RestEnv, readParam } from "./request.ts";

const kibibyte = 1_024;
const emojiBytes = 256 * kibibyte;
const stickerBytes = 512 * kibibyte;
const stickerSide = 320;
// The platform names the limit of uploads as such, whichever limit was passed: discord/discord-api-docs#6093.
const assetLimit = 32 * kibibyte * kibibyte;

/** Emoji and stickers of the server. Only the real one has them; simulated servers are as unknown ones. */
export function expressionRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  for (const path of ["/:guildId/emojis/*", "/:guildId/stickers/*"]) {
    app.use(path, async (c, next) => {
      demandAccess(state, c);
      await next();
    });
  }
  addEmojiRoutes(app, state);
  addStickerRoutes(app, state);
  return app;
}

function demandAccess(state: PlatformState, c: RestContext): void {
  const { guildId } = state.guild;
  const isHere = c.req.param("guildId") === guildId && state.guildIds.has(guildId);
  if (!isHere) throw rejection("unknownGuild");
  // Everything is this bot's own, so that the right to make is enough to take away (same pages).
  const isMaking =
    c.req.method === "POST" && isHeld(serverRights(state, "bot"), "createExpressions");
  const mayWrite = isMaking || (c.req.method === "DELETE" && makerFor(state) !== undefined);
  if (c.req.method !== "GET" && !mayWrite) throw rejection("missingPermissions");
}

/** Who made an emoji or sticker; only those who may make some can see it. */
function makerFor(state: PlatformState): APIUser | undefined {
  const held = serverRights(state, "bot");
  return isHeld(held, "createExpressions") || isHeld(held, "manageExpressions")
    ? state.guild.bot
    : undefined;
}

function publishExpressions(state: PlatformState): void {
  state.publish({ type: "expressions", expressions: shownExpressions(state.expressions) });
}

function addEmojiRoutes(app: Hono<RestEnv>, state: PlatformState): void {
  const { emojis } = state.expressions;
  const shown = (emoji: StoredExpression) => describeEmoji(emoji, makerFor(state));
  const wanted = (c: RestContext): StoredExpression => {
    const found = emojis.get(readParam(c, "id"));
    if (found === undefined) throw rejection("unknownEmoji");
    return found;
  };

  app.get("/:guildId/emojis", (c) => c.json([...emojis.values()].map(shown)));
  app.get("/:guildId/emojis/:id", (c) => c.json(shown(wanted(c))));
  app.post("/:guildId/emojis", (c) => {
    const body = bodyFields(c);
    demand(emojiBody, body);
    const picture = pictureIn(String(body.image));
    if (emojis.size >= slots.emojis) throw rejection("tooManyEmojis", slots.emojis);
    const emoji = { id: state.nextId(), name: String(body.name).trim(), ...picture };
    emojis.set(emoji.id, emoji);
    publishExpressions(state);
    return c.json(shown(emoji), 201);
  });
  app.delete("/:guildId/emojis/:id", (c) => {
    emojis.delete(wanted(c).id);
    publishExpressions(state);
    return c.body(null, 204);
  });
}

function addStickerRoutes(app: Hono<RestEnv>, state: PlatformState): void {
  const { stickers } = state.expressions;
  const shown = (sticker: StoredSticker) =>
    describeSticker(sticker, state.guild.guildId, makerFor(state));
  const wanted = (c: RestContext): StoredSticker => {
    const found = stickers.get(readParam(c, "id"));
    if (found === undefined) throw rejection("unknownSticker");
    return found;
  };

  app.get("/:guildId/stickers", (c) => c.json([...stickers.values()].map(shown)));
  app.get("/:guildId/stickers/:id", (c) => c.json(shown(wanted(c))));
  app.post("/:guildId/stickers", (c) => {
    const { json, uploads } = c.get("received");
    const body = bodyFields(c);
    demand(stickerFields, json);
    const file = stickerFile(uploads.get("file"));
    if (stickers.size >= slots.stickers) throw rejection("tooManyStickers");
    const sticker = {
      id: state.nextId(),
      name: String(body.name).trim(),
      tags: String(body.tags).trim(),
      description: String(body.description).trim() || null,
      ...file,
    };
    stickers.set(sticker.id, sticker);
    publishExpressions(state);
    return c.json(shown(sticker), 201);
  });
  app.delete("/:guildId/stickers/:id", (c) => {
    stickers.delete(wanted(c).id);
    publishExpressions(state);
    return c.body(null, 204);
  });
}

/** Judged by its bytes, whatever its address says it is. */
function pictureIn(address: string): Pick<StoredExpression, "type" | "data"> {
  const data = new Uint8Array(Buffer.from(address.slice(address.indexOf(",") + 1), "base64"));
  if (data.byteLength > emojiBytes) throw rejection("assetTooLarge", assetLimit);
  const size = readDimensions(data);
  if (size === undefined) return failField(["image"], "IMAGE_INVALID", "Invalid image data");
  return { type: size.type, data };
}

function stickerFile(upload: NewFile | undefined): Pick<StoredExpression, "type" | "data"> {
  if (upload === undefined)
    return failField(["file"], "BASE_TYPE_REQUIRED", "This field is required");
  if (upload.data.byteLength > stickerBytes) throw rejection("assetTooLarge", assetLimit);
  const size = readDimensions(upload.data);
  const isFitting = Math.max(size?.width ?? 0, size?.height ?? 0) <= stickerSide;
  if (size?.type !== "image/png" || !isFitting) throw rejection("invalidAsset");
  return { type: size.type, data: upload.data };
}

const image: Check = (value, report) => {
  if (typeof value !== "string" || !/^data:image\/[a-z]+;base64,/u.test(value)) {
    report.fail("IMAGE_INVALID", "Invalid image data");
  }
};

/** https://docs.discord.com/developers/resources/emoji#create-guild-emoji */
const emojiBody = object({
  name: required(string(2, 32, /^\w+$/)),
  image: required(image),
  roles: array(snowflakeId, 0, 100),
});

/** An empty description is none; a field that is not there at all breaks the form. */
const description: Check = (value, report) => {
  if (value !== "") string(2, 100)(value, report);
};

/** The fields beside the file: https://docs.discord.com/developers/resources/sticker#create-guild-sticker */
const stickerFields = object({
  name: required(string(2, 30)),
  tags: required(string(1, 200)),
  description: required(description),
});
