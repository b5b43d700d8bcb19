import type { Clock } from "../../clock.ts";

/** Something that is done again and again. */
export interface Task {
  readonly guildId: string;
  /** Milliseconds since the epoch. */
  nextAt: number;
  isRunning: boolean;
  /** It was asked for while it ran. */
  isWanted: boolean;
}

export interface Schedule<T extends Task> {
  add(task: T): void;
  /** Resolves when the task is no longer running. */
  remove(task: T): Promise<void>;
  /** As soon as there is room, or at that time if that is sooner than planned. */
  wake(task: T, at?: number): void;
  /** Begins nothing more; resolves when nothing runs. */
  close(): Promise<void>;
}

export interface ScheduleOptions<T extends Task> {
  readonly clock: Clock;
  /** Answers when it is to be done next. Never throws. */
  readonly run: (task: T) => Promise<number>;
  /** How many run at once, of all guilds and of one. */
  readonly limits: { readonly all: number; readonly guild: number };
}

/** Longest sleep; timers of Node end early when they are longer than 24 days. */
const longestMs = 3_600_000;

/** One timer for all: what is due longest is done first. */
export function createSchedule<T extends Task>(options: ScheduleOptions<T>): Schedule<T> {
  const { clock, run, limits } = options;
  const tasks = new Set<T>();
  const running = new Map<T, Promise<void>>();
  let timer: { readonly at: number; readonly stop: () => void } | undefined;
  let isClosed = false;

  function plan(): void {
    if (isClosed || running.size >= limits.all) return;
    let at = Number.POSITIVE_INFINITY;
    for (const task of tasks)
      if (!task.isRunning && task.nextAt < at && hasRoom(task)) at = task.nextAt;
    if (at === Number.POSITIVE_INFINITY || (timer !== undefined && timer.at <= at)) return;
    timer?.stop();
    const ms = Math.min(longestMs, Math.max(0, at - clock.now()));
    const stop = clock.after(ms, () => {
      timer = undefined;
      return begin();
    });
    timer = { at, stop };
  }

  function hasRoom({ guildId }: T): boolean {
    let count = 0;
    for (const task of running.keys()) if (task.guildId === guildId) count += 1;
    return count < limits.guild;
  }

  /** Resolves when what it has begun is done. */
  async function begin(): Promise<void> {
    const now = clock.now();
    const due = [...tasks].filter((task) => !task.isRunning && task.nextAt <= now);
    due.sort((one, other) => one.nextAt - other.nextAt);
    const begun: Promise<void>[] = [];
    for (const task of due) {
      if (isClosed || running.size >= limits.all) break;
      if (hasRoom(task)) begun.push(start(task));
    }
    plan();
    await Promise.all(begun);
  }

  function start(task: T): Promise<void> {
    task.isRunning = true;
    task.isWanted = false;
    const work = run(task).then((nextAt) => {
      task.isRunning = false;
      task.nextAt = task.isWanted ? clock.now() : nextAt;
      running.delete(task);
      plan();
    });
    running.set(task, work);
    return work;
  }

  return {
    add(task) {
      tasks.add(task);
      plan();
    },
    async remove(task) {
      tasks.delete(task);
      await running.get(task);
    },
    wake(task, at = clock.now()) {
      if (task.isRunning) task.isWanted ||= at <= clock.now();
      else task.nextAt = Math.min(task.nextAt, at);
      plan();
    },
    async close() {
      isClosed = true;
      timer?.stop();
      await Promise.all(running.values());
    },
  };
}
