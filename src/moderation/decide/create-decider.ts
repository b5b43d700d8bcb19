import { type LimitError, ServiceError } from "../../errors.ts";
import { aboutComment, type NewAuditEntry, recordChange } from "../audit.ts";
import {
  type Actor,
  type AuditEntry,
  type DecisionCount,
  type HeldComment,
  type ItemRef,
  itemIdOf,
} from "../records/index.ts";
import type { Decided, DecideRequest, Settled } from "../types.ts";
import { claimAll, takeBack } from "./claim.ts";
import { createDecisionCounts } from "./decision-counts.ts";
import type { DecideDeps, DeciderDeps } from "./parts.ts";
import { handleSending } from "./send-decisions.ts";
import { follow } from "./settle.ts";
import { bringBack, snooze } from "./snooze.ts";

/** Comments that are claimed in one transaction. */
const atOnce = 25;

export type Decider = ReturnType<typeof createDecider>;

/** Decisions: made here, sent by jobs of `moderation.send`. */
export function createDecider(given: DeciderDeps) {
  const deps: DecideDeps = { ...given, counts: createDecisionCounts(given.database.now) };
  handleSending(deps);
  return { of: (guildId: string) => createGuildDecisions(deps, guildId) };
}

/** Decisions of one guild. */
function createGuildDecisions(deps: DecideDeps, guildId: string) {
  const { database, records } = deps;
  return {
    /** First come, first served. It is sent some seconds later, with others of its kind in one call. */
    decide: (request: DecideRequest): Promise<readonly Decided[]> =>
      database.servers.runFor(guildId, () => decide(deps, guildId, request)),
    /** While it is pending. `late`: it is on its way or over. */
    undo: (ref: ItemRef, by: Actor) => undo(deps, guildId, { ref, by }),
    /** It comes back as a new card at that time. */
    later: (ref: ItemRef, by: Actor, until: number): Promise<Decided> =>
      recordChange(deps, guildId, async (record) => {
        const snoozed = await snooze(deps, guildId, { ref, by, until });
        const { state, item } = snoozed;
        if (state === "pending" && item !== undefined) {
          await record(doneTo(deps, item, { by, act: "later", from: fromOf(item) }));
        }
        return snoozed;
      }),
    /** Brings back what was put off. */
    now: async (ref: ItemRef) => (await records.comments.change(guildId, ref, bringBack))?.comment,
    /** Somebody answered the comment. */
    replied: (ref: ItemRef, by: Actor) => noteReply(deps, guildId, { ref, by }),
    /**
     * Counts decisions that go to the service on another way, before they do; answers those comments that are not to be
     * decided about again today, with why.
     */
    admit: (commentIds: readonly string[], source: string) =>
      admit(deps, guildId, { commentIds, source }),
    /** What was decided about by a command: cards follow, and it is on record. */
    async settled(all: readonly Settled[]): Promise<void> {
      for (const settled of all) await follow(deps, guildId, settled);
    },
  };
}

interface ActOptions {
  readonly ref: ItemRef;
  readonly by: Actor;
}

async function undo(
  deps: DecideDeps,
  guildId: string,
  { ref, by }: ActOptions,
): Promise<{ readonly state: "open" | "late"; readonly item?: HeldComment | undefined }> {
  const back = await recordChange(deps, guildId, async (record) => {
    const taken = await takeBack(deps, guildId, { ref, by });
    if (taken === undefined) return undefined;
    await record(doneTo(deps, taken.item, { by, act: "undone", from: taken.from }));
    return taken.item;
  });
  if (back !== undefined) return { state: "open", item: back };
  return { state: "late", item: await deps.records.comments.read(guildId, ref) };
}

function noteReply(
  deps: DecideDeps,
  guildId: string,
  { ref, by }: ActOptions,
): Promise<HeldComment | undefined> {
  const { database, records } = deps;
  return recordChange(deps, guildId, async (record) => {
    const replied = { by, at: database.now() };
    const changed = await records.comments.change(guildId, ref, (item) => ({ ...item, replied }));
    if (changed === undefined) return undefined;
    const item = changed.comment;
    await record(doneTo(deps, item, { by, act: "replied", from: fromOf(item) }));
    return item;
  });
}

function doneTo(
  { database }: DecideDeps,
  item: HeldComment,
  entry: Pick<AuditEntry, "by" | "act" | "from">,
): NewAuditEntry {
  return { at: database.now(), answer: "done", ...aboutComment(item), ...entry };
}

async function decide(
  deps: DecideDeps,
  guildId: string,
  { items, ...request }: DecideRequest,
): Promise<readonly Decided[]> {
  const decided: Decided[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const some = { ...request, items: items.slice(from, from + atOnce) };
    try {
      decided.push(...(await claimAll(deps, guildId, some)));
    } catch (error) {
      throw decided.some(({ state }) => state === "pending") ? halfway(error) : error;
    }
  }
  return decided;
}

/** Some are decided about, which must not be told as nothing. */
function halfway(cause: unknown): unknown {
  if (!(cause instanceof ServiceError)) return cause;
  const { message, code, facts } = cause;
  return new ServiceError(message, { code, facts, outcome: "part", cause });
}

function fromOf({ digestId }: HeldComment): AuditEntry["from"] {
  return digestId === undefined ? "card" : "digest";
}

/** Counts a decision about each of them, and answers why others are not to be decided about again today. */
async function admit(
  deps: DecideDeps,
  guildId: string,
  { commentIds, source }: { readonly commentIds: readonly string[]; readonly source: string },
): Promise<ReadonlyMap<string, LimitError>> {
  const { counts } = deps;
  const refused = new Map<string, LimitError>();
  for (const commentId of commentIds) {
    const at = { guildId, commentId };
    const stored = counts.known(at) ?? (await storedOf(deps, at, source));
    const of = { ...at, stored };
    const refusal = counts.refusal(of);
    if (refusal === undefined) counts.note(of, counts.next(of));
    else refused.set(commentId, refusal);
  }
  return refused;
}

/** What a queue that holds the comment says of it. A database that can't be read holds no decision up. */
async function storedOf(
  { records, log }: DecideDeps,
  { guildId, commentId }: { readonly guildId: string; readonly commentId: string },
  source: string,
): Promise<DecisionCount | undefined> {
  try {
    const everywhere = await records.comments.everywhere(guildId, itemIdOf(commentId));
    return everywhere.find((one) => one.source === source && one.decisions !== undefined)
      ?.decisions;
  } catch (error) {
    log.warn("earlier decisions about a comment are not known", { guildId, error });
    return undefined;
  }
}
