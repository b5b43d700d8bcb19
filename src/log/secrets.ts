import { hasKeyShape } from "../key-shape.ts";
import { listEncodings, minSecretLength } from "./encodings.ts";

export const secretMark = "[secret]";

export type Secrets = ReturnType<typeof createSecrets>;

/**
 * At least so many passing secrets are kept, and less than twice as many. A secret of 64 characters takes about 4 KB; longer
 * ones count accordingly.
 */
const defaultMaxSecrets = 10_000;
const averageChars = 64;
const unprovenShare = 0.05;

/** The secrets that this process knows, so that the log can mask them. */
export function createSecrets({ most = defaultMaxSecrets } = {}) {
  const lasting = createForms();
  const passing = createGenerations(most * averageChars);
  const unproven = createGenerations(most * averageChars * unprovenShare);

  return {
    /** Keeps a secret of the operator for ever. A value under 6 characters is ignored, because it would match by chance. */
    add: (value: string): void => addTo(lasting, value.trim()),
    /**
     * Keeps a value until thousands of others were added after it: for secrets that are read again whenever they are used, such
     * as tokens that live for an hour.
     */
    addPassing(value: string): void {
      const secret = value.trim();
      if (!lasting.has(secret)) passing.add(secret);
    },
    /**
     * Keeps what somebody typed as a key, if it looks like one, while it is being checked. These have a list of their own, so
     * that typing many keys does not push other secrets out.
     */
    addUnproven(value: string): void {
      const secret = value.trim();
      if (hasKeyShape(secret) && !lasting.has(secret)) unproven.add(secret);
    },
    /** One text with every known secret, in whatever encoding, replaced by `[secret]`. Not for finished JSON, which it may cut up. */
    remove(text: string): string {
      const all = [lasting, passing.recent, passing.earlier, unproven.recent, unproven.earlier];
      const held = all.filter(({ chars }) => chars > 0);
      return held.length === 0 ? text : replaceSecrets(text, held);
    },
  };
}

/** Keeps the newest secrets up to so many characters, and the generation before them. */
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
  if (secret.length >= minSecretLength && !forms.has(secret)) forms.add(secret);
}

/** Overlapping secrets become one mark, so that the end of the second one does not remain. */
function replaceSecrets(text: string, held: readonly Forms[]): string {
  let result = "";
  let kept = 0;
  let hash = 0;
  for (let at = 0; at <= text.length - minSecretLength; at++) {
    hash = at === 0 ? hashAt(text, 0) : nextHash(hash, text, at);
    let length = 0;
    for (const forms of held) {
      length = Math.max(length, forms.lengthAt(text, at, hash & (slots - 1)));
    }
    if (length === 0) continue;
    if (at >= kept) result += text.slice(kept, at) + secretMark;
    kept = Math.max(kept, at + length);
  }
  return kept === 0 ? text : result + text.slice(kept);
}

type Forms = ReturnType<typeof createForms>;

const slots = 1 << 16;

/**
 * By how many first characters a form is looked up: the largest of these that it has. Tokens of one service start alike, so a few
 * characters would not distinguish them.
 */
const levels = [64, 32, 16, minSecretLength] as const;

/**
 * Finds secrets in a text in all their encodings. The time for adding one and for searching a line does not grow with their
 * number, since thousands of servers bring thousands of secrets.
 */
function createForms() {
  const known = new Set<string>();
  const byStart = levels.map((level) => ({ level, forms: new Map<string, string[]>() }));
  // At most places in a line no secret starts. One byte shows that without slicing the string.
  const starts = new Uint8Array(slots);
  let chars = 0;

  function index(form: string): void {
    starts[hashAt(form, 0) & (slots - 1)] = 1;
    const at = byStart.find(({ level }) => level <= form.length);
    if (at === undefined) return;
    const start = form.slice(0, at.level);
    const alike = at.forms.get(start) ?? [];
    alike.push(form);
    alike.sort((a, b) => b.length - a.length);
    at.forms.set(start, alike);
  }

  return {
    /** The total length of its secrets. */
    get chars() {
      return chars;
    },
    has: (secret: string) => known.has(secret),
    add(secret: string): void {
      known.add(secret);
      chars += secret.length;
      for (const form of listEncodings(secret)) index(form);
    },
    /** The length of the longest form that starts here, or 0; `slot` is where `starts` keeps this place's hash. */
    lengthAt(text: string, at: number, slot: number): number {
      if (starts[slot] === 0) return 0;
      // Forms of one level are longer than those of the next.
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

/** A hash of the first characters at a place; its lowest bits are the slot. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + minSecretLength; i++)
    hash = (Math.imul(hash, 33) + text.charCodeAt(i)) | 0;
  return hash;
}

/** The hash at a place, computed from the hash at the place before it. */
function nextHash(hash: number, text: string, at: number): number {
  const without = (hash - Math.imul(text.charCodeAt(at - 1), firstWeight)) | 0;
  return (Math.imul(without, 33) + text.charCodeAt(at + minSecretLength - 1)) | 0;
}

const firstWeight = 33 ** (minSecretLength - 1);
