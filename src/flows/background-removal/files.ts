import { type Ctx, limits, type ReplyFile } from "../../discord/index.ts";
import type { DoneOutcome } from "./batch.ts";
import type { CutoutOptions } from "./cutout-options.ts";
import type { MadePicture } from "./make.ts";

/** All files of one message together (facts/discord.md: Upload size), less the room for the message itself. */
const messageBytes = 25 * 1024 * 1024 - 128 * 1024;

/** A preview only helps; it must not take the room of results. */
const previewBytes = 1024 * 1024;

/** More files than this come as an archive, unless `delivery` says otherwise. */
const mostFiles = 4;

/** What an archive adds for each file in it, at most. */
const zipEntryBytes = 400;

/** How large each result may be, so that all of them fit into one message. */
export function roomForEach(ctx: Ctx, count: number): number {
  const share = Math.floor((messageBytes - previewBytes) / Math.max(1, count)) - zipEntryBytes;
  return Math.min(ctx.attachmentLimit - 2 * zipEntryBytes, share);
}

export function isZipped(count: number, { delivery = "auto" }: CutoutOptions): boolean {
  return delivery === "zip" || (delivery === "auto" && count > mostFiles);
}

/** A message holds ten files, the preview among them. */
export function hasRoomForPreview(files: number): boolean {
  return files < limits.message.files;
}

/** The results as files, each by its own name. */
export function resultFiles(
  ctx: Ctx,
  done: readonly DoneOutcome[],
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

interface Naming {
  readonly options: CutoutOptions;
  readonly at: number;
  readonly count: number;
}

/** The name that was chosen, or else the one the picture had, so that people find their files again. */
function resultName(
  original: string,
  { result }: MadePicture,
  { options, at, count }: Naming,
): string {
  if (options.name === undefined) {
    const suffix = options.maskOnly === true ? "mask" : "cutout";
    return `${stemOf(original)}-${suffix}.${result.format}`;
  }
  return `${stemOf(options.name)}${count > 1 ? `-${at + 1}` : ""}.${result.format}`;
}

/** Without its ending; only letters, digits and `._-` stay. */
export function stemOf(name: string): string {
  const written = name
    .replace(/\.(?:jpe?g|png|webp|gif|avif|heic|heif|tiff?|bmp|zip)$/iu, "")
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-");
  const [stem = ""] = /[^-.](?:.*[^-.])?/su.exec(written) ?? [];
  return [...stem].slice(0, 80).join("") || "picture";
}

/** One archive, or several where one would be too large for the chat. */
export async function archives(
  ctx: Ctx,
  files: readonly ReplyFile[],
  name: string,
): Promise<readonly ReplyFile[]> {
  const { zipFiles } = await import("../../images/index.ts");
  const packs = packsOf(files, ctx.attachmentLimit);
  return Promise.all(
    packs.map(async (pack, at) => ({
      name: packs.length === 1 ? `${name}.zip` : `${name}-${at + 1}.zip`,
      data: await zipFiles(pack),
    })),
  );
}

function packsOf(files: readonly ReplyFile[], most: number): readonly (readonly ReplyFile[])[] {
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
 * Before and after of one picture, or all results on one sheet. Undefined when it can't be drawn: a preview that
 * fails must not cost anybody the results they paid for.
 */
export async function previewOf(
  ctx: Ctx,
  done: readonly DoneOutcome[],
): Promise<ReplyFile | undefined> {
  if (ctx.signal.aborted) return undefined;
  const { words, signal } = ctx;
  const [first] = done;
  try {
    const pictures = await Promise.all(
      done.length === 1 && first !== undefined
        ? beforeAndAfter(ctx, first.made)
        : done.map(({ made }) => viewable(ctx, made)),
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

function beforeAndAfter(ctx: Ctx, made: MadePicture): readonly (Uint8Array | Promise<Buffer>)[] {
  return made.sent === undefined ? [] : [made.sent, viewable(ctx, made)];
}

/** A ZIP of colours and mask can't be looked at, so it is composed. */
async function viewable({ images, signal }: Ctx, { result }: MadePicture): Promise<Buffer> {
  if (result.format !== "zip") return result.bytes;
  const options = { format: "webp", maxBytes: previewBytes, signal } as const;
  return (await images.compose(result.bytes, options)).bytes;
}
