import { describe, expect, it } from "vitest";
import { webAddress } from "../../../src/discord/draw/links.ts";

describe("webAddress", () => {
  it.each([
    ["https://i.ytimg.com/vi/x/hq.jpg?sqp=a-b_c==&rs=1", undefined],
    [
      'https://i.ytimg.com/a b|c^d"e<f>`g{h}\\i',
      "https://i.ytimg.com/a%20b%7Cc%5Ed%22e%3Cf%3E%60g%7Bh%7D/i",
    ],
    ["https://i.ytimg.com/100%", "https://i.ytimg.com/100%25"],
    ["https://i.ytimg.com/?q=a|b", "https://i.ytimg.com/?q=a%7Cb"],
    ["http://münchen.example/ü", "http://xn--mnchen-3ya.example/%C3%BC"],
  ])("hands on %s as the platform takes it", (text, address = text) => {
    expect(webAddress(text)).toBe(address);
  });

  it.each([
    "",
    "not an address",
    "javascript:alert(1)",
    "attachment://x.png",
    "data:image/png;base64,AA==",
    "https://",
    `https://i.ytimg.com/${"x".repeat(2048)}`,
  ])("leaves out %s", (text) => {
    expect(webAddress(text)).toBeUndefined();
  });
});
