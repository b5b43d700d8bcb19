import { once } from "node:events";
import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import {
  descriptionIn,
  findNamed,
  localeNames,
  nameIn,
  pathIn,
} from "../../../src/sandbox/locales.ts";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import type { PageEvent } from "../../../src/sandbox/platform/protocol.ts";
import { type RawBot, send, startRawBot } from "../../support/raw-bot.ts";

const commands = [
  {
    name: "videos",
    name_localizations: { de: "clips", ja: "動画" },
    description: "Videos",
    description_localizations: { de: "Alle Videos" },
    options: [
      {
        type: 2,
        name: "items",
        name_localizations: { de: "einträge" },
        description: "Items",
        options: [
          {
            type: 1,
            name: "add",
            name_localizations: { de: "hinzufügen" },
            description: "Add",
            options: [
              {
                type: 3,
                name: "title",
                name_localizations: { de: "titel" },
                description: "Title",
                required: true,
              },
              {
                type: 3,
                name: "privacy",
                description: "Privacy",
                choices: [
                  { name: "Private", name_localizations: { de: "Privat" }, value: "private" },
                  { name: "Public", value: "public" },
                ],
              },
              { type: 3, name: "tag", description: "Tag", autocomplete: true },
              { type: 11, name: "file", description: "File" },
              { type: 4, name: "count", description: "Count", max_value: 5 },
              { type: 6, name: "person", description: "Person" },
            ],
          },
        ],
      },
    ],
  },
  { type: 3, name: "Add to playlist", name_localizations: { de: "Zur Playlist hinzufügen" } },
];

describe("a language", () => {
  it.each([
    ["de", "farbe"],
    ["en-GB", "colour"],
    ["en-US", "colour"],
    ["es-419", "color_es"],
    ["fr", "color"],
  ] as const)("has names of its own, of its neighbour, or the command's: %s", (locale, name) => {
    const translations = { de: "farbe", "en-GB": "colour", "es-ES": "color_es" };

    expect(nameIn({ name: "color", name_localizations: translations }, locale)).toBe(name);
  });

  it("has no words where nothing was translated", () => {
    expect(descriptionIn({ description: "A", description_localizations: null }, "de")).toBe("A");
  });

  it("finds a name before a translation that reads the same", () => {
    const all = [
      { name: "a", name_localizations: { de: "b" } },
      { name: "b", name_localizations: { de: "c" } },
    ];

    expect(findNamed(all, "b", "de")).toBe(all[1]);
    expect(findNamed(all, "c", "de")).toBe(all[1]);
    expect(findNamed(all, "c", "fr")).toBeUndefined();
  });

  it("writes a whole path", () => {
    const [command] = commands;

    expect(pathIn(command as never, ["items", "add"], "de")).toEqual([
      "clips",
      "einträge",
      "hinzufügen",
    ]);
    expect(pathIn(command as never, ["gone"], "ja")).toEqual(["動画", "gone"]);
  });

  it("is one of those the platform documents", () => {
    expect(Object.keys(localeNames)).toHaveLength(32);
  });
});

describe("people of several languages", () => {
  let platform: Platform;
  let bot: RawBot;
  let path: string;

  beforeAll(async () => {
    platform = await startPlatform({ hasLimits: false });
    bot = await startRawBot(platform);
    path = `/applications/${platform.applicationId}/commands`;
    await bot.send("PUT", path, { body: commands });
    bot.answer(({ interaction, callback }) => {
      seen.push(interaction as unknown as Seen);
      return callback({ type: 4, data: { content: "done" } });
    });
  });
  afterAll(async () => {
    bot.close();
    await platform.close();
  });

  interface Seen {
    readonly locale: string;
    readonly guild_locale: string;
    readonly data: {
      readonly name: string;
      readonly options: unknown;
      readonly resolved?: unknown;
    };
  }
  const seen: Seen[] = [];
  const owner = () => platform.people("owner");
  const member = () => platform.people("member");

  it("keep what was registered, and show it to those who ask", async () => {
    const full = await send(platform, "GET", `${path}?with_localizations=true`);
    const bare = await send(platform, "GET", path);

    expect(full.json).toMatchObject(commands);
    expect(JSON.stringify(bare.json)).not.toContain("localizations");
  });

  it("each have a language that every interaction carries", async () => {
    member().speak("ja");
    platform.setGuildLocale("fr");

    await member().command("videos items add", { title: "x" });
    await owner().command("videos items add", { title: "x" });
    platform.setGuildLocale("en-US");

    expect(seen.slice(-2).map((one) => [one.locale, one.guild_locale])).toEqual([
      ["ja", "fr"],
      ["en-US", "fr"],
    ]);
  });

  it("find commands in their own language and in the command's, which the bot hears", async () => {
    owner().speak("de");

    const own = await owner().command("clips einträge hinzufügen", {
      titel: "x",
      privacy: "Privat",
    });
    await owner().command("/videos items add", { title: "x", privacy: "private" });

    const [inGerman, inEnglish] = seen.slice(-2).map(({ data }) => data);
    expect(inGerman).toEqual(inEnglish);
    expect(JSON.stringify(inGerman)).toContain('"value":"private"');
    expect((own as APIMessage & { interaction: { name: string } }).interaction.name).toBe(
      "videos items add",
    );
    await expect(member().command("clips einträge hinzufügen")).rejects.toThrow(/no command/);
  });

  it("find menus in their own language", async () => {
    owner().speak("de");
    const message = await owner().say("look");

    await owner().menu("Zur Playlist hinzufügen", message);

    expect(seen.at(-1)?.data.name).toBe("Add to playlist");
  });

  it("are suggested names in their own language, with what else was filled in well", async () => {
    owner().speak("de");
    bot.answer(({ interaction, callback }) => {
      seen.push(interaction as unknown as Seen);
      const choice = { name: "Cats", name_localizations: { de: "Katzen" }, value: "cats" };
      return callback({ type: 8, data: { choices: [choice] } });
    });

    const suggested = await owner().suggest("clips einträge hinzufügen", "tag", "ka", {
      titel: "x",
      count: 9,
      person: platform.ownerId,
      file: { name: "a.mp4", type: "video/mp4", data: new Uint8Array(3) },
    });

    expect(suggested).toEqual([{ name: "Katzen", value: "cats" }]);
    const { data } = seen.at(-1) ?? {};
    expect(data?.resolved).toBeUndefined();
    expect(data?.options).toEqual([
      {
        type: 2,
        name: "items",
        options: [
          {
            type: 1,
            name: "add",
            options: [
              { type: 3, name: "title", value: "x" },
              { type: 3, name: "tag", value: "ka", focused: true },
              { type: 6, name: "person", value: platform.ownerId },
            ],
          },
        ],
      },
    ]);
  });

  it("hear at once what another page of theirs set", async () => {
    const socket = new WebSocket(`${platform.url.replace("http", "ws")}/page/socket?as=moderator`, {
      origin: platform.url,
    });
    const events: PageEvent[] = [];
    socket.on("message", (raw) => events.push(JSON.parse(String(raw))));
    await once(socket, "message");

    const speak = (body: unknown) =>
      fetch(`${platform.url}/page/speak?as=moderator`, {
        method: "POST",
        headers: { origin: platform.url, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const good = await speak({ locale: "es-ES" });
    const bad = await speak({ locale: "tlh" });

    expect([good.status, bad.status]).toEqual([200, 400]);
    const locales = () => events.map((event) => ("locale" in event ? event.locale : ""));
    await expect.poll(locales).toEqual(["en-US", "es-ES"]);
    socket.terminate();
  });

  const long = (length: number) => "x".repeat(length);
  const command = (fields: object) => ({ name: "a", description: "A", ...fields });
  const option = (fields: object) => ({ type: 3, name: "o", description: "O", ...fields });

  it.each([
    ["an unknown language", command({ name_localizations: { en: "a" } })],
    ["capitals", command({ name_localizations: { de: "Videos" } })],
    ["a blank", command({ name_localizations: { de: "zwei worte" } })],
    ["a middle dot", command({ name_localizations: { ja: "動画・一覧" } })],
    ["33 characters", command({ name_localizations: { de: long(33) } })],
    ["an empty name", command({ name_localizations: { de: "" } })],
    ["a description of 101", command({ description_localizations: { de: long(101) } })],
    [
      "an option in capitals",
      command({ options: [option({ name_localizations: { fr: "Nom" } })] }),
    ],
    [
      "two options of one name in one language",
      command({
        options: [
          option({ name_localizations: { de: "eins" } }),
          option({ name: "p", name_localizations: { de: "eins" } }),
        ],
      }),
    ],
    [
      "a choice of 101",
      command({
        options: [
          option({ choices: [{ name: "A", value: "a", name_localizations: { de: long(101) } }] }),
        ],
      }),
    ],
  ])("are spared %s", async (_, body) => {
    expect((await send(platform, "POST", path, { body })).status).toBe(400);
  });

  it("are spared two commands of one name", async () => {
    const body = ["a", "b"].map((name) => ({
      name,
      description: "A",
      name_localizations: { de: "gleich" },
    }));

    expect((await send(platform, "PUT", path, { body })).status).toBe(400);
  });

  it("share 8,000 characters, of which each field counts its longest translation", async () => {
    const sized = (last: number) =>
      command({
        options: Array.from({ length: 25 }, (_, index) =>
          option({
            name: `o${String(index).padStart(2, "0")}`,
            description: "short",
            description_localizations: { de: long(100), fr: long(99) },
            choices: ["a", "b"].map((value) => ({
              name: value,
              value: `${value}${long(99)}`,
              name_localizations: { de: `${value}${long(index === 24 ? last : 6)}` },
            })),
          }),
        ),
      });
    const { status: large } = await send(platform, "POST", path, { body: sized(6) });
    // 1 + 1 for the command; 25 × (3 + 100 + 2 × (7 + 100)) for its options.
    expect(2 + 25 * (103 + 214)).toBe(7_927);
    const { status: full } = await send(platform, "POST", path, { body: sized(42) });
    const { status: over } = await send(platform, "POST", path, { body: sized(43) });

    expect([large, full, over]).toEqual([201, 200, 400]);
  });
});
