import { describe, expect, it } from "vitest";
import { basicOption, listedTexts } from "../../../src/discord/declare/options.ts";
import { requireWritable } from "../../../src/discord/declare/text-channel.ts";

const failing = (code: string, facts: object) =>
  expect.objectContaining({ code, facts: expect.objectContaining(facts) });

describe("options of texts", () => {
  it.each(["   ", "\n\n", "\u200b", "\u2800 \u3164"])("refuse %j as blank", (text) => {
    for (const one of [basicOption.text({}), basicOption.words({})]) {
      expect(() => one.parse(text, "it")).toThrow(failing("option_blank", { option: "it" }));
    }
  });

  it.each(["0", "👩‍👩‍👧", "שלום", "‏a", "."])("take %j", (text) => {
    expect(basicOption.text({}).parse(text, "it")).toBe(text);
  });
});

describe("listedTexts", () => {
  const table: readonly (readonly [string, ...string[]])[] = [
    ["bread"],
    ["bread, cake", "bread", "cake"],
    ["bread,cake", "bread", "cake"],
    [" bread ,  cake ", "bread", "cake"],
    ["料理、パン、旅行", "料理", "パン", "旅行"],
    ["料理，パン，旅行", "料理", "パン", "旅行"],
    ["ﾊﾟﾝ､ｹｰｷ", "ﾊﾟﾝ", "ｹｰｷ"],
    ["做饭﹐旅行", "做饭", "旅行"],
    ["bread; cake", "bread", "cake"],
    ["做饭；旅行", "做饭", "旅行"],
    ["做饭﹔旅行", "做饭", "旅行"],
    ["خبز، كعك", "خبز", "كعك"],
    ["خبز؛ كعك", "خبز", "كعك"],
    ["bread\ncake", "bread", "cake"],
    ["bread\r\ncake\r\n", "bread", "cake"],
    ["bread\rcake", "bread", "cake"],
    ["bread\u2028cake\u2029pie", "bread", "cake", "pie"],
    ["bread,、；\n cake;", "bread", "cake"],
    [",,bread,,", "bread"],
    ["bread, bread,bread ", "bread"],
    ["bread, \u200b, \u3164,cake", "bread", "cake"],
    ["　全角　、　空白　", "全角", "空白"],
    ["sour dough, pain au levain", "sour dough", "pain au levain"],
    ["#bread #cake", "#bread #cake"],
    ['"sour dough", "bread"', "sour dough", "bread"],
    ["“bread”, «cake», 「パン」、『旅行』", "bread", "cake", "パン", "旅行"],
    ['7", "bread", \'\', ""', '7"', "bread", "''", '""'],
    ["bread\tcake", "bread", "cake"],
    ["\u200bbread\ufeff, bread, 🐈\u200d⬛", "bread", "🐈\u200d⬛"],
    ["C++, 9/11, 3.5 mm", "C++", "9/11", "3.5 mm"],
    ["Q&A: live (1/2)", "Q&A: live (1/2)"],
  ];

  it(`has ${table.length} lists to read`, () => expect(table.length).toBeGreaterThan(24));

  it.each(table)("reads %j", (text, ...texts) => {
    expect(listedTexts(text)).toEqual(texts.length > 0 ? texts : [text]);
  });

  it.each([",", "、", " ; ；\n", ", \u200b ,"])("is no list of texts: %j", (text) => {
    expect(() => basicOption.words({}).parse(text, "it")).toThrow(failing("option_blank", {}));
  });
});

describe("options of dates and lengths", () => {
  it("suggest by themselves", () => {
    expect(basicOption.date({}).suggest).toBeTypeOf("function");
    expect(basicOption.duration({}).suggest).toBeTypeOf("function");
  });

  it("suggest what their declaration says instead", () => {
    const suggest = async () => [];

    expect(basicOption.date({ suggest }).suggest).toBe(suggest);
  });
});

describe("option.pingRole", () => {
  const reading = { guildId: "1".repeat(18), now: 0, tag: "en-US", timeZone: "UTC" };

  it("takes any role but everybody's, which goes by the server's id", async () => {
    const { read } = basicOption.pingRole({});

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
    basicOption
      .postChannel({ required: true })
      .parse({ id: "1", name: "x", type, app_permissions }, "x");

  it("distinguishes forums from channels with messages", () => {
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
