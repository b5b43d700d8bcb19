import { describe, expect, it } from "vitest";
import { videosOfMessage } from "../../../src/flows/playlists/in-message.ts";

const a = "aaaaaaaaaaa";
const b = "bbbbbbbbbbb";
const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`;

describe("videosOfMessage", () => {
  it("reads links of every form in what was written, each video once and in order", () => {
    const content = `${watch(b)}&list=PLx youtu.be/${a} <${watch(a)}> [x](${watch(b)}) ||${watch(a)}||`;

    expect(videosOfMessage({ content })).toEqual([b, a]);
  });

  it("takes an unfolded link for itself and not what its page says", () => {
    const embeds = [{ type: "video", url: watch(a), description: `More: ${watch(b)}` }];

    expect(videosOfMessage({ content: "", embeds })).toEqual([a]);
  });

  it("reads all texts of an embed that a bot has made", () => {
    const embeds = [
      { type: "rich", description: watch(a), fields: [{ name: "x", value: watch(b) }] },
    ];

    expect(videosOfMessage({ content: "", embeds })).toEqual([a, b]);
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

    expect(videosOfMessage({ content: "", components })).toEqual([a, b]);
  });

  it("finds nothing in other addresses, in playlists and in odd parts", () => {
    const content = `https://example.com/watch?v=${a} https://www.youtube.com/playlist?list=PL${a}`;

    expect(videosOfMessage({ content, embeds: [null, 3, "x"], components: [null] })).toEqual([]);
  });
});
