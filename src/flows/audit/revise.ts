import { action, type Ctx, notice, type Reply } from "../../discord/index.ts";
import type { Audit, AuditAct, AuditEntry, HeldComment } from "../../moderation/index.ts";
import { moderate } from "../comments/index.ts";
import { actorOf, notNow, undoNote } from "../watching/index.ts";

/** Entries that changed a comment's state. */
const deciding: ReadonlySet<AuditAct> = new Set(["approved", "rejected", "banned", "held"]);

const back = { approved: "hold", held: "approve" } as const;

/**
 * The decision that would undo an entry: an approved comment can be held again, a held one approved. A rejection is
 * final, and so is an entry that was followed by another decision.
 */
export async function standing(
  { ofComment }: Pick<Audit, "ofComment">,
  entry: AuditEntry,
): Promise<"hold" | "approve" | undefined> {
  if (entry.act !== "approved" && entry.act !== "held") return undefined;
  const all = await ofComment(entry.commentId);
  const last = all.find(({ act, answer }) => deciding.has(act) && answer === "done");
  return last?.id === entry.id ? back[entry.act] : undefined;
}

const statuses = { hold: "heldForReview", approve: "published" } as const;

/** Undoes an entry of the record where that is still possible. Acts as the channel that the entry is about. */
export const revise = action<{ readonly id: string }>({
  name: "comments.log-revise",
  by: "requester",
  answer: "private",
  row: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list"],
  run: async (ctx, { id }) => {
    const { words, moderation } = ctx;
    const entry = await moderation.audit.entry(id);
    if (entry === undefined) {
      return notice({ tone: "info", title: words.say("comments.log.gone_title") });
    }
    const kind = await standing(moderation.audit, entry);
    if (kind === undefined) {
      return notice({ tone: "info", title: words.say("comments.log.changed_title") });
    }
    // Where its card is still known, the queue decides, so that the card follows.
    const [queued] = await moderation.queue.itemsOf(entry.source, entry.commentId);
    if (queued !== undefined) return inQueue(ctx, queued, kind);
    return moderate(ctx, { ids: [entry.commentId], status: statuses[kind] });
  },
});

async function inQueue(
  ctx: Ctx,
  { watchId, id }: HeldComment,
  kind: "hold" | "approve",
): Promise<Reply> {
  const ref = { watchId, itemId: id };
  const by = actorOf(ctx);
  const [decided] = await ctx.moderation.queue.decide({ items: [ref], kind, by, from: "log" });
  if (decided?.state !== "pending") return notNow(ctx, decided ?? { ref, state: "absent" });
  const { words } = ctx;
  return notice({
    tone: "good",
    title: words.say(`comments.log.pending_${kind}`),
    text: words.say("watch.digest.undo_hint"),
    buttons: [
      { label: words.say("watch.button.undo"), style: "primary", press: undoNote.press(ref) },
    ],
  });
}
