import { createHash } from "node:crypto";
import type { APIMessage } from "discord-api-types/v10";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxFile } from "../../src/sandbox/types.ts";
import {
  asForm,
  asMessage,
  fetchBytes,
  isEphemeral,
  offered,
  openStage,
  type Stage,
  textOf,
} from "../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const owner = () => stage.sandbox.user("owner");
const member = () => stage.sandbox.user("member");
const uploads = () => stage.sandbox.video.uploads;
const units = () => stage.sandbox.video.quota.spent("units");
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What the service answers everybody about the linked channel. */
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
  const found = await offered(owner(), "branding thumbnail", "video", "");
  return String(found[at]?.value);
}

async function ask(picture: SandboxFile) {
  return asMessage(await owner().command("branding banner", { picture }));
}

function imageOf(message: APIMessage): string {
  const url = message.embeds[0]?.image?.url;
  if (url === undefined) throw new Error(`no picture is shown: ${textOf(message)}`);
  return url;
}

/** How a picture's middle looks. */
async function middleOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const start =
    (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...data.subarray(start, start + 3)];
}

const isBlue = ([red = 0, , blue = 0]: readonly number[]) => blue > red + 80;

describe("/branding banner", () => {
  it("shows what will be set, what falls away and the price, before anything is spent", async () => {
    const before = uploads().length;

    const question = await ask(await flat(3000, 3000));
    const { width, height } = await sharp(await fetchBytes(imageOf(question))).metadata();

    expect(isEphemeral(question)).toBe(true);
    expect([width, height]).toEqual([2560, 1440]);
    expect(textOf(question)).toContain("44% of its height is cut off at the top and bottom.");
    expect(textOf(question)).toContain("This costs 101 units");
    expect(uploads()).toHaveLength(before);
  });

  it("uploads and sets the very picture that was shown", async () => {
    const question = await ask(await flat(2600, 1463, "#1122ee"));
    const shown = await fetchBytes(imageOf(question));

    const done = asMessage(await owner().click(question, "Set banner"));

    expect(textOf(done)).toContain("The banner is set");
    expect(textOf(done)).toContain("101 units");
    expect(uploads().at(-1)).toMatchObject({
      method: "channelBanners.insert",
      hash: hashOf(shown),
    });
    expect(imageOf(done)).toBe(await bannerUrl());
    expect(isBlue(await middleOf(await fetchBytes(imageOf(done))))).toBe(true);
  });

  it("sets it once, however often the old button is pressed", async () => {
    const question = await ask(await flat(2560, 1440));
    await owner().click(question, "Set banner");
    const before = uploads().length;

    const again = await owner()
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

    const cancelled = asMessage(await owner().click(await ask(await flat(2560, 1440)), "Cancel"));

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

    const refusal = asMessage(await owner().command("branding banner", { picture: await make() }));

    expect(textOf(refusal)).toMatch(words);
    expect(textOf(refusal)).toContain("Nothing was changed");
    expect(units()).toBe(before);
  });

  it("is not for members", async () => {
    const refusal = asMessage(
      await member().command("branding banner", { picture: await flat(2560, 1440) }),
    );

    expect(textOf(refusal)).toContain("You may not do that here");
  });

  it("speaks German", async () => {
    owner().speak("de");
    const question = await ask(await flat(4000, 1440));
    owner().speak("en-US");

    expect(textOf(question)).toContain("Dieses Banner festlegen?");
    expect(textOf(question)).toMatch(/An den Seiten werden 36\s%\sder Breite abgeschnitten\./u);
  });
});

describe("/branding thumbnail", () => {
  it("fits the picture and the service serves it", async () => {
    const video = await ownVideo();

    const done = asMessage(
      await owner().command("branding thumbnail", {
        video,
        picture: await flat(1600, 1200, "#0000ff"),
      }),
    );

    expect(textOf(done)).toContain("The thumbnail is set");
    expect(textOf(done)).toContain("25% of its height is cut off at the top and bottom.");
    expect(isBlue(await middleOf(await fetchBytes(imageOf(done))))).toBe(true);
    const sent = uploads().at(-1);
    expect(sent?.method).toBe("thumbnails.set");
  });

  it("refuses another channel's video for one unit", async () => {
    const before = uploads().length;
    const video = await foreignVideo();

    const refusal = asMessage(
      await owner().command("branding thumbnail", { video, picture: await flat(1280, 720) }),
    );

    expect(textOf(refusal)).toContain("another channel");
    expect(uploads()).toHaveLength(before);
  });

  it("takes a picture in a form from a video's card", async () => {
    const video = await ownVideo(1);
    const shown = asMessage(await owner().command("videos show", { video }));

    const form = asForm(await owner().click(shown, "Thumbnail"));
    const done = asMessage(
      await owner().submit(form, { picture: await flat(1280, 720, "#0000ff") }),
    );

    expect(textOf(done)).toContain("The thumbnail is set");
    expect(isBlue(await middleOf(await fetchBytes(imageOf(done))))).toBe(true);
  });

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
  ])("is set with the timing %j", async (timing, words) => {
    const done = asMessage(
      await owner().command("branding watermark", {
        picture: await flat(300, 200, "#0000ff", "png"),
        ...timing,
      }),
    );
    const [file] = done.attachments;
    const { width, height } = await sharp(await fetchBytes(file?.url ?? "")).metadata();

    expect(textOf(done)).toContain(words);
    expect([width, height]).toEqual([300, 300]);
    expect(uploads().at(-1)?.method).toBe("watermarks.set");
  });

  it.each([
    [{ when: "whole", duration: "10s" }, /neither/u],
    [{ when: "offsetFromEnd" }, /how long before the end/u],
    [{ duration: "0s" }, /longer/u],
    [{ offset: "99999999h" }, /up to 12 hours/u],
    [{ duration: "soon" }, /length of time|90s/u],
  ])("refuses the timing %j before a unit is spent", async (timing, words) => {
    const before = units();

    const refusal = asMessage(
      await owner().command("branding watermark", { picture: await flat(300, 300), ...timing }),
    );

    expect(textOf(refusal)).toMatch(words);
    expect(units()).toBe(before);
  });

  it("is removed after a question that says what is lost", async () => {
    const question = asMessage(await owner().command("branding remove-watermark"));
    const done = asMessage(await owner().click(question, "Remove watermark"));

    expect(textOf(question)).toContain("can’t be brought back");
    expect(textOf(question)).toContain("This costs 50 units");
    expect(textOf(done)).toContain("The watermark was removed");
  });
});

describe("the wire", () => {
  it("keeps to Discord's specification", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});
