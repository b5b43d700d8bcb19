import { describe, expect, it } from "vitest";
import { noExtra, readExtra, suggestExtra, withExtra } from "../../../src/features/extra/extra.ts";

const covered = new Set(["id", "snippet.title"]);

describe("readExtra", () => {
  it("puts parameters into the query and fields into the body", () => {
    const text = "notifySubscribers=false; status.embeddable=false; snippet.tags=one, two";

    expect(readExtra("videos.insert", covered, text)).toEqual({
      query: { notifySubscribers: false },
      body: { status: { embeddable: false }, snippet: { tags: ["one", "two"] } },
    });
  });

  it("reads a list as the option of such a list does", () => {
    const text = 'snippet.tags=料理、パン，旅行, "sour dough"';

    expect(readExtra("videos.insert", covered, text).body).toEqual({
      snippet: { tags: ["料理", "パン", "旅行", "sour dough"] },
    });
  });

  it("takes a place with a name of its own in it", () => {
    expect(
      readExtra("videos.update", covered, "localizations.de.title=Hallo=Welt\\; alle"),
    ).toEqual({
      query: {},
      body: { localizations: { de: { title: "Hallo=Welt; alle" } } },
    });
  });

  it("makes nothing of nothing", () => {
    expect(readExtra("videos.update", covered, " ; ")).toEqual(noExtra);
  });

  it.each([
    ["snippet.title=x", "what an option sets already"],
    ["nothing=1", "what the row has not"],
    ["status.embeddable", "a name without a value"],
    ["localizations.*.title=x", "a pattern"],
    ["__proto__.x=1", "what is no place"],
    ["localizations..title=x", "a translation into nothing"],
    ["localizations.__proto__.title=x", "a translation into no language"],
  ])("refuses %s: %s", (text) => {
    expect(() => readExtra("videos.update", covered, text)).toThrow(
      expect.objectContaining({
        code: "extra_unknown",
        facts: expect.objectContaining({ known: expect.stringContaining("status.embeddable") }),
      }),
    );
  });

  it.each([
    ["part=status", "the parts of a write, which follow from what is written"],
    ["autoLevels=true", "what has no effect any more"],
  ])("refuses %s: %s", (text) => {
    expect(() => readExtra("videos.insert", covered, text)).toThrow(
      expect.objectContaining({ code: "extra_unknown" }),
    );
  });

  it.each([
    ["search.list", "forContentOwner=true"],
    ["channels.list", "managedByMe=true"],
    ["videos.update", "onBehalfOfContentOwner=abc"],
    ["playlists.insert", "onBehalfOfContentOwnerChannel=abc"],
  ] as const)("says whom it is for, of %s %s", (method, text) => {
    expect(() => readExtra(method, covered, text)).toThrow(
      expect.objectContaining({
        code: "extra_for_content_owners",
        facts: { name: text.split("=")[0] },
      }),
    );
  });

  it.each([
    ["status.embeddable=yes", "true, false"],
    ["status.privacyStatus=hidden", "private"],
    ["recordingDetails.recordingDate=soon", "2026"],
  ])("says of %s what it takes", (text, wanted) => {
    expect(() => readExtra("videos.update", covered, text)).toThrow(
      expect.objectContaining({
        code: "extra_unreadable",
        facts: expect.objectContaining({ wanted: expect.stringContaining(wanted) }),
      }),
    );
  });

  it.each(["0", "51", "-1", "five", "9".repeat(20)])("takes no page of %s", (size) => {
    expect(() => readExtra("search.list", covered, `maxResults=${size}`)).toThrow(
      expect.objectContaining({
        code: "extra_unreadable",
        facts: expect.objectContaining({ wanted: "1 – 50" }),
      }),
    );
  });
});

describe("withExtra", () => {
  it("adds parts and sets everything else", () => {
    const params = { part: ["snippet"], id: "x", body: { snippet: { title: "a" } } };
    const extra = {
      query: { part: ["statistics"], hl: "de" },
      body: { snippet: { description: "b" }, status: { embeddable: true } },
    };

    expect(withExtra(params, extra)).toEqual({
      part: ["snippet", "statistics", "status"],
      id: "x",
      hl: "de",
      body: { snippet: { title: "a", description: "b" }, status: { embeddable: true } },
    });
  });

  it("takes a part that is called id, and makes none of the body's id", () => {
    const params = { part: ["id"], body: { id: "x" } };

    expect(withExtra(params, noExtra).part).toEqual(["id"]);
    expect(withExtra(params, { query: {}, body: { id: "y", snippet: {} } }).part).toEqual([
      "id",
      "snippet",
    ]);
  });

  it("leaves what it was given as it is", () => {
    const params = { part: ["snippet"], body: { snippet: { title: "a" } } };

    withExtra(params, { query: {}, body: { snippet: { title: "b" } } });

    expect(params).toEqual({ part: ["snippet"], body: { snippet: { title: "a" } } });
    expect(withExtra({ id: "x" }, noExtra)).toEqual({ id: "x" });
  });
});

describe("suggestExtra", () => {
  const suggest = (typed: string) =>
    suggestExtra("videos.update", covered, typed).map(({ value }) => value);

  it("offers the names that are still free", () => {
    expect(suggest("")).toContain("status.embeddable=");
    expect(suggest("")).not.toContain("snippet.title=");
    expect(suggest("EMBED")).toEqual(["status.embeddable="]);
  });

  it("suggests the values of a name, after what was typed before", () => {
    expect(suggest("status.embeddable=true; status.privacyStatus=p")).toEqual([
      "status.embeddable=true; status.privacyStatus=public",
      "status.embeddable=true; status.privacyStatus=private",
    ]);
  });
});
