import { limits, type ReplyFile } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import type { DonePicture } from "./batch.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { MadePicture } from "./make-picture.ts";
import { maxFileBytes, maxMessageBytes, maxPreviewBytes, zipEntryBytes } from "./result-size.ts";

/** More files than this are packed into an archive, unless `delivery` says otherwise. */
const maxSeparateFiles = 4;

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
  const packs = divideIntoPacks(files, maxFileBytes(ctx));
  return Promise.all(
    packs.map(async (pack, at) => ({
      name: packs.length === 1 ? `${name}.zip` : `${name}-${at + 1}.zip`,
      data: await zipFiles(pack),
    })),
  );
}

/** The parts of one result that one message shows. */
export interface ResultParts {
  readonly files: readonly ReplyFile[];
  /** Of the parts in this message, from 1. */
  readonly first: number;
  readonly last: number;
  /** All parts, those of other messages too. */
  readonly count: number;
  /** Pieces of a file that was larger than a part; they have to be joined. */
  readonly pieces: readonly string[];
}

/** Divides a result into ZIPs, each of which can be sent and unpacked by itself, and packs those from `from` on for one message. */
export async function packParts(
  ctx: Ctx,
  files: readonly ReplyFile[],
  { name, from }: { readonly name: string; readonly from: number },
): Promise<ResultParts> {
  const { zipFiles } = await import("../../images/index.ts");
  const most = maxFileBytes(ctx);
  const packs = divideIntoPacks(files, most);
  const shown: ReplyFile[] = [];
  let room = maxMessageBytes;
  for (const [at, pack] of packs.entries()) {
    if (at < from) continue;
    const data = await zipFiles(pack);
    room -= data.byteLength;
    if (shown.length > 0 && (room < 0 || shown.length === limits.message.files)) break;
    shown.push({ name: `${name}-${at + 1}.zip`, data });
  }
  const isPiece = (file: ReplyFile) => !files.includes(file);
  return {
    files: shown,
    first: from + 1,
    last: from + shown.length,
    count: packs.length,
    pieces: packs.flatMap((pack) => pack.filter(isPiece).map((piece) => piece.name)),
  };
}

/** Pieces that fit, numbered as archive programs expect: `name.png.001`, `name.png.002`. */
function cutIntoPieces(file: ReplyFile, most: number): readonly ReplyFile[] {
  const pieceBytes = most - 2 * zipEntryBytes;
  const { name, data } = file;
  if (data.byteLength <= pieceBytes) return [file];
  return Array.from({ length: Math.ceil(data.byteLength / pieceBytes) }, (_, at) => ({
    name: `${name}.${`${at + 1}`.padStart(3, "0")}`,
    data: data.subarray(at * pieceBytes, (at + 1) * pieceBytes),
    isPacked: true,
  }));
}

function divideIntoPacks(
  whole: readonly ReplyFile[],
  most: number,
): readonly (readonly ReplyFile[])[] {
  const files = whole.flatMap((file) => cutIntoPieces(file, most));
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
