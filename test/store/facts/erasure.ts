import { describe, expect, it } from "vitest";
import { encodings } from "../../../src/log/encodings.ts";
import type { Store } from "../../../src/store/types.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, linkedChannel, openFor, otherGuild, videoKey } from "../setup.ts";
import { exportedSamples, noSamples, putSamples, samples } from "./queue-records.ts";

const project = "0".repeat(32);
const day = "2026-01-31";
const person = "333333333333333333";
const hour = 3_600_000;

const secretsOf = (guildId: string) => ({
  video: `AIza-kanarie "video"/+=&<${guildId}>`,
  images: `images kanarie "é"/+=&<${guildId}>`,
  grant: `1//kanarie-grant\\/+=&<${guildId}>`,
  access: `ya29.kanarie-access\\/+=&<${guildId}>`,
  ticket: `ticket kanarie\\/+=&<${guildId}>`,
});

export const channelOf = (guildId: string) => `UC-of-${guildId}`;

/** Something of every kind that there is about a guild. */
export async function fill(store: Store, guildId: string): Promise<void> {
  const secrets = secretsOf(guildId);
  const channel = { ...linkedChannel(secrets.grant), channelId: channelOf(guildId) };
  const endsAt = Date.now() + hour;
  await store.credentials.write(guildId, videoKey(secrets.video));
  await store.credentials.write(guildId, { ...videoKey(secrets.images), kind: "background-key" });
  await store.credentials.write(guildId, channel);
  await store.accessTokens.write(guildId, channel.channelId, {
    ...{ token: secrets.access, grantHash: "0", renewAt: endsAt, endsAt },
  });
  await store.tickets.put({ guildId, userId: person, content: secrets.ticket }, hour);
  await store.continuations.put({ guildId, userId: person, state: `state of ${guildId}` }, hour);
  await store.settings.update(guildId, { region: "DE", noticeChannelId: `9${guildId.slice(1)}` });
  await store.units.add({ project, day, guildId }, { [`units ${person} videos.list search`]: 3 });
  await store.credits.add({ guildId, day }, { [`credits ${person} background remove`]: 2 });
  await store.leases.take(`refresh:${guildId}:${channel.channelId}`, hour);
  await store.continuations.putAs(`h${guildId}`.padEnd(22, "-"), {
    ...{ guildId, userId: person, state: "card" },
  });
  await putSamples(store, guildId);
}

export function erasureFacts(kind: Kind) {
  describe("erasing a guild", () => {
    it("leaves none of its bytes, and everything of another's", async () => {
      const place = await kind.fresh();
      const store = await openFor({ url: place.url });
      for (const id of [guild, otherGuild]) await fill(store, id);
      const before = await store.guilds.export(otherGuild);

      await store.guilds.erase(guild);

      const raw = JSON.stringify([...(await place.all())]);
      expect(raw).not.toContain(guild);
      expect(raw).not.toContain(`9${guild.slice(1)}`);
      expect(raw).toContain(otherGuild);
      expect(await store.guilds.all()).toEqual([otherGuild]);
      expect(await store.guilds.export(otherGuild)).toEqual(before);
    });

    it("hands its consents over to be revoked, before anything is removed", async () => {
      const store = await openFor({ url: (await kind.fresh()).url });
      await fill(store, guild);
      await store.credentials.write(guild, { ...linkedChannel("1//second"), channelId: "UC2" });

      await store.guilds.erase(guild);

      const handed = (await store.revocations.all()).map((one) => [one.token, one.channelId]);
      expect(handed.sort()).toEqual([
        [secretsOf(guild).grant, channelOf(guild)],
        ["1//second", "UC2"],
      ]);
    });

    it("finds a guild of which there is only one kind of record", async () => {
      const { guilds, units, credits, tickets, moderation, feeds } = await openFor({
        url: (await kind.fresh()).url,
      });
      const id = (n: number) => `${n}`.repeat(18);
      await units.add({ project, day, guildId: id(4) }, { one: 1 });
      await credits.add({ guildId: id(5), day }, { one: 1 });
      await tickets.put({ guildId: id(6), userId: person, content: 1 }, hour);
      await moderation.replies.update(id(7), "b1", () => samples.moderation.replies.b1);
      await feeds.progress.update(id(8), "c1", () => samples.feeds.progress.c1);

      expect([...(await guilds.all())].sort()).toEqual([4, 5, 6, 7, 8].map(id));
      for (const each of [4, 5, 6, 7, 8]) await guilds.erase(id(each));
      expect(await guilds.all()).toEqual([]);
    });
  });

  describe("a guild's export", () => {
    it("tells all that is stored about it, and of secrets the last four characters", async () => {
      const store = await openFor({ url: (await kind.fresh()).url });
      await fill(store, guild);
      await fill(store, otherGuild);

      const exported = await store.guilds.export(guild);

      const { addedBy, addedAt } = videoKey();
      const key = { addedBy, addedAt, secret: "…111>" };
      const { secret: _, ...channel } = linkedChannel();
      const goneAt = expect.any(Number);
      expect(exported).toEqual({
        credentials: [
          { kind: "video-key", ...key },
          { kind: "background-key", ...key },
          { ...channel, channelId: channelOf(guild), secret: "…111>" },
        ],
        settings: { region: "DE", noticeChannelId: `9${guild.slice(1)}` },
        units: [{ day, project, counts: { [`units ${person} videos.list search`]: 3 } }],
        credits: [{ day, counts: { [`credits ${person} background remove`]: 2 } }],
        accessTokens: { count: 1, goneAt },
        buttons: { count: 2, goneAt },
        linksUnderWay: { count: 1, goneAt },
        ...exportedSamples(),
      });
      expect(exported.buttons.goneAt).toBeGreaterThan(Date.now() + hour - 60_000);
      expect(JSON.stringify(exported)).not.toContain(otherGuild);
    });

    it("holds no secret in any encoding", async () => {
      const store = await openFor({ url: (await kind.fresh()).url });
      await fill(store, guild);
      await store.credentials.write(guild, videoKey("short-kanarie"));

      const text = JSON.stringify(await store.guilds.export(guild));

      const canaries = [...Object.values(secretsOf(guild)), "short-kanarie"];
      const found = canaries
        .flatMap((one) => [...encodings(one)])
        .filter((one) => text.includes(one));
      expect(found).toEqual([]);
      expect(text).toContain('"secret":"…"');
    });

    it("is empty for a guild of which nothing is stored", async () => {
      const { guilds } = await openFor({ url: (await kind.fresh()).url });

      expect(await guilds.export(guild)).toEqual({
        ...{ credentials: [], settings: undefined, units: [], credits: [] },
        ...{ accessTokens: { count: 0 }, buttons: { count: 0 }, linksUnderWay: { count: 0 } },
        ...noSamples(),
      });
    });
  });
}
