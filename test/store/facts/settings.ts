import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { openStore, readValue, type SettingsChange } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import {
  failed,
  found,
  guild,
  masterKey,
  openFor,
  openTwo,
  otherGuild,
  snowflakes,
} from "../setup.ts";

const keys = [masterKey("k1")];
const roles = { moderator: ["444444444444444444"], owner: ["555555555555555555"] };

export function settingsFacts(kind: Kind) {
  describe("settings", () => {
    it("are absent, then what was chosen, after a restart too", async () => {
      const { url } = await kind.fresh();
      const first = await openStore({ url, keys });
      const before = await first.settings.read(guild);
      await first.settings.update(guild, () => ({
        region: "DE",
        timeZone: "Europe/Berlin",
        roles,
      }));
      await first.close();

      const { settings } = await openFor({ url, keys });

      expect(before).toEqual({ state: "absent" });
      expect(await settings.read(guild)).toEqual(
        found({ region: "DE", timeZone: "Europe/Berlin", roles }),
      );
      expect(await settings.read(otherGuild)).toEqual({ state: "absent" });
    });

    it("are changed from what is stored, and answer what is then set", async () => {
      const { settings } = await openFor(await kind.fresh());
      await settings.update(guild, () => ({ region: "DE", timeZone: "Europe/Berlin", roles }));

      const changed = await settings.update(guild, ({ timeZone: _, ...stored }) => ({
        ...stored,
        region: "JP",
        roles: { ...stored.roles, owner: [], manager: ["666666666666666666"] },
      }));

      expect(changed).toEqual({
        region: "JP",
        roles: { moderator: roles.moderator, manager: ["666666666666666666"] },
      });
      expect(await settings.read(guild)).toEqual(found(changed));
    });

    it.each<[string, SettingsChange]>([
      ["every role is taken away", () => ({ roles: { moderator: [], owner: [] } })],
      ["all roles are removed", () => ({ roles: undefined })],
      ["budgets limit nothing", () => ({ budgets: { ranks: { member: {} }, people: {} } })],
    ])("are absent again when %s", async (_, change) => {
      const place = await kind.fresh();
      const { settings } = await openFor({ url: place.url });
      await settings.update(guild, () => ({ roles }));

      expect(await settings.update(guild, change)).toEqual({});

      expect(await settings.read(guild)).toEqual({ state: "absent" });
      expect(await place.get(`settings:${guild}`)).toBeUndefined();
    });

    it("stay as they are when a change throws", async () => {
      const { settings } = await openFor(await kind.fresh());
      const refusal = new InputError("too many", { code: "too_many_roles", facts: { most: 1 } });
      await settings.update(guild, () => ({ roles }));

      const refused = settings.update(guild, () => {
        throw refusal;
      });

      await expect(refused).rejects.toBe(refusal);
      expect(await settings.read(guild)).toEqual(found({ roles }));
    });

    it.each([
      [100, "", 1],
      [40, " over two connections", 2],
    ])("keep every one of %i changes at once%s", async (count, _, connections) => {
      const stores = await openTwo(kind);
      const ids = snowflakes(count, 3);

      await Promise.all(
        ids.map((id, n) => stores[n % connections]?.settings.update(guild, withOwner(id))),
      );

      const { roles: kept } = readValue(await stores[0].settings.read(guild)) ?? {};
      expect(kept?.owner?.toSorted()).toEqual(ids);
    });

    it.each([
      ["a region in small letters", { region: "de" }],
      ["a region that is a list", { region: ["DE"] }],
      ["a time zone of many words", { timeZone: "half past nine" }],
      ["roles of an unknown rank", { roles: { king: ["444444444444444444"] } }],
      ["a role that is no id", { roles: { owner: ["@everyone"] } }],
    ])("take no %s", async (_, change) => {
      const { settings } = await openFor(await kind.fresh());

      await expect(settings.update(guild, () => change as never)).rejects.toMatchObject({
        code: "store_unavailable",
        outcome: "nothing",
      });

      expect(await settings.read(guild)).toEqual({ state: "absent" });
    });

    it.each(["", "keyv:1", "../x", `${guild}:x`])("take no guild id like %j", async (bad) => {
      const { settings } = await openFor(await kind.fresh());

      const failed = { state: "failed", error: { code: "guild_id" } };
      expect(await settings.read(bad)).toMatchObject(failed);
      await expect(settings.update(bad, () => ({ region: "DE" }))).rejects.toMatchObject({
        code: "guild_id",
      });
    });

    it.each([
      ["null", "null"],
      ["another shape", '{"value":{"region":7}}'],
      ["a list", '{"value":[]}'],
    ])(
      "fail, never look absent and are not written over when the row was made %s",
      async (_, text) => {
        const place = await kind.fresh();
        const { settings } = await openFor({ url: place.url, keys });
        await settings.update(guild, () => ({ region: "DE" }));
        await place.put(`settings:${guild}`, text);

        expect(await settings.read(guild)).toMatchObject(failed("store_unavailable"));
        await expect(settings.update(guild, () => ({ region: "JP" }))).rejects.toMatchObject({
          code: "store_unavailable",
          outcome: "nothing",
        });
      },
    );

    it("fail once the store is closed", async () => {
      const { settings, close } = await openStore({ ...(await kind.fresh()), keys });
      await close();

      expect(await settings.read(guild)).toMatchObject({ state: "failed" });
      await expect(settings.update(guild, () => ({ region: "DE" }))).rejects.toMatchObject({
        code: "store_unavailable",
      });
    });
  });
}

/** Gives the rank of owner to one more role. */
function withOwner(id: string): SettingsChange {
  return ({ roles: stored, ...others }) => ({
    ...others,
    roles: { ...stored, owner: [...(stored?.owner ?? []), id] },
  });
}
