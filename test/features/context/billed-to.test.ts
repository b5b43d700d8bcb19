import { describe, expect, it } from "vitest";
import { billedToFor } from "../../../src/features/context/spending.ts";

const billedTo = { guildId: "1", userId: "2", command: "comments held" };
const who = { ...billedTo, rank: "moderator", settings: {} } as const;

describe("billedToFor", () => {
  it("lets moderation spend what is kept for it, whether it decides or reads what to decide", () => {
    const deciding = billedToFor({ ...who, method: "comments.setModerationStatus" });
    const reading = billedToFor({
      ...who,
      uses: ["commentThreads.list", "comments.setModerationStatus"],
    });

    expect(deciding.purpose).toBe("moderation");
    expect(reading.purpose).toBe("moderation");
  });

  it("keeps it from everything else", () => {
    const { limits: _, ...others } = billedToFor({ ...who, method: "commentThreads.list" });

    expect(others).toEqual(billedTo);
  });
});
