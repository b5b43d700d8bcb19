import { describe, expect, it } from "vitest";
import { isServerErased } from "../../../src/errors.ts";
import type { Store } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, linkedChannel, openFor, videoKey } from "../setup.ts";

const hour = 3_600_000;
const userId = "333333333333333333";
const continuation = { guildId: guild, userId, state: "state" };

/** One write of each kind of record that belongs to a server. */
const writes: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  key: ({ credentials }) => credentials.write(guild, videoKey()),
  channel: ({ credentials }) => credentials.write(guild, linkedChannel()),
  "access token": ({ accessTokens }) =>
    accessTokens.write(guild, "UC1", {
      token: "ya29",
      grantHash: "0",
      renewAt: Date.now() + hour,
      endsAt: Date.now() + hour,
    }),
  link: ({ oneTimeTokens }) => oneTimeTokens.put({ guildId: guild, userId, content: 1 }, hour),
  draft: ({ oneTimeTokens }) =>
    oneTimeTokens.changeDraft({ guildId: guild, userId }, () => 1, hour),
  press: ({ continuations }) => continuations.put(continuation, hour),
  card: ({ continuations }) => continuations.putAs("h".repeat(22), continuation),
  settings: ({ settings }) => settings.update(guild, () => ({ noticeChannelId: guild })),
};

const erase = async ({ database: { servers } }: Store) => {
  const serverId = await servers.find(guild);
  if (serverId !== undefined) await servers.remove({ table: "servers", serverId });
};

export function erasedMeanwhileFacts(kind: Kind) {
  describe("a guild that is erased while something is under way for it", () => {
    /** Two processes on one database, one of which erases. */
    async function opened() {
      const place = await kind.fresh();
      const [store, other] = [await openFor({ url: place.url }), await openFor({ url: place.url })];
      await store.settings.update(guild, () => ({ region: "DE" }));
      const rest = async () => {
        const owned = ["keyv", "continuations", "linked_channels"];
        const counts = owned.map((table) =>
          place.query(`select * from ${table} where server_id is not null`),
        );
        return (await Promise.all(counts)).flat();
      };
      return { store, other, rest };
    }

    /** Work of the first process that writes only when the test lets it go on. */
    async function begun(store: Store, write: () => Promise<unknown>) {
      const begins = Promise.withResolvers<void>();
      const goesOn = Promise.withResolvers<void>();
      const work = store.database.servers.runFor(guild, async () => {
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

      await erase(other);
      await work.goOn();

      const refused = Object.keys(writes).map((name) => [name, "guild_erased"]);
      expect(outcomes).toEqual(Object.fromEntries(refused));
      expect(await rest()).toEqual([]);
    });

    it("takes records of every kind at once when it is set up again", async () => {
      const { store, other, rest } = await opened();
      await erase(other);

      for (const write of Object.values(writes)) {
        await store.database.servers.runFor(guild, () => write(store));
      }

      expect((await rest()).length).toBeGreaterThanOrEqual(Object.keys(writes).length);
    });

    it("gets nothing late where it is set up again by then", async () => {
      const { store, other } = await opened();
      const work = await begun(store, () => store.settings.update(guild, () => ({ region: "DE" })));
      await erase(other);
      await other.settings.update(guild, () => ({ region: "FR" }));

      await expect(work.goOn()).rejects.toMatchObject({ code: "guild_erased" });

      expect(await store.settings.read(guild)).toMatchObject({ value: { region: "FR" } });
    });

    it.each([
      ["a key", (store: Store) => store.credentials.remove(guild, "video-key")],
      ["a channel", (store: Store) => store.credentials.remove(guild, "channel")],
      ["an access token", (store: Store) => store.accessTokens.remove(guild, "UC1")],
    ])(
      "loses nothing to a late removal of %s where it is set up again by then",
      async (_, remove) => {
        const { store, other } = await opened();
        const all = ["key", "channel", "access token"] as const;
        for (const name of all) await writes[name]?.(other);
        const work = await begun(store, () => remove(store));
        await erase(other);
        for (const name of all) await writes[name]?.(other);

        await work.goOn();

        expect(await other.credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
        expect(await other.credentials.channels(guild)).toMatchObject({ state: "found" });
        expect(await other.credentials.holdersOf(linkedChannel().channelId)).toHaveLength(1);
        expect(await other.accessTokens.read(guild, "UC1")).toMatchObject({ state: "found" });
      },
    );

    it("gets nothing of a hundred writes that meet it on the wire", async () => {
      const { store, other, rest } = await opened();
      const begins = Promise.withResolvers<void>();
      const writing = store.database.servers.runFor(guild, () => {
        begins.resolve();
        return Promise.allSettled(
          Array.from({ length: 100 }, async (_, n) => {
            for (let turn = 0; turn < n % 10; turn += 1) await store.settings.read(guild);
            await store.continuations.put(continuation, hour);
          }),
        );
      });
      await begins.promise;

      await erase(other);

      const failures = (await writing).flatMap((one) =>
        one.status === "rejected" ? [one.reason] : [],
      );
      expect(failures.filter((error) => !isServerErased(error))).toEqual([]);
      expect(await rest()).toEqual([]);
    });

    it("keeps what a work began when nothing was stored about it", async () => {
      const { database, settings, credentials } = await openFor({ url: (await kind.fresh()).url });

      await database.servers.runFor(guild, async () => {
        await settings.update(guild, () => ({ region: "DE" }));
        await credentials.write(guild, videoKey());
      });

      expect(await settings.read(guild)).toMatchObject({ state: "found" });
      expect(await credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
    });

    it("changes nothing for another guild", async () => {
      const { store, other } = await opened();
      const another = "222222222222222222";
      const work = await begun(store, () =>
        store.settings.update(another, () => ({ region: "FR" })),
      );

      await erase(other);
      await work.goOn();

      expect(await store.settings.read(another)).toMatchObject({ state: "found" });
    });
  });
}
