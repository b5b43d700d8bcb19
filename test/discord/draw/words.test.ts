import { describe, expect, it } from "vitest";
import { md } from "../../../src/discord/draw/text.ts";
import { link } from "../../../src/discord/draw/titles.ts";
import { createWords } from "../../../src/discord/draw/words.ts";
import { languages, words } from "../../support/words.ts";

describe("words", () => {
  it("escapes what a message is filled with, and keeps formatting of ours", () => {
    const { md: say } = words();

    const hostile = say("common.reference", { id: "**@everyone** [a](https://x.y)" });
    const ours = say("common.reference", { id: link("here", "https://example.com/") });

    expect(hostile.markup).not.toMatch(/(?<!\\)[*@[]/u);
    expect(ours.markup).toContain("[here](https://example.com/)");
  });

  it("fills a message without formatting as it is", () => {
    expect(words().say("common.reference", { id: "a_b*c" })).toContain("a_b*c");
  });

  it.each([
    ["en-US", 1_234_567, "1.2M"],
    ["de", 1_234_567, "1,2 Mio."],
    ["ja", 1_234_567, "123.5万"],
    ["de", 1_743, "1.743"],
    ["ja", 1_743, "1,743"],
  ])("shortens numbers as %s does", (tag, count, expected) => {
    expect(words(tag).short(count)?.replaceAll("\u00a0", " ")).toBe(expected);
  });

  it.each([
    [0, "0 bytes"],
    [1_000, "1,000 bytes"],
    [1_536, "1.5 kB"],
    [10 * 1024 * 1024, "10 MB"],
    [1_230_000_000, "1.15 GB"],
  ])("says how large %d bytes are", (bytes, expected) => {
    expect(words().bytes(bytes)).toBe(expected);
  });

  it.each([
    ["en-US", 60_000, "every minute"],
    ["en-US", 300_000, "every 5 minutes"],
    ["de", 3_600_000, "jede Stunde"],
    ["ja", 60_000, "1分ごと"],
  ])("says how often in %s", (tag, ms, expected) => {
    expect(words(tag).every(ms)).toBe(expected);
  });

  it("sets no space before a Japanese counter", () => {
    expect(words("ja").bytes(3)).toBe("3バイト");
  });

  it("names countries and languages, and leaves alone what is neither", () => {
    const german = words("de");

    expect([german.country("FR"), german.language("fr")]).toEqual(["Frankreich", "Französisch"]);
    expect([german.country("??"), german.language("!")]).toEqual(["??", "!"]);
  });

  it("speaks English to people whose language it does not have, with their own numbers", () => {
    const finnish = words("fi");

    expect(finnish.say("common.next")).toBe("Next");
    expect(finnish.number(1234.5)).toMatch(/^1.234,5$/u);
  });

  it.each([
    ["pt-BR", 0, "0 videos"],
    ["ru", 21, "21 videos"],
    ["de", 1, "1 Video"],
  ])("counts as the message's own language does, for %s: %d", (tag, count, expected) => {
    expect(words(tag).say("common.videos", { count })).toBe(expected);
  });

  it("says lengths of time in the language of the sentence around them", () => {
    const said = ["en-GB", "pt-BR", "de", "ja"].map((tag) => words(tag).duration(90_000));

    expect(said.slice(0, 2)).toEqual(["1 minute 30 seconds", "1 minute 30 seconds"]);
    expect(said.slice(2)).toEqual(["1 Minute 30 Sekunden", "1分30秒"]);
    expect(words("fi").list(["a", "b"])).toBe("a and b");
  });

  it("names commands and options as the person's picker does", () => {
    const [english, german] = [words(), words("de")];

    expect(english.command("connect key")).toBe("/connect key");
    expect(german.command("connect key")).toBe("/verbinden schlüssel");
    expect(german.option("region", "search")).toBe("land");
    expect(german.option("channel")).toBe("kanal");
    expect(german.option("never heard of", "search")).toBe("never heard of");
  });

  it("joins pieces of a message without losing what they are", () => {
    expect(md`${"a*b"} ${md`**bold**`}`.markup).toBe("a\\*b **bold**");
  });

  it("mentions registered commands so that they can be pressed, and names them where nothing can", () => {
    const german = createWords(languages.of("de"), new Map([["connect", "123456789012345678"]]));

    expect(german.mention("connect status").markup).toBe("</connect status:123456789012345678>");
    expect(german.mention("usage").markup).toBe("/verbrauch");
    expect(german.command("connect status")).toBe("/verbinden status");
    expect(german.md("failures.kinds.connect.hint").markup).toContain(
      "</connect status:123456789012345678>",
    );
    expect(german.say("failures.kinds.connect.hint")).toContain("/verbinden status");
  });

  it("makes no mention of what a message is filled with", () => {
    const english = createWords(
      languages.of("en-US"),
      new Map([["connect", "123456789012345678"]]),
    );

    const { markup } = english.md("common.reference", { id: "</connect erase>" });

    expect(markup).toContain("\\<\\/connect erase\\>");
  });
});
