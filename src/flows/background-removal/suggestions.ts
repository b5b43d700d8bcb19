import { shadowTypes } from "../../background/index.ts";
import { colors, matching, type Suggest, type Words } from "../../discord/index.ts";
import { readGround } from "../cutout/index.ts";

/** Pairs of colours that look good behind most things. */
const gradients = [
  ["white", "grey"],
  ["blue", "purple"],
  ["orange", "pink"],
  ["yellow", "orange"],
  ["green", "blue"],
  ["grey", "black"],
] as const satisfies readonly (readonly [keyof typeof colors, keyof typeof colors])[];

/** Backgrounds by their names in the person's language, after what was typed where that can be read. */
export const suggestGrounds: Suggest = async (typed, { words }) => {
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
  const found = choicesFor(typed, named);
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

export const suggestShadows: Suggest = async (typed, { words }) => {
  const kinds = shadowTypes.map((value) => ({
    title: words.find(`choices.cutoutShadow.${value}`) ?? value,
    value,
  }));
  const perType = "car: car, person: 3D, product: drop";
  return choicesFor(typed, [...kinds, { title: perType, value: perType }]);
};

/** Suggests examples; none match once something else is being typed. */
export function suggestExamples(...values: readonly string[]): Suggest {
  const candidates = values.map((value) => ({ title: value, value }));
  return async (typed) => choicesFor(typed, candidates);
}

function choicesFor(typed: string, candidates: Parameters<typeof matching>[1]) {
  return matching(typed, candidates).map(({ title, value }) => ({ name: title, value }));
}
