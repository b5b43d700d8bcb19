import { createHash } from "node:crypto";
import type { Subject } from "./subject.ts";

/** What is shorter is said by many people without any of them meaning harm. */
export const shortestRepeated = 12;

/** The same for texts that differ in case, signs, disguise and spaces only; undefined for short ones. */
export function likenessOf(subject: Subject): string | undefined {
  const [reading] = subject.alike();
  const letters = reading?.line.replaceAll(" ", "") ?? "";
  if (letters.length < shortestRepeated) return undefined;
  return createHash("sha256").update(letters).digest("base64url").slice(0, 22);
}
