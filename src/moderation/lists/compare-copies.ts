import { type HeldComment, isFinal, type ListContent, type RuleList } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { allowedSites } from "../rules/verdicts/own-links.ts";
import type { ReadList } from "./fetch-list.ts";

/** What matches more than this share of ordinary comments is most likely too wide. */
export const tooWideShare = 1 / 3;

/** On how many stored comments a new copy is tried, and how few are too few to say anything. */
const sample = { most: 200, least: 20 } as const;

/** How many of the stored comments two copies of a list match. */
interface ComparedCopies {
  readonly tried: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Tries the copy that is in use and a new one on stored comments of the server's watches. They are matched in the rules'
 * thread. @throws what `RuleEngine.runTests` throws
 */
export async function compareCopies(
  room: ModerationRoom,
  guildId: string,
  list: Pick<RuleList, "id" | "version">,
  { read, signal }: { readonly read: ReadList; readonly signal: AbortSignal },
): Promise<ComparedCopies> {
  const comments = await readSample(room, guildId);
  const sites = allowedSites(await room.records.rules.read(guildId));
  const count = async (version: string, content: ListContent | undefined) => {
    const { findings } = await room.engine.runTests(guildId, {
      tests: [{ kind: "list", list: list.id, version }],
      comments,
      allowedSites: sites,
      contentOf: async () => content,
      isTrial: true,
      signal,
    });
    // What could not be judged counts as found: the new copy would be too slow.
    return findings.filter(({ found, isWhole }) => found.length > 0 || !isWhole).length;
  };
  if (comments.length < sample.least) return { tried: comments.length, before: 0, after: 0 };
  return {
    tried: comments.length,
    before: await count(list.version, await room.records.lists.content(guildId, list.id)),
    after: await count(read.version, read.content),
  };
}

/**
 * Whether a new copy matches so much that ordinary words must be on it: more than a third of the comments, where the copy
 * before matched less; else a third more than that one. Undefined if there are too few comments to say so.
 */
export function isTooWide({ tried, before, after }: ComparedCopies): boolean | undefined {
  if (tried < sample.least) return undefined;
  const limit = tried * tooWideShare;
  return after > limit + (before > limit ? before : 0);
}

/** Some comments of each watch, each text once. Their ids are hashes, so the first ones are as good as any. */
async function readSample({ records }: ModerationRoom, guildId: string) {
  const watches = await records.watches.readAll(guildId);
  const limit = Math.ceil(sample.most / Math.max(1, watches.length));
  const texts = new Map<string, HeldComment["comment"]>();
  for (const { id: watchId } of watches) {
    for (const item of await records.comments.readPage(guildId, { watchId, limit })) {
      const { comment, likeness } = item;
      if (isOrdinary(item)) texts.set(likeness ?? comment.text, comment);
    }
  }
  return [...texts.values()].map(({ text, authorId, authorName }) => {
    return { text, authorId, authorName };
  });
}

/** A list may well match spam, so what was rejected and what YouTube takes for spam says nothing. */
function isOrdinary({ comment, decision }: HeldComment): boolean {
  return comment.text !== "" && comment.state !== "likelySpam" && !isFinal(decision?.kind);
}
