import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { type MethodSpec, methods, updateResource } from "../../../src/video/index.ts";
import documented from "../data/write-parts.json" with { type: "json" };
import { startRig } from "./rig.ts";

/** For each method that takes parts: the parts that it writes and those that it knows, according to the documents. */
const facts: Readonly<Record<string, { writes: readonly string[]; knows: readonly string[] }>> =
  documented;
const rows: Readonly<Record<string, MethodSpec>> = methods;

/** Parts that a method's body can contain. */
function writable(method: string): readonly string[] {
  const { query, body } = rows[method] ?? {};
  const firsts = Object.keys(body?.fields ?? {}).map((place) => place.split(".")[0] ?? "");
  return [...new Set(firsts)].filter((part) => query?.part?.enum?.includes(part) && part !== "id");
}

/** docs/decisions.md#a-channels-update-writes-four-parts-one-call-each */
const channelParts = [
  // part, in YouTube's overview of methods, in its newer descriptions, what the bot does
  ["brandingSettings", "named", "written", "send"],
  ["invideoPromotion", "named", "unknown", "send"],
  ["localizations", "left out", "written", "send"],
  ["status", "left out", "written", "send"],
  ["auditDetails", "left out", "read", "refuse"],
  ["contentDetails", "left out", "read", "refuse"],
  ["contentOwnerDetails", "left out", "read", "refuse"],
  ["id", "left out", "read", "refuse"],
  ["snippet", "left out", "read", "refuse"],
  ["statistics", "left out", "read", "refuse"],
  ["topicDetails", "left out", "read", "refuse"],
] as const;

/** The overview names three fields; newer descriptions name all of these. */
const playlistFields = [
  // place, in the overview, what the bot does
  ["snippet.title", "named", "send"],
  ["snippet.description", "named", "send"],
  ["status.privacyStatus", "named", "send"],
  ["status.podcastStatus", "left out", "send"],
  ["snippet.defaultLanguage", "left out", "send"],
  ["localizations.*.title", "left out", "send"],
  ["localizations.*.description", "left out", "send"],
] as const;

describe("what channels.update writes", () => {
  it("is settled for every part that a document knows", () => {
    const known = new Set([...(facts["channels.update"]?.knows ?? []), "invideoPromotion"]);

    expect(new Set(channelParts.map(([part]) => part))).toEqual(known);
  });

  it.each(channelParts)(
    "%s: %s in the overview, %s in newer descriptions, we %s",
    async (...row) => {
      const [part, , inFacts, does] = row;
      const text = part === "localizations" ? { de: { title: "x" } } : { keywords: "x" };
      const stored = { id: "c1", [part]: {} };
      const { client, asked } = await startRig({
        "GET /channels": () => ({ body: { items: [stored] } }),
        "PUT /channels": () => ({ body: stored }),
      });
      const change = { id: "c1", [part]: text } as never;

      const written = await updateResource(client, "channels.update", change).then(
        () => "send",
        (error: unknown) => (error instanceof InputError ? "refuse" : error),
      );

      const { writes = [], knows = [] } = facts["channels.update"] ?? {};
      const said = writes.includes(part) ? "written" : knows.includes(part) ? "read" : "unknown";
      expect(said).toBe(inFacts);
      expect(written).toBe(does);
      expect(asked()).toEqual(does === "send" ? ["GET /channels", "PUT /channels"] : []);
    },
  );
});

describe("what the other methods write", () => {
  const others = Object.keys(facts).filter((method) => method !== "channels.update");

  it.each(others)("%s writes the parts that are documented, and no others", (method) => {
    const documentedParts = facts[method]?.writes.filter((part) => part !== "id") ?? [];

    expect([...writable(method)].sort()).toEqual([...documentedParts].sort());
  });

  it("are of a playlist the fields that one of the documents names", () => {
    const fields = Object.keys(methods["playlists.update"].body.fields);

    expect(fields.filter((place) => place !== "id").sort()).toEqual(
      playlistFields.map(([place]) => place as string).sort(),
    );
  });
});
