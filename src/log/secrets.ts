import { encodings, shortest } from "./encodings.ts";

/** What stands where a secret was. */
export const mark = "[secret]";

/** The secrets this process knows, so that the log can take them out of a finished line by value. */
export interface Secrets {
  /** Remembers a value; one under 6 characters is ignored, because it would match by chance. */
  add(value: string): void;
  /** The text with every known secret, in whatever encoding, replaced by `[secret]`. */
  remove(text: string): string;
}

const slots = 1 << 16;

/**
 * Found by their first characters, so that the time for a line does not grow with the number of secrets: thousands of
 * servers bring thousands of keys.
 */
export function createSecrets(): Secrets {
  const known = new Set<string>();
  const byStart = new Map<string, string[]>();
  // Most places in a line start no secret; one byte each tells so without cutting a string.
  const maybe = new Uint8Array(slots);

  function index(form: string): void {
    const start = form.slice(0, shortest);
    const forms = byStart.get(start) ?? [];
    forms.push(form);
    forms.sort((a, b) => b.length - a.length);
    byStart.set(start, forms);
    maybe[slot(form, 0)] = 1;
  }

  /** Length of the longest form that starts here, or 0. */
  function lengthAt(text: string, at: number): number {
    if (maybe[slot(text, at)] === 0) return 0;
    const forms = byStart.get(text.slice(at, at + shortest));
    return forms?.find((form) => text.startsWith(form, at))?.length ?? 0;
  }

  return {
    add(value) {
      const secret = value.trim();
      if (secret.length < shortest || known.has(secret)) return;
      known.add(secret);
      for (const form of encodings(secret)) index(form);
    },
    remove(text) {
      return known.size === 0 ? text : replace(text, lengthAt);
    },
  };
}

function slot(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + shortest; i++) hash = (hash * 33 + text.charCodeAt(i)) | 0;
  return hash & (slots - 1);
}

/** Overlapping secrets become one mark, so that no tail of the second stays. */
function replace(text: string, lengthAt: (text: string, at: number) => number): string {
  let result = "";
  let kept = 0;
  for (let at = 0; at <= text.length - shortest; at++) {
    const length = lengthAt(text, at);
    if (length === 0) continue;
    if (at >= kept) result += withoutLooseEscape(text.slice(kept, at)) + mark;
    kept = Math.max(kept, at + length);
  }
  return kept === 0 ? text : result + text.slice(kept);
}

/** A match may begin with the letter of a JSON escape such as `\n`; its backslash alone would spoil the line. */
function withoutLooseEscape(text: string): string {
  const backslashes = text.length - text.replace(/\\+$/, "").length;
  return backslashes % 2 === 0 ? text : text.slice(0, -1);
}
