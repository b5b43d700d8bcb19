import type { Removal, RemoveBackgroundRequest } from "../../background/index.ts";
import { cut, named, type Text, type Words } from "../../discord/index.ts";
import type { PictureBox } from "../../images/index.ts";

/** What the service said about the subject of a picture. The states of buttons hold it: small and JSON-shaped. */
export interface FoundSubject {
  /** What it took the subject for. */
  readonly type?: string;
  /** Where it is, in a cut-out of this width and height. Compatible engines may not say. */
  readonly foreground?: PictureBox;
  readonly width?: number;
  readonly height?: number;
  /** The service added a shadow around it, which must not be cut off. */
  readonly isShadowed?: true;
}

interface Measures {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Longer than any kind the service knows. */
const longestType = 40;

export function foundSubject(
  { type, foreground, width, height }: Omit<Removal, "image">,
  { shadowType = "none" }: Pick<RemoveBackgroundRequest, "shadowType"> = {},
): FoundSubject {
  return {
    ...(type !== undefined && { type: cut(type, longestType) }),
    ...(foreground !== undefined && { foreground }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(shadowType !== "none" && { isShadowed: true }),
  };
}

/** The same in a file that may have been made smaller; a box that does not lie within it is left out. */
export function foundIn(found: FoundSubject, { width, height }: Measures): FoundSubject {
  if (width === undefined || height === undefined) return found;
  const { foreground: box, ...rest } = found;
  const foreground =
    box && scaled(box, { from: { width, height, ...rest }, to: { width, height } });
  return { ...rest, ...(foreground && { foreground }), width, height };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function scaled(
  box: PictureBox,
  { from, to }: { readonly from: Size; readonly to: Size },
): PictureBox | undefined {
  const across = (at: number) => Math.round((at * to.width) / from.width);
  const down = (at: number) => Math.round((at * to.height) / from.height);
  const [left, right] = [across(box.left), across(box.left + box.width)];
  const [top, bottom] = [down(box.top), down(box.top + box.height)];
  const isWithin = left < right && right <= to.width && top < bottom && bottom <= to.height;
  return isWithin ? { left, top, width: right - left, height: bottom - top } : undefined;
}

/** The part of it that picture jobs take. */
export function foregroundOption({ foreground, isShadowed }: FoundSubject = {}): {
  readonly foreground?: PictureBox;
} {
  return foreground === undefined || isShadowed === true ? {} : { foreground };
}

/** What was found, in words; empty when the service said nothing. */
export function foundLines({ type, foreground }: FoundSubject, words: Words): readonly Text[] {
  const kind = type && (named(words, "foregroundType", type) ?? type);
  if (foreground === undefined) return kind ? [words.md("background.found.type", { kind })] : [];
  const { left, top, width, height } = foreground;
  const place = {
    ...{ left: `${left}`, top: `${top}` },
    ...{ width: `${width}`, height: `${height}` },
  };
  return [
    ...(kind ? [words.md("background.found.type", { kind })] : []),
    words.md("background.found.foreground", place),
  ];
}
