/** Answers each `videos.list` with the videos that it asks for: those whose id begins with `l` are live, others to come. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveParent } from "./service.ts";

const startedAt = new Date(Number(process.argv[2])).toISOString();
const startsAt = new Date(Number(process.argv[3])).toISOString();

const server = createServer((request, response) => {
  request.resume();
  const ids = new URL(request.url ?? "", "http://localhost").searchParams.getAll("id").join(",");
  const items = ids.split(",").map(describe);
  response.writeHead(200, { "content-type": "application/json; charset=UTF-8" });
  response.end(JSON.stringify({ kind: "youtube#videoListResponse", items }));
});

function describe(id: string) {
  const isLive = id.startsWith("l");
  const title = `The long night of ${id}`;
  const thumbnails = {
    high: { url: `https://i.ytimg.com/vi/${id}/hq.jpg`, width: 480, height: 360 },
  };
  const live = isLive
    ? { scheduledStartTime: startedAt, actualStartTime: startedAt, concurrentViewers: "1234" }
    : { scheduledStartTime: startsAt };
  return {
    id,
    snippet: {
      ...{
        channelId: `UC${id.slice(1, 23)}`.padEnd(24, "x"),
        channelTitle: "A channel",
        title,
        thumbnails,
      },
      ...{ publishedAt: startedAt, description: "x".repeat(1_000), tags: ["one", "two", "three"] },
      liveBroadcastContent: isLive ? "live" : "upcoming",
    },
    contentDetails: { duration: "P0D" },
    status: { privacyStatus: "public", uploadStatus: "uploaded" },
    liveStreamingDetails: live,
  };
}
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveParent(`http://127.0.0.1:${port}`, () => undefined);
});
