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
import { findChannel, ownChannelId } from "../channels/index.ts";
import { fileOf, fittedLines, mediaOf, placePicture } from "./picture.ts";

export const watermarkTimes = ["whole", "offsetFromStart", "offsetFromEnd"] as const;

interface WatermarkOptions {
  readonly picture: Attachment;
  readonly when?: (typeof watermarkTimes)[number] | undefined;
  /** Milliseconds. */
  readonly offset?: number | undefined;
  readonly duration?: number | undefined;
  /** The channel that it links to. */
  readonly links_to?: ChannelRef | undefined;
}

interface Timing {
  readonly type: "offsetFromStart" | "offsetFromEnd";
  readonly offsetMs: string;
  readonly durationMs?: string;
}

/** Longer than any video: a slip of the keys. */
const longest = 12 * 3_600_000;

/** @throws InputError `watermark_timing` */
function timingOf({ when, offset, duration }: WatermarkOptions): Timing {
  if (when === "whole" && (offset !== undefined || duration !== undefined)) {
    throw timingRefusal("whole");
  }
  if (when === "offsetFromEnd" && offset === undefined && duration === undefined) {
    throw timingRefusal("end");
  }
  if (Math.max(offset ?? 0, duration ?? 0) > longest) {
    throw timingRefusal("long");
  }
  if (duration === 0) throw timingRefusal("zero");
  const isEnd = when === "offsetFromEnd";
  return {
    type: isEnd ? "offsetFromEnd" : "offsetFromStart",
    // At the end, for a given time, means the last part of the video.
    offsetMs: `${offset ?? (isEnd ? (duration ?? 0) : 0)}`,
    ...(duration === undefined ? {} : { durationMs: `${duration}` }),
  };
}

function timingRefusal(fault: "whole" | "end" | "zero" | "long"): InputError {
  return new InputError(`watermark timing: ${fault}`, {
    code: "watermark_timing",
    facts: { fault },
  });
}

async function set(ctx: Ctx, options: WatermarkOptions): Promise<Reply> {
  const { words, signal } = ctx;
  const timing = timingOf(options);
  const placed = await placePicture(ctx, options.picture, "watermark");
  const linked = options.links_to && (await findChannel(ctx, options.links_to));
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
