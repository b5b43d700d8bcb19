import { createHash } from "node:crypto";
import type { APIMessage } from "discord-api-types/v10";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { OptionInput, SandboxFile } from "../../../src/sandbox/types.ts";
import type { Video } from "../../../src/video/index.ts";
import { film, srt } from "../../commands/files.ts";
import { asMessage, isEphemeral, textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

let picture: SandboxFile;
const { stage, owner, hurried, moderator, videoAnswers, asChannel } = useStage();
const { run, click, submit, runForm, clickForm } = owner;
beforeAll(async () => {
  const blank = { width: 1600, height: 900, channels: 3, background: "#345678" } as const;
  const data = await sharp({ create: blank }).jpeg().toBuffer();
  picture = { name: "cover.jpg", type: "image/jpeg", data };
});

type Options = Readonly<Record<string, OptionInput>>;

const mebibyte = 1024 * 1024;
const upload = (options: Options) => run("videos upload", options);

const stored = (method = "videos.insert") =>
  stage.sandbox.video.uploads.filter((each) => each.method === method);

const hashOf = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

/** The newest of the channel's videos, as the channel itself sees it. */
async function newest(): Promise<Video | undefined> {
  const uploads = stage.sandbox.video.ownChannelId.replace(/^UC/u, "UU");
  const path = `/playlistItems?part=contentDetails&playlistId=${uploads}&maxResults=1`;
  type Entry = { readonly contentDetails: { readonly videoId: string } };
  const [entry] = (await asChannel<{ items: Entry[] }>(path)).items;
  const video = `/videos?part=snippet,status,contentDetails&id=${entry?.contentDetails.videoId}`;
  return (await asChannel<{ items: Video[] }>(video)).items[0];
}

/** Waits until a message says this, and returns the newest. */
async function shown(text: string): Promise<APIMessage> {
  const look = () => owner.messages().findLast((message) => textOf(message).includes(text));
  await expect.poll(look, { interval: 10 }).toBeDefined();
  return look() as APIMessage;
}

describe("uploading", () => {
  it("opens a form if no title was given, and keeps the file", async () => {
    const file = film(300_000, "my_first_film.mp4");
    const form = await runForm("videos upload", {
      video: file,
      description: "From the option",
      tags: "one, two",
    });

    const question = await submit(form, { title: "My film", publish: "in 3 days" });
    const done = await click(question, "Upload");
    const video = await newest();

    expect(JSON.stringify(form)).toContain("my first film");
    expect(JSON.stringify(form)).toContain("From the option");
    expectText(done, "Video uploaded", "goes public then");
    expect(isEphemeral(done)).toBe(true);
    expect(stored().at(-1)).toMatchObject({ hash: hashOf(file.data), type: "video/mp4" });
    expect(video?.snippet).toMatchObject({
      title: "My film",
      description: "From the option",
      tags: ["one", "two"],
    });
    expect(video?.status?.privacyStatus).toBe("private");
    expect(Date.parse(video?.status?.publishAt ?? "")).toBeGreaterThan(Date.now());
  });

  it("keeps a video private unless somebody chooses otherwise", async () => {
    await upload({ video: film(50_000), title: "Quiet" });

    expect((await newest())?.status?.privacyStatus).toBe("private");
  });

  it("sends every option to the service", async () => {
    const done = await upload({
      video: film(50_000),
      title: "All of it 🎬 مرحبا",
      privacy: "unlisted",
      category: "27",
      kids: false,
      notify: false,
      language: "fr",
      license: "creativeCommon",
      synthetic: true,
      extra: "status.embeddable=false",
    });
    const video = await newest();

    expect(textOf(done)).toContain("Everyone with the link");
    expect(video?.snippet).toMatchObject({ categoryId: "27", defaultLanguage: "fr" });
    expect(video?.status).toMatchObject({
      privacyStatus: "unlisted",
      license: "creativeCommon",
      embeddable: false,
    });
    const opened = stage.videoRequests.findLast(
      ({ method, query }) => method === "videos.insert" && !query.has("upload_id"),
    );
    expect(opened?.query.get("notifySubscribers")).toBe("false");
  });

  it("accepts the link of a file that was sent in Discord", async () => {
    const file = film(70_000);
    const said = await owner.person().say("look", [file]);

    await upload({ link: said.attachments[0]?.url ?? "", title: "From a link" });

    expect(stored().at(-1)?.hash).toBe(hashOf(file.data));
  });

  it("sets captions and thumbnail with it, and says the price of the captions first", async () => {
    const question = await upload({
      video: film(50_000),
      title: "Whole",
      thumbnail: picture,
      captions: srt,
      captions_language: "de",
      more_captions: { ...srt, name: "more.srt" },
      more_language: "fr",
    });
    const before = stored().length;
    const done = await click(question, "Upload");

    expect(textOf(question)).toContain(
      "Captions use 800 units of today’s quota, the thumbnail 50: 850 in total (10,000 left, 9,150 afterwards).",
    );
    expect(textOf(question)).toContain("German and French");
    expect(stored()).toHaveLength(before + 1);
    expectText(done, "Captions: German and French", "Thumbnail set.");
    expect((await newest())?.contentDetails?.caption).toBe("true");
    expect(stored("thumbnails.set")).toHaveLength(1);
  });

  it("keeps a square thumbnail whole, with bars", async () => {
    const blank = { width: 1200, height: 1200, channels: 3, background: "#0000ff" } as const;
    const data = await sharp({ create: blank }).png().toBuffer();
    const thumbnail = { name: "square.png", type: "image/png", data };

    await upload({ video: film(50_000), title: "Square", thumbnail });
    const shown = (await newest())?.snippet?.thumbnails?.medium?.url ?? "";
    const served = sharp(Buffer.from(await (await fetch(shown)).arrayBuffer()));
    const { data: pixels, info } = await served.raw().toBuffer({ resolveWithObject: true });
    const blueAt = (share: number) =>
      pixels[(Math.floor(info.height / 2) * info.width + Math.floor(info.width * share)) * 3 + 2];

    expect([blueAt(0.05), blueAt(0.95)].every((blue = 255) => blue < 40)).toBe(true);
    expect(blueAt(0.5)).toBeGreaterThan(200);
  });

  it("shows the progress, and a button to cancel", async () => {
    const { platform, video } = stage.sandbox;
    const drops = { delayMs: 250, dropBytes: 128 * 1024 };
    platform.faults.add({ kind: "slow", ...drops, path: /attachments/u, times: 1 });
    video.faults.add({ kind: "delay", delayMs: 1700, method: "PUT", path: /upload_id/u });
    const from = stage.exchanges.length;

    await upload({ video: film(2 * mebibyte), title: "Long" });
    const edits = stage.exchanges
      .slice(from)
      .filter(({ method, path }) => method === "PATCH" && path.endsWith("/@original"))
      .map(({ requestBody }) => JSON.stringify(requestBody))
      .filter((body) => body.includes("Uploading “Long”"));
    const shares = edits.map((body) => Number(/▱+ (\d+)%/u.exec(body)?.[1]));

    expect(shares.length).toBeGreaterThanOrEqual(3);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(new Set(shares).size).toBeGreaterThanOrEqual(3);
    expect(edits.join()).toMatch(/[\d.]+ (?:kB|MB) of 2 MB fetched from Discord/u);
    expect(edits.every((body) => body.includes("Cancel"))).toBe(true);
  });

  it("leaves no video when it is cancelled during the upload", async () => {
    const { faults } = stage.sandbox.video;
    faults.add({ kind: "delay", delayMs: 3000, method: "PUT", path: /upload_id/u });
    const before = stored().length;
    const running = upload({ video: film(9 * mebibyte), title: "Stopped" });
    const progress = await shown("Uploading “Stopped”");

    void owner.click(progress, "Cancel");
    const answer = await running;

    expect(textOf(answer)).toContain("No video was created.");
    expect(answer.components).toEqual([]);
    expect(stored()).toHaveLength(before);
  });

  it("keeps the video when the steps after it are cancelled", async () => {
    const { faults } = stage.sandbox.video;
    faults.add({ kind: "delay", delayMs: 5000, path: /thumbnails/u });
    const before = stored().length;
    const running = upload({ video: film(50_000), title: "Stays", thumbnail: picture });
    const progress = await shown("Setting the thumbnail");

    void owner.click(progress, "Cancel");
    const answer = await running;

    expectText(answer, "Video uploaded", "The video itself is uploaded");
    expect(stored()).toHaveLength(before + 1);
  });

  it("keeps the video when a step after it fails, says which and why, and tries the rest again", async () => {
    videoAnswers(/thumbnails/u, { status: 403, reason: "forbidden" });
    const before = stored("thumbnails.set").length;

    const first = await upload({ video: film(50_000), title: "Half", thumbnail: picture });
    stage.sandbox.video.faults.clear();
    const second = await click(first, "Try the rest again");

    expectText(first, "Video uploaded", "The thumbnail was not set");
    expect(textOf(second)).toContain("Everything is done");
    expect(stored("thumbnails.set")).toHaveLength(before + 1);
  });

  it("continues where a download or an upload broke off", async () => {
    const file = film(9 * mebibyte);
    const { platform, video } = stage.sandbox;
    platform.faults.add({
      kind: "cut-answer",
      afterBytes: mebibyte,
      path: /attachments/u,
      times: 1,
    });
    video.faults.add({
      kind: "cut-during",
      afterBytes: mebibyte,
      method: "PUT",
      path: /upload_id/u,
      times: 1,
    });

    const done = await hurried(() => upload({ video: file, title: "Cut twice" }));

    expect(textOf(done)).toContain("Video uploaded");
    expect(stored().at(-1)).toMatchObject({ size: 9 * mebibyte, hash: hashOf(file.data) });
  });

  it("leaves no half video when the download never ends", async () => {
    const { platform } = stage.sandbox;
    const path = /attachments/u;
    platform.faults.add({ kind: "cut-answer", afterBytes: 100_000, path, times: 1 });
    platform.faults.add({ kind: "cut-before", path });
    const before = stored().length;

    const failure = await hurried(() => upload({ video: film(300_000), title: "Broken" }));

    expect(textOf(failure)).toMatch(/Reference [0-9A-Z]{6}/u);
    expect(textOf(failure)).not.toContain("Nothing was changed");
    expect(stored()).toHaveLength(before);
  });
});

describe("uploading what can't be", () => {
  const png = Buffer.from(
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0",
    "latin1",
  );
  const mp4 = (data: Uint8Array) => ({ name: "clip.mp4", type: "video/mp4", data });
  const tiny: SandboxFile = { name: "t.png", type: "image/png", data: png };

  it.each([
    ["a picture that is called a film", () => ({ video: mp4(png) }), "That’s a picture"],
    [
      "text that is called a film",
      () => ({ video: mp4(Buffer.from("hello, world")) }),
      "That’s text",
    ],
    ["an empty file", () => ({ video: mp4(new Uint8Array()) }), "The file is empty"],
    [
      "a file and a link",
      () => ({ video: film(99), link: "https://x.y/z" }),
      "Choose only one video",
    ],
    ["no link", () => ({ link: "my film" }), "That isn’t a link to a file"],
    [
      "a link to a message",
      () => ({ link: "https://discord.com/channels/1/2/3" }),
      "That’s a link to a message",
    ],
    ["a link to elsewhere", () => ({ link: "https://evil.example/a.mp4" }), "attach"],
    [
      "a date in the past",
      () => ({ video: film(99), publish: "yesterday 10:00" }),
      "is in the past",
    ],
    [
      "unlisted with a date",
      () => ({ video: film(99), publish: "in 3 days", privacy: "unlisted" }),
      "can’t be scheduled",
    ],
    [
      "a picture instead of a video",
      () => ({ video: { ...film(99), data: png } }),
      "is a picture (PNG)",
    ],
    [
      "captions in no language",
      () => ({ video: film(99), captions: srt }),
      "Choose the captions’ language",
    ],
    [
      "a language without captions",
      () => ({ video: film(99), captions_language: "de" }),
      "captions file is missing",
    ],
    [
      "captions that are a picture",
      () => ({ video: film(99), captions: { ...srt, data: png }, captions_language: "de" }),
      "That isn’t a captions file",
    ],
    ["a thumbnail of 1x1", () => ({ video: film(99), thumbnail: tiny }), "picture"],
    [
      "a description of more than 5,000 bytes",
      () => ({ video: film(99), description: "ä".repeat(2501) }),
      "escription",
    ],
  ] as readonly (readonly [string, () => Options, string])[])(
    "refuses %s before anything is spent",
    async (_, options, reason) => {
      const before = stage.videoRequests.length;

      const refusal = await upload({ title: "Wrong", ...options() });

      expect(isEphemeral(refusal)).toBe(true);
      expect(textOf(refusal)).toContain(reason);
      expect(stage.videoRequests).toHaveLength(before);
    },
  );

  it("gives the form back with what was typed", async () => {
    const form = await runForm("videos upload", { video: film(50_000) });
    const refusal = await submit(form, {
      title: "Typed",
      description: "long text",
      publish: "never",
    });
    const again = await clickForm(refusal, "Back to the form");

    const question = await submit(again, { publish: "" });
    const done = await click(question, "Upload");

    expect(textOf(refusal)).toContain("Back to the form");
    expect(JSON.stringify(again)).toContain("long text");
    expect(textOf(done)).toContain("Video uploaded");
    expect((await newest())?.snippet?.title).toBe("Typed");
  });

  it("is not for moderators", async () => {
    const answer = await moderator.run("videos upload", { video: film(99) });

    expect(textOf(asMessage(answer))).toContain("You don’t have permission for this");
  });
});

describe("uploading in another language", () => {
  it("speaks German from the form to the card", async () => {
    owner.speak("de");
    const form = await runForm("videos hochladen", { video: film(50_000) });
    const question = await submit(form, { title: "Mein Film", publish: "übermorgen 18:00" });
    const done = await click(question, "Hochladen");

    expect(form.title).toBe("Video hochladen");
    expectText(done, "Video hochgeladen", "wird dann öffentlich");
  });
});
