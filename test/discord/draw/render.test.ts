import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { embedLength } from "../../../src/discord/draw/embed.ts";
import { limits } from "../../../src/discord/draw/limits.ts";
import { render } from "../../../src/discord/draw/render.ts";
import { ask, card, files, list, notice } from "../../../src/discord/draw/reply.ts";
import { seed } from "../../support/random.ts";
import { words } from "../../support/words.ts";

const text = fc.string({ maxLength: 7000, unit: "grapheme" });
const drawing = { words: words(), name: () => "g1:u:0123456789012345678901:0" };

function count(part: unknown): number {
  if (Array.isArray(part)) return part.reduce((sum: number, one) => sum + count(one), 0);
  if (typeof part !== "object" || part === null) return 0;
  const { components, accessory } = part as { components?: unknown; accessory?: unknown };
  return 1 + count(components) + count(accessory);
}

function texts(part: unknown): string {
  if (Array.isArray(part)) return part.map(texts).join("");
  if (typeof part !== "object" || part === null) return "";
  const { components, content } = part as { components?: unknown; content?: string };
  return (content ?? "") + texts(components);
}

describe("render", () => {
  it("never lets a payload ping", () => {
    const { payload } = render(notice({ tone: "neutral", title: "@everyone" }), drawing);

    expect(payload.allowed_mentions).toEqual({ parse: [] });
  });

  it(`keeps every card within an embed's limits (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(fc.record({ name: text, value: text }), { maxLength: 30 }),
        text,
        (title, body, fields, footer) => {
          const { payload } = render(card({ title, text: body, fields, footer }), drawing);
          const [embed] = payload.embeds ?? [];
          if (embed === undefined) return false;
          return (
            embedLength(embed) <= limits.embed.total &&
            (embed.title?.length ?? 0) <= limits.embed.title &&
            (embed.description?.length ?? 0) <= limits.embed.description &&
            (embed.fields ?? []).every((field) => field.value.length <= limits.embed.fieldValue)
          );
        },
      ),
      { seed, numRuns: 60 },
    );
  });

  it.each([
    ["ten long fields", 10, 10],
    ["25 fields with long names", 25, 25],
    ["more names than fit", 25, 256],
  ])("keeps a card within an embed's limits with %s", (_, count, nameLength) => {
    const field = { name: "n".repeat(nameLength), value: "v".repeat(1_024) };
    const short = { name: "n", value: "short" };
    const fields = [short, ...Array.from({ length: count - 1 }, () => field)];
    const { payload } = render(card({ title: "t", text: "x".repeat(5_000), fields }), drawing);
    const [embed = {}] = payload.embeds ?? [];

    expect(embedLength(embed)).toBeLessThanOrEqual(limits.embed.total);
    expect(embed.description?.length).toBeGreaterThanOrEqual(500);
    expect(embed.fields?.[0]?.value).toBe("short");
    expect(embed.fields?.length).toBeGreaterThan(9);
  });

  it(`keeps every list within a message's 40 components and 4,000 characters (seed ${seed})`, () => {
    const item = fc.record({ title: text, lines: fc.array(text, { maxLength: 4 }) });
    fc.assert(
      fc.property(text, text, fc.array(item, { maxLength: 5 }), (title, footer, items) => {
        const press = { action: "a", state: null };
        const drawn = items.map((one) => ({
          ...one,
          thumbnail: { url: "https://example.com/a.jpg", alt: one.title },
          buttons: [
            { label: "Details", press },
            { label: "Add", press },
          ],
        }));
        const buttons = ["Previous", "Next", "CSV", "JSON"].map((label) => ({ label, press }));
        const selects = [{ placeholder: "Which", options: [{ label: "One", value: "1" }], press }];
        const { payload } = render(
          list({ title, footer, text: title, items: drawn, buttons, selects }),
          drawing,
        );
        return (
          payload.flags === 1 << 15 &&
          count(payload.components) <= limits.v2.components &&
          texts(payload.components).length <= limits.v2.text
        );
      }),
      { seed, numRuns: 60 },
    );
  });

  it("names files so that Discord can match them", () => {
    const data = new Uint8Array([1]);
    const { payload } = render(
      files({
        title: "Done",
        files: [
          { name: "a.png", data, alt: "a" },
          { name: "b.png", data },
        ],
      }),
      drawing,
    );

    expect(payload.attachments).toEqual([
      { id: "0", filename: "a.png", description: "a" },
      { id: "1", filename: "b.png" },
    ]);
  });

  it("finds every press in the order it is drawn", () => {
    const press = (action: string) => ({ action, state: null });
    const item = (action: string) => ({
      title: action,
      lines: [],
      buttons: [{ label: action, press: press(action) }],
    });

    const presses: string[] = [];
    render(
      list({
        title: "t",
        items: [item("one"), item("two")],
        buttons: [{ label: "three", press: press("three") }],
      }),
      { words: words(), name: ({ action }) => `${presses.push(action)}` },
    );

    expect(presses).toEqual(["one", "two", "three"]);
  });

  it("shows what a question is about as its picture, and offers to leave it", () => {
    const { payload, files: sent } = render(
      ask({
        title: "Set this banner?",
        text: "It replaces the present one.",
        preview: { name: "banner.jpg", data: new Uint8Array([1]) },
        confirm: { label: "Set", press: { action: "set", state: null } },
      }),
      { words: words("de"), name: () => "id" },
    );

    expect(payload.embeds?.[0]?.image?.url).toBe("attachment://banner.jpg");
    expect(sent.map((file) => file.name)).toEqual(["banner.jpg"]);
    expect(JSON.stringify(payload.components)).toContain("Abbrechen");
  });

  it("shows a carried file as the thumbnail, and the preview as the picture", () => {
    const { payload, files: sent } = render(
      card({
        title: "Thumbnail",
        preview: { name: "thumbnail.jpg", data: new Uint8Array([1]) },
        carried: { name: "cutout.webp", data: new Uint8Array([2]) },
      }),
      { words: words("en-US"), name: () => "id" },
    );

    expect(payload.embeds?.[0]?.image?.url).toBe("attachment://thumbnail.jpg");
    expect(payload.embeds?.[0]?.thumbnail?.url).toBe("attachment://cutout.webp");
    expect(sent.map((file) => file.name)).toEqual(["thumbnail.jpg", "cutout.webp"]);
  });

  it("draws a select on a row of its own, never asking for more than it has", () => {
    const { payload } = render(
      notice({
        tone: "neutral",
        title: "Choose",
        selects: [
          {
            placeholder: "Which",
            max: 25,
            options: [{ label: "One", value: "1" }],
            press: { action: "choose", state: null },
          },
        ],
      }),
      drawing,
    );

    expect(payload.components).toMatchObject([
      { components: [{ type: 3, min_values: 1, max_values: 1, options: [{ value: "1" }] }] },
    ]);
  });
});
