import { type Attachment, type Ctx, colors, named, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Backdrop, PictureBox, Thumbnail } from "../../images/index.ts";
import { readGround } from "../cutout/index.ts";
import { plainAttachment } from "../options/index.ts";

/** A thumbnail as put together so far. The states of all buttons hold it: small and JSON-shaped. */
export interface ThumbnailDesign {
  /** Of the picture, without its ending. */
  readonly name: string;
  readonly backdrop: ThumbnailGround;
  readonly side: Side;
  readonly title?: string;
  /** `#rrggbb`; white or black, whichever is easier to read, when absent. */
  readonly color?: string;
  readonly shadow: boolean;
  /** Where the subject is in the cut-out that the message carries, as the service said. */
  readonly foreground?: PictureBox;
}

export const sides = ["left", "center", "right"] as const;
/** Where the subject stands. */
export type Side = (typeof sides)[number];

type ThumbnailGround =
  | Extract<Backdrop, { readonly kind: "color" | "gradient" }>
  /** The person's own picture; `kept` is its handle, made to fit, while this process remembers it. */
  | { readonly kind: "picture"; readonly picture: Attachment; readonly kept: string };

/** Falling to the right, so that they look lit from above. */
const angle = 35;

/** Pairs that look good behind most things and under white or black letters. */
export const gradients = {
  midnight: { kind: "gradient", from: "#16222a", to: "#3a6073", angle },
  ocean: { kind: "gradient", from: "#0f2a5f", to: "#2b7fc4", angle },
  violet: { kind: "gradient", from: "#3a0ca3", to: "#9d4edd", angle },
  sunset: { kind: "gradient", from: "#ff512f", to: "#dd2476", angle },
  gold: { kind: "gradient", from: "#ffd200", to: "#f7971e", angle },
  forest: { kind: "gradient", from: "#0b3d2e", to: "#4f9d69", angle },
  peach: { kind: "gradient", from: "#fff1e0", to: "#fcb69f", angle },
  steel: { kind: "gradient", from: "#f5f7fa", to: "#b8c6db", angle },
} as const satisfies Record<string, ThumbnailGround>;

const gradientNames = Object.keys(gradients) as readonly (keyof typeof gradients)[];

export function startingDesign(fileName: string): ThumbnailDesign {
  const name = fileName.replace(/\.[^.]*$/u, "").replace(/[^\p{L}\p{N}._-]+/gu, "-");
  const shown = name.slice(0, 80) || "picture";
  return { name: shown, backdrop: gradients.midnight, side: "right", shadow: true };
}

/** The name under which a ground is offered; undefined for one of the person's own. */
export function groundName(ground: ThumbnailGround): string | undefined {
  const same = JSON.stringify(ground);
  if (ground.kind === "gradient") {
    return gradientNames.find((name) => JSON.stringify(gradients[name]) === same);
  }
  if (ground.kind !== "color") return undefined;
  return Object.entries(colors).find(([, color]) => color === ground.color)?.[0];
}

/** A ground that is offered, by its name. */
export function groundNamed(name: string): ThumbnailGround | undefined {
  const gradient = gradientNames.find((known) => known === name);
  if (gradient !== undefined) return gradients[gradient];
  const color = Object.entries(colors).find(([known]) => known === name)?.[1];
  return color === undefined ? undefined : { kind: "color", color };
}

/** The grounds that are offered, with their labels. */
export function offeredGrounds(words: Words): readonly { name: string; label: string }[] {
  return [
    ...gradientNames.map((name) => ({ name, label: words.say(`thumbnails.gradient.${name}`) })),
    ...Object.keys(colors).map((name) => ({ name, label: named(words, "color", name) ?? name })),
  ];
}

/**
 * A background as people write it: one that is offered, a colour, or two for a gradient.
 * @throws InputError `background_unreadable`, `thumbnail_background`
 */
export function readBackdrop(text: string, words: Words): ThumbnailGround {
  const typed = text.trim().toLowerCase();
  const gradient = gradientNames.find(
    (name) => typed === name || typed === words.say(`thumbnails.gradient.${name}`).toLowerCase(),
  );
  if (gradient !== undefined) return gradients[gradient];
  const ground = readGround(text, words);
  if (ground.kind === "color" || ground.kind === "gradient") return ground;
  throw new InputError(`${ground.kind} behind a thumbnail`, { code: "thumbnail_background" });
}

/** What players and lists show best: https://support.google.com/youtube/answer/72431 */
export const size = { width: 1280, height: 720 } as const;
/** The service's limit before it was raised; a picture of this size never needs more. */
const maxBytes = 2_000_000;

/** Draws a design. @throws what `Images.thumbnail` throws; InputError `attachment_gone` */
export async function drawDesign(
  ctx: Ctx,
  cutout: Uint8Array,
  { backdrop, side, title, color, shadow, foreground }: ThumbnailDesign,
): Promise<Thumbnail> {
  const { signal } = ctx;
  return ctx.images.thumbnail(cutout, {
    ...size,
    backdrop: await backdropOf(ctx, backdrop),
    subject: side,
    ...(title !== undefined && { title: { text: title, ...(color !== undefined && { color }) } }),
    ...(shadow && { shadow: {} }),
    ...(foreground !== undefined && { foreground }),
    maxBytes: Math.min(maxBytes, ctx.attachmentLimit),
    signal,
  });
}

/** The person's own picture as a ground: checked at once, and made no larger than needed. */
export async function pictureGround(ctx: Ctx, picture: Attachment): Promise<ThumbnailGround> {
  const kept = ctx.keep(await fitBackdrop(ctx, picture));
  return { kind: "picture", picture: plainAttachment(picture), kept };
}

async function backdropOf(
  ctx: Ctx,
  ground: ThumbnailGround,
): Promise<Exclude<Backdrop, { readonly kind: "blur" }>> {
  if (ground.kind !== "picture") return ground;
  const bytes = ctx.kept(ground.kept) ?? (await fitBackdrop(ctx, ground.picture));
  return { kind: "picture", bytes };
}

async function fitBackdrop(ctx: Ctx, picture: Attachment): Promise<Uint8Array> {
  const given = await ctx.fetchAttachment(picture);
  const place = { ...size, shape: "cover", format: "jpeg", maxBytes } as const;
  const { bytes } = await ctx.images.fit(given, { ...place, signal: ctx.signal });
  return bytes;
}
