import keyvTestSuite from "@keyv/test-suite";
import { Keyv } from "keyv";
import * as test from "vitest";
import { type Database, openDatabase } from "../../src/database/index.ts";
import { KeyvSql } from "../../src/store/keyv-sql.ts";
import { kinds } from "../support/databases/each-kind.ts";
import { type Kind, type Place, reusing } from "../support/databases/kinds.ts";

const { afterAll, beforeAll, describe, expect, it, onTestFinished } = test;

for (const { name, make } of kinds) {
  describe.skipIf(!make)(`KeyvSql over ${name}`, () => {
    const kind = make?.();
    if (kind === undefined) {
      it("needs its server", () => undefined);
      return;
    }
    afterAll(() => kind.stop());
    describe("through keyv", () => suite(kind));
    describe("by itself", () => ownFacts(reusing(kind, onTestFinished)));
  });
}

function suite(kind: Kind) {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ url: (await kind.fresh()).url });
  });
  afterAll(() => database.close());

  keyvTestSuite(test, Keyv, () => new KeyvSql({ database }));
}

function ownFacts(kind: Kind) {
  async function opened(now?: () => number) {
    const place: Place = await kind.fresh();
    const database = await openDatabase({ url: place.url, now });
    onTestFinished(() => database.close());
    const keys = async () =>
      (await place.query("select key from keyv order by key")).map(({ key }) => key);
    return { adapter: new KeyvSql({ database }), database, keys };
  }

  it("sweeps what has expired when something is written later, a hundred rows at a time", async () => {
    let now = 1_000_000;
    const { adapter, keys } = await opened(() => now);
    for (let n = 0; n < 150; n += 1) await adapter.set(`short:${n}`, "1", 5);
    await adapter.set("long", "1", 500_000);
    await adapter.set("ever", "1");

    now += 100_000;
    await adapter.set("new", "1");
    expect(await keys()).toHaveLength(53);
    await adapter.set("newer", "1");

    expect(await keys()).toEqual(["ever", "long", "new", "newer"]);
    expect(await adapter.get("short:0")).toBeUndefined();
  });

  it("does not answer or delete an expired entry before it is swept", async () => {
    let now = 1_000_000;
    const { adapter, keys } = await opened(() => now);
    await adapter.set("short", "1", 500);

    now += 500;

    expect(await adapter.get("short")).toBeUndefined();
    expect(await adapter.delete("short")).toBe(false);
    expect(await keys()).toEqual(["short"]);
  });

  it("clears a namespace alone, also of keys that a language sorts otherwise", async () => {
    const { adapter, keys } = await opened();
    const odd = ["unit:A-b", "unit:a_B", "unit:Ä", "unit:%", "unit:~", "unit::"];
    for (const key of [...odd, "unit", "units:1", "uni_:1"]) await adapter.set(key, "text");

    adapter.namespace = "unit";
    await adapter.clear();

    expect((await keys()).toSorted()).toEqual(["uni_:1", "unit", "units:1"]);
  });

  it("throws when the database is closed, whatever is asked", async () => {
    const { adapter, database } = await opened();
    await database.close();

    await expect(adapter.get("a")).rejects.toThrow();
    await expect(adapter.set("a", "1")).rejects.toThrow();
    await expect(adapter.delete("a")).rejects.toThrow();
    await expect(adapter.clear()).rejects.toThrow();
  });
}
