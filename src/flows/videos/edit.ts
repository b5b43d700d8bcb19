import {
  type Asked,
  action,
  type Ctx,
  card,
  changedFields,
  changedTranslations,
  cut,
  type Field,
  type Form,
  form,
  named,
  notice,
  pages,
  present,
  presses,
  published,
  type Reply,
  smallThumbnail,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { updateResource, type Video } from "../../video/index.ts";
import { compact } from "../compact.ts";
import {
  backToForm,
  momentOf,
  privacyField,
  publishField,
  scheduled,
  tagsOf,
} from "../uploads/index.ts";
import { settingsPress } from "./details/show.ts";
import { readOwnVideo } from "./read.ts";
import { describeVideoSettings, readCategoryNames } from "./settings.ts";

type Privacy = "private" | "unlisted" | "public";

/** What of a video the form holds, as text. */
interface Fields {
  readonly title: string;
  /** Undefined when it is longer than a form holds. */
  readonly description: string | undefined;
  readonly tags: string;
  readonly privacy: Privacy;
  /** As people write moments, in the guild's time zone; empty without one. */
  readonly publish: string;
}

interface Editing {
  readonly id: string;
  readonly before: Fields;
  /** What was typed, when it has to be typed again. */
  readonly typed?: Fields;
}

/** What is to change: `undefined` keeps, `null` clears. */
export interface VideoChange {
  readonly snippet?: object | undefined;
  readonly status?: object | undefined;
}

/** Discord's longest text field (facts/discord.md: Modal fields). */
const longestField = 4000;

/** Changes what is given and keeps everything else. */
export async function edit(ctx: Ctx, id: string, change: VideoChange): Promise<Reply> {
  const read = await readOwnVideo(ctx, id);
  if ("refusal" in read) return read.refusal;
  return write(ctx, id, change, read.video.snippet?.title);
}

/** `title` is what it is called while nothing else says so. */
async function write(
  ctx: Ctx,
  id: string,
  change: VideoChange,
  title: string | undefined,
): Promise<Reply> {
  const { own, signal } = ctx;
  // Before the write, so that nobody is told that a change failed because its words could not be read.
  const categories = namesCategory(change) ? await readCategoryNames(ctx) : new Map();
  // What the row does not know is refused by the client, so the loose shape can't send anything wrong.
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

/** What was changed, from what to what; all that is set is a press away. */
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

/** A form must be the first answer and can't wait for the video, so that a card with its button comes before it. */
export async function showEdit(ctx: Ctx, id: string): Promise<Reply> {
  const read = await readOwnVideo(ctx, id);
  if ("refusal" in read) return read.refusal;
  const { words } = ctx;
  const { snippet, status } = read.video;
  const before = fieldsOf(read.video, ctx);
  const thumbnail = smallThumbnail(snippet?.thumbnails);
  return card({
    title: words.say("videos.edit.open", { title: cut(before.title, 100) }),
    url: pages.video(id),
    text: words.say(
      before.description === undefined ? "videos.edit.too_long" : "videos.edit.open_text",
    ),
    fields: present(words, [
      ["cards.privacy", named(words, "privacyStatus", status?.privacyStatus)],
      ["cards.scheduled", published(status?.publishAt)],
      ["cards.tags", snippet?.tags && cut(snippet.tags.join(", "), 200)],
    ]),
    ...(thumbnail === undefined ? {} : { thumbnail }),
    isPrivate: true,
    buttons: [
      {
        label: words.say("videos.edit.button"),
        style: "primary",
        press: open.press({ id, before }),
      },
    ],
  });
}

function fieldsOf({ snippet, status }: Video, { settings }: Ctx): Fields {
  const { title = "", description = "", tags = [] } = snippet ?? {};
  const { privacyStatus = "private", publishAt } = status ?? {};
  return {
    title,
    description: description.length > longestField ? undefined : description,
    tags: tags.join(", "),
    privacy: privacyStatus as Privacy,
    publish: publishAt === undefined ? "" : momentText(publishAt, settings.timeZone),
  };
}

/** `2026-12-24 20:00`, which reading a date understands in every language. */
function momentText(iso: string, timeZone = "UTC"): string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return format.format(new Date(iso));
}

function editForm({ words }: Asked, editing: Editing): Form {
  const { title, description, tags, privacy, publish } = editing.typed ?? editing.before;
  return form({
    title: words.say("videos.edit.form"),
    fields: compact([
      { name: "title", label: words.say("videos.edit.title"), maxLength: 100, value: title },
      description !== undefined && {
        name: "description",
        label: words.say("videos.edit.description"),
        style: "paragraph" as const,
        required: false,
        maxLength: longestField,
        value: description,
      },
      {
        name: "tags",
        label: words.say("videos.edit.tags"),
        description: words.say("videos.edit.tags_about"),
        required: false,
        maxLength: 600,
        value: tags,
      },
      privacyField(words, privacy),
      publishField(words, publish),
    ]),
    submit: save.press(editing),
  });
}

const editing = {
  by: "requester",
  row: "videos.update",
  uses: ["videos.list", "videoCategories.list"],
} as const;

const open = action<Editing>({
  ...editing,
  name: "videos.edit-form",
  answer: "form",
  form: editForm,
});

const save = action<Editing>({
  ...editing,
  name: "videos.save-edit",
  answer: "update",
  run: async (ctx, { id, before }, { fields }) => {
    const typed: Fields = {
      title: fields.title?.trim() ?? before.title,
      description: before.description === undefined ? undefined : (fields.description ?? ""),
      tags: fields.tags ?? "",
      privacy: (fields.privacy as Privacy | undefined) ?? before.privacy,
      publish: fields.publish?.trim() ?? "",
    };
    try {
      const change = await readChange(ctx, before, typed);
      if (change === undefined) return nothing(ctx);
      return await write(ctx, id, change, before.title);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return backToForm(ctx, error, open.press({ id, before, typed }));
    }
  },
});

/** What differs from what the form showed; undefined when nothing does. */
async function readChange(
  ctx: Ctx,
  before: Fields,
  typed: Fields,
): Promise<VideoChange | undefined> {
  const differs = (name: keyof Fields) => typed[name] !== before[name];
  const snippet = {
    ...(differs("title") && { title: typed.title }),
    ...(differs("description") && { description: typed.description || null }),
    ...(differs("tags") && { tags: tagsOf(typed.tags) }),
  };
  const status = await statusOf(ctx, { typed, differs });
  if (Object.keys(snippet).length + Object.keys(status).length === 0) return undefined;
  return {
    ...(Object.keys(snippet).length > 0 && { snippet }),
    ...(Object.keys(status).length > 0 && { status }),
  };
}

/** A moment that was there before and a new privacy: the privacy wins. A new moment makes it private until then. */
async function statusOf(
  ctx: Ctx,
  { typed, differs }: { typed: Fields; differs: (name: keyof Fields) => boolean },
): Promise<object> {
  if (!differs("publish")) return differs("privacy") ? { privacyStatus: typed.privacy } : {};
  if (typed.publish === "") return { publishAt: null, privacyStatus: typed.privacy };
  const publishAt = await momentOf(ctx, typed.publish);
  return { publishAt, privacyStatus: scheduled(typed.privacy, publishAt) };
}

function nothing({ words }: Ctx): Reply {
  return notice({
    tone: "info",
    title: words.say("videos.edit.nothing"),
    text: words.say("common.unchanged"),
  });
}

const showEditOf = action<{ readonly id: string }>({
  name: "videos.show-edit",
  answer: "private",
  by: "anyone",
  row: "videos.update",
  uses: ["videos.list", "channels.list"],
  run: (ctx, { id }) => showEdit(ctx, id),
});

export const editActions = [open, save, showEditOf] as const;
