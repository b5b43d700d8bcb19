import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OptionInput, SandboxFile } from "../../src/sandbox/types.ts";
import { readCreditsLeft } from "../support/read-credits-left.ts";
import { asMessage, fetchBytes, openStage, photo, type Stage, textOf } from "../support/stage.ts";

/** More pixels than a PNG may have, even when cropped. */
const side = { width: 6_600, height: 4_400 } as const;

let stage: Stage;
let large: SandboxFile;
beforeAll(async () => {
  stage = await openStage();
  const { data, ...file } = await photo("cat");
  const grown = sharp(data).resize({ ...side, fit: "fill", kernel: "nearest" });
  large = { ...file, data: await grown.jpeg({ quality: 60 }).toBuffer() };
});
afterAll(() => stage.close());

const creditsLeft = () => readCreditsLeft(stage.sandbox.background);

async function remove(options: Readonly<Record<string, OptionInput>>) {
  const before = await creditsLeft();
  const message = asMessage(
    await stage.sandbox.user("member").command("background remove", options),
  );
  return { message, spent: before - (await creditsLeft()) };
}

async function formatOf({ attachments }: ReturnType<typeof asMessage>) {
  const [file] = attachments;
  return file && (await sharp(await fetchBytes(file.url)).metadata()).format;
}

describe("/background remove with more pixels than a PNG holds", () => {
  it.each([
    ["cropped", { crop: true }],
    ["by the preset for pets", { preset: "pet" }],
  ])("gives a WebP for what is paid once, and says so: %s", async (_, options) => {
    const { message, spent } = await remove({ image: large, format: "png", ...options });

    expect(await formatOf(message)).toBe("webp");
    expect(textOf(message)).toMatch(/the result is a WebP/iu);
    expect(spent).toBe(1);
  });

  it("refuses before anything is paid what is known to be too large", async () => {
    const { message, spent } = await remove({ image: large, format: "png" });

    expect(textOf(message)).toContain("10 megapixels");
    expect(textOf(message)).not.toContain("Try again (");
    expect(spent).toBe(0);
  });

  it("refuses a background that is no picture before anything is paid", async () => {
    const text = { name: "wall.png", type: "image/png", data: large.data.subarray(0, 90_000) };
    const { message, spent } = await remove({ image: large, background_image: text });

    expect(message.attachments).toEqual([]);
    expect(spent).toBe(0);
  });
});
