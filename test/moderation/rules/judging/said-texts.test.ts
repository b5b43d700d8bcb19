import { describe, expect, it } from "vitest";
import { createSaidTexts } from "../../../../src/moderation/rules/judging/said-texts.ts";
import { seed, seeded } from "../../../support/random.ts";

describe("createSaidTexts", () => {
  it("counts as one would by hand, edits and other times included", () => {
    const random = seeded(seed);
    const below = (most: number) => Math.floor(random() * most);
    const texts = createSaidTexts();
    const all = new Map<string, { readonly likeness: string; readonly at: number }>();

    for (let n = 0; n < 2_000; n += 1) {
      const [id, likeness, at] = [`c${below(200)}`, `l${below(3)}`, below(1_000)];
      const within = below(300);
      texts.add({ id, publishedAt: at }, likeness);
      all.set(id, { likeness, at });
      const others = [...all].filter(
        ([other, one]) =>
          other !== id && one.likeness === likeness && Math.abs(one.at - at) <= within,
      );

      expect(texts.times({ id, publishedAt: at }, likeness, within)).toBe(others.length + 1);
    }
  });

  it("counts no text that is too short", () => {
    const texts = createSaidTexts();
    texts.add({ id: "a", publishedAt: 1 }, undefined);

    expect(texts.times({ id: "b", publishedAt: 1 }, undefined, 100)).toBe(1);
  });
});
