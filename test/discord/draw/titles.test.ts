import type { APIMessage } from "discord.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawEmbed } from "../../../src/discord/draw/embed.ts";
import { isBlank, md, oneLine } from "../../../src/discord/draw/text.ts";
import { link, unformatted } from "../../../src/discord/draw/titles.ts";
import {
  type InlineMark,
  parseInline,
  parseMarkdown,
  parseTitle,
} from "../../../src/sandbox/platform/page/markdown/parse.ts";
import { hostile } from "../../support/hostile.ts";
import { textOf } from "../../support/stage.ts";
import { titles } from "./titles.ts";

const address = "https://www.youtube.com/watch?v=a_b-c_dEf__";

function wordsOf(marks: readonly InlineMark[]): string {
  return marks
    .map((mark) => ("children" in mark ? wordsOf(mark.children) : "text" in mark ? mark.text : ""))
    .join("");
}

const lookAlikes = Object.entries({
  "∖": "\\",
  ˋ: "`",
  "∗": "*",
  ˍ: "_",
  "∼": "~",
  "│": "|",
  "‹": "<",
  "❲": "[",
  "❳": "]",
});

/** The text as a person reads it: look-alikes as the characters they stand for, and nothing invisible. */
function seen(text: string): string {
  const folded = lookAlikes.reduce(
    (all, [like, sign]) => all.replaceAll(like, sign),
    oneLine(text),
  );
  return folded
    .replaceAll(/[\p{Cf}\p{DI}]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** Whether a link reads as its title. A title of emoji alone has an arrow after it, which can be pressed. */
function readsAs(text: string, title: string): boolean {
  const read = seen(text);
  const whole = seen(title);
  if (isBlank(whole)) return read === "—";
  return read === whole || (read === `${whole} →` && !/\p{L}/u.test(whole));
}

function faultsOfLink(title: string): readonly string[] {
  const { markup } = link(title, address);
  const marks = parseInline(markup);
  const links = marks.filter((mark) => mark.type === "link");
  const [only] = links;
  const others = [...marks, ...(only?.children ?? [])].filter(({ type }) => type !== "text");
  const blocks = parseMarkdown(markup);
  return [
    links.length === 1 && only?.url === address ? "" : "not one link",
    others.length === 1 ? "" : `alive: ${others.map(({ type }) => type)}`,
    blocks.length === 1 && blocks[0]?.type === "text" ? "" : "a block of its own",
    markup.includes("\\") ? "a backslash" : "",
    readsAs(wordsOf(marks), title) ? "" : `reads ${wordsOf(marks)}`,
  ].filter((fault) => fault !== "");
}

function faultsOfTitle(title: string): readonly string[] {
  const shown = drawEmbed({ title, url: address }).title ?? "";
  const marks = parseTitle(shown);
  const whole = seen(title);
  const read = seen(shown);
  return [
    marks.every(({ type }) => type === "text") ? "" : "alive",
    shown.includes("\\") ? "a backslash" : "",
    shown.length <= 256 ? "" : "too long",
    read === whole || (read === "—" && isBlank(whole)) || shown.endsWith("…")
      ? ""
      : `reads ${shown}`,
  ].filter((fault) => fault !== "");
}

const all = [...titles, ...hostile];
const faulty = (faultsOf: (title: string) => readonly string[]) =>
  all.flatMap((title) => {
    const faults = faultsOf(title);
    return faults.length === 0 ? [] : [[title, ...faults]];
  });

describe("link", () => {
  it.each([
    ["Cat versus cucumber: the calm version", "[Cat versus cucumber: the calm version]"],
    ["a_b *c* [d] #1: 10/10 (neu)", "[a_b ∗c∗ ❲d❳ #1: 10/10 (neu)]"],
    ["Part 1: how to (2/3) #shorts my_file", "[Part 1: how to (2/3) #shorts my_file]"],
    ["C:\\temp\\new", "[C:∖temp∖new]"],
    ["https://evil.example look", "[https:\ufe00//evil.example look]"],
    ["~~x~~ __u__ **b** `c`", "[∼∼x∼∼ ˍˍuˍˍ ∗∗b∗∗ ˋcˋ]"],
    ["A | B || C", "[A | B ││ C]"],
    ["<@1> @everyone <:x:1> 1:02:03 <3", "[‹@1> @\ufe00everyone ‹:\ufe00x:1> 1:02:03 <3]"],
    ["x](https://evil.example)", "[x❳(https:\ufe00//evil.example)]"],
    ["# 1", "[#\ufe00 1]"],
    ["1. one", "[1. one]"],
    ["IU _ LILAC(라일락)", "[IU _ LILAC(라일락)]"],
    ["*NSYNC, 5* hotel", "[∗NSYNC, 5∗ hotel]"],
    ["f*ck, п`ять, _intro", "[f*ck, п`ять, _intro]"],
    ["", "[—]"],
  ])("writes %j without a backslash", (title, label) => {
    expect(link(title, address).markup).toBe(`${label}(${address})`);
  });

  it.each([
    ["🔥 Part 1: how to", `🔥 [Part 1: how to](${address})`],
    ["Best of lofi 🎉 - beats", `[Best of lofi](${address}) 🎉 - beats`],
    ["🔥🔥", `🔥🔥 [→](${address})`],
    ["1. 🔥 one", `1.\ufe00 🔥 [one](${address})`],
    ["🔥 f*ck 🔥 x", `🔥 [f∗ck](${address}) 🔥 x`],
    ["*️⃣ one ™", `∗️⃣ [one ™](${address})`],
  ])("puts the emoji of %j beside the label", (title, markup) => {
    expect(link(title, address).markup).toBe(markup);
  });

  it("isolates a title that is written from right to left around the link", () => {
    expect(link("שלום", address).markup).toBe(`\u2068[שלום](${address})\u2069`);
  });

  it("keeps brackets and backslashes of an address from ending it", () => {
    expect(link("x", "https://en.wikipedia.org/wiki/A_(b)?q=\\").markup).toBe(
      "[x](https://en.wikipedia.org/wiki/A_%28b%29?q=%5C)",
    );
  });

  it("is one link to that address for every title, and reads like it", () => {
    expect(titles.length).toBeGreaterThan(180);
    expect(faulty(faultsOfLink)).toEqual([]);
  });

  it("stays one link within our own formatting", () => {
    const broken = all.filter((title) => {
      const [strong, ...others] = parseInline(md`**${link(title, address)}**`.markup);
      const inner = strong?.type === "strong" ? strong.children : [];
      return others.length > 0 || inner.filter(({ type }) => type !== "text").length !== 1;
    });

    expect(broken).toEqual([]);
  });
});

describe("title of an embed", () => {
  it("shows no backslash, and no formatting, for every title", () => {
    expect(faulty(faultsOfTitle)).toEqual([]);
  });

  it("is cut between characters", () => {
    const { title } = drawEmbed({ title: "👩‍🚀".repeat(100) });

    expect(title).toBe(`${"👩‍🚀".repeat(51)}…`);
  });

  it("leaves brackets alone that make no link", () => {
    expect(unformatted("[MV] Song (4K)")).toBe("[MV] Song (4K)");
  });

  it("leaves a sign alone that would need a second one", () => {
    expect(unformatted("IU(아이유) _ LILAC, 5* hotel, п`ять")).toBe(
      "IU(아이유) _ LILAC, 5* hotel, п`ять",
    );
    expect(unformatted("_a_ *b*")).toBe("ˍaˍ ∗b∗");
  });

  it("has names of fields like it", () => {
    const fields = [{ name: "a\\b **c** (d): e", value: "x" }];

    expect(drawEmbed({ title: "x", fields }).fields?.[0]?.name).toBe("a∖b ∗∗c∗∗ (d): e");
  });
});

describe("textOf", () => {
  it("takes a backslash away only where one escapes", () => {
    const description = "a\\: [b\\: c](https://x.y) d\\_e";
    const fields = [{ name: "f\\: g", value: "h\\: i" }];
    const embeds = [{ title: "j\\: k", description, fields }];

    const shown = textOf({ content: "l\\: m", embeds, components: [] } as unknown as APIMessage);

    expect(shown.split("\n")).toEqual([
      "l: m",
      "j\\: k",
      "a: [b\\: c](https://x.y) d_e",
      "f\\: g",
      "h: i",
    ]);
  });
});

describe("anything put together of signs", () => {
  const signs = fc.constantFrom(
    ..."*_~|`[]()<>\\:/@#!-+. 1a語🔥",
    ...["**", "__", "~~", "||", "](", "://", "https", "@everyone", "<@1>", "<t:1>", ":x:"],
    ...["\u200b", "\u2060", "\u200d", "\u034f", "\ufe0f", "\u20e3", "ש", "discord.gg/", "\n"],
  );
  const title = fc.array(signs, { maxLength: 40 }).map((parts) => parts.join(""));
  const bounds = { seed: 20_260_610, numRuns: 3_000 };

  it("is one link, and a title without formatting", () => {
    fc.assert(
      fc.property(title, (text) => {
        expect([...faultsOfLink(text), ...faultsOfTitle(text)]).toEqual([]);
      }),
      bounds,
    );
  });
});
