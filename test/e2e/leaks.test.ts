import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type Tour, tour } from "../support/leak-tour/tour.ts";
import { watchSecrets } from "../support/leaks.ts";

describe("the watch over secrets", () => {
  const secret = `ya29.${randomBytes(24).toString("base64")}/+ä"`;
  const inJson = JSON.stringify({ secret });
  const forms: Readonly<Record<string, string>> = {
    raw: `x ${secret} y`,
    "an address": `https://x/?k=${encodeURIComponent(secret)}`,
    "a form": new URLSearchParams({ secret }).toString(),
    JSON: inJson,
    "JSON in JSON": JSON.stringify(inJson),
    base64: Buffer.from(secret).toString("base64"),
    "base64 one byte in": Buffer.from(`k${secret}`).toString("base64"),
    "base64 two bytes in": Buffer.from(`k:${secret}`).toString("base64"),
    base64url: Buffer.from(`Basic ${secret}`).toString("base64url"),
    hex: Buffer.from(secret).toString("hex"),
    HEX: Buffer.from(secret).toString("hex").toUpperCase(),
  };

  it.each(Object.entries(forms))("finds one as %s, and does not repeat it", (_, text) => {
    const watch = watchSecrets();
    watch.secret(secret);

    const [found = ""] = watch.leaks([{ where: "here", text }]);
    expect(found).toMatch(/^here: /u);
    expect(found).not.toContain(secret);
  });

  it("finds none where there is none", () => {
    const watch = watchSecrets();
    watch.secret(secret);

    expect(watch.leaks([{ where: "here", text: secret.slice(0, 12) }])).toEqual([]);
  });
});

describe("a tour through commands, pages, faults and starts", () => {
  let toured: Tour;

  beforeAll(async () => {
    toured = await tour();
  }, 300_000);

  it("knows more than 40 secrets and looks at hundreds of pieces", () => {
    expect(toured.secrets).toBeGreaterThan(40);
    expect(toured.pieces).toBeGreaterThan(200);
    expect(Object.entries(toured.made).filter(([, count]) => count < 2)).toEqual([]);
  });

  it("leaves none of them anywhere, in whatever form", () => {
    expect(toured.leaks).toEqual([]);
  });

  it("sends each to its own service alone, and tokens in no address", () => {
    expect(toured.astray).toEqual([]);
  });
});
