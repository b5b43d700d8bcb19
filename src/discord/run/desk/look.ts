import { type APIMessage, type REST, Routes } from "discord.js";
import { madeAt } from "../../snowflake.ts";
import { decodeCustomId } from "../../wire/custom-id.ts";

/** The platform's clock and ours differ. */
const slackMs = 60_000;
const pageSize = 100;
/** At most so many pages are read back: a channel with more messages since then is not one that cards are posted in. */
const mostPages = 50;

/** A forum's post as lists describe it. */
export interface Post {
  readonly id: string;
  readonly name: string;
}

type Reading = Pick<REST, "get">;
type Read = Pick<APIMessage, "id" | "author" | "components">;

/** What the bot wrote in a channel since then, the newest first. @throws DiscordAPIError, and what the connection does */
export async function* ownMessages(
  rest: Reading,
  { channelId, botId, since }: { channelId: string; botId: string; since: number },
): AsyncGenerator<Read> {
  let before: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ limit: `${pageSize}`, ...(before && { before }) });
    const messages = (await rest.get(Routes.channelMessages(channelId), { query })) as Read[];
    for (const message of messages) {
      if (madeAt(message.id) < since - slackMs) return;
      if (message.author.id === botId) yield message;
    }
    before = messages.at(-1)?.id;
    if (messages.length < pageSize) return;
  }
}

/** Posts that the bot began in a forum since then, the newest first. @throws DiscordAPIError, and what the connection does */
export async function ownPosts(
  rest: Reading,
  at: { guildId: string; forumId: string; botId: string; since: number },
): Promise<readonly Post[]> {
  const { threads } = (await rest.get(Routes.guildActiveThreads(at.guildId))) as {
    readonly threads: readonly (Post & {
      readonly parent_id?: string;
      readonly owner_id?: string;
    })[];
  };
  return threads
    .filter(({ parent_id, owner_id }) => parent_id === at.forumId && owner_id === at.botId)
    .filter(({ id }) => madeAt(id) >= at.since - slackMs)
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
}

/** The message that a post began with, which goes by the post's own id. @throws as `rest.get` */
export async function starterOf(rest: Reading, postId: string): Promise<Read> {
  return (await rest.get(Routes.channelMessage(postId, postId))) as Read;
}

/** Whether a message has presses of that handle. */
export function hasHandle({ components }: Pick<Read, "components">, handle: string): boolean {
  return idsIn(components ?? []).some((id) => decodeCustomId(id)?.handle === handle);
}

function idsIn(parts: readonly unknown[]): readonly string[] {
  return parts.flatMap((part) => {
    if (typeof part !== "object" || part === null) return [];
    const own = "custom_id" in part && typeof part.custom_id === "string" ? [part.custom_id] : [];
    const below = Object.values(part).flatMap((value) => (Array.isArray(value) ? value : [value]));
    return [...own, ...idsIn(below)];
  });
}
