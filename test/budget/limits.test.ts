import { describe, expect, it } from "vitest";
import {
  type BilledTo,
  type Budget,
  type CallCharge,
  projectOfClient,
  projectOfKey,
  type SpendingLimits,
} from "../../src/budget/index.ts";
import { seed, seeded } from "../support/random.ts";
import {
  bookAtOnce,
  describeEach,
  diskGone,
  guildId,
  midnight,
  otherGuildId,
  refusalOf,
} from "./rig.ts";

const ofKey = projectOfKey("AIza-test");
const ofChannels = projectOfClient("client");
const ana: BilledTo = { guildId, userId: "333333333333333333", command: "playlists list" };
const ben: BilledTo = { ...ana, userId: "444444444444444444" };

const read = { method: "videos.list", bucket: "units", cost: 1 } as const satisfies CallCharge;
const write = {
  method: "playlists.insert",
  bucket: "units",
  cost: 50,
} as const satisfies CallCharge;
const search = { method: "search.list", bucket: "searches", cost: 1 } as const satisfies CallCharge;

const own = (amount: number): Budget => ({ amount, of: "person" });
const ofRank = (amount: number): Budget => ({ amount, of: "rank", rank: "member" });
const limited = (units: Budget, who = ana): BilledTo => ({
  ...who,
  limits: { budgets: { units } },
});
const within = (limits: SpendingLimits, who = ana): BilledTo => ({ ...who, limits });

describeEach((openRig) => {
  describe("a person's budget", () => {
    it("holds over all projects together, for that person alone", async () => {
      const { spending } = await openRig();
      await spending.account(ofKey, limited(own(52))).book(read);
      await spending.account(ofChannels, limited(own(52))).book(write);

      const refusal = await refusalOf(spending.account(ofChannels, limited(own(52))).book(write));

      expect(refusal).toMatchObject({
        code: "budget_person",
        retryAt: midnight,
        outcome: "nothing",
        facts: { bucket: "units", amount: 52, left: 1, cost: 50 },
      });
      await spending.account(ofKey, limited(own(52))).book(read);
      await spending.account(ofChannels, limited(own(52), ben)).book(write);
      expect((await spending.account(ofChannels, ana).left()).units.used).toBe(100);
    });

    it("limits one bucket and leaves the others alone", async () => {
      const { spending } = await openRig();
      const account = spending.account(ofKey, within({ budgets: { searches: own(0) } }));

      expect((await refusalOf(account.book(search))).code).toBe("budget_person");
      await account.book(write);
    });

    it("is new after midnight in Los Angeles", async () => {
      const { spending, clock } = await openRig();
      const account = spending.account(ofKey, limited(own(1)));
      await account.book(read);
      await refusalOf(account.book(read));

      clock.time = midnight.getTime();

      await account.book(read);
    });

    it("is given back what never left", async () => {
      const account = (await openRig()).spending.account(ofKey, limited(own(50)));
      const booking = await account.book(write);
      await booking.settle({ attempts: 0, exhausted: false });

      await account.book(write);
    });

    it(`is not overdrawn by calls of two processes at the same time (seed ${seed})`, async () => {
      const random = seeded(seed);
      const { open, failures } = await openRig();
      const accounts = [
        (await open()).account(ofKey, limited(own(500))),
        (await open()).account(ofChannels, limited(own(500))),
      ];
      const charges = Array.from({ length: 60 }, () => ({
        ...read,
        cost: 1 + Math.floor(random() * 50),
      }));

      const spent = await bookAtOnce(accounts, charges);

      expect(failures).toEqual([]);
      expect(spent).toBeLessThanOrEqual(500);
      expect(spent).toBeGreaterThan(450);
    });

    it("holds for other processes at once", async () => {
      const { open } = await openRig();
      await (await open()).account(ofKey, limited(own(51))).book(write);

      const second = (await open()).account(ofKey, limited(own(51)));

      await second.book(read);
      expect((await refusalOf(second.book(read))).code).toBe("budget_person");
    });

    it("counts what was spent before it was set", async () => {
      const { spending } = await openRig();
      await spending.account(ofKey, ana).book(write);

      const refusal = await refusalOf(spending.account(ofKey, limited(own(60))).book(write));

      expect(refusal.facts).toMatchObject({ left: 10 });
    });

    it("goes on in memory while the database fails", async () => {
      const rig = await openRig();
      const account = (await rig.open()).account(ofKey, limited(own(1)));
      rig.trouble = diskGone;
      await account.book(read);

      expect((await refusalOf(account.book(read))).code).toBe("budget_person");
    });
  });

  describe("a rank's budget", () => {
    it("is each person's, and says whose it is", async () => {
      const { spending } = await openRig();
      await spending.account(ofKey, limited(ofRank(1))).book(read);

      const refusal = await refusalOf(spending.account(ofKey, limited(ofRank(1))).book(read));

      expect(refusal).toMatchObject({ code: "budget_rank", facts: { rank: "member", left: 0 } });
      await spending.account(ofKey, limited(ofRank(1), ben)).book(read);
    });

    it("does not hold moderation up, but a person's own does", async () => {
      const { spending } = await openRig();
      const moderator: BilledTo = { ...ana, purpose: "moderation" };

      await spending.account(ofChannels, limited(ofRank(0), moderator)).book(write);

      const refusal = await refusalOf(
        spending.account(ofChannels, limited(own(0), moderator)).book(write),
      );
      expect(refusal.code).toBe("budget_person");
      const counted = await refusalOf(spending.account(ofKey, limited(ofRank(50))).book(read));
      expect(counted.facts).toMatchObject({ left: 0 });
    });
  });

  describe("a guild's share", () => {
    it("is what all of its people spend of that project", async () => {
      const { spending } = await openRig();
      const limits: SpendingLimits = { server: { units: 60 } };
      await spending.account(ofChannels, within(limits)).book(write);

      const refusal = await refusalOf(
        spending.account(ofChannels, within(limits, ben)).book(write),
      );

      expect(refusal).toMatchObject({ code: "budget_guild", facts: { amount: 60, left: 10 } });
      const other = { ...ben, guildId: otherGuildId };
      await spending.account(ofChannels, within(limits, other)).book(write);
      await spending.account(ofKey, ana).book(write);
    });
  });

  describe("a guild's own settings", () => {
    it("give its key another day, and another share for moderation", async () => {
      const { spending } = await openRig();
      const small = spending.account(ofKey, within({ quota: { units: 100 }, reserve: 0.5 }));
      await small.book(write);

      expect((await small.left()).units).toMatchObject({ limit: 100, left: 50, reserved: 50 });
      expect((await refusalOf(small.book(read))).code).toBe("units_reserved");
      const large = spending.account(ofKey, within({ quota: { units: 1_000_000 } }));
      await large.book({ ...read, cost: 20_000 });
    });
  });

  describe("what nobody asked for", () => {
    it("leaves the last tenth of everything alone", async () => {
      const { spending } = await openRig({ reserve: 0 });
      const limits = { budgets: { units: own(10) } };
      const spare = spending.account(ofKey, { ...within(limits), isSpare: true });

      await spare.book({ ...read, cost: 9 });

      expect((await refusalOf(spare.book(read))).code).toBe("budget_person");
      await spending.account(ofKey, within(limits)).book(read);
      const few = within({ quota: { searches: 10 } }, ben);
      const free = spending.account(ofKey, { ...few, isSpare: true });
      for (let n = 0; n < 9; n += 1) await free.book(search);
      await refusalOf(free.book(search));
    });
  });

  describe("an account", () => {
    it("says beforehand what all of it would take, and books nothing", async () => {
      const { spending } = await openRig();
      const account = spending.account(ofChannels, limited(own(120)));

      await account.afford([{ ...write, cost: 100 }, read]);
      const refusal = await refusalOf(
        account.afford([
          { ...write, cost: 100 },
          { ...read, cost: 21 },
        ]),
      );

      expect(refusal).toMatchObject({ code: "budget_person", facts: { cost: 121, left: 120 } });
      expect((await account.left()).units.used).toBe(0);
    });

    it("holds what the person spends elsewhere against the person, not against the project", async () => {
      const { spending } = await openRig({ quota: { units: 60 }, reserve: 0 });
      const personal = { units: 70, searches: 0, uploads: 0 };

      await spending.account(ofKey, limited(own(70))).afford([write], personal);

      const refusal = await refusalOf(
        spending.account(ofKey, limited(own(69))).afford([write], personal),
      );
      expect(refusal.code).toBe("budget_person");
    });

    it("distinguishes a day that is over from one that is too short for this", async () => {
      const { spending } = await openRig({ quota: { units: 100 }, reserve: 0 });
      const account = spending.account(ofKey, ana);

      const short = await refusalOf(account.afford([{ ...write, cost: 150 }]));
      await account.book({ ...read, cost: 100 });
      const over = await refusalOf(account.afford([read]));

      expect(short).toMatchObject({ code: "quota_short", facts: { cost: 150, left: 100 } });
      expect(over).toMatchObject({ code: "quota_exceeded" });
    });

    it("says what limits the person when that is less than the project has", async () => {
      const { spending } = await openRig();
      const limits = { budgets: { units: ofRank(60) }, server: { units: 5000 } };
      const account = spending.account(ofChannels, within(limits));
      await account.book(write);

      const left = await account.left();

      expect(left.units).toMatchObject({
        left: 9950,
        bound: { of: "rank", limit: 60, used: 50, left: 10 },
        share: { of: "guild", limit: 5000, left: 4950 },
      });
      expect(left.searches.bound).toBeUndefined();
    });
  });
});
