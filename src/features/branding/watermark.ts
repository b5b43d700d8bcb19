import { ask, join, notice, type OptionsOf, type Reply, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { findChannel, requireOwnChannelId } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { channels, durations } from "../suggestions/index.ts";
import {
  describeFitting,
  fitPictureToPlace,
  fittedFile,
  previewFile,
  readShownPicture,
} from "./picture.ts";

const watermarkOptions = {
  picture: option.attachment({ required: true }),
  when: option.choice({
    group: "watermarkTime",
    values: ["whole", "offsetFromStart", "offsetFromEnd"],
    covers: "timing.type",
  }),
  offset: option.duration({ covers: "timing.offsetMs", suggest: durations }),
  duration: option.duration({ covers: "timing.durationMs", suggest: durations }),
  links_to: option.channel({ covers: "targetChannelId", suggest: channels }),
};

interface WatermarkTiming {
  readonly type: "offsetFromStart" | "offsetFromEnd";
  readonly offsetMs: string;
  readonly durationMs?: string;
}

/** Milliseconds; longer than any video, so a larger number is a typing mistake. */
const maxTimingMs = 12 * 3_600_000;

/** @throws InputError `watermark_timing` */
function readTiming(options: OptionsOf<typeof watermarkOptions>): WatermarkTiming {
  const { when, offset, duration } = options;
  if (when === "whole" && (offset !== undefined || duration !== undefined)) {
    throw timingError("whole");
  }
  if (when === "offsetFromEnd" && offset === undefined && duration === undefined) {
    throw timingError("end");
  }
  if (Math.max(offset ?? 0, duration ?? 0) > maxTimingMs) throw timingError("long");
  if (duration === 0) throw timingError("zero");
  const isEnd = when === "offsetFromEnd";
  return {
    type: isEnd ? "offsetFromEnd" : "offsetFromStart",
    // With a duration alone, “at the end” means the last part of the video.
    offsetMs: `${offset ?? (isEnd ? (duration ?? 0) : 0)}`,
    ...(duration === undefined ? {} : { durationMs: `${duration}` }),
  };
}

function timingError(fault: "whole" | "end" | "zero" | "long"): InputError {
  return new InputError(`watermark timing: ${fault}`, {
    code: "watermark_timing",
    facts: { fault },
  });
}

/** Shows the watermark on a video, says when it appears, and asks before it is set. */
async function askFor(ctx: CtxFor<typeof watermarkOptions>): Promise<Reply> {
  const { options, words } = ctx;
  const timing = readTiming(options);
  const placed = await fitPictureToPlace(ctx, options.picture, "watermark");
  const linked = options.links_to && (await findChannel(ctx, options.links_to));
  return ask({
    title: words.say("branding.watermark.title"),
    text: join([
      timingLine(timing, words),
      linked !== undefined && words.say("branding.watermark.links_to", { channel: linked.title }),
      ...describeFitting(placed, "watermark", words),
      words.say("branding.watermark.replaces"),
      await ctx.price(["watermarks.set"]),
    ]),
    preview: await previewFile(ctx, placed.fitted, {
      place: { kind: "watermark" },
      alt: words.say("branding.watermark.alt_video"),
    }),
    carried: fittedFile(placed.fitted, "watermark", words.say("branding.watermark.alt")),
    confirm: {
      label: words.say("branding.watermark.confirm"),
      style: "success",
      press: set.press({ timing, ...(linked && { targetChannelId: linked.id }) }),
    },
  });
}

interface WatermarkBody {
  readonly timing: WatermarkTiming;
  readonly targetChannelId?: string;
}

const set = action<WatermarkBody>({
  name: "branding.set-watermark",
  isOnce: true,
  method: "watermarks.set",
  uses: ["channels.list"],
  run: async (ctx, body) => {
    const { words, signal } = ctx;
    const media = await readShownPicture(ctx);
    const params = { channelId: await requireOwnChannelId(ctx), body, media };
    await ctx.own.call("watermarks.set", params, { signal });
    return notice({
      tone: "good",
      title: words.say("branding.watermark.done"),
      text: timingLine(body.timing, words),
    });
  },
});

function timingLine({ type, offsetMs, durationMs }: WatermarkTiming, words: Words): string {
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
  isOnce: true,
  method: "watermarks.unset",
  uses: ["channels.list"],
  run: async (ctx) => {
    const params = { channelId: await requireOwnChannelId(ctx) };
    await ctx.own.call("watermarks.unset", params, { signal: ctx.signal });
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

export const channelWatermark = {
  options: watermarkOptions,
  askFor,
  askToRemove,
  actions: [set, remove],
} as const;
