import { createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Platform } from "../../src/sandbox/platform/index.ts";
import { type Answering, answeringBy } from "./raw-bot.ts";

/** An interaction that was posted to an application, and the ways to answer it. */
export interface Responding extends Answering {
  /** Sends the response to the request; as JSON unless `body` is a string. */
  respond(body: unknown, status?: number, headers?: Readonly<Record<string, string>>): void;
  /** Breaks the connection. */
  cut(): void;
}

/** An application without a library, reached over HTTP: it responds exactly what a test tells it to. */
export type RawEndpoint = Awaited<ReturnType<typeof startRawEndpoint>>;

export async function startRawEndpoint(platform: Platform) {
  const received: { body: unknown; isSigned: boolean }[] = [];
  let work: (responding: Responding) => unknown = () => undefined;
  let refusesFalse = true;
  let connections = 0;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await buffer(request);
    const isSigned = verifies(platform.publicKey, request, raw);
    const body = JSON.parse(raw.toString());
    received.push({ body, isSigned });
    if (!isSigned && refusesFalse) return void response.writeHead(401).end();
    if (body.type === 0) return void response.writeHead(204).end();
    if (body.type === 1 && body.event !== undefined) return void response.writeHead(204).end();
    const respond: Responding["respond"] = (answer, status = 200, headers = {}) => {
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
    };
    if (body.type === 1) return respond({ type: 1 });
    const cut = () => void response.destroy();
    await work({ interaction: body, respond, cut, ...answeringBy(platform, body) });
  }

  const server = createServer((request, response) => void receive(request, response));
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/interactions`,
    /** Every request, with the result of checking its signature. */
    received,
    /** Sets what is done with interactions from now on. */
    answer: (next: (responding: Responding) => unknown) => {
      work = next;
    },
    /** Whether requests with a false signature are rejected; initially they are. */
    refuses: (isRefused: boolean) => {
      refusesFalse = isRefused;
    },
    connections: () => connections,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint-validating-security-request-headers */
function verifies(publicKey: string, { headers }: IncomingMessage, raw: Buffer): boolean {
  const x = Buffer.from(publicKey, "hex").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.concat([Buffer.from(`${headers["x-signature-timestamp"]}`), raw]);
  const signature = Buffer.from(`${headers["x-signature-ed25519"]}`, "hex");
  return verify(null, signed, key, signature);
}
