import {
  action,
  actionFor,
  ask,
  type Card,
  type Ctx,
  card,
  cut,
  type Extra,
  type Field,
  form,
  gone,
  noExtra,
  notice,
  presses,
  type Reply,
  smallThumbnail,
  withExtra,
} from "../../discord/index.ts";
import type { VideoAbuseReportReason } from "../../video/index.ts";

/** A report as far as it is known; it is sent once it is complete and confirmed. */
export interface Report {
  readonly videoId: string;
  readonly reasonId?: string | undefined;
  readonly secondaryReasonId?: string | undefined;
  readonly comments?: string | undefined;
  readonly language?: string | undefined;
  readonly extra?: Extra;
}

/** A report with what its questions show, so that they don't read it again. */
interface Shown extends Report {
  readonly title: string;
  readonly thumbnail?: string | undefined;
  readonly reason?: string | undefined;
  readonly detail?: string | undefined;
}

/** The service does not document its limit; this is what a form is given. */
const mostChars = 1500;

/** Asks for whatever is missing, one question after the other, and finally whether to send it. */
export async function report(ctx: Ctx, given: Report): Promise<Reply> {
  const wanted = { part: ["snippet"], id: [given.videoId] } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items;
  if (video === undefined) return gone("video", ctx.words);
  const title = cut(video.snippet?.title ?? ctx.words.say("common.untitled"), 90);
  return goOn(ctx, { ...given, title, thumbnail: smallThumbnail(video.snippet?.thumbnails) });
}

async function goOn(ctx: Ctx, shown: Shown): Promise<Reply> {
  const { words } = ctx;
  const reasons = await reasonsOf(ctx);
  if (shown.reasonId === undefined) return pick(ctx, shown, "reason", optionsOf(reasons));
  const reason = reasons.find(({ id }) => id === shown.reasonId);
  if (reason === undefined) return unknownReason(ctx, shown, optionsOf(reasons));
  const named = { ...shown, reason: reason.snippet?.label ?? shown.reasonId };
  const details = reason.snippet?.secondaryReasons ?? [];
  const detail = details.find(({ id }) => id === shown.secondaryReasonId);
  if (details.length > 0 && detail === undefined) {
    return pick(ctx, { ...named, secondaryReasonId: undefined }, "detail", optionsOf(details));
  }
  const whole: Shown = {
    ...named,
    secondaryReasonId: detail?.id,
    detail: detail?.label,
  };
  if (shown.comments !== undefined) return askToSend(ctx, whole);
  return {
    ...draw(ctx, whole),
    buttons: [
      { label: words.say("videos.report.write"), style: "primary", press: write.press(whole) },
    ],
  };
}

async function reasonsOf(ctx: Ctx): Promise<readonly VideoAbuseReportReason[]> {
  const wanted = { part: ["id", "snippet"], hl: ctx.hl } as const;
  const { items } = await ctx.own.call("videoAbuseReportReasons.list", wanted, {
    signal: ctx.signal,
  });
  return items;
}

interface Choosable {
  readonly id?: string;
  readonly label?: string;
  readonly snippet?: { readonly label?: string };
}

function optionsOf(reasons: readonly Choosable[]) {
  return reasons.flatMap(({ id, label, snippet }) =>
    id === undefined ? [] : [{ value: id, label: label ?? snippet?.label ?? id }],
  );
}

type Options = ReturnType<typeof optionsOf>;

function pick(ctx: Ctx, shown: Shown, what: "reason" | "detail", options: Options): Card {
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

/** People can ignore suggestions, and lists change. */
function unknownReason(ctx: Ctx, shown: Shown, options: Options): Card {
  const again = pick(ctx, { ...shown, reasonId: undefined }, "reason", options);
  return { ...again, text: ctx.words.say("videos.report.unknown_reason") };
}

function draw(ctx: Ctx, shown: Shown, text?: string): Card {
  const { title, thumbnail } = shown;
  return card({
    title: ctx.words.say("videos.report.title", { title }),
    ...(text === undefined ? {} : { text }),
    fields: fieldsOf(ctx, shown),
    ...(thumbnail === undefined ? {} : { thumbnail }),
    isPrivate: true,
  });
}

function fieldsOf({ words }: Ctx, { reason, detail, comments }: Shown): readonly Field[] {
  const rows = { reason, detail, comments };
  return Object.entries(rows).flatMap(([name, value]) =>
    value === undefined || value === ""
      ? []
      : [{ name: words.say(`videos.report.${name as keyof typeof rows}`), value: cut(value, 900) }],
  );
}

async function askToSend(ctx: Ctx, shown: Shown): Promise<Reply> {
  const { words } = ctx;
  const { thumbnail, title } = shown;
  return ask({
    title: words.say("videos.report.ask", { title }),
    text: words.say("videos.report.ask_text", { price: await ctx.price(["videos.reportAbuse"]) }),
    fields: fieldsOf(ctx, shown),
    ...(thumbnail === undefined ? {} : { thumbnail }),
    isPrivate: true,
    confirm: {
      label: words.say("videos.report.confirm"),
      style: "danger",
      press: send.press(shown),
    },
  });
}

const reading = {
  row: "videos.reportAbuse",
  uses: ["videoAbuseReportReasons.list", "videos.list"],
} as const;

const picked = action<Shown & { readonly what: "reason" | "detail" }>({
  name: "videos.report-reason",
  answer: "update",
  by: "requester",
  ...reading,
  run: (ctx, { what, ...shown }, { values: [value] }) =>
    goOn(ctx, { ...shown, [what === "reason" ? "reasonId" : "secondaryReasonId"]: value }),
});

const write = action<Shown>({
  name: "videos.report-write",
  answer: "form",
  by: "requester",
  row: "videos.reportAbuse",
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
          maxLength: mostChars,
        },
      ],
      submit: written.press(shown),
    }),
});

const written = action<Shown>({
  name: "videos.report-details",
  answer: "update",
  by: "requester",
  ...reading,
  run: (ctx, shown, { fields: { comments = "" } }) =>
    askToSend(ctx, { ...shown, comments: comments.trim() }),
});

const send = action<Shown>({
  name: "videos.report-send",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "videos.reportAbuse",
  run: async (ctx, shown) => {
    const { words, own, signal, hl } = ctx;
    const { videoId, reasonId = "", secondaryReasonId, comments, language = hl } = shown;
    const body = {
      videoId,
      reasonId,
      ...(secondaryReasonId === undefined ? {} : { secondaryReasonId }),
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
  answer: "private",
  by: "anyone",
  ...reading,
  run: (ctx, { id }) => report(ctx, { videoId: id }),
});

export const reportActions = [picked, write, written, send, reportIt] as const;
