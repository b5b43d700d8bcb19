import type { AuditAct, QueueItem } from "../../store/index.ts";
import type { Happened } from "../audit/index.ts";
import { itemIdOf } from "../items.ts";
import type { Settled } from "../types.ts";
import { endOf } from "./claim.ts";
import type { DecideParts } from "./parts.ts";
import { actOf } from "./settle.ts";

const acts = {
  ...actOf,
  replied: "replied",
} as const satisfies Record<Settled["kind"], AuditAct>;

/** What was decided on another way: it goes on record, and queues that hold the comment follow. @throws ServiceError `store_unavailable`. */
export async function follow(
  parts: DecideParts,
  guildId: string,
  settled: Settled,
): Promise<readonly QueueItem[]> {
  const { audit, authors, clock, counts, items, watches } = parts;
  const { commentId, kind, by, from, answer, source } = settled;
  const at = clock.now();
  const itemId = itemIdOf(commentId);
  await audit.write(guildId, happened(settled, at));
  if (answer !== "done") return [];
  if (kind === "approve" || kind === "reject" || kind === "ban") {
    await authors.decided(guildId, settled.authorId, endOf[kind]);
  }
  const followed: QueueItem[] = [];
  for (const watchId of await watches.watching(guildId, source)) {
    const changed = await items.change(guildId, { watchId, itemId }, (item) => {
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
    });
    if (changed?.isChanged) followed.push(changed.item);
  }
  return followed;
}

function happened(settled: Settled, at: number): Happened {
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
