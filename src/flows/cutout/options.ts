import { foregroundTypes, sizes, typeLevels } from "../../background/index.ts";
import { type Attachment, type OptionsOf, option, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { plainAttachment } from "../plain-attachment.ts";
import { requireHarmony } from "./check.ts";
import { readGround } from "./grounds.ts";
import { readMargin, readPosition, readRegion, readScale } from "./lengths.ts";
import { presetNames, withPreset } from "./presets.ts";
import { readOpacity, readShadow } from "./shadows.ts";
import { suggestExamples, suggestGrounds, suggestShadows } from "./suggestions.ts";
import { deliveries, type Given, type Ground, resultFormats, type Wishes } from "./wishes.ts";

/** Longest address that is handed on. */
const mostLink = 2000;

/** All of `/background remove`, in the order in which people reach for them. */
export const options = {
  image: option.attachment({}),
  preset: option.choice({ group: "cutoutPreset", values: presetNames }),
  background: option.text({ max: 100, suggest: suggestGrounds }),
  background_image: option.attachment({}),
  format: option.choice({ group: "cutoutFormat", values: resultFormats }),
  size: option.choice({ group: "cutoutSize", values: sizes }),
  crop: option.flag({}),
  margin: option.text({ max: 60, suggest: suggestExamples("0", "20px", "5%", "10%", "10% 20%") }),
  shadow: option.text({ max: 200, suggest: suggestShadows }),
  shadow_opacity: option.text({ max: 200, suggest: suggestExamples("auto", "30", "50", "80") }),
  subject: option.choice({ group: "subject", values: foregroundTypes }),
  subject_detail: option.choice({ group: "subjectDetail", values: typeLevels }),
  scale: option.text({ max: 20, suggest: suggestExamples("original", "50%", "80%", "100%") }),
  position: option.text({
    max: 40,
    suggest: suggestExamples("original", "center", "bottom", "left", "right", "50% 80%"),
  }),
  region: option.text({
    max: 80,
    suggest: suggestExamples("0% 0% 50% 100%", "50% 0% 100% 100%", "10% 10% 90% 90%"),
  }),
  windows: option.flag({}),
  mask_only: option.flag({}),
  name: option.text({ max: 80 }),
  delivery: option.choice({ group: "cutoutDelivery", values: deliveries }),
  link: option.text({ max: mostLink }),
  background_link: option.text({ max: mostLink }),
  image_2: option.attachment({}),
  image_3: option.attachment({}),
  image_4: option.attachment({}),
} as const;

export type Options = OptionsOf<typeof options>;

/** The pictures that were named, by attachments and by an address. @throws InputError `invalid_image_url` */
export function givenIn(options: Options): readonly Given[] {
  const { image, image_2, image_3, image_4, link } = options;
  return [
    ...attached([image, image_2, image_3, image_4]),
    ...(link === undefined ? [] : [{ link: addressIn(link, "invalid_image_url") }]),
  ];
}

export function attached(all: readonly (Attachment | undefined)[]): readonly Given[] {
  return all.flatMap((one) => (one === undefined ? [] : [{ attachment: plainAttachment(one) }]));
}

/**
 * What the options ask for together, their preset included.
 * @throws InputError by the option that can't be read, or by two that do not go together
 */
export function readWishes(options: Options, words: Words): Wishes {
  const { format, size, crop, margin, shadow, scale, position, region, windows, name } = options;
  const { subject, subject_detail: typeLevel, shadow_opacity: opacity, delivery } = options;
  const ground = groundIn(options, words);
  const wishes: Wishes = {
    ...(ground !== undefined && { ground }),
    ...(format !== undefined && { format }),
    ...(size !== undefined && { size }),
    ...(subject !== undefined && { type: subject }),
    ...(typeLevel !== undefined && { typeLevel }),
    ...(crop !== undefined && { crop }),
    ...(margin !== undefined && { margin: readMargin(margin) }),
    ...(region !== undefined && { region: readRegion(region) }),
    ...(scale !== undefined && { scale: readScale(scale) }),
    ...(position !== undefined && { position: readPosition(position) }),
    ...(options.mask_only === true && { maskOnly: true }),
    ...(windows !== undefined && { windows }),
    ...(shadow !== undefined && { shadow: readShadow(shadow) }),
    ...(opacity !== undefined && { shadowOpacity: readOpacity(opacity) }),
    ...(name !== undefined && { name }),
    ...(delivery !== undefined && { delivery }),
  };
  const whole = withPreset(wishes, options.preset);
  requireHarmony(whole);
  return whole;
}

/** @throws InputError `multiple_bg_sources`, `background_unreadable`, `invalid_bg_image_url` */
function groundIn(options: Options, words: Words): Ground | undefined {
  const { background, background_image: picture, background_link: link } = options;
  const grounds: readonly Ground[] = [
    ...(background === undefined ? [] : [readGround(background, words)]),
    ...attached([picture]).flatMap((one) =>
      "attachment" in one ? [{ kind: "picture", picture: one.attachment } as const] : [],
    ),
    ...(link === undefined
      ? []
      : [{ kind: "link", link: addressIn(link, "invalid_bg_image_url") } as const]),
  ];
  if (grounds.length <= 1) return grounds[0];
  throw new InputError("more than one background", {
    code: "multiple_bg_sources",
    hint: "Give only one background: a color or one picture.",
  });
}

/** An address on the web, which only the service will ever open. */
function addressIn(text: string, code: "invalid_image_url" | "invalid_bg_image_url"): string {
  const typed = text.trim().replace(/^<(.*)>$/u, "$1");
  if (URL.canParse(typed)) {
    const { protocol, username, password, href, hostname } = new URL(typed);
    const isWeb = protocol === "https:" || protocol === "http:";
    if (isWeb && username === "" && password === "" && hostname.includes(".")) return href;
  }
  throw new InputError("no address on the web", {
    code,
    hint: "That is no address of a picture on the web. Attach the picture instead.",
  });
}
