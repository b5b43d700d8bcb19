import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { collectRoutes, commandPaths } from "../../src/discord/declare/routes.ts";
import { limits } from "../../src/discord/draw/limits.ts";
import type { Press } from "../../src/discord/draw/reply.ts";
import {
  type Command,
  type CommandCatalogue,
  defineCommands,
  loadCommands,
} from "../../src/discord/index.ts";
import { presses } from "../../src/features/cards/index.ts";
import { createLanguages, type Locale, localeFor, locales } from "../../src/language/index.ts";
import { localeNames } from "../../src/sandbox/locales.ts";
import { methods } from "../../src/video/index.ts";
import { demandsOf } from "../support/demands-of.ts";

const folder = join(import.meta.dirname, "../../commands");
const translations = locales.slice(1);

type Localizations = Readonly<Partial<Record<Locale, string>>>;

interface Named {
  readonly name: string;
  readonly name_localizations?: Localizations;
}

interface Part extends Named {
  readonly description?: string;
  readonly description_localizations?: Localizations;
  readonly required?: boolean;
  readonly options?: readonly Part[];
  readonly choices?: readonly (Named & { readonly value: string | number })[];
}

/** A command, subcommand or option, with the names that lead to it. */
interface At {
  readonly path: string;
  readonly part: Part;
}

describe("the commands", () => {
  let catalogue: CommandCatalogue;
  let definitions: readonly Part[];
  let parts: readonly At[];
  beforeAll(async () => {
    catalogue = await loadCommands(new URL(`file://${folder}/`));
    // Discord's own type distinguishes kinds of options, which these rules don't.
    definitions = defineCommands(catalogue, createLanguages()) as unknown as readonly Part[];
    parts = definitions.flatMap((part) => below(part, part.name));
  });

  const commands = () =>
    [...catalogue].filter((entry): entry is [string, Command] => entry[1].kind === "command");
  const chatInputs = () => parts.filter(({ part }) => part.description !== undefined);

  it("are the files of the folder, one each", () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.ts$/u, ""));

    expect([...catalogue.keys()].sort()).toEqual(files.sort());
  });

  it("destroy once, however often a confirmation is pressed", () => {
    const confirmed = commands()
      .flatMap(([, { actions = [] }]) => actions)
      .filter((action) => {
        const { by, answer } = action;
        const { method } = demandsOf(action);
        const effect = method === undefined ? "read" : methods[method].effect;
        return effect === "destroy" && by === "requester" && answer === "update";
      });

    expect(confirmed.length).toBeGreaterThan(5);
    expect(confirmed.filter(({ isOnce }) => isOnce !== true)).toEqual([]);
  });

  describe("each method of the service", () => {
    const subcommandsOf = (method: string) =>
      commands()
        .flatMap(([name, command]) => commandPaths(name, command))
        .filter(([, declaration]) => demandsOf(declaration).method === method)
        .map(([path]) => path);

    it.each(Object.keys(methods))("%s has exactly one subcommand", (method) => {
      expect(subcommandsOf(method)).toEqual([expect.any(String)]);
    });

    it("is in one of at most eleven commands", () => {
      const withRows = commands().filter(([name, command]) =>
        commandPaths(name, command).some(
          ([, declaration]) => demandsOf(declaration).method !== undefined,
        ),
      );

      expect(withRows.length).toBeLessThanOrEqual(11);
    });
  });

  it("carry out every press that cards offer", () => {
    const { actions } = collectRoutes(catalogue);
    const offered = Object.values(presses).flatMap((group) => Object.values(group));
    // Only the names matter here, so any state will do.
    const names = offered.map(
      (make) => (make as unknown as (...given: unknown[]) => Press)("x", "y").action,
    );

    expect(names.filter((name) => !actions.has(name))).toEqual([]);
  });

  it.each(locales)("have names in %s that Discord takes", (locale) => {
    const wrong = chatInputs().filter(({ part }) => {
      const name = nameIn(part, locale);
      return !/^[-_'\p{L}\p{N}]{1,32}$/u.test(name) || name !== name.toLowerCase();
    });

    expect(wrong.map(({ path, part }) => `${path}: ${nameIn(part, locale)}`)).toEqual([]);
  });

  it.each(locales)("have descriptions in %s of 1 to 100 characters", (locale) => {
    const textOf = ({ part }: At) => part.description_localizations?.[locale] ?? part.description;
    const wrong = chatInputs().filter((at) => {
      const { length } = textOf(at) ?? "";
      return length === 0 || length > limits.command.description;
    });

    expect(wrong.map((at) => `${at.path}: ${textOf(at)}`)).toEqual([]);
  });

  it.each(locales)("have names in %s that distinguish neighbours", (locale) => {
    const doubled = [{ path: "/", part: { name: "", options: definitions } }, ...parts].flatMap(
      ({ path, part }) => {
        const names = (part.options ?? []).map((each) => nameIn(each, locale));
        return names
          .filter((name, index) => names.indexOf(name) !== index)
          .map((name) => `${path}: ${name}`);
      },
    );

    expect(doubled).toEqual([]);
  });

  it.each(locales)("have choices in %s of at most 100 characters, each its own", (locale) => {
    const wrong = parts.flatMap(({ path, part }) => {
      const names = (part.choices ?? []).map((choice) => nameIn(choice, locale));
      return names
        .filter(
          (name, index) =>
            name.length === 0 ||
            name.length > limits.command.choiceName ||
            names.indexOf(name) !== index,
        )
        .map((name) => `${path}: ${name}`);
    });

    expect(wrong).toEqual([]);
  });

  it.each(translations)("have words in %s for every option and choice", (locale) => {
    const missing = parts.flatMap(({ path, part }) => [
      ...(part.name_localizations?.[locale] === undefined ? [`${path}: name`] : []),
      ...(part.description !== undefined && part.description_localizations?.[locale] === undefined
        ? [`${path}: description`]
        : []),
      ...(part.choices ?? [])
        .filter(({ name_localizations: names }) => names?.[locale] === undefined)
        .map(({ value }) => `${path}: ${value}`),
    ]);

    expect(missing).toEqual([]);
  });

  it("are registered in the language that each of Discord's is answered in", () => {
    const inOurs = (words: string | undefined, others: Localizations = {}, tag: string) => {
      const ours = localeFor(tag);
      return { shown: others[tag as Locale] ?? words, answered: others[ours] ?? words };
    };
    const wrong = parts.flatMap(({ path, part }) =>
      Object.keys(localeNames).flatMap((tag) => {
        const texts = [
          inOurs(part.name, part.name_localizations, tag),
          inOurs(part.description, part.description_localizations, tag),
          ...(part.choices ?? []).map((each) => inOurs(each.name, each.name_localizations, tag)),
        ];
        return texts.some(({ shown, answered }) => shown !== answered) ? [`${path} in ${tag}`] : [];
      }),
    );

    expect(localeFor("es-419")).toBe("es-ES");
    expect(wrong).toEqual([]);
  });

  it("ask for what is required first", () => {
    const wrong = parts.filter(({ part: { options = [] } }) => {
      const firstOptional = options.findIndex(({ required }) => required !== true);
      return firstOptional >= 0 && options.slice(firstOptional).some(({ required }) => required);
    });

    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("have at most 25 subcommands, options and choices, and values of at most 100 characters", () => {
    const { options: mostOptions, choices: mostChoices, choiceText } = limits.command;
    const wrong = parts.filter(
      ({ part: { options = [], choices = [] } }) =>
        options.length > mostOptions ||
        choices.length > mostChoices ||
        choices.some(({ value }) => `${value}`.length > choiceText),
    );

    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("stay under 8,000 characters each, counted in the longest language of each field", () => {
    const sizes = definitions.map((part) => [part.name, sizeOf(part)] as const);

    expect(sizes.filter(([, size]) => size > limits.command.total)).toEqual([]);
  });
});

function below(part: Part, path: string): At[] {
  const inside = (part.options ?? []).flatMap((each) => below(each, `${path} ${each.name}`));
  return [{ path, part }, ...inside];
}

function nameIn({ name, name_localizations: names }: Named, locale: Locale): string {
  return names?.[locale] ?? name;
}

/** docs/services/discord.md#command-size */
function sizeOf(part: Part): number {
  const { name, name_localizations: names, description, description_localizations: others } = part;
  const own = longest(name, names) + longest(description ?? "", others);
  const choices = (part.choices ?? []).map(
    (choice) => longest(choice.name, choice.name_localizations) + `${choice.value}`.length,
  );
  return own + sum(choices) + sum((part.options ?? []).map(sizeOf));
}

function longest(text: string, others: Localizations = {}): number {
  return Math.max(text.length, ...Object.values(others).map(({ length }) => length));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
