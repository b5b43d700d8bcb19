import {
  type Ctx,
  card,
  changedFields,
  changedTranslations,
  cut,
  type Field,
  pages,
  presses,
  type Reply,
} from "../../discord/index.ts";
import { updateResource } from "../../video/index.ts";
import { settingsPress } from "./details/show.ts";
import { readOwnVideo } from "./read.ts";
import { describeVideoSettings, readCategoryNames } from "./settings.ts";

/** A change of a video: `undefined` keeps, `null` clears. */
export interface VideoChange {
  readonly snippet?: object | undefined;
  readonly status?: object | undefined;
}

/** Changes what is given and keeps everything else. */
export async function changeVideo(ctx: Ctx, id: string, change: VideoChange): Promise<Reply> {
  const read = await readOwnVideo(ctx, id);
  if ("refusal" in read) return read.refusal;
  return writeChange(ctx, id, change, read.video.snippet?.title);
}

/** `title` is shown where the answer has none. */
export async function writeChange(
  ctx: Ctx,
  id: string,
  change: VideoChange,
  title: string | undefined,
): Promise<Reply> {
  const { own, signal } = ctx;
  // Read before the write, so that a failed read is not reported as a failed change.
  const categories = namesCategory(change) ? await readCategoryNames(ctx) : new Map();
  // The client refuses fields that the row does not know, so the loose type can't send anything wrong.
  const whole = { id, ...change } as Parameters<typeof updateResource<"videos.update">>[2];
  const { before, after } = await updateResource(own, "videos.update", whole, { signal });
  const settings = describeVideoSettings(ctx.words, categories);
  const { words } = ctx;
  const translations = { before: before.localizations, after: after.localizations };
  const fields = [
    ...changedFields(words, settings, { before, after }),
    ...changedTranslations(words, translations),
  ];
  return changed(ctx, { id, title: after.snippet?.title ?? title, fields });
}

function namesCategory({ snippet = {} }: VideoChange): boolean {
  return "categoryId" in snippet;
}

interface Changed {
  readonly id: string;
  readonly title: string | undefined;
  readonly fields: readonly Field[];
}

/** The values before and after; a button shows all settings. */
function changed({ words }: Ctx, { id, title, fields }: Changed): Reply {
  return card({
    title: cut(title ?? words.say("common.untitled"), 200),
    url: pages.video(id),
    author: { name: words.say("videos.edit.done") },
    ...(fields.length === 0 ? { text: words.say("common.unchanged") } : {}),
    fields,
    isPrivate: true,
    buttons: [
      { label: words.say("cards.watch"), url: pages.video(id) },
      { label: words.say("choices.video_details.settings"), press: settingsPress(id) },
      { label: words.say("cards.details"), press: presses.video.details(id) },
      { label: words.say("cards.edit"), press: presses.video.edit(id) },
    ],
  });
}
