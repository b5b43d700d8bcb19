import type { APIMessage } from "discord-api-types/v10";
import { afterEach, describe, expect, it } from "vitest";
import { hostile } from "../support/hostile.ts";
import { formattedTexts, liveIn } from "../support/live-text.ts";
import { textOf } from "../support/stage.ts";
import {
  buttonsOf,
  expectPrivate,
  expectText,
  type Options,
  useStage,
} from "../support/use-stage.ts";
import { watchInPublic } from "../support/watch-in-public.ts";

const { stage, owner, moderator, member, units, channelCalled, until } = useStage();
const { run, click, submit, runForm, clickForm } = owner;

const kept = new Set<string>();

/** Adds a rule after its dry run, and switches it on. */
async function add(options: Options): Promise<APIMessage> {
  kept.add(String(options.name));
  return click(await run("rules add", options), "Switch on");
}

afterEach(async () => {
  owner.speak("en-US");
  for (const rule of kept) {
    const asked = await run("rules remove", { rule });
    if (buttonsOf(asked).includes("Remove")) await click(asked, "Remove");
  }
  kept.clear();
});

/** The formatting that dry runs have themselves: bold counts, quotes, small print. */
const ours: readonly string[] = ["text", "strong", "quote", "subtext", "br", "newline", "command"];

const presets = { kind: "words", name: "Presets", does: "suggest_reject", what: "free presets" };

describe("/rules add", () => {
  it("tries the rule on recent comments, and switches it on only then", async () => {
    const dry = await run("rules add", presets);
    const before = textOf(await run("rules list"));
    kept.add("Presets");
    const on = await click(dry, "Switch on");
    const after = textOf(await run("rules list"));

    expectPrivate(dry, /Would match \*\*\d+ of \d+ recent comments\*\*: .*likely spam/u);
    expectText(dry, "FREE PRESETS", "matched “free presets”");
    expect(buttonsOf(dry)).toEqual(["Switch on", "Change", "Discard"]);
    expect(before).not.toContain("Presets");
    expect(textOf(on)).toContain("“Presets” is on");
    expect(after).toMatch(
      /Presets\n.*“free presets”[^\n]*\nSuggests rejecting on the card · only suggests/u,
    );
  });

  it("finds suspicious names, by the signs that people choose", async () => {
    const { channels, ownChannelId, addComment } = stage.sandbox.video;
    const author = `${channels.get(ownChannelId)?.title} Official`;
    addComment({ text: "I am the channel", author, status: "heldForReview" });
    const joinedAt = stage.sandbox.time.now() - 24 * 3_600_000;
    addComment({ text: "Hello", author: "Brand New Bob", joinedAt, status: "heldForReview" });
    const dry = await run("rules add", { kind: "names", name: "Fakes", does: "suggest_reject" });
    const form = await clickForm(dry, "Change");
    const again = await submit(form, { name: "Fakes", signs: ["links"], does: ["hold"] });

    expectText(dry, "name imitates the channel’s", `matched “${author} ≈`);
    expect(textOf(dry)).toMatch(/week old when it commented \(created \d{4}-\d\d-\d\d\)/u);
    expectText(again, "any of these signs: link in the name", "Holds automatically");
    expect(textOf(again)).not.toContain("imitates");
  });

  it("adds nothing when it is discarded", async () => {
    const dry = await run("rules add", presets);

    const gone = await click(dry, "Discard");

    expect(textOf(gone)).toContain("Rule discarded");
    expect(textOf(await run("rules list"))).not.toContain("Presets");
  });

  it("asks for a list in a form where the option is left out, and can change all of it", async () => {
    const { what: _, ...rest } = presets;
    const form = await runForm("rules add", rest);
    const dry = await submit(form, { what: "free presets\ngiveaway" });
    const change = await clickForm(dry, "Change");
    const again = await submit(change, {
      name: "Videos",
      what: "video*",
      does: ["hold"],
      alike: ["no"],
    });

    expectText(dry, "“free presets” and “giveaway”", "look-alike letters are treated as the same");
    expectText(again, "Dry run: Videos", "Holds automatically");
    expect(textOf(again)).not.toContain("Look-alike");
    expect(textOf(again)).toContain("matched “video*”");
  });

  it("warns of a rule that finds more than a third of what is published", async () => {
    const dry = await run("rules add", { ...presets, what: "*e*", does: "reject" });

    expect(textOf(dry)).toMatch(/⚠️ \*\*It would match \d\d% of the published comments/u);
    expectText(dry, "Once sent, a rejection is permanent", /exempt: \d+ by the channel itself/u);
  });

  it("says what the rules get to see", async () => {
    const none = textOf(await run("rules add", presets));

    expect(none).toContain("Rules only run on watched comments");
  });

  it.each([
    [{ kind: "patterns", what: "(?=a)b" }, "(?= at position 1 isn’t supported"],
    [{ kind: "patterns", what: "x*" }, "matches every text"],
    [{ kind: "words", what: "fr*e" }, "In “fr*e” the * is in the middle"],
    [{ kind: "words", what: " , , " }, "Enter at least one word or phrase"],
    [{ kind: "links", what: "nothost" }, "“nothost” is not a site"],
    [{ kind: "authors", what: "some body" }, "“some” is not an @handle"],
    [{ kind: "repeated", within: "30 s" }, "within 1 minute to 7 days"],
  ])("refuses before a unit is spent: %j", async (options, said) => {
    const before = units();

    const answer = await run("rules add", { name: "N", does: "hold", ...options });

    expect(textOf(answer)).toContain(said);
    expect(units()).toBe(before);
  });

  it("names an unknown handle, and finds people by handle, link and ID", async () => {
    const { channels, ownChannelId } = stage.sandbox.video;
    const [one, other] = [...channels.values()].filter(({ id }) => id !== ownChannelId);
    const known = `${one?.handle} https://www.youtube.com/channel/${other?.id}`;

    const unknown = await run("rules add", {
      kind: "authors",
      name: "People",
      does: "hold",
      what: "@nobody.at.all",
    });
    const dry = await run("rules add", {
      kind: "authors",
      name: "People",
      does: "hold",
      what: known,
    });

    const several = await run("rules add", {
      kind: "authors",
      name: "People",
      does: "hold",
      what: `@nobody.at.all ${known} @nobody.else`,
    });

    expect(textOf(unknown)).toContain("No channel has the handle @nobody.at.all");
    expect(textOf(several)).toContain("No channel was found for @nobody.at.all, @nobody.else.");
    expect(textOf(dry)).toContain(`2 people: ${other?.title} and ${one?.title}`);
  });

  it("shows hostile words and comments as they are written", async () => {
    const texts = hostile.filter((text) => /[<@*_[`#|~]|https?:/u.test(text)).slice(0, 40);
    // A dry run shows at most eight samples.
    for (let from = 0; from < texts.length; from += 8) {
      for (const text of texts.slice(from, from + 8)) {
        const said = `mark${from} ${text}`;
        stage.sandbox.video.addComment({ text: said, status: "heldForReview" });
      }

      const dry = await run("rules add", {
        kind: "words",
        name: "@everyone [x](https://evil.example)",
        does: "hold",
        what: `mark${from}, <@123>, **bold**, @here`,
      });

      expect(textOf(dry)).toContain(`> mark${from}`);
      for (const text of formattedTexts(dry)) {
        const { kinds, links } = liveIn(text);
        expect(links).toEqual([]);
        expect([...kinds].filter((kind) => !ours.includes(kind))).toEqual([]);
      }
      expect(dry.mention_everyone).toBe(false);
    }
  });

  it("is in the language of the person who asks", async () => {
    owner.speak("de");

    const dry = await run("regeln anlegen", {
      art: "links",
      name: "Links",
      folge: "reject",
    });

    expectText(dry, "Probelauf: Links", "Sucht nach Links auf andere Seiten");
    expect(buttonsOf(dry)).toEqual(["Einschalten", "Ändern", "Verwerfen"]);
  });
});

describe("who may do what", () => {
  it.each([
    ["rules add", presets],
    ["rules switch", { rule: "x" }],
    ["rules remove", { rule: "x" }],
    ["rules exempt", {}],
    ["rules log", {}],
  ])("is a manager for %s", async (path, options) => {
    const asModerator = await moderator.run(path, options);
    const asMember = await member.run(path, options);

    expect(textOf(asModerator)).toMatch(/manager|Manage Server/iu);
    expect(textOf(asMember)).toMatch(/manager|Manage Server/iu);
  });

  it("is a moderator for lists and trials", async () => {
    await add(presets);

    const list = await moderator.run("rules list");
    const tried = await moderator.run("rules try", { text: "free presets" });
    const asMember = await member.run("rules list");

    expect(textOf(list)).toContain("Presets");
    expect(textOf(tried)).toContain("**Presets** matches “free presets”");
    expect(textOf(asMember)).toMatch(/moderator/iu);
  });
});

describe("/rules try", () => {
  it("tries a rule again, without a way to switch it on", async () => {
    await add(presets);

    const dry = await moderator.run("rules try", { rule: "presets" });

    expect(textOf(dry)).toContain("Dry run: Presets");
    expect(buttonsOf(dry)).toEqual([]);
  });

  it("sees words in letters of generators, on their heads, turned around and in pieces", async () => {
    await add({ kind: "words", name: "Chats", does: "suggest_reject", what: "telegram\nwhatsapp" });
    const hidden = [
      "ᴛᴇʟᴇɢʀᴀᴍ",
      "ͲeIєɠɾαm",
      "ʇǝlǝƃɹɐɯ",
      "🇹 🇪 🇱 🇪 🇬 🇷 🇦 🇲",
      "\u202emargelet\u202c",
      "Te le gr am",
    ];

    for (const text of hidden) {
      expectText(
        await run("rules try", { text: `join ${text} now` }),
        "**Chats** matches “telegram”",
      );
    }
    const none = await run("rules try", { text: "Das Telegramm hat Oma geschrieben" });
    expect(textOf(none)).toContain("No rule matches this text");
  });

  it("says what of a text is found, switched off rules too", async () => {
    await add(presets);
    await add({ kind: "links", name: "Links", does: "reject", what: "example.org" });
    await run("rules switch", { rule: "Links", on: false });

    const found = await run("rules try", { text: "FR33 presets: evil dot com" });
    const none = await run("rules try", { text: "see example.org" });

    expect(textOf(found)).toContain("**Presets** matches “free presets”: Suggests rejecting");
    expect(textOf(found)).toContain("**Links** matches “evil.com”: Rejects automatically (off)");
    expect(textOf(none)).toContain("No rule matches this text");
  });

  it("takes one of both alone", async () => {
    const both = await run("rules try", { text: "x", rule: "y" });

    expectText(both, "rule", /at most one|only one/iu);
  });
});

describe("/rules switch, remove", () => {
  it("switch a rule off and on, by the name that is suggested", async () => {
    await add(presets);
    const [suggested] = await owner.offered("rules switch", "rule", "pre");
    const rule = String(suggested?.value);

    const off = await run("rules switch", { rule });
    const listed = textOf(await run("rules list"));
    const on = await run("rules switch", { rule });

    expect(suggested?.name).toBe("Presets");
    expect(textOf(off)).toContain("“Presets” is off");
    expect(listed).toContain("Presets (off)");
    expect(textOf(on)).toContain("“Presets” is on");
  });

  it("ask before a rule is gone, and say when there is none", async () => {
    await add(presets);

    const asked = await run("rules remove", { rule: "Presets" });
    const done = await click(asked, "Remove");
    const again = await run("rules remove", { rule: "Presets" });

    expect(textOf(asked)).toContain("Remove “Presets”?");
    expect(textOf(done)).toContain("“Presets” was removed");
    expect(textOf(again)).toContain("Rule not found");
  });
});

describe("/rules exempt", () => {
  it("keeps a list of people, and members apart", async () => {
    const { channels, ownChannelId } = stage.sandbox.video;
    const [one] = [...channels.values()].filter(({ id }) => id !== ownChannelId);

    const added = await run("rules exempt", { add: one?.handle ?? "", members: true });
    const [suggested] = await owner.offered("rules exempt", "remove", "");
    const removed = await run("rules exempt", { remove: String(suggested?.value) });
    const nobody = await run("rules exempt", { remove: "nobody" });
    const shown = await run("rules exempt", { members: false });

    expectText(added, "Its paying members", one?.title);
    expect(suggested?.value).toBe(one?.id);
    expect(textOf(removed)).toContain("No one else");
    expect(textOf(nobody)).toContain("No one on the list has that name");
    expect(textOf(shown)).toContain("checked like everyone else");
  });
});

describe("what rules do by themselves", () => {
  const logged = (wanted: RegExp) =>
    until(() =>
      owner
        .messages("moderators")
        .findLast((message) => message.author.bot === true && wanted.test(textOf(message))),
    );
  const ended = async () => {
    const asked = await run("watch stop");
    await click(asked, buttonsOf(asked)[0] ?? "");
  };

  it("is posted in the log channel, with undo for a pending rejection and release for a held comment", async () => {
    const set = await run("rules log", { channel: channelCalled("moderators"), per_day: 20 });
    expectText(set, `<#${channelCalled("moderators")}>`, "20 automatic actions");
    await add({ kind: "words", name: "Rejects", does: "reject", what: "zzreject" });
    await add({ kind: "words", name: "Holds", does: "hold", what: "zzhold" });
    const { time, video } = stage.sandbox;
    // Makes these the last to be judged: the comments of other tests become older by whole seconds, the precision of
    // YouTube's times.
    time.pass(2_000);
    video.addComment({ text: "zzreject one", status: "heldForReview" });
    video.addComment({ text: "zzhold two", status: "likelySpam" });
    await watchInPublic(owner.person(), { channel: channelCalled("greenroom") });

    const report = await logged(/Rules acted on 2 comments/u);
    const undone = await moderator.click(report, "Undo 2");
    const standing = await logged(/Undone|Waiting for a decision/u);
    const after = textOf(await run("rules list"));

    expectText(report, "zzreject one", "Rejected by the rule “Rejects”");
    expect(textOf(undone)).toContain("2 undone");
    expect(textOf(standing)).toContain("zzhold two");
    expect(after).toContain("Today 2 of at most 20 automatic actions");
    expect(after).toContain(`<#${channelCalled("moderators")}>`);
  });

  it("is released when it was held, and final when it was rejected", async () => {
    const { video } = stage.sandbox;
    await add({ kind: "words", name: "Rejects", does: "reject", what: "yyreject" });
    await add({ kind: "words", name: "Holds", does: "hold", what: "yyhold" });
    video.addComment({ text: "yyreject one", status: "heldForReview" });
    video.addComment({ text: "yyhold two", status: "likelySpam" });
    await run("watch resume");

    const report = await logged(/yyhold two/u);
    // The rejection can be undone until then.
    stage.sandbox.time.pass(15_000);
    const sent = await until(() => {
      const now = owner.messages("moderators").find(({ id }) => id === report.id);
      return now !== undefined && buttonsOf(now).includes("Release") ? now : undefined;
    });
    const released = await moderator.click(sent, "Release");
    const pending = await logged(/sending/u);

    expect(textOf(sent)).toContain("Rejected by the rule “Rejects”");
    expect(buttonsOf(sent)).not.toContain("Undo");
    expect(textOf(released)).toContain("The comment will be published");
    expect(textOf(pending)).toContain("yyhold two");
    await ended();
  });
});

describe("/rules export and /rules import", () => {
  const file = (rules: readonly object[], more: object = {}) => ({
    name: "rules.json",
    type: "application/json",
    data: Buffer.from(JSON.stringify({ format: "greenroom-rules", version: 1, rules, ...more })),
  });
  const rule = { kind: "words", name: "Imported", does: "suggest_hold", words: ["free"] };

  it("imports at once what it showed before, and finds nothing to do the second time", async () => {
    const asked = await run("rules import", { file: file([rule, { ...rule, name: "Other" }]) });
    expectText(asked, "1 new rule does the same as another one");
    const before = textOf(await run("rules list"));
    const done = await click(asked, "Import");
    const exported = await run("rules export");
    const again = await run("rules import", { file: file([rule]) });
    const changed = await run("rules import", {
      file: file([{ ...rule, does: "reject", words: ["gift"] }], { daily_actions: 5 }),
      replace: true,
    });

    expectPrivate(asked, "2 new rules", "Imported · Suggests holding");
    expect(before).not.toContain("Imported");
    expectText(done, "Rules imported");
    expect(exported.attachments[0]?.filename).toMatch(/^greenroom-rules-.*\.json$/u);
    expectText(again, "Nothing to import", "already has these rules");
    expectText(changed, "1 rule changes", "acts automatically", "1 rule is removed", "Other");
    expectText(changed, "Suggests holding on the card → Rejects automatically · + gift · − free");
    expectText(await click(changed, "Import"), "Rules imported");
    expect(textOf(await run("rules list"))).not.toContain("Other");
    kept.add("Imported");
  });

  it("asks again if the rules were changed in the meantime", async () => {
    const asked = await run("rules import", { file: file([{ ...rule, name: "Late" }]) });
    await add(presets);

    const again = await click(asked, "Import");

    expectText(again, "nothing was imported", "1 new rule", "1 rule of this server stays");
    expect(textOf(await run("rules list"))).not.toContain("Late");
  });

  it.each([
    [
      [{ ...rule, does: "explode" }],
      /rules\\?\[0\\?\]\.does has to be one of these: suggest.approve/u,
    ],
    [
      [rule, { ...rule, words: ["fr*e"] }],
      /rules\\?\[1\\?\] can’t be used.*the \\?\* is in the middle/su,
    ],
  ])("imports nothing from a file with one wrong rule: %j", async (rules, said) => {
    const answer = await run("rules import", { file: file(rules) });

    expect(textOf(answer)).toMatch(said);
    expectText(answer, "Nothing was imported");
  });
});

it("keeps what a rule decided before the link ended, and says what it waits for", async () => {
  await add({ kind: "words", name: "Last", does: "reject", what: "xxlast" });
  stage.sandbox.video.addComment({ text: "xxlast", status: "heldForReview" });
  await watchInPublic(owner.person(), { channel: channelCalled("greenroom") });
  const told = (wanted: string) =>
    until(() =>
      owner
        .messages("moderators")
        .map((message) => textOf(message))
        .findLast((text) => text.includes("xxlast") && text.includes(wanted)),
    );
  await told("sending");

  await click(await run("connect disconnect", { what: "channel" }), "Disconnect");
  stage.sandbox.time.pass(15_000);

  expect(await told("kept until")).toContain(
    "The decision is kept for a week and sent if the channel is linked again",
  );
});
