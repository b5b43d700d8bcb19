import type { QuotaBucket } from "../../budget/index.ts";
import type { AnswerCache } from "../../cache.ts";
import type { Servers } from "../../database/index.ts";
import { deriveHandle, type StoredFiles } from "../../store/index.ts";
import { type Method, type MethodSpec, methods } from "../../video/index.ts";
import type { LooseParams, Middleware } from "./middleware.ts";

const seconds = 1000;
const day = 24 * 3_600_000;

/** How long an answer may be used again. Lists that rarely change are kept longer; the rest as long as people turn pages. */
const freshMs: Readonly<Partial<Record<Method, number>>> = {
  "i18nLanguages.list": day,
  "i18nRegions.list": day,
  "videoCategories.list": day,
  "videoAbuseReportReasons.list": day,
  "membershipsLevels.list": 600 * seconds,
  // A day has only a hundred searches, and going back a page must not use one.
  "search.list": 600 * seconds,
  // This list costs as much as fifty others, and suggestions, questions and answers read the same one.
  "captions.list": 300 * seconds,
  "commentThreads.list": 20 * seconds,
  "comments.list": 20 * seconds,
};

const usualMs = 60 * seconds;
/** What is kept at least this long changes rarely, or is expensive to read again. */
const longLivedMs = 300 * seconds;
/** How long the pages of an open list come from what its first page read. */
const turningMs = 900 * seconds;
/** The same for comments that wait: others decide about them meanwhile, and a decision sent from here ends it at once. */
const turningQueueMs = 300 * seconds;

/** What this bot's own writes don't change, or only much later: a search finds a new title after hours. */
const apartFromWrites: ReadonlySet<Method> = new Set([
  "i18nLanguages.list",
  "i18nRegions.list",
  "videoCategories.list",
  "videoAbuseReportReasons.list",
  "search.list",
]);

/** Which answers are shared: those of one server, one credential and one view. */
interface RememberAnswersOptions {
  readonly answers: AnswerCache;
  /** Where the answers are that cost more than one unit, for other processes; absent where there are none. */
  readonly files?: StoredFiles | undefined;
  /** Fixed-shape ids only. */
  readonly scope: string;
  /** A write of this server clears its answers, whatever the credential. */
  readonly guildId: string;
  /** For what other processes write. */
  readonly servers: Pick<Servers, "version" | "noteChange">;
  /** For reads before a write, which have to be current: only lists that rarely change come from the cache. */
  readonly isFresh: boolean;
  /** Another page of an open list is asked for: an answer as old as that list will do. */
  readonly isTurning?: boolean;
  /** Called when an answer came from the cache. */
  readonly onRecalled?: (bucket: QuotaBucket) => void;
  readonly now: () => number;
}

/** Caches lists for a short while, until the same server writes anything, in whichever process. */
export function rememberAnswers(options: RememberAnswersOptions): Middleware {
  const { answers, scope, guildId, servers, onRecalled } = options;
  return async (call, next) => {
    const { method, params, page } = call;
    const { media, effect, bucket, cost }: MethodSpec = methods[method];
    if (media?.direction === "down") return next(call);
    // A file of results begins with those on the screen, and the next one has the same. Other lists are walked anew.
    if (page !== undefined && bucket !== "searches") return next(call);
    if (effect !== "read") {
      // Cleared before and after: what is read while the write is under way may be either state.
      answers.forgetChanged(guildId);
      return next(call).finally(async () => {
        answers.forgetChanged(guildId);
        // If the database fails, other processes show what they remember until it is too old.
        await servers.noteChange(guildId).catch(() => undefined);
      });
    }
    const ms = maxAgeFor(method, params, options);
    const outlivesWrites = apartFromWrites.has(method) && params.forMine !== true;
    const version = outlivesWrites ? "" : await servers.version(guildId).catch(() => "");
    const key = `${scope} ${version} ${method} ${JSON.stringify(params)}`;
    let isRead = false;
    const read = () => {
      isRead = true;
      // Without the caller's signal: others may be waiting for the same answer.
      return next({ method, params });
    };
    const isExpensive = bucket !== "units" || cost > 1;
    const load = isExpensive ? () => readShared(key, { ...options, ms }, read) : read;
    const answer = await answers.recall(key, { ms, owner: guildId, outlivesWrites }, load);
    if (!isRead) onRecalled?.(bucket);
    return answer;
  };
}

/** How old an answer from the cache may be; 0 if it has to be read again, for this handler and those after it. */
function maxAgeFor(
  method: Method,
  params: LooseParams,
  { isFresh, isTurning }: RememberAnswersOptions,
): number {
  const ms = freshMs[method] ?? usualMs;
  // Comments that wait for a decision come from the cache only where pages of them are turned.
  const { moderationStatus = "published" } = params;
  if (moderationStatus !== "published") return isTurning === true ? turningQueueMs : 0;
  if (isTurning === true) return Math.max(ms, turningMs);
  return isFresh && ms < longLivedMs ? 0 : ms;
}

interface StoredAnswer {
  readonly loadedAt: number;
  readonly answer: unknown;
}

/** The answer that another process read, or else what `read` returns. */
async function readShared(
  key: string,
  { files, guildId, ms, now }: RememberAnswersOptions & { readonly ms: number },
  read: () => Promise<unknown>,
): Promise<unknown> {
  if (files === undefined) return read();
  const handle = deriveHandle("answer", guildId, key);
  // A store that fails costs another call at most.
  const bytes = await files.get(guildId, handle).catch(() => undefined);
  const stored = bytes && (JSON.parse(bytes.toString()) as StoredAnswer);
  if (stored !== undefined && now() < stored.loadedAt + ms) return stored.answer;
  const answer = await read();
  const content = Buffer.from(JSON.stringify({ loadedAt: now(), answer } satisfies StoredAnswer));
  await files
    .remove(guildId, handle)
    .then(() => files.put(guildId, handle, content))
    .catch(() => undefined);
  return answer;
}
