import { MessageFlags } from "discord-api-types/v10";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { command, files } from "../../../src/discord/index.ts";
import { encodeCancelId } from "../../../src/discord/wire/custom-id.ts";
import { InputError, ServiceError } from "../../../src/errors.ts";
import { action, option, subcommand } from "../../../src/features/declarations/index.ts";
import { LostError, requireOwned } from "../../../src/ownership.ts";
import type { Place } from "../../support/databases/kinds.ts";
import { command as sentCommand } from "../../support/raw-interactions.ts";
import {
  apiError,
  asking,
  failOnce,
  onEachStage,
  openOne,
  openTwo,
  type Sent,
  type Stage,
  type Work,
  whose,
} from "../../support/shared-processes.ts";

function commands(work: Work) {
  const { runs, finish } = work;
  const wait = async (name: string) => {
    runs.push(name);
    await work.gate;
  };
  const refresh = action<string>({
    name: "search.refresh",
    answer: "update",
    by: "requester",
    rank: "member",
    run: async (_, state) => finish(`refresh ${state}`),
  });
  const once = action<string>({
    name: "search.next",
    answer: "private",
    by: "requester",
    rank: "member",
    isOnce: true,
    run: async (ctx) => {
      runs.push("once");
      return untilStopped(ctx.signal, ctx.signal);
    },
  });
  const subcommands = {
    create: subcommand({ answer: "private", run: async () => finish("create") }),
    /** Waits, then shows progress, and ends when it is stopped. */
    late: subcommand({
      answer: "private",
      run: async (ctx) => {
        await wait("late");
        ctx.progress({ title: "Working" });
        return untilStopped(ctx.signal, ctx.signal);
      },
    }),
    /** Shows progress, then waits. */
    slow: subcommand({
      answer: "private",
      run: async (ctx) => {
        ctx.progress({ title: "Working" });
        return finish("slow");
      },
    }),
    stopped: subcommand({
      answer: "private",
      run: async (ctx) => {
        runs.push("stopped");
        return untilStopped(ctx.signal, ctx.signal);
      },
    }),
    fails: subcommand({
      answer: "private",
      run: async (ctx) => {
        runs.push("fails");
        return untilStopped(ctx.signal, { reason: new TypeError("a part was missing") });
      },
    }),
    write: subcommand({
      answer: "private",
      run: async () => {
        await wait("asked");
        await requireOwned();
        return finish("written");
      },
    }),
    /** The store fails: after a write was sent, or before. */
    saves: subcommand({
      answer: "private",
      options: { when: option.text({}) },
      run: async (ctx) => {
        if (ctx.options.when === "after") await requireOwned();
        throw new ServiceError("away", { code: "store_unavailable" });
      },
    }),
    file: subcommand({
      answer: "private",
      run: async () => largeFile(),
    }),
    "slow-file": subcommand({
      answer: "private",
      isRepeatable: true,
      run: async (ctx) => {
        runs.push("slow-file");
        if (runs.length > 1) return largeFile();
        ctx.progress({ title: "Working" });
        return untilStopped(ctx.signal, ctx.signal);
      },
    }),
    /** Shows progress, and ends when it is stopped. */
    long: subcommand({
      answer: "private",
      isRepeatable: true,
      run: async (ctx) => {
        runs.push("long");
        ctx.progress({ title: "Working" });
        return untilStopped(ctx.signal, ctx.signal);
      },
    }),
    "fails-late": subcommand({
      answer: "public",
      run: async () => {
        throw new InputError("nothing", { code: "cancelled" });
      },
    }),
    turn: subcommand({
      answer: "private",
      run: async () => {
        throw new LostError();
      },
    }),
    delete: asking(once, refresh),
  };
  return new Map([["playlists", command({ subcommands, actions: [refresh, once] })]]);
}

/** A file too large to be stored with the interaction's record. */
function largeFile() {
  const data = new Uint8Array(256 * 1024 + 1).fill(97);
  return files({ title: "file", files: [{ name: "list.txt", data }] });
}

function untilStopped(signal: AbortSignal, thrown: { readonly reason: unknown }): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(thrown.reason));
  });
}

onEachStage((open, isShared) => {
  it("sends no write to a service for work that its person has cancelled", async () => {
    const { hold, receive, running, runs, textOf } = await openOne(open(commands));
    const release = hold();
    const sent = sentCommand("playlists write", whose);
    const work = receive(sent);
    await expect.poll(() => runs).toEqual(["asked"]);

    running.stop(sent.id);
    release();
    await work;

    expect(runs).toEqual(["asked"]);
    expect(textOf(sent)).toContain("Cancelled");
  });

  it("sends no write to a service for work of a process that counts as dead", async () => {
    const { hold, lose, receive, runs } = await openOne(open(commands));
    const release = hold();
    const work = receive(sentCommand("playlists write", whose));
    await expect.poll(() => runs).toEqual(["asked"]);

    lose();
    release();
    await work;

    expect(runs).toEqual(["asked"]);
  });

  it("sends the same answer where the database is away for a moment before it", async () => {
    const { answers, receive, store } = await openOne(open(commands));
    if (isShared) failOnce(store.interactions, "isOwned");

    await receive(sentCommand("playlists fails-late", whose));

    expect(answers.followUps).toEqual([expect.stringContaining("Cancelled")]);
  });

  it("tells apart whether the store failed before or after a write to a service", async () => {
    const { receive, textOf } = await openOne(open(commands));
    const [before, after] = ["before", "after"].map((when) =>
      sentCommand("playlists saves", whose, { when }),
    ) as [Sent, Sent];

    await Promise.all([receive(before), receive(after)]);

    expect(textOf(before)).toContain("Your settings are safe");
    expect(textOf(after)).toContain("It may or may not have been saved");
  });

  describe.runIf(isShared)("an answer of a process that was taken for dead", () => {
    it("is not sent: what the next process said stays", async () => {
      const { answers, errors, hold, one, other, runs, textOf } = await openTwo(open(commands));
      const release = hold();
      const sent = sentCommand("playlists create", whose);
      const work = one.receive(sent);
      await expect.poll(() => runs).toEqual(["create"]);

      await other.recover(one.processId);
      const told = textOf(sent);
      release();
      await work;

      expect(told).toContain("Interrupted");
      expect([textOf(sent), answers.followUps, errors]).toEqual([told, [], []]);
    });

    it("is no progress either", async () => {
      const { answers, hold, one, other, runs, textOf } = await openTwo(open(commands));
      const release = hold();
      const sent = sentCommand("playlists late", whose);
      const work = one.receive(sent);
      await expect.poll(() => runs).toEqual(["late"]);

      await other.recover(one.processId);
      const requests: string[] = [];
      answers.before((kind) => void requests.push(kind));
      release();
      await work;

      expect(textOf(sent)).toContain("Interrupted");
      expect(requests).toEqual([]);
    });

    it.each([
      ["", false],
      [", although the database is away for a moment", true],
    ])("is put back where progress that was on its way came after it%s", async (_, isAway) => {
      const { answers, one, other, textOf } = await openTwo(open(commands));
      const progress = answers.keepBack("edit");
      const sent = sentCommand("playlists late", whose);
      const work = one.receive(sent);
      await progress.reached;

      await other.recover(one.processId);
      const told = textOf(sent);
      if (isAway) failOnce(one.store.interactions, "isOwned");
      progress.release();
      await work;

      expect(told).toContain("Interrupted");
      expect(textOf(sent)).toBe(told);
    });

    it.each([
      ["a file that is not on record", "file", "edit"],
      ["a message of its own", "fails late", "followUp"],
    ] as const)("is not sent again after a lost connection: %s", async (_, name, kind) => {
      const { answers, one, other, textOf } = await openTwo(open(commands));
      const [reached, recovered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      answers.before(async (next) => {
        if (next !== kind) return;
        answers.before(() => undefined);
        reached.resolve();
        await recovered.promise;
        throw new Error("the connection was lost");
      });
      const sent = sentCommand(`playlists ${name.replace(" ", "-")}`, whose);
      const work = one.receive(sent);
      await reached.promise;

      await other.recover(one.processId);
      const told = [textOf(sent), ...answers.followUps];
      recovered.resolve();
      await work;

      expect([textOf(sent), ...answers.followUps]).toEqual(told);
    });

    it.each([
      ["a file that is not on record", "file"],
      ["progress", "slow-file"],
    ])(
      "is not sent where the process stood still before it read that it has the work: %s",
      async (_, name) => {
        vi.useFakeTimers({ toFake: ["performance"] });
        onTestFinished(() => void vi.useRealTimers());
        const { answers, one, other, textOf } = await openTwo(open(commands));
        const { isOwned } = one.store.interactions;
        one.store.interactions.isOwned = async (owner) => {
          one.store.interactions.isOwned = isOwned;
          const isMine = await isOwned(owner);
          await other.recover(one.processId);
          vi.advanceTimersByTime(20_000);
          return isMine;
        };
        const sent = sentCommand(`playlists ${name}`, whose);

        await one.receive(sent);

        expect(textOf(sent)).toContain(name === "file" ? "Interrupted" : "list.txt");
        expect(answers.followUps).toEqual([]);
      },
    );

    it("follows no write to a service", async () => {
      const { answers, hold, one, other, runs, textOf } = await openTwo(open(commands));
      const release = hold();
      const sent = sentCommand("playlists write", whose);
      const work = one.receive(sent);
      await expect.poll(() => runs).toEqual(["asked"]);

      await other.recover(one.processId);
      const told = textOf(sent);
      release();
      await work;

      expect(runs).toEqual(["asked"]);
      expect([textOf(sent), answers.followUps]).toEqual([told, []]);
    });
  });

  describe.runIf(isShared)("work whose process has lost its lease", () => {
    it.each(["stopped", "fails"])(
      "shows nothing, and waits for the next process: %s",
      async (name) => {
        const { answers, errors, one, other, place, runs, textOf } = await openTwo(open(commands));
        const sent = sentCommand(`playlists ${name}`, whose);
        const work = one.receive(sent);
        await expect.poll(() => runs).toEqual([name]);

        one.lose();
        await work;
        const before = [textOf(sent), await openRows(place)];
        await other.recover(one.processId);

        expect(before).toEqual(["", [{ is_open: 1, claimed_by: one.processId }]]);
        expect(textOf(sent)).toContain("Interrupted");
        expect([answers.followUps, errors]).toEqual([[], []]);
      },
    );

    it("follows no write to a service, also where its row is gone", async () => {
      const { hold, openProcess, place, runs } = await open(commands);
      const one = await openProcess();
      const release = hold();
      const work = one.receive(sentCommand("playlists write", whose));
      await expect.poll(() => runs).toEqual(["asked"]);

      one.lose();
      await place.query("delete from interactions");
      release();
      await work;

      expect(runs).toEqual(["asked"]);
    });

    it("ends without the run that its own process begins again under another id", async () => {
      const { answers, lose, processId, receive, recover, running, runs, textOf } = await openOne(
        open(commands),
      );
      const progress = answers.keepBack("edit");
      const sent = sentCommand("playlists long", whose);
      const work = receive(sent);
      await progress.reached;

      lose();
      const recovering = recover(processId);
      await expect.poll(() => runs).toEqual(["long", "long"]);
      progress.release();
      await work;
      running.stop(sent.id);
      await recovering;

      expect(textOf(sent)).toContain("Cancelled");
    });

    it("is cancelled where it goes on, also by a press that its first process receives", async () => {
      const { answers, one, other, press, runs, textOf } = await openTwo(open(commands));
      const progress = answers.keepBack("edit");
      const sent = sentCommand("playlists long", whose);
      const work = one.receive(sent);
      await progress.reached;

      one.lose();
      const recovering = other.recover(one.processId);
      await expect.poll(() => runs).toEqual(["long", "long"]);
      await one.receive(press(encodeCancelId(sent.id)));
      await recovering;
      const told = textOf(sent);
      progress.release();
      await work;

      expect(told).toContain("Cancelled");
      expect(textOf(sent)).toBe(told);
    });

    it("does not begin", async () => {
      const { answers, one, other, runs, textOf } = await openTwo(open(commands));
      const { reached, release } = answers.keepBack("respond");
      const sent = sentCommand("playlists create", whose);
      const work = one.receive(sent);
      await reached;

      one.lose();
      release();
      await work;
      await other.recover(one.processId);

      expect(runs).toEqual([]);
      expect(textOf(sent)).toContain("Interrupted");
    });

    it("neither refuses nor closes what it can't answer any more", async () => {
      const { answers, one, other, runs, work } = await openTwo(open(commands));
      const gate = Promise.withResolvers<void>();
      work.gate = gate.promise;
      const receiving = one.receive(sentCommand("playlists create", whose));
      await expect.poll(() => runs).toEqual(["create"]);
      const later: string[] = [];
      answers.before((kind) => void later.push(kind));
      one.store.interactions.close = async () => void later.push("close");

      await other.store.interactions.takeOver(one.processId, other.processId, 1);
      gate.reject(new TypeError("a part was missing"));
      await receiving;

      expect(later).toEqual([]);
    });

    it("leaves what must not happen twice to the next process, which knows what was pressed", async () => {
      const { one, other, press, runs, textOf } = await openTwo(open(commands));
      const sent = press(await one.askedButton(0));
      const work = one.receive(sent);
      await expect.poll(() => runs).toEqual(["once"]);

      one.lose();
      await work;
      await other.recover(one.processId);

      expect(textOf(sent)).toContain("Interrupted");
    });
  });

  describe("an answer whose message somebody has deleted", () => {
    it("is sent to the person alone, and is no error", async () => {
      const { answers, errors, hold, receive, runs } = await openOne(open(commands));
      const release = hold();
      const sent = sentCommand("playlists create", whose);
      const work = receive(sent);
      await expect.poll(() => runs).toEqual(["create"]);

      answers.remove(sent.token);
      release();
      await work;

      expect(answers.followUps).toEqual([expect.stringMatching(/"title":"[^"]*create"/u)]);
      expect(answers.followUps[0]).toContain(`"flags":${MessageFlags.Ephemeral}`);
      expect(errors).toEqual([]);
    });

    it("is not sent because of progress", async () => {
      const { answers, errors, hold, receive, runs } = await openOne(open(commands));
      const release = hold();
      const progress = answers.keepBack("edit");
      const sent = sentCommand("playlists slow", whose);
      const work = receive(sent);
      await progress.reached;

      answers.remove(sent.token);
      progress.release();
      await expect.poll(() => runs).toEqual(["slow"]);
      release();
      await work;

      expect(answers.followUps).toEqual([expect.stringContaining("slow")]);
      expect(errors).toEqual([]);
    });
  });

  it("tells a person that a part of the work was lost, where nobody else has the whole", async () => {
    const { place, receive, textOf } = await openOne(open(commands));
    const sent = sentCommand("playlists turn", whose);

    await receive(sent);

    expect(textOf(sent)).toContain("interrupted");
    expect(await openRows(place)).toEqual([]);
  });

  it("tells it also where the store does not say whose the whole is", async () => {
    const { place, receive, store, textOf } = await openOne(open(commands));
    store.interactions.isOwned = async () => {
      throw new ServiceError("away", { code: "store_unavailable" });
    };
    const sent = sentCommand("playlists turn", whose);

    await receive(sent);

    expect(textOf(sent)).toContain("interrupted");
    expect(await openRows(place)).toEqual([]);
  });

  it("tells a person that nothing was done where Discord can't be asked whether they wait", async () => {
    const { answers, pass, receive, runs, textOf } = await openOne(open(commands));
    const sent = sentCommand("playlists create", whose);
    let isLost = true;
    answers.before((kind) => {
      if (kind === "read") pass(10_000);
      if (kind === "read" || (kind === "respond" && isLost)) {
        // The acknowledgement arrived, but Discord's answer to it was lost.
        answers.messages.set(sent.token, { flags: MessageFlags.Loading, text: "" });
        isLost = false;
        throw new Error("the connection was lost");
      }
    });

    await receive(sent);

    expect(textOf(sent)).toContain("Discord has trouble right now");
    expect(runs).toEqual([]);
  });

  describe("an answer that Discord refuses", () => {
    it.each(["create", "refresh"])("is taken back, and the person reads why: %s", async (name) => {
      const stage = await open(commands);
      const { answers } = stage;
      const process = await stage.openProcess();
      const sent = await sentFor(stage, process, name);
      refuseOnce(answers);

      await process.receive(sent);

      const shown = [stage.textOf(sent), ...answers.followUps].join();
      expect(shown).toContain("Something went wrong");
      expect(shown).not.toContain('list"');
    });

    it("gives way to the reason also where it could not be taken back at first", async () => {
      const stage = await open(commands);
      const { answers } = stage;
      const process = await stage.openProcess();
      const sent = await sentFor(stage, process, "refresh");
      refuseOnce(answers);
      failOnce(process.store.interactions, "retract");

      await process.receive(sent);

      expect(answers.followUps).toEqual([expect.stringContaining("Something went wrong")]);
    });
  });

  describe("an answer that can't go on record", () => {
    it.runIf(isShared)("is sent once the database is there again", async () => {
      const stage = await open(commands);
      const { receive, store } = await stage.openProcess();
      const tries = failAnswers(store, 1);
      const sent = sentCommand("playlists create", whose);

      await receive(sent);

      expect(tries()).toBe(2);
      expect(stage.textOf(sent)).toContain("create");
    });

    it.runIf(isShared)(
      "is sent where it was put on record, and that was not known at first",
      async () => {
        const stage = await open(commands);
        const { receive, store } = await stage.openProcess();
        const { answer } = store.interactions;
        store.interactions.answer = async (...args) => {
          store.interactions.answer = answer;
          await answer(...args);
          throw new ServiceError("away", { code: "store_unavailable", outcome: "unknown" });
        };
        const sent = sentCommand("playlists create", whose);

        await receive(sent);

        expect(stage.textOf(sent)).toContain("create");
      },
    );

    it.runIf(!isShared)("is sent at once where nobody else can have it", async () => {
      const stage = await open(commands);
      const process = await stage.openProcess();
      const sent = await sentFor(stage, process, "refresh");
      const tries = failAnswers(process.store, Number.POSITIVE_INFINITY);

      await process.receive(sent);

      expect(tries()).toBe(1);
      expect(stage.textOf(sent)).toContain("refresh list");
    });
  });

  it.runIf(!isShared)("records no answer that its message shows by itself", async () => {
    const stage = await open(commands);
    const { receive, store } = await stage.openProcess();
    const tries = failAnswers(store, Number.POSITIVE_INFINITY);
    const sent = sentCommand("playlists create", whose);

    await receive(sent);

    expect(tries()).toBe(0);
    expect(stage.textOf(sent)).toContain("create");
  });
});

type Opened = Awaited<ReturnType<Stage["openProcess"]>>;

/** A command of that name; for `refresh`, a press of the button that shows the list again. */
async function sentFor({ press }: Stage, { askedButton }: Opened, name: string): Promise<Sent> {
  if (name !== "refresh") return sentCommand(`playlists ${name}`, whose);
  return press(await askedButton(1)) as unknown as Sent;
}

function refuseOnce(answers: Stage["answers"]): void {
  answers.before((kind) => {
    if (kind !== "edit") return;
    answers.before(() => undefined);
    throw apiError(50_035, 400);
  });
}

/** Makes the first attempts to store an answer fail; returns a function that counts the attempts. */
function failAnswers({ interactions }: Opened["store"], failures: number): () => number {
  const { answer } = interactions;
  let tries = 0;
  interactions.answer = async (...args) => {
    tries += 1;
    if (tries <= failures) throw new ServiceError("away", { code: "store_unavailable" });
    return answer(...args);
  };
  return () => tries;
}

function openRows(place: Place) {
  return place.query("select is_open, claimed_by from interactions where is_open = 1");
}
