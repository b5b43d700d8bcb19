import { BotError, InputError } from "../../errors.ts";
import { methods } from "../methods/index.ts";
import type { CallOptions, VideoClient } from "../types.ts";
import { refusal } from "./refusal.ts";

/** What becomes of comments; their authors can be shut out only together with a rejection. */
export type Decision =
  | {
      readonly ids: readonly string[];
      readonly status: "published" | "heldForReview";
      readonly banAuthor?: never;
    }
  | {
      readonly ids: readonly string[];
      /** Can't be taken back. */
      readonly status: "rejected";
      readonly banAuthor?: boolean;
    };

/**
 * What came of one comment. `refused`: it alone was refused. `unknown`: it was in a call that failed, and which of
 * its comments were changed is not told. `untried`: it never left.
 */
export type Moderated =
  | { readonly id: string; readonly state: "done" }
  | {
      readonly id: string;
      readonly state: "refused" | "unknown" | "untried";
      readonly error: BotError;
    };

export interface ModerateOptions extends Pick<CallOptions, "signal"> {
  /** Most that may be spent on finding the ids that make a call fail; `defaultSearchUnits` when absent. */
  readonly searchUnits?: number;
}

/** Finding one bad id among 50 takes twelve calls of 50 units. */
export const defaultSearchUnits = 1_000;

const method = "comments.setModerationStatus";
const { cost, query } = methods[method];
const perCall = query.id.maxItems;

interface Batch {
  readonly ids: readonly string[];
  /** Why the call that it was part of failed. */
  readonly failedWith?: BotError;
}

/**
 * Decides about any number of comments, in calls of up to 50, and tells of each what came of it. One bad id makes a
 * whole call fail, so a call refused with 400, 403 or 404 is split in halves until the bad ones are alone (facts,
 * section 7). It ends early, telling of the rest, when a failure concerns all: no units, no rights, no connection.
 * @throws InputError `ban_without_reject`, or for ids that can't be sent; the signal's reason.
 */
export async function moderateComments(
  client: VideoClient,
  decision: Decision,
  { signal, searchUnits = defaultSearchUnits }: ModerateOptions = {},
): Promise<readonly Moderated[]> {
  const { status, banAuthor = false } = decision;
  if (banAuthor && status !== "rejected") {
    throw refusal("an author is banned without a rejection", {
      reason: "banWithoutReject",
      status: 400,
      method,
    });
  }
  const ids = [...new Set(decision.ids)];
  const outcomes = new Map<string, Moderated>();
  const batches: Batch[] = chunks(ids);
  let left = searchUnits;
  let stoppedBy: BotError | undefined;

  // Whole calls first and halves after them: should it end early, most is decided.
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    const { failedWith } = batch;
    if (failedWith !== undefined) left -= cost;
    if (stoppedBy !== undefined) leave(batch, failedWith ?? stoppedBy);
    else if (left < 0 && failedWith !== undefined) leave(batch, failedWith);
    else stoppedBy = await decide(batch);
  }
  return ids.flatMap((id) => outcomes.get(id) ?? []);

  /** Answers the failure that ends everything. */
  async function decide(batch: Batch): Promise<BotError | undefined> {
    const params = { id: batch.ids, moderationStatus: status, ...(banAuthor && { banAuthor }) };
    try {
      await client.call(method, params, { ...(signal && { signal }) });
      for (const id of batch.ids) outcomes.set(id, { id, state: "done" });
      return undefined;
    } catch (error) {
      if (!(error instanceof BotError) || isOurFault(error)) throw error;
      if (!concernsSome(error)) {
        const tried = error.outcome === "nothing" ? batch : { ...batch, failedWith: error };
        leave(tried, error);
        return error;
      }
      if (batch.ids.length > 1) batches.push(...halves(batch, error));
      else for (const id of batch.ids) outcomes.set(id, { id, state: "refused", error });
      return undefined;
    }
  }

  function leave({ ids: rest, failedWith }: Batch, error: BotError): void {
    const state = failedWith === undefined ? "untried" : "unknown";
    for (const id of rest) outcomes.set(id, { id, state, error });
  }
}

/** Refused for what was in the call, rather than for who called. */
function concernsSome({ kind, facts }: BotError): boolean {
  const isRefusal = kind === "input" || kind === "access";
  return isRefusal && [400, 403, 404].includes(Number(facts.status));
}

/** Refused by our own check of the parameters: no call has left. */
function isOurFault(error: BotError): boolean {
  return error instanceof InputError && error.facts.status === undefined;
}

function chunks(ids: readonly string[]): Batch[] {
  const count = Math.ceil(ids.length / perCall);
  return Array.from({ length: count }, (_, at) => ({
    ids: ids.slice(at * perCall, (at + 1) * perCall),
  }));
}

function halves({ ids }: Batch, failedWith: BotError): readonly Batch[] {
  const middle = Math.ceil(ids.length / 2);
  return [ids.slice(0, middle), ids.slice(middle)].map((half) => ({ ids: half, failedWith }));
}
