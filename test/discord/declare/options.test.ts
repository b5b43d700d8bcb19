import { describe, expect, it } from "vitest";
import type { Option } from "../../../src/discord/declare/option.ts";
import { option } from "../../../src/discord/declare/options.ts";
import { placesOf } from "../../../src/discord/declare/row-fields.ts";
import { requireWritable } from "../../../src/discord/declare/text-channel.ts";
import { type Method, methods } from "../../../src/video/index.ts";

const video = "dQw4w9WgXcQ";
const channel = "UC_x5XG1OV2P6uZZ5FSM9Ttw";
const playlist = "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf";
const failing = (code: string, facts: object) =>
  expect.objectContaining({ code, facts: expect.objectContaining(facts) });

describe("option.country", () => {
  it("reads a code whatever its case", () => {
    expect(option.country({}).parse(" de ", "region")).toBe("DE");
  });

  it.each(["Germany", "XX", "ZZ", "D", "", "🇩🇪"])("refuses %j", (text) => {
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
  ])("reads %j as %s", (text, zone) => {
    expect(option.timeZone({}).parse(text, "time-zone")).toBe(zone);
  });

  it.each(["", "Atlantis", "+02:00", "Europe", "../../etc"])("refuses %j", (text) => {
    expect(() => option.timeZone({}).parse(text, "time-zone")).toThrow(
      failing("option_unreadable", { wanted: "time_zone" }),
    );
  });
});

describe("option.language", () => {
  it.each(["de", "pt-BR", "zh-Hant-TW"])("reads %s", (code) => {
    expect(option.language({}).parse(` ${code} `, "language")).toBe(code);
  });

  it.each(["German", "", "d", "de;x=1"])("refuses %j", (text) => {
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

  it.each(["", "   ", "what is this", "🎬🎬", "مرحبا", "x".repeat(5000)])(
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

describe("options of texts", () => {
  it.each(["   ", "\n\n", "\u200b", "\u2800 \u3164"])("refuse %j as blank", (text) => {
    const title = option.field("videos.update", "snippet.title");
    for (const one of [option.text({}), option.words({}), title]) {
      expect(() => one.parse(text, "it")).toThrow(failing("option_blank", { option: "it" }));
    }
  });

  it.each(["0", "👩‍👩‍👧", "שלום", "‏a", "."])("take %j", (text) => {
    expect(option.text({}).parse(text, "it")).toBe(text);
  });
});

describe("option.field", () => {
  it("takes choices, bounds and length from the row", () => {
    expect(option.field("videos.update", "status.privacyStatus")).toMatchObject({
      type: "string",
      covers: "status.privacyStatus",
      choices: { group: "privacyStatus", values: expect.arrayContaining(["private", "public"]) },
    });
    expect(option.field("videos.update", "snippet.title", { required: true })).toMatchObject({
      max: 100,
      required: true,
    });
    expect(option.field("captions.insert", "snippet.isDraft").type).toBe("boolean");
  });

  it("reads moments as people write them", async () => {
    const { read } = option.field("search.list", "publishedAfter");
    const reading = { guildId: "1", now: Date.UTC(2026, 10, 21), tag: "en-US", timeZone: "UTC" };

    expect(await read?.("2026-11-01 12:00", "after", reading)).toEqual(
      new Date(Date.UTC(2026, 10, 1, 12)),
    );
  });

  it("knows no place that the row does not have", () => {
    // A typed declaration can't say this.
    expect(() => option.field("videos.update", "snippet.nothing" as "snippet.title")).toThrow(
      TypeError,
    );
  });

  it("asks for no text that Discord would not take, whatever the row", () => {
    const places = (Object.keys(methods) as Method[]).flatMap((method) =>
      [...placesOf(method).keys()].map((place) => [method, place] as const),
    );
    const options = places.map(([method, place]) => option.field(method, place as never) as Option);

    expect(options.filter(({ type, max = 0 }) => type === "string" && max > 6000)).toEqual([]);
    expect(options.filter(({ choices }) => (choices?.values.length ?? 0) > 25)).toEqual([]);
  });
});

describe("options of dates and lengths", () => {
  it("suggest by themselves", () => {
    expect(option.date({}).suggest).toBeTypeOf("function");
    expect(option.duration({}).suggest).toBeTypeOf("function");
  });

  it("suggest what their declaration says instead", () => {
    const suggest = async () => [];

    expect(option.date({ suggest }).suggest).toBe(suggest);
  });
});

describe("option.pingRole", () => {
  const reading = { guildId: "1".repeat(18), now: 0, tag: "en-US", timeZone: "UTC" };

  it("takes any role but everybody's, which goes by the server's id", async () => {
    const { read } = option.pingRole({});

    expect(await read?.("2".repeat(18), "role", reading)).toBe("2".repeat(18));
    await expect(read?.(reading.guildId, "role", reading)).rejects.toMatchObject({
      code: "role_everyone",
    });
  });
});

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
const bits = {
  view: 1n << 10n,
  send: 1n << 11n,
  embed: 1n << 14n,
  history: 1n << 16n,
  threads: 1n << 38n,
} as const;

function held(...names: readonly (keyof typeof bits)[]): string {
  return `${names.reduce((sum, name) => sum | bits[name], 0n)}`;
}

describe("option.postChannel", () => {
  const chosen = (type: number, app_permissions?: string) =>
    option
      .postChannel({ required: true })
      .parse({ id: "1", name: "x", type, app_permissions }, "x");

  it("tells forums from channels with messages", () => {
    expect([0, 5, 15].map((type) => chosen(type).isForum)).toEqual([false, false, true]);
  });

  it.each([
    ["nothing", held("view", "send", "embed", "history"), undefined],
    ["anything", held(), "view"],
    ["to embed", held("view", "send", "history"), "send"],
    ["to find again what it left", held("view", "send", "embed"), "history"],
  ] as const)("says when the bot lacks %s in a channel", (_, permissions, lack) => {
    expect(chosen(0, permissions)).toMatchObject({ lack, isWritable: lack === undefined });
  });

  it("says when the bot lacks writing in posts", () => {
    const channel = chosen(15, held("view", "send", "embed", "history"));

    expect(channel.lack).toBe("forum");
    expect(() => requireWritable(channel)).toThrow(
      failing("discord_channel_closed", { lack: "forum" }),
    );
    expect(chosen(15, held("view", "send", "embed", "history", "threads")).isWritable).toBe(true);
  });

  it("takes the platform's silence for a yes", () => {
    expect(chosen(15)).toMatchObject({ isWritable: true, lack: undefined });
  });
});
