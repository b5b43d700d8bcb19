import { foregroundTypes, shadowTypes, sizes, typeLevels } from "../../background/index.ts";
import {
  type Attachment,
  colors,
  matching,
  type OptionsOf,
  option,
  type Suggest,
  type TargetMessage,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { compact } from "../compact.ts";
import { plainAttachment } from "../plain-attachment.ts";
import { requireHarmony } from "./check.ts";
import { readGround } from "./grounds.ts";
import { readMargin, readPosition, readRegion, readScale } from "./lengths.ts";
import { presetNames, withPreset } from "./presets.ts";
import { readOpacity, readShadow } from "./shadows.ts";
import { deliveries, type Given, type Ground, resultFormats, type Wishes } from "./wishes.ts";

/** Pairs that look good behind most things. */
const gradients = [
  ["white", "grey"],
  ["blue", "purple"],
  ["orange", "pink"],
  ["yellow", "orange"],
  ["green", "blue"],
  ["grey", "black"],
] as const satisfies readonly (readonly [keyof typeof colors, keyof typeof colors])[];

/** What can lie behind a subject, by its names in the person's language; what was typed first, when it can be read. */
const suggestGrounds: Suggest = async (typed, { words }) => {
  const named = [
    { title: words.say("background.ground.transparent"), value: "transparent" },
    { title: words.say("background.ground.blur"), value: "blur" },
    { title: words.say("background.ground.blur_strong"), value: "blur 80" },
    ...Object.keys(colors).map((name) => ({ title: colorName(name, words), value: name })),
    ...gradients.map(([from, to]) => ({
      title: words.say("background.ground.gradient", {
        from: colorName(from, words),
        to: colorName(to, words),
      }),
      value: `${from} to ${to}`,
    })),
  ];
  const found = matching(typed, named).map(({ title, value }) => ({ name: title, value }));
  const own = typed.trim();
  const isNew = own !== "" && !found.some(({ name }) => name.toLowerCase() === own.toLowerCase());
  return isNew && isReadable(own, words) ? [{ name: own, value: own }, ...found] : found;
};

function isReadable(text: string, words: Words): boolean {
  try {
    readGround(text, words);
    return true;
  } catch {
    // Half a word is no background yet.
    return false;
  }
}

function colorName(name: string, words: Words): string {
  return words.find(`choices.color.${name}`) ?? name;
}

const suggestShadows: Suggest = async (typed, { words }) => {
  const kinds = shadowTypes.map((value) => ({
    title: words.find(`choices.cutoutShadow.${value}`) ?? value,
    value,
  }));
  const perType = {
    title: "car: car, person: 3D, product: drop",
    value: "car: car, person: 3D, product: drop",
  };
  return matching(typed, [...kinds, perType]).map(({ title, value }) => ({ name: title, value }));
};

/** Values as they may be written; none once something else is being typed. */
function suggestExamples(...values: readonly string[]): Suggest {
  const candidates = values.map((value) => ({ title: value, value }));
  return async (typed) =>
    matching(typed, candidates).map(({ title, value }) => ({ name: title, value }));
}

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
    ...(margin !== undefined && { cropMargin: readMargin(margin) }),
    ...(region !== undefined && { roi: readRegion(region) }),
    ...(scale !== undefined && { scale: readScale(scale) }),
    ...(position !== undefined && { position: readPosition(position) }),
    ...(options.mask_only === true && { maskOnly: true }),
    ...(windows !== undefined && { semitransparency: windows }),
    ...(shadow !== undefined && { shadowType: readShadow(shadow) }),
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
  const grounds: readonly Ground[] = compact([
    background !== undefined && readGround(background, words),
    ...attached([picture]).flatMap((one) =>
      "attachment" in one ? [{ kind: "picture", picture: one.attachment } as const] : [],
    ),
    link !== undefined &&
      ({ kind: "link", link: addressIn(link, "invalid_bg_image_url") } as const),
  ]);
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

/**
 * The pictures of a message: those attached to it, or else those that its embeds show from Discord's own hosts, which
 * stand among `known`. The bytes are judged later.
 */
export function picturesOf(message: TargetMessage, known: readonly Attachment[]): readonly Given[] {
  const own = message.attachments.filter(isPicture);
  return attached(own.length > 0 ? own : known.filter(isPicture));
}

const endings = /\.(?:jpe?g|png|webp|gif|avif|heic|heif|bmp|tiff?)$/iu;

function isPicture({ content_type: type, filename }: Attachment): boolean {
  return type?.startsWith("image/") ?? endings.test(filename);
}
