import {
  type Attachment,
  action,
  ask,
  type ChannelRef,
  type Ctx,
  files,
  join,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { findChannel, ownChannelId } from "../find.ts";
import { fileOf, fittedLines, mediaOf, placePicture } from "./picture.ts";

export const watermarkTimes = ["whole", "offsetFromStart", "offsetFromEnd"] as const;

export interface WatermarkWishes {
  readonly when?: (typeof watermarkTimes)[number] | undefined;
  /** Milliseconds. */
  readonly offset?: number | undefined;
  readonly duration?: number | undefined;
  /** The channel that it links to. */
  readonly target?: ChannelRef | undefined;
}

interface Timing {
  readonly type: "offsetFromStart" | "offsetFromEnd";
  readonly offsetMs: string;
  readonly durationMs?: string;
}

/** More than any video has: a slip of the keys. */
const longest = 12 * 3_600_000;

/** @throws InputError `watermark_timing` */
export function timingOf({ when, offset, duration }: WatermarkWishes): Timing {
  if (when === "whole" && (offset !== undefined || duration !== undefined)) {
    throw unclear("whole", "A watermark over the whole video takes neither a start nor a length.");
  }
  if (when === "offsetFromEnd" && offset === undefined && duration === undefined) {
    throw unclear("end", "Say how long before the end it appears, or how long it stays.");
  }
  if (Math.max(offset ?? 0, duration ?? 0) > longest) {
    throw unclear("long", "Times of up to 12 hours can be set.");
  }
  if (duration === 0) throw unclear("zero", "It has to stay for a moment: give a longer time.");
  const isEnd = when === "offsetFromEnd";
  return {
    type: isEnd ? "offsetFromEnd" : "offsetFromStart",
    // At the end and for a while means the last of it.
    offsetMs: `${offset ?? (isEnd ? (duration ?? 0) : 0)}`,
    ...(duration === undefined ? {} : { durationMs: `${duration}` }),
  };
}

function unclear(fault: "whole" | "end" | "zero" | "long", hint: string): InputError {
  return new InputError(`watermark timing: ${fault}`, {
    code: "watermark_timing",
    hint,
    facts: { fault },
  });
}

async function set(ctx: Ctx, picture: Attachment, wishes: WatermarkWishes): Promise<Reply> {
  const { words, signal } = ctx;
  const timing = timingOf(wishes);
  const placed = await placePicture(ctx, picture, "watermark");
  const { target } = wishes;
  const linked = target === undefined ? undefined : await findChannel(ctx, target);
  const body = { timing, ...(linked && { targetChannelId: linked.id }) };
  const media = mediaOf(placed.fitted);
  const given = { channelId: await ownChannelId(ctx), body, media };
  await ctx.own.call("watermarks.set", given, { signal });
  return files({
    title: words.say("branding.watermark.done"),
    text: join([
      timingLine(timing, words),
      linked !== undefined && words.say("branding.watermark.links_to", { channel: linked.title }),
      ...fittedLines(placed, "watermark", words),
    ]),
    files: [fileOf(placed.fitted, "watermark", words.say("branding.watermark.alt"))],
  });
}

function timingLine({ type, offsetMs, durationMs }: Timing, words: Words): string {
  const offset = words.duration(Number(offsetMs));
  const stays =
    durationMs === undefined
      ? words.say("branding.watermark.to_end")
      : words.say("branding.watermark.stays", { duration: words.duration(Number(durationMs)) });
  if (type === "offsetFromEnd") return words.say("branding.watermark.from_end", { offset, stays });
  if (offsetMs !== "0") return words.say("branding.watermark.from_start", { offset, stays });
  return durationMs === undefined
    ? words.say("branding.watermark.whole")
    : words.say("branding.watermark.at_start", { stays });
}

const remove = action<null>({
  name: "branding.remove-watermark",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "watermarks.unset",
  uses: ["channels.list"],
  run: async (ctx) => {
    const given = { channelId: await ownChannelId(ctx) };
    await ctx.own.call("watermarks.unset", given, { signal: ctx.signal });
    return notice({ tone: "good", title: ctx.words.say("branding.watermark.removed") });
  },
});

async function askToRemove(ctx: Ctx): Promise<Reply> {
  const { words } = ctx;
  return ask({
    title: words.say("branding.watermark.remove_title"),
    text: join([
      words.say("branding.watermark.remove_text"),
      await ctx.price(["watermarks.unset"]),
    ]),
    confirm: {
      label: words.say("branding.watermark.remove"),
      style: "danger",
      press: remove.press(null),
    },
  });
}

export const watermark = { set, askToRemove, actions: [remove] } as const;
