import { describe, expect, it } from "vitest";
import { firstPlan, nextPlan } from "../../../src/images/cutout/compose.ts";
import type { CutoutBackdrop } from "../../../src/images/types.ts";

const small = { width: 1_000, height: 800 };
const large = { width: 4_000, height: 2_501 };
const backdrop: CutoutBackdrop = { kind: "color", color: "#000000" };

describe("firstPlan", () => {
  it.each([
    [small, "auto", undefined, "png", "asked"],
    [large, "auto", undefined, "webp", "webp"],
    [small, "auto", backdrop, "jpg", "asked"],
    [large, "auto", backdrop, "jpg", "asked"],
    [small, "png", backdrop, "png", "asked"],
    [large, "webp", backdrop, "webp", "asked"],
    [large, "jpg", undefined, "jpg", "asked"],
  ] as const)("of %o as %s on %o is %s, %s", (size, format, ground, written, fitted) => {
    const plan = firstPlan(size, { format, ...(ground && { backdrop: ground }) });

    expect(plan).toMatchObject({ format: written, fitted, scale: 1 });
  });

  it("gives up pixels of a large PNG where that is asked for", () => {
    const { scale, ...rest } = firstPlan(large, { format: "png", givesUp: "pixels" });

    expect(rest).toEqual({ format: "png", quality: 100, fitted: "smaller" });
    expect(large.width * large.height * scale ** 2).toBeLessThan(10_000_000);
  });

  it("refuses a large PNG with a backdrop too", () => {
    expect(() => firstPlan(large, { format: "png", backdrop })).toThrow(
      expect.objectContaining({ code: "png_too_large" }),
    );
  });
});

describe("nextPlan", () => {
  const at = (format: "png" | "webp" | "jpg", quality: number, scale = 1) =>
    ({ format, quality, scale, fitted: "asked" }) as const;

  it.each([
    [at("png", 100), 3, { format: "webp", quality: 80, scale: 1, fitted: "webp" }],
    [at("webp", 80), 1.05, { format: "webp", quality: 60, scale: 1, fitted: "quality" }],
    [at("webp", 80), 1.2, { format: "webp", quality: 40, scale: 1, fitted: "quality" }],
    [at("webp", 80), 1.3, { format: "webp", quality: 60, fitted: "smaller" }],
    [at("jpg", 90), 1.9, { format: "jpg", quality: 50, scale: 1, fitted: "quality" }],
    [at("jpg", 90), 2.1, { format: "jpg", quality: 75, fitted: "smaller" }],
    [at("webp", 80), Infinity, { format: "webp", quality: 65, scale: 1, fitted: "quality" }],
  ] as const)("after %o at %d times the limit is %o", (plan, over, next) => {
    expect(nextPlan(plan, over)).toMatchObject(next);
  });

  it.each([at("png", 100), at("jpg", 90, 0.5)])("gives up only pixels of %o if it must", (plan) => {
    const { scale, ...rest } = nextPlan(plan, 2, "pixels");

    expect(rest).toEqual({ format: plan.format, quality: plan.quality, fitted: "smaller" });
    expect(scale).toBeLessThan(plan.scale);
  });

  it("takes away pixels enough at once", () => {
    const { scale } = nextPlan(at("jpg", 90), 9);

    expect(scale).toBeLessThan(1 / 3);
    expect(scale).toBeGreaterThan(0.25);
  });
});
