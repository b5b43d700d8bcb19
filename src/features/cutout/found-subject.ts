import type { Removal, RemoveBackgroundRequest } from "../../background/index.ts";
import { cut, type Text, type Words } from "../../discord/index.ts";
import type { PictureBox } from "../../images/index.ts";
import { valueName } from "../cards/index.ts";

/** What remove.bg said about the subject of a picture. Button states store it, so it is small and JSON-shaped. */
export interface FoundSubject {
  /** The kind of subject that it recognised. */
  readonly type?: string;
  /** Where the subject is, in a cut-out of this width and height. Compatible engines may not say. */
  readonly foreground?: PictureBox;
  readonly width?: number;
  readonly height?: number;
  /** remove.bg added a shadow around it, which must not be cut off. */
  readonly isShadowed?: true;
}

/** Longer than the name of any kind that remove.bg knows. */
const maxTypeChars = 40;

export function readFoundSubject(
  { type, foreground, width, height }: Omit<Removal, "image">,
  { shadowType = "none" }: Pick<RemoveBackgroundRequest, "shadowType"> = {},
): FoundSubject {
  return {
    ...(type !== undefined && { type: cut(type, maxTypeChars) }),
    ...(foreground !== undefined && { foreground }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(shadowType !== "none" && { isShadowed: true }),
  };
}

/** Converts it to a file that may have been made smaller. A box that is not within the file is left out. */
export function scaleFoundSubject(
  found: FoundSubject,
  { width, height }: { readonly [side in "width" | "height"]?: number | undefined },
): FoundSubject {
  if (width === undefined || height === undefined) return found;
  const { foreground: box, ...rest } = found;
  const foreground =
    box && scaleBox(box, { from: { width, height, ...rest }, to: { width, height } });
  return { ...rest, ...(foreground && { foreground }), width, height };
}

function scaleBox(
  box: PictureBox,
  { from, to }: { readonly [side in "from" | "to"]: Pick<PictureBox, "width" | "height"> },
): PictureBox | undefined {
  const [left = 0, right = 0] = [box.left, box.left + box.width].map((at) =>
    Math.round((at * to.width) / from.width),
  );
  const [top = 0, bottom = 0] = [box.top, box.top + box.height].map((at) =>
    Math.round((at * to.height) / from.height),
  );
  const isWithin = left < right && right <= to.width && top < bottom && bottom <= to.height;
  return isWithin ? { left, top, width: right - left, height: bottom - top } : undefined;
}

/** The option that picture jobs take from it. */
export function foregroundOption({ foreground, isShadowed }: FoundSubject = {}): {
  readonly foreground?: PictureBox;
} {
  return foreground === undefined || isShadowed === true ? {} : { foreground };
}

/** What remove.bg found, in words; empty if it said nothing. */
export function describeFoundSubject(
  { type, foreground }: FoundSubject,
  words: Words,
): readonly Text[] {
  const kind = type && (valueName(words, "foregroundType", type) ?? type);
  const lines = kind ? [words.md("background.found.type", { kind })] : [];
  if (foreground === undefined) return lines;
  const { left, top, width, height } = foreground;
  const place = { left: `${left}`, top: `${top}`, width: `${width}`, height: `${height}` };
  return [...lines, words.md("background.found.foreground", place)];
}
