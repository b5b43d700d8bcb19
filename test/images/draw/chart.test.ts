import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { drawChart } from "../../../src/images/draw/chart.ts";
import { loadSharp } from "../../../src/images/sharp.ts";
import type { ChartOptions } from "../../../src/images/types.ts";

async function draw(bars: ChartOptions["bars"]) {
  const { bytes } = await drawChart({ title: "Units by day", bars });
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4),
  ];
  /** How many pixels of each column have the bars' colour. */
  const heights = Array.from({ length: info.width }, () => 0);
  for (let at = 0; at < data.length; at += 4) {
    const column = (at / 4) % info.width;
    const isBar = (data[at] ?? 0) < 140 && (data[at + 2] ?? 0) > 200;
    if (isBar) heights[column] = (heights[column] ?? 0) + 1;
  }
  /** The number of pixels lighter than the labels, as only the values' text is. */
  let bright = 0;
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 0) > 225) bright++;
  return { bytes, info, pixel, heights, bright };
}

const days = (values: readonly number[]) =>
  values.map((value, i) => ({ label: `${i + 1} Aug`, value }));

describe("chart", () => {
  it("is a card of its own that reads on any page", async () => {
    const { info, pixel, bytes } = await draw(days([3, 1, 2]));

    expect((await sharp(bytes).metadata()).format).toBe("png");
    expect([info.width, info.height]).toEqual([800, 320]);
    expect(pixel(0, 0)[3]).toBe(0);
    expect(pixel(400, 10)[3]).toBe(255);
  });

  it("writes its scale as the language does", async () => {
    const bars = days([0.5]).map((bar) => ({ ...bar, shown: "" }));
    const [english, german, british] = await Promise.all(
      ["en-US", "de", "en-GB"].map((language) =>
        drawChart({ title: "Units by day", bars, language }),
      ),
    );

    expect(german?.bytes.equals(english?.bytes ?? Buffer.alloc(0))).toBe(false);
    expect(british?.bytes.equals(english?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([1, 3, 10])(
    "has a scale of whole numbers where all values are whole, as %i",
    async (n) => {
      const bars = days([n]).map((bar) => ({ ...bar, shown: "" }));
      const [english, german] = await Promise.all(
        ["en-US", "de"].map((language) => drawChart({ title: "Units by day", bars, language })),
      );

      // A decimal point and a decimal comma would look different.
      expect(german?.bytes.equals(english?.bytes ?? Buffer.alloc(0))).toBe(true);
    },
  );

  it("has a title above its bars, in Japanese too", async () => {
    const bars = days([1]);
    const all = await Promise.all(
      ["Units by day", "Credits by day", "クォータ（日別）"].map((title) =>
        drawChart({ title, bars }),
      ),
    );
    const above = await Promise.all(
      all.map(({ bytes }) =>
        sharp(bytes).extract({ left: 24, top: 10, width: 300, height: 40 }).raw().toBuffer(),
      ),
    );

    expect(new Set(above.map((pixels) => pixels.toString("base64"))).size).toBe(3);
  });

  it("leaves SVG closed to files from outside", async () => {
    await drawChart({ title: "Units by day", bars: days([1]) });
    const opened = (await loadSharp())(Buffer.from("<svg width='9' height='9'/>"));

    await expect(opened.metadata()).rejects.toThrow("unsupported image format");
  });

  it("draws bars as high as their values", async () => {
    const { heights } = await draw(days([4, 2]));
    const [left = 0, right = 0] = [
      Math.max(...heights.slice(0, 420)),
      Math.max(...heights.slice(420)),
    ];

    expect(left / right).toBeCloseTo(2, 1);
  });

  it("shows the least as more than nothing", async () => {
    const { heights } = await draw(days([10_000, 0.25, 0]));
    const bars = heights.slice(330, 500);

    expect(Math.max(...bars)).toBeGreaterThan(3);
  });

  it.each([
    ["nothing but nothing", days([0, 0, 0, 0])],
    ["no bars", []],
    ["one bar", days([0.25])],
    ["a year", days(Array.from({ length: 365 }, (_, i) => i % 40))],
    ["huge numbers", days([9e15, 1])],
    [
      "labels that are long, empty or can't be written",
      [
        {
          label: "a label that goes on and on without any end",
          value: 1,
          shown: "a value as long as that",
        },
        { label: "", value: 2 },
        { label: "😀 <b>&", value: 3, shown: "" },
      ],
    ],
  ])("draws %s", async (_, bars) => {
    const { heights } = await draw(bars);
    const hasBars = bars.some(({ value }) => value > 0);

    expect(Math.max(...heights) > 0).toBe(hasBars);
  });

  it("writes every value where there is room, and the largest alone where not", async () => {
    const few = await draw(days([5, 5, 5, 5]));
    const one = await draw(days([5]));
    const many = await draw(days(Array.from({ length: 60 }, () => 5)));

    expect(few.bright).toBeGreaterThan(one.bright * 3);
    expect(many.bright).toBeLessThan(one.bright * 1.5);
  });
});
