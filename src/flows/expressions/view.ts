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
import { foregroundOption } from "../cutout/found-subject.ts";
import { cutoutOf } from "../cutout/source.ts";
import { type Chosen, forms, otherKind, pressOf } from "./kinds.ts";
import { suggestedName } from "./names.ts";

export function squareOf(
  ctx: Ctx,
  cutout: Uint8Array,
  { kind, hasRim, source }: Pick<Chosen, "kind" | "hasRim"> & Partial<Chosen>,
): Promise<Square> {
  const { rim, side, maxBytes } = forms[kind];
  const looks = { ...(hasRim && { rim }), ...foregroundOption(source?.found) };
  return ctx.images.square(cutout, { side, maxBytes, signal: ctx.signal, ...looks });
}

/** What a reply has beside the picture itself. */
export interface Beside {
  /** Said first. */
  readonly lines?: readonly Text[];
  /** Comes after the picture: the whole cut-out, where it lies nowhere else. */
  readonly whole?: ReplyFile | undefined;
  readonly cost?: string | undefined;
}

/** The picture, with all that can be done with it. */
export async function view(
  ctx: Ctx,
  chosen: Chosen,
  square: Square,
  { lines = [], whole, cost }: Beside = {},
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

/** Under the name of the picture it was made of, so that people find it again. */
export function pictureFile(
  { words }: Ctx,
  { kind, source }: Chosen,
  data: Uint8Array,
  suffix: string = kind,
): ReplyFile {
  const stem = suggestedName(source.name, "emoji") ?? "picture";
  const alt = words.say(`expressions.alt.${kind}`, { name: source.name.slice(0, 200) });
  return { name: `${stem}-${suffix}.png`, data, alt };
}

/** Other forms of the same picture, which stay when it has been added. */
export function otherButtons({ words }: Ctx, chosen: Chosen): readonly Button[] {
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

function addButton({ words }: Ctx, chosen: Chosen): Button {
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

/** What was seen is what is added; a form that was given back comes from a message without the picture. */
export async function pictureOf(ctx: Ctx, chosen: Chosen): Promise<Uint8Array> {
  const [shown] = ctx.attachments;
  if (shown !== undefined) return ctx.fetchAttachment(shown);
  const { bytes } = await squareOf(ctx, await cutoutOf(ctx, chosen.source), chosen);
  return bytes;
}

/** The whole cut-out, where it came with the picture and would go with it. */
export async function wholeOf(ctx: Ctx, { source }: Chosen): Promise<ReplyFile | undefined> {
  const whole = source.at === 0 ? undefined : ctx.attachments[source.at];
  if (source.base !== undefined || whole === undefined) return undefined;
  const alt = ctx.words.say("background.alt", { name: source.name.slice(0, 200) });
  return { name: whole.filename, data: await ctx.fetchAttachment(whole), alt };
}
