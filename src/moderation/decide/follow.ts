import { recordEntry } from "../audit/index.ts";
import { itemIdOf, refOf } from "../ids.ts";
import type { AuditAct, AuditEntry, HeldComment } from "../records/index.ts";
import type { Settled } from "../types.ts";
import { endOf } from "./claim.ts";
import type { DecideDeps } from "./parts.ts";
import { actOf } from "./settle.ts";

const acts = {
  ...actOf,
  replied: "replied",
} as const satisfies Record<Settled["kind"], AuditAct>;

/** What was decided on another way: it goes on record, and queues that hold the comment follow. @throws ServiceError `store_unavailable`. */
export async function follow(deps: DecideDeps, guildId: string, settled: Settled): Promise<void> {
  const { database, records, onRecord } = deps;
  const { commentId, kind, answer, source, authorId } = settled;
  const added = await database.transaction(async () => {
    const at = database.now();
    const entries = await recordEntry(deps, guildId, entryOf(settled, at));
    if (answer !== "done") return entries;
    if (kind === "approve" || kind === "reject" || kind === "ban") {
      await records.authors.add(guildId, authorId, { [endOf[kind]]: 1 });
    }
    const everywhere = await records.comments.everywhere(guildId, itemIdOf(commentId));
    const own = everywhere.filter((one) => one.source === source);
    await records.comments.changeAll(
      guildId,
      own.map((one) => ({
        ref: refOf(one),
        make: (item) => following(deps, item, { guildId, settled, at }),
      })),
    );
    return entries;
  });
  for (const entry of added) onRecord?.(entry);
}

function following(
  { counts }: DecideDeps,
  item: HeldComment,
  {
    guildId,
    settled: { commentId, kind, by, from },
    at,
  }: { readonly guildId: string; readonly settled: Settled; readonly at: number },
): HeldComment {
  if (kind === "replied") return { ...item, replied: { by, at } };
  // The one that is on its way tells in a moment how it went.
  if (item.status === "sending") return item;
  const { later: _, failure: __, undone: ___, ...rest } = item;
  const decision = { kind, by, from, at, dueAt: at };
  const decisions = counts.known({ guildId, commentId });
  return {
    ...rest,
    ...{ status: endOf[kind], decision, endedAt: at },
    ...(decisions && { decisions }),
  };
}

function entryOf(settled: Settled, at: number): Omit<AuditEntry, "id"> {
  const { commentId, kind, by, from, answer, source } = settled;
  const { videoId, authorId, authorName, text } = settled;
  return {
    ...{ at, by, from, answer, source, commentId },
    act: answer === "done" ? acts[kind] : "failed",
    ...(videoId !== undefined && { videoId }),
    ...(authorId !== undefined && { authorId }),
    ...(authorName !== undefined && { authorName }),
    ...(text !== undefined && { text }),
  };
}
