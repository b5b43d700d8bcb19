import {
  ask,
  compact,
  cut,
  describeFailureInLine,
  files,
  notice,
  type Reply,
  type ReplyFile,
} from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import { zipFiles } from "../../images/index.ts";
import { captionsName, presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { captionsField } from "./draw.ts";
import {
  chooseCaptions,
  type NamedCaptions,
  readCaptionedVideo,
  readCaptionsOfVideo,
} from "./find-captions.ts";
import { captionEndingOf } from "./format.ts";
import { type CaptionFormat, captionFormats } from "./kinds.ts";

/** What is to be downloaded; JSON-shaped, because the question's button stores it. */
interface CaptionsDownload {
  /** The files are named after this. */
  readonly title?: string | undefined;
  readonly tracks: readonly NamedCaptions[];
  /** `original`: as it was uploaded. */
  readonly formats: readonly (CaptionFormat | "original")[];
  /** Translated by machine into this language. */
  readonly language?: string | undefined;
}

/** How many files, and so calls, there are. */
function countOf({ tracks, formats }: CaptionsDownload): number {
  return tracks.length * formats.length;
}

const mebibyte = 1024 * 1024;
/** With so many bytes, no more files are read. The last one has as many at most. */
const enoughBytes = 16 * mebibyte;
/** The files of a video, and the ZIP that is made of them. */
const captionsWeight = 48 * mebibyte;

/**
 * Reads the files one after the other and shows the progress. One file is sent as it is where it fits, and several as one ZIP. If one
 * fails, those before it are sent all the same.
 * @throws what the first call throws; the signal's reason
 */
async function downloadCaptions(ctx: Ctx, wanted: CaptionsDownload): Promise<Reply> {
  const { words } = ctx;
  await ctx.holdBytes(captionsWeight);
  const { done, failure } = await readAll(ctx, wanted);
  const count = countOf(wanted);
  const [only] = done;
  if (only === undefined)
    return notice({ tone: "neutral", title: words.say("captions.list.empty") });
  const fits = done.length === 1 && only.data.length <= ctx.attachmentLimit;
  const packed = fits ? only : await zipTracks(done, wanted);
  if (packed.data.length > ctx.attachmentLimit) {
    return notice({
      tone: "bad",
      title: words.say("captions.download.too_large"),
      text: words.say("captions.download.too_large_text", {
        has: words.bytes(packed.data.length),
        most: words.bytes(ctx.attachmentLimit),
      }),
    });
  }
  const lines = compact([
    words.say("captions.download.text", { count: done.length }),
    failure !== undefined &&
      words.say("captions.download.stopped", {
        missing: count - done.length,
        reason: describeFailureInLine(failure, words),
      }),
  ]);
  return files({
    title: words.say("captions.download.title"),
    text: lines.join("\n"),
    files: [packed],
    isPrivate: true,
  });
}

interface DownloadedCaptions {
  readonly done: readonly ReplyFile[];
  readonly failure?: BotError;
}

async function readAll(ctx: Ctx, wanted: CaptionsDownload): Promise<DownloadedCaptions> {
  const done: ReplyFile[] = [];
  let last: BotError | undefined;
  let bytes = 0;
  const count = countOf(wanted);
  const { words } = ctx;
  for (const track of wanted.tracks) {
    for (const format of wanted.formats) {
      if (count > 1) {
        ctx.progress({
          title: words.say("captions.download.reading"),
          text: words.say("captions.download.so_far", { done: done.length, count }),
          done: done.length / count,
        });
      }
      if (bytes >= enoughBytes) return resultOf(done, tooLargeTogether());
      try {
        const file = await readOne(ctx, { track, format, wanted });
        bytes += file.data.length;
        done.push(file);
      } catch (failure) {
        if (!(failure instanceof BotError)) throw failure;
        last = failure;
        // Captions may lack one format and have the others. After any other failure the rest would fail as well.
        if (failure.kind !== "input") return resultOf(done, last);
      }
    }
  }
  return resultOf(done, last);
}

function tooLargeTogether(): InputError {
  return new InputError("the captions are too large together", {
    code: "answer_file_too_large",
    facts: { maxBytes: enoughBytes },
  });
}

/** What was paid for is sent, even if the rest failed. */
function resultOf(done: readonly ReplyFile[], failure: BotError | undefined): DownloadedCaptions {
  if (failure === undefined) return { done };
  if (done.length === 0) throw failure;
  return { done, failure };
}

interface CaptionsCall {
  readonly track: NamedCaptions;
  readonly format: CaptionFormat | "original";
  readonly wanted: CaptionsDownload;
}

async function readOne(ctx: Ctx, { track, format, wanted }: CaptionsCall): Promise<ReplyFile> {
  const { title, language } = wanted;
  const params = {
    id: track.id,
    ...(format === "original" ? {} : { tfmt: format }),
    ...(language === undefined ? {} : { tlang: language }),
  };
  const { signal } = ctx;
  const { data } = await ctx.own.call("captions.download", params, { signal });
  const ending = format === "original" ? await captionEndingOf(data) : format;
  const translated = language === undefined ? undefined : ctx.words.language(language);
  const parts = [title, track.name, translated].map((part) => fileName(part ?? ""));
  return { name: `${parts.filter(Boolean).join("-") || "captions"}.${ending}`, data };
}

async function zipTracks(
  done: readonly ReplyFile[],
  { title }: CaptionsDownload,
): Promise<ReplyFile> {
  return { name: `${fileName(title ?? "") || "captions"}.zip`, data: await zipFiles(done) };
}

/** Keeps letters of every script, and nothing that file systems or links can't handle. */
function fileName(text: string): string {
  const words = text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...words.join("-")].slice(0, 40).join("").replace(/-$/u, "");
}

const download = action<CaptionsDownload>({
  name: "captions.download",
  answer: "update",
  by: "requester",
  isOnce: true,
  method: "captions.download",
  run: (ctx, wanted) => downloadCaptions(ctx, wanted),
});

const downloadAs = action<NamedCaptions>({
  name: "captions.download-as",
  answer: "update",
  by: "requester",
  isOnce: true,
  method: "captions.download",
  run: (ctx, track, { values }) => {
    const formats = captionFormats.filter((format) => values.includes(format));
    return downloadCaptions(ctx, { tracks: [track], formats });
  },
});

const askDownload = actionFor(presses.captions.download, {
  answer: "private",
  by: "anyone",
  method: "captions.download",
  run: async (ctx, track) => {
    const { words } = ctx;
    return ask({
      title: words.say("captions.download.ask", { count: 1 }),
      text: [track.name, await ctx.price(["captions.download"])].join("\n"),
      selects: [
        {
          placeholder: words.say("captions.download.other"),
          options: captionFormats.map((value) => ({
            value,
            label: words.say(`choices.tfmt.${value}`),
          })),
          press: downloadAs.press(track),
        },
      ],
      confirm: {
        label: words.say("cards.download"),
        style: "primary",
        press: download.press({ tracks: [track], formats: ["original"] }),
      },
    });
  },
});

interface DownloadOptions {
  readonly video: string;
  readonly captions: readonly string[] | undefined;
  readonly format: "original" | "all" | (typeof captionFormats)[number] | undefined;
  readonly translate: string | undefined;
}

/** Shows the price of all files first; refuses what today's units don't cover. */
export async function askDownloadCaptions(ctx: Ctx, options: DownloadOptions): Promise<Reply> {
  const { format = "original", translate: language } = options;
  const { words } = ctx;
  const { id: videoId = "", snippet } = await readCaptionedVideo(ctx, options.video);
  const title = cut(snippet?.title ?? videoId, 80);
  const all = await readCaptionsOfVideo(ctx, videoId);
  const chosen = chooseCaptions(all, options.captions, words.language);
  const tracks = chosen.map(({ id = "", snippet }) => ({ id, name: captionsName(snippet, words) }));
  const formats = format === "all" ? captionFormats : ([format] as const);
  const wanted = { title, tracks, formats, language };
  const count = countOf(wanted);
  if (count === 0) return notice({ tone: "neutral", title: words.say("captions.list.empty") });
  await ctx.afford([["captions.download", count]]);
  const price = await ctx.price(["captions.download", count]);
  return ask({
    title: words.say("captions.download.ask", { count }),
    text: [...tracks.map(({ name }) => name), price].join("\n"),
    fields: compact([
      captionsField(words, "captions.fields.format", words.say(`choices.tfmt.${format}`)),
      language !== undefined &&
        captionsField(words, "captions.fields.translated", words.language(language)),
    ]),
    confirm: {
      label: words.say("cards.download"),
      style: "primary",
      press: download.press(wanted),
    },
  });
}

export const captionsDownloadActions = [download, downloadAs, askDownload] as const;
