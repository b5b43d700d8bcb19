import type { Removal, RemoveBackgroundRequest } from "../../background/index.ts";
import type { Attachment, Ctx } from "../../discord/index.ts";
import type { Prepared } from "../../images/index.ts";

/** What one cut-out may ask of the service beside its picture. */
export type CutOutWishes = Omit<
  RemoveBackgroundRequest,
  "image" | "imageName" | "imageFileB64" | "imageUrl" | "megapixels"
>;

/** One picture as the service gave it back. */
export interface CutOut {
  /** The service's ZIP, which every job of `Images` takes as a cut-out. */
  readonly cutout: Buffer;
  /** What it cost lies in its `creditsCharged`; absent is not zero. */
  readonly removal: Removal;
  readonly prepared: Prepared;
}

/**
 * Cuts one picture out: fetched, checked by its bytes, prepared, sent in its turn. Shows how far it is.
 * @throws what `fetchAttachment`, `Images.prepare` and `removeBackground` throw; the signal's reason when cancelled.
 */
export async function cutOutOne(
  ctx: Ctx<unknown>,
  picture: Attachment,
  wishes: CutOutWishes = {},
): Promise<CutOut> {
  const { signal, words } = ctx;
  ctx.progress({
    title: words.say("background.progress.title", { count: 1 }),
    text: words.say("background.progress.one"),
  });
  const bytes = await ctx.fetchAttachment(picture);
  const prepared = await ctx.images.prepare(bytes, { ...ctx.pictureLimits, signal });
  const removal = await ctx.background.removeBackground(
    {
      size: "auto",
      // Composed here: the ZIP is the fastest and the only one without loss.
      format: "zip",
      ...wishes,
      image: prepared.bytes,
      megapixels: (prepared.width * prepared.height) / 1e6,
    },
    { signal },
  );
  return { cutout: removal.image, removal, prepared };
}
