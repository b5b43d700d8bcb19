import { BotError } from "../../errors.ts";
import { LostError } from "../../ownership.ts";
import { methods } from "../methods/index.ts";
import type { VideoCallOptions, VideoClient } from "../types.ts";
import { foreseenError } from "./rule-errors.ts";

/** A decision on comments. Authors can be banned only together with a rejection. */
export type ModerationDecision =
  | {
      readonly ids: readonly string[];
      readonly status: "published" | "heldForReview";
      readonly banAuthor?: never;
    }
  | {
      readonly ids: readonly string[];
      /** A rejection can't be undone. */
      readonly status: "rejected";
      readonly banAuthor?: boolean;
    };

/**
 * The result for one comment. `refused`: it alone was refused. `unknown`: it was in a call that failed, which may have
 * changed some of its comments. `untried`: it was in no call.
 */
export type CommentResult =
  | { readonly id: string; readonly state: "done" }
  | {
      readonly id: string;
      readonly state: "refused" | "unknown" | "untried";
      readonly error: BotError;
    };

interface ModerateOptions extends Pick<VideoCallOptions, "signal"> {
  /** Most units to spend on finding the ids that make a call fail; `defaultSearchUnits` when absent. */
  readonly searchUnits?: number;
}

/** So many calls in a row without a usable answer end it. */
const maxPassingInRow = 3;
/** Finding one bad id among 50 takes twelve calls of 50 units. */
const defaultSearchUnits = 1_000;

const method = "comments.setModerationStatus";
const { cost, query } = methods[method];
const maxIdsPerCall = query.id.maxItems;

interface CommentBatch {
  readonly ids: readonly string[];
  /** Why the larger call that it was part of failed. */
  readonly failedWith?: BotError;
}

/**
 * Decides on any number of comments, in calls of up to 50, and returns the result for each. One bad id makes a whole call
 * fail, so a call refused with 400, 403 or 404 is halved until the bad ids are alone. After a failure that may pass it goes
 * on with the next call; three in a row, or one that concerns all comments (no units, no rights), end it early. The rest
 * are answered too.
 * @throws InputError `ban_without_reject`, or for ids that can't be sent; the signal's reason.
 */
export async function moderateComments(
  client: VideoClient,
  decision: ModerationDecision,
  { signal, searchUnits = defaultSearchUnits }: ModerateOptions = {},
): Promise<readonly CommentResult[]> {
  const { status, banAuthor = false } = decision;
  if (banAuthor && status !== "rejected") {
    throw foreseenError("an author is banned without a rejection", {
      reason: "banWithoutReject",
      status: 400,
      method,
    });
  }
  const ids = [...new Set(decision.ids)];
  const outcomes = new Map<string, CommentResult>();
  const batches: CommentBatch[] = splitBatch({ ids }, maxIdsPerCall);
  let searchUnitsLeft = searchUnits;
  let stoppedBy: BotError | undefined;
  let passingInRow = 0;

  // Whole calls before halves, so that most comments are decided if it ends early.
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    const { failedWith } = batch;
    if (failedWith !== undefined) searchUnitsLeft -= cost;
    if (stoppedBy !== undefined) giveUp(batch, failedWith ?? stoppedBy);
    else if (searchUnitsLeft < 0 && failedWith !== undefined) giveUp(batch, failedWith);
    else stoppedBy = await decide(batch);
  }
  return ids.flatMap((id) => outcomes.get(id) ?? []);

  /** Returns the failure that ends everything, if there is one. */
  async function decide(batch: CommentBatch): Promise<BotError | undefined> {
    const params = { id: batch.ids, moderationStatus: status, ...(banAuthor && { banAuthor }) };
    try {
      await client.call(method, params, { ...(signal && { signal }) });
      for (const id of batch.ids) outcomes.set(id, { id, state: "done" });
      passingInRow = 0;
      return undefined;
    } catch (error) {
      if (!(error instanceof BotError) || error instanceof LostError) throw error;
      const { kind, facts } = error;
      // Refused by our own check of the parameters, before anything was sent.
      if (kind === "input" && facts.status === undefined) throw error;
      const isRefused = kind === "input" || kind === "access";
      // These statuses are about some ids of the call; others are about who called, or about all of it.
      const concernsSome = isRefused && [400, 403, 404].includes(Number(facts.status));
      if (!concernsSome) {
        const tried = error.outcome === "nothing" ? batch : { ...batch, failedWith: error };
        giveUp(tried, error);
        passingInRow += 1;
        const mayPass = kind === "service" || kind === "network";
        const goesOn = mayPass && passingInRow < maxPassingInRow && !signal?.aborted;
        return goesOn ? undefined : error;
      }
      passingInRow = 0;
      const half = Math.ceil(batch.ids.length / 2);
      if (half < batch.ids.length)
        batches.push(...splitBatch({ ids: batch.ids, failedWith: error }, half));
      else for (const id of batch.ids) outcomes.set(id, { id, state: "refused", error });
      return undefined;
    }
  }

  function giveUp({ ids: rest, failedWith }: CommentBatch, error: BotError): void {
    const state = failedWith === undefined ? "untried" : "unknown";
    for (const id of rest) outcomes.set(id, { id, state, error });
  }
}

function splitBatch({ ids, ...rest }: CommentBatch, size: number): CommentBatch[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ({
    ...rest,
    ids: ids.slice(at * size, (at + 1) * size),
  }));
}
