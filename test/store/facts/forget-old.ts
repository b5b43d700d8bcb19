import { describe, expect, it } from "vitest";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, openFor, otherGuild } from "../setup.ts";
import { digestOf, entryOf, handle, itemOf, writtenAt } from "./queue-records.ts";

const day = 24 * 3_600_000;

export function forgettingFacts(kind: Kind) {
  describe("forgetting what is old", () => {
    async function opened() {
      let now = writtenAt;
      const place = await kind.fresh();
      const store = await openFor({ url: place.url, now: () => now });
      return {
        ...{ store, place },
        at: (days: number) => {
          now = writtenAt + days * day;
        },
      };
    }

    it("leaves ids of audit entries after 29 days, and nothing after a year", async () => {
      const { store, at } = await opened();
      const { audit } = store.moderation;
      await audit.update(guild, "1-a", () => entryOf("1-a"));
      await audit.update(otherGuild, "2-b", () => entryOf("2-b", { at: writtenAt + day }));

      at(28.9);
      expect(await store.forgetOld()).toEqual({ audit: 0, items: 0, digests: 0, authors: 0 });
      at(29.1);
      expect(await store.forgetOld()).toMatchObject({ audit: 1 });

      const { text: _, authorName: __, ...ids } = entryOf("1-a");
      expect(await audit.read(guild, "1-a")).toEqual({ state: "found", value: ids });
      expect(await audit.read(otherGuild, "2-b")).toMatchObject({ value: { text: "Kanarie" } });
      expect(await store.forgetOld()).toMatchObject({ audit: 0 });
      at(365.1);
      expect(await store.forgetOld()).toMatchObject({ audit: 2 });
      expect(await audit.all()).toHaveLength(1);
    });

    it("drops what the service told of a comment and has not told again for 29 days", async () => {
      const { store, at } = await opened();
      const { items } = store.moderation;
      const card = { state: "posted", handle, since: writtenAt, drawn: 0 } as const;
      const parent = { authorName: "Bo", text: "Why?" };
      const told = itemOf("i1", { card, parent });
      const picture = { imageUrl: "https://i", authorAvatar: "https://a" };
      await items.update(guild, "a1:i1", () => ({
        ...told,
        comment: { ...told.comment, ...picture },
      }));
      await items.update(guild, "a1:i2", () => itemOf("i2", { readAt: writtenAt + day }));

      at(29.5);
      expect(await store.forgetOld()).toMatchObject({ items: 1 });
      expect(await store.forgetOld()).toMatchObject({ items: 0 });

      const { video: _, parent: __, ...rest } = told;
      const { authorName: ___, ...comment } = told.comment;
      expect(await items.read(guild, "a1:i1")).toEqual({
        state: "found",
        value: { ...rest, comment: { ...comment, text: "" } },
      });
      expect(await items.read(guild, "a1:i2")).toMatchObject({
        value: { comment: itemOf("i2").comment, video: { title: "Birds" } },
      });
    });

    it("drops items that were over 30 days ago, and digests of which no item is left", async () => {
      const { store, at } = await opened();
      const { items, digests } = store.moderation;
      const ended = { status: "approved", endedAt: writtenAt } as const;
      await items.update(guild, "a1:i1", () => itemOf("i1", ended));
      await items.update(guild, "a1:i2", () => itemOf("i2", { readAt: writtenAt + 30 * day }));
      await digests.update(guild, "a1:d1", () => digestOf("d1", ["i1"]));
      await digests.update(guild, "a1:d2", () => digestOf("d2", ["i1", "i2"]));
      await digests.update(guild, "a1:d3", () => ({
        ...digestOf("d3", ["i9"]),
        addedAt: writtenAt + 30.1 * day,
      }));

      at(29.99);
      expect(await store.forgetOld()).toMatchObject({ digests: 0 });
      at(30.1);
      expect(await store.forgetOld()).toMatchObject({ items: 1, digests: 1 });

      expect((await items.list(guild)).map(({ id }) => id)).toEqual(["i2"]);
      expect((await digests.list(guild)).map(({ id }) => id).sort()).toEqual(["d2", "d3"]);
    });

    it("drops what still waits after a year in which the service told nothing of it", async () => {
      const { store, at } = await opened();
      const { items } = store.moderation;
      await items.update(guild, "a1:i1", () => itemOf("i1"));
      await items.update(guild, "a1:i2", () => itemOf("i2", { readAt: writtenAt + day }));

      at(365.5);
      await store.forgetOld();

      expect((await items.list(guild)).map(({ id }) => id)).toEqual(["i2"]);
    });

    it("keeps what was held for as long as the service tells of it", async () => {
      const { store, at } = await opened();
      const { items } = store.moderation;
      const held = { status: "held", endedAt: writtenAt } as const;
      await items.update(guild, "a1:i1", () => itemOf("i1", held));

      at(60);
      await store.forgetOld();
      const kept = await items.list(guild);
      at(61.1);
      await store.forgetOld();

      expect(kept).toHaveLength(1);
      expect(await items.list(guild)).toEqual([]);
    });

    it("drops authors of whom nothing was heard for a year", async () => {
      const { store, at } = await opened();
      const { authors } = store.moderation;
      const author = { seen: 1, approved: 0, rejected: 0, lastAt: writtenAt };
      await authors.update(guild, "e1", () => author);
      await authors.update(guild, "e2", () => ({ ...author, lastAt: writtenAt + day }));

      at(365.5);
      expect(await store.forgetOld()).toMatchObject({ authors: 1 });

      expect(await authors.read(guild, "e1")).toEqual({ state: "absent" });
    });

    it("passes over what is damaged", async () => {
      const { store, place, at } = await opened();
      const { audit, items } = store.moderation;
      await audit.update(guild, "2-b", () => entryOf("2-b"));
      await items.update(guild, "a1:i1", () => itemOf("i1"));
      for (const [id, text] of [
        ["1-a", '{"valu'],
        ["3-c", "{}"],
        ["4-d", "null"],
      ] as const) {
        await place.put(`audit:${guild}:${id}`, text);
      }

      at(29.5);
      expect(await store.forgetOld()).toMatchObject({ audit: 1, items: 1 });

      expect(await place.get(`audit:${guild}:1-a`)).toBe('{"valu');
    });

    it("throws when the store is closed", async () => {
      const { store } = await opened();
      await store.close();

      await expect(store.forgetOld()).rejects.toMatchObject({ code: "store_unavailable" });
    });
  });
}
