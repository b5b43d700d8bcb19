import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxFile } from "../../src/sandbox/types.ts";
import {
  asMessage,
  fetchBytes,
  isEphemeral,
  openStage,
  photo,
  type Stage,
  textOf,
} from "../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const member = () => stage.sandbox.user("member");
const removal = async (image: SandboxFile, options: Readonly<Record<string, string>> = {}) =>
  asMessage(await member().command("background remove", { image, ...options }));

async function result(message: Awaited<ReturnType<typeof removal>>, at = 0) {
  const attachment = message.attachments[at];
  if (attachment === undefined) throw new Error(`no file came: ${textOf(message)}`);
  const bytes = await fetchBytes(attachment.url);
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => {
    const start =
      (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(start, start + info.channels)];
  };
  return { name: attachment.filename, bytes, info, pixel };
}

describe("/background remove", () => {
  it("gives the picture back as a PNG whose background is gone", async () => {
    const message = await removal(await photo("cat"));
    const { name, info, pixel } = await result(message);

    expect(name).toBe("cat-cutout.png");
    expect(info.channels).toBe(4);
    expect(pixel(0.5, 0.5)[3]).toBe(255);
    expect(pixel(0.01, 0.01)).toEqual([0, 0, 0, 0]);
    expect(isEphemeral(message)).toBe(false);
    expect(textOf(message)).toMatch(/credits? · \d+×\d+ · PNG/u);
  });

  it("makes a WebP when asked", async () => {
    const { bytes, name } = await result(await removal(await photo("cat"), { format: "webp" }));

    expect(name).toBe("cat-cutout.webp");
    expect((await sharp(bytes).metadata()).format).toBe("webp");
  });

  it("makes a JPG on the colour that is named", async () => {
    const { bytes, pixel } = await result(await removal(await photo("cat"), { color: "#ff0000" }));
    const [red = 0, green = 0, blue = 0] = pixel(0.01, 0.01);

    expect((await sharp(bytes).metadata()).format).toBe("jpeg");
    expect(red).toBeGreaterThan(245);
    expect(green + blue).toBeLessThan(16);
  });

  it("turns a picture upright and leaves no EXIF in it", async () => {
    const { data } = await photo("cat");
    const rotated = await sharp(data)
      .withExif({ IFD0: { Copyright: "canary-in-exif" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { width, height } = await sharp(data).metadata();

    const { bytes, info } = await result(
      await removal({ name: "phone photo.JPG", type: "image/jpeg", data: rotated }),
    );

    expect([info.width, info.height]).toEqual([height, width]);
    expect(bytes.includes("canary-in-exif")).toBe(false);
  });
});

describe("/background remove in German", () => {
  it("says what came out, what it cost, and what was wrong", async () => {
    member().speak("de");
    const done = await removal(await photo("cat"));
    const refusal = await removal({ name: "a.png", type: "image/png", data: new Uint8Array() });
    member().speak("en-US");

    expect(textOf(done)).toContain("Hintergrund entfernt");
    expect(textOf(done)).toMatch(/Credits? · \d+×\d+ · PNG/u);
    expect(textOf(refusal)).toContain("Die Datei ist leer");
  });
});

describe("/background remove refuses, without a credit and in private,", () => {
  const plain = sharp({ create: { width: 40, height: 30, channels: 3, background: "#999" } });

  const cases: readonly (readonly [string, () => Promise<Uint8Array>, RegExp])[] = [
    ["an empty file", async () => new Uint8Array(), /empty/iu],
    ["text", async () => Buffer.from("just some words"), /isn’t a picture/iu],
    ["an SVG", async () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), /SVG/u],
    ["a GIF", () => plain.clone().gif().toBuffer(), /GIF/u],
    [
      "a truncated JPEG",
      async () => (await photo("cat")).data.subarray(0, 20_000),
      /cut off|incomplete/iu,
    ],
    [
      "a picture without anything in it",
      () => plain.clone().jpeg().toBuffer(),
      /Nothing to cut out/iu,
    ],
  ];

  it.each(cases)("%s", async (_, make, words) => {
    const before = await creditsLeft();

    const message = await removal({ name: "photo.jpg", type: "image/jpeg", data: await make() });

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).toMatch(words);
    expect(textOf(message)).toContain("nothing was charged");
    expect(await creditsLeft()).toBe(before);
  });

  it("an animated picture", async () => {
    const twoShades = Buffer.alloc(40 * 60 * 3, 99).fill(200, 40 * 30 * 3);
    const frames = await sharp(twoShades, {
      raw: { width: 40, height: 60, channels: 3, pageHeight: 30 },
    })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();

    const message = await removal({ name: "a.webp", type: "image/webp", data: frames });

    expect(textOf(message)).toMatch(/animated/iu);
  });

  it("a small file that claims 16383 by 16383 pixels", async () => {
    const bomb = await plain.clone().png().toBuffer();
    // Width and height stand 16 bytes in; the header's checksum follows its 17 bytes.
    bomb.writeUInt32BE(16_383, 16);
    bomb.writeUInt32BE(16_383, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);

    const message = await removal({ name: "bomb.png", type: "image/png", data: bomb });

    expect(textOf(message)).toMatch(/too many pixels/iu);
  });

  async function creditsLeft(): Promise<number> {
    const { url, key } = stage.sandbox.background;
    const response = await fetch(`${url}/account`, { headers: { "X-Api-Key": key } });
    const { data } = (await response.json()) as {
      data: { attributes: { credits: { total: number } } };
    };
    return data.attributes.credits.total;
  }
});

describe("the menu Remove background", () => {
  it("cuts out every picture of a message and says which did not work", async () => {
    const message = await stage.sandbox
      .user("owner")
      .say("look", [
        await photo("cat"),
        { name: "broken.png", type: "image/png", data: Buffer.from("no picture") },
        { name: "notes.txt", type: "text/plain", data: Buffer.from("words") },
        await photo("coffee"),
      ]);

    const answer = asMessage(await member().menu("Remove background", message));

    expect(answer.attachments.map(({ filename }) => filename)).toEqual([
      "cat-cutout.png",
      "coffee-cutout.png",
    ]);
    expect(textOf(answer)).toContain("2 of 3 pictures done");
    expect(textOf(answer)).toContain("broken.png");
  });

  it("says so when the message has no picture", async () => {
    const message = await stage.sandbox.user("owner").say("only words");

    const answer = asMessage(await member().menu("Remove background", message));

    expect(textOf(answer)).toContain("There is no picture in that message");
  });

  it("shows how far it is, and stops when its author cancels", async () => {
    stage.sandbox.background.faults.add({ kind: "delay", delayMs: 4000, path: /removebg/u });
    const message = await stage.sandbox
      .user("owner")
      .say("", [await photo("cat"), await photo("coffee")]);
    const running = member().menu("Remove background", message);
    const shown = await progressMessage();

    await expect(stage.sandbox.user("moderator").click(shown, "Cancel")).resolves.toBeDefined();
    await member().click(shown, "Cancel");
    const answer = asMessage(await running);
    stage.sandbox.background.faults.clear();

    expect(textOf(shown)).toContain("0 of 2 pictures");
    expect(textOf(answer)).toContain("Cancelled");
  });

  async function progressMessage() {
    for (let tries = 0; tries < 100; tries += 1) {
      const last = member().messages().at(-1);
      if (last !== undefined && textOf(last).includes("pictures\nCancel")) return last;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("no progress was shown");
  }
});

describe("a result that is lost", () => {
  it("is not asked for again by itself, and says that a credit may be gone", async () => {
    stage.sandbox.background.faults.add({ kind: "cut-after", path: /removebg/u, times: 1 });

    const message = await removal(await photo("cat"));

    expect(textOf(message)).toContain("lost on the way");
    expect(textOf(message)).toContain("not certain");
  });
});

describe("the wire", () => {
  it("keeps to Discord's specification", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});
