/** A stand-in for YouTube with 4,000 long comments on every video. It tells when each video was first read. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveParent } from "./service.ts";

/** When the first page of comments was asked for, by video: ms since the epoch. */
export type FirstReads = ReadonlyMap<string, number>;

const [pages, perPage] = [40, 100];
/** A comment has at most 10,000 characters. */
const text = "long words of a comment ".repeat(400);
const at = "2026-01-01T00:00:00Z";

const firstReads = new Map<string, number>();
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const answer = pathname.endsWith("/commentThreads")
    ? commentsOf(searchParams)
    : videoOf(searchParams);
  response.writeHead(200, { "content-type": "application/json; charset=UTF-8" });
  response.end(answer);
});

function commentsOf(search: URLSearchParams): string {
  const videoId = search.get("videoId") ?? "";
  if (!firstReads.has(videoId)) firstReads.set(videoId, Date.now());
  const page = Number(search.get("pageToken") ?? 0);
  const items = Array.from({ length: perPage }, (_, n) => threadOf(videoId, page * perPage + n));
  return JSON.stringify({
    kind: "youtube#commentThreadListResponse",
    etag: "e",
    pageInfo: { totalResults: perPage, resultsPerPage: perPage },
    items,
    ...(page + 1 < pages && { nextPageToken: String(page + 1) }),
  });
}

function threadOf(videoId: string, n: number) {
  const times = { publishedAt: at, updatedAt: at };
  const snippet = {
    videoId,
    textDisplay: text,
    textOriginal: text,
    authorDisplayName: "@a",
    ...times,
  };
  const comment = { kind: "youtube#comment", etag: "e", id: `comment-${n}`, snippet };
  return {
    kind: "youtube#commentThread",
    etag: "e",
    id: `comment-${n}`,
    snippet: {
      videoId,
      totalReplyCount: 0,
      canReply: true,
      isPublic: true,
      topLevelComment: comment,
    },
  };
}

function videoOf(search: URLSearchParams): string {
  const id = search.get("id") ?? "";
  return JSON.stringify({
    kind: "youtube#videoListResponse",
    etag: "e",
    pageInfo: { totalResults: 1, resultsPerPage: 1 },
    items: [{ kind: "youtube#video", etag: "e", id, snippet: { title: "A video" } }],
  });
}

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveParent(`http://127.0.0.1:${port}`, () => firstReads);
});
