import { beforeAll, describe, expect, it } from "vitest";
import type { OpenForm, OptionInput, SandboxFile } from "../../../src/sandbox/types.ts";
import type { Video } from "../../../src/video/index.ts";
import { film, flat, srt } from "../../commands/files.ts";
import { isEphemeral, textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

let small: SandboxFile;
let large: SandboxFile;
const { stage, owner, asChannel } = useStage();
const { run, click, choose, submit, runForm, clickForm } = owner;
beforeAll(async () => {
  [small, large] = await Promise.all([flat(320, 180), flat(1280, 720)]);
});

const open = async (options: Readonly<Record<string, OptionInput>> = {}) =>
  await runForm("videos upload", options);

interface Field {
  readonly label: string;
  readonly description?: string;
  readonly component: { readonly custom_id: string; readonly required: boolean };
}

const fieldsOf = (form: OpenForm) => form.components as unknown as readonly Field[];
const namesOf = (form: OpenForm) => fieldsOf(form).map(({ component }) => component.custom_id);
const fieldOf = (form: OpenForm, name: string) =>
  fieldsOf(form).find(({ component }) => component.custom_id === name);

const stored = (method = "videos.insert") =>
  stage.sandbox.video.uploads.filter((each) => each.method === method);

/** The newest of the channel's videos, as the channel itself sees it. */
async function newest(): Promise<Video | undefined> {
  const path = "/search?part=snippet&forMine=true&type=video&order=date&maxResults=1";
  type Found = { readonly id: { readonly videoId: string } };
  const [found] = (await asChannel<{ items: Found[] }>(path)).items;
  const video = `/videos?part=snippet,status&id=${found?.id.videoId}`;
  return (await asChannel<{ items: Video[] }>(video)).items[0];
}

describe("the form of /videos upload", () => {
  it("opens with nothing, and uploads a video with thumbnail and captions in few actions", async () => {
    const form = await open();
    const question = await submit(form, {
      title: "Whole",
      description: "About it",
      video: film(),
      thumbnail: large,
      captions: { ...srt, name: "film.de.srt" },
    });
    const before = stored().length;
    const done = await click(question, "Upload");

    expect(namesOf(form)).toEqual(["title", "description", "video", "thumbnail", "captions"]);
    expect(stored()).toHaveLength(before + 1);
    expectText(done, "Captions: German", "Thumbnail set.");
    expect((await newest())?.snippet).toMatchObject({ title: "Whole", description: "About it" });
  });

  it.each<[string, Readonly<Record<string, OptionInput>>, readonly string[]]>([
    ["a title alone", { title: "T" }, ["title", "description", "video", "thumbnail", "captions"]],
    ["a file", { video: film() }, ["title", "description", "thumbnail", "captions", "publish"]],
    [
      "all files",
      { video: film(), captions: srt, thumbnail: film() },
      ["title", "description", "publish", "tags"],
    ],
  ])("asks for what is missing beside %s", async (_, options, names) => {
    const form = await open(options);

    expect(namesOf(form)).toEqual(names);
    expect(fieldOf(form, "video")?.component.required ?? true).toBe(true);
    expect(fieldOf(form, "thumbnail")?.component.required ?? false).toBe(false);
    expect(fieldOf(form, "captions")?.description ?? "400 units").toContain("400 units");
  });

  it("keeps a description that is longer than a field holds", async () => {
    const description = "long ".repeat(900).trim();
    const form = await open({ video: film(), description });
    await click(await submit(form, { title: "Long" }), "Upload");

    expect(namesOf(form)).not.toContain("description");
    expect((await newest())?.snippet?.description).toBe(description);
  });

  it("takes the language of captions from the options", async () => {
    const form = await open({ captions_language: "fr" });

    const question = await submit(form, { title: "French", video: film(), captions: srt });

    expect(textOf(question)).toContain("Captions\nFrench");
  });
});

describe("the question of an upload", () => {
  it("names title, prices, what is left, who can watch it and when", async () => {
    const form = await open({ video: film(), thumbnail: large, captions: srt });
    const question = await submit(form, { title: "Soon", publish: "in 3 days" });

    const text = textOf(question);
    expect(isEphemeral(question)).toBe(true);
    expect(text).toContain("Upload “Soon”?");
    expect(text).toMatch(
      /Captions use 400 units of today’s quota, the thumbnail 50: 450 in total \(([\d,]+) left, [\d,]+ afterwards\)/u,
    );
    expectText(text, /one of today’s uploads \(\d+ left\)/u, "Who can watch it\nPrivate");
    expect(text).toMatch(/Goes public at\n<t:\d+:f> \(<t:\d+:R>\), private until then/u);
    expect(text).toContain("Thumbnail\npicture.jpeg");
  });

  it("names the price of a thumbnail alone", async () => {
    const question = await submit(await open({ video: film(), thumbnail: large }), { title: "A" });

    expect(textOf(question)).toMatch(/The thumbnail uses 50 units .* left, .* afterwards/u);
  });

  it("lets people choose who can watch it, and the language of the captions", async () => {
    const form = await open({ video: film(), captions: srt });
    const question = await submit(form, { title: "Chosen" });
    const unlisted = await choose(question, ["unlisted"]);
    const japanese = await choose(unlisted, ["ja"]);
    const done = await click(japanese, "Upload");

    expect(textOf(question)).toContain("Captions\nEnglish");
    expect(textOf(unlisted)).toContain("Who can watch it\nUnlisted");
    expect(textOf(done)).toContain("Captions: Japanese");
    expect((await newest())?.status?.privacyStatus).toBe("unlisted");
  });

  it("leads back to the form with everything in it, and asks again", async () => {
    const first = await submit(await open(), { title: "Before", video: film(), thumbnail: large });
    const form = await clickForm(first, "Change details");
    const second = await submit(form, {
      title: "After",
      tags: "one、two；one",
      publish: "in 3 days",
      captions: srt,
    });
    await click(second, "Upload");

    expect(second.id).toBe(first.id);
    expect(namesOf(form)).toEqual(["title", "description", "publish", "tags", "captions"]);
    expect(JSON.stringify(form)).toContain("Before");
    expect(textOf(second)).toContain("Thumbnail\npicture.jpeg");
    const { snippet, status } = (await newest()) ?? {};
    expect(snippet).toMatchObject({ title: "After", tags: ["one", "two"] });
    expect(status?.publishAt).toBeDefined();
  });
});

describe("captions that are not in UTF-8", () => {
  it("are converted, as the question says, and read again in another language", async () => {
    const head = Buffer.from("1\n00:00:01,000 --> 00:00:02,500\n");
    // A greeting in GBK, whose bytes could just as well be Korean.
    const data = Buffer.concat([head, Buffer.from("c4e3bac3", "hex")]);
    const form = await open({ video: film() });

    const question = await submit(form, { title: "Old", captions: { ...srt, data } });
    const chinese = await choose(question, ["zh-CN"]);
    const done = await click(chinese, "Upload");

    expectText(question, "Text encoding", "Perhaps EUC-KR", "Is this line right?");
    expectText(chinese, "GB18030; will be sent as UTF-8", "你好");
    expect(textOf(done)).toContain("Captions: Chinese");
  });
});

describe("a file that is refused", () => {
  it("leads to a form that takes another thumbnail", async () => {
    const form = await open({ video: film() });
    const refusal = await submit(form, { title: "Second", thumbnail: small });
    const again = await clickForm(refusal, "Back to the form");
    const question = await submit(again, { thumbnail: large });

    expect(textOf(refusal)).toContain("too small");
    expect(namesOf(again)).toContain("thumbnail");
    expect(JSON.stringify(again)).toContain("Second");
    expect(textOf(question)).toContain("Thumbnail\npicture.jpeg");
  });

  it("goes on without a thumbnail if the field is left empty, and says so in the form", async () => {
    const form = await open({ video: film() });
    const refusal = await submit(form, { title: "Without", thumbnail: small });
    const again = await clickForm(refusal, "Back to the form");
    const before = stored("thumbnails.set").length;
    const done = await click(await submit(again, {}), "Upload");

    expect(fieldOf(again, "thumbnail")).toMatchObject({
      description: "Choose another picture, or leave this empty to continue without a thumbnail",
      component: { required: false },
    });
    expect(textOf(done)).toContain("Video uploaded");
    expect(stored("thumbnails.set")).toHaveLength(before);
  });

  it("leads to the form also where options named everything", async () => {
    const options = { video: film(), title: "By options", thumbnail: small, privacy: "public" };
    const refusal = await run("videos upload", options);
    const again = await clickForm(refusal, "Back to the form");
    const question = await submit(again, { thumbnail: large });

    expect(isEphemeral(refusal)).toBe(true);
    expectText(question, "Upload “By options”?", "Who can watch it\nPublic");
  });

  it.each([
    ["captions", { video: film(), captions: { ...srt, data: Buffer.from("no times") } }],
    ["video", { video: { ...film(), data: Buffer.from("hello") }, captions: srt }],
  ] as const)("can be another one: %s", async (name, files) => {
    const refusal = await submit(await open(), { title: "Other", ...files });
    const again = await clickForm(refusal, "Back to the form");
    const question = await submit(again, { [name]: name === "video" ? film() : srt });

    expect(namesOf(again)).toContain(name);
    expect(textOf(question)).toContain("Upload “Other”?");
  });
});
