import { foregroundTypes, resultSizes, shadowTypes, typeLevels } from "../../background/index.ts";
import type { OptionsOf, Words } from "../../discord/index.ts";
import type { FeatureSuggest } from "../context/index.ts";
import { colors, readCutoutGround } from "../cutout/index.ts";
import { option } from "../declarations/index.ts";
import { matchCandidates } from "../suggestions/index.ts";
import { attachedPictures, type PictureSource, readPictureAddress } from "./picture-source.ts";

/** Pairs of colours that look good behind most things. */
const gradients = [
  ["white", "grey"],
  ["blue", "purple"],
  ["orange", "pink"],
  ["yellow", "orange"],
  ["green", "blue"],
  ["grey", "black"],
] as const satisfies readonly (readonly [keyof typeof colors, keyof typeof colors])[];

/** Backgrounds by their names in the person's language; a value is what `readCutoutGround` reads. */
export function namedGrounds(words: Words): readonly { title: string; value: string }[] {
  return [
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
}

/** What was typed comes first if it is a background. */
const suggestGrounds: FeatureSuggest = async (typed, { words }) => {
  const found = choicesFor(typed, namedGrounds(words));
  const own = typed.trim();
  const isNew = own !== "" && !found.some(({ name }) => name.toLowerCase() === own.toLowerCase());
  if (!isNew) return found;
  try {
    readCutoutGround(own, words);
    return [{ name: own, value: own }, ...found];
  } catch {
    // Half a word is not a background yet.
    return found;
  }
};

function colorName(name: string, words: Words): string {
  return words.find(`choices.color.${name}`) ?? name;
}

const suggestShadows: FeatureSuggest = async (typed, { words }) => {
  const kinds = shadowTypes.map((value) => ({
    title: words.find(`choices.cutoutShadow.${value}`) ?? value,
    value,
  }));
  const perType = "car: car, person: 3D, product: drop";
  return choicesFor(typed, [...kinds, { title: perType, value: perType }]);
};

/** Suggests examples, as long as they match what was typed. */
function suggestExamples(...values: readonly string[]): FeatureSuggest {
  const candidates = values.map((value) => ({ title: value, value }));
  return async (typed) => choicesFor(typed, candidates);
}

function choicesFor(typed: string, candidates: Parameters<typeof matchCandidates>[1]) {
  return matchCandidates(typed, candidates).map(({ title, value }) => ({ name: title, value }));
}

/** Options that suit a kind of picture. Whatever a person chooses wins over them. */
export const cutoutPresets = {
  /** As shops show things: on white, close, with a shadow below. */
  product: {
    type: "product",
    crop: true,
    cropMargin: "8%",
    shadowType: "drop",
    ground: { kind: "color", color: "#ffffff" },
  },
  /** The person stays where they are; what is behind them goes out of focus. */
  portrait: { type: "person", ground: { kind: "blur" } },
  /** A face for a profile. No margin below and beside it, because shoulders that end before the edge seem to float. */
  profile: {
    type: "person",
    crop: true,
    cropMargin: "8% 0% 0% 0%",
    ground: { kind: "gradient", from: "#8fa8ff", to: "#5b4bc4" },
  },
  pet: { type: "animal", crop: true, cropMargin: "5%", ground: { kind: "transparent" } },
  /** As dealers show cars: on light grey, which shows through the windows, and with the shadow of a car. */
  car: {
    type: "car",
    semitransparency: true,
    shadowType: "car",
    ground: { kind: "gradient", from: "#ffffff", to: "#d5d9e0" },
  },
  /** Ready to be laid over anything. */
  logo: { type: "graphic", crop: true, cropMargin: "4%", ground: { kind: "transparent" } },
} as const;

type PresetName = keyof typeof cutoutPresets;

export const cutoutPresetNames = Object.keys(cutoutPresets) as readonly PresetName[];

/** The longest address that is accepted. */
const maxAddressChars = 2000;

/** All options of `/background remove`, the most used first. */
export const removalOptions = {
  image: option.attachment({}),
  preset: option.choice({ group: "cutoutPreset", values: cutoutPresetNames }),
  background: option.text({ max: 100, suggest: suggestGrounds }),
  background_image: option.attachment({}),
  /** `zip`: remove.bg's own file with colours and mask, for image editors. */
  format: option.choice({ group: "cutoutFormat", values: ["png", "webp", "jpg", "zip"] }),
  size: option.choice({ group: "cutoutSize", values: resultSizes }),
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
  delivery: option.choice({ group: "cutoutDelivery", values: ["auto", "files", "zip"] }),
  link: option.text({ max: maxAddressChars }),
  background_link: option.text({ max: maxAddressChars }),
  image_2: option.attachment({}),
  image_3: option.attachment({}),
  image_4: option.attachment({}),
} as const;

export type RemovalOptions = Partial<OptionsOf<typeof removalOptions>>;

/** The pictures that the options name: attachments and an address. @throws InputError `invalid_image_url` */
export function picturesInOptions(options: RemovalOptions): readonly PictureSource[] {
  const { image, image_2, image_3, image_4, link } = options;
  return [
    ...attachedPictures([image, image_2, image_3, image_4]),
    ...(link === undefined ? [] : [{ link: readPictureAddress(link, "invalid_image_url") }]),
  ];
}
