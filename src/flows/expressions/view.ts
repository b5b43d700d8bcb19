import {
  adviceOf,
  type Button,
  type Ctx,
  type Files,
  files,
  join,
  type ReplyFile,
  type Text,
} from "../../discord/index.ts";
import type { BotError } from "../../errors.ts";
import type { Square } from "../../images/index.ts";
import { cutoutOf, foregroundOption } from "../cutout/index.ts";
import { type ExpressionChoice, forms, otherKind, pressOf } from "./kinds.ts";
import { suggestedName } from "./names.ts";

export function squareOf(
  ctx: Ctx,
  cutout: Uint8Array,
  { kind, hasRim, source }: Pick<ExpressionChoice, "kind" | "hasRim"> & Partial<ExpressionChoice>,
): Promise<Square> {
  const { rim, side, maxBytes } = forms[kind];
  const looks = { ...(hasRim && { rim }), ...foregroundOption(source?.found) };
  return ctx.images.square(cutout, { side, maxBytes, signal: ctx.signal, ...looks });
}

/** What a reply has beside the picture itself. */
interface ViewExtras {
  /** Said first. */
  readonly lines?: readonly Text[];
  /** The whole cut-out, after the picture, where no other message has it. */
  readonly whole?: ReplyFile | undefined;
  readonly cost?: string | undefined;
}

/** The picture, with all that can be done with it. */
export async function view(
  ctx: Ctx,
  chosen: ExpressionChoice,
  square: Square,
  { lines = [], whole, cost }: ViewExtras = {},
): Promise<Files> {
  const { words } = ctx;
  const refusal = await ctx.expressions.refusal();
  const { kind, hasRim } = chosen;
  const { side, maxBytes } = forms[kind];
  const text = [
    ...lines,
    ...(whole === undefined ? [] : [words.say("expressions.whole")]),
    ...colorsLine(ctx, square, maxBytes),
    ...whyNot(refusal, ctx),
  ];
  const facts = [cost, `${side}×${side}`, "PNG", words.bytes(square.bytes.length)];
  const rim: Button = {
    label: words.say(hasRim ? "expressions.without_rim" : "expressions.with_rim"),
    press: pressOf("again", { ...chosen, hasRim: !hasRim }),
  };
  return files({
    title: words.say(`expressions.made.${kind}`),
    ...(text.length > 0 && { text: join(text) }),
    files: [pictureFile(ctx, chosen, square.bytes), ...(whole === undefined ? [] : [whole])],
    buttons: [
      ...(refusal === undefined ? [addButton(ctx, chosen)] : []),
      rim,
      ...otherButtons(ctx, chosen),
    ],
    footer: facts.filter((fact) => fact !== undefined).join(" · "),
    isPrivate: true,
  });
}

/** Named after the picture it was made of, so that people find it again. */
export function pictureFile(
  { words }: Ctx,
  { kind, source }: ExpressionChoice,
  data: Uint8Array,
  suffix: string = kind,
): ReplyFile {
  const stem = suggestedName(source.name, "emoji") ?? "picture";
  const alt = words.say(`expressions.alt.${kind}`, { name: source.name.slice(0, 200) });
  return { name: `${stem}-${suffix}.png`, data, alt };
}

/** Other forms of the same picture, which are offered after it was added, too. */
export function otherButtons({ words }: Ctx, chosen: ExpressionChoice): readonly Button[] {
  const kind = otherKind[chosen.kind];
  const { hasRim } = forms[kind];
  return [
    { label: "512 × 512", press: pressOf("large", chosen) },
    {
      label: words.say(`expressions.as.${kind}`),
      press: pressOf("again", { ...chosen, kind, hasRim }),
    },
  ];
}

function addButton({ words }: Ctx, chosen: ExpressionChoice): Button {
  const label = words.say("expressions.add");
  return { label, style: "success", press: pressOf("name", chosen) };
}

/** Why there is no button to add it, for those who look for one. */
function whyNot(refusal: BotError | undefined, { words }: Ctx): readonly Text[] {
  if (refusal === undefined) return [];
  const isTheirs = refusal.code === "expression_not_allowed";
  return [isTheirs ? words.say("expressions.not_allowed") : adviceOf(refusal, words)];
}

function colorsLine({ words }: Ctx, { fitted }: Square, maxBytes: number) {
  if (fitted !== "colors") return [];
  return [words.say("expressions.colors", { limit: words.bytes(maxBytes) })];
}

/** What was shown is what is added; only a form that was returned comes from a message without the picture. */
export async function pictureOf(ctx: Ctx, chosen: ExpressionChoice): Promise<Uint8Array> {
  const [shown] = ctx.attachments;
  if (shown !== undefined) return ctx.fetchAttachment(shown);
  const { bytes } = await squareOf(ctx, await cutoutOf(ctx, chosen.source), chosen);
  return bytes;
}

/** The whole cut-out, where this message has it and an update would lose it. */
export async function wholeOf(
  ctx: Ctx,
  { source }: ExpressionChoice,
): Promise<ReplyFile | undefined> {
  const whole = source.at === 0 ? undefined : ctx.attachments[source.at];
  if (source.base !== undefined || whole === undefined) return undefined;
  const alt = ctx.words.say("background.alt", { name: source.name.slice(0, 200) });
  return { name: whole.filename, data: await ctx.fetchAttachment(whole), alt };
}
