import {
  type Asked,
  action,
  type Ctx,
  customEmoji,
  type Expression,
  type Files,
  type Form,
  type FormField,
  files,
  form,
  type Input,
  limits,
  type ReplyFile,
  type SelectOption,
  type Words,
} from "../../discord/index.ts";
import { type ExpressionChoice, names, pressOf } from "./kinds.ts";
import { requireDescription, requireName, suggestedName } from "./names.ts";
import { otherButtons, pictureFile, pictureOf, wholeOf } from "./view.ts";

/** Emoji that Discord may suggest a sticker for, by their names at Discord. */
const related = {
  star: "⭐",
  smile: "😄",
  joy: "😂",
  heart: "❤️",
  heart_eyes: "😍",
  thumbsup: "👍",
  clap: "👏",
  wave: "👋",
  tada: "🎉",
  fire: "🔥",
  eyes: "👀",
  thinking: "🤔",
  sunglasses: "😎",
  sob: "😭",
  rage: "😡",
  scream: "😱",
  sleeping: "😴",
  cat: "🐱",
  dog: "🐶",
  coffee: "☕",
  gift: "🎁",
  video_game: "🎮",
  red_car: "🚗",
  rocket: "🚀",
} as const;

type Related = keyof typeof related;

const firstRelated: Related = "star";

function isRelated(name: string | undefined): name is Related {
  return name !== undefined && Object.hasOwn(related, name);
}

function relatedOptions(words: Words): readonly SelectOption[] {
  return Object.entries(related).map(([name, emoji]) => ({
    label: words.say(`expressions.related.${name as Related}`),
    value: name,
    emoji,
    isDefault: name === firstRelated,
  }));
}

/** Asks for a name. */
export const nameIt = action<ExpressionChoice>({
  name: names.name,
  answer: "form",
  by: "requester",
  form: nameForm,
});

function nameForm({ words }: Asked, chosen: ExpressionChoice): Form {
  const { kind, source } = chosen;
  const { name: maxLength, minName: minLength } = limits[kind];
  const name: FormField = {
    name: "name",
    label: words.say("expressions.form.name"),
    description: words.say(`expressions.form.${kind}_name`),
    value: suggestedName(source.name, kind) ?? kind,
    minLength,
    maxLength,
  };
  return form({
    title: words.say(`expressions.form.${kind}`),
    fields: kind === "emoji" ? [name] : [name, ...stickerFields(words)],
    submit: pressOf("add", chosen),
    isReturned: true,
  });
}

function stickerFields(words: Asked["words"]): readonly FormField[] {
  return [
    {
      kind: "select",
      name: "related",
      label: words.say("expressions.form.related"),
      description: words.say("expressions.form.related_why"),
      options: relatedOptions(words),
    },
    {
      name: "description",
      label: words.say("expressions.form.description"),
      required: false,
      maxLength: limits.sticker.description,
    },
  ];
}

/** Adds exactly the picture that is shown; what was typed is checked before anything is sent. */
export const addIt = action<ExpressionChoice>({
  name: names.add,
  answer: "update",
  by: "requester",
  isOnce: true,
  run: async (ctx, chosen, input) => {
    const read = readerOf(chosen, input);
    const [data, whole] = await Promise.all([pictureOf(ctx, chosen), wholeOf(ctx, chosen)]);
    return drawAdded(ctx, chosen, await read(ctx, data), { data, whole });
  },
});

type Adding = (ctx: Ctx, data: Uint8Array) => Promise<Expression>;

/** @throws InputError `emoji_name`, `sticker_name`, `sticker_description` */
function readerOf({ kind }: ExpressionChoice, { fields, lists }: Input): Adding {
  const name = requireName(fields.name ?? "", kind);
  if (kind === "emoji") return ({ expressions }, data) => expressions.addEmoji({ name, data });
  const description = requireDescription(fields.description ?? "");
  const related = lists.related?.[0];
  const tags = isRelated(related) ? related : firstRelated;
  return ({ expressions }, data) => expressions.addSticker({ name, description, tags, data });
}

interface Shown {
  readonly data: Uint8Array;
  readonly whole: ReplyFile | undefined;
}

function drawAdded(
  ctx: Ctx,
  chosen: ExpressionChoice,
  expression: Expression,
  { data, whole }: Shown,
): Files {
  const { words } = ctx;
  const { name } = expression;
  const emoji = customEmoji(expression);
  return files({
    title: words.say(`expressions.added.${chosen.kind}`),
    text:
      chosen.kind === "emoji"
        ? words.md("expressions.added.emoji_text", { emoji, code: `:${name}:` })
        : words.md("expressions.added.sticker_text", { name }),
    files: [pictureFile(ctx, chosen, data), ...(whole === undefined ? [] : [whole])],
    buttons: otherButtons(ctx, chosen),
    isPrivate: true,
  });
}
