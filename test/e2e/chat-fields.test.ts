import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectRoutes } from "../../src/discord/declare/routes.ts";
import { loadCommands } from "../../src/discord/index.ts";
import { prepareVideo } from "../support/chat-coverage/fill-options.ts";
import { needlessEntries, whyInvisible } from "../support/chat-coverage/invisible.ts";
import { type FieldPlace, markedFields } from "../support/chat-coverage/marked-answers.ts";
import {
  answerMarked,
  fieldsSaved,
  fieldsShown,
  look,
  looksAt,
} from "../support/chat-coverage/seen-fields.ts";
import { shows } from "../support/chat-coverage/values.ts";
import type { Typed } from "../support/chat-coverage/walk-command.ts";
import { demandsOf } from "../support/demands-of.ts";
import { openStage, type Stage } from "../support/stage.ts";

const catalogue = await loadCommands(new URL("../../commands/", import.meta.url));
const routes = collectRoutes(catalogue).commands;

/** Fields that a message or file has shown so far. */
const seen = new Set<FieldPlace>();
let stage: Stage;
/** What to type, by the command that it begins with. */
let looks: ReadonlyMap<string, readonly Typed[]>;

const paths = [...routes].flatMap(([path, { options, declaration }]) =>
  options.output !== undefined && demandsOf(declaration).method !== undefined ? [path] : [],
);
const commands = [...new Set([...paths, ...shows.map(([path]) => path)])];

/**
 * Every field of every result, as far as people can see it. YouTube's stand-in answers with a unique value in each
 * field; a field counts as seen when its value is in a message, in "Details" or in a file.
 */
describe("what people see in the chat", () => {
  beforeAll(async () => {
    stage = await openStage();
    const known = await prepareVideo(stage);
    const found = new Map<string, Typed[]>();
    for (const path of commands) {
      const route = routes.get(path);
      if (route === undefined) throw new Error(`there is no /${path}`);
      const typed = paths.includes(path) ? await looksAt({ stage, path, route, known }) : [];
      const more = shows.filter(([at]) => at === path).map(([, options]) => ({ path, options }));
      found.set(path, [...typed, ...more]);
    }
    looks = found;
    answerMarked(stage);
  });
  afterAll(() => stage.close());

  it.each(commands)("is shown by /%s", async (path) => {
    const method = demandsOf(routes.get(path)?.declaration ?? {}).method;
    const shown = new Set<FieldPlace>();

    for (const typed of looks.get(path) ?? []) {
      for (const message of await look(stage, typed)) {
        for (const place of fieldsShown(message)) shown.add(place);
        for (const place of await fieldsSaved(message, method)) shown.add(place);
      }
    }

    for (const place of shown) seen.add(place);
    expect(shown.size).toBeGreaterThan(0);
    expect(await stage.violations()).toEqual([]);
  });

  it("is every field of every result, but for what is listed with its reason", () => {
    const places = [...markedFields.keys()];
    const missing = places.filter((place) => !seen.has(place) && !whyInvisible(place));

    expect({ missing, listedNeedlessly: needlessEntries((place) => seen.has(place)) }).toEqual({
      missing: [],
      listedNeedlessly: [],
    });
  });
});
