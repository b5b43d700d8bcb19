import { describe, expect, it } from "vitest";
import { withOwnName } from "../../../src/discord/draw/attachment-name.ts";

const file = (filename: string, title?: string | null) =>
  withOwnName({ id: "1", size: 3, url: "https://cdn.example/1", filename, title }).filename;

describe("withOwnName", () => {
  it.each([
    ["cat.jpg", undefined, "cat.jpg"],
    ["cat.jpg", null, "cat.jpg"],
    ["cat.jpg", " \n", "cat.jpg"],
    ["small_cat.jpg", "small cat", "small cat.jpg"],
    ["Grun.JPG", "Grün", "Grün.JPG"],
    ["jpg", "杯子", "杯子.jpg"],
    [".png", "猫", "猫.png"],
    ["unknown", "猫", "猫"],
    ["_.tar.gz", "鳥.tar", "鳥.tar.gz"],
    ["x.png", "Bild.png", "Bild.png"],
  ])("calls %j with the title %j %j", (filename, title, name) => {
    expect(file(filename, title)).toBe(name);
  });

  it("takes out paths, line breaks and what turns the reading direction", () => {
    expect(file("x.png", "../a\\b\n\u202egnp.exe")).toBe("..ab gnp.exe.png");
    expect(file("x.png", "תמונה")).toBe("תמונה.png");
  });

  it("shortens a name that no folder would take", () => {
    const name = file("x.png", "я".repeat(300));

    expect(name.length).toBeLessThan(210);
    expect(name).toMatch(/я….png$/u);
  });
});
