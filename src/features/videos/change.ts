import { card, cut, type Reply } from "../../discord/index.ts";
import { requireGoodChange, updateResource, youtubePages } from "../../video/index.ts";
import { changedFields, changedTranslations, presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { videoSettingsPress } from "./details/show.ts";
import { readOwnVideo } from "./read.ts";
import { describeVideoSettings, readCategoryNames } from "./settings.ts";

/** A change of a video: `undefined` keeps a field, `null` clears it. */
export interface VideoChange {
  readonly snippet?: object | undefined;
  readonly status?: object | undefined;
}

/** Changes these fields of a video and keeps the others. */
export async function changeVideo(ctx: Ctx, id: string, change: VideoChange): Promise<Reply> {
  requireGoodChange("videos.update", { ...change });
  const read = await readOwnVideo(ctx, id);
  if ("notice" in read) return read.notice;
  return writeVideoChange(ctx, id, change, read.video.snippet?.title);
}

/** Writes the change and shows the values before and after. `title` is shown if the answer has none. */
export async function writeVideoChange(
  ctx: Ctx,
  id: string,
  change: VideoChange,
  title: string | undefined,
): Promise<Reply> {
  const { own, signal } = ctx;
  // Read before the write, so that a failed read is not reported as a failed change.
  const isMoved = "categoryId" in (change.snippet ?? {});
  const categories = isMoved ? await readCategoryNames(ctx) : new Map();
  // The client refuses fields that the method does not have, so this cast can't send anything wrong.
  const whole = { id, ...change } as Parameters<typeof updateResource<"videos.update">>[2];
  const { before, after } = await updateResource(own, "videos.update", whole, { signal });
  const settings = describeVideoSettings(ctx.words, categories);
  const { words } = ctx;
  const translations = { before: before.localizations, after: after.localizations };
  const fields = [
    ...changedFields(words, settings, { before, after }),
    ...changedTranslations(words, translations),
  ];
  const isChanged = fields.length > 0;
  // A button shows all settings.
  return card({
    title: cut(after.snippet?.title ?? title ?? words.say("common.untitled"), 200),
    url: youtubePages.video(id),
    tone: isChanged ? "good" : "neutral",
    author: { name: words.say(isChanged ? "videos.edit.done" : "videos.edit.nothing") },
    ...(!isChanged && { text: words.say("common.same") }),
    fields,
    isPrivate: true,
    buttons: [
      { label: words.say("cards.watch"), url: youtubePages.video(id) },
      { label: words.say("choices.video_details.settings"), press: videoSettingsPress(id) },
      { label: words.say("cards.details"), press: presses.video.details(id) },
      { label: words.say("cards.edit"), press: presses.video.edit(id) },
    ],
  });
}
