import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBlank, plain } from "../../../src/discord/draw/text.ts";
import { hostile } from "../../support/hostile.ts";
import { formattedTexts, isWhole, liveIn } from "../../support/live-text.ts";
import { type DeskRig, type Facts, newHandle, openDeskRig } from "./rig.ts";

/** What lists put around words of others. */
const ours = new Set(["text", "heading", "strong"]);
const perList = 5;

interface Embed {
  readonly author: { readonly name: string };
  readonly footer?: { readonly text: string };
}

describe("hostile text in messages of the desk", () => {
  let rig: DeskRig;
  beforeAll(async () => {
    rig = await openDeskRig();
    rig.platform.limitRequests(false);
  });
  afterAll(() => rig.close());

  async function posted(all: readonly Facts[]) {
    const from = rig.exchanges.length;
    for (const facts of all) {
      const handle = newHandle();
      await rig.desk.post(rig.message({ handle, facts: { ...facts, handle } }));
    }
    const sent = rig.exchanges.slice(from).filter(({ method }) => method === "POST");
    expect(sent).toHaveLength(all.length);
    return sent;
  }

  const cards = hostile.map((text): Facts => ({ text, title: text }));
  const lists = Array.from({ length: Math.ceil(hostile.length / perList) }, (_, at): Facts => {
    const entries = hostile.slice(at * perList, (at + 1) * perList);
    return { text: entries[0] ?? "", title: entries[1] ?? "", entries };
  });

  it.each([
    ["card", cards, new Set(["text"])],
    ["list", lists, ours],
  ] as const)("stays plain text, calls nobody and links nowhere: %s", async (_, all, allowed) => {
    const sent = await posted(all);

    const alive = sent.flatMap(({ requestBody }) =>
      formattedTexts(requestBody).flatMap((text) => {
        const { kinds, links } = liveIn(text);
        const foreign = [...kinds].filter((each) => !allowed.has(each));
        return foreign.length + links.length === 0 ? [] : [[text, ...foreign, ...links]];
      }),
    );
    expect(alive).toEqual([]);
    for (const { requestBody, responseBody } of sent) {
      expect(requestBody).toMatchObject({ allowed_mentions: { parse: [] } });
      expect(requestBody).not.toHaveProperty("allowed_mentions.roles");
      const nobody = { mentions: [], mention_roles: [], mention_everyone: false };
      expect(responseBody).toMatchObject(nobody);
    }
  });

  it("is valid by the platform's specification, and well-formed", async () => {
    expect(await rig.violations()).toEqual([]);
    const bodies = rig.exchanges.flatMap(({ requestBody }) => formattedTexts(requestBody));
    expect(bodies.filter((text) => !text.isWellFormed())).toEqual([]);
  });

  it("is cut where a character ends", () => {
    const embeds = rig.exchanges.flatMap(
      ({ requestBody }) => (Object(requestBody).embeds ?? []) as readonly Embed[],
    );
    const torn = embeds.flatMap(({ author, footer }, index) => {
      const source = plain((hostile[index] ?? "").replace(/\s+/gu, " ").trim());
      const shown = isBlank(source) ? [] : [author.name, footer?.text ?? ""];
      return shown.filter((each) => !isWhole(each, source));
    });

    expect(embeds).toHaveLength(hostile.length);
    expect(torn).toEqual([]);
  });
});
