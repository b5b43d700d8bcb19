import { BotError, type Kind, LimitError, type Outcome } from "../errors.ts";
import type { Notice } from "./reply.ts";
import { md, type Text, time } from "./text.ts";

/** What happened, in people's words, by the code of the failure. Codes without a line fall back to their kind. */
const titles: Readonly<Record<string, string>> = {
  attachment_host: "That file isn't an attachment of Discord",
  attachment_gone: "That file can't be fetched any more",
  attachment_too_large: "The file is too large",
  picture_empty: "The file is empty",
  picture_type: "That isn't a picture I can use",
  picture_animated: "The picture is animated",
  picture_truncated: "The picture is cut off",
  picture_unreadable: "The picture is damaged",
  picture_pixels: "The picture has too many pixels",
  picture_too_large: "The picture is too large",
  picture_worker: "The picture could not be worked on",
  cutout_damaged: "The image service sent a damaged result",
  unknown_foreground: "Nothing to cut out was found",
  credits_gone: "The image credits are used up",
  result_lost: "The result was lost on the way",
  quota_exceeded: "Today's budget with the video service is used up",
  store_unavailable: "Storage is unavailable",
  cancelled: "Cancelled",
  took_too_long: "That took too long",
  no_picture: "There is no picture in that message",
  restarting: "I am being restarted",
  rank_too_low: "You may not do that here",
  not_yours: "These buttons belong to somebody else",
  too_old: "This button is too old",
  video_key_missing: "No video channel is connected yet",
  background_key_missing: "No image key is connected yet",
};

const titlesByKind = {
  input: "That can't be used",
  access: "Not allowed",
  connect: "The connection needs attention",
  service: "The service could not do it",
  limit: "Too much for now",
  network: "The service could not be reached",
  config: "I am not set up correctly",
} as const satisfies Record<Kind, string>;

const outcomes = {
  nothing: "Nothing was changed and nothing was charged.",
  part: "Part of it was done; what is shown above stays.",
  unknown: "It is not certain whether it was done.",
} as const satisfies Record<Outcome, string>;

/** Errors that are answers to the person rather than failures: told plainly, without an id. */
const calm: ReadonlySet<string> = new Set(["cancelled", "not_yours", "too_old", "rank_too_low"]);

/**
 * The one place that chooses the words of a failure. Precedence: the code's own title, else its kind's; the error's
 * hint as the next step; when it is worth another try; what was left behind; a short id that the log has too.
 * Anything that is not a BotError is our fault and tells nothing of itself.
 */
export function explain(error: unknown, id: string): Notice {
  if (!(error instanceof BotError)) {
    return {
      kind: "notice",
      tone: "bad",
      title: "Something went wrong on my side",
      text: "Sorry. It has been written down with the reference below. Trying again may help; if it doesn't, tell the people who run this bot.",
      footer: `Reference ${id}`,
    };
  }
  return {
    kind: "notice",
    tone: calm.has(error.code) ? "info" : "bad",
    title: inShort(error),
    text: body(error),
    ...(calm.has(error.code) ? {} : { footer: `Reference ${id}` }),
  };
}

/** What happened, as a few words for a line among others. */
export function inShort(error: BotError): string {
  const { option, wanted } = error.facts;
  if (error.code === "option_unreadable") return `The option “${option}” needs ${wanted}`;
  return titles[error.code] ?? titlesByKind[error.kind];
}

function body(error: BotError): Text {
  const back =
    error instanceof LimitError && error.retryAt !== undefined
      ? md`\nBack ${time(error.retryAt, "R")}, at ${time(error.retryAt, "f")}.`
      : "";
  const outcome = calm.has(error.code) ? "" : md`\n${outcomes[error.outcome]}`;
  return md`${error.hint}${back}${outcome}`;
}
