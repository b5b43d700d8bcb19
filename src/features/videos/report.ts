import {
  ask,
  type Card,
  type CardField,
  card,
  cut,
  form,
  gone,
  notice,
  type Reply,
} from "../../discord/index.ts";
import { smallThumbnail } from "../../video/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, actionFor, coveredParams, option } from "../declarations/index.ts";
import { type Extra, noExtra, withExtra } from "../extra/index.ts";
import { browse } from "../lists/index.ts";
import { abuseReasons, secondaryReasons } from "../suggestions/index.ts";

/** The answers for a report so far. It is sent when it is complete and confirmed. */
interface VideoReport {
  readonly videoId: string;
  readonly reasonId?: string | undefined;
  readonly secondaryReasonId?: string | undefined;
  readonly comments?: string | undefined;
  readonly language?: string | undefined;
  readonly extra?: Extra;
}

/** A report with what its questions show, so that they do not have to read it again. */
interface ShownReport extends VideoReport {
  readonly title: string;
  readonly thumbnail?: string | undefined;
  readonly reason?: string | undefined;
  readonly detail?: string | undefined;
}

/** The limit of our form; YouTube does not document its own. */
const maxCommentChars = 1500;

export const videoReportOptions = {
  video: option.video({ required: true, covers: "videoId" }),
  reason: option.field("videos.reportAbuse", "reasonId", { suggest: abuseReasons }),
  detail: option.field("videos.reportAbuse", "secondaryReasonId", {
    suggest: secondaryReasons("reason"),
  }),
  comments: option.text({ max: maxCommentChars, covers: "comments" }),
};

export async function reportVideoFromOptions(
  ctx: CtxFor<typeof videoReportOptions>,
): Promise<Reply> {
  const { options, extra } = ctx;
  const { body } = coveredParams("videos.reportAbuse", videoReportOptions, options);
  return reportVideo(ctx, { ...body, videoId: options.video, extra });
}

/** Asks for what is missing, one question after the other, and finally whether to send the report. */
async function reportVideo(ctx: Ctx, videoReport: VideoReport): Promise<Reply> {
  const wanted = { part: ["snippet"], id: [videoReport.videoId] } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items;
  if (video === undefined) return gone("video", ctx.words);
  const title = cut(video.snippet?.title ?? ctx.words.say("common.untitled"), 90);
  return goOn(ctx, { ...videoReport, title, thumbnail: smallThumbnail(video.snippet?.thumbnails) });
}

async function goOn(ctx: Ctx, shown: ShownReport): Promise<Reply> {
  const { words } = ctx;
  const wanted = { part: ["id", "snippet"], hl: ctx.hl } as const;
  const { items: reasons } = await ctx.own.call("videoAbuseReportReasons.list", wanted, {
    signal: ctx.signal,
  });
  if (shown.reasonId === undefined) return pick(ctx, shown, "reason", reasonOptions(reasons));
  const reason = reasons.find(({ id }) => id === shown.reasonId);
  if (reason === undefined) {
    // People can type anything, and the list changes.
    const again = pick(ctx, { ...shown, reasonId: undefined }, "reason", reasonOptions(reasons));
    return { ...again, text: words.say("videos.report.unknown_reason") };
  }
  const named = { ...shown, reason: reason.snippet?.label ?? shown.reasonId };
  const details = reason.snippet?.secondaryReasons ?? [];
  const detail = details.find(({ id }) => id === shown.secondaryReasonId);
  if (details.length > 0 && detail === undefined) {
    return pick(ctx, { ...named, secondaryReasonId: undefined }, "detail", reasonOptions(details));
  }
  const whole: ShownReport = { ...named, secondaryReasonId: detail?.id, detail: detail?.label };
  if (shown.comments !== undefined) return askToSend(ctx, whole);
  return {
    ...draw(ctx, whole),
    buttons: [
      { label: words.say("videos.report.write"), style: "primary", press: write.press(whole) },
    ],
  };
}

interface ReasonToChoose {
  readonly id?: string;
  readonly label?: string;
  readonly snippet?: { readonly label?: string };
}

function reasonOptions(reasons: readonly ReasonToChoose[]) {
  return reasons.flatMap(({ id, label, snippet }) =>
    id === undefined ? [] : [{ value: id, label: label ?? snippet?.label ?? id }],
  );
}

type ReasonChoices = ReturnType<typeof reasonOptions>;

function pick(
  ctx: Ctx,
  shown: ShownReport,
  what: "reason" | "detail",
  options: ReasonChoices,
): Card {
  return {
    ...draw(ctx, shown, ctx.words.say("videos.report.pick")),
    selects: [
      {
        placeholder: ctx.words.say(`videos.report.pick_${what}`),
        options,
        press: picked.press({ ...shown, what }),
      },
    ],
  };
}

function draw(ctx: Ctx, shown: ShownReport, text?: string): Card {
  const { title, thumbnail } = shown;
  return card({
    title: ctx.words.say("videos.report.title", { title }),
    text,
    fields: reportFields(ctx, shown),
    thumbnail,
    isPrivate: true,
  });
}

function reportFields(
  { words }: Ctx,
  { reason, detail, comments }: ShownReport,
): readonly CardField[] {
  const rows = { reason, detail, comments };
  return Object.entries(rows).flatMap(([name, value]) =>
    value === undefined || value === ""
      ? []
      : [{ name: words.say(`videos.report.${name as keyof typeof rows}`), value: cut(value, 900) }],
  );
}

async function askToSend(ctx: Ctx, shown: ShownReport): Promise<Reply> {
  const { words } = ctx;
  const { thumbnail, title } = shown;
  return ask({
    title: words.say("videos.report.ask", { title }),
    text: words.say("videos.report.ask_text", { price: await ctx.price(["videos.reportAbuse"]) }),
    fields: reportFields(ctx, shown),
    thumbnail,
    isPrivate: true,
    confirm: {
      label: words.say("videos.report.confirm"),
      style: "danger",
      press: send.press(shown),
    },
  });
}

const reading = {
  method: "videos.reportAbuse",
  uses: ["videoAbuseReportReasons.list", "videos.list"],
} as const;

const picked = action<ShownReport & { readonly what: "reason" | "detail" }>({
  name: "videos.report-reason",
  ...reading,
  run: (ctx, { what, ...shown }, { values: [value] }) =>
    goOn(ctx, { ...shown, [what === "reason" ? "reasonId" : "secondaryReasonId"]: value }),
});

const write = action<ShownReport>({
  name: "videos.report-write",
  answer: "form",
  method: "videos.reportAbuse",
  form: ({ words }, shown) =>
    form({
      title: words.say("videos.report.form"),
      isReturned: true,
      fields: [
        {
          name: "comments",
          label: words.say("videos.report.comments"),
          description: words.say("videos.report.form_about"),
          style: "paragraph",
          required: false,
          maxLength: maxCommentChars,
        },
      ],
      submit: written.press(shown),
    }),
});

const written = action<ShownReport>({
  name: "videos.report-details",
  ...reading,
  run: (ctx, shown, { fields: { comments = "" } }) =>
    askToSend(ctx, { ...shown, comments: comments.trim() }),
});

const send = action<ShownReport>({
  name: "videos.report-send",
  isOnce: true,
  method: "videos.reportAbuse",
  run: async (ctx, shown) => {
    const { words, own, signal, hl } = ctx;
    const { videoId, reasonId = "", secondaryReasonId, comments, language = hl } = shown;
    const body = {
      videoId,
      reasonId,
      secondaryReasonId,
      ...(comments ? { comments } : {}),
      language,
    };
    const params = withExtra({ body }, shown.extra ?? noExtra);
    await own.call("videos.reportAbuse", params, { signal });
    return notice({
      tone: "good",
      title: words.say("videos.report.done"),
      text: words.say("videos.report.done_text"),
    });
  },
});

const reportIt = actionFor(presses.video.report, {
  ...reading,
  run: (ctx, { id }) => reportVideo(ctx, { videoId: id }),
});

export const reportActions = [picked, write, written, send, reportIt] as const;

export const reportReasons = browse<"videoAbuseReportReasons.list", null>({
  name: "videos.turn-reasons",
  method: "videoAbuseReportReasons.list",
  params: (_, { hl }) => ({ part: ["id", "snippet"], hl }),
  title: "videos.reasons.title",
  item: ({ id = "", snippet }, { words }) => ({
    title: snippet?.label ?? id,
    lines:
      (snippet?.secondaryReasons ?? []).length === 0
        ? []
        : [words.list((snippet?.secondaryReasons ?? []).flatMap(({ label }) => label ?? []))],
  }),
  empty: "videos.reasons.empty",
  columns: {
    id: "id",
    label: "snippet.label",
    secondary: ({ snippet }) =>
      snippet?.secondaryReasons?.map(({ id, label }) => `${id}: ${label}`).join("; "),
  },
  isPrivate: true,
  perPage: 10,
});
