import pg from "pg";
import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/index.ts";
import { createInteractions } from "../../../src/store/interactions.ts";
import { createKeyring } from "../../../src/store/seal.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { failing } from "../failing.ts";
import { guild, masterKey, openFor, videoKey } from "../setup.ts";

const request = JSON.stringify({ token: "interaction-token-canary", name: "search" });

const answered = JSON.stringify({ answer: "answer-canary" });

function claimOf(id: string, processId = "p1") {
  return { id, guildId: guild, processId, request };
}

const mine = (id: string) => ({ id, processId: "p1" });

export function interactionFacts(kind: Kind) {
  describe("interactions", () => {
    async function stage() {
      const place = await kind.fresh();
      const options = { url: place.url, keys: [masterKey("k1")] };
      const [here, there] = [await openFor(options), await openFor(options)];
      return { place, here: here.interactions, there: there.interactions, store: here as Store };
    }

    it("lets one of all that claim an interaction go on", async () => {
      const { here, there } = await stage();
      const ids = Array.from({ length: 450 }, (_, n) => `${n}`);
      const claim = (who: typeof here, processId: string, from: readonly string[]) =>
        from.map(async (id) => ((await who.claim(claimOf(id, processId))) ? [id] : []));

      const mine = await Promise.all([
        ...claim(here, "p1", ids),
        ...claim(there, "p2", ids.toReversed()),
        ...claim(here, "p1", ids),
      ]);

      expect(mine.flat().sort()).toEqual(ids.toSorted());
    });

    it("stores what is asked sealed, and forgets it when it is closed", async () => {
      const { place, here } = await stage();
      await here.claim(claimOf("1"));
      const [row] = await place.query("select * from interactions");
      await here.answer(mine("1"), answered);
      const [withAnswer] = await place.query("select * from interactions");

      await here.close(mine("1"));

      expect(JSON.stringify([row, withAnswer])).not.toContain("canary");
      expect(await place.query("select is_open, request from interactions")).toEqual([
        { is_open: 0, request: null },
      ]);
      expect(await here.claim(claimOf("1", "p2"))).toBe(false);
      expect(await here.read("1")).toBeUndefined();
    });

    it("reads what an open interaction asked", async () => {
      const { here, there } = await stage();
      await here.claim(claimOf("1"));

      expect(await there.read("1")).toEqual({
        id: "1",
        request,
        takeovers: 0,
      });
      expect(await there.read("2")).toBeUndefined();
    });

    it("puts one answer on record in place of what was asked, for the owner alone", async () => {
      const { place, here, there } = await stage();
      await here.claim(claimOf("1"));
      const [before] = await place.query("select request from interactions");

      const theirs = await there.answer({ id: "1", processId: "p2" }, answered);
      const [after] = await place.query("select request from interactions");
      const own = [
        await here.answer(mine("1"), answered),
        await here.answer(mine("1"), answered),
        await here.answer(mine("1"), JSON.stringify({ text: "another" })),
      ];

      expect([theirs, after]).toEqual([false, before]);
      expect(own).toEqual([true, true, false]);
      expect(await there.read("1")).toMatchObject({ request: answered });
      expect(await there.readAnswer("1")).toMatchObject({ request: answered });
    });

    it("is claimed while its server is being erased, and keeps nobody else waiting", async ({
      skip,
    }) => {
      const { place, here, store } = await stage();
      skip(store.database.dialect === "sqlite", "one process writes at a time");
      await store.settings.update(guild, () => ({ region: "DE" }));
      const client = new pg.Client({ connectionString: place.url });
      await client.connect();
      await client.query("begin");
      await client.query("delete from servers");

      const claimed = await Promise.all([
        here.claim(claimOf("1")),
        here.claim({ ...claimOf("2"), guildId: undefined }),
      ]);
      await client.query("commit");
      await client.end();

      expect(claimed).toEqual([true, true]);
    });

    it("has no other owner where its row was erased with its server", async () => {
      const { here, store } = await stage();
      await store.credentials.write(guild, videoKey());
      await here.claim(claimOf("1"));

      await store.eraseServer(guild);

      expect(await here.isOwned(mine("1"))).toBe(true);
      expect(await here.answer(mine("1"), answered)).toBe(true);
    });

    it("takes an answer again whose try was lost after it was on record", async () => {
      const { here, store } = await stage();
      await here.claim(claimOf("1"));
      let rate = 1;
      const { database, failed } = failing(
        store.database,
        () => rate--,
        () => 0.9,
      );
      const losing = createInteractions(database, createKeyring([masterKey("k1")]));

      expect(await losing.answer(mine("1"), answered)).toBe(true);
      expect(failed()).toBe(1);
      expect(await here.readAnswer("1")).toMatchObject({ request: answered });
    });

    it("lets one of several answers at the same time be sent", async () => {
      const { here } = await stage();
      await here.claim(claimOf("1"));
      const texts = Array.from({ length: 5 }, (_, n) => JSON.stringify({ n }));

      const sent = await Promise.all(texts.map((text) => here.answer(mine("1"), text)));

      expect(sent.filter(Boolean)).toHaveLength(1);
      const recorded = await here.readAnswer("1");
      expect(recorded?.request).toBe(texts[sent.indexOf(true)]);
    });

    it("takes back an answer that was not sent, for the owner alone", async () => {
      const { here, there } = await stage();
      await here.claim(claimOf("1"));
      await here.answer(mine("1"), answered);

      await there.retract({ id: "1", processId: "p2" }, request);
      const kept = await here.read("1");
      await here.retract(mine("1"), request);

      expect(kept).toMatchObject({ request: answered });
      expect(await here.read("1")).toMatchObject({ request });
      expect(await here.readAnswer("1")).toBeUndefined();
      expect(await here.answer(mine("1"), answered)).toBe(true);
    });

    it("obeys nobody but the owner, and the owner only while it is open", async () => {
      const { here, there } = await stage();
      await here.claim(claimOf("1"));
      await there.takeOver("p1", "p2", 1);
      const theirs = { id: "1", processId: "p2" };

      await here.close(mine("1"));

      expect(await here.isOwned(mine("1"))).toBe(false);
      expect(await here.holdOnce(mine("1"), "delete:1")).toBe(false);
      expect(await there.isOwned(theirs)).toBe(true);
      expect(await there.holdOnce(theirs, "delete:1")).toBe(true);
      await there.close(theirs);
      expect(await there.isOwned(theirs)).toBe(false);
      expect(await there.answer(theirs, answered)).toBe(false);
      expect(await there.holdOnce(theirs, "delete:1")).toBe(false);
    });

    it("keeps an answer after the end only where it was taken over", async () => {
      const { here, there } = await stage();
      for (const id of ["1", "2"]) await here.claim(claimOf(id));
      await here.answer(mine("1"), answered);
      await here.close(mine("1"));
      await there.takeOver("p1", "p2", 1);
      await there.answer({ id: "2", processId: "p2" }, answered);
      await there.close({ id: "2", processId: "p2" });

      expect(await here.readAnswer("1")).toBeUndefined();
      expect(await here.readAnswer("2")).toMatchObject({ request: answered });
      expect(await here.read("2")).toBeUndefined();
    });

    it("knows whether a process has open ones that can still be answered", async () => {
      const { place, here } = await stage();
      await here.claim(claimOf("1"));
      await here.claim(claimOf("2", "p2"));
      await place.query("update interactions set expires_at = 1 where id = '2'");

      const open = await Promise.all(["p1", "p2", "p3"].map((id) => here.hasOpen(id)));
      await here.close(mine("1"));

      expect(open).toEqual([true, false, false]);
      expect(await here.hasOpen("p1")).toBe(false);
    });

    it("is erased with its server", async () => {
      const { place, here, store } = await stage();
      await store.credentials.write(guild, videoKey());
      await here.claim(claimOf("1"));
      await here.claim({ ...claimOf("2"), guildId: "333333333333333333" });
      await here.claim({ ...claimOf("3"), guildId: undefined });

      await store.eraseServer(guild);

      expect(await place.query("select id, server_id from interactions order by id")).toEqual([
        { id: "2", server_id: null },
        { id: "3", server_id: null },
      ]);
    });

    it("names processes that left something open and have no job", async () => {
      const { place, here, there } = await stage();
      const processes = ["gone", "held", "answered", "young"];
      for (const id of processes) await here.claim(claimOf(id, id));
      await here.close({ id: "answered", processId: "answered" });
      await place.query(
        "update interactions set expires_at = expires_at - 21000 where id <> 'young'",
      );
      await place.query(
        `insert into jobs (queue, key, data, due_at, tries) values ('processes', 'held', 'null', 0, 0)`,
      );

      expect(await there.leftBy("processes")).toEqual(["gone"]);
      expect((await there.leftBy("others")).toSorted()).toEqual(["gone", "held"]);
    });

    it("gives a name to one open interaction at a time", async () => {
      const { here, there } = await stage();
      const ids = Array.from({ length: 20 }, (_, n) => `${n}`);
      for (const id of ids) await here.claim(claimOf(id));

      const held = await Promise.all(
        ids.map((id, n) => (n % 2 === 0 ? here : there).holdOnce(mine(id), "delete:1")),
      );
      const winner = String(held.indexOf(true));
      const [loser = ""] = ids.filter((id) => id !== winner);

      expect(held.filter(Boolean)).toHaveLength(1);
      expect(await here.holdOnce(mine(winner), "delete:1")).toBe(true);
      await here.close(mine(winner));
      expect(await there.holdOnce(mine(loser), "delete:1")).toBe(true);
    });

    it("tells a process which of its interactions people want stopped", async () => {
      const { here, there } = await stage();
      for (const id of ["1", "2", "3"]) await here.claim(claimOf(id, id === "3" ? "p2" : "p1"));

      const isOpen = await Promise.all(["1", "3", "4"].map((id) => there.cancel(id)));

      expect(isOpen).toEqual([true, true, false]);
      expect(await here.cancelled("p1")).toEqual(["1"]);
      await here.close(mine("1"));
      expect(await here.cancelled("p1")).toEqual([]);
      expect(await there.cancel("1")).toBe(false);
    });

    it("gives the open interactions of a dead process to others, each to one", async () => {
      const { place, here, there } = await stage();
      for (const [n, id] of ["5", "4", "3", "2", "1", "0"].entries()) {
        await here.claim(claimOf(id, "dead"));
        await place.query(
          `update interactions set expires_at = expires_at + ${n} where id = '${id}'`,
        );
      }
      await here.claim(claimOf("7", "p1"));
      await here.close({ id: "0", processId: "dead" });

      const first = await here.takeOver("dead", "p1", 2);
      const [second, third] = await Promise.all([
        here.takeOver("dead", "p1", 2),
        there.takeOver("dead", "p2", 2),
      ]);

      expect(first).toEqual(
        ["5", "4"].map((id) => ({
          id,
          request,
          takeovers: 1,
        })),
      );
      const rest = [...second, ...third, ...(await here.takeOver("dead", "p1", 9))];
      expect(rest.map(({ id }) => id).sort()).toEqual(["1", "2", "3"]);
    });
  });
}
