import { describe, expect, it } from "vitest";
import { standing } from "../../../src/flows/audit/standing.ts";
import type { AuditEntry } from "../../../src/store/index.ts";

let at = 0;

function entry(act: AuditEntry["act"], given: Partial<AuditEntry> = {}): AuditEntry {
  at += 1;
  return {
    ...{ id: `${`${at}`.padStart(13, "0")}-00000000`, at, act, from: "card", answer: "done" },
    ...{ by: { userId: "1", userName: "robin" }, source: "UCx", commentId: "Ug1" },
    ...given,
  };
}

describe("standing", () => {
  it("lets what was approved be held again, and what is held be approved", () => {
    const approved = entry("approved");
    const held = entry("held", { commentId: "Ug2" });
    const back = standing([held, approved]);

    expect(back(approved)).toBe("hold");
    expect(back(held)).toBe("approve");
  });

  it.each(["rejected", "banned", "replied", "undone", "later", "failed"] as const)(
    "takes nothing back of what is %s",
    (act) => {
      const one = entry(act);

      expect(standing([one])(one)).toBeUndefined();
    },
  );

  it("takes nothing back that somebody has decided about since", () => {
    const before = entry("approved");
    const after = entry("rejected");

    expect(standing([after, before])(before)).toBeUndefined();
  });

  it("passes over what came to nothing", () => {
    const before = entry("approved");
    const failed = entry("failed", { answer: "quota_exceeded" });

    expect(standing([failed, before])(before)).toBe("hold");
  });
});
