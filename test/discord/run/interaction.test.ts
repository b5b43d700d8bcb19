import type { APIInteraction, REST } from "discord.js";
import { describe, expect, it } from "vitest";
import { collectRoutes } from "../../../src/discord/declare/routes.ts";
import { command, notice } from "../../../src/discord/index.ts";
import { createDispatcher } from "../../../src/discord/run/dispatch.ts";
import { createRunningHandlers } from "../../../src/discord/run/running-handlers.ts";
import type { ObservedOutcome, Services } from "../../../src/discord/run/services.ts";
import { InputError } from "../../../src/errors.ts";
import { option, subcommand } from "../../../src/features/declarations/index.ts";
import { createFeatureContexts, type FeatureServices } from "../../../src/features/index.ts";
import { createLanguages } from "../../../src/language/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { createClaimedInteractions } from "../../support/claimed-interactions.ts";
import { rolesFrom } from "../../support/guild-roles.ts";

const ping = command({
  run: subcommand({
    options: { word: option.text({}) },
    run: async (ctx) => {
      if (ctx.options.word === "bug") throw new TypeError("not foreseen");
      if (ctx.options.word === "no") {
        throw new InputError("no such word", { code: "unknown_word" as string });
      }
      return notice({ tone: "neutral", title: "Pong" });
    },
  }),
});

function observing(post: () => Promise<unknown> = async () => undefined) {
  const observed: ObservedOutcome[] = [];
  const none = async () => undefined;
  // As if the message already showed the answer of another process.
  const silent = { post, get: async () => ({ id: "1" }), patch: none, delete: none };
  const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
  const store = {
    settings: { read: async () => ({ state: "absent" }) },
    interactions: createClaimedInteractions(),
    database: {
      dialect: "sqlite",
      waitingMs: () => 0,
      servers: {
        answerFor: <T>(_: string, work: () => Promise<T>) => work(),
        version: async () => "",
      },
    },
  };
  const services = {
    log,
    languages: createLanguages(),
    commandIds: new Map(),
    now: Date.now,
    random: Math.random,
    store,
    observer: (one: ObservedOutcome) => observed.push(one),
  };
  const never = () => {
    throw new TypeError("nothing is made here");
  };
  const { receive } = createDispatcher({
    routes: collectRoutes(new Map([["ping", ping]])),
    // As many of the services as the ping needs.
    services: services as unknown as Services,
    features: createFeatureContexts({ store, now: Date.now } as unknown as FeatureServices),
    callbackRest: silent as unknown as REST,
    answerRest: silent as unknown as REST,
    rest: silent as unknown as REST,
    running: createRunningHandlers(),
    create: { emoji: never, sticker: never },
    serverRoles: rolesFrom(Date.now),
    botId: "9".repeat(18),
  });
  return { dispatch: receive, observed };
}

function interaction(fields: object): APIInteraction {
  return {
    id: "100000000000000001",
    application_id: "1".repeat(18),
    token: "token",
    guild_id: "2".repeat(18),
    locale: "en-US",
    member: { user: { id: "3".repeat(18) }, permissions: "0" },
    ...fields,
  } as unknown as APIInteraction;
}

function run(name: string, word: string, type = 2): APIInteraction {
  const options = [{ name: "word", type: 3, value: word, ...(type === 4 && { focused: true }) }];
  return interaction({ type, data: { id: "4", name, type: 1, options } });
}

describe("an observer", () => {
  it.each([
    ["hello", "answered", undefined],
    ["no", "failed", { kind: "input", code: "unknown_word" }],
    ["bug", "failed", { kind: "bug", code: "bug" }],
  ])("receives the outcome of a command (%s)", async (word, outcome, failure) => {
    const { dispatch, observed } = observing();

    await dispatch(run("ping", word), { arrivedAt: Date.now() - 40 });

    expect(observed).toEqual([
      {
        kind: "command",
        name: "ping",
        outcome,
        failure,
        acknowledgedMs: expect.any(Number),
        ms: expect.any(Number),
      },
    ]);
    expect(observed[0]?.acknowledgedMs).toBeGreaterThanOrEqual(40);
    expect(observed[0]?.ms).toBeGreaterThanOrEqual(observed[0]?.acknowledgedMs ?? Infinity);
  });

  it("hears no name that nobody declared, however many are sent", async () => {
    const { dispatch, observed } = observing();

    for (let n = 0; n < 300; n += 1) {
      await dispatch(run(`made-up-${n}`, "x"), { arrivedAt: Date.now() });
      await dispatch(run(`made-up-${n}`, "x", 4), { arrivedAt: Date.now() });
      const menu = { id: "4", name: `Made up ${n}`, type: 3, target_id: "5" };
      await dispatch(interaction({ type: 2, data: menu }), { arrivedAt: Date.now() });
      const button = { custom_id: `made-up:${n}`, component_type: 2 };
      await dispatch(interaction({ type: 3, data: button }), { arrivedAt: Date.now() });
    }

    expect(observed).toHaveLength(1_200);
    expect(new Set(observed.map(({ name }) => name))).toEqual(new Set([undefined]));
    expect(new Set(observed.map(({ kind }) => kind))).toEqual(
      new Set(["command", "suggestion", "menu", "action"]),
    );
  });

  it("receives a suggestion under its command", async () => {
    const { dispatch, observed } = observing();

    await dispatch(run("ping", "he", 4), { arrivedAt: Date.now() });

    expect(observed).toMatchObject([{ kind: "suggestion", name: "ping", outcome: "answered" }]);
  });

  it("receives that nobody was reached in time", async () => {
    const late = observing(() => Promise.reject(new Error("no way there")));
    await late.dispatch(run("ping", "hello"), { arrivedAt: Date.now() - 2_290 });

    expect(late.observed).toMatchObject([{ outcome: "expired", acknowledgedMs: undefined }]);
  });

  it("receives what came too late to be answered, for which nothing was sent", async () => {
    const sent: string[] = [];
    const { dispatch, observed } = observing(async () => sent.push("first answer"));

    await dispatch(run("ping", "hello"), { arrivedAt: Date.now() - 2_300 });
    await dispatch(run("ping", "he", 4), { arrivedAt: Date.now() - 2_300 });

    expect(observed.map(({ outcome }) => outcome)).toEqual(["expired", "expired"]);
    expect(sent).toEqual([]);
  });
});
