import { readdirSync, readFileSync } from "node:fs";

/** Of Linux's clock, in which processes are counted. */
const tickMs = 10;

/** CPU in ms, user and system, that this process and its children have used. Children are seen on Linux alone. */
export function cpuWithChildren(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1000;
  if (process.platform !== "linux") return own;
  return own + children().reduce((sum, ticks) => sum + ticks * tickMs, 0);
}

function children(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const fields = statOf(pid);
      return Number(fields[1]) === process.pid ? [Number(fields[11]) + Number(fields[12])] : [];
    });
}

/** From the state on: the name before it may hold anything. */
function statOf(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
