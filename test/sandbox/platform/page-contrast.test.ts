import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { createSampleGuild, personNames } from "../../../src/sandbox/platform/sample-guild.ts";

/** https://www.w3.org/TR/WCAG22/#contrast-minimum */
const leastContrast = 4.5;

type Rgb = readonly number[];

let palette: ReadonlyMap<string, Rgb>;
beforeAll(async () => {
  const css = await readFile("src/sandbox/platform/page/styles/base.css", "utf8");
  const colors = css.matchAll(/--([a-z-]+): #([0-9a-f]{6});/gu);
  palette = new Map([...colors].map(([, name = "", hex = ""]) => [name, fromHex(hex)]));
});

function fromHex(hex: string): Rgb {
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const named = (name: string): Rgb => palette.get(name) ?? [];

/** The backgrounds of names and texts; messages for one person alone are tinted in the brand's colour. */
function backgrounds(): readonly Rgb[] {
  const channel = named("channel");
  const tinted = channel.map((value, at) => value + 0.08 * ((named("brand")[at] ?? 0) - value));
  return [named("side"), named("panel"), channel, named("hover"), named("field"), tinted];
}

describe("the page", () => {
  it("writes everyone's name so that it can be read", () => {
    const { people } = createSampleGuild();
    const worst = personNames.map((name) => {
      const { color } = people[name].role;
      const name6 = fromHex(color.toString(16).padStart(6, "0"));
      return Math.min(...backgrounds().map((background) => contrast(name6, background)));
    });

    expect(Math.min(...worst)).toBeGreaterThanOrEqual(leastContrast);
  });

  it.each(["text", "bright", "muted", "link", "fault"])(
    "writes in %s so that it can be read",
    (name) => {
      const all = backgrounds().map((background) => contrast(named(name), background));

      expect(Math.min(...all)).toBeGreaterThanOrEqual(leastContrast);
    },
  );
});
