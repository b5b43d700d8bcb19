import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 bits; at most 200 bytes are allowed (https://www.w3.org/TR/websub/#subscriber-sends-subscription-request). */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}

/** What a hub may sign with; the hub of the video service takes the first. */
const algorithms: ReadonlySet<string> = new Set(["sha1", "sha256", "sha384", "sha512"]);

/** Whether the body was signed with that secret (https://www.w3.org/TR/websub/#signing-content). */
export function isSigned(body: Uint8Array, signature: string | undefined, secret: string): boolean {
  const [algorithm = "", digest = ""] = (signature ?? "").trim().split("=", 2);
  if (!algorithms.has(algorithm.toLowerCase()) || !/^[\da-f]+$/iu.test(digest)) return false;
  const told = Buffer.from(digest, "hex");
  const due = createHmac(algorithm.toLowerCase(), secret).update(body).digest();
  return told.length === due.length && timingSafeEqual(told, due);
}
