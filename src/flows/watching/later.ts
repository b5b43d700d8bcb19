import {
  type Action,
  action,
  type Ctx,
  notice,
  type Reply,
  readDate,
  type Select,
  time,
} from "../../discord/index.ts";
import type { ItemRef } from "../../moderation/index.ts";
import { absent, cardAgain, notNow } from "./redraw.ts";
import { actorOf } from "./who.ts";

const hourMs = 3_600_000;
const usualMs = 3 * hourMs;

type Ahead = "h1" | "h3" | "tomorrow" | "d3";
const times: readonly Ahead[] = ["h1", "h3", "tomorrow", "d3"];

const anyone = { by: "anyone", rank: "moderator" } as const;

/** Puts it off for a while at once; the answer offers other times. */
const later = action<ItemRef>({
  ...anyone,
  name: "watch.later",
  answer: "private",
  run: (ctx, ref) => putOff(ctx, ref, ctx.now() + usualMs),
});

const laterAt = action<ItemRef>({
  ...anyone,
  name: "watch.later-at",
  by: "requester",
  answer: "update",
  run: async (ctx, ref, { values: [chosen] }) =>
    putOff(ctx, ref, await momentOf(times.find((one) => one === chosen) ?? "h3", ctx)),
});

const now = action<ItemRef>({
  ...anyone,
  name: "watch.now",
  answer: "update",
  run: async (ctx, ref) => {
    const item = await ctx.moderation.queue.now(ref);
    return item === undefined ? absent(ctx) : cardAgain(ctx, item);
  },
});

async function putOff(ctx: Ctx<unknown>, ref: ItemRef, until: number): Promise<Reply> {
  const { words } = ctx;
  const decided = await ctx.moderation.queue.later(ref, actorOf(ctx), until);
  const { item } = decided;
  if (item?.status !== "later" || item.later?.until !== until) return notNow(ctx, decided);
  const at = new Date(until);
  return notice({
    tone: "info",
    title: words.say("watch.later.title"),
    text: words.md("watch.later.text", { at: time(at), moment: time(at, "f") }),
    selects: [timesSelect(ctx, ref)],
  });
}

function timesSelect({ words }: Ctx<unknown>, ref: ItemRef): Select {
  return {
    placeholder: words.say("watch.later.other"),
    options: times.map((one) => ({ value: one, label: words.say(`watch.later.times.${one}`) })),
    press: laterAt.press(ref),
  };
}

async function momentOf(ahead: Ahead, { now, settings }: Ctx<unknown>): Promise<number> {
  switch (ahead) {
    case "h1":
      return now() + hourMs;
    case "h3":
      return now() + usualMs;
    case "d3":
      return now() + 72 * hourMs;
    case "tomorrow": {
      const timeZone = settings.timeZone ?? "UTC";
      const reading = { option: "time", now: now(), tag: "en-US", timeZone };
      return (await readDate("tomorrow 9:00", reading)).getTime();
    }
  }
}

export const laterActions: readonly Action<never>[] = [later, laterAt, now];
