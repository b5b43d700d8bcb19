import type { Made } from "./picture/make-cutout.ts";
import type { Complaint } from "./refusals.ts";
import type { Body } from "./request/form.ts";
import type { Intake } from "./request/input.ts";
import type { Size } from "./request/job.ts";

/** What the worker is started with. */
export interface Setup {
  readonly matting: "network" | "ellipse";
  /** What is taken for a picture. */
  readonly intake: Intake;
  /** Gives the same order the file that was made before. */
  readonly remembers: boolean;
}

/** What an order is about, known before anything is made. */
export interface Estimate {
  readonly width: number;
  readonly height: number;
  readonly size: Size;
  readonly type: string | undefined;
}

/** A picture that was handed over by POST /improve. */
export interface Improvement {
  readonly filename: string;
  readonly tag?: string;
  /** How many it has. */
  readonly bytes: number;
  readonly sha256: string;
}

/** What goes to the worker. An order is read first, and made or dropped when it is settled who pays. */
export type Task =
  | { readonly id: number; readonly kind: "read"; readonly body: Body }
  | {
      readonly id: number;
      readonly kind: "make";
      readonly size: Size;
      readonly answer: "file" | "json";
    }
  | { readonly id: number; readonly kind: "drop" }
  | { readonly id: number; readonly kind: "improve"; readonly body: Body };

/** What comes back, with the task's id. */
export type Reply =
  | { readonly estimate: Estimate }
  | { readonly made: Made }
  | { readonly improvement: Improvement }
  | { readonly refused: readonly Complaint[] }
  | { readonly failure: string };
