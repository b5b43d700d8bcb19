/** Answers every request at once with an empty page. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveParent } from "./service.ts";

const page = Buffer.from(JSON.stringify({ kind: "youtube#commentThreadListResponse", items: [] }));
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
