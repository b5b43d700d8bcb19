import { describe, expect, it } from "vitest";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, openFor, otherGuild } from "../setup.ts";

const channelId = "UC0123456789abcdefghijkl";

function token(lastsMs: number) {
  const endsAt = Date.now() + lastsMs;
  return {
    token: "ya29.canary-token",
    grantHash: "a".repeat(64),
    renewAt: endsAt - 1,
    endsAt,
  };
}

export function tokenFacts(kind: Kind) {
  describe("access tokens", () => {
    it("are absent, then what was written, for all who share the store, then absent", async () => {
      const { url } = await kind.fresh();
      const mine = await openFor({ url });
      const theirs = await openFor({ url });
      const written = token(60_000);
      const before = await mine.accessTokens.read(guild, channelId);

      await mine.accessTokens.write(guild, channelId, written);

      const found = { state: "found", value: written };
      expect(before).toEqual({ state: "absent" });
      expect(await theirs.accessTokens.read(guild, channelId)).toEqual(found);
      expect(await theirs.accessTokens.read(otherGuild, channelId)).toEqual({ state: "absent" });
      await theirs.accessTokens.remove(guild, channelId);
      expect(await mine.accessTokens.read(guild, channelId)).toEqual({ state: "absent" });
    });

    it("are gone when they are over", async () => {
      const { accessTokens } = await openFor(await kind.fresh());
      await accessTokens.write(guild, channelId, token(50));

      await expect.poll(() => accessTokens.read(guild, channelId)).toEqual({ state: "absent" });
    });

    it("lie sealed", async () => {
      const place = await kind.fresh();
      const { accessTokens } = await openFor({ url: place.url });

      await accessTokens.write(guild, channelId, token(60_000));

      expect(JSON.stringify([...(await place.all())])).not.toContain("canary-token");
    });
  });
}
