import {
  ask,
  type Button,
  compact,
  cut,
  describeFailureInLine,
  files,
  join,
  notice,
  type Reply,
  type ReplyFile,
} from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import { zipFiles } from "../../images/index.ts";
import { concernsWholeBatch, isRefusedForGood, mayBatchGoOn } from "../batches/index.ts";
import { captionsName, presses } from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, actionFor, option } from "../declarations/index.ts";
import { captionsOf, languages, ownVideos } from "../suggestions/index.ts";
import { captionsField } from "./draw.ts";
import {
  chooseCaptions,
  type NamedCaptions,
  readCaptionedVideo,
  readCaptionsOfVideo,
} from "./find-captions.ts";
import { findCaptionEnding } from "./format.ts";
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
  /** Only these of the files, by their keys: those that an earlier try did not get. */
  readonly missing?: readonly string[] | undefined;
}

/** One file, and so one call. */
interface CaptionsCall {
  readonly track: NamedCaptions;
  readonly format: CaptionFormat | "original";
}

function planCalls({ tracks, formats, missing }: CaptionsDownload): readonly CaptionsCall[] {
  const all = tracks.flatMap((track) => formats.map((format) => ({ track, format })));
  return missing === undefined ? all : all.filter((call) => missing.includes(callKey(call)));
}

function callKey({ track, format }: CaptionsCall): string {
  return `${track.id} ${format}`;
}

const mebibyte = 1024 * 1024;
/** With so many bytes, no more files are read. The last one has as many at most. */
const enoughBytes = 16 * mebibyte;
/** The files of a video, and the ZIP that is made of them. */
const captionsWeight = 48 * mebibyte;

/**
 * Reads the files one after the other and shows the progress. One file is sent as it is where it fits, and several as one ZIP. If some
 * fail, the others are sent all the same.
 * @throws the failure if there is no file, and another try would not help or is for a single file; the signal's reason
 */
async function downloadCaptions(ctx: Ctx, wanted: CaptionsDownload): Promise<Reply> {
  const { words } = ctx;
  await ctx.holdBytes(captionsWeight);
  const { done, missing } = await readAll(ctx, wanted);
  const [only] = done;
  if (only === undefined) return withoutFiles(ctx, wanted, missing);
  const fits = done.length === 1 && only.data.length <= ctx.attachmentLimit;
  const zipName = `${fileName(wanted.title ?? "") || "captions"}.zip`;
  const packed = fits ? only : { name: zipName, data: await zipFiles(done) };
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
  return files({
    title: words.say("captions.download.title"),
    text: join([
      words.say("captions.download.text", { count: done.length }),
      ...missingLines(ctx, wanted, missing),
    ]),
    files: [packed],
    buttons: restButtons(ctx, wanted, missing),
    isPrivate: true,
  });
}

function withoutFiles(
  ctx: Ctx,
  wanted: CaptionsDownload,
  missing: readonly MissingCaptions[],
): Reply {
  const { words } = ctx;
  const [first] = missing;
  if (first === undefined)
    return notice({ tone: "neutral", title: words.say("captions.list.empty") });
  const buttons = restButtons(ctx, wanted, missing);
  const isOneReason = groupByReason(ctx, missing).size === 1;
  const isWhole = missing.length === 1 || concernsWholeBatch(first.error);
  if (isWhole || (isOneReason && buttons.length === 0)) throw first.error;
  return notice({
    tone: "bad",
    title: words.say("captions.download.none"),
    text: join(missingLines(ctx, wanted, missing)),
    buttons,
    isPrivate: true,
  });
}

/** A line for each reason, with the files that are missing for it. */
function missingLines(
  ctx: Ctx,
  { formats }: CaptionsDownload,
  missing: readonly MissingCaptions[],
): readonly string[] {
  const { words } = ctx;
  return [...groupByReason(ctx, missing)].map(([reason, those]) => {
    const names = those.map(({ track, format }) =>
      formats.length === 1 ? track.name : `${track.name} · ${words.say(`choices.tfmt.${format}`)}`,
    );
    return words.say("captions.download.stopped", {
      missing: those.length,
      reason,
      names: cut(words.list(names), maxNames),
    });
  });
}

/** How much of a line the names of the missing files may take. */
const maxNames = 400;

function groupByReason({ words }: Ctx, missing: readonly MissingCaptions[]) {
  return Map.groupBy(missing, ({ error }) => describeFailureInLine(error, words));
}

function restButtons(
  { words }: Ctx,
  wanted: CaptionsDownload,
  missing: readonly MissingCaptions[],
): readonly Button[] {
  const left = missing.filter(({ error, isUntried }) => isUntried || !isRefusedForGood(error));
  if (left.length === 0) return [];
  const rest = { ...wanted, missing: left.map(callKey) };
  const label = words.say("captions.download.again", { count: left.length });
  return [{ label, style: "primary", press: downloadRest.press(rest) }];
}

/** A file that is not there, and why. */
interface MissingCaptions extends CaptionsCall {
  readonly error: BotError;
  /** It was not asked for, because others had failed. */
  readonly isUntried?: boolean;
}

interface DownloadedCaptions {
  readonly done: readonly ReplyFile[];
  readonly missing: readonly MissingCaptions[];
}

async function readAll(ctx: Ctx, wanted: CaptionsDownload): Promise<DownloadedCaptions> {
  const { words } = ctx;
  const done: ReplyFile[] = [];
  const missing: MissingCaptions[] = [];
  let failuresInRow: readonly BotError[] = [];
  let bytes = 0;
  const calls = planCalls(wanted);
  const count = calls.length;
  for (const [at, call] of calls.entries()) {
    const stoppedBy = bytes >= enoughBytes ? tooLargeTogether() : failuresInRow.at(-1);
    if (stoppedBy !== undefined && (bytes >= enoughBytes || !mayBatchGoOn(failuresInRow))) {
      const rest = calls.slice(at).map((one) => ({ ...one, error: stoppedBy, isUntried: true }));
      return { done, missing: [...missing, ...rest] };
    }
    const lost = missing.find(({ track, error }) => track === call.track && concernsTrack(error));
    if (lost !== undefined) {
      missing.push({ ...call, error: lost.error });
      continue;
    }
    if (count > 1) {
      ctx.progress({
        title: words.say("captions.download.reading"),
        text: words.say("captions.download.so_far", { done: done.length, count }),
        done: at / count,
      });
    }
    try {
      const file = await readOne(ctx, call, wanted);
      bytes += file.data.length;
      done.push(file);
      failuresInRow = [];
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      missing.push({ ...call, error });
      failuresInRow = [...failuresInRow, error];
    }
  }
  return { done, missing };
}

/** Captions may lack one format and have the others; these failures concern all formats, and each try costs 200 units. */
function concernsTrack({ kind, code }: BotError): boolean {
  return kind === "access" || code === "caption_not_found" || code === "not_found";
}

function tooLargeTogether(): InputError {
  return new InputError("the captions are too large together", {
    code: "answer_file_too_large",
    facts: { maxBytes: enoughBytes },
  });
}

async function readOne(
  ctx: Ctx,
  { track, format }: CaptionsCall,
  { title, language }: CaptionsDownload,
): Promise<ReplyFile> {
  const params = {
    id: track.id,
    tfmt: format === "original" ? undefined : format,
    tlang: language,
  };
  const { signal } = ctx;
  const { data } = await ctx.own.call("captions.download", params, { signal });
  const ending = format === "original" ? await findCaptionEnding(data) : format;
  const translated = language === undefined ? undefined : ctx.words.language(language);
  const parts = [title, track.name, translated].map((part) => fileName(part ?? ""));
  return { name: `${parts.filter(Boolean).join("-") || "captions"}.${ending}`, data };
}

/** Keeps letters of every script, and nothing that file systems or links can't handle. */
function fileName(text: string): string {
  const words = text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...words.join("-")].slice(0, 40).join("").replace(/-$/u, "");
}

const download = action<CaptionsDownload>({
  name: "captions.download",
  isOnce: true,
  method: "captions.download",
  run: downloadCaptions,
});

/** What an earlier try did not get; its own files stay where they are. */
const downloadRest = action<CaptionsDownload>({
  name: "captions.download-rest",
  answer: "private",
  isOnce: true,
  method: "captions.download",
  run: async (ctx, wanted) => {
    await ctx.afford([["captions.download", planCalls(wanted).length]]);
    return downloadCaptions(ctx, wanted);
  },
});

const downloadAs = action<NamedCaptions>({
  name: "captions.download-as",
  isOnce: true,
  method: "captions.download",
  run: (ctx, track, { values }) => {
    const formats = captionFormats.filter((format) => values.includes(format));
    return downloadCaptions(ctx, { tracks: [track], formats });
  },
});

const askDownload = actionFor(presses.captions.download, {
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

export const captionsDownloadOptions = {
  video: option.video({ required: true, suggest: ownVideos }),
  captions: option.words({ covers: "id", suggest: captionsOf("video") }),
  format: option.choice({
    group: "tfmt",
    values: ["original", ...captionFormats, "all"],
    covers: "tfmt",
  }),
  translate: option.language({ covers: "tlang", suggest: languages }),
};

/** Shows the price of all files first; refuses what today's units don't cover. */
export async function askDownloadCaptions(
  ctx: CtxFor<typeof captionsDownloadOptions>,
): Promise<Reply> {
  const { options, words } = ctx;
  const { format = "original", translate: language } = options;
  const { id: videoId = "", snippet } = await readCaptionedVideo(ctx, options.video);
  const title = cut(snippet?.title ?? videoId, 80);
  const all = await readCaptionsOfVideo(ctx, videoId);
  const chosen = chooseCaptions(all, options.captions, words.language);
  const tracks = chosen.map(({ id = "", snippet }) => ({ id, name: captionsName(snippet, words) }));
  const formats = format === "all" ? captionFormats : ([format] as const);
  const wanted = { title, tracks, formats, language };
  const count = planCalls(wanted).length;
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

export const captionsDownloadActions = [download, downloadRest, downloadAs, askDownload] as const;
