import { describe, expect, it } from "vitest";
import { collectBody } from "../../src/http/collect-body.ts";

const mebibyte = 1024 * 1024;

function gathered(declared: string | undefined, ...chunks: readonly Buffer[]): Buffer {
  const body = collectBody(declared);
  for (const chunk of chunks) body.add(chunk);
  return body.all();
}

describe("gather", () => {
  const large = Buffer.alloc(2 * mebibyte, "abcdefg");
  const halves = [large.subarray(0, mebibyte + 7), large.subarray(mebibyte + 7)] as const;

  it.each([
    ["whose length is declared", `${large.length}`],
    ["whose length is not declared", undefined],
    ["whose length is no number", "many"],
    ["whose length is declared as less", `${large.length - 9}`],
    ["whose length is declared as more", `${large.length + 9}`],
  ])("joins a body %s", (_, declared) => {
    expect(gathered(declared, ...halves).equals(large)).toBe(true);
  });

  it("places a large body once, without a copy in the end", () => {
    const body = collectBody(`${large.length}`);
    for (const half of halves) body.add(half);

    expect(body.all().buffer).toBe(body.all().buffer);
    expect(body.all().byteLength).toBe(body.all().buffer.byteLength);
  });

  it("gives a single chunk as it came", () => {
    const chunk = Buffer.from("small");

    expect(gathered("5", chunk)).toBe(chunk);
  });

  it("knows nothing of a body without chunks", () => {
    expect(gathered("0").length).toBe(0);
    expect(gathered(`${large.length}`).length).toBe(0);
  });
});
