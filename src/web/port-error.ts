import { ConfigError } from "../errors.ts";

interface WantedPort {
  readonly port: number | string;
  /** The variable that sets the port. */
  readonly variable: "PORT" | "HEALTH_PORT";
  /** The end of the hint. */
  readonly more: string;
}

/** The error for a port that can't be listened on: ConfigError `port_taken` or `port_forbidden`, else the cause itself. */
export function portError(cause: unknown, { port, variable, more }: WantedPort): unknown {
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
