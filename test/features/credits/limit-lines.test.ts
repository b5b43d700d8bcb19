import { describe, expect, it } from "vitest";
import { formatted } from "../../../src/discord/draw/text.ts";
import { credits } from "../../../src/features/credits/index.ts";
import { locales } from "../../../src/language/index.ts";
import { words } from "../../support/words.ts";

const [, limitsEvent] = credits.notifications;
const facts = { guildId: "1", limits: { member: 3, moderator: 10, manager: null } };

describe("the notice that credits are limited", () => {
  it("names each level with its limit, and where it is changed", async () => {
    const notice = await limitsEvent.run({ words: words() } as never, facts);

    if (notice.kind !== "notice") throw new TypeError(notice.kind);
    expect(notice.title).toBe("Background removal credits have a daily limit");
    expect(formatted(notice.text ?? "").split("\n")).toEqual([
      "So that nobody can use up your credits, each person may spend at most this much a day:",
      "Member: 3 credits",
      "Moderator: 10 credits",
      "Manager: no limit",
      expect.stringContaining("/connect budget"),
    ]);
  });

  it.each(locales)("is written in %s", async (locale) => {
    const notice = await limitsEvent.run({ words: words(locale) } as never, facts);

    if (notice.kind !== "notice") throw new TypeError(notice.kind);
    expect(formatted(notice.text ?? "")).toContain("10");
  });
});
