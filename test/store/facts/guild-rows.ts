import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { openBackend } from "../../../src/store/open-backend.ts";
import { createGuildRows } from "../../../src/store/records/create-guild-rows.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, masterKey, openFor, otherGuild } from "../setup.ts";

interface Mark {
  readonly seen: number;
  readonly approved: number;
  readonly rejected: number;
  readonly lastAt: number;
}

const mark = (seen: number): Mark => ({ seen, approved: 0, rejected: 0, lastAt: 0 });
const counts = (found: readonly Mark[]) => found.map(({ seen }) => seen).sort((a, b) => a - b);

export function guildRowsFacts(kind: Kind) {
  describe("records of guilds", () => {
    it("answers what was made of a record, until it is removed", async () => {
      const { authors } = (await openFor(await kind.fresh())).moderation;

      expect(await authors.read(guild, "a")).toEqual({ state: "absent" });
      expect(await authors.update(guild, "a", (stored) => stored ?? mark(1))).toEqual(mark(1));
      expect(await authors.update(guild, "a", (stored) => mark((stored?.seen ?? 0) + 1))).toEqual(
        mark(2),
      );
      expect(await authors.read(guild, "a")).toEqual({ state: "found", value: mark(2) });
      await authors.remove(guild, "a");
      await authors.remove(guild, "a");
      expect(await authors.read(guild, "a")).toEqual({ state: "absent" });
    });

    it("removes a record of which undefined is made, and makes none of nothing", async () => {
      const { authors } = (await openFor(await kind.fresh())).moderation;
      await authors.update(guild, "a", () => mark(1));

      expect(await authors.update(guild, "a", () => undefined)).toBeUndefined();
      expect(await authors.update(guild, "b", () => undefined)).toBeUndefined();

      expect(await authors.list(guild)).toEqual([]);
    });

    it("keeps a record of which the very same is made, and takes another one that is made", async () => {
      const { url } = await kind.fresh();
      const backend = await openBackend(url);
      try {
        const rows = createGuildRows<Mark>(backend, "author");
        await rows.update(guild, "a", () => mark(1));
        const lines: string[] = [];
        const text = async () => {
          for await (const [, line] of backend.list("author")) lines.push(line);
        };
        await text();

        const same = await rows.update(guild, "a", (stored) => stored);
        const equal = await rows.update(guild, "a", (stored) => stored && { ...stored, seen: 2 });
        await text();

        expect([same, equal]).toEqual([mark(1), mark(2)]);
        expect(lines.map((line) => JSON.parse(line).value.seen)).toEqual([1, 2]);
      } finally {
        await backend.close();
      }
    });

    it("leaves a record as it is when its making throws, and throws that", async () => {
      const { authors } = (await openFor(await kind.fresh())).moderation;
      await authors.update(guild, "a", () => mark(1));
      const refusal = new RangeError("no more");

      const failing = authors.update(guild, "a", () => {
        throw refusal;
      });

      await expect(failing).rejects.toBe(refusal);
      expect(await authors.read(guild, "a")).toEqual({ state: "found", value: mark(1) });
    });

    it("loses nothing of 200 changes at once over two connections", async () => {
      const { url } = await kind.fresh();
      const stores = [await openFor({ url }), await openFor({ url })];

      await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          stores[n % 2]?.moderation.authors.update(guild, "a", (stored) =>
            mark((stored?.seen ?? 0) + 1),
          ),
        ),
      );

      expect(await stores[0]?.moderation.authors.read(guild, "a")).toMatchObject({
        value: { seen: 200 },
      });
    });

    it("lets one of 50 who claim the same at once have it, over two connections", async () => {
      const { url } = await kind.fresh();
      const stores = [await openFor({ url }), await openFor({ url })];

      const claims = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          stores[n % 2]?.moderation.replies.update(
            guild,
            "c1a1",
            (stored) => stored ?? { id: "c1a1", name: `claimer ${n}`, text: "" },
          ),
        ),
      );

      expect(new Set(claims.map((claim) => claim?.name)).size).toBe(1);
    });

    it("lists those of a guild, or those within another record, and nobody else's", async () => {
      const { authors } = (await openFor(await kind.fresh())).moderation;
      // Each begins like another one: guilds by a digit more, ids by a letter, a hyphen or a colon more.
      const longer = `${guild}1`;
      const rows = [
        [guild, "12:a", 1],
        [guild, "12:b", 2],
        [guild, "123:a", 3],
        [guild, "12-:a", 4],
        [guild, "12", 5],
        [guild, "1:12", 6],
        [longer, "12:a", 7],
        [otherGuild, "12:a", 8],
      ] as const;
      for (const [guildId, id, n] of rows) await authors.update(guildId, id, () => mark(n));

      expect(counts(await authors.list(guild, "12"))).toEqual([1, 2]);
      expect(counts(await authors.list(guild, "123"))).toEqual([3]);
      expect(counts(await authors.list(guild, "1"))).toEqual([6]);
      expect(counts(await authors.list(guild))).toEqual([1, 2, 3, 4, 5, 6]);
      expect(counts(await authors.list(longer))).toEqual([7]);
      expect(counts(await authors.list(longer, "12"))).toEqual([7]);
      expect(await authors.list("333333333333333333")).toEqual([]);
      const all = await authors.all();
      expect(all.map(([guildId, { seen }]) => [guildId, seen]).sort()).toEqual(
        rows.map(([guildId, , n]) => [guildId, n]).sort(),
      );
    });

    it("keeps kinds apart whose names begin alike", async () => {
      const { moderation, feeds } = await openFor(await kind.fresh());
      await feeds.progress.update(guild, "a", () => ({ failures: 7 }));
      await moderation.progress.update(guild, "a", () => ({ idlePolls: 3, troubles: {} }));

      expect(await feeds.feeds.list(guild)).toEqual([]);
      expect(await feeds.progress.list(guild)).toEqual([{ failures: 7 }]);
      expect(await moderation.progress.all()).toEqual([[guild, { idlePolls: 3, troubles: {} }]]);
    });

    it("lists thousands, while some of them are changed and removed", {
      timeout: 20_000,
    }, async () => {
      const { url } = await kind.fresh();
      const backend = await openBackend(url);
      const { authors } = (await openFor({ url })).moderation;
      const many = 1_234;
      try {
        const rows = createGuildRows<Mark>(backend, "author");
        for (let from = 0; from < many; from += 100) {
          const some = Array.from({ length: Math.min(100, many - from) }, (_, n) => from + n);
          await Promise.all(some.map((n) => rows.update(guild, `w:${n}`, () => mark(n))));
        }
        const listed = authors.list(guild, "w");
        for (let n = 0; n < many; n += 100) {
          await rows.update(guild, `w:${n}`, () => mark(n));
          await rows.remove(guild, `w:${n + 1}`);
        }

        const seen = new Set(counts(await listed));

        const lost = Array.from({ length: many }, (_, n) => n)
          .filter((n) => n % 100 !== 1)
          .filter((n) => !seen.has(n));
        expect(lost).toEqual([]);
        expect(await authors.list(guild, "w")).toHaveLength(many - 13);
      } finally {
        await backend.close();
      }
    });

    it.each([
      ["a guild", "keyv:1", "a"],
      ["a guild", `${guild}:a`, "a"],
      ["an empty id", guild, ""],
      ["an id of three parts", guild, "a:b:c"],
      ["an id with a wildcard", guild, "*"],
      ["an id with a space", guild, "a b"],
      ["an id that leads elsewhere", guild, "../a"],
      ["too long an id", guild, "a".repeat(65)],
    ])("takes no other text for %s", async (_, guildId, id) => {
      const { authors } = (await openFor(await kind.fresh())).moderation;
      await authors.update(guild, "a", () => mark(1));
      const refused = /^a (guild|record's) id for the store/;

      expect(await authors.read(guildId, id)).toMatchObject({ state: "failed" });
      await expect(authors.update(guildId, id, () => mark(9))).rejects.toThrow(refused);
      await expect(authors.remove(guildId, id)).rejects.toThrow(refused);
      if (guildId === guild) await expect(authors.list(guildId, id)).rejects.toThrow(refused);
      else await expect(authors.list(guildId)).rejects.toThrow(refused);
      expect(await authors.all()).toEqual([[guild, mark(1)]]);
    });

    it("fails when a record was damaged, and neither skips it nor writes over it", async () => {
      const place = await kind.fresh();
      const { authors } = (await openFor({ url: place.url })).moderation;
      await authors.update(guild, "a", () => mark(1));
      await place.put(`author:${guild}:a`, '{"valu');

      expect(await authors.read(guild, "a")).toMatchObject({ state: "failed" });
      const unavailable = { code: "store_unavailable" };
      await expect(authors.list(guild)).rejects.toMatchObject(unavailable);
      await expect(authors.all()).rejects.toMatchObject(unavailable);
      await expect(authors.update(guild, "a", () => mark(2))).rejects.toMatchObject(unavailable);
      expect(await place.get(`author:${guild}:a`)).toBe('{"valu');
    });

    it("answers failed, never absent, once the store is closed", async () => {
      const store = await openStore({ ...(await kind.fresh()), keys: [masterKey("k1")] });
      await store.close();
      const { authors } = store.moderation;

      expect(await authors.read(guild, "a")).toMatchObject({ state: "failed" });
      const unavailable = { code: "store_unavailable" };
      await expect(authors.list(guild)).rejects.toMatchObject(unavailable);
      await expect(authors.update(guild, "a", () => mark(1))).rejects.toMatchObject(unavailable);
      await expect(authors.remove(guild, "a")).rejects.toMatchObject(unavailable);
    });
  });

  describe("a database's list", () => {
    it("tells keys and texts of what is there in a namespace, or of what is within a prefix", async () => {
      const { url } = await kind.fresh();
      const backend = await openBackend(url);
      try {
        const { watch, item } = backend.records;
        await watch.set(`${guild}:a`, 1);
        await item.set(`${guild}:a:x`, 2);
        await item.set(`${guild}:ab:x`, 3);
        await watch.set(`${guild}:gone`, 4, 1);
        await new Promise((resolve) => setTimeout(resolve, 20));

        const of = async (...asked: Parameters<typeof backend.list>) => {
          const found: (readonly [string, unknown])[] = [];
          for await (const [key, text] of backend.list(...asked))
            found.push([key, JSON.parse(text)]);
          return found.sort();
        };

        expect(await of("watch")).toEqual([[`watch:${guild}:a`, { value: 1 }]]);
        expect(await of("item", `${guild}:a`)).toEqual([[`item:${guild}:a:x`, { value: 2 }]]);
        expect(await of("item")).toEqual([
          [`item:${guild}:a:x`, { value: 2 }],
          [`item:${guild}:ab:x`, { value: 3 }],
        ]);
        expect(await of("digest")).toEqual([]);
      } finally {
        await backend.close();
      }
    });
  });
}
