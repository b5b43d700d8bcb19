import { describe, expect, it } from "vitest";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Deployment } from "../support/deployments.ts";
import { textOf } from "../support/stage.ts";
import { type Options, useStage } from "../support/use-stage.ts";

/** One process on SQLite, which serves no more, and two on PostgreSQL. */
const deployments = kinds.map(({ name, make }) => ({
  name,
  isThere: make !== undefined,
  deployment: {
    ...{ name, transport: "gateway" as const, processes: name === "SQLite" ? 1 : 2 },
    database: name as Deployment["database"],
  },
}));

const { people } = createSampleGuild();
const [moderatorRole, memberRole] = [people.moderator.role.id, people.member.role.id];

/** Two people change parts of the same setting at the same time. Each change has to be there afterwards. */
describe.each(deployments)("two changes at once on $name", ({ isThere, deployment }) => {
  describe.skipIf(!isThere)("", () => {
    const { owner, channelCalled } = useStage({ deployment });
    const both = (path: string, ...changes: readonly Options[]) =>
      Promise.all(changes.map((change) => owner.run(path, change)));

    it.each(["first", "second", "third"])("keep a role taken away, the %s time", async () => {
      await owner.run("connect roles", { role: moderatorRole, rank: "manager" });

      await both(
        "connect roles",
        { role: moderatorRole, rank: "none" },
        { role: memberRole, rank: "moderator" },
      );

      const shown = textOf(await owner.run("connect roles"));
      expect(shown).not.toContain(moderatorRole);
      expect(shown).toContain(`**Moderator:** <@&${memberRole}>`);
      await owner.run("connect roles", { role: memberRole, rank: "none" });
    });

    it("change two amounts of one rank", async () => {
      await both(
        "connect budget",
        { rank: "member", units: 111 },
        { rank: "member", searches: 7 },
        { rank: "moderator", units: 222 },
      );

      const shown = textOf(await owner.run("connect budget"));
      expect(shown).toContain("Member: 111 units and 7 searches");
      expect(shown).toContain("Moderator: 222 units");
    });

    it("change two amounts of one person, and of two", async () => {
      const [one, other] = [people.member.user.id, people.moderator.user.id];

      await both(
        "connect budget",
        { person: one, units: 111 },
        { person: one, searches: 7 },
        { person: other, units: 222 },
      );

      const shown = textOf(await owner.run("connect budget"));
      expect(shown).toContain(`<@${one}>: 111 units and 7 searches`);
      expect(shown).toContain(`<@${other}>: 222 units`);
    });

    it("change two parts of the project's quota, and the reserve", async () => {
      await both(
        "connect budget",
        { "daily-units": 5_000 },
        { "daily-searches": 50 },
        { reserve: 40 },
      );

      const shown = textOf(await owner.run("connect budget"));
      expect(shown).toMatch(/5,000 units, 50 searches/u);
      expect(shown).toContain("40%");
    });

    it("change the channel and the day of the weekly summary", async () => {
      const [here, there] = [channelCalled("moderators"), channelCalled("greenroom")];
      await owner.run("watch summary", { channel: here, day: "monday" });

      await both("watch summary", { channel: there }, { day: "friday" });

      const shown = textOf(await owner.run("watch summary"));
      expect(shown).toContain(`In <#${there}>, every Friday`);
    });

    it("change the country, the time zone and the channel for notices", async () => {
      await Promise.all([
        owner.run("connect region", { region: "DE" }),
        owner.run("connect region", { "time-zone": "Europe/Berlin" }),
        owner.run("connect notices", { channel: channelCalled("moderators") }),
      ]);

      const shown = textOf(await owner.run("connect region"));
      expect(shown).toContain("Germany");
      expect(shown).toContain("Europe/Berlin");
      expect(textOf(await owner.run("connect notices"))).toContain(channelCalled("moderators"));
    });
  });
});
