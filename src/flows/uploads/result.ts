import {
  type Card,
  type Ctx,
  cardFor,
  compact,
  isCancelled,
  join,
  type Press,
  type Text,
  time,
  videoCard,
} from "../../discord/index.ts";
import type { Video } from "../../video/index.ts";
import type { RestDone } from "./rest.ts";

/** The video that is up, who can watch it when, and what was done with the rest. */
export function uploadedCard(
  ctx: Ctx,
  video: Video,
  { done, again }: { readonly done: RestDone; readonly again: Press },
): Card {
  const { words } = ctx;
  const { buttons = [], text: _, ...drawn } = videoCard(video, cardFor(ctx));
  return {
    ...drawn,
    author: { name: words.say("videos.upload.done") },
    text: join([visibility(ctx, video), ...restLines(ctx, done)]),
    buttons: [...(done.failures.length > 0 ? [againButton(ctx, again)] : []), ...buttons],
    isPrivate: true,
  };
}

export function restLines({ words, signal }: Ctx, done: RestDone): readonly Text[] {
  const { languages, failures } = done;
  return compact([
    languages.length > 0 &&
      words.say("videos.upload.captions_done", { languages: words.list(languages) }),
    done.hasThumbnail && words.say("videos.upload.thumbnail_done"),
    ...(isCancelled(signal) ? [words.say("videos.upload.cancelled_rest")] : failures),
  ]);
}

export function againButton({ words }: Ctx, press: Press) {
  return { label: words.say("videos.upload.try_again"), style: "primary" as const, press };
}

function visibility({ words }: Ctx, { status }: Video): Text {
  const { privacyStatus = "private", publishAt } = status ?? {};
  if (publishAt !== undefined) {
    const at = new Date(publishAt);
    return words.md("videos.upload.scheduled", { moment: time(at, "f"), relative: time(at, "R") });
  }
  const isSeen = privacyStatus === "public" || privacyStatus === "unlisted";
  return words.say(
    `videos.upload.${isSeen ? (privacyStatus as "public" | "unlisted") : "private"}`,
  );
}
