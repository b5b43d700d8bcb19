import { encodings, shortest } from "./encodings.ts";

export type Forms = ReturnType<typeof createForms>;

const slots = 1 << 16;

/**
 * By how many first characters a form is looked up: by as many as it has. Tokens of one service start alike, so that a few
 * characters would put all of them in one place.
 */
const levels = [64, 32, 16, shortest] as const;

/**
 * Secrets in all their encodings, found where they stand in a text. The time to add one and to look through a line does
 * not grow with their number: thousands of servers bring thousands.
 */
export function createForms() {
  const known = new Set<string>();
  const byStart = levels.map((level) => ({ level, forms: new Map<string, string[]>() }));
  // Most places in a line start no secret; one byte each tells so without cutting a string.
  const starts = new Uint8Array(slots);
  let chars = 0;

  function index(form: string): void {
    starts[slotOf(form, 0)] = 1;
    const at = byStart.find(({ level }) => level <= form.length);
    if (at === undefined) return;
    const start = form.slice(0, at.level);
    const alike = at.forms.get(start) ?? [];
    alike.push(form);
    alike.sort((a, b) => b.length - a.length);
    at.forms.set(start, alike);
  }

  return {
    /** How many characters its secrets have together. */
    get chars() {
      return chars;
    },
    has: (secret: string) => known.has(secret),
    add(secret: string): void {
      known.add(secret);
      chars += secret.length;
      for (const form of encodings(secret)) index(form);
    },
    /** Length of the longest form that starts here, or 0; `slot` is `slotOf` this place. */
    lengthAt(text: string, at: number, slot: number): number {
      if (starts[slot] === 0) return 0;
      // Forms of a deeper level are longer than all of the next.
      for (const { level, forms } of byStart) {
        if (forms.size === 0 || at + level > text.length) continue;
        const alike = forms.get(text.slice(at, at + level));
        const found = alike?.find((form) => text.startsWith(form, at));
        if (found !== undefined) return found.length;
      }
      return 0;
    },
  };
}

/** A number for the first characters at a place. */
export function slotOf(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + shortest; i++) hash = (hash * 33 + text.charCodeAt(i)) | 0;
  return hash & (slots - 1);
}
