import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundedMessage, longestFor } from "../../../src/discord/declare/text-limits.ts";
import type { Form } from "../../../src/discord/draw/reply.ts";
import { openRawDispatch, type RawDispatch } from "../../support/raw-dispatch.ts";
import { command, submission, suggestion, type Whose } from "../../support/raw-interactions.ts";

const owner: Whose = {
  guildId: "100000000000000001",
  userId: "200000000000000001",
  permissions: 8n,
};

/** Every option of every command that holds text. */
function textOptions({ routes }: RawDispatch) {
  return [...routes.commands].flatMap(([path, { options }]) =>
    Object.entries(options)
      .filter(([, { type }]) => type === "string")
      .map(([name, option]) => ({ path, name, option })),
  );
}

describe("texts that come in", () => {
  let raw: RawDispatch;
  beforeAll(async () => {
    raw = await openRawDispatch();
  });
  afterAll(() => raw.close());

  it("have a limit of a few thousand characters in every option", () => {
    const all = textOptions(raw);
    const long = all.filter(({ option }) => longestFor(option) > 6000);

    expect(all.length).toBeGreaterThan(200);
    expect(long).toEqual([]);
  });

  it("are refused beyond the option's limit before anything reads them", async () => {
    const read: string[] = [];
    for (const { path, name, option } of textOptions(raw)) {
      const text = "x".repeat(longestFor(option) + 1);
      const { code } = await raw.receive(command(path, owner, { [name]: text }));
      if (code !== "option_too_long") read.push(`${path} ${name}: ${code}`);
    }

    expect(read).toEqual([]);
  });

  it("suggest nothing when this option or another one is longer than its limit", async () => {
    const asked: string[] = [];
    for (const { path, name, option } of textOptions(raw)) {
      if (option.suggest === undefined) continue;
      const text = "x".repeat(longestFor(option) + 1);
      const { sent, code, reached } = await raw.receive(suggestion(path, name, owner, { text }));
      const beside = await raw.receive(
        suggestion(path, name, owner, { others: { [`${name}_old`]: "x".repeat(6001) } }),
      );
      const offered = JSON.stringify([sent, beside.sent]).match(/"choices":\[(?!\])/u);
      const isRead = reached.length + beside.reached.length > 0;
      if (offered !== null || isRead || code !== "answered") asked.push(`${path} ${name}: ${code}`);
    }

    expect(asked).toEqual([]);
  });

  it("say which option it was, how long, and what is allowed", async () => {
    const { sent } = await raw.receive(command("search", owner, { query: "x".repeat(301) }));

    expect(JSON.stringify(sent)).toContain("It takes up to 300 characters, and you sent 301.");
  });

  it("are refused in a form beyond the field's limit, by its label", async () => {
    const handle = "h".repeat(22);
    const form: Form = {
      kind: "form",
      title: "A playlist",
      fields: [{ name: "title", label: "Name of it", maxLength: 100 }],
      submit: { action: "ask.cancel", state: null },
    };
    const state = [form.submit, { action: "form.again", state: form }];
    const { guildId, userId } = owner;
    await raw.store.continuations.putAs(handle, { guildId, userId, state });

    const fits = await raw.receive(
      submission(owner, `g1:u:${handle}:0`, { title: "x".repeat(100) }),
    );
    const long = await raw.receive(
      submission(owner, `g1:u:${handle}:0`, { title: "x".repeat(101) }),
    );

    expect([fits.code, long.code]).toEqual(["answered", "field_too_long"]);
    expect(JSON.stringify(long.sent)).toContain("The field “Name of it” is too long");
  });

  it("are read of a message behind a menu no further than Discord lets one be", () => {
    const part = { type: "rich", description: "x".repeat(9_000), fields: Array(99).fill("y") };

    const { content, embeds } = boundedMessage({
      id: "1",
      content: "x".repeat(9_000),
      attachments: [],
      embeds: Array(30).fill(part),
    });

    expect([content.length, embeds?.length]).toEqual([4_000, 10]);
    expect(embeds?.[0]).toEqual({
      type: "rich",
      description: "x".repeat(4_096),
      fields: Array(40).fill("y"),
    });
  });

  it("are refused in a form beyond what Discord takes", async () => {
    const id = `g1:p:${"k".repeat(22)}:0`;

    const { code } = await raw.receive(submission(owner, id, { title: "x".repeat(4001) }));

    expect(code).toBe("field_too_long");
  });
});
