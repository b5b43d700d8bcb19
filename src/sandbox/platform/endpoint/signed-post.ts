import { randomBytes } from "node:crypto";
import { Agent, request as httpRequest } from "node:http";
import { request as httpsRequest, Agent as SecureAgent } from "node:https";
import type { SigningKey } from "./signing-key.ts";

/** What an application's address answered. */
export interface EndpointResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
}

export interface SignedPost {
  readonly url: string;
  readonly body: object;
  readonly timeoutMs: number;
  /** Sends a signature that is not the application's. */
  readonly isForged?: boolean;
}

/** Posts to an application's addresses over connections that stay open. */
export interface SignedPoster {
  /** Rejects when no complete response came in time. */
  post(post: SignedPost): Promise<EndpointResponse>;
  close(): void;
}

const userAgent = "Discord-Interactions/1.0 (+https://discord.com)";

export function createSignedPoster(key: SigningKey, now: () => number): SignedPoster {
  const plain = new Agent({ keepAlive: true });
  const secure = new SecureAgent({ keepAlive: true });

  function post({ url, body, timeoutMs, isForged = false }: SignedPost): Promise<EndpointResponse> {
    const text = JSON.stringify(body);
    const timestamp = String(Math.floor(now() / 1_000));
    const isSecure = new URL(url).protocol === "https:";
    const { promise, resolve, reject } = Promise.withResolvers<EndpointResponse>();
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method: "POST",
      agent: isSecure ? secure : plain,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(text),
        "User-Agent": userAgent,
        "X-Signature-Ed25519": isForged
          ? randomBytes(64).toString("hex")
          : key.sign(timestamp, text),
        "X-Signature-Timestamp": timestamp,
      },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, type: headers["content-type"] ?? "", body: Buffer.concat(parts) });
      });
    });
    request.end(text);
    return promise;
  }

  return {
    post,
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}
