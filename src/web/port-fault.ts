import { ConfigError } from "../errors.ts";

interface Wanted {
  readonly port: number | string;
  /** That says which port. */
  readonly variable: "PORT" | "HEALTH_PORT";
  /** What else there is to know. */
  readonly more: string;
}

/** What a port that can't be listened on is told as: ConfigError `port_taken` or `port_forbidden`, else what it is. */
export function portFault(cause: unknown, { port, variable, more }: Wanted): unknown {
  const { code } = Object(cause) as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new ConfigError(`port ${port} (${variable}) is used by another program`, {
      code: "port_taken",
      hint: `Set ${variable} to another port; ${more}`,
      cause,
    });
  }
  if (code === "EACCES") {
    return new ConfigError(`port ${port} (${variable}) may not be used by this program's user`, {
      code: "port_forbidden",
      hint: `Set ${variable} to a port from 1024 on; ${more}`,
      cause,
    });
  }
  return cause;
}
