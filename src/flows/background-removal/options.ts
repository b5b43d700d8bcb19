import { foregroundTypes, sizes, typeLevels } from "../../background/index.ts";
import { type OptionsOf, option } from "../../discord/index.ts";
import { attachedPictures, type PictureSource, readAddress } from "./picture-source.ts";
import { presetNames } from "./presets.ts";
import { suggestExamples, suggestGrounds, suggestShadows } from "./suggestions.ts";

/** Longest address that is passed on. */
const maxAddressLength = 2000;

/** All of `/background remove`, in the order in which people reach for them. */
export const removalOptions = {
  image: option.attachment({}),
  preset: option.choice({ group: "cutoutPreset", values: presetNames }),
  background: option.text({ max: 100, suggest: suggestGrounds }),
  background_image: option.attachment({}),
  /** `zip`: the service's own file of colours and mask, for editors. */
  format: option.choice({ group: "cutoutFormat", values: ["png", "webp", "jpg", "zip"] }),
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
  delivery: option.choice({ group: "cutoutDelivery", values: ["auto", "files", "zip"] }),
  link: option.text({ max: maxAddressLength }),
  background_link: option.text({ max: maxAddressLength }),
  image_2: option.attachment({}),
  image_3: option.attachment({}),
  image_4: option.attachment({}),
} as const;

export type RemovalOptions = OptionsOf<typeof removalOptions>;

/** The pictures that were given, as attachments and by an address. @throws InputError `invalid_image_url` */
export function namedPictures(options: RemovalOptions): readonly PictureSource[] {
  const { image, image_2, image_3, image_4, link } = options;
  return [
    ...attachedPictures([image, image_2, image_3, image_4]),
    ...(link === undefined ? [] : [{ link: readAddress(link, "invalid_image_url") }]),
  ];
}
