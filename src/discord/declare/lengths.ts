import { hourMs } from "../../clock.ts";
import {
  type DatePattern,
  either,
  mapPattern,
  maybe,
  numeral,
  type PatternMatch,
  phrase,
  sign,
  word,
} from "./date-patterns.ts";
import type { DateToken } from "./date-tokens.ts";
import type { LengthUnit } from "./date-words.ts";

/** A length of time; days and months keep the hour over a change of clocks, milliseconds do not. */
export interface TimeLength {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

const none: TimeLength = { months: 0, days: 0, ms: 0 };

const lengths: Readonly<Record<LengthUnit, TimeLength>> = {
  ms: { ...none, ms: 1 },
  s: { ...none, ms: 1000 },
  min: { ...none, ms: 60_000 },
  h: { ...none, ms: hourMs },
  d: { ...none, days: 1 },
  w: { ...none, days: 7 },
  fortnight: { ...none, days: 14 },
  mo: { ...none, months: 1 },
  y: { ...none, months: 12 },
};

/** From the longest to the shortest, which is the order that they are written in. */
const unitOrder: readonly LengthUnit[] = ["y", "mo", "fortnight", "w", "d", "h", "min", "s", "ms"];

interface LengthPiece {
  readonly unit: LengthUnit;
  readonly length: TimeLength;
}

/** Undefined for half a month, which has no length. */
export function timesUnit(count: number, unit: LengthUnit): TimeLength | undefined {
  const { months, days, ms } = lengths[unit];
  if (!Number.isInteger(count * months)) return undefined;
  if (Number.isInteger(count * days)) {
    return { months: count * months, days: count * days, ms: Math.round(count * ms) };
  }
  return { ...none, ms: Math.round(count * days * 24 * hourMs) };
}

/** `1.5` and `1,5`; three digits after the sign may be thousands. */
const decimal = phrase(
  [
    numeral({ from: 0, to: 9999, digits: [1, 2, 3, 4] }),
    mapPattern(sign(".,"), (token) => (token.isGlued ? token : undefined)),
    fraction,
  ],
  ([whole, , rest]) => Number(`${whole}.${rest}`),
);

function fraction(tokens: readonly DateToken[], at: number): readonly PatternMatch<string>[] {
  const token = tokens[at];
  if (token === undefined || !token.isGlued || token.digits === 0 || token.digits > 2) return [];
  return [{ value: token.text, end: at + 1 }];
}

const amount = either(decimal, numeral({ from: 0, to: Number.MAX_SAFE_INTEGER }), word("count"));

/** "2 hours", "an hour and a half", "one and a half hours". */
const counted = phrase(
  [amount, maybe(word("unitPlus")), word("unit"), maybe(word("unitPlus"))],
  ([count, before = 0, unit, behind = 0]) => piece(count + (before + behind) / 60, unit),
);

/** "three quarters of an hour", "eine Viertelstunde". */
const named = phrase(
  [maybe(word("count", (count) => count === 1)), word("length")],
  ([, minutes]) => piece(minutes, "min"),
);

/** "hora y media". */
const single = phrase([word("unit"), word("unitPlus")], ([unit, plus]) =>
  piece(1 + plus / 60, unit),
);

function piece(count: number, unit: LengthUnit): LengthPiece | undefined {
  const length = timesUnit(count, unit);
  return length && { unit, length };
}

const smaller: Partial<Record<LengthUnit, LengthUnit>> = { h: "min", min: "s" };

/** `1h30`, `1 min 30`: a last number counts the next smaller unit. */
const unitless = numeral({ from: 0, to: 59, digits: [1, 2] });

const onePiece = either(counted, named, single);
const mostPieces = 4;

/** One length or several, from the longest unit to the shortest: "1 hour and 30 minutes". */
export const lengthPattern: DatePattern<TimeLength> = (tokens, at) => {
  const complete: PatternMatch<TimeLength>[] = [];
  let open: readonly PatternMatch<readonly LengthPiece[]>[] = onePiece(tokens, at).map(
    ({ value, end }) => ({ value: [value], end }),
  );
  for (let count = 0; count < mostPieces && open.length > 0; count += 1) {
    for (const { value, end } of open) complete.push({ value: sumLengths(value), end });
    for (const { value, end } of open) complete.push(...withRest(value, tokens, end));
    open = open.flatMap(({ value, end }) => {
      const before = unitOrder.indexOf(value.at(-1)?.unit ?? "ms");
      return nextPiece(tokens, end)
        .filter((next) => unitOrder.indexOf(next.value.unit) > before)
        .map((next) => ({ value: [...value, next.value], end: next.end }));
    });
  }
  return complete;
};

const nextPiece = phrase([maybe(sign(",")), maybe(word("and")), onePiece], ([, , next]) => next);

function withRest(
  pieces: readonly LengthPiece[],
  tokens: readonly DateToken[],
  at: number,
): readonly PatternMatch<TimeLength>[] {
  const unit = smaller[pieces.at(-1)?.unit ?? "ms"];
  if (unit === undefined) return [];
  return unitless(tokens, at).flatMap(({ value, end }) => {
    const rest = piece(value, unit);
    return rest === undefined ? [] : [{ value: sumLengths([...pieces, rest]), end }];
  });
}

function sumLengths(pieces: readonly LengthPiece[]): TimeLength {
  return pieces.reduce(
    (sum, { length }) => ({
      months: sum.months + length.months,
      days: sum.days + length.days,
      ms: sum.ms + length.ms,
    }),
    none,
  );
}
