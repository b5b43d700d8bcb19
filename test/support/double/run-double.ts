import { withTimeout } from "../../../src/clock.ts";
import { seeded } from "../random.ts";
import { type CommandKind, type DoneCommand, prepareKinds } from "./kinds-of-commands.ts";
import { openDoubleStage } from "./stage.ts";

export interface DoubleResult {
  readonly commands: number;
  /** Effects that happened more than once. */
  readonly doubled: readonly string[];
  /** Effects that did not happen. */
  readonly missing: readonly string[];
  /** Commands without an answer. */
  readonly unanswered: readonly string[];
  /** Errors in the bots' logs. */
  readonly errors: readonly string[];
  /** Acknowledgements that were repeated because Discord's answer to the first was lost. */
  readonly repeated: number;
}

interface DoubleOptions {
  readonly count: number;
  readonly seed: number;
  readonly processes?: number;
}

const atOnce = 12;
const lostShare = 0.2;
const patienceMs = 120_000;
const alreadyAcknowledged = 40_060;

/**
 * Commands of all kinds that every process receives, while one in five of Discord's answers is lost after the work was
 * done.
 */
export async function runDouble({
  count,
  seed,
  processes = 2,
}: DoubleOptions): Promise<DoubleResult> {
  const stage = await openDoubleStage(processes, seeded(seed));
  try {
    const { kinds, others } = await prepareKinds(stage, count);
    let repeated = 0;
    stage.platform.faults.add({
      kind: "cut-after",
      rate: lostShare,
      path: /\/(?:interactions|webhooks|channels)\//u,
    });
    const stopCounting = stage.platform.onExchange(({ responseBody }) => {
      if (Object(responseBody).code === alreadyAcknowledged) repeated += 1;
    });
    const acts = plan(kinds, count);
    const done: DoneCommand[] = [];
    const unanswered: string[] = [];
    const worker = async () => {
      for (let next = acts.shift(); next !== undefined; next = acts.shift()) {
        const { name, act } = next;
        await withTimeout(act, { timeoutMs: patienceMs }).then(
          (one) => done.push(one),
          (error: unknown) => unanswered.push(`${name}: ${error}`),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    stopCounting();
    stage.platform.faults.clear();
    const counted = await Promise.all(
      [...done, ...(await others())].map(async ({ what, effects }) => ({
        what,
        times: await effects(),
      })),
    );
    const those = (isWrong: (times: number) => boolean) =>
      counted.filter(({ times }) => isWrong(times)).map(({ what, times }) => `${times}x ${what}`);
    const errors = stage.bots
      .flatMap(({ lines }) => lines)
      .filter(({ level }) => level === "error")
      .map((line) => JSON.stringify(line));
    return {
      commands: count,
      unanswered,
      errors,
      repeated,
      doubled: those((times) => times > 1),
      missing: those((times) => times < 1),
    };
  } finally {
    await stage.close();
  }
}

/** One of each kind in turn, as long as the kind allows more. */
function plan(kinds: readonly CommandKind[], count: number) {
  const acts: { readonly name: string; readonly act: () => Promise<DoneCommand> }[] = [];
  for (let n = 0; acts.length < count; n += 1) {
    for (const [at, { most = Number.POSITIVE_INFINITY, act }] of kinds.entries()) {
      if (n < most && acts.length < count) acts.push({ name: `kind ${at}`, act: () => act(n) });
    }
  }
  return acts;
}
