import { describe, expect, it } from "vitest";
import type { PictureForm } from "../../../../src/sandbox/background/request/form.ts";
import { listJobComplaints, readJob } from "../../../../src/sandbox/background/request/job.ts";

function form(texts: Record<string, string>, files: readonly string[] = []): PictureForm {
  const parts = new Map(files.map((name) => [name, new Uint8Array(1)]));
  return { texts: new Map(Object.entries(texts)), files: parts, names: new Map() };
}

function complaints(texts: Record<string, string>, files: readonly string[] = []): unknown[] {
  return listJobComplaints(form(texts, files)).map(({ code, title }) => code ?? title);
}

describe("listJobComplaints", () => {
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
    ["scale", "100.5%", "invalid_scale"],
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
});

describe("readJob", () => {
  it("makes a preview when no size is named", () => {
    expect(readJob(form({})).size).toBe("preview");
  });

  it.each([
    [{}, undefined, undefined],
    [{ scale: "original", position: "original" }, undefined, undefined],
    [{ scale: "40%" }, 0.4, [0.5, 0.5]],
    [{ scale: "40%", position: "original" }, 0.4, undefined],
    [{ position: "center" }, undefined, [0.5, 0.5]],
    [{ position: "20%" }, undefined, [0.2, 0.2]],
    [{ position: "0% 100%" }, undefined, [0, 1]],
  ])("reads scale and position of %j", (texts, scale, position) => {
    expect(readJob(form(texts))).toMatchObject({ scale, position });
  });

  it.each([
    [{}, "other"],
    [{ type: "car" }, "car"],
    [{ type: "graphic" }, "other"],
    [{ type: "graphic", type_level: "2" }, "graphics"],
    [{ type: "transportation", type_level: "latest" }, "transportation"],
    [{ type: "person", type_level: "none" }, undefined],
  ])("reports the type of %j as %s", (texts, type) => {
    expect(readJob(form(texts)).type).toBe(type);
  });

  it.each([
    [{}, undefined],
    [{ shadow_type: "none" }, undefined],
    [{ shadow_type: "drop" }, ["drop", 0.5]],
    [{ shadow_type: "drop", type: "car" }, ["drop", 0.9]],
    [{ shadow_type: "auto", type: "car" }, ["car", 0.9]],
    [{ shadow_type: "auto", type: "person" }, ["3D", 0.5]],
    [{ shadow_type: "auto", shadow_opacity: "20" }, ["drop", 0.2]],
    [{ shadow_type: "car", shadow_opacity: "auto" }, ["car", 0.5]],
    [{ "shadow_type[car]": "car", type: "car" }, ["car", 0.9]],
    [{ "shadow_type[car]": "car", type: "person" }, undefined],
    [{ "shadow_type[other]": "3D" }, ["3D", 0.5]],
    [{ "shadow_type[car]": "drop", shadow_type: "3D", type: "car" }, ["drop", 0.9]],
    [{ shadow_type: "auto", "shadow_opacity[car]": "10", type: "car" }, ["car", 0.1]],
    [{ shadow_type: "auto", "shadow_opacity[car]": "10", type: "animal" }, ["drop", 0.5]],
    [{ add_shadow: "true", type: "car" }, ["car", 0.9]],
    [{ add_shadow: "true", type: "person" }, undefined],
    [{ add_shadow: "false", type: "car" }, undefined],
  ])("reads the shadow of %j as %j", (texts, shadow) => {
    const { shadow: read } = readJob(form(texts));

    expect(read && [read.kind, read.opacity]).toEqual(shadow);
  });
});
