/** Label values that come from outside this room: each kind of them is bounded, because every value is a series for ever. */
export interface Names {
  /** The value itself, or `other` once there are too many, or when it does not look like a name. */
  of(value: string): string;
}

/** Also letters with marks, for titles. */
const form = /^[\p{L}\d][\p{L}\p{M}\d ._-]{0,59}$/u;
/** Digits in a row are ids, and ids are nobody's business here. */
const id = /\d{6}/u;

export function createNames(most: number): Names {
  const known = new Set<string>();
  return {
    of(value) {
      if (known.has(value)) return value;
      if (known.size >= most || !form.test(value) || id.test(value)) return "other";
      known.add(value);
      return value;
    },
  };
}
