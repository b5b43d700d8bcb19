import type { APIMessage } from "discord-api-types/v10";
import JSZip from "jszip";
import { beforeEach, describe, expect, it } from "vitest";
import { toneColors } from "../../src/discord/draw/embed.ts";
import type { SandboxFile } from "../../src/sandbox/types.ts";
import { fetchBytes, isEphemeral, offered, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, type Options, useStage } from "../support/use-stage.ts";

const { stage, as, owner, moderator, asChannel } = useStage();
const { click, choose } = owner;
beforeEach(() => stage.sandbox.video.quota.refill());

type Who = "owner" | "moderator" | "member";

const run = async (sub: string, options: Options = {}, who: Who = "owner") =>
  await as(who).run(`captions ${sub}`, options);
const suggested = (sub: string, option: string, others: Options = {}, typed = "") =>
  owner.offered(`captions ${sub}`, option, typed, others);
const bytesOf = async (message: APIMessage) => fetchBytes(message.attachments[0]?.url ?? "");

interface Track {
  readonly id: string;
  readonly snippet: {
    readonly language: string;
    readonly name: string;
    readonly isDraft: boolean;
    readonly trackKind: string;
  };
}

const tracksOf = async (videoId: string) =>
  (await asChannel<{ items: Track[] }>(`/captions?part=snippet&videoId=${videoId}`)).items;

async function videos(): Promise<string[]> {
  const playlistId = `UU${stage.sandbox.video.ownChannelId.slice(2)}`;
  const { items } = await asChannel<{ items: { contentDetails: { videoId: string } }[] }>(
    `/playlistItems?part=contentDetails&maxResults=50&playlistId=${playlistId}`,
  );
  return items.map(({ contentDetails }) => contentDetails.videoId);
}
/** A video with that many captions, none of them added by these tests. */
const videoWith = async (count: number) => {
  for (const id of await videos()) {
    const tracks = await tracksOf(id);
    const isFresh = tracks.every(({ snippet }) => ["en", "fr"].includes(snippet.language));
    if (tracks.length === count && isFresh) return id;
  }
  throw new Error(`no video has ${count} captions`);
};

const file = (data: string | Uint8Array, name = "captions.srt"): SandboxFile => ({
  name,
  type: "text/plain",
  data: typeof data === "string" ? Buffer.from(data) : data,
});
const srt =
  "1\n00:00:01,000 --> 00:00:02,500\nHello, room\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n";

describe("/captions list", () => {
  it("shows language, kind and state in private, and says whose they are", async () => {
    const shown = await run("list", { video: await videoWith(2) }, "moderator");

    expect(isEphemeral(shown)).toBe(true);
    expectText(shown, /Captions of /u, /English · Automatic\*\*\nAutomatic · Shown · updated <t:/u);
    expect(textOf(shown)).not.toContain("Delete");
  });

  it("is refused to members", async () => {
    const refused = await run("list", { video: (await videos())[0] ?? "" }, "member");

    expect(textOf(refused)).toContain("moderator");
  });

  it("says when there are none, and when there is no such video, for one unit", async () => {
    const none = await run("list", { video: await videoWith(0) });
    const wrong = await run("list", { video: "aaaaaaaaaaa" });

    expect(textOf(none)).toContain("has no captions");
    expect(textOf(wrong)).toMatch(/Video not found/u);
  });

  it("takes no link to something else", async () => {
    const refused = await run("list", { video: "https://www.youtube.com/@GreenRoom" });

    expect(textOf(refused)).toMatch(/takes a video/u);
  });

  it("gives a table of them", async () => {
    const answer = await run("list", { video: await videoWith(2), output: "csv" });

    expect((await bytesOf(answer)).toString("utf8")).toMatch(
      /^\ufeffid,language,name,kind,draft,status,failure,updated\n/u,
    );
  });
});

describe("/captions upload", () => {
  it("says the price and what it is, and sends nothing on Cancel", async () => {
    const video = await videoWith(0);
    const question = await run("upload", { video, language: "de", name: "Regie", file: file(srt) });
    const cancelled = await click(question, "Cancel");

    expectText(question, "This costs 400 units", "captions.srt · SubRip (.srt)", "German");
    expect(textOf(cancelled)).toContain("Nothing was changed");
    expect(await tracksOf(video)).toEqual([]);
  });

  it.each([
    ["srt", srt],
    ["vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"],
    ["sbv", "0:00:01.000,0:00:02.000\nHello\n"],
    [
      "ttml",
      '<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml"><p begin="1s">Hi</p></tt>',
    ],
    ["scc", "Scenarist_SCC V1.0\n\n00:00:01:00\t9420 9420\n"],
  ])("knows %s by its bytes, whatever it is called", async (format, text) => {
    const video = await videoWith(0);

    const question = await run("upload", { video, language: "en", file: file(text, "talk.bin") });

    expectText(question, `talk.bin`, `(.${format})`);
  });

  it("adds them once, as a draft when asked to", async () => {
    const video = await videoWith(0);
    const question = await run("upload", {
      video,
      language: "de",
      name: "Regie 🎬 مرحبا",
      draft: true,
      file: file(srt),
    });
    const done = await click(question, "Add");

    expect(textOf(done)).toMatch(/Captions added[\s\S]*German[\s\S]*Draft\nYes/u);
    expect(done.embeds[0]?.color).toBe(toneColors.good);
    await expect(click(question, "Add")).rejects.toThrow("No button");
    expect(await tracksOf(video)).toMatchObject([
      { snippet: { language: "de", name: "Regie 🎬 مرحبا", isDraft: true } },
    ]);
  });

  it("says that such captions are there already", async () => {
    const options = { video: await videoWith(0), language: "nl", file: file(srt) };
    await click(await run("upload", options), "Add");

    const answer = await click(await run("upload", options), "Add");

    expect(textOf(answer)).toContain("Captions already exist");
  });

  it.each([
    [
      "a picture with a false ending",
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
      "captions.srt contains no text",
    ],
    ["words without times", "Hello there,\nthis is my text.\n".repeat(200), "have no times"],
    ["nothing at all", "", "file is empty"],
  ])("refuses %s before any unit is spent", async (_, data, reason) => {
    const video = (await videos())[0] ?? "";
    stage.sandbox.video.quota.refill();

    const refused = await run("upload", { video, language: "de", file: file(data) });

    expect(textOf(refused)).toContain(reason);
    expect(stage.sandbox.video.quota.spent("units")).toBe(0);
  });

  it("refuses other people's videos before the price", async () => {
    const other = [...stage.sandbox.video.channels.keys()].find(
      (id) => id !== stage.sandbox.video.ownChannelId,
    );
    const { items } = await asChannel<{ items: { id: { videoId: string } }[] }>(
      `/search?part=snippet&type=video&channelId=${other}&maxResults=1`,
    );
    const video = items[0]?.id.videoId ?? "";

    const refused = await run("upload", { video, language: "de", file: file(srt) });

    expect(textOf(refused)).toContain("Another channel’s video");
  });

  it.each(["moderator", "member"] as const)("is refused to a %s", async (who) => {
    const video = (await videos())[0] ?? "";
    const refused = await run("upload", { video, language: "de", file: file(srt) }, who);

    expect(textOf(refused)).toContain("manager");
  });
});

describe("/captions update", () => {
  it("asks nothing where it is a draft already", async () => {
    const video = await videoWith(2);
    const [{ id, snippet }] = (await tracksOf(video)) as [Track];

    const message = await run("update", { video, captions: id, draft: snippet.isDraft });

    expectText(message, "Nothing was changed", "It’s like that already.");
    expect(textOf(message)).not.toMatch(/^Change$/mu);
  });

  it("shows a draft to viewers without touching its content", async () => {
    const video = await videoWith(0);
    const options = { video, language: "pt", draft: true, file: file(srt) };
    await click(await run("upload", options), "Add");
    const [{ id }] = (await tracksOf(video)) as [Track];

    const question = await run("update", { video, captions: id, draft: false });
    const done = await click(question, "Change");

    expectText(question, "Portuguese · Draft", "This costs 450 units");
    expectText(done, "Captions changed", "Draft\nYes → No");
    expect((await tracksOf(video))[0]?.snippet.isDraft).toBe(false);
  });

  it("replaces the content and leaves a draft a draft", async () => {
    const video = await videoWith(0);
    const options = { video, language: "es", draft: true, file: file(srt) };
    await click(await run("upload", options), "Add");
    const [{ id }] = (await tracksOf(video)) as [Track];
    const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nAnother text\n";

    const question = await run("update", { video, captions: id, file: file(vtt) });
    const done = await click(question, "Change");
    const answer = await click(await run("download", { video }), "Download");

    expectText(done, /File\n.+WebVTT/u, "Spanish");

    expect(textOf(question)).toContain("replaces the current one");
    expect((await tracksOf(video))[0]?.snippet.isDraft).toBe(true);
    expect((await bytesOf(answer)).toString("utf8")).toBe(vtt);
    expect(answer.attachments[0]?.filename).toMatch(/\.vtt$/u);
  });

  it("asks for a file or a word about the draft", async () => {
    const video = await videoWith(2);
    const [{ id }] = (await tracksOf(video)) as [Track];

    expect(textOf(await run("update", { video, captions: id }))).toContain("Attach a new file");
  });

  it("says when the video has no such captions", async () => {
    const refused = await run("update", {
      video: await videoWith(2),
      captions: "AUieDabcdefgh",
      draft: true,
    });

    expect(textOf(refused)).toMatch(/Captions not found/u);
  });
});

describe("/captions download", () => {
  it("gives one file as it is, after saying the price", async () => {
    const video = await videoWith(1);
    const question = await run("download", { video, format: "vtt" }, "moderator");
    const answer = await moderator.click(question, "Download");

    expectText(question, "Download 1 file?", "This costs 200 units");
    expect(isEphemeral(answer)).toBe(true);
    expect(answer.attachments[0]?.filename).toMatch(/English.*\.vtt$/u);
    expect((await bytesOf(answer)).toString("utf8")).toMatch(/^WEBVTT/u);
  });

  it("packs several into one ZIP and says the whole price first", async () => {
    const video = await videoWith(1);
    const question = await run("download", { video, format: "all" });
    const answer = await click(question, "Download");
    const zip = await JSZip.loadAsync(await bytesOf(answer));
    const endings = Object.keys(zip.files).map((name) => name.split(".").at(-1) ?? "");

    expectText(question, "Download 5 files?", "This costs 1,000 units");
    expect(answer.attachments[0]?.filename).toMatch(/\.zip$/u);
    // The stand-in can't convert captions to SCC, which must not affect the other formats.
    expect(endings.sort()).toEqual(["sbv", "srt", "ttml", "vtt"]);
    expect(textOf(answer)).toMatch(/4 files, in one ZIP\.\n1 file is missing \(/u);
  });

  it("takes languages instead of ids, and translates", async () => {
    const video = await videoWith(2);
    const question = await run("download", {
      video,
      captions: "en",
      format: "srt",
      translate: "de",
    });
    const answer = await click(question, "Download");

    expect(textOf(question)).toContain("Translated into\nGerman");
    const zip = await JSZip.loadAsync(await bytesOf(answer));
    expect(Object.keys(zip.files)).toEqual([
      expect.stringMatching(/-English-German\.srt$/u),
      expect.stringMatching(/-English-Automatic-German\.srt$/u),
    ]);
  });

  it("hands over what is there when one fails, and says what is missing", async () => {
    const video = await videoWith(2);
    const question = await run("download", { video, format: "srt" });
    const { id } = (await tracksOf(video))[1] as Track;
    stage.sandbox.video.faults.add({
      kind: "answer",
      status: 403,
      path: new RegExp(`captions/${id}`, "u"),
    });

    const answer = await click(question, "Download");

    expect(textOf(answer)).toMatch(/1 file\.\n1 file is missing \(/u);
    expect(answer.attachments).toHaveLength(1);
  });

  it("pays for no more files when those it has are large enough", async () => {
    const { video } = stage.sandbox;
    const question = await run("download", { video: await videoWith(2), format: "all" });
    video.faults.add({
      kind: "answer",
      status: 200,
      path: /captions\//u,
      body: "a long line\n".repeat(1_000_000),
    });
    const before = video.quota.spent("units");

    const answer = await click(question, "Download");

    expect(textOf(answer)).toMatch(
      /\d+ files are missing \(.+\): The file is too large for Discord/u,
    );
    // The video, its list of captions, and two files at 200 units each.
    expect(video.quota.spent("units") - before).toBeLessThan(500);
  });

  it("says which captions the video has not", async () => {
    const refused = await run("download", { video: await videoWith(2), captions: "en, tlh" });

    expect(textOf(refused)).toMatch(/no captions for “tlh”/u);
  });
});

describe("/captions delete", () => {
  it("names what will be lost, and deletes it once", async () => {
    const video = await videoWith(1);
    const before = await tracksOf(video);
    const options = { video, language: "it", name: "Sala", draft: true, file: file(srt) };
    await click(await run("upload", options), "Add");
    const [choice] = await suggested("delete", "captions", { video }, "sala");

    const question = await run("delete", { video, captions: `${choice?.value}` });
    const done = await click(question, "Delete");

    expectText(question, "Italian · Sala · Draft", "this can’t be undone", "This costs 50 units");
    expect(textOf(done)).toContain("Captions deleted");
    expect(await tracksOf(video)).toEqual(before);
  });

  it("asks from the list's buttons too, in private", async () => {
    const video = await videoWith(1);
    const shown = await run("list", { video });

    const question = await click(shown, "Delete");
    const download = await click(shown, "Download");

    expect(textOf(question)).toContain("Delete these captions?");
    expect(textOf(download)).toContain("This costs 200 units");
    expect(isEphemeral(question)).toBe(true);
    expect(await tracksOf(video)).toHaveLength(1);
  });

  it("gives another format from the same question", async () => {
    const shown = await run("list", { video: await videoWith(1) });
    const question = await click(shown, "Download");

    const answer = await choose(question, ["ttml"]);

    expect((await bytesOf(answer)).toString("utf8")).toContain("<tt");
  });
});

describe("in other languages", () => {
  it("speaks German with its names, and finds the video's captions by their German name", async () => {
    owner.speak("de");
    const video = await videoWith(1);

    const shown = await owner.run("untertitel liste", { video });
    const found = await offered(owner.person(), "captions download", "captions", "engl", { video });

    expectText(shown, /Untertitel von /u, /Englisch/u);
    expect(found[0]?.name).toMatch(/^Englisch/u);
  });
});

describe("a video's card", () => {
  it("leads to its captions", async () => {
    const video = await videoWith(1);
    const card = await owner.run("videos show", { video });

    const shown = await click(card, "Captions");

    expectPrivate(shown, /Captions of .*\n\*\*English/u);
  });
});

describe("a price that today's units do not cover", () => {
  it("is refused, and nothing is begun", async () => {
    const video = await videoWith(2);
    const all = { video, format: "all" };
    let answer = await run("download", all);
    for (let left = 5; left > 0 && !textOf(answer).includes("Not enough quota left"); left--) {
      stage.sandbox.video.quota.refill();
      await click(answer, "Download");
      answer = await run("download", all);
    }
    const before = stage.sandbox.video.quota.spent("units");

    expect(textOf(answer)).toMatch(
      /Not enough quota left today[\s\S]*This needs 2,000 units[\s\S]* left today \(linked channel’s project\)[\s\S]*Try again <t:/u,
    );
    await expect(click(answer, "Download")).rejects.toThrow("No button");
    expect(stage.sandbox.video.quota.spent("units")).toBe(before);
  });
});
