import { describe, expect, it } from "vitest";
import { channelOf, kindOf, playlistOf, videoOf, videosIn } from "../../src/video/links.ts";

const id = "dQw4w9WgXcQ";

describe("videoOf", () => {
  it.each([
    id,
    `https://www.youtube.com/watch?v=${id}`,
    `https://www.youtube.com/watch?list=PL123&v=${id}&t=42s`,
    `https://m.youtube.com/watch?v=${id}`,
    `https://youtu.be/${id}?si=abc`,
    `youtu.be/${id}`,
    `https://www.youtube.com/shorts/${id}`,
    `https://www.youtube.com/live/${id}?feature=share`,
    `https://www.youtube.com/embed/${id}`,
    `  ${id} `,
  ])("reads %s", (text) => {
    expect(videoOf(text)).toBe(id);
  });

  it.each([
    "",
    "not a link",
    `https://evil.example/watch?v=${id}`,
    `https://www.youtube.com.evil.example/watch?v=${id}`,
    "https://www.youtube.com/watch?v=short",
    "https://www.youtube.com/@handle",
  ])("refuses %j", (text) => {
    expect(videoOf(text)).toBeUndefined();
  });
});

describe("playlistOf", () => {
  it.each([
    ["PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf", "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf"],
    [
      "https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf",
      "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf",
    ],
    [
      `https://www.youtube.com/watch?v=${id}&list=UU_x5XG1OV2P6uZZ5FSM9Ttw`,
      "UU_x5XG1OV2P6uZZ5FSM9Ttw",
    ],
  ])("reads %s", (text, playlistId) => {
    expect(playlistOf(text)).toBe(playlistId);
  });

  it("refuses a video's id", () => {
    expect(playlistOf(id)).toBeUndefined();
  });
});

describe("channelOf", () => {
  it.each([
    ["@GreenRoom", { handle: "@GreenRoom" }],
    ["https://www.youtube.com/@GreenRoom/videos", { handle: "@GreenRoom" }],
    ["https://www.youtube.com/%40Caf%C3%A9", { handle: "@Café" }],
    ["UC_x5XG1OV2P6uZZ5FSM9Ttw", { id: "UC_x5XG1OV2P6uZZ5FSM9Ttw" }],
    [
      "https://www.youtube.com/channel/UC_x5XG1OV2P6uZZ5FSM9Ttw",
      { id: "UC_x5XG1OV2P6uZZ5FSM9Ttw" },
    ],
  ])("reads %s", (text, ref) => {
    expect(channelOf(text)).toEqual(ref);
  });

  it.each(["Green Room", "https://evil.example/@GreenRoom", "@x"])("refuses %s", (text) => {
    expect(channelOf(text)).toBeUndefined();
  });
});

describe("kindOf", () => {
  it.each([
    [id, "video"],
    [`https://youtu.be/${id}`, "video"],
    ["PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf", "playlist"],
    ["https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf", "playlist"],
    ["@GreenRoom", "channel"],
    ["https://www.youtube.com/@GreenRoom", "channel"],
    ["some words", undefined],
    ["https://example.com", undefined],
    ["", undefined],
  ])("recognises what %j is", (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });
});

describe("videosIn", () => {
  it("finds every link of a message once, in its order, whatever stands around it", () => {
    const text = `See https://youtu.be/${id}, (https://www.youtube.com/watch?v=aaaaaaaaaaa)
<https://youtube.com/shorts/bbbbbbbbbbb> and again https://youtu.be/${id}!`;

    expect(videosIn(text)).toEqual([id, "aaaaaaaaaaa", "bbbbbbbbbbb"]);
  });

  it("takes no bare id, no other host and no link to something else", () => {
    const text = `${id} https://evil.example/watch?v=${id} https://www.youtube.com/@GreenRoom`;

    expect(videosIn(text)).toEqual([]);
  });
});
