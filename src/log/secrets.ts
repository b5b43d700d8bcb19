import { shortest } from "./encodings.ts";
import { createForms, type Forms, slotOf, slots } from "./forms.ts";

/** What stands where a secret was. */
export const mark = "[secret]";

/** The secrets this process knows, so that the log can take them out of a finished line by value. */
export interface Secrets {
  /** Remembers a value for good; one under 6 characters is ignored, because it would match by chance. */
  add(value: string): void;
  /**
   * Remembers a value until thousands of others were told after it: of what is read from a store or a service whenever
   * it is used, such as tokens that live for an hour.
   */
  addPassing(value: string): void;
  /** The text with every known secret, in whatever encoding, replaced by `[secret]`. */
  remove(text: string): string;
}

/** Of passing secrets at least so many are remembered, and less than twice as many; each takes about 4 KB. */
const usualMost = 10_000;

export function createSecrets({ most = usualMost }: { readonly most?: number } = {}): Secrets {
  // Most places in a line start no secret; one byte each tells so without cutting a string.
  let maybe = new Uint8Array(slots);
  const fresh = () =>
    createForms((slot) => {
      maybe[slot] = 1;
    });
  const lasting = fresh();
  let recent = fresh();
  let earlier = fresh();

  function lengthAt(text: string, at: number): number {
    if (maybe[slotOf(text, at)] === 0) return 0;
    return Math.max(...[lasting, recent, earlier].map((forms) => forms.lengthAt(text, at)));
  }

  function turnOver(): void {
    earlier = recent;
    recent = fresh();
    maybe = lasting.starts.map((is, slot) => is | (earlier.starts[slot] ?? 0));
  }

  return {
    add: (value) => addTo(lasting, value.trim()),
    addPassing(value) {
      const secret = value.trim();
      if (lasting.has(secret)) return;
      addTo(recent, secret);
      if (recent.size >= most) turnOver();
    },
    remove(text) {
      const isEmpty = lasting.size + recent.size + earlier.size === 0;
      return isEmpty ? text : replace(text, lengthAt);
    },
  };
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
    if (at >= kept) result += withoutLooseEscape(text.slice(kept, at)) + mark;
    kept = Math.max(kept, at + length);
  }
  return kept === 0 ? text : result + text.slice(kept);
}

/** A match may begin with the letter of a JSON escape such as `\n`; its backslash alone would spoil the line. */
function withoutLooseEscape(text: string): string {
  const [before = ""] = /^.*[^\\]/s.exec(text) ?? [];
  const backslashes = text.length - before.length;
  return backslashes % 2 === 0 ? text : text.slice(0, -1);
}
