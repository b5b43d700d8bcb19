import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseInline,
  parseMarkdown,
  parseTitle,
} from "../../../src/sandbox/platform/page/markdown/parse.ts";
import { timeText } from "../../../src/sandbox/platform/page/markdown/time.ts";

const text = (words: string) => ({ type: "text", text: words });

describe("parseInline", () => {
  it.each([
    ["**a**", [{ type: "strong", children: [text("a")] }]],
    [
      "*a* _b_",
      [{ type: "em", children: [text("a")] }, text(" "), { type: "em", children: [text("b")] }],
    ],
    ["***a***", [{ type: "strong", children: [{ type: "em", children: [text("a")] }] }]],
    ["__a__", [{ type: "underline", children: [text("a")] }]],
    ["~~a~~", [{ type: "strike", children: [text("a")] }]],
    ["||a||", [{ type: "spoiler", children: [text("a")] }]],
    ["`**a**`", [{ type: "code", text: "**a**" }]],
    ["\\*a\\*", [text("*"), text("a"), text("*")]],
    ["snake_case_name", [text("snake_case_name")]],
    ["<@1> <@!2>", [{ type: "user", id: "1" }, text(" "), { type: "user", id: "2" }]],
    [
      "<@&1><#2>",
      [
        { type: "role", id: "1" },
        { type: "channel", id: "2" },
      ],
    ],
    ["</a b:1>", [{ type: "command", name: "a b", id: "1" }]],
    ["<t:5:R>", [{ type: "time", unixSeconds: 5, style: "R" }]],
    ["<t:5>", [{ type: "time", unixSeconds: 5, style: "f" }]],
    ["<:x:1>", [{ type: "emoji", name: "x", id: "1", isAnimated: false }]],
    ["[a](https://x.y/z_(1))", [{ type: "link", url: "https://x.y/z_(1)", children: [text("a")] }]],
    ["[a](javascript:b)", [text("[a](javascript:b)")]],
    ["<https://x.y>", [{ type: "link", url: "https://x.y", children: [text("https://x.y")] }]],
    [
      "https://x.y/a.",
      [{ type: "link", url: "https://x.y/a", children: [text("https://x.y/a")] }, text(".")],
    ],
    ["2 * 3 * 4", [text("2 * 3 * 4")]],
  ])("reads %s", (source, nodes) => {
    expect(parseInline(source)).toEqual(nodes);
  });

  it.each([
    "[🔥 a](https://x.y)",
    "[<:x:1>](https://x.y)",
    "[:smile:](https://x.y)",
    "[<@1>](https://x.y)",
    "[@everyone](https://x.y)",
    "[discord.gg/a](https://x.y)",
    "[ ](https://x.y)",
  ])("shows %s as it is written, because of its label", (source) => {
    expect(parseInline(source)).toEqual([text(source)]);
  });

  it.each(["https://e.z", "HTTPS://e.z", "https:\u200b//e.z", "https：//e.z", "https:⁄⁄e.z"])(
    "makes no link of a label with %s",
    (label) => {
      expect(parseInline(`[a ${label}](https://x.y)`)).toEqual([text(`[a ${label}](https://x.y)`)]);
    },
  );

  it.each([
    ["a\\: b\\_c", [text("a\\: b\\_c")]],
    ["a [b]", [text("a [b]")]],
    ["a *b*", [text("a "), { type: "em", children: [text("b")] }]],
    ["|\u200b|a|\u200b|", [{ type: "spoiler", children: [text("a")] }]],
  ])("reads the label %j", (label, children) => {
    expect(parseInline(`[${label}](https://x.y)`)).toEqual([
      { type: "link", url: "https://x.y", children },
    ]);
  });

  it("reads any text without losing a plain one, and in reasonable time", () => {
    const marks = fc.constantFrom(
      "*",
      "**",
      "_",
      "__",
      "~~",
      "||",
      "`",
      "[",
      "](",
      ")",
      "<",
      ">",
      "\\",
      "a",
      " ",
      "\n",
    );
    const hostile = fc.array(marks, { maxLength: 400 }).map((parts) => parts.join(""));

    fc.assert(
      fc.property(hostile, (source) => {
        expect(JSON.stringify(parseMarkdown(source)).length).toBeLessThan(
          100 * source.length + 100,
        );
      }),
      { seed: 20_261_122, numRuns: 200 },
    );
  });
});

describe("parseTitle", () => {
  it("shows escapes, links and mentions as they are", () => {
    const title = "a\\: [b](https://x.y) <@1> @everyone";

    expect(parseTitle(title)).toEqual([text(title)]);
  });

  it("reads styles and emoji", () => {
    expect(parseTitle("**a** <:x:1>")).toEqual([
      { type: "strong", children: [text("a")] },
      text(" "),
      { type: "emoji", name: "x", id: "1", isAnimated: false },
    ]);
  });
});

describe("parseMarkdown", () => {
  it("distinguishes blocks and keeps lines of plain text together", () => {
    const blocks = parseMarkdown(
      "# Head\none\ntwo\n> quote\n-# small\n- a\n  - b\n1. c\n```js\nx\n```\nend",
    );

    expect(blocks.map(({ type }) => type)).toEqual([
      "heading",
      "text",
      "quote",
      "subtext",
      "list",
      "list",
      "code",
      "text",
    ]);
    expect(blocks[1]).toEqual({ type: "text", children: [text("one\ntwo")] });
    expect(blocks[4]).toMatchObject({ start: undefined, items: [{ lists: [{ type: "list" }] }] });
    expect(blocks[5]).toMatchObject({ start: 1 });
    expect(blocks[6]).toEqual({ type: "code", language: "js", text: "x" });
  });

  it("quotes all that follows >>>", () => {
    const [block, ...others] = parseMarkdown(">>> a\nb");

    expect(block).toEqual({ type: "quote", blocks: [{ type: "text", children: [text("a\nb")] }] });
    expect(others).toEqual([]);
  });
});

describe("timeText", () => {
  it.each([
    [0, "now"],
    [-120, "2 minutes ago"],
    [7_200, "in 2 hours"],
    [-86_400, "yesterday"],
  ])("says %i seconds from now as %s", (seconds, words) => {
    expect(
      timeText({ unixSeconds: 1_000_000 + seconds, style: "R", locale: "en" }, 1_000_000_000),
    ).toBe(words);
  });

  it("says so when a timestamp lies outside of all calendars", () => {
    expect(timeText({ unixSeconds: 9_999_999_999_999, style: "f" }, 0)).toBe("Invalid date");
  });
});
