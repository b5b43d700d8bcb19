import {
  compact,
  type Form,
  type FormField,
  form,
  limits,
  type RequestInfo,
} from "../../discord/index.ts";
import { presses, valueName } from "../cards/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { cutOut } from "./cut-out.ts";
import { readCutoutOptions } from "./cutout-options.ts";
import { cutoutPresetNames, type RemovalOptions } from "./options.ts";
import { attachedPictures } from "./picture-source.ts";

/**
 * The form that opens when no picture was given. It asks for up to ten pictures and the most used options. The options
 * of the command are checked before it opens.
 * @throws InputError as `readCutoutOptions`
 */
export function pictureForm({ words }: RequestInfo, options: RemovalOptions): Form {
  readCutoutOptions(options, words);
  const hasGround =
    options.background !== undefined ||
    options.background_image !== undefined ||
    options.background_link !== undefined;
  const fields: readonly FormField[] = compact([
    {
      kind: "files",
      name: "pictures",
      label: words.say("background.form.pictures"),
      description: words.say("background.form.pictures_about"),
      min: 1,
      max: limits.message.files,
    },
    options.preset === undefined && {
      kind: "select" as const,
      name: "preset",
      label: words.say("background.form.preset"),
      required: false,
      options: cutoutPresetNames.map((value) => ({
        value,
        label: valueName(words, "cutoutPreset", value) ?? value,
        description: words.say(`background.preset_about.${value}`),
      })),
    },
    ...(hasGround || options.mask_only === true || options.format === "zip"
      ? []
      : [
          {
            name: "background",
            label: words.say("background.form.background"),
            description: words.say("background.form.background_about"),
            placeholder: words.say("background.form.background_example"),
            required: false,
            maxLength: 100,
          },
        ]),
  ]);
  return form({
    title: words.say("background.form.title"),
    fields,
    submit: submitted.press(options),
    isReturned: true,
  });
}

const submitted = action<RemovalOptions>({
  name: "background.submitted",
  answer: "public",
  needs: ["background-key"],
  wants: ["channel"],
  run: async (ctx, options, { fields, files }) => {
    const { preset, background } = fields;
    const chosen = cutoutPresetNames.find((name) => name === preset);
    const whole: RemovalOptions = {
      ...options,
      ...(chosen !== undefined && { preset: chosen }),
      ...(background !== undefined && background.trim() !== "" && { background }),
    };
    const all = attachedPictures(files.pictures ?? []);
    return cutOut(ctx, { all, order: { wishes: readCutoutOptions(whole, ctx.words) } });
  },
});

/** The same form from a button, without options. */
const openPictureForm = actionFor(presses.picture.form, {
  by: "requester",
  answer: "form",
  needs: ["background-key"],
  form: (request) => pictureForm(request, {}),
});

export const formActions = [submitted, openPictureForm] as const;
