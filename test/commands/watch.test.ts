import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import { readAsChannel } from "../support/page-walk.ts";
import {
  asForm,
  asMessage,
  fetchBytes,
  isEphemeral,
  offered,
  openStage,
  type Stage,
  textOf,
} from "../support/stage.ts";

type Name = "owner" | "moderator" | "member";
type Options = Readonly<Record<string, string | number>>;

const sendMessages = 1n << 11n;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  stage.sandbox.platform.limitRequests(false);
});
afterAll(async () => {
  expect(await stage.violations()).toEqual([]);
  await stage.close();
});

const person = (name: Name) => stage.sandbox.user(name);
const run = async (name: Name, path: string, options: Options = {}) =>
  asMessage(await person(name).command(path, options));
const click = async (name: Name, message: APIMessage, label: string) =>
  asMessage(await person(name).click(message, label));

function channelCalled(name: string): string {
  const found = stage.sandbox.platform.channels.find((channel) => channel.name === name);
  if (found === undefined) throw new Error(`no channel ${name}`);
  return found.id;
}

async function until<T>(look: () => T | undefined | Promise<T | undefined>, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`it did not come:\n${stage.logged.slice(-5).join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const buttonsOf = (message: APIMessage) =>
  [...JSON.stringify(message.components).matchAll(/"label":"([^"]+)"/gu)].map(([, label]) => label);

/** The message in the channel as it is now. */
const anew = ({ id }: APIMessage) =>
  person("owner")
    .messages("greenroom")
    .find((m) => m.id === id);

/** Waits until it reads so. */
const reads = (message: APIMessage, wanted: RegExp) =>
  until(() => {
    const now = anew(message);
    return now !== undefined && wanted.test(textOf(now)) ? now : undefined;
  }, 30);

const held = (text: string, more: object = {}) =>
  stage.sandbox.video.addComment({ text, status: "heldForReview", ...more });

/** The cards of comments with these texts, after a look. */
async function cardsOf(...texts: readonly string[]): Promise<readonly APIMessage[]> {
  await run("owner", "watch resume", { watch: channelCalled("greenroom") });
  return Promise.all(
    texts.map((text) =>
      until(() =>
        person("owner")
          .messages("greenroom")
          .find(
            (m) => !isEphemeral(m) && textOf(m).includes(text) && buttonsOf(m).includes("Open"),
          ),
      ),
    ),
  );
}

/** How the service has a comment, as its channel sees it. */
async function standing(id: string): Promise<string | undefined> {
  const path = `comments?part=snippet&id=${encodeURIComponent(id)}`;
  type Read = { readonly snippet: { readonly moderationStatus?: string } };
  const [comment] = await readAsChannel<Read>(stage.sandbox, path);
  return comment?.snippet.moderationStatus;
}

const posts = () => person("owner").posts("review-forum");
const postOf = (title: string) =>
  until(() => posts().find((post) => post.title.includes(title) && post.messages.length > 0));

/** Links a second channel, and lets commands act as that one. */
async function linkAnother() {
  const another = stage.sandbox.oauth.accounts[1];
  if (another?.channelId === undefined) throw new Error("there is one account");
  const { refreshToken } = stage.sandbox.oauth.mint({ channelId: another.channelId });
  const form = asForm(await person("owner").command("connect token"));
  const fields = { kind: ["refresh"], token: refreshToken, name: "Another" };
  const asked = asMessage(await person("owner").submit(form, fields));
  await click("owner", asked, "Yes");
  const all = await run("owner", "connect channels");
  const one = asMessage(await person("owner").choose(all, [another.channelId]));
  const [choose = ""] = buttonsOf(one);
  await click("owner", one, choose);
}

/** Who wrote it, as an id of theirs. */
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
    const status = await run("moderator", "watch status");
    const pace = await run("owner", "watch pace", { pace: "60s" });

    expect(textOf(status)).toContain("Nothing is watched here yet");
    expect(textOf(pace)).toContain("/watch channel");
  });

  it("is set up by managers alone", async () => {
    const options = { channel: channelCalled("greenroom") };

    expect(textOf(await run("member", "watch channel", options))).toContain("This takes a manager");
    expect(textOf(await run("moderator", "watch channel", options))).toContain("takes a manager");
    expect(textOf(await run("member", "watch status"))).toContain("This takes a moderator");
  });

  it("says which permission is missing in a channel", async () => {
    const channel = channelCalled("moderators");
    stage.sandbox.platform.forbidBot(channel, sendMessages);

    const refused = await run("owner", "watch channel", { channel });
    stage.sandbox.platform.forbidBot(channel, 0n);

    expect(textOf(refused)).toContain("I can’t write in that channel");
    expect(textOf(refused)).toContain("Send Messages");
  });

  it("refuses a pattern that can't be read, and words that nothing is looked for with", async () => {
    const channel = channelCalled("greenroom");

    const broken = await run("owner", "watch channel", { channel, match: "/(/" });
    const unused = await run("owner", "watch channel", { channel, match: "x", states: "waiting" });

    expect(textOf(broken)).toMatch(/pattern/iu);
    expect(textOf(unused)).toContain("Those words would find nothing");
    expect(textOf(await run("owner", "watch status"))).toContain("Nothing is watched here yet");
  });
});

describe("/watch channel", () => {
  it("says what comes where, what it costs, and that the first cards come in a moment", async () => {
    const channel = channelCalled("greenroom");

    const said = textOf(await run("owner", "watch channel", { channel, digest: 30 }));

    expect(said).toContain("The watch begins");
    expect(said).toContain(`Comes to <#${channel}> from **Greenroom Studio**: held comments`);
    expect(said).toMatch(/every 1 minute, about 2,928 units a day/u);
    expect(said).toContain("30 or more at once");
    expect(said).toContain("The first cards come in a moment");
  });

  it("shows the many that wait already as digests", async () => {
    const digest = await until(() =>
      person("owner")
        .messages("greenroom")
        .find((m) => textOf(m).includes("25 new comments")),
    );

    expect(buttonsOf(digest)).toEqual(
      expect.arrayContaining(["Approve all", "Reject all", "By author", "By pattern"]),
    );
    expect(textOf(digest)).toContain("25 waiting · 0 decided");
  });

  it("changes the watch of that channel, and keeps what is not said", async () => {
    const channel = channelCalled("greenroom");

    const said = textOf(await run("owner", "watch channel", { channel, digest: 100 }));

    expect(said).toContain("The watch is changed");
    expect(said).toContain("100 or more at once");
    expect(said).toContain("held comments and likely spam");
  });
});

describe("settings of a watch", () => {
  it("takes a pace and says what it costs, within bounds", async () => {
    const set = textOf(await run("owner", "watch pace", { pace: "5 min" }));
    const short = textOf(await run("owner", "watch pace", { pace: "2s" }));
    const long = textOf(await run("owner", "watch pace", { pace: "2 days" }));

    expect(set).toMatch(/every 5 minutes, about 624 units a day/u);
    for (const refused of [short, long]) {
      expect(refused).toMatch(/from 10 seconds \(about 17,328 units a day\) to 6 hours/u);
    }
  });

  it("takes a role with a gap and quiet hours, shows them and lets go of them", async () => {
    const none = await run("owner", "watch ping");
    const alone = await run("owner", "watch ping", { gap: "30 min" });
    const set = await run("owner", "watch ping", {
      role: createSampleGuild().people.moderator.role.id,
      gap: "30 min",
      quiet: "22:00-07:00",
    });
    const awake = await click("owner", set, "No quiet hours");
    const off = await click("owner", awake, "Ping nobody");

    expect(textOf(none)).toContain("Nobody is pinged");
    expect(textOf(alone)).toContain("Which role is to be pinged?");
    expect(textOf(set)).toMatch(/<@&\d+> is pinged .* once every 30 minutes/u);
    expect(textOf(set)).toContain("Not between 22:00 and 07:00 (UTC");
    expect(textOf(awake)).not.toContain("22:00");
    expect(textOf(off)).toContain("Nobody is pinged");
  });

  it("is paused and resumed by moderators, from the command and from the status", async () => {
    const paused = textOf(await run("moderator", "watch pause"));
    const status = await run("moderator", "watch status");
    const again = await click("moderator", status, "Resume");

    expect(paused).toContain("Nothing new comes to");
    expect(textOf(status)).toMatch(/Paused by <@\d+> <t:\d+:R>/u);
    expect(buttonsOf(status)).toEqual(["Resume"]);
    expect(buttonsOf(again)).toEqual(["Look now", "Pause"]);
  });

  it("says what state it is in", async () => {
    const status = await until(async () => {
      const said = textOf(await run("moderator", "watch status"));
      return said.includes("Last <t:") ? said : undefined;
    });

    expect(status).toContain("held comments and likely spam");
    expect(status).toMatch(/1\d\d comments wait · the oldest from <t:\d+:R>/u);
    expect(status).toMatch(/Next <t:\d+:R>/u);
    expect(status).toMatch(/\d+ today · about [\d,]+ a day at this pace/u);
  });

  it("leaves a sample card whose buttons do nothing", async () => {
    await run("owner", "watch test");

    const sample = await until(() =>
      person("owner")
        .messages("greenroom")
        .find((m) => textOf(m).includes("how a held comment")),
    );

    expect(JSON.stringify(sample.components)).toContain('"disabled":true');
  });

  it("suggests the watches by their channels", async () => {
    const [found] = await offered(person("moderator"), "watch status", "watch", "green");

    expect(found?.name).toMatch(/^#greenroom/u);
    const status = await run("moderator", "watch status", { watch: `${found?.value}` });
    expect(textOf(status)).toContain("How the watch stands");
  });
});

describe("saved replies", () => {
  it("are added, changed and removed", async () => {
    const none = await run("moderator", "watch replies");
    const form = asForm(await person("moderator").click(none, "Add"));
    const added = asMessage(
      await person("moderator").submit(form, { name: "Thanks", text: "Thank you for watching!" }),
    );
    const shown = asMessage(await person("moderator").choose(added, ["Thanks"]));
    const edit = asForm(await person("moderator").click(shown, "Edit"));
    const changed = asMessage(await person("moderator").submit(edit, { text: "Thank you!" }));
    const twice = asForm(await person("moderator").click(changed, "Add"));
    const taken = asMessage(await person("moderator").submit(twice, { name: "thanks", text: "x" }));

    expect(textOf(none)).toContain("None yet");
    expect(textOf(added)).toContain(
      "Thanks: Thank you for watching!".replace("Thanks", "**Thanks**"),
    );
    expect(textOf(changed)).toContain("Thank you!");
    expect(textOf(taken)).toContain("There is a saved reply of that name already");
  });
});

describe("a watch in a forum", () => {
  it("leaves a post for each comment, of the new ones only those that hold the words", async () => {
    const channel = channelCalled("review-forum");
    const match = "zebra crossing, /z[0-9]{3}/";

    const set = await run("owner", "watch channel", { channel, states: "published", match });
    stage.sandbox.video.addComment({ text: "Nothing to see" });
    stage.sandbox.video.addComment({ text: "A Zebra  crossing!", author: "Striped Person" });
    await run("owner", "watch resume", { watch: channel });
    const post = await postOf("Striped Person");

    expect(textOf(set)).toContain("new comments with zebra crossing and /z[0-9]{3}/");
    expect(textOf(set)).toContain("Each comment is a post of its own");
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

    const kim = person("moderator").in(id);
    const form = asForm(await kim.click(card, "Reply"));
    const sent = asMessage(await kim.submit(form, { text: "Mind the zebra" }));
    await kim.click(card, "Reject");

    expect(textOf(sent)).toContain("The reply is posted");
    expect(textOf(sent)).toContain("as Greenroom Studio");
    expect(await authorOf(idIn(sent))).toBe(stage.sandbox.video.ownChannelId);
  });

  it("is one of several then, so that commands ask which", async () => {
    const unclear = await run("moderator", "watch pause");
    const all = await run("moderator", "watch status");
    const [, id = ""] = /"value":"([0-9a-f]{16})"/u.exec(JSON.stringify(all.components)) ?? [];
    const one = asMessage(await person("moderator").choose(all, [id]));
    const again = await click("moderator", one, "All watches");

    expect(textOf(unclear)).toContain("There are 2 watches here");
    expect(textOf(all)).toContain("Watches on this server");
    expect(textOf(all)).toMatch(/1\. Greenroom Studio\n/u);
    expect(textOf(one)).toContain("How the watch stands");
    expect(textOf(again)).toContain("Watches on this server");
  });
});

describe("a card", () => {
  it("is decided by moderators alone, who is second is told who was first, and undo takes it back", async () => {
    const { id } = held("a card for three people");
    const [card] = await cardsOf("a card for three people");
    if (card === undefined) throw new Error("no card");

    const refused = await click("member", card, "Approve");
    // Both have the open card on their screens.
    const [pending, second] = await Promise.all([
      click("moderator", card, "Approve"),
      click("owner", card, "Reject"),
    ]);
    const back = await click("owner", pending, "Undo");

    expect(textOf(refused)).toContain("This takes a moderator");
    expect(pending.id).toBe(card.id);
    expect(buttonsOf(pending)).toEqual(["Undo", "Open"]);
    expect(isEphemeral(second)).toBe(true);
    expect(textOf(second)).toMatch(/Somebody was faster\n<@\d+> approves it/u);
    expect(textOf(back)).toMatch(/Waiting for a decision.*\nTaken back by <@\d+>/u);
    expect(buttonsOf(back)).toContain("Approve");
    expect(await standing(id)).toBe("heldForReview");
  });

  it("stays in the server's language, whoever presses; notes are in the person's", async () => {
    held("for two languages");
    const [card] = await cardsOf("for two languages");
    if (card === undefined) throw new Error("no card");
    person("moderator").speak("de");

    const later = await click("moderator", card, "Later");
    const moved = asMessage(await person("moderator").choose(later, ["In 3 Tagen"]));
    const brought = await click("moderator", await reads(card, /Put off by/u), "Bring back");
    person("moderator").speak("en-US");

    expect(textOf(later)).toContain("Aufgeschoben");
    expect(textOf(moved)).toContain("Aufgeschoben");
    expect(textOf(brought)).toContain("Waiting for a decision");
  });

  it("shows the whole text to who asks", async () => {
    held(`a long one ${"wordy ".repeat(400)}the end`);
    const [card] = await cardsOf("a long one");
    if (card === undefined) throw new Error("no card");

    const full = await click("moderator", card, "Full text");

    expect(isEphemeral(full)).toBe(true);
    expect(textOf(full)).toContain("the end");
    expect(textOf(card)).not.toContain("the end");
  });

  it("carries decisions out, answers, and is calm afterwards", async () => {
    const approved = held("let this one through");
    const rejected = held("throw this one away");
    const banned = held("hide whoever wrote this", { author: "Spam Person" });
    const answered = held("is anybody there?");
    const cards = await cardsOf(
      "let this one through",
      "throw this one away",
      "hide whoever wrote this",
      "is anybody there?",
    );
    const [one, two, three, four] = cards as [APIMessage, APIMessage, APIMessage, APIMessage];

    await click("moderator", one, "Approve");
    const pending = await click("moderator", two, "Reject");
    const asked = await click("moderator", three, "Reject and hide author");
    const banning = await click("moderator", asked, "Reject and hide author");
    const form = asForm(await person("moderator").click(four, "Reply"));
    const first = asMessage(await person("moderator").submit(form, { saved: ["Thanks"] }));
    const sent = await click("moderator", first, "Approve and reply");

    expect(textOf(pending)).toContain("A rejection is final then");
    expect(textOf(asked)).toContain("Everything else that its author wrote");
    expect(textOf(banning)).toContain("hidden in a few seconds");
    expect(textOf(first)).toContain("Approve it first");
    expect(textOf(sent)).toContain("The reply is posted");
    expect(textOf(sent)).toContain("Thank you!");
    const done = await reads(one, /Approved by <@\d+>/u);
    expect(buttonsOf(done)).toEqual(["Open"]);
    await reads(two, /Rejected by/u);
    await reads(three, /the author is hidden/u);
    await reads(four, /<@\d+> replied/u);
    expect(await standing(approved.id)).toBe("published");
    expect(await standing(answered.id)).toBe("published");
    expect(await standing(rejected.id)).not.toBe("heldForReview");
    expect(await standing(banned.id)).not.toBe("heldForReview");
    const late = await click("moderator", banning, "Undo");
    expect(textOf(late)).toContain("Too late to take it back");
  });
});

describe("a digest", () => {
  const digestOf = () =>
    until(() =>
      person("owner")
        .messages("greenroom")
        .find((m) => /25 new comments/u.test(textOf(m))),
    );
  const optionsIn = (message: APIMessage) =>
    [...JSON.stringify(message.components).matchAll(/"value":"([0-9a-f]{32})"/gu)].map(
      ([, value = ""]) => value,
    );

  it("previews those that are chosen, decides them, and takes them back", async () => {
    const digest = await digestOf();
    const chosen = optionsIn(digest).slice(0, 3);

    const preview = asMessage(await person("moderator").choose(digest, chosen));
    const decided = await click("moderator", preview, "Approve 3");
    const again = asMessage(await person("owner").choose(digest, chosen.slice(0, 1)));
    const back = await click("moderator", decided, "Undo");

    expect(isEphemeral(preview)).toBe(true);
    expect(textOf(preview)).toContain("3 comments chosen");
    expect(buttonsOf(preview)).toEqual(["Approve 3", "Reject 3", "Reject and hide 3"]);
    expect(textOf(decided)).toContain("3 comments are approved in a few seconds");
    expect(textOf(again)).toContain("None of them waits any more");
    expect(textOf(back)).toContain("3 comments wait again");
    await reads(digest, /25 waiting · 0 decided/u);
  });

  it("asks with a preview before it decides about all", async () => {
    const digest = await digestOf();

    const approving = await click("moderator", digest, "Approve all");
    const rejecting = await click("moderator", digest, "Reject all");
    const refused = await click("member", digest, "Reject all");

    expect(textOf(approving)).toContain("Approve 25 comments?");
    expect(buttonsOf(approving)).toContain("Approve 25");
    expect(buttonsOf(approving)).not.toContain("Reject 25");
    expect(textOf(rejecting)).toMatch(/Reject 25 comments\?\nBy .+/u);
    expect(textOf(rejecting)).toContain("can’t be published again");
    expect(textOf(refused)).toContain("This takes a moderator");
  });

  it("asks before authors are hidden", async () => {
    const preview = await click("moderator", await digestOf(), "Reject all");

    const asked = await click("moderator", preview, "Reject and hide 25");
    const kept = await click("moderator", asked, "Cancel");

    expect(textOf(asked)).toContain("Reject 25 comments and hide their authors?");
    expect(textOf(kept)).toContain("Nothing was changed");
  });

  it("chooses by author and by pattern", async () => {
    const digest = await digestOf();

    const authors = await click("moderator", digest, "By author");
    const [first = ""] = optionsIn(authors);
    const theirs = asMessage(await person("moderator").choose(authors, [first]));
    const form = asForm(await person("moderator").click(digest, "By pattern"));
    const hits = asMessage(
      await person("moderator").submit(form, { pattern: "/ex.mple/, no such words" }),
    );
    const broken = asMessage(await person("moderator").submit(form, { pattern: "/(/" }));

    expect(textOf(authors)).toMatch(/\d+ comments?/u);
    expect(textOf(theirs)).toMatch(/\d+ comments? chosen/u);
    expect(textOf(hits)).toContain("With: /ex.mple/, no such words");
    expect(textOf(broken)).toMatch(/pattern/iu);
    expect(buttonsOf(broken)).toContain("Back to the form");
  });
});

describe("/comments log", () => {
  it("shows moderators who decided what, when and where", async () => {
    const refused = await run("member", "comments log");
    const log = await run("moderator", "comments log");

    expect(textOf(refused)).toContain("This takes a moderator");
    expect(isEphemeral(log)).toBe(true);
    expect(textOf(log)).toMatch(/<@\d+> · <t:\d+:R> · (?:in a digest|on its card)/u);
  });

  it("is filtered, and comes as a file", async () => {
    const approved = await run("moderator", "comments log", { decision: "approved" });
    const none = await run("moderator", "comments log", { author: "nobody at all" });
    const csv = await run("moderator", "comments log", { output: "csv", decision: "banned" });
    const data = (await fetchBytes(csv.attachments[0]?.url ?? "")).toString();

    expect(textOf(approved)).toContain("let this one through");
    expect(textOf(approved)).not.toContain("throw this one away");
    expect(textOf(none)).toContain("No entry fits");
    expect(data).toContain("at,decision,by,byId,from,answer");
    expect(data).toContain("hide whoever wrote this");
  });

  it("takes an approval back, once", async () => {
    const log = await run("moderator", "comments log", { decision: "approved" });
    const place = textOf(log).split("Hold again");
    const nth = place.findIndex((part) => part.includes("let this one through")) + 1;

    const held = asMessage(await person("moderator").click(log, "Hold again", nth));
    const again = asMessage(await person("moderator").click(log, "Hold again", nth));

    expect(textOf(held)).toContain("held again in a few seconds");
    expect(textOf(again)).toContain("Somebody was faster");
  });
});

describe("a post of the forum", () => {
  it("is tagged with what became of its comment, and put away", async () => {
    const tagged = await until(
      () => posts().find(({ title, isArchived }) => isArchived && /Striped/u.test(title)),
      30,
    );
    expect(tagged.tags).toEqual(["Rejected"]);
    const stopping = await run("owner", "watch stop", { watch: channelCalled("review-forum") });
    expect(textOf(await click("owner", stopping, "End the watch"))).toContain("The watch is ended");
  });
});

describe("/watch stop", () => {
  it("asks, and ends the watch with its buttons", async () => {
    held("nobody decides this one");
    const [card] = await cardsOf("nobody decides this one");
    if (card === undefined) throw new Error("no card");

    const asked = await run("owner", "watch stop");
    const done = await click("owner", asked, "End the watch");
    const pressed = await click("moderator", card, "Approve");

    expect(textOf(asked)).toMatch(/\d+ comments wait in its queue/u);
    expect(textOf(done)).toContain("The watch is ended");
    expect(textOf(pressed)).toContain("not in the queue any more");
    expect(textOf(await run("owner", "watch status"))).toContain("Nothing is watched here yet");
  });
});

describe("without a linked channel", () => {
  it("says how to link one, before anything is set up", async () => {
    const asked = await run("owner", "connect disconnect", { what: "channel" });
    await click("owner", asked, "Disconnect");

    const refused = await run("owner", "watch channel", { channel: channelCalled("greenroom") });

    expect(textOf(refused)).toContain("/connect channel");
    expect(textOf(await run("owner", "watch status"))).toContain("Nothing is watched here yet");
  });
});
