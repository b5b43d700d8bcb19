import { describe, expect, it } from "vitest";
import {
  channelNamedBy,
  channelText,
  listedValues,
  readChannelRef,
  readCommentId,
  readLinkKind,
  readPlaylistRef,
  readVideoRef,
  videosIn,
} from "../../src/video-links/index.ts";
import {
  bareChannels,
  barePlaylists,
  bareVideos,
  brokenAddresses,
  channelAddresses,
  channelId,
  handles,
  listId,
  namedChannels,
  nothing,
  oddIds,
  playlistAddresses,
  playlistIds,
  redirects,
  videoAddresses,
  videoId,
  words,
  wrapped,
  wrappings,
} from "./link-shapes.ts";

const wrappedTexts = wrappings.flatMap(([name, wrap]) =>
  wrapped.map((address) => [name, wrap(address)] as const),
);

describe("readVideoRef", () => {
  it.each([...videoAddresses, ...redirects, ...brokenAddresses, ...bareVideos])(
    "reads %s",
    (text) => {
      expect(readVideoRef(text)).toBe(videoId);
      expect(readLinkKind(text)).toBe("video");
    },
  );

  it.each(wrappedTexts)("reads an address with %s: %s", (_, text) => {
    expect(readVideoRef(text)).toBe(videoId);
  });

  it.each(oddIds)("reads the id %s as it is", (id) => {
    expect(readVideoRef(id)).toBe(id);
    expect(readVideoRef(`https://youtu.be/${id}`)).toBe(id);
    expect(readVideoRef(`_https://youtu.be/${id}_`)).toBe(id);
  });

  it.each([...nothing, ...playlistAddresses, ...channelAddresses])("refuses %j", (text) => {
    expect(readVideoRef(text)).toBeUndefined();
  });

  it("reads the dialog of Studio above a channel's videos", () => {
    const dialog = `https://studio.youtube.com/channel/${channelId}/videos/upload?d=ud&udvid=${videoId}`;

    expect(readVideoRef(dialog)).toBe(videoId);
    expect(readChannelRef(dialog)).toEqual({ id: channelId });
  });

  it.each([
    `https://evil.example/'youtu.be/${videoId}'`,
    `https://evil.example/"youtu.be/${videoId}`,
    `"https://evil.example/?u=""https://youtu.be/${videoId}"`,
  ])("takes quotation marks for a part of another site's address: %s", (text) => {
    expect(readVideoRef(text)).toBeUndefined();
    expect(videosIn(text)).toEqual([]);
  });

  it.each([
    `https://example.com/1,https://youtu.be/${videoId}`,
    `[https://example.com/](https://youtu.be/${videoId})`,
    `「https://example.com/」https://youtu.be/${videoId}`,
  ])("reads an address behind that of another site: %s", (text) => {
    expect(videosIn(text)).toEqual([videoId]);
  });

  it("reads one link to one video, however often it is there", () => {
    const [a, b] = ["https://youtu.be/aaaaaaaaaa1", "https://youtu.be/bbbbbbbbbb2"];

    expect(readVideoRef(`[${a}](${a})`)).toBe("aaaaaaaaaa1");
    expect(readVideoRef(`${a} ${b}`)).toBeUndefined();
  });
});

describe("readPlaylistRef", () => {
  it.each([...playlistAddresses, ...barePlaylists])("reads %s", (text) => {
    expect(readPlaylistRef(text)).toBe(listId);
  });

  it.each(playlistIds)("reads %s, bare and in an address", (id) => {
    expect(readPlaylistRef(id)).toBe(id);
    if (id.length > 2) expect(readPlaylistRef(`https://music.youtube.com/browse/VL${id}`)).toBe(id);
    expect(readPlaylistRef(`https://www.youtube.com/playlist?list=${id}`)).toBe(id);
  });

  it.each([...nothing, videoId, ...channelAddresses])("refuses %j", (text) => {
    expect(readPlaylistRef(text)).toBeUndefined();
  });
});

describe("channelOf", () => {
  it.each([...channelAddresses, ...bareChannels])("reads %s", (text) => {
    expect(readChannelRef(text)).toEqual({ id: channelId });
    expect(readLinkKind(text)).toBe("channel");
  });

  it.each(namedChannels)("reads the name in %s", (text, ref) => {
    expect(readChannelRef(text)).toEqual(ref);
    const shown = channelText(readChannelRef(text) ?? { id: "" });
    expect(readChannelRef(shown)).toEqual(ref);
  });

  it.each(handles)("reads the handle %s in every form", (handle) => {
    const ref = { handle: handle.normalize("NFC") };

    for (const form of [handle, handle.normalize("NFD")]) {
      const forms = [
        form,
        `＠${form.slice(1)}`,
        `${form}。`,
        `<${form}>`,
        `https://www.youtube.com/${form}`,
        `https://www.youtube.com/${form}/videos`,
        `<https://youtube.com/${form}>`,
        `https://www.youtube.com/${encodeURIComponent(form)}?si=abc`,
        `https://www.youtube.com/@${encodeURIComponent(form.slice(1))}`,
        `https://www.youtube.com/c/${form}`,
      ];
      for (const text of forms) expect([text, readChannelRef(text)]).toEqual([text, ref]);
      expect(channelNamedBy(form.slice(1))).toEqual(ref);
    }
  });

  it("reads full-width letters and a handle whose @ stands at the end, as in right-to-left text", () => {
    expect(readChannelRef("＠ＧｒｅｅｎＲｏｏｍ")).toEqual({ handle: "@GreenRoom" });
    expect(readChannelRef("﹫GreenRoom")).toEqual({ handle: "@GreenRoom" });
    expect(readChannelRef("@ｶﾞｼﾞｪｯﾄ")).toEqual({ handle: "@ガジェット" });
    expect(readChannelRef("العربية@")).toEqual({ handle: "@العربية" });
  });

  it.each(["@x", "@ab", `@${"a".repeat(31)}`, "@", "@a b", "@a/b/c d", "<@123456789012345678>"])(
    "refuses %j",
    (text) => {
      expect(readChannelRef(text)).toBeUndefined();
    },
  );

  it.each([...nothing, ...videoAddresses.filter((text) => !text.includes("/user/")), listId])(
    "refuses %j",
    (text) => {
      expect(readChannelRef(text)).toBeUndefined();
    },
  );
});

describe("channelNamedBy", () => {
  it("takes a word that is nothing else for a handle", () => {
    expect(channelNamedBy("Markipliers")).toEqual({ handle: "@Markipliers" });
    expect(channelNamedBy("GreenRoom!")).toEqual({ handle: "@GreenRoom" });
    expect(channelNamedBy("Green Room")).toBeUndefined();
    expect(channelNamedBy(videoId)).toBeUndefined();
    expect(channelNamedBy(listId)).toBeUndefined();
    expect(channelNamedBy(`https://youtu.be/${videoId}`)).toBeUndefined();
    expect(channelNamedBy("https://example.com/GreenRoom")).toBeUndefined();
    expect(channelNamedBy("youtube.com")).toBeUndefined();
  });
});

describe("kindOf", () => {
  it.each(words)("takes %s for a word", (word) => {
    expect(readLinkKind(word)).toBeUndefined();
  });

  it.each([
    [videoId, "video"],
    [listId, "playlist"],
    [channelId, "channel"],
    ["@GreenRoom", "channel"],
    ["https://www.youtube.com/clip/UgkxRz4P9ZLqgSQAwpWDgQdOGBCiwUMnCTvL", "clip"],
    ["https://www.youtube.com/post/UgkxCyxMTzkGpWzHJbJ8RVXbSbXqCQjCvCPV", "post"],
    ["https://www.youtube.com/@GreenRoom", "channel"],
  ])("recognises what %j is", (text, kind) => {
    expect(readLinkKind(text)).toBe(kind);
  });

  it.each(nothing)("recognises nothing in %j", (text) => {
    expect(readLinkKind(text)).toBeUndefined();
  });
});

describe("readCommentId", () => {
  it.each([
    `https://www.youtube.com/watch?v=${videoId}&lc=UgxKREWxIgDrw8w2e_Z4AaABAg`,
    `<https://www.youtube.com/watch?v=${videoId}&amp;lc=UgxKREWxIgDrw8w2e_Z4AaABAg>`,
    `https://www.youtube.com/watch?lc=UgxKREWxIgDrw8w2e_Z4AaABAg&v=${videoId}`,
    "https://www.youtube.com/post/Ugkx?lc=UgxKREWxIgDrw8w2e_Z4AaABAg",
  ])("reads the comment of %s", (text) => {
    expect(readCommentId(text)).toBe("UgxKREWxIgDrw8w2e_Z4AaABAg");
  });
});

describe("listedValues", () => {
  it.each([
    "a b",
    "a, b",
    "a,b",
    "a;b",
    "a|b",
    "a\nb",
    "a\r\n\r\nb",
    "a\tb",
    "a、b",
    "a，b",
    "a；b",
    "a・b",
    "a\u3000b",
    "1. a 2. b",
    "1.a 2.b",
    "1) a 2) b",
    "(1) a (2) b",
    "（1）a（2）b",
    "#1: a #2: b",
    "１．a　２．b",
    "1、a 2、b",
    "①a ②b",
    "- a\n- b",
    "* a\n* b",
    "• a • b",
    "– a – b",
    "> a\n> b",
    "a and b",
    "a, and b",
    "a und b",
    "a y b",
    "a et b",
    "a と b",
    "a & b",
    "a + b",
    "「a」「b」",
    "[a](b)".replace("[a]", "[One, two](a) [Two]"),
    '"a", "b"',
    "<a> <b>",
    "||a|| ||b||",
    "`a` `b`",
    "\u200ba\u200b \ufeffb",
    "a → b",
  ])("parts %j", (text) => {
    expect(listedValues(text)).toEqual(["a", "b"]);
  });

  it("keeps numbers that are values", () => {
    expect(listedValues("10, 20、30 40")).toEqual(["10", "20", "30", "40"]);
  });
});

describe("videosIn", () => {
  it.each([...videoAddresses, ...redirects, ...brokenAddresses])("finds %s", (text) => {
    expect(videosIn(text)).toEqual([videoId]);
    expect(videosIn(`Look (at ${text} ), everyone`)).toEqual([videoId]);
  });

  it.each(wrappedTexts)("finds an address with %s: %s", (_, text) => {
    expect(videosIn(text)).toEqual([videoId]);
  });

  it("finds every link of a message once, in its order, whatever stands around it", () => {
    const text = `See https://youtu.be/${videoId}, (https://www.youtube.com/watch?v=aaaaaaaaaaa)
<https://youtube.com/shorts/bbbbbbbbbbb>and again https://youtu.be/${videoId}!
https://youtu.be/ddddddddddd、https://youtu.be/eeeeeeeeeee・https://youtu.be/fffffffffff/https://youtu.be/ggggggggggg`;

    expect(videosIn(text)).toEqual([
      ...[videoId, "aaaaaaaaaaa", "bbbbbbbbbbb", "ddddddddddd", "eeeeeeeeeee"],
      ...["fffffffffff", "ggggggggggg"],
    ]);
  });

  it.each([...nothing, videoId, `watch?v=${videoId}`])("finds nothing in %j", (text) => {
    expect(videosIn(text)).toEqual([]);
  });
});

describe("the table of shapes", () => {
  it("has more than 400 texts", () => {
    const lists = [
      ...[videoAddresses, redirects, brokenAddresses, bareVideos, wrappedTexts, oddIds],
      ...[playlistAddresses, barePlaylists, playlistIds, channelAddresses, bareChannels],
      ...[namedChannels, handles, nothing, words],
    ];

    expect(lists.flat(1).length).toBeGreaterThan(400);
  });
});
