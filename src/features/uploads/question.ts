import {
  type Ask,
  ask,
  type Button,
  type CardField,
  compact,
  cut,
  join,
  type Press,
  type Select,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { methods } from "../../video/index.ts";
import { convertedLine } from "../captions/index.ts";
import { valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { timeZoneNote } from "../time-zone/index.ts";
import type { UploadDraft } from "./draft.ts";
import { privacyOptions } from "./form.ts";

/** What can be chosen below the question. */
export type UploadChoice = "privacy" | "language";

/** What the question's parts start. */
export interface QuestionPresses {
  readonly confirm: Press;
  readonly change: Press;
  readonly choose: (what: UploadChoice) => Press;
}

/** The question before an upload: all that it will be and cost. Its files were checked before. */
export async function uploadQuestion(
  ctx: Ctx,
  draft: UploadDraft,
  presses: QuestionPresses,
): Promise<Ask> {
  const { words } = ctx;
  const zone = draft.publishAt === undefined ? undefined : timeZoneNote(ctx);
  return ask({
    title: words.say("videos.upload.ask", { title: cut(draft.title, 100) }),
    text: join(compact([...(await costLines(ctx, draft)), zone?.line])),
    fields: questionFields(draft, words),
    selects: questionSelects(draft, words, presses.choose),
    isPrivate: true,
    confirm: {
      label: words.say("videos.upload.confirm"),
      style: "success",
      press: presses.confirm,
    },
    others: compact<Button>([
      { label: words.say("videos.upload.change"), press: presses.change },
      ...(zone?.buttons ?? []),
    ]),
  });
}

/** What captions and thumbnail cost, and what is left of the day's units and uploads. */
async function costLines(ctx: Ctx, draft: UploadDraft): Promise<readonly Text[]> {
  const { words } = ctx;
  const captions = methods["captions.insert"].cost * draft.captions.length;
  const thumbnail = draft.thumbnail === undefined ? 0 : methods["thumbnails.set"].cost;
  const today = await ctx.left("channel");
  const readLeft = (bucket: "units" | "uploads") =>
    today?.[bucket].bound?.left ?? today?.[bucket].left ?? 0;
  const total = captions + thumbnail;
  const of = captions === 0 ? "thumbnail" : thumbnail === 0 ? "captions" : "both";
  const left = readLeft("units");
  return compact([
    total > 0 &&
      words.say("videos.upload.ask_units", {
        of,
        captions,
        thumbnail,
        total,
        left,
        after: Math.max(0, left - total),
      }),
    words.say("videos.upload.ask_uploads", { left: readLeft("uploads") }),
  ]);
}

function questionFields(draft: UploadDraft, words: Words): readonly CardField[] {
  const { video, captions, thumbnail, privacy, publishAt, tags = [] } = draft;
  const at = publishAt === undefined ? undefined : new Date(publishAt);
  const fields: readonly (CardField | false)[] = [
    {
      name: words.say("videos.upload.ask_file"),
      value: `${video.filename} · ${words.bytes(video.size)}`,
    },
    {
      name: words.say("videos.edit.privacy"),
      value: valueName(words, "privacyStatus", privacy) ?? privacy,
      inline: true,
    },
    {
      name: words.say("videos.edit.publish"),
      value:
        at === undefined
          ? words.say("videos.upload.ask_no_time")
          : words.md("videos.upload.ask_time", { moment: time(at, "f"), relative: time(at, "R") }),
      inline: true,
    },
    captions.length > 0 && {
      name: words.say("videos.upload.ask_captions"),
      value: words.list(captions.map(({ language }) => words.language(language))),
    },
    ...captions.map(
      ({ file, converted }) =>
        converted !== undefined && {
          name: words.say("captions.fields.encoding"),
          value: `${file.filename}: ${convertedLine(words, converted)}`,
        },
    ),
    thumbnail !== undefined && {
      name: words.say("videos.upload.ask_thumbnail"),
      value: thumbnail.filename,
    },
    tags.length > 0 && { name: words.say("videos.edit.tags"), value: cut(tags.join(", "), 200) },
  ];
  return compact(fields);
}

/** Languages that most captions are in; another one can be named by an option of the command. */
const captionsLanguages =
  "en es pt hi ar id fr ja de ru ko it tr vi th pl nl uk zh-CN zh-TW bn ur sv cs".split(" ");

function questionSelects(
  { privacy, publishAt, captions: [captions, ...more] }: UploadDraft,
  words: Words,
  choose: QuestionPresses["choose"],
): readonly Select[] {
  const selects: (Select | false)[] = [
    // Until its time a scheduled video can only be private.
    publishAt === undefined && {
      placeholder: words.say("videos.edit.privacy"),
      options: privacyOptions(words, privacy),
      press: choose("privacy"),
    },
    captions !== undefined &&
      more.length === 0 && {
        placeholder: words.say("videos.upload.captions_language"),
        options: [...new Set([captions.language, ...captionsLanguages])].map((code) => ({
          label: words.say("videos.upload.captions_in", { language: words.language(code) }),
          value: code,
          isDefault: code === captions.language,
        })),
        press: choose("language"),
      },
  ];
  return compact(selects);
}
