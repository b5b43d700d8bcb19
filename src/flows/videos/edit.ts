import {
  type Asked,
  action,
  actionFor,
  type Ctx,
  card,
  compact,
  cut,
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
  withExtra,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Video } from "../../video/index.ts";
import { given } from "../options/index.ts";
import {
  backToForm,
  momentOf,
  privacyField,
  publishField,
  scheduled,
  tagsOf,
} from "../uploads/index.ts";
import { changeVideo, type VideoChange, writeChange } from "./change.ts";
import { readOwnVideo } from "./read.ts";

type Privacy = "private" | "unlisted" | "public";

/** The form's fields, as text. */
interface Fields {
  readonly title: string;
  /** Undefined when it is longer than a form holds. */
  readonly description: string | undefined;
  readonly tags: string;
  readonly privacy: Privacy;
  /** As people write times, in the guild's time zone; empty without one. */
  readonly publish: string;
}

interface Editing {
  readonly id: string;
  readonly before: Fields;
  /** What was typed, when the form has to be shown again. */
  readonly typed?: Fields;
}

/** Discord's longest text field (facts/discord.md: Modal fields). */
const longestField = 4000;

interface EditOptions {
  readonly video: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly category?: string | undefined;
  readonly privacy?: Privacy | undefined;
  readonly publish?: Date | undefined;
  readonly kids?: boolean | undefined;
  readonly language?: string | undefined;
  readonly license?: string | undefined;
  readonly embed?: boolean | undefined;
  readonly public_numbers?: boolean | undefined;
  readonly synthetic?: boolean | undefined;
}

/** Changes what was given; offers the form where nothing was. @throws InputError `schedule_unlisted` */
export async function edit(ctx: Ctx, options: EditOptions): Promise<Reply> {
  const { video, privacy } = options;
  const publishAt = options.publish?.toISOString();
  const snippet = given({
    title: options.title,
    description: options.description,
    tags: options.tags,
    categoryId: options.category,
    defaultLanguage: options.language,
  });
  const status = given({
    privacyStatus: publishAt === undefined ? privacy : scheduled(privacy, publishAt),
    publishAt,
    selfDeclaredMadeForKids: options.kids,
    license: options.license,
    embeddable: options.embed,
    publicStatsViewable: options.public_numbers,
    containsSyntheticMedia: options.synthetic,
  });
  const known = { ...(snippet && { snippet }), ...(status && { status }) };
  const { body } = withExtra({ body: known }, ctx.extra);
  return Object.keys(body).length === 0 ? showEdit(ctx, video) : changeVideo(ctx, video, body);
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

/** `2026-12-24 20:00`, which `readDate` understands in every language. */
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
      return await writeChange(ctx, id, change, before.title);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return backToForm(ctx, error, open.press({ id, before, typed }));
    }
  },
});

/** What was changed in the form; undefined when nothing was. */
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

/** A new privacy wins over a publishing time from before; a new publishing time makes the video private until then. */
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

const showEditOf = actionFor(presses.video.edit, {
  answer: "private",
  by: "anyone",
  row: "videos.update",
  uses: ["videos.list", "channels.list"],
  run: (ctx, { id }) => showEdit(ctx, id),
});

export const editActions = [open, save, showEditOf] as const;
