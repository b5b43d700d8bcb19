import { describe, expect, it } from "vitest";
import { listEncodings } from "../../../src/log/encodings.ts";
import type { Store } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, linkedChannel, openFor, otherGuild, videoKey } from "../setup.ts";

const person = "333333333333333333";
const hour = 3_600_000;

const secretsOf = (guildId: string) => ({
  video: `AIza-kanarie "video"/+=&<${guildId}>`,
  images: `images kanarie "é"/+=&<${guildId}>`,
  grant: `1//kanarie-grant\\/+=&<${guildId}>`,
  access: `ya29.kanarie-access\\/+=&<${guildId}>`,
  ticket: `ticket kanarie\\/+=&<${guildId}>`,
});

/** Stores something of every kind that belongs to a server. */
async function fill(store: Store, guildId: string): Promise<void> {
  const secrets = secretsOf(guildId);
  const endsAt = Date.now() + hour;
  await store.credentials.write(guildId, videoKey(secrets.video));
  await store.credentials.write(guildId, { ...videoKey(secrets.images), kind: "background-key" });
  await store.credentials.write(guildId, linkedChannel(secrets.grant));
  await store.accessTokens.write(guildId, linkedChannel().channelId, {
    token: secrets.access,
    grantHash: "0",
    renewAt: endsAt,
    endsAt,
  });
  const ticket = { guildId, userId: person, content: secrets.ticket };
  await store.oneTimeTokens.put(ticket, hour);
  await store.oneTimeTokens.put({ ...ticket, of: "push" }, 2 * hour);
  await store.continuations.put({ guildId, userId: person, state: "state" }, hour);
  await store.settings.update(guildId, () => ({
    region: "DE",
    noticeChannelId: `9${guildId.slice(1)}`,
  }));
  await store.continuations.putAs(`h${guildId}`.padEnd(22, "-"), {
    guildId,
    userId: person,
    state: "card",
  });
}

export function exportFacts(kind: Kind) {
  describe("a server's export", () => {
    it("tells all that the store holds, and of secrets the last four characters", async () => {
      const store = await openFor({ url: (await kind.fresh()).url });
      await fill(store, guild);
      await fill(store, otherGuild);

      const exported = await store.exportServer(guild);

      const { addedBy, addedAt } = videoKey();
      const key = { addedBy, addedAt, secret: "…111>" };
      const { secret: _, ...channel } = linkedChannel();
      const goneAt = expect.any(Number);
      expect(exported).toEqual({
        credentials: [
          { kind: "video-key", ...key },
          { kind: "background-key", ...key },
          { ...channel, secret: "…111>" },
        ],
        settings: { region: "DE", noticeChannelId: `9${guild.slice(1)}` },
        accessTokens: { count: 1, goneAt },
        buttons: { count: 2, goneAt },
        linksUnderWay: { count: 1, goneAt },
      });
      expect(Object.keys(exported.credentials[0] ?? {}).slice(0, 2)).toEqual(["kind", "secret"]);
      expect(exported.buttons.goneAt).toBeGreaterThan(Date.now() + 60 * 24 * hour);
      expect(exported.linksUnderWay.goneAt).toBeLessThanOrEqual(Date.now() + hour);
      expect(JSON.stringify(exported)).not.toContain(otherGuild);
    });

    it("holds no secret in any encoding", async () => {
      const store = await openFor({ url: (await kind.fresh()).url });
      await fill(store, guild);
      await store.credentials.write(guild, videoKey("short-kanarie"));

      const text = JSON.stringify(await store.exportServer(guild));

      const canaries = [...Object.values(secretsOf(guild)), "short-kanarie"];
      const found = canaries
        .flatMap((one) => [...listEncodings(one)])
        .filter((one) => text.includes(one));
      expect(found).toEqual([]);
      expect(text).toContain('"secret":"…"');
    });

    it("says which credential does not open, and tells the rest", async () => {
      const place = await kind.fresh();
      const store = await openFor({ url: place.url });
      await fill(store, guild);
      await place.put(`credential:${guild}:channel`, '{"value":"1.k1.damaged"}');

      const { credentials } = await store.exportServer(guild);

      expect(credentials).toMatchObject([
        { kind: "video-key" },
        { kind: "background-key" },
        { kind: "channel", isUnreadable: true },
      ]);
    });

    it("is empty for a server of which nothing is stored", async () => {
      const store = await openFor({ url: (await kind.fresh()).url });

      expect(await store.exportServer(guild)).toEqual({
        credentials: [],
        settings: undefined,
        accessTokens: { count: 0 },
        buttons: { count: 0 },
        linksUnderWay: { count: 0 },
      });
    });
  });
}
