import {
  type Attachment,
  ask,
  card,
  compact,
  cut,
  form,
  gone,
  join,
  link,
  type Reply,
} from "../../discord/index.ts";
import { AccessError } from "../../errors.ts";
import {
  isShortVideo,
  type Method,
  playerBounds,
  shortVideoParts,
  type Video,
  youtubePages,
} from "../../video/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { plainAttachment } from "../options/index.ts";
import {
  canCover,
  describeFitting,
  fitPictureToPlace,
  fittedFile,
  type PicturePlaceName,
  type PlacedPicture,
  pictureGoneError,
  picturePlaces,
  readShownPicture,
} from "./picture.ts";

/** How a picture can be placed in a thumbnail: upright as a Short is, whole with bars beside it, or cropped. */
const thumbnailFrames = [
  "uprightThumbnail",
  "thumbnail",
  "croppedThumbnail",
] as const satisfies readonly PicturePlaceName[];
type ThumbnailFrame = (typeof thumbnailFrames)[number];

/** A thumbnail that is shown before it is set. The select's state stores it, so it is JSON-shaped. */
interface ThumbnailProposal {
  readonly id: string;
  readonly title: string;
  /** The picture that was handed in. */
  readonly picture: Attachment;
  readonly frame: ThumbnailFrame;
  readonly frames: readonly ThumbnailFrame[];
}

/**
 * The frames in which the picture would look different, the best one first. Shorts have upright thumbnails
 * (docs/services/youtube.md#shorts); everything else YouTube keeps whole, with bars.
 */
function framesFor(
  { original, fitted: { fitted } }: PlacedPicture,
  { isShort }: { readonly isShort: boolean },
): readonly [ThumbnailFrame, ...ThumbnailFrame[]] {
  const isCroppable = fitted === "barred" && canCover(original, picturePlaces.croppedThumbnail);
  const wide = ["thumbnail", ...(isCroppable ? (["croppedThumbnail"] as const) : [])] as const;
  return isShort && original.height > original.width ? ["uprightThumbnail", ...wide] : wide;
}

const uses: readonly Method[] = ["videos.list"];

const fromForm = action<Pick<ThumbnailProposal, "id">>({
  name: "branding.thumbnail-from-form",
  answer: "private",
  method: "thumbnails.set",
  uses,
  run: (ctx, { id }, { files }) => {
    const [picture] = files.picture ?? [];
    if (picture === undefined) throw pictureGoneError();
    return askFor(ctx, id, picture);
  },
});

const openForm = actionFor(presses.video.thumbnail, {
  answer: "form",
  method: "thumbnails.set",
  form: ({ words }, { id }) =>
    form({
      title: words.say("branding.thumbnail.form"),
      isReturned: true,
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

/** Fits the picture into the chosen frame. */
const reframe = action<ThumbnailProposal>({
  name: "branding.frame-thumbnail",
  method: "thumbnails.set",
  run: (ctx, proposal, { values: [value] }) =>
    question(ctx, {
      ...proposal,
      frame: thumbnailFrames.find((frame) => frame === value) ?? proposal.frame,
    }),
});

/** Sets the picture that the question shows. */
const setShown = action<Pick<ThumbnailProposal, "id" | "title">>({
  name: "branding.set-thumbnail",
  isOnce: true,
  method: "thumbnails.set",
  run: async (ctx, { id, title }) => {
    const media = await readShownPicture(ctx);
    const { words, signal } = ctx;
    ctx.named(id, { title });
    await ctx.own.call("thumbnails.set", { videoId: id, media }, { signal });
    return card({
      title: words.say("branding.thumbnail.done"),
      url: youtubePages.video(id),
      text: link(cut(title, 100), youtubePages.video(id)),
      // The picture itself, because its address at YouTube stays the same and caches still have the old one.
      preview: {
        name: media.type === "image/png" ? "thumbnail.png" : "thumbnail.jpg",
        data: media.data,
        alt: words.say("common.thumbnail_of", { title: cut(title, 100) }),
      },
      buttons: [{ label: words.say("common.open"), url: youtubePages.video(id) }],
    });
  },
});

/**
 * Shows what the thumbnail will look like, with the other frames that it fits, and asks before it is set. A picture
 * that can't be a thumbnail is refused before a unit is spent.
 * @throws InputError as `Images.fit`; AccessError `not_own_video`
 */
async function askFor(ctx: Ctx, id: string, picture: Attachment): Promise<Reply> {
  const placed = await fitPictureToPlace(ctx, picture, "thumbnail");
  const video = await readVideoToBrand(ctx, id);
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
  const { id, title, frame, frames, picture } = proposal;
  const placed = ready ?? (await fitPictureToPlace(ctx, picture, frame));
  const price = await ctx.price(["thumbnails.set"]);
  const lines = describeFitting(placed, frame, words);
  return ask({
    title: words.say("thumbnails.video.ask", { title }),
    text: join([...lines, words.say("branding.thumbnail.replaces"), price]),
    preview: fittedFile(placed.fitted, "thumbnail", words.say("branding.thumbnail.alt", { title })),
    selects: compact([
      frames.length > 1 && {
        placeholder: words.say("branding.frame.placeholder"),
        options: frames.map((value) => ({
          label: words.say(`branding.frame.${value}`),
          value,
          isDefault: value === frame,
        })),
        press: reframe.press(proposal),
      },
    ]),
    confirm: {
      label: words.say("branding.thumbnail.confirm"),
      style: "success",
      press: setShown.press({ id, title }),
    },
  });
}

/** Reads whose video it is for one unit, because a refusal would cost fifty. @throws AccessError `not_own_video` */
export async function readVideoToBrand(ctx: Ctx, id: string): Promise<Video | undefined> {
  const wanted = { part: ["snippet", ...shortVideoParts], id: [id], ...playerBounds } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items ?? [];
  const owner = video?.snippet?.channelId;
  if (owner === undefined || ctx.channelId === undefined || owner === ctx.channelId) return video;
  throw new AccessError("the video belongs to another channel", { code: "not_own_video" });
}

export const videoThumbnail = {
  askFor,
  /** The press that confirms a question which shows the picture. */
  confirm: (id: string, title: string) => setShown.press({ id, title }),
  actions: [openForm, fromForm, reframe, setShown],
} as const;
