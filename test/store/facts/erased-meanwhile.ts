import { describe, expect, it } from "vitest";
import { isGuildErased } from "../../../src/errors.ts";
import type { Store } from "../../../src/store/types.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, linkedChannel, openFor, videoKey } from "../setup.ts";
import { samples } from "./queue-records.ts";

const day = "2026-01-31";
const hour = 3_600_000;
const userId = "333333333333333333";
const continuation = { guildId: guild, userId, state: "state" };
const { moderation, feeds } = samples;

/** One write of each kind of record that belongs to a guild. */
const writes: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  key: ({ credentials }) => credentials.write(guild, videoKey()),
  channel: ({ credentials }) => credentials.write(guild, linkedChannel()),
  "access token": ({ accessTokens }) =>
    accessTokens.write(guild, "UC1", {
      ...{ token: "ya29", grantHash: "0", renewAt: Date.now() + hour, endsAt: Date.now() + hour },
    }),
  link: ({ tickets }) => tickets.put({ guildId: guild, userId, content: 1 }, hour),
  draft: ({ tickets }) => tickets.changeDraft({ guildId: guild, userId }, () => 1, hour),
  press: ({ continuations }) => continuations.put(continuation, hour),
  card: ({ continuations }) => continuations.putAs("h".repeat(22), continuation),
  settings: ({ settings }) => settings.update(guild, { noticeChannelId: guild }),
  units: ({ units }) => units.add({ project: "0".repeat(32), day, guildId: guild }, { one: 1 }),
  credits: ({ credits }) => credits.add({ guildId: guild, day }, { one: 1 }),
  watch: ({ moderation: { watches } }) => watches.update(guild, "a1", () => moderation.watches.a1),
  progress: ({ moderation: { progress } }) =>
    progress.update(guild, "a1", () => moderation.progress.a1),
  comment: ({ moderation: { items } }) =>
    items.update(guild, "a1:i1", () => moderation.items["a1:i1"]),
  digest: ({ moderation: { digests } }) =>
    digests.update(guild, "a1:d1", () => moderation.digests["a1:d1"]),
  author: ({ moderation: { authors } }) => authors.update(guild, "e1", () => moderation.authors.e1),
  "audit entry": ({ moderation: { audit } }) =>
    audit.update(guild, "1-a", () => moderation.audit["1-a"]),
  rules: ({ moderation: { rules } }) => rules.update(guild, "all", () => moderation.rules.all),
  reply: ({ moderation: { replies } }) => replies.update(guild, "b1", () => moderation.replies.b1),
  feed: ({ feeds: { feeds: rows } }) => rows.update(guild, "c1", () => feeds.feeds.c1),
  "feed's progress": ({ feeds: { progress } }) =>
    progress.update(guild, "c1", () => feeds.progress.c1),
  announcement: ({ feeds: { announcements } }) =>
    announcements.update(guild, "c1:v1", () => feeds.announcements["c1:v1"]),
};

export function erasedMeanwhileFacts(kind: Kind) {
  describe("a guild that is erased while something is under way for it", () => {
    /** Two processes on one database; one of them erases. */
    async function opened() {
      const place = await kind.fresh();
      const [store, other] = [await openFor({ url: place.url }), await openFor({ url: place.url })];
      await store.settings.update(guild, { region: "DE" });
      const rest = async () =>
        [...(await place.all())].filter((row) => String(row).includes(guild));
      return { store, other, rest };
    }

    /** A work of the first process that writes when it is told to. */
    async function begun(store: Store, write: () => Promise<unknown>) {
      const begins = Promise.withResolvers<void>();
      const goesOn = Promise.withResolvers<void>();
      const work = store.guilds.runFor(guild, async () => {
        begins.resolve();
        await goesOn.promise;
        await write();
      });
      await begins.promise;
      return {
        goOn: () => {
          goesOn.resolve();
          return work;
        },
      };
    }

    it("gets no record of any kind that comes after it", async () => {
      const { store, other, rest } = await opened();
      const outcomes: Record<string, unknown> = {};
      const work = await begun(store, async () => {
        for (const [name, write] of Object.entries(writes)) {
          outcomes[name] = await write(store).catch(({ code }) => code);
        }
      });

      await other.guilds.erase(guild);
      await work.goOn();

      const refused = Object.keys(writes).map((name) => [name, "guild_erased"]);
      expect(outcomes).toEqual(Object.fromEntries(refused));
      expect(await rest()).toEqual([]);
    });

    it("takes records of every kind at once when it is set up again", async () => {
      const { store, other } = await opened();
      await other.guilds.erase(guild);

      for (const write of Object.values(writes)) {
        await store.guilds.runFor(guild, () => write(store));
      }

      expect(await other.guilds.all()).toEqual([guild]);
    });

    it("gets nothing late where it is set up again by then", async () => {
      const { store, other } = await opened();
      const work = await begun(store, () => store.settings.update(guild, { region: "DE" }));
      await other.guilds.erase(guild);
      await other.settings.update(guild, { region: "FR" });

      await expect(work.goOn()).rejects.toMatchObject({ code: "guild_erased" });

      expect(await store.settings.read(guild)).toMatchObject({ value: { region: "FR" } });
    });

    it("loses nothing to a late removal where it is set up again by then", async () => {
      const { store, other } = await opened();
      const items = () => store.moderation.items;
      const write = () => other.moderation.items.update(guild, "a1:i1", () => stored);
      const stored = moderation.items["a1:i1"];
      await write();
      const work = await begun(store, () => items().remove(guild, "a1:i1"));
      await other.guilds.erase(guild);
      await write();

      await expect(work.goOn()).rejects.toMatchObject({ code: "guild_erased" });

      expect(await items().read(guild, "a1:i1")).toMatchObject({ state: "found" });
    });

    it("gets nothing of a hundred writes that meet it on the wire", async () => {
      const { store, other, rest } = await opened();
      const begins = Promise.withResolvers<void>();
      const writing = store.guilds.runFor(guild, () => {
        begins.resolve();
        return Promise.allSettled(
          Array.from({ length: 100 }, async (_, n) => {
            for (let turn = 0; turn < n % 10; turn += 1) await store.settings.read(guild);
            await store.moderation.authors.update(guild, `e${n}`, () => moderation.authors.e1);
          }),
        );
      });
      await begins.promise;

      await other.guilds.erase(guild);

      const failures = (await writing).flatMap((one) =>
        one.status === "rejected" ? [one.reason] : [],
      );
      expect(failures.filter((error) => !isGuildErased(error))).toEqual([]);
      expect(await rest()).toEqual([]);
    });

    it("keeps what a work began when nothing was stored about it", async () => {
      const { guilds, settings, credits } = await openFor({ url: (await kind.fresh()).url });

      await guilds.runFor(guild, async () => {
        await settings.update(guild, { region: "DE" });
        await credits.add({ guildId: guild, day }, { one: 1 });
      });

      expect(await settings.read(guild)).toMatchObject({ state: "found" });
      expect(await credits.read({ guildId: guild, day })).toMatchObject({ state: "found" });
    });

    it("changes nothing for another guild", async () => {
      const { store, other } = await opened();
      const another = "222222222222222222";
      const work = await begun(store, () => store.settings.update(another, { region: "FR" }));

      await other.guilds.erase(guild);
      await work.goOn();

      expect(await store.settings.read(another)).toMatchObject({ state: "found" });
    });
  });
}
