/**
 * Opens the database at an address, writes, and prints "done". With a number after the address, the process kills
 * itself at that statement that changes something. With `erase` it then removes the server, and kills itself at the
 * given statement of that.
 */
import { StatementSync } from "node:sqlite";
import pg from "pg";
import { createRecordTable, openDatabase } from "../../src/database/index.ts";

const [url = "", kill = "0", guildId = "", what = "", eraseKill = "0"] = process.argv.slice(2);
let statements = Number(kill);

function count(text: unknown): void {
  if (statements === 0 || !/^\s*(?:create|insert|delete|commit|alter)/iu.test(String(text))) return;
  statements -= 1;
  if (statements === 0) process.kill(process.pid, "SIGKILL");
}

for (const name of ["all", "run"] as const) {
  const own: (...values: never[]) => unknown = StatementSync.prototype[name];
  StatementSync.prototype[name] = function (this: StatementSync, ...values: never[]) {
    count(this.sourceSQL);
    return own.apply(this, values);
  } as never;
}
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...args: readonly unknown[]) {
  count((args[0] as { readonly text?: string } | undefined)?.text ?? args[0]);
  return Reflect.apply(query, this, args);
} as typeof query;

const database = await openDatabase({ url });
const books = createRecordTable<"rule_books", { n: number }>(database, {
  table: "rule_books",
  key: [],
});
await books.change(guildId, [], (stored) => ({ n: (stored?.n ?? 0) + 1 }));
if (what === "erase") {
  statements = Number(eraseKill);
  const serverId = (await database.servers.find(guildId)) ?? 0;
  await database.servers.remove({ table: "servers", serverId });
}
await database.close();
process.stdout.write("done");
