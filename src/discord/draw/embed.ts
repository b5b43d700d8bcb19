import type { APIEmbed, APIEmbedField } from "discord.js";
import { limits } from "./limits.ts";
import { webAddress } from "./links.ts";
import type { Card, CardField, Notice } from "./reply.ts";
import { cut, fitted, isBlank, oneLine, type Text, visible } from "./text.ts";
import { unformatted } from "./titles.ts";

export const tones = {
  good: 0x2e9e6b,
  warning: 0xe0a72e,
  bad: 0xd8434e,
  neutral: 0x80848e,
} as const satisfies Record<Notice["tone"], number>;

/** `undefined` counts as absent, so that a reply can be passed unchanged. */
type EmbedOf = {
  readonly [K in keyof Omit<
    Card,
    "kind" | "buttons" | "selects" | "isPrivate" | "preview" | "carried"
  >]: Card[K] | undefined;
} & { readonly title: string };

/** One embed, each part within its limit and all of them within 6,000 characters together. */
export function drawEmbed(parts: EmbedOf): APIEmbed {
  const { embed } = limits;
  const { url, thumbnail, image } = addressesOf(parts);
  const whole: APIEmbed = {
    title: visible(cut(unformatted(parts.title), embed.title)),
    color: tones[parts.tone ?? "neutral"],
    ...(url === undefined ? {} : { url }),
    ...(parts.author === undefined ? {} : { author: drawAuthor(parts.author) }),
    ...(parts.fields === undefined
      ? {}
      : { fields: parts.fields.slice(0, embed.fields).map(drawField) }),
    ...(thumbnail === undefined ? {} : { thumbnail: { url: thumbnail } }),
    ...(image === undefined ? {} : { image: { url: image } }),
    ...(parts.footer === undefined || isBlank(parts.footer)
      ? {}
      : { footer: { text: cut(oneLine(parts.footer), embed.footer) } }),
    ...(parts.at === undefined ? {} : { timestamp: parts.at.toISOString() }),
  };
  return parts.text === undefined ? whole : { ...whole, ...description(parts.text, whole) };
}

function description(text: Text, rest: APIEmbed): Pick<APIEmbed, "description"> {
  const room = Math.min(limits.embed.description, limits.embed.total - embedLengthOf(rest));
  const shown = fitted(text, room);
  return isBlank(shown) ? {} : { description: shown };
}

function addressesOf({ url, thumbnail, image }: EmbedOf) {
  return { url: webAddress(url ?? ""), thumbnail: pictureAt(thumbnail), image: pictureAt(image) };
}

/** Either elsewhere, or one of the message's own files. */
function pictureAt(address = ""): string | undefined {
  return address.startsWith("attachment://") ? address : webAddress(address);
}

function drawAuthor(author: NonNullable<Card["author"]>): NonNullable<APIEmbed["author"]> {
  const url = webAddress(author.url ?? "");
  const icon_url = webAddress(author.icon ?? "");
  return {
    name: visible(cut(oneLine(author.name), limits.embed.author)),
    ...(url === undefined ? {} : { url }),
    ...(icon_url === undefined ? {} : { icon_url }),
  };
}

function drawField(field: CardField): APIEmbedField {
  return {
    name: visible(cut(unformatted(field.name), limits.embed.fieldName)),
    value: visible(fitted(field.value, limits.embed.fieldValue)),
    ...(field.inline === undefined ? {} : { inline: field.inline }),
  };
}

/** Characters that count toward the total: docs/services/discord.md#embeds */
export function embedLengthOf(embed: APIEmbed): number {
  const fields = embed.fields ?? [];
  return (
    (embed.title?.length ?? 0) +
    (embed.description?.length ?? 0) +
    (embed.footer?.text.length ?? 0) +
    (embed.author?.name.length ?? 0) +
    fields.reduce((sum, field) => sum + field.name.length + field.value.length, 0)
  );
}
