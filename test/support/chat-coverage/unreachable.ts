import { type Method, type MethodSpec, methods } from "../../../src/video/index.ts";
import type { MethodPlace } from "./sent-places.ts";

/** Parameters and body fields that nobody can set from the chat, and why; others are marked in their method's spec. */
const reasons: Readonly<Partial<Record<MethodPlace, string>>> = {
  "channels.list pageToken":
    "People name one channel, so that there is no second page; a list of several is for content owners.",
};

/** Why nobody can set it from the chat; undefined for what people can set. */
export function whyUnreachable(place: MethodPlace): string | undefined {
  const [method = "", name = ""] = place.split(" ");
  const { query }: MethodSpec = methods[method as Method];
  if (query[name]?.deprecated) return "The service takes it and does nothing with it any more.";
  if (query[name]?.forContentOwners) return "For content owners, whose accounts can't be linked.";
  return reasons[place];
}

/** The entries of the list above, to find those that are no longer needed. */
export const listedUnreachable: readonly MethodPlace[] = Object.keys(reasons) as MethodPlace[];
