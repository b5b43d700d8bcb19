import { Routes } from "discord.js";
import { backOffMs } from "../../../clock.ts";
import type { DeskPlace } from "../../../desk.ts";
import type { Rendered } from "../../draw/render.ts";
import { mayPass, request } from "../../wire/send.ts";
import { asking, type DeskTools } from "./asking.ts";
import { failureOf, isArchived, isForbidden, isMissing, mayHaveArrived } from "./failure.ts";

/** A post that is to be begun. */
export interface NewPost {
  readonly forumId: string;
  /** At most 100 characters. */
  readonly title: string;
  /** Ids. */
  readonly tags: readonly string[];
  readonly rendered: Rendered;
  /** Finds the post where it was made although the answer was lost. */
  readonly look: (since: number) => Promise<DeskPlace | undefined>;
}

const tries = 4;
const longestWaitMs = 5_000;

/**
 * Begins a post. Nothing keeps a second one away, so after every answer that was lost the forum is looked at before it
 * is sent again (reliability: create).
 * @throws what `failureOf` makes of it
 */
export async function beginPost(post: NewPost, tools: DeskTools): Promise<DeskPlace> {
  const since = tools.now();
  let isLeft = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(post, tools);
    } catch (error) {
      isLeft ||= mayHaveArrived(error);
      const failure = () => failureOf(error, { what: "post", isForum: true, isLeft });
      if (!mayPass(error)) throw failure();
      await waiting(attempt, tools);
      if (isLeft) {
        const found = await post.look(since).catch(() => {
          throw failure();
        });
        if (found !== undefined) return found;
      }
      if (attempt === tries) throw failure();
    }
  }
}

async function send(post: NewPost, { rest }: DeskTools): Promise<DeskPlace> {
  const { body, files } = request(post.rendered);
  const { id } = (await rest.post(Routes.threads(post.forumId), {
    body: { name: post.title, applied_tags: post.tags, message: body },
    files,
  })) as { readonly id: string };
  // The message that a post begins with goes by the post's id.
  return { channelId: id, messageId: id };
}

/** What was lost may still be under way; the list of posts is a moment behind. */
async function waiting(attempt: number, { random, settleMs = 1_000 }: DeskTools): Promise<void> {
  const waits = { firstMs: 2 * settleMs, longestMs: longestWaitMs, jitter: 1, random };
  const ms = settleMs + backOffMs(attempt, waits);
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Changes a post's message; one that the archive holds is taken out of it. @throws what `failureOf` makes of it */
export async function editPost(
  { channelId, messageId }: DeskPlace,
  rendered: Rendered,
  tools: DeskTools,
): Promise<void> {
  const route = Routes.channelMessage(channelId, messageId);
  const edit = () => tools.rest.patch(route, request(rendered));
  const body = { archived: false };
  await asking(
    { what: "edit", isForum: true },
    () =>
      edit().catch(async (error: unknown) => {
        if (!isArchived(error)) throw error;
        await tools.rest.patch(Routes.channel(channelId), { body });
        return edit();
      }),
    tools,
  );
}

/** The tags a post has, and whether it is archived. */
export interface Standing {
  /** Ids. */
  readonly tags: readonly string[];
  readonly isOver: boolean;
}

/** Answers whether that is how the post is now: false where the bot may not change it. @throws what `failureOf` makes of it */
export async function placePost(
  postId: string,
  { tags, isOver }: Standing,
  tools: DeskTools,
): Promise<boolean> {
  const body = { applied_tags: tags, archived: isOver };
  const patch = async () => {
    try {
      await tools.rest.patch(Routes.channel(postId), { body });
      return true;
    } catch (error) {
      if (isForbidden(error)) return false;
      throw error;
    }
  };
  return asking({ what: "edit", isForum: true }, patch, tools);
}

/** Removes a post; where the bot may not, what it wrote there. @throws what `failureOf` makes of it */
export async function removePost({ channelId, messageId }: DeskPlace, tools: DeskTools) {
  const remove = async () => {
    try {
      await tools.rest.delete(Routes.channel(channelId));
    } catch (error) {
      if (isMissing(error)) return;
      if (!isForbidden(error)) throw error;
      await removeMessage({ channelId, messageId }, tools);
    }
  };
  await asking({ what: "remove", isForum: true }, remove, tools);
}

/** Does nothing where it is gone already. @throws DiscordAPIError, and what the connection does */
export async function removeMessage({ channelId, messageId }: DeskPlace, { rest }: DeskTools) {
  try {
    await rest.delete(Routes.channelMessage(channelId, messageId));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
