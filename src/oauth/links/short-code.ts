import { createHash } from "node:crypto";

/** No two of these look alike, in any usual typeface. */
const letters = "ACEFHJKMNPRTWXY";
const digits = "34679";

/** Two pairs like `K7-R4`, the same for the same link wherever it is shown. */
export function shortCode(linkId: string): string {
  const bytes = createHash("sha256").update(`code:${linkId}`).digest();
  const pick = (from: string, at: number) => from[bytes.readUInt32BE(at) % from.length];
  return `${pick(letters, 0)}${pick(digits, 4)}-${pick(letters, 8)}${pick(digits, 12)}`;
}
