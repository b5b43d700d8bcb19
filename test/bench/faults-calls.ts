import { BotError } from "../../src/errors.ts";
import type { VideoClient } from "../../src/video/index.ts";

/**
 * How a call ended: with an answer; with an error that says what was left behind (nothing, a part, unknown); or with a
 * bug.
 */
export type Ending = "answered" | "nothing" | "part" | "unknown" | "untyped";

type Kind = "read" | "set" | "make" | "remove";

/** One call that has ended. */
export interface Ended {
  readonly kind: Kind;
  readonly ending: Ending;
  /** What identifies the created or removed thing: its title, its text, or the video of an item. */
  readonly mark?: string;
  readonly error?: unknown;
}

/** The ids that the calls use. */
export interface Ground {
  readonly ownChannelId: string;
  /** Videos of the own channel that take comments. */
  readonly ownVideos: readonly string[];
  /** Videos to rate; each is also put into the playlist once. */
  readonly videos: readonly string[];
  readonly playlistId: string;
  readonly threadIds: readonly string[];
}

export interface Campaign {
  readonly calls: number;
  readonly atOnce: number;
  readonly random: () => number;
}

interface Planned {
  readonly kind: Kind;
  readonly mark?: string;
  readonly call: () => Promise<unknown>;
}

/** Calls in a seeded mix: half read, a fifth sets, a fifth makes something, a tenth deletes what was made before. */
export async function callMany(
  client: VideoClient,
  ground: Ground,
  { calls, atOnce, random }: Campaign,
): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  const deletable: { readonly id: string; readonly mark: string }[] = [];
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T; // never empty
  const plans = {
    read: reads(client, ground),
    set: sets(client, ground),
    make: makes(client, ground),
  };

  function plan(n: number): Planned {
    const draw = random();
    if (draw < 0.5) return { kind: "read", call: () => pick(plans.read)(pick) };
    if (draw < 0.7) return { kind: "set", call: () => plans.set(pick) };
    const gone = draw < 0.8 ? deletable.shift() : undefined;
    if (gone) {
      const call = () => client.call("playlists.delete", { id: gone.id });
      return { kind: "remove", mark: gone.mark, call };
    }
    return { kind: "make", ...plans.make(n, pick) };
  }

  async function run({ call, ...planned }: Planned): Promise<void> {
    try {
      const answer = await call();
      ended.push({ ...planned, ending: "answered" });
      if (planned.kind === "make" && planned.mark?.startsWith("playlist")) {
        deletable.push({ id: String((answer as { id?: string }).id), mark: planned.mark });
      }
    } catch (error) {
      const ending = error instanceof BotError ? error.outcome : "untyped";
      ended.push({ ...planned, ending, error });
    }
  }

  let started = 0;
  async function worker(): Promise<void> {
    while (started < calls) {
      started += 1;
      await run(plan(started));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
  return ended;
}

type Draw = <T>(values: readonly T[]) => T;

function reads(client: VideoClient, ground: Ground): readonly ((pick: Draw) => Promise<unknown>)[] {
  const { videos, ownVideos, playlistId } = ground;
  const part = ["snippet"] as const;
  return [
    (pick) => client.call("videos.list", { part, id: [pick(videos)] }),
    () => client.call("playlists.list", { part, mine: true, maxResults: 5 }),
    () => client.call("playlistItems.list", { part, playlistId }),
    (pick) => client.call("commentThreads.list", { part, videoId: pick(ownVideos) }),
  ];
}

function sets(client: VideoClient, { videos }: Ground): (pick: Draw) => Promise<unknown> {
  return (pick) => {
    const rating = pick(["like", "dislike", "none"] as const);
    return client.call("videos.rate", { id: pick(videos), rating });
  };
}

interface Making {
  readonly mark: string;
  readonly call: () => Promise<unknown>;
}

function makes(client: VideoClient, ground: Ground): (n: number, pick: Draw) => Making {
  const { ownChannelId: channelId, ownVideos, playlistId, threadIds } = ground;
  const fresh = [...ground.videos];
  const part = ["snippet"] as const;

  const kinds = {
    playlist: (title: string) => {
      const body = { snippet: { title }, status: { privacyStatus: "private" } } as const;
      return client.call("playlists.insert", { part: ["snippet", "status"], body });
    },
    thread: (textOriginal: string, pick: Draw) => {
      const topLevelComment = { snippet: { textOriginal } };
      const snippet = { channelId, videoId: pick(ownVideos), topLevelComment };
      return client.call("commentThreads.insert", { part, body: { snippet } });
    },
    reply: (textOriginal: string, pick: Draw) => {
      const snippet = { parentId: pick(threadIds), textOriginal };
      return client.call("comments.insert", { part, body: { snippet } });
    },
    item: (videoId: string) => {
      const snippet = { playlistId, resourceId: { kind: "youtube#video", videoId } } as const;
      return client.call("playlistItems.insert", { part, body: { snippet } });
    },
  };

  return (n, pick) => {
    const videoId = n % 4 === 0 ? fresh.shift() : undefined;
    if (videoId !== undefined) return { mark: videoId, call: () => kinds.item(videoId) };
    const kind = pick(["playlist", "thread", "reply"] as const);
    const mark = `${kind} ${n}`;
    return { mark, call: () => kinds[kind](mark, pick) };
  };
}
