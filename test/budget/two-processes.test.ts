import { describe, expect, it, onTestFinished } from "vitest";
import {
  type BilledTo,
  projectOfClient,
  projectOfKey,
  type Spending,
} from "../../src/budget/index.ts";
import { CompiledQuery, openDatabase } from "../../src/database/index.ts";
import { LimitError } from "../../src/errors.ts";
import { describeEach, guildId, otherGuildId, type SpendingRig, sharing } from "./rig.ts";

const project = projectOfClient("client");
const billed = (guild: string, limits = sharing(guild)): BilledTo => ({
  guildId: guild,
  userId: "3".repeat(18),
  command: "playlists create",
  limits,
});
const write = { method: "playlists.insert", bucket: "units", cost: 50 } as const;
const most = { attempts: 3 } as const;
const decisions = { cost: 50, limit: 3_000 } as const;

/** An engine as another process has it, with its database. */
async function openProcess(rig: SpendingRig) {
  const database = await openDatabase({ url: rig.place.url, now: rig.clock.now });
  onTestFinished(() => database.close());
  return { database, spending: await rig.open({ database }) };
}

/**
 * While a transaction has carried out these statements without committing: begins each work once the one before waits.
 */
async function begunBehind(
  { database, place }: SpendingRig,
  statements: readonly string[],
  begin: readonly (() => Promise<unknown>)[],
  look?: () => Promise<void>,
): Promise<void> {
  const begun: Promise<unknown>[] = [];
  const waiting = async () => {
    const [row] = await place.query(`select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return Number(row?.n);
  };
  await database.transaction(async () => {
    for (const text of ["set local idle_in_transaction_session_timeout = 0", ...statements]) {
      await database.db.executeQuery(CompiledQuery.raw(text));
    }
    for (const one of begin) {
      begun.push(one());
      await expect.poll(waiting).toBe(begun.length);
    }
    await look?.();
  });
  await Promise.all(begun);
}

describeEach((openRig, kindName) => {
  /** SQLite has one writer and one connection anyway. */
  const itTogether = it.skipIf(kindName === "SQLite");

  describe("two processes", () => {
    it("never spend more of a project than there is, however many calls come at once", async () => {
      const rig = await openRig();
      const processes = [await rig.open(), await rig.open()];
      let booked = 0;
      const book = async (n: number) => {
        const guild = n % 4 < 2 ? guildId : otherGuildId;
        const account = processes[n % 2]?.account(project, billed(guild));
        try {
          await account?.book(write);
          booked += 50;
        } catch (error) {
          if (!(error instanceof LimitError)) throw error;
        }
      };
      // A process notices within ten seconds that another process has a new server.
      for (const n of [0, 1, 2, 3]) await book(n);
      await rig.clock.pass(11_000);
      await Promise.all(Array.from({ length: 400 }, (_, n) => book(n)));
      const [row] = await rig.place.query("select used from quota where bucket = 'units'");

      expect(rig.failures).toEqual([]);
      expect(Number(row?.used)).toBe(booked);
      // Each of the two servers has 2,500 units of its own and borrows at most 2,500; a fifth is for moderation.
      expect(booked).toBeLessThanOrEqual(8_000);
      expect(booked).toBeGreaterThanOrEqual(7_900);
    });

    it("never spend more of one server's ceiling than it is", async () => {
      const rig = await openRig();
      const processes = [await rig.open(), await rig.open()];
      const limits = { ...sharing(guildId), server: { units: 1_000 } };
      const attempts = Array.from({ length: 100 }, (_, n) =>
        processes[n % 2]?.account(project, billed(guildId, limits)).book(write),
      );
      const done = await Promise.allSettled(attempts);

      expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    });

    it("never spend more than one person may, in whichever projects", async () => {
      const rig = await openRig();
      const processes = [await rig.open(), await rig.open()];
      const limits = { budgets: { units: { amount: 1_000, of: "person" } } } as const;
      const spend = async (one: Spending, key: string) => {
        const account = one.account(projectOfKey(key), billed(guildId, limits));
        for (;;) await account.book({ ...write, cost: 20 });
      };
      const ends = await Promise.allSettled(
        ["a", "b", "c"].flatMap((key) => processes.map((one) => spend(one, key))),
      );

      expect(ends.map((end) => end.status === "rejected" && end.reason.code)).toEqual(
        new Array(6).fill("budget_person"),
      );
      const [row] = await rig.place.query("select sum(amount) as spent from spending");
      expect(Number(row?.spent)).toBe(1_000);
    });

    itTogether(
      "need one connection each, however many calls are booked and corrected at once",
      async () => {
        const rig = await openRig();
        const processes = [await openProcess(rig), await openProcess(rig)];
        const perform = (count: number) =>
          processes.map(({ database, spending }) =>
            database.servers.runFor(guildId, async () => {
              const account = spending.account(project, billed(guildId));
              const calls = Array.from({ length: count }, async () =>
                (await account.book({ ...write, cost: 1 })).settle(most),
              );
              await Promise.all(calls);
            }),
          );
        await Promise.all(perform(1));
        const count = async () => {
          const [row] = await rig.place.query(`select count(*) as open from pg_stat_activity
          where datname = current_database() and application_name = 'greenroom'`);
          return Number(row?.open);
        };
        const before = await count();
        await Promise.all(perform(200));

        expect(await count()).toBe(before);
        const [row] = await rig.place.query("select used from quota where bucket = 'units'");
        expect(Number(row?.used)).toBe(402 * 3);
      },
    );

    itTogether.for([
      ["counted", [1, 50], [{ count: 1, amount: 50 }]],
      ["given back", [-1, -50], []],
    ] as const)(
      "correct a row in which another one has just %s a call",
      async ([, added, left]) => {
        const rig = await openRig();
        const [count, amount] = added;
        const account = (await rig.open()).account(projectOfKey("a"), billed(guildId, {}));
        const mine = await account.book(write);
        if (count < 0) await account.book(write);
        const change = `update spending set count = count + ${count}, amount = amount + ${amount}`;

        await begunBehind(
          rig,
          ["update quota set used = used", change],
          [() => mine.settle({ attempts: 0 })],
        );

        expect(await rig.place.query("select count::int, amount::int from spending")).toEqual(left);
      },
    );

    itTogether("never lock each other out, where one books what the other corrects", async () => {
      const rig = await openRig();
      await rig.place.query(`do $$ begin
        execute format('alter database %I set deadlock_timeout = 60000', current_database()); end $$`);
      const limits = { budgets: { credits: { amount: 10, of: "person" } } } as const;
      const [one, other] = [await rig.open(), await rig.open()].map((spending) =>
        spending.account("a", billed(guildId, limits)),
      );
      const picture = { method: "removebg", bucket: "credits", cost: 1 } as const;
      const booking = await one?.book(picture);

      await begunBehind(
        rig,
        ["select from quota_parts for update"],
        [() => other?.book(picture), () => booking?.settle({ attempts: 1, charged: 0.5 })].map(
          (begin) => async () => begin(),
        ),
      );

      expect(rig.failures).toEqual([]);
      expect(await rig.place.query("select count::int, amount::int from spending")).toEqual([
        { count: 2, amount: 1_500 },
      ]);
    });

    itTogether(
      "lock a project before the people that spend in several, on its first call of a day too",
      async () => {
        const rig = await openRig();
        const limits = { budgets: { units: { amount: 1_000, of: "person" } } } as const;
        const spending = await rig.open();
        await spending.account("b", billed(guildId, limits)).book(write);
        let free: readonly unknown[] = [];

        await begunBehind(
          rig,
          ["insert into quota select 'a', day, bucket, 0, 0, 0 from quota"],
          [() => spending.account("a", billed(guildId, limits)).book(write)],
          async () => {
            free = await rig.place.query("select 1 from quota_parts for update skip locked");
          },
        );

        expect(free).toHaveLength(1);
      },
    );

    itTogether("count what waits for another one before they end", async () => {
      const rig = await openRig();
      const { database, spending } = await openProcess(rig);
      const account = spending.account(project, billed(guildId));
      const calls = [await account.book(write), await account.book(write)];
      let ended: Promise<void> | undefined;

      await begunBehind(
        rig,
        ["update quota set used = used"],
        [async () => Promise.all(calls.map((call) => call.settle(most)))],
        async () => {
          await rig.clock.pass(1_000);
          ended = spending.close().then(() => database.close());
        },
      );
      await ended;

      expect(await rig.place.query("select amount::int from spending")).toEqual([{ amount: 300 }]);
    });

    itTogether("leave rows of earlier days that another one changes or removes", async () => {
      const rig = await openRig();
      const account = (await rig.open()).account(project, billed(guildId));
      await account.book(write);
      rig.clock.time += 24 * 3_600_000;

      await begunBehind(rig, ["update quota_parts set used = used"], [], async () => {
        await account.book(write);
      });

      expect(rig.failures).toEqual([]);
    });

    itTogether("wait for no server that another one is erasing", async () => {
      const rig = await openRig();
      const spending = await rig.open();
      const [account, erased] = [guildId, otherGuildId].map((guild) =>
        spending.account(project, billed(guild)),
      );
      await account?.book(write);
      const underWay = [await erased?.book(write), await erased?.book(write)];
      const erasing = `delete from servers where guild_id = '${otherGuildId}'`;
      let results: readonly unknown[] = [];

      await begunBehind(rig, [erasing], [], async () => {
        results = await Promise.allSettled([
          ...underWay.map((booking) => booking?.settle(most)),
          ...[erased, account, account].map((one) => one?.book(write)),
        ]);
      });

      expect(results).toMatchObject([
        ...[{ status: "fulfilled" }, { status: "fulfilled" }],
        { status: "rejected", reason: { code: "guild_erased" } },
        ...[{ status: "fulfilled" }, { status: "fulfilled" }],
      ]);
      expect(rig.failures).toEqual([]);
      expect(await rig.place.query("select used::int from quota")).toEqual([{ used: 450 }]);
      expect(await rig.place.query("select amount::int from spending")).toEqual([{ amount: 150 }]);
    });

    it("count what is booked along with a call that is refused, and with one of an erased server", async () => {
      const rig = await openRig();
      const { database, spending } = await openProcess(rig);
      const account = spending.account(project, billed(guildId));
      const gone = spending.account(project, billed(otherGuildId));
      await account.book(write);
      const results = await database.servers.runFor(otherGuildId, async () => {
        await gone.book(write);
        await rig.erase(otherGuildId);
        const charges = [write, { ...write, cost: 20_000 }, write];
        const calls = charges.map((charge) => account.book(charge));
        return Promise.allSettled([...calls, gone.book(write), account.book(write)]);
      });

      expect(results).toMatchObject([
        { status: "fulfilled" },
        { status: "rejected", reason: { code: "budget_part" } },
        { status: "fulfilled" },
        { status: "rejected", reason: { code: "guild_erased" } },
        { status: "fulfilled" },
      ]);
      const [row] = await rig.place.query("select sum(amount) as spent from spending");
      expect(Number(row?.spent)).toBe(200);
    });

    it("take one server's units for decisions together, also after a restart", async () => {
      const rig = await openRig();
      const processes = [await rig.open(), await rig.open()];
      const taken = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          processes[n % 2]?.account(project, billed(guildId)).takeForDecisions(decisions),
        ),
      );
      const restarted = await rig.open();

      expect(taken.filter(Boolean)).toHaveLength(60);
      const late = restarted.account(project, billed(guildId));
      expect(await late.takeForDecisions(decisions)).toBe(false);
      const other = restarted.account(project, billed(otherGuildId));
      expect(await other.takeForDecisions(decisions)).toBe(true);
    });

    it("take units for decisions again on the next day", async () => {
      const rig = await openRig();
      const account = (await rig.open()).account(project, billed(guildId));
      await account.takeForDecisions({ cost: 3_000, limit: 3_000 });
      rig.clock.time += 24 * 3_600_000;

      expect(await account.takeForDecisions(decisions)).toBe(true);
    });
  });
});
