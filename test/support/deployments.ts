import { postgres, sqlite } from "./databases/kinds.ts";
import { findPostgres } from "./databases/postgres-server.ts";

/** A way to run the bot; what people see is the same in all. */
export interface Deployment {
  readonly name: string;
  readonly transport: "gateway" | "http";
  readonly processes: number;
  readonly database: "SQLite" | "PostgreSQL";
}

const all: readonly Deployment[] = [
  { name: "gateway", transport: "gateway", processes: 1, database: "SQLite" },
  { name: "http", transport: "http", processes: 1, database: "SQLite" },
  { name: "gateway-2", transport: "gateway", processes: 2, database: "PostgreSQL" },
  { name: "http-2", transport: "http", processes: 2, database: "PostgreSQL" },
];

/** The deployments that this machine can run. */
export const deployments = all.filter(
  ({ database }) => database === "SQLite" || findPostgres() !== undefined,
);

/** The sandbox's options for a deployment, with a new database. */
export async function openDeployment(deployment: Deployment) {
  const { transport, processes, database } = deployment;
  const kind = database === "SQLite" ? sqlite() : postgres();
  const { url } = await kind.fresh();
  return {
    options: { transport, processes, store: url },
    /** To be called once the sandbox is closed. */
    stop: kind.stop,
  };
}

/** `GREENROOM_STAGE=http-2 npx vitest run test/commands/…` runs any test file on another deployment. */
export function stageDeployment(): Deployment {
  const wanted = process.env.GREENROOM_STAGE ?? "gateway";
  const found = deployments.find(({ name }) => name === wanted);
  if (found === undefined) {
    const names = deployments.map(({ name }) => name).join(", ");
    throw new TypeError(`GREENROOM_STAGE=${wanted} can't be run here; allowed are ${names}`);
  }
  return found;
}
