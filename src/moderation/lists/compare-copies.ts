import { type HeldComment, isFinal, type ListContent, type RuleList } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { allowedSites } from "../rules/verdicts/own-links.ts";
import type { ReadList } from "./fetch-list.ts";

/** A list or rule that matches more than this share of ordinary comments is probably too wide. */
export const tooWideShare = 1 / 3;

/** A new copy is tried on at most `most` stored comments; fewer than `least` are too few to judge by. */
const sample = { most: 200, least: 20 } as const;

/** How many of the stored comments two copies of a list match. */
interface ComparedCopies {
  readonly tried: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Tries both the copy in use and a new one on stored comments of the server's watches. The matching runs in the thread for
 * rules. @throws what `RuleEngine.runTests` throws
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
    // A comment that took too long to judge counts as matched, because a copy that slow should not be used either.
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
 * Whether a new copy matches so much that ordinary words must be on it: more than a third of the comments if the previous copy
 * matched less than that, otherwise a third more than the previous copy. Undefined if there are too few comments to tell.
 */
export function isTooWide({ tried, before, after }: ComparedCopies): boolean | undefined {
  if (tried < sample.least) return undefined;
  const limit = tried * tooWideShare;
  return after > limit + (before > limit ? before : 0);
}

/** Some comments of each watch, each text once. Their ids are hashes, so the first ones are a random sample. */
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

/** False for rejected comments and likely spam, because a list is supposed to match those. */
function isOrdinary({ comment, decision }: HeldComment): boolean {
  return comment.text !== "" && comment.state !== "likelySpam" && !isFinal(decision?.kind);
}
