import { describe, expect, it } from "vitest";
import { readValue } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { found, guild, linkedChannel, openFor, openTwo, otherGuild } from "../setup.ts";

const third = "333333333333333333";
const { channelId } = linkedChannel();
const { addedAt } = linkedChannel();

export function linkedChannelFacts(kind: Kind) {
  describe("who holds a channel", () => {
    it("is known of all servers, those whose link works first", async () => {
      const { credentials } = await openFor(await kind.fresh());
      for (const id of [guild, otherGuild, third]) await credentials.write(id, linkedChannel());
      await credentials.write(guild, { ...linkedChannel("1//another"), channelId: "UC-another" });
      await credentials.changeChannel(guild, channelId, { brokenAt: addedAt });

      expect(await credentials.holdersOf(channelId)).toEqual([
        { guildId: otherGuild, isBroken: false },
        { guildId: third, isBroken: false },
        { guildId: guild, isBroken: true },
      ]);
      expect(await credentials.holdersOf("UC-another")).toEqual([
        { guildId: guild, isBroken: false },
      ]);
      expect(await credentials.holdersOf("UC-nobody")).toEqual([]);
    });

    it("changes with each link, repair and removal", async () => {
      const { credentials } = await openFor(await kind.fresh());
      await credentials.write(guild, linkedChannel());
      await credentials.write(guild, { ...linkedChannel(), channelId: "UC-another" });
      await credentials.changeChannel(guild, channelId, { brokenAt: addedAt });

      await credentials.write(guild, linkedChannel("1//again"));
      expect(await credentials.holdersOf(channelId)).toEqual([{ guildId: guild, isBroken: false }]);
      await credentials.takeChannel(guild, channelId);
      expect(await credentials.holdersOf(channelId)).toEqual([]);
      expect(await credentials.holdersOf("UC-another")).toHaveLength(1);
      await credentials.remove(guild, "channel");
      expect(await credentials.holdersOf("UC-another")).toEqual([]);
    });

    it("keeps the name that it is given while it is linked again, and its place", async () => {
      const [one, other] = await openTwo(kind);
      await one.credentials.write(guild, linkedChannel());
      await one.credentials.write(guild, { ...linkedChannel(), channelId: "UC-another" });

      await Promise.all([
        one.credentials.changeChannel(guild, channelId, { name: "Main" }),
        other.credentials.write(guild, linkedChannel("1//again")),
        one.credentials.changeChannel(guild, "UC-another", { name: "Second" }),
      ]);

      expect(readValue(await one.credentials.channels(guild))).toMatchObject([
        { channelId, name: "Main", secret: "1//again" },
        { channelId: "UC-another", name: "Second" },
      ]);
    });

    it("is taken as it is then, once", async () => {
      const [one, other] = await openTwo(kind);
      await one.credentials.write(guild, linkedChannel());
      await other.credentials.write(guild, linkedChannel("1//again"));

      const taken = await Promise.all(
        [one, other].map(({ credentials }) => credentials.takeChannel(guild, channelId)),
      );

      const [first, ...rest] = taken.filter((each) => each !== undefined);
      expect(first?.secret).toBe("1//again");
      expect(rest).toEqual([]);
    });

    it("is forgotten with a record that does not open any more", async () => {
      const place = await kind.fresh();
      const { credentials } = await openFor({ url: place.url });
      await credentials.write(guild, linkedChannel());
      await place.put(`credential:${guild}:channel`, '{"value":"1.k1.damaged"}');

      expect(await credentials.remove(guild, "channel")).toBe(true);

      expect(await credentials.holdersOf(channelId)).toEqual([]);
    });

    it("is written with the link or not at all", async () => {
      const { database, credentials } = await openFor({ url: (await kind.fresh()).url });
      const work = database.transaction(async () => {
        await credentials.write(guild, linkedChannel());
        throw new TypeError("changed its mind");
      });

      await expect(work).rejects.toThrow("changed its mind");

      expect(await credentials.holdersOf(channelId)).toEqual([]);
      expect(await credentials.channels(guild)).toEqual({ state: "absent" });
    });

    it("loses none of 20 channels that are linked at once over two connections", async () => {
      const stores = await openTwo(kind);
      const ids = Array.from({ length: 20 }, (_, n) => `UC-number-${n}`);

      await Promise.all(
        ids.map((id, n) =>
          stores[n % 2]?.credentials.write(guild, { ...linkedChannel(), channelId: id }),
        ),
      );

      for (const id of ids) expect(await stores[0]?.credentials.holdersOf(id)).toHaveLength(1);
      await expect(stores[0]?.credentials.write(guild, linkedChannel())).rejects.toMatchObject({
        code: "too_many_channels",
      });
      expect(await stores[0]?.credentials.holdersOf(channelId)).toEqual([]);
    });
  });

  describe("channels' titles", () => {
    const day = 24 * 3_600_000;
    const titled = (id: string, titleReadAt: number) => ({
      ...linkedChannel(),
      channelId: id,
      channelTitle: `Title of ${id}`,
      titleReadAt,
      name: "ours",
    });

    it("are forgotten when they were read before that, of all servers", async () => {
      const { credentials } = await openFor(await kind.fresh());
      await credentials.write(guild, titled("UC-old", addedAt));
      await credentials.write(guild, titled("UC-new", addedAt + 2 * day));
      for (let n = 0; n < 120; n += 1) {
        await credentials.write(
          String(400_000_000_000_000_000n + BigInt(n)),
          titled("UC1", addedAt),
        );
      }

      expect(await credentials.dropTitles(addedAt + day)).toBe(121);

      const { channelTitle: _, titleReadAt: __, ...untitled } = titled("UC-old", addedAt);
      expect(await credentials.channels(guild)).toEqual(
        found([untitled, titled("UC-new", addedAt + 2 * day)]),
      );
      expect(await credentials.dropTitles(addedAt + day)).toBe(0);
    });

    it("of one server that do not open keep no other's", async () => {
      const place = await kind.fresh();
      const { credentials } = await openFor({ url: place.url });
      for (const id of [guild, otherGuild]) await credentials.write(id, titled("UC1", addedAt));
      await place.put(`credential:${guild}:channel`, '{"value":"1.k1.damaged"}');

      expect(await credentials.dropTitles(addedAt + day)).toBe(1);
    });
  });
}
