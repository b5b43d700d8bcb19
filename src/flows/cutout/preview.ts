import type { Ctx, ReplyFile } from "../../discord/index.ts";
import { type DoneOutcome, previewBytes } from "./files.ts";
import type { Made } from "./make.ts";

/**
 * Before and after of one picture, or all results on one sheet. It is a help beside what was paid for, so it never
 * fails: undefined when it can't be drawn.
 */
export async function previewOf(
  ctx: Ctx<unknown>,
  done: readonly DoneOutcome[],
): Promise<ReplyFile | undefined> {
  if (ctx.signal.aborted) return undefined;
  const { words, signal } = ctx;
  const [first] = done;
  try {
    const pictures = await Promise.all(
      done.length === 1 && first !== undefined
        ? beforeAndAfter(ctx, first.attempt.made)
        : done.map(({ attempt }) => shown(ctx, attempt.made)),
    );
    if (pictures.length < 2) return undefined;
    const data = await ctx.images.sheet(pictures, { maxBytes: previewBytes, signal });
    return done.length === 1
      ? { name: "before-after.webp", data, alt: words.say("background.before_after") }
      : { name: "overview.webp", data, alt: words.say("background.overview") };
  } catch (error) {
    ctx.log.warn("no preview was drawn", { error });
    return undefined;
  }
}

function beforeAndAfter(ctx: Ctx<unknown>, made: Made): readonly (Uint8Array | Promise<Buffer>)[] {
  return made.sent === undefined ? [] : [made.sent, shown(ctx, made)];
}

/** A ZIP of colours and mask is nothing to look at. */
async function shown({ images, signal }: Ctx<unknown>, { result }: Made): Promise<Buffer> {
  if (result.format !== "zip") return result.bytes;
  const options = { format: "webp", maxBytes: previewBytes, signal } as const;
  return (await images.compose(result.bytes, options)).bytes;
}
