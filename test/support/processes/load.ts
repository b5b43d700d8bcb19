import { setTimeout as wait } from "node:timers/promises";
import type { APIMessage } from "discord-api-types/v10";
import type { SandboxFile } from "../../../src/sandbox/types.ts";
import { twoHalves } from "../removing.ts";
import { asMessage, textOf } from "../stage.ts";
import { watchInPublic } from "../watch-in-public.ts";
import { type Asked, followInteractions, saysFailure } from "./asked.ts";
import type { StandIns } from "./stand-ins.ts";

/** People who use the bot, and viewers whose comments are held. */
export type Load = Awaited<ReturnType<typeof prepareLoad>>;

interface LoadOptions {
  readonly standIns: StandIns;
  /** Commands per second. One comment is held for every `perSecond` commands. */
  readonly perSecond: number;
  /** Nothing new is begun while this many commands wait for an answer, as on a slow machine. No limit when absent. */
  readonly mostWaiting?: number;
}

/** Commands in order; a few take long and show progress. Few create playlists: a channel has at most 1,000. */
const turns = [
  ...["playlist", "list", "comment", "channel", "comment", "next", "comment", "list"],
  ...["comment", "channel", "comment", "next", "comment", "list", "comment", "channel"],
  ...["comment", "next", "comment", "list", "comment", "channel", "comment", "next", "picture"],
  ...["comment", "list", "comment", "channel", "comment", "next", "comment", "list"],
  ...["comment", "channel", "comment", "next", "comment", "list", "comment", "channel"],
  ...["comment", "next", "comment", "list", "comment", "channel", "comment", "next", "picture"],
] as const;
type Kind = (typeof turns)[number];

/** How long remove.bg's stand-in takes for a picture. */
const pictureMs = 2_500;
const tickMs = 10;

export async function prepareLoad(options: LoadOptions) {
  const { standIns, mostWaiting = Number.POSITIVE_INFINITY } = options;
  const { platform, video, background } = standIns;
  // Everyone but the owner has a daily budget.
  const owner = platform.people("owner");
  const asked = followInteractions(platform);
  const held = new Map<string, { readonly word: string; readonly at: number }>();
  const data = await twoHalves(160, 120);
  const image: SandboxFile = { name: "halves.png", type: "image/png", data };
  background.faults.add({ kind: "delay", delayMs: pictureMs, path: /removebg/u });
  // Held comments appear under the newest video; comments are posted under a second and listed under a third.
  const uploads = `UU${video.ownChannelId.slice(2)}`;
  const list = `playlistItems?part=contentDetails&maxResults=50&playlistId=${uploads}`;
  const videos = await standIns.readList<ListedVideo>(list);
  const [videoId = "", listedId = ""] = await commentable(standIns, videos);
  /** Cards that await a decision. */
  const cards: APIMessage[] = [];
  /** A message with pages, and the command or press that made it show its current page. */
  let listed: { readonly message: APIMessage; readonly asked: Asked } | undefined;
  let count = 0;
  let { perSecond } = options;
  let loading: Promise<void> | undefined;
  let isEnding = false;

  platform.onExchange(({ method, path, status, responseBody }) => {
    const isCard = method === "POST" && status < 300 && /^\/channels\/\d+\/messages$/u.test(path);
    const json = isCard ? JSON.stringify(responseBody) : "";
    // Comments held before the watch began come in one message, which is no card.
    if (/kestrel\d/u.test(json) && json.includes('"label":"Approve"'))
      cards.push(responseBody as APIMessage);
  });

  const acts: Readonly<Record<Kind, (mark: string, one: Asked) => Promise<unknown>>> = {
    playlist: (title) => owner.command("playlists create", { title }),
    comment: (text) => owner.command("comments post", { video: videoId, text }),
    list: async (_, one) => {
      const message = (await owner.command("comments list", { video: listedId })) as APIMessage;
      listed = { message, asked: one };
    },
    channel: () => owner.command("channels show", { channel: video.ownChannelId }),
    next: async (mark, one) => {
      const { message, asked: shown } = listed ?? {};
      const button = ["Next", "Previous"].find((label) => hasButton(shown, label));
      if (message === undefined || button === undefined) return acts.channel(mark, one);
      // Until the answer is there, it is unknown which page the message shows.
      listed = undefined;
      const pressed = await owner.click(message, button);
      listed = { message: pressed as APIMessage, asked: one };
    },
    picture: () => owner.command("background remove", { image }),
  };

  function act(): void {
    const kind = turns[count % turns.length] ?? "channel";
    const mark = `heron${String(count).padStart(6, "0")}`;
    count += 1;
    asked.ask({ kind, mark }, (one) => acts[kind](mark, one));
  }

  function hold(): void {
    const word = `kestrel${String(held.size).padStart(6, "0")}`;
    const author = `Visitor ${held.size % 40}`;
    const comment = { text: `${word} says something`, status: "heldForReview", author } as const;
    held.set(video.addComment(comment).id, { word, at: performance.now() });
    const card = cards.shift();
    if (card === undefined) return;
    const mark = /kestrel\d+/u.exec(JSON.stringify(card))?.[0] ?? "";
    asked.ask({ kind: "approve", mark }, () => owner.click(card, "Approve"));
  }

  /** Approvals don't count: they wait for seconds, because they can be undone. */
  const mayAct = () =>
    asked.waiting().filter(({ kind }) => kind !== "approve").length < mostWaiting;

  async function load(): Promise<void> {
    for (let next = performance.now(); !isEnding; await wait(tickMs)) {
      for (; next < performance.now(); next += 1_000 / perSecond) {
        if (!mayAct()) continue;
        if (count % perSecond === 0) hold();
        act();
      }
    }
  }

  return {
    asked,
    /** Held comments by id: the word in each, and when it was written. */
    held,
    /** The video under which comments are posted. */
    videoId,
    /** Makes the bot watch the channel's comments. */
    async prepare() {
      const channel = platform.channelId;
      const setUp = [
        await watchInPublic(owner, { channel, digest: 100 }),
        await owner.command("watch pace", { pace: "10s" }),
      ];
      const texts = setUp.map((answer) => textOf(asMessage(answer)));
      if (texts.some(saysFailure)) throw new Error(`no watch was set up: ${texts.join("; ")}`);
    },
    begin() {
      loading = load();
    },
    /** Changes the number of commands per second. */
    setRate(rate: number) {
      perSecond = rate;
    },
    /** Nothing new is begun from now on. */
    async end() {
      isEnding = true;
      await loading;
    },
  };
}

interface ListedVideo {
  readonly contentDetails: { readonly videoId: string };
}

/** The channel's videos that take comments, without the first one. */
async function commentable(
  { video }: StandIns,
  videos: readonly ListedVideo[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { contentDetails } of videos) {
    try {
      video.addComment({ text: "Nice", videoId: contentDetails.videoId });
      found.push(contentDetails.videoId);
    } catch {
      // This video takes no comments.
    }
  }
  return found.slice(1);
}

/** Whether the answer is there and has the button enabled. */
function hasButton({ answeredAt, body }: Partial<Asked> = {}, label: string): boolean {
  if (answeredAt === undefined) return false;
  return new RegExp(`"label":"${label}"(?![^{}]*"disabled":true)`, "u").test(body ?? "");
}
