import type { APIMessage } from "discord-api-types/v10";
import { afterEach, describe, expect, it } from "vitest";
import { textOf } from "../support/stage.ts";
import { buttonsOf, expectPrivate, expectText, useStage } from "../support/use-stage.ts";

const { stage, owner, units } = useStage();
const { run, click, choose } = owner;

const address = "https://lists.example/spam.txt";

/** Ends all subscriptions. */
afterEach(async () => {
  for (;;) {
    const shown = await run("rules lists");
    const [list] = optionsIn(shown);
    if (list === undefined) return;
    await click(await choose(shown, [list]), "Unsubscribe");
  }
});

function optionsIn(message: APIMessage): readonly string[] {
  const options = [
    ...JSON.stringify(message.components ?? []).matchAll(/"value":"([0-9a-f]{16})"/gu),
  ];
  return options.map(([, id = ""]) => id);
}

describe("/rules subscribe", () => {
  it("shows what a list would match before it is switched on, then lists it", async () => {
    stage.sandbox.video.addComment({ text: "win a GIVEAWAY", status: "heldForReview" });
    const tried = await run("rules subscribe", { address });
    const before = textOf(await run("rules lists"));

    const on = await click(tried, "Subscribe");

    expectPrivate(tried, "2 words and phrases and 1 link", "Dry run: lists.example");
    expectText(tried, "win a GIVEAWAY", "matched “giveaway”", "Suggests rejecting on the card");
    expect(before).toContain("isn’t subscribed to any list");
    expectText(on, "Subscribed to “lists.example”");
    expectText(await run("rules lists"), address, "2 words and phrases", "Last change");
    expectText(await run("rules list"), "lists.example", "what is on a shared list");
  });

  it("is discarded, or ended by removing its rule", async () => {
    const tried = await run("rules subscribe", { address, name: "Mine", does: "hold" });
    const gone = await click(tried, "Discard");
    await click(await run("rules subscribe", { address, name: "Mine", does: "hold" }), "Subscribe");

    const asked = await run("rules remove", { rule: "Mine" });
    const ended = await click(asked, "Unsubscribe");

    expectText(gone, "List discarded");
    expectText(asked, "Unsubscribe from “Mine”?", "No comment that is waiting");
    expectText(ended, "Unsubscribed from “Mine”");
    expect(textOf(await run("rules lists"))).toContain("isn’t subscribed to any list");
  });

  it("offers public lists by name, with their licences", async () => {
    const offer = await run("rules subscribe");

    const tried = await click(offer, "Try Discord Phishing Links");

    expectText(offer, "Discord Phishing Links", "MIT", "LDNOOBW (en)", "CC BY 4.0");
    expectText(tried, "3 links", "Dry run: Discord Phishing Links");
    expect(stage.sandbox.lists.fetched.at(-1)?.address).toMatch(/domain-list\.json$/u);
  });

  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(97)),
    });
  it.each([
    ["http://lists.example/spam.txt", {}, "begin with https://"],
    ["https://lists.example/moved", {}, "10.0.0.1 is in a private network"],
    ["https://lists.example/none", {}, "answered with 404"],
    ["https://lists.example/bad", { status: 304, body: null }, "answered with 304"],
    ["https://lists.example/bad", { body: endless() }, "larger than 2 MB"],
    ["https://lists.example/bad", { body: "[".repeat(1_000_000) }, "more than 50,000 entries"],
    [
      "https://lists.example/bad",
      { body: new Uint8Array([0xff, 0xd8, 0xff]) },
      "not text in UTF-8",
    ],
    ["https://lists.example/bad", { body: "\u202e\n\u200b\n(?:a|b)*" }, "(3 skipped)"],
  ])("refuses %s with a sentence, and nothing changes: %#", async (url, answer, said) => {
    if ("body" in answer) stage.sandbox.lists.serve("lists.example/bad", answer);
    const before = units();

    const refusal = await run("rules subscribe", { address: url });

    expectText(refusal, said);
    expect(units()).toBe(before);
  });

  it("takes an address or a code, and refuses a wrong code", async () => {
    expectText(await run("rules subscribe", { address, code: "x" }), "address", "code");
    expectText(await run("rules subscribe", { code: "nonsense" }), "No server shares its rules");
  });

  it("is said to be too wide where most published comments would match", async () => {
    stage.sandbox.lists.serve("lists.example/wide", { body: "the\ni\nyou\nthis\nto\nis\nand" });

    const tried = await run("rules subscribe", { address: "https://lists.example/wide" });

    expectText(tried, "of the published comments", "this list is too wide for this channel");
  });

  it("switches on only the newest dry run", async () => {
    const first = await run("rules subscribe", { address });
    await run("rules subscribe", { address });

    expectText(await click(first, "Subscribe"), "out of date", "Nothing was switched on");
  });

  it("takes an address once, whatever is behind its #", async () => {
    const held = await run("rules subscribe", { address, does: "hold" });

    expectText(await click(held, "Subscribe"), "It holds matching new comments");
    const shown = textOf(await run("rules lists"));
    await run("rules switch", { rule: "lists.example" });
    expect(shown).toContain("Holds automatically");
    expect(shown).not.toContain("Its rule is off");
    expectText(await run("rules lists"), "Its rule is off", "/rules switch", "last read");
    expectText(await run("rules subscribe", { address: `${address}#x` }), "already subscribes");
  });
});

describe("/rules share", () => {
  it("shows a code once, and stops", async () => {
    const none = await run("rules share", { name: "Our words" });
    const rule = { kind: "words", name: "Ours", does: "suggest_hold", what: "prize" };
    await click(await run("rules add", rule), "Switch on");
    const asked = await run("rules share", { name: "Our words" });
    const shared = await click(asked, "Share");
    const later = await run("rules share");
    const stopped = await click(later, "Stop sharing");

    expectPrivate(none, "Nothing to share yet", "rules that are on");
    expect(buttonsOf(none)).toEqual([]);
    expectPrivate(asked, "1 word", "Share this server’s rules?", "You can stop at any time");
    expect(textOf(shared)).toMatch(/`[\w-]{22}`/u);
    expectText(later, "Shared as “Our words”", "No server uses your rules yet", "run /rules share");
    expect(buttonsOf(later)).toEqual(["Stop sharing"]);
    expectText(stopped, "No longer shared");
    expect(textOf(stopped)).not.toContain("those servers");
  });
});
