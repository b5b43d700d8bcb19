/** Serves one photo, and answers every cut-out with the same ZIP at once: `cutout-service.ts PHOTO ZIP`. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveParent } from "./service.ts";

const [photoFile = "", zipFile = ""] = process.argv.slice(2);
const photo = readFileSync(photoFile);
const zip = readFileSync(zipFile);

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const isResult = request.method === "POST";
    const body = isResult ? zip : photo;
    response.writeHead(200, {
      "content-type": isResult ? "application/zip" : "image/jpeg",
      "content-length": body.byteLength,
      ...(isResult && charged()),
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveParent(`http://127.0.0.1:${port}`, () => undefined);
});

/** A rate limit that is never reached: remove.bg's pace is not what is measured. */
function charged() {
  return {
    "x-credits-charged": "1",
    "x-ratelimit-limit": "1000000",
    "x-ratelimit-remaining": "1000000",
    "x-ratelimit-reset": `${Math.ceil(Date.now() / 1000) + 60}`,
  };
}
