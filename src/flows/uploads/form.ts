import {
  type Attachment,
  adviceOf,
  describeFailureShortly,
  type Form,
  form,
  notice,
  type Press,
  type Reply,
  type RequestInfo,
  type TextField,
  type Words,
} from "../../discord/index.ts";
import type { InputError } from "../../errors.ts";
import type { Extra } from "../extra/index.ts";
import type { UploadDraft, VideoPrivacy } from "./draft.ts";

/** A draft whose title, tags and time of publication are still text as somebody typed it. */
export type UploadFormValues = Omit<
  UploadDraft,
  "title" | "privacy" | "publishAt" | "tags" | "extra"
> & {
  readonly title?: string | undefined;
  readonly privacy?: VideoPrivacy | undefined;
  readonly publish?: string | undefined;
  readonly tags?: string | undefined;
  readonly extra: Extra;
};

const privacies = ["private", "unlisted", "public"] as const satisfies readonly VideoPrivacy[];

/** The field for who can watch the video, with the current choice selected. */
export function privacyField(words: Words, chosen: VideoPrivacy | undefined) {
  return {
    kind: "select",
    name: "privacy",
    label: words.say("videos.edit.privacy"),
    options: privacies.map((value) => ({
      value,
      label: words.say(`choices.privacyStatus.${value}`),
      description: words.say(`videos.privacy_about.${value}`),
      isDefault: value === chosen,
    })),
  } as const;
}

export function publishField(words: Words, value: string | undefined): TextField {
  return {
    name: "publish",
    label: words.say("videos.edit.publish"),
    description: words.say("videos.edit.publish_about"),
    placeholder: words.say("videos.edit.publish_example"),
    required: false,
    maxLength: 100,
    ...(value === undefined ? {} : { value }),
  };
}

/** A form for title, description, tags, privacy and time of publication. */
export function uploadForm(
  { words }: RequestInfo,
  sketch: UploadFormValues,
  submit: (sketch: UploadFormValues) => Press,
): Form {
  const { title = titleOf(sketch.video), description, tags, privacy = "private", publish } = sketch;
  const { filename, size } = sketch.video;
  // A form has room for five fields only, so the first one also describes the file.
  const about = size > 0 ? `${filename} · ${words.bytes(size)}` : filename;
  return form({
    title: words.say("videos.upload.form"),
    fields: [
      {
        name: "title",
        label: words.say("videos.edit.title"),
        description: about,
        maxLength: 100,
        value: title,
      },
      {
        name: "description",
        label: words.say("videos.edit.description"),
        style: "paragraph",
        required: false,
        maxLength: 4000,
        ...(description === undefined ? {} : { value: description }),
      },
      {
        name: "tags",
        label: words.say("videos.edit.tags"),
        description: words.say("videos.edit.tags_about"),
        required: false,
        maxLength: 500,
        ...(tags === undefined ? {} : { value: tags }),
      },
      privacyField(words, privacy),
      publishField(words, publish),
    ],
    submit: submit(sketch),
  });
}

/** A first guess: the file's name without its ending. */
function titleOf({ filename }: Attachment): string {
  return filename
    .replace(/\.\w{2,5}$/u, "")
    .replace(/[_<>]+/gu, " ")
    .trim()
    .slice(0, 100);
}

/** Says what is wrong, with a button back to the form, so that nobody has to type everything again. */
export function backToForm({ words }: RequestInfo, error: InputError, press: Press): Reply {
  return notice({
    tone: "bad",
    title: describeFailureShortly(error, words),
    text: adviceOf(error, words),
    buttons: [{ label: words.say("common.back_to_form"), style: "primary", press }],
  });
}
