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
  times(count, (index) => ({ label: `${index}`, value: `${index}` }));
const long = (length: number) => "x".repeat(length);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const field = { name: "x", value: "x" };
const describing = (...lengths: readonly number[]) => ({
  embeds: lengths.map((length) => ({ description: long(length) })),
});
const buttons = (count: number) => times(count, (index) => button({ custom_id: `${index}` }));
const linkWithId = button({ style: 5, url: "https://example.com" });
const container = (...components: readonly object[]) => ({ type: 17, components });
const texts = (...lengths: readonly number[]) => lengths.map((length) => text(long(length)));
const dots = (count: number) => times(count, () => text("x"));
const displayed = { components: [text("x")] };
const absent = { content: "x", attachments: [{ id: "0" }] };

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

  async function expectRefused(body: object, complaint: string): Promise<void> {
    const { status, json } = await post(body);

    expect({ status, code: json.code }).toEqual({ status: 400, code: 50_035 });
    expect(complaints(json.errors)).toContain(complaint);
  }

  it.each([
    ["content of 2,001", { content: long(2_001) }, "content BASE_TYPE_MAX_LENGTH"],
    ["content that is a number", { content: 1 }, "content STRING_TYPE_CONVERT"],
    ["an unknown field", { content: "x", color: 1 }, "color UNKNOWN_FIELD"],
    ["11 embeds", { embeds: times(11, () => ({ title: "x" })) }, "embeds BASE_TYPE_MAX_LENGTH"],
    ["6,001 characters in embeds", describing(4_000, 2_001), "embeds MAX_EMBED_SIZE_EXCEEDED"],
    ["a text display without the flag", displayed, "components.0.type UNION_TYPE_CHOICES"],
    ["a file it does not bring", absent, "attachments.0.id ATTACHMENT_NOT_FOUND"],
    ["a nonce of 26", { content: "x", nonce: long(26) }, "nonce BASE_TYPE_MAX_LENGTH"],
    [
      "content beside a layout",
      { ...layout(text("x")), content: "x" },
      "content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ],
    [
      "mentions both by kind and by id",
      { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } },
      "allowed_mentions.parse MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ],
  ])("refuses %s", async (_, body, complaint) => {
    await expectRefused(body, complaint);
  });

  it.each([
    ["a title of 257", { title: long(257) }, "title BASE_TYPE_MAX_LENGTH"],
    ["a description of 4,097", { description: long(4_097) }, "description BASE_TYPE_MAX_LENGTH"],
    [
      "an empty field name",
      { fields: [{ ...field, name: " " }] },
      "fields.0.name BASE_TYPE_REQUIRED",
    ],
    ["26 fields", { fields: times(26, () => field) }, "fields BASE_TYPE_MAX_LENGTH"],
    ["a colour too high", { title: "x", color: 0x1_00_00_00 }, "color NUMBER_TYPE_MAX"],
    ["an address without scheme", { title: "x", url: "example.com" }, "url URL_TYPE_INVALID_URL"],
    [
      "an address of another scheme",
      { title: "x", url: "ftp://a.b" },
      "url URL_TYPE_INVALID_SCHEME",
    ],
    [
      "a picture that is not attached",
      { image: { url: "attachment://no.png" } },
      "image.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ],
  ])("refuses an embed with %s", async (_, fields, complaint) => {
    await expectRefused({ embeds: [fields] }, `embeds.0.${complaint}`);
  });

  it.each([
    ["6 rows", buttons(6).map((each) => row(each)), " BASE_TYPE_MAX_LENGTH"],
    ["6 buttons", [row(...buttons(6))], ".0.components BASE_TYPE_BAD_LENGTH"],
    ["a select", [row(button(), select())], ".0.components COMPONENT_LAYOUT_WIDTH_EXCEEDED"],
    [
      "an id twice",
      [row(button()), row(button())],
      ".1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED",
    ],
  ])("refuses buttons with %s", async (_, components, complaint) => {
    await expectRefused({ components }, `components${complaint}`);
  });

  it.each([
    ["a label of 81", button({ label: long(81) }), "label BASE_TYPE_MAX_LENGTH"],
    ["a custom id of 101", button({ custom_id: long(101) }), "custom_id BASE_TYPE_BAD_LENGTH"],
    ["no id", button({ custom_id: undefined }), "custom_id BUTTON_COMPONENT_CUSTOM_ID_REQUIRED"],
    ["both a link and an id", linkWithId, "custom_id BUTTON_COMPONENT_CUSTOM_ID_URL"],
    ["no words", button({ label: undefined }), "label BUTTON_COMPONENT_LABEL_REQUIRED"],
    ["no real emoji", button({ emoji: { name: "smile" } }), "emoji.name COMPONENT_INVALID_EMOJI"],
    ["26 choices", select({ options: options(26) }), "options BASE_TYPE_BAD_LENGTH"],
    ["no choices", select({ options: [] }), "options BASE_TYPE_BAD_LENGTH"],
    ["more values than choices", select({ max_values: 2 }), "options BASE_TYPE_MIN_LENGTH"],
    [
      "a value twice",
      select({ options: [...options(1), ...options(1)] }),
      "options.1.value SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ],
  ])("refuses a button or a select with %s", async (_, component, complaint) => {
    await expectRefused({ components: [row(component)] }, `components.0.components.0.${complaint}`);
  });

  it.each([
    ["4,001 characters", texts(2_000, 2_001), " COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"],
    ["41 components", [...dots(40), container(text("x"))], " BASE_TYPE_MAX_LENGTH"],
    ["41 nested components", [container(...dots(40))], " COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"],
    [
      "nested containers",
      [container(container(text("x")))],
      ".0.components.0.type UNION_TYPE_CHOICES",
    ],
    [
      "a file that is not attached",
      [{ type: 13, file: { url: "https://example.com/x" } }],
      ".0.file.url UNFURLED_MEDIA_ITEM_ATTACHMENT_REQUIRED",
    ],
  ])("refuses a layout with %s", async (_, components, complaint) => {
    await expectRefused(layout(...components), `components${complaint}`);
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
    ["6,000 characters in embeds", describing(4_000, 2_000)],
    ["40 components", layout(...dots(40))],
    ["4,000 characters of text", layout(text(long(4_000)))],
  ])("takes %s", async (_, body) => {
    expect((await post(body)).status).toBe(200);
  });

  it("refuses a file over the limit with 413", async () => {
    const answer = await post({ content: "x" }, [new File([new Uint8Array(1_001)], "a.bin")]);

    expect(answer).toMatchObject({ status: 413, json: { code: 40_005 } });
  });

  it("refuses what is not JSON", async () => {
    const url = `${platform.url}/api/v10/channels/${platform.channelId}/messages`;
    const headers = { authorization: `Bot ${platform.token}`, "content-type": "application/json" };

    const response = await fetch(url, { method: "POST", headers, body: "{" });

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
    times(count, (index) => ({ name: `${index}`, value: `${index}` }));
  const put = (body: unknown) =>
    send(platform, "PUT", `/applications/${platform.applicationId}/commands`, { body });

  async function expectRefused(body: object, complaint: string): Promise<void> {
    const { status, json } = await put([body]);

    const { code, errors } = json as { readonly code: number; readonly errors: unknown };
    expect({ status, code }).toEqual({ status: 400, code: 50_035 });
    expect(complaints(errors)).toContain(`0${complaint}`);
  }

  it.each([
    ["a name in capitals", { name: "Abc" }, ".name APPLICATION_COMMAND_INVALID_NAME"],
    ["a name with a blank", { name: "a b" }, ".name APPLICATION_COMMAND_INVALID_NAME"],
    ["a name of 33", { name: long(33) }, ".name BASE_TYPE_BAD_LENGTH"],
    ["a description of 101", { description: long(101) }, ".description BASE_TYPE_BAD_LENGTH"],
    ["no description", { description: undefined }, ".description BASE_TYPE_REQUIRED"],
    ["a menu's description", { type: 3 }, ".description APPLICATION_COMMAND_DESCRIPTION_INVALID"],
    [
      "an unknown locale",
      { name_localizations: { xx: "a" } },
      ".name_localizations.xx BASE_TYPE_CHOICES",
    ],
  ])("refuses %s", async (_, fields, complaint) => {
    await expectRefused(command(fields), complaint);
  });

  it.each([
    ["26 of them", times(26, (i) => option({ name: `o${i}` })), ".options BASE_TYPE_MAX_LENGTH"],
    [
      "a name twice",
      [option(), option()],
      ".options.1.name APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
    ],
    [
      "a required one after others",
      [option(), option({ name: "p", required: true })],
      ".options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ],
    ["26 choices", [option({ choices: choices(26) })], ".options.0.choices BASE_TYPE_MAX_LENGTH"],
    [
      "a choice twice",
      [option({ choices: [...choices(1), ...choices(1)] })],
      ".options.0.choices.1.name APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATE",
    ],
    [
      "suggestions beside choices",
      [option({ autocomplete: true, choices: choices(1) })],
      ".options.0.autocomplete APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES",
    ],
    [
      "options beside subcommands",
      [option(), option({ type: 1, name: "s" })],
      ".options APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ],
    ["a field that none has", [option({ type: 4, colour: 1 })], ".options.0.colour UNKNOWN_FIELD"],
  ])("refuses options with %s", async (_, options, complaint) => {
    await expectRefused(command({ options }), complaint);
  });

  it("refuses 8,001 characters", async () => {
    const longChoice = (index: number) => ({ name: `${index}${long(99)}`, value: `${index}` });
    const options = times(25, (i) => option({ name: `o${i}`, choices: times(4, longChoice) }));

    await expectRefused(command({ options }), " APPLICATION_COMMAND_TOO_LARGE");
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
