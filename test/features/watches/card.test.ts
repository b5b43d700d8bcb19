import { describe, expect, it } from "vitest";
import { formatted } from "../../../src/discord/draw/text.ts";
import type { Card } from "../../../src/discord/index.ts";
import { type CommentCardFacts, drawCommentCard } from "../../../src/features/watches/card.ts";
import { watchActions } from "../../../src/features/watches/index.ts";
import { locales } from "../../../src/language/index.ts";
import type { AuthorHistory, HeldComment } from "../../../src/moderation/index.ts";
import { words } from "../../support/words.ts";
import { comment, decision, item, now, robin, watch } from "./facts.ts";

const who = `<@${robin.userId}>`;
const second = Math.floor(now / 1000);

function card(
  given: Partial<HeldComment> = {},
  more: Partial<CommentCardFacts> = {},
  tag = "en-US",
): Card {
  return drawCommentCard({ watch, item: item(given), ...more }, { words: words(tag), now });
}

const text = ({ text: said = "" }: Card) => formatted(said);
const labels = ({ buttons = [] }: Card) => buttons.map(({ label }) => label);
const field = ({ fields = [] }: Card, name: string) =>
  formatted(fields.find((one) => one.name === name)?.value ?? "");

describe("the card of an undecided comment", () => {
  it.each([
    ["Grееnroom ≈ Greenroom", "“Grееnroom ≈ Greenroom” – with Cyrillic letters: е"],
    ["Οrbit ≈ Orbit", "“Οrbit ≈ Orbit” – with Greek letters: Ο"],
    ["𝓞rbit ≈ Orbit", "“𝓞rbit ≈ Orbit” – with other letters: 𝓞"],
    ["料理の道z ≈ 料理の道", "“料理の道z ≈ 料理の道” – with Latin letters: z"],
    ["Orbit Official ≈ Orbit", "“Orbit Official ≈ Orbit”"],
    ["✨ 2026-10-02", "channel less than a week old when it commented (created 2026-10-02)"],
    ["🖼️ = Orbit", "the channel’s picture"],
  ])("says what a rule found in a name: %s", (found, said) => {
    const drawn = card({ advice: { ruleId: "r", ruleName: "R", kind: "reject", found } });

    expect(field(drawn, "Rule suggestion").replaceAll("\\", "")).toContain(`Matched ${said}`);
  });

  it("shows who wrote what, where, when and why it is here", () => {
    const avatar = "https://yt3.ggpht.com/x";
    const drawn = card({ comment: comment({ authorAvatar: avatar, likes: 1_234 }) });

    expect(drawn.author).toEqual({
      name: "Posy Larkin",
      url: `https://www.youtube.com/channel/UC${"b".repeat(22)}`,
      icon: avatar,
    });
    expect(drawn).toMatchObject({
      title: "Held comment",
      url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ&lc=UgHeld",
      tone: "warning",
      thumbnail: "https://i.ytimg.com/vi/x/mqdefault.jpg",
    });
    expect(text(drawn)).toBe("> What a lamp!\n\n**Waiting for a decision**");
    expect(field(drawn, "Video")).toBe(
      "[Three lights](https://www.youtube.com/watch?v=dQw4w9WgXcQ)",
    );
    expect(field(drawn, "Written")).toBe(`<t:${second - 60}:f> (<t:${second - 60}:R>)`);
    expect(field(drawn, "Likes")).toBe("1,234");
  });

  it.each([
    ["heldForReview", undefined, "Held comment"],
    ["heldForReview", "Ug1", "Held reply"],
    ["likelySpam", undefined, "Comment that may be spam"],
    ["published", undefined, "New comment"],
  ] as const)("says why it is here: %s, reply to %s", (state, parentId, title) => {
    const drawn = card({ comment: comment({ state, ...(parentId && { parentId }) }) });

    expect(drawn.title).toBe(title);
  });

  it("offers what can be done, in this order, and the rest behind one button", () => {
    expect(labels(card())).toEqual(["Approve", "Reject", "Reply", "More"]);
  });

  it("lets a public comment be kept, and offers no reply if its thread takes none", () => {
    const shown = comment({ state: "published", canReply: false });

    expect(labels(card({ comment: shown }))).toEqual(["Keep", "Reject", "More"]);
  });

  it("never cuts a long text within a letter", () => {
    const family = "👨‍👩‍👧‍👦";
    const long = card({ comment: comment({ text: family.repeat(200) }) });

    expect(text(long)).toMatch(new RegExp(`^> (?:${family})+…\n`, "u"));
  });

  it("names who has claimed it, until it is decided", () => {
    const assigned = { by: robin, at: now };

    expect(text(card({ assigned }))).toContain(`Claimed by ${who} · <t:`);
    expect(labels(card({ assigned }))).toEqual(["Approve", "Reject", "Reply", "More"]);
    expect(text(card({ assigned, status: "gone" }))).not.toContain("Claimed");
  });

  it("quotes what a reply answers", () => {
    const parent = { authorName: "Ada", text: "Where is\n*it* from?" };
    const drawn = card({ parent, comment: comment({ parentId: "Ug1" }) });

    expect(text(drawn)).toMatch(/^-# In reply to Ada\n-# Where is \\\*it\\\* from\?\n> What/u);
  });

  it.each([
    [undefined, "No other comments here"],
    [{ seen: 0, approved: 0, rejected: 0, notes: 0, lastAt: now }, "No other comments here"],
    [
      { seen: 5, approved: 3, rejected: 1, notes: 0, lastAt: now },
      "5 other comments · 3 approved · 1 rejected",
    ],
    [
      { seen: 0, approved: 0, rejected: 0, notes: 2, lastAt: now },
      "No other comments here\n📝 2 notes",
    ],
  ] as const)("says what is known about the author: %o", (history, said) => {
    const known: AuthorHistory | undefined = history;

    expect(field(card({}, { history: known }), "Author here")).toBe(said);
  });

  it("warns if the service no longer keeps the comment, and shows what a rule suggests", () => {
    const old = now - 61 * 24 * 3_600_000;
    const drawn = card({
      comment: comment({ publishedAt: old, updatedAt: old }),
      advice: { ruleId: "r", ruleName: "Links", kind: "reject" },
    });

    expect(text(drawn)).toContain("Over 60 days old");
    expect(text(card())).not.toContain("60 days");
    expect(field(drawn, "Rule suggestion")).toBe("Reject \\(“Links”\\)");
  });

  it("says why the last decision failed, and when to try again", () => {
    const failure = { code: "comment_not_found", kind: "approve", at: now } as const;
    const later = { ...failure, code: "quota_exceeded", until: now + 3_600_000 } as const;

    const drawn = card({ failure });

    expect(drawn.tone).toBe("bad");
    expect(text(drawn)).toContain(`Approving failed <t:${second}:R>: Comment not found`);
    expect(text(card({ failure: later }))).toContain(`<t:${second + 3_600}:R>`);
    expect(labels(drawn)).toContain("Approve");
  });

  it("gives general advice if the failure code is unknown", () => {
    const failure = { code: "made_up_yesterday", kind: "ban", at: now } as const;

    expect(text(card({ failure }))).toMatch(/Rejecting and hiding the author failed/u);
    expect(text(card({ failure }))).toContain("Try again in a few minutes.");
  });
});

describe("the card of a decided comment", () => {
  it("can be undone while pending, and warns of final decisions", () => {
    const approving = card({ status: "pending", decision: decision("approve") });
    const rejecting = card({ status: "pending", decision: decision("reject") });

    expect(approving.tone).toBe("neutral");
    expect(labels(approving)).toEqual(["Undo", "Open"]);
    expect(text(approving)).toContain(`**Approved by ${who} – sending <t:${second + 8}:R>**`);
    expect(text(approving)).not.toContain("final");
    expect(text(rejecting)).toContain("a rejection is permanent");
  });

  it("says that a public comment was kept, and when the card closes", () => {
    const shown = { comment: comment({ state: "published" }), decision: decision("approve") };
    const pending = card({ ...shown, status: "pending" });
    const settled = card({ ...shown, status: "approved" });

    expect(text(pending)).toContain(`**Kept by ${who} – closes <t:${second + 8}:R>**`);
    expect(text(settled)).toContain(`Kept by ${who} · <t:`);
  });

  it("has no decision buttons while the decision is being sent", () => {
    const drawn = card({ status: "sending", decision: decision("hold") });

    expect(labels(drawn)).toEqual(["Open"]);
    expect(text(drawn)).toContain(`Being held, as ${who} decided.`);
  });

  it.each([
    ["approved", "approve", "good", "Approved", `Approved by ${who}`],
    ["rejected", "reject", "bad", "Rejected", `Rejected by ${who}`],
    ["rejected", "ban", "bad", "Rejected", "author hidden"],
    ["held", "hold", "neutral", "Held", `Held by ${who}`],
    ["elsewhere", undefined, "neutral", "Decided elsewhere", "Decided on YouTube"],
    ["gone", undefined, "neutral", "Deleted", "Removed on YouTube"],
  ] as const)("is small and calm: %s by %s", (status, kind, tone, title, said) => {
    const long = comment({ text: "long ".repeat(300) });
    const drawn = card({ status, comment: long, ...(kind && { decision: decision(kind) }) });

    expect(drawn).toMatchObject({ tone, title });
    expect(drawn).not.toHaveProperty("thumbnail");
    expect(drawn).not.toHaveProperty("fields");
    const reason = status === "rejected" ? ["Add a reason"] : [];
    expect(labels(drawn)).toEqual([...reason, "Open"]);
    expect(text(drawn)).toContain(said);
    expect(text(drawn).length).toBeLessThan(300);
  });

  it("shows the reason of a rejection, and whose it is", () => {
    const kim = { userId: "3".repeat(18), userName: "kim" };
    const rejected = (by: typeof kim) =>
      card({
        status: "rejected",
        decision: { ...decision("reject"), reason: { text: "*spam*", by } },
      });

    expect(text(rejected(robin))).toMatch(/\nReason: \\\*spam\\\*$/u);
    expect(text(rejected(kim))).toContain(`Reason by <@${kim.userId}>: `);
    expect(labels(rejected(kim))).toEqual(["Change reason", "Open"]);
  });

  it("names the rule that decided", () => {
    const by = { ruleId: "r", ruleName: "Links" };
    const drawn = card({ status: "rejected", decision: { ...decision("reject"), by } });

    expect(text(drawn)).toContain("Rejected by the rule “Links”");
  });

  it("can be brought back after a snooze, or decided at once", () => {
    const drawn = card({ status: "later", later: { by: robin, until: now + 3_600_000 } });

    expect(labels(drawn)).toEqual(["Approve", "Reject", "Reply", "More"]);
    expect(text(drawn)).toContain(`Snoozed by ${who} until <t:${second + 3_600}:R>`);
  });

  it("says who undid the decision, and who replied", () => {
    const at = now - 60_000;
    const drawn = card({ undone: { by: robin, at }, replied: { by: robin, at } });

    expect(text(drawn)).toContain(`Undone by ${who} · <t:${second - 60}:R>`);
    expect(text(drawn)).toContain(`${who} replied · <t:${second - 60}:R>`);
  });
});

describe("a card's buttons", () => {
  const all = [
    item(),
    item({ status: "later", later: { by: robin, until: now } }),
    item({ status: "pending", decision: decision("ban") }),
    item({ comment: comment({ text: "x".repeat(3_000) }) }),
  ];

  it("stay the same for the card's whole life, act as the watched channel, and store nothing but ids", () => {
    const kept = all.map(
      (one) => drawCommentCard({ watch, item: one }, { words: words(), now }).kept,
    );

    for (const one of kept) expect(one).toEqual(kept[0]);
    expect(kept[0]?.handle).toBe("h".repeat(22));
    for (const press of kept[0]?.presses ?? []) {
      expect(press.as).toBe(watch.source);
      expect(press.state).toEqual({ watchId: watch.id, itemId: "c".repeat(32) });
    }
  });

  it("are all stored, whichever of them the card shows", () => {
    for (const one of all) {
      const { buttons = [], kept } = drawCommentCard({ watch, item: one }, { words: words(), now });
      const names = new Set(kept?.presses.map(({ action }) => action));
      const drawn = buttons.flatMap(({ press }) => press?.action ?? []);
      expect(drawn.filter((name) => !names.has(name))).toEqual([]);
    }
  });
});

it("answers each button of cards and digests as it did when they were posted", () => {
  const answers = watchActions.map(({ name, answer }) => [name, answer]);

  // A button's id contains its kind of answer: if that changed, the buttons of old messages would stop working.
  expect(Object.fromEntries(answers)).toMatchObject({
    "watch.approve": "update",
    "watch.reject": "update",
    "watch.ban-ask": "private",
    "watch.reply": "form",
    "watch.later": "private",
    "watch.now": "update",
    "watch.full": "private",
    "watch.undo": "update",
    "watch.more": "private",
    "watch.digest-choose": "private",
    "watch.digest-approve-all": "private",
    "watch.digest-reject-all": "private",
    "watch.digest-by-author": "private",
    "watch.digest-by-pattern": "form",
    "watch.digest-pick": "private",
  });
});

describe("a card's forum post", () => {
  it("has author and text in its title, and the state as its tag", () => {
    const title = "Posy Larkin: What a lamp!";
    expect(card().post).toEqual({ title, tags: ["Waiting"], isOver: false });
    expect(card({ status: "gone" }).post).toEqual({ title, tags: ["Deleted"], isOver: true });
    const failure = { code: "x", kind: "hold", at: now } as const;
    expect(card({ failure }).post?.tags).toEqual(["Failed"]);
    expect(card({ status: "pending", decision: decision("reject") }).post?.tags).toEqual([
      "Waiting",
    ]);
  });

  it.each(locales)("has tags of at most twenty characters in %s", (locale) => {
    const tags = ["open", "approved", "rejected", "held", "later", "elsewhere", "gone"] as const;
    const said = tags.map((tag) => words(locale).say(`watch.tag.${tag}`));

    expect(said.filter((tag) => tag.length > 20)).toEqual([]);
    expect(new Set(said).size).toBe(tags.length);
  });
});

it.each(locales)("a card says everything in %s", (locale) => {
  const shown = [
    card({ advice: { ruleId: "r", ruleName: "R", kind: "hold" } }, {}, locale),
    card({ status: "pending", decision: decision("ban") }, {}, locale),
    card({ failure: { code: "quota_exceeded", kind: "reject", at: now } }, {}, locale),
    card({ status: "rejected", decision: decision("ban") }, {}, locale),
  ].map((one) => JSON.stringify(one));

  for (const one of shown) expect(one).not.toMatch(/\{\w+\}|undefined|watch\.[a-z]+\.[a-z]+\./u);
});
