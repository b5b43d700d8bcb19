import { createSecrets } from "../log.ts";
import { type Diagnosis, diagnose } from "./diagnosis/diagnose.ts";
import { formatFindings, summarizeFindings } from "./diagnosis/findings-table.ts";
import {
  createTerminalContext,
  exitCodes,
  type ProgramArguments,
  type ProgramContext,
  runProgram,
} from "./program.ts";

const help = `Checks everything that Greenroom needs, before the first start or while the bot is running. It changes nothing.

  npm run doctor                one table: what was looked at, how it stands, what to do
  npm run doctor -- --json      the same for programs

It reads .env and the environment as the bot does, and never shows a secret.
Exit codes: 0 nothing is wrong, 1 something is, 2 the configuration can't be read.`;

const widthOfPipes = 120;

process.exitCode = await runProgram(
  { name: "doctor", help, flags: ["json"], takesWords: false, run },
  process.argv.slice(2),
  createTerminalContext(process.env),
);

async function run({ flags }: ProgramArguments, { env, say }: ProgramContext): Promise<number> {
  const diagnosis = await diagnose({ env, envFile: ".env" });
  const findings = mask(diagnosis);
  const isWell = findings.every(({ state }) => state !== "wrong");
  say(flags.has("json") ? JSON.stringify({ isWell, findings }, null, 2) : formatTable(findings));
  if (!diagnosis.isReadable) return exitCodes.configuration;
  return isWell ? exitCodes.done : exitCodes.failure;
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

function formatTable(findings: Diagnosis["findings"]): string {
  const { isTTY, columns } = process.stdout;
  const hasColor = isTTY === true && !process.env.NO_COLOR;
  const width = isTTY ? columns : widthOfPipes;
  return `${formatFindings(findings, { width, hasColor })}\n\n${summarizeFindings(findings)}`;
}
