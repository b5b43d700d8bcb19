import { type OpenPicture, openPicture } from "../files/open-picture.ts";
import { loadSharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox, PreviewOptions } from "../types.ts";
import { openLettering } from "./lettering.ts";
import { createPaintLayer, type PaintLayer } from "./paint.ts";
import { drawSvg, escapeXml } from "./svg.ts";

const margin = 24;
const labelSize = 40;
const labelRoom = 60;
const width = 1280;
const room = width - 2 * margin;

const colors = { page: "#1e1f22", label: "#f2f3f5" } as const;

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
  const picture = await openPicture(bytes);
  const drawn =
    place.kind === "banner"
      ? await drawBannerViews(picture, place.labels)
      : await drawOnVideo(picture);
  return { bytes: await drawn.webp({ quality: 82, effort: 4 }).toBuffer() };
}

async function drawBannerViews(picture: OpenPicture, labels: readonly string[]) {
  const lettering = await openLettering("text", labels);
  const layers: PaintLayer[] = [];
  const texts: string[] = [];
  let top = margin;
  for (const [at, { share, shown }] of bannerViews.entries()) {
    const text = escapeXml(lettering.writable(labels[at] ?? "").text);
    texts.push(`<text x="${margin}" y="${top + labelRoom / 2 + labelSize * 0.35}">${text}</text>`);
    top += labelRoom;
    const part = middlePart(picture, share);
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
  const page = [
    `<rect width="100%" height="100%" fill="${colors.page}"/>`,
    `<g font-size="${labelSize}" fill="${colors.label}">${texts.join("")}</g>`,
  ];
  return composeOn(await drawSvg({ width, height: top }, page, lettering), layers);
}

/** That share of a picture, from its middle. */
function middlePart(picture: PictureDimensions, share: PictureDimensions): PictureBox {
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

async function drawOnVideo(picture: OpenPicture) {
  const { data, ...size } = await picture.draw((pipeline) =>
    pipeline.resize(video.side, video.side, { fit: "inside" }),
  );
  const bar = `y="${video.height - video.bar}" height="${video.bar}"`;
  const frame = [
    '<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#9696a2"/><stop offset="1" stop-color="#3c3c48"/></linearGradient>',
    '<rect width="100%" height="100%" fill="url(#sky)"/>',
    `<rect ${bar} width="100%" fill="#5a5a60"/>`,
    `<rect ${bar} width="60%" fill="#dc3c3c"/>`,
  ];
  const spot = {
    left: video.width - video.right - size.width,
    top: video.height - video.bottom - size.height,
  };
  return composeOn(await drawSvg(video, frame), [createPaintLayer(data, size, spot)]);
}

async function composeOn({ input, raw }: PaintLayer, layers: readonly PaintLayer[]) {
  const sharp = await loadSharp();
  return sharp(input, { raw }).composite([...layers]);
}
