import { createHash } from "node:crypto";

/** What counts as one project: whoever uses the same key shares its budget. The key can't be read from it. */
export function projectOfKey(key: string): string {
  return fingerprint(`key ${key}`);
}

/** Every linked channel spends the budget of the operator's own project. */
export function projectOfClient(clientId: string): string {
  return fingerprint(`client ${clientId}`);
}

/** 128 bits are plenty to tell projects apart. */
function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
