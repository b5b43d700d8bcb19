import type { KeyState } from "../store/index.ts";

const columns = [
  "key",
  "seals",
  "credentials",
  "tokens",
  "tickets",
  "revocations",
  "check",
] as const;

/** One line a key, under its headings. */
export function table(states: readonly KeyState[]): string {
  const lines = states.map(({ id, isSealing, rows, canary }) => {
    const counts = [rows.credential, rows.token, rows.ticket, rows.revocation];
    return [id, isSealing ? "yes" : "", ...counts.map(String), checks[canary]];
  });
  const all = [columns, ...lines];
  const widths = columns.map((_, at) => Math.max(...all.map((line) => (line[at] ?? "").length)));
  return all
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const checks = {
  opens: "ok",
  absent: "no bot was started with it yet",
  another: "another key than the one that sealed",
  unknown: "not among the keys",
} as const satisfies Record<KeyState["canary"], string>;
