import { viewerOf } from "./access.ts";
import { type Body, textAt } from "./body.ts";
import type { Call } from "./call.ts";
import { badBody, forbidden, Refusal } from "./refusal.ts";
import { findProfile } from "./world/index.ts";

/** facts/video-api.json, limits.text. */
const maxChars = 10_000;

/** What a person wants to say. */
export function readCommentText(body: Body, resource: string, place: string): string {
  const text = textAt(body, place) ?? "";
  if (text.trim() === "") throw badBody(resource, "commentTextRequired", place);
  if ([...text].length > maxChars) throw badBody(resource, "commentTextTooLong", place);
  return text;
}

/** Who writes: accounts that have no channel can't. */
export function readAuthor(call: Call, resource: string): string {
  const authorId = viewerOf(call);
  if (findProfile(call.world, authorId) === undefined) {
    throw forbidden(resource, "ineligibleAccount");
  }
  return authorId;
}

/** Not a matter of rights: nobody can read or write there. */
export function commentsDisabled(resource: string): Refusal {
  return new Refusal(403, {
    reason: "commentsDisabled",
    message: "Comments are turned off for the video.",
    domain: `youtube.${resource}`,
    place: { location: "videoId", locationType: "parameter" },
  });
}
