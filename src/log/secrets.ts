import { shortest } from "./encodings.ts";
import { createForms, type Forms, slotOf } from "./forms.ts";
import { hasKeyShape } from "./key-shape.ts";

/** What stands where a secret was. */
export const mark = "[secret]";

/** The secrets this process knows, so that the log can take them out by value. */
export interface Secrets {
  /** Remembers for good what the operator set; a value under 6 characters is ignored, because it would match by chance. */
  add(value: string): void;
  /**
   * Remembers a value until thousands of others were told after it: of what is read from a store or a service whenever
   * it is used, such as tokens that live for an hour.
   */
  addPassing(value: string): void;
  /**
   * Remembers what somebody typed as a key, for as long as it is on trial, if it has the shape of one. By its own list: typing
   * keys makes nobody else's forgotten.
   */
  addUnproven(value: string): void;
  /** One text with every known secret, in whatever encoding, replaced by `[secret]`. Not for finished JSON, which it may cut up. */
  remove(text: string): string;
}

/**
 * Of passing secrets at least so many are remembered, and less than twice as many; each takes about 4 KB where it has 64
 * characters, and longer ones count for as many as they take.
 */
const usualMost = 10_000;
const usualLength = 64;
const unprovenPart = 0.05;

export function createSecrets({ most = usualMost }: { readonly most?: number } = {}): Secrets {
  const lasting = createForms();
  const passing = createGenerations(most * usualLength);
  const unproven = createGenerations(most * usualLength * unprovenPart);

  function lengthAt(text: string, at: number): number {
    const slot = slotOf(text, at);
    let longest = lasting.lengthAt(text, at, slot);
    for (const { recent, earlier } of [passing, unproven]) {
      const length = Math.max(recent.lengthAt(text, at, slot), earlier.lengthAt(text, at, slot));
      longest = Math.max(longest, length);
    }
    return longest;
  }

  return {
    add: (value) => addTo(lasting, value.trim()),
    addPassing(value) {
      const secret = value.trim();
      if (!lasting.has(secret)) passing.add(secret);
    },
    addUnproven(value) {
      const secret = value.trim();
      if (hasKeyShape(secret) && !lasting.has(secret)) unproven.add(secret);
    },
    remove(text) {
      const all = [lasting, passing.recent, passing.earlier, unproven.recent, unproven.earlier];
      return all.every(({ chars }) => chars === 0) ? text : replace(text, lengthAt);
    },
  };
}

/** The newest secrets of so many characters, and those of the generation before. */
function createGenerations(maxChars: number) {
  const generations = {
    recent: createForms(),
    earlier: createForms(),
    add(secret: string): void {
      addTo(generations.recent, secret);
      if (generations.recent.chars < maxChars) return;
      generations.earlier = generations.recent;
      generations.recent = createForms();
    },
  };
  return generations;
}

function addTo(forms: Forms, secret: string): void {
  if (secret.length >= shortest && !forms.has(secret)) forms.add(secret);
}

/** Overlapping secrets become one mark, so that no tail of the second stays. */
function replace(text: string, lengthAt: (text: string, at: number) => number): string {
  let result = "";
  let kept = 0;
  for (let at = 0; at <= text.length - shortest; at++) {
    const length = lengthAt(text, at);
    if (length === 0) continue;
    if (at >= kept) result += text.slice(kept, at) + mark;
    kept = Math.max(kept, at + length);
  }
  return kept === 0 ? text : result + text.slice(kept);
}
