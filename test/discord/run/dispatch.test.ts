import { MessageFlags } from "discord-api-types/v10";
import { describe, expect, it, vi } from "vitest";
import { command as declared } from "../../../src/discord/index.ts";
import { createInteractionReceiver } from "../../../src/discord/run/dispatch.ts";
import type { InteractionArrival } from "../../../src/discord/run/interaction.ts";
import { encodeCancelId } from "../../../src/discord/wire/custom-id.ts";
import { option, subcommand } from "../../../src/features/declarations/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { command, suggestion } from "../../support/raw-interactions.ts";
import {
  onEachStage,
  openOne,
  playlistCommands,
  type Work,
  whose,
} from "../../support/shared-processes.ts";

const startedAt = Date.parse("2026-11-21T12:00:00Z");

function openReceiver(work: (at: number) => Promise<void> = async () => undefined) {
  const arrivals: InteractionArrival[] = [];
  let mayBegin = true;
  const receiver = createInteractionReceiver({
    dispatch: Promise.resolve((_, arrival) => work(arrivals.push(arrival))),
    mayBegin: () => mayBegin,
    log: createLog({ level: "error", secrets: createSecrets(), write: () => undefined }),
    now: () => startedAt,
  });
  const stop = () => {
    mayBegin = false;
  };
  return { ...receiver, arrivals, stop };
}

function sentAt(time: number) {
  const id = String(BigInt(time - 1_420_070_400_000) << 22n);
  return { ...command("playlists list", whose), id };
}

describe("createInteractionReceiver", () => {
  it("tells how old an interaction is by its id, whenever it was read", async () => {
    const { take, arrivals, underWay } = openReceiver();
    const times = [startedAt - 50, startedAt - 2_050];

    expect(times.map((time) => take(sentAt(time)))).toEqual([startedAt, startedAt - 2_000]);
    await Promise.all(underWay());

    expect(arrivals.map(({ arrivedAt }) => arrivedAt)).toEqual([startedAt, startedAt - 2_000]);
  });

  it("waits for the first of two deliveries, whose second ends at once", async () => {
    const first = Promise.withResolvers<void>();
    const { take, arrivals, settled, underWay } = openReceiver((at) =>
      at === 1 ? first.promise : Promise.resolve(),
    );
    const sent = sentAt(startedAt);
    const ended: string[] = [];

    take(sent);
    take(sent);
    await vi.waitUntil(() => arrivals.length === 2);
    const work = settled(sent.id).then(() => ended.push("settled"));
    await new Promise((resolve) => setImmediate(resolve));
    const during = [underWay().length, ended.length];
    first.resolve();
    await work;

    expect([during, underWay()]).toEqual([[1, 0], []]);
  });

  it("says what is malformed and what may not begin now, and handles neither", () => {
    const { take, stop, underWay } = openReceiver();

    const malformed = take({ ...sentAt(startedAt), token: 7 });
    stop();

    expect([malformed, take({}), take(sentAt(startedAt))]).toEqual([
      "malformed",
      "malformed",
      "refused",
    ]);
    expect(underWay()).toEqual([]);
  });
});

function withSuggestions(work: Work) {
  const text = option.text({ suggest: async () => [{ name: "A", value: "a" }] });
  const find = subcommand({ answer: "private", options: { text }, run: () => work.finish("find") });
  return new Map([...playlistCommands(work), ["search", declared({ subcommands: { find } })]]);
}

onEachStage((open) => {
  describe("createDispatcher, while statements wait over 300 ms for the database", () => {
    it("begins nothing, and says so to the person alone", async () => {
      const { answers, place, receive, runs, store, textOf } = await openOne(open());
      const [inTime, tooMuch] = [
        command("playlists list", whose),
        command("playlists list", whose),
      ];

      store.database.waitingMs = () => 300;
      await receive(inTime);
      store.database.waitingMs = () => 301;
      await receive(tooMuch);

      expect(textOf(tooMuch)).toContain("Too busy right now");
      expect(textOf(tooMuch)).toContain(`"flags":${MessageFlags.Ephemeral}`);
      expect([runs, answers.followUps]).toEqual([["list"], []]);
      expect(await place.query("select * from interactions where is_open = 1")).toEqual([]);
    });

    it("still stops what is running", async () => {
      const { press, receive, runs, store, textOf } = await openOne(open());
      const sent = command("playlists remove", whose);
      const work = receive(sent);
      await expect.poll(() => runs).toEqual(["remove"]);

      store.database.waitingMs = () => 301;
      await receive(press(encodeCancelId(sent.id)));
      await work;

      expect(textOf(sent)).toContain("Cancelled");
    });

    it("suggests nothing", async () => {
      const { receive, store, textOf } = await openOne(open(withSuggestions));
      const [before, during] = [0, 1].map(() => suggestion("search find", "text", whose)) as [
        ReturnType<typeof suggestion>,
        ReturnType<typeof suggestion>,
      ];

      await receive(before);
      store.database.waitingMs = () => 301;
      await receive(during);

      expect(textOf(before)).toContain('"choices":[{"name":"A","value":"a"}]');
      expect(textOf(during)).toContain('"choices":[]');
    });
  });
});
