import { crc32 } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { OptionInput, SandboxFile } from "../../src/sandbox/types.ts";
import { asMessage, fetchBytes, isEphemeral, photo, textOf } from "../support/stage.ts";
import { expectPrivate, expectPublic, expectText, useStage } from "../support/use-stage.ts";

let cat: SandboxFile;
let coffee: SandboxFile;
let aheadMs = 0;
const { stage, owner, member, creditsLeft, moderator } = useStage({
  now: () => Date.now() + aheadMs,
});
const { run, click, choose, submit, runForm, clickForm } = member;
beforeAll(async () => {
  [cat, coffee] = await Promise.all([small("cat"), small("coffee")]);
  // More than a member may spend by default.
  await owner.run("connect budget", { rank: "member", credits: 1_000 });
});

type Message = ReturnType<typeof asMessage>;

const remove = (options: Readonly<Record<string, OptionInput>>) =>
  run("background remove", options);

/** A photo of few pixels, which is quick to process. */
async function small(name: "cat" | "coffee", width = 120): Promise<SandboxFile> {
  const { data, ...file } = await photo(name);
  return { ...file, data: await sharp(data).resize(width).jpeg().toBuffer() };
}

async function result(message: Message, at = 0) {
  const attachment = message.attachments[at];
  if (attachment === undefined) throw new Error(`no file came: ${textOf(message)}`);
  const bytes = await fetchBytes(attachment.url);
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => {
    const start =
      (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(start, start + info.channels)];
  };
  return { name: attachment.filename, bytes, format, info, pixel };
}

describe("a result of remove.bg that is no picture", () => {
  const png = async () => {
    const blank = { width: 120, height: 90, channels: 4, background: "#8888" } as const;
    return sharp({ create: blank }).png().toBuffer();
  };
  const damaged: readonly (readonly [string, () => Promise<Buffer> | Buffer])[] = [
    ["a login page", () => Buffer.from("<html><body>Log in</body></html>")],
    ["an error in JSON", () => Buffer.from('{"errors":[{"title":"Oops"}]}')],
    ["nine bytes", () => Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1")],
    ["half a PNG", async () => (await png()).subarray(0, 100)],
    ["half a ZIP", () => Buffer.from("PK\x03\x04 and so on", "latin1")],
  ];
  const answerWith = (body: Buffer, type = "image/png") =>
    stage.sandbox.background.faults.add({
      kind: "answer",
      status: 200,
      path: /removebg/u,
      body: new Uint8Array(body),
      headers: { "content-type": type, "x-credits-charged": "1" },
    });

  it.each(damaged)("is called damaged, with what it cost: %s", async (_, make) => {
    answerWith(await make());

    for (const options of [{}, { background: "white" }, { mask_only: true }, { format: "zip" }]) {
      const message = await remove({ image: cat, ...options });

      expectText(message, "The result arrived damaged", "1 credit had already been charged");
      expect(message.attachments).toEqual([]);
    }
  });

  it("says that it was charged for if the cost is unknown, and of nothing that is listed above", async () => {
    stage.sandbox.background.faults.add({
      kind: "answer",
      status: 200,
      path: /removebg/u,
      body: "<html>",
      headers: { "content-type": "image/png" },
    });

    const message = await remove({ image: cat });

    expectText(message, "It may have been charged.");
    expect(textOf(message)).not.toContain("listed above");
  });

  it.each(damaged)(
    "is called damaged where a sticker or a thumbnail is made of it: %s",
    async (_, make) => {
      answerWith(await make());

      for (const path of ["background sticker", "background thumbnail"]) {
        expectText(await run(path, { image: cat }), "The result arrived damaged", "1 credit");
      }
    },
  );

  it("does not keep the others from their results", async () => {
    stage.sandbox.background.faults.add({
      kind: "answer",
      status: 200,
      path: /removebg/u,
      body: "<html>",
      times: 1,
      headers: { "content-type": "image/png", "x-credits-charged": "1" },
    });

    const message = await remove({ image: cat, image_2: coffee });

    expectText(message, "The result arrived damaged", "Try again (up to 1 more credit)");
    expect(message.attachments).toHaveLength(1);
  });

  it("is named by its bytes", async () => {
    answerWith(await sharp(cat.data).jpeg().toBuffer());

    const { name, format } = await result(await remove({ image: cat }));

    expect([name, format]).toEqual(["cat-cutout.jpg", "jpeg"]);
  });

  it("is blamed on remove.bg if it is a web page by its type", async () => {
    answerWith(Buffer.from("<html></html>"), "text/html");

    const message = await remove({ image: cat });

    expectText(message, "remove.bg’s answer can’t be read", "Up to one credit may have been used.");
    expect(textOf(message)).not.toMatch(/YouTube|may or may not/u);
  });
});

describe("/background remove", () => {
  it("returns the picture as a PNG without its background, with a before and after", async () => {
    const message = await remove({ image: cat });
    const { name, info, format, pixel } = await result(message);

    expect(name).toBe("cat-cutout.png");
    expect(format).toBe("png");
    expect(info.channels).toBe(4);
    expect(pixel(0.5, 0.5)[3]).toBe(255);
    expect(pixel(0.01, 0.01)).toEqual([0, 0, 0, 0]);
    expectPublic(message, /0\.25 credits · \d+×\d+ · PNG/u);
    expect(message.attachments).toHaveLength(1);
    expect(message.embeds[0]?.image?.url).toContain("before-after.webp");
  });

  it("makes a WebP on request, under the chosen name", async () => {
    const message = await remove({ image: cat, format: "webp", name: "My cat!" });
    const { name, format } = await result(message);

    expect(name).toBe("My-cat.webp");
    expect(format).toBe("webp");
  });

  it.each([
    ["#ff0000", [255, 0, 0]],
    ["navy", [0, 0, 128]],
  ])("makes a JPG on %s", async (background, color) => {
    const { format, pixel } = await result(await remove({ image: cat, background }));

    expect(format).toBe("jpeg");
    for (const [at, value] of pixel(0.01, 0.01).entries()) {
      expect(Math.abs(value - (color[at] ?? 0))).toBeLessThan(10);
    }
  });

  it("lays it on a picture, on a gradient, and on its own background out of focus", async () => {
    const red = { create: { width: 9, height: 9, channels: 3, background: "#ff0000" } } as const;
    const picture = { name: "red.png", type: "", data: await sharp(red).png().toBuffer() };

    const onPicture = await result(await remove({ image: cat, background_image: picture }));
    const onGradient = await result(await remove({ image: cat, background: "white to black" }));
    const blurred = await result(await remove({ image: cat, background: "blur" }));

    expect(onPicture.pixel(0.01, 0.01)[0]).toBeGreaterThan(240);
    expect(onGradient.pixel(0.01, 0.01)[0]).toBeGreaterThan(240);
    expect(onGradient.pixel(0.99, 0.99)[0]).toBeLessThan(40);
    expect(blurred.info.channels).toBe(3);
  });

  it("follows a preset, says so, and lets options override it", async () => {
    const message = await remove({ image: cat, preset: "product", background: "transparent" });
    const { info, format } = await result(message);

    expect(textOf(message)).toContain("Preset: Product");
    expect(format).toBe("png");
    expect([info.width, info.height]).not.toEqual([120, 80]);
    expect(textOf(message)).toContain("Picture: Product");
  });

  it("gives the mask alone, and the service's own ZIP", async () => {
    const mask = await remove({ image: cat, mask_only: true });
    const zip = await remove({ image: cat, format: "zip" });
    const { pixel, name } = await result(mask);

    expect(name).toBe("cat-mask.png");
    expect(pixel(0.01, 0.01)[0]).toBe(0);
    expect(pixel(0.5, 0.5)[0]).toBe(255);
    expect(zip.attachments.map(({ filename }) => filename)).toEqual(["cat-cutout.zip"]);
    expect((await result(await click(zip, "Transparent"))).format).toBe("png");
  });

  it("hands region, crop, margin, scale and position on to the service", async () => {
    const cropped = await result(
      await remove({ image: cat, crop: true, margin: "10", region: "10% 10% 90% 100%" }),
    );
    const moved = await result(await remove({ image: cat, scale: "40", position: "top left" }));

    expect(cropped.info.width).toBeLessThan(120);
    expect(moved.pixel(0.9, 0.9)[3]).toBe(0);
  });

  it("turns a picture upright and leaves no EXIF in it", async () => {
    const rotated = await sharp(cat.data)
      .withExif({ IFD0: { Copyright: "canary-in-exif" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { width, height } = await sharp(cat.data).metadata();

    const { bytes, info } = await result(
      await remove({ image: { name: "phone photo.JPG", type: "image/jpeg", data: rotated } }),
    );

    expect([info.width, info.height]).toEqual([height, width]);
    expect(bytes.includes("canary-in-exif")).toBe(false);
  });

  it("takes the first frame of an animation, and says so", async () => {
    const still = await sharp(cat.data).resize(120).raw().toBuffer({ resolveWithObject: true });
    const { width, height } = still.info;
    const shape = { width, height: height * 2, channels: 3, pageHeight: height } as const;
    const both = Buffer.concat([still.data, Buffer.from(still.data).reverse()]);
    const gif = await sharp(both, { raw: shape }).gif().toBuffer();

    const message = await remove({ image: { name: "a.gif", type: "image/gif", data: gif } });

    expect(textOf(message)).toContain("Only the first of 2 frames was used");
    expect((await result(message)).name).toBe("a-cutout.png");
  });
});

describe("the form of /background remove", () => {
  it("takes up to ten pictures and keeps the other options", async () => {
    const form = await runForm("background remove", { format: "webp" });
    const answer = await member
      .person()
      .submit(form, { pictures: [cat, coffee], background: "blue" });
    const message = asMessage(answer);

    expect(message.attachments.map(({ filename }) => filename)).toEqual([
      "cat-cutout.webp",
      "coffee-cutout.webp",
    ]);
    expect((await result(message)).pixel(0.01, 0.01)[2]).toBeGreaterThan(200);
    expect(textOf(message)).toContain("Asked by alex");
  });

  it("is given back with what was typed when that can't be read", async () => {
    const form = await runForm("background remove", {});

    const answer = await submit(form, { pictures: [cat], background: "bluuue" });
    const again = await clickForm(answer, "Back to the form");

    expect(textOf(answer)).toContain("Background not understood");
    expect(JSON.stringify(again.components)).toContain("bluuue");
  });

  it("does not open for options that clash", async () => {
    const answer = await member.run("background remove", { margin: "10px" });

    expect(textOf(asMessage(answer))).toContain("A margin needs cropping");
  });
});

describe("several pictures", () => {
  it("come as one ZIP when wished, with an overview, and one can be taken out", async () => {
    const message = await remove({ image: cat, image_2: coffee, delivery: "zip" });
    const one = await choose(message, ["coffee.jpg"]);

    expect(message.attachments.map(({ filename }) => filename)).toEqual(["cutouts.zip"]);
    expect(message.embeds[0]?.image?.url).toContain("overview.webp");
    expect(textOf(message)).toContain("2 of 2 pictures done\n0.5 credits");
    expectPrivate(one, "No charge");
    expect(await result(one)).toMatchObject({ name: "coffee-cutout.png", info: { width: 120 } });
  });

  it("that are the same are paid for once", async () => {
    const before = await creditsLeft();

    const message = await remove({ image: cat, image_2: { ...cat, name: "twin.jpg" } });

    expect(message.attachments).toHaveLength(2);
    expect(textOf(message)).toContain("**twin.jpg** is the same file as **cat.jpg**");
    expect(before - (await creditsLeft())).toBeCloseTo(0.25);
  });
});

describe("/background remove in other languages", () => {
  it("says what came out, what it cost, and what was wrong in German", async () => {
    member.speak("de");
    const done = await remove({ image: cat, background: "weiß" });
    const refusal = await remove({ image: { name: "a.png", type: "", data: new Uint8Array() } });
    const clash = await remove({ image: cat, background: "unscharf", scale: "50" });

    expectText(done, "Hintergrund entfernt", /0,25 Credits · \d+×\d+ · JPG/u, "Zuschneiden");
    expect(textOf(refusal)).toContain("Die Datei ist leer");
    expect(textOf(clash)).toContain("Auf dem eigenen Hintergrund bleibt das Motiv, wo es ist");
  });

  it("suggests backgrounds by their names there", async () => {
    member.speak("fr");

    const found = await member.suggest("background remove", "background", "blan");
    const typed = await member.suggest("background remove", "background", "#abc");

    expect(found[0]).toEqual({ name: "Blanc", value: "white" });
    expect(typed[0]).toEqual({ name: "#abc", value: "#abc" });
  });
});

const plain = sharp({ create: { width: 40, height: 30, channels: 3, background: "#999" } });

describe("/background remove refuses, without a credit and in private,", () => {
  const files: readonly (readonly [string, () => Promise<Uint8Array>, RegExp])[] = [
    ["an empty file", async () => new Uint8Array(), /empty/iu],
    ["text", async () => Buffer.from("just some words"), /Not a supported picture/u],
    ["an SVG", async () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), /SVG/u],
    [
      "a truncated JPEG",
      async () => (await photo("cat")).data.subarray(0, 20_000),
      /cut off|incomplete/iu,
    ],
  ];

  it.each(files)("%s", async (_, make, words) => {
    await refused({ image: { name: "photo.jpg", type: "image/jpeg", data: await make() } }, words);
  });

  it.each([
    [{ background: "transparent", format: "jpg" }, /JPG can’t be transparent/u],
    [{ background: "blur", position: "left" }, /can’t move on its own background/u],
    [{ background: "sky" }, /like white or #ff8800/u],
    [
      { background: "white", background_link: "https://x.yz/a.png" },
      /Choose only one: a color or a picture/u,
    ],
    [{ scale: "5%" }, /between 10% and 100%/u],
    [{ region: "0 0 121 10" }, /has 120 × \d+ pixels/u],
    [{ shadow: "deep" }, /Invalid shadow[\s\S]*You entered “deep”/u],
    [{ link: "not an address" }, /address must start with https/u],
  ] as const)("%j", async (options, words) => {
    await refused({ image: cat, ...options }, words);
  });

  it("a small file that claims 16383 by 16383 pixels", async () => {
    const bomb = await plain.clone().png().toBuffer();
    // Width and height are at byte 16; the checksum follows the header's 17 bytes.
    bomb.writeUInt32BE(16_383, 16);
    bomb.writeUInt32BE(16_383, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);

    const message = await remove({ image: { name: "bomb.png", type: "image/png", data: bomb } });

    expect(message.attachments).toEqual([]);
    expect(textOf(message)).not.toContain("nothing was charged");
  });
});

async function refused(options: Readonly<Record<string, OptionInput>>, words: RegExp) {
  const before = await creditsLeft();

  const message = await remove(options);

  expectPrivate(message, words);
  expect(await creditsLeft()).toBe(before);
}

describe("the buttons of a result", () => {
  it("give it other looks at no charge, and leave the result as it is", async () => {
    const message = await remove({ image: cat });
    const before = await creditsLeft();

    const cropped = await click(message, "Crop");
    const white = await click(message, "White");
    const shadow = await click(message, "Shadow");

    expect((await result(cropped)).info.width).toBeLessThan(120);
    expect((await result(white)).pixel(0.01, 0.01)).toEqual([255, 255, 255]);
    expect((await result(shadow)).bytes.equals((await result(message)).bytes)).toBe(false);
    for (const one of [cropped, white, shadow]) {
      expectPrivate(one, "No charge");
    }
    expect(await creditsLeft()).toBe(before);
    expect((await result(message)).name).toBe("cat-cutout.png");
  });

  it("work on from look to look, back again, and show it to everyone", async () => {
    const message = await remove({ image: cat });

    const cropped = await click(message, "Crop");
    const onWhite = await click(cropped, "White");
    const whole = await click(onWhite, "Undo crop");
    const clear = await click(whole, "Transparent");
    const posted = await click(clear, "Show to everyone");

    expect((await result(onWhite)).info.width).toBeLessThan(120);
    expect((await result(whole)).info.width).toBe(120);
    expect((await result(clear)).pixel(0.01, 0.01)).toEqual([0, 0, 0, 0]);
    expect(isEphemeral(posted)).toBe(false);
    expect((await result(posted)).bytes.equals((await result(clear)).bytes)).toBe(true);
  });

  it("offer only what changes something", async () => {
    const onWhite = textOf(await remove({ image: cat, background: "white", crop: true }));
    const mask = textOf(await remove({ image: cat, mask_only: true }));

    expect(onWhite).toMatch(/\nTransparent\nShadow\n/u);
    expect(onWhite).not.toMatch(/\n(?:White|Crop|Full size)\n/u);
    expect(mask).not.toMatch(/\n(?:White|Crop|Transparent|Shadow)\n/u);
  });

  it("work for other people too, each for themselves", async () => {
    const message = await remove({ image: cat });

    const theirs = await owner.click(message, "White");

    expect(isEphemeral(theirs)).toBe(true);
    expect((await result(theirs)).pixel(0.01, 0.01)).toEqual([255, 255, 255]);
    expect(textOf(theirs)).toContain("Use as thumbnail");
  });

  it("ask the price before all pixels are had, and spend it once", async () => {
    const large = { ...cat, data: await sharp(cat.data).resize(1000).jpeg().toBuffer() };
    const preview = await remove({ image: large, size: "preview", background: "white" });
    const before = await creditsLeft();

    const question = await click(preview, "Full size");
    const asked = await creditsLeft();
    const full = await click(question, "Use 1 credit");

    expect(textOf(question)).toContain("costs up to 1 credit");
    expect(question.embeds[0]?.description).toMatch(/^\*\*cat\.jpg\*\* /u);
    expect(asked).toBe(before);
    expect(before - (await creditsLeft())).toBe(1);
    expect(await result(full)).toMatchObject({ format: "jpeg", info: { width: 1000 } });
    expect((await result(preview)).info.width).toBeLessThan(700);
  });

  it("ask before they cut out again what the service itself had composed", async () => {
    const message = await remove({ image: cat, background: "#ff000080" });
    const before = await creditsLeft();

    const question = await click(message, "White");
    const white = await click(question, "Use 1 credit");

    expect(textOf(question)).toContain("no longer kept");
    expect(question.embeds[0]?.description).toContain(" **cat.jpg** ");
    expect((await result(white)).pixel(0.01, 0.01)).toEqual([255, 255, 255]);
    expect(before - (await creditsLeft())).toBeCloseTo(0.25);
  });
});

describe("the button Background…", () => {
  const place = async (
    message: Message,
    fields: Readonly<Record<string, OptionInput | SandboxFile[]>>,
    who = member,
  ) => who.submit(await who.clickForm(message, "Background…"), fields as never);

  it("puts the same cut-out on anything, as often as wished, without a credit", async () => {
    const message = await remove({ image: cat });
    const before = await creditsLeft();
    const red = { create: { width: 9, height: 9, channels: 3, background: "#ff0000" } } as const;
    const picture = { name: "red.png", type: "", data: await sharp(red).png().toBuffer() };

    const onBlue = await place(message, { typed: "#0000ff" });
    const onBlack = await place(onBlue, { named: "black" });
    const onPicture = await place(message, { picture: [picture] });
    const blurred = await place(onPicture, { named: "blur" });
    const clear = await place(blurred, {});

    expect((await result(onBlue)).pixel(0.01, 0.01)[2]).toBeGreaterThan(240);
    expect(Math.max(...(await result(onBlack)).pixel(0.01, 0.01))).toBeLessThan(10);
    expect((await result(onPicture)).pixel(0.01, 0.01)[0]).toBeGreaterThan(240);
    expect((await result(blurred)).info.channels).toBe(3);
    expect((await result(clear)).pixel(0.01, 0.01)).toEqual([0, 0, 0, 0]);
    for (const one of [onBlue, onBlack, onPicture, blurred, clear]) {
      expectPrivate(one, "No charge");
    }
    expect(await creditsLeft()).toBe(before);
  });

  it("is there for a result on a background, and for other people", async () => {
    const message = await remove({ image: cat, background: "white" });
    const before = await creditsLeft();

    const theirs = await place(message, { typed: "#ff0000" }, owner);

    expect((await result(theirs)).pixel(0.01, 0.01)[0]).toBeGreaterThan(240);
    expect(await creditsLeft()).toBe(before);
  });

  it("puts several at once, which can then be shown to everyone", async () => {
    const message = await remove({ image: cat, image_2: coffee, delivery: "zip" });
    const before = await creditsLeft();

    const both = await place(message, { typed: "#ff0000" });
    const one = await choose(both, ["coffee.jpg"]);
    const posted = await click(await place(both, { named: "black" }), "Show to everyone");

    expect(textOf(both)).toContain("2 of 2 pictures done");
    expect(both.attachments.map(({ filename }) => filename)).toEqual(["cutouts.zip"]);
    expect((await result(one)).pixel(0.01, 0.01)[0]).toBeGreaterThan(240);
    expect(isEphemeral(posted)).toBe(false);
    expect(posted.attachments).toHaveLength(1);
    expect(await creditsLeft()).toBe(before);
  });

  it("takes one background at a time, and none that only remove.bg can make", async () => {
    const message = await remove({ image: cat });

    const two = await place(message, { named: "black", typed: "white" });
    const glass = await place(message, { typed: "#ff000080" });

    expect(textOf(two)).toContain("More than one background");
    expect(textOf(glass)).toContain("Background not understood");
    expect(textOf(two)).toContain("Back to the form");
  });

  it("names the price of a new cut-out when the old one is gone, and spends nothing unasked", async () => {
    const onWhite = await remove({ image: cat, background: "white" });
    const several = await remove({ image: cat, image_2: coffee, background: "white" });
    const clear = await remove({ image: cat });
    aheadMs += 16 * 60_000;
    const before = await creditsLeft();

    const question = await place(onWhite, { named: "black" });
    const both = await place(several, { named: "black" });
    const blur = await place(clear, { named: "blur" });
    const free = await place(clear, { named: "black" });

    expectText(question, "no longer kept", "up to 1 credit");
    expectText(both, "2 new cut-outs cost up to 2 credits.", "Use 2 credits");
    expectText(blur, "no longer kept", "up to 1 credit");
    expectText(free, "No charge");
    expect(await creditsLeft()).toBe(before);
    const paid = await click(both, "Use 2 credits");
    expect(Math.max(...(await result(paid)).pixel(0.01, 0.01))).toBeLessThan(10);
    expect(before - (await creditsLeft())).toBe(0.5);
  });
});

describe("a picture that is transparent already", () => {
  it("comes back as it is without a credit, and is sent only when someone pays anyway", async () => {
    const before = await creditsLeft();
    const disc = await transparent();

    const message = await remove({ image: disc });
    const same = await result(message);
    const unpaid = await creditsLeft();
    const anyway = await click(message, "Remove anyway (up to 0.25 credits)");

    expectText(message, "Nothing to remove", "Already transparent – no credit used.");
    expect(same.bytes.equals(disc.data)).toBe(true);
    expect(unpaid).toBe(before);
    expect(textOf(anyway)).toContain("0.25 credits");
    expect(textOf(anyway)).not.toContain("Already transparent");
    expect(await creditsLeft()).toBeLessThan(before);
  });

  it.each([
    ["red", { background: "#ff0000" }, [255, 0, 0]],
    ["a gradient", { background: "#00ff00 to #00ff00" }, [0, 255, 0]],
    ["its own colors, lighter and out of focus", { background: "blur" }, [127, 127, 255]],
  ])("is put on %s without a credit", async (_, options, color) => {
    const before = await creditsLeft();

    const message = await remove({ image: await transparent(), ...options });
    const { pixel } = await result(message);

    expect(textOf(message)).toContain("Background added");
    for (const [at, value] of pixel(0.02, 0.02).entries()) {
      expect(Math.abs(value - (color[at] ?? 0))).toBeLessThan(12);
    }
    expect(pixel(0.5, 0.5)[2]).toBeGreaterThan(240);
    expect(await creditsLeft()).toBe(before);
  });

  it("is put on a picture without a credit, and its other looks cost nothing either", async () => {
    const before = await creditsLeft();
    const red = { create: { width: 9, height: 9, channels: 3, background: "#ff0000" } } as const;
    const picture = { name: "red.png", type: "", data: await sharp(red).png().toBuffer() };

    const message = await remove({ image: await transparent(), background_image: picture });
    const white = await click(message, "White");
    const clear = await click(white, "Transparent");

    expect((await result(message)).pixel(0.02, 0.02)[0]).toBeGreaterThan(240);
    expect(Math.min(...(await result(white)).pixel(0.02, 0.02))).toBeGreaterThan(240);
    expect((await result(clear)).pixel(0.02, 0.02)[3]).toBe(0);
    expect(await creditsLeft()).toBe(before);
  });

  it("follows a preset as far as that is free, and names what was left out", async () => {
    const before = await creditsLeft();
    const disc = await transparent();

    const product = await remove({ image: disc, preset: "product" });
    const cropped = await result(product);
    const scaled = await remove({ image: disc, scale: "40", region: "0% 0% 50% 100%" });

    // A disc of 80 pixels with a margin of 8 % on each side, and room for its shadow.
    expect(cropped.info.width).toBeGreaterThanOrEqual(92);
    expect(cropped.info.width).toBeLessThan(110);
    expect(textOf(product)).toContain("Preset: Product");
    expect(textOf(scaled)).toContain(
      "Left out, because the picture was not sent: region and scale.",
    );
    expect(await creditsLeft()).toBe(before);
  });

  it("is not sent with the others of a form, a command or a message", async () => {
    const disc = await transparent();
    const form = await runForm("background remove", {});
    const posted = await stage.sandbox.user("owner").say("", [cat, disc]);
    const before = await creditsLeft();

    const submitted = await submit(form, { pictures: [disc, cat] });
    const first = await creditsLeft();
    const several = await remove({ image: cat, image_2: disc });
    const menu = asMessage(await member.person().menu("Remove background", posted));

    for (const message of [submitted, several, menu]) {
      expectText(message, "**disc.png**: already transparent – no credit used.");
      expectText(message, "2 of 2 pictures done\n0.25 credits", "2 of 2");
    }
    expect(before - first).toBe(0.25);
    expect(before - (await creditsLeft())).toBe(0.75);
    const anyway = await click(submitted, "Remove anyway (up to 0.25 credits)");
    expect(anyway.attachments).toHaveLength(1);
  });

  it("says so in German", async () => {
    member.speak("de");

    const message = await remove({ image: await transparent() });

    expect(textOf(message)).toContain("Schon transparent – kein Credit verbraucht.");
  });
});

/** A blue disc of 80 pixels on transparency. */
async function transparent(): Promise<SandboxFile> {
  const side = 120;
  const data = Buffer.alloc(side * side * 4);
  for (let at = 0; at < side * side; at++) {
    const isInside = Math.hypot((at % side) - 60, Math.floor(at / side) - 60) < 40;
    if (isInside) data.writeUInt32BE(0x0000ffff, at * 4);
  }
  const raw = { width: side, height: side, channels: 4 } as const;
  return { name: "disc.png", type: "image/png", data: await sharp(data, { raw }).png().toBuffer() };
}

describe("the menu Remove background", () => {
  it("cuts out every picture of a message and says which did not work", async () => {
    const message = await stage.sandbox
      .user("owner")
      .say("look", [
        cat,
        { name: "broken.png", type: "image/png", data: Buffer.from("No picture") },
        { name: "notes.txt", type: "text/plain", data: Buffer.from("words") },
        coffee,
      ]);

    const answer = asMessage(await member.person().menu("Remove background", message));

    expect(answer.attachments.map(({ filename }) => filename)).toEqual([
      "cat-cutout.png",
      "coffee-cutout.png",
    ]);
    expectText(answer, "2 of 3 pictures done", "broken.png");
  });

  it("takes a result again, and not the sheet in its card", async () => {
    const first = await remove({ image: cat });

    const answer = asMessage(await member.person().menu("Remove background", first));

    expect(answer.attachments.map(({ filename }) => filename)).toEqual(["cat-cutout-cutout.png"]);
  });

  it("says so when the message has no picture", async () => {
    const message = await stage.sandbox.user("owner").say("only words");

    const answer = asMessage(await member.person().menu("Remove background", message));

    expect(textOf(answer)).toContain("No picture in that message");
  });

  it("shows how far it is, and stops when its author cancels", async () => {
    stage.sandbox.background.faults.add({ kind: "delay", delayMs: 4000, path: /removebg/u });
    const message = await stage.sandbox.user("owner").say("", [cat, coffee]);
    const running = member.person().menu("Remove background", message);
    const shown = await progressMessage();

    await expect(moderator.click(shown, "Cancel")).resolves.toBeDefined();
    await member.click(shown, "Cancel");
    const answer = asMessage(await running);

    expect(textOf(shown)).toContain("0 of 2 pictures");
    expect(textOf(answer)).toContain("Cancelled");
  });

  async function progressMessage() {
    for (let tries = 0; tries < 100; tries += 1) {
      const last = member.messages().at(-1);
      if (last !== undefined && /pictures\n.*Cancel/su.test(textOf(last))) return last;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("no progress was shown");
  }
});

describe("a result that is lost", () => {
  it("is not repeated automatically, and the button to do so says what it may cost", async () => {
    stage.sandbox.background.faults.add({ kind: "cut-after", path: /removebg/u, times: 1 });

    const message = await remove({ image: cat });
    const again = await click(message, "Try again");

    expectText(message, "lost in transit", "may or may not have been done");
    expectText(message, "Try again (up to 1 more credit)", /Reference \w{6}/u);
    expect((await result(again)).name).toBe("cat-cutout.png");
  });
});
