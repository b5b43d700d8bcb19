import {
  type Button,
  channelMention,
  compact,
  join,
  notice,
  notification,
  type OptionsOf,
  type Reply,
  requireRank,
  time,
} from "../../discord/index.ts";
import type { Weekday } from "../../moderation/index.ts";
import type { ServerSettings } from "../../store/index.ts";
import type { Ctx, NotificationCtx } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { requireWritableText } from "../options/index.ts";
import {
  askAboutPublicPlace,
  chosenPlace,
  type PlaceAnswer,
  publicPlaceLine,
} from "../private-places/index.ts";
import { addSuggestedRule, drawWeekSummary } from "./draw.ts";

const days = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

const summaryOptions = {
  channel: option.textChannel({}),
  day: option.choice({ group: "weekday", values: days }),
};

interface SummarySetup extends OptionsOf<typeof summaryOptions> {
  /** Somebody answered that everyone may read it. */
  readonly mayBePublic?: boolean;
}

/**
 * Turns the weekly summary on, or changes it; without options it shows the last seven days. Asks first where everyone can
 * read the channel.
 * @throws AccessError for who may see it but not turn it on; InputError `channel_not_writable`
 */
async function showOrSet(ctx: Ctx, options: SummarySetup): Promise<Reply> {
  const { channel, day, mayBePublic } = options;
  if (channel === undefined && day === undefined) return showLastWeek(ctx);
  await requireRank({ rank: "manager" }, ctx);
  if (channel !== undefined) requireWritableText(channel);
  if (channel !== undefined && mayBePublic !== true) {
    const question = await askAboutPublicPlace(ctx, {
      place: channel,
      seen: ctx.words.say("summary.seen"),
      newName: ctx.serverWords.say("summary.new_name"),
      press: (answer) => postThere.press({ answer, day }),
    });
    if (question !== undefined) return question;
  }
  const chosen = day === undefined ? undefined : days.indexOf(day) + 1;
  let saved: ServerSettings = {};
  const dueAt = await ctx.moderation.summaries.schedule(async () => {
    saved = await ctx.changeSettings(({ summary, ...stored }) => {
      const channelId = channel?.id ?? summary?.channelId;
      const weekday = (chosen ?? summary?.weekday ?? 1) as Weekday;
      if (channelId === undefined) return stored;
      const isAgreed = channel === undefined ? summary?.mayBePublic : mayBePublic;
      const agreed = isAgreed === true && { mayBePublic: true as const };
      return { ...stored, summary: { channelId, weekday, ...agreed } };
    });
    return saved;
  });
  if (saved.summary === undefined || dueAt === undefined) return showLastWeek(ctx);
  return notice({
    tone: "good",
    title: ctx.words.say("summary.on.title"),
    text: ctx.words.md("summary.on.text", {
      place: channelMention(saved.summary.channelId),
      at: time(new Date(dueAt), "f"),
    }),
    buttons: [offButton(ctx)],
  });
}

/** After the question about a channel that everyone can read. */
const postThere = action<{ readonly answer: PlaceAnswer; readonly day: SummarySetup["day"] }>({
  name: "summary.there",
  rank: "manager",
  isOnce: true,
  run: async (ctx, { answer, day }, { values: [chosen] }) => {
    const { place, mayBePublic } = await chosenPlace(ctx, answer, {
      chosen,
      newName: ctx.serverWords.say("summary.new_name"),
    });
    return showOrSet(ctx, { channel: place, day, mayBePublic });
  },
});

async function showLastWeek(ctx: Ctx): Promise<Reply> {
  const { words, settings } = ctx;
  const { summary } = settings;
  const weekday = new Intl.DateTimeFormat(words.tag, { weekday: "long", timeZone: "UTC" });
  const shown = await drawWeekSummary(ctx, await ctx.moderation.summaries.lastWeek());
  const posted =
    summary === undefined
      ? words.md("summary.not_posted", { command: words.mention("watch summary") })
      : words.md("summary.posted", {
          place: channelMention(summary.channelId),
          // 2024 began on a Monday.
          day: weekday.format(new Date(Date.UTC(2024, 0, summary.weekday))),
        });
  const readers =
    summary === undefined
      ? []
      : await publicPlaceLine(ctx, { id: summary.channelId, mayBePublic: summary.mayBePublic });
  return {
    ...shown,
    fields: [
      ...(shown.fields ?? []),
      { name: words.say("summary.where"), value: join([posted, ...readers]) },
    ],
    buttons: compact([...(shown.buttons ?? []), summary !== undefined && offButton(ctx)]),
  };
}

function offButton({ words }: Ctx): Button {
  return { label: words.say("summary.off.button"), press: turnOff.press(null) };
}

const turnOff = action<null>({
  name: "summary.off",
  answer: "private",
  rank: "manager",
  // Its job finds no setting when it is due, and ends.
  run: async (ctx) => {
    await ctx.changeSettings(({ summary: _, ...stored }) => stored);
    return notice({ tone: "good", title: ctx.words.say("summary.off.title") });
  },
});

/** The weekly summary of moderation, posted where a server wants it. */
export const weeklySummary = {
  options: summaryOptions,
  run: showOrSet,
  actions: [addSuggestedRule, turnOff, postThere],
  events: [
    notification({
      name: "week-summary",
      to: ({ guildId, channelId, mayBePublic }) => ({
        kind: "channel",
        guildId,
        channelId,
        isConfidential: mayBePublic !== true,
      }),
      run: (ctx: NotificationCtx, { week }) => drawWeekSummary(ctx, week),
    }),
  ],
} as const;
