import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Catalogue, define, loadCommands } from "../../src/discord/index.ts";
import { limits } from "../../src/discord/limits.ts";

const folder = join(import.meta.dirname, "../../commands");

interface OptionJson {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly options?: readonly OptionJson[];
  readonly choices?: readonly { readonly name: string; readonly value: unknown }[];
}

describe("the commands", () => {
  let catalogue: Catalogue;
  let definitions: readonly (Partial<OptionJson> & { readonly name: string })[];
  beforeAll(async () => {
    catalogue = await loadCommands(new URL(`file://${folder}/`));
    definitions = define(catalogue) as unknown as typeof definitions;
  });

  const everyOption = () => {
    const all: OptionJson[] = [];
    const visit = (options: readonly OptionJson[] = []) => {
      for (const option of options) {
        all.push(option);
        visit(option.options);
      }
    };
    for (const { options } of definitions) visit(options);
    return all;
  };

  it("are the files of the folder, one each", () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.ts$/u, ""));

    expect([...catalogue.keys()].sort()).toEqual(files.sort());
  });

  it("have names and descriptions that Discord takes", () => {
    const { name: nameLimit, description } = limits.command;
    const wrong = everyOption().filter(
      (option) =>
        !/^[\p{Ll}\p{N}_-]+$/u.test(option.name) ||
        option.name.length > nameLimit ||
        option.description.length === 0 ||
        option.description.length > description,
    );

    expect(wrong).toEqual([]);
  });

  it("ask for what is required first", () => {
    const wrong = everyOption().filter(({ options = [] }) => {
      const firstOptional = options.findIndex(({ required }) => !required);
      return firstOptional >= 0 && options.slice(firstOptional).some(({ required }) => required);
    });

    expect(wrong).toEqual([]);
  });

  it("have at most 25 options and choices, of at most 100 characters", () => {
    const { options: most, choices: mostChoices, choiceName } = limits.command;
    const wrong = everyOption().filter(
      ({ options = [], choices = [] }) =>
        options.length > most ||
        choices.length > mostChoices ||
        choices.some(({ name, value }) => name.length > choiceName || `${value}`.length > 100),
    );

    expect(wrong).toEqual([]);
  });

  it("stay under 8,000 characters each", () => {
    const lengthOf = (part: unknown): number =>
      typeof part === "object" && part !== null
        ? Object.entries(part).reduce(
            (sum, [key, value]) =>
              sum +
              (["name", "description", "value"].includes(key) && typeof value === "string"
                ? value.length
                : lengthOf(value)),
            0,
          )
        : 0;

    expect(definitions.filter((one) => lengthOf(one) > limits.command.total)).toEqual([]);
  });
});
