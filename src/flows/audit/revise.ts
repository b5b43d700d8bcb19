import { action, type Ctx, notice, type Reply } from "../../discord/index.ts";
import { itemIdOf } from "../../moderation/index.ts";
import type { AuditEntry, QueueItem } from "../../store/index.ts";
import { moderate } from "../comments/index.ts";
import { actorOf, notNow, undoNote } from "../watching/index.ts";
import { standing } from "./standing.ts";

const statuses = { hold: "heldForReview", approve: "published" } as const;

/** Takes back from the record what can still be taken back. Acts as the channel that the entry is about. */
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
    const kind = standing(await moderation.audit.entries())(entry);
    if (kind === undefined) {
      return notice({ tone: "info", title: words.say("comments.log.changed_title") });
    }
    const queued = await queuedItem(ctx, entry);
    if (queued !== undefined) return inQueue(ctx, queued, kind);
    return moderate(ctx, { ids: [entry.commentId], status: statuses[kind] });
  },
});

/** Where its card is still known, the queue decides, so that the card follows. */
async function queuedItem(
  { moderation }: Ctx<unknown>,
  { commentId, source }: AuditEntry,
): Promise<QueueItem | undefined> {
  const itemId = itemIdOf(commentId);
  for (const watch of await moderation.watches.all()) {
    if (watch.source !== source) continue;
    const item = await moderation.queue.item({ watchId: watch.id, itemId });
    if (item !== undefined) return item;
  }
  return undefined;
}

async function inQueue(
  ctx: Ctx<unknown>,
  { watchId, id }: QueueItem,
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
