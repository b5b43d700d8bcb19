import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import { type Environment, readConfig } from "../config.ts";
import { BotError, ConfigError } from "../errors.ts";

/** What a command-line program is started with, and where it writes. */
export interface ProgramContext {
  readonly env: Environment;
  /** Where `.env` is, and where relative paths start. */
  readonly folder: string;
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

interface TerminalProgram {
  readonly name: string;
  readonly help: string;
  /** Names of its options, which have no values; `help` is added. */
  readonly flags: readonly string[];
  /** Whether it takes arguments besides its options; true when absent. */
  readonly takesWords?: boolean;
  /** Returns the exit code. */
  readonly run: (args: ProgramArguments, context: ProgramContext) => Promise<number>;
}

export interface ProgramArguments {
  readonly words: readonly string[];
  readonly flags: ReadonlySet<string>;
  /** Creates the error to throw for arguments that can't be used. */
  readonly refuse: (what: string) => ConfigError;
}

export const exitCodes = { done: 0, failure: 1, configuration: 2 } as const;

export function createTerminalContext(env: ProgramContext["env"]): ProgramContext {
  return {
    env,
    folder: "",
    say: (text) => process.stdout.write(`${text}\n`),
    complain: (text) => process.stderr.write(`${text}\n`),
  };
}

/** Returns the exit code; an expected failure is written to `complain`. */
export async function runProgram(
  program: TerminalProgram,
  words: readonly string[],
  context: ProgramContext,
): Promise<number> {
  try {
    const args = readWords(program, words);
    if (!args.flags.has("help")) return await program.run(args, context);
    context.say(program.help);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    context.complain(describeForOperator(error));
    return exitCodeFor(error);
  }
}

function readWords(
  { name, flags, takesWords = true }: TerminalProgram,
  words: readonly string[],
): ProgramArguments {
  const refuse = (what: string) =>
    new ConfigError(what, { code: "usage", hint: `See: npm run ${name} -- --help` });
  const options = Object.fromEntries(
    [...flags, "help"].map((flag) => [flag, { type: "boolean" } as const]),
  );
  try {
    const parsed = parseArgs({ args: [...words], options, allowPositionals: takesWords });
    return { words: parsed.positionals, flags: new Set(Object.keys(parsed.values)), refuse };
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

/** What the operator reads about an expected failure: what happened, and what to do where that is known. */
export function describeForOperator(error: BotError): string {
  return error instanceof ConfigError ? `${error.message}\n${error.hint}` : error.message;
}

/** `configuration` where something must be corrected before another start makes sense. */
export function exitCodeFor(error: unknown): number {
  if (!(error instanceof ConfigError) || error.facts.mayPass === true) return exitCodes.failure;
  return exitCodes.configuration;
}

/** The environment wins over `.env`, as it does for the bot; the sandbox has a store of its own. */
export function readProgramSettings({ env, folder }: Pick<ProgramContext, "env" | "folder">) {
  const envFile = join(folder, ".env");
  const all = { ...(existsSync(envFile) && parseEnv(readFileSync(envFile, "utf8"))), ...env };
  const config = readConfig(all);
  // The sandbox ignores the variable, and uses no other store.
  const isSandbox = config.mode === "sandbox" && !all.STORE_URL?.trim();
  const storeUrl = isSandbox
    ? `sqlite:${join(folder, ".greenroom/sandbox.sqlite")}`
    : config.store.url;
  return { envFile, all, config, isSandbox, storeUrl };
}
