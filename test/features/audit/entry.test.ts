import { describe, expect, it } from "vitest";
import { possibleUndo } from "../../../src/features/audit/entry.ts";
import type { AuditEntry } from "../../../src/moderation/index.ts";

let at = 0;

function entry(act: AuditEntry["act"], given: Partial<AuditEntry> = {}): AuditEntry {
  at += 1;
  return {
    id: `${`${at}`.padStart(13, "0")}-00000000`,
    at,
    act,
    from: "card",
    answer: "done",
    by: { userId: "1", userName: "robin" },
    source: "UCx",
    commentId: "Ug1",
    ...given,
  };
}

/** A log with these entries, the newest first. */
const logOf = (entries: readonly AuditEntry[]) => ({
  ofComment: async (id: string) => entries.filter(({ commentId }) => commentId === id),
});

describe("standing", () => {
  it("lets an approved comment be held again, and a held one be approved", async () => {
    const approved = entry("approved");
    const held = entry("held", { commentId: "Ug2" });
    const log = logOf([held, approved]);

    expect(await possibleUndo(log, approved)).toBe("hold");
    expect(await possibleUndo(log, held)).toBe("approve");
  });

  it.each(["rejected", "banned", "replied", "undone", "later", "failed"] as const)(
    "offers no undo for what is %s",
    async (act) => {
      const one = entry(act);

      expect(await possibleUndo(logOf([one]), one)).toBeUndefined();
    },
  );

  it("offers no undo if somebody has decided since", async () => {
    const before = entry("approved");
    const after = entry("rejected");

    expect(await possibleUndo(logOf([after, before]), before)).toBeUndefined();
  });

  it("ignores decisions that failed", async () => {
    const before = entry("approved");
    const failed = entry("failed", { answer: "quota_exceeded" });

    expect(await possibleUndo(logOf([failed, before]), before)).toBe("hold");
  });
});
