import { describe, expect, it } from "vitest";
import { standing } from "../../../src/flows/audit/revise.ts";
import type { AuditEntry } from "../../../src/moderation/index.ts";

let at = 0;

function entry(act: AuditEntry["act"], given: Partial<AuditEntry> = {}): AuditEntry {
  at += 1;
  return {
    ...{ id: `${`${at}`.padStart(13, "0")}-00000000`, at, act, from: "card", answer: "done" },
    ...{ by: { userId: "1", userName: "robin" }, source: "UCx", commentId: "Ug1" },
    ...given,
  };
}

/** A log in which this happened, the newest first. */
const logOf = (entries: readonly AuditEntry[]) => ({
  ofComment: async (id: string) => entries.filter(({ commentId }) => commentId === id),
});

describe("standing", () => {
  it("lets what was approved be held again, and what is held be approved", async () => {
    const approved = entry("approved");
    const held = entry("held", { commentId: "Ug2" });
    const log = logOf([held, approved]);

    expect(await standing(log, approved)).toBe("hold");
    expect(await standing(log, held)).toBe("approve");
  });

  it.each(["rejected", "banned", "replied", "undone", "later", "failed"] as const)(
    "takes nothing back of what is %s",
    async (act) => {
      const one = entry(act);

      expect(await standing(logOf([one]), one)).toBeUndefined();
    },
  );

  it("takes nothing back that somebody has decided about since", async () => {
    const before = entry("approved");
    const after = entry("rejected");

    expect(await standing(logOf([after, before]), before)).toBeUndefined();
  });

  it("passes over what came to nothing", async () => {
    const before = entry("approved");
    const failed = entry("failed", { answer: "quota_exceeded" });

    expect(await standing(logOf([failed, before]), before)).toBe("hold");
  });
});
