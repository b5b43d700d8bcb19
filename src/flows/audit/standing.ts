import type { AuditAct, AuditEntry } from "../../store/index.ts";

/** What changes how a comment stands. */
const deciding: ReadonlySet<AuditAct> = new Set(["approved", "rejected", "banned", "held"]);

const back = { approved: "hold", held: "approve" } as const;

/**
 * By which decision an entry is taken back: what was approved can be held again, what is held approved; a rejection is
 * final, and so is what somebody has decided about since.
 */
export function standing(
  all: readonly AuditEntry[],
): (entry: AuditEntry) => "hold" | "approve" | undefined {
  const last = new Map<string, AuditEntry>();
  for (const entry of all) {
    if (!deciding.has(entry.act) || entry.answer !== "done") continue;
    const known = last.get(entry.commentId);
    if (known === undefined || known.id < entry.id) last.set(entry.commentId, entry);
  }
  return (entry) => {
    if (entry.act !== "approved" && entry.act !== "held") return undefined;
    return last.get(entry.commentId)?.id === entry.id ? back[entry.act] : undefined;
  };
}
