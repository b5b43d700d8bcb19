import type { ReplyFile } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import type { DonePicture } from "./batch.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { MadePicture } from "./make-picture.ts";

/** All files of one message together (docs/services/discord.md#files), less some room for the message itself. */
const maxMessageBytes = 25 * 1024 * 1024 - 128 * 1024;

/** A preview is only an aid, so it must not take the room of the results. */
const maxPreviewBytes = 1024 * 1024;

/** More files than this are packed into an archive, unless `delivery` says otherwise. */
const maxSeparateFiles = 4;

/** The most bytes that an archive adds for each file in it. */
const zipEntryBytes = 400;

/** The most bytes of each result, so that all of them fit into one message. */
export function maxBytesForEach(ctx: Ctx, count: number): number {
  const share =
    Math.floor((maxMessageBytes - maxPreviewBytes) / Math.max(1, count)) - zipEntryBytes;
  return Math.min(ctx.attachmentLimit - 2 * zipEntryBytes, share);
}

export function isZipped(count: number, { delivery = "auto" }: CutoutOptions): boolean {
  return delivery === "zip" || (delivery === "auto" && count > maxSeparateFiles);
}

/** A result, and the picture that it was made of. */
interface NamedResult {
  readonly name: string;
  readonly made: {
    readonly result: { readonly bytes: Buffer; readonly format: MadePicture["result"]["format"] };
  };
}

/** The results as files, each with a name of its own. */
export function resultFiles(
  ctx: Ctx,
  done: readonly NamedResult[],
  options: CutoutOptions,
): readonly ReplyFile[] {
  const seen = new Map<string, number>();
  return done.map(({ name, made }, at) => {
    const wished = resultName(name, made, { options, at, count: done.length });
    const times = (seen.get(wished) ?? 0) + 1;
    seen.set(wished, times);
    return {
      name: times === 1 ? wished : wished.replace(/(\.[^.]+)$/u, `-${times}$1`),
      data: made.result.bytes,
      alt: ctx.words.say("background.alt", { name: name.slice(0, 200) }),
    };
  });
}

/** Made from the chosen name, or else from the picture's name, so that people recognise their files. */
function resultName(
  original: string,
  { result }: NamedResult["made"],
  {
    options,
    at,
    count,
  }: { readonly options: CutoutOptions; readonly at: number; readonly count: number },
): string {
  if (options.name === undefined) {
    const suffix = options.maskOnly === true ? "mask" : "cutout";
    return `${fileStem(original)}-${suffix}.${result.format}`;
  }
  return `${fileStem(options.name)}${count > 1 ? `-${at + 1}` : ""}.${result.format}`;
}

/** A file name without its ending and with nothing but letters, digits and `._-`. */
export function fileStem(name: string): string {
  const written = name
    .replace(/\.(?:jpe?g|png|webp|gif|avif|heic|heif|tiff?|bmp|zip)$/iu, "")
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-");
  const [stem = ""] = /[^-.](?:.*[^-.])?/su.exec(written) ?? [];
  return [...stem].slice(0, 80).join("") || "picture";
}

/** One archive, or several if one would be too large for the chat. */
export async function zipResults(
  ctx: Ctx,
  files: readonly ReplyFile[],
  name: string,
): Promise<readonly ReplyFile[]> {
  const { zipFiles } = await import("../../images/index.ts");
  const packs = divideIntoPacks(files, ctx.attachmentLimit);
  return Promise.all(
    packs.map(async (pack, at) => ({
      name: packs.length === 1 ? `${name}.zip` : `${name}-${at + 1}.zip`,
      data: await zipFiles(pack),
    })),
  );
}

function divideIntoPacks(
  files: readonly ReplyFile[],
  most: number,
): readonly (readonly ReplyFile[])[] {
  const packs: ReplyFile[][] = [];
  let room = 0;
  for (const file of files) {
    const needed = file.data.byteLength + zipEntryBytes;
    const last = packs.at(-1);
    if (last === undefined || needed > room) {
      packs.push([file]);
      room = most - zipEntryBytes - needed;
    } else {
      last.push(file);
      room -= needed;
    }
  }
  return packs;
}

/**
 * Before and after of one picture, or all results on one sheet. Undefined if it can't be drawn: a failed preview must
 * not cost anybody the results they paid for.
 */
export async function drawResultsPreview(
  ctx: Ctx,
  done: readonly DonePicture[],
): Promise<ReplyFile | undefined> {
  if (ctx.signal.aborted) return undefined;
  const { words, signal } = ctx;
  const isSingle = done.length === 1;
  const sent = isSingle ? done[0]?.made.sent : undefined;
  if (isSingle && sent === undefined) return undefined;
  try {
    const results = await Promise.all(
      done.map(async ({ made: { result } }) => {
        if (result.format !== "zip") return result.bytes;
        // A ZIP of colours and mask can't be looked at, so it is composed.
        const options = { format: "webp", maxBytes: maxPreviewBytes, signal } as const;
        return (await ctx.images.compose(result.bytes, options)).bytes;
      }),
    );
    const pictures = sent === undefined ? results : [sent, ...results];
    const data = await ctx.images.sheet(pictures, { maxBytes: maxPreviewBytes, signal });
    return isSingle
      ? { name: "before-after.webp", data, alt: words.say("background.before_after") }
      : { name: "overview.webp", data, alt: words.say("background.overview") };
  } catch (error) {
    ctx.log.warn("no preview was drawn", { error });
    return undefined;
  }
}
