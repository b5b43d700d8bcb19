import type { Discord } from "../../../src/discord/index.ts";
import type { StoredPress } from "../../../src/discord/run/reply-renderer.ts";
import { encodeCustomId } from "../../../src/discord/wire/custom-id.ts";
import type { HeldComment } from "../../../src/moderation/index.ts";
import { createModerationRecords } from "../../../src/moderation/records/index.ts";
import type { Store } from "../../../src/store/index.ts";
import { addFeed } from "../add-feed.ts";
import { mark } from "./marks.ts";
import { guildIds, persons, roleIds, type Server } from "./people.ts";

/** What the bot posted in a channel without being asked. */
export interface LeftUnasked {
  readonly guildId: string;
  readonly text: string;
}

/** All servers have the same ids, so code that mistakes one server for another will find something there. */
const watchId = "ab".repeat(8);
const feedId = "cd".repeat(8);
const itemIds = ["1", "2", "3", "4"].map((digit) => digit.repeat(32));
/** Handles are random in production; here they have to be known. */
const handleOf = (server: Server, n: number) => `${server}${n}`.padEnd(22, "h");

/** A stand-in for the connection to Discord that only records what is posted in channels. */
export function notingDiscord(left: LeftUnasked[]): Discord {
  let last = 740_000_000_000_000_000n;
  const noting = async ({ guildId, ...message }: { readonly guildId: string }) => {
    left.push({ guildId, text: JSON.stringify(message) });
    last += 1n;
    return { channelId: "9".repeat(18), messageId: String(last) };
  };
  const channelMessages = {
    post: noting,
    edit: async (_: unknown, message: { readonly guildId: string }) => void (await noting(message)),
    remove: async () => undefined,
    find: async () => undefined,
  };
  const notify = async () => undefined;
  // Only what the queues use.
  return { applicationId: "1", channelMessages, notify, owns: () => true } as unknown as Discord;
}

/** A watch with comments, a log, rules, saved replies and announcements, all in the server's own words. */
export async function fillQueues(
  { database }: Store,
  server: Server,
  { source, at }: { readonly source: string; readonly at: number },
): Promise<void> {
  const guildId = guildIds[server];
  const moderation = createModerationRecords(database, { put: async () => undefined });
  const own = (what: string) => `${what} ${mark(server)}`;
  const userId = persons.find(({ where }) => where.includes(server))?.userId ?? "";
  const by = { userId, userName: own("robin") };
  const channelId = `75000000000000000${server.charCodeAt(0) % 10}`;
  await moderation.watches.change(guildId, watchId, () => ({
    id: watchId,
    channelId,
    source,
    states: ["heldForReview"],
    match: [own("word")],
    paceMs: 60_000,
    digestFrom: 5,
    addedBy: userId,
    addedAt: at,
    ping: { roleId: roleIds[server], gapMs: 60_000 },
  }));
  for (const [n, id] of itemIds.entries()) {
    const item: HeldComment = {
      id,
      watchId,
      source,
      seenAt: at,
      readAt: at,
      status: "open",
      revision: 1,
      comment: {
        id: `comment-${n}`,
        videoId: "video",
        text: own(`Comment ${n}`),
        authorId: "UCauthor",
        authorName: own("Ada"),
        likes: 0,
        publishedAt: at,
        updatedAt: at,
        state: "heldForReview",
      },
      video: { title: own("Video") },
      card: {
        state: "posted",
        handle: handleOf(server, n),
        since: at,
        drawn: 1,
        channelId,
        messageId: "1",
      },
    };
    await moderation.comments.addAll(guildId, [item]);
    const entry = `${String(at).padStart(13, "0")}-${id.slice(0, 8)}`;
    await moderation.audit.add(guildId, {
      id: entry,
      at,
      by,
      act: "approved",
      from: "card",
      answer: "done",
      source,
      commentId: `old-${n}`,
      authorId: "UCauthor",
      authorName: own("Ada"),
      text: own("Old"),
    });
  }
  await moderation.rules.change(guildId, () => ({
    rules: [
      {
        id: "ab12cd34",
        name: own("Rule"),
        does: "suggest",
        decision: "hold",
        isOn: true,
        test: { kind: "words", words: [own("bird")], isFolded: true },
        addedBy: userId,
        addedAt: at,
      },
    ],
    spared: { members: false, authors: [{ id: "UCspared", name: own("Eve") }] },
    dailyCap: 10,
  }));
  await moderation.replies.put(guildId, {
    id: "ab12cd34",
    name: own("Thanks"),
    text: own("Thank you"),
  });
  await addFeed(database, guildId, {
    id: feedId,
    source,
    title: own("Channel"),
    titleReadAt: at,
    uploads: "UUuploads",
    places: { upload: { channelId } },
    addedBy: userId,
    addedAt: at,
  });
}

const presses: readonly StoredPress[] = [
  "watch.approve",
  "watch.reject",
  "watch.ban-ask",
  "watch.full",
  "watch.reply",
  "watch.later",
  "watch.undo",
].map((action) => ({ action, state: null, isKept: true }));

/** Custom ids of the buttons on a server's cards. */
export async function cardButtons(
  { continuations }: Pick<Store, "continuations">,
  server: Server,
  answerOf: (action: string) => Parameters<typeof encodeCustomId>[0]["answer"],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [n, itemId] of itemIds.entries()) {
    const handle = handleOf(server, n);
    const state = presses.map((press) => ({ ...press, state: { watchId, itemId } }));
    await continuations.putAs(handle, { guildId: guildIds[server], userId: "1", state });
    for (const [index, { action }] of presses.entries()) {
      found.push(encodeCustomId({ answer: answerOf(action), handle, index }));
    }
  }
  return found;
}
