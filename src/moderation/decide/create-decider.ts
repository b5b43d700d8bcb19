import { ServiceError } from "../../errors.ts";
import type { QueueItem } from "../../store/index.ts";
import { aboutComment } from "../audit/audit-log.ts";
import { createAuditLog, createAuthorBook, type Happened } from "../audit/index.ts";
import { refOf } from "../items.ts";
import type { Decider } from "../parts.ts";
import type { Decided, DecideRequest, ItemRef } from "../types.ts";
import { admit } from "./admit.ts";
import { claim, decidedElsewhere, takeBack } from "./claim.ts";
import { createDecisionCounts } from "./decision-counts.ts";
import { follow } from "./follow.ts";
import type { DecideParts, DeciderParts } from "./parts.ts";
import { bringBack, comeBack, putOff } from "./put-off.ts";
import { createRunner, type Runner } from "./runner.ts";
import { undoMs } from "./times.ts";
import { createWakes } from "./wakes.ts";
import { createWatchBook } from "./watch-book.ts";

/** Items whose records are changed at a time. */
const atOnce = 25;
/** What is under way when it closes is waited for so long; the store is closed soon after. */
const closeMs = 2_500;

/** Decisions of all guilds that this process serves. Whatever it holds in memory stands in the store as well. */
export function createDecider(given: DeciderParts): Decider {
  const { store, clock, items, announcer, log } = given;
  const parts: DecideParts = {
    ...given,
    audit: createAuditLog(store.moderation, given.onRecord),
    authors: createAuthorBook(store.moderation, clock.now),
    watches: createWatchBook(store.moderation, clock),
    counts: createDecisionCounts(clock),
  };
  const runners = new Map<string, Runner>();
  const wakes = createWakes(clock, (guildId, ref) =>
    store.guilds.runFor(guildId, async () => {
      if (await comeBack(parts, guildId, ref)) announcer.changed(guildId, ref);
    }),
  );

  function runnerOf(guildId: string, source: string): Runner {
    const key = `${guildId}:${source}`;
    const runner = runners.get(key) ?? createRunner(parts, { guildId, source });
    runners.set(key, runner);
    return runner;
  }

  async function decideOne(
    guildId: string,
    { ref, kind, by, from }: Omit<DecideRequest, "items"> & { readonly ref: ItemRef },
  ): Promise<Decided> {
    const source = await parts.watches.sourceOf(guildId, ref.watchId);
    if (source === undefined) return { ref, state: "absent" };
    const elsewhere = await decidedElsewhere(parts, guildId, { ref, source });
    if (elsewhere !== undefined) return { ref, state: "taken", item: elsewhere };
    let decided: Decided;
    try {
      decided = await claim(parts, guildId, { ref, kind, by, from });
    } catch (error) {
      // The answer may be lost and not the write: its turn will tell.
      runnerOf(guildId, source).add({ ref, kind, dueAt: clock.now() + undoMs });
      throw error;
    }
    const { item } = decided;
    if (decided.state !== "pending" || item?.decision === undefined) return decided;
    // The watch may have got another channel since it was read.
    const { dueAt } = item.decision;
    runnerOf(guildId, item.source ?? source).add({ ref, kind, dueAt });
    announcer.changed(guildId, ref);
    return decided;
  }

  /** Of what has happened already: a record that is not written is no reason to say that it has not. */
  async function record(guildId: string, item: QueueItem, what: NewEntry): Promise<void> {
    try {
      const source = (await parts.watches.sourceOf(guildId, item.watchId)) ?? "";
      const entry = { at: clock.now(), answer: "done", ...aboutComment(source, item.comment) };
      await parts.audit.write(guildId, { ...entry, ...what });
    } catch (error) {
      log.warn("what was done is not on record", { guildId, act: what.act, error });
    }
  }

  return {
    async decide(guildId, { items: refs, ...request }) {
      const decided: Decided[] = [];
      for (let from = 0; from < refs.length; from += atOnce) {
        const some = refs.slice(from, from + atOnce);
        const settled = await Promise.allSettled(
          some.map((ref) => decideOne(guildId, { ref, ...request })),
        );
        for (const one of settled) if (one.status === "fulfilled") decided.push(one.value);
        const failed = settled.find((one) => one.status === "rejected");
        if (failed !== undefined) throw decided.some(isPending) ? halfway(failed) : failed.reason;
      }
      return decided;
    },

    async undo(guildId, ref, by) {
      const back = await takeBack(parts, guildId, { ref, by });
      if (back === undefined) {
        const item = await items.read(guildId, ref);
        return { state: "late", ...(item && { item }) };
      }
      for (const runner of runnersOf(guildId)) runner.remove(ref);
      announcer.changed(guildId, ref);
      const from = back.before.decision?.from ?? "card";
      await record(guildId, back.item, { by, act: "undone", from });
      return { state: "open", item: back.item };
    },

    async later(guildId, ref, by, until) {
      const decided = await putOff(parts, guildId, { ref, by, until });
      if (decided.state !== "pending" || decided.item === undefined) return decided;
      wakes.set(guildId, ref, until);
      announcer.changed(guildId, ref);
      await record(guildId, decided.item, { by, act: "later", from: fromOf(decided.item) });
      return decided;
    },

    async now(guildId, ref) {
      const back = await bringBack(parts, guildId, ref);
      if (back?.isChanged) announcer.changed(guildId, ref);
      return back?.item;
    },

    async replied(guildId, ref, by) {
      const replied = { by, at: clock.now() };
      const changed = await items.change(guildId, ref, (item) => ({ ...item, replied }));
      if (changed === undefined) return undefined;
      announcer.changed(guildId, ref);
      await record(guildId, changed.item, { by, act: "replied", from: fromOf(changed.item) });
      return changed.item;
    },

    admit: (guildId, commentIds, source) => admit(parts, guildId, { commentIds, source }),

    async settled(guildId, all) {
      for (const settled of all) {
        for (const item of await follow(parts, guildId, settled)) {
          announcer.changed(guildId, refOf(item));
        }
      }
    },

    async takeUp(guildId, watch, known) {
      for (const item of known ?? (await items.all(guildId, watch.id))) {
        const { status, decision, later, source = watch.source } = item;
        const runner = runnerOf(guildId, source);
        const ref = refOf(item);
        if (status === "later") wakes.set(guildId, ref, later?.until ?? 0);
        if (status === "sending") runner.doubt(ref);
        if (status !== "pending" || decision === undefined) continue;
        runner.add({ ref, kind: decision.kind, dueAt: decision.dueAt });
      }
    },

    async drop(guildId, watchId) {
      wakes.drop(guildId, watchId);
      const dropped = runnersOf(guildId);
      if (watchId !== undefined) {
        for (const runner of dropped) runner.drop(watchId);
        return;
      }
      for (const runner of dropped) {
        runner.cut();
        runners.delete(`${guildId}:${runner.source}`);
      }
      await Promise.all(dropped.map((runner) => runner.stop()));
    },

    async close() {
      wakes.close();
      const stop = clock.after(closeMs, () => {
        for (const runner of runners.values()) runner.cut();
      });
      await Promise.all([...runners.values()].map((runner) => runner.stop()));
      stop();
    },
  };

  function runnersOf(guildId: string): readonly Runner[] {
    return [...runners.values()].filter((runner) => runner.guildId === guildId);
  }
}

function isPending({ state }: Decided): boolean {
  return state === "pending";
}

/** Some are decided about, which must not be told as nothing. */
function halfway({ reason }: PromiseRejectedResult): unknown {
  if (!(reason instanceof ServiceError)) return reason;
  const { message, code, hint } = reason;
  return new ServiceError(message, { code, hint, outcome: "part", cause: reason });
}

type NewEntry = Pick<Happened, "by" | "act" | "from">;

function fromOf({ digestId }: QueueItem): Happened["from"] {
  return digestId === undefined ? "card" : "digest";
}
