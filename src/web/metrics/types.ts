/** What became of one interaction; times in milliseconds. */
export interface ObservedInteraction {
  readonly kind: "command" | "menu" | "action" | "suggestion" | "unknown";
  /** As declared; undefined for what nobody declared. */
  readonly name: string | undefined;
  readonly outcome: "answered" | "failed" | "expired" | "lost";
  readonly acknowledgedMs: number | undefined;
  readonly ms: number;
  readonly failure: { readonly kind: string; readonly code: string } | undefined;
}

/** What one call spent at the video service. */
export interface ObservedCall {
  readonly method: string;
  readonly bucket: string;
  /** Of the bucket. */
  readonly spent: number;
}

/** What became of a comment. */
export interface ObservedDecision {
  /** `approved`, `rejected`, `undone` and the like. */
  readonly act: string;
  /** `card`, `digest`, `command`, `rule` or `log`. */
  readonly from: string;
  /** `done`, or the code of an error. */
  readonly answer: string;
}

/** One request to a service, with all of its attempts. */
export interface ObservedRequest {
  readonly service: string;
  /** `2xx` to `5xx`, or why there was no answer: `unreachable`, `timeout`, `cut`, `aborted`, or the code of a refusal. */
  readonly result: string;
  readonly attempts: number;
  readonly ms: number;
}

/** How a pool or a queue stands. */
export interface Load {
  readonly waiting: number;
  readonly running: number;
}

export interface GatewayState {
  readonly isConnected: boolean;
  /** Of the last heartbeat; undefined before the first. */
  readonly pingMs: number | undefined;
  readonly guilds: number;
  /** Whether nothing new is begun, because the platform refused too much. */
  readonly isHeld: boolean;
}

/** A try of the store. */
export interface Probed {
  readonly isUp: boolean;
  readonly ms: number;
}

/** How many jobs of a queue there are in the database, of all processes. */
export interface QueueSize {
  readonly queue: string;
  readonly waiting: number;
  /** Of those, how many are due by now. */
  readonly due: number;
  readonly running: number;
  /** Failed for good. */
  readonly parked: number;
}

/** What is read when somebody asks for the metrics. */
export interface Readings {
  /** Undefined while it is not connected yet, or no more. */
  readonly gateway: () => GatewayState | undefined;
  /** By name. */
  readonly loads: Readonly<Record<string, () => Load | Promise<Load>>>;
  readonly store: () => Promise<Probed>;
  /** Left out where absent. */
  readonly jobs?: (() => Promise<readonly QueueSize[]>) | undefined;
}

export interface BuildInfo {
  readonly version: string;
}

/** Everything that is counted. Labels are bounded sets of names of the program's own: no server, no person, no secret. */
export interface Metrics {
  interaction(observed: ObservedInteraction): void;
  call(observed: ObservedCall): void;
  request(observed: ObservedRequest): void;
  /** A picture that was cut out, and the credits it took. */
  cutout(credits: number): void;
  /** A look at a watch's lists: `done`, or the code of the error that ended it. */
  poll(outcome: string): void;
  /** Something that went on record about a comment. */
  decision(observed: ObservedDecision): void;
  /** `renewed`, or the code of the failure. */
  refresh(outcome: string): void;
  /** Sets what is read at each rendering. */
  watch(readings: Readings): void;
  /** In Prometheus's text form. */
  render(): Promise<{ readonly type: string; readonly text: string }>;
  /** Watches the event loop no more. */
  close(): void;
}
