/** Answers every request at once with the same page of videos. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startVideo } from "../../src/sandbox/video/index.ts";
import { serveParent } from "./service.ts";

const page = await videoPage();
const headers = {
  "content-type": "application/json; charset=UTF-8",
  "content-length": page.byteLength,
};
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, headers).end(page);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveParent(`http://127.0.0.1:${port}`, () => page.byteLength);
});

/** Five videos as the stand-in returns them, with what a card shows: some KB. */
async function videoPage(): Promise<Buffer> {
  const video = await startVideo();
  try {
    const query = "part=snippet,contentDetails,statistics&chart=mostPopular&maxResults=5";
    const answer = await fetch(`${video.url}/videos?${query}&key=${video.key}`);
    return Buffer.from(await answer.arrayBuffer());
  } finally {
    await video.close();
  }
}
