import { ServiceError } from "../../errors.ts";
import { aboutComment, recordEntry } from "../audit/index.ts";
import type { Decider } from "../parts.ts";
import type { AuditEntry, HeldComment } from "../records/index.ts";
import type { Decided, DecideRequest } from "../types.ts";
import { admit } from "./admit.ts";
import { claimAll, takeBack } from "./claim.ts";
import { createDecisionCounts } from "./decision-counts.ts";
import { follow } from "./follow.ts";
import type { DecideDeps, DeciderDeps } from "./parts.ts";
import { handleSending } from "./send-decisions.ts";
import { bringBack, snooze } from "./snooze.ts";

/** Comments that are claimed in one transaction. */
const atOnce = 25;

type NewEntry = Pick<AuditEntry, "by" | "act" | "from">;

/** Decisions: made here, sent by jobs of `moderation.send`. */
export function createDecider(given: DeciderDeps): Decider {
  const { database, records, onRecord } = given;
  const deps: DecideDeps = { ...given, counts: createDecisionCounts(database.now) };
  handleSending(deps);

  /** A change and its entry in the audit log; `change` answers what the entry is about. */
  async function recorded<T>(
    guildId: string,
    change: () => Promise<T>,
    entryFor: (changed: T) => { readonly item: HeldComment; readonly entry: NewEntry } | undefined,
  ): Promise<T> {
    const { changed, entries } = await database.transaction(async () => {
      const done = await change();
      const about = entryFor(done);
      if (about === undefined) return { changed: done, entries: [] };
      const of = { at: database.now(), answer: "done", ...aboutComment(about.item) };
      return {
        changed: done,
        entries: await recordEntry(deps, guildId, { ...of, ...about.entry }),
      };
    });
    for (const entry of entries) onRecord?.(entry);
    return changed;
  }

  async function decide(guildId: string, { items, ...request }: DecideRequest) {
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

  return {
    decide: (guildId, request) => database.servers.runFor(guildId, () => decide(guildId, request)),

    async undo(guildId, ref, by) {
      const back = await recorded(
        guildId,
        () => takeBack(deps, guildId, { ref, by }),
        (done) =>
          done && {
            item: done.item,
            entry: { by, act: "undone", from: done.before.decision?.from ?? "card" },
          },
      );
      if (back !== undefined) return { state: "open", item: back.item };
      const item = await records.comments.read(guildId, ref);
      return { state: "late", ...(item && { item }) };
    },

    later: (guildId, ref, by, until) =>
      recorded(
        guildId,
        () => snooze(deps, guildId, { ref, by, until }),
        ({ state, item }) =>
          state === "pending" && item !== undefined
            ? { item, entry: { by, act: "later", from: fromOf(item) } }
            : undefined,
      ),

    async now(guildId, ref) {
      return (await records.comments.change(guildId, ref, bringBack))?.comment;
    },

    async replied(guildId, ref, by) {
      const changed = await recorded(
        guildId,
        () =>
          records.comments.change(guildId, ref, (item) => ({
            ...{ ...item, replied: { by, at: database.now() } },
          })),
        (done) =>
          done && {
            item: done.comment,
            entry: { by, act: "replied", from: fromOf(done.comment) },
          },
      );
      return changed?.comment;
    },

    admit: (guildId, commentIds, source) => admit(deps, guildId, { commentIds, source }),

    async settled(guildId, all) {
      for (const settled of all) await follow(deps, guildId, settled);
    },
  };
}

/** Some are decided about, which must not be told as nothing. */
function halfway(cause: unknown): unknown {
  if (!(cause instanceof ServiceError)) return cause;
  const { message, code, hint } = cause;
  return new ServiceError(message, { code, hint, outcome: "part", cause });
}

function fromOf({ digestId }: HeldComment): AuditEntry["from"] {
  return digestId === undefined ? "card" : "digest";
}
