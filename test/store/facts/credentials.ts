import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import {
  failed,
  found,
  guild,
  leaveVideoKey,
  linkedChannel,
  masterKey,
  openFor,
  otherGuild,
  videoKey,
} from "../setup.ts";

const keys = [masterKey("k1")];

export function credentialFacts(kind: Kind) {
  describe("credentials", () => {
    it("answers absent, then what was written, then absent after its removal", async () => {
      const { credentials } = await openFor(await kind.fresh());

      expect(await credentials.read(guild, "video-key")).toEqual({ state: "absent" });
      await credentials.write(guild, videoKey());
      expect(await credentials.read(guild, "video-key")).toEqual(found(videoKey()));
      expect(await credentials.remove(guild, "video-key")).toBe(true);
      expect(await credentials.remove(guild, "video-key")).toBe(false);
      expect(await credentials.read(guild, "video-key")).toEqual({ state: "absent" });
    });

    it("keeps guilds and kinds apart", async () => {
      const { credentials } = await openFor(await kind.fresh());
      await credentials.write(guild, videoKey());

      expect(await credentials.read(otherGuild, "video-key")).toEqual({ state: "absent" });
      expect(await credentials.read(guild, "background-key")).toEqual({ state: "absent" });
    });

    it("keeps a linked channel with its name and scopes, beside the keys", async () => {
      const { credentials } = await openFor(await kind.fresh());
      await credentials.write(guild, videoKey());
      await credentials.write(guild, linkedChannel());

      const read = await credentials.read(guild, "channel");

      expect(read).toEqual(found(linkedChannel()));
      expect(await credentials.read(guild, "video-key")).toEqual(found(videoKey()));
    });

    it("survives a restart", async () => {
      const { url } = await kind.fresh();
      await leaveVideoKey(url, keys);

      const { credentials } = await openFor({ url, keys });

      expect(await credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
    });

    it("keeps all of 50 writes at once, and then of 50 that replace them", async () => {
      const { credentials } = await openFor(await kind.fresh());
      const writes = Array.from({ length: 100 }, (_, n) => ({
        guildId: String(100_000_000_000_000_000n + BigInt(n % 50)),
        credential: videoKey(`secret-number-${n}`),
      }));

      for (const batch of [writes.slice(0, 50), writes.slice(50)]) {
        await Promise.all(batch.map((w) => credentials.write(w.guildId, w.credential)));
      }

      for (const { guildId, credential } of writes.slice(50)) {
        expect(await credentials.read(guildId, "video-key")).toEqual(found(credential));
      }
    });

    it("tells each secret that is written or opened", async () => {
      const { url } = await kind.fresh();
      const secrets: string[] = [];
      const first = await openStore({ url, keys, onSecret: (secret) => secrets.push(secret) });
      await first.credentials.write(guild, videoKey("told-when-written"));
      await first.close();
      expect(secrets).toEqual(["told-when-written"]);

      const second = await openFor({
        url,
        keys,
        onSecret: (secret) => secrets.push(`again ${secret}`),
      });
      await second.credentials.read(guild, "video-key");

      expect(secrets).toEqual(["told-when-written", "again told-when-written"]);
    });

    it.each(["", "1", "keyv:1", "12345678901234567a", "123456789012345678:video-key", "../x"])(
      "takes no guild id like %j",
      async (bad) => {
        const { credentials } = await openFor(await kind.fresh());

        expect(await credentials.read(bad, "video-key")).toMatchObject(failed("guild_id"));
        const refused = { code: "guild_id" };
        await expect(credentials.write(bad, videoKey())).rejects.toMatchObject(refused);
        await expect(credentials.remove(bad, "video-key")).rejects.toMatchObject(refused);
      },
    );

    it.each([
      [
        "another guild",
        `credential:${guild}:video-key`,
        `credential:${otherGuild}:video-key`,
        otherGuild,
        "video-key",
      ],
      [
        "another kind",
        `credential:${guild}:video-key`,
        `credential:${guild}:background-key`,
        guild,
        "background-key",
      ],
    ] as const)("does not open a row moved to %s", async (_, from, to, guildId, credentialKind) => {
      const place = await kind.fresh();
      const { url } = place;
      await leaveVideoKey(url, keys);
      await place.put(to, (await place.get(from)) ?? "");

      const { credentials } = await openFor({ url, keys });

      expect(await credentials.read(guildId, credentialKind)).toMatchObject(failed("store_record"));
    });

    it.each([
      ["cut", (text: string) => `${text.slice(0, -9)}"}`],
      ["emptied", () => ""],
      ["made null", () => "null"],
      ["made another shape", () => '{"expires":1}'],
      ["made a number", () => '{"value":1}'],
    ])("fails when a row was %s", async (_, damage) => {
      const place = await kind.fresh();
      const { url } = place;
      await leaveVideoKey(url, keys);
      const key = `credential:${guild}:video-key`;
      await place.put(key, damage((await place.get(key)) ?? ""));

      const { credentials } = await openFor({ url, keys });

      expect(await credentials.read(guild, "video-key")).toMatchObject({ state: "failed" });
    });
  });
}
