import type { APIEmbed, APIEmbedField } from "discord.js";
import { limits } from "./limits.ts";
import { webAddress } from "./links.ts";
import type { Card, CardField, Notice } from "./reply.ts";
import { cut, definedFields, fitted, isBlank, oneLine, visible } from "./text.ts";
import { unformatted } from "./titles.ts";

/** The colours of cards and notices. */
export const toneColors = {
  good: 0x2e9e6b,
  warning: 0xe0a72e,
  bad: 0xd8434e,
  neutral: 0x80848e,
} as const satisfies Record<Notice["tone"], number>;

type EmbedParts = Omit<Card, "kind">;

/** One embed, each part within its limit and all of them within 6,000 characters together. */
export function drawEmbed(parts: EmbedParts): APIEmbed {
  const { embed } = limits;
  const { author, footer } = parts;
  const head: APIEmbed = definedFields({
    title: visible(cut(unformatted(parts.title), embed.title)),
    color: toneColors[parts.tone ?? "neutral"],
    url: parts.url === undefined ? undefined : webAddress(parts.url),
    author:
      author &&
      definedFields({
        name: visible(cut(oneLine(author.name), embed.author)),
        url: webAddress(author.url ?? ""),
        icon_url: webAddress(author.icon ?? ""),
      }),
    thumbnail: parts.thumbnail === undefined ? undefined : drawPicture(parts.thumbnail),
    image: parts.image === undefined ? undefined : drawPicture(parts.image),
    footer:
      footer === undefined || isBlank(footer)
        ? undefined
        : { text: cut(oneLine(footer), embed.footer) },
    timestamp: parts.at?.toISOString(),
  });
  const forText = parts.text === undefined ? 0 : leastTextRoom;
  const whole = definedFields({
    ...head,
    fields: parts.fields && drawFields(parts.fields, embed.total - forText - embedLength(head)),
  });
  if (parts.text === undefined) return whole;
  const room = Math.min(embed.description, embed.total - embedLength(whole));
  const description = fitted(parts.text, room);
  return isBlank(description) ? whole : { ...whole, description };
}

/** Either elsewhere, or one of the message's own files. */
function drawPicture(address: string): { readonly url: string } | undefined {
  const url = address.startsWith("attachment://") ? address : webAddress(address);
  return url === undefined ? undefined : { url };
}

/** Characters that are reserved for the text above the fields, however long those are. */
const leastTextRoom = 500;
/** A value is never shortened to fewer characters than this. */
const leastValue = 40;

/** Draws fields with at most `room` characters in total: the longest ones are shortened to the same length. */
function drawFields(all: readonly CardField[], room: number): APIEmbedField[] {
  const fields = all.slice(0, limits.embed.fields).map((field) => drawField(field));
  const names = fields.reduce((sum, { name }) => sum + name.length, 0);
  let left = room - names;
  let others = fields.length;
  for (const length of fields.map(({ value }) => value.length).sort((a, b) => a - b)) {
    const share = Math.floor(left / others);
    if (length > share) {
      if (share < leastValue) return drawFields(all.slice(0, fields.length - 1), room);
      return all.slice(0, fields.length).map((field) => drawField(field, share));
    }
    left -= length;
    others -= 1;
  }
  return fields;
}

function drawField(
  { name, value, inline }: CardField,
  most: number = limits.embed.fieldValue,
): APIEmbedField {
  return definedFields({
    name: visible(cut(unformatted(name), limits.embed.fieldName)),
    value: visible(fitted(value, most)),
    inline,
  });
}

/** Characters that count toward the total: docs/services/discord.md#embeds */
export function embedLength(embed: APIEmbed): number {
  const fields = embed.fields ?? [];
  return (
    (embed.title?.length ?? 0) +
    (embed.description?.length ?? 0) +
    (embed.footer?.text.length ?? 0) +
    (embed.author?.name.length ?? 0) +
    fields.reduce((sum, field) => sum + field.name.length + field.value.length, 0)
  );
}
