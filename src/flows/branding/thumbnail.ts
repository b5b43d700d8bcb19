import {
  type Attachment,
  action,
  actionFor,
  ask,
  type Ctx,
  card,
  cut,
  form,
  gone,
  join,
  link,
  type Press,
  pages,
  presses,
  type Reply,
  type Select,
  type Words,
} from "../../discord/index.ts";
import { AccessError } from "../../errors.ts";
import {
  isShortVideo,
  type Method,
  playerBounds,
  shortVideoParts,
  type Video,
} from "../../video/index.ts";
import { plainAttachment } from "../options/index.ts";
import {
  canCover,
  fileOf,
  fittedLines,
  type mediaOf,
  type PlacedPicture,
  type PlaceName,
  pictureGone,
  placePicture,
  places,
  shownPicture,
} from "./picture.ts";

/** How a picture can be placed in a thumbnail: upright as a Short is, whole with bars beside it, or cropped. */
const thumbnailFrames = [
  "uprightThumbnail",
  "thumbnail",
  "croppedThumbnail",
] as const satisfies readonly PlaceName[];
type ThumbnailFrame = (typeof thumbnailFrames)[number];

/** A thumbnail that is shown before it is set. The state of the select holds it, so it is JSON-shaped. */
interface ThumbnailProposal {
  readonly id: string;
  readonly title: string;
  /** As it was given. */
  readonly picture: Attachment;
  readonly frame: ThumbnailFrame;
  readonly frames: readonly ThumbnailFrame[];
}

function isFrame(value: string | undefined): value is ThumbnailFrame {
  return thumbnailFrames.some((frame) => frame === value);
}

/**
 * The frames in which the picture would look different, the best one first. Since November 2026 Shorts have upright
 * thumbnails (facts/video-api-notes.md 1); the service keeps everything else whole, with bars.
 */
function framesFor(
  { original, fitted: { fitted } }: PlacedPicture,
  { isShort }: { readonly isShort: boolean },
): readonly [ThumbnailFrame, ...ThumbnailFrame[]] {
  const isCroppable = fitted === "barred" && canCover(original, places.croppedThumbnail);
  const wide = ["thumbnail", ...(isCroppable ? (["croppedThumbnail"] as const) : [])] as const;
  return isShort && original.height > original.width ? ["uprightThumbnail", ...wide] : wide;
}

/** Empty where there is nothing to choose. */
function frameSelect(
  proposal: ThumbnailProposal,
  words: Words,
  press: (proposal: ThumbnailProposal) => Press,
): readonly Select[] {
  const { frame: current, frames } = proposal;
  if (frames.length === 1) return [];
  const options = frames.map((frame) => ({
    label: words.say(`branding.frame.${frame}`),
    value: frame,
    isDefault: frame === current,
  }));
  return [
    { placeholder: words.say("branding.frame.placeholder"), options, press: press(proposal) },
  ];
}

interface OfVideo {
  readonly id: string;
}

interface Setting extends OfVideo {
  readonly title: string;
}

const uses: readonly Method[] = ["videos.list"];

const fromForm = action<OfVideo>({
  name: "branding.thumbnail-from-form",
  answer: "private",
  by: "requester",
  row: "thumbnails.set",
  uses,
  run: (ctx, { id }, { files }) => {
    const [picture] = files.picture ?? [];
    if (picture === undefined) throw pictureGone();
    return askFor(ctx, id, picture);
  },
});

const openForm = actionFor(presses.video.thumbnail, {
  answer: "form",
  by: "anyone",
  row: "thumbnails.set",
  form: ({ words }, { id }) =>
    form({
      title: words.say("branding.thumbnail.form"),
      fields: [
        {
          kind: "files",
          name: "picture",
          label: words.say("branding.thumbnail.picture"),
          description: words.say("branding.thumbnail.wanted"),
        },
      ],
      submit: fromForm.press({ id }),
    }),
});

/** Fits the picture anew for the frame that was chosen. */
const reframe = action<ThumbnailProposal>({
  name: "branding.frame-thumbnail",
  answer: "update",
  by: "requester",
  row: "thumbnails.set",
  run: (ctx, proposal, { values: [value] }) =>
    question(ctx, { ...proposal, frame: isFrame(value) ? value : proposal.frame }),
});

/** Sets the picture that a question showed. */
const setShown = action<Setting>({
  name: "branding.set-thumbnail",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "thumbnails.set",
  run: async (ctx, setting) => set(ctx, setting, await shownPicture(ctx)),
});

/**
 * Shows the thumbnail as it will be, with the other frames it fits, and asks before it is set. What can't
 * be a thumbnail is refused before a unit is spent.
 * @throws InputError as `Images.fit`; AccessError `not_own_video`
 */
async function askFor(ctx: Ctx, id: string, picture: Attachment): Promise<Reply> {
  const placed = await placePicture(ctx, picture, "thumbnail");
  const video = await ownVideo(ctx, id);
  if (video === undefined) return gone("video", ctx.words);
  const frames = framesFor(placed, { isShort: isShortVideo(video) });
  const title = cut(video.snippet?.title ?? id, 120);
  const [frame] = frames;
  const proposal = { id, title, picture: plainAttachment(picture), frame, frames };
  return question(ctx, proposal, frame === "thumbnail" ? placed : undefined);
}

async function question(
  ctx: Ctx,
  proposal: ThumbnailProposal,
  ready?: PlacedPicture,
): Promise<Reply> {
  const { words } = ctx;
  const { id, title, frame, picture } = proposal;
  const placed = ready ?? (await placePicture(ctx, picture, frame));
  const price = await ctx.price(["thumbnails.set"]);
  const lines = fittedLines(placed, frame, words);
  return ask({
    title: words.say("thumbnails.video.ask", { title }),
    text: join([...lines, words.say("branding.thumbnail.replaces"), price]),
    preview: fileOf(placed.fitted, "thumbnail", words.say("branding.thumbnail.alt", { title })),
    selects: frameSelect(proposal, words, reframe.press),
    confirm: {
      label: words.say("branding.thumbnail.confirm"),
      style: "success",
      press: setShown.press({ id, title }),
    },
  });
}

async function set(
  ctx: Ctx,
  { id, title }: Setting,
  media: ReturnType<typeof mediaOf>,
): Promise<Reply> {
  const { words, signal } = ctx;
  await ctx.own.call("thumbnails.set", { videoId: id, media }, { signal });
  return card({
    title: words.say("branding.thumbnail.done"),
    url: pages.video(id),
    text: link(cut(title, 100), pages.video(id)),
    // The picture itself: its address at the service stays the same, and caches still have what it showed before.
    preview: {
      name: media.type === "image/png" ? "thumbnail.png" : "thumbnail.jpg",
      data: media.data,
      alt: words.say("common.thumbnail_of", { title: cut(title, 100) }),
    },
    buttons: [{ label: words.say("common.open"), url: pages.video(id) }],
  });
}

/** Asks for one unit whose video it is, since a refusal would cost fifty. @throws AccessError `not_own_video` */
export async function ownVideo(ctx: Ctx, id: string): Promise<Video | undefined> {
  const wanted = { part: ["snippet", ...shortVideoParts], id: [id], ...playerBounds } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items ?? [];
  const owner = video?.snippet?.channelId;
  if (owner === undefined || ctx.channelId === undefined || owner === ctx.channelId) return video;
  throw new AccessError("the video belongs to another channel", { code: "not_own_video" });
}

export const thumbnail = {
  askFor,
  /** What confirms a question that shows the picture. */
  confirm: (id: string, title: string) => setShown.press({ id, title }),
  actions: [openForm, fromForm, reframe, setShown],
} as const;
