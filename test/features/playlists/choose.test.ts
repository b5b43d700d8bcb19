import { describe, expect, it } from "vitest";
import { videosInMessage } from "../../../src/features/playlists/choose.ts";
import {
  brokenAddresses,
  redirects,
  videoAddresses,
  videoId,
  wrapped,
  wrappings,
} from "../../video-links/link-shapes.ts";

const a = "aaaaaaaaaaa";
const b = "bbbbbbbbbbb";
const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`;

describe("videosInMessage", () => {
  it("reads links of every form in what was written, each video once and in order", () => {
    const content = `${watch(b)}&list=PLx youtu.be/${a} <${watch(a)}> [x](${watch(b)}) ||${watch(a)}||`;

    expect(videosInMessage({ content })).toEqual([b, a]);
  });

  it.each([...videoAddresses, ...redirects, ...brokenAddresses])("finds %s", (text) => {
    expect(videosInMessage({ content: `見て「${text}」、すごい` })).toEqual([videoId]);
  });

  it.each(wrappings.flatMap(([name, wrap]) => wrapped.map((text) => [name, wrap(text)] as const)))(
    "finds an address with %s: %s",
    (_, text) => {
      expect(videosInMessage({ content: `Look:\n${text}\nand ${text}` })).toEqual([videoId]);
    },
  );

  it("reads the link of a preview, but no links that its page contains", () => {
    const embeds = [{ type: "video", url: watch(a), description: `More: ${watch(b)}` }];

    expect(videosInMessage({ content: "", embeds })).toEqual([a]);
  });

  it("reads all texts of an embed by a bot", () => {
    const embeds = [
      { type: "rich", description: watch(a), fields: [{ name: "x", value: watch(b) }] },
    ];

    expect(videosInMessage({ content: "", embeds })).toEqual([a, b]);
  });

  it("reads titles and addresses of buttons among components, however deep", () => {
    const components = [
      {
        type: 17,
        components: [
          { type: 9, components: [{ type: 10, content: `**[A](${watch(a)})**` }] },
          { type: 1, components: [{ type: 2, style: 5, url: watch(b) }] },
        ],
      },
    ];

    expect(videosInMessage({ content: "", components })).toEqual([a, b]);
  });

  it("finds nothing in other addresses, in playlists and in unknown parts", () => {
    const content = `https://example.com/watch?v=${a} https://www.youtube.com/playlist?list=PL${a}`;

    expect(videosInMessage({ content, embeds: [null, 3, "x"], components: [null] })).toEqual([]);
  });
});
