import { randomBytes } from "node:crypto";
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import type { OptionInput } from "../../src/sandbox/types.ts";
import { film, flat, srt } from "../commands/files.ts";
import { textOf } from "../support/stage.ts";
import { useStage } from "../support/use-stage.ts";

const { stage, owner, units } = useStage();
const { run, click, choose, submit, clickForm } = owner;

type Options = Readonly<Record<string, OptionInput>>;

/** The first suggestion for an option. */
async function first(path: string, option: string, typed = "", others: Options = {}) {
  const [choice] = await owner.offered(path, option, typed, others);
  return String(choice?.value);
}

async function ownVideos(count: number): Promise<readonly string[]> {
  const found = await owner.offered("branding thumbnail", "video", "");
  return found.slice(0, count).map(({ value }) => String(value));
}

const held = (text: string) => stage.sandbox.video.addComment({ text, status: "heldForReview" });

async function withCaptions(): Promise<{ readonly video: string; readonly captions: string }> {
  const [video = ""] = await ownVideos(1);
  const others = { video };
  return { video, captions: await first("captions delete", "captions", "", others) };
}

interface Asked {
  readonly question: APIMessage;
  readonly yes: string;
}

const priced: readonly (readonly [name: string, ask: () => Promise<Asked>])[] = [
  [
    "an upload with captions and a thumbnail",
    async () => ({
      question: await run("videos upload", {
        video: film(),
        title: "Whole",
        thumbnail: await flat(1280, 720),
        captions: srt,
        captions_language: "de",
      }),
      yes: "Upload",
    }),
  ],
  [
    "a banner",
    async () => ({
      question: await run("branding banner", { picture: await flat(2560, 1440) }),
      yes: "Set banner",
    }),
  ],
  [
    "a thumbnail",
    async () => {
      const [video = ""] = await ownVideos(1);
      const options = { video, picture: await flat(1200, 1200) };
      return { question: await run("branding thumbnail", options), yes: "Set thumbnail" };
    },
  ],
  [
    "the end of a watermark",
    async () => ({ question: await run("branding remove-watermark"), yes: "Remove watermark" }),
  ],
  [
    "new captions",
    async () => {
      const [video = ""] = await ownVideos(1);
      const options = { video, language: "pt", file: srt };
      return { question: await run("captions upload", options), yes: "Add" };
    },
  ],
  [
    "changed captions",
    async () => {
      const wanted = { ...(await withCaptions()), draft: true };
      return { question: await run("captions update", wanted), yes: "Change" };
    },
  ],
  [
    "captions in every format",
    async () => {
      const { video } = await withCaptions();
      const options = { video, format: "all" };
      return { question: await run("captions download", options), yes: "Download" };
    },
  ],
  [
    "the end of captions",
    async () => ({ question: await run("captions delete", await withCaptions()), yes: "Delete" }),
  ],
  [
    "many videos for a playlist",
    async () => {
      const playlist = await newPlaylist();
      const videos = await ownVideos(5);
      const options = { playlist, videos: videos.join(" ") };
      return { question: await run("playlists add", options), yes: "Add 5 videos" };
    },
  ],
  [
    "entries of a playlist",
    async () => {
      const playlist = await newPlaylist();
      const videos = await ownVideos(2);
      await run("playlists add", { playlist, videos: videos.join(" ") });
      const options = { playlist, items: videos.join(", ") };
      return { question: await run("playlists remove", options), yes: "Remove 2 entries" };
    },
  ],
  [
    "the end of a playlist",
    async () => ({
      question: await run("playlists delete", { playlist: await newPlaylist() }),
      yes: "Delete playlist",
    }),
  ],
  [
    "the end of a subscription",
    async () => {
      const channel = await first("subscriptions remove", "channel");
      return { question: await run("subscriptions remove", { channel }), yes: "Unsubscribe" };
    },
  ],
  [
    "the end of a section",
    async () => {
      const section = await first("channels edit-section", "section", "Series");
      return { question: await run("channels delete-section", { section }), yes: "Delete" };
    },
  ],
  [
    "the end of a comment",
    async () => {
      const [video = ""] = await ownVideos(1);
      const posted = await run("comments post", { video, text: "mine" });
      const [, comment = ""] = /[?&]lc=([\w.-]+)/u.exec(JSON.stringify(posted)) ?? [];
      return { question: await run("comments delete", { comment }), yes: "Delete" };
    },
  ],
  [
    "a comment that is rejected",
    async () => {
      const { id } = held("buy my walnuts");
      const options = { comments: id, decision: "rejected" };
      return { question: await run("comments moderate", options), yes: "Reject comment" };
    },
  ],
  [
    "many comments that are rejected",
    async () => {
      const ids = [held("one"), held("two"), held("three")].map(({ id }) => id);
      const options = { comments: ids.join(", "), decision: "rejected" };
      return { question: await run("comments moderate", options), yes: "Reject all 3" };
    },
  ],
  [
    "a held comment that is rejected from its page",
    async () => {
      held("reject me");
      const page = await run("comments held");
      const all = await click(page, "Choose all");
      const label = /Reject \(\d+\)/u.exec(textOf(all))?.[0] ?? "Reject";
      const question = await click(all, label);
      const yes = /Reject (?:it|all \d+)(?=\n|$)/u.exec(textOf(question))?.[0] ?? "Reject comment";
      return { question, yes };
    },
  ],
  [
    "a report",
    async () => {
      const { url, key } = stage.sandbox.video;
      const query = `part=id&chart=mostPopular&regionCode=US&key=${key}`;
      const popular = (await (await fetch(`${url}/videos?${query}`)).json()) as {
        readonly items: readonly { readonly id: string }[];
      };
      const reason = await run("videos report", { video: popular.items[0]?.id ?? "" });
      const detail = await choose(reason, ["V"]);
      const values = /"value":"([^"]+)"/u.exec(JSON.stringify(detail.components));
      const chosen = await choose(detail, [values?.[1] ?? ""]);
      const form = await clickForm(chosen, "Add details");
      const question = await submit(form, { comments: "At 1:20" });
      return { question, yes: "Send the report" };
    },
  ],
  [
    "the end of a video",
    async () => {
      const video = (await ownVideos(9)).at(-1) ?? "";
      return { question: await run("videos delete", { video }), yes: "Delete permanently" };
    },
  ],
];

async function newPlaylist(): Promise<string> {
  const made = await run("playlists create", { title: `Priced ${randomBytes(4).toString("hex")}` });
  return /list=([\w-]+)/u.exec(JSON.stringify(made))?.[1] ?? "";
}

describe("a question with a price", () => {
  it.each(priced)("announces for %s what is charged", async (_, ask) => {
    const { question, yes } = await ask();
    expect(textOf(question)).toMatch(/costs|in total/u);
    const [, alone, total] = /costs ([\d,]+) units|([\d,]+) in total/u.exec(textOf(question)) ?? [];
    const said = (alone ?? total)?.replaceAll(",", "");
    const before = units();

    const done = await click(question, yes);

    expect({ said: Number(said), done: textOf(done) }).toMatchObject({ said: units() - before });
  });
});
