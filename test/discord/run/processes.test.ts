import { MessageFlags } from "discord-api-types/v10";
import { expect, it } from "vitest";
import { encodeCancelId } from "../../../src/discord/wire/custom-id.ts";
import { ServiceError } from "../../../src/errors.ts";
import type { Place } from "../../support/databases/kinds.ts";
import { command as sentCommand, press as sentPress } from "../../support/raw-interactions.ts";
import {
  onEachStage,
  openOne,
  openTwo,
  type Sent,
  type Stage,
  whose,
} from "../../support/shared-processes.ts";

onEachStage((open, isShared) => {
  it("carries out once what two processes receive", async () => {
    const { answers, one, other, runs } = await openTwo(open());
    const sent = Array.from({ length: 20 }, () => sentCommand("playlists list", whose));

    await Promise.all(sent.flatMap((each) => [one.receive(each), other.receive(each)]));

    expect(runs).toHaveLength(20);
    expect(new Set(answers.acknowledged)).toHaveLength(20);
  });

  it("does not carry out again what is received again after the answer", async () => {
    const { one, other, runs } = await openTwo(open());
    const sent = sentCommand("playlists list", whose);

    await one.receive(sent);
    await other.receive(sent);

    expect(runs).toEqual(["list"]);
  });

  it("carries out once what is pressed in two processes at the same time", async () => {
    const { one, other, runs } = await openTwo(open());
    const id = await one.askedButton(0);
    const presses = Array.from({ length: 6 }, () =>
      sentPress(whose, { customId: id, message: {} }),
    );

    await Promise.all(presses.map((each, n) => (n % 2 ? one : other).receive(each)));

    expect(runs).toEqual(["once playlist"]);
  });

  it("tells the person of a write whose process ended what is known, and does not repeat it", async () => {
    const { hold, one, other, runs, textOf } = await openTwo(open());
    const release = hold();
    const sent = sentCommand("playlists create", whose);
    void one.receive(sent);
    await expect.poll(() => runs).toEqual(["create"]);

    await other.recover(one.processId);

    expect(textOf(sent)).toContain("Check whether it was done before you try again.");
    expect(runs).toEqual(["create"]);
    release();
  });

  it("runs again what only reads", async () => {
    const { hold, one, other, runs, textOf } = await openTwo(open());
    const release = hold();
    const sent = sentCommand("playlists list", whose);
    void one.receive(sent);
    await expect.poll(() => runs).toEqual(["list"]);

    const recovering = other.recover(one.processId);
    await expect.poll(() => runs).toEqual(["list", "list"]);
    release();
    await recovering;

    expect(textOf(sent)).toContain("list");
  });

  it.each([
    ["runs again what has ended two processes within half a minute", 20_000, 2],
    ["gives up what has ended two processes, and tells its person", 40_000, 1],
  ])("%s", async (_, ageMs, times) => {
    const { answers, hold, one, other, runs, textOf } = await openTwo(open());
    const release = hold();
    const sent = sentCommand("playlists list", whose);
    const { id, guild_id: guildId } = sent;
    const request = JSON.stringify({ interaction: sent, arrivedAt: Date.now() - ageMs });
    await one.store.interactions.claim({ id, guildId, processId: "dead", request });
    answers.messages.set(sent.token, { flags: MessageFlags.Loading, text: "" });
    const first = one.recover("dead");
    await expect.poll(() => runs).toEqual(["list"]);

    const recovering = other.recover(one.processId);
    if (times === 2) {
      await expect.poll(() => runs).toHaveLength(2);
      release();
    }
    await recovering;
    const told = [textOf(sent), ...answers.followUps].join();
    release();
    await first;

    expect(runs).toHaveLength(times);
    expect(told).toContain(times === 2 ? "list" : "Interrupted");
  });

  it.runIf(isShared)("hands over what a restart stops, if it may run again", async () => {
    const { hold, one, other, runs, textOf } = await openTwo(open());
    const release = hold();
    const read = sentCommand("playlists list", whose);
    const write = sentCommand("playlists create", whose);
    const work = [one.receive(read), one.receive(write)];
    await expect.poll(() => runs).toHaveLength(2);

    one.running.stopAll();
    await Promise.all(work);
    release();
    const isLeft = await one.store.interactions.hasOpen(one.processId);
    await other.recover(one.processId);

    expect(isLeft).toBe(true);
    expect(textOf(read)).toContain("list");
    expect(textOf(write)).toContain("restart");
    expect(runs.filter((run) => run === "create")).toHaveLength(1);
  });

  it("leaves alone what the process had answered before it ended", async () => {
    const { answers, one, other, textOf } = await openTwo(open());
    const sent = sentCommand("playlists create", whose);
    one.store.interactions.close = async () => undefined;
    await one.receive(sent);
    const before = textOf(sent);

    await other.recover(one.processId);

    expect(before).toContain("create");
    expect(textOf(sent)).toBe(before);
    expect(answers.followUps).toEqual([]);
  });

  it("leaves alone a press that was refused in a message of its own", async () => {
    const { answers, one, other, runs, textOf } = await openTwo(open());
    const id = await one.askedButton(1);
    const sent = sentPress(whose, { customId: id, message: {} });
    answers.messages.set(sent.token, { id: "1", flags: MessageFlags.Ephemeral, text: "refused" });

    const arrival = { arrivedAt: Date.now(), interrupted: "once" } as const;
    await other.dispatcher.receive(sent as never, arrival);

    expect([runs, textOf(sent)]).toEqual([[], "refused"]);
  });

  it("leaves alone what was never acknowledged, because nobody can answer it", async () => {
    const { answers, one, other, runs } = await openTwo(open());
    const sent = sentCommand("playlists create", whose);
    const { id, guild_id: guildId } = sent;
    const request = JSON.stringify({ interaction: sent, arrivedAt: Date.now() - 4_000 });
    await one.store.interactions.claim({ id, guildId, processId: one.processId, request });

    await other.recover(one.processId);

    expect([runs, answers.acknowledged, answers.followUps]).toEqual([[], [], []]);
  });

  it("acknowledges over HTTP with the response, and begins once it has left", async () => {
    const { answers, dispatcher, runs, textOf } = await openOne(open());
    const sent = sentCommand("playlists list", whose);
    const left = Promise.withResolvers<boolean>();
    const responses: object[] = [];
    const respond = (response: object) => {
      responses.push(response);
      answers.messages.set(sent.token, { flags: MessageFlags.Loading, text: "" });
      return left.promise;
    };

    const work = dispatcher.receive(sent as never, { arrivedAt: Date.now(), respond });
    await expect.poll(() => responses).toEqual([{ type: 5 }]);
    const before = [...runs];
    left.resolve(true);
    await work;

    expect([before, runs, answers.acknowledged]).toEqual([[], ["list"], []]);
    expect(textOf(sent)).toContain("list");
  });

  it("does nothing over HTTP where the response did not leave", async () => {
    const { dispatcher, runs } = await openOne(open());
    const sent = sentCommand("playlists create", whose);

    await dispatcher.receive(sent as never, {
      arrivedAt: Date.now(),
      respond: async () => false,
    });

    expect(runs).toEqual([]);
  });

  it("does nothing where another process had refused, and the answer to its own try was lost", async () => {
    const { answers, receive, runs, textOf } = await openOne(open());
    const sent = sentCommand("playlists create", whose);
    losesFirstAnswer(answers, () => {
      answers.messages.set(sent.token, { flags: MessageFlags.Ephemeral, text: "refused" });
    });

    await receive(sent);

    expect([runs, textOf(sent)]).toEqual([[], "refused"]);
  });

  it("begins where its own try was first, although the answer to it was lost", async () => {
    const { answers, receive, runs, textOf } = await openOne(open());
    const sent = sentCommand("playlists create", whose);
    losesFirstAnswer(answers, () => {
      answers.messages.set(sent.token, { flags: MessageFlags.Loading, text: "" });
    });

    await receive(sent);

    expect(runs).toEqual(["create"]);
    expect(textOf(sent)).toContain("create");
  });

  it("asks before it begins over HTTP whether a response that left late came in time", async () => {
    const { answers, dispatcher, runs, textOf } = await openOne(open());
    const [taken, lost] = [0, 1].map(() => sentCommand("playlists create", whose)) as [Sent, Sent];
    const respond = async () => true;
    answers.messages.set(taken.token, { flags: MessageFlags.Loading, text: "" });

    await dispatcher.receive(taken as never, { arrivedAt: Date.now() - 1_100, respond });
    await dispatcher.receive(lost as never, { arrivedAt: Date.now() - 2_200, respond });

    expect(runs).toEqual(["create"]);
    expect([textOf(taken), textOf(lost)]).toEqual([expect.stringContaining("create"), ""]);
  });

  it("claims nothing that comes too late to be answered", async () => {
    const { answers, dispatcher, place, runs } = await openOne(open());
    const sent = sentCommand("playlists create", whose);

    await dispatcher.receive(sent as never, { arrivedAt: Date.now() - 2_300 });

    expect([runs, answers.acknowledged, await rowsOf(place)]).toEqual([[], [], []]);
  });

  it("leaves nothing open of what was claimed only after its person was told", async () => {
    const { one, other, place, runs } = await openTwo(open());
    const { claim } = one.store.interactions;
    const late = Promise.withResolvers<void>();
    one.store.interactions.claim = async (claimed) => {
      await late.promise;
      return claim(claimed);
    };
    const sent = sentCommand("playlists list", whose);

    await one.receive(sent);
    late.resolve();
    await expect.poll(() => rowsOf(place)).toEqual([{ is_open: 0, request: null }]);
    await other.recover(one.processId);

    expect(runs).toEqual([]);
  });

  it("tells the person where the database can't say who goes on", async () => {
    const { answers, openProcess, runs } = await open();
    const one = await openProcess();
    one.store.interactions.claim = () =>
      Promise.reject(new ServiceError("away", { code: "store_unavailable" }));
    const sent = sentCommand("playlists list", whose);

    await one.receive(sent);

    expect(runs).toEqual([]);
    expect(answers.acknowledged).toHaveLength(1);
  });

  it.runIf(isShared)("stops work whose Cancel is pressed in another process", async () => {
    const { one, other, runs, textOf } = await openTwo(open());
    const sent = sentCommand("playlists remove", whose);
    const work = one.receive(sent);
    await expect.poll(() => runs).toEqual(["remove"]);

    const stranger = { ...whose, userId: "666666666666666666" };
    await other.receive(sentPress(stranger, { customId: encodeCancelId(sent.id) }));
    await other.receive(sentPress(whose, { customId: encodeCancelId(sent.id) }));
    await work;

    expect(textOf(sent)).toContain("Cancel");
    expect(runs).toEqual(["remove"]);
  });
});

function rowsOf(place: Place) {
  return place.query("select is_open, request from interactions");
}

/** The answer to the first attempt is lost; `arrive` decides whether the attempt reached Discord. */
function losesFirstAnswer({ rest }: Stage["answers"], arrive: () => void): void {
  const { post } = rest;
  rest.post = async () => {
    rest.post = post;
    arrive();
    throw new Error("the connection was lost");
  };
}
