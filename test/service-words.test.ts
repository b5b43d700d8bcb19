import { describe, expect, it } from "vitest";
import { isWebPage, plainWords, serviceWords } from "../src/service-words.ts";

const key = "AIzaSyD3x9Lm2Qw7Rt5Yp8Kd1Vb6Nc4Zs0Hg2Ja";

describe("serviceWords", () => {
  it("puts title, detail and names on one line", () => {
    const words = serviceWords({
      title: "Not enough memory",
      detail: "Send a\nsmaller  picture.",
      names: ["out_of_memory", undefined, "size", "size"],
    });

    expect(words).toBe("Not enough memory: Send a smaller picture. (out_of_memory, size)");
  });

  it.each([
    [{ title: "Same.", detail: "Same." }, "Same."],
    [{ title: "Short", detail: "Short and more." }, "Short and more."],
    [{ title: "One.", detail: "Two." }, "One. Two."],
    [{ names: ["only_a_code"] }, "only_a_code"],
    [{ title: 5, detail: null, names: [{}] }, undefined],
    [{ title: " \u200b ", names: [] }, undefined],
  ])("leaves out what says nothing: %j", (refusal, words) => {
    expect(serviceWords(refusal)).toBe(words);
  });

  it.each([
    [`key ${key} is not valid`, "key [hidden] is not valid"],
    [`See https://x.example/v3?key=${key}.`, "See x.example"],
    ["https://user:pass@evil.example/a is wrong", "evil.example is wrong"],
    ["discord://invite/abc now", "invite now"],
    ["api_key=canary, again", "api_key=[hidden], again"],
    ["Authorization: Bearer canary", "Authorization: [hidden] [hidden]"],
    ["it was canary-key-12", "it was [hidden]"],
    ["it began with canary-key", "it began with [hidden]"],
    ["k=canary-key is half of it", "k=[hidden] is half of it"],
    ["CANARY-KEY-12 and xcanary-key-12y", "[hidden] and x[hidden]y"],
    ["canary-\u200bkey-12 in two", "[hidden] in two"],
    ["no channel UC_x5XG1OV2P6uZZ5FSM9Ttw", "no channel UC_x5XG1OV2P6uZZ5FSM9Ttw"],
  ])("masks secrets and keeps the hosts of addresses: %s", (title, words) => {
    expect(serviceWords({ title }, ["canary-key-12"])).toBe(words);
  });

  it.each([
    ["<b>Bold</b> \u202eturned\u0007", "Bold turned"],
    [`Z${"\u0301".repeat(500)} tall`, "Z\u0301\u0301\u0301\u0301 tall"],
    ["ends” – “Greenroom says", "ends' – 'Greenroom says"],
    ["\ud800broken", "\ufffdbroken"],
  ])("keeps nothing that could pass for words of ours: %j", (title, words) => {
    expect(serviceWords({ title })).toBe(words);
  });

  it("is cut after 300 characters, its names included", () => {
    const words = serviceWords({ title: "é".repeat(5_000), names: ["x".repeat(900)] });

    expect(words).toBe(`${"é".repeat(300)}… (${"x".repeat(300)}…)`);
  });
});

describe("plainWords", () => {
  it.each([
    ["Upload limit reached", "Upload limit reached"],
    ['{"detail":"No such model"}', "No such model"],
    ['{"error":"over_limit"}', "over_limit"],
    ['"boo"', "boo"],
    ["<Error><Code>AccessDenied</Code></Error>", undefined],
    ['{"error":{"code":400}}', undefined],
    ["null", undefined],
    ["[]", undefined],
    ["a\0b", undefined],
    ["", ""],
  ])("reads what has no form of the service's: %s", (body, words) => {
    expect(plainWords(Buffer.from(body))).toBe(words);
  });

  it("ends between two characters", () => {
    expect(plainWords(Buffer.from(`x${"é".repeat(5_000)}`))).toMatch(/é$/u);
  });
});

describe("isWebPage", () => {
  it.each([
    ["text/html; charset=utf-8", "<h1>oops</h1>", true],
    ["", "  <!DOCTYPE html><title>x</title>", true],
    ["application/json", "<html>", true],
    ["text/html", '{"error":{}}', false],
    ["text/html", "", false],
    ["text/html", "null", false],
    ["", "<error/>", false],
    ["application/json", "{}", false],
  ])("tells a page from data: %s %s", (type, body, isPage) => {
    expect(isWebPage({ headers: { "content-type": type }, body: Buffer.from(body) })).toBe(isPage);
  });
});
