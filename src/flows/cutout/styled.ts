import { type Ctx, type Files, files } from "../../discord/index.ts";
import type { Composed, ComposeOptions } from "../../images/index.ts";
import { plainAttachment } from "../plain-attachment.ts";
import { resultButtons } from "./buttons.ts";
import { composed } from "./composed.ts";
import { stemOf } from "./files.ts";
import { backdropOf } from "./plan.ts";
import { remark } from "./remarks.ts";
import { resultFacts } from "./reply.ts";
import { cutoutOf } from "./source.ts";
import type { Look, Work } from "./work.ts";

export interface Styling {
  /** What it is composed of, when it has just come from the service. */
  readonly cutout?: Uint8Array;
  /** What the service charged for that. */
  readonly charged?: number | undefined;
  readonly isPublic?: boolean;
  /** Nothing was changed of the look it had. */
  readonly isAsItWas?: true;
}

/** Composed here, from what was paid for before. */
export async function styled(ctx: Ctx<unknown>, work: Work, styling: Styling = {}): Promise<Files> {
  const { words, signal } = ctx;
  const { look } = work;
  const { charged, isPublic = false } = styling;
  const bytes = styling.cutout ?? (await cutoutOf(ctx, work.source));
  const made = await composed(ctx, bytes, {
    ...(await layoutOf(ctx, look)),
    maxBytes: ctx.attachmentLimit,
    signal,
  });
  const own = { ...work, source: styledSource(ctx, work, bytes) };
  const cost =
    styling.cutout === undefined
      ? [words.say("background.no_charge")]
      : charged === undefined
        ? []
        : [words.say("background.credits", { count: charged })];
  return files({
    title: words.say(styling.isAsItWas === true ? "background.done.title" : "background.done.look"),
    ...(isWorthSaying(made, look)
      ? { text: remark(`background.fitted.${made.fitted}`, { of: undefined }, words) }
      : {}),
    files: [
      {
        name: `${stemOf(work.wishes.name ?? work.source.name)}-cutout.${made.format}`,
        data: made.bytes,
        alt: words.say("background.alt", { name: work.source.name.slice(0, 200) }),
      },
    ],
    footer: [...cost, ...resultFacts(made, words)].join(" · "),
    buttons: resultButtons(ctx, own, isPublic ? {} : { isPrivate: true, isHere: true }),
  });
}

/** Nobody asked for a PNG where the best format was left to us. */
function isWorthSaying(
  made: Composed,
  { format }: Look,
): made is Composed & { readonly fitted: Exclude<Composed["fitted"], "asked"> } {
  return made.fitted === "webp" ? format === "png" : made.fitted !== "asked";
}

async function layoutOf(ctx: Ctx<unknown>, look: Look): Promise<Omit<ComposeOptions, "maxBytes">> {
  const { ground, crop, shadow, format = "auto" } = look;
  const backdrop = ground && (await backdropOf(ctx, ground));
  return {
    format,
    ...(backdrop !== undefined && { backdrop }),
    ...(crop === true && { crop: { margin: 0 } }),
    ...(shadow === true && { shadow: {} }),
  };
}

/** Where the next look starts: at the same cut-out, never at what has become of it. */
function styledSource(ctx: Ctx<unknown>, { source }: Work, bytes: Uint8Array): Work["source"] {
  const isKept = source.kept !== undefined && ctx.kept(source.kept) !== undefined;
  const base = source.base ?? (source.isFlat === true ? undefined : ctx.attachments[source.at]);
  return {
    ...source,
    at: 0,
    isFlat: true,
    kept: isKept ? source.kept : ctx.keep(bytes),
    ...(base !== undefined && { base: plainAttachment(base) }),
  };
}
