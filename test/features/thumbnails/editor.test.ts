import type { APIMessage } from "discord-api-types/v10";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Person, SandboxFile } from "../../../src/sandbox/types.ts";
import {
  asForm,
  asMessage,
  fetchBytes,
  isEphemeral,
  offered,
  openStage,
  photo,
  type Stage,
  textOf,
} from "../../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const owner = () => stage.sandbox.user("owner");
const member = () => stage.sandbox.user("member");
const units = () => stage.sandbox.video.quota.spent("units");
const uploads = () => stage.sandbox.video.uploads;

/** A subject that is already cut out: a disc on transparency. */
async function disc(name = "disc.png"): Promise<SandboxFile> {
  const side = 240;
  const data = Buffer.alloc(side * side * 4);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (Math.hypot(x - side / 2, y - side / 2) < 100)
        data.fill(255, (y * side + x) * 4, (y * side + x) * 4 + 4);
    }
  }
  const png = await sharp(data, { raw: { width: side, height: side, channels: 4 } })
    .png()
    .toBuffer();
  return { name, type: "image/png", data: png };
}

type Options = Readonly<Record<string, string | SandboxFile>>;

async function make(person: Person, options: Options = {}) {
  return asMessage(
    await person.command("background thumbnail", { image: await disc(), ...options }),
  );
}

function imageOf(message: APIMessage): string {
  const url = message.embeds[0]?.image?.url;
  if (url === undefined) throw new Error(`no picture is shown: ${textOf(message)}`);
  return url;
}

async function seen(message: APIMessage) {
  const bytes = await fetchBytes(imageOf(message));
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return [...data.subarray(at, at + 3)] as [number, number, number];
  };
  const shares = (color: readonly number[]) => {
    let found = 0;
    for (let i = 0; i < data.length; i += 3) {
      if (color.every((sample, c) => Math.abs((data[i + c] ?? 0) - sample) < 30)) found++;
    }
    return found / (data.length / 3);
  };
  return { bytes, info, pixel, shares };
}

const isLight = (rgb: readonly number[]) => rgb.every((sample) => sample > 230);
const isBlue = ([red = 0, , blue = 0]: readonly number[]) => blue > red + 80;

describe("/background thumbnail", () => {
  it("makes a thumbnail from a cut-out without a credit or a unit, and says so", async () => {
    const before = units();

    const editor = await make(member(), { title: "Hello ქ", background: "blue" });
    const { info, pixel, shares } = await seen(editor);

    expect(isEphemeral(editor)).toBe(true);
    expect([info.width, info.height]).toEqual([1280, 720]);
    expect(isBlue(pixel(0.02, 0.02))).toBe(true);
    expect(isLight(pixel(0.75, 0.5))).toBe(true);
    expect(shares([255, 255, 255])).toBeGreaterThan(0.15);
    expect(textOf(editor)).toContain("no credit used");
    expect(textOf(editor)).toContain("Left out, because the font has no such character: ქ");
    expect(textOf(editor)).toMatch(/^1280 × 720 · JPG · [\d.]+ kB$/mu);
    expect(units()).toBe(before);
  });

  it("refuses a title that no font can write before a credit is spent, and writes the others", async () => {
    const photo = await sharp({
      create: { width: 400, height: 300, channels: 3, background: "#aa8844" },
    })
      .jpeg()
      .toBuffer();
    const image = { name: "photo.jpg", type: "image/jpeg", data: photo };

    const refused = await make(member(), { image, title: "ქართული 한국" });

    expect(textOf(refused)).toContain("This title can’t be drawn");
    expect(textOf(refused)).toContain("ქ ა რ თ უ ლ ი");
    expect(textOf(refused)).not.toContain("한");
  });

  it("sends a transparent picture only when someone pays anyway", async () => {
    const editor = await make(member(), { background: "blue" });

    const paid = asMessage(await member().click(editor, "Remove anyway (up to 0.25 credits)"));

    expect(textOf(paid)).toMatch(/0\.25 credits · 1280 × 720/u);
    expect(isBlue((await seen(paid)).pixel(0.02, 0.02))).toBe(true);
  });

  it("cuts a photo out first, and says what it cost", async () => {
    const editor = await make(member(), { image: await photo("coffee"), subject: "left" });

    expect(textOf(editor)).toMatch(/0\.25 credits · 1280 × 720/u);
    expect(textOf(editor)).not.toContain("cost nothing");
  });

  it("puts it on a picture", async () => {
    const sky = await sharp({
      create: { width: 64, height: 36, channels: 3, background: "#2040ff" },
    })
      .jpeg()
      .toBuffer();
    const picture = { name: "sky.jpg", type: "image/jpeg", data: sky };

    const { pixel } = await seen(await make(member(), { picture }));

    expect(isBlue(pixel(0.02, 0.02))).toBe(true);
  });

  const bad: readonly (readonly [string, () => Promise<Options>, RegExp])[] = [
    [
      "a background that shows nothing",
      async () => ({ background: "transparent" }),
      /Invalid thumbnail background/u,
    ],
    [
      "a background that is none",
      async () => ({ background: "soon" }),
      /Background not understood/u,
    ],
    [
      "two backgrounds",
      async () => ({ background: "red", picture: await disc() }),
      /Choose only one: a color or a picture/u,
    ],
    [
      "words for a picture",
      async () => ({ image: { name: "a.png", type: "image/png", data: Buffer.from("words") } }),
      /text/u,
    ],
    [
      "a broken picture behind it",
      async () => ({
        picture: { name: "b.png", type: "image/png", data: (await disc()).data.subarray(0, 99) },
      }),
      /cut off|incomplete|damaged/iu,
    ],
  ];

  it.each(bad)("refuses %s before anything is paid for", async (_, options, words) => {
    const image = await photo("cat");

    const refusal = await make(member(), { image, ...(await options()) });

    expect(textOf(refusal)).toMatch(words);
    expect(textOf(refusal)).not.toContain("nothing was charged");
  });

  it("suggests backgrounds in the person's language and takes them", async () => {
    member().speak("de");
    const found = await offered(member(), "background thumbnail", "background", "sonne");
    const editor = await make(member(), { background: "Sonnenuntergang", title: "Größer" });
    member().speak("en-US");

    expect(found).toEqual([{ name: "Sonnenuntergang", value: "sunset" }]);
    expect(textOf(editor)).toContain("Dein Thumbnail");
    expect(textOf(editor)).toContain("kein Credit verbraucht");
    const [red = 0, , blue = 255] = (await seen(editor)).pixel(0.02, 0.02);
    expect(red).toBeGreaterThan(blue + 100);
  });
});

describe("the editor", () => {
  it("draws the thumbnail again with every change, and keeps earlier changes", async () => {
    const first = await make(member(), { title: "Words" });
    const red = asMessage(await member().choose(first, ["Red"]));
    const left = asMessage(await member().choose(red, ["Subject on the left"]));
    const bare = asMessage(await member().choose(left, ["No outline or shadow"]));
    const { pixel } = await seen(bare);

    expect(isLight(pixel(0.25, 0.5))).toBe(true);
    expect(pixel(0.98, 0.98)[0]).toBeGreaterThan(200);
    expect(bare.id).toBe(first.id);
  });

  it("offers four styles at once, and goes on in the chosen one", async () => {
    const first = await make(member(), { title: "Wow" });
    const styles = asMessage(await member().click(first, "4 styles…"));
    const sheet = await seen(styles);
    const chosen = asMessage(await member().click(styles, "2 · Neon"));
    const again = asMessage(await member().click(chosen, "4 styles…"));
    const back = asMessage(await member().click(again, "Back"));

    expect(textOf(styles)).toContain("Choose a style");
    expect(JSON.stringify(styles.components).match(/"label":"\d · /gu)).toHaveLength(4);
    expect(sheet.info.width).toBeGreaterThan(1_200);
    expect((await seen(chosen)).info.width).toBe(1280);
    expect(textOf(chosen)).toContain("Neon");
    expect(textOf(back)).toContain("Your thumbnail");
  });

  it("moves and enlarges the subject in steps, within limits", async () => {
    let shown = await make(member());
    for (let step = 0; step < 8; step += 1) {
      shown = asMessage(await member().choose(shown, ["Larger"]));
    }
    const large = (await seen(shown)).pixel(0.75, 0.05);
    shown = asMessage(await member().choose(shown, ["Subject on the right"]));
    const usual = (await seen(shown)).pixel(0.75, 0.05);

    expect(large).not.toEqual(usual);
  });

  it("highlights the word between stars, and aligns the title", async () => {
    const first = await make(member(), { background: "black" });
    const form = asForm(await member().click(first, "Add title…"));
    const written = asMessage(
      await member().submit(form, { title: "so *big*", highlight: "Red", align: "Left" }),
    );
    const plain = asMessage(
      await member().submit(asForm(await member().click(written, "Change title…")), {
        title: "so *big*",
        highlight: "No highlighted word",
      }),
    );

    const red = [0xe5, 0x39, 0x35] as const;
    expect((await seen(written)).shares(red)).toBeGreaterThan(0.005);
    expect((await seen(plain)).shares(red)).toBeLessThan(0.001);
  });

  it("writes what is typed in the colour that is chosen, and takes it away again", async () => {
    const first = await make(member(), { background: "black" });
    const form = asForm(await member().click(first, "Add title…"));
    const written = asMessage(
      await member().submit(form, { title: "<b>Wow</b> & so", color: "Yellow" }),
    );
    const again = asForm(await member().click(written, "Change title…"));
    const bare = asMessage(await member().submit(again, { title: "   ", color: "Automatic" }));

    expect((await seen(written)).shares([0xfd, 0xd8, 0x35])).toBeGreaterThan(0.03);
    expect((await seen(bare)).shares([0xfd, 0xd8, 0x35])).toBe(0);
    expect(JSON.stringify(again)).toContain("<b>Wow</b> & so");
    expect(textOf(bare)).toContain("Add title…");
  });

  it("accepts the person's own background, as a picture or in words", async () => {
    const first = await make(member());
    const form = asForm(await member().click(first, "Custom background…"));
    const sky = await sharp({
      create: { width: 640, height: 360, channels: 3, background: "#2040ff" },
    })
      .png()
      .toBuffer();
    const picture = { name: "sky.png", type: "image/png", data: sky };
    const onSky = asMessage(await member().submit(form, { picture }));
    const moved = asMessage(await member().choose(onSky, ["Subject in the middle"]));
    const words = asForm(await member().click(moved, "Custom background…"));
    const onPink = asMessage(await member().submit(words, { color: "#ff00ff" }));

    expect(isBlue((await seen(moved)).pixel(0.02, 0.02))).toBe(true);
    expect(textOf(moved)).toContain("Your picture");
    const [red, green, blue] = (await seen(onPink)).pixel(0.02, 0.02);
    expect([red > 230, green < 40, blue > 230]).toEqual([true, true, true]);
    expect(textOf(onPink)).toContain("Your color");
  });

  it("refuses a background it can't read and offers the form again", async () => {
    const form = asForm(await member().click(await make(member()), "Custom background…"));
    const refusal = asMessage(await member().submit(form, { color: "blur" }));

    expect(textOf(refusal)).toContain("Invalid thumbnail background");
    expect(textOf(refusal)).toContain("Back to the form");
  });

  it("lets everybody have the file", async () => {
    const editor = await make(member(), { image: await disc("my disc.png") });
    const answer = asMessage(await member().click(editor, "Download"));
    const [file] = answer.attachments;

    expect(file?.filename).toBe("my-disc-thumbnail.jpg");
    const bytes = await fetchBytes(file?.url ?? "");
    expect(bytes.equals((await seen(editor)).bytes)).toBe(true);
  });

  it("offers members nothing to set", async () => {
    const text = textOf(await make(member()));

    expect(text).not.toContain("Another video");
    expect(text).not.toContain("Studio tour");
  });
});

describe("a cut-out's result", () => {
  it("becomes a video's thumbnail after a question with its price", async () => {
    const result = asMessage(
      await owner().command("background remove", { image: await photo("cat") }),
    );
    const [video] = await offered(owner(), "branding thumbnail", "video", "Studio");

    const editor = asMessage(await owner().click(result, "Use as thumbnail"));
    const blue = asMessage(await owner().choose(editor, ["Blue"]));
    const question = asMessage(await owner().choose(blue, [String(video?.value)]));
    const before = uploads().length;
    const shown = await seen(question);
    const done = asMessage(await owner().click(question, "Set thumbnail"));

    expect(isEphemeral(editor)).toBe(true);
    expect(isBlue(shown.pixel(0.02, 0.02))).toBe(true);
    expect(shown.bytes.equals((await seen(blue)).bytes)).toBe(true);
    expect(textOf(question)).toContain("It replaces the current thumbnail.");
    expect(textOf(question)).toContain("This costs 50 units");
    expect(textOf(done)).toContain("Thumbnail set");
    expect(
      uploads()
        .slice(before)
        .map(({ method }) => method),
    ).toEqual(["thumbnails.set"]);
  });

  // The test before wrote something, so the list of videos is no longer cached.
  it("can still be made when the videos can't be read", async () => {
    stage.sandbox.video.faults.add({ kind: "answer", status: 403, path: /playlistItems/u });
    const editor = await make(owner());
    stage.sandbox.video.faults.clear();

    expect(textOf(editor)).toContain("Another video…");
    expect(textOf(editor)).not.toContain("Studio tour");
  });

  it("takes a video's link as well, and refuses what is none", async () => {
    const editor = await make(owner());
    const form = asForm(await owner().click(editor, "Another video…"));
    const refusal = asMessage(await owner().submit(form, { video: "https://example.org/watch" }));
    const again = asForm(await owner().click(editor, "Another video…"));
    const [video] = await offered(owner(), "branding thumbnail", "video", "");
    const question = asMessage(
      await owner().submit(again, { video: `https://youtu.be/${video?.value}` }),
    );

    expect(textOf(refusal)).toMatch(/video/iu);
    expect(textOf(question)).toContain("Use this picture as the thumbnail of");
  });
});

describe("the wire", () => {
  it("keeps to Discord's specification", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});
