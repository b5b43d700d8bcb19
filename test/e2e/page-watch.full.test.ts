import type { BrowserContext, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AudienceComment } from "../../src/sandbox/video/index.ts";
import type { Comment, CommentThread } from "../../src/video/index.ts";
import { findChromium } from "../support/find-chromium.ts";
import { type BrowserShare, openBrowser, openTab } from "../support/page-visit.ts";
import { createWalk, readAsChannel, type Walk } from "../support/page-walk.ts";
import { offered, openStage, type Stage } from "../support/stage.ts";
import { words } from "../support/words.ts";

const patient = { timeout: 120_000 };
const { say } = words();

type Label = "approve" | "ban" | "choose" | "reject" | "reply" | "undo";
const label = (name: Label) => say(`watch.button.${name}`);

/** A person's view of the page. Finds the newest message with a text, wherever it is among other messages. */
interface Look extends Omit<Walk, "last" | "press" | "reads"> {
  message(text: string): Locator;
  /** Waits until the message also contains `more`. */
  says(text: string, more: string): Promise<string>;
  press(text: string, button: string): Promise<void>;
  /** The buttons of a message. */
  buttonsOf(text: string): Promise<readonly string[]>;
}

function look(walk: Walk): Look {
  const message = (text: string) =>
    walk.page.locator("[data-message-id]").filter({ hasText: text }).last();
  return {
    ...walk,
    message,
    says: (text, more) => message(text).filter({ hasText: more }).innerText(),
    press: (text, name) =>
      message(text).locator(".components").getByRole("button", { name, exact: true }).click(),
    buttonsOf: (text) => message(text).locator(".components").getByRole("button").allInnerTexts(),
  };
}

describe.skipIf(!findChromium())("held comments on the page (needs Chromium)", () => {
  let stage: Stage;
  let browser: BrowserShare;
  let context: BrowserContext;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([openStage(), openBrowser()]);
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await emptyQueue();
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  const read = <T>(path: string) => readAsChannel<T>(stage.sandbox, path);

  /** Rejects all comments that are waiting, so that only those of the tests come. */
  async function emptyQueue(): Promise<void> {
    const { oauth, video } = stage.sandbox;
    const { accessToken } = oauth.mint({ channelId: video.ownChannelId });
    const headers = { authorization: `Bearer ${accessToken}` };
    const all = `part=id&maxResults=50&allThreadsRelatedToChannelId=${video.ownChannelId}`;
    for (const status of ["heldForReview", "likelySpam"]) {
      const waiting = () => read<CommentThread>(`commentThreads?${all}&moderationStatus=${status}`);
      for (let threads = await waiting(); threads.length > 0; threads = await waiting()) {
        const ids = threads.map(({ id }) => id).join();
        const path = `comments/setModerationStatus?id=${ids}&moderationStatus=rejected`;
        await fetch(`${video.url}/${path}`, { method: "POST", headers });
      }
    }
  }

  /** Walks in a window of its own, in which no error may occur. */
  async function inWindow(walk: (at: Look) => Promise<void>): Promise<void> {
    const visitor = await openTab(context);
    await walk(look(createWalk(visitor.page, stage.sandbox.url)));
    await visitor.page.close();
    expect(visitor.faults).toEqual([]);
  }

  function write(text: string, more: Omit<AudienceComment, "text"> = {}): string {
    const { id } = stage.sandbox.video.addComment({ text, status: "heldForReview", ...more });
    return id;
  }

  /** The calls that decided about any of these comments, each with all its ids. */
  function callsFor(ids: readonly string[]) {
    return stage.videoRequests
      .filter(({ method }) => method === "comments.setModerationStatus")
      .map(({ query }) => ({
        kind: query.get("banAuthor") === "true" ? "ban" : query.get("moderationStatus"),
        ids: (query.get("id")?.split(",") ?? []).toSorted(),
      }))
      .filter((call) => ids.some((id) => call.ids.includes(id)));
  }

  /** The moderation status of these comments; YouTube shows nobody a rejected one. */
  async function standing(ids: readonly string[]): Promise<readonly (string | undefined)[]> {
    const all = await read<Comment>(`comments?part=snippet&id=${ids.join()}`);
    const of = (id: string) => all.find((one) => one.id === id)?.snippet?.moderationStatus;
    return ids.map(of);
  }

  /** The question asks about several watches if the other windows have set up theirs by then. */
  const keepBoth = ["is already being watched", "Keep"] as const;

  interface Watching {
    readonly channel: string;
    readonly states?: "heldForReview" | "likelySpam" | "published";
    /** Other options, as people type them. */
    readonly options?: Readonly<Record<string, string>>;
    readonly isChange?: boolean;
    /** The questions that come first: their titles, and the button to press. */
    readonly questions?: readonly (readonly [title: string, button: string])[];
  }

  async function watch(at: Look, watching: Watching) {
    const { channel, states, options = {}, isChange, questions = [] } = watching;
    await at.type("/watch channel ");
    await at.take(channel, new RegExp(channel, "u"));
    if (states !== undefined) {
      await at.add("states");
      const name = say(`choices.watch_states.${states}`);
      await at.take(name, new RegExp(`^\\s*${name}`, "u"));
    }
    for (const [name, value] of Object.entries(options)) {
      await at.add(name);
      await at.page.keyboard.type(value);
    }
    await at.run();
    for (const [title, name] of questions) {
      await at.message(title).getByRole("button", { name }).click();
    }
    await at.message(say(isChange === true ? "watch.set.changed" : "watch.set.title")).waitFor();
  }

  it("come as cards, which a moderator decides, answers and takes back", patient, () =>
    inWindow(async (at) => {
      const rude = write("Nobody asked you", { author: "Rude Rudy" });
      const approved = ["one", "two", "three"].map((one) => write(`Number ${one}`));
      const asked = write("Where is it from?");
      const doubted = write("Is that meant well?");
      await at.as("owner");
      await at.go("moderators");
      await watch(at, {
        channel: "moderators",
        states: "heldForReview",
        options: { digest: "20" },
      });
      await at.as("moderator");
      await at.go("moderators");

      await at.press("Nobody asked you", say("common.more"));
      await at.press(say("watch.more.title"), label("ban"));
      const question = await at.says(say("watch.ban.title"), "Rude Rudy");
      await at.press(say("watch.ban.title"), label("ban"));
      await at.message(say("watch.digest.decided", { kind: "ban", count: 1 })).waitFor();
      for (const one of ["one", "two", "three"]) await at.press(`Number ${one}`, label("approve"));
      await at.press("Where is it from?", label("reply"));
      const form = at.page.getByRole("dialog", { name: say("watch.reply.title") });
      await form.locator("textarea").fill("From a flea market.");
      await form.getByRole("button", { name: "Submit" }).click();
      await at.press(say("watch.reply.first_title"), say("watch.reply.first_button"));
      await at.press("Is that meant well?", label("reject"));
      const pending = await at.says("Is that meant well?", "Rejected by Kim");
      await at.press("Is that meant well?", label("undo"));
      await at.says("Is that meant well?", "Undone by");
      for (const one of ["one", "two", "three"])
        await expect.poll(() => at.buttonsOf(`Number ${one}`)).toEqual([]);
      await at.says("Nobody asked you", "author hidden");
      await at.says("Where is it from?", "replied");

      expect(question).toContain("Only you can see this");
      expect(pending).toMatch(/Rejected by Kim – sending in \d+ second/u);
      expect(await at.message("Number one").innerText()).toContain("Approved by Kim");
      expect(await at.buttonsOf("Number one")).toEqual([]);
      expect(await at.buttonsOf("Nobody asked you")).toEqual([say("watch.button.reason")]);
      expect(await at.buttonsOf("Is that meant well?")).toContain(label("approve"));
      const all = [rude, ...approved, asked, doubted];
      const calls = callsFor(all).toSorted((one, other) => one.ids.length - other.ids.length);
      expect(calls).toEqual([
        { kind: "ban", ids: [rude] },
        { kind: "published", ids: [...approved, asked].toSorted() },
      ]);
      const published = "published";
      expect(await standing(all)).toEqual([
        undefined,
        ...[published, published, published, published],
        "heldForReview",
      ]);
      const replies = await read<Comment>(`comments?part=snippet&parentId=${asked}`);
      expect(replies.map(({ snippet }) => snippet?.textDisplay)).toEqual(["From a flea market."]);
      expect(await standing([write("Me again", { author: "Rude Rudy" })])).toEqual([undefined]);
    }),
  );

  it.concurrent("come together when they are many, and go by choice or all at once", patient, () =>
    inWindow(async (at) => {
      const digests = { channel: "moderators", options: { digest: "3" }, isChange: true };
      await at.as("owner");
      await at.go("moderators");
      await watch(at, digests);
      const chosen = ["a", "b"].map((one) => write(`Letter ${one}`));
      const others = ["c", "d", "e"].map((one) => write(`Letter ${one}`));
      // Setting the watch up again polls at once.
      await watch(at, digests);
      const digest = at.page.locator("[data-message-id]").filter({ hasText: "Letter e" }).first();

      await digest.getByRole("button", { name: label("choose") }).click();
      await at.message(say("watch.digest.pick_text")).getByRole("combobox").first().click();
      for (const one of ["a", "b"]) {
        await at.page.getByRole("option", { name: `Letter ${one}` }).click();
      }
      await at.page.keyboard.press("Escape");
      const title = say("watch.digest.preview", { count: 2 });
      const preview = await at.says(title, "Letter a");
      await at.press(title, say("watch.digest.reject", { count: 2 }));
      await at.message(say("watch.digest.decided", { kind: "reject", count: 2 })).waitFor();
      await digest
        .getByRole("button", { name: say("watch.button.approve_all", { count: 3 }) })
        .click();
      const question = say("watch.digest.ask_approve", { count: 3 });
      const ofAll = await at.says(question, "Letter c");
      await at.press(question, say("watch.digest.approve", { count: 3 }));
      await digest.filter({ hasText: "❌" }).filter({ hasText: "✅" }).waitFor();
      await digest.filter({ hasNotText: "⏳" }).waitFor();

      expect(preview).not.toContain("Letter c");
      expect(ofAll).not.toContain("Letter a");
      expect(await digest.innerText()).toContain(say("watch.digest.done_title", { count: 5 }));
      expect(await digest.locator(".components").getByRole("button").count()).toBe(0);
      // The calls may include comments of other tests.
      expect(callsFor(chosen)).toEqual([
        { kind: "rejected", ids: expect.arrayContaining(chosen) as string[] },
      ]);
      expect(callsFor(others)).toEqual([
        { kind: "published", ids: expect.arrayContaining(others) as string[] },
      ]);
      expect(await standing(chosen)).toEqual([undefined, undefined]);
      expect(await standing(others)).toEqual(["published", "published", "published"]);
    }),
  );

  it.concurrent("come as posts of a forum, whose tags tell what became of them", patient, () =>
    inWindow(async (at) => {
      const status = "likelySpam";
      const spam = [write("Cheap fame", { status }), write("A free phone", { status })];
      const post = (title: string) => at.page.getByRole("button", { name: new RegExp(title, "u") });
      const back = at.page.getByRole("button", { name: "Back to review-forum" });
      await at.as("owner");
      await watch(at, { channel: "review-forum", states: "likelySpam", questions: [keepBoth] });
      await at.as("moderator");
      await at.go("review-forum");

      await post("Cheap fame").click();
      await at.press("Cheap fame", label("reject"));
      await at.says("Cheap fame", "");
      await back.click();
      const waiting = await post("A free phone").getAttribute("aria-label");
      await post("A free phone").click();
      await at.press("A free phone", label("approve"));
      await at.says("A free phone", "Approved by");
      const tags = at.page.getByRole("list", { name: "Tags" });
      await tags.filter({ hasText: say("watch.tag.approved") }).waitFor();
      await back.click();
      await post(`Cheap fame.*${say("watch.tag.rejected")}`).waitFor();

      expect(waiting).toContain(say("watch.tag.open"));
      expect(await standing(spam)).toEqual([undefined, "published"]);
      expect(spam.map((id) => callsFor([id]).length)).toEqual([1, 1]);
    }),
  );

  it.concurrent("are out of a member's hands", patient, () =>
    inWindow(async (at) => {
      const moderator = stage.sandbox.user("moderator");
      await at.as("owner");
      await watch(at, {
        channel: "greenroom",
        states: "published",
        options: { match: "wardrobe" },
        questions: [["Everyone can read", say("places.button")], keepBoth],
      });
      await at.as("member");
      const comment = write("Love that wardrobe", { status: "published" });
      const [found] = await offered(moderator, "watch resume", "watch", "greenroom");
      await moderator.command("watch resume", { watch: String(found?.value) });

      await at.press("Love that wardrobe", label("reject"));
      const refusals = at.page
        .locator("[data-message-id]")
        .filter({ hasText: say("failures.rank_too_low.title") });
      await refusals.first().waitFor();
      await at.press("Love that wardrobe", label("reply"));
      await refusals.nth(1).waitFor();

      for (const refusal of await refusals.allInnerTexts()) {
        expect(refusal).toContain("Only you can see this");
      }
      expect(await at.buttonsOf("Love that wardrobe")).toContain(label("reject"));
      expect(callsFor([comment])).toEqual([]);
      const channels = at.page.getByRole("navigation", { name: "Channels" }).getByRole("button");
      expect(await channels.allInnerTexts()).toEqual(["greenroom", "announcements"]);
    }),
  );
});
