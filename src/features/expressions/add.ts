import {
  customEmoji,
  type FilesReply,
  type Form,
  type FormField,
  files,
  form,
  limits,
  type PressInput,
  type ReplyFile,
  type RequestInfo,
  type ServerExpression,
} from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import {
  expressionFile,
  otherFormButtons,
  readShownExpression,
  readWholeCutout,
} from "./draw-expression.ts";
import {
  requireExpressionName,
  requireStickerDescription,
  suggestExpressionName,
} from "./expression-names.ts";
import { type ExpressionChoice, expressionActionNames, pressExpression } from "./kinds.ts";

/** Emoji for which Discord can suggest a sticker, by Discord's names for them. */
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

type RelatedEmoji = keyof typeof related;

const firstRelated: RelatedEmoji = "star";

const relatedNames = Object.keys(related) as readonly RelatedEmoji[];

/** Opens the form for the name. */
export const nameExpression = action<ExpressionChoice>({
  name: expressionActionNames.name,
  answer: "form",
  form: nameForm,
});

function nameForm({ words }: RequestInfo, chosen: ExpressionChoice): Form {
  const { kind, source } = chosen;
  const { name: maxLength, minName: minLength } = limits[kind];
  const name: FormField = {
    name: "name",
    label: words.say("expressions.form.name"),
    description: words.say(`expressions.form.${kind}_name`),
    value: suggestExpressionName(source.name, kind) ?? kind,
    minLength,
    maxLength,
  };
  return form({
    title: words.say(`expressions.form.${kind}`),
    fields: kind === "emoji" ? [name] : [name, ...stickerFields(words)],
    submit: pressExpression("add", chosen),
    isReturned: true,
  });
}

function stickerFields(words: RequestInfo["words"]): readonly FormField[] {
  return [
    {
      kind: "select",
      name: "related",
      label: words.say("expressions.form.related"),
      description: words.say("expressions.form.related_why"),
      options: relatedNames.map((value) => ({
        label: words.say(`expressions.related.${value}`),
        value,
        emoji: related[value],
        isDefault: value === firstRelated,
      })),
    },
    {
      name: "description",
      label: words.say("expressions.form.description"),
      required: false,
      maxLength: limits.sticker.description,
    },
  ];
}

/** Adds exactly the picture that the message shows. What was typed is checked before anything is sent. */
export const addExpression = action<ExpressionChoice>({
  name: expressionActionNames.add,
  isOnce: true,
  run: async (ctx, chosen, input) => {
    const read = adderFor(chosen, input);
    const [data, whole] = await Promise.all([
      readShownExpression(ctx, chosen),
      readWholeCutout(ctx, chosen),
    ]);
    return drawAdded(ctx, chosen, await read(ctx, data), { data, whole });
  },
});

type ExpressionAdder = (ctx: Ctx, data: Uint8Array) => Promise<ServerExpression>;

/** @throws InputError `emoji_name`, `sticker_name`, `sticker_description` */
function adderFor({ kind }: ExpressionChoice, { fields, lists }: PressInput): ExpressionAdder {
  const name = requireExpressionName(fields.name ?? "", kind);
  if (kind === "emoji") return ({ expressions }, data) => expressions.addEmoji({ name, data });
  const description = requireStickerDescription(fields.description ?? "");
  const tags = relatedNames.find((known) => known === lists.related?.[0]) ?? firstRelated;
  return ({ expressions }, data) => expressions.addSticker({ name, description, tags, data });
}

function drawAdded(
  ctx: Ctx,
  chosen: ExpressionChoice,
  expression: ServerExpression,
  { data, whole }: { readonly data: Uint8Array; readonly whole: ReplyFile | undefined },
): FilesReply {
  const { words } = ctx;
  const { name } = expression;
  const emoji = customEmoji(expression);
  return files({
    title: words.say(`expressions.added.${chosen.kind}`),
    text:
      chosen.kind === "emoji"
        ? words.md("expressions.added.emoji_text", { emoji, code: `:${name}:` })
        : words.md("expressions.added.sticker_text", { name }),
    files: [expressionFile(ctx, chosen, data), ...(whole === undefined ? [] : [whole])],
    buttons: otherFormButtons(ctx, chosen),
    isPrivate: true,
  });
}
