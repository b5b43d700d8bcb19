import { createHash } from "node:crypto";
import { type APIMessage, ComponentType } from "discord-api-types/v10";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { SandboxFile } from "../../src/sandbox/types.ts";
import { isShortVideo, type Video } from "../../src/video/index.ts";
import { asMessage, fetchBytes, isEphemeral, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

const { stage, owner, member, units } = useStage();
const { run, click, choose, submit, clickForm } = owner;

const uploads = () => stage.sandbox.video.uploads;
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What YouTube's stand-in tells everyone about the linked channel. */
async function bannerUrl(): Promise<string | undefined> {
  const { url, key, ownChannelId: id } = stage.sandbox.video;
  const query = new URLSearchParams({ part: "brandingSettings", id, key });
  const answer = (await (await fetch(`${url}/channels?${query}`)).json()) as {
    items: { brandingSettings: { image?: { bannerExternalUrl?: string } } }[];
  };
  return answer.items[0]?.brandingSettings.image?.bannerExternalUrl;
}

async function flat(
  width: number,
  height: number,
  color = "#3377aa",
  format: "jpeg" | "png" | "gif" = "jpeg",
): Promise<SandboxFile> {
  const picture = sharp({ create: { width, height, channels: 3, background: color } });
  return {
    name: `p.${format}`,
    type: `image/${format}`,
    data: await picture[format]().toBuffer(),
  };
}

async function ownVideo(at = 0): Promise<string> {
  const found = await owner.offered("branding thumbnail", "video", "");
  return String(found[at]?.value);
}

async function ask(picture: SandboxFile) {
  return run("branding banner", { picture });
}

function selectsOf({ components = [] }: APIMessage) {
  return components
    .flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
    .filter((part) => part.type === ComponentType.StringSelect);
}

function imageOf(message: APIMessage): string {
  const url = message.embeds[0]?.image?.url;
  if (url === undefined) throw new Error(`no picture is shown: ${textOf(message)}`);
  return url;
}

/** The picture to be set, as shown next to the preview of where it will appear. */
function carriedOf(message: APIMessage): string {
  const url = message.embeds[0]?.thumbnail?.url;
  if (url === undefined) throw new Error(`no picture is carried: ${textOf(message)}`);
  return url;
}

/** The colour in the middle of a picture. */
async function middleOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const start =
    (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...data.subarray(start, start + 3)];
}

async function pixelAt(bytes: Uint8Array, x: number, y: number) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
}

/** The colours at these columns of the middle row. */
async function columnsOf(bytes: Uint8Array, columns: readonly number[]) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const row = Math.floor(info.height / 2) * info.width;
  return columns.map((x) => [...data.subarray((row + x) * info.channels).subarray(0, 3)]);
}

const bounds = { maxWidth: "720", maxHeight: "720" };

const isBlue = ([red = 0, , blue = 0]: readonly number[]) => blue > red + 80;

describe("/branding banner", () => {
  it("shows what will be set, what falls away and the price, before anything is spent", async () => {
    const before = uploads().length;

    const question = await ask(await flat(3000, 3000));
    const { width, height } = await sharp(await fetchBytes(carriedOf(question))).metadata();
    const preview = await sharp(await fetchBytes(imageOf(question))).metadata();

    expect(isEphemeral(question)).toBe(true);
    expect([width, height]).toEqual([2560, 1440]);
    // A television, a computer and a phone below each other.
    expect(preview.width).toBe(1280);
    expect(preview.height).toBeGreaterThan(1000);
    expect(textOf(question)).toContain("44% of its height is cut off at the top and bottom.");
    expect(textOf(question)).toContain("This costs 101 units");
    expect(uploads()).toHaveLength(before);
  });

  it("uploads and sets the very picture that was shown", async () => {
    const question = await ask(await flat(2048, 1152, "#1122ee"));
    const shown = await fetchBytes(carriedOf(question));

    const done = await click(question, "Set banner");

    expectText(done, "Banner set", "101 units");
    expect(uploads().at(-1)).toMatchObject({
      method: "channelBanners.insert",
      hash: hashOf(shown),
    });
    expect(imageOf(done)).toBe(await bannerUrl());
    expect(isBlue(await middleOf(await fetchBytes(imageOf(done))))).toBe(true);
  });

  it("sets it once, however often the old button is pressed", async () => {
    const question = await ask(await flat(2048, 1152));
    await owner.click(question, "Set banner");
    const before = uploads().length;

    const again = await owner
      .person()
      .click(question, "Set banner")
      .then(
        (answer) => textOf(asMessage(answer)),
        (error: Error) => error.message,
      );

    expect(again).toMatch(/too old|No button/u);
    expect(uploads()).toHaveLength(before);
  });

  it("changes nothing on Cancel", async () => {
    const before = uploads().length;

    const cancelled = await click(await ask(await flat(2048, 1152)), "Cancel");

    expect(textOf(cancelled)).toContain("Nothing was changed");
    expect(uploads()).toHaveLength(before);
  });

  const bad: readonly (readonly [string, () => Promise<SandboxFile>, RegExp])[] = [
    ["a pixel", () => flat(1, 1), /too small.*1 × 1; it needs at least 2048 × 1152/su],
    ["a thread", () => flat(20_000, 10, "#000000", "png"), /wrong shape.*20000 × 10/su],
    ["less than the least", () => flat(1920, 1080), /too small.*1920 × 1080/su],
    [
      "a drawing called JPEG",
      async () => ({
        name: "a.jpg",
        type: "image/jpeg",
        data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2560" height="1440"/>'),
      }),
      /SVG/u,
    ],
    [
      "words",
      async () => ({ name: "a.png", type: "image/png", data: Buffer.from("words") }),
      /picture/u,
    ],
    [
      "nothing",
      async () => ({ name: "a.png", type: "image/png", data: new Uint8Array() }),
      /empty/u,
    ],
  ];

  it.each(bad)("refuses %s before a unit is spent", async (_, make, words) => {
    const before = units();

    const refusal = await run("branding banner", { picture: await make() });

    expect(textOf(refusal)).toMatch(words);
    expect(textOf(refusal)).not.toContain("Nothing was changed");
    expect(units()).toBe(before);
  });

  it("is not for members", async () => {
    const refusal = await member.run("branding banner", { picture: await flat(2048, 1152) });

    expect(textOf(refusal)).toContain("You don’t have permission for this");
  });

  it("speaks German", async () => {
    owner.speak("de");
    const question = await ask(await flat(3200, 1152));

    expect(textOf(question)).toContain("Dieses Banner festlegen?");
    expect(textOf(question)).toMatch(/An den Seiten werden 36\s%\sder Breite abgeschnitten\./u);
  });
});

describe("/branding thumbnail", () => {
  const question = async (picture: SandboxFile, video?: string) =>
    run("branding thumbnail", { video: video ?? (await ownVideo()), picture });
  const sizeOf = async (message: APIMessage) => {
    const { width, height } = await sharp(await fetchBytes(imageOf(message))).metadata();
    return [width, height];
  };
  const framesIn = (message: APIMessage) =>
    selectsOf(message).map(({ options }) =>
      options.map(({ label, default: isChosen }) => `${isChosen === true ? "*" : ""}${label}`),
    );

  it("keeps the whole picture with black bars, and sets the very bytes that were shown", async () => {
    const before = uploads().length;

    const shown = await question(await flat(1200, 1200, "#0000ff", "png"));
    const bytes = await fetchBytes(imageOf(shown));
    const sentBefore = uploads().length;
    const done = await click(shown, "Set thumbnail");

    expectPrivate(shown, "Black bars at the sides fill 44% of its width.");
    expectText(shown, "It replaces the current thumbnail.", "This costs 50 units");
    expect(framesIn(shown)).toEqual([["*With bars", "Cropped"]]);
    expect(await sizeOf(shown)).toEqual([1280, 720]);
    expect(await columnsOf(bytes, [10, 270, 290, 640, 990, 1010, 1270])).toEqual(
      [..."kkbbbkk"].map((letter) => (letter === "k" ? [0, 0, 0] : [0, 0, 255])),
    );
    expect(sentBefore).toBe(before);
    expect(textOf(done)).toContain("Thumbnail set");
    expect(isBlue(await middleOf(await fetchBytes(imageOf(done))))).toBe(true);
    expect(uploads().at(-1)).toMatchObject({ method: "thumbnails.set", hash: hashOf(bytes) });
  });

  it("crops when that is chosen, and goes back to bars", async () => {
    const first = await question(await flat(1200, 1200, "#0000ff"));
    const units = stage.sandbox.video.quota.spent("units");

    const cropped = await choose(first, ["Cropped"]);
    const croppedSize = await sizeOf(cropped);
    const bytes = await fetchBytes(imageOf(cropped));
    const again = await choose(cropped, ["With bars"]);
    const barredSize = await sizeOf(again);
    const last = await choose(again, ["Cropped"]);
    const spent = stage.sandbox.video.quota.spent("units") - units;
    await owner.click(last, "Set thumbnail");

    expect(textOf(cropped)).toContain("44% of its height is cut off at the top and bottom.");
    expect(textOf(cropped)).not.toContain("bars at");
    expect(framesIn(cropped)).toEqual([["With bars", "*Cropped"]]);
    expect(croppedSize).toEqual([1200, 675]);
    expect(barredSize).toEqual([1280, 720]);
    expect(spent).toBe(0);
    expect(uploads().at(-1)).toMatchObject({ method: "thumbnails.set", hash: hashOf(bytes) });
  });

  it.each([
    ["as it is", 1280, 720],
    ["smaller", 2560, 1440],
    ["with a pixel of rounding", 1366, 768],
  ])("offers no choice where the shape is right: %s", async (_, width, height) => {
    const shown = await question(await flat(width, height));

    expect(selectsOf(shown)).toEqual([]);
    expect(textOf(shown)).not.toMatch(/bars|cut off/u);
  });

  it("offers no crop that would be too small for a thumbnail", async () => {
    const shown = await question(await flat(600, 600));

    expect(selectsOf(shown)).toEqual([]);
    expect(textOf(shown)).toContain("Black bars at the sides");
    expect(await sizeOf(shown)).toEqual([1067, 600]);
  });

  it("leaves an upright picture upright for a Short", async () => {
    const short = await ownShort();
    const picture = await flat(1080, 1920, "#0000ff");

    const shown = await question(picture, short);
    const bytes = await fetchBytes(imageOf(shown));
    const wide = await choose(shown, ["With bars"]);
    await owner.click(await question(picture, short), "Set thumbnail");

    expect(framesIn(shown)).toEqual([["*Upright, as a Short is", "With bars", "Cropped"]]);
    expect(await sizeOf(shown)).toEqual([1080, 1920]);
    expect(await sizeOf(wide)).toEqual([1280, 720]);
    expect(uploads().at(-1)).toMatchObject({ method: "thumbnails.set", hash: hashOf(bytes) });
  });

  it("lays a wide picture for a Short, and an upright one for any other video, into 16:9", async () => {
    const forShort = await question(await flat(1200, 900), await ownShort());
    const forOther = await question(await flat(900, 1600));

    expect(framesIn(forShort)).toEqual([["*With bars", "Cropped"]]);
    expect(framesIn(forOther)).toEqual([["*With bars", "Cropped"]]);
    expect(await sizeOf(forOther)).toEqual([1280, 720]);
  });

  it.each([
    ["de", "Mit Balken", /Schwarze Balken an den Seiten füllen 44\s%/u],
    ["es-ES", "Con franjas", /franjas negras a los lados ocupan el 44\s%/u],
    ["fr", "Avec des bandes", /bandes noires sur les côtés occupent 44\s%/u],
    ["ja", "黒い帯を付ける", /左右の黒い帯が幅の44%/u],
  ] as const)("speaks %s", async (language, label, words) => {
    const video = await ownVideo();
    const picture = await flat(700, 700);
    owner.speak(language);
    const shown = await run("branding thumbnail", { video, picture });

    expect(textOf(shown)).toMatch(words);
    expect(framesIn(shown)[0]?.[0]).toBe(`*${label}`);
  });

  it("refuses another channel's video for one unit", async () => {
    const before = uploads().length;
    const video = await foreignVideo();

    const refusal = await run("branding thumbnail", { video, picture: await flat(640, 360) });

    expect(textOf(refusal)).toContain("another channel");
    expect(uploads()).toHaveLength(before);
  });

  it("takes a picture in a form from a video's card", async () => {
    const video = await ownVideo(1);
    const shown = await run("videos show", { video });

    const form = await clickForm(shown, "Thumbnail");
    const question = await submit(form, { picture: await flat(640, 360, "#0000ff") });
    const done = await click(question, "Set thumbnail");

    expect(textOf(done)).toContain("Thumbnail set");
    expect(isBlue(await middleOf(await fetchBytes(imageOf(done))))).toBe(true);
  });

  it("takes another picture in the form when the first one is too small", async () => {
    const shown = await run("videos show", { video: await ownVideo(1) });
    const form = await clickForm(shown, "Thumbnail");
    const refusal = await submit(form, { picture: await flat(320, 180) });

    const again = await clickForm(refusal, "Back to the form");
    const question = await submit(again, { picture: await flat(640, 360) });

    expect(textOf(refusal)).toContain("too small");
    expect(textOf(question)).toContain("Set thumbnail");
  });

  /** A video of the channel's own that is short and taller than wide, read as the public sees it. */
  async function ownShort(): Promise<string> {
    const { url, key } = stage.sandbox.video;
    const found = await owner.offered("branding thumbnail", "video", "");
    const id = found.map(({ value }) => value).join(",");
    const query = new URLSearchParams({ part: "contentDetails,player", id, key, ...bounds });
    const answer = (await (await fetch(`${url}/videos?${query}`)).json()) as { items: Video[] };
    const short = answer.items.find(isShortVideo);
    if (short?.id === undefined) throw new Error("the channel has no Short");
    return short.id;
  }

  async function foreignVideo() {
    const { url, key, ownChannelId } = stage.sandbox.video;
    const other = [...stage.sandbox.video.channels.keys()].find((id) => id !== ownChannelId);
    const query = new URLSearchParams({
      part: "snippet",
      type: "video",
      channelId: `${other}`,
      key,
    });
    const answer = (await (await fetch(`${url}/search?${query}`)).json()) as {
      items: { id: { videoId: string } }[];
    };
    return `${answer.items[0]?.id.videoId}`;
  }
});

describe("/branding watermark", () => {
  it.each([
    [{}, "It is shown during the whole video."],
    [{ duration: "10s" }, "It appears at the start and stays for 10 seconds."],
    [
      { when: "offsetFromStart", offset: "1:30" },
      "It appears 1 minute 30 seconds after the start and stays to the end.",
    ],
    [
      { when: "offsetFromEnd", duration: "15" },
      "It appears 15 seconds before the end and stays for 15 seconds.",
    ],
  ])(
    "is shown on a video with the timing %j, and set after the question",
    async (timing, words) => {
      const before = uploads().length;
      const question = await run("branding watermark", {
        picture: await flat(300, 200, "#0000ff", "png"),
        ...timing,
      });
      const carried = await fetchBytes(carriedOf(question));
      const { width, height } = await sharp(carried).metadata();
      const preview = await fetchBytes(imageOf(question));
      const asked = uploads().length;
      const done = await click(question, "Set watermark");

      expectText(question, words, "This costs 50 units");
      expect([width, height]).toEqual([300, 300]);
      expect(isBlue(await pixelAt(preview, 1280 - 32 - 36, 720 - 64 - 36))).toBe(true);
      expect(asked).toBe(before);
      expect(textOf(done)).toContain(words);
      expect(uploads().at(-1)).toMatchObject({ method: "watermarks.set", hash: hashOf(carried) });
    },
  );

  it.each([
    [{ when: "whole", duration: "10s" }, /neither/u],
    [{ when: "offsetFromEnd" }, /how long before the end/u],
    [{ duration: "0s" }, /longer/u],
    [{ offset: "99999999h" }, /up to 12 hours/u],
    [{ duration: "soon" }, /length of time|90s/u],
  ])("refuses the timing %j before a unit is spent", async (timing, words) => {
    const before = units();

    const refusal = await run("branding watermark", { picture: await flat(300, 300), ...timing });

    expect(textOf(refusal)).toMatch(words);
    expect(units()).toBe(before);
  });

  it("is removed after a question that says what is lost", async () => {
    const question = await run("branding remove-watermark");
    const done = await click(question, "Remove watermark");

    expectText(question, "can’t be brought back", "This costs 50 units");
    expect(textOf(done)).toContain("Watermark removed");
  });
});
