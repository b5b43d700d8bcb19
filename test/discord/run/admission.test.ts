import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Admission,
  type AdmissionHold,
  type AdmissionLimits,
  createAdmission,
} from "../../../src/discord/run/admission.ts";

const limits: AdmissionLimits = {
  totalBytes: 100,
  tenantBytes: 50,
  personBytes: 30,
  totalWaiting: 40,
  tenantWaiting: 20,
  personWaiting: 8,
};

const never = new AbortController().signal;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Requests bytes, and adds the name to `started` when they are granted. */
function ask(admission: Admission, name: string, bytes: number, started: string[]): AdmissionHold {
  const held = admission.hold({ tenant: name.slice(0, 1), person: name.slice(0, 2) });
  void held.admit(bytes, { signal: never }).then(() => started.push(name));
  return held;
}

describe("createAdmission", () => {
  it("lets nobody wait for what another server holds of its own part", async () => {
    const admission = createAdmission(limits);
    const started: string[] = [];
    for (let n = 0; n < 8; n += 1) ask(admission, "a1", 25, started);
    ask(admission, "a2", 25, started);
    ask(admission, "b1", 25, started);
    await settled();

    expect(started).toEqual(["a1", "a2", "b1"]);
  });

  it("keeps nobody out for ever because others need less", async () => {
    const admission = createAdmission(limits);
    const started: string[] = [];
    const small = Array.from({ length: 5 }, (_, n) => ask(admission, `${n}s`, 19, started));
    ask(admission, "l1", 30, started);
    ask(admission, "m1", 5, started);
    small[0]?.close();
    await settled();
    expect(started).not.toContain("m1");

    small[1]?.close();
    await settled();
    expect(started.slice(5)).toEqual(["l1", "m1"]);
  });

  it("lets work that holds something go on, so that two never wait for each other", async () => {
    const admission = createAdmission({ ...limits, totalBytes: 60 });
    const started: string[] = [];
    const one = ask(admission, "a1", 30, started);
    const other = ask(admission, "b1", 30, started);
    const more = [one, other].map(async (held, n) => {
      await held.admit(20, { signal: never });
      started.push(`more of ${n}`);
      held.close();
    });
    await Promise.all(more);

    expect(started).toEqual(["a1", "b1", "more of 0", "more of 1"]);
    expect(admission.load()).toEqual({ bytes: 0, waiting: 0 });
  });

  it("says how many go first, each time that changes, and when the turn has come", async () => {
    const admission = createAdmission(limits);
    const first = ask(admission, "a1", 30, []);
    const second = ask(admission, "a1", 30, []);
    const places: (number | undefined)[] = [];
    const held = admission.hold({ tenant: "a", person: "a1" });
    const turn = held.admit(30, { signal: never, onQueued: (ahead) => places.push(ahead) });
    first.close();
    second.close();
    await turn;

    expect(places).toEqual([1, 0, undefined]);
  });

  it.each([
    ["person", "a1", 9],
    ["server", "a2", 21],
    ["all", "c1", 41],
  ] as const)("refuses when too many wait: %s", async (whose, _, count) => {
    const admission = createAdmission(limits);
    // Nothing can start while these hold all bytes.
    for (const name of ["w1", "x1", "y1", "z1"]) ask(admission, name, 25, []);
    const nameOf = {
      person: () => "a1",
      server: (n: number) => `a${n}`,
      all: (n: number) => `${String.fromCharCode(97 + (n % 20))}${n}`,
    }[whose];
    const asked = Array.from({ length: count }, (_, n) => {
      const name = nameOf(n);
      const held = admission.hold({ tenant: name.slice(0, 1), person: name });
      return held.admit(25, { signal: never }).then(
        () => "started",
        (error: { code?: string; facts?: object }) => error,
      );
    });
    const last = await asked.at(-1);

    expect(last).toMatchObject({ kind: "limit", code: "files_busy", facts: { whose } });
    expect(admission.load().waiting).toBe(count - 1);
  });

  it("gives everything back and starves nobody, whatever is cancelled, closed or asked for more", async () => {
    const work = fc.record({
      tenant: fc.constantFrom("a", "b", "c"),
      person: fc.constantFrom("1", "2"),
      bytes: fc.integer({ min: 1, max: 40 }),
      more: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
      steps: fc.integer({ min: 0, max: 5 }),
      abortsAfter: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
    });
    const roomy = { ...limits, totalWaiting: 99, tenantWaiting: 99, personWaiting: 99 };
    await fc.assert(
      fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 25 }), async (all) => {
        const admission = createAdmission(roomy);
        let mostBytes = 0;
        const outcomes = await Promise.all(
          all.map(async ({ tenant, person, bytes, more, steps, abortsAfter }) => {
            const abort = new AbortController();
            if (abortsAfter !== undefined) {
              void passed(abortsAfter).then(() => abort.abort(new Error("cancelled")));
            }
            const held = admission.hold({ tenant, person });
            try {
              await held.admit(bytes, { signal: abort.signal });
              mostBytes = Math.max(mostBytes, admission.load().bytes);
              await passed(steps);
              if (more !== undefined) await held.admit(more, { signal: abort.signal });
              mostBytes = Math.max(mostBytes, admission.load().bytes);
              await passed(steps);
              return "done";
            } catch {
              return abort.signal.aborted ? "cancelled" : "refused";
            } finally {
              held.close();
            }
          }),
        );

        expect(outcomes).not.toContain("refused");
        expect(admission.load()).toEqual({ bytes: 0, waiting: 0 });
        // One request may exceed the limit, by what it asks for later.
        expect(mostBytes).toBeLessThanOrEqual(roomy.totalBytes + roomy.personBytes);
      }),
      { numRuns: 100 },
    );
  });

  it("takes nothing from the room for work that is over", async () => {
    const admission = createAdmission(limits);
    ask(admission, "a1", 30, []);
    const held = admission.hold({ tenant: "a", person: "a1" });
    const late = held.admit(30, { signal: never });
    held.close();

    await expect(late).rejects.toThrow("is over");
    await expect(held.admit(1, { signal: never })).rejects.toThrow("is over");
    expect(admission.load()).toEqual({ bytes: 30, waiting: 0 });
  });
});

/** Waits for that many microtasks. */
async function passed(steps: number): Promise<void> {
  for (let n = 0; n < steps; n += 1) await Promise.resolve();
}
