import { type TargetMessage, videosIn } from "../../discord/index.ts";

/**
 * Every video that a message links to, in its order, each once: in what was written, in embeds, and in components such
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

/** An unfolded link shows what its page says, and the links there are not those that somebody posted. */
function textsOfEmbed(embed: unknown): readonly string[] {
  const { type, url } = (embed ?? {}) as { readonly type?: unknown; readonly url?: unknown };
  if (type === undefined || type === "rich") return textsIn(embed);
  return typeof url === "string" ? [url] : [];
}

/** Every text in a part of a message, in its order. */
function textsIn(part: unknown): readonly string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  return Object.values(part).flatMap(textsIn);
}
