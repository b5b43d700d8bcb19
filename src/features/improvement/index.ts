import type { ImproveResult } from "../../background/index.ts";
import {
  type Ask,
  type Attachment,
  ask,
  type Button,
  type CardField,
  cut,
  join,
  mention,
  notice,
  type Press,
  type Reply,
  type ReplyFile,
  reaches,
  requireRank,
  type Text,
} from "../../discord/index.ts";
import { BotError, InputError, LimitError, ServiceError } from "../../errors.ts";
import type { ServiceReadyPicture } from "../../images/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { type CutoutSource, prepareCutoutInput, requireRemoveBg } from "../cutout/index.ts";
import { action, option } from "../declarations/index.ts";
import { plainAttachment, requireOneOf } from "../options/index.ts";

/** A picture that would be handed over. Button states store it, so it is small and JSON-shaped. */
interface OfferedPicture {
  /** The file name that is sent with it. */
  readonly name: string;
  readonly tag?: string;
  /** A picture attached here, or one at an address. */
  readonly attachment?: Attachment;
  readonly link?: string;
  /** Who posted the picture, if it was not the person who hands it over. */
  readonly postedBy?: string;
  /** Handle of the prepared picture in this process's memory. */
  readonly kept?: string;
}

/**
 * Prepares the original picture as for a cut-out: upright, without metadata, within remove.bg's limits.
 * @throws ServiceError `original_gone`; what `prepareCutoutInput` throws
 */
function prepareOffered(ctx: Ctx, attachment: Attachment): Promise<ServiceReadyPicture> {
  return prepareCutoutInput(ctx, attachment).catch((cause: unknown) => {
    if (!(cause instanceof BotError) || cause.code !== "attachment_gone") throw cause;
    throw new ServiceError("the picture as it was given is no longer there", {
      code: "original_gone",
      facts: { command: "background improve" },
      cause,
    });
  });
}

/**
 * Only the form of the address can be checked, because the bot never fetches it. @throws InputError
 * `invalid_image_url`
 */
function requireAddress(link: string): string {
  const address = URL.canParse(link.trim()) ? new URL(link.trim()) : undefined;
  const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
  if (address !== undefined && isWeb && address.username === "" && address.password === "") {
    return address.href;
  }
  throw new InputError("not an address of the web", { code: "invalid_image_url" });
}

/** People may give away what they attach. Pictures of others take a person of this rank. */
const rankForOthers = "moderator";

const offer = action<OfferedPicture>({
  name: "background.improve",
  answer: "private",
  needs: ["background-key"],
  run: askFor,
});

const send = action<OfferedPicture>({
  name: "background.improve-send",
  needs: ["background-key"],
  isOnce: true,
  run: handOver,
});

const improveOptions = {
  image: option.attachment({}),
  link: option.text({ max: 2000 }),
  tag: option.text({ max: 100 }),
  name: option.text({ max: 200 }),
};

/** Asks for consent to hand over a picture that comes with the command. @throws InputError `missing_source` */
async function begin(ctx: CtxFor<typeof improveOptions>): Promise<Reply> {
  const { image, link, tag, name } = ctx.options;
  requireOneOf({ image, link });
  const shared = tag === undefined ? {} : { tag };
  if (image !== undefined) {
    const attachment = plainAttachment(image);
    return askFor(ctx, { ...shared, name: name ?? image.filename, attachment });
  }
  if (link === undefined) {
    throw new InputError("neither a picture nor a link was given", { code: "missing_source" });
  }
  await requireRank({ rank: rankForOthers }, ctx);
  return askFor(ctx, { ...shared, name: name ?? "", link: requireAddress(link) });
}

/** A button below a result that hands over the picture it was made of. */
function buttons(ctx: Ctx, source: CutoutSource): readonly Button[] {
  const { name, original, postedBy, engine } = source;
  if (original === undefined || engine === "rembg") return [];
  if (postedBy !== undefined && !reaches(ctx.rank, rankForOthers)) return [];
  const attachment = plainAttachment(original);
  const press = offer.press({ name, attachment, ...(postedBy !== undefined && { postedBy }) });
  return [{ label: ctx.words.say("improvement.offer"), press }];
}

async function askFor(ctx: Ctx, offered: OfferedPicture): Promise<Reply> {
  requireRemoveBg(ctx);
  await requireRankFor(ctx, offered);
  if (offered.attachment === undefined) {
    return consent(ctx, offered, { press: send.press(offered) });
  }
  const prepared = await prepareOffered(ctx, offered.attachment);
  const press = send.press({ ...offered, kept: await ctx.keep(prepared.bytes) });
  return consent(ctx, offered, { prepared, press });
}

async function handOver(ctx: Ctx, offered: OfferedPicture): Promise<Reply> {
  requireRemoveBg(ctx);
  await requireRankFor(ctx, offered);
  const { words } = ctx;
  const to = await nameReceiver(ctx);
  try {
    const { id } = await improve(ctx, offered);
    return notice({
      tone: "good",
      title: words.say("improvement.done.title"),
      text: join([
        words.say("improvement.done.text", { to }),
        words.say("improvement.done.id", { id }),
      ]),
    });
  } catch (error) {
    if (!(error instanceof BotError) || error.outcome !== "unknown") throw error;
    ctx.log.warn("a picture may have been handed over", {
      code: error.code,
      reason: error.message,
    });
    return notice({
      tone: "warning",
      title: words.say("improvement.lost.title"),
      text: words.say("improvement.lost.text", { to }),
      buttons: [{ label: words.say("improvement.lost.again"), press: send.press(offered) }],
    });
  }
}

/** Who gets the picture: remove.bg, or the host of the service that this server uses instead. */
async function nameReceiver({ credentials }: Ctx): Promise<string> {
  const { address = "" } = (await credentials.facts("background-key")) ?? {};
  return URL.parse(address)?.host ?? "remove.bg";
}

/** Never repeated automatically: the connection may break after remove.bg has received the picture. */
async function improve(ctx: Ctx, offered: OfferedPicture): Promise<ImproveResult> {
  const { attachment, link, kept, name, tag } = offered;
  const source =
    attachment === undefined
      ? { imageUrl: link ?? "" }
      : { image: (await ctx.kept(kept ?? "")) ?? (await prepareOffered(ctx, attachment)).bytes };
  const request = {
    ...source,
    ...(name !== "" && { imageFilename: name }),
    ...(tag !== undefined && { tag }),
  };
  try {
    return await ctx.background.improve(request, { signal: ctx.signal });
  } catch (error) {
    // Without a status the limit was not this request's: cut-outs are over their limit, and all calls wait.
    if (!(error instanceof LimitError) || error.facts.status !== 429) throw error;
    // 100 pictures a day (docs/services/removebg.md#training); Retry-After says until when.
    throw new LimitError("no more pictures are taken for training now", {
      code: "improvement_limit",
      facts: error.facts,
      ...(error.retryAt && { retryAt: error.retryAt }),
      cause: error,
    });
  }
}

async function requireRankFor(ctx: Ctx, { link, postedBy }: OfferedPicture): Promise<void> {
  if (link !== undefined || postedBy !== undefined) {
    await requireRank({ rank: rankForOthers }, ctx);
  }
}

/** Pixels; large enough to recognise the picture. */
const previewSidePx = 480;

/** Says what handing a picture over means: it can't be undone, and the owner has to agree. */
async function consent(
  ctx: Ctx,
  offered: OfferedPicture,
  { prepared, press }: { readonly prepared?: ServiceReadyPicture; readonly press: Press },
): Promise<Ask> {
  const { words } = ctx;
  const { link, postedBy } = offered;
  const to = await nameReceiver(ctx);
  const preview = prepared && (await drawPreview(ctx, prepared));
  const whose: Text =
    postedBy === undefined
      ? words.say("improvement.ask.own")
      : words.md("improvement.ask.others", { person: mention(postedBy) });
  return ask({
    title: words.say("improvement.ask.title", { to }),
    text: join(
      [
        words.md("improvement.ask.use", { to }),
        link === undefined
          ? words.md("improvement.ask.what")
          : words.md("improvement.ask.link", { to }),
        whose,
        words.say("improvement.ask.final"),
      ],
      "\n\n",
    ),
    fields: createFields(ctx, offered, prepared),
    ...(preview && { preview }),
    ...(link !== undefined && { thumbnail: link }),
    confirm: { label: words.say("improvement.ask.confirm"), style: "danger", press },
  });
}

function createFields(
  { words }: Ctx,
  offered: OfferedPicture,
  prepared?: ServiceReadyPicture,
): readonly CardField[] {
  const { name, tag, link } = offered;
  const picture =
    prepared &&
    words.say("improvement.ask.size", {
      width: `${prepared.width}`,
      height: `${prepared.height}`,
      bytes: words.bytes(prepared.bytes.length),
    });
  const rows = { address: link && cut(link, 500), name, tag, picture };
  return Object.entries(rows).flatMap(([row, value]) =>
    value ? [{ name: words.say(`improvement.ask.${row as keyof typeof rows}`), value }] : [],
  );
}

/** Undefined for a picture that can't be shown small, such as a line of one pixel. */
async function drawPreview(
  { images, signal, words }: Ctx,
  { bytes }: ServiceReadyPicture,
): Promise<ReplyFile | undefined> {
  try {
    const { bytes: data } = await images.fit(bytes, {
      width: previewSidePx,
      height: previewSidePx,
      shape: "inside",
      format: "jpeg",
      maxBytes: 1_000_000,
      minWidth: 1,
      minHeight: 1,
      signal,
    });
    return { name: "preview.jpg", data, alt: words.say("improvement.ask.alt") };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return undefined;
  }
}

/** Gives remove.bg a picture that it cut out badly, for its training. */
export const improvement = {
  options: improveOptions,
  begin,
  /** The buttons below a result, if the person may use them. */
  buttons,
  actions: [offer, send],
} as const;
