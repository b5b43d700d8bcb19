import {
  action,
  ask,
  type Ctx,
  captionsName,
  cut,
  notice,
  type Reply,
} from "../../discord/index.ts";
import { countOf, type Download, downloadCaptions } from "./download.ts";
import { field } from "./fields.ts";
import { captionsOfVideo, chosenCaptions, type Named, videoWithCaptions } from "./find.ts";
import { captionFormats } from "./format.ts";

export const download = action<Download>({
  name: "captions.download",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "captions.download",
  run: (ctx, wanted) => downloadCaptions(ctx, wanted),
});

export const downloadAs = action<Named>({
  name: "captions.download-as",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "captions.download",
  run: (ctx, track, { values }) => {
    const formats = captionFormats.filter((format) => values.includes(format));
    return downloadCaptions(ctx, { tracks: [track], formats });
  },
});

export const askDownload = action<Named>({
  name: "captions.ask-download",
  answer: "private",
  by: "anyone",
  row: "captions.download",
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

/** The price of all of it comes first; what today's units do not cover is not begun. */
export async function askDownloads(ctx: Ctx<unknown>, options: DownloadOptions): Promise<Reply> {
  const { format = "original", translate: language } = options;
  const { words } = ctx;
  const { id: videoId = "", snippet } = await videoWithCaptions(ctx, options.video);
  const title = cut(snippet?.title ?? videoId, 80);
  const all = await captionsOfVideo(ctx, videoId);
  const chosen = chosenCaptions(all, options.captions, words.language);
  const tracks = chosen.map(({ id = "", snippet }) => ({
    id,
    name: captionsName(snippet, words),
  }));
  const formats = format === "all" ? captionFormats : ([format] as const);
  const wanted = { title, tracks, formats, language };
  const count = countOf(wanted);
  if (count === 0) return notice({ tone: "info", title: words.say("captions.list.empty") });
  await ctx.afford([["captions.download", count]]);
  const price = await ctx.price(["captions.download", count]);
  return ask({
    title: words.say("captions.download.ask", { count }),
    text: [...tracks.map(({ name }) => name), price].join("\n"),
    fields: [
      field(words, "captions.fields.format", words.say(`choices.tfmt.${format}`)),
      ...(language === undefined
        ? []
        : [field(words, "captions.fields.translated", words.language(language))]),
    ],
    confirm: {
      label: words.say("cards.download"),
      style: "primary",
      press: download.press(wanted),
    },
  });
}
