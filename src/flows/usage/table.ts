import { type Ctx, files, type Reply, reaches, table } from "../../discord/index.ts";
import type { Line } from "./sums.ts";

/** A file for tables or programs; who sees what is as on the card. */
export async function asFile(
  ctx: Ctx<unknown>,
  lines: readonly Line[],
  output: "csv" | "json",
): Promise<Reply> {
  const rows = rowsFor(ctx, lines);
  const { words } = ctx;
  const data =
    output === "json"
      ? JSON.stringify(rows, null, 2)
      : await table(
          rows,
          Object.fromEntries(columnsFor(ctx).map((name) => [name, (row) => row[name]])),
        );
  return files({
    title: words.say("usage.title"),
    text: words.say("common.file.text", { count: rows.length }),
    files: [{ name: `usage.${output}`, data: Buffer.from(data) }],
    footer: words.say("usage.footer"),
    isPrivate: true,
  });
}

type Column = "day" | "of" | "kind" | "command" | "method" | "userId" | "amount";
type Row = Readonly<Partial<Record<Column, string | number>>>;

function columnsFor({ rank }: Ctx<unknown>): readonly Column[] {
  return [
    "day",
    "of",
    "kind",
    ...(reaches(rank, "moderator") ? (["command", "method"] as const) : []),
    ...(reaches(rank, "manager") ? (["userId"] as const) : []),
    "amount",
  ];
}

/** What the columns do not tell apart is added up. */
function rowsFor(ctx: Ctx<unknown>, lines: readonly Line[]): readonly Row[] {
  const columns = columnsFor(ctx).filter((name) => name !== "amount");
  const cells = (line: Line) => columns.map((name) => [name, line[name]] as const);
  const groups = Map.groupBy(lines, (line) => JSON.stringify(cells(line)));
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const amount = Math.round(some.reduce((sum, one) => sum + one.amount, 0) * 1000) / 1000;
    return [{ ...Object.fromEntries(cells(first)), amount }];
  });
}
