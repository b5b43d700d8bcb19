import type { SuggestCtx } from "../declare/suggest.ts";
import { reaches } from "../rank.ts";

/** Whether the person may see what the channel keeps to itself. */
export function mayKnow({ rank }: SuggestCtx): boolean {
  return reaches(rank, "moderator");
}

/** Whether the answers are those of the linked channel, its private things among them. */
export function isOwn(ctx: SuggestCtx): boolean {
  return mayKnow(ctx) && ctx.has("channel");
}

/** Whether what is asked about any video or playlist is answered as everybody sees it, or the person may know more. */
export function isSafe(ctx: SuggestCtx): boolean {
  return mayKnow(ctx) || ctx.has("video-key");
}

/** Said only of what is not for everybody. */
export function privacyName(
  { words }: SuggestCtx,
  privacy: string | undefined,
): string | undefined {
  if (privacy === undefined || privacy === "public") return undefined;
  return words.find(`choices.privacyStatus.${privacy}`) ?? privacy;
}

/** 21 Nov 2026, in the guild's time zone. */
export function dayName(ctx: SuggestCtx, at: string | undefined): string | undefined {
  const date = new Date(at ?? "");
  if (Number.isNaN(date.getTime())) return undefined;
  const timeZone = ctx.settings.timeZone ?? "UTC";
  return new Intl.DateTimeFormat(ctx.words.tag, { dateStyle: "medium", timeZone }).format(date);
}
