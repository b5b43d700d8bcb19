import type { Audit, AuditAct, AuditEntry } from "../../moderation/index.ts";

/** What changes how a comment stands. */
const deciding: ReadonlySet<AuditAct> = new Set(["approved", "rejected", "banned", "held"]);

const back = { approved: "hold", held: "approve" } as const;

/**
 * By which decision an entry is taken back: what was approved can be held again, what is held approved; a rejection is
 * final, and so is what somebody has decided about since.
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
