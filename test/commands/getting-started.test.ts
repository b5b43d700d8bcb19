import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asForm, asMessage, isEphemeral, openStage, type Stage, textOf } from "../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  expect(await stage.violations()).toEqual([]);
  await stage.close();
});

type Who = "owner" | "moderator" | "member";
const person = (who: Who) => stage.sandbox.user(who);
const run = async (who: Who, path: string, options: Readonly<Record<string, string>> = {}) =>
  asMessage(await person(who).command(path, options));
const labels = (message: object) =>
  [...JSON.stringify(message).matchAll(/"label":"([^"]+)"/gu)].map(([, label]) => label);

describe("/start", () => {
  it("says what is connected, and offers what the person may do next", async () => {
    const owner = await run("owner", "start");
    const moderator = await run("moderator", "start");
    const member = await run("member", "start");

    expect([owner, moderator, member].every(isEphemeral)).toBe(true);
    expect(textOf(owner)).toContain("🟢 **Your YouTube channel** · connected");
    expect(textOf(owner)).toContain("🔴 **Comment review** · not set up: /watch channel");
    expect(textOf(member)).not.toContain("Comment review");
    expect(labels(owner)).toEqual(["Watch comments here", "Review comments", "Try a photo"]);
    expect(labels(moderator)).toEqual(["Review comments", "Try a photo"]);
    expect(labels(member)).toEqual(["Try a photo"]);
  });

  it("leads to the comments that wait, and to the form for photos", async () => {
    const start = await run("moderator", "start");
    const held = asMessage(await person("moderator").click(start, "Review comments"));
    const form = asForm(await person("moderator").click(start, "Try a photo"));

    expect(textOf(held)).toContain("Held comments");
    expect(JSON.stringify(form)).toContain("pictures");
  });

  it("lets owners connect what is missing, and tells the others whom to ask", async () => {
    const asked = await run("owner", "connect disconnect", { what: "video-key" });
    await person("owner").click(asked, "Disconnect");
    const owner = await run("owner", "start");
    const member = await run("member", "start");
    const form = asForm(await person("owner").click(owner, "Connect YouTube"));
    await person("owner").submit(form, { key: stage.sandbox.video.key });
    const after = await run("owner", "start");

    expect(textOf(owner)).toContain("🔴 **YouTube API key** · not connected");
    expect(textOf(member)).toContain("Someone with the Manage Server permission can connect");
    expect(labels(member)).not.toContain("Connect YouTube");
    expect(textOf(after)).toContain("🟢 **YouTube API key** · connected");
  });
});

describe("the dashboard", () => {
  it("has a light for each part, and a button for each gap that the person may close", async () => {
    const owner = await run("owner", "connect status");
    const moderator = await run("moderator", "connect status");

    expect(textOf(owner)).toContain("🔴 **Comment review** · not set up");
    expect(textOf(owner)).toContain(
      "🟡 **Notices** · problems are only sent to the server’s owner",
    );
    expect(labels(owner)).toEqual(["Watch comments here", "Set time zone", "Post notices here"]);
    expect(labels(moderator)).toEqual([]);
  });

  it("closes its gaps in the channel where it is pressed", async () => {
    const gaps = await run("owner", "connect status");
    const question = asMessage(await person("owner").click(gaps, "Watch comments here"));
    const watching = asMessage(await person("owner").click(question, "Watch comments here"));
    const saved = asMessage(await person("owner").click(gaps, "Post notices here"));
    const after = textOf(await run("owner", "connect status"));

    const here = `<#${stage.sandbox.platform.channelId}>`;
    expect(textOf(question)).toContain(`Everyone who can read ${here} will see them`);
    expect(textOf(watching)).toContain("Now watching for held comments");
    expect(textOf(saved)).toContain(here);
    expect(after).toContain("🟢 **Comment review** · 1 watch is running");
    expect(after).toContain(`🟢 **Notices** · ${here}`);
  });

  it("shows a paused watch in amber, and leads to it", async () => {
    await run("owner", "watch pause");
    const status = await run("moderator", "connect status");
    const watch = asMessage(await person("moderator").click(status, "Show the watches"));
    await run("owner", "watch resume");

    expect(textOf(status)).toContain("🟡 **Comment review** · 1 of 1 watches is paused");
    expect(textOf(watch)).toContain("Paused by");
  });
});

describe("/help", () => {
  it("lists every command once, each to be pressed", async () => {
    const message = await run("member", "help");
    const { description = "" } = message.embeds[0] ?? {};

    expect(isEphemeral(message)).toBe(true);
    expect(description).toMatch(/<\/search:\d+> – /u);
    expect(description).toMatch(/<\/playlists list:\d+> – /u);
    expect(description.match(/<\/usage:\d+>/gu)).toHaveLength(1);
  });

  it.each([
    ["upload a video", "/videos upload"],
    ["erase my data", "/connect erase"],
    ["make a sticker", "/background sticker"],
    ["subtitles", "/captions"],
    ["spam", "/rules"],
  ])("finds for %s %s", async (query, path) => {
    expect(textOf(await run("owner", "help", { query }))).toContain(path);
  });

  it("says who may use what the person may not, and when nothing is found", async () => {
    expect(textOf(await run("member", "help", { query: "upload" }))).toMatch(
      /\/videos upload – .* · 🔒 managers/u,
    );
    expect(textOf(await run("owner", "help", { query: "upload" }))).not.toContain("🔒");
    expect(textOf(await run("owner", "help", { query: "xyzzy" }))).toContain("No command matches.");
  });

  it("suggests commands while a person types what to do", async () => {
    const usual = await person("member").suggest("help", "query", "");
    const found = await person("member").suggest("help", "query", "sticker");

    expect(usual.map(({ value }) => value)).toContain("/videos upload");
    expect(found[0]?.name).toMatch(/^\/background sticker – /u);
    expect(textOf(await run("member", "help", { query: `${found[0]?.value}` }))).toContain(
      "/background sticker",
    );
  });

  it("lists to members what members may use, and counts the rest", async () => {
    expect(textOf(await run("member", "help"))).toMatch(/\d+ more commands are for moderators/u);
    expect(textOf(await run("owner", "help"))).not.toContain("more commands");
  });

  it("understands the person's language", async () => {
    person("member").speak("de");
    const found = await run("member", "hilfe", { suche: "video hochladen" });
    person("member").speak("en-US");

    expect(textOf(found)).toContain("Befehle zu „video hochladen“");
    expect(textOf(found)).toContain("/videos upload");
  });
});
