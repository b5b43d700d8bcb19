import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxFile } from "../../src/sandbox/types.ts";
import { readCreditsLeft } from "../support/read-credits-left.ts";
import { asMessage, fetchBytes, openStage, photo, type Stage } from "../support/stage.ts";
import { expectPrivate } from "../support/use-stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ background: { matting: "network" } });
});
afterAll(() => stage.close());

const remove = async (image: SandboxFile) =>
  asMessage(await stage.sandbox.user("member").command("background remove", { image }));

const creditsLeft = () => readCreditsLeft(stage.sandbox.background);

describe("where the service really looks, /background remove", () => {
  it("keeps the subject and takes what is around it away", async () => {
    const cat = await photo("cat");
    const image = { ...cat, data: await sharp(cat.data).resize(300).jpeg().toBuffer() };

    const { attachments } = await remove(image);

    const { data, info } = await sharp(await fetchBytes(attachments[0]?.url ?? ""))
      .extractChannel("alpha")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const opaque = data.filter((alpha) => alpha > 200).length / (info.width * info.height);
    expect(opaque).toBeGreaterThan(0.1);
    expect(opaque).toBeLessThan(0.8);
  });

  it("refuses, without a credit and in private, a picture without anything in it", async () => {
    const plain = { width: 40, height: 30, channels: 3, background: "#999" } as const;
    const data = await sharp({ create: plain }).jpeg().toBuffer();
    const before = await creditsLeft();

    const message = await remove({ name: "photo.jpg", type: "image/jpeg", data });

    expectPrivate(message, /No subject found[\s\S]*nothing was charged/iu);
    expect(await creditsLeft()).toBe(before);
  });
});
