type LogLine = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that would steer the terminal.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Formats a finished JSON line for people: time, level, message, fields, and below them the stacks of errors. */
export function formatForTerminal(line: string): string {
  const { time, level, message, ...fields }: LogLine = JSON.parse(line);
  const words = Object.entries(fields).map(([name, value]) => {
    const text = (value as { message?: unknown } | null)?.message;
    return `${name}=${JSON.stringify(typeof text === "string" ? text : value)}`;
  });
  const head = [String(time).slice(11, 19), String(level).padEnd(5), message, ...words].join(" ");
  const stacks = Object.values(fields).flatMap((value) => listStacks(value));
  return `${[head, ...stacks].join("\n").replace(control, "")}\n`;
}

function listStacks(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null || !("stack" in value)) return [];
  const cause = "cause" in value ? listStacks(value.cause) : [];
  return [String(value.stack), ...cause.map((stack) => `cause: ${stack}`)];
}
