import type { Removal } from "../../background/index.ts";
import { cut, named, type Text, type Words } from "../../discord/index.ts";
import type { PictureBox } from "../../images/index.ts";
import type { Wishes } from "./wishes.ts";

/** What the service said of a picture's subject. It lies in the states of buttons, so it is small and JSON-shaped. */
export interface FoundSubject {
  /** What it took the subject for. */
  readonly type?: string;
  /** Where it is in a cut-out of these measures; compatible engines say nothing of it. */
  readonly foreground?: PictureBox;
  readonly width?: number;
  readonly height?: number;
  /** The service's shadow lies round it, which nothing may cut off. */
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
  { shadow }: Pick<Wishes, "shadow"> = {},
): FoundSubject {
  return {
    ...(type !== undefined && { type: cut(type, longestType) }),
    ...(foreground !== undefined && { foreground }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(shadow !== undefined && shadow !== "none" && { isShadowed: true }),
  };
}

/** The same in a file that may have been made smaller. */
export function foundIn(found: FoundSubject, { width, height }: Measures): FoundSubject {
  if (width === undefined || height === undefined) return found;
  const { foreground: _, ...rest } = found;
  const foreground = scaled(found, { width, height });
  return { ...rest, ...(foreground !== undefined && { foreground }), width, height };
}

function scaled(
  found: FoundSubject,
  to: { readonly width: number; readonly height: number },
): PictureBox | undefined {
  const { foreground: box, width = to.width, height = to.height } = found;
  if (box === undefined) return undefined;
  const across = (at: number) => Math.round((at * to.width) / width);
  const down = (at: number) => Math.round((at * to.height) / height);
  const [left, top] = [across(box.left), down(box.top)];
  return {
    left,
    top,
    width: Math.max(1, across(box.left + box.width) - left),
    height: Math.max(1, down(box.top + box.height) - top),
  };
}

/** What picture jobs are told of it. */
export function foregroundOption({ foreground, isShadowed }: FoundSubject = {}): {
  readonly foreground?: PictureBox;
} {
  return foreground === undefined || isShadowed === true ? {} : { foreground };
}

/** What was found, in words; nothing where nothing was said. */
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
