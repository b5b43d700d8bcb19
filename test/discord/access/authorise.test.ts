import { describe, expect, it } from "vitest";
import { authorise, requireRank, requireServer } from "../../../src/discord/access/authorise.ts";
import { type Rank, ranks } from "../../../src/discord/rank.ts";
import { storeUnavailable } from "../../../src/store/index.ts";

const learnRoles = async () => undefined;
const requester = (rank: Rank, more: object = {}) => ({
  guildId: "1",
  userId: "2",
  rank,
  learnRoles,
  ...more,
});
const code = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return "allowed";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("authorise", () => {
  it("lets nobody in from outside a server", async () => {
    const nobody = (): void => requireServer(undefined);

    expect(await code(nobody)).toBe("only_in_servers");
  });

  it.each(ranks)("lets a %s do what their rank allows and no more", async (rank) => {
    const judge = (wanted: Rank) => code(() => authorise({ rank: wanted }, requester(rank)));
    const verdicts = await Promise.all(ranks.map(judge));
    const own = ranks.indexOf(rank);

    expect(verdicts).toEqual(ranks.map((_, index) => (index <= own ? "allowed" : "rank_too_low")));
  });

  it("takes a moderator to act as a channel of one's choice", async () => {
    const act = (rank: Rank) => code(() => authorise({}, requester(rank), { isActing: true }));

    expect([await act("member"), await act("moderator")]).toEqual(["rank_too_low", "allowed"]);
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
  ] as const)("judges what is by %s and begun by %o: %s", async (by, begun, verdict) => {
    expect(await code(() => authorise({}, requester("owner"), { by, begun }))).toBe(verdict);
  });

  it("asks for the rank where somebody else's things may be used", async () => {
    const verdict = await code(() =>
      authorise({ rank: "owner" }, requester("member"), { by: "anyone", begun: theirs }),
    );

    expect(verdict).toBe("rank_too_low");
  });

  it("says why a role can't be read that might have given the rank", async () => {
    const unsure = requester("member", { rolesUnread: storeUnavailable(new Error("locked")) });

    expect(await code(() => requireRank({ rank: "moderator" }, unsure))).toBe("store_unavailable");
    expect(await code(() => requireRank({ rank: "member" }, unsure))).toBe("allowed");
  });

  it("reads the server's roles only where the known rank is too low", async () => {
    let reads = 0;
    const person = {
      ...requester("member"),
      learnRoles: async () => {
        reads += 1;
        person.rank = "manager";
      },
    };
    const verdicts = [
      await code(() => authorise({ rank: "member" }, person)),
      reads,
      await code(() => authorise({ rank: "manager" }, person, { isActing: true })),
      reads,
      await code(() => authorise({ rank: "owner" }, person)),
    ];

    expect(verdicts).toEqual(["allowed", 0, "allowed", 1, "rank_too_low"]);
  });
});
