import type { QuotaState } from "../../budget/index.ts";
import { compact, type Text, type Words } from "../../discord/index.ts";

/** How large the linked channel's part of the shared project is, and why; empty where the project is not divided. */
export function describeQuotaPart({ share }: QuotaState, words: Words): readonly Text[] {
  const { sharing } = share ?? {};
  if (sharing === undefined) return [];
  const { own, channels, ofPerson, fullFrom } = sharing;
  return compact([
    words.say("usage.part.own", { own, channels }),
    fullFrom !== undefined && words.say("usage.part.new", { date: formatDate(fullFrom, words) }),
    ofPerson > 1 && words.say("usage.part.person", { count: ofPerson }),
  ]);
}

function formatDate(day: string, { tag }: Words): string {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" });
  return format.format(new Date(day));
}
