import { createHmac } from "node:crypto";

/** X-Hub-Signature (https://www.w3.org/TR/websub/#signing-content). */
export function sign(algorithm: string, body: string, secret: string): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;
}
