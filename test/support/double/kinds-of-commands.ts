import { setTimeout as wait } from "node:timers/promises";
import type { APIMessage } from "discord-api-types/v10";
import type { OptionInput, PersonName } from "../../../src/sandbox/types.ts";
import type { SeenRequest } from "../../../src/sandbox/video/index.ts";
import { readCreditsLeft } from "../read-credits-left.ts";
import { asForm, asMessage, photo, textOf } from "../stage.ts";
import { watchInPublic } from "../watch-in-public.ts";
import type { DoubleStage } from "./stage.ts";

/** What one person did, and how often it has taken effect so far. */
export interface DoneCommand {
  readonly what: string;
  readonly effects: () => number | Promise<number>;
}

interface OwnVideos {
  readonly items: readonly { readonly contentDetails: { readonly videoId: string } }[];
}

/** Checking reads all messages, of which there are thousands. */
const lookEveryMs = 500;
const patienceMs = 60_000;
const mp4Header = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isomiso2", "latin1");

/** Does something for the nth time. */
export type DoCommand = (n: number) => Promise<DoneCommand>;

export interface CommandKind {
  /** How often it can be done: more would be refused, or take too long to prepare. */
  readonly most?: number;
  readonly act: DoCommand;
}

/** More would come as a digest. */
const mostCards = 40;
const mostRules = 45;
/** A day's quota allows only so many. */
const mostUploads = 90;

/** What people do: each kind has an effect that the stand-ins count. */
export async function prepareKinds(stage: DoubleStage, count: number) {
  const { platform, video, background, oauth, seen, query } = stage;
  const person = (name: PersonName) => platform.people(name);
  const picture = await photo("cat");

  const run = async (path: string, options: Readonly<Record<string, OptionInput>>) =>
    asMessage(await person("owner").command(path, options));

  /** Presses three times before the first press can have any visible effect. */
  async function pressThrice(name: PersonName, message: APIMessage, label: string): Promise<void> {
    const presses = [1, 2, 3].map(() => person(name).click(message, label));
    await Promise.allSettled(presses);
  }

  /** Counts requests of a method with this text in their address or body. */
  const requests = (method: string, text: string) => () =>
    seen.filter(
      (one) =>
        one.method === method &&
        (one.query.toString().includes(text) || JSON.stringify(one.resource).includes(`"${text}"`)),
    ).length;

  const done = (what: string, method: string, text: string): DoneCommand => ({
    what: `${method} of ${what}`,
    effects: requests(method, text),
  });

  async function asChannel<T>(path: string, body?: object): Promise<T> {
    const { accessToken } = oauth.mint({ channelId: video.ownChannelId });
    const response = await fetch(`${video.url}/${path}`, {
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    });
    return (await response.json()) as T;
  }

  const makePlaylist = async (title: string) =>
    (await asChannel<{ readonly id: string }>("playlists?part=snippet", { snippet: { title } })).id;

  const credits = () => readCreditsLeft(background);

  const messages = (name: PersonName, text: string) =>
    person(name)
      .messages()
      .filter((message) => textOf(message).includes(text));

  /** Held comments, each with its card. */
  async function postCards(amount: number) {
    const options = { states: "heldForReview", digest: 100 };
    await watchInPublic(person("owner"), { channel: platform.channelId, ...options });
    const held = Array.from({ length: amount }, (_, n) => {
      const text = `Held comment ${n} of many`;
      return { text, id: video.addComment({ text, status: "heldForReview" }).id };
    });
    await run("watch resume", { watch: platform.channelId });
    const haveCards = () => held.every(({ text }) => messages("moderator", text).length > 0);
    await until(haveCards);
    if (!haveCards()) throw new Error("held comments came without cards of their own");
    return held;
  }

  const playlist = await makePlaylist("Everything");
  const uploads = video.ownChannelId.replace(/^UC/u, "UU");
  const { items } = await asChannel<OwnVideos>(
    `playlistItems?part=contentDetails&maxResults=50&playlistId=${uploads}`,
  );
  const own = items.map(({ contentDetails }) => contentDetails.videoId);
  const first = video.addComment({ text: "a comment that is there already" });
  const { videoId } = first;
  const start = await credits();
  let wanted = 0;

  /** Waits for something that happens after the answer. */
  async function until(isThere: () => boolean): Promise<void> {
    for (const ends = performance.now() + patienceMs; performance.now() < ends; ) {
      if (isThere()) return;
      await wait(lookEveryMs);
    }
  }

  async function cutOut(): Promise<() => number> {
    wanted += 1;
    // Only the owner has no daily limit of credits.
    const owner = person("owner");
    const { id } = asMessage(await owner.command("background remove", { image: picture }));
    const shown = () => owner.messages().find((one) => one.id === id)?.attachments.length ?? 0;
    await until(() => shown() > 0);
    return shown;
  }

  await cutOut();
  const price = start - (await credits());

  const held = await postCards(Math.min(mostCards, Math.ceil(count / 12)));
  const kinds: readonly CommandKind[] = [
    {
      async act(n) {
        const title = `Playlist ${n}`;
        await run("playlists create", { title });
        return done(title, "playlists.insert", title);
      },
    },
    {
      async act(n) {
        const note = `Note ${n}`;
        await run("playlists add", { playlist, videos: videoId, note, again: true });
        return done(note, "playlistItems.insert", note);
      },
    },
    {
      async act(n) {
        const text = `Comment ${n}`;
        await run("comments post", { video: videoId, text });
        return done(text, "commentThreads.insert", text);
      },
    },
    {
      async act(n) {
        const text = `Comment of a form ${n}`;
        const form = asForm(await person("owner").command("comments post", { video: videoId }));
        await person("owner").submit(form, { text });
        return done(text, "commentThreads.insert", text);
      },
    },
    {
      async act(n) {
        const text = `Reply ${n}`;
        await run("comments reply", { comment: first.id, text });
        return done(text, "comments.insert", text);
      },
    },
    {
      async act(n) {
        const title = `Edited ${n}`;
        await run("videos edit", { video: own[n % own.length] ?? "", title });
        // Only the title itself: the body also contains the old title, as the localized one.
        const isIt = ({ method, resource }: SeenRequest) =>
          method === "videos.update" && Object(Object(resource).snippet).title === title;
        return { what: title, effects: () => seen.filter(isIt).length };
      },
    },
    {
      async act(n) {
        return { what: `picture ${n}`, effects: await cutOut() };
      },
    },
    {
      async act(n) {
        const id = await makePlaylist(`To be deleted ${n}`);
        const question = await run("playlists delete", { playlist: id });
        await pressThrice("owner", question, "Delete");
        return done(`playlist ${n}`, "playlists.delete", id);
      },
    },
    {
      most: mostUploads,
      async act(n) {
        const title = `Video ${n}`;
        const data = Buffer.concat([mp4Header, Buffer.alloc(20_000 + n)]);
        const clip = { name: "clip.mp4", type: "video/mp4", data };
        await run("videos upload", { video: clip, title, privacy: "private", kids: false });
        const effects = () => video.uploads.filter(({ size }) => size === data.length).length;
        return { what: `upload of ${title}`, effects };
      },
    },
    {
      async act(n) {
        const answer = await run("connect region", { region: n % 2 === 0 ? "DE" : "FR" });
        return {
          what: `region ${n}`,
          effects: () => Number(textOf(answer).includes("zone saved")),
        };
      },
    },
    {
      most: held.length,
      async act(n) {
        const { id, text } = held[n] as (typeof held)[number];
        const [card] = messages("moderator", text);
        await pressThrice("moderator", card as APIMessage, "Approve");
        const effects = requests("comments.setModerationStatus", id);
        await until(() => effects() > 0);
        return { what: `decision about ${text}`, effects };
      },
    },
    {
      most: mostRules,
      async act(n) {
        const name = `Rule ${n}`;
        const options = { kind: "words", name, does: "suggest_hold", what: `word${n}` };
        await pressThrice("owner", await run("rules add", options), "Switch on");
        const effects = async () => {
          const books = await query("select data from rule_books");
          return JSON.stringify(books).split(`\\"${name}\\"`).length - 1;
        };
        return { what: name, effects };
      },
    },
  ];
  return {
    kinds,
    /** Effects that nobody requested directly but that must happen once: cards, and pictures that are paid for. */
    async others() {
      const paid = Math.round((start - (await credits())) / price);
      const pictures = { what: `${wanted} pictures`, effects: () => 1 + paid - wanted };
      const cards = held.map(({ text }) => ({
        what: `card of ${text}`,
        effects: () => messages("moderator", text).length,
      }));
      return [pictures, ...cards];
    },
  };
}
