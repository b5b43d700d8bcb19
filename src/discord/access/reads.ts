import { type Method, type MethodSpec, methods, type VideoClient } from "../../video/index.ts";
import { loosened, strict } from "../declare/loose-client.ts";
import type { AnswerCache } from "./answer-cache.ts";

const seconds = 1000;
const day = 24 * 3_600_000;

/** How long an answer may be shown again. Lists that rarely change are kept longer; the rest long enough to leaf through. */
const kept: Readonly<Partial<Record<Method, number>>> = {
  "i18nLanguages.list": day,
  "i18nRegions.list": day,
  "videoCategories.list": day,
  "videoAbuseReportReasons.list": day,
  "membershipsLevels.list": 600 * seconds,
  // The day has a hundred searches, and going back a page must not take one.
  "search.list": 600 * seconds,
  // A list costs as much as fifty others, and suggestions, questions and answers read the same one.
  "captions.list": 300 * seconds,
  "commentThreads.list": 20 * seconds,
  "comments.list": 20 * seconds,
};

const usually = 60 * seconds;
/** What is kept at least so long changes rarely, or is dear to read again. */
const lasting = 300 * seconds;

/** Where answers are remembered: one guild, one credential, one view. */
export interface Remembering {
  readonly answers: AnswerCache;
  /** Fixed-shape ids only. */
  readonly scope: string;
  /** Of everything the guild wrote or read, whatever the credential. */
  readonly guildId: string;
  /** For who is about to write: what is read is what is changed, so only lists that rarely change are taken from memory. */
  readonly isFresh: boolean;
}

/** A client whose lists are remembered for a short while, until the same guild writes anything. */
export function remembering(
  client: VideoClient,
  { answers, scope, guildId, isFresh }: Remembering,
): VideoClient {
  const loose = loosened(client);
  return strict({
    async call(method, params, options) {
      const row: MethodSpec = methods[method];
      if (row.media?.direction === "down") return loose.call(method, params, options);
      if (row.effect !== "read") {
        // Forgotten before and after: what is read while the write is under way may be either state.
        answers.forget(guildId);
        return loose.call(method, params, options).finally(() => answers.forget(guildId));
      }
      const ms = kept[method] ?? usually;
      if (isQueue(params) || (isFresh && ms < lasting)) return loose.call(method, params, options);
      const key = `${scope} ${method} ${JSON.stringify(params)}`;
      // Without the caller's signal: others may be waiting for the same answer.
      return answers.recall(key, { ms, owner: guildId }, () => loose.call(method, params));
    },
    pages: (...given) => loose.pages(...given),
  });
}

/** Comments that wait for a decision are always read anew. */
function isQueue({ moderationStatus }: { readonly moderationStatus?: unknown }): boolean {
  return moderationStatus !== undefined && moderationStatus !== "published";
}
