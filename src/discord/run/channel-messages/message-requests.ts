import { RateLimitError } from "@discordjs/rest";
import type { APIMessage, REST } from "discord.js";
import { RESTJSONErrorCodes as Codes, Routes } from "discord-api-types/v10";
import type { PostedMessage } from "../../../channel-messages.ts";
import { backOffMs } from "../../../clock.ts";
import type { RenderedMessage } from "../../draw/render.ts";
import { createdAt } from "../../snowflake.ts";
import { decodeCustomId } from "../../wire/custom-id.ts";
import { mayPass, messageRequest } from "../../wire/send.ts";
import {
  askDiscord,
  hasCode,
  isForbidden,
  isMessageGone,
  longLimit,
  mayHaveArrived,
  messageError,
} from "./failure.ts";

export interface MessageRequestDeps {
  /** Of `createMessageRest`. */
  readonly rest: REST;
  readonly random: () => number;
  readonly now: () => number;
  /** The bot's own user. */
  readonly botId: string;
  /** What was just posted shows up in lists this much later; 1 s when absent. */
  readonly settleMs?: number | undefined;
}

/** A post that is to be begun. */
interface NewPost {
  readonly forumId: string;
  /** At most 100 characters. */
  readonly title: string;
  /** Ids. */
  readonly tags: readonly string[];
  readonly rendered: RenderedMessage;
}

const tries = 4;
const longestWaitMs = 5_000;

/**
 * Begins a post. Discord would accept a second one, so after every lost answer `look` reads the forum before the post is
 * sent again.
 * @throws what `messageError` makes of it
 */
export async function beginPost(
  post: NewPost,
  look: (since: number) => Promise<PostedMessage | undefined>,
  deps: MessageRequestDeps,
): Promise<PostedMessage> {
  const { random, settleMs = 1_000 } = deps;
  const since = deps.now();
  let mayBeDone = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(post, deps);
    } catch (error) {
      mayBeDone ||= mayHaveArrived(error);
      const request = { what: "post", isForum: true, mayBeDone } as const;
      const limit = longLimit(error, request, deps.now());
      if (limit !== undefined) throw limit;
      const failure = () => messageError(error, request);
      if (!mayPass(error)) throw failure();
      // A request whose answer was lost may still be under way, and the list of posts is a moment behind.
      const waits = { firstMs: 2 * settleMs, longestMs: longestWaitMs, jitter: 1, random };
      const waitMs = settleMs + backOffMs(attempt, waits);
      const limitMs = error instanceof RateLimitError ? error.retryAfter : 0;
      await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, limitMs)));
      if (mayBeDone) {
        const found = await look(since).catch(() => {
          throw failure();
        });
        if (found !== undefined) return found;
      }
      if (attempt === tries) throw failure();
    }
  }
}

async function send(post: NewPost, { rest }: MessageRequestDeps): Promise<PostedMessage> {
  const { body, files } = messageRequest(post.rendered);
  const { id } = (await rest.post(Routes.threads(post.forumId), {
    body: { name: post.title, applied_tags: post.tags, message: body },
    files,
  })) as { readonly id: string };
  // The message that a post begins with has the post's id.
  return { channelId: id, messageId: id };
}

/** Changes a post's message, and takes an archived post out of the archive for it. @throws what `messageError` makes of it */
export async function editPost(
  { channelId, messageId }: PostedMessage,
  rendered: RenderedMessage,
  deps: MessageRequestDeps,
): Promise<void> {
  const route = Routes.channelMessage(channelId, messageId);
  const edit = () => deps.rest.patch(route, messageRequest(rendered));
  const body = { archived: false };
  await askDiscord(
    { what: "edit", isForum: true },
    () =>
      edit().catch(async (error: unknown) => {
        if (!hasCode(error, Codes.InvalidActionOnArchivedThread)) throw error;
        // An archived post has to be taken out of the archive first.
        await deps.rest.patch(Routes.channel(channelId), { body });
        return edit();
      }),
    deps,
  );
}

/**
 * Removes the buttons of a message except links, puts a line above its embeds, and archives it if it is a post of a forum.
 * @throws what `messageError` makes of it
 */
export async function closeMessage(
  { channelId, messageId }: PostedMessage,
  line: string,
  deps: MessageRequestDeps,
): Promise<void> {
  const { rest } = deps;
  const isPost = channelId === messageId;
  const route = Routes.channelMessage(channelId, messageId);
  await askDiscord(
    { what: "edit", isForum: isPost },
    async () => {
      const { components = [] } = (await rest.get(route)) as ReadMessage;
      const body = { content: `-# ${line}`, components: linkRows(components) };
      await rest.patch(route, { body: { ...body, allowed_mentions: { parse: [] } } });
      if (!isPost) return;
      await rest.patch(Routes.channel(channelId), { body: { archived: true } });
    },
    deps,
  );
}

function linkRows(rows: NonNullable<ReadMessage["components"]>): readonly object[] {
  return rows.flatMap((row) => {
    if (!("components" in row)) return [];
    const components = row.components.filter((one) => "url" in one);
    return components.length === 0 ? [] : [{ ...row, components }];
  });
}

/** The tags a post has, and whether it is archived. */
export interface PostState {
  /** Ids. */
  readonly tags: readonly string[];
  readonly isOver: boolean;
}

/** @throws what `messageError` makes of it */
export async function changePostState(
  postId: string,
  { tags, isOver }: PostState,
  deps: MessageRequestDeps,
): Promise<void> {
  const body = { applied_tags: tags, archived: isOver };
  const send = () => deps.rest.patch(Routes.channel(postId), { body });
  await askDiscord({ what: "edit", isForum: true }, send, deps);
}

/** Removes a post; where the bot may not, only its own message in it. @throws what `messageError` makes of it */
export async function removePost(place: PostedMessage, deps: MessageRequestDeps) {
  await askDiscord(
    { what: "remove", isForum: true },
    () =>
      deps.rest.delete(Routes.channel(place.channelId)).catch((error: unknown) => {
        if (isMessageGone(error)) return undefined;
        if (isForbidden(error)) return removeMessage(place, deps);
        throw error;
      }),
    deps,
  );
}

/** Does nothing where it is already gone. @throws DiscordAPIError, and what the connection does */
export async function removeMessage(
  { channelId, messageId }: PostedMessage,
  { rest }: MessageRequestDeps,
) {
  try {
    await rest.delete(Routes.channelMessage(channelId, messageId));
  } catch (error) {
    if (!isMessageGone(error)) throw error;
  }
}

/** Discord's clock and ours differ. */
const slackMs = 60_000;
const pageSize = 100;
/** The most pages to search: nobody has cards posted in a channel with more new messages than that. */
const maxPages = 50;

/** A forum's post as lists describe it. */
export interface ListedPost {
  readonly id: string;
  readonly name: string;
}

type ReadRest = Pick<REST, "get">;
export type ReadMessage = Pick<APIMessage, "id" | "author" | "components">;

/** What the bot wrote in a channel since then, the newest first. @throws DiscordAPIError, and what the connection does */
export async function* ownMessages(
  rest: ReadRest,
  { channelId, botId, since }: { channelId: string; botId: string; since: number },
): AsyncGenerator<ReadMessage> {
  let before: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = new URLSearchParams({ limit: `${pageSize}`, ...(before && { before }) });
    const messages = (await rest.get(Routes.channelMessages(channelId), {
      query,
    })) as ReadMessage[];
    for (const message of messages) {
      if (createdAt(message.id) < since - slackMs) return;
      if (message.author.id === botId) yield message;
    }
    before = messages.at(-1)?.id;
    if (messages.length < pageSize) return;
  }
}

/** Posts that the bot began in a forum since then, the newest first. @throws DiscordAPIError, and what the connection does */
export async function ownPosts(
  rest: ReadRest,
  at: { guildId: string; forumId: string; botId: string; since: number },
): Promise<readonly ListedPost[]> {
  const { threads } = (await rest.get(Routes.guildActiveThreads(at.guildId))) as {
    readonly threads: readonly (ListedPost & {
      readonly parent_id?: string;
      readonly owner_id?: string;
    })[];
  };
  return threads
    .filter(({ parent_id, owner_id }) => parent_id === at.forumId && owner_id === at.botId)
    .filter(({ id }) => createdAt(id) >= at.since - slackMs)
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
}

/** Whether a message has presses of that handle. */
export function hasHandle({ components }: Pick<ReadMessage, "components">, handle: string) {
  return customIdsIn(components ?? []).some((id) => decodeCustomId(id)?.handle === handle);
}

function customIdsIn(parts: readonly unknown[]): readonly string[] {
  return parts.flatMap((part) => {
    if (typeof part !== "object" || part === null) return [];
    const own = "custom_id" in part && typeof part.custom_id === "string" ? [part.custom_id] : [];
    const below = Object.values(part).flatMap((value) => (Array.isArray(value) ? value : [value]));
    return [...own, ...customIdsIn(below)];
  });
}
