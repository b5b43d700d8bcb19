import { describe, expect, it } from "vitest";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Deployment } from "../support/deployments.ts";
import { textOf } from "../support/stage.ts";
import { type Options, useStage } from "../support/use-stage.ts";

/** One process on SQLite, which allows only one, and two on PostgreSQL. */
const deployments = kinds.map(({ name, make }) => ({
  name,
  isThere: make !== undefined,
  deployment: {
    name,
    transport: "gateway" as const,
    processes: name === "SQLite" ? 1 : 2,
    database: name as Deployment["database"],
  },
}));

const { people } = createSampleGuild();
const [moderatorRole, memberRole] = [people.moderator.role.id, people.member.role.id];

/** Two people change parts of the same setting at the same time. Both changes must be stored afterwards. */
describe.each(deployments)("two changes at once on $name", ({ isThere, deployment }) => {
  describe.skipIf(!isThere)("", () => {
    const { stage, owner, moderator, channelCalled } = useStage({ deployment });
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
      expect(shown).toMatch(new RegExp(`Moderator:.*<@&${memberRole}>`, "u"));
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
      expect(shown).toContain("Member: 111 units, 7 searches, and 3 credits");
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
      const [here, there] = [channelCalled("greenroom"), channelCalled("moderators")];
      const question = await owner.run("watch summary", { channel: here, day: "monday" });
      await owner.click(question, "Continue anyway");

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

    it("change the check interval, the ping and the quiet hours of a watch", async () => {
      await owner.run("watch channel", { channel: channelCalled("moderators") });
      await owner.run("watch ping", { role: moderatorRole });

      await Promise.all([
        owner.run("watch pace", { pace: "5 min" }),
        owner.run("watch ping", { gap: "30 min" }),
        owner.run("watch ping", { quiet: "22:00-07:00" }),
        owner.run("watch channel", { channel: channelCalled("moderators"), digest: 12 }),
      ]);

      const ping = textOf(await owner.run("watch ping"));
      const watch = textOf(
        await owner.run("watch channel", { channel: channelCalled("moderators") }),
      );
      expect(ping).toContain("30 minutes");
      expect(ping).toContain("22:00");
      expect(watch).toContain("about every 5 minutes");
      expect(watch).toContain("12 or more");
    });

    it("change the exemptions, the log and the daily limit of rules", async () => {
      const [removed = "", ...added] = [...stage.sandbox.video.channels.keys()].slice(0, 3);
      await owner.run("rules exempt", { add: removed });

      await Promise.all([
        ...added.map((add) => owner.run("rules exempt", { add })),
        owner.run("rules exempt", { remove: removed }),
        owner.run("rules exempt", { members: true }),
        owner.run("rules log", { channel: channelCalled("moderators") }),
        owner.run("rules log", { per_day: 7 }),
      ]);

      const exempt = textOf(await owner.run("rules exempt"));
      const log = textOf(await owner.run("rules log"));
      for (const id of added) expect(exempt).toContain(id);
      expect(exempt).not.toContain(removed);
      expect(exempt).toContain("Its paying members");
      expect(log).toContain(channelCalled("moderators"));
      expect(log).toMatch(/\b7\b/u);
    });

    it("change the places of an announced channel", async () => {
      const { channels, ownChannelId } = stage.sandbox.video;
      const channel = [...channels.values()].find(({ id }) => id !== ownChannelId);
      const [here, there] = [channelCalled("greenroom"), channelCalled("moderators")];
      await owner.run("announce add", { channel: channel?.handle ?? "", uploads: here });

      await both(
        "announce change",
        { kind: "upload", role: memberRole },
        { kind: "upload", template: "Look at this" },
        { kind: "live", channel: there },
      );
      const all = textOf(await owner.run("announce list"));
      await both(
        "announce change",
        { kind: "upload", clear: "place" },
        { kind: "short", channel: there },
      );

      expect(all).toContain(memberRole);
      expect(all).toContain("Look at this");
      expect(all).toMatch(new RegExp(`Live streams: .*<#${there}>`, "u"));
      const left = textOf(await owner.run("announce list"));
      expect(left).toMatch(new RegExp(`Live streams: .*<#${there}>[^]*Shorts: .*<#${there}>`, "u"));
      expect(left).not.toContain("Look at this");
    });

    it("change the name and the text of a saved reply", async () => {
      const none = await owner.run("watch replies");
      const form = await owner.clickForm(none, "Add");
      await owner.submit(form, { name: "Thanks", text: "Thank you" });
      const forms = await Promise.all(
        [owner, moderator].map(async (person) => {
          const shown = await person.choose(await person.run("watch replies"), ["Thanks"]);
          return person.clickForm(shown, "Edit");
        }),
      );

      const [one, other] = forms;
      await Promise.all([
        one && owner.submit(one, { name: "Greetings" }),
        other && moderator.submit(other, { text: "Hello" }),
      ]);

      expect(textOf(await owner.run("watch replies"))).toContain("Greetings**: Hello");
    });
  });
});
