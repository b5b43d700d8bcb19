import type { Rgb } from "../cutout/ground.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { ChartOptions } from "../types.ts";
import { type Canvas, createCanvas, fillMask, fillRect } from "./canvas.ts";
import { type Lettering, letteringFor } from "./lettering.ts";

type Bars = ChartOptions["bars"];

const [width, height] = [800, 320];
const edge = { left: 24, right: 24, top: 84, bottom: 48 } as const;
const titleBaseline = 36;

/** The chart has a background of its own, so that it looks the same in light and dark themes. */
const colors = {
  card: [43, 45, 49],
  line: [68, 70, 77],
  base: [110, 113, 122],
  bar: [114, 137, 255],
  label: [181, 186, 193],
  value: [242, 243, 245],
} as const satisfies Record<string, Rgb>;

const cardRadius = 14;
const barRadius = 6;
const widestBar = 72;
/** Width of a bar as a share of its room. */
const barShare = 0.64;
/** A small value still shows as a bar, and zero as a line. */
const leastHeight = 6;
const nothingHeight = 3;

const size = { title: 20, label: 16, value: 17 } as const;
const widest = { label: 120, value: 240 } as const;
const gap = 10;

/** Bars from left to right, below a title. */
export async function drawChart({
  title,
  bars,
  language = "en",
}: Omit<ChartOptions, "signal">): Promise<{ readonly bytes: Buffer }> {
  const sharp = await loadSharp();
  const canvas = createCanvas(width, height);
  const texts = [title, ...bars.flatMap(({ label, shown = "" }) => [label, shown])];
  const pen = penOn(canvas, sharp, await letteringFor(texts));
  fillRect(canvas, { left: 0, top: 0, width, height }, colors.card, { radius: cardRadius });
  const numbers = new Intl.NumberFormat(language, {
    notation: "compact",
    maximumFractionDigits: 2,
  });
  const write = (value: number) => numbers.format(value);
  const scale = scaleFor(
    bars.map(({ value }) => value),
    write,
  );
  const left =
    edge.left + Math.max(...scale.map(({ shown }) => pen.width(shown, size.label))) + gap;
  const plot = { left, slot: (width - edge.right - left) / Math.max(1, bars.length) };
  await drawScale(canvas, pen, { scale, left });
  const shownTitle = pen.shorten(title, size.title, width - edge.left - edge.right);
  await pen.write(shownTitle, {
    left: edge.left,
    baseline: titleBaseline,
    size: size.title,
    color: colors.label,
  });
  drawBars(canvas, bars, { ...plot, top: scale.at(-1)?.value ?? 1 });
  await drawLabels(pen, bars, plot);
  const named = bars.map(({ shown, value }) => ({ value, shown: shown ?? write(value) }));
  await drawValues(pen, named, { ...plot, top: scale.at(-1)?.value ?? 1 });
  const raw = { width, height, channels: 4 } as const;
  return { bytes: await sharp(canvas.data, { raw }).png({ compressionLevel: 9 }).toBuffer() };
}

interface ChartPlot {
  readonly left: number;
  /** Room for one bar. */
  readonly slot: number;
}

interface ScaleMark {
  readonly value: number;
  readonly shown: string;
}

type WriteNumber = (value: number) => string;

/** Round numbers from zero to a little above the largest value; whole ones where all values are whole. */
function scaleFor(values: readonly number[], write: WriteNumber): readonly ScaleMark[] {
  const largest = Math.max(0, ...values);
  const top = Number.isFinite(largest) && largest > 0 ? largest : 1;
  const step = values.every(Number.isInteger) ? wholeStep(top / 4) : roundStep(top / 4);
  const count = Math.ceil(top / step - 1e-9);
  const marks = largest > 0 ? Array.from({ length: count + 1 }, (_, i) => i * step) : [0];
  return marks.map((value) => ({ value, shown: write(value) }));
}

function wholeStep(least: number): number {
  const step = roundStep(Math.max(1, least));
  // Of the round steps from 1 on, only this one is not whole.
  return step === 2.5 ? 5 : step;
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;
  return step * power;
}

const baseY = height - edge.bottom;

function yOf(value: number, top: number): number {
  return baseY - ((baseY - edge.top) * value) / (top || 1);
}

function topOf(value: number, top: number): number {
  return Math.min(baseY - leastHeight, yOf(value, top));
}

async function drawScale(
  canvas: Canvas,
  pen: Pen,
  { scale, left }: { readonly scale: readonly ScaleMark[]; readonly left: number },
) {
  const top = scale.at(-1)?.value ?? 1;
  for (const { value, shown } of scale) {
    const y = Math.round(yOf(value, top));
    const line = { left, top: y, width: width - edge.right - left, height: value === 0 ? 2 : 1 };
    fillRect(canvas, line, value === 0 ? colors.base : colors.line);
    const right = left - gap;
    await pen.write(shown, { right, baseline: y + 6, size: size.label, color: colors.label });
  }
}

function drawBars(canvas: Canvas, bars: Bars, plot: ChartPlot & { readonly top: number }) {
  const barWidth = Math.max(1, Math.min(widestBar, plot.slot * barShare));
  for (const [i, { value }] of bars.entries()) {
    const left = plot.left + plot.slot * (i + 0.5) - barWidth / 2;
    const top = value > 0 ? topOf(value, plot.top) : baseY - nothingHeight;
    const rect = { left, top, width: barWidth, height: baseY - top };
    const color = value > 0 ? colors.bar : colors.base;
    fillRect(canvas, rect, color, { radius: barRadius, isFlatBelow: true });
  }
}

/** Draws as many labels as there is room for, starting with the last, which is today. */
async function drawLabels(pen: Pen, bars: Bars, { left, slot }: ChartPlot) {
  const labels = bars.map(({ label }) => pen.shorten(label, size.label, widest.label));
  const needed = Math.max(0, ...labels.map((label) => pen.width(label, size.label))) + gap;
  const every = Math.max(1, Math.ceil(needed / slot));
  const place = { baseline: baseY + 28, size: size.label, color: colors.label };
  let free = Number.POSITIVE_INFINITY;
  for (let i = bars.length - 1; i >= 0; i -= every) {
    const center = left + slot * (i + 0.5);
    // The last one may have had to move away from the edge.
    if (center + pen.width(labels[i] ?? "", size.label) / 2 + gap > free) continue;
    free = await pen.write(labels[i] ?? "", { ...place, center });
  }
}

/** Above every bar where there is room, otherwise above the tallest alone. */
async function drawValues(
  pen: Pen,
  bars: readonly ScaleMark[],
  plot: ChartPlot & { readonly top: number },
) {
  const shown = bars.map(({ shown }) => pen.shorten(shown, size.value, widest.value));
  const needed = Math.max(0, ...shown.map((text) => pen.width(text, size.value))) + gap;
  const largest = Math.max(...bars.map(({ value }) => value));
  const tallest = bars.findIndex(({ value }) => value === largest);
  const isRoomy = needed <= plot.slot;
  for (const [i, text] of shown.entries()) {
    const { value = 0 } = bars[i] ?? {};
    if (value <= 0 || !(isRoomy || i === tallest)) continue;
    const center = plot.left + plot.slot * (i + 0.5);
    const baseline = topOf(value, plot.top) - 8;
    await pen.write(text, { center, baseline, size: size.value, color: colors.value });
  }
}

interface TextPlacement {
  readonly center?: number;
  readonly right?: number;
  readonly left?: number;
  readonly baseline: number;
  readonly size: number;
  readonly color: Rgb;
}

/** Writes on the canvas, inside its edges. */
interface Pen {
  width(text: string, size: number): number;
  shorten(text: string, size: number, most: number): string;
  /** Returns the text's left edge. */
  write(text: string, writing: TextPlacement): Promise<number>;
}

function penOn(canvas: Canvas, sharp: Sharp, { writable, measure, draw }: Lettering): Pen {
  const width = (text: string, size: number) => measure(writable(text).text).advance * size;
  return {
    width,
    shorten(text, size, most) {
      let kept = Array.from(writable(text).text);
      while (kept.length > 1 && width(`${kept.join("")}…`, size) > most) kept = kept.slice(0, -1);
      const cut = kept.join("").trim();
      return width(text, size) <= most ? writable(text).text : `${cut}…`;
    },
    async write(text, { center, right = 0, left: start, baseline, size, color }) {
      const line = writable(text).text;
      const mask = await draw(sharp, [line], { size });
      if (!mask) return center ?? right;
      const ending = center === undefined ? right - mask.width : center - mask.width / 2;
      const wanted = start ?? ending;
      const most = canvas.width - edge.right / 2 - mask.width;
      const left = Math.max(edge.left / 2, Math.min(wanted, most));
      fillMask(canvas, mask, { left, top: baseline - measure(line).ascent * size }, color);
      return left;
    },
  };
}
