import { randomBytes } from "node:crypto";
import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type GatewayEvent,
  type Platform,
  type RestExchange,
  startPlatform,
} from "../../src/sandbox/platform/index.ts";
import type { OpenForm } from "../../src/sandbox/types.ts";
import { tinyPng } from "../sandbox/platform/tiny-png.ts";
import { checkExchange, checkGatewayObject, type GatewayKind } from "../support/discord-spec.ts";
import { type RawBot, startRawBot } from "../support/raw-bot.ts";

const row = (...components: readonly object[]) => ({ type: 1, components });
const button = (custom_id: string, label = custom_id) => ({ type: 2, style: 1, custom_id, label });
const file = () => new File([tinyPng], "dot.png", { type: "image/png" });

const commands = [
  {
    name: "all",
    name_localizations: { de: "alles" },
    description: "Everything",
    default_member_permissions: "8192",
    contexts: [0],
    integration_types: [0],
    options: [
      {
        type: 2,
        name: "group",
        description: "A group",
        options: [
          {
            type: 1,
            name: "sub",
            description: "A subcommand",
            options: [
              {
                type: 3,
                name: "text",
                name_localizations: { de: "wörter", ja: "文字", "es-ES": null },
                description: "Text",
                description_localizations: { de: "Was gesagt wird" },
                required: true,
                max_length: 100,
              },
              { type: 11, name: "file", description: "A file" },
              { type: 6, name: "user", description: "Somebody" },
              { type: 8, name: "role", description: "A role" },
              { type: 7, name: "channel", description: "A channel", channel_types: [0] },
              { type: 4, name: "whole", description: "A number", min_value: 1, autocomplete: true },
              {
                type: 10,
                name: "part",
                description: "A number",
                choices: [{ name: "Half", name_localizations: { fr: "Moitié" }, value: 0.5 }],
              },
              { type: 5, name: "flag", description: "Yes or no" },
            ],
          },
        ],
      },
    ],
  },
  { name: "plain", description: "Nothing else" },
  { type: 3, name: "Look closer", name_localizations: { de: "Genauer ansehen" } },
];

const layout = {
  flags: 1 << 15,
  components: [
    {
      type: 17,
      accent_color: 1,
      components: [
        { type: 10, content: "Words" },
        {
          type: 9,
          components: [{ type: 10, content: "Beside" }],
          accessory: { type: 11, media: { url: "attachment://dot.png" }, description: "A dot" },
        },
        { type: 14, divider: true, spacing: 2 },
        { type: 12, items: [{ media: { url: "https://example.com/a.png" } }] },
        { type: 13, file: { url: "attachment://dot.png" } },
        row(button("in-layout")),
        row({ type: 6, custom_id: "roles" }),
      ],
    },
  ],
};

const embed = {
  title: "Title",
  description: "Words",
  url: "https://example.com",
  timestamp: "2026-01-01T00:00:00.000Z",
  color: 1,
  footer: { text: "Foot", icon_url: "https://example.com/i.png" },
  image: { url: "attachment://dot.png" },
  thumbnail: { url: "https://example.com/t.png" },
  author: { name: "Author", url: "https://example.com" },
  fields: [{ name: "Name", value: "Value", inline: true }],
};

const form = {
  custom_id: "form",
  title: "Form",
  components: [
    { type: 10, content: "Words" },
    { type: 18, label: "Text", component: { type: 4, custom_id: "text", style: 2 } },
    { type: 18, label: "File", component: { type: 19, custom_id: "file", required: false } },
    {
      type: 18,
      label: "Radio",
      component: {
        type: 21,
        custom_id: "radio",
        options: ["a", "b"].map((value) => ({ label: value, value })),
      },
    },
    {
      type: 18,
      label: "Several",
      component: {
        type: 22,
        custom_id: "several",
        min_values: 0,
        required: false,
        options: ["a", "b"].map((value) => ({ label: value, value, description: value })),
      },
    },
  ],
};

const pickers = {
  custom_id: "pickers",
  title: "Pickers",
  components: [
    { type: 18, label: "Yes", component: { type: 23, custom_id: "yes", default: true } },
    { type: 18, label: "Who", component: { type: 5, custom_id: "who", max_values: 2 } },
    { type: 18, label: "Role", component: { type: 6, custom_id: "role", required: false } },
    { type: 18, label: "Where", component: { type: 8, custom_id: "where", channel_types: [0] } },
    {
      type: 18,
      label: "Pick",
      component: { type: 3, custom_id: "pick", options: [{ label: "A", value: "a" }] },
    },
  ],
};

describe("the platform stand-in", () => {
  let platform: Platform;
  let bot: RawBot;
  const exchanges: RestExchange[] = [];
  const events: GatewayEvent[] = [];

  beforeAll(async () => {
    platform = await startPlatform({
      hasLimits: false,
      onExchange: (exchange) => exchanges.push(exchange),
      onGatewayEvent: (event) => events.push(event),
    });
    bot = await startRawBot(platform);
  });

  afterAll(async () => {
    bot.close();
    await platform.close();
  });

  const violations = async () => (await Promise.all(exchanges.splice(0).map(checkExchange))).flat();

  async function status(method: string, path: string, body?: unknown): Promise<number> {
    return (await bot.send(method, path, { body })).status;
  }

  it("answers who and where the bot is as specified", async () => {
    const paths = [
      "/gateway",
      "/gateway/bot",
      "/users/@me",
      "/users/@me/guilds",
      "/applications/@me",
    ];
    const here = [`/guilds/${platform.guildId}`, `/guilds/${platform.guildId}?with_counts=true`];

    const statuses = [];
    for (const path of [...paths, ...here, `/channels/${platform.channelId}`]) {
      statuses.push(await status("GET", path));
    }

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await violations()).toEqual([]);
  });

  it("keeps commands as specified", async () => {
    const path = `/applications/${platform.applicationId}/commands`;

    const made = await bot.send("PUT", path, { body: commands });
    const [first] = made.json as readonly { id: string }[];
    const statuses = [
      await status("GET", path),
      await status("GET", `${path}?with_localizations=true`),
      await status("GET", `${path}/${first?.id}`),
      await status("PATCH", `${path}/${first?.id}`, { description: "Changed" }),
      await status("POST", path, { name: "new", description: "New" }),
      await status("POST", path, { name: "new", description: "Newer" }),
      await status("DELETE", `${path}/${first?.id}`),
      await status("DELETE", `${path}/${first?.id}`),
    ];
    await bot.send("PUT", path, { body: commands });

    expect(statuses).toEqual([200, 200, 200, 200, 201, 200, 204, 404]);
    expect(await violations()).toEqual([]);
  });

  it("keeps messages of a channel as specified", async () => {
    const path = `/channels/${platform.channelId}/messages`;
    const files = [file()];

    const made = await bot.send("POST", path, {
      body: { content: "words", embeds: [embed], components: [row(button("a"))], nonce: "1" },
      files,
    });
    const laidOut = await bot.send("POST", path, { body: layout, files });
    const { id } = made.json as { id: string };
    const reply = { content: "reply", message_reference: { message_id: id } };
    const statuses = [
      made.status,
      laidOut.status,
      await status("POST", path, reply),
      await status("GET", path),
      await status("GET", `${path}/${id}`),
      await status("PATCH", `${path}/${id}`, { content: "changed", attachments: [] }),
      await status("DELETE", `${path}/${id}`),
      await status("GET", `${path}/${id}`),
    ];

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 204, 404]);
    expect(await violations()).toEqual([]);
  });

  it("publishes messages and opens threads under them as specified", async () => {
    const news = platform.channels.find(({ type }) => type === 5)?.id;
    const path = `/channels/${news}/messages`;

    const { id } = (await bot.send("POST", path, { body: { content: "news" } })).json as {
      id: string;
    };
    const statuses = [
      await status("POST", `${path}/${id}/crosspost`),
      await status("POST", `${path}/${id}/threads`, { name: "Talk" }),
      await status("GET", `${path}/${id}`),
      await status("GET", `/channels/${id}`),
      await status("PATCH", `${path}/${id}`, { content: "newer" }),
      await status("POST", `${path}/${id}/crosspost`),
    ];
    const { path: last, responseBody } = exchanges.at(-1) ?? {};

    expect(statuses).toEqual([200, 201, 200, 200, 200, 400]);
    expect([last, responseBody]).toMatchObject([`${path}/${id}/crosspost`, { code: 40_033 }]);
    expect(await violations()).toEqual([]);
  });

  it("carries every kind of interaction and its answers as specified", async () => {
    const owner = platform.people("owner");
    const picture = { name: "dot.png", type: "image/png", data: tinyPng };
    const option = { text: "x", file: picture, flag: true, part: 0.5 };
    const entities = {
      user: platform.ownerId,
      role: platform.guildId,
      channel: platform.channelId,
    };

    bot.answer(async ({ callback, webhook }) => {
      await callback({ type: 5 }, "?with_response=true");
      await webhook("PATCH", "/messages/@original", { content: "done" }, [file()]);
      await webhook("GET", "/messages/@original");
      const more = await webhook("POST", "", { content: "more", flags: 64 });
      await webhook("DELETE", `/messages/${(more.json as { id: string }).id}`);
    });
    await owner.command("all group sub", { ...option, ...entities });

    bot.answer(({ callback }) =>
      callback(
        { type: 4, data: { content: "hi", components: [row(button("press"))] } },
        "?with_response=true",
      ),
    );
    const shown = (await owner.command("plain")) as APIMessage;
    await owner.menu("Look closer", shown);

    bot.answer(({ callback }) =>
      callback({ type: 7, data: { content: "new" } }, "?with_response=true"),
    );
    await owner.click(shown, "press");

    bot.answer(({ callback }) => callback({ type: 9, data: form }, "?with_response=true"));
    const opened = (await owner.click(shown, "press")) as OpenForm;
    bot.answer(({ callback }) => callback({ type: 6 }));
    await owner.submit(opened, { text: "x", file: [picture], radio: "a", several: ["b"] });

    owner.speak("de");
    bot.answer(({ callback }) => callback({ type: 9, data: pickers }, "?with_response=true"));
    const second = (await owner.command("plain")) as OpenForm;
    bot.answer(async ({ callback, webhook }) => {
      await callback({ type: 5, data: { flags: 64 } });
      await webhook("DELETE", "/messages/@original");
      await webhook("POST", "", { content: "for you", flags: 64 }, [file()]);
    });
    await owner.submit(second, {
      who: [platform.ownerId],
      where: [platform.channelId],
      pick: ["a"],
    });

    bot.answer(({ callback }) =>
      callback({ type: 8, data: { choices: [{ name: "1", value: 1 }] } }),
    );
    await owner.suggest("all group sub", "whole", "1");

    expect(exchanges.map(({ status }) => status).filter((each) => each >= 400)).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  it("keeps events of the server as specified", async () => {
    const path = `/guilds/${platform.guildId}/scheduled-events`;
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const image = `data:image/png;base64,${Buffer.from(tinyPng).toString("base64")}`;
    const event = {
      name: "Stream",
      privacy_level: 2,
      entity_type: 3,
      entity_metadata: { location: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" },
      scheduled_start_time: at(10),
      scheduled_end_time: at(20),
    };

    const made = await bot.send("POST", path, { body: { ...event, description: "Words", image } });
    const { id } = made.json as { id: string };
    const statuses = [
      await status("GET", path),
      await status("GET", `${path}?with_user_count=true`),
      await status("GET", `${path}/${id}`),
      await status("GET", `${path}/${id}/users`),
      await status("PATCH", `${path}/${id}`, { name: "Later", scheduled_start_time: at(15) }),
      await status("PATCH", `${path}/${id}`, { status: 2, description: null }),
      await status("DELETE", `${path}/${id}`),
    ];
    // What is refused is not as specified, and need not be.
    const kept = exchanges.splice(0);
    const refused = [
      await status("GET", `${path}/${id}`),
      await status("POST", path, { ...event, scheduled_start_time: at(-1) }),
      await status("POST", path, { ...event, scheduled_end_time: at(5) }),
      await status("POST", path, { ...event, name: "x".repeat(101) }),
      await status("POST", path, { ...event, scheduled_end_time: at(5_000_000) }),
    ];
    exchanges.splice(0, exchanges.length, ...kept);

    expect(made.status).toBe(200);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 204]);
    expect(refused).toEqual([404, 400, 400, 400, 500]);
    expect(await violations()).toEqual([]);
  });

  it("sends events as documented", async () => {
    const found = await Promise.all(
      events.map(({ name, data }) => checkGatewayObject(name as GatewayKind, data)),
    );

    expect(new Set(events.map(({ name }) => name))).toEqual(
      new Set(["READY", "INTERACTION_CREATE"]),
    );
    expect(found.flat()).toEqual([]);
  });

  it("refuses as specified", async () => {
    const path = `/channels/${platform.channelId}/messages`;

    await status("POST", path, { content: "x".repeat(2_001) });
    await status("POST", "/webhooks/1/none", { content: "x" });
    await status("GET", "/channels/1");
    const answers = exchanges.splice(0).filter((each) => each.status >= 400);

    const found = await Promise.all(
      answers.map((each) => checkExchange({ ...each, requestBody: undefined })),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 404]);
    expect(found.flat()).toEqual([]);
  });
});

describe("checkExchange", () => {
  const sent = (requestBody: unknown): RestExchange => ({
    method: "POST",
    path: "/channels/1/messages",
    query: "",
    requestBody,
    requestFiles: [],
    status: 500,
    responseBody: undefined,
  });

  it.each([
    ["an unknown field", { content: "x", colour: 1 }, /colour/],
    ["a wrong type", { content: 1 }, /content must be string/],
    ["content over 2,000", { content: "x".repeat(2_001) }, /content over 2,000/],
    [
      "embeds over 6,000 in all",
      { embeds: [{ description: "x".repeat(4_000) }, { description: "x".repeat(2_001) }] },
      /over 6,000/,
    ],
    [
      "a label over 80",
      { components: [row(button("a", "x".repeat(81)))] },
      /label must NOT have more than 80/,
    ],
    [
      "a label over 80 beside what is let through",
      {
        tts: false,
        components: [
          row(button("a", "x".repeat(81)), button("b")),
          row({ type: 3, custom_id: "c", options: [{ label: "A", value: "a" }] }),
        ],
      },
      /label must NOT have more than 80/,
    ],
    ["an id twice", { components: [row(button("a"), button("a"))] }, /custom id twice/],
    ["an unknown component", { components: [{ type: 99 }] }, /components\/0/],
  ])("finds %s", async (_, body, words) => {
    const found = await checkExchange(sent(body));

    expect(found.join("\n")).toMatch(words);
  });

  it("finds an answer that lacks a field", async () => {
    const answer = { ...sent({ content: "x" }), status: 200, responseBody: { id: "1" } };

    expect((await checkExchange(answer)).join("\n")).toMatch(
      /must have required property 'channel_id'/,
    );
  });

  it("finds a request that is no operation", async () => {
    const seed = randomBytes(2).toString("hex");

    expect(await checkExchange({ ...sent({}), path: `/${seed}` })).toHaveLength(1);
  });
});

describe("checkGatewayObject", () => {
  it("finds an interaction that lacks documented fields", async () => {
    const found = await checkGatewayObject("INTERACTION_CREATE", { id: "1", member: {} });

    expect(found.join("\n")).toMatch(/lacks attachment_size_limit/);
    expect(found.join("\n")).toMatch(/member: .*'user'/);
  });
});
