import { parseArgs } from "node:util";
import { createSecrets } from "../log.ts";
import { type Diagnosis, diagnose } from "./diagnosis/diagnose.ts";
import { formatFindings, summarizeFindings } from "./diagnosis/findings-table.ts";

const help = `Checks everything that Greenroom needs, before the first start or while the bot is running. It changes nothing.

  npm run doctor                one table: what was looked at, how it stands, what to do
  npm run doctor -- --json      the same for programs

It reads .env and the environment as the bot does, and never shows a secret.
Exit codes: 0 nothing is wrong, 1 something is, 2 the configuration can't be read.
`;

const exitCodes = { wrong: 1, configuration: 2 } as const;
const widthOfPipes = 120;

const options = { json: { type: "boolean" }, help: { type: "boolean" } } as const;

try {
  const { values } = parseArgs({ options });
  if (values.help === true) process.stdout.write(help);
  else await main(values.json === true);
} catch (error) {
  if ((error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
  process.stderr.write(`${(error as Error).message}\nSee: npm run doctor -- --help\n`);
  process.exitCode = exitCodes.configuration;
}

async function main(isJson: boolean): Promise<void> {
  const diagnosis = await diagnose({ env: process.env, envFile: ".env" });
  const shown = { ...diagnosis, findings: mask(diagnosis) };
  process.stdout.write(isJson ? asJson(shown) : asTable(shown));
  process.exitCode = exitCodeOf(diagnosis);
}

/** Only in findings and advice: all other text is this program's own, and stays even if it happens to equal a password. */
function mask({ findings, secrets: known }: Diagnosis): Diagnosis["findings"] {
  const secrets = createSecrets();
  for (const secret of known) secrets.add(secret);
  return findings.map(({ found, ...finding }) => ({
    ...finding,
    found: secrets.remove(found),
    ...(finding.advice !== undefined && { advice: secrets.remove(finding.advice) }),
  }));
}

function asJson({ findings }: Diagnosis): string {
  return `${JSON.stringify({ isWell: !hasWrong(findings), findings }, null, 2)}\n`;
}

function asTable({ findings }: Diagnosis): string {
  const { isTTY, columns } = process.stdout;
  const hasColor = isTTY === true && !process.env.NO_COLOR;
  const width = isTTY ? columns : widthOfPipes;
  return `${formatFindings(findings, { width, hasColor })}\n\n${summarizeFindings(findings)}\n`;
}

function exitCodeOf({ findings, isReadable }: Diagnosis): number {
  if (!isReadable) return exitCodes.configuration;
  return hasWrong(findings) ? exitCodes.wrong : 0;
}

function hasWrong(findings: Diagnosis["findings"]): boolean {
  return findings.some(({ state }) => state === "wrong");
}
