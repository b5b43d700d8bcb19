/** A server for interactions that reports its CPU. Arguments: the public key, and whether it is ours or the floor. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLanguages, locales } from "../../src/language/index.ts";
import type { Log } from "../../src/log.ts";
import type { Links } from "../../src/oauth/index.ts";
import { isSignedBy, publicKeyFrom } from "../../src/web/endpoint/signature.ts";
import { startWeb } from "../../src/web/index.ts";

const [publicKey = "", which] = process.argv.slice(2);
const deferred = { type: 5, data: { flags: 64 } };

const log: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const port = which === "floor" ? await openFloor() : await openOurs();
let before = process.cpuUsage();
process.on("message", (message) => {
  if (message === "begin") before = process.cpuUsage();
  else process.send?.(process.cpuUsage(before));
});
process.send?.(port);

async function openOurs(): Promise<number> {
  const web = await startWeb({
    // Pages are not opened here.
    links: {} as Links,
    publicUrl: "https://bot.example",
    goesTo: [],
    discordUrl: "https://discord.example",
    words: { locales, of: createLanguages().of },
    port: 0,
    host: "127.0.0.1",
    log,
    now: Date.now,
    discord: {
      publicKey,
      take: (_, send) => {
        void send(deferred);
        return Date.now();
      },
      onEvent: () => undefined,
    },
  });
  return web.port;
}

/** The least that can answer: Node's server, the check of the signature, and the JSON. */
async function openFloor(): Promise<number> {
  const key = publicKeyFrom(publicKey);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk) => chunks.push(chunk))
      .on("end", () => {
        const body = Buffer.concat(chunks);
        const signature = `${request.headers["x-signature-ed25519"]}`;
        const timestamp = `${request.headers["x-signature-timestamp"]}`;
        if (!isSignedBy(key, { signature, timestamp, body })) response.statusCode = 401;
        JSON.parse(body.toString());
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify(deferred));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
