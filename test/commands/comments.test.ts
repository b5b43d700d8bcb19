import { readFileSync } from "node:fs";
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import command from "../../commands/comments.ts";
import { billedToFor } from "../../src/features/context/spending.ts";
import { demandsOf } from "../support/demands-of.ts";
import { asMessage, fetchBytes, isEphemeral, textOf } from "../support/stage.ts";
import { buttonsOf, expectPrivate, expectText, useStage } from "../support/use-stage.ts";

const { stage, owner, moderator, member, units, hurried, asChannel, videoAnswers } = useStage();

/** A visitor's comment, on the creator's newest video unless `more` says otherwise. */
const visit = (text: string, more: object = {}) =>
  stage.sandbox.video.addComment({ text, ...more });

/** The comment's text as everyone can read it at YouTube's stand-in; undefined when it is not public. */
async function publicly(id: string): Promise<string | undefined> {
  const { url, key } = stage.sandbox.video;
  const query = `part=snippet&textFormat=plainText&id=${encodeURIComponent(id)}&key=${key}`;
  const answer = await fetch(`${url}/comments?${query}`);
  const { items } = (await answer.json()) as { items: { snippet: { textDisplay: string } }[] };
  return items[0]?.snippet.textDisplay;
}

/** The command's name and its options' names in that language. */
function pathIn(tag: string) {
  const path = `../../src/language/messages/${tag}/comments.json`;
  const { command } = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
  const { name, options } = command.list;
  const [about, search] = [options.about.name as string, options.search.name as string];
  return { name: command.name as string, list: { name, about, search } };
}

function linkTo({ id, videoId }: { readonly id: string; readonly videoId: string }): string {
  return `https://www.youtube.com/watch?v=${videoId}&lc=${id}`;
}

/** The id of the comment that a message's first link opens. */
function idIn(message: APIMessage): string {
  const [, id = ""] = /[?&]lc=([\w.-]+)/u.exec(JSON.stringify(message)) ?? [];
  return id;
}

/** The id of a comment that the creator's channel posted. */
async function written(text: string): Promise<string> {
  const { videoId } = visit("first");
  return idIn(await owner.run("comments post", { video: videoId, text }));
}

describe("/comments list", () => {
  it("shows a video's comments with who, when and how many replies, to everybody", async () => {
    const { id, videoId } = visit("what a lamp");
    visit("indeed", { parentId: id });

    const message = await member.run("comments list", { video: videoId });
    const text = textOf(message);

    expect(isEphemeral(message)).toBe(false);
    expectText(text, /Comments on “.+”/u, `[Posy Larkin](${linkTo({ id, videoId })})`);
    expectText(text, "what a lamp", /<t:\d+:R> · 1 reply/u);
    expect(text).not.toMatch(/^(?:Hold|Reject|Reply)$/mu);
  });

  it("shows those on all videos of the linked channel, with the video of each", async () => {
    const text = textOf(await member.run("comments list"));

    expect(text).toMatch(/Comments on videos of /u);
    expect(text.match(/ · on /gu)?.length).toBe(5);
  });

  it("takes one of video, channel and comment", async () => {
    const before = units();

    const message = await member.run("comments list", {
      channel: "@greenroomstudio",
      comment: "UgNoSuchCommentAtAll000000",
    });

    expect(textOf(message)).toContain("can’t be combined");
    expect(units()).toBe(before);
  });

  it("asks for those about the channel itself, and says why there are none", async () => {
    const { ownChannelId } = stage.sandbox.video;

    const message = await member.run("comments list", { channel: ownChannelId, about: "channel" });
    const asked = stage.videoRequests.findLast(({ method }) => method === "commentThreads.list");

    expect(asked?.query.get("channelId")).toBe(ownChannelId);
    expect(asked?.query.has("allThreadsRelatedToChannelId")).toBe(false);
    expectText(message, "Comments about ", "YouTube closed those in 2024");
  });

  it.each([
    ["en-US", "YouTube no longer has comments about a channel itself"],
    ["de", "YouTube hat keine Kommentare zu einem Kanal selbst mehr"],
    ["es-ES", "YouTube ya no tiene comentarios sobre el propio canal"],
    ["fr", "YouTube n’a plus de commentaires sur la chaîne elle-même"],
    ["ja", "YouTubeには、チャンネル自体へのコメントはもうありません"],
  ] as const)("explains it where the service refuses to list those (%s)", async (tag, words) => {
    videoAnswers(/commentThreads/u, { status: 400, reason: "processingFailure", times: 2 });
    const { name, list } = pathIn(tag);
    member.speak(tag);
    const message = await member.run(`${name} ${list.name}`, {
      [list.about]: "channel",
      // A different question for each language, because answers are cached.
      [list.search]: `words in ${tag}`,
    });

    expect(textOf(message)).toContain(words);
  });

  it("asks once more after a fault that passes by itself", async () => {
    videoAnswers(/commentThreads/u, { status: 400, reason: "processingFailure", times: 1 });
    const passed = await member.run("comments list", { search: "passes by itself" });
    videoAnswers(/commentThreads/u, { status: 400, reason: "processingFailure", times: 2 });
    const stayed = await member.run("comments list", { search: "does not pass" });

    expectText(passed, "No comment contains these words");
    expectText(stayed, "YouTube can’t read this right now", "Try again in a minute");
  });

  it("takes a subject beside a channel alone", async () => {
    const message = await member.run("comments list", { video: "dQw4w9WgXcQ", about: "channel" });

    expect(textOf(message)).toContain("can’t be combined");
  });

  it("finds words, and says when there are none", async () => {
    visit("a very particular walnut");

    const found = textOf(await member.run("comments list", { search: "walnut" }));
    const none = textOf(await member.run("comments list", { search: "xylophonical" }));

    expect(found).toContain("Only with: walnut");
    expect(found).toContain("a very particular walnut");
    expect(none).toContain("No comment contains these words");
  });

  it("shows single comments by their links", async () => {
    const one = visit("the one that is linked");

    const message = await member.run("comments list", { comment: linkTo(one) });

    expect(textOf(message)).toContain("the one that is linked");
  });

  it("never shows what is held", async () => {
    const { id, videoId } = visit("opening");
    visit("a held reply", { parentId: id, status: "heldForReview" });
    visit("a held comment", { videoId, status: "heldForReview" });

    const asMember = textOf(await member.run("comments list", { video: videoId }));
    const replies = textOf(await member.run("comments replies", { comment: id }));

    expect(asMember).not.toContain("a held comment");
    expect(replies).not.toContain("a held reply");
  });

  it("takes hostile text as text", async () => {
    const { id } = visit(
      "@everyone <@80351110224678912> [click](https://evil.example) **bold**\n# head \u202Eback\u202C",
      { author: "[Eve](https://evil.example) @here" },
    );

    const message = await member.run("comments list", { comment: id });
    const raw = JSON.stringify(message.components);

    expectText(raw, "\\\\@everyone", "\\\\[click\\\\]\\\\(https\\\\:", "\\\\*\\\\*bold");
    expect(raw).not.toContain("\u202e");
    expect(message.mentions).toEqual([]);
    expect(message.mention_everyone).toBe(false);
  });

  it("cuts long texts between letters and keeps the line below", async () => {
    const { id } = visit("👩‍👩‍👧‍👦".repeat(900));

    const message = await member.run("comments list", { comment: id });
    const [shown = ""] = /(?:👩‍👩‍👧‍👦)+…\n<t:\d+:R>/u.exec(textOf(message)) ?? [];

    expect(shown).not.toBe("");
    expect(shown.length).toBeLessThan(600);
  });

  it("comes whole as a file, hostile texts as cells", async () => {
    const { videoId } = visit('=HYPERLINK("https://evil.example")');

    const message = await member.run("comments list", { video: videoId, output: "csv" });
    const [file] = message.attachments;
    const csv = (await fetchBytes(file?.url ?? "")).toString();

    expect(file?.filename).toBe("comment-threads-list.csv");
    expect(csv).toContain(
      "id,videoId,author,authorChannelId,text,likes,publishedAt,updatedAt,state,url,replies",
    );
    expect(csv).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  });

  it("says of an author only that the account is gone", async () => {
    const text = textOf(await member.run("comments list", { search: "backwards" }));
    const all = textOf(await member.run("comments list"));

    expect(`${text}${all}`).toContain("Deleted account");
  });

  it("opens from a video's card for the person alone", async () => {
    const { videoId } = visit("seen from the card");
    const card = await member.run("videos show", { video: videoId });

    const message = await member.click(card, "Comments");

    expectPrivate(message, /Comments on “.+”/u);
  });

  it("names a video that is gone", async () => {
    const missing = await member.run("comments list", { video: "aaaaaaaaaaa" });

    expect(textOf(missing)).toContain("Video not found");
  });

  it.each([
    [
      "a playlist's link",
      "https://www.youtube.com/playlist?list=PLMyT8q7NwzK_6FIBwH3r9F9YQ1g4fvVHb",
    ],
    ["words", "my newest video, please 🎬"],
    ["right-to-left text", "مرحبا بالعالم"],
  ])("refuses %s for a video before a unit is spent", async (_, video) => {
    const before = units();

    const message = await member.run("comments list", { video });

    expect(isEphemeral(message)).toBe(true);
    expect(units()).toBe(before);
  });
});

describe("/comments replies", () => {
  it("shows all replies below the comment, also of a reply's link", async () => {
    const { id, videoId } = visit("who else is here?");
    const reply = visit("me!", { parentId: id });

    const ofComment = textOf(await member.run("comments replies", { comment: id }));
    const ofReply = textOf(
      await member.run("comments replies", { comment: linkTo({ id: reply.id, videoId }) }),
    );

    for (const text of [ofComment, ofReply]) {
      expectText(text, "Posy Larkin: who else is here?", "me!");
    }
  });

  it("opens from a list's button for the person alone", async () => {
    const { id } = visit("press me");
    visit("pressed", { parentId: id });
    const list = await owner.run("comments list", { comment: id });

    const replies = await member.click(list, "Replies");

    expectPrivate(replies, "pressed");
  });

  it("says so when the comment is gone", async () => {
    const { id } = visit("soon gone");
    stage.sandbox.video.withdrawComment(id);

    expectText(await member.run("comments replies", { comment: id }), "Comment not found");
  });
});

describe("/comments post", () => {
  it("writes as the channel and shows the comment with what can be done next", async () => {
    const { videoId } = visit("before");

    const message = await owner.run("comments post", { video: videoId, text: "Thanks all 🎉" });

    expectPrivate(message, "Comment posted", /Edit\nDelete/u);
    expect(await publicly(idIn(message))).toBe("Thanks all 🎉");
  });

  it("asks for the text in a form when none is given", async () => {
    const { videoId } = visit("before");
    const form = await owner.runForm("comments post", { video: videoId });

    const message = await owner.submit(form, { text: "From the form" });

    expect(await publicly(idIn(message))).toBe("From the form");
  });

  it("refuses nothing but spaces before a unit is spent", async () => {
    const { videoId } = visit("before");
    const form = await owner.runForm("comments post", { video: videoId });
    const before = units();

    const message = await owner.submit(form, { text: " \u00a0\n " });

    expect(textOf(message)).toMatch(/no text/iu);
    expect(units()).toBe(before);
  });

  it("refuses a comment where comments are off before it costs fifty units", async () => {
    const all = await asChannel<{ items: { id: string; statistics: object }[] }>(
      "/videos?part=statistics&chart=mostPopular&maxResults=50",
    );
    const closed = all.items.find(({ statistics }) => !("commentCount" in statistics));
    const before = units();

    const message = await owner.run("comments post", { video: closed?.id ?? "", text: "Hello" });

    expectText(message, "Comments are off there");
    expect(units() - before).toBe(2);
  });

  it("is for managers", async () => {
    const { videoId } = visit("before");

    const refusal = await moderator.run("comments post", { video: videoId, text: "hi" });

    expect(textOf(refusal)).toMatch(/You don’t have permission for this/u);
  });
});

describe("/comments reply", () => {
  it("lets moderators answer, and answers a reply in its thread", async () => {
    const { id } = visit("is this thing on?");
    const reply = visit("testing", { parentId: id });

    const message = await moderator.run("comments reply", { comment: reply.id, text: "It is." });
    const replies = textOf(await member.run("comments replies", { comment: id }));

    expect(textOf(message)).toContain("Reply posted");
    expect(replies).toContain("It is.");
  });

  it("opens a form from the button of a comment, addressed to its author", async () => {
    const { id } = visit("answer me", { author: "Quiet Quentin" });
    const list = await moderator.run("comments list", { comment: id });
    const form = await moderator.clickForm(list, "Reply");

    const message = await moderator.submit(form, { text: "Hello Quentin" });

    expect(form.title).toBe("Reply to Quiet Quentin");
    expect(JSON.stringify(form.components)).toContain("> answer me");
    expect(textOf(message)).toContain("Hello Quentin");
    expectText(await member.run("comments replies", { comment: id }), "Hello Quentin");
  });

  it("gives back what was typed when the comment to edit is gone", async () => {
    const { videoId } = visit("before it");
    const posted = await owner.run("comments post", { video: videoId, text: "first" });
    const form = await owner.clickForm(posted, "Edit");
    const question = await owner.click(posted, "Delete");
    await owner.click(question, "Delete");

    const refusal = await owner.submit(form, { text: "second thoughts, well said" });

    expectText(refusal, "What you typed**\n> second thoughts, well said");
  });

  it("opens a form with the comment where the text is missing", async () => {
    const { id } = visit("what a lamp", { author: "Lamp Fan" });

    const form = await moderator.runForm("comments reply", { comment: id });
    const message = await moderator.submit(form, { text: "It is from a flea market" });

    expect(form.title).toBe("Reply to Lamp Fan");
    expect(JSON.stringify(form.components)).toContain("> what a lamp");
    expect(textOf(message)).toContain("Reply posted");
  });

  it("is refused to members, from the same button", async () => {
    const { id } = visit("answer me");
    const list = await moderator.run("comments list", { comment: id });

    const refusal = await member.click(list, "Reply");

    expect(textOf(refusal)).toContain("You don’t have permission for this");
  });
});

describe("/comments edit", () => {
  it("changes an own comment to the text that is given", async () => {
    const id = await written("teh first try");

    const message = await owner.run("comments edit", { comment: id, text: "the second try" });

    expectText(message, "Comment edited", "the second try", "Before\nteh first try");
    expect(await publicly(id)).toBe("the second try");
  });

  it("opens the text as it stands in a form", async () => {
    const id = await written("to be **improved**\nlater");
    const open = () => owner.runForm("comments edit", { comment: id });
    const form = await open();

    const same = await owner.submit(form, {});
    const again = await open();
    await owner.submit(again, { text: "improved" });

    expect(JSON.stringify(form.components)).toContain("to be **improved**\\nlater");
    expect(textOf(same)).toContain("Nothing to change");
    expect(await publicly(id)).toBe("improved");
  });

  it("offers no form that would lose the end of a long text", async () => {
    const id = await written("long ".repeat(1000));

    const offer = await owner.run("comments edit", { comment: id });

    expect(textOf(offer)).toContain("5,000 characters, but a form holds only 4,000");
    expect(textOf(offer)).not.toMatch(/^Edit$/mu);
  });

  it("leaves other people's comments alone, for one unit", async () => {
    const { id } = visit("not yours");
    const before = units();

    const message = await owner.run("comments edit", { comment: id, text: "mine now" });

    expect(textOf(message)).toContain("someone else’s");
    expect(units() - before).toBe(1);
    expect(await publicly(id)).toBe("not yours");
  });
});

describe("/comments delete", () => {
  it("quotes what is lost, with its replies, and deletes when confirmed", async () => {
    const id = await written("delete me @everyone");
    visit("why?", { parentId: id });

    const question = await owner.run("comments delete", { comment: id });
    const done = await owner.click(question, "Delete");

    expectText(question, "delete me @everyone", "Its 1 reply is deleted too", /costs 50 units/u);
    expect(textOf(done)).toContain("Comment deleted");
    expect(await publicly(id)).toBeUndefined();
  });

  it("keeps it on Cancel", async () => {
    const id = await written("keep me");

    await owner.click(await owner.run("comments delete", { comment: id }), "Cancel");

    expect(await publicly(id)).toBe("keep me");
  });

  it("says what to do about somebody else's", async () => {
    const { id } = visit("not yours either");

    const message = await owner.run("comments delete", { comment: id });

    expect(textOf(message)).toContain("/comments moderate");
  });
});

describe("/comments moderate", () => {
  const held = (text: string) => visit(text, { status: "heldForReview" });

  it("approves and holds at once", async () => {
    const [one, two] = [held("let me in"), held("me too")];

    const approved = await moderator.run("comments moderate", {
      comments: `${one.id}, ${linkTo(two)}`,
      decision: "published",
    });
    const before = await publicly(one.id);
    await moderator.run("comments moderate", { comments: one.id, decision: "heldForReview" });

    expect(textOf(approved)).toContain("2 comments approved");
    expect(before).toBe("let me in");
    expect(await publicly(one.id)).toBeUndefined();
    expect(await publicly(two.id)).toBe("me too");
  });

  it("decides about one comment a few times a day, and then says when again", async () => {
    const one = held("back and forth");
    const texts: string[] = [];
    let before = units();
    for (let times = 0; times < 7; times += 1) {
      before = units();
      const decision = times % 2 === 0 ? "published" : "heldForReview";
      texts.push(textOf(await moderator.run("comments moderate", { comments: one.id, decision })));
    }
    const mixed = await moderator.run("comments moderate", {
      comments: `${one.id}, ${held("new here").id}`,
      decision: "published",
    });

    expect(
      texts.filter((text) => text.includes("reached its daily limit of decisions")),
    ).toHaveLength(1);
    expect(texts.at(-1)).toMatch(/6 times a day[\s\S]*Try again <t:\d+:R> \(<t:\d+:f>\)\./u);
    // Only the comment was read.
    expect(units() - before).toBeLessThan(60);
    expect(textOf(mixed)).toMatch(/1 of 2[\s\S]*You can decide again <t:\d+:R>/u);
  });

  it("asks before it rejects, with who and what", async () => {
    const one = visit("buy my walnuts", { author: "Nutty Nell" });

    const question = await moderator.run("comments moderate", {
      comments: one.id,
      decision: "rejected",
    });
    const before = await publicly(one.id);
    const done = await moderator.click(question, "Reject comment");

    expectText(question, /Nutty Nell: buy my walnuts/u, "can’t be published again");
    expect(before).toBe("buy my walnuts");
    expect(textOf(done)).toContain("Comment rejected");
    expect(await publicly(one.id)).toBeUndefined();
  });

  it("hides the author on request", async () => {
    const one = visit("spam one", { author: "Spammy Sam" });

    const question = await moderator.run("comments moderate", {
      comments: one.id,
      decision: "ban",
    });
    await moderator.click(question, "Reject and hide author");
    const later = visit("spam two", { author: "Spammy Sam" });

    expect(textOf(question)).toContain("Everything else that its author wrote");
    expect(await publicly(later.id)).toBeUndefined();
  });

  it("says for each what came of it", async () => {
    const open = held("fine");
    const done = visit("published already");
    const gone = held("withdrawn");
    stage.sandbox.video.withdrawComment(gone.id);
    const other = [...stage.sandbox.video.channels.keys()].find(
      (id) => id !== stage.sandbox.video.ownChannelId,
    );
    const elsewhere = await member.run("comments list", { channel: other ?? "" });

    const message = await moderator.run("comments moderate", {
      comments: [open.id, done.id, gone.id, idIn(elsewhere)].join(" "),
      decision: "published",
    });
    const text = textOf(message);

    expectText(text, "1 of 4 comments approved", /\*\*Approved\*\*\n• Posy Larkin: fine/u);
    expect(text).toMatch(/already approved it\*\*\n• Posy Larkin: published already/u);
    expect(text).toMatch(/No longer there.*\n• Comment no longer available/u);
    expect(text).toContain("Not on a video of the linked channel");
  });

  it("says what was refused and what is not certain", async () => {
    const one = held("refused");
    const decide = { comments: one.id, decision: "published" };
    videoAnswers(/setModerationStatus/u, { status: 403 });
    const refused = await moderator.run("comments moderate", decide);
    stage.sandbox.video.faults.clear();
    videoAnswers(/setModerationStatus/u, { status: 503 });

    const message = await hurried(() => moderator.run("comments moderate", decide));

    expect(textOf(refused)).toMatch(/Refused: .*\*\*\n• Posy Larkin: refused/u);
    expectText(message, "was not decided", "Outcome not known: ");
  });

  it("tells the second of two that somebody was faster", async () => {
    const { id } = visit("contested");
    const decide = { comments: id, decision: "heldForReview" };
    const list = await owner.run("comments list", { comment: id });

    await moderator.run("comments moderate", decide);
    const second = await owner.click(list, "Hold");

    expect(textOf(second)).toContain("It was already held");
  });

  it("asks nothing about comments that are not there", async () => {
    const message = await moderator.run("comments moderate", {
      comments: "UgNoSuchCommentAtAll000000",
      decision: "rejected",
    });

    expect(textOf(message)).toContain("Comment not found");
    expect(message.components).toEqual([]);
  });

  it("refuses 51 before a unit is spent", async () => {
    const before = units();
    const comments = Array.from({ length: 51 }, (_, at) => `UgNoSuchComment${100 + at}`).join(" ");

    const message = await moderator.run("comments moderate", { comments, decision: "published" });

    expect(textOf(message)).toContain("50");
    expect(units()).toBe(before);
  });

  it("may spend what the day keeps for moderation, as everything around held comments", async () => {
    const who = {
      guildId: "1",
      userId: "2",
      rank: "moderator",
      settings: {},
      command: "comments",
    } as const;
    const { held: subcommand, moderate } = command.subcommands ?? {};
    const actions = (command.actions ?? []).filter(({ name }) =>
      /^comments\.(?:held-\w+|decide|reject)$/u.test(name),
    );

    expect(actions).toHaveLength(7);
    for (const { method, uses } of [subcommand ?? {}, moderate ?? {}, ...actions].map(demandsOf)) {
      expect(billedToFor({ ...who, method, uses }).purpose).toBe("moderation");
    }
  });
});

describe("/comments held", () => {
  it("looks at no more than five empty pages after the first, and offers the next", async () => {
    let page = 0;
    stage.sandbox.video.faults.add({
      kind: "answer",
      method: "GET",
      path: /commentThreads/u,
      status: 200,
      times: 20,
      headers: { "content-type": "application/json" },
      body: () => {
        page += 1;
        return JSON.stringify({ items: [], nextPageToken: `${page}` });
      },
    });

    const message = await moderator.run("comments held");
    stage.sandbox.video.faults.clear();

    expect(page).toBe(6);
    expectText(message, "Nothing on this page");
    expect(buttonsOf(message)).toContain("Next");
  });

  const texts = ["first in the queue", "second in the queue", "third in the queue"];
  const label = (text: string) => `Posy Larkin: ${text}`;

  it("shows moderators what waits, privately, with nothing to press before something is chosen", async () => {
    visit("look at me", { status: "heldForReview" });

    const message = await moderator.run("comments held");

    expectPrivate(message, "Held comments", "look at me", "Held for review");
    expect(JSON.stringify(message.components)).toMatch(/"label":"Approve"[^}]*"disabled":true/u);
    expectText(await member.run("comments held"), "You don’t have permission for this");
  });

  it("approves several that were chosen and reports each", async () => {
    const ids = texts.map((text) => visit(text, { status: "heldForReview" }).id);
    const page = await moderator.run("comments held", { state: "heldForReview" });
    const chosen = await moderator.choose(page, [label(texts[0] ?? ""), label(texts[1] ?? "")]);

    const done = await moderator.click(chosen, "Approve");
    const next = await moderator.click(done, "Continue");

    expectText(chosen, "2 chosen", "Approve (2)");
    expect(textOf(done)).toContain("2 comments approved");
    expect(textOf(done).match(/\*\*Approved\*\*/gu)).toHaveLength(2);
    expect(await Promise.all(ids.map(publicly))).toEqual([texts[0], texts[1], undefined]);
    expect(textOf(next)).toContain(texts[2]);
    expect(textOf(next)).not.toContain(texts[0]);
  });

  it("asks before it rejects, in the same message, and goes back", async () => {
    const { id } = visit("reject me", { status: "heldForReview", author: "Rude Rudi" });
    const page = await moderator.run("comments held");
    const chosen = await moderator.choose(page, ["Rude Rudi: reject me"]);

    const question = await moderator.click(chosen, "Reject (1)");
    const back = await moderator.click(question, "Back");
    const done = await moderator.click(
      await moderator.click(await moderator.choose(back, ["Rude Rudi: reject me"]), "Reject (1)"),
      "Reject comment",
    );

    expect(question.id).toBe(page.id);
    expectText(question, "Reject 1 comment?", "can’t be published again");
    expect(textOf(question)).toMatch(/Rude Rudi[\s\S]*reject me/u);
    expect(textOf(done)).toContain("Comment rejected");
    expect(await publicly(id)).toBeUndefined();
  });

  it("finds a reply that waits below a published comment", async () => {
    const { id } = visit("a calm comment");
    visit("a heated reply", { parentId: id, status: "heldForReview" });

    const text = textOf(await moderator.run("comments held"));

    expectText(text, "a heated reply", "a reply");
    expect(text).not.toContain("a calm comment");
  });

  it("says where a reply waits that does not come with its thread", async () => {
    const { id, videoId } = visit("a long thread");
    const top = { id, snippet: { moderationStatus: "published", textDisplay: "a long thread" } };
    const thread = { id, snippet: { videoId, topLevelComment: top, totalReplyCount: 70 } };
    videoAnswers(/\/commentThreads/u, { status: 200, body: { items: [thread] }, times: 1 });

    const text = textOf(await moderator.run("comments held", { state: "heldForReview" }));

    expectText(text, "A deeper reply is held", `](https://www.youtube.com/watch?v=${videoId})`);
    expect(text).not.toContain("Choose comments");
  });

  it("turns pages for free, and reads again to refresh", async () => {
    for (let number = 0; number < 8; number += 1)
      visit(`waiting for a page ${number}`, { status: "heldForReview" });
    const first = await moderator.run("comments held", { state: "heldForReview" });
    const before = units();

    const second = await moderator.click(first, "Next");
    const turned = units();
    const again = await moderator.click(second, "Refresh");

    expect(turned - before).toBe(0);
    expectText(second, /\b0 units\b/u);
    expect(units() - turned).toBeGreaterThan(0);
    expectText(again, /\b2 units\b/u);
  });

  it("goes on to likely spam, and back", async () => {
    const spam = visit("FREE LAMPS", { status: "likelySpam" });
    let page = await moderator.run("comments held");
    for (let turns = 0; turns < 40 && !textOf(page).includes("Likely spam\n"); turns += 1) {
      page = await moderator.click(page, "Next");
    }
    const back = await moderator.click(page, "Previous");

    expect(textOf(page)).toContain("FREE LAMPS");
    expect(textOf(back)).toContain("Held comments");
    expect(await publicly(spam.id)).toBeUndefined();
  });

  it("tells the second of two moderators that somebody was faster", async () => {
    visit("two hands", { status: "heldForReview" });
    const mine = await moderator.run("comments held");
    const theirs = await owner.run("comments held");
    const chosen = await moderator.choose(mine, [label("two hands")]);
    const also = await owner.choose(theirs, [label("two hands")]);

    await moderator.click(chosen, "Approve");
    const before = units();
    const second = await owner.click(also, "Approve");

    expect(textOf(second)).toContain("Someone had already approved it");
    expect(units() - before).toBeLessThan(5);
  });

  it("lets two that press at the same time decide once", async () => {
    visit("four hands", { status: "heldForReview" });
    const mine = await moderator.run("comments held");
    const theirs = await owner.run("comments held");
    const chosen = await moderator.choose(mine, [label("four hands")]);
    const also = await owner.choose(theirs, [label("four hands")]);
    const before = units();

    const answers = await Promise.all([
      moderator.click(chosen, "Approve"),
      owner.click(also, "Approve"),
    ]);
    const texts = answers.map(textOf).sort();

    expect(texts.filter((text) => text.includes("Comment approved"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("Someone had already"))).toHaveLength(1);
    expect(units() - before).toBeLessThan(60);
  });

  it("chooses all of a page at once", async () => {
    const page = await moderator.run("comments held", { state: "likelySpam" });

    const all = await moderator.click(page, "Choose all");

    expect(textOf(all)).toMatch(/\d chosen/u);
    expect(JSON.stringify(all.components)).not.toContain('"disabled":true');
  });
});

describe("a second language", () => {
  it("is spoken by the command, its list and its buttons", async () => {
    const asModerator = moderator.person();
    const { videoId } = visit("auf Deutsch bitte");
    asModerator.speak("de");

    const list = asMessage(await asModerator.command("kommentare liste", { video: videoId }));
    const held = asMessage(await asModerator.command("kommentare zurückgehalten"));
    asModerator.speak("en-US");

    expectText(list, "Kommentare zu „", /^Antworten$/mu);
    expectText(held, "Zurückgehaltene Kommentare", /^Freigeben$/mu);
  });
});
