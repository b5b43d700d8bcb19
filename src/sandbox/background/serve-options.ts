import { parseArgs } from "node:util";

export interface ServeOptions {
  readonly port: number;
  /** Undefined: one has to be made. */
  readonly key: string | undefined;
  /** Infinity where none was named. */
  readonly credits: number;
  /** Infinity where none was named. */
  readonly megapixelsPerMinute: number;
  readonly maxBytes: number;
}

/** What the command line asks for, or what is wrong with it. */
type ServeCommand =
  | { readonly kind: "serve"; readonly options: ServeOptions }
  | { readonly kind: "help" }
  | { readonly kind: "fault"; readonly fault: string };

export const usage = `Usage: npm run background-server -- [options]

  --port PORT      where it listens on 127.0.0.1; 8790, or PORT from the environment
  --key KEY        the API key that it asks for; BACKGROUND_SERVER_KEY from the environment, or a new one each time
  --credits N      credits that run down; without it nothing is charged
  --rate N         megapixels a minute that it takes; without it there is no limit
  --max-mb N       largest picture in MB; 12
  --help           this text
`;

const defaultPort = 8790;
const defaultMaxMegabytes = 12;

/** Reads the command line; the environment fills in what it leaves out. */
export function readServeOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServeCommand {
  const faults: string[] = [];
  const values = parse(args, faults);
  if (values.help === true) return { kind: "help" };
  const key = values.key ?? (env.BACKGROUND_SERVER_KEY || undefined);
  // A header can hold nothing else.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    faults.push("The key may hold letters, digits and signs, and no blanks.");
  }
  const number = (name: string, text: string | undefined, rule: NumberRule): number => {
    const value = text === undefined ? rule.absent : Number(text);
    if (text === undefined) return value;
    const isGood = text.trim() !== "" && value >= rule.least && value <= rule.most;
    if (!isGood || (rule.isWhole && !Number.isInteger(value))) {
      faults.push(`${name} has to be ${rule.words}, not "${text}".`);
    }
    return value;
  };
  const options = {
    key,
    port: number("The port", values.port ?? (env.PORT || undefined), rules.port),
    credits: number("--credits", values.credits, rules.credits),
    megapixelsPerMinute: number("--rate", values.rate, rules.rate),
    maxBytes: number("--max-mb", values["max-mb"], rules.maxMegabytes) * 1024 * 1024,
  };
  const fault = faults.join("\n");
  return fault === "" ? { kind: "serve", options } : { kind: "fault", fault };
}

interface NumberRule {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
  readonly absent: number;
  readonly words: string;
}

const rules = {
  port: {
    least: 0,
    most: 65_535,
    isWhole: true,
    absent: defaultPort,
    words: "a whole number from 0 (any free one) to 65535",
  },
  credits: { least: 0, most: 1e9, absent: Number.POSITIVE_INFINITY, words: "a number from 0" },
  rate: {
    least: 1,
    most: 1e9,
    isWhole: true,
    absent: Number.POSITIVE_INFINITY,
    words: "a whole number from 1",
  },
  maxMegabytes: { least: 1, most: 100, absent: defaultMaxMegabytes, words: "from 1 to 100" },
} as const satisfies Record<string, NumberRule>;

interface CommandLineValues {
  readonly port?: string;
  readonly key?: string;
  readonly credits?: string;
  readonly rate?: string;
  readonly "max-mb"?: string;
  readonly help?: boolean;
}

function parse(args: readonly string[], faults: string[]): CommandLineValues {
  const text = { type: "string" } as const;
  const options = {
    port: text,
    key: text,
    credits: text,
    rate: text,
    "max-mb": text,
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
    return {};
  }
}
