import { describe, expect, it } from "vitest";
import { splitUrl } from "../../src/http/address.ts";
import { seed, seeded } from "../support/random.ts";

describe("addressOf", () => {
  it.each([
    "https://youtube.googleapis.com/youtube/v3/videos?part=id%2Csnippet&id=a,b&key=k",
    "http://127.0.0.1:8080/v3/captions/a%2Fb",
    "http://localhost/",
    "http://localhost",
    "http://localhost?x",
    "https://h/a/../b?c=/../d",
    "https://h/a/%2e%2E/b",
    "https://h/./a",
    "https://h/.well-known/x",
    "https://h//double//slash",
    "https://H.example/Upper",
    "https://h:443/default-port",
    "https://h/a?b=ü&c=d e",
    "https://h/a?b='c'",
    "https://h/a\\b",
    "https://h/a#fragment",
    "https://h/a?b#fragment",
    "https://user:pass@h/a",
    "https://[::1]:80/a",
    "http://127.1/short",
    "https://h/%zz?%",
    'https://h/a?b={c}|d^e`f"g<h>',
  ])("takes %s apart as the parser does", (url) => {
    const parsed = new URL(url);

    const { origin, path } = splitUrl(url);

    expect(new URL(origin).origin).toBe(parsed.origin);
    expect(path).toBe(parsed.pathname + parsed.search);
  });

  it(`agrees with the parser on whatever is made of the characters that matter (SEED=${seed})`, () => {
    const random = seeded(seed);
    const letters = [..."ab.%2eE/?&=:@#\\ ü'+~-|{", "..", "%2e"];
    for (let round = 0; round < 1_500; round++) {
      const length = Math.floor(random() * 12);
      const tail = Array.from({ length }, () => letters[Math.floor(random() * letters.length)]);
      const url = `http://h/${tail.join("")}`;
      const parsed = new URL(url);

      expect(splitUrl(url).path, url).toBe(parsed.pathname + parsed.search);
    }
  });

  it.each(["", "no address", "http://", "//h/a"])("refuses %j", (url) => {
    expect(() => splitUrl(url)).toThrow(TypeError);
  });
});
