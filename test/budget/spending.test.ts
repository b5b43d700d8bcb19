import { describe, expect, it } from "vitest";
import {
  type BilledTo,
  type CallCharge,
  createQuotaExceededError,
  projectOfClient,
  projectOfKey,
} from "../../src/budget/index.ts";
import type { LimitError } from "../../src/errors.ts";
import { videoErrorFor } from "../../src/video/failures/failure.ts";
import { methods } from "../../src/video/methods/index.ts";
import { seed, seeded } from "../support/random.ts";
import {
  bookAtOnce,
  describeEach,
  diskGone,
  guildId,
  hanging,
  midnight,
  otherGuildId,
  refusalOf,
} from "./rig.ts";

const project = projectOfKey("AIza-test");
const spender: BilledTo = { guildId, userId: "333333333333333333", command: "playlists list" };
const moderation: BilledTo = { ...spender, command: "comments moderate", purpose: "moderation" };

const list = { method: "videos.list", bucket: "units", cost: 1 } as const satisfies CallCharge;
const insert = {
  method: "playlists.insert",
  bucket: "units",
  cost: 50,
} as const satisfies CallCharge;
const search = { method: "search.list", bucket: "searches", cost: 1 } as const satisfies CallCharge;
const done = { attempts: 1, exhausted: false };
const empty = { attempts: 1, exhausted: true };

it("distinguishes keys and clients, and recognises the same key", () => {
  expect(projectOfKey("a")).toBe(projectOfKey("a"));
  expect(projectOfKey("a")).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set([projectOfKey("a"), projectOfKey("b"), projectOfClient("a")]).size).toBe(3);
});

it("refuses an empty bucket with the code of the service's own refusal", () => {
  const now = midnight.getTime() - 1;
  const ours = createQuotaExceededError("ours", { bucket: "searches", retryAt: midnight });

  const theirs = videoErrorFor(
    {
      status: 403,
      headers: {},
      body: Buffer.from('{"error":{"errors":[{"reason":"quotaExceeded"}]}}'),
    },
    { method: "search.list", methodSpec: methods["search.list"], signedBy: "key", now },
  ) as LimitError;

  const shown = ({ code, facts: { bucket }, outcome, retryAt }: LimitError) => ({
    code,
    bucket,
    outcome,
    retryAt,
  });
  expect(shown(ours)).toEqual(shown(theirs));
});

describeEach((openRig) => {
  /** An account of another engine, on an unused project. */
  async function openAccount(by = spender) {
    const rig = await openRig();
    const spending = await rig.open();
    return { ...rig, rig, spending, account: spending.account(project, by) };
  }

  describe("an account", () => {
    it("counts what is booked and says what is left", async () => {
      const { spending } = await openRig();
      await spending.account(project, spender).book(insert);
      await spending.account(project, spender).book(search);

      const full = { reserved: 0, resetsAt: midnight, blocked: false };
      expect(await spending.account(project, spender).left()).toEqual({
        units: { ...full, used: 50, limit: 10_000, left: 9950, reserved: 2000 },
        searches: { ...full, used: 1, limit: 100, left: 99 },
        uploads: { ...full, used: 0, limit: 100, left: 100 },
      });
      const other = await spending.account(projectOfKey("other"), spender).left();
      expect(other.units.used).toBe(0);
    });

    it.each([
      ["gives all back that never left", 0, 0],
      ["keeps what left once", 1, 50],
      ["counts every repeat that left", 3, 150],
    ])("%s", async (_, attempts, used) => {
      const { account } = await openAccount();
      const booking = await account.book(insert);

      await booking.settle({ attempts, exhausted: false });
      await booking.settle({ attempts: 0, exhausted: false });

      expect((await account.left()).units.used).toBe(used);
    });

    it("counts a search once, however often it was repeated, and not at all when it never left", async () => {
      const { account } = await openAccount();
      const [repeated, unsent] = [await account.book(search), await account.book(search)];

      await repeated.settle({ attempts: 9, exhausted: false });
      await unsent.settle({ attempts: 0, exhausted: false });

      expect((await account.left()).searches.used).toBe(1);
    });

    it("reports what a call cost once it has reached the service, as it is counted", async () => {
      const { open } = await openRig();
      const reported: unknown[] = [];
      const account = (await open()).account(project, spender, (spent) => reported.push(spent));
      const results = [{ attempts: 3 }, { attempts: 0 }, empty];

      for (const result of results) await (await account.book(insert)).settle(result);
      await (await account.book(search)).settle({ attempts: 3 });

      expect(reported).toEqual([{ ...insert, cost: 150 }, search]);
    });

    it("keeps what was never settled, for the next process", async () => {
      const { open } = await openRig();
      await (await open()).account(project, spender).book(insert);

      const next = (await open()).account(project, spender);

      expect((await next.left()).units.used).toBe(50);
    });

    it(`never overshoots, whatever two processes book at once (seed ${seed})`, async () => {
      const { open } = await openRig();
      const random = seeded(seed);
      const options = { quota: { units: 1000 }, reserve: 0.2 };
      const accounts = [await open(options), await open(options)].map((one) =>
        one.account(project, spender),
      );
      const charges = Array.from({ length: 300 }, () => ({
        ...list,
        cost: 1 + Math.floor(random() * 60),
      }));

      const booked = await bookAtOnce(accounts, charges);

      expect(booked).toBeLessThanOrEqual(800);
      expect(booked).toBeGreaterThan(740);
      expect((await accounts[0]?.left())?.units.used).toBe(booked);
    });

    it("leaves room for other work, however much is booked at once", async () => {
      const account = (await openRig()).spending.account(project, spender);
      let turns = 0;
      let isOver = false;
      const others = (async () => {
        for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      })();

      await Promise.all(Array.from({ length: 300 }, () => account.book(list)));
      isOver = true;
      await others;

      expect(turns).toBeGreaterThan(1);
    });

    it("keeps its share for moderation", async () => {
      const { spending } = await openRig({ quota: { units: 100 } });
      await spending.account(project, spender).book({ ...list, cost: 80 });

      const refusal = await refusalOf(spending.account(project, spender).book(list));
      await spending.account(project, moderation).book({ ...list, cost: 20 });
      const last = await refusalOf(spending.account(project, moderation).book(list));

      expect(refusal).toMatchObject({
        code: "units_reserved",
        facts: { bucket: "units" },
        retryAt: midnight,
      });
      expect(last).toMatchObject({ code: "quota_exceeded", retryAt: midnight });
    });

    it("books nothing when it refuses", async () => {
      const { spending } = await openRig({ quota: { units: 100 }, reserve: 0 });
      const account = spending.account(project, spender);
      await account.book({ ...list, cost: 90 });

      await refusalOf(account.book({ ...list, cost: 11 }));

      expect((await account.left()).units).toMatchObject({ used: 90, left: 10 });
      await account.book({ ...list, cost: 10 });
    });

    it("keeps nothing of searches for anybody", async () => {
      const { spending } = await openRig({ quota: { searches: 2 } });
      const account = spending.account(project, spender);
      await account.book(search);
      await account.book(search);

      const refusal = await refusalOf(account.book(search));

      expect(refusal).toMatchObject({ code: "quota_exceeded", facts: { bucket: "searches" } });
      await account.book(list);
    });

    it("counts two guilds with one key together", async () => {
      const { spending } = await openRig({ quota: { searches: 1 } });
      await spending.account(project, spender).book(search);

      const other = { ...spender, guildId: otherGuildId };
      await refusalOf(spending.account(project, other).book(search));
    });
  });

  describe("an empty bucket", () => {
    it("stays closed until midnight in Los Angeles, and others stay open", async () => {
      const { account, clock } = await openAccount(moderation);
      await (await account.book(list)).settle(empty);

      expect(await refusalOf(account.book(list))).toMatchObject({
        code: "quota_exceeded",
        retryAt: midnight,
      });
      await account.book(search);
      expect((await account.left()).units).toMatchObject({ left: 0, blocked: true, used: 1 });
      clock.time = midnight.getTime() - 1;
      await refusalOf(account.book(list));
      clock.time = midnight.getTime();
      await account.book(list);
    });

    it("is known to other processes when the call that met it ends", async () => {
      const { open } = await openRig();
      const booking = await (await open()).account(project, spender).book(list);
      await booking.settle(empty);

      const second = (await open()).account(project, moderation);

      expect((await refusalOf(second.book(list))).code).toBe("quota_exceeded");
    });

    it("belongs to the day of the call, when midnight comes between", async () => {
      const { account, clock } = await openAccount();
      const booking = await account.book(list);

      clock.time = midnight.getTime() + 1000;
      await booking.settle(empty);

      await account.book(list);
    });

    it("is closed for minutes only when it is reported right after midnight: clocks differ", async () => {
      const { account, clock } = await openAccount();
      clock.time = midnight.getTime() + 30_000;
      await (await account.book(list)).settle(empty);

      const retryAt = new Date(midnight.getTime() + 300_000);
      expect(await refusalOf(account.book(list))).toMatchObject({ retryAt });
      clock.time = retryAt.getTime();
      await account.book(list);
    });
  });

  describe("a new day", () => {
    it("starts with full buckets while the process runs", async () => {
      const { account, clock } = await openAccount();
      await account.book(insert);

      clock.time = midnight.getTime();

      expect((await account.left()).units).toMatchObject({
        used: 0,
        resetsAt: new Date("2026-01-17T08:00:00Z"),
      });
    });

    it("gives back to the day that paid", async () => {
      const { account, clock } = await openAccount();
      const booking = await account.book(insert);
      clock.time = midnight.getTime() + 1;

      await booking.settle({ attempts: 0, exhausted: false });

      expect((await account.left()).units.used).toBe(0);
      await account.book(list);
      expect((await account.left()).units.used).toBe(1);
      clock.time = midnight.getTime() - 1;
      expect((await account.left()).units.used).toBe(0);
    });
  });

  describe("a database that fails", () => {
    it("holds up no call; what was counted is saved when it is back", async () => {
      const rig = await openRig();
      const account = (await rig.open({ quota: { units: 1000 }, reserve: 0 })).account(
        project,
        spender,
      );
      rig.trouble = diskGone;
      for (let n = 0; n < 10; n++) await (await account.book(insert)).settle(done);

      expect(rig.failures.length).toBeGreaterThan(0);
      expect((await account.left()).units.used).toBe(500);
      await refusalOf(account.book({ ...list, cost: 501 }));

      rig.trouble = undefined;
      await rig.clock.pass(10_000);
      await expect
        .poll(async () =>
          (await rig.place.query("select used from quota")).map((row) => Number(row.used)),
        )
        .toEqual([500]);
      expect((await account.left()).units.used).toBe(500);
    });

    it("corrects what it could not count when it is back", async () => {
      const { rig, spending, account } = await openAccount();
      rig.trouble = diskGone;
      const [kept, back] = [await account.book(insert), await account.book(insert)];
      await back.settle({ attempts: 0 });
      rig.trouble = undefined;
      await rig.clock.pass(10_000);
      await kept.settle({ attempts: 2 });

      const other = (await rig.open()).account(project, spender);

      // Units in memory are saved in the background, and opening a connection takes a moment.
      await expect.poll(async () => (await other.left()).units.used).toBe(100);
      expect(await spending.unitsSpent(guildId, 1)).toMatchObject([{ spent: 100 }]);
    });

    it("holds up no call for longer than a second when it hangs, and counts it once", async () => {
      const { rig, account } = await openAccount();
      let end = (): void => undefined;
      rig.trouble = () => new Promise<void>((resolve) => (end = resolve));

      const booking = account.book(search);
      await rig.clock.pass(1_000);
      await (await booking).settle(done);
      rig.trouble = undefined;
      end();

      await expect.poll(async () => (await account.left()).searches.used).toBe(1);
    });

    it("says what is left within a second when it hangs", async () => {
      const { rig, account } = await openAccount();
      rig.trouble = hanging;

      const left = account.left();
      await rig.clock.pass(1_000);

      expect((await left).units.left).toBe(10_000);
    });

    it("is asked at most every ten seconds", async () => {
      const { rig, account } = await openAccount();
      rig.trouble = diskGone;

      for (let n = 0; n < 20; n++) await account.left();
      expect(rig.questions).toBe(1);
      rig.clock.time += 10_000;
      await account.left();
      expect(rig.questions).toBe(2);
    });

    it("says so rather than that nobody spent anything", async () => {
      const rig = await openRig();
      const spending = await rig.open();
      rig.trouble = diskGone;

      await expect(spending.unitsSpent(guildId, 30)).rejects.toThrow("disk gone");
      await expect(spending.creditsSpent(guildId, 30)).rejects.toThrow("disk gone");
    });

    it("includes what could not be saved yet", async () => {
      const { rig, spending, account } = await openAccount();
      await account.book(insert);
      rig.writeTrouble = diskGone;
      await account.book(list);

      const history = await spending.unitsSpent(guildId, 1);

      expect(history.map(({ method, spent }) => [method, spent])).toEqual([
        ["playlists.insert", 50],
        ["videos.list", 1],
      ]);
    });
  });

  describe("who spent it", () => {
    it("is listed by day, bucket, person, command and method, for one guild alone", async () => {
      const { spending, clock } = await openRig();
      const book = (charge: CallCharge, more: Partial<BilledTo> = {}) =>
        spending.account(project, { ...spender, ...more }).book(charge);
      await book(list);
      await book(list);
      await book(search, { command: "search" });
      await book(insert, { guildId: otherGuildId });
      await (await book(insert)).settle({ attempts: 0 });
      clock.time += 24 * 3_600_000;
      await book(insert);

      const { userId, command } = spender;
      const line = { project, userId, command };
      const yesterday = { ...line, day: "2026-01-15" };
      const today = { ...line, day: "2026-01-16", bucket: "units" };
      const spent = [{ ...today, method: "playlists.insert", spent: 50 }];
      expect(await spending.unitsSpent(guildId, 1)).toEqual(spent);
      expect(await spending.unitsSpent(guildId, 2)).toEqual([
        ...spent,
        { ...yesterday, bucket: "searches", command: "search", method: "search.list", spent: 1 },
        { ...yesterday, bucket: "units", method: "videos.list", spent: 2 },
      ]);
      expect(await spending.unitsSpent("444444444444444444", 30)).toEqual([]);
    });

    it("is listed for every project, whichever keys there are now", async () => {
      const { spending } = await openRig();
      const former = projectOfKey("AIza-earlier");
      await spending.account(project, spender).book(list);
      await spending.account(former, { ...spender, userId: "4" }).book(search);

      const history = await spending.unitsSpent(guildId, 1);

      expect(history.map((line) => [line.project, line.userId, line.spent])).toEqual([
        [former, "4", 1],
        [project, spender.userId, 1],
      ]);
    });

    it.each([
      ["spring", "2026-03-20T19:00:00Z"],
      ["autumn", "2026-11-15T20:00:00Z"],
    ])("holds thirty days across the change of clocks in %s, each once", async (_, end) => {
      const { spending, clock } = await openRig();
      const last = Date.parse(end);
      for (let ago = 34; ago >= 0; ago -= 1) {
        clock.time = last - ago * 24 * 3_600_000;
        await spending.account(project, spender).book({ ...list, cost: 100 + ago });
      }

      const days = await spending.unitsSpent(guildId, 30);

      expect(days.map(({ spent }) => spent)).toEqual(Array.from({ length: 30 }, (_, n) => 100 + n));
      expect(new Set(days.map(({ day }) => day)).size).toBe(30);
    });

    it("goes with the guild, also what is still under way; the project keeps the sum", async () => {
      const { spending, erase, place } = await openRig();
      const account = spending.account(project, spender);
      await account.book(list);
      const underWay = await account.book(insert);

      await erase(guildId);
      await underWay.settle({ attempts: 3, exhausted: false });

      expect(await place.query("select * from spending")).toEqual([]);
      expect((await account.left()).units.used).toBe(151);
    });

    it("is counted again when the guild comes back", async () => {
      const { spending, erase } = await openRig();
      await spending.account(project, spender).book(list);
      await erase(guildId);

      await spending.account(project, spender).book(insert);

      expect(await spending.unitsSpent(guildId, 1)).toMatchObject([{ spent: 50 }]);
    });

    it("refuses a call of a work whose guild was erased meanwhile", async () => {
      const { spending, open, erase, place, database } = await openRig();
      await spending.account(project, spender).book(list);

      // The running transaction belongs to the engine's own database.
      const own = await open({ database });
      const late = database.servers.runFor(guildId, async () => {
        await erase(guildId);
        return own.account(project, spender).book(insert);
      });

      await expect(late).rejects.toMatchObject({ code: "guild_erased" });
      expect(await place.query("select * from spending")).toEqual([]);
    });
  });
});
