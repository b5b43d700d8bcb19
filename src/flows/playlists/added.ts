import {
  type Button,
  type Ctx,
  inShort,
  join,
  notice,
  type Press,
  presses,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type BotError, LimitError } from "../../errors.ts";
import { group, lines, type Named, videoLine } from "./lines.ts";
import type { Plan } from "./plan.ts";

/** Failures that concern one video; after any other the rest would fail alike. */
const ofOne: ReadonlySet<string> = new Set([
  "video_not_found",
  "video_already_in_playlist",
  "invalid_resource_type",
]);

export interface Failed extends Named {
  /** Absent when the work was stopped while it was under way. */
  readonly error?: BotError;
}

export function isOfOne({ error }: Pick<Failed, "error">): boolean {
  return error !== undefined && ofOne.has(error.code);
}

/** What came of adding. */
export interface Outcome {
  readonly plan: Plan;
  readonly added: readonly Named[];
  readonly failed: readonly Failed[];
  /** Not tried. */
  readonly rest: readonly Named[];
}

/** Which were added and which were not, with why; `goOn` adds the others. */
export function told(ctx: Ctx<unknown>, outcome: Outcome, goOn: Press | undefined): Reply {
  const { words, signal } = ctx;
  const { plan, added, failed, rest } = outcome;
  const { id, title } = plan.target;
  const isWhole = failed.length === 0 && rest.length === 0;
  const key = signal.aborted ? "playlists.add.stopped" : "playlists.add.done";
  return notice({
    tone: isWhole ? "good" : added.length === 0 ? "bad" : "warning",
    title: words.say(key, { count: added.length, playlist: title }),
    text: join(
      [
        ...(added.length === 0 ? [] : [lines(added.map(videoLine), words)]),
        ...notAdded(outcome, words),
        ...leftOut(plan, words),
      ],
      "\n\n",
    ),
    buttons: [
      ...(goOn === undefined ? [] : [goOnButton(remaining(outcome).length, goOn, words)]),
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(id) },
    ],
  });
}

/** What another try may still add. */
export function remaining({ failed, rest }: Outcome): readonly Named[] {
  return [...failed.filter((video) => !isOfOne(video)), ...rest];
}

function goOnButton(count: number, press: Press, words: Words): Button {
  return { label: words.say("playlists.add.go_on", { count }), style: "primary", press };
}

function notAdded({ failed, rest }: Outcome, words: Words): readonly Text[] {
  const reasons = failed.map(({ error, ...video }) =>
    words.md("playlists.failed_line", {
      video: videoLine(video),
      reason: error === undefined ? words.say("playlists.add.undecided") : reasonOf(error, words),
    }),
  );
  return [
    ...group(words.say("playlists.add.failed", { count: failed.length }), reasons, words),
    ...group(words.say("playlists.add.rest", { count: rest.length }), rest.map(videoLine), words),
  ];
}

/** In short, and when it is worth another try. */
function reasonOf(error: BotError, words: Words): Text {
  const reason = inShort(error, words);
  if (!(error instanceof LimitError) || error.retryAt === undefined) return reason;
  return join([reason, time(error.retryAt, "R")], " · ");
}

/** What is in it already, and what leads nowhere. */
export function leftOut({ there, unknown }: Plan, words: Words): readonly Text[] {
  const missing = unknown.map((id) => videoLine({ id, title: id }));
  const present = there.map(videoLine);
  return [
    ...group(words.say("playlists.add.there", { count: there.length }), present, words),
    ...group(words.say("playlists.add.unknown", { count: missing.length }), missing, words),
  ];
}

export function nothingToAdd({ words }: Ctx<unknown>, plan: Plan): Reply {
  const { id, title } = plan.target;
  return notice({
    tone: plan.unknown.length === 0 ? "info" : "warning",
    title: words.say("playlists.add.nothing", { playlist: title }),
    text: join(leftOut(plan, words), "\n\n"),
    buttons: [{ label: words.say("playlists.show_videos"), press: presses.playlist.items(id) }],
  });
}
