import { describe, expect, it, onTestFinished } from "vitest";
import { openRotation, openStore } from "../../../src/store/index.ts";
import { describeReusing } from "../../support/databases/each-kind.ts";
import { guild, masterKey, openFor, otherGuild, snowflakes, videoKey } from "../setup.ts";
import { channel, filled, rawRows, writeRaw } from "./sealed-store.ts";

const old = masterKey("old");
const fresh = masterKey("new", 2);

async function rotationFor(url: string, keys = [fresh, old]) {
  const rotation = await openRotation({ url, keys });
  onTestFinished(() => rotation.close());
  return rotation;
}

describeReusing("the master keys of a store over", (kind) => {
  describe("reseal", () => {
    it("seals every kind of row anew, so that the old key is not needed any more", async () => {
      const { url, place, oneTimeTokens } = await filled(kind, [old]);
      const rotation = await rotationFor(url);
      const progress: string[] = [];

      const result = await rotation.reseal(({ done, total }) =>
        progress.push(`${done} of ${total}`),
      );

      expect(result).toEqual({ done: 14, failed: 0, left: 0 });
      expect(progress.at(0)).toBe("1 of 14");
      expect(progress.at(-1)).toBe("14 of 14");
      expect(
        [...(await rawRows(place)).values()].filter(({ value }) => value.includes("1.old.")),
      ).toEqual([]);
      await rotation.retire("old");
      const store = await openFor({ url, keys: [fresh] });
      for (const id of [guild, otherGuild]) {
        expect(await store.credentials.read(id, "channel")).toMatchObject({
          value: { secret: `grant of ${id}`, channelId: channel },
        });
        expect(await store.accessTokens.read(id, channel)).toMatchObject({
          value: { token: `token of ${id} ${channel}` },
        });
      }
      expect(await store.oneTimeTokens.take(oneTimeTokens[0] ?? "")).toMatchObject({
        value: { content: guild },
      });
      const kept = (await place.query("select id from revocations")).map(({ id }) => String(id));
      const revoked = await Promise.all(kept.map(store.revocations.read));
      expect(revoked.map((read) => read.state === "found" && read.value.token).sort()).toEqual([
        `revoked of ${guild}`,
        `revoked of ${otherGuild}`,
      ]);
    });

    it("lets rows end when they would have ended, also after a second time", async () => {
      const { url, place } = await filled(kind, [old]);
      const before = await rawRows(place);
      const there = await rotationFor(url);
      await there.reseal();
      const back = await rotationFor(url, [old, fresh]);
      await back.reseal();

      for (const [key, { value, expires }] of await rawRows(place)) {
        const then = before.get(key);
        expect(value).not.toBe(then?.value);
        expect(expires, key).toBe(then?.expires);
      }
    });

    it("does nothing the second time", async () => {
      const { url, place } = await filled(kind, [old]);
      const rotation = await rotationFor(url);
      await rotation.reseal();
      const before = await rawRows(place);

      expect(await rotation.reseal()).toEqual({ done: 0, failed: 0, left: 0 });
      expect(await rawRows(place)).toEqual(before);
    });

    it("never overwrites what was written meanwhile, and brings back nothing that was removed", async () => {
      const { url } = await filled(kind, [old]);
      const running = await openFor({ url, keys: [old] });
      const ids = snowflakes(60, 4);
      for (const id of ids) await running.credentials.write(id, videoKey("older"));
      const rotation = await rotationFor(url);
      const change = async (id: string, at: number) =>
        at % 2 === 0
          ? running.credentials.write(id, videoKey("newer"))
          : running.credentials.remove(id, "video-key");

      const [{ failed }] = await Promise.all([rotation.reseal(), ...ids.map(change)]);
      const { left } = await rotation.reseal();

      expect({ failed, left }).toEqual({ failed: 0, left: 0 });
      const store = await openFor({ url, keys: [fresh, old] });
      for (const [at, id] of ids.entries()) {
        const expected = at % 2 === 0 ? { value: { secret: "newer" } } : { state: "absent" };
        expect(await store.credentials.read(id, "video-key")).toMatchObject(expected);
      }
    });

    it("leaves a damaged row as it is and counts it", async () => {
      const { url, place } = await filled(kind, [old]);
      const key = `credential:${guild}:channel`;
      const sealed = (await rawRows(place)).get(key)?.value ?? "";
      await writeRaw(place, key, sealed.replace("1.old.", "1.old.AAAA"));
      const before = (await rawRows(place)).get(key);
      const rotation = await rotationFor(url);

      expect(await rotation.reseal()).toEqual({ done: 13, failed: 1, left: 1 });
      expect((await rawRows(place)).get(key)).toEqual(before);
      await expect(rotation.retire("old")).rejects.toMatchObject({
        code: "key_in_use",
        message: 'key "old" still encrypts 1 row',
      });
    });
  });

  describe("status", () => {
    it("lists for every key its rows by kind, its canary, and which one seals", async () => {
      const { url } = await filled(kind, [old]);
      const rotation = await rotationFor(url);

      expect(await rotation.status()).toEqual([
        {
          id: "new",
          isSealing: true,
          canary: "absent",
          rows: { credential: 0, token: 0, ticket: 0, revocation: 0, interaction: 0 },
        },
        {
          id: "old",
          isSealing: false,
          canary: "opens",
          rows: { credential: 6, token: 4, ticket: 2, revocation: 2, interaction: 0 },
        },
      ]);
    });

    it("reports a key that is not here, and another one under its id", async () => {
      const { url } = await filled(kind, [old]);
      const without = await rotationFor(url, [fresh]);
      const another = await rotationFor(url, [masterKey("old", 9)]);

      expect((await without.status()).map(({ id, canary }) => [id, canary])).toEqual([
        ["new", "absent"],
        ["old", "unknown"],
      ]);
      expect((await another.status()).map(({ id, canary }) => [id, canary])).toEqual([
        ["old", "another"],
      ]);
    });

    it("knows which keys a bot was started with, and with which it seals", async () => {
      const { url } = await filled(kind, [old]);
      const rotation = await rotationFor(url);
      expect(await rotation.sealingAtLastStart()).toBe("old");

      const store = await openStore({ url, keys: [old, fresh] });
      await store.close();

      expect((await rotation.status()).map(({ canary }) => canary)).toEqual(["opens", "opens"]);
      expect(await rotation.sealingAtLastStart()).toBe("old");
    });
  });

  describe("the check at the start", () => {
    it.each([
      ["credential", 6],
      ["token", 4],
      ["ticket", 2],
      ["revocation", 2],
    ])("refuses a missing key also when only %s rows need it", async (sealed, count) => {
      const { url, place } = await filled(kind, [old]);
      await place.query(
        `delete from keyv where key not like '${sealed}:%' and key not like 'canary:%'`,
      );
      if (sealed !== "revocation") await place.query("delete from revocations");

      await expect(openStore({ url, keys: [fresh] })).rejects.toMatchObject({
        code: "store_keys",
        message: expect.stringContaining(`key id "old" is unknown, for ${count} rows`),
      });
    });

    it("stays satisfied with a key that nothing needs, whoever starts in between", async () => {
      const { url } = await filled(kind, [old]);
      const rotation = await rotationFor(url);
      await rotation.reseal();

      await (await openStore({ url, keys: [fresh] })).close();
      // This process still has the old list of keys; the next start must notice what it seals.
      const late = await openStore({ url, keys: [old, fresh] });
      await late.credentials.write(guild, videoKey("late"));
      await late.close();

      await expect(openStore({ url, keys: [fresh] })).rejects.toMatchObject({
        message: expect.stringContaining('key id "old" is unknown, for 1 row'),
      });
    });
  });
});
