import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import { readAsChannel } from "../support/page-walk.ts";
import { asForm, asMessage, fetchBytes, isEphemeral, textOf } from "../support/stage.ts";
import { buttonsOf, expectPrivate, expectText, useStage } from "../support/use-stage.ts";
import { watchInPublic } from "../support/watch-in-public.ts";

const sendMessages = 1n << 11n;

const { stage, owner, moderator, member, channelCalled, until } = useStage();

/** The message as it is in the channel now. */
const anew = ({ id }: APIMessage) => owner.messages("greenroom").find((m) => m.id === id);

/** Waits until the message matches. */
const reads = (message: APIMessage, wanted: RegExp) =>
  until(() => {
    const now = anew(message);
    return now !== undefined && wanted.test(textOf(now)) ? now : undefined;
  });

/** A held comment, and its card after the next poll. */
async function cardOf(text: string, more: object = {}) {
  const { id } = stage.sandbox.video.addComment({ text, status: "heldForReview", ...more });
  await owner.run("watch resume", { watch: channelCalled("greenroom") });
  const isIts = (m: APIMessage) =>
    textOf(m).includes(text.slice(0, 200)) && buttonsOf(m).includes("More") && !isEphemeral(m);
  const card = await until(() => owner.messages("greenroom").find(isIts));
  return { id, card };
}

/** Decisions can be undone for ten seconds, and are sent together with those of the following seconds. */
const passUndo = () => stage.sandbox.time.pass(15_000);

/** The comment's moderation status, as its channel sees it. */
async function standing(id: string): Promise<string | undefined> {
  const path = `comments?part=snippet&id=${encodeURIComponent(id)}`;
  type Read = { readonly snippet: { readonly moderationStatus?: string } };
  const [comment] = await readAsChannel<Read>(stage.sandbox, path);
  return comment?.snippet.moderationStatus;
}

const posts = () => owner.person().posts("review-forum");
const postOf = (title: string) =>
  until(() => posts().find((post) => post.title.includes(title) && post.messages.length > 0));

/** Links a second channel, and makes commands act as that one. */
async function linkAnother() {
  const another = stage.sandbox.oauth.accounts[1];
  if (another?.channelId === undefined) throw new Error("there is one account");
  const { refreshToken } = stage.sandbox.oauth.mint({ channelId: another.channelId });
  const form = await owner.runForm("connect token");
  const fields = { kind: ["refresh"], token: refreshToken, name: "Another" };
  const asked = await owner.submit(form, fields);
  await owner.click(asked, "Yes");
  const all = await owner.run("connect channels");
  const one = await owner.choose(all, [another.channelId]);
  const [choose = ""] = buttonsOf(one);
  await owner.click(one, choose);
}

/** The channel id of the comment's author. */
async function authorOf(id: string): Promise<string | undefined> {
  const path = `comments?part=snippet&id=${encodeURIComponent(id)}`;
  type Read = { readonly snippet: { readonly authorChannelId: { readonly value: string } } };
  const [comment] = await readAsChannel<Read>(stage.sandbox, path);
  return comment?.snippet.authorChannelId.value;
}

/** The id of the comment that a message's first link opens. */
function idIn(message: APIMessage): string {
  return /[?&]lc=([\w.-]+)/u.exec(JSON.stringify(message.components))?.[1] ?? "";
}

describe("before anything is watched", () => {
  it("says how to begin", async () => {
    const status = await moderator.run("watch status");
    const pace = await owner.run("watch pace", { pace: "60s" });

    expect(textOf(status)).toContain("No watches yet");
    expect(textOf(pace)).toContain("/watch channel");
  });

  it("is set up by managers alone", async () => {
    const options = { channel: channelCalled("greenroom") };

    expectText(await member.run("watch channel", options), "Only managers can do this");
    expectText(await moderator.run("watch channel", options), "Only managers can do this");
    expect(textOf(await member.run("watch status"))).toContain("Only moderators can do this");
  });

  it("says which permission is missing in a channel", async () => {
    const channel = channelCalled("moderators");
    stage.sandbox.platform.forbidBot(channel, sendMessages);

    const refused = await owner.run("watch channel", { channel });
    stage.sandbox.platform.forbidBot(channel, 0n);

    expectText(refused, "Missing permissions in that channel", "Send Messages");
  });

  it("refuses a pattern that can't be read, and words that nothing is looked for with", async () => {
    const channel = channelCalled("greenroom");

    const broken = await owner.run("watch channel", { channel, match: "/(/" });
    const unused = await owner.run("watch channel", { channel, match: "x", states: "waiting" });

    expect(textOf(broken)).toMatch(/pattern/iu);
    expect(textOf(unused)).toContain("No new comments to match");
    expect(textOf(await owner.run("watch status"))).toContain("No watches yet");
  });
});

describe("/watch channel", () => {
  it("says what comes where, what it costs, and that the first cards come in a moment", async () => {
    const channel = channelCalled("greenroom");

    const said = textOf(await watchInPublic(owner.person(), { channel, digest: 30 }));

    expect(said).toContain("Now watching for held comments");
    expect(said).toContain(
      `New cards for **Greenroom Studio** appear in <#${channel}>: held comments`,
    );
    expect(said).toMatch(/every minute \(≈2,928 quota units a day\)/u);
    expect(said).toContain("30 or more at once");
    expect(said).toContain("The first cards appear in a moment");
  });

  it("shows the many that wait already as digests", async () => {
    const digest = await until(() =>
      owner.messages("greenroom").find((m) => textOf(m).includes("25 new comments")),
    );

    expect(buttonsOf(digest)).toEqual(
      expect.arrayContaining(["Review", "Approve all 25", "Reject all 25", "Choose comments"]),
    );
    expect(textOf(digest)).toContain("25 waiting · 0 decided");
  });

  it("changes the watch of that channel, and keeps what is not said", async () => {
    const channel = channelCalled("greenroom");

    const said = textOf(await owner.run("watch channel", { channel, digest: 100 }));

    expect(said).toContain("Watch changed");
    expect(said).toContain("100 or more at once");
    expect(said).toContain("held comments and likely spam");
  });
});

describe("settings of a watch", () => {
  it("takes a pace and says what it costs, within bounds", async () => {
    const set = textOf(await owner.run("watch pace", { pace: "5 min" }));
    const short = textOf(await owner.run("watch pace", { pace: "2s" }));
    const long = textOf(await owner.run("watch pace", { pace: "2 days" }));

    expect(set).toMatch(/every 5 minutes \(≈624 quota units a day\)/u);
    for (const refused of [short, long]) {
      expect(refused).toMatch(/from 10 seconds \(about 17,328 units a day\) to 6 hours/u);
    }
  });

  it("takes a role with a gap and quiet hours, shows them and lets go of them", async () => {
    const none = await owner.run("watch ping");
    const alone = await owner.run("watch ping", { gap: "30 min" });
    const set = await owner.run("watch ping", {
      role: createSampleGuild().people.moderator.role.id,
      gap: "30 min",
      quiet: "22:00-07:00",
    });
    const awake = await owner.click(set, "No quiet hours");
    const off = await owner.click(awake, "Turn pings off");

    expect(textOf(none)).toContain("No role is pinged");
    expect(textOf(alone)).toContain("Choose a role to ping");
    expect(textOf(set)).toMatch(/<@&\d+> is pinged .* once every 30 minutes/u);
    expect(textOf(set)).toContain("Not between 22:00 and 07:00 (UTC");
    expect(textOf(awake)).not.toContain("22:00");
    expect(textOf(off)).toContain("No role is pinged");
  });

  it("is paused and resumed by moderators, from the command and from the status", async () => {
    const paused = textOf(await moderator.run("watch pause"));
    const status = await moderator.run("watch status");
    const again = await moderator.click(status, "Resume");

    expect(paused).toContain("No new comments are posted in");
    expect(textOf(status)).toMatch(/Paused by <@\d+> · <t:\d+:R>/u);
    expect(buttonsOf(status)).toEqual(["Resume", "Review"]);
    expect(buttonsOf(again)).toEqual(["Check now", "Pause", "Review"]);
  });

  it("says what state it is in", async () => {
    const status = await until(async () => {
      const said = textOf(await moderator.run("watch status"));
      return said.includes("Last <t:") ? said : undefined;
    });

    expect(status).toContain("held comments and likely spam");
    expect(status).toMatch(/1\d\d comments waiting · oldest from <t:\d+:R>/u);
    expect(status).toMatch(/Next <t:\d+:R>/u);
    expect(status).toMatch(/\d+ units today · about [\d,]+ a day at this interval/u);
  });

  it("leaves a sample card whose buttons do nothing", async () => {
    await owner.run("watch test");

    const sample = await until(() =>
      owner.messages("greenroom").find((m) => textOf(m).includes("how a held comment")),
    );

    expect(JSON.stringify(sample.components)).toContain('"disabled":true');
  });

  it("suggests the watches by their channels", async () => {
    const [found] = await moderator.offered("watch status", "watch", "green");

    expect(found?.name).toMatch(/^#greenroom/u);
    const status = await moderator.run("watch status", { watch: `${found?.value}` });
    expect(textOf(status)).toContain("Watch status");
  });
});

describe("saved replies", () => {
  it("are added, changed and removed", async () => {
    const none = await moderator.run("watch replies");
    const form = await moderator.clickForm(none, "Add");
    const added = await moderator.submit(form, { name: "Thanks", text: "Thank you for watching!" });
    const shown = await moderator.choose(added, ["Thanks"]);
    const edit = await moderator.clickForm(shown, "Edit");
    const changed = await moderator.submit(edit, { text: "Thank you!" });
    const twice = await moderator.clickForm(changed, "Add");
    const taken = await moderator.submit(twice, { name: "thanks", text: "x" });

    expect(textOf(none)).toContain("None yet");
    expectText(added, "Thanks: Thank you for watching!".replace("Thanks", "**Thanks**"));
    expect(textOf(changed)).toContain("Thank you!");
    expect(textOf(taken)).toContain("There is a saved reply of that name already");
  });
});

describe("a watch in a forum", () => {
  it("leaves a post for each comment, of the new ones only those that hold the words", async () => {
    const channel = channelCalled("review-forum");
    const match = "zebra crossing, /z[0-9]{3}/";

    const question = await owner.run("watch channel", { channel, states: "published", match });
    const set = await owner.click(question, "Keep both");
    stage.sandbox.video.addComment({ text: "Nothing to see" });
    stage.sandbox.video.addComment({ text: "A Zebra  crossing!", author: "Striped Person" });
    await owner.run("watch resume", { watch: channel });
    const post = await postOf("Striped Person");

    expect(textOf(set)).toContain("new comments with zebra crossing and /z[0-9]{3}/");
    expect(textOf(set)).toContain("Each comment gets its own post");
    expect(post.title).toBe("Striped Person: A Zebra crossing!");
    expect(post.tags).toEqual(["Waiting"]);
    expect(textOf(post.messages[0] as APIMessage)).toContain("New comment");
    expect(posts().filter(({ title }) => title.includes("Nothing to see"))).toEqual([]);
  });

  it("answers as the channel that is watched, whichever is the default", async () => {
    const { id, messages } = await postOf("Striped Person");
    const [card] = messages;
    if (card === undefined) throw new Error("no card");
    await linkAnother();

    const kim = moderator.person().in(id);
    const form = asForm(await kim.click(card, "Reply"));
    const sent = asMessage(await kim.submit(form, { text: "Mind the zebra" }));
    const second = asMessage(await kim.click(card, "Reject"));

    expectText(sent, "Reply posted", "as Greenroom Studio");
    expect(await authorOf(idIn(sent))).toBe(stage.sandbox.video.ownChannelId);
    // A moderator who replies to a comment that is public already has dealt with it.
    expect(textOf(second)).toMatch(/Already decided\nKept by <@\d+>/u);
  });

  it("is one of several then, so that commands ask which", async () => {
    const unclear = await moderator.run("watch pause");
    const all = await moderator.run("watch status");
    const [, id = ""] = /"value":"([0-9a-f]{16})"/u.exec(JSON.stringify(all.components)) ?? [];
    const one = await moderator.choose(all, [id]);
    const again = await moderator.click(one, "All watches");

    expect(textOf(unclear)).toContain("There are 2 watches here");
    expectText(all, "Watches on this server", /1\. Greenroom Studio\n/u);
    expect(textOf(one)).toContain("Watch status");
    expect(textOf(again)).toContain("Watches on this server");
  });
});

describe("a card", () => {
  it("is decided by moderators alone, who is second is told who was first, and undo takes it back", async () => {
    const { card, id } = await cardOf("a card for three people");

    const refused = await member.click(card, "Approve");
    // Both moderators have the open card on their screens.
    const [pending, second] = await Promise.all([
      moderator.click(card, "Approve"),
      owner.click(card, "Reject"),
    ]);
    const back = await owner.click(pending, "Undo");

    expect(textOf(refused)).toContain("Only moderators can do this");
    expect(pending.id).toBe(card.id);
    expect(buttonsOf(pending)).toEqual(["Undo", "Open"]);
    expectPrivate(second, /Already handled\nApproved by <@\d+> – sending/u);
    expect(textOf(back)).toMatch(/Waiting for a decision.*\nUndone by <@\d+>/u);
    expect(buttonsOf(back)).toContain("Approve");
    expect(await standing(id)).toBe("heldForReview");
  });

  it("takes a button that was pressed twice as pressed once", async () => {
    const { card } = await cardOf("pressed by a nervous finger");

    const pressed = await Promise.all([
      moderator.click(card, "Approve"),
      moderator.click(card, "Approve"),
    ]);
    await moderator.click(card, "Undo");

    expect(pressed.map(({ id }) => id)).toEqual([card.id, card.id]);
    expect(pressed.map(buttonsOf)).toEqual([
      ["Undo", "Open"],
      ["Undo", "Open"],
    ]);
  });

  it("stays in the server's language, whoever presses; notes are in the person's", async () => {
    const { card } = await cardOf("for two languages");
    moderator.speak("de");

    const more = await moderator.click(card, "More");
    const later = await moderator.click(more, "Zurückstellen");
    const moved = await moderator.choose(later, ["In 3 Tagen"]);
    const again = await moderator.click(await reads(card, /Snoozed by/u), "More");
    const brought = await moderator.click(again, "Jetzt zurückholen");

    expect(textOf(later)).toContain("Zurückgestellt");
    expect(textOf(moved)).toContain("Zurückgestellt");
    expect(later.id).toBe(more.id);
    expect(textOf(brought)).toContain("Zurückstellung beendet");
    await reads(card, /Waiting for a decision/u);
  });

  it("shows the whole text to who asks", async () => {
    const { card } = await cardOf(`a long one ${"wordy ".repeat(400)}the end`);

    const more = await moderator.click(card, "More");
    const full = await moderator.click(more, "Full text");

    expectPrivate(full, "the end");
    expect(textOf(card)).not.toContain("the end");
  });

  it("carries decisions out, answers, and is calm afterwards", async () => {
    const approved = await cardOf("let this one through");
    const rejected = await cardOf("throw this one away");
    const banned = await cardOf("hide whoever wrote this", { author: "Spam Person" });
    const answered = await cardOf("is anybody there?");

    await moderator.click(approved.card, "Approve");
    const pending = await moderator.click(rejected.card, "Reject");
    const more = await moderator.click(banned.card, "More");
    const asked = await moderator.click(more, "Reject and hide author");
    const banning = await moderator.click(asked, "Reject and hide author");
    const form = await moderator.clickForm(answered.card, "Reply");
    const first = await moderator.submit(form, { saved: ["Thanks"] });
    const sending = moderator.click(first, "Approve and reply");
    await reads(answered.card, /Approved by <@\d+> – sending/u);
    passUndo();
    const sent = await sending;

    expect(textOf(pending)).toContain("a rejection is permanent");
    expect(textOf(asked)).toContain("Everything else that its author wrote");
    expect(textOf(banning)).toContain("Rejecting 1 comment and hiding its author…");
    // The form covers the card, so it repeats the comment.
    expect(JSON.stringify(form.components)).toContain("> is anybody there?");
    expectText(first, "Approve and reply?", "is anybody there?", "Your reply\nThank you!");
    expect(buttonsOf(first)).toEqual(["Approve and reply", "Edit reply", "Cancel"]);
    expectText(sent, "Reply posted", "Thank you!");
    const done = await reads(approved.card, /Approved by <@\d+> · </u);
    expect(buttonsOf(done)).toEqual(["Open"]);
    await reads(rejected.card, /Rejected by <@\d+> · </u);
    await reads(banned.card, /author hidden/u);
    expect(textOf(await reads(answered.card, /<@\d+> replied/u))).toContain("↪ Thank you!");
    expect(textOf(await moderator.run("comments log"))).toContain("↪ Thank you!");
    expect(await standing(approved.id)).toBe("published");
    expect(await standing(answered.id)).toBe("published");
    expect(await standing(rejected.id)).not.toBe("heldForReview");
    expect(await standing(banned.id)).not.toBe("heldForReview");
    const sentNote = await until(() =>
      moderator
        .messages("greenroom")
        .find((m) => m.id === banning.id && /its author hidden/u.test(textOf(m))),
    );
    expect(textOf(sentNote)).toContain("1 comment rejected, its author hidden");
    expect(buttonsOf(sentNote)).toEqual(["Add a reason"]);
  });

  it("is claimed, which others see and may take over", async () => {
    const { card } = await cardOf("who looks after this?");

    const more = await moderator.click(card, "More");
    const claimed = await moderator.click(more, "Claim");
    await reads(card, /Claimed by <@\d+> · </u);
    const others = await owner.click(card, "More");
    const over = await owner.click(others, "Take over");
    const own = await owner.click(over, "Release");
    const freed = await reads(card, /^(?!.*Claimed)/su);

    expect(claimed.id).toBe(more.id);
    expect(buttonsOf(claimed)).toContain("Release");
    expect(textOf(others)).toMatch(/Claimed by/u);
    expect(buttonsOf(own)).toContain("Claim");
    expect(buttonsOf(freed)).toEqual(["Approve", "Reject", "Reply", "More"]);
  });

  it("has a case file with notes that only moderators see", async () => {
    const { card } = await cardOf("the author of this is known", { author: "Noted Person" });
    const add = async (message: APIMessage, text: string) => {
      const form = await moderator.clickForm(message, "Add a note");
      return await moderator.submit(form, { text });
    };

    const file = await moderator.click(await moderator.click(card, "More"), "Case file");
    const one = await add(file, "Asks *kindly*, twice");
    const two = await add(one, "Sells watches");
    const noted = await reads(card, /📝 2 notes/u);
    const [newest = ""] =
      /"value":"(\d{13}-[0-9a-f]{8})"/u.exec(JSON.stringify(two))?.slice(1) ?? [];
    const shown = await moderator.choose(two, [newest]);
    const left = await moderator.click(shown, "Delete note");

    expect([file, one, two].map(isEphemeral)).toEqual([true, true, true]);
    expect(textOf(file)).toContain("No notes yet");
    expect(textOf(two)).toMatch(/• Sells watches · <@\d+> <t:\d+:R>\n• Asks \*kindly\*, twice/u);
    expect(textOf(noted)).not.toContain("Sells watches");
    expect(textOf(shown)).toMatch(/> Sells watches\n<@\d+> </u);
    expect(textOf(left)).toContain("Asks");
    expect(textOf(left)).not.toContain("Sells watches");
    await reads(card, /📝 1 note$/mu);
  });

  it("takes a reason for a rejection, without a longer way to reject", async () => {
    const { card } = await cardOf("cheap watches here");

    const rejected = await moderator.click(card, "Reject");
    const form = await moderator.clickForm(rejected, "Add a reason");
    expect(JSON.stringify(form.components)).toContain("> cheap watches here");
    const saved = await moderator.submit(form, { reason: "Sells things" });
    passUndo();
    const settled = await reads(card, /Rejected by <@\d+> · <t.*Sells things/su);
    const again = await owner.clickForm(settled, "Change reason");
    await owner.submit(again, { reason: "Advertising" });
    await reads(card, /Reason by <@\d+>: Advertising/u);
    const log = await moderator.run("comments log", { kind: "rejected" });

    expectPrivate(saved, "Reason saved\n> Sells things");
    expect(textOf(log)).toMatch(/cheap watches here\n.*\nReason by <@\d+>: Advertising/u);
  });
});

describe("a digest", () => {
  const digestOf = () =>
    until(() => owner.messages("greenroom").find((m) => /25 new comments/u.test(textOf(m))));
  const optionsIn = (message: APIMessage) =>
    [...JSON.stringify(message.components).matchAll(/"value":"([0-9a-f]{32})"/gu)].map(
      ([, value = ""]) => value,
    );

  it("previews those that are chosen, decides them, and takes them back", async () => {
    const digest = await digestOf();
    const panel = await moderator.click(digest, "Choose comments");
    const chosen = optionsIn(panel).slice(0, 3);

    const preview = await moderator.choose(panel, chosen);
    const decided = await moderator.click(preview, "Approve 3");
    const others = await owner.click(await reads(digest, /22 waiting/u), "Reject all");
    const back = await moderator.click(decided, "Undo");

    expectPrivate(preview, "3 comments chosen");
    expect(preview.id).toBe(panel.id);
    expect(buttonsOf(preview)).toEqual(["Approve 3", "Reject 3", "Reject and hide 3", "Cancel"]);
    expect(textOf(decided)).toMatch(/Approving 3 comments…\nSending <t:\d+:R>/u);
    expect(textOf(others)).toContain("Reject 22 comments?");
    expect(buttonsOf(others)).toEqual(["Reject 22", "Reject and hide 22", "Cancel"]);
    expect(textOf(back)).toContain("3 comments are waiting for a decision again");
    await reads(digest, /25 waiting · 0 decided/u);
  });

  it("keeps the undo of a decision whose button was pressed twice", async () => {
    const digest = await digestOf();
    const panel = await moderator.click(digest, "Choose comments");
    const preview = await moderator.choose(panel, optionsIn(panel).slice(0, 2));
    const press = () => moderator.person().click(preview, "Approve 2");

    await Promise.allSettled([press(), press()]);
    const back = await moderator.click(preview, "Undo");

    expect(textOf(back)).toContain("2 comments are waiting for a decision again");
  });

  it("asks with a preview before it decides about all", async () => {
    const digest = await digestOf();

    const approving = await moderator.click(digest, "Approve all");
    const rejecting = await moderator.click(digest, "Reject all");
    const refused = await member.click(digest, "Reject all");

    expect(textOf(approving)).toContain("Approve 25 comments?");
    expect(buttonsOf(approving)).toContain("Approve 25");
    expect(buttonsOf(approving)).not.toContain("Reject 25");
    expectText(rejecting, /Reject 25 comments\?\nBy .+/u, "can’t be published again");
    expect(textOf(refused)).toContain("Only moderators can do this");
  });

  it("asks before authors are hidden", async () => {
    const preview = await moderator.click(await digestOf(), "Reject all");

    const asked = await moderator.click(preview, "Reject and hide 25");
    const kept = await moderator.click(asked, "Cancel");

    expect(textOf(asked)).toContain("Reject 25 comments and hide their authors?");
    expect(textOf(kept)).toContain("Nothing was changed");
  });

  it("chooses by author and by pattern", async () => {
    const digest = await digestOf();

    const panel = await moderator.click(digest, "Choose comments");
    const form = await moderator.clickForm(panel, "By words or pattern");
    const hits = await moderator.submit(form, { pattern: "/ex.mple/, no such words" });
    const broken = await moderator.submit(form, { pattern: "/(/" });

    expect(JSON.stringify(panel.components)).toContain("Choose authors");
    expect(textOf(hits)).toContain("With: /ex.mple/, no such words");
    expect(textOf(broken)).toMatch(/pattern/iu);
    expect(buttonsOf(broken)).toContain("Back to the form");
  });
});

describe("/comments log", () => {
  it("shows moderators who decided what, when and where", async () => {
    const refused = await member.run("comments log");
    const log = await moderator.run("comments log");

    expect(textOf(refused)).toContain("Only moderators can do this");
    expectPrivate(log, /<@\d+> · <t:\d+:R> · (?:in a digest|on its card)/u);
  });

  it("is filtered, and comes as a file", async () => {
    const approved = await moderator.run("comments log", { kind: "approved" });
    const none = await moderator.run("comments log", { author: "nobody at all" });
    const csv = await moderator.run("comments log", { output: "csv", kind: "banned" });
    const data = (await fetchBytes(csv.attachments[0]?.url ?? "")).toString();

    expect(textOf(approved)).toContain("let this one through");
    expect(textOf(approved)).not.toContain("throw this one away");
    expect(textOf(none)).toContain("No entry matches");
    expect(data).toContain("at,decision,by,byId,from,answer");
    expect(data).toContain("hide whoever wrote this");
  });

  it("takes an approval back, once", async () => {
    const log = await moderator.run("comments log", { kind: "approved" });
    const place = textOf(log).split("Hold again");
    const nth = place.findIndex((part) => part.includes("let this one through")) + 1;

    const held = await moderator.click(log, "Hold again", nth);
    const again = await moderator.click(log, "Hold again", nth);

    expect(textOf(held)).toMatch(/Holding 1 comment again…\n.*\nSending <t:/u);
    expect(textOf(again)).toContain("Already handled");
  });
});

describe("a post of the forum", () => {
  it("is tagged with what became of its comment, and put away", async () => {
    const tagged = await until(() =>
      posts().find(({ title, isArchived }) => isArchived && /Striped/u.test(title)),
    );
    expect(tagged.tags).toEqual(["Approved"]);
    const stopping = await owner.run("watch stop", { watch: channelCalled("review-forum") });
    expect(textOf(await owner.click(stopping, "End the watch"))).toContain("Watch ended");
  });
});

describe("/watch summary", () => {
  it("shows the last seven days to moderators, and where it is posted", async () => {
    const shown = await moderator.run("watch summary");

    expect(isEphemeral(shown)).toBe(true);
    expect(shown.embeds[0]?.title).toBe("Moderation this week");
    expectText(shown, /\*\*\d+\*\* \(0 the week before\)/u, "in the last 7 days");
    expect(textOf(shown)).toContain("Not posted. Choose a channel with");
  });

  it("is turned on, changed and turned off by managers", async () => {
    const place = channelCalled("moderators");
    const refused = await moderator.run("watch summary", { channel: place });
    const on = await owner.run("watch summary", { channel: place });
    const later = await owner.run("watch summary", { day: "friday" });
    const shown = await moderator.run("watch summary");
    const off = await owner.click(later, "Turn off");
    const after = await owner.run("watch summary");

    expect(textOf(refused)).toContain("Only managers can do this");
    expect(textOf(on)).toContain(`The first one is posted in <#${place}> on <t:`);
    expect(textOf(shown)).toContain(`In <#${place}>, every Friday at 9:00`);
    expect(textOf(off)).toContain("Weekly summary turned off");
    expect(textOf(after)).toContain("Not posted.");
  });

  it("offers the rule that several rejected comments ask for", async () => {
    for (const author of ["Gift One", "Gift Two", "Gift Three"]) {
      const text = "get it at https://free-gift.example/x";
      const { id } = stage.sandbox.video.addComment({ text, author, status: "heldForReview" });
      const asked = await moderator.run("comments moderate", {
        comments: id,
        decision: "rejected",
        as: stage.sandbox.video.ownChannelId,
      });
      await moderator.click(asked, "Reject");
    }

    const shown = await owner.run("watch summary");
    const tried = await owner.click(shown, "Add rule: free-gift.example");

    expect(textOf(shown)).toContain("“free-gift.example”: in 3 rejected comments");
    expect(buttonsOf(tried)).toContain("Switch on");
  });
});

describe("/watch stop", () => {
  it("asks, and ends the watch with its buttons", async () => {
    const { card } = await cardOf("nobody decides this one");

    const asked = await owner.run("watch stop");
    const done = await owner.click(asked, "End the watch");
    const pressed = await moderator.click(card, "Approve");

    expect(textOf(asked)).toMatch(/\d+ comments are waiting in its queue/u);
    expect(textOf(done)).toContain("Watch ended");
    expect(textOf(pressed)).toContain("no longer in the queue");
    expect(textOf(await owner.run("watch status"))).toContain("No watches yet");
  });
});

describe("without a linked channel", () => {
  it("says how to link one, before anything is set up", async () => {
    const asked = await owner.run("connect disconnect", { what: "channel" });
    await owner.click(asked, "Disconnect");

    const refused = await owner.run("watch channel", { channel: channelCalled("greenroom") });

    expect(textOf(refused)).toContain("/connect channel");
    expect(textOf(await owner.run("watch status"))).toContain("No watches yet");
  });
});
