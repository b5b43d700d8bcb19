import { auditFacts, recordChange } from "./audit.ts";
import { historyBeside, readAuthorComments } from "./author-comments.ts";
import {
  countAgain,
  countDirectDecisions,
  markReplied,
  recordDirectDecision,
  replyBeginning,
} from "./decide/direct-decisions.ts";
import { explainRejection } from "./decide/explain.ts";
import { markHandled, undoHandled } from "./decide/handled.ts";
import { snooze } from "./decide/snooze.ts";
import { decide, hastenBatch, readBatch, undoDecision } from "./decide/take-decisions.ts";
import {
  type Actor,
  type AuditEntry,
  type AuthorHistory,
  type CommentCursor,
  type DecisionDelay,
  type DecisionReason,
  type HeldComment,
  type ItemRef,
  isWaiting,
  type NamedPerson,
  toItemId,
  toItemRef,
} from "./records/index.ts";
import type { ModerationRoom } from "./room.ts";
import type {
  DecideRequest,
  DecisionBatch,
  DecisionResult,
  DigestView,
  DirectDecision,
} from "./types.ts";

/** All decisions of a batch wait for the same thing, so looking at some of them is enough. */
const maxExamined = 50;

interface UnsentDecisions {
  readonly count: number;
  readonly delay?: DecisionDelay | undefined;
}

interface UndoneDecision {
  /** `late`: it is already being sent, or settled. */
  readonly state: "open" | "late";
  readonly item?: HeldComment | undefined;
}

export type Queue = ReturnType<typeof createQueue>;

/** The comments of one server's watches: what waits, and what people and rules decide about it. */
export function createQueue(room: ModerationRoom, guildId: string) {
  return { ...createQueueReader(room, guildId), ...createQueueDecisions(room, guildId) };
}

function createQueueReader({ records }: ModerationRoom, guildId: string) {
  const { comments, digests, authors, watches } = records;
  return {
    async item(ref: ItemRef): Promise<HeldComment | undefined> {
      const item = await comments.read(guildId, ref);
      return item && (await comments.asShown(guildId, [item]))[0];
    },
    /** Comments of a watch, in the order of `ids`; unknown ones are left out. */
    items: async (watchId: string, ids: readonly string[]) =>
      comments.asShown(guildId, await comments.readAll(guildId, watchId, ids)),
    /** A linked channel's comment, once for each watch that has it. */
    async itemsOf(source: string, commentId: string) {
      const everywhere = await comments.readInAllWatches(guildId, toItemId(commentId));
      return everywhere.filter((one) => one.source === source);
    },
    /**
     * The oldest open comment of a watch after another one, and how many there are from there on, counted up to 1,000. What
     * several watches of a linked channel have is one comment: if it is snoozed or decided in one, or shown there, it is left
     * out. `shown`: ids of the watches that were gone through before.
     */
    async next(watchId: string, after?: CommentCursor, shown: readonly string[] = []) {
      const all = await watches.readAll(guildId);
      const source = all.find(({ id }) => id === watchId)?.source;
      const others = all.filter((one) => one.source === source && one.id !== watchId);
      const otherIds = others.map(({ id }) => id);
      const shownIds = otherIds.filter((id) => shown.includes(id));
      return comments.readNextOpen(guildId, { watchId, after, others: otherIds, shown: shownIds });
    },
    /** How many decisions that were due at exactly that time have no outcome yet, and why, if they are kept for now. */
    async unsent(dueAt: number): Promise<UnsentDecisions> {
      const all = await watches.readAllWithEnded(guildId);
      const sources = [...new Set(all.map(({ source }) => source))];
      const counts = sources.map((source) => comments.countUnsent(guildId, source, dueAt));
      const count = (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
      if (count === 0) return { count };
      const pages = sources.map((source) =>
        comments.readDueAt(guildId, { source, dueAt, limit: maxExamined }),
      );
      const delays = (await Promise.all(pages)).flat().map(({ decision }) => decision?.delay);
      return { count, delay: delays.includes(undefined) ? undefined : delays[0] };
    },
    /** How many comments of a watch wait, and how many of its decisions have no outcome yet. */
    async counts(watchId: string) {
      const [{ count: waiting }, decided] = await Promise.all([
        comments.countWaiting(guildId, watchId),
        comments.countUnsettled(guildId, watchId),
      ]);
      return { waiting, decided };
    },
    async digest(watchId: string, id: string): Promise<DigestView | undefined> {
      const digest = await digests.read(guildId, watchId, id);
      if (digest === undefined) return undefined;
      const items = await comments.readAll(guildId, watchId, digest.itemIds);
      return { digest, items: await comments.asShown(guildId, items) };
    },
    /** What is known here about the author of a comment from other comments. */
    async history(item: HeldComment): Promise<AuthorHistory | undefined> {
      const { authorId } = item.comment;
      return authorId === undefined
        ? undefined
        : historyBeside(item, await authors.read(guildId, authorId));
    },
    /** Other comments of the same author, the newest first: of the queue, and of the log. */
    othersOfAuthor: async ({ comment: { id: exceptId, authorId } }: HeldComment) =>
      authorId === undefined ? [] : readAuthorComments(records, guildId, { authorId, exceptId }),
  };
}

function createQueueDecisions(room: ModerationRoom, guildId: string) {
  const { database, records } = room;
  const change = async (ref: ItemRef, make: (item: HeldComment) => HeldComment) =>
    (await records.comments.change(guildId, ref, make))?.comment;

  /** An entry of the log for what was done at once and needs nothing from YouTube. */
  const doneEntry = (
    item: HeldComment,
    entry: Pick<AuditEntry, "by" | "act" | "reply"> & Partial<Pick<AuditEntry, "from">>,
  ) => ({
    at: database.now(),
    answer: "done",
    from: item.digestId === undefined ? ("card" as const) : ("digest" as const),
    ...auditFacts(item),
    ...entry,
  });

  async function undo(ref: ItemRef, by: Actor): Promise<UndoneDecision> {
    const back = await recordChange(room, guildId, async (record) => {
      const undone =
        (await undoDecision(room, guildId, { ref, by })) ??
        (await undoHandled(room, guildId, { ref, by }));
      if (undone === undefined) return undefined;
      await record(doneEntry(undone.item, { by, act: "undone", from: undone.from }));
      return undone.item;
    });
    if (back !== undefined) return { state: "open", item: back };
    return { state: "late", item: await records.comments.read(guildId, ref) };
  }

  return {
    /** The first decision counts; see `decide`. */
    decide: (request: DecideRequest) => decide(room, guildId, request),
    /** Undoes a decision that is not being sent yet. */
    undo,
    /** Has a batch sent soon; see `hastenBatch`. */
    hasten: (batch: DecisionBatch) => hastenBatch(room, guildId, batch),
    /** Undoes what is left of a batch; returns how many decisions that were. */
    async undoBatch(batch: DecisionBatch, by: Actor): Promise<number> {
      let count = 0;
      for await (const items of readBatch(room, guildId, batch)) {
        for (const item of items) {
          if ((await undo(toItemRef(item), by)).state === "open") count += 1;
        }
      }
      return count;
    },
    /** Snoozes a comment: it comes back with a new card at that time. */
    snooze: (ref: ItemRef, by: Actor, until: number): Promise<DecisionResult> =>
      recordChange(room, guildId, async (record) => {
        const snoozed = await snooze(room, guildId, { ref, by, until });
        const { state, item } = snoozed;
        if (state === "pending" && item) await record(doneEntry(item, { by, act: "later" }));
        return snoozed;
      }),
    /**
     * Notes that somebody has dealt with a comment on YouTube itself, in all watches of the channel. Nothing is sent.
     * `taken` and `over` as for decisions.
     */
    handle: (ref: ItemRef, by: NamedPerson): Promise<DecisionResult> =>
      recordChange(room, guildId, async (record) => {
        const handled = await markHandled(room, guildId, { ref, by });
        const { state, item } = handled;
        if (state === "pending" && item) await record(doneEntry(item, { by, act: "handled" }));
        return handled;
      }),
    /** Ends a snooze at once, on the comment's old card: whoever asks is looking at that card. */
    endSnooze: (ref: ItemRef) =>
      change(ref, (item) =>
        item.status === "later" ? { ...item, status: "open", later: undefined } : item,
      ),
    /**
     * Marks a comment as being dealt with by that person. Does nothing if it no longer waits, or if the person who had claimed
     * it when the button was shown (`over`) is not the one who has claimed it now.
     */
    claim: (
      ref: ItemRef,
      { by, over }: { readonly by: NamedPerson; readonly over?: string | undefined },
    ) =>
      change(ref, (item) => {
        if (!isWaiting(item) || item.assigned?.by.userId !== over || over === by.userId)
          return item;
        return { ...item, assigned: { by, at: database.now() } };
      }),
    /** Ends that person's claim. */
    release: (ref: ItemRef, userId: string) =>
      change(ref, (item) =>
        item.assigned?.by.userId === userId ? { ...item, assigned: undefined } : item,
      ),
    /** Adds a reason to a rejection, sent or not. Undefined if it is none. @throws InputError `reason_text`. */
    explain: (ref: ItemRef, reason: DecisionReason) =>
      explainRejection(room, guildId, { ref, ...reason }),
    /** Has the messages that show a comment drawn again. */
    redraw: (ref: ItemRef) => change(ref, (item) => ({ ...item })),
    /** Records that somebody replied to the comment. */
    recordReply: (ref: ItemRef, by: Actor, reply: string) =>
      recordChange(room, guildId, async (record) => {
        const replied = { by, at: database.now(), text: replyBeginning(reply) };
        let before: HeldComment | undefined;
        const item = await change(ref, (stored) => {
          before = stored;
          return markReplied(stored, replied);
        });
        if (item === undefined) return undefined;
        await countAgain(room, guildId, item.comment.authorId, [before?.status, item.status]);
        await record(doneEntry(item, { by, act: "replied", reply: replied.text }));
        return item;
      }),
    /** Counts decisions of a command; see `countDirectDecisions`. */
    countDirectDecisions: (commentIds: readonly string[], source: string) =>
      countDirectDecisions(room, guildId, { commentIds, source }),
    /** Records decisions of a command in the audit log, and updates the comments' cards. */
    async recordDirectDecisions(all: readonly DirectDecision[]): Promise<void> {
      for (const settled of all) await recordDirectDecision(room, guildId, settled);
    },
  };
}
