import { describe, expect, it } from "vitest";
import { spenderOf } from "../../../src/discord/access/spender.ts";

const spender = { guildId: "1", userId: "2", command: "comments held" };
const who = { ...spender, rank: "moderator", settings: {} } as const;

describe("spenderOf", () => {
  it("lets moderation spend what is kept for it, whether it decides or reads what to decide", () => {
    const deciding = spenderOf({ ...who, row: "comments.setModerationStatus" });
    const reading = spenderOf({
      ...who,
      uses: ["commentThreads.list", "comments.setModerationStatus"],
    });

    expect(deciding.purpose).toBe("moderation");
    expect(reading.purpose).toBe("moderation");
  });

  it("keeps it from everything else", () => {
    const { purse: _, ...others } = spenderOf({ ...who, row: "commentThreads.list" });

    expect(others).toEqual(spender);
  });
});
