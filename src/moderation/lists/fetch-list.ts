import { createHash } from "node:crypto";
import { NetworkError } from "../../errors.ts";
import type { Http } from "../../http/index.ts";
import type { ListContent, RuleBook, RuleList } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { listLimits, parseList, refuseLargeList, refuseList } from "./parse-list.ts";

/** For the whole download, redirects included. */
const deadlineMs = 20_000;

/** What a list is at the moment. */
export interface ReadList extends Pick<RuleList, "version" | "counts" | "skipped"> {
  readonly content: ListContent;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** When another subscription fetched it; now when absent. */
  readonly checkedAt?: number | undefined;
}

/**
 * Reads a list from where it comes from. `same`: its host says that it has not changed; `gone`: the other server no longer
 * shares it. @throws InputError `list_refused`, `public_address`; NetworkError
 */
export async function readList(
  room: Pick<ModerationRoom, "fetchPublic" | "records">,
  { from, ...known }: Pick<RuleList, "from" | "etag" | "lastModified">,
  signal?: AbortSignal,
): Promise<ReadList | "same" | "gone"> {
  if ("url" in from) return fetchList(room.fetchPublic, { ...known, url: from.url }, signal);
  const found = await room.records.shares.byId(from.shareId);
  if (found === undefined) return "gone";
  const content = sharedContent(await room.records.rules.read(found.guildId));
  return { ...described(content), skipped: 0 };
}

async function fetchList(
  fetchPublic: Http["fetchPublic"],
  { url, etag, lastModified }: Pick<RuleList, "etag" | "lastModified"> & { readonly url: string },
  signal?: AbortSignal,
): Promise<ReadList | "same"> {
  const headers = {
    accept: "text/plain, application/json, */*;q=0.1",
    "user-agent": "Greenroom (Discord bot; fetches lists for moderation)",
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
  const request = { url, headers, maxBytes: listLimits.bytes, deadlineMs, signal };
  const answer = await fetchPublic(request).catch((error: unknown) => {
    const isTooLarge = error instanceof NetworkError && error.code === "answer_too_large";
    throw isTooLarge ? refuseLargeList(error) : error;
  });
  if (answer.status === 304) return "same";
  if (answer.status !== 200) throw refuseList("status", { status: answer.status });
  const { skipped, ...content } = await parseList(answer.body);
  const { etag: newEtag, "last-modified": modified } = answer.headers;
  return {
    ...described(content),
    skipped,
    etag: shortHeader(newEtag),
    lastModified: shortHeader(modified),
  };
}

/** A host may send anything as its version. */
function shortHeader(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= 200 && /^[\x20-\x7e]+$/u.test(value)
    ? value
    : undefined;
}

function described(content: ListContent): Omit<ReadList, "skipped"> {
  const { words, links, authors } = content;
  const text = JSON.stringify([words, links, authors]);
  return {
    content,
    version: createHash("sha256").update(text).digest("base64url").slice(0, 22),
    counts: { words: words.length, links: links.length, authors: authors.length },
  };
}

/**
 * The words and people of a server's own rules that are on. Patterns and words with stars are not shared. Neither are rules
 * that suggest approving: in another server, a list can only suggest or hold, so their entries would count as spam there.
 */
export function sharedContent({ rules }: RuleBook): ListContent {
  const words = new Set<string>();
  const authors = new Set<string>();
  for (const { test, isOn, decision } of rules) {
    if (!isOn || decision === "approve") continue;
    if (test.kind === "words") {
      for (const word of test.words) if (!word.includes("*")) words.add(word);
    }
    if (test.kind === "authors") for (const { id } of test.authors) authors.add(id);
  }
  return { words: [...words], links: [], authors: [...authors] };
}
