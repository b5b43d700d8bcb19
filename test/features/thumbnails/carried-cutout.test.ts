import { describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/features/context/index.ts";
import { fitEditorCutout } from "../../../src/features/thumbnails/carried-cutout.ts";
import {
  drawThumbnailDesign,
  type ThumbnailDesign,
  thumbnailGradients,
} from "../../../src/features/thumbnails/design.ts";
import type { ThumbnailOptions } from "../../../src/images/index.ts";

const zip = Buffer.from("PK and so on");
const found = {
  width: 4000,
  height: 3000,
  foreground: { left: 100, top: 200, width: 1000, height: 2000 },
};

/** Only what these functions call; every composed cut-out has half the size. */
function stage() {
  const drawn: ThumbnailOptions[] = [];
  const ctx = {
    signal: new AbortController().signal,
    attachmentLimit: 10_000_000,
    images: {
      compose: async () => ({ bytes: Buffer.alloc(9), format: "webp", width: 2000, height: 1500 }),
      inspect: async () => ({ format: "png", width: 1000, height: 800, frames: 1 }),
      thumbnail: async (_: Uint8Array, options: ThumbnailOptions) => {
        drawn.push(options);
        return { bytes: Buffer.alloc(9), width: 1280, height: 720, missing: [] };
      },
    },
  } as unknown as Ctx<unknown>;
  return { ctx, drawn };
}

describe("a cut-out in the editor's message", () => {
  it("has its foreground in pixels of the smaller cut-out", async () => {
    const { foreground } = await fitEditorCutout(stage().ctx, zip, found);

    expect(foreground).toEqual({ left: 50, top: 100, width: 500, height: 1000 });
  });

  it("keeps its foreground if it is small enough", async () => {
    const { foreground } = await fitEditorCutout(stage().ctx, Buffer.from("\x89PNG"), found);

    expect(foreground).toEqual(found.foreground);
  });

  it.each([
    ["was not told", {}],
    ["has the service's shadow round it", { ...found, isShadowed: true as const }],
  ])("has no foreground that %s", async (_, given) => {
    expect(await fitEditorCutout(stage().ctx, zip, given)).not.toHaveProperty("foreground");
  });
});

describe("drawThumbnailDesign", () => {
  it("places the subject by its foreground", async () => {
    const { ctx, drawn } = stage();
    const design: ThumbnailDesign = {
      name: "a",
      backdrop: thumbnailGradients.midnight,
      side: "center",
      shadow: false,
      foreground: found.foreground,
    };

    await drawThumbnailDesign(ctx, zip, design);

    expect(drawn[0]).toMatchObject({ subject: "center", foreground: found.foreground });
  });
});
