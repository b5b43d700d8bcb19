import { type PictureDimensions, scaledBy } from "../size.ts";
import type { PictureBox, ThumbnailOptions } from "../types.ts";

/** Size of the subject, and where its picture cuts it off. */
export interface StandingSubject extends PictureDimensions {
  /** Where it is cut off by the edge of its picture. */
  readonly cut: { readonly [edge in "left" | "right" | "top" | "bottom"]: boolean };
}

interface ThumbnailLayout {
  readonly subject: PictureBox;
  /** Absent without a title. */
  readonly title?: PictureBox;
}

interface LayoutInput {
  readonly canvas: PictureDimensions;
  readonly side: NonNullable<ThumbnailOptions["subject"]>;
  /** How large a title's letters become in such a box, in pixels; absent without a title. */
  readonly letters?: (box: PictureDimensions) => number;
  /** The subject larger or smaller than it would be, and moved, in shares of the canvas. */
  readonly zoom?: number;
  readonly shift?: { readonly x: number; readonly y: number };
}

/** In shares of the height. */
const marginShare = 0.06;
/** Players show the length of a video in the lower right corner. */
const stampShare = 0.1;
/** The strip of a title that runs across. */
const stripShare = 0.34;

/** The largest share of the width that a subject takes: the longer the title beside it, the less. */
const besideNothing = 0.62;
const besideTitle = [0.5, 0.43, 0.36];

/** Letters of this share of the height can be read on a phone. */
export const readableShare = 0.09;

/** Enlarged more than this, a subject looks blurred. It is done only until the subject has half of its possible size. */
const usualScale = 2;
const leastOfFit = 0.5;

/** Most of its width that a subject may lose at the outer edge, so that it can reach from the upper to the lower one. */
const mostLost = 0.3;

/** Where the subject and the title go: the subject as large as its side allows, the title in what is left. */
export function layOutThumbnail(subject: StandingSubject, wanted: LayoutInput): ThumbnailLayout {
  const { canvas, side, letters } = wanted;
  const sharesBesideTitle = side === "center" ? besideTitle.slice(0, 1) : besideTitle;
  const shares = letters === undefined ? [besideNothing] : sharesBesideTitle;
  const layouts = shares.map((share) => layOutWithShare(subject, wanted, share));
  const readable = layouts.find(
    ({ title }) => title && letters && letters(title) >= canvas.height * readableShare,
  );
  const layout = readable ?? (layouts.at(-1) as ThumbnailLayout); // there is always a share
  return { ...layout, subject: moveSubject(layout.subject, subject, wanted) };
}

/**
 * The subject's box after its zoom and shift. It grows from the edge that it stands on, and where its picture cut it
 * off it never leaves the edge, because the cut would show.
 */
function moveSubject(
  box: PictureBox,
  { cut }: StandingSubject,
  { canvas, zoom = 1, shift = { x: 0, y: 0 } }: LayoutInput,
): PictureBox {
  const { width, height } = scaledBy(box, zoom);
  const [right, bottom] = [box.left + box.width, box.top + box.height];
  const fixed = {
    left: cut.left && box.left <= 0,
    right: cut.right && right >= canvas.width,
    top: cut.top && box.top <= 0,
    bottom: cut.bottom && bottom >= canvas.height,
  };
  let left = Math.round(box.left + (box.width - width) / 2 + shift.x * canvas.width);
  let top = Math.round(box.top + (box.height - height) / 2 + shift.y * canvas.height);
  if (fixed.bottom)
    top = Math.max(bottom - height + Math.round(shift.y * canvas.height), canvas.height - height);
  if (fixed.top) top = Math.min(top, 0);
  if (fixed.left) left = Math.min(left, 0);
  if (fixed.right) left = Math.max(left, canvas.width - width);
  return { left, top, width, height };
}

function layOutWithShare(
  subject: StandingSubject,
  wanted: LayoutInput,
  share: number,
): ThumbnailLayout {
  const { canvas, side, letters } = wanted;
  const margin = Math.round(canvas.height * marginShare);
  const room = roomFor(subject, wanted, { margin, share });
  const fit = Math.min(room.width / subject.width, room.height / subject.height);
  const { cut } = subject;
  const full = canvas.height / subject.height;
  const isFullPossible = side !== "center" && subject.width * full * (1 - mostLost) <= room.width;
  const betweenEdges = isFullPossible ? full : fit;
  const scale =
    cut.top && cut.bottom ? betweenEdges : Math.min(fit, Math.max(usualScale, fit * leastOfFit));
  const { width, height } = scaledBy(subject, scale);
  const top = room.top + Math.round((room.height - height) * (cut.bottom ? 1 : cut.top ? 0 : 0.5));
  const inner = leftEdge(subject, { ...wanted, width: Math.min(width, room.width), margin });
  // A subject that is wider than its side goes on beyond the outer edge.
  const left = side === "left" && width > room.width ? room.width - width : inner;
  const box = { left, top, width, height };
  if (letters === undefined) return { subject: box };
  return {
    subject: box,
    title: side === "center" ? strip(canvas, margin) : beside(box, wanted, margin),
  };
}

function roomFor(
  { cut }: StandingSubject,
  { canvas, side, letters }: LayoutInput,
  { margin, share }: { readonly margin: number; readonly share: number },
) {
  // Where its picture cut the subject off, it must touch the edge here too: elsewhere the cut would show.
  const above = cut.top ? 0 : margin;
  const isAboveTitle = letters !== undefined && side === "center" && !cut.bottom;
  const below = isAboveTitle ? Math.round(canvas.height * stripShare) : cut.bottom ? 0 : margin;
  const height = canvas.height - above - below;
  // Without a title, a subject that reaches from edge to edge may be wide: if it were less high, a cut would show.
  const isBetweenEdges = letters === undefined && cut.top && cut.bottom;
  const width =
    side === "center" || isBetweenEdges
      ? canvas.width - 2 * margin
      : Math.round(canvas.width * share);
  return { top: above, width, height };
}

type PlacedWidth = LayoutInput & { readonly width: number; readonly margin: number };

function leftEdge(
  { cut }: StandingSubject,
  { canvas, side, letters, width, margin }: PlacedWidth,
): number {
  if (side === "center") return Math.round((canvas.width - width) / 2);
  if (side === "left" && cut.left) return 0;
  if (side === "right" && cut.right) return canvas.width - width;
  // Without a title, a slim subject stands at a third of the width, not at the edge.
  const third = Math.max(margin, Math.round(canvas.width * 0.3 - width / 2));
  const inner = letters === undefined ? third : margin;
  return side === "left" ? inner : canvas.width - inner - width;
}

function beside(subject: PictureBox, { canvas, side }: LayoutInput, margin: number): PictureBox {
  const height = canvas.height - 2 * margin;
  if (side === "right") {
    return { left: margin, top: margin, width: subject.left - 2 * margin, height };
  }
  const left = subject.left + subject.width + margin;
  const stamp = Math.round(canvas.height * stampShare) - margin;
  return { left, top: margin, width: canvas.width - margin - left, height: height - stamp };
}

function strip(canvas: PictureDimensions, margin: number): PictureBox {
  const height = Math.round(canvas.height * stripShare) - margin;
  return {
    left: 2 * margin,
    top: canvas.height - margin - height,
    width: canvas.width - 4 * margin,
    height,
  };
}
