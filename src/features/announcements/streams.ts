import {
  type Feed,
  type StreamOptions,
  streamMessages,
  unitsOfUsualStream,
} from "../../announcements/index.ts";
import { dayMs, minuteMs } from "../../clock.ts";
import { join, notice, type OptionsOf, type Reply, type Text } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { durations } from "../suggestions/index.ts";
import { eventsForbidden } from "./list.ts";
import { feedChoice, findFeed } from "./manage.ts";

export const streamOptions = {
  ...feedChoice,
  messages: option.choice({ group: "stream_messages", values: streamMessages }),
  reminder: option.duration({ suggest: durations }),
  events: option.flag({}),
};

const minReminderMs = 5 * minuteMs;
const maxReminderMs = dayMs;

/**
 * Changes how a channel's streams are followed; without an option it shows the current settings. Both say the price.
 * @throws InputError `reminder_out_of_range`, and what choosing a feed throws
 */
export async function setStreams(ctx: CtxFor<typeof streamOptions>): Promise<Reply> {
  const { words, options } = ctx;
  const { messages, reminder, events } = options;
  const isLong = reminder !== undefined && reminder !== 0;
  if (isLong && (reminder < minReminderMs || reminder > maxReminderMs)) {
    throw new InputError("the reminder is out of range", {
      code: "reminder_out_of_range",
      facts: {
        given: words.duration(reminder),
        least: words.duration(minReminderMs),
        most: words.duration(maxReminderMs),
      },
    });
  }
  const found = await findFeed(ctx, options.feed);
  const isChange = [messages, reminder, events].some((one) => one !== undefined);
  const feed = isChange
    ? await ctx.feeds.changeStreams(found.id, (stored) => withOptions(stored, options))
    : found;
  const word = isChange ? "saved" : "title";
  return notice({
    tone: isChange ? "good" : "neutral",
    title: words.say(`announce.stream.settings.${word}`, { channel: feed.title }),
    text: join([
      ...describeStreams(feed, ctx),
      words.say("announce.stream.settings.price", {
        units: unitsOfUsualStream(feed.streams?.reminderMs),
      }),
      await priceNow(ctx, feed),
    ]),
  });
}

/** Merges the chosen options into the stored settings; the others stay as they are. */
export function withOptions(
  stored: StreamOptions | undefined,
  { messages, reminder, events }: Omit<OptionsOf<typeof streamOptions>, "feed">,
): StreamOptions {
  const before: StreamOptions = stored ?? { messages: "live" };
  return {
    messages: messages ?? before.messages,
    reminderMs: reminder === undefined ? before.reminderMs : reminder || undefined,
    hasEvents: (events ?? before.hasEvents) || undefined,
    // Whoever chooses events again has given the permission, or soon hears that it is still missing.
    eventsOff: events === undefined ? before.eventsOff : undefined,
  };
}

/** How streams are followed, a line for each setting. */
function describeStreams(
  { streams = { messages: "live" }, places }: Feed,
  { words, mayMakeEvents }: Pick<Ctx, "words" | "mayMakeEvents">,
): readonly Text[] {
  const { messages, reminderMs, hasEvents, eventsOff } = streams;
  const isOff = hasEvents && (eventsOff !== undefined || !mayMakeEvents);
  const hasPlace = places.live !== undefined || places.premiere !== undefined;
  return [
    words.say(`announce.stream.settings.messages.${messages}`),
    reminderMs === undefined
      ? words.say("announce.stream.settings.no_reminder")
      : words.say("announce.stream.settings.reminder", { before: words.duration(reminderMs) }),
    words.say(`announce.stream.settings.${hasEvents ? "events" : "no_events"}`),
    ...(isOff ? [eventsForbidden(words)] : []),
    ...(hasPlace
      ? []
      : [
          words.md("announce.stream.settings.no_place", {
            command: words.mention("announce change"),
          }),
        ]),
  ];
}

async function priceNow({ feeds, words }: Ctx, { id }: Feed): Promise<Text | undefined> {
  const status = await feeds.status(id);
  if (status === undefined) return undefined;
  const { currentStreams: count, unitsADay: units } = status;
  return words.say("announce.stream.settings.now", { count, units });
}
