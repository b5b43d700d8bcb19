import { describe, expect, it } from "vitest";
import { option } from "../../../src/features/declarations/option.ts";
import {
  bareVideos,
  brokenAddresses,
  handles,
  playlistAddresses,
  redirects,
  videoAddresses,
  words,
} from "../../video-links/link-shapes.ts";

const video = "dQw4w9WgXcQ";
const channel = "UC_x5XG1OV2P6uZZ5FSM9Ttw";
const playlist = "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf";
const failing = (code: string, facts: object) =>
  expect.objectContaining({ code, facts: expect.objectContaining(facts) });

describe("option.country", () => {
  it("reads a code whatever its case", () => {
    expect(option.country({}).parse(" de ", "region")).toBe("DE");
  });

  it.each(["Germany", "🇩🇪", "DEU", "Allemagne"])("reads %s", (text) => {
    expect(option.country({}).parse(text, "region")).toBe("DE");
  });

  it.each(["UK", "Great Britain"])("reads %s as GB", (text) => {
    expect(option.country({}).parse(text, "region")).toBe("GB");
  });

  it.each(["AQ", "Antarctica", "Afghanistan"])("says that YouTube has no %s", (text) => {
    expect(() => option.country({}).parse(text, "region")).toThrow(
      failing("option_unreadable", { option: "region", wanted: "served_country" }),
    );
  });

  it.each("XX ZZ EU SU DD FX AN YU XK D Atlantis".split(" "))("refuses %j", (text) => {
    expect(() => option.country({}).parse(text, "region")).toThrow(
      failing("option_unreadable", { option: "region", wanted: "country" }),
    );
  });
});

describe("option.timeZone", () => {
  it.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    ["new york", "America/New_York"],
    ["UTC", "UTC"],
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["kolkata", "Asia/Kolkata"],
    ["Nueva York", "America/New_York"],
    ["UTC+5:30", "+05:30"],
  ])("reads %j as %s", (text, zone) => {
    expect(option.timeZone({}).parse(text, "time-zone")).toBe(zone);
  });

  it.each(["", "Atlantis", "+02:10", "Europe", "../../etc"])("refuses %j", (text) => {
    expect(() => option.timeZone({}).parse(text, "time-zone")).toThrow(
      failing("option_unreadable", { wanted: "time_zone" }),
    );
  });
});

describe("a zone's name that several have", () => {
  it.each(["USA", "Australia", "Brasil", "Valencia", "米国"])("is said to be one: %s", (text) => {
    expect(() => option.timeZone({}).parse(text, "time-zone")).toThrow(
      failing("option_unreadable", { wanted: "one_time_zone" }),
    );
  });
});

describe("option.language", () => {
  it.each(["de", "pt-BR", "zh-Hant-TW"])("reads %s", (code) => {
    expect(option.language({}).parse(` ${code} `, "language")).toBe(code);
  });

  it.each(["German", "deu", "Deutsch", "allemand"])("reads %s as de", (name) => {
    expect(option.language({}).parse(name, "language")).toBe("de");
  });

  it.each(["xx", "Indonesians", "", "d", "de;x=1"])("refuses %j", (text) => {
    expect(() => option.language({}).parse(text, "language")).toThrow(
      failing("option_unreadable", { wanted: "language" }),
    );
  });
});

describe("options of places and distances", () => {
  it.each([
    ["52.5, 13.4", "52.5,13.4"],
    ["-33.87;151.21", "-33.87,151.21"],
    ["0 0", "0,0"],
  ])("read %s", (text, place) => {
    expect(option.location({}).parse(text, "near")).toBe(place);
  });

  it.each(["nowhere", "91,0", "0,181", "52.5", ""])("take no place from “%s”", (text) => {
    expect(() => option.location({}).parse(text, "near")).toThrow(
      expect.objectContaining({
        code: "option_unreadable",
        facts: expect.objectContaining({ wanted: "location" }),
      }),
    );
  });

  it.each(["50km", "10 mi", "1000km", "3000ft"])("read %s", (text) => {
    expect(option.radius({}).parse(text, "within")).toBe(text.replace(" ", ""));
  });

  it.each(["1001km", "0m", "50", "far", "622mi"])("take no distance from “%s”", (text) => {
    expect(() => option.radius({}).parse(text, "within")).toThrow(
      expect.objectContaining({ code: "option_unreadable" }),
    );
  });
});

describe("options of ids", () => {
  it.each([
    ["video", option.video({}), playlist, "playlist"],
    ["video", option.video({}), `https://www.youtube.com/channel/${channel}`, "channel"],
    ["playlist", option.playlist({}), `https://youtu.be/${video}`, "video"],
    ["channel", option.channel({}), `https://youtu.be/${video}`, "video"],
    ["comment", option.id({ of: "comment" }), `https://youtu.be/${video}`, "video"],
  ])("say that a %s was wanted where something else was given: %#", (wanted, one, text, given) => {
    expect(() => one.parse(text, "it")).toThrow(failing("id_kind", { wanted, given }));
  });

  it.each(["", "   ", "what is this", "🎬🎬", "🎬 مرحبا", "x".repeat(5000)])(
    "refuse %j as unreadable",
    (text) => {
      for (const one of [option.video({}), option.playlist({}), option.channel({})]) {
        expect(() => one.parse(text, "it")).toThrow(failing("option_unreadable", { option: "it" }));
      }
    },
  );

  it.each(["hello", "it is spam"])("refuse %j as a comment", (text) => {
    for (const one of [option.id({ of: "comment" }), option.ids({ of: "comment" })]) {
      expect(() => one.parse(text, "it")).toThrow(
        failing("option_unreadable", { wanted: "comment" }),
      );
    }
  });

  it("take a comment from its link", () => {
    const link = `https://www.youtube.com/watch?v=${video}&lc=UgzAbc-12_x.9`;

    expect(option.id({ of: "comment" }).parse(link, "comment")).toBe("UgzAbc-12_x.9");
  });
});

describe("texts of another kind", () => {
  it.each(words)("are no link because of the word %s", (word) => {
    const others = [
      [option.country({}), expect.stringMatching(/^(?:served_)?country$/u)],
      [option.timeZone({}), expect.stringMatching(/^(?:one_)?time_zone$/u)],
      [option.id({ of: "comment" }), "comment"],
    ] as const;

    for (const [one, wanted] of others.filter(([one]) => isRefused(one, word))) {
      expect(() => one.parse(word, "it")).toThrow(failing("option_unreadable", { wanted }));
    }
  });

  it("are named, and so are several where one is wanted", () => {
    const country = option.country({});

    expect(() => country.parse(video, "it")).toThrow(failing("id_kind", { given: "video" }));
    expect(() => option.video({}).parse("https://youtube.com/clip/Ugkx", "it")).toThrow(
      failing("id_kind", { given: "clip" }),
    );
    expect(() => option.video({}).parse(`youtu.be/${video} youtu.be/aaaaaaaaaa1`, "it")).toThrow(
      failing("too_many_values", { most: 1, count: 2 }),
    );
  });
});

function isRefused(one: { parse(value: unknown, name: string): unknown }, text: string): boolean {
  try {
    return one.parse(text, "it") === undefined;
  } catch {
    return true;
  }
}

describe("options of links", () => {
  const addresses = [...videoAddresses, ...redirects, ...brokenAddresses, ...bareVideos];

  it.each(addresses)("read the video of %s, alone and in lists", (text) => {
    expect(option.video({}).parse(text, "it")).toBe(video);
    expect(option.videos({}).parse(`${text}、aaaaaaaaaaa`, "it")).toEqual([video, "aaaaaaaaaaa"]);
    expect(option.pastedVideos({}).parse(`1. ${text}\n2. aaaaaaaaaaa`, "it")).toEqual({
      ids: [video, "aaaaaaaaaaa"],
      unread: [],
    });
  });

  it.each(playlistAddresses)("read the playlist of %s", (text) => {
    expect(option.playlist({}).parse(text, "it")).toBe(playlist);
    expect(option.playlists({}).parse(`<${text}>、WL`, "it")).toEqual([playlist, "WL"]);
  });

  it.each(handles)("read the handle %s without its @, alone and in lists", (handle) => {
    const ref = { handle: handle.normalize("NFC") };

    expect(option.channel({}).parse(handle.slice(1), "it")).toEqual(ref);
    expect(option.channels({}).parse(`${handle}、GreenRoom2`, "it")).toEqual([
      ref,
      { handle: "@GreenRoom2" },
    ]);
  });

  it("take numbers beside values for those of a list, if they are no values", () => {
    expect(option.videos({}).parse(`1 ${video} 2 aaaaaaaaaaa`, "it")).toEqual([
      video,
      "aaaaaaaaaaa",
    ]);
    expect(option.ids({ of: "category" }).parse("1 2、10", "it")).toEqual(["1", "2", "10"]);
    expect(() => option.videos({}).parse("1 2", "it")).toThrow(failing("option_unreadable", {}));
  });

  it("take no words of a title for handles", () => {
    expect(() => option.channels({}).parse("Green Room", "it")).toThrow(
      failing("option_unreadable", { wanted: "channel", typed: "Green" }),
    );
  });
});

describe("option.pastedVideos", () => {
  const { parse } = option.pastedVideos({});

  it.each([
    [`Switzerland https://youtu.be/${video}`, [video], []],
    [`1. Switzerland tour ${video}`, [video], []],
    ["abcdefghijk, Switzerland", ["abcdefghijk", "Switzerland"], []],
    ["1. abcdefghijk 2. bcdefghijkl", ["abcdefghijk", "bcdefghijkl"], []],
    [
      `A、B`.replace("A", `youtu.be/${video}`).replace("B", "youtu.be/aaaaaaaaaa1"),
      [video, "aaaaaaaaaa1"],
      [],
    ],
    [`${video}、aaaaaaaaaa1`, [video, "aaaaaaaaaa1"], []],
    [`[A title, with a comma](https://youtu.be/${video}), no video`, [video], ["no video"]],
    [`https://youtu.be/${video}、すごい動画`, [video], []],
    [`Title\thttps://youtu.be/${video}\t3:15`, [video], []],
    [`youtu.be/${video} @GreenRoom`, [video], ["@GreenRoom"]],
  ])("reads %j", (text, ids, unread) => {
    expect(parse(text, "videos")).toEqual({ ids, unread });
  });
});

describe("option.videos", () => {
  it("reads links and ids between spaces, commas and lines, each once", () => {
    const text = `https://youtu.be/${video}, aaaaaaaaaaa;bbbbbbbbbbb\nccccccccccc ${video}`;

    expect(option.videos({}).parse(text, "videos")).toEqual([
      video,
      "aaaaaaaaaaa",
      "bbbbbbbbbbb",
      "ccccccccccc",
    ]);
  });

  it("takes 50, and says of 51 how many there are", () => {
    const ids = Array.from({ length: 51 }, (_, index) => `video-${`${index}`.padStart(5, "0")}`);
    const { parse } = option.videos({});

    expect(parse(ids.slice(0, 50).join(" "), "videos")).toHaveLength(50);
    expect(() => parse(ids.join(" "), "videos")).toThrow(
      failing("too_many_values", { most: 50, count: 51 }),
    );
  });

  it("refuses nothing at all", () => {
    expect(() => option.videos({}).parse(" , ;\n", "videos")).toThrow(
      failing("option_unreadable", { wanted: "video" }),
    );
  });
});
