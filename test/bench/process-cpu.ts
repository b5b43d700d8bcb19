import { readdirSync, readFileSync } from "node:fs";

/** Linux counts a process's CPU in these ticks. */
const tickMs = 10;

/** CPU in ms, user and system, that this process and its children have used. Children are counted on Linux alone. */
export function cpuWithChildren(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1000;
  if (process.platform !== "linux") return own;
  return own + cpuOfChildren(process.pid);
}

/** CPU in ms that another process and its children, ended ones included, have used; 0 on other systems than Linux. */
export function cpuOf(pid: number): number {
  const fields = statOf(String(pid));
  const [own = 0, ended = 0] = [ticks(fields, 11), ticks(fields, 13)];
  return (own + ended) * tickMs + cpuOfChildren(pid);
}

function cpuOfChildren(parent: number): number {
  if (process.platform !== "linux") return 0;
  const used = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((fields) => Number(fields[1]) === parent)
    .map((fields) => ticks(fields, 11));
  return used.reduce((sum, each) => sum + each, 0) * tickMs;
}

/** User and system time, which are in adjacent fields. */
function ticks(fields: readonly string[], at: number): number {
  return Number(fields[at] ?? 0) + Number(fields[at + 1] ?? 0);
}

/** The fields from the state on: the name before them may hold any characters. */
function statOf(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    // The process has ended meanwhile.
    return [];
  }
}
