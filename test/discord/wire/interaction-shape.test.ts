import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { malformedField } from "../../../src/discord/wire/interaction-shape.ts";
import {
  command,
  menu,
  press,
  submission,
  suggestion,
  type Whose,
} from "../../support/raw-interactions.ts";

const whose: Whose = { guildId: "100000000000000000", userId: "200000000000000000" };
const file = { filename: "a.png", url: "https://cdn.discordapp.com/a.png", size: 3 };
const good = {
  command: command("playlists list", whose, { title: "a", count: 2, image: file }),
  suggestion: suggestion("videos show", "video", whose, { text: "a" }),
  menu: menu("Remove background", whose),
  press: press(whose, { customId: "g1:a:handle:0" }),
  choice: press(whose, { customId: "g1:a:handle:0", values: ["a"] }),
  submission: submission(whose, "g1:f:handle:0", { title: "a" }),
};

function without(value: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

describe("malformedField", () => {
  it.each(Object.entries(good))("finds nothing wrong with a %s", (_, interaction) => {
    expect(malformedField(interaction)).toBeUndefined();
  });

  it("finds nothing wrong with one from a conversation, or of a kind that is not known yet", () => {
    const user = good.press.member.user;

    expect(malformedField({ ...without(good.press, "member", "guild_id"), user })).toBeUndefined();
    expect(malformedField({ ...without(good.press, "data"), type: 99 })).toBeUndefined();
  });

  it.each([undefined, null])("takes a member whose permissions are %j", (permissions) => {
    const member = { ...good.press.member, permissions };

    expect(malformedField({ ...good.press, member })).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    [
      "a member with permissions in words",
      { ...good.press, member: { ...good.press.member, permissions: "all" } },
      ".member.permissions",
    ],
    ["nothing", null, ""],
    ["a text", "INTERACTION_CREATE", ""],
    ["a command without data", without(good.command, "data"), ".data"],
    ["a suggestion without data", without(good.suggestion, "data"), ".data"],
    ["a form without data", without(good.submission, "data"), ".data"],
    ["a press without its message", without(good.press, "message"), ".message"],
    ["nobody", without(good.press, "member"), ".user"],
    ["a member without user", { ...good.press, member: { permissions: "0" } }, ".member.user"],
    ["permissions in words", { ...good.press, app_permissions: "all" }, ".app_permissions"],
    ["a server of null", { ...good.press, guild_id: null }, ".guild_id"],
    ["a token that is a path", { ...good.press, token: "../../users/@me" }, ".token"],
    ["a name that is none", { ...good.command, data: { type: 1, name: 7 } }, ".data.name"],
    [
      "options in a map",
      { ...good.command, data: { type: 1, name: "a", options: {} } },
      ".data.options",
    ],
    [
      "an option without value",
      { ...good.command, data: { type: 1, name: "a", options: [{ type: 3, name: "b" }] } },
      ".data.options.0.value",
    ],
    [
      "values that are numbers",
      { ...good.press, data: { ...good.press.data, values: [1] } },
      ".data.values.0",
    ],
    [
      "a form with a field of null",
      { ...good.submission, data: { custom_id: "a", components: [null] } },
      ".data.components.0",
    ],
  ])("says where %s is malformed", (_, interaction, at) => {
    expect(malformedField(interaction)).toBe(at);
  });

  it("judges commands nested without end by their first levels", () => {
    let option: object = { type: 3, name: "a", value: "b" };
    for (let depth = 0; depth < 20_000; depth += 1)
      option = { type: 1, name: "a", options: [option] };

    expect(
      malformedField({ ...good.command, data: { type: 1, name: "a", options: [option] } }),
    ).toBe(".data.options.0.options.0.options.0.value");
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 6 }), (data, type) => {
        malformedField(data);
        malformedField({ ...good.command, type, data });
        malformedField({ ...good.press, type, message: data });
      }),
    );
  });
});
