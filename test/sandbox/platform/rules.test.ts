import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import { send } from "../../support/raw-bot.ts";
import { tinyPng } from "./tiny-png.ts";

const row = (...components: readonly object[]) => ({ type: 1, components });
const button = (fields: object = {}) => ({
  type: 2,
  style: 1,
  label: "A",
  custom_id: "a",
  ...fields,
});
const select = (fields: object = {}) => ({
  type: 3,
  custom_id: "s",
  options: [{ label: "A", value: "a" }],
  ...fields,
});
const text = (content: string) => ({ type: 10, content });
const layout = (...components: readonly object[]) => ({ flags: 1 << 15, components });
const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ label: `${index}`, value: `${index}` }));
const embed = (fields: object) => ({ embeds: [fields] });
const long = (length: number) => "x".repeat(length);

/** Paths of the nested errors with their codes: `embeds.0.title BASE_TYPE_MAX_LENGTH`. */
function complaints(errors: unknown, path = ""): readonly string[] {
  return Object.entries((errors ?? {}) as Record<string, unknown>).flatMap(([key, value]) =>
    key === "_errors"
      ? (value as readonly { code: string }[]).map(({ code }) => `${path} ${code}`.trim())
      : complaints(value, path === "" ? key : `${path}.${key}`),
  );
}

describe("messages of the stand-in", () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ hasLimits: false, attachmentLimit: 1_000 });
  });

  afterAll(() => platform.close());

  async function post(body: unknown, files: readonly File[] = []) {
    const answer = await send(platform, "POST", `/channels/${platform.channelId}/messages`, {
      body,
      files,
    });
    return { status: answer.status, json: answer.json as Record<string, never> };
  }

  it.each([
    ["content of 2,001", { content: long(2_001) }, "content BASE_TYPE_MAX_LENGTH"],
    ["content that is a number", { content: 1 }, "content STRING_TYPE_CONVERT"],
    ["an unknown field", { content: "x", color: 1 }, "color UNKNOWN_FIELD"],
    ["a title of 257", embed({ title: long(257) }), "embeds.0.title BASE_TYPE_MAX_LENGTH"],
    [
      "a description of 4,097",
      embed({ description: long(4_097) }),
      "embeds.0.description BASE_TYPE_MAX_LENGTH",
    ],
    [
      "an empty field name",
      embed({ fields: [{ name: " ", value: "x" }] }),
      "embeds.0.fields.0.name BASE_TYPE_REQUIRED",
    ],
    [
      "26 fields",
      embed({ fields: Array.from({ length: 26 }, () => ({ name: "x", value: "x" })) }),
      "embeds.0.fields BASE_TYPE_MAX_LENGTH",
    ],
    [
      "a colour too high",
      embed({ title: "x", color: 0x1_00_00_00 }),
      "embeds.0.color NUMBER_TYPE_MAX",
    ],
    [
      "an address without scheme",
      embed({ title: "x", url: "example.com" }),
      "embeds.0.url URL_TYPE_INVALID_URL",
    ],
    [
      "an address of another scheme",
      embed({ title: "x", url: "ftp://example.com" }),
      "embeds.0.url URL_TYPE_INVALID_SCHEME",
    ],
    [
      "11 embeds",
      { embeds: Array.from({ length: 11 }, () => ({ title: "x" })) },
      "embeds BASE_TYPE_MAX_LENGTH",
    ],
    [
      "6,001 characters in embeds",
      { embeds: [{ description: long(4_000) }, { description: long(2_001) }] },
      "embeds MAX_EMBED_SIZE_EXCEEDED",
    ],
    [
      "a picture that is not attached",
      embed({ image: { url: "attachment://no.png" } }),
      "embeds.0.image.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ],
    [
      "6 rows",
      { components: Array.from({ length: 6 }, (_, i) => row(button({ custom_id: `${i}` }))) },
      "components BASE_TYPE_MAX_LENGTH",
    ],
    [
      "6 buttons",
      { components: [row(...[1, 2, 3, 4, 5, 6].map((i) => button({ custom_id: `${i}` })))] },
      "components.0.components BASE_TYPE_BAD_LENGTH",
    ],
    [
      "a button beside a select",
      { components: [row(button(), select())] },
      "components.0.components COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ],
    [
      "a label of 81",
      { components: [row(button({ label: long(81) }))] },
      "components.0.components.0.label BASE_TYPE_MAX_LENGTH",
    ],
    [
      "a custom id of 101",
      { components: [row(button({ custom_id: long(101) }))] },
      "components.0.components.0.custom_id BASE_TYPE_BAD_LENGTH",
    ],
    [
      "a button without id",
      { components: [row(button({ custom_id: undefined }))] },
      "components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_REQUIRED",
    ],
    [
      "a link with an id",
      { components: [row(button({ style: 5, url: "https://example.com" }))] },
      "components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_URL",
    ],
    [
      "a button without words",
      { components: [row(button({ label: undefined }))] },
      "components.0.components.0.label BUTTON_COMPONENT_LABEL_REQUIRED",
    ],
    [
      "an emoji that is none",
      { components: [row(button({ emoji: { name: "smile" } }))] },
      "components.0.components.0.emoji.name COMPONENT_INVALID_EMOJI",
    ],
    [
      "an id twice",
      { components: [row(button()), row(button())] },
      "components.1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED",
    ],
    [
      "26 choices",
      { components: [row(select({ options: options(26) }))] },
      "components.0.components.0.options BASE_TYPE_BAD_LENGTH",
    ],
    [
      "no choices",
      { components: [row(select({ options: [] }))] },
      "components.0.components.0.options BASE_TYPE_BAD_LENGTH",
    ],
    [
      "a value twice",
      { components: [row(select({ options: [...options(1), ...options(1)] }))] },
      "components.0.components.0.options.1.value SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ],
    [
      "more values than choices",
      { components: [row(select({ max_values: 2 }))] },
      "components.0.components.0.options BASE_TYPE_MIN_LENGTH",
    ],
    [
      "a text display without the flag",
      { components: [text("x")] },
      "components.0.type UNION_TYPE_CHOICES",
    ],
    [
      "content beside a layout",
      { ...layout(text("x")), content: "x" },
      "content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ],
    [
      "4,001 characters of text",
      layout(text(long(2_000)), text(long(2_001))),
      "components COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ],
    [
      "41 components",
      layout(...Array.from({ length: 40 }, () => text("x")), { type: 17, components: [text("x")] }),
      "components BASE_TYPE_MAX_LENGTH",
    ],
    [
      "41 nested components",
      layout({ type: 17, components: Array.from({ length: 40 }, () => text("x")) }),
      "components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ],
    [
      "a container in a container",
      layout({ type: 17, components: [{ type: 17, components: [text("x")] }] }),
      "components.0.components.0.type UNION_TYPE_CHOICES",
    ],
    [
      "a file that is not attached",
      layout({ type: 13, file: { url: "https://example.com/x" } }),
      "components.0.file.url UNFURLED_MEDIA_ITEM_ATTACHMENT_REQUIRED",
    ],
    [
      "mentions both by kind and by id",
      { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } },
      "allowed_mentions.parse MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ],
    [
      "a file it does not bring",
      { content: "x", attachments: [{ id: "0" }] },
      "attachments.0.id ATTACHMENT_NOT_FOUND",
    ],
    ["a nonce of 26", { content: "x", nonce: long(26) }, "nonce BASE_TYPE_MAX_LENGTH"],
  ])("refuses %s", async (_, body, complaint) => {
    const { status, json } = await post(body);

    expect({ status, code: json.code }).toEqual({ status: 400, code: 50_035 });
    expect(complaints(json.errors)).toContain(complaint);
  });

  it.each([
    ["nothing", {}],
    ["blanks", { content: " \n " }],
    ["an empty layout", layout()],
  ])("refuses %s as empty", async (_, body) => {
    expect((await post(body)).json).toMatchObject({ code: 50_006 });
  });

  it.each([
    ["content of 2,000", { content: long(2_000) }],
    ["2,000 emoji, which are one character each", { content: "🎬".repeat(2_000) }],
    [
      "6,000 characters in embeds",
      { embeds: [{ description: long(4_000) }, { description: long(2_000) }] },
    ],
    ["40 components", layout(...Array.from({ length: 40 }, () => text("x")))],
    ["4,000 characters of text", layout(text(long(4_000)))],
  ])("takes %s", async (_, body) => {
    expect((await post(body)).status).toBe(200);
  });

  it("refuses a file over the limit with 413", async () => {
    const answer = await post({ content: "x" }, [new File([new Uint8Array(1_001)], "a.bin")]);

    expect(answer).toMatchObject({ status: 413, json: { code: 40_005 } });
  });

  it("refuses what is not JSON", async () => {
    const response = await fetch(
      `${platform.url}/api/v10/channels/${platform.channelId}/messages`,
      {
        method: "POST",
        headers: { authorization: `Bot ${platform.token}`, "content-type": "application/json" },
        body: "{",
      },
    );

    expect(await response.json()).toMatchObject({ code: 50_109 });
  });

  it("does not list a file that an embed shows", async () => {
    const file = new File([tinyPng], "dot.png", { type: "image/png" });

    const { json } = await post({ embeds: [{ image: { url: "attachment://dot.png" } }] }, [file]);

    expect(json.attachments).toEqual([]);
    expect(json.embeds).toMatchObject([{ type: "rich", image: { width: 1, height: 1 } }]);
  });

  it("keeps the files that an edit names and adds those it brings", async () => {
    const files = ["a.txt", "b.txt"].map((name) => new File(["x"], name));
    const { json } = await post({ content: "x" }, files);
    const [first] = json.attachments as unknown as readonly { id: string; filename: string }[];
    const path = `/channels/${platform.channelId}/messages/${String(json.id)}`;

    const body = { attachments: [{ id: first?.id }, { id: "0", description: "New" }] };
    const edited = await send(platform, "PATCH", path, { body, files: [new File(["x"], "c.txt")] });
    const cleared = await send(platform, "PATCH", path, { body: { attachments: [] } });

    expect(edited.json).toMatchObject({
      attachments: [
        { id: first?.id, filename: "a.txt" },
        { filename: "c.txt", description: "New" },
      ],
    });
    expect(cleared.json).toMatchObject({ attachments: [], content: "x" });
  });

  it("never takes the components flag back", async () => {
    const { json } = await post(layout(text("x")));
    const path = `/channels/${platform.channelId}/messages/${String(json.id)}`;

    const edited = await send(platform, "PATCH", path, {
      body: { flags: 0, components: [text("y")] },
    });
    const legacy = await send(platform, "PATCH", path, { body: { content: "y" } });

    expect(edited.json).toMatchObject({ flags: 1 << 15 });
    expect(legacy.status).toBe(400);
  });

  it("pings only whom allowed_mentions lets", async () => {
    const content = `<@${platform.ownerId}> @everyone`;

    const open = await post({ content });
    const closed = await post({ content, allowed_mentions: { parse: [] } });

    expect(open.json).toMatchObject({
      mention_everyone: true,
      mentions: [{ id: platform.ownerId }],
    });
    expect(closed.json).toMatchObject({ mention_everyone: false, mentions: [] });
  });

  it("answers the earlier message to an enforced nonce", async () => {
    const body = { content: "once", nonce: "n1", enforce_nonce: true };

    const [first, second] = [await post(body), await post(body)];

    expect(second.json.id).toBe(first.json.id);
  });

  it("lets the bot edit its own messages only", async () => {
    const said = await platform.people("owner").say("mine");
    const path = `/channels/${platform.channelId}/messages/${said.id}`;

    expect((await send(platform, "PATCH", path, { body: { content: "x" } })).json).toMatchObject({
      code: 50_005,
    });
  });
});

describe("commands of the stand-in", () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ hasLimits: false });
  });

  afterAll(() => platform.close());

  const command = (fields: object) => ({ name: "a", description: "A", ...fields });
  const option = (fields: object = {}) => ({ type: 3, name: "o", description: "O", ...fields });
  const choices = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}`, value: `${index}` }));
  const put = (body: unknown) =>
    send(platform, "PUT", `/applications/${platform.applicationId}/commands`, { body });

  it.each([
    ["a name in capitals", command({ name: "Abc" }), "0.name APPLICATION_COMMAND_INVALID_NAME"],
    ["a name with a blank", command({ name: "a b" }), "0.name APPLICATION_COMMAND_INVALID_NAME"],
    ["a name of 33", command({ name: long(33) }), "0.name BASE_TYPE_BAD_LENGTH"],
    [
      "a description of 101",
      command({ description: long(101) }),
      "0.description BASE_TYPE_BAD_LENGTH",
    ],
    ["no description", command({ description: undefined }), "0.description BASE_TYPE_REQUIRED"],
    [
      "a menu with a description",
      command({ type: 3 }),
      "0.description APPLICATION_COMMAND_DESCRIPTION_INVALID",
    ],
    [
      "an unknown locale",
      command({ name_localizations: { xx: "a" } }),
      "0.name_localizations.xx BASE_TYPE_CHOICES",
    ],
    [
      "26 options",
      command({ options: Array.from({ length: 26 }, (_, i) => option({ name: `o${i}` })) }),
      "0.options BASE_TYPE_MAX_LENGTH",
    ],
    [
      "an option name twice",
      command({ options: [option(), option()] }),
      "0.options.1.name APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
    ],
    [
      "a required option after others",
      command({ options: [option(), option({ name: "p", required: true })] }),
      "0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ],
    [
      "26 choices",
      command({ options: [option({ choices: choices(26) })] }),
      "0.options.0.choices BASE_TYPE_MAX_LENGTH",
    ],
    [
      "a choice twice",
      command({ options: [option({ choices: [...choices(1), ...choices(1)] })] }),
      "0.options.0.choices.1.name APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATE",
    ],
    [
      "suggestions beside choices",
      command({ options: [option({ autocomplete: true, choices: choices(1) })] }),
      "0.options.0.autocomplete APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES",
    ],
    [
      "options beside subcommands",
      command({ options: [option(), option({ type: 1, name: "s" })] }),
      "0.options APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ],
    [
      "a field that no option has",
      command({ options: [option({ type: 4, colour: 1 })] }),
      "0.options.0.colour UNKNOWN_FIELD",
    ],
    [
      "8,001 characters",
      command({
        options: Array.from({ length: 25 }, (_, i) =>
          option({
            name: `o${i}`,
            choices: Array.from({ length: 4 }, (_, j) => ({
              name: `${j}${long(99)}`,
              value: `${j}`,
            })),
          }),
        ),
      }),
      "0 APPLICATION_COMMAND_TOO_LARGE",
    ],
  ])("refuses %s", async (_, body, complaint) => {
    const { status, json } = await put([body]);

    expect({ status, code: (json as { code: number }).code }).toEqual({
      status: 400,
      code: 50_035,
    });
    expect(complaints((json as { errors: unknown }).errors)).toContain(complaint);
  });

  it("forgets what an option's type does not use", async () => {
    const foreign = { choices: [], channel_types: [0], autocomplete: true, options: [] };
    const options = [
      option({ name: "whole", type: 4, min_length: 1, channel_types: "none", min_value: 2 }),
      option({ name: "flag", type: 5, ...foreign, min_value: "low", max_length: -1 }),
    ];

    const { status, json } = await put([command({ options })]);

    expect(status).toBe(200);
    const [made] = json as readonly { options: readonly object[] }[];
    const kept = ["description", "description_localizations", "name", "name_localizations", "type"];
    expect(made?.options.map((each) => Object.keys(each).sort())).toEqual([
      [...kept, "min_value"].sort(),
      kept,
    ]);
  });

  it("refuses a name twice, and takes it for two kinds", async () => {
    const twice = await put([command({}), command({})]);
    const kinds = await put([command({}), { type: 3, name: "a" }]);

    expect([twice.status, kinds.status]).toEqual([400, 200]);
  });

  it("keeps the ids of commands that stay", async () => {
    const ids = async () =>
      ((await put([command({})])).json as { id: string }[]).map(({ id }) => id);

    expect(await ids()).toEqual(await ids());
  });
});
