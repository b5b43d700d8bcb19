import { describe, expect, it } from "vitest";
import { samplePermissions } from "../../src/sandbox/platform/permissions.ts";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import type { ChannelChanges } from "../../src/sandbox/platform/state.ts";
import type { Person } from "../../src/sandbox/types.ts";
import { isEphemeral, textOf } from "../support/stage.ts";
import { buttonsOf, expectText, useStage } from "../support/use-stage.ts";
import { watchInPublic } from "../support/watch-in-public.ts";

const manageChannels = 1n << 4n;

const { stage, owner, moderator, member, channelCalled, until, units } = useStage();

describe("a channel that everyone can read", () => {
  const options = () => ({ channel: channelCalled("greenroom"), states: "published", digest: 90 });
  const cardsIn = (name: string) =>
    owner.messages(name).filter((m) => !isEphemeral(m) && m.interaction_metadata === undefined);
  const sees = (person: Person) => {
    try {
      return person.in("held-comments") !== undefined;
    } catch {
      return false;
    }
  };
  const { overwrites } = createSampleGuild().channels.reduce(
    (found, { name, permission_overwrites }) =>
      name === "moderators" ? { overwrites: permission_overwrites ?? [] } : found,
    { overwrites: [] as NonNullable<ChannelChanges["permission_overwrites"]> },
  );
  const openToEveryone = (isOpen: boolean) =>
    stage.sandbox.platform.changeChannel("moderators", {
      permission_overwrites: isOpen ? [] : overwrites,
    });

  it("is asked about before anything is posted, stored or paid for", async () => {
    const before = { units: units(), cards: cardsIn("greenroom").length };

    const question = await owner.run("watch channel", options());

    expect(question.embeds[0]?.title).toBe("Everyone can read #greenroom");
    expectText(
      question,
      "from **Greenroom Studio**: all new comments – full texts and authors’ names",
      "what moderators decide, and who decided",
      "Nothing is posted or saved until you answer",
    );
    expect(buttonsOf(question)).toEqual(
      expect.arrayContaining(["#moderators", "#review-forum", "Continue anyway", "Cancel"]),
    );
    expect(textOf(await owner.run("watch status"))).toContain("No watches yet");
    expect({ units: units(), cards: cardsIn("greenroom").length }).toEqual(before);
  });

  it("stays without a watch when that is cancelled", async () => {
    await owner.click(await owner.run("watch channel", options()), "Cancel");

    expect(textOf(await owner.run("watch status"))).toContain("No watches yet");
  });

  it("is left for the private channel that is chosen instead", async () => {
    const question = await owner.run("watch channel", options());

    const set = await owner.choose(question, [channelCalled("moderators")]);
    const status = await owner.run("watch status");
    await owner.click(await owner.run("watch stop"), "End the watch");

    expectText(set, "Now watching", `<#${channelCalled("moderators")}>: all new comments`, "90 or");
    expect(textOf(status)).not.toContain("Everyone");
  });

  it("is left for one that is created, which moderators see and others don't", async () => {
    stage.sandbox.platform.setBotPermissions(samplePermissions.bot | manageChannels);

    const question = await owner.run("watch channel", options());
    const set = await owner.click(question, "Create a private channel");
    const seen = [owner, moderator, member].map((who) => sees(who.person()));
    await owner.click(await owner.run("watch stop"), "End the watch");
    stage.sandbox.platform.setBotPermissions(samplePermissions.bot);

    expect(textOf(set)).toContain("Now watching");
    expect(seen).toEqual([true, true, false]);
  });

  it("is left for one that is created once, however often the button is pressed", async () => {
    const { platform } = stage.sandbox;
    platform.setBotPermissions(samplePermissions.bot | manageChannels);
    const channel = channelCalled("greenroom");
    const settings = ["watch channel", "watch summary", "rules log", "connect notices"] as const;
    const created = () =>
      stage.exchanges.filter(
        ({ method, path }) => method === "POST" && /guilds\/\d+\/channels$/u.test(path),
      ).length;

    for (const path of settings) {
      const question = await owner.run(path, { channel });
      const before = created();
      const press = () => owner.person().click(question, "Create a private channel");
      const pressed = await Promise.allSettled([press(), press(), press()]);

      expect(pressed.map(({ status }) => status)).toContain("fulfilled");
      expect(created() - before, path).toBe(1);
    }
    const status = await owner.run("watch status");
    await owner.click(await owner.run("watch stop"), "End the watch");
    await owner.click(await owner.run("watch summary"), "Turn off");
    platform.setBotPermissions(samplePermissions.bot);

    expectText(status, "Watch status");
  });

  it("is asked about when Discord does not tell who reads it", async () => {
    stage.sandbox.platform.faults.add({
      kind: "answer",
      path: /guilds\/\d+\/channels$/u,
      status: 403,
    });

    const question = await owner.run("watch channel", { channel: channelCalled("moderators") });

    expect(question.embeds[0]?.title).toBe("Can everyone read #moderators?");
    expect(textOf(await owner.run("watch status"))).toContain("No watches yet");
  });

  it("is not asked about when Discord tells on a second try", async () => {
    const path = /guilds\/\d+(\/channels)?$/u;
    stage.sandbox.platform.faults.add({ kind: "answer", path, status: 502, times: 1 });
    stage.sandbox.platform.faults.add({ kind: "cut-before", path, times: 1 });

    const set = await owner.run("watch channel", { channel: channelCalled("moderators") });
    await owner.click(await owner.run("watch stop"), "End the watch");

    expect(textOf(set)).toContain("Now watching");
  });

  it("is asked about again when its watch is to show more than was agreed to", async () => {
    const channel = channelCalled("greenroom");
    await watchInPublic(owner.person(), options());

    const less = await owner.run("watch channel", { channel, digest: 80 });
    const more = await owner.run("watch channel", { channel, states: "waiting" });
    const kept = await owner.run("watch status");
    await owner.click(await owner.run("watch stop"), "End the watch");

    expectText(less, "Watch changed", "80 or more");
    expect(more.embeds[0]?.title).toBe("Everyone can read #greenroom");
    expectText(more, "held comments and likely spam");
    expectText(kept, "all new comments");
  });

  it("keeps cards, samples and summaries back when it was private before", async () => {
    const place = channelCalled("moderators");
    await owner.run("watch channel", { channel: place, states: "heldForReview", digest: 20 });
    await until(() => cardsIn("moderators").find((m) => textOf(m).includes("new comments")));
    openToEveryone(true);
    stage.sandbox.time.pass(2_000);

    stage.sandbox.video.addComment({ text: "Nobody else reads this", status: "heldForReview" });
    await owner.run("watch resume");
    const lost = await until(() =>
      owner
        .person()
        .directMessages()
        .find((m) => textOf(m).includes("Held comments are not posted")),
    );
    const sample = await owner.run("watch test");
    const status = await owner.run("watch status");
    const question = await owner.click(status, "Choose where to post");
    const isLeaked = cardsIn("moderators").some((m) => textOf(m).includes("Nobody else reads"));
    openToEveryone(false);
    await owner.run("watch resume");
    await until(() => cardsIn("moderators").find((m) => textOf(m).includes("Nobody else reads")));
    await owner.click(await owner.run("watch stop"), "End the watch");

    expect(textOf(lost)).toContain("Everyone in the server can read");
    expectText(sample, "Everyone can read #moderators");
    expectText(status, "Everyone can read this channel");
    expectText(
      question,
      "Everyone can read #moderators",
      "from **Greenroom Studio**: held comments",
    );
    expect(isLeaked).toBe(false);
  });

  it("gets no report of what rules did when it was private before: that goes where the cards are", async () => {
    const rule = { kind: "words", name: "Lamps", does: "reject", what: "zzlamp" };
    await owner.run("rules log", { channel: channelCalled("moderators") });
    await owner.click(await owner.run("rules add", rule), "Switch on");
    openToEveryone(true);
    stage.sandbox.time.pass(2_000);
    stage.sandbox.video.addComment({ text: "zzlamp for free", status: "heldForReview" });
    await watchInPublic(owner.person(), { channel: channelCalled("greenroom") });

    const report = await until(() =>
      cardsIn("greenroom").find(
        (m) => /A rule acted/u.test(textOf(m)) && /zzlamp/u.test(textOf(m)),
      ),
    );
    const isLeaked = cardsIn("moderators").some((m) => textOf(m).includes("zzlamp"));
    openToEveryone(false);
    await owner.click(await owner.run("watch stop"), "End the watch");
    await owner.click(await owner.run("rules remove", { rule: "Lamps" }), "Remove");

    expect(textOf(report)).toContain("“Lamps”");
    expect(isLeaked).toBe(false);
  });

  it("gets no weekly summary when it was private before: the owner does", async () => {
    const channel = channelCalled("moderators");
    const summaries = () =>
      cardsIn("moderators").filter((m) => textOf(m).includes("Moderation this week"));
    await owner.run("watch summary", { channel });
    openToEveryone(true);
    stage.sandbox.time.pass(8 * 24 * 3_600_000);

    const sent = await until(() =>
      owner
        .person()
        .directMessages()
        .find((m) => textOf(m).includes("Moderation this week")),
    );
    const shown = await owner.run("watch summary");
    const isLeaked = summaries().length > 0;
    const question = await owner.run("watch summary", { channel });
    await owner.click(question, "Continue anyway");
    await owner.run("watch summary", { day: "sunday" });
    stage.sandbox.time.pass(8 * 24 * 3_600_000);
    await until(() => summaries()[0]);
    const agreed = await owner.run("watch summary");
    openToEveryone(false);

    expectText(sent, `Everyone in the server can read <#${channel}>, so this isn’t posted there`);
    expectText(shown, `can read <#${channel}>, so this isn’t posted there`);
    expect(isLeaked).toBe(false);
    expect(textOf(agreed)).toContain(`Everyone in this server can read <#${channel}>.`);
  });

  it("is asked about for the weekly summary, the rules’ log and notices", async () => {
    const channel = channelCalled("greenroom");
    const settings = ["watch summary", "rules log", "connect notices"] as const;

    for (const path of settings) {
      const question = await owner.run(path, { channel });
      const isShown = textOf(await owner.run(path)).includes(`<#${channel}>`);
      const set = await owner.choose(question, [channelCalled("moderators")]);

      expect(question.embeds[0]?.title).toBe("Everyone can read #greenroom");
      expect(buttonsOf(question)).not.toContain("#review-forum");
      expect(isShown).toBe(false);
      expect(textOf(set)).toContain(`<#${channelCalled("moderators")}>`);
    }
    await owner.click(await owner.run("watch summary"), "Turn off");
  });
});
