import { Hono } from "hono";
import { readDimensions } from "../../dimensions.ts";
import { serverRights } from "../channel-access.ts";
import { array, object, required, snowflakeId, string } from "../check/check.ts";
import {
  describeEmoji,
  describeSticker,
  type StoredExpression,
  type StoredSticker,
  shownExpressions,
  slots,
} from "../expressions.ts";
import { isHeld } from "../permissions.ts";
import { demand, failField, rejection } from "../rejection.ts";
import type { PlatformState } from "../state.ts";
import { bodyFields, type RestContext, type RestEnv, readParam } from "./request.ts";

const kibibyte = 1_024;
const emojiBytes = 256 * kibibyte;
const stickerBytes = 512 * kibibyte;
const stickerSide = 320;
// Discord names the limit of uploads as such, whichever limit was passed: discord/discord-api-docs#6093.
const assetLimit = 32 * kibibyte * kibibyte;

/** Emoji and stickers of the server. Only the real one has them; simulated servers are as unknown ones. */
export function expressionRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const { guildId, bot } = state.guild;

  function show(each: StoredExpression | StoredSticker): object {
    const held = serverRights(state, "bot");
    const isMaker = isHeld(held, "createExpressions") || isHeld(held, "manageExpressions");
    // Only those who may make some can see who made them.
    const maker = isMaker ? bot : undefined;
    return "tags" in each ? describeSticker(each, guildId, maker) : describeEmoji(each, maker);
  }

  for (const kind of ["emojis", "stickers"] as const) {
    const all = `/:guildId/${kind}`;
    const known = state.expressions[kind];
    app.use(`${all}/*`, (c, next) => {
      const isHere = readParam(c, "guildId") === guildId && state.guildIds.has(guildId);
      if (!isHere) throw rejection("unknownGuild");
      const held = serverRights(state, "bot");
      const mayMake = isHeld(held, "createExpressions");
      // Everything here is the bot's own, so the right to make it is enough to take it away.
      const mayWrite =
        c.req.method === "DELETE" ? mayMake || isHeld(held, "manageExpressions") : mayMake;
      if (c.req.method !== "GET" && !mayWrite) throw rejection("missingPermissions");
      return next();
    });
    app.on(["GET", "DELETE"], `${all}/:id`, (c, next) => {
      if (known.has(readParam(c, "id"))) return next();
      throw rejection(kind === "emojis" ? "unknownEmoji" : "unknownSticker");
    });
    app.get(all, (c) => c.json([...known.values()].map(show)));
    app.get(`${all}/:id`, (c) => c.json(show(known.get(readParam(c, "id")) as StoredExpression)));
    app.post(all, (c) => {
      const made = kind === "emojis" ? createEmoji(state, c) : createSticker(state, c);
      publishExpressions(state);
      return c.json(show(made), 201);
    });
    app.delete(`${all}/:id`, (c) => {
      known.delete(readParam(c, "id"));
      publishExpressions(state);
      return c.body(null, 204);
    });
  }
  return app;
}

function publishExpressions(state: PlatformState): void {
  state.publish({ type: "expressions", expressions: shownExpressions(state.expressions) });
}

/** https://docs.discord.com/developers/resources/emoji#create-guild-emoji */
const emojiBody = object({
  name: required(string(2, 32, /^\w+$/)),
  image: required((value, report) => {
    if (typeof value !== "string" || !/^data:image\/[a-z]+;base64,/u.test(value)) {
      report.fail("IMAGE_INVALID", "Invalid image data");
    }
  }),
  roles: array(snowflakeId, 0, 100),
});

function createEmoji(state: PlatformState, c: RestContext): StoredExpression {
  const { emojis } = state.expressions;
  const body = bodyFields(c);
  demand(emojiBody, body);
  const [, address = ""] = String(body.image).split(",");
  const data = new Uint8Array(Buffer.from(address, "base64"));
  if (data.byteLength > emojiBytes) throw rejection("assetTooLarge", assetLimit);
  // Judged by its bytes, whatever its address says it is.
  const { type } =
    readDimensions(data) ?? failField(["image"], "IMAGE_INVALID", "Invalid image data");
  if (emojis.size >= slots.emojis) throw rejection("tooManyEmojis", slots.emojis);
  const emoji = { id: state.nextId(), name: String(body.name).trim(), type, data };
  emojis.set(emoji.id, emoji);
  return emoji;
}

/** The fields beside the file: https://docs.discord.com/developers/resources/sticker#create-guild-sticker */
const stickerFields = object({
  name: required(string(2, 30)),
  tags: required(string(1, 200)),
  description: required((value, report) => {
    // An empty description is none; a field that is not there at all breaks the form.
    if (value !== "") string(2, 100)(value, report);
  }),
});

function createSticker(state: PlatformState, c: RestContext): StoredSticker {
  const { stickers } = state.expressions;
  const { json, uploads } = c.get("received");
  const body = bodyFields(c);
  demand(stickerFields, json);
  const upload = uploads.get("file");
  if (upload === undefined) {
    return failField(["file"], "BASE_TYPE_REQUIRED", "This field is required");
  }
  const { data } = upload;
  if (data.byteLength > stickerBytes) throw rejection("assetTooLarge", assetLimit);
  const { type, width = 0, height = 0 } = readDimensions(data) ?? {};
  if (type !== "image/png" || Math.max(width, height) > stickerSide) {
    throw rejection("invalidAsset");
  }
  if (stickers.size >= slots.stickers) throw rejection("tooManyStickers");
  const sticker = {
    id: state.nextId(),
    name: String(body.name).trim(),
    tags: String(body.tags).trim(),
    description: String(body.description).trim() || null,
    type,
    data,
  };
  stickers.set(sticker.id, sticker);
  return sticker;
}
