import { describe, expect, it } from "vitest";
import type { RemoveBackgroundRequest, RemoveOptions } from "../../src/background/index.ts";
import { InputError } from "../../src/errors.ts";
import { failureOf } from "../http/server.ts";
import { png, pngOf, serve } from "./wire.ts";

const imageUrl = "https://example.com/a.png";
/** 40 × 30 pixels. */
const image = png;

type Wrong = readonly [code: string, request: object, options?: RemoveOptions];

const refused: readonly Wrong[] = [
  ["missing_source", {}],
  ["missing_source", { bgColor: "fff" }],
  ["missing_source", { imageUrl: "", imageFileB64: "" }],
  ["multiple_sources", { image, imageUrl }],
  ["multiple_sources", { image, imageFileB64: "AAAA" }],
  ["multiple_sources", { imageFileB64: "AAAA", imageUrl }],
  ["empty_image", { image: new Uint8Array() }],
  ["empty_image", { imageFileB64: "data:image/png;base64," }],
  ["empty_image", { image, bgImageFile: new Uint8Array() }],
  ["invalid_image_url", { imageUrl: "nowhere" }],
  ["invalid_image_url", { imageUrl: "file:///etc/passwd" }],
  ["invalid_image_url", { imageUrl: "data:image/png;base64,AAAA" }],
  ["file_too_large", { image: Buffer.concat([png, Buffer.alloc(12_000_001 - png.length)]) }],
  ["file_too_large", { image, bgImageFile: Buffer.alloc(12_000_001) }],
  ["invalid_file_type", { image: Buffer.from("GIF89a") }],
  ["invalid_file_type", { image: Buffer.from("<svg/>") }],
  ["invalid_file_type", { imageFileB64: "AAAA" }],
  ["invalid_file_type", { imageFileB64: "no base64!" }],
  ["invalid_file_type", { image, bgImageFile: Buffer.from("GIF89a") }],
  ["resolution_too_high", { image: pngOf(10_000, 5_001) }],
  ["resolution_too_high", { imageFileB64: pngOf(60_000, 60_000).toString("base64") }],
  ["multiple_bg_sources", { image, bgColor: "fff", bgImageUrl: imageUrl }],
  ["multiple_bg_sources", { image, bgColor: "fff", bgImageFile: png }],
  ["multiple_bg_sources", { image, bgImageFile: png, bgImageUrl: imageUrl }],
  ["invalid_bg_color", { image, bgColor: "12345" }],
  ["invalid_bg_color", { image, bgColor: "#red" }],
  ["invalid_bg_color", { image, bgColor: "rgb(1, 2, 3)" }],
  ["invalid_bg_color", { image, bgColor: "ggg000" }],
  ["invalid_bg_image_url", { image, bgImageUrl: "nowhere" }],
  ["invalid_bg_image_url", { image, bgImageUrl: "ftp://example.com/a.png" }],
  ["bg_image_file_body", { image, bgImageFile: png }, { body: "json" }],
  ["bg_image_file_body", { image, bgImageFile: png }, { body: "form" }],
  ["invalid_roi", { image, roi: "0px 0px 10px" }],
  ["invalid_roi", { image, roi: "0px 0px 10px 10px 10px" }],
  ["invalid_roi", { image, roi: "0 0 10 10" }],
  ["invalid_roi", { image, roi: "0px,0px,10px,10px" }],
  ["invalid_roi", { image, roi: "all" }],
  ["roi_exceeds_bounds", { image, roi: "0px 0px 41px 30px" }],
  ["roi_exceeds_bounds", { image, roi: "0px 0px 40px 31px" }],
  ["roi_exceeds_bounds", { image, roi: "-1px 0px 40px 30px" }],
  ["roi_exceeds_bounds", { image, roi: "0% 0% 100.1% 100%" }],
  ["roi_exceeds_bounds", { imageUrl, roi: "0% 0% 101% 100%" }],
  ["roi_region_empty", { image, roi: "10px 10px 10px 20px" }],
  ["roi_region_empty", { image, roi: "20px 10px 10px 20px" }],
  ["roi_region_empty", { image, roi: "0% 50% 100% 50%" }],
  ["roi_region_empty", { image, roi: "50% 0% 20px 100%" }],
  ["roi_region_empty", { imageUrl, roi: "500px 0% 500px 100%" }],
  ["invalid_crop_margin", { image, crop: true, cropMargin: "10" }],
  ["invalid_crop_margin", { image, crop: true, cropMargin: "1px 2px 3px" }],
  ["invalid_crop_margin", { image, crop: true, cropMargin: "501px" }],
  ["invalid_crop_margin", { image, crop: true, cropMargin: "10px 51%" }],
  ["invalid_crop_margin", { image, crop: true, cropMargin: "-1px" }],
  ["invalid_crop_margin", { image, crop: true, cropMargin: "1px 1px 1px 1px 1px" }],
  ["invalid_scale", { image, scale: "9%" }],
  ["invalid_scale", { image, scale: "101%" }],
  ["invalid_scale", { image, scale: "50" }],
  ["invalid_scale", { image, scale: "50px" }],
  ["invalid_scale", { image, scale: "center" }],
  ["invalid_position", { image, position: "left" }],
  ["invalid_position", { image, position: "101%" }],
  ["invalid_position", { image, position: "10px" }],
  ["invalid_position", { image, position: "1% 2% 3%" }],
  ["invalid_position", { image, position: "center center" }],
  ["invalid_size", { image, size: "huge" }],
  ["invalid_size", { image, size: "50mp" }],
  ["invalid_format", { image, format: "gif" }],
  ["invalid_channels", { image, channels: "rgb" }],
  ["invalid_type", { image, type: "graphics" }],
  ["invalid_type_level", { image, typeLevel: "3" }],
  ["invalid_semitransparency", { image, semitransparency: "yes" }],
  ["invalid_shadow_type", { image, shadowType: "3d" }],
  ["invalid_shadow_type", { image, shadowType: { car: "soft" } }],
  ["invalid_shadow_type", { image, shadowType: { auto: "car" } }],
  ["invalid_shadow_opacity", { image, shadowOpacity: 101 }],
  ["invalid_shadow_opacity", { image, shadowOpacity: -1 }],
  ["invalid_shadow_opacity", { image, shadowOpacity: Number.NaN }],
  ["invalid_shadow_opacity", { image, shadowOpacity: { car: "full" } }],
  ["invalid_shadow_opacity", { image, shadowOpacity: { boat: 50 } }],
  ["multiple_shadow_params", { image, addShadow: true, shadowType: "drop" }],
  ["png_too_large", { image: pngOf(4_000, 2_501), format: "png" }],
  ["png_too_large", { image: pngOf(8_000, 6_250), format: "png", size: "50MP" }],
  ["png_too_large", { image: pngOf(8_000, 6_250), format: "png", size: "full" }],
  ["jpg_transparent", { image, format: "jpg", bgColor: "transparent" }],
  ["jpg_transparent", { image, format: "jpg", bgColor: "#fffe" }],
  ["jpg_transparent", { image, format: "jpg", bgColor: "ffffff00" }],
];

/** Just inside the limits. */
const accepted: readonly (readonly [object, RemoveOptions?])[] = [
  [{ image: Buffer.concat([png, Buffer.alloc(12_000_000 - png.length)]) }],
  [{ image: pngOf(10_000, 5_000) }],
  [{ image: pngOf(4_000, 2_500), format: "png" }],
  [{ image: pngOf(8_000, 6_250), format: "png", size: "hd" }],
  [{ image: pngOf(8_000, 6_250), format: "webp", size: "50MP" }],
  [{ imageUrl, format: "png", size: "50MP" }],
  [{ image, roi: "0px 0px 40px 30px" }],
  [{ image, roi: "10% 0px 39.5px 100%" }],
  [{ imageUrl, roi: "50% 0% 20px 100%" }],
  [{ imageUrl, roi: "0px 0px 9000px 9000px" }],
  [{ image, crop: true, cropMargin: "500px 50%" }],
  [{ image, crop: true, cropMargin: "0" }],
  [{ image, crop: false, cropMargin: "nonsense" }],
  [{ image, scale: "10%" }],
  [{ image, scale: "100%" }],
  [{ image, position: "0%" }],
  [{ image, position: "0% 100%" }],
  [{ image, shadowOpacity: 100 }],
  [{ image, addShadow: false, shadowType: "drop" }],
  [{ image, format: "jpg", bgColor: "#ffff" }],
  [{ image, format: "jpg", bgColor: "fffffFFF" }],
  [{ image, format: "jpg", bgColor: "fff" }],
  [{ image, format: "png", bgColor: "transparent" }],
  // It only looks damaged from here; remove.bg knows better.
  [{ image: png.subarray(0, 20) }],
];

const shown = (request: object) =>
  JSON.stringify(request, (_, value) => (isBytes(value) ? "…" : value));

function isBytes(value: unknown): boolean {
  return (value as { type?: string } | null)?.type === "Buffer" || value instanceof Uint8Array;
}

describe("nothing is sent", () => {
  it.each(refused.map(([code, ...rest]) => [code, shown(rest[0]), ...rest] as const))(
    "on %s: %s",
    async (code, _, request, options) => {
      const { client, received } = await serve();

      const error = await failureOf(
        client().removeBackground(request as RemoveBackgroundRequest, options),
        InputError,
      );

      expect([error.code, error.outcome]).toEqual([code, "nothing"]);
      expect(error.facts.reason).toBeUndefined();
      expect(received).toEqual([]);
    },
  );

  it("over the limit that the client was given, counted in the image's bytes", async () => {
    const { client, received } = await serve();
    const { removeBackground } = client({ maxBytes: png.length });
    const over = Buffer.concat([png, Buffer.alloc(1)]);

    await removeBackground({ imageFileB64: png.toString("base64") });
    const error = await failureOf(removeBackground({ image: over }), InputError);

    expect([error.code, error.facts]).toEqual(["file_too_large", { size: 0.01, most: 0.01 }]);
    expect(received).toHaveLength(1);
  });

  it("for an improvement either", async () => {
    const { client, received } = await serve();
    const { improve } = client({ maxBytes: 1_000 });

    const errors = await Promise.all([
      failureOf(improve({}), InputError),
      failureOf(improve({ image, imageUrl }), InputError),
      failureOf(improve({ imageUrl: "nowhere" }), InputError),
      failureOf(improve({ image: Buffer.from("GIF89a") }), InputError),
      failureOf(improve({ image: Buffer.alloc(1_001) }), InputError),
    ]);

    expect(errors.map(({ code }) => code)).toEqual([
      "missing_source",
      "multiple_sources",
      "invalid_image_url",
      "invalid_file_type",
      "file_too_large",
    ]);
    expect(received).toEqual([]);
  });
});

describe("it is sent", () => {
  it.each(accepted.map(([request, options]) => [shown(request), request, options] as const))(
    "when only just allowed: %s",
    async (_, request, options) => {
      const { client, received } = await serve();

      await client().removeBackground(request as RemoveBackgroundRequest, options);

      expect(received).toHaveLength(1);
    },
  );
});
