import { describe, expect, it } from "vitest";
import type { InputError } from "../../../src/errors.ts";
import {
  convertRegion,
  readMargin,
  readPictureRegion,
  readPosition,
  readScale,
} from "../../../src/features/background-removal/lengths.ts";

const refused = (code: string) => expect.objectContaining({ code }) as InputError;

describe("readMargin", () => {
  it.each([
    ["10", "10px"],
    ["10 px", "10px"],
    ["5%", "5%"],
    ["2,5 %", "2.5%"],
    ["10 5%", "10px 5%"],
    ["1px, 2px, 3px, 4px", "1px 2px 3px 4px"],
  ])("reads %s", (text, margin) => {
    expect(readMargin(text)).toBe(margin);
  });

  it.each(["", "wide", "501px", "51%", "1 2 3", "1 2 3 4 5", "-5px"])("refuses “%s”", (text) => {
    expect(() => readMargin(text)).toThrow(refused("invalid_crop_margin"));
  });
});

describe("readScale", () => {
  it.each([
    ["80", "80%"],
    ["80 %", "80%"],
    ["Original", "original"],
  ])("reads %s", (text, scale) => {
    expect(readScale(text)).toBe(scale);
  });

  it.each(["9%", "101%", "50px", "1 2", "big"])("refuses “%s”", (text) => {
    expect(() => readScale(text)).toThrow(refused("invalid_scale"));
  });
});

describe("readPosition", () => {
  it.each([
    ["center", "center"],
    ["original", "original"],
    ["bottom", "50% 100%"],
    ["top left", "0% 0%"],
    ["right center", "100% 50%"],
    ["30", "30%"],
    ["30, 70", "30% 70%"],
  ])("reads %s", (text, position) => {
    expect(readPosition(text)).toBe(position);
  });

  it.each(["left right", "120%", "10px", "1 2 3", "somewhere"])("refuses “%s”", (text) => {
    expect(() => readPosition(text)).toThrow(refused("invalid_position"));
  });
});

describe("readPictureRegion", () => {
  it.each([
    ["10 20 300 400", "10px 20px 300px 400px"],
    ["0%,0%,50%,100%", "0% 0% 50% 100%"],
    ["10,20,300,400", "10px 20px 300px 400px"],
    ["1000,1000,1200,1500", "1000px 1000px 1200px 1500px"],
    ["2,5% 0% 97,5% 100%", "2.5% 0% 97.5% 100%"],
    ["0 0 50% 100%", "0px 0px 50% 100%"],
  ])("reads %s", (text, region) => {
    expect(readPictureRegion(text)).toBe(region);
  });

  it.each([
    ["1 2 3", "invalid_roi"],
    ["0 0 200% 10", "invalid_roi"],
    ["a b c d", "invalid_roi"],
    ["10 10 10 20", "roi_region_empty"],
    ["50% 0% 20% 100%", "roi_region_empty"],
  ])("refuses “%s” as %s", (text, code) => {
    expect(() => readPictureRegion(text)).toThrow(refused(code));
  });
});

describe("convertRegion", () => {
  const given = { width: 1000, height: 800 };

  it("keeps the region if the picture is sent as it is", () => {
    expect(convertRegion("10px 20px 50% 800px", given, given)).toBe("10px 20px 50% 800px");
  });

  it("scales pixels if the picture is sent smaller", () => {
    const sent = { width: 500, height: 400 };

    expect(convertRegion("10px 20% 900px 800px", given, sent)).toBe("5px 20% 450px 400px");
  });

  it("refuses a region outside of the original picture", () => {
    expect(() => convertRegion("0px 0px 1001px 10px", given, given)).toThrow(
      refused("region_outside"),
    );
  });
});
