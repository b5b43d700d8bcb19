import { describe, expect, it } from "vitest";
import { BotError } from "../../../src/errors.ts";
import {
  decodeList,
  readChannelList,
} from "../../../src/features/announcements/read-channel-list.ts";

const id = (nth: number) => `UC${`${nth}`.padStart(22, "x")}`;
const outline = (nth: number, text = "A") =>
  `<outline text="${text}" type="rss" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=${id(nth)}" />`;
const opml = (body: string) =>
  `\ufeff<?xml version="1.0"?><opml version="1.1"><body>${body}</body></opml>`;

const read = (text: string) =>
  readChannelList(text, "list").catch((error: unknown) => {
    if (error instanceof BotError) return error.code;
    throw error;
  });

describe("a list of channels", () => {
  it("is read from lines, commas and sentences, without duplicates", async () => {
    const text = [
      "1. @orbitals, https://www.youtube.com/@pixel.foundry",
      `- ${id(1)}\t@ORBITALS`,
      `Look at https://www.youtube.com/channel/${id(2)}`,
      "hello big world",
      "https://youtu.be/dQw4w9WgXcQ",
      "x".repeat(10_000),
    ].join("\r\n");

    const list = await read(text);

    expect(list).toEqual({
      refs: [{ handle: "@ORBITALS" }, { handle: "@pixel.foundry" }, { id: id(1) }, { id: id(2) }],
      unread: ["hello big world", "https://youtu.be/dQw4w9WgXcQ", `${"x".repeat(59)}…`],
    });
  });

  it("is read from one long line, as Discord pastes a list into an option", async () => {
    const handles = Array.from({ length: 200 }, (_, nth) => `@channel${nth}`);
    const text = `Mine: ${handles.join(" ")} https://www.youtube.com/channel/${id(1)} ${id(2)}`;

    const list = await read(text);

    expect(list).toEqual({
      refs: [...handles.map((handle) => ({ handle })), { id: id(1) }, { id: id(2) }],
      unread: [],
    });
  });

  it("is read from an export of Google's, whose titles may be formulas and have commas", async () => {
    const rows = [
      "Kanal-ID,Kanal-URL,Kanaltitel",
      `${id(1)},http://www.youtube.com/channel/${id(1)},"=HYPERLINK(""x"",1), and more"`,
      `${id(2)},http://www.youtube.com/channel/${id(2)},@SUM(1+1)`,
      `${id(3)},http://www.youtube.com/channel/${id(3)}`,
      "",
    ];

    expect(await read(rows.join("\n"))).toEqual({
      refs: [{ id: id(1) }, { id: id(2) }, { id: id(3) }],
      unread: [],
      titles: new Map([
        [id(1), '=HYPERLINK("x",1), and more'],
        [id(2), "@SUM(1+1)"],
      ]),
    });
  });

  it("is read from a feed reader's subscriptions, however deep", async () => {
    const other = '<outline text="Blog" xmlUrl="https://blog.example/rss?a=1&amp;b=2"/>';
    const hidden = `<!-- ${outline(9)} -->`;
    const body = `<outline text="A > B">${outline(1, "1 > 0 &amp; 'x'")}${hidden}${other}</outline>`;

    const deep = `${"<outline>".repeat(20_000)}${outline(2)}`;

    expect(await read(opml(body))).toEqual({
      refs: [{ id: id(1) }],
      unread: ["https://blog.example/rss?a=1&b=2"],
      titles: new Map([[id(1), "1 > 0 & 'x'"]]),
    });
    expect(await read(opml(deep))).toMatchObject({ refs: [{ id: id(2) }] });
  });

  it.each([
    ["a document type", '<!DOCTYPE opml [<!ENTITY a "b">]><opml>&a;</opml>', "import_xml"],
    ["another kind of XML", "<rss><channel/></rss>", "import_format"],
    ["JSON", '{"subscriptions":[]}', "import_format"],
    ["no entry", opml(""), "import_empty"],
    ["blanks", " \n , ,\t", "import_empty"],
    [
      "10,000 channels",
      Array.from({ length: 10_000 }, (_, n) => id(n)).join("\n"),
      "import_too_many",
    ],
    ["comments that never end", `<opml>${"<!--".repeat(100_000)}`, "import_empty"],
    ["quotes that never end", `<opml>${'<outline "'.repeat(40_000)}`, "import_empty"],
    ["commas alone", ",".repeat(500_000), "import_empty"],
  ])("is refused with %s", async (_, text, code) => {
    expect(await read(text)).toBe(code);
  });

  it("has to be text", () => {
    for (const bytes of [
      [0xff, 0xfe, 0x41, 0],
      [0x41, 0],
      [0x50, 0x4b, 3, 4, 0xff],
    ]) {
      expect(() => decodeList(Uint8Array.from(bytes), "list.zip")).toThrow(
        expect.objectContaining({ code: "import_format", facts: { name: "list.zip" } }),
      );
    }
  });
});
