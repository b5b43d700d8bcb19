/** What suits a kind of picture. Anything that a person asks for comes before it. */
export const presets = {
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
  /** A face for a profile. No margin below and beside it: shoulders that end short of the edges would float. */
  profile: {
    type: "person",
    crop: true,
    cropMargin: "8% 0% 0% 0%",
    ground: { kind: "gradient", from: "#8fa8ff", to: "#5b4bc4" },
  },
  pet: { type: "animal", crop: true, cropMargin: "5%", ground: { kind: "transparent" } },
  /** As dealers show cars: on light grey that shows through the windows, with the car's own shadow. */
  car: {
    type: "car",
    semitransparency: true,
    shadowType: "car",
    ground: { kind: "gradient", from: "#ffffff", to: "#d5d9e0" },
  },
  /** Ready to be laid over anything. */
  logo: { type: "graphic", crop: true, cropMargin: "4%", ground: { kind: "transparent" } },
} as const;

type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as readonly PresetName[];
