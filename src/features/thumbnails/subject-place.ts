import type { Words } from "../../discord/index.ts";
import { subjectSides, type ThumbnailDesign } from "./design.ts";

const steps = {
  larger: { zoom: 1.15 },
  smaller: { zoom: 1 / 1.15 },
  higher: { y: -0.06 },
  lower: { y: 0.06 },
  left_a_bit: { x: -0.05 },
  right_a_bit: { x: 0.05 },
} as const satisfies Record<string, { zoom?: number; x?: number; y?: number }>;

const stepNames = Object.keys(steps) as readonly (keyof typeof steps)[];

const zoomLimits = [0.5, 2.2] as const;
const mostShift = 0.5;

/** Where the subject can stand, and the steps by which its size and place change. */
export function subjectPlaces({ side }: ThumbnailDesign, words: Words) {
  return [
    ...subjectSides.map((value) => ({
      label: words.say(`thumbnails.side.${value}`),
      value,
      isDefault: value === side,
    })),
    ...stepNames.map((value) => ({ label: words.say(`thumbnails.step.${value}`), value })),
  ];
}

/** A side puts the subject back to where it stands there by itself; a step starts from where it is. */
export function changeSubject(
  { zoom = 1, shift = { x: 0, y: 0 } }: ThumbnailDesign,
  value: string,
): Partial<ThumbnailDesign> {
  const side = subjectSides.find((known) => known === value);
  if (side !== undefined) return { side, zoom: 1, shift: { x: 0, y: 0 } };
  const name = stepNames.find((known) => known === value);
  if (name === undefined) return {};
  const step: { readonly zoom?: number; readonly x?: number; readonly y?: number } = steps[name];
  return {
    zoom: within(zoom * (step.zoom ?? 1), ...zoomLimits),
    shift: {
      x: within(shift.x + (step.x ?? 0), -mostShift, mostShift),
      y: within(shift.y + (step.y ?? 0), -mostShift, mostShift),
    },
  };
}

/** Rounded, because steps are added up and stored. */
function within(value: number, least: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value)) * 1000) / 1000;
}
