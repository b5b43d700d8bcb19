import { describe, expect, it } from "vitest";
import { isEphemeral, textOf } from "../support/stage.ts";
import { expectText, useStage } from "../support/use-stage.ts";

const { stage, owner, moderator, member } = useStage();

const labels = (message: object | undefined) =>
  [...JSON.stringify(message).matchAll(/"label":"([^"]+)"/gu)].map(([, label]) => label);

describe("/start", () => {
  it("says what is connected, and offers what the person may do next", async () => {
    const asOwner = await owner.run("start");
    const asModerator = await moderator.run("start");
    const asMember = await member.run("start");

    expect([asOwner, asModerator, asMember].every(isEphemeral)).toBe(true);
    expect(textOf(asOwner)).toContain("🟢 **Your YouTube channel** · connected");
    expect(textOf(asOwner)).toContain("🔴 **Comment review** · not set up: /watch channel");
    expect(textOf(asMember)).not.toContain("Comment review");
    expect(labels(asOwner)).toEqual(["Watch comments here", "Try a photo", "Review comments"]);
    expect(labels(asModerator)).toEqual(["Try a photo", "Review comments"]);
    expect(labels(asMember)).toEqual(["Try a photo"]);
  });

  it("leads to the comments that wait, and to the form for photos", async () => {
    const start = await moderator.run("start");
    const held = await moderator.click(start, "Review comments");
    const form = await moderator.clickForm(start, "Try a photo");

    expect(textOf(held)).toContain("Held comments");
    expect(JSON.stringify(form)).toContain("pictures");
  });

  it("lets owners connect what is missing, and tells the others whom to ask", async () => {
    const asked = await owner.run("connect disconnect", { what: "video-key" });
    await owner.click(asked, "Disconnect");
    const asOwner = await owner.run("start");
    const asMember = await member.run("start");
    const form = await owner.clickForm(asOwner, "Connect YouTube");
    await owner.submit(form, { key: stage.sandbox.video.key });
    const after = await owner.run("start");

    expect(textOf(asOwner)).toContain("🔴 **YouTube API key** · not connected");
    expect(textOf(asMember)).toContain("Someone with the Manage Server permission can connect");
    expect(labels(asMember)).not.toContain("Connect YouTube");
    expect(textOf(after)).toContain("🟢 **YouTube API key** · connected");
  });
});

describe("setting up", () => {
  const disconnect = async (what: string) =>
    owner.click(await owner.run("connect disconnect", { what }), "Disconnect");

  it("offers YouTube and remove.bg, each alone, and then the next step", async () => {
    await disconnect("video-key");
    await disconnect("background-key");
    const start = await owner.run("start");
    const keyForm = await owner.clickForm(start, "Connect YouTube");
    const refused = await owner.submit(keyForm, { key: "AIzaWrong-key" });
    const withKey = await owner.submit(keyForm, { key: stage.sandbox.video.key });
    const imageForm = await owner.clickForm(withKey, "Connect remove.bg");
    const withImages = await owner.submit(imageForm, { key: stage.sandbox.background.key });

    expect(labels(start).slice(0, 3)).toEqual([
      "Connect YouTube",
      "Watch comments here",
      "Connect remove.bg",
    ]);
    expect(labels(withKey.components)).toEqual(["Watch comments here", "Connect remove.bg"]);
    expect(labels(withImages.components)).toEqual(["Try a photo", "Watch comments here"]);
    expect(JSON.stringify(keyForm)).toContain("https://console.cloud.google.com/apis/credentials");
    expect(JSON.stringify(imageForm)).toContain("https://www.remove.bg/dashboard#api-key");
    expect(labels(refused.components)).toEqual(["Back to the form", "Open the API keys page"]);
    expect(JSON.stringify(refused)).toContain("https://console.cloud.google.com/apis/credentials");
  });

  it("leads from a missing key to its form", async () => {
    await disconnect("background-key");
    const failed = await owner.run("background account");
    const form = await owner.clickForm(failed, "Connect remove.bg");
    await owner.submit(form, { key: stage.sandbox.background.key });

    expectText(failed, "Background removal isn’t connected yet");
    expectText(await owner.run("background account"), "credits");
  });
});

describe("the dashboard", () => {
  it("has a light for each part, and a button for each gap that the person may close", async () => {
    const asOwner = await owner.run("connect status");
    const asModerator = await moderator.run("connect status");

    expect(textOf(asOwner)).toContain("🔴 **Comment review** · not set up");
    expectText(asOwner, "🟡 **Notices** · problems are only sent to the server’s owner");
    expect(labels(asOwner)).toEqual(["Watch comments here", "Set time zone", "Post notices here"]);
    expect(labels(asModerator)).toEqual([]);
  });

  it("closes its gaps in the channel where it is pressed", async () => {
    const gaps = await owner.run("connect status");
    const question = await owner.click(gaps, "Watch comments here");
    const watching = await owner.click(question, "Continue anyway");
    const doubt = await owner.click(gaps, "Post notices here");
    const saved = await owner.click(doubt, "Continue anyway");
    const after = textOf(await owner.run("connect status"));

    const here = `<#${stage.sandbox.platform.channelId}>`;
    expect(textOf(question)).toContain(`Everyone in this server can read ${here}. They would see:`);
    expect(textOf(doubt)).toContain("warnings about links, quota, rules and watches");
    expect(textOf(watching)).toContain("Now watching for held comments");
    expect(textOf(saved)).toContain(here);
    expect(after).toContain("🟢 **Comment review** · 1 watch is running");
    expect(after).toContain(`🟢 **Notices** · ${here}`);
  });

  it("shows a paused watch in amber, and leads to it", async () => {
    await owner.run("watch pause");
    const status = await moderator.run("connect status");
    const watch = await moderator.click(status, "Show the watches");
    await owner.run("watch resume");

    expect(textOf(status)).toContain("🟡 **Comment review** · 1 of 1 watches is paused");
    expect(textOf(watch)).toContain("Paused by");
  });
});

describe("/help", () => {
  it("lists every command once, each to be pressed", async () => {
    const message = await member.run("help");
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
    expect(textOf(await owner.run("help", { query }))).toContain(path);
  });

  it("finds every command by its own name, with the ones of its group", async () => {
    const { description = "" } = (await owner.run("help", { query: "playlists" })).embeds[0] ?? {};

    expect(new Set(description.match(/<\/playlists [a-z-]+/gu)).size).toBe(13);
  });

  it.each([
    ["en-US", "help", "query", "privacy", "/videos edit"],
    ["de", "hilfe", "suche", "Zeitzone", "/connect region"],
    ["es-ES", "ayuda", "consulta", "miniatura", "/videos upload"],
    ["fr", "aide", "recherche", "miniature", "/videos upload"],
    ["ja", "ヘルプ", "検索", "サムネイルを変更したい", "/branding thumbnail"],
  ] as const)(
    "finds commands by the words of their options, in %s",
    async (tag, path, option, query, found) => {
      owner.speak(tag);

      expect((await owner.run(path, { [option]: query })).embeds[0]?.description).toContain(
        `<${found}:`,
      );
    },
  );

  it("says who may use what the person may not, and when nothing is found", async () => {
    expectText(
      await member.run("help", { query: "upload" }),
      /\/videos upload – .* · 🔒 managers/u,
    );
    expect(textOf(await owner.run("help", { query: "upload" }))).not.toContain("🔒");
    expect(textOf(await owner.run("help", { query: "xyzzy" }))).toContain("No command matches.");
  });

  it("suggests commands while a person types what to do", async () => {
    const usual = await member.suggest("help", "query", "");
    const found = await member.suggest("help", "query", "sticker");

    expect(usual.map(({ value }) => value)).toContain("/videos upload");
    expect(found[0]?.name).toMatch(/^\/background sticker – /u);
    expectText(await member.run("help", { query: `${found[0]?.value}` }), "/background sticker");
  });

  it("lists to members what members may use, and counts the rest", async () => {
    expect(textOf(await member.run("help"))).toMatch(/\d+ more commands are for moderators/u);
    expect(textOf(await owner.run("help"))).not.toContain("more commands");
  });

  it("understands the person's language", async () => {
    member.speak("de");
    const found = await member.run("hilfe", { suche: "video hochladen" });

    expectText(found, "Befehle zu „video hochladen“", "/videos upload");
  });

  it("has no green light for a watch whose channel is not linked", async () => {
    await owner.click(await owner.run("connect disconnect", { what: "channel" }), "Disconnect");

    const start = await owner.run("start");

    expect(textOf(start)).toContain("🟡 **Comment review** · 1 watch, published comments only");
  });
});
