import {
  type Asked,
  action,
  type Form,
  type FormField,
  form,
  limits,
  named,
} from "../../discord/index.ts";
import { compact } from "../compact.ts";
import { cutOut } from "./cut-out.ts";
import { attached, type Options, readWishes } from "./options.ts";
import { presetNames } from "./presets.ts";

/** Options as they were given, which a form adds to. */
type Sketch = Options;

/**
 * The form that comes first when no picture was named: for up to ten of them, and for what most people choose. What was
 * given beside them is looked at before anything is asked.
 * @throws InputError as `readWishes`
 */
export function pictureForm({ words }: Asked, options: Options): Form {
  readWishes(options, words);
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
      options: presetNames.map((value) => ({
        value,
        label: named(words, "cutoutPreset", value) ?? value,
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

const submitted = action<Sketch>({
  name: "background.submitted",
  answer: "public",
  by: "requester",
  needs: ["background-key"],
  wants: ["channel"],
  run: async (ctx, options, { fields, files }) => {
    const { preset, background } = fields;
    const chosen = presetNames.find((name) => name === preset);
    const whole: Options = {
      ...options,
      ...(chosen !== undefined && { preset: chosen }),
      ...(background !== undefined && background.trim() !== "" && { background }),
    };
    return cutOut(ctx, attached(files.pictures ?? []), { wishes: readWishes(whole, ctx.words) });
  },
});

export const formActions = [submitted] as const;
