import type { APIUser } from "discord-api-types/v10";
import { Hono } from "hono";
import { dimensionsOf } from "../../dimensions.ts";
import { type Check, list, required, shape, snowflake, text } from "../check/check.ts";
import {
  type Expression,
  emojiOf,
  type Sticker,
  shownExpressions,
  slots,
  stickerOf,
} from "../expressions.ts";
import type { Upload } from "../files.ts";
import { isHeld } from "../permissions.ts";
import { permissionsOf } from "../places.ts";
import { demand, refuse, rejections } from "../rejection.ts";
import type { World } from "../world.ts";
import { bodyOf, paramOf, type RestContext, type RestEnv } from "./request.ts";

const kibibyte = 1_024;
const emojiBytes = 256 * kibibyte;
const stickerBytes = 512 * kibibyte;
const stickerSide = 320;
// The platform names the limit of uploads as such, whichever limit was passed: discord/discord-api-docs#6093.
const assetLimit = 32 * kibibyte * kibibyte;

/** Emoji and stickers of the server. Only the real one has them; simulated servers are as unknown ones. */
export function expressionRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  for (const path of ["/:guildId/emojis/*", "/:guildId/stickers/*"]) {
    app.use(path, async (c, next) => {
      demandAccess(world, c);
      await next();
    });
  }
  addEmojiRoutes(app, world);
  addStickerRoutes(app, world);
  return app;
}

function demandAccess(world: World, c: RestContext): void {
  const { guildId } = world.cast;
  const isHere = c.req.param("guildId") === guildId && world.guildIds.has(guildId);
  if (!isHere) throw rejections.unknownGuild();
  // Everything is this bot's own, so that the right to make is enough to take away (same pages).
  const isMaking =
    c.req.method === "POST" && isHeld(permissionsOf(world, "bot"), "createExpressions");
  const mayWrite = isMaking || (c.req.method === "DELETE" && makerFor(world) !== undefined);
  if (c.req.method !== "GET" && !mayWrite) throw rejections.missingPermissions();
}

/** Who made an emoji or sticker; only those who may make some can see it. */
function makerFor(world: World): APIUser | undefined {
  const held = permissionsOf(world, "bot");
  return isHeld(held, "createExpressions") || isHeld(held, "manageExpressions")
    ? world.cast.bot
    : undefined;
}

function tellExpressions(world: World): void {
  world.publish({ type: "expressions", expressions: shownExpressions(world.expressions) });
}

function addEmojiRoutes(app: Hono<RestEnv>, world: World): void {
  const { emojis } = world.expressions;
  const shown = (emoji: Expression) => emojiOf(emoji, makerFor(world));
  const wanted = (c: RestContext): Expression => {
    const found = emojis.get(paramOf(c, "id"));
    if (found === undefined) throw rejections.unknownEmoji();
    return found;
  };

  app.get("/:guildId/emojis", (c) => c.json([...emojis.values()].map(shown)));
  app.get("/:guildId/emojis/:id", (c) => c.json(shown(wanted(c))));
  app.post("/:guildId/emojis", (c) => {
    const body = bodyOf(c);
    demand(emojiBody, body);
    const picture = pictureIn(String(body.image));
    if (emojis.size >= slots.emojis) throw rejections.tooManyEmojis(slots.emojis);
    const emoji = { id: world.nextId(), name: String(body.name).trim(), ...picture };
    emojis.set(emoji.id, emoji);
    tellExpressions(world);
    return c.json(shown(emoji), 201);
  });
  app.delete("/:guildId/emojis/:id", (c) => {
    emojis.delete(wanted(c).id);
    tellExpressions(world);
    return c.body(null, 204);
  });
}

function addStickerRoutes(app: Hono<RestEnv>, world: World): void {
  const { stickers } = world.expressions;
  const shown = (sticker: Sticker) => stickerOf(sticker, world.cast.guildId, makerFor(world));
  const wanted = (c: RestContext): Sticker => {
    const found = stickers.get(paramOf(c, "id"));
    if (found === undefined) throw rejections.unknownSticker();
    return found;
  };

  app.get("/:guildId/stickers", (c) => c.json([...stickers.values()].map(shown)));
  app.get("/:guildId/stickers/:id", (c) => c.json(shown(wanted(c))));
  app.post("/:guildId/stickers", (c) => {
    const { json, uploads } = c.get("received");
    const body = bodyOf(c);
    demand(stickerFields, json);
    const file = stickerFile(uploads.get("file"));
    if (stickers.size >= slots.stickers) throw rejections.tooManyStickers();
    const sticker = {
      id: world.nextId(),
      name: String(body.name).trim(),
      tags: String(body.tags).trim(),
      description: String(body.description).trim() || null,
      ...file,
    };
    stickers.set(sticker.id, sticker);
    tellExpressions(world);
    return c.json(shown(sticker), 201);
  });
  app.delete("/:guildId/stickers/:id", (c) => {
    stickers.delete(wanted(c).id);
    tellExpressions(world);
    return c.body(null, 204);
  });
}

/** Judged by its bytes, whatever its address says it is. */
function pictureIn(address: string): Pick<Expression, "type" | "data"> {
  const data = new Uint8Array(Buffer.from(address.slice(address.indexOf(",") + 1), "base64"));
  if (data.byteLength > emojiBytes) throw rejections.assetTooLarge(assetLimit);
  const size = dimensionsOf(data);
  if (size === undefined) return refuse(["image"], "IMAGE_INVALID", "Invalid image data");
  return { type: size.type, data };
}

function stickerFile(upload: Upload | undefined): Pick<Expression, "type" | "data"> {
  if (upload === undefined) return refuse(["file"], "BASE_TYPE_REQUIRED", "This field is required");
  if (upload.data.byteLength > stickerBytes) throw rejections.assetTooLarge(assetLimit);
  const size = dimensionsOf(upload.data);
  const isFitting = Math.max(size?.width ?? 0, size?.height ?? 0) <= stickerSide;
  if (size?.type !== "image/png" || !isFitting) throw rejections.invalidAsset();
  return { type: size.type, data: upload.data };
}

const image: Check = (value, report) => {
  if (typeof value !== "string" || !/^data:image\/[a-z]+;base64,/u.test(value)) {
    report.fail("IMAGE_INVALID", "Invalid image data");
  }
};

/** https://docs.discord.com/developers/resources/emoji#create-guild-emoji */
const emojiBody = shape({
  name: required(text(2, 32, /^\w+$/)),
  image: required(image),
  roles: list(snowflake, 0, 100),
});

/** An empty description is none; a field that is not there at all breaks the form. */
const description: Check = (value, report) => {
  if (value !== "") text(2, 100)(value, report);
};

/** The fields beside the file: https://docs.discord.com/developers/resources/sticker#create-guild-sticker */
const stickerFields = shape({
  name: required(text(2, 30)),
  tags: required(text(1, 200)),
  description: required(description),
});
