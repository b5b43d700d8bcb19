import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OptionInput, PersonName } from "../../src/sandbox/types.ts";
import { deployments } from "../support/deployments.ts";
import { readAsChannel } from "../support/page-walk.ts";
import { readCreditsLeft } from "../support/read-credits-left.ts";
import {
  asForm,
  asMessage,
  isEphemeral,
  openStage,
  photo,
  type Stage,
  textOf,
} from "../support/stage.ts";
import { watchInPublic } from "../support/watch-in-public.ts";

/** What people do and see must not depend on how interactions arrive, nor on how many processes answer them. */

interface PlaylistEntry {
  readonly contentDetails: { readonly videoId: string };
}
interface ListedComment {
  readonly snippet: { readonly moderationStatus?: string };
}
interface CommentThread {
  readonly snippet: { readonly topLevelComment: ListedComment };
  readonly replies?: { readonly comments: readonly ListedComment[] };
}
interface NamedPlaylist {
  readonly id: string;
  readonly snippet: { readonly title: string };
}

describe.each(deployments.map((each) => [each.name, each] as const))(
  "deployed as %s",
  (_, deployment) => {
    let stage: Stage;

    beforeAll(async () => {
      stage = await openStage({ deployment });
    });

    afterAll(async () => {
      const violations = await stage.violations();
      await stage.close();
      expect(violations).toEqual([]);
    });

    const person = (name: PersonName) => stage.sandbox.user(name);
    const run = async (
      name: PersonName,
      path: string,
      options: Readonly<Record<string, OptionInput>> = {},
    ) => asMessage(await person(name).command(path, options));
    const click = async (name: PersonName, message: APIMessage, label: string) =>
      asMessage(await person(name).click(message, label));

    /** How many comments on the creator's channel are held for review, replies included. */
    async function countHeld(): Promise<number> {
      const { ownChannelId } = stage.sandbox.video;
      const path = `commentThreads?part=snippet,replies&maxResults=100&moderationStatus=heldForReview&allThreadsRelatedToChannelId=${ownChannelId}`;
      const threads = await readAsChannel<CommentThread>(stage.sandbox, path);
      const all = threads.flatMap(({ snippet, replies }) => [
        snippet.topLevelComment,
        ...(replies?.comments ?? []),
      ]);
      return all.filter(({ snippet }) => snippet.moderationStatus === "heldForReview").length;
    }

    /** How many requests of one method YouTube's stand-in has received so far. */
    const requests = (method: string) =>
      stage.videoRequests.filter((seen) => seen.method === method).length;

    async function playlistsCalled(title: string): Promise<readonly NamedPlaylist[]> {
      const path = "playlists?mine=true&maxResults=50&part=snippet";
      const all = await readAsChannel<NamedPlaylist>(stage.sandbox, path);
      return all.filter(({ snippet }) => snippet.title === title);
    }

    async function videosIn(playlistId: string): Promise<readonly string[]> {
      const path = `playlistItems?part=contentDetails&maxResults=50&playlistId=${playlistId}`;
      const entries = await readAsChannel<PlaylistEntry>(stage.sandbox, path);
      return entries.map(({ contentDetails }) => contentDetails.videoId);
    }

    const ownVideos = () => videosIn(stage.sandbox.video.ownChannelId.replace(/^UC/u, "UU"));

    const credits = () => readCreditsLeft(stage.sandbox.background);

    it("has every process at the gateway, or none", () => {
      const { transport, processes } = deployment;
      const sessions = stage.sandbox.platform.gateway.intents();

      expect(sessions).toHaveLength(transport === "gateway" ? processes : 0);
      expect(stage.sandbox.health.urls).toHaveLength(processes);
    });

    it("takes webhook events where interactions are posted", async () => {
      const isTaken = await stage.sandbox.platform.deauthorize("member");

      expect(isTaken).toBe(deployment.transport === "http");
    });

    it("greets a server that adds the bot, once, where events arrive", async () => {
      const { platform } = stage.sandbox;
      const greetings = () =>
        person("member")
          .messages()
          .filter((message) => textOf(message).includes("Thanks for adding Greenroom"));
      const count = deployment.transport === "http" ? 1 : 0;

      const taken = [await platform.authorize("owner"), await platform.authorize("owner")];
      await expect.poll(() => greetings().length).toBe(count);
      const begun = await Promise.all(
        greetings().map((greeting) => click("member", greeting, "Get started")),
      );

      expect(taken).toEqual([count === 1, count === 1]);
      expect(begun.every(isEphemeral)).toBe(true);
      expect(begun.map(textOf).join()).toContain(count === 1 ? "Welcome to Greenroom" : "");
    });

    it("searches, and turns the page without another search, whichever process answers", async () => {
      const before = requests("search.list");

      const first = await run("member", "search", { query: "camera" });
      const second = await click("member", first, "Next");

      expect(textOf(first)).toContain("Page 1");
      expect(textOf(second)).toContain("Page 2");
      expect(second.id).toBe(first.id);
      expect(requests("search.list") - before).toBe(1);
    });

    it("suggests while an option is typed", async () => {
      // A suggestion that takes too long for one keystroke is ready for the next.
      await expect
        .poll(() => person("owner").suggest("playlists list", "channel", "studio"))
        .not.toEqual([]);
    });

    it("creates one playlist, and adds each video once after the question", async () => {
      const title = "Once, however many listen";
      const videos = (await ownVideos()).slice(0, 6);

      await run("owner", "playlists create", { title });
      const [made, ...others] = await playlistsCalled(title);
      const options = { playlist: made?.id ?? "", videos: videos.join(" ") };
      const question = await run("owner", "playlists add", options);
      const done = await click("owner", question, "Add 6 videos");

      expect(others).toEqual([]);
      expect(textOf(done)).toContain("6 videos added");
      expect(await videosIn(made?.id ?? "")).toEqual(videos);
    });

    it("deletes nothing on Cancel, and deletes once", async () => {
      const [made] = await playlistsCalled("Once, however many listen");
      const before = requests("playlists.delete");
      const ask = () => run("owner", "playlists delete", { playlist: made?.id ?? "" });

      await click("owner", await ask(), "Cancel");
      const kept = await playlistsCalled("Once, however many listen");
      await click("owner", await ask(), "Delete");

      expect(kept).toHaveLength(1);
      expect(await playlistsCalled("Once, however many listen")).toEqual([]);
      expect(requests("playlists.delete") - before).toBe(1);
    });

    it("approves what was chosen in a select, once", async () => {
      const text = "held until somebody looks";
      const { id } = stage.sandbox.video.addComment({ text, status: "heldForReview" });
      const before = requests("comments.setModerationStatus");
      const page = await run("moderator", "comments held", { state: "heldForReview" });
      const label = selectLabel(page, text);

      const chosen = asMessage(await person("moderator").choose(page, [label]));
      const done = await click("moderator", chosen, "Approve");

      expect(textOf(done)).toContain("Approved");
      expect(requests("comments.setModerationStatus") - before).toBe(1);
      expect(await isPublic(stage, id)).toBe(true);
    });

    it("posts one card for a held comment, and sends one decision", async () => {
      const { channelId } = stage.sandbox.platform;
      const text = "a card wherever it is drawn";
      const shown = (wanted: RegExp) =>
        person("owner")
          .messages()
          .filter((message) => wanted.test(textOf(message)));
      const cards = () => shown(new RegExp(`${text}[\\s\\S]*(?:More|Open)`, "u"));
      await watchInPublic(person("owner"), { channel: channelId, states: "heldForReview" });
      const held = await countHeld();
      // Comments that were held before come as digests, as fast as Discord accepts messages.
      const announced = () =>
        shown(/Approve all/u).reduce((sum, digest) => sum + Number.parseInt(textOf(digest), 10), 0);
      await expect.poll(announced).toBe(held);
      const { id } = stage.sandbox.video.addComment({ text, status: "heldForReview" });
      await run("owner", "watch resume", { watch: channelId });
      await expect.poll(() => cards().length, { timeout: 60_000 }).toBe(1);
      const [card] = cards();
      const before = requests("comments.setModerationStatus");

      const refused = await click("member", card as APIMessage, "Approve");
      await click("moderator", card as APIMessage, "Approve");

      await expect.poll(() => isPublic(stage, id), { timeout: 60_000 }).toBe(true);
      expect(textOf(refused)).toContain("Only moderators can do this");
      expect(requests("comments.setModerationStatus") - before).toBe(1);
      expect(cards()).toHaveLength(1);
      expect(announced()).toBe(held);
    });

    it("takes one form and posts one comment", async () => {
      const { videoId } = stage.sandbox.video.addComment({ text: "before" });
      const before = requests("commentThreads.insert");
      const form = asForm(await person("owner").command("comments post", { video: videoId }));

      const posted = asMessage(await person("owner").submit(form, { text: "From one form" }));

      expect(textOf(posted)).toContain("Comment posted");
      expect(requests("commentThreads.insert") - before).toBe(1);
    });

    it("refuses a member where moderators alone may", async () => {
      expect(textOf(await run("member", "comments held"))).toContain(
        "You don’t have permission for this",
      );
    });

    it("cuts out one picture, and the other of a menu, for one price each", async () => {
      const cat = await photo("cat");
      const before = await credits();
      const message = await person("member").say("", [await photo("coffee")]);

      const first = await run("member", "background remove", { image: cat });
      const between = await credits();
      const second = asMessage(await person("member").menu("Remove background", message));

      expect(first.attachments.map(({ filename }) => filename)).toEqual(["cat-cutout.png"]);
      expect(second.attachments.map(({ filename }) => filename)).toEqual(["coffee-cutout.png"]);
      expect(before - between).toBeCloseTo(between - (await credits()));
      expect(before - between).toBeGreaterThan(0);
      expect(before - between).toBeLessThanOrEqual(1);
    });

    it("stops what is under way when its author cancels", async () => {
      const pictures = await Promise.all([photo("cat"), photo("coffee")]);
      stage.sandbox.background.faults.add({ kind: "delay", delayMs: 30_000, path: /removebg/u });
      const message = await person("owner").say("", pictures);
      const running = person("member").menu("Remove background", message);
      const shown = () => person("member").messages().at(-1);
      const text = () => textOf(shown() as APIMessage);
      await expect.poll(text, { timeout: 60_000 }).toMatch(/0 of 2 pictures[\s\S]*Cancel/u);

      await person("member").click(shown() as APIMessage, "Cancel");
      const answer = asMessage(await running);
      stage.sandbox.background.faults.clear();

      expect(textOf(answer)).toContain("Cancelled");
    });
  },
);

/** The label of the page's select option that contains this text. */
function selectLabel(page: APIMessage, text: string): string {
  const labels = [...JSON.stringify(page.components).matchAll(/"label":"([^"]+)"/gu)];
  return labels.map(([, label = ""]) => label).find((label) => label.includes(text)) ?? "";
}

/** Whether everyone can read the comment. */
async function isPublic({ sandbox }: Stage, id: string): Promise<boolean> {
  const { url, key } = sandbox.video;
  const path = `comments?part=snippet&id=${encodeURIComponent(id)}&key=${key}`;
  const { items } = (await (await fetch(`${url}/${path}`)).json()) as {
    readonly items: readonly unknown[];
  };
  return items.length > 0;
}
