import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectRoutes, type Route } from "../../../src/discord/declare/routes.ts";
import { loadCommands } from "../../../src/discord/index.ts";
import { type MethodSpec, methods } from "../../../src/video/index.ts";
import {
  type Filled,
  fillRequired,
  type KnownValues,
  optionValue,
  prepareVideo,
} from "../../support/chat-coverage/fill-options.ts";
import { extraPlaces } from "../../support/chat-coverage/walk-command.ts";
import { demandsOf } from "../../support/demands-of.ts";
import { asMessage, isEphemeral, openStage, type Stage, textOf } from "../../support/stage.ts";

const catalogue = await loadCommands(new URL("../../../commands/", import.meta.url));
const readers = [...collectRoutes(catalogue).commands].filter(([, { declaration }]) => {
  const { method } = demandsOf(declaration);
  const spec: MethodSpec | undefined = method && methods[method];
  return spec?.effect === "read" && spec.auth !== "token";
});

let stage: Stage;
let known: KnownValues;
beforeAll(async () => {
  stage = await openStage();
  known = await prepareVideo(stage);
  await stage.sandbox
    .user("owner")
    .command("channels edit", { extra: 'invideoPromotion={"useSmartTiming": true}' });
});
afterAll(async () => {
  expect(await stage.violations()).toEqual([]);
  await stage.close();
});

/** The parameters of a command that only a channel's consent can answer, as people type them. */
async function ownParams(path: string, route: Route): Promise<readonly Filled[]> {
  const { declaration, options } = route;
  const { query }: MethodSpec = methods[demandsOf(declaration).method ?? "search.list"];
  const offered = await extraPlaces({ stage, path, route, known });
  const typed: Filled[] = [];
  for (const [name, { needsToken, forContentOwners, type }] of Object.entries(query)) {
    if (needsToken === undefined || forContentOwners) continue;
    const values = needsToken === true ? [type === "boolean" ? "true" : "x"] : needsToken;
    if (offered.includes(name))
      typed.push(...values.map((value) => ({ extra: `${name}=${value}` })));
    const option = Object.entries(options).find(([, { covers }]) => covers === name);
    if (option === undefined) continue;
    const [optionName, spec] = option;
    const value = await optionValue({ stage, known }, { path, name: optionName, option: spec }, {});
    typed.push({ [optionName]: value });
  }
  return typed;
}

async function use(path: string, options: Filled, who: "owner" | "member"): Promise<APIMessage> {
  return asMessage(await stage.sandbox.user(who).command(path, options));
}

/** Options that some of these parameters require. */
const besides: Readonly<Record<string, Filled>> = { search: { type: "video" } };

describe("what only the linked channel can read", () => {
  it.each(readers)("is read with its consent and answered privately: /%s", async (path, route) => {
    const needed = { ...(await fillRequired(stage, path, route, known)), ...besides[path] };

    for (const typed of await ownParams(path, route)) {
      const from = stage.videoRequests.length;
      const message = await use(path, { ...needed, ...typed }, "owner");

      const seen = stage.videoRequests.slice(from);
      expect([path, typed, isEphemeral(message)]).toEqual([path, typed, true]);
      expect(seen.map(({ query }) => query.has("key"))).not.toContain(true);
      expect(seen.map(({ method }) => method)).toContain(demandsOf(route.declaration).method);
    }
  });

  it.each(readers)("is nothing for members: /%s", async (path, route) => {
    const needed = { ...(await fillRequired(stage, path, route, known)), ...besides[path] };

    for (const typed of await ownParams(path, route)) {
      const from = stage.videoRequests.length;
      const message = await use(path, { ...needed, ...typed }, "member");

      expect([typed, textOf(message)]).toEqual([
        typed,
        expect.stringContaining("Only moderators can do this"),
      ]);
      expect(stage.videoRequests).toHaveLength(from);
    }
  });

  it("is looked at, and shown as the service calls it", async () => {
    const message = await use("channels show", { extra: "part=invideoPromotion,status" }, "owner");

    expect(textOf(message)).toContain("invideoPromotion\nuseSmartTiming: true");
    expect(textOf(message)).toContain("privacyStatus: public");
    expect(isEphemeral(message)).toBe(true);
  });

  it("is the service's to refuse where it is about another channel", async () => {
    const options = { channel: "@lowtidemusic", extra: "part=invideoPromotion" };

    const message = await use("channels show", options, "owner");

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).toContain("Not allowed");
  });
});
