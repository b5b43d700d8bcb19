import type { DateToken } from "./date-tokens.ts";
import type { WordKind, WordValues } from "./date-words.ts";

/** What a pattern finds: a value, and the index of the token after it. */
export interface PatternMatch<T> {
  readonly value: T;
  readonly end: number;
}

/** Every way to read what begins at a token. */
export type DatePattern<T> = (
  tokens: readonly DateToken[],
  at: number,
) => readonly PatternMatch<T>[];

/** A word with this meaning. */
export function word<K extends WordKind>(
  kind: K,
  only?: (value: WordValues[K]) => boolean,
): DatePattern<WordValues[K]> {
  return (tokens, at) =>
    (tokens[at]?.meanings ?? [])
      .filter((one) => one.kind === kind)
      // The tables' types hold what their kinds may have.
      .map(({ value }) => ({ value: value as WordValues[K], end: at + 1 }))
      .filter(({ value }) => only === undefined || only(value));
}

/** One of these signs. */
export function sign(signs: string): DatePattern<DateToken> {
  return (tokens, at) => {
    const token = tokens[at];
    if (token === undefined || token.text.length > 1 || !signs.includes(token.text)) return [];
    return [{ value: token, end: at + 1 }];
  };
}

interface NumberRange {
  readonly from: number;
  readonly to: number;
  /** 0 for a number in words or kanji. */
  readonly digits?: readonly number[];
  readonly isGlued?: true;
  /** Not the rest of a number with full stops. */
  readonly isWhole?: true;
}

/** A number in this range. */
export function numeral({ from, to, digits, isGlued, isWhole }: NumberRange): DatePattern<number> {
  return (tokens, at) => {
    const token = tokens[at];
    if (token?.number === undefined) return [];
    if (isGlued === true && !token.isGlued) return [];
    if (isWhole === true && token.isGlued && tokens[at - 1]?.text === ".") return [];
    if (digits !== undefined && !digits.includes(token.digits)) return [];
    if (token.number < from || token.number > to) return [];
    return [{ value: token.number, end: at + 1 }];
  };
}

/** The patterns one after the other. */
export function inOrder<T extends readonly unknown[]>(
  ...patterns: { readonly [I in keyof T]: DatePattern<T[I]> }
): DatePattern<T> {
  return (tokens, at) => {
    let found: readonly PatternMatch<readonly unknown[]>[] = [{ value: [], end: at }];
    for (const pattern of patterns as readonly DatePattern<unknown>[]) {
      if (found.length === 0) break;
      found = found.flatMap(({ value, end }) =>
        pattern(tokens, end).map((next) => ({ value: [...value, next.value], end: next.end })),
      );
    }
    return found as readonly PatternMatch<T>[];
  };
}

/** The patterns one after the other, and what they say together; undefined for what is not meant. */
export function phrase<const T extends readonly unknown[], U>(
  patterns: { readonly [I in keyof T]: DatePattern<T[I]> },
  read: (values: T) => U | undefined,
): DatePattern<U> {
  return mapPattern(inOrder<T>(...patterns), read);
}

/** Any of the patterns. */
export function either<T>(...patterns: readonly DatePattern<T>[]): DatePattern<T> {
  return (tokens, at) => patterns.flatMap((pattern) => pattern(tokens, at));
}

/** With the pattern, or without it. */
export function maybe<T>(pattern: DatePattern<T>): DatePattern<T | undefined> {
  return (tokens, at) => [...pattern(tokens, at), { value: undefined, end: at }];
}

/** Turns what is found into something else; undefined for what is not meant. */
export function mapPattern<T, U>(
  pattern: DatePattern<T>,
  map: (value: T) => U | undefined,
): DatePattern<U> {
  return (tokens, at) =>
    pattern(tokens, at).flatMap(({ value, end }) => {
      const mapped = map(value);
      return mapped === undefined ? [] : [{ value: mapped, end }];
    });
}
