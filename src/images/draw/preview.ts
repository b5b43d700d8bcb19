import { openPicture } from "../files/open-picture.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { PictureBox, PreviewOptions } from "../types.ts";
import { createCanvas, fillRect } from "./canvas.ts";
import { type Lettering, letteringFor } from "./lettering.ts";
import { createPaintLayer, type PaintLayer, paintMask } from "./paint.ts";

const margin = 24;
const labelSize = 40;
const labelRoom = 60;
const width = 1280;
const room = width - 2 * margin;

const colors = { page: [30, 31, 34], label: [242, 243, 245], line: [220, 60, 60] } as const;

/**
 * The parts of a banner of 2,560 x 1,440 that devices show, all from its middle: everything on a television, a strip on
 * computers, and the part that is safe for text on phones (https://support.google.com/youtube/answer/12950272). Shares of
 * the banner.
 */
const bannerViews = [
  { share: { width: 1, height: 1 }, shown: 800 },
  { share: { width: 1, height: 423 / 1440 }, shown: room },
  { share: { width: 1546 / 2560, height: 423 / 1440 }, shown: (room * 1546) / 2560 },
] as const;

/** Shows a picture in its place: a banner on each kind of screen, or a watermark on a video. A WebP. */
export async function drawPreview(
  bytes: Buffer,
  { place }: Omit<PreviewOptions, "signal">,
): Promise<{ readonly bytes: Buffer }> {
  const sharp = await loadSharp();
  const drawn =
    place.kind === "banner"
      ? await drawBannerViews(sharp, bytes, place.labels)
      : await drawOnVideo(sharp, bytes);
  return { bytes: await drawn.webp({ quality: 82, effort: 4 }).toBuffer() };
}

async function drawBannerViews(sharp: Sharp, bytes: Buffer, labels: readonly string[]) {
  const picture = await openPicture(bytes);
  const lettering = await letteringFor(labels);
  const layers: PaintLayer[] = [];
  let top = margin;
  for (const [at, { share, shown }] of bannerViews.entries()) {
    layers.push(...(await drawLabel(sharp, lettering, { text: labels[at] ?? "", top })));
    top += labelRoom;
    const part = middleOf(picture, share);
    const size = {
      width: Math.round(shown),
      height: Math.round((shown * part.height) / part.width),
    };
    // One after the other, because each may be large while it is read.
    const { data } = await picture.draw((pipeline) =>
      pipeline.extract(part).resize(size.width, size.height, { fit: "fill" }),
    );
    layers.push(createPaintLayer(data, size, { left: margin, top }));
    top += size.height + margin;
  }
  const [r, g, b] = colors.page;
  const create = { width, height: top, channels: 3, background: { r, g, b } } as const;
  return sharp({ create }).composite(layers);
}

async function drawLabel(
  sharp: Sharp,
  lettering: Lettering,
  { text, top }: { readonly text: string; readonly top: number },
): Promise<readonly PaintLayer[]> {
  const letters = await lettering.draw(sharp, [lettering.writable(text).text], { size: labelSize });
  if (letters === undefined) return [];
  const spot = { left: margin, top: top + (labelRoom - letters.height) / 2 };
  return [paintMask(letters, { color: colors.label }, spot)];
}

/** That share of a picture, from its middle. */
function middleOf(
  picture: Pick<PictureBox, "width" | "height">,
  share: Pick<PictureBox, "width" | "height">,
): PictureBox {
  const part = {
    width: Math.max(1, Math.round(picture.width * share.width)),
    height: Math.max(1, Math.round(picture.height * share.height)),
  };
  return {
    ...part,
    left: Math.floor((picture.width - part.width) / 2),
    top: Math.floor((picture.height - part.height) / 2),
  };
}

/** A plain video with its progress bar, so that the watermark's size and place can be judged. */
const video = { width: 1280, height: 720, side: 72, right: 32, bottom: 64, bar: 8 } as const;

async function drawOnVideo(sharp: Sharp, bytes: Buffer) {
  const picture = await openPicture(bytes);
  const canvas = createCanvas(video.width, video.height);
  for (let y = 0; y < video.height; y += 1) {
    const light = Math.round(150 - (90 * y) / video.height);
    fillRect(canvas, { left: 0, top: y, width: video.width, height: 1 }, [
      light,
      light,
      light + 12,
    ]);
  }
  const bar = { left: 0, top: video.height - video.bar, height: video.bar };
  fillRect(canvas, { ...bar, width: video.width }, [90, 90, 96]);
  fillRect(canvas, { ...bar, width: video.width * 0.6 }, colors.line);
  const { data, ...size } = await picture.draw((pipeline) =>
    pipeline.resize(video.side, video.side, { fit: "inside" }),
  );
  const spot = {
    left: video.width - video.right - size.width,
    top: video.height - video.bottom - size.height,
  };
  const frame = createPaintLayer(canvas.data, video, { left: 0, top: 0 });
  return sharp(frame.input, { raw: frame.raw }).composite([createPaintLayer(data, size, spot)]);
}
