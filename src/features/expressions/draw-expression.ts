import {
  type Attachment,
  type Button,
  compact,
  describeAdvice,
  type ExpressionKind,
  type FilesReply,
  files,
  join,
  pressFor,
  type Reply,
  type ReplyFile,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { SquarePicture } from "../../images/index.ts";
import type { Ctx } from "../context/index.ts";
import { type CutoutSource, cutoutFile, foregroundOption, readCutout } from "../cutout/index.ts";
import { action } from "../declarations/index.ts";
import { suggestExpressionName } from "./expression-names.ts";
import {
  type ExpressionChoice,
  expressionActionNames,
  expressionForms,
  largeSticker,
  otherKind,
  pressExpression,
} from "./kinds.ts";

export function makeSquare(
  ctx: Ctx,
  cutout: Uint8Array,
  { kind, hasRim, source }: Pick<ExpressionChoice, "kind" | "hasRim"> & Partial<ExpressionChoice>,
): Promise<SquarePicture> {
  const { rim, side, maxBytes } = expressionForms[kind];
  const looks = { ...(hasRim && { rim }), ...foregroundOption(source?.found) };
  return ctx.images.square(cutout, { side, maxBytes, signal: ctx.signal, ...looks });
}

/** What the reply has besides the picture. */
interface ExpressionReplyParts {
  /** Shown first. */
  readonly lines?: readonly Text[];
  /** The whole cut-out as a second file, if no other message has it. */
  readonly whole?: ReplyFile | undefined;
  readonly cost?: string | undefined;
  /** Besides those for what can be done with the picture. */
  readonly buttons?: readonly Button[];
}

/** The picture, with buttons for everything that can be done with it. */
export async function drawExpression(
  ctx: Ctx,
  chosen: ExpressionChoice,
  square: SquarePicture,
  { lines = [], whole, cost, buttons = [] }: ExpressionReplyParts = {},
): Promise<FilesReply> {
  const { words } = ctx;
  const error = await ctx.expressions.rightsError();
  const { kind, hasRim } = chosen;
  const { side, maxBytes } = expressionForms[kind];
  const text = compact([
    ...lines,
    whole !== undefined && words.say("expressions.whole"),
    square.fitted === "colors" && words.say("expressions.colors", { limit: words.bytes(maxBytes) }),
    // Why there is no button to add it.
    error?.code === "expression_not_allowed"
      ? words.say("expressions.not_allowed")
      : error !== undefined && describeAdvice(error, words),
  ]);
  const facts = [cost, `${side}×${side}`, "PNG", words.bytes(square.bytes.length)];
  const add: Button = {
    label: words.say("expressions.add"),
    style: "success",
    press: pressExpression("name", chosen),
  };
  const rim: Button = {
    label: words.say(hasRim ? "expressions.without_rim" : "expressions.with_rim"),
    press: pressExpression("again", { ...chosen, hasRim: !hasRim }),
  };
  return files({
    title: words.say(`expressions.made.${kind}`),
    ...(text.length > 0 && { text: join(text) }),
    files: [expressionFile(ctx, chosen, square.bytes), ...(whole === undefined ? [] : [whole])],
    buttons: [
      ...(error === undefined ? [add] : []),
      rim,
      ...otherFormButtons(ctx, chosen),
      ...groundButtons(chosen.source, words),
      ...buttons,
    ],
    footer: facts.filter((fact) => fact !== undefined).join(" · "),
    isPrivate: true,
  });
}

const otherGround = pressFor(
  "background.ground-form",
  (source: CutoutSource, original: Attachment) => ({
    works: [{ source, original: { attachment: original }, wishes: {}, look: {} }],
  }),
);

/** Another background of the whole cut-out; the sticker itself stays as it is. */
function groundButtons(source: CutoutSource, words: Words): readonly Button[] {
  const original = source.original ?? source.base;
  if (original === undefined) return [];
  const label = words.say("background.other_ground.button");
  return [{ label, press: otherGround(source, original) }];
}

/** Named after the original picture, so that people recognise it. */
export function expressionFile(
  { words }: Ctx,
  { kind, source }: ExpressionChoice,
  data: Uint8Array,
  suffix: string = kind,
): ReplyFile {
  const stem = suggestExpressionName(source.name, "emoji") ?? "picture";
  const alt = words.say(`expressions.alt.${kind}`, { name: source.name.slice(0, 200) });
  return { name: `${stem}-${suffix}.png`, data, alt };
}

/** Other forms of the same picture; they are also offered after it was added. */
export function otherFormButtons({ words }: Ctx, chosen: ExpressionChoice): readonly Button[] {
  const kind = otherKind[chosen.kind];
  const { hasRim } = expressionForms[kind];
  return [
    { label: "512 × 512", press: pressExpression("large", chosen) },
    {
      label: words.say(`expressions.as.${kind}`),
      press: pressExpression("again", { ...chosen, kind, hasRim }),
    },
  ];
}

/** What the message shows is what is added. Only after a form that was sent back does the message have no picture. */
export async function readShownExpression(ctx: Ctx, chosen: ExpressionChoice): Promise<Uint8Array> {
  const [shown] = ctx.attachments;
  if (shown !== undefined) return ctx.fetchAttachment(shown);
  const { bytes } = await makeSquare(ctx, await readCutout(ctx, chosen.source), chosen);
  return bytes;
}

/** The whole cut-out if it is a file of this message, because an update would lose it. */
export async function readWholeCutout(
  ctx: Ctx,
  { source }: ExpressionChoice,
): Promise<ReplyFile | undefined> {
  const whole = source.at === 0 ? undefined : ctx.attachments[source.at];
  if (source.base !== undefined || whole === undefined) return undefined;
  const alt = ctx.words.say("background.alt", { name: source.name.slice(0, 200) });
  return { name: whole.filename, data: await ctx.fetchAttachment(whole), alt };
}

/** Makes a sticker or an emoji from the result above the button. */
export const showExpression = action<{
  readonly kind: ExpressionKind;
  readonly source: CutoutSource;
}>({
  name: expressionActionNames.show,
  answer: "private",
  by: "anyone",
  run: async (ctx, { kind, source }) => {
    const { hasRim } = expressionForms[kind];
    // Remembers the file with the cut-out, because the buttons of the reply belong to another message.
    const base = cutoutFile(ctx, source);
    const whole = base === undefined ? source : { ...source, base };
    return makeAndDraw(ctx, { kind, hasRim, source: whole });
  },
});

/** The same with or without its rim, or as the other kind. */
export const showOtherForm = action<ExpressionChoice>({
  name: expressionActionNames.again,
  run: makeAndDraw,
});

/** The same picture, larger, for other messengers. */
export const showLargeSticker = action<ExpressionChoice>({
  name: expressionActionNames.large,
  answer: "private",
  run: async (ctx, chosen) => {
    const { words, signal } = ctx;
    const { side, maxBytes, rim } = largeSticker;
    const cutout = await readCutout(ctx, chosen.source);
    const looks = { ...(chosen.hasRim && { rim }), ...foregroundOption(chosen.source.found) };
    const options = { side, maxBytes, signal, ...looks };
    const { bytes } = await ctx.images.square(cutout, options);
    return files({
      title: words.say("expressions.large.title"),
      text: words.say("expressions.large.text"),
      files: [expressionFile(ctx, chosen, bytes, `${side}`)],
      footer: [`${side}×${side}`, "PNG", words.bytes(bytes.length)].join(" · "),
      isPrivate: true,
    });
  },
});

async function makeAndDraw(ctx: Ctx, chosen: ExpressionChoice): Promise<Reply> {
  const [cutout, whole] = await Promise.all([
    readCutout(ctx, chosen.source),
    readWholeCutout(ctx, chosen),
  ]);
  return drawExpression(ctx, chosen, await makeSquare(ctx, cutout, chosen), { whole });
}
