import { randomUUID } from "node:crypto";
import { DiscordAPIError, MessageFlags, type REST } from "discord.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { routesOf } from "../../../src/discord/declare/routes.ts";
import { command, notice } from "../../../src/discord/index.ts";
import { createDispatcher, type Dispatcher } from "../../../src/discord/run/dispatch.ts";
import type { Services } from "../../../src/discord/run/interaction-deps.ts";
import { createRunningHandlers } from "../../../src/discord/run/running-handlers.ts";
import { encodeCancelId } from "../../../src/discord/wire/custom-id.ts";
import { ServiceError } from "../../../src/errors.ts";
import { action, subcommand } from "../../../src/flows/declarations/index.ts";
import { createFeatureContexts, type FeatureServices } from "../../../src/flows/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { openStore, type Store } from "../../../src/store/index.ts";
import { kinds } from "../../support/databases/each-kind.ts";
import type { Kind, Place } from "../../support/databases/kinds.ts";
import { rolesFrom } from "../../support/guild-roles.ts";
import { command as sentCommand, press as sentPress } from "../../support/raw-interactions.ts";
import { languages } from "../../support/words.ts";

const whose = { guildId: "444444444444444444", userId: "555555555555555555" };
const keys = [{ id: "k1", key: new Uint8Array(32).fill(5) }];

type Sent = ReturnType<typeof sentCommand>;

/** What handlers were run for, in order. */
let runs: string[] = [];
/** What a handler waits for. */
let gate = Promise.withResolvers<void>();

const question = action<string>({
  name: "search.next",
  answer: "private",
  by: "requester",
  rank: "member",
  isOnce: true,
  run: async (_, state) => {
    runs.push(`once ${state}`);
    return notice({ tone: "good", title: "Done" });
  },
});

const refresh = action<string>({
  name: "search.refresh",
  answer: "update",
  by: "requester",
  rank: "member",
  isRepeatable: true,
  run: async (_, state) => finish(`refresh ${state}`),
});

const commands = new Map([
  [
    "playlists",
    command({
      subcommands: {
        // Changes something.
        create: subcommand({ answer: "private", run: async () => finish("create") }),
        // Only reads.
        list: subcommand({ isRepeatable: true, answer: "public", run: async () => finish("list") }),
        // Ends only when it is stopped.
        remove: subcommand({
          answer: "private",
          run: async (ctx) => {
            runs.push("remove");
            ctx.progress({ title: "Working" });
            await new Promise((_, reject) => {
              ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
            });
            throw new TypeError("it was not stopped");
          },
        }),
        delete: subcommand({
          answer: "private",
          run: async () => {
            const yes = { label: "Yes", press: question.press("playlist") };
            const again = { label: "Refresh", press: refresh.press("list") };
            return notice({ tone: "warning", title: "Sure?", buttons: [yes, again] });
          },
        }),
      },
      actions: [question, refresh],
    }),
  ],
]);

async function finish(name: string) {
  runs.push(name);
  await gate.promise;
  return notice({ tone: "good", title: name });
}

/** Discord, as far as answers to interactions go. */
function createAnswers() {
  const messages = new Map<
    string,
    { id?: string; flags: number; components?: unknown; text: string }
  >();
  const followUps: string[] = [];
  const acknowledged: string[] = [];
  const tokenIn = (path: string) => /\/(token-of-\d+)/u.exec(path)?.[1] ?? "";
  const textIn = (body: unknown) => JSON.stringify(body);
  const rest = {
    options: { api: "https://discord.test/api" },
    post: async (path: string, { body }: { readonly body: { readonly type?: number } }) => {
      const token = tokenIn(path);
      if (path.endsWith("/callback")) {
        if (messages.has(token)) throw apiError(40_060, 400);
        messages.set(token, { flags: MessageFlags.Loading, text: "" });
        acknowledged.push(token);
      } else followUps.push(textIn(body));
    },
    get: async (path: string) => {
      const message = messages.get(tokenIn(path));
      if (message === undefined) throw apiError(10_015, 404);
      return message;
    },
    patch: async (path: string, { body }: { readonly body: { readonly components?: unknown } }) => {
      messages.set(tokenIn(path), { flags: 0, components: body.components, text: textIn(body) });
    },
    delete: async (path: string) => void messages.delete(tokenIn(path)),
  };
  return { rest: rest as unknown as REST, messages, followUps, acknowledged };
}

function apiError(code: number, status: number): DiscordAPIError {
  const request = { files: undefined, body: undefined };
  return new DiscordAPIError({ code, message: "no" }, code, status, "POST", "", request);
}

for (const { name, make } of kinds) {
  describe.skipIf(make === undefined)(`on ${name}`, () => {
    let kind: Kind;
    let place: Place;
    let stores: Store[];
    let answers: ReturnType<typeof createAnswers>;
    let opened: Dispatcher[];

    beforeAll(() => {
      kind = (make as () => Kind)();
    });
    afterAll(() => kind.stop());
    beforeEach(async () => {
      runs = [];
      gate = Promise.withResolvers();
      gate.resolve();
      place = await kind.fresh();
      stores = [];
      opened = [];
      answers = createAnswers();
    });
    afterEach(async () => {
      for (const { stop } of opened) stop();
      for (const store of stores) await store.close();
    });

    /** A process of the bot with a connection of its own to the database. */
    async function openProcess() {
      const store = await openStore({ url: place.url, keys });
      stores.push(store);
      const processId = randomUUID();
      const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
      const { rest } = answers;
      const running = createRunningHandlers();
      const features = { store, now: Date.now } as unknown as FeatureServices;
      const dispatcher = createDispatcher({
        routes: routesOf(commands),
        // As much of them as these commands ask for.
        services: {
          ...{
            store,
            processId,
            log,
            languages,
            commandIds: new Map(),
            now: Date.now,
            random: () => 0,
          },
          ...{ attachmentHosts: [], siteUrl: "https://discord.test" },
        } as unknown as Services,
        features: createFeatureContexts(features),
        ...{ rest, callbackRest: rest, answerRest: rest },
        running,
        create: { emoji: never, sticker: never },
        guildRoles: rolesFrom(Date.now),
        botId: "9".repeat(18),
      });
      opened.push(dispatcher);
      const receive = (interaction: unknown) =>
        dispatcher.receive(interaction as never, { arrivedAt: Date.now() });
      return { dispatcher, running, recover: dispatcher.recover, receive, processId, store };
    }

    const { signal } = new AbortController();

    it("carries out once what two processes receive", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const sent = Array.from({ length: 20 }, () => sentCommand("playlists list", whose));

      await Promise.all(sent.flatMap((each) => [one.receive(each), other.receive(each)]));

      expect(runs).toHaveLength(20);
      expect(new Set(answers.acknowledged)).toHaveLength(20);
    });

    it("does not carry out again what is received again after the answer", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const sent = sentCommand("playlists list", whose);

      await one.receive(sent);
      await other.receive(sent);

      expect(runs).toEqual(["list"]);
    });

    it("carries out once what is pressed in two processes at the same time", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const asked = sentCommand("playlists delete", whose);
      await one.receive(asked);
      const [id = ""] = /g1:p:[\w-]{22}:0/u.exec(textOf(asked)) ?? [];
      const presses = Array.from({ length: 6 }, () =>
        sentPress(whose, { customId: id, message: {} }),
      );

      await Promise.all(presses.map((each, n) => (n % 2 ? one : other).receive(each)));

      expect(runs).toEqual(["once playlist"]);
    });

    it("tells the person of a write whose process ended what is known, and does not repeat it", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      gate = Promise.withResolvers();
      const sent = sentCommand("playlists create", whose);
      void one.receive(sent);
      await expect.poll(() => runs).toEqual(["create"]);

      await other.recover(one.processId, signal);

      expect(textOf(sent)).toContain("Check whether it was done before you try again.");
      expect(runs).toEqual(["create"]);
      gate.resolve();
    });

    it("runs again what only reads", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      gate = Promise.withResolvers();
      const sent = sentCommand("playlists list", whose);
      void one.receive(sent);
      await expect.poll(() => runs).toEqual(["list"]);

      const recovering = other.recover(one.processId, signal);
      await expect.poll(() => runs).toEqual(["list", "list"]);
      gate.resolve();
      await recovering;

      expect(textOf(sent)).toContain("list");
    });

    it.each([
      ["runs again what has ended two processes within half a minute", 20_000, 2],
      ["gives up what has ended two processes, and tells its person", 40_000, 1],
    ])("%s", async (_, ageMs, times) => {
      const [one, other] = [await openProcess(), await openProcess()];
      gate = Promise.withResolvers();
      const sent = sentCommand("playlists list", whose);
      const { id, guild_id: guildId } = sent;
      const request = JSON.stringify({ interaction: sent, arrivedAt: Date.now() - ageMs });
      await one.store.interactions.claim({ id, guildId, processId: "dead", request });
      answers.messages.set(sent.token, { flags: MessageFlags.Loading, text: "" });
      const first = one.recover("dead", signal);
      await expect.poll(() => runs).toEqual(["list"]);

      const recovering = other.recover(one.processId, signal);
      if (times === 2) {
        await expect.poll(() => runs).toHaveLength(2);
        gate.resolve();
      }
      await recovering;
      const told = [textOf(sent), ...answers.followUps].join();
      gate.resolve();
      await first;

      expect(runs).toHaveLength(times);
      expect(told).toContain(times === 2 ? "list" : "Interrupted");
    });

    it.runIf(name === "PostgreSQL")(
      "hands over what a restart stops, if it may run again",
      async () => {
        const [one, other] = [await openProcess(), await openProcess()];
        gate = Promise.withResolvers();
        const read = sentCommand("playlists list", whose);
        const write = sentCommand("playlists create", whose);
        const work = [one.receive(read), one.receive(write)];
        await expect.poll(() => runs).toHaveLength(2);

        one.running.stopAll();
        await Promise.all(work);
        gate.resolve();
        await other.recover(one.processId, signal);

        expect(one.dispatcher.handedOver()).toBe(1);
        expect(textOf(read)).toContain("list");
        expect(textOf(write)).toContain("restart");
        expect(runs.filter((run) => run === "create")).toHaveLength(1);
      },
    );

    it("leaves alone what the process had answered before it ended", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const sent = sentCommand("playlists create", whose);
      one.store.interactions.close = async () => undefined;
      await one.receive(sent);
      const before = textOf(sent);

      await other.recover(one.processId, signal);

      expect(before).toContain("create");
      expect(textOf(sent)).toBe(before);
      expect(answers.followUps).toEqual([]);
    });

    it("leaves alone a press that was refused in a message of its own", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const asked = sentCommand("playlists delete", whose);
      await one.receive(asked);
      const [id = ""] = /g1:u:[\w-]{22}:1/u.exec(textOf(asked)) ?? [];
      const sent = sentPress(whose, { customId: id, message: {} });
      answers.messages.set(sent.token, { id: "1", flags: MessageFlags.Ephemeral, text: "refused" });

      const arrival = { arrivedAt: Date.now(), interrupted: "once" } as const;
      await other.dispatcher.receive(sent as never, arrival);

      expect([runs, textOf(sent)]).toEqual([[], "refused"]);
    });

    it("leaves alone what was never acknowledged, because nobody can answer it", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const sent = sentCommand("playlists create", whose);
      const { id, guild_id: guildId } = sent;
      const request = JSON.stringify({ interaction: sent, arrivedAt: Date.now() });
      await one.store.interactions.claim({ id, guildId, processId: one.processId, request });

      await other.recover(one.processId, signal);

      expect([runs, answers.acknowledged, answers.followUps]).toEqual([[], [], []]);
    });

    it("acknowledges over HTTP with the response, and begins once it has left", async () => {
      const { dispatcher } = await openProcess();
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
      const { dispatcher } = await openProcess();
      const sent = sentCommand("playlists create", whose);

      await dispatcher.receive(sent as never, {
        ...{ arrivedAt: Date.now(), respond: async () => false },
      });

      expect(runs).toEqual([]);
    });

    it("does nothing where another process had refused, and the answer to its own try was lost", async () => {
      const { receive } = await openProcess();
      const sent = sentCommand("playlists create", whose);
      losesFirstAnswer(() => {
        answers.messages.set(sent.token, { flags: MessageFlags.Ephemeral, text: "refused" });
      });

      await receive(sent);

      expect([runs, textOf(sent)]).toEqual([[], "refused"]);
    });

    it("begins where its own try was first, although the answer to it was lost", async () => {
      const { receive } = await openProcess();
      const sent = sentCommand("playlists create", whose);
      losesFirstAnswer(() => {
        answers.messages.set(sent.token, { flags: MessageFlags.Loading, text: "" });
      });

      await receive(sent);

      expect(runs).toEqual(["create"]);
      expect(textOf(sent)).toContain("create");
    });

    it("asks before it begins over HTTP whether a response that left late came in time", async () => {
      const { dispatcher } = await openProcess();
      const [taken, lost] = [0, 1].map(() => sentCommand("playlists create", whose)) as [
        Sent,
        Sent,
      ];
      const respond = async () => true;
      answers.messages.set(taken.token, { flags: MessageFlags.Loading, text: "" });

      await dispatcher.receive(taken as never, { arrivedAt: Date.now() - 1_100, respond });
      await dispatcher.receive(lost as never, { arrivedAt: Date.now() - 2_200, respond });

      expect(runs).toEqual(["create"]);
      expect([textOf(taken), textOf(lost)]).toEqual([expect.stringContaining("create"), ""]);
    });

    it("claims nothing that comes too late to be answered", async () => {
      const { dispatcher } = await openProcess();
      const sent = sentCommand("playlists create", whose);

      await dispatcher.receive(sent as never, { arrivedAt: Date.now() - 2_300 });

      expect([runs, answers.acknowledged, await rowsOf("interactions")]).toEqual([[], [], []]);
    });

    it("leaves nothing open of what was claimed only after its person was told", async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const { claim } = one.store.interactions;
      const late = Promise.withResolvers<void>();
      one.store.interactions.claim = async (claimed) => {
        await late.promise;
        return claim(claimed);
      };
      const sent = sentCommand("playlists list", whose);

      await one.receive(sent);
      late.resolve();
      await expect.poll(() => rowsOf("interactions")).toEqual([{ is_open: 0, request: null }]);
      await other.recover(one.processId, signal);

      expect(runs).toEqual([]);
    });

    it("tells the person where the database can't say who goes on", async () => {
      const one = await openProcess();
      one.store.interactions.claim = () =>
        Promise.reject(new ServiceError("away", { code: "store_unavailable" }));
      const sent = sentCommand("playlists list", whose);

      await one.receive(sent);

      expect(runs).toEqual([]);
      expect(answers.acknowledged).toHaveLength(1);
    });

    it.runIf(name === "PostgreSQL")(
      "stops work whose Cancel is pressed in another process",
      async () => {
        const [one, other] = [await openProcess(), await openProcess()];
        const sent = sentCommand("playlists remove", whose);
        const work = one.receive(sent);
        await expect.poll(() => runs).toEqual(["remove"]);

        const stranger = { ...whose, userId: "666666666666666666" };
        await other.receive(sentPress(stranger, { customId: encodeCancelId(sent.id) }));
        await other.receive(sentPress(whose, { customId: encodeCancelId(sent.id) }));
        await work;

        expect(textOf(sent)).toContain("Cancel");
        expect(runs).toEqual(["remove"]);
      },
    );

    function rowsOf(table: string) {
      return place.query(`select is_open, request from ${table}`);
    }

    /** The first try reaches Discord or not, as `arrive` says, and its answer is lost. */
    function losesFirstAnswer(arrive: () => void): void {
      const { post } = answers.rest;
      answers.rest.post = async () => {
        answers.rest.post = post;
        arrive();
        throw new Error("the connection was lost");
      };
    }

    function textOf({ token }: { readonly token: string }): string {
      return answers.messages.get(token)?.text ?? "";
    }
  });
}

function never(): never {
  throw new TypeError("nothing is made in the server here");
}
