import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { render } from "../../../../src/discord/draw/render.ts";
import { isBlank, plain } from "../../../../src/discord/draw/text.ts";
import { card } from "../../../../src/discord/index.ts";
import { hostile } from "../../../support/hostile.ts";
import { formattedTexts, isWhole, liveIn } from "../../../support/live-text.ts";
import { words } from "../../../support/words.ts";
import { type Facts, type MessagesRig, newHandle, openMessagesRig } from "./rig.ts";

/** Texts in which formatting or links have an effect that we did not intend, each with what they are. */
function aliveIn(body: unknown, ours: ReadonlySet<string>) {
  return formattedTexts(body).flatMap((text) => {
    const { kinds, links } = liveIn(text);
    const foreign = [...kinds].filter((each) => !ours.has(each));
    return foreign.length + links.length === 0 ? [] : [[text, ...foreign, ...links]];
  });
}

describe("hostile text in every part of a card", () => {
  const drawn = hostile.map((text) => {
    const fields = [{ name: text, value: text }];
    const reply = card({ title: text, text, author: { name: text }, fields, footer: text });
    const { payload } = render(reply, { words: words(), name: () => "x" });
    return { text, payload, embed: payload.embeds?.[0] };
  });

  it("stays plain text", () => {
    expect(drawn.flatMap(({ payload }) => aliveIn(payload, new Set(["text"])))).toEqual([]);
  });

  it("is well-formed, and fills what may not be empty", () => {
    const shown = drawn.map(({ embed }) => [
      ...[embed?.title ?? "", embed?.author?.name ?? ""],
      ...(embed?.fields ?? []).flatMap(({ name, value }) => [name, value]),
    ]);

    expect(shown.flat().filter((text) => isBlank(text) || !text.isWellFormed())).toEqual([]);
  });

  it("is cut where a character ends", () => {
    const torn = drawn.flatMap(({ text, embed }) => {
      const source = plain(text.replace(/\s+/gu, " ").trim());
      const shown = isBlank(source) ? [] : [embed?.author?.name ?? "", embed?.footer?.text ?? ""];
      return shown.filter((each) => !isWhole(each, source));
    });

    expect(torn).toEqual([]);
  });
});

const perList = 5;

describe("hostile text in lists that the bot posts", () => {
  let rig: MessagesRig;
  beforeAll(async () => {
    rig = await openMessagesRig();
    rig.platform.limitRequests(false);
  });
  afterAll(() => rig.close());

  it("stays plain text, calls nobody and is valid by the platform's specification", async () => {
    for (let at = 0; at < hostile.length; at += perList) {
      const entries = hostile.slice(at, at + perList);
      const [text = "", title = ""] = entries;
      const facts: Facts = { text, title, entries, handle: newHandle() };
      await rig.messages.post(rig.message({ handle: facts.handle ?? "", facts }));
    }

    const sent = rig.exchanges.filter(({ method }) => method === "POST");
    const ours = new Set(["text", "heading", "strong"]);
    expect(sent).toHaveLength(Math.ceil(hostile.length / perList));
    expect(sent.flatMap(({ requestBody }) => aliveIn(requestBody, ours))).toEqual([]);
    for (const { requestBody, responseBody } of sent) {
      expect(Object(requestBody).allowed_mentions).toEqual({ parse: [] });
      const nobody = { mentions: [], mention_roles: [], mention_everyone: false };
      expect(responseBody).toMatchObject(nobody);
    }
    expect(await rig.violations()).toEqual([]);
  });
});
