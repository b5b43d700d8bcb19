import { describe, expect, it } from "vitest";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, linkedChannel, openFor, otherGuild, videoKey } from "../setup.ts";

export function guildFacts(kind: Kind) {
  describe("guilds", () => {
    it("lists each guild that anything is stored about once", async () => {
      const { credentials, continuations, settings, guilds } = await openFor(await kind.fresh());
      await credentials.write(guild, videoKey());
      await credentials.write(guild, { ...videoKey(), kind: "background-key" });
      await credentials.write(otherGuild, videoKey());
      await settings.update(guild, { region: "DE" });
      await settings.update("555555555555555555", { region: "DE" });
      await continuations.put({ guildId: "444444444444444444", userId: "1", state: 0 }, 1000);

      expect([...(await guilds.all())].sort()).toEqual([
        ...[guild, otherGuild, "444444444444444444", "555555555555555555"],
      ]);
    });

    it("erases one guild's records and no other's", async () => {
      const { credentials, continuations, settings, guilds } = await openFor(await kind.fresh());
      for (const id of [guild, otherGuild]) {
        await credentials.write(id, videoKey());
        await credentials.write(id, linkedChannel());
        await settings.update(id, { timeZone: "Europe/Berlin" });
      }
      const gone = await continuations.put({ guildId: guild, userId: "1", state: 0 }, 1000);
      const kept = await continuations.put({ guildId: otherGuild, userId: "1", state: 0 }, 1000);

      await guilds.erase(guild);

      expect(await credentials.read(guild, "video-key")).toEqual({ state: "absent" });
      expect(await credentials.read(guild, "channel")).toEqual({ state: "absent" });
      expect(await settings.read(guild)).toEqual({ state: "absent" });
      expect(await settings.read(otherGuild)).toMatchObject({ state: "found" });
      expect(await continuations.read(gone)).toEqual({ state: "absent" });
      expect(await credentials.read(otherGuild, "video-key")).toMatchObject({ state: "found" });
      expect(await continuations.read(kept)).toMatchObject({ state: "found" });
    });
  });
}
