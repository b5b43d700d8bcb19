import type { ForegroundType, Removal, Size } from "../../background/index.ts";
import { type Attachment, type Ctx, limits, type Reply } from "../../discord/index.ts";
import { BotError, InputError, ServiceError } from "../../errors.ts";
import type { Composed, OutputFormat } from "../../images/index.ts";
import { thumbnailOfCutout } from "../branding/index.ts";
import { type CutoutOutcome, type Done, drawCutouts } from "./cutout-reply.ts";

/** How the result should come out. */
export interface CutoutWishes {
  readonly format: OutputFormat | "auto";
  /** `#rrggbb` behind the foreground; the result is a JPG then. */
  readonly color?: string | undefined;
  readonly size?: Size | undefined;
  readonly type?: ForegroundType | undefined;
}

/** The image service's input limits (interface specification, Limits). */
const inputLimits = { maxBytes: 12_000_000, maxPixels: 50_000_000 } as const;

/** The service works on several at once; more than this would keep other servers waiting. */
const atOnce = 3;

/**
 * Cuts every picture out: fetched, checked by its bytes, prepared, sent, composed. Of several pictures those that
 * worked come back and each that did not says why.
 * @throws the failure itself when there was only one picture or all failed alike; the signal's reason when cancelled.
 */
export async function cutOut(
  ctx: Ctx,
  pictures: readonly Attachment[],
  wishes: CutoutWishes,
): Promise<Reply> {
  if (pictures.length === 0) throw noPicture();
  const chosen = pictures.slice(0, limits.message.files);
  const outcomes = await eachOf(ctx, chosen, (picture) => attempt(ctx, picture, wishes));
  const failed = outcomes.filter((outcome) => "error" in outcome);
  if (failed.length === outcomes.length && failed[0] !== undefined) throw failed[0].error;
  const drawn = drawCutouts(outcomes, pictures.length - chosen.length, ctx.words);
  return thumbnailOfCutout.offer(ctx, drawn);
}

/** Only what was sent as a picture; the bytes are judged later. */
export function picturesOf(attachments: readonly Attachment[]): readonly Attachment[] {
  return attachments.filter(
    ({ content_type: type, filename }) =>
      type?.startsWith("image/") ??
      /\.(?:jpe?g|png|webp|gif|heic|avif|bmp|tiff?)$/iu.test(filename),
  );
}

async function eachOf(
  ctx: Ctx,
  pictures: readonly Attachment[],
  work: (picture: Attachment) => Promise<CutoutOutcome>,
): Promise<readonly CutoutOutcome[]> {
  const outcomes: CutoutOutcome[] = [];
  let next = 0;
  const { words } = ctx;
  const count = pictures.length;
  const report = () =>
    ctx.progress({
      title: words.say("background.progress.title", { count }),
      text:
        count === 1
          ? words.say("background.progress.one")
          : words.say("background.progress.several", {
              done: outcomes.filter(Boolean).length,
              count,
            }),
    });
  const worker = async () => {
    for (let at = next++; at < pictures.length; at = next++) {
      const picture = pictures[at];
      if (picture === undefined) return;
      outcomes[at] = await work(picture);
      report();
    }
  };
  report();
  await Promise.all(Array.from({ length: Math.min(atOnce, pictures.length) }, worker));
  return outcomes;
}

async function attempt(
  ctx: Ctx,
  picture: Attachment,
  wishes: CutoutWishes,
): Promise<CutoutOutcome> {
  const name = picture.filename;
  try {
    return { name, done: await cutOutOne(ctx, picture, wishes) };
  } catch (error) {
    if (ctx.signal.aborted || !(error instanceof BotError)) throw error;
    ctx.log.debug("picture failed", { code: error.code, reason: error.message });
    return { name, error };
  }
}

async function cutOutOne(ctx: Ctx, picture: Attachment, wishes: CutoutWishes): Promise<Done> {
  const { signal } = ctx;
  const bytes = await ctx.fetchAttachment(picture);
  const prepared = await ctx.images.prepare(bytes, { ...inputLimits, signal });
  const removal = await ctx.background.removeBackground(
    {
      image: prepared.bytes,
      megapixels: (prepared.width * prepared.height) / 1e6,
      size: wishes.size ?? "auto",
      // Transparency or a colour is composed here: the ZIP is the fastest and the only one without loss.
      format: "zip",
      ...(wishes.type === undefined ? {} : { type: wishes.type }),
    },
    { signal },
  );
  const composed = await compose(ctx, removal, wishes);
  return {
    file: {
      name: resultName(picture.filename, composed.format),
      data: composed.bytes,
      alt: ctx.words.say("background.alt", { name: picture.filename.slice(0, 200) }),
    },
    removal,
    composed,
    prepared,
  };
}

/** What fails from here on has been charged for, and says so. */
async function compose(ctx: Ctx, removal: Removal, wishes: CutoutWishes): Promise<Composed> {
  try {
    return await ctx.images.compose(removal.image, {
      format: wishes.color === undefined ? wishes.format : "jpg",
      ...(wishes.color === undefined
        ? {}
        : { backdrop: { kind: "color", color: wishes.color } as const }),
      maxBytes: ctx.attachmentLimit,
      signal: ctx.signal,
    });
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    throw new ServiceError("the result was charged for and could not be composed", {
      code: error.code,
      hint: error.hint,
      outcome: "part",
      facts: { ...error.facts, charged: removal.creditsCharged ?? "unknown" },
      cause: error,
    });
  }
}

/** The name it had, so that people find their files again; only letters, digits and `._-` stay. */
function resultName(original: string, format: OutputFormat): string {
  const stem = original.replace(/\.[^.]*$/u, "").replace(/[^\p{L}\p{N}._-]+/gu, "-");
  return `${stem.slice(0, 80) || "picture"}-cutout.${format}`;
}

function noPicture(): InputError {
  return new InputError("no picture among the attachments", {
    code: "no_picture",
    hint: "Choose a message that carries a JPEG, PNG or WebP picture as an attachment.",
  });
}
