import { parseArgs } from "node:util";
import { z } from "zod";

/** A number as text, and how a wrong one is refused. */
function numberText(name: string, schema: z.ZodNumber, words: string) {
  return z
    .string()
    .refine((text) => text.trim() !== "" && schema.safeParse(Number(text)).success, {
      error: ({ input }) => `${name} has to be ${words}, not "${input}".`,
    })
    .transform(Number);
}

const portWords = "a whole number from 0 (any free one) to 65535";
const amount = z.number().max(1e9);

const serveOptions = z.object({
  /** Undefined: one has to be made. A header can hold nothing but these characters. */
  key: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "The key may hold letters, digits and signs, and no blanks.")
    .optional(),
  port: numberText("The port", z.int().min(0).max(65_535), portWords).default(8790),
  credits: numberText("--credits", amount.min(0), "a number from 0").default(Infinity),
  megapixelsPerMinute: numberText(
    "--rate",
    z.int().min(1).max(1e9),
    "a whole number from 1",
  ).default(Infinity),
  maxMegabytes: numberText("--max-mb", amount.min(1).max(100), "from 1 to 100").default(12),
});

export type ServeOptions = ReturnType<typeof inBytes>;

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

const text = { type: "string" } as const;
const commandLine = {
  port: text,
  key: text,
  credits: text,
  rate: text,
  "max-mb": text,
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the command line; the environment fills in what it leaves out. */
export function readServeOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServeCommand {
  try {
    const { values } = parseArgs({ args: [...args], options: commandLine });
    if (values.help === true) return { kind: "help" };
    const { data, error } = serveOptions.safeParse({
      key: values.key ?? (env.BACKGROUND_SERVER_KEY || undefined),
      port: values.port ?? (env.PORT || undefined),
      credits: values.credits,
      megapixelsPerMinute: values.rate,
      maxMegabytes: values["max-mb"],
    });
    if (data) return { kind: "serve", options: inBytes(data) };
    return { kind: "fault", fault: error.issues.map(({ message }) => message).join("\n") };
  } catch (error) {
    return { kind: "fault", fault: error instanceof Error ? error.message : String(error) };
  }
}

function inBytes({ maxMegabytes, key, ...options }: z.infer<typeof serveOptions>) {
  return { ...options, key, maxBytes: maxMegabytes * 1024 * 1024 };
}
