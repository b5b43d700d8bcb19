import { describe, expect, it } from "vitest";
import type { InputError } from "../../../src/errors.ts";
import {
  cutoutRequest,
  readCutoutOptions,
} from "../../../src/features/background-removal/cutout-options.ts";
import {
  cutoutPresetNames,
  type RemovalOptions,
} from "../../../src/features/background-removal/options.ts";
import type { ServiceReadyPicture } from "../../../src/images/index.ts";
import { words } from "../../support/words.ts";

const refused = (code: string) => expect.objectContaining({ code }) as InputError;
const none = {} as RemovalOptions;
const read = (options: Partial<RemovalOptions>) =>
  readCutoutOptions({ ...none, ...options }, words());
const attachment = { id: "1", filename: "a.png", size: 9, url: "https://cdn.discordapp.com/a.png" };

const sent = (width: number, height: number, scale = 1): ServiceReadyPicture => ({
  bytes: Buffer.alloc(0),
  format: "jpeg",
  width: width * scale,
  height: height * scale,
  original: { format: "jpeg", width, height, frames: 1 },
  digest: "",
  fitted: "unchanged",
  isCutOut: false,
});

describe("readCutoutOptions", () => {
  it.each([
    [{ background: "white", background_image: attachment }, "multiple_bg_sources"],
    [{ background: "transparent", background_link: "https://x.yz/a.png" }, "multiple_bg_sources"],
    [{ background: "transparent", format: "jpg" }, "jpg_transparent"],
    [{ background: "#ff000080", format: "jpg" }, "jpg_transparent"],
    [{ background: "blur", scale: "50%" }, "blur_moved"],
    [{ background: "blur", position: "left" }, "blur_moved"],
    [{ margin: "10px" }, "margin_without_crop"],
    [{ margin: "10px", crop: false }, "margin_without_crop"],
    [{ shadow_opacity: "50" }, "opacity_without_shadow"],
    [{ shadow_opacity: "50", shadow: "none" }, "opacity_without_shadow"],
    [{ mask_only: true, background: "white" }, "mask_mixed"],
    [{ mask_only: true, shadow: "drop" }, "mask_mixed"],
    [{ mask_only: true, format: "zip" }, "mask_mixed"],
    [{ format: "zip", background: "white" }, "zip_composed"],
    [{ background_link: "ftp://x.yz/a.png" }, "invalid_bg_image_url"],
    [{ background: "no colour" }, "background_unreadable"],
  ] as const)("refuses %j as %s", (options, code) => {
    expect(() => read(options)).toThrow(refused(code));
  });

  it.each(cutoutPresetNames)("takes the preset %s alone and beside anything", (preset) => {
    const beside: readonly Partial<RemovalOptions>[] = [
      {},
      { format: "jpg" },
      { format: "zip" },
      { mask_only: true },
      { crop: false },
      { scale: "50%" },
      { background_image: attachment },
      { shadow: "none" },
    ];

    for (const options of beside) expect(() => read({ preset, ...options })).not.toThrow();
  });

  it("leaves no margin below and beside the subject of a profile picture", () => {
    expect(read({ preset: "profile" }).cropMargin).toBe("8% 0% 0% 0%");
  });

  it("lets chosen options win over the preset", () => {
    expect(read({ preset: "product", background: "red", subject: "car", margin: "3px" })).toEqual({
      preset: "product",
      type: "car",
      crop: true,
      cropMargin: "3px",
      shadowType: "drop",
      ground: { kind: "color", color: "#e53935" },
    });
  });
});

describe("cutoutRequest", () => {
  it("asks for a ZIP whenever the result is composed here", () => {
    for (const background of [undefined, "transparent", "white", "blur", "red to blue"]) {
      const wishes = read({ format: "webp", ...(background !== undefined && { background }) });

      expect(cutoutRequest(wishes, sent(40, 30))).toEqual({ size: "auto", format: "zip" });
    }
  });

  it("passes everything else on by the service's names", () => {
    const wishes = read({
      crop: true,
      margin: "10",
      region: "10 10 500 400",
      scale: "50",
      position: "bottom",
      windows: false,
      shadow: "car: car",
      shadow_opacity: "70",
      subject: "car",
      subject_detail: "2",
      size: "50MP",
    });

    expect(cutoutRequest(wishes, sent(1000, 800, 0.5))).toEqual({
      size: "50MP",
      format: "zip",
      type: "car",
      typeLevel: "2",
      crop: true,
      cropMargin: "10px",
      roi: "5px 5px 250px 200px",
      scale: "50%",
      position: "50% 100%",
      semitransparency: false,
      shadowType: { car: "car" },
      shadowOpacity: 70,
    });
  });

  it.each([
    [{ background_link: "https://x.yz/b.png" }, "jpg", 40],
    [{ background_link: "https://x.yz/b.png", format: "webp" }, "webp", 40],
    [{ background: "#ff000080" }, "png", 40],
    [{ background: "#ff000080" }, "webp", 4000],
    [{ mask_only: true }, "png", 40],
    [{ mask_only: true, format: "jpg" }, "jpg", 40],
  ] as const)("lets the service compose %j as %s at %i pixels", (options, format, side) => {
    expect(cutoutRequest(read(options), sent(side, side))).toMatchObject({ format });
  });
});

describe("the shadow of readCutoutOptions", () => {
  it.each([
    ["drop", "drop"],
    ["3d", "3D"],
    ["car: car, Person 3D; other=drop", { car: "car", person: "3D", other: "drop" }],
  ])("reads %s", (shadow, shadowType) => {
    expect(read({ shadow })).toEqual({ shadowType });
  });

  it.each(["", "soft", "auto: drop", "car: soft", "car drop person 3D"])(
    "refuses “%s”",
    (shadow) => {
      expect(() => read({ shadow })).toThrow(refused("invalid_shadow_type"));
    },
  );
});

describe("the shadow's opacity of readCutoutOptions", () => {
  it.each([
    ["0", 0],
    ["50 %", 50],
    ["AUTO", "auto"],
    ["car: 90, person: auto", { car: 90, person: "auto" }],
  ])("reads %s", (shadow_opacity, shadowOpacity) => {
    expect(read({ shadow: "drop", shadow_opacity })).toEqual({ shadowType: "drop", shadowOpacity });
  });

  it.each(["101", "-1", "much", "car: 200"])("refuses “%s”", (shadow_opacity) => {
    const options = { shadow: "drop", shadow_opacity };
    expect(() => read(options)).toThrow(refused("invalid_shadow_opacity"));
  });
});
