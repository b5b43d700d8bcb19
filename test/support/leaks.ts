import { createSecrets, type Secrets } from "../../src/log.ts";
import type { RestExchange } from "../../src/sandbox/platform/index.ts";

/** One piece of what left the process, and where it was going. */
export interface Left {
  readonly where: string;
  readonly text: string;
}

/** Looks for secrets raw, in addresses, in base64 at each alignment, in hex, and as JSON has them (`encodings.ts`). */
export function watchSecrets() {
  const known = new Set<string>();
  const secret = (value: string) => void known.add(value.trim());
  const alsoKnown = (add: (value: string) => void) => (value: string) => {
    add(value);
    secret(value);
  };
  const own = createSecrets();
  // Texts without a secret are not searched again until there is another secret.
  let clean = new Set<string>();
  let knownThen = 0;

  return {
    /** Adds a secret; what left before is searched for it, too. */
    secret,
    /** All that are known so far. */
    known: () => [...known],
    /** The bot's own list of secrets, which must not leak either. */
    own: {
      add: alsoKnown(own.add),
      addPassing: alsoKnown(own.addPassing),
      addUnproven: alsoKnown(own.addUnproven),
      remove: own.remove,
    } satisfies Secrets,
    /** Where a secret was found, in whatever form; never the secret itself. */
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

/** A request of the bot to the platform: its body, its files, and its address without the token that opens it. */
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
