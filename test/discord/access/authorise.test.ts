import { describe, expect, it } from "vitest";
import { authorise, requireRank } from "../../../src/discord/access/authorise.ts";
import { type Rank, ranks } from "../../../src/discord/rank.ts";

const asker = (rank: Rank, more: object = {}) => ({ guildId: "1", userId: "2", rank, ...more });
const code = (work: () => void): string => {
  try {
    work();
    return "allowed";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("authorise", () => {
  it("lets nobody in from outside a server", () => {
    expect(code(() => authorise({}, undefined))).toBe("only_in_servers");
  });

  it.each(ranks)("lets a %s do what their rank allows and no more", (rank) => {
    const verdicts = ranks.map((wanted) => code(() => authorise({ rank: wanted }, asker(rank))));
    const own = ranks.indexOf(rank);

    expect(verdicts).toEqual(ranks.map((_, index) => (index <= own ? "allowed" : "rank_too_low")));
  });

  it("takes a moderator to act as a channel of one's choice", () => {
    const act = (rank: Rank) => code(() => authorise({}, asker(rank), { isActing: true }));

    expect([act("member"), act("moderator")]).toEqual(["rank_too_low", "allowed"]);
  });

  const theirs = { guildId: "1", userId: "3" };
  const own = { guildId: "1", userId: "2" };

  it.each([
    ["requester", theirs, "not_yours"],
    ["requester", own, "allowed"],
    ["anyone", theirs, "allowed"],
    ["each", theirs, "allowed"],
    ["anyone", { ...theirs, isPrivate: true }, "not_yours"],
    ["each", { ...theirs, isPrivate: true }, "not_yours"],
    ["each", { ...own, isPrivate: true }, "allowed"],
    ["anyone", { guildId: "9", userId: "2" }, "too_old"],
    ["requester", { guildId: "9", userId: "2" }, "too_old"],
  ] as const)("judges what is by %s and begun by %o: %s", (by, begun, verdict) => {
    expect(code(() => authorise({}, asker("owner"), { by, begun }))).toBe(verdict);
  });

  it("asks for the rank where somebody else's things may be used", () => {
    const verdict = code(() =>
      authorise({ rank: "owner" }, asker("member"), { by: "anyone", begun: theirs }),
    );

    expect(verdict).toBe("rank_too_low");
  });

  it("says that the store can't be read where a role might have given the rank", () => {
    const unsure = asker("member", { rolesUnread: new Error("locked") });

    expect(code(() => requireRank({ rank: "moderator" }, unsure))).toBe("store_unavailable");
    expect(code(() => requireRank({ rank: "member" }, unsure))).toBe("allowed");
  });
});
