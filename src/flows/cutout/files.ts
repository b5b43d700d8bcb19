import { type Ctx, limits, type ReplyFile } from "../../discord/index.ts";
import type { Outcome } from "./batch.ts";
import type { Made } from "./make.ts";
import type { Wishes } from "./wishes.ts";

/** All files of one message together (facts/discord.md: Upload size), less what its own body takes. */
const messageBytes = 25 * 1024 * 1024 - 128 * 1024;

/** A preview is a help and no result. */
const previewBytes = 1024 * 1024;

/** More than these come as an archive unless somebody wishes otherwise. */
const mostFiles = 4;

/** What an archive adds for each file in it, at most. */
const zipEntryBytes = 400;

/** How large each of so many results may be, so that all of them fit into one message. */
export function roomForEach(ctx: Ctx, count: number): number {
  const share = Math.floor((messageBytes - previewBytes) / Math.max(1, count)) - zipEntryBytes;
  return Math.min(ctx.attachmentLimit - 2 * zipEntryBytes, share);
}

export function isZipped(count: number, { delivery = "auto" }: Wishes): boolean {
  return delivery === "zip" || (delivery === "auto" && count > mostFiles);
}

/** A message holds ten files, the preview among them. */
export function hasRoomForPreview(files: number): boolean {
  return files < limits.message.files;
}

export type DoneOutcome = Extract<Outcome, { readonly state: "done" }>;

/** The results as files, each by its own name. */
export function resultFiles(
  ctx: Ctx,
  done: readonly DoneOutcome[],
  wishes: Wishes,
): readonly ReplyFile[] {
  const seen = new Map<string, number>();
  return done.map(({ name, attempt: { made } }, at) => {
    const wished = resultName(name, made, { wishes, at, count: done.length });
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
  readonly wishes: Wishes;
  readonly at: number;
  readonly count: number;
}

/** The name that was chosen, or the one it had, so that people find their files again. */
function resultName(original: string, { result }: Made, { wishes, at, count }: Naming): string {
  if (wishes.name === undefined) {
    const suffix = wishes.maskOnly === true ? "mask" : "cutout";
    return `${stemOf(original)}-${suffix}.${result.format}`;
  }
  return `${stemOf(wishes.name)}${count > 1 ? `-${at + 1}` : ""}.${result.format}`;
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
 * Before and after of one picture, or all results on one sheet. It is a help beside what was paid for, so it never
 * fails: undefined when it can't be drawn.
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

function beforeAndAfter(ctx: Ctx, made: Made): readonly (Uint8Array | Promise<Buffer>)[] {
  return made.sent === undefined ? [] : [made.sent, shown(ctx, made)];
}

/** A ZIP of colours and mask is nothing to look at. */
async function shown({ images, signal }: Ctx, { result }: Made): Promise<Buffer> {
  if (result.format !== "zip") return result.bytes;
  const options = { format: "webp", maxBytes: previewBytes, signal } as const;
  return (await images.compose(result.bytes, options)).bytes;
}
