import { Hono } from "hono";
import { dimensionsOf } from "../../dimensions.ts";
import { emojiBody, stickerFields } from "../check/expressions.ts";
import {
  type Expression,
  emojiOf,
  type Sticker,
  shownExpressions,
  slots,
  stickerOf,
} from "../expressions/store.ts";
import type { Upload } from "../files.ts";
import { mayCreateExpressions, mayManageExpressions } from "../permissions.ts";
import { permissionsOf } from "../places.ts";
import { demand, refuse, rejections } from "../rejection.ts";
import type { World } from "../world.ts";
import { bodyOf, type RestEnv } from "./request.ts";

const kibibyte = 1_024;
const emojiBytes = 256 * kibibyte;
const stickerBytes = 512 * kibibyte;
const stickerSide = 320;
// The platform names the limit of uploads as such, whichever limit was passed: discord/discord-api-docs#6093.
const assetLimit = 32 * kibibyte * kibibyte;

/** Emoji and stickers of the server. Only the real one has them; simulated servers are as unknown ones. */
export function expressionRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const { emojis, stickers } = world.expressions;

  const held = () => permissionsOf(world, "bot");
  const maker = () =>
    mayCreateExpressions(held()) || mayManageExpressions(held()) ? world.cast.bot : undefined;
  const shownEmoji = (emoji: Expression) => emojiOf(emoji, maker());
  const shownSticker = (sticker: Sticker) => stickerOf(sticker, world.cast.guildId, maker());
  const tell = () =>
    world.publish({ type: "expressions", expressions: shownExpressions(world.expressions) });

  for (const path of ["/:guildId/emojis/*", "/:guildId/stickers/*"]) {
    app.use(path, async (c, next) => {
      const { guildId } = world.cast;
      const isHere = c.req.param("guildId") === guildId && world.guildIds.has(guildId);
      if (!isHere) throw rejections.unknownGuild();
      // Everything is this bot's own, so that the right to make is enough to take away (same pages).
      const isMaking = c.req.method === "POST" && mayCreateExpressions(held());
      const mayWrite = isMaking || (c.req.method === "DELETE" && maker() !== undefined);
      if (c.req.method !== "GET" && !mayWrite) throw rejections.missingPermissions();
      await next();
    });
  }

  app.get("/:guildId/emojis", (c) => c.json([...emojis.values()].map(shownEmoji)));
  app.get("/:guildId/emojis/:id", (c) => c.json(shownEmoji(emojiAt(c.req.param("id")))));

  app.post("/:guildId/emojis", (c) => {
    const body = bodyOf(c);
    demand(emojiBody, body);
    const picture = pictureIn(String(body.image));
    if (emojis.size >= slots.emojis) throw rejections.tooManyEmojis(slots.emojis);
    const emoji = { id: world.nextId(), name: String(body.name).trim(), ...picture };
    emojis.set(emoji.id, emoji);
    tell();
    return c.json(shownEmoji(emoji), 201);
  });

  app.delete("/:guildId/emojis/:id", (c) => {
    emojis.delete(emojiAt(c.req.param("id")).id);
    tell();
    return c.body(null, 204);
  });

  app.get("/:guildId/stickers", (c) => c.json([...stickers.values()].map(shownSticker)));
  app.get("/:guildId/stickers/:id", (c) => c.json(shownSticker(stickerAt(c.req.param("id")))));

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
    tell();
    return c.json(shownSticker(sticker), 201);
  });

  app.delete("/:guildId/stickers/:id", (c) => {
    stickers.delete(stickerAt(c.req.param("id")).id);
    tell();
    return c.body(null, 204);
  });

  function emojiAt(id: string): Expression {
    const found = emojis.get(id);
    if (found === undefined) throw rejections.unknownEmoji();
    return found;
  }

  function stickerAt(id: string): Sticker {
    const found = stickers.get(id);
    if (found === undefined) throw rejections.unknownSticker();
    return found;
  }

  return app;
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
