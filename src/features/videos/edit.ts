import {
  card,
  compact,
  cut,
  type Form,
  form,
  listedTexts,
  notice,
  type Reply,
  type RequestInfo,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { smallThumbnail, type Video, youtubePages } from "../../video/index.ts";
import { formatPublished, presentFields, presses, valueName } from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, actionFor, coveredParams, option } from "../declarations/index.ts";
import { withExtra } from "../extra/index.ts";
import { categories, futureDates, languages, ownVideos } from "../suggestions/index.ts";
import { momentText, readMoment, withTimeZone } from "../time-zone/index.ts";
import {
  backToForm,
  maxTagsFieldChars,
  privacyOptions,
  privacyUntilPublished,
  publishField,
  type VideoPrivacy,
} from "../uploads/index.ts";
import { changeVideo, type VideoChange, writeVideoChange } from "./change.ts";
import { readOwnVideo } from "./read.ts";

/** The fields of the form, as text. */
interface VideoFormFields {
  readonly title: string;
  /** Undefined if it is too long for a form. */
  readonly description: string | undefined;
  readonly tags: string;
  readonly privacy: VideoPrivacy;
  /** As people write times, in the server's time zone; empty if the video has none. */
  readonly publish: string;
}

interface VideoEdit {
  readonly id: string;
  readonly before: VideoFormFields;
  /** What was typed, if the form is shown again. */
  readonly typed?: VideoFormFields;
}

/** The most text that a field of a form holds: docs/services/discord.md#forms */
const maxFieldChars = 4000;

export const videoEditOptions = {
  video: option.video({ required: true, covers: "id", suggest: ownVideos }),
  title: option.field("videos.update", "snippet.title"),
  description: option.field("videos.update", "snippet.description"),
  tags: option.field("videos.update", "snippet.tags"),
  category: option.field("videos.update", "snippet.categoryId", { suggest: categories }),
  privacy: option.field("videos.update", "status.privacyStatus"),
  publish: option.date({ must: "future", covers: "status.publishAt", suggest: futureDates }),
  kids: option.field("videos.update", "status.selfDeclaredMadeForKids"),
  language: option.language({ covers: "snippet.defaultLanguage", suggest: languages }),
  license: option.field("videos.update", "status.license"),
  embed: option.field("videos.update", "status.embeddable"),
  public_numbers: option.field("videos.update", "status.publicStatsViewable"),
  synthetic: option.field("videos.update", "status.containsSyntheticMedia"),
};

/** Changes what the options say; offers the form if they say nothing. @throws InputError `schedule_unlisted` */
export async function editVideo(ctx: CtxFor<typeof videoEditOptions>): Promise<Reply> {
  const { video, ...options } = ctx.options;
  const { privacy } = options;
  const publish = options.publish?.toISOString();
  const known = coveredParams("videos.update", videoEditOptions, {
    ...options,
    title: options.title?.trim(),
    privacy: publish === undefined ? privacy : privacyUntilPublished(privacy, publish),
  });
  const { body } = withExtra({ body: known.body }, ctx.extra);
  if (Object.keys(body).length === 0) return showEdit(ctx, { id: video });
  return withTimeZone(ctx, await changeVideo(ctx, video, body), publish);
}

/** The form, or a card with a button for it where the video is read too late for a first answer. */
async function showEdit(ctx: Ctx, { id }: { readonly id: string }): Promise<Reply> {
  const read = await readOwnVideo(ctx, id);
  if ("notice" in read) return read.notice;
  const { words } = ctx;
  const { snippet, status } = read.video;
  const before = readFormFields(read.video, ctx);
  const editing = { id, before };
  return card({
    title: words.say("videos.edit.open", { title: cut(before.title, 100) }),
    url: youtubePages.video(id),
    text: words.say(
      before.description === undefined ? "videos.edit.too_long" : "videos.edit.open_text",
    ),
    fields: presentFields(words, [
      ["cards.privacy", valueName(words, "privacyStatus", status?.privacyStatus)],
      ["cards.scheduled", formatPublished(status?.publishAt)],
      ["cards.tags", snippet?.tags && cut(snippet.tags.join(", "), 200)],
    ]),
    thumbnail: smallThumbnail(snippet?.thumbnails),
    isPrivate: true,
    buttons: [
      {
        label: words.say("videos.edit.button"),
        style: "primary",
        press: open.press(editing),
      },
    ],
    formBehindButton: editForm(ctx, editing),
  });
}

function readFormFields({ snippet, status }: Video, ctx: Ctx): VideoFormFields {
  const { title = "", description = "", tags = [] } = snippet ?? {};
  const { privacyStatus = "private", publishAt } = status ?? {};
  return {
    title,
    description: description.length > maxFieldChars ? undefined : description,
    tags: tags.join(", "),
    privacy: privacyStatus as VideoPrivacy,
    publish: momentText(ctx, publishAt),
  };
}

function editForm({ words }: RequestInfo, editing: VideoEdit): Form {
  const { title, description, tags, privacy, publish } = editing.typed ?? editing.before;
  return form({
    title: words.say("videos.edit.form"),
    isReturned: true,
    intro: description === undefined ? words.say("videos.edit.too_long") : undefined,
    fields: compact([
      { name: "title", label: words.say("videos.edit.title"), maxLength: 100, value: title },
      description !== undefined && {
        name: "description",
        label: words.say("videos.edit.description"),
        style: "paragraph" as const,
        required: false,
        maxLength: maxFieldChars,
        value: description,
      },
      {
        name: "tags",
        label: words.say("videos.edit.tags"),
        description: words.say("videos.edit.tags_about"),
        required: false,
        maxLength: maxTagsFieldChars,
        value: tags,
      },
      {
        kind: "select" as const,
        name: "privacy",
        label: words.say("videos.edit.privacy"),
        options: privacyOptions(words, privacy),
      },
      publishField(words, publish),
    ]),
    submit: save.press(editing),
  });
}

const editing = {
  method: "videos.update",
  uses: ["videos.list", "videoCategories.list"],
} as const;

const open = action<VideoEdit>({
  ...editing,
  name: "videos.edit-form",
  answer: "form",
  form: editForm,
});

const save = action<VideoEdit>({
  ...editing,
  name: "videos.save-edit",
  run: async (ctx, { id, before }, { fields }) => {
    const typed: VideoFormFields = {
      title: fields.title?.trim() ?? before.title,
      description: before.description === undefined ? undefined : (fields.description ?? ""),
      tags: fields.tags ?? "",
      privacy: (fields.privacy as VideoPrivacy | undefined) ?? before.privacy,
      publish: fields.publish?.trim() ?? "",
    };
    try {
      const change = await readChange(ctx, before, typed);
      if (change === undefined) {
        return notice({
          tone: "neutral",
          title: ctx.words.say("videos.edit.nothing"),
          text: ctx.words.say("common.same"),
        });
      }
      const time = typed.publish === before.publish ? undefined : typed.publish || undefined;
      const done = await writeVideoChange(ctx, id, change, before.title);
      return withTimeZone(ctx, done, time);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return backToForm(ctx, error, open.press({ id, before, typed }));
    }
  },
});

/** What was changed in the form; undefined if nothing was. */
async function readChange(
  ctx: Ctx,
  before: VideoFormFields,
  typed: VideoFormFields,
): Promise<VideoChange | undefined> {
  const differs = (name: keyof VideoFormFields) => typed[name] !== before[name];
  const snippet = {
    ...(differs("title") && { title: typed.title }),
    ...(differs("description") && { description: typed.description || null }),
    ...(differs("tags") && { tags: listedTexts(typed.tags) }),
  };
  const status = await readStatusChange(ctx, { typed, differs });
  if (Object.keys(snippet).length + Object.keys(status).length === 0) return undefined;
  return {
    ...(Object.keys(snippet).length > 0 && { snippet }),
    ...(Object.keys(status).length > 0 && { status }),
  };
}

/** A new privacy wins over an old time of publication. A new time of publication makes the video private until then. */
async function readStatusChange(
  ctx: Ctx,
  { typed, differs }: { typed: VideoFormFields; differs: (name: keyof VideoFormFields) => boolean },
): Promise<object> {
  if (!differs("publish")) return differs("privacy") ? { privacyStatus: typed.privacy } : {};
  if (typed.publish === "") return { publishAt: null, privacyStatus: typed.privacy };
  const publishAt = await readMoment(ctx, typed.publish, ctx.words.say("videos.edit.publish"));
  return { publishAt, privacyStatus: privacyUntilPublished(typed.privacy, publishAt) };
}

const openEdit = actionFor(presses.video.edit, {
  method: "videos.update",
  uses: ["videos.list", "channels.list"],
  run: showEdit,
});

export const videoEditActions = [open, save, openEdit] as const;
