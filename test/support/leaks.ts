import { createSecrets, type Secrets } from "../../src/log.ts";
import type { RestExchange } from "../../src/sandbox/platform/index.ts";

/** Something that left the process, and where it went. */
export interface Left {
  readonly where: string;
  readonly text: string;
}

/**
 * Searches for secrets as they are, percent-encoded, in base64 at each alignment, in hex, and escaped as in JSON
 * (`encodings.ts`).
 */
export function watchSecrets() {
  const known = new Set<string>();
  const secret = (value: string) => void known.add(value.trim());
  const alsoKnown = (add: (value: string) => void) => (value: string) => {
    add(value);
    secret(value);
  };
  const own = createSecrets();
  // Texts without any secret are not searched again until another secret is known.
  let clean = new Set<string>();
  let knownThen = 0;

  return {
    /** Adds a secret; what left the process before is searched for it, too. */
    secret,
    /** All secrets known so far. */
    known: () => [...known],
    /** The bot's own list of secrets, which must not leak either. */
    own: {
      add: alsoKnown(own.add),
      addPassing: alsoKnown(own.addPassing),
      addUnproven: alsoKnown(own.addUnproven),
      remove: own.remove,
    } satisfies Secrets,
    /** Where secrets were found, in whatever form; never contains the secrets themselves. */
    leaks(left: Iterable<Left>): readonly string[] {
      const all = createSecrets();
      for (const value of known) all.add(value);
      if (known.size > knownThen) clean = new Set();
      knownThen = known.size;
      return [...left].flatMap(({ where, text }) => {
        if (clean.has(text)) return [];
        const without = all.remove(text);
        if (without === text) {
          clean.add(text);
          return [];
        }
        const at = without.indexOf("[secret]");
        return [`${where}: …${without.slice(Math.max(0, at - 60), at + 60)}…`];
      });
    },
  };
}

/** A request of the bot to Discord: its body, its files, and its address without the interaction's token. */
export function* leftIn({
  method,
  path,
  query,
  requestBody,
  requestFiles,
}: RestExchange): Generator<Left> {
  const opened = path.replace(/^(\/(?:interactions|webhooks)\/\d+\/)[^/]+/u, "$1TOKEN");
  const where = `${method} ${opened}`;
  yield { where: `the address of ${where}`, text: `${opened}${query}` };
  yield { where, text: JSON.stringify(requestBody ?? null) };
  for (const { name, data } of requestFiles) {
    yield { where: `the file ${name} of ${where}`, text: Buffer.from(data).toString("latin1") };
  }
}
