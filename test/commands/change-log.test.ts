import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { OptionInput, SandboxFile } from "../../src/sandbox/types.ts";
import { fetchBytes, isEphemeral, textOf } from "../support/stage.ts";
import { useStage } from "../support/use-stage.ts";

let videos: readonly string[];
const { stage, owner, moderator, member } = useStage();
beforeAll(async () => {
  const choices = await owner.offered("videos show", "video", "");
  videos = choices.map(({ value }) => String(value));
});

type Options = Readonly<Record<string, OptionInput>>;

const { run } = owner;
const log = async (options: Options = {}) => textOf(await moderator.run("comments log", options));

async function picture(width: number, height: number): Promise<SandboxFile> {
  const flat = sharp({ create: { width, height, channels: 3, background: "#3377aa" } });
  return { name: "p.png", type: "image/png", data: await flat.png().toBuffer() };
}

/** The first editable playlist that is suggested for this title. */
async function playlistCalled(title: string): Promise<string> {
  const [found] = await owner.offered("playlists edit", "playlist", title);
  return String(found?.value);
}

describe("/comments log", () => {
  it("records an edit of a video with its title and link, who did it and when", async () => {
    const [video = ""] = videos;

    await run("videos edit", { video, title: "A new *title*" });

    const shown = await log();
    expect(shown).toMatch(/Video edited: \[A new .*title.*\]\(/u);
    expect(shown).toContain(`watch?v=${video}`);
    expect(shown).toMatch(/<@\d+> · <t:\d+:R>/u);
  });

  it("records the deletion of a video by its title, without a link that leads nowhere", async () => {
    const video = videos.at(-1) ?? "";
    const question = await run("videos delete", { video });
    await owner.click(question, "Delete permanently");

    const shown = await log({ kind: "videos" });
    expect(shown).toMatch(/Video deleted: [^\n[]+/u);
    expect(shown).not.toContain(video);
  });

  it("records what was done with a playlist and its entries", async () => {
    const [, one = "", two = ""] = videos;
    await run("playlists create", { title: "Log of lists" });
    const playlist = await playlistCalled("Log of lists");
    await run("playlists add", { playlist, videos: one });
    await run("playlists add", { playlist, videos: two });
    await run("playlists move", { playlist, item: two, position: "top" });
    const removal = await run("playlists remove", { playlist, items: one });
    await owner.click(removal, "Remove");
    await run("playlists edit", { playlist, description: "Written later" });
    await owner.click(await run("playlists delete", { playlist }), "Delete playlist");

    const first = await moderator.run("comments log", { kind: "playlists" });
    const second = await moderator.click(first, "Next");
    const shown = [textOf(first), textOf(second)].join("\n");
    expect(shown).toMatch(/Playlist created: \[Log of lists\]/u);
    expect(shown.match(/Added to a playlist: \[/gu)).toHaveLength(2);
    expect(shown).toMatch(/Moved in a playlist: \[/u);
    expect(shown).toMatch(/Removed from a playlist: \[/u);
    expect(shown).toMatch(/Playlist edited: \[Log of lists\]/u);
    expect(shown).toContain("Playlist deleted: Log of lists");
    expect(shown).not.toContain("Video edited");
    expect(shown).not.toMatch(/of this kind/u);
  });

  it("records banner, thumbnail and watermark", async () => {
    const [video = ""] = videos;
    const banner = await run("branding banner", { picture: await picture(2560, 1440) });
    await owner.click(banner, "Set banner");
    const thumbnail = { video, picture: await picture(1280, 720) };
    await owner.click(await run("branding thumbnail", thumbnail), "Set thumbnail");
    const mark = await run("branding watermark", { picture: await picture(300, 300) });
    await owner.click(mark, "Set watermark");
    await owner.click(await run("branding remove-watermark"), "Remove watermark");

    const shown = await log({ kind: "branding" });
    expect(shown).toContain("Banner set");
    expect(shown).toMatch(/Thumbnail set: \[/u);
    expect(shown).toContain("Watermark set");
    expect(shown).toContain("Watermark removed");
    expect(await log({ kind: "channel" })).not.toContain("Channel edited");
  });

  it("records captions by their video and language", async () => {
    const [video = ""] = videos;
    const data = Buffer.from("1\n00:00:01,000 --> 00:00:02,500\nHello\n");
    const file = { name: "c.srt", type: "text/plain", data };
    await owner.click(await run("captions upload", { video, language: "ja", file }), "Add");
    const [choice] = await owner.offered("captions delete", "captions", "jap", { video });
    const question = await run("captions delete", { video, captions: `${choice?.value}` });
    await owner.click(question, "Delete");

    const shown = await log({ kind: "captions" });
    expect(shown).toMatch(/Captions uploaded: \[.+ · ja\]\(/u);
    expect(shown).toMatch(/Captions deleted: \[.+ · Japanese\]\(/u);
  });

  it("records the end of a subscription by its channel", async () => {
    const [choice] = await owner.offered("subscriptions remove", "channel", "");
    const question = await run("subscriptions remove", { channel: `${choice?.value}` });
    await owner.click(question, "Unsubscribe");

    const [, name = ""] = /Unsubscribe from (.+)\?/u.exec(textOf(question)) ?? [];
    expect(name).not.toBe("");
    expect(await log({ kind: "channel" })).toContain(`Unsubscribed: [${name}](`);
  });

  it("records nothing that was refused or cancelled", async () => {
    const [video = ""] = videos;
    const before = await log({ kind: "videos" });
    await owner.click(await run("videos delete", { video }), "Cancel");
    await member.run("videos edit", { video, title: "Not mine to edit" });

    expect(await log({ kind: "videos" })).toBe(before);
  });

  it("comes as a file with what was changed, and is for moderators", async () => {
    const file = await moderator.run("comments log", { kind: "branding", output: "csv" });
    const data = (await fetchBytes(file.attachments[0]?.url ?? "")).toString();
    const refused = await member.run("comments log", {});

    expect(isEphemeral(file)).toBe(true);
    expect(data).toContain("thumbnails.set");
    expect(data).toContain("watermarks.unset");
    expect(textOf(refused)).toContain("Only moderators can do this");
  });

  it("ends with a whole entry where a message can carry no more, and says so", async () => {
    const { platform } = stage.sandbox;
    const whole = await moderator.run("comments log", { output: "json" });
    const all = JSON.parse(`${await fetchBytes(whole.attachments[0]?.url ?? "")}`);
    platform.setAttachmentLimit(3_000);

    const cut = await moderator.run("comments log", { output: "json" });

    platform.setAttachmentLimit(10 * 1_048_576);
    const some = JSON.parse(`${await fetchBytes(cut.attachments[0]?.url ?? "")}`);
    expect(some.length).toBeGreaterThan(0);
    expect(some).toEqual(all.slice(0, some.length));
    expect(textOf(cut)).toContain(`The file has the first ${some.length} of ${all.length} entries`);
  });

  it.each([
    ["de", "Banner festgelegt", "Entscheidungen und Änderungen"],
    ["es-ES", "Banner puesto", "Decisiones y cambios"],
    ["fr", "Bannière définie", "Décisions et modifications"],
    ["ja", "バナーを設定", "処理と変更の記録"],
  ] as const)("speaks %s", async (language, act, title) => {
    moderator.speak(language);
    const shown = await log({ kind: "branding" }).finally(() => moderator.speak("en-US"));

    expect(shown).toContain(title);
    expect(shown).toContain(act);
  });
});
