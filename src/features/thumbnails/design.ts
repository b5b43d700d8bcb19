import { type Attachment, typedText, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type {
  CutoutBackdrop,
  PictureBox,
  ThumbnailLook,
  ThumbnailOptions,
  ThumbnailPicture,
  ThumbnailTitle,
} from "../../images/index.ts";
import { valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { colors, readCutoutGround } from "../cutout/index.ts";
import { plainAttachment } from "../options/index.ts";

/** A thumbnail as it is now. The states of all buttons store it, so it is small and JSON-shaped. */
export interface ThumbnailDesign {
  /** The picture's file name without its ending. */
  readonly name: string;
  readonly backdrop: ThumbnailGround;
  readonly side: SubjectSide;
  readonly title?: string;
  /** `#rrggbb`; absent: white or black, whichever is easier to read. */
  readonly color?: string;
  readonly shadow: boolean;
  /** What is drawn around the subject; absent in designs from before there was a choice. */
  readonly edge?: ThumbnailEdge;
  /** How much larger or smaller the subject is than it would be; 1 when absent. */
  readonly zoom?: number;
  /** How far it was moved, in shares of the thumbnail. */
  readonly shift?: { readonly x: number; readonly y: number };
  /** The highlighted word's colour, `#rrggbb`, or `none`; absent: chosen by the background. */
  readonly highlight?: string;
  /** `center` when absent. */
  readonly align?: TitleAlign;
  /** Where the subject is in the message's cut-out, according to remove.bg. */
  readonly foreground?: PictureBox;
  /** The picture was transparent already, so its subject is whole. */
  readonly isTrimmed?: true;
}

export const subjectSides = ["left", "center", "right"] as const;
/** Where the subject stands. */
type SubjectSide = (typeof subjectSides)[number];

export const thumbnailEdges = ["outline", "glow", "shadow", "none"] as const;
/** An outline and a glow have a shadow as well. */
type ThumbnailEdge = (typeof thumbnailEdges)[number];

export const titleAligns = ["left", "center", "right"] as const;
type TitleAlign = (typeof titleAligns)[number];

type ThumbnailGround =
  | { readonly kind: "look"; readonly look: ThumbnailLook }
  | Extract<CutoutBackdrop, { readonly kind: "color" | "gradient" }>
  /** The person's own picture; `kept` is the handle of the fitted picture in this process's memory. */
  | { readonly kind: "picture"; readonly picture: Attachment; readonly kept: string };

/** The four styles that are offered at once, in the order of their numbers. */
export const thumbnailStyles = [
  { look: "bold", edge: "outline" },
  { look: "neon", edge: "glow" },
  { look: "sunny", edge: "outline" },
  { look: "rays", edge: "outline" },
] as const satisfies readonly { readonly look: ThumbnailLook; readonly edge: ThumbnailEdge }[];

/** A design in one of the offered styles: its title and the subject's place stay as they are. */
export function restyle(
  design: ThumbnailDesign,
  { look, edge }: (typeof thumbnailStyles)[number],
): ThumbnailDesign {
  const { color: _, ...rest } = design;
  return { ...rest, backdrop: { kind: "look", look }, edge, shadow: true };
}

/** Degrees; gradients that fall to the right look lit from above. */
const angle = 35;

/** Pairs of colours that look good behind most subjects and under white or black letters. */
export const thumbnailGradients = {
  midnight: { kind: "gradient", from: "#16222a", to: "#3a6073", angle },
  ocean: { kind: "gradient", from: "#0f2a5f", to: "#2b7fc4", angle },
  violet: { kind: "gradient", from: "#3a0ca3", to: "#9d4edd", angle },
  sunset: { kind: "gradient", from: "#ff512f", to: "#dd2476", angle },
  gold: { kind: "gradient", from: "#ffd200", to: "#f7971e", angle },
  forest: { kind: "gradient", from: "#0b3d2e", to: "#4f9d69", angle },
  peach: { kind: "gradient", from: "#fff1e0", to: "#fcb69f", angle },
  steel: { kind: "gradient", from: "#f5f7fa", to: "#b8c6db", angle },
} as const satisfies Record<string, ThumbnailGround>;

const gradientNames = Object.keys(
  thumbnailGradients,
) as readonly (keyof typeof thumbnailGradients)[];

export function createThumbnailDesign(fileName: string): ThumbnailDesign {
  const name = fileName.replace(/\.[^.]*$/u, "").replace(/[^\p{L}\p{N}._-]+/gu, "-");
  const shown = name.slice(0, 80) || "picture";
  const [{ look, edge }] = thumbnailStyles;
  return { name: shown, backdrop: { kind: "look", look }, side: "right", shadow: true, edge };
}

/** The name of an offered background; undefined for one of the person's own. */
export function offeredGroundName(ground: ThumbnailGround): string | undefined {
  if (ground.kind === "look") return ground.look;
  const same = JSON.stringify(ground);
  if (ground.kind === "gradient") {
    return gradientNames.find((name) => JSON.stringify(thumbnailGradients[name]) === same);
  }
  if (ground.kind !== "color") return undefined;
  return Object.entries(colors).find(([, color]) => color === ground.color)?.[0];
}

/** An offered background, by its name. */
export function findOfferedGround(name: string): ThumbnailGround | undefined {
  const look = thumbnailStyles.find((style) => style.look === name)?.look;
  if (look !== undefined) return { kind: "look", look };
  const gradient = gradientNames.find((known) => known === name);
  if (gradient !== undefined) return thumbnailGradients[gradient];
  const color = Object.entries(colors).find(([known]) => known === name)?.[1];
  return color === undefined ? undefined : { kind: "color", color };
}

/** The offered backgrounds, with their labels. */
export function offeredGrounds(words: Words): readonly { name: string; label: string }[] {
  return [
    ...thumbnailStyles.map(({ look }) => ({
      name: look,
      label: words.say(`thumbnails.look.${look}`),
    })),
    ...gradientNames.map((name) => ({ name, label: words.say(`thumbnails.gradient.${name}`) })),
    ...Object.keys(colors).map((name) => ({
      name,
      label: valueName(words, "color", name) ?? name,
    })),
  ];
}

/**
 * A background as people write it: an offered one, a colour, or two colours for a gradient.
 * @throws InputError `background_unreadable`, `thumbnail_background`
 */
export function readThumbnailGround(text: string, words: Words): ThumbnailGround {
  const typed = text.trim().toLowerCase();
  const offered = offeredGrounds(words).find(
    ({ name, label }) => typed === name || typed === label.toLowerCase(),
  );
  const found = offered && findOfferedGround(offered.name);
  if (found !== undefined) return found;
  const ground = readCutoutGround(text, words);
  if (ground.kind === "color" || ground.kind === "gradient") return ground;
  throw new InputError(`${ground.kind} behind a thumbnail`, {
    code: "thumbnail_background",
    facts: { given: typedText(text) },
  });
}

/** The recommended size: https://support.google.com/youtube/answer/72431 */
export const thumbnailSize = { width: 1280, height: 720 } as const;
/** For a look at several at once. */
const previewSize = { width: 640, height: 360 } as const;
/** YouTube's former limit, which is enough for a picture of this size. */
const maxBytes = 2_000_000;

/** A word between two asterisks is the highlighted one. */
const marked = /\*([^*]+)\*/u;

/** A title without its asterisks. */
export function plainTitle(title: string): string {
  return title.replace(marked, "$1");
}

function chooseTitle(design: ThumbnailDesign): ThumbnailTitle | undefined {
  const { title, color, highlight, align } = design;
  if (title === undefined) return undefined;
  const [, word] = marked.exec(title) ?? [];
  return {
    text: plainTitle(title),
    ...(color !== undefined && { color }),
    ...(align !== undefined && { align }),
    ...(highlight !== "none" && {
      emphasis: {
        ...(word !== undefined && { word }),
        ...(highlight !== undefined && { color: highlight }),
      },
    }),
  };
}

/** Draws a design; a smaller one if it has a number in its corner. @throws what `Images.thumbnail` throws; InputError `attachment_gone` */
export async function drawThumbnailDesign(
  ctx: Ctx,
  cutout: Uint8Array,
  design: ThumbnailDesign,
  { number }: { readonly number?: number } = {},
): Promise<ThumbnailPicture> {
  const { backdrop, side, edge, zoom, shift, shadow, foreground, isTrimmed } = design;
  const title = chooseTitle(design);
  const ground: ThumbnailOptions["backdrop"] =
    backdrop.kind === "picture"
      ? {
          kind: "picture",
          bytes: (await ctx.kept(backdrop.kept)) ?? (await fitBackdrop(ctx, backdrop.picture)),
        }
      : backdrop;
  return ctx.images.thumbnail(cutout, {
    ...(number === undefined ? thumbnailSize : { ...previewSize, number }),
    backdrop: ground,
    subject: side,
    ...((edge === "outline" || edge === "glow") && { edge }),
    ...(zoom !== undefined && { zoom }),
    ...(shift && { shift }),
    ...(title && { title }),
    ...(shadow && { shadow: {} }),
    ...(foreground !== undefined && { foreground }),
    ...(isTrimmed && { isTrimmed }),
    maxBytes: Math.min(maxBytes, ctx.attachmentLimit),
    signal: ctx.signal,
  });
}

/** The person's own picture as a background: checked now, and scaled down to the size that is needed. */
export async function readPictureGround(ctx: Ctx, picture: Attachment): Promise<ThumbnailGround> {
  const kept = await ctx.keep(await fitBackdrop(ctx, picture));
  return { kind: "picture", picture: plainAttachment(picture), kept };
}

async function fitBackdrop(ctx: Ctx, picture: Attachment): Promise<Uint8Array> {
  const given = await ctx.fetchAttachment(picture);
  const place = { ...thumbnailSize, shape: "cover", format: "jpeg", maxBytes } as const;
  const { bytes } = await ctx.images.fit(given, { ...place, signal: ctx.signal });
  return bytes;
}
