import { afterAll, describe, it, onTestFinished } from "vitest";
import { type Kind, postgres, reusing, sqlite } from "./kinds.ts";
import { findPostgres } from "./postgres-server.ts";

const all: readonly { readonly name: string; readonly make?: () => Kind }[] = [
  { name: "SQLite", make: sqlite },
  { name: "PostgreSQL", ...(findPostgres() && { make: postgres }) },
];

/**
 * The databases on which a test states its facts. `npm test` runs such a file on SQLite, and `npm run test:full` once
 * more on PostgreSQL (GREENROOM_TEST_DATABASE, set in `vitest.config.ts`). Without that variable, it runs on both.
 */
export const kinds = all.filter(
  ({ name }) => name === (process.env.GREENROOM_TEST_DATABASE ?? name),
);

/** States the facts on each kind of database; kinds that are not installed are skipped by name. */
export function onEach(facts: (kind: () => Kind) => void): void {
  describe.each(kinds)("on $name", ({ make }) => {
    describe.skipIf(make === undefined)("", () => {
      let kind: Kind | undefined;
      facts(() => {
        kind ??= make?.();
        if (kind === undefined) throw new TypeError("this kind is not installed");
        return kind;
      });
    });
  });
}

/** Like `onEach`, but tests share what takes seconds to make: each gets a database that was emptied again. */
export function describeReusing(
  subject: string,
  facts: (kind: Kind, kindName: string) => void,
): void {
  for (const { name, make } of kinds) {
    describe.skipIf(make === undefined)(`${subject} ${name}`, () => {
      const kind = make?.();
      if (kind === undefined) return void it("needs its server", () => undefined);
      afterAll(() => kind.stop());
      facts(reusing(kind, onTestFinished), name);
    });
  }
}

/** Like `onEach`, under a subject of its own; the kind stops after the facts. */
export function describeOnEach(
  subject: string,
  facts: (kind: Pick<Kind, "fresh">, kindName: string) => void,
): void {
  describe.each(kinds)(`${subject} on $name`, ({ name, make }) => {
    let kind: Kind | undefined;
    afterAll(() => kind?.stop());

    describe.skipIf(make === undefined)("facts", () => {
      const fresh = () => {
        kind ??= (make as () => Kind)();
        return kind.fresh();
      };
      facts({ fresh }, name);
    });
  });
}
