import {
  type Attachment,
  compact,
  describeAdvice,
  describeFailureShortly,
  type FilesField,
  type Form,
  type FormField,
  form,
  limits,
  notice,
  type Press,
  type PressInput,
  type Reply,
  type RequestInfo,
  type TextField,
  type Words,
} from "../../discord/index.ts";
import type { BotError } from "../../errors.ts";
import { methods } from "../../video/index.ts";
import {
  guessCaptionsLanguage,
  requireFilledFile,
  type UploadDraft,
  type UploadFile,
  uploadFiles,
  type VideoPrivacy,
} from "./draft.ts";

/** A draft whose title, tags and time of publication are still text as somebody typed it, and whose files may be missing. */
export type UploadFormValues = Omit<
  UploadDraft,
  "video" | "title" | "privacy" | "publishAt" | "tags"
> & {
  readonly video?: Attachment | undefined;
  readonly title?: string | undefined;
  readonly privacy?: VideoPrivacy | undefined;
  readonly publish?: string | undefined;
  readonly tags?: string | undefined;
  /** Of captions that the form will bring. */
  readonly captionsLanguage?: string | undefined;
  /** Whether it is opened again, from a question or after an error: then it has every text, and room for one file. */
  readonly isAgain?: boolean | undefined;
  /** The file that was refused. */
  readonly refused?: UploadFile | undefined;
};

const privacies = ["private", "unlisted", "public"] as const satisfies readonly VideoPrivacy[];

/** Who can watch the video, with the current choice selected. */
export function privacyOptions(words: Words, chosen: VideoPrivacy | undefined) {
  return privacies.map((value) => ({
    value,
    label: words.say(`choices.privacyStatus.${value}`),
    description: words.say(`videos.privacy_about.${value}`),
    isDefault: value === chosen,
  }));
}

export function publishField(words: Words, value: string | undefined): TextField {
  return {
    name: "publish",
    label: words.say("videos.edit.publish"),
    description: words.say("videos.edit.publish_about"),
    placeholder: words.say("videos.edit.publish_example"),
    required: false,
    maxLength: 100,
    value,
  };
}

/** The most text that a field of a form holds: docs/services/discord.md#forms */
const maxFieldChars = 4000;

/**
 * YouTube counts one character between two tags, and the field has two: what counts 500 there has up to 750 here. More may be
 * typed, so that the error states YouTube's own rule.
 */
export const maxTagsFieldChars = 1000;

/**
 * A form for the texts of an upload and the files that it lacks. The first one asks for all files; the rest of its five
 * fields are what else fits. One that is opened again asks for a file that was refused first, or else last for one that is
 * missing.
 */
export function uploadForm({ words }: RequestInfo, sketch: UploadFormValues, submit: Press): Form {
  const { description = "", tags, publish, refused, isAgain } = sketch;
  const held = { ...sketch, captions: sketch.captions[0] };
  const missing = uploadFiles.filter((name) => held[name] === undefined);
  const asked = refused === undefined ? missing : [refused];
  const files = asked.map((name) => fileField(words, name, name === refused));
  const others: readonly FormField[] = [
    publishField(words, publish),
    {
      name: "tags",
      label: words.say("videos.edit.tags"),
      description: words.say("videos.edit.tags_about"),
      required: false,
      maxLength: maxTagsFieldChars,
      value: tags,
    },
  ];
  const texts = compact<FormField>([
    titleField(words, sketch),
    // A longer one would be cut.
    description.length <= maxFieldChars && {
      name: "description",
      label: words.say("videos.edit.description"),
      style: "paragraph",
      required: false,
      maxLength: maxFieldChars,
      value: description,
    },
  ]);
  const fields =
    refused !== undefined
      ? [...files, ...texts, ...others]
      : isAgain === true
        ? [...texts, ...others, ...files]
        : [...texts, ...files, ...others];
  return form({
    title: words.say("videos.upload.form"),
    isReturned: true,
    fields: fields.slice(0, limits.form.fields),
    submit,
  });
}

function titleField(words: Words, { title, video }: UploadFormValues): TextField {
  const field = { name: "title", label: words.say("videos.edit.title"), maxLength: 100 };
  if (video === undefined) return { ...field, value: title };
  const { filename, size } = video;
  // The form has no field for it, so the first one also describes the file.
  const description = size > 0 ? `${filename} · ${words.bytes(size)}` : filename;
  const guess = filename
    .replace(/\.\w{2,5}$/u, "")
    .replace(/[_<>]+/gu, " ")
    .trim()
    .slice(0, 100);
  return { ...field, description, value: title ?? guess };
}

function fileField(words: Words, name: UploadFile, isRefused: boolean): FilesField {
  const units = { units: methods["captions.insert"].cost };
  const about = {
    video: undefined,
    thumbnail: words.say(`videos.upload.${isRefused ? "other_thumbnail" : "thumbnail_about"}`),
    captions: words.say(`videos.upload.${isRefused ? "other_captions" : "captions_about"}`, units),
  };
  return {
    kind: "files",
    name,
    label: words.say(`videos.upload.ask_${name === "video" ? "file" : name}`),
    description: about[name],
    required: name === "video",
  };
}

/** The values with what was typed into the form, and the files that were chosen in it. */
export function withFormInput(
  { words }: RequestInfo,
  { isAgain: _, refused: _2, ...sketch }: UploadFormValues,
  { fields, files }: PressInput,
): UploadFormValues {
  const [video] = files.video ?? [];
  const [thumbnail] = files.thumbnail ?? [];
  const [captions] = files.captions ?? [];
  const language =
    sketch.captionsLanguage ?? (captions && guessCaptionsLanguage(captions, words.tag));
  return {
    ...sketch,
    title: (fields.title ?? sketch.title)?.trim(),
    description: fields.description ?? sketch.description,
    tags: fields.tags ?? sketch.tags,
    publish: (fields.publish ?? sketch.publish)?.trim(),
    video: video === undefined ? sketch.video : requireFilledFile(video),
    thumbnail: thumbnail === undefined ? sketch.thumbnail : requireFilledFile(thumbnail),
    captions:
      captions === undefined || language === undefined
        ? sketch.captions
        : [{ file: requireFilledFile(captions), language }],
  };
}

/** Says what is wrong, with a button back to the form, so that nobody has to type everything again. */
export function backToForm({ words }: RequestInfo, error: BotError, press: Press): Reply {
  return notice({
    tone: "bad",
    title: describeFailureShortly(error, words),
    text: describeAdvice(error, words),
    buttons: [{ label: words.say("common.back_to_form"), style: "primary", press }],
    isPrivate: true,
  });
}
