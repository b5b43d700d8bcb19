import { loadSharp } from "../sharp.ts";
import type { ChartOptions } from "../types.ts";
import { type Lettering, openLettering } from "./lettering.ts";
import { drawSvg, escapeXml } from "./svg.ts";

const card = { width: 800, height: 320 } as const;
const edge = { left: 24, right: 24, top: 84, bottom: 48 } as const;
const baseY = card.height - edge.bottom;

/** The chart has a background of its own, so that it looks the same in light and dark themes. */
const colors = {
  card: "#2b2d31",
  line: "#44464d",
  base: "#6e717a",
  bar: "#7289ff",
  label: "#b5bac1",
  value: "#f2f3f5",
} as const;

const cardRadius = 14;
const barRadius = 6;
const widestBar = 72;
/** Width of a bar as a share of its room. */
const barShare = 0.64;
/** A small value still shows as a bar, and zero as a line. */
const leastHeight = 6;
const nothingHeight = 3;

const size = { title: 20, label: 16, value: 17 } as const;
const widest = { title: card.width - edge.left - edge.right, label: 120, value: 240 } as const;
const gap = 10;

/** Bars from left to right, below a title. */
export async function drawChart({
  title,
  bars,
  language = "en",
}: Omit<ChartOptions, "signal">): Promise<{ readonly bytes: Buffer }> {
  const texts = [title, ...bars.flatMap(({ label, shown = "" }) => [label, shown])];
  const lettering = await openLettering("text", ["…", ...texts]);
  const { format } = new Intl.NumberFormat(language, {
    notation: "compact",
    maximumFractionDigits: 2,
  });
  const scale = chooseScale(bars.map(({ value }) => value)).map((value) => ({
    value,
    shown: format(value),
  }));
  const widestMark = Math.max(...scale.map(({ shown }) => lettering.advance(shown)));
  const left = edge.left + widestMark * size.label + gap;
  const slot = (card.width - edge.right - left) / Math.max(1, bars.length);
  const top = scale.at(-1)?.value ?? 1;
  const placed = bars.map(({ label, value, shown = format(value) }, i) => ({
    label: shorten(lettering, "label", label),
    shown: shorten(lettering, "value", shown),
    value,
    center: left + slot * (i + 0.5),
    y: value > 0 ? Math.min(baseY - leastHeight, heightToY(value / top)) : baseY - nothingHeight,
  }));
  const elements = [
    `<rect width="100%" height="100%" rx="${cardRadius}" fill="${colors.card}"/>`,
    ...scale.flatMap(({ value, shown }) => drawMark(shown, { left, value, top })),
    drawText(shorten(lettering, "title", title), {
      size: "title",
      x: edge.left,
      y: 36,
      anchor: "start",
    }),
    ...placed.map((bar) => drawBar(bar, Math.max(1, Math.min(widestBar, slot * barShare)))),
    ...drawLabels(lettering, placed, slot),
    ...drawValues(lettering, placed, slot),
  ];
  const sharp = await loadSharp();
  const { input, raw } = await drawSvg(card, elements, lettering);
  return { bytes: await sharp(input, { raw }).png({ compressionLevel: 9 }).toBuffer() };
}

/** Round numbers from zero to a little above the largest value; whole ones where all values are whole. */
function chooseScale(values: readonly number[]): readonly number[] {
  const largest = Math.max(0, ...values);
  if (largest === 0) return [0];
  const top = Number.isFinite(largest) ? largest : 1;
  const isWhole = values.every(Number.isInteger);
  const least = isWhole ? Math.max(1, top / 4) : top / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  const round = factor * power;
  // Of the round steps from 1 on, only this one is not whole.
  const step = isWhole && round === 2.5 ? 5 : round;
  const count = Math.ceil(top / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

/** From a share of the highest mark. */
function heightToY(share: number): number {
  return baseY - (baseY - edge.top) * share;
}

interface TextPlacement {
  readonly size: keyof typeof size;
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
}

function drawText(text: string, { size: of, x, y, anchor }: TextPlacement): string {
  const color = of === "value" ? colors.value : colors.label;
  return `<text x="${x}" y="${y}" font-size="${size[of]}" fill="${color}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

/** As much of a text as there is room for. */
function shorten({ writable, advance }: Lettering, of: keyof typeof size, original: string) {
  const { text } = writable(original);
  const isTooWide = (one: string) => advance(one) * size[of] > widest[of];
  if (!isTooWide(text)) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && isTooWide(`${letters.join("")}…`)) letters.pop();
  return `${letters.join("").trim()}…`;
}

function drawMark(
  shown: string,
  { left, value, top }: { readonly left: number; readonly value: number; readonly top: number },
) {
  const y = Math.round(heightToY(value / (top || 1)));
  const [color, height] = value === 0 ? [colors.base, 2] : [colors.line, 1];
  return [
    `<rect x="${left}" y="${y}" width="${card.width - edge.right - left}" height="${height}" fill="${color}"/>`,
    drawText(shown, { size: "label", x: left - gap, y: y + 6, anchor: "end" }),
  ];
}

interface PlacedBar {
  readonly label: string;
  readonly shown: string;
  readonly value: number;
  readonly center: number;
  /** Its upper edge. */
  readonly y: number;
}

/** Round above, flat below. */
function drawBar({ value, center, y }: PlacedBar, width: number): string {
  const height = baseY - y;
  const r = Math.min(barRadius, width / 2, height);
  const path = `M${center - width / 2} ${baseY}v${r - height}q0-${r} ${r}-${r}h${width - 2 * r}q${r} 0 ${r} ${r}v${height - r}z`;
  return `<path d="${path}" fill="${value > 0 ? colors.bar : colors.base}"/>`;
}

/** As many labels as there is room for, starting with the last, which is today. */
function drawLabels({ advance }: Lettering, bars: readonly PlacedBar[], slot: number) {
  const needed = Math.max(0, ...bars.map(({ label }) => advance(label) * size.label)) + gap;
  const every = Math.max(1, Math.ceil(needed / slot));
  const drawn: string[] = [];
  let free = Number.POSITIVE_INFINITY;
  for (let i = bars.length - 1; i >= 0; i -= every) {
    const { label = "", center = 0 } = bars[i] ?? {};
    const half = (advance(label) * size.label) / 2;
    // The last one may have had to move away from the edge.
    if (center + half + gap > free) continue;
    const x = withinCard(center, half);
    free = x - half;
    drawn.push(drawText(label, { size: "label", x, y: baseY + 28, anchor: "middle" }));
  }
  return drawn;
}

function withinCard(center: number, half: number): number {
  return Math.max(edge.left / 2 + half, Math.min(center, card.width - edge.right / 2 - half));
}

/** Above every bar where there is room, otherwise above the tallest alone. */
function drawValues({ advance }: Lettering, bars: readonly PlacedBar[], slot: number) {
  const needed = Math.max(0, ...bars.map(({ shown }) => advance(shown) * size.value)) + gap;
  const largest = Math.max(...bars.map(({ value }) => value));
  const tallest = bars.findIndex(({ value }) => value === largest);
  return bars.flatMap(({ shown, value, center, y }, i) => {
    if (value <= 0 || !(needed <= slot || i === tallest)) return [];
    const x = withinCard(center, (advance(shown) * size.value) / 2);
    return [drawText(shown, { size: "value", x, y: y - 8, anchor: "middle" })];
  });
}
