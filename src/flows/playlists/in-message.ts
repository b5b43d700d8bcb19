import { type TargetMessage, videosIn } from "../../discord/index.ts";

/**
 * Every video that a message links to, in order, without duplicates: in its text, its embeds, and its components, such
 * as our own lists and the buttons of our cards.
 */
export function videosOfMessage(message: Pick<TargetMessage, "content" | "embeds" | "components">) {
  const texts = [
    message.content,
    ...(message.embeds ?? []).flatMap(textsOfEmbed),
    ...textsIn(message.components),
  ];
  return [...new Set(texts.flatMap(videosIn))];
}

/** The preview of a link shows its page, whose links nobody posted. */
function textsOfEmbed(embed: unknown): readonly string[] {
  const { type, url } = (embed ?? {}) as { readonly type?: unknown; readonly url?: unknown };
  if (type === undefined || type === "rich") return textsIn(embed);
  return typeof url === "string" ? [url] : [];
}

/** Every text in a part of a message, in order. */
function textsIn(part: unknown): readonly string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  return Object.values(part).flatMap(textsIn);
}
