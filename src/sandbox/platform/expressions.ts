import type { APIUser } from "discord-api-types/v10";
import type { HelloEvent } from "./protocol.ts";

/** An emoji or a sticker of the server, with its picture. */
export interface StoredExpression {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: Uint8Array;
}

export interface StoredSticker extends StoredExpression {
  readonly description: string | null;
  readonly tags: string;
}

/** What the server has beside Discord's own. */
export interface StoredExpressions {
  /** Oldest first. */
  readonly emojis: Map<string, StoredExpression>;
  readonly stickers: Map<string, StoredSticker>;
}

/** Slots of a server without boosts: https://docs.discord.com/developers/resources/sticker#create-guild-sticker */
export const slots = { emojis: 50, stickers: 5 } as const;

/** As Discord's API shows it; only those who may create emoji see the creator. */
export function describeEmoji(emoji: StoredExpression, user: APIUser | undefined): object {
  return {
    id: emoji.id,
    name: emoji.name,
    ...(user === undefined ? {} : { user }),
    roles: [],
    require_colons: true,
    managed: false,
    animated: emoji.type === "image/gif",
    available: true,
  };
}

const pngFormat = 1;
const guildSticker = 2;

export function describeSticker(
  sticker: StoredSticker,
  guildId: string,
  user: APIUser | undefined,
): object {
  return {
    id: sticker.id,
    name: sticker.name,
    tags: sticker.tags,
    type: guildSticker,
    format_type: pngFormat,
    description: sticker.description,
    available: true,
    guild_id: guildId,
    ...(user === undefined ? {} : { user }),
  };
}

export function shownExpressions({
  emojis,
  stickers,
}: StoredExpressions): HelloEvent["expressions"] {
  const shown = ({ id, name }: StoredExpression) => ({ id, name });
  return {
    emojis: [...emojis.values()].map(shown),
    stickers: [...stickers.values()].map(shown),
  };
}
