import { createHttp } from "../../src/http/index.ts";
import { createVideoClient, type VideoClient } from "../../src/video/index.ts";
import { seed, seeded } from "../support/random.ts";
import { callMany, type Ended, type Ground } from "./faults-calls.ts";
import type { FaultsReport } from "./faults-service.ts";
import { hurry } from "./haste.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { startService } from "./service.ts";

export const rows: BenchRows = {
  "client.faults": () => faultRows("client.faults", { calls: 10_000, seed }),
};

const atOnce = 24;
const haste = 20;
/**
 * Three tenths of all requests fail, so a call that repeats until it is answered takes 1 / 0.7 of them; checks whether
 * something lost was created come on top. Twice the calls is more than both, and far from a retry storm.
 */
const goalRequests = 2;
/**
 * An insert stays undecided when both of its tries fail before the work is done (0.15 x 0.15), or when every check of
 * whether it happened fails too: about a fortieth, and up to twice that can be chance.
 */
const goalUndecided = 0.05;

interface Attempt {
  readonly calls: number;
  readonly seed: number;
}

/** Makes many calls to a stand-in that fails three tenths of all requests, then looks at what they left behind. */
export async function faultRows(name: string, { calls, seed }: Attempt): Promise<BenchRow[]> {
  const service = await startService("faults-service", String(seed));
  const random = seeded(seed);
  const http = createHttp({ random, ...hurry(haste) });
  try {
    const token = "bench-token";
    const before = await service.ask<FaultsReport>("report");
    const direct = createVideoClient({ baseUrl: before.directUrl, token, http });
    const client = createVideoClient({ baseUrl: service.url, token, http });
    const ground = await prepare(direct, before.ownChannelId);
    const ended = await callMany(client, ground, { calls, atOnce, random });
    const { requests } = await service.ask<FaultsReport>("report");
    const counts = await lookAround(direct, ground);
    return toRows(name, { ended, requests, counts, seed });
  } finally {
    await http.close();
    await service.stop();
  }
}

const part = ["snippet"] as const;

async function prepare(client: VideoClient, ownChannelId: string): Promise<Ground> {
  const chart = await client.call("videos.list", { part, chart: "mostPopular", maxResults: 50 });
  const own = await ownVideos(client, ownChannelId);
  const title = "Items of the bench";
  const playlist = await client.call("playlists.insert", { part, body: { snippet: { title } } });
  const threadIds: string[] = [];
  for (const videoId of own) {
    const topLevelComment = { snippet: { textOriginal: `Answers under ${videoId}` } };
    const snippet = { channelId: ownChannelId, videoId, topLevelComment };
    const thread = await client.call("commentThreads.insert", { part, body: { snippet } });
    threadIds.push(String(thread.id));
  }
  return {
    ownChannelId,
    ownVideos: own,
    videos: chart.items.map(({ id }) => String(id)),
    playlistId: String(playlist.id),
    threadIds,
  };
}

async function ownVideos(client: VideoClient, id: string): Promise<string[]> {
  const { items } = await client.call("channels.list", { part: ["contentDetails"], id: [id] });
  const playlistId = String(items[0]?.contentDetails?.relatedPlaylists?.uploads);
  const uploads = await client.call("playlistItems.list", {
    part: ["contentDetails"],
    playlistId,
    maxResults: 50,
  });
  const ids = uploads.items.map(({ contentDetails }) => String(contentDetails?.videoId));
  const videos = await client.call("videos.list", { part: ["statistics"], id: ids });
  const open = videos.items.filter(({ statistics }) => statistics?.commentCount !== undefined);
  return open.map((video) => String(video.id));
}

/** How often each mark exists. */
async function lookAround(client: VideoClient, ground: Ground): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const note = (mark: string | undefined) => {
    if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  };
  const mine = { part, mine: true, maxResults: 50 } as const;
  for await (const { items } of client.pages("playlists.list", mine, { maxPages: 1_000 })) {
    for (const { snippet } of items) note(snippet?.title);
  }
  const listed = { part, playlistId: ground.playlistId, maxResults: 50 } as const;
  for await (const { items } of client.pages("playlistItems.list", listed)) {
    for (const { snippet } of items) note(snippet?.resourceId?.videoId);
  }
  for (const videoId of ground.ownVideos) {
    const threads = { part, videoId, textFormat: "plainText", maxResults: 100 } as const;
    for await (const { items } of client.pages("commentThreads.list", threads)) {
      for (const { snippet } of items) note(snippet?.topLevelComment?.snippet?.textDisplay);
    }
  }
  for (const parentId of ground.threadIds) {
    const replies = { part, parentId, textFormat: "plainText", maxResults: 100 } as const;
    for await (const { items } of client.pages("comments.list", replies)) {
      for (const { snippet } of items) note(snippet?.textDisplay);
    }
  }
  return counts;
}

interface Findings {
  readonly ended: readonly Ended[];
  readonly requests: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly seed: number;
}

function toRows(name: string, { ended, requests, counts, seed }: Findings): BenchRow[] {
  const of = (kind: Ended["kind"]) => ended.filter((one) => one.kind === kind);
  const there = ({ mark = "" }: Ended) => counts.get(mark) ?? 0;
  const inserts = of("make").length;
  const removed = new Set(of("remove").map(({ mark }) => mark));
  const left = of("make").filter(({ mark }) => !removed.has(mark));
  const doubled = left.filter((one) => there(one) > 1);
  const untrue = [
    ...left.filter((one) => one.ending === "answered" && there(one) === 0),
    ...left.filter((one) => one.ending === "nothing" && there(one) > 0),
    ...of("remove").filter((one) => one.ending === "answered" && there(one) > 0),
    ...ended.filter((one) => one.ending === "untyped"),
  ];
  for (const one of [...doubled, ...untrue]) console.error(one);
  const undecided = of("make").filter(({ ending }) => ending === "unknown");
  const unanswered = of("read").filter(({ ending }) => ending !== "answered");
  const row = (part: string, [value, goal]: readonly [number, number], unit: string): BenchRow => {
    return { name: `${name}.${part}`, value, unit, goal, ok: value <= goal, seed };
  };
  return [
    row("doubled", [doubled.length, 0], `of ${inserts} inserts`),
    row("unanswered", [unanswered.length, 0], `of ${of("read").length} reads`),
    row("untrue", [untrue.length, 0], `of ${ended.length} calls`),
    row("requests", [requests / ended.length, goalRequests], "requests a call"),
    row(
      "undecided",
      [undecided.length, Math.ceil(inserts * goalUndecided)],
      `of ${inserts} inserts`,
    ),
  ];
}
