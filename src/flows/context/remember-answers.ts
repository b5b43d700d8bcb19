import type { AnswerCache } from "../../cache.ts";
import type { Servers } from "../../database/index.ts";
import { type Method, type MethodSpec, methods, type VideoClient } from "../../video/index.ts";
import { loosenClient, strictClient } from "./loose-client.ts";

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

/** Which answers are shared: those of one guild, one credential and one view. */
interface RememberAnswersOptions {
  readonly answers: AnswerCache;
  /** Fixed-shape ids only. */
  readonly scope: string;
  /** A write of this guild clears its answers, whatever the credential. */
  readonly guildId: string;
  /** For what other processes write. */
  readonly servers: Pick<Servers, "version" | "noteChange">;
  /** For reads before a write, which have to be current: only lists that rarely change come from the cache. */
  readonly isFresh: boolean;
}

/** A client whose lists are cached for a short while, until the same guild writes anything, in whichever process. */
export function rememberAnswers(
  client: VideoClient,
  { answers, scope, guildId, servers, isFresh }: RememberAnswersOptions,
): VideoClient {
  const loose = loosenClient(client);
  return strictClient({
    async call(method, params, options) {
      const methodSpec: MethodSpec = methods[method];
      if (methodSpec.media?.direction === "down") return loose.call(method, params, options);
      if (methodSpec.effect !== "read") {
        // Cleared before and after: what is read while the write is under way may be either state.
        answers.forget(guildId);
        return loose.call(method, params, options).finally(async () => {
          answers.forget(guildId);
          // If the database fails, other processes show what they remember until it is too old.
          await servers.noteChange(guildId).catch(() => undefined);
        });
      }
      const ms = freshMs[method] ?? usualMs;
      if (isQueue(params) || (isFresh && ms < longLivedMs))
        return loose.call(method, params, options);
      const version = await servers.version(guildId).catch(() => "");
      const key = `${scope} ${version} ${method} ${JSON.stringify(params)}`;
      // Without the caller's signal: others may be waiting for the same answer.
      return answers.recall(key, { ms, owner: guildId }, () => loose.call(method, params));
    },
    pages: (...args) => loose.pages(...args),
  });
}

/** Comments that wait for a decision never come from the cache. */
function isQueue({ moderationStatus }: { readonly moderationStatus?: unknown }): boolean {
  return moderationStatus !== undefined && moderationStatus !== "published";
}
