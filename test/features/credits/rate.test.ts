import { describe, expect, it } from "vitest";
import { photo, textOf } from "../../support/stage.ts";
import { useStage } from "../../support/use-stage.ts";

/** The clock runs by itself and can be moved ahead. */
let ahead = 0;
const now = () => Date.now() + ahead;

const { owner } = useStage({ now, background: { matting: "ellipse" } });
const { run } = owner;

async function rate(name: string): Promise<string> {
  const shown = await run("background account");
  const field = shown.embeds[0]?.fields?.find((one) => one.name === name);
  if (field === undefined) throw new Error(`no such field: ${textOf(shown)}`);
  return field.value;
}

/** Unix seconds, in the order in which they are shown. */
const times = (text: string) => [...text.matchAll(/<t:(\d+):R>/gu)].map(([, at]) => Number(at));

describe("the rate limit in /background account", () => {
  it("is not known before a picture, and then as in that picture's answer", async () => {
    const before = await rate("Rate limit");
    const from = Math.floor(now() / 1000);
    await owner.run("background remove", { image: await photo("cat"), size: "preview" });
    const after = await rate("Rate limit");
    const until = Math.ceil(now() / 1000);
    const [reset = 0, seen = 0] = times(after);

    expect(before).toBe("Not known yet: it is reported with each picture.");
    expect(after).toMatch(
      /^\*\*500\*\* megapixels a minute\n499 left, back to the full limit <t:\d+:R>\nAs reported <t:\d+:R>; /u,
    );
    expect(seen).toBeGreaterThanOrEqual(from);
    expect(seen).toBeLessThanOrEqual(until);
    expect(reset).toBeGreaterThan(seen + 30);
  });

  it("says when it was learned and that its minute is over, once it is", async () => {
    const before = times(await rate("Rate limit"));
    ahead += 61_000;

    const after = await rate("Rate limit");

    expect(after).toContain(
      "\nThe full limit is available; 499 were left when it was last used\nAs reported <t:",
    );
    expect(after).not.toContain("back to the full limit");
    expect(times(after)).toEqual(before.slice(1));
  });

  it.each([
    ["de", "Tempolimit", "Das ganze Limit ist frei; bei der letzten Nutzung waren noch 499 übrig"],
    [
      "es-ES",
      "Límite de ritmo",
      "El límite completo está disponible; tras el último uso quedaban 499",
    ],
    [
      "fr",
      "Limite de débit",
      "Toute la limite est disponible ; il en restait 499 à la dernière utilisation",
    ],
    ["ja", "速度の上限", "現在は全量を使えます（前回の使用時は残り499）"],
  ] as const)("is shown in %s too", async (language, name, words) => {
    owner.speak(language);
    const text = await rate(name);

    expect(text).toContain(words);
  });

  it("is shown as in the next picture's answer", async () => {
    await owner.run("background remove", { image: await photo("coffee"), size: "preview" });

    expect(await rate("Rate limit")).toContain("499 left, back to the full limit <t:");
  });
});
