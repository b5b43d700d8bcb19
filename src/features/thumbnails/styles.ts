import { card, type Reply, type ReplyFile } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import { drawThumbnailDesign, restyle, type ThumbnailDesign, thumbnailStyles } from "./design.ts";
import { editorActionNames } from "./editor.ts";

/** The style that was chosen, by its place among the four; absent: the design stays as it is. */
export interface StyleChoice {
  readonly design: ThumbnailDesign;
  readonly style?: number;
}

/** The thumbnail in four styles on one picture, with a button for each. The cut-out is a file of the same message. */
export async function drawStyles(
  ctx: Ctx,
  design: ThumbnailDesign,
  cutout: ReplyFile,
): Promise<Reply> {
  const { words, images, signal } = ctx;
  const choose = (state: StyleChoice) => ({ action: editorActionNames.chooseStyle, state });
  const drawn = await Promise.all(
    thumbnailStyles.map((style, i) =>
      drawThumbnailDesign(ctx, cutout.data, restyle(design, style), { number: i + 1 }),
    ),
  );
  const sheet = await images.sheet(
    drawn.map(({ bytes }) => bytes),
    { side: 1280, maxBytes: ctx.attachmentLimit, signal },
  );
  return card({
    title: words.say("thumbnails.styles.title"),
    text: words.say("thumbnails.styles.text"),
    preview: { name: "styles.webp", data: sheet, alt: words.say("thumbnails.styles.alt") },
    carried: { ...cutout, alt: words.say("background.alt", { name: design.name }) },
    buttons: [
      ...thumbnailStyles.map(({ look }, style) => ({
        label: `${style + 1} · ${words.say(`thumbnails.look.${look}`)}`,
        style: "primary" as const,
        press: choose({ design, style }),
      })),
      { label: words.say("thumbnails.styles.back"), press: choose({ design }) },
    ],
    isPrivate: true,
  });
}
