import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectRoutes, type Route } from "../../src/discord/declare/routes.ts";
import { type CommandCatalogue, loadCommands } from "../../src/discord/index.ts";
import { reaches } from "../../src/discord/rank.ts";
import { rankFor } from "../../src/features/context/demands.ts";
import type { OptionInput, PersonName } from "../../src/sandbox/index.ts";
import { type MethodSpec, methods } from "../../src/video/index.ts";
import {
  type Filled,
  fillRequired,
  type KnownValues,
  prepareVideo,
} from "../support/chat-coverage/fill-options.ts";
import { demandsOf } from "../support/demands-of.ts";
import {
  asMessage,
  fetchBytes,
  isEphemeral,
  openStage,
  photo,
  type Stage,
  textOf,
} from "../support/stage.ts";
import { expectPrivate } from "../support/use-stage.ts";

const catalogue: CommandCatalogue = await loadCommands(new URL("../../commands/", import.meta.url));
const routes = [...collectRoutes(catalogue).commands];
const byMethod = routes.filter(
  ([, { declaration }]) => demandsOf(declaration).method !== undefined,
);

function specOf({ declaration }: Route): MethodSpec {
  const { method } = demandsOf(declaration);
  if (method === undefined) throw new Error("has no row");
  return methods[method];
}

const lists = byMethod.filter(([, route]) => route.options.output !== undefined);
const destroying = byMethod.filter(([, route]) => specOf(route).effect === "destroy");
const withExtra = byMethod.filter(([, route]) => route.options.extra !== undefined);

describe("every row in the chat", () => {
  let stage: Stage;

  let known: KnownValues;

  beforeAll(async () => {
    stage = await openStage();
    known = await prepareVideo(stage);
  });
  afterAll(async () => {
    expect(await stage.violations()).toEqual([]);
    await stage.close();
  });

  const owner = () => stage.sandbox.user("owner");
  /** Verb and method of the requests since then. */
  const asked = (since: number) =>
    stage.videoRequests.slice(since).map(({ verb, method }) => `${verb} ${method}`);

  const firstChannel = () => stage.sandbox.platform.channels[0]?.id ?? "";
  const filled = (path: string, route: Route) => fillRequired(stage, path, route, known);

  async function use(path: string, options: Filled): Promise<APIMessage> {
    return asMessage(await owner().command(path, options));
  }

  it.each(lists)("/%s comes as the service answered it", async (path, route) => {
    const message = await use(path, { ...(await filled(path, route)), output: "raw" });

    const [file] = message.attachments;
    expect(textOf(message)).toContain("Raw API response");
    const answer = JSON.parse(String(await fetchBytes(file?.url ?? ""))) as { kind?: string };
    expect(answer.kind).toMatch(/^youtube#/u);
  });

  it.each(lists)("/%s comes as a table", async (path, route) => {
    const message = await use(path, { ...(await filled(path, route)), output: "csv" });

    const table = String(await fetchBytes(message.attachments[0]?.url ?? ""));
    const [head = "", ...rows] = table.replace("\ufeff", "").trimEnd().split("\n");
    expect(head.split(",").length).toBeGreaterThan(1);
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each(withExtra)(
    "/%s names what its extra takes, and asks the service nothing",
    async (path, route) => {
      const given = await filled(path, route);
      const before = stage.videoRequests.length;

      const message = await use(path, { ...given, extra: "nonsense=1" });

      expectPrivate(message, "nonsense");
      expect(asked(before)).toEqual([]);
    },
  );

  it.each(destroying)("/%s asks before anything is lost", async (path, route) => {
    const given = await filled(path, route);
    const before = stage.videoRequests.length;

    const message = await use(path, given);

    expect(asked(before).filter((one) => !one.startsWith("GET "))).toEqual([]);
    expect(JSON.stringify(message.components)).toContain('"style":4');
    expect(textOf(message)).toMatch(/\b50 units/u);
    expect(isEphemeral(message)).toBe(true);
  });

  const people = ["member", "moderator"] as const satisfies readonly PersonName[];
  const closed = people.flatMap((person) =>
    routes
      .filter(([, { declaration }]) => !reaches(person, rankFor(declaration)))
      .map(([path, route]) => [person, path, route] as const),
  );

  it.each(closed)("a %s may not use /%s", async (person, path, route) => {
    const given = Object.fromEntries(
      await Promise.all(
        Object.entries(route.options)
          .filter(([, option]) => option.required)
          .map(async ([name, option]): Promise<[string, OptionInput]> => {
            if (option.type === "attachment") return [name, await photo("cat")];
            if (option.type === "channel") return [name, firstChannel()];
            return [name, option.choices?.values[0] ?? "dQw4w9WgXcQ"];
          }),
      ),
    );

    const message = asMessage(await stage.sandbox.user(person).command(path, given));

    expect(textOf(message)).toMatch(
      /You don’t have permission for this|Only \w+ can do this|That’s a|needs/u,
    );
    expect(isEphemeral(message)).toBe(true);
  });
});
