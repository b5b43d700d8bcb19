import {
  type Asked,
  type Attachment,
  adviceOf,
  type Extra,
  type Form,
  form,
  inShort,
  notice,
  type Press,
  type Reply,
  type TextField,
  type Words,
} from "../../discord/index.ts";
import type { InputError } from "../../errors.ts";
import type { Draft, Privacy } from "./draft.ts";

/** A draft whose title, tags and moment are still as somebody typed them. */
export type Sketch = Omit<Draft, "title" | "privacy" | "publishAt" | "tags" | "extra"> & {
  readonly title?: string | undefined;
  readonly privacy?: Privacy | undefined;
  readonly publish?: string | undefined;
  readonly tags?: string | undefined;
  readonly extra: Extra;
};

const privacies = ["private", "unlisted", "public"] as const satisfies readonly Privacy[];

/** Who can watch it, with the current choice selected. */
export function privacyField(words: Words, chosen: Privacy | undefined) {
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

/** Title, description, keywords, who can watch it and when: what a video needs before it goes up. */
export function uploadForm(
  { words }: Asked,
  sketch: Sketch,
  submit: (sketch: Sketch) => Press,
): Form {
  const { title = titleOf(sketch.video), description, tags, privacy = "private", publish } = sketch;
  const { filename, size } = sketch.video;
  // A form has room for five fields, so that the file is described in the first.
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

/** A file's name without its ending, as a first guess. */
function titleOf({ filename }: Attachment): string {
  return filename
    .replace(/\.\w{2,5}$/u, "")
    .replace(/[_<>]+/gu, " ")
    .trim()
    .slice(0, 100);
}

/** Says what is wrong and leads back to the form, so that nobody types everything again because of one slip. */
export function backToForm({ words }: Asked, error: InputError, press: Press): Reply {
  return notice({
    tone: "bad",
    title: inShort(error, words),
    text: adviceOf(error, words),
    buttons: [{ label: words.say("common.back_to_form"), style: "primary", press }],
  });
}
