import { describe, expect, it } from "vitest";
import { readJob } from "../../../src/sandbox/background/job.ts";
import { Refusal } from "../../../src/sandbox/background/refusals.ts";

function complaints(texts: Record<string, string>, files: readonly string[] = []): unknown[] {
  const parts = new Map(files.map((name) => [name, new Uint8Array(1)]));
  try {
    readJob({ texts: new Map(Object.entries(texts)), files: parts });
    return [];
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return refusal.complaints.map(({ code, title }) => code ?? title);
  }
}

describe("readJob", () => {
  it.each([
    ["size", "huge", "invalid_size"],
    ["size", "50mp", "invalid_size"],
    ["format", "gif", "invalid_format"],
    ["channels", "rgb", "invalid_channels"],
    ["type", "graphics", "Invalid type parameter given"],
    ["type_level", "3", "Invalid type_level parameter given"],
    ["roi", "0 0 100 100", "invalid_roi"],
    ["roi", "0px 0px 100px", "invalid_roi"],
    ["crop_margin", "10", "invalid_crop_margin"],
    ["crop_margin", "1px 2px 3px", "invalid_crop_margin"],
    ["scale", "9%", "invalid_scale"],
    ["scale", "101%", "invalid_scale"],
    ["position", "left", "invalid_position"],
    ["position", "10% 20% 30%", "invalid_position"],
    ["semitransparency", "maybe", "invalid_semitransparency"],
    ["shadow_type", "3d", "Invalid shadow_type parameter given"],
    ["shadow_type[car]", "boat", "Invalid shadow_type parameter given"],
    ["shadow_opacity", "101", "invalid_shadow_opacity"],
    ["shadow_opacity[car]", "-1", "invalid_shadow_opacity"],
    ["bg_color", "12345", "invalid_bg_color"],
  ])("refuses %s=%s as %s", (name, value, code) => {
    expect(complaints({ [name]: value })).toEqual([code]);
  });

  it.each([
    ["size", "preview,small,regular,medium,hd,full,4k,50MP,auto"],
    ["format", "auto,png,jpg,webp,zip"],
    ["type", "auto,person,product,car,animal,graphic,transportation"],
    ["type_level", "none,1,2,latest"],
    ["roi", "0% 0% 100% 100%,10px 5% 200px 50%"],
    ["crop_margin", "0,10px,5% 10px,1px 2px 3% 4px"],
    ["scale", "original,10%,55.5%,100%"],
    ["position", "original,center,0%,100% 50%"],
    ["shadow_type", "auto,car,3D,drop,none"],
    ["shadow_opacity", "0,100,auto"],
    ["bg_color", "fff,fffa,81d4fa,81d4fa80,#81d4fa,green,TEAL"],
    ["shadow_method", "legacy"],
  ])("accepts every known value of %s", (name, values) => {
    const faults = values.split(",").flatMap((value) => complaints({ [name]: value }));

    expect(faults).toEqual([]);
  });

  it("names every fault of a request at once", () => {
    const faults = complaints({ size: "x", format: "y", roi: "z" });

    expect(faults).toEqual(["invalid_size", "invalid_format", "invalid_roi"]);
  });

  it("takes one background at most", () => {
    expect(complaints({ bg_color: "fff" }, ["bg_image_file"])).toEqual(["multiple_bg_sources"]);
  });

  it("takes one kind of shadow setting at most", () => {
    const faults = complaints({ add_shadow: "true", "shadow_type[car]": "car" });

    expect(faults).toEqual(["multiple_shadow_params"]);
  });

  it("makes a preview when no size is named", () => {
    expect(readJob({ texts: new Map(), files: new Map() }).size).toBe("preview");
  });
});
