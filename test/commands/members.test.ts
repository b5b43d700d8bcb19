import { describe, expect, it } from "vitest";
import { fetchBytes, isEphemeral, textOf } from "../support/stage.ts";
import { expectText, useStage } from "../support/use-stage.ts";

const { stage, moderator, member, units, videoAnswers } = useStage();

const run = async (path: string, options: Readonly<Record<string, string>> = {}) =>
  await moderator.run(path, options);

describe("/members list", () => {
  it("shows moderators who is in, at which level and for how long, in private", async () => {
    const message = await run("members list");

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).toMatch(
      /\[.+\]\(https:\/\/www\.youtube\.com\/channel\/UC[\w-]{22}\)\*\*\n(?:Stagehand|Front Row|Green Room) · .*month.* · joined <t:\d+:R>/u,
    );
  });

  it("is refused to members", async () => {
    const refusal = await member.run("members list");

    expect(textOf(refusal)).toContain("You don’t have permission for this");
  });

  it("goes on page by page", async () => {
    const first = await run("members list");

    const second = await moderator.click(first, "Next");

    expect(textOf(second)).toContain("Page 2");
  });

  it("suggests levels by name and lists from that level up", async () => {
    await moderator.suggest("members list", "level", "green");
    const [level] = await moderator.suggest("members list", "level", "green");

    const message = await run("members list", { level: `${level?.value}` });

    expect(level?.name).toContain("Green Room");
    expect(textOf(message)).toContain("Members of “Green Room” and above");
    expect(textOf(message)).not.toContain("Stagehand");
  });

  it("finds single members by their channels", async () => {
    const { channelId } = stage.sandbox.video.addMember({ name: "Wanda Wells" });

    const message = await run("members list", {
      members: `https://www.youtube.com/channel/${channelId}`,
    });
    const nobody = await run("members list", { members: stage.sandbox.video.ownChannelId });

    expect(textOf(message)).toContain("Wanda Wells");
    expect(textOf(nobody)).toContain("No member matches these filters");
  });

  it("shows later who joined since", async () => {
    const start = await run("members list", { mode: "updates" });
    stage.sandbox.video.addMember({ name: "Newt Novak" });

    const news = await moderator.click(start, "Next");

    expect(textOf(start)).toContain("No one has joined or moved up so far");
    expect(textOf(news)).toContain("Newt Novak");
    expect(textOf(news)).not.toMatch(/^CSV$/mu);
  });

  it("asks once for news, even as a file", async () => {
    const before = units();

    const message = await run("members list", { mode: "updates", output: "csv" });

    expect(textOf(message)).toContain("No one has joined or moved up so far");
    expect(units() - before).toBeLessThanOrEqual(1);
  });

  it("comes whole as a table", async () => {
    const message = await run("members list", { output: "csv" });
    const [file] = message.attachments;
    const csv = (await fetchBytes(file?.url ?? "")).toString();

    expect(isEphemeral(message)).toBe(true);
    expect(csv).toContain("name,channelId,level,months,memberSince");
    expect(csv.trim().split("\n").length).toBeGreaterThan(60);
  });

  it.each([
    ["a video's link", "https://youtu.be/N_JcGn3sP8X"],
    ["words", "all my friends 🎉"],
  ])("refuses %s for a channel before a unit is spent", async (_, members) => {
    const before = units();

    const message = await run("members list", { members });

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).not.toContain("Nothing was changed");
    expect(units()).toBe(before);
  });
});

describe("/members levels", () => {
  it("shows the levels in their order, each with its members", async () => {
    const levels = await run("members levels");

    const members = await moderator.click(levels, "Members");

    expect(textOf(levels)).toMatch(/Stagehand[\s\S]*Front Row[\s\S]*Green Room/u);
    expect(textOf(members)).toContain("Members of “Stagehand” and above");
    expect(isEphemeral(members)).toBe(true);
  });

  it("has a sentence of its own for a channel without memberships", async () => {
    const reason = "channelMembershipsNotEnabled";
    videoAnswers(/\/members/u, { status: 400, reason, times: 1 });

    const message = await run("members list", { output: "raw" });

    expect(textOf(message)).toContain("no memberships");
  });
});

describe("a second language", () => {
  it("is spoken by the command and its list", async () => {
    moderator.speak("de");

    const message = await moderator.run("mitglieder liste");

    expectText(message, /## Mitglieder\n/u, /Monat.* · Beitritt <t:\d+:R>/u);
  });
});
